//! What a base station knows of one UE.
//!
//! In: the parameters of the cell, the conditions in which the UE attached. Out: state, which the
//! schedulers use.

use super::Attachment;
use super::configured_grants::ConfiguredGrants;
use super::link_adaptation::LinkAdaptation;
use super::uplink_demand::UplinkDemand;
use super::uplink_harq::UplinkHarq;
use crate::net::{Direction, PerDirection};
use crate::ran::bearer;
use crate::ran::cell::air::CqiReport;
use crate::ran::cell::block::Block;
use crate::ran::cell::config::{Capacity, Config};
use crate::ran::cell::mcs_cache::McsCache;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::bit_rates::{Rates, TokenBucket};
use crate::ran::mac::downlink_sps::Assignment;
use crate::ran::mac::drx::Drx;
use crate::ran::mac::harq::Processes;
use crate::ran::mac::prioritisation::{Buckets, Channel, Payment};
use crate::ran::mac::queue_report::QueueReport;
use crate::ran::phy::control::Message;
use crate::ran::phy::{Aggregation, LinkModel, Sinr};
use crate::unit::{Duration, Probability};

/// One UE, as its base station knows it.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct UeContext {
    /// Of its control messages.
    pub(super) aggregation: Aggregation,
    pub(in crate::ran::cell) down: DownlinkContext,
    pub(super) up: UplinkContext,
    /// When it sleeps.
    drx: Option<Box<Drx>>,
}

/// Its downlink.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct DownlinkContext {
    pub(in crate::ran::cell) link: LinkAdaptation,
    /// Blocks sent to it.
    pub(in crate::ran::cell) harq: Processes<Block>,
    /// Its configured assignment, of semi-persistent scheduling.
    pub(super) sps: Option<Assignment>,
    /// The last slot in which it was sent anything.
    pub(super) served: u64,
    pub(super) buckets: Buckets,
    pub(super) bearers: Vec<BearerContext>,
    /// The aggregate maximum rate of bearers without guarantee.
    pub(super) aggregate: Option<TokenBucket>,
    /// Its newest report of the channel, in a network.
    pub(super) cqi: Option<Box<CqiReport>>,
}

/// One bearer of its downlink.
#[derive(Clone, Debug)]
pub(super) struct BearerContext {
    /// Guaranteed and maximum rate.
    pub(super) rates: Rates,
    /// What waits, where that is known by reports of RLC.
    pub(super) queue: QueueReport,
}

/// Its uplink.
#[derive(Clone, Debug)]
pub(super) struct UplinkContext {
    pub(super) link: LinkAdaptation,
    /// What is to be granted to it; on a secondary carrier nothing, but in its turn.
    pub(super) demand: UplinkDemand,
    /// It is to be granted something proactively.
    pub(super) proactive: bool,
    /// The next proactive grant is in the ring, and they go on until this slot.
    pub(super) proactive_planned: bool,
    pub(super) proactive_until: u64,
    /// No grant is for an earlier slot, after a random access response.
    pub(super) not_before: u64,
    /// Its semi-persistent or configured grants.
    pub(super) configured: Option<Box<ConfiguredGrants>>,
    /// Which of its processes have a block.
    pub(super) harq: UplinkHarq,
}

impl UeContext {
    pub(super) fn new(
        setup: &Setup,
        attachment: &Attachment,
        caches: &mut PerDirection<McsCache>,
    ) -> Self {
        let config = &setup.config;
        let Attachment { conditions, most_prbs, reports_cqi, drx_offset } = *attachment;
        let mut adaptation = |direction| {
            let channel = config.channel(direction);
            let (sinr, outer_loop) = match direction {
                Direction::Down => (conditions.downlink, config.downlink.outer_loop),
                Direction::Up => (conditions.uplink, config.uplink.outer_loop),
            };
            // Errors that come whatever the scheme is teach nothing about it.
            let outer_loop = outer_loop && matches!(channel.link, LinkModel::Sinr(_));
            let cache = &mut caches[direction];
            let capacity = &channel.capacity;
            LinkAdaptation::new(capacity, direction, sinr.into(), outer_loop, cache)
        };
        let down = adaptation(Direction::Down);
        let mut up = adaptation(Direction::Up);
        if let Some(most) = most_prbs {
            up.limit(most);
        }
        Self {
            aggregation: aggregation(config, conditions.downlink.into()),
            down: DownlinkContext::new(config, down, reports_cqi),
            up: UplinkContext::new(setup, up),
            drx: config
                .downlink
                .drx
                .as_ref()
                .map(|drx| Box::new(drx.begin(drx_offset, |span| setup.clock.slots_in(span)))),
        }
    }

    /// The MAC is reset (TS 36.321 §5.9): what was under way is forgotten, what is known of the
    /// channel stays.
    pub(super) fn reset(&mut self, setup: &Setup) {
        self.down.harq = downlink_processes(&setup.config);
        self.down.sps = None;
        let link = self.up.link.clone();
        self.up = UplinkContext::new(setup, link);
    }

    /// It listens from `slot` on.
    pub(super) fn welcome(&mut self, slot: u64) {
        if let Some(drx) = &mut self.drx {
            drx.restart(slot);
        }
    }

    /// It has reported that its SINR has changed to this.
    pub(super) fn on_measured(&mut self, config: &Config, sinr: Sinr, cache: &mut McsCache) {
        self.aggregation = aggregation(config, sinr);
        let capacity = &config.downlink.channel.capacity;
        self.down.link.on_measured(Direction::Down, sinr, capacity, cache);
    }

    /// True when it reads the control channel in `slot`.
    #[inline(always)]
    pub(super) fn is_awake(&mut self, slot: u64) -> bool {
        self.drx.as_mut().is_none_or(|drx| drx.is_awake(slot))
    }

    /// Returns `true` if a new downlink block for the UE could begin in `slot`.
    pub(super) fn can_be_served(&self, slot: u64, on_air: u64) -> bool {
        self.down.harq.has_free()
            && !self.down.is_served(slot, on_air)
            && self.drx.as_ref().is_none_or(|drx| drx.is_active(slot))
    }

    /// It is assigned a new downlink block in `slot`; returns the slot in which it woke for that.
    #[inline(always)]
    pub(super) fn on_assignment(&mut self, slot: u64) -> Option<u64> {
        let drx = self.drx.as_mut()?;
        drx.on_assignment(slot);
        drx.woke()
    }

    /// It is granted a new uplink block in `slot`.
    #[inline(always)]
    pub(super) fn on_grant(&mut self, slot: u64) {
        if let Some(drx) = &mut self.drx {
            drx.on_grant(slot);
        }
    }

    /// A block to it or from it may be sent again from `slot` on.
    #[inline(always)]
    pub(super) fn on_failure(&mut self, slot: u64) {
        if let Some(drx) = &mut self.drx {
            drx.on_failure(slot);
        }
    }

    /// A request of it came that a grant will answer.
    #[inline(always)]
    pub(super) fn on_request(&mut self, slot: u64) {
        if let Some(drx) = &mut self.drx {
            drx.on_request(slot);
        }
    }

    /// Stops the DRX cycles: the UE leaves RRC_CONNECTED or the cell in `slot`.
    pub(super) fn stop_drx(&mut self, slot: u64) {
        if let Some(drx) = &mut self.drx {
            drx.stop(slot);
        }
    }

    /// Returns the number of slots before `end` in which the UE was awake; `None` without DRX.
    pub(in crate::ran::cell) fn slots_awake(&self, end: u64) -> Option<u64> {
        self.drx.as_ref().map(|drx| drx.slots_awake(end))
    }

    /// What is known of its link in this direction.
    pub(in crate::ran::cell) fn link(&self, direction: Direction) -> &LinkAdaptation {
        match direction {
            Direction::Down => &self.down.link,
            Direction::Up => &self.up.link,
        }
    }
}

impl DownlinkContext {
    /// True when it is sent something in `slot`, by a block that is on the air for `on_air` slots.
    #[inline(always)]
    pub(super) fn is_served(&self, slot: u64, on_air: u64) -> bool {
        slot.checked_sub(self.served).is_some_and(|since| since < on_air)
    }

    /// What is the UE's and not a carrier's changes hands.
    pub(super) fn lend_rates(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.buckets, &mut other.buckets);
        std::mem::swap(&mut self.bearers, &mut other.bearers);
        std::mem::swap(&mut self.aggregate, &mut other.aggregate);
    }

    fn new(config: &Config, link: LinkAdaptation, reports_cqi: bool) -> Self {
        let channels = config.bearers.iter().map(|bearer| bearer.channel(Direction::Down));
        let channels: Vec<Channel> = channels.collect();
        Self {
            link,
            harq: downlink_processes(config),
            sps: None,
            served: u64::MAX,
            buckets: Buckets::new(&channels, Payment::ForAll),
            bearers: config.bearers.iter().map(BearerContext::new).collect(),
            aggregate: config
                .aggregate_maximum
                .map(|rate| TokenBucket::new(rate, Duration::from_millis(100))),
            cqi: reports_cqi.then(Box::default),
        }
    }
}

impl BearerContext {
    fn new(config: &bearer::Config) -> Self {
        Self { rates: Rates::new(config.gbr.down, config.mbr.down), queue: QueueReport::default() }
    }
}

impl UplinkContext {
    /// True when a semi-persistent grant has `slot`.
    #[inline]
    pub(super) fn has_sps(&self, setup: &Setup, slot: u64) -> bool {
        self.configured.as_ref().is_some_and(|configured| configured.has(setup, slot))
    }

    /// True when what was granted last is an occasion of a configured grant, and some bearer does
    /// not wait for these: a UE that asks all the same has data of it.
    pub(super) fn asks_beside_grant(&self, setup: &Setup) -> bool {
        let (Some(configured), Some(turn)) = (&self.configured, self.demand.last_granted) else {
            return false;
        };
        configured.begins_in(setup, turn) && configured.are_not_for_all(&setup.config.bearers)
    }

    fn new(setup: &Setup, link: LinkAdaptation) -> Self {
        Self {
            link,
            demand: UplinkDemand::new(setup),
            proactive: false,
            proactive_planned: false,
            proactive_until: 0,
            not_before: 0,
            configured: ConfiguredGrants::new(setup),
            harq: UplinkHarq::new(setup),
        }
    }
}

/// The processes of a UE's downlink, the first of which semi-persistent scheduling may have.
fn downlink_processes(config: &Config) -> Processes<Block> {
    let reserved = config.downlink.sps.map_or(0, |sps| sps.processes);
    Processes::new(config.downlink.channel.harq).keeping(reserved)
}

/// Aggregation level of a UE's control messages: the smallest that its SINR allows, whatever is
/// assumed about errors of data, and at most what the cell's control channel has room for. A
/// channel of constant rate has no SINR; its messages take two elements.
fn aggregation(config: &Config, sinr: Sinr) -> Aggregation {
    let level = match &config.downlink.channel.capacity {
        Capacity::Carrier(carrier) => {
            let message = config.control_channel.map_or(Message::LTE, |channel| channel.message);
            let target = Probability::new(CONTROL_TARGET).expect("a probability");
            Aggregation::smallest(&message, sinr, carrier.receiver, target)
        }
        Capacity::Rate(_) | Capacity::Unlimited => Aggregation::Two,
    };
    config.control_channel.map_or(level, |channel| channel.level(level))
}

/// Messages are sent so that this share of them is missed at most.
const CONTROL_TARGET: f64 = 0.01;
