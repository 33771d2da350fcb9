//! The base station's state of one UE.
//!
//! In: the parameters of the cell, the conditions in which the UE attached. Out: state for the
//! schedulers.

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

/// The base station's state of one UE.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct UeContext {
    /// Aggregation level of the UE's control messages.
    pub(super) aggregation: Aggregation,
    pub(in crate::ran::cell) down: DownlinkContext,
    pub(super) up: UplinkContext,
    /// DRX state; `None` if the UE never sleeps.
    drx: Option<Box<Drx>>,
}

/// Downlink state of one UE.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct DownlinkContext {
    pub(in crate::ran::cell) link: LinkAdaptation,
    /// HARQ processes of the UE's downlink.
    pub(in crate::ran::cell) harq: Processes<Block>,
    /// Active assignment of semi-persistent scheduling.
    pub(super) sps: Option<Assignment>,
    /// The last slot in which a block was sent to the UE.
    pub(super) served: u64,
    pub(super) buckets: Buckets,
    pub(super) bearers: Vec<BearerContext>,
    /// Aggregate maximum rate of bearers without guarantee.
    pub(super) aggregate: Option<TokenBucket>,
    /// Newest channel quality report of the UE, in a network.
    pub(super) cqi: Option<Box<CqiReport>>,
}

/// Downlink state of one bearer.
#[derive(Clone, Debug)]
pub(super) struct BearerContext {
    /// Guaranteed and maximum rate of the bearer.
    pub(super) rates: Rates,
    /// Reported queue, if the scheduler uses reports of RLC.
    pub(super) queue: QueueReport,
}

/// Uplink state of one UE.
#[derive(Clone, Debug)]
pub(super) struct UplinkContext {
    pub(super) link: LinkAdaptation,
    /// Data to be granted. On a secondary carrier it is empty outside of the carrier's turn.
    pub(super) demand: UplinkDemand,
    /// A proactive grant is due.
    pub(super) proactive: bool,
    /// The next proactive grant is in the ring. Proactive grants continue until slot
    /// `proactive_until`.
    pub(super) proactive_planned: bool,
    pub(super) proactive_until: u64,
    /// Earliest slot of a granted transmission, after a random access response.
    pub(super) not_before: u64,
    /// Semi-persistent or configured grants of the UE.
    pub(super) configured: Option<Box<ConfiguredGrants>>,
    /// HARQ processes of the UE's uplink.
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
            // Errors that do not depend on the scheme carry no information about it.
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

    /// Resets the MAC (TS 36.321 §5.9). Blocks and grants under way are forgotten; the channel's
    /// state stays.
    pub(super) fn reset(&mut self, setup: &Setup) {
        self.down.harq = downlink_processes(&setup.config);
        self.down.sps = None;
        let link = self.up.link.clone();
        self.up = UplinkContext::new(setup, link);
    }

    /// Restarts DRX for a UE that listens from `slot` on.
    pub(super) fn restart_drx(&mut self, slot: u64) {
        if let Some(drx) = &mut self.drx {
            drx.restart(slot);
        }
    }

    /// Handles an SINR that the UE has reported.
    pub(super) fn on_measured(&mut self, config: &Config, sinr: Sinr, cache: &mut McsCache) {
        self.aggregation = aggregation(config, sinr);
        let capacity = &config.downlink.channel.capacity;
        self.down.link.on_measured(Direction::Down, sinr, capacity, cache);
    }

    /// Returns `true` if the UE reads the control channel in `slot`.
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

    /// Restarts the inactivity timer for a new downlink block in `slot`. Returns the slot in which
    /// the UE woke for it.
    #[inline(always)]
    pub(super) fn on_assignment(&mut self, slot: u64) -> Option<u64> {
        let drx = self.drx.as_mut()?;
        drx.on_assignment(slot);
        drx.woke()
    }

    /// Restarts the inactivity timer for a new uplink block that is granted in `slot`.
    #[inline(always)]
    pub(super) fn on_grant(&mut self, slot: u64) {
        if let Some(drx) = &mut self.drx {
            drx.on_grant(slot);
        }
    }

    /// Keeps the UE awake for a retransmission in either direction, from `slot` on.
    #[inline(always)]
    pub(super) fn on_failure(&mut self, slot: u64) {
        if let Some(drx) = &mut self.drx {
            drx.on_failure(slot);
        }
    }

    /// Keeps the UE awake for the grant that answers its request.
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

    /// Returns the link adaptation of this direction.
    pub(in crate::ran::cell) fn link(&self, direction: Direction) -> &LinkAdaptation {
        match direction {
            Direction::Down => &self.down.link,
            Direction::Up => &self.up.link,
        }
    }
}

impl DownlinkContext {
    /// Returns `true` if a block to the UE occupies `slot`. Blocks are on the air for `on_air`
    /// slots.
    #[inline(always)]
    pub(super) fn is_served(&self, slot: u64, on_air: u64) -> bool {
        slot.checked_sub(self.served).is_some_and(|since| since < on_air)
    }

    /// Swaps the downlink state that belongs to the UE, not to a carrier, with another carrier's.
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
    /// Returns `true` if a semi-persistent or configured grant occupies `slot`.
    #[inline]
    pub(super) fn has_sps(&self, setup: &Setup, slot: u64) -> bool {
        self.configured.as_ref().is_some_and(|configured| configured.has(setup, slot))
    }

    /// Returns `true` if the last granted block is an occasion of a configured grant, and some
    /// bearer does not wait for such grants. A UE that sends a request all the same has data of
    /// that bearer.
    pub(super) fn requests_beside_grant(&self, setup: &Setup) -> bool {
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

/// Returns the HARQ processes of a UE's downlink. The first of them are reserved for
/// semi-persistent scheduling.
fn downlink_processes(config: &Config) -> Processes<Block> {
    let reserved = config.downlink.sps.map_or(0, |sps| sps.processes);
    Processes::new(config.downlink.channel.harq).keeping(reserved)
}

/// Returns the aggregation level of a UE's control messages: the smallest that its SINR allows,
/// whatever the error model of data, adapted to the levels of the cell's control channel. A channel
/// of constant rate has no SINR; its messages take two elements.
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

/// Maximum probability that a UE misses a control message.
const CONTROL_TARGET: f64 = 0.01;
