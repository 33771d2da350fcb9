//! One UE: what it holds, and what the eNB holds for it.
//!
//! In: the parameters of the cell. Out: state; the cell's directions do the work.

mod access;
mod ack_filtering;
mod uplink;

use super::air::Path;
use super::base_station::buffer_view::knows_by_reports;
use super::base_station::link_adaptation::Link;
use super::block::{Block, Draft};
use super::config::{Access, Capacity, Conditions, Config};
use super::mcs_cache::Schemes;
use super::slot_ring::{Answered, Asked};
use super::statistics::UeCounters;
use crate::net::{Direction, Ledger, PerDirection};
use crate::ran::ack_filter::AckFilter;
use crate::ran::mac::estimate::Estimate;
use crate::ran::mac::harq::{self, Processes};
use crate::ran::mac::prioritisation::{Buckets, Channel};
use crate::ran::mac::quality::{Rates, TokenBucket};
use crate::ran::mac::queue_report::QueueReport;
use crate::ran::mac::report::{Groups, Reporting};
use crate::ran::mac::request::{Offset, SchedulingRequest};
use crate::ran::mac::timing::Clock;
use crate::ran::phy::LinkModel;
use crate::ran::phy::pdcch::Aggregation;
use crate::ran::rlc;
use crate::ran::tables::qci::Characteristics;
use crate::ran::{ack_filter, bearer, pdcp};
use crate::sim::{Stream, Streams};
use crate::unit::{Bytes, Decibel, Duration, Instant, Probability, UeId};

/// One UE.
#[derive(Clone, Debug)]
pub(super) struct Ue {
    /// Its number in the scenario.
    pub(super) id: UeId,
    /// What it hears, in a network.
    pub(super) path: Option<Box<Path>>,
    pub(super) counted: UeCounters,
    pub(super) bearers: Vec<Bearer>,
    pub(super) buckets: PerDirection<Buckets>,
    pub(super) down: Half,
    pub(super) up: Half,
    pub(super) aggregation: Aggregation,
    /// The aggregate maximum rate of bearers without guarantee, in the downlink.
    pub(super) aggregate: Option<TokenBucket>,
    /// Some bearer has a maximum rate, or all together have.
    pub(super) limited: bool,
    /// Bytes a slot that guaranteed rates of the downlink add up to.
    pub(super) target: f64,
    /// The downlink's scheduler knows its queues by reports.
    pub(super) reports: bool,
    /// Some bearer is in acknowledged mode.
    pub(super) acknowledged: bool,
    pub(super) feedback_errors: Stream,
    pub(super) uplink: UplinkState,
}

/// A UE that comes into a cell: who it is, and in a network what it hears and the mean of that.
#[derive(Clone, Debug)]
pub(super) struct Newcomer {
    pub(super) id: UeId,
    pub(super) path: Option<(Box<Path>, Conditions)>,
}

/// One direction of a UE.
#[derive(Clone, Debug)]
pub(super) struct Half {
    pub(super) link: Link,
    pub(super) harq: Processes<Block>,
    pub(super) errors: Stream,
}

/// What the uplink needs besides.
#[derive(Clone, Debug)]
pub(super) struct UplinkState {
    // At the UE.
    pub(super) request: SchedulingRequest,
    pub(super) reporting: Reporting,
    pub(super) random_access: Stream,
    /// An occasion is in the ring.
    pub(super) occasion_planned: bool,
    /// Requests are suspended until this slot, for random access.
    pub(super) barred_until: u64,
    /// Bytes asked for or granted and not yet sent, for eager requests.
    pub(super) expected: Bytes,
    /// The slot of the last standing grant that it uses.
    pub(super) standing: Option<u64>,
    /// Buffers changed since the last ideal report.
    pub(super) changed: bool,
    // At the eNB.
    pub(super) estimate: Estimate,
    /// Requests to be answered, and the last of them.
    pub(super) unanswered: u32,
    pub(super) asked: Asked,
    /// The last request that was answered.
    pub(super) answered: Option<Answered>,
    /// It is to be granted something in advance.
    pub(super) in_advance: bool,
    /// The next grant in advance is in the ring, and they go on until this slot.
    pub(super) advance_planned: bool,
    pub(super) advance_until: u64,
    /// The last slot of a transmission granted.
    pub(super) last_granted: Option<u64>,
    /// For each process the slot for which it is taken.
    pub(super) taken: Vec<u64>,
}

/// One bearer of a UE.
#[derive(Clone, Debug)]
pub(super) struct Bearer {
    pub(super) rlc: rlc::Bearer,
    pub(super) pdcp: PerDirection<pdcp::Transmitter>,
    pub(super) discards: PerDirection<bool>,
    pub(super) group: usize,
    pub(super) quality: Characteristics,
    /// Guaranteed and maximum rates of the downlink.
    pub(super) rates: Rates,
    /// What waited in the uplink when it was looked at last.
    pub(super) known: Bytes,
    /// What the downlink's scheduler believes to wait.
    pub(super) report: QueueReport,
    /// What may be taken out of its uplink queue.
    pub(super) filter: Option<Box<AckFilter>>,
}

impl Ue {
    /// UE number `number` of the cell, in its place if that is part of a network.
    pub(super) fn new(
        config: &Config,
        clock: &Clock,
        number: u32,
        arrival: Newcomer,
        streams: Streams,
        schemes: &mut PerDirection<Schemes>,
    ) -> Self {
        let Newcomer { id, path } = arrival;
        let entity = format!("radio/ue/{}", id.0);
        let open = |purpose| streams.open(&entity, purpose);
        let channels: Vec<Channel> = config.bearers.iter().map(bearer::Config::channel).collect();
        let buckets = Buckets::new(&channels);
        let conditions = conditions(config, number, || open("radio conditions"));
        let filters = &config.ack_filters;
        let filter = filters.get(id.index()).or(filters.first());
        let tti = config.tti.length();
        let conditions = path.as_ref().map_or(conditions, |(_, conditions)| *conditions);
        let mut half = |direction, purpose| {
            let channel = config.channel(direction);
            let outer_loop = match direction {
                Direction::Down => config.downlink.outer_loop,
                Direction::Up => config.uplink.outer_loop,
            };
            // Errors that come whatever the scheme is teach nothing about it.
            let outer_loop = outer_loop && matches!(channel.link, LinkModel::Sinr(_));
            let schemes = &mut schemes[direction];
            let capacity = &channel.capacity;
            let link = Link::new(capacity, direction, conditions, outer_loop, tti, schemes);
            let harq = match direction {
                Direction::Down => channel.harq,
                // Synchronous: one process for each slot of the round trip.
                Direction::Up => harq::Config {
                    processes: clock.slots(config.timing.uplink_round_trip) as u32,
                    ..channel.harq
                },
            };
            Half { link, harq: Processes::new(harq), errors: open(purpose) }
        };
        let down = half(Direction::Down, "downlink block errors");
        let mut up = half(Direction::Up, "uplink block errors");
        let path = path.map(|(path, _)| path);
        if let Some(path) = &path {
            up.link.limit(path.most_prbs);
        }
        Self {
            id,
            path,
            counted: UeCounters::default(),
            bearers: config.bearers.iter().map(|bearer| Bearer::new(bearer, filter)).collect(),
            buckets: PerDirection { down: buckets.clone(), up: buckets },
            aggregation: aggregation(config, &down.link),
            aggregate: config
                .aggregate_maximum
                .map(|rate| TokenBucket::new(rate, Duration::from_millis(100))),
            limited: config.aggregate_maximum.is_some()
                || config.bearers.iter().any(|bearer| bearer.maximum.is_some()),
            target: (config.bearers.iter())
                .filter_map(|bearer| bearer.guaranteed)
                .map(|[down, _]| down.as_bps() as f64 / 8.0 * tti.as_secs_f64())
                .sum(),
            reports: knows_by_reports(config),
            acknowledged: config
                .bearers
                .iter()
                .any(|bearer| matches!(bearer.rlc, [rlc::Config::Am(_), rlc::Config::Am(_)])),
            uplink: UplinkState::new(config, clock, number, streams, &entity),
            down,
            up,
            feedback_errors: open("feedback errors"),
        }
    }

    /// Bytes that wait in this direction, with RLC headers.
    pub(super) fn demand(&self, now: Instant, direction: Direction) -> Bytes {
        self.bearers.iter().map(|bearer| bearer.rlc.buffer_status(now, direction).demand()).sum()
    }

    /// True when anything waits in this direction, or the downlink's scheduler believes so.
    pub(super) fn has_data(&self, now: Instant, direction: Direction) -> bool {
        let believed = |bearer: &Bearer| !bearer.report.bytes().is_zero();
        if direction == Direction::Down && self.reports && self.bearers.iter().any(believed) {
            return true;
        }
        self.bearers.iter().any(|bearer| bearer.rlc.has_demand(now, direction))
    }

    /// What a report would say now.
    pub(super) fn groups(&self, now: Instant) -> Groups {
        let mut groups = Groups::default();
        for bearer in &self.bearers {
            groups[bearer.group] += bearer.available(now);
        }
        groups
    }

    /// Bytes that wait at the UE, without headers.
    pub(super) fn waiting(&self) -> Bytes {
        self.bearers.iter().map(|bearer| bearer.known).sum()
    }

    /// Looks at all uplink buffers. Data that became available since the last look may trigger a
    /// regular report; true when it does.
    pub(super) fn look(&mut self, now: Instant) -> bool {
        let mut triggered = false;
        for position in 0..self.bearers.len() {
            let bytes = self.bearers[position].available(now);
            let known = self.bearers[position].known;
            if bytes == known {
                continue;
            }
            self.uplink.changed = true;
            if bytes > known {
                let highest = self.highest_waiting();
                let priority = self.bearers[position].quality.priority.0;
                triggered |= self.uplink.reporting.on_data(priority, highest);
            }
            self.bearers[position].known = bytes;
        }
        triggered
    }

    /// The priority of the most urgent bearer that had uplink data when looked at last.
    fn highest_waiting(&self) -> Option<u16> {
        let waiting = self.bearers.iter().filter(|bearer| !bearer.known.is_zero());
        waiting.map(|bearer| bearer.quality.priority.0).min()
    }
}

impl UplinkState {
    fn new(config: &Config, clock: &Clock, number: u32, streams: Streams, entity: &str) -> Self {
        let uplink = &config.uplink;
        let offset = match uplink.request.offset {
            Offset::InTurn => u64::from(number),
            Offset::Fixed(offset) => offset,
            Offset::Random => {
                streams.open(entity, "scheduling request offset").below(uplink.request.period)
            }
        };
        Self {
            request: SchedulingRequest::new(&uplink.request, offset),
            reporting: Reporting::new(&uplink.report, |span| clock.slots_in(span)),
            random_access: streams.open(entity, "random access"),
            occasion_planned: false,
            barred_until: 0,
            expected: Bytes::ZERO,
            standing: None,
            changed: false,
            estimate: Estimate::default(),
            unanswered: 0,
            asked: Asked::Nothing,
            answered: None,
            in_advance: false,
            advance_planned: false,
            advance_until: 0,
            last_granted: None,
            taken: vec![u64::MAX; clock.slots(config.timing.uplink_round_trip) as usize],
        }
    }

    /// The UE wants to send a request at its next occasion.
    pub(super) fn wants_to_ask(&self, access: Access, waiting: Bytes) -> bool {
        match access {
            Access::Standard => self.request.is_pending(),
            Access::EagerRequests => waiting > self.expected,
            Access::IdealReports => false,
        }
    }
}

impl Bearer {
    fn new(config: &bearer::Config, filter: Option<&ack_filter::Config>) -> Self {
        let [rlc_down, rlc_up] = config.rlc.clone();
        let [pdcp_down, pdcp_up] = config.pdcp.clone();
        Self {
            rlc: rlc::Bearer::new(rlc_down, rlc_up),
            discards: PerDirection {
                down: pdcp_down.discard_timer.is_some(),
                up: pdcp_up.discard_timer.is_some(),
            },
            pdcp: PerDirection {
                down: pdcp::Transmitter::new(pdcp_down),
                up: pdcp::Transmitter::new(pdcp_up),
            },
            group: usize::from(config.group),
            quality: config.qci.characteristics(),
            rates: Rates::new(
                config.guaranteed.map(|[down, _]| down),
                config.maximum.map(|[down, _]| down),
            ),
            known: Bytes::ZERO,
            report: QueueReport::default(),
            filter: filter.map(|filter| Box::new(AckFilter::new(filter.rule, filter.scope))),
        }
    }

    /// Uplink data available for transmission (TS 36.322 §4.5).
    fn available(&self, now: Instant) -> Bytes {
        self.rlc.available(now, Direction::Up)
    }

    /// Puts PDUs of at most `share` bytes into a block. Returns their bytes.
    pub(super) fn build(
        &mut self,
        position: usize,
        share: Bytes,
        draft: &mut Draft,
        charge: &impl Fn(&mut Ledger),
    ) -> Bytes {
        let Draft { direction, now, packing, parts } = draft;
        let mut used = Bytes::ZERO;
        loop {
            let grant = packing.room().min(share.saturating_sub(used));
            if grant.is_zero() {
                return used;
            }
            let Some(pdu) = self.rlc.build(*now, *direction, grant) else { return used };
            packing.add(pdu.size());
            used += pdu.size();
            self.rlc.each_begun(*direction, charge);
            parts.push((position, pdu));
        }
    }
}

/// The radio conditions of UE number `number` in this run.
fn conditions(config: &Config, number: u32, stream: impl FnOnce() -> Stream) -> Conditions {
    let conditions = match config.conditions.as_slice() {
        [] => Conditions::default(),
        some => *some.get(number as usize).unwrap_or(&some[0]),
    };
    let spread = config.spreads.get(number as usize).copied().unwrap_or_default();
    if spread == Decibel::default() {
        return conditions;
    }
    let better = spread.0 * stream().uniform();
    let Conditions { downlink, uplink } = conditions;
    Conditions { downlink: Decibel(downlink.0 + better), uplink: Decibel(uplink.0 + better) }
}

/// The aggregation level of a UE's control messages: by its SINR, where the SINR decides about errors, and no higher than the
/// cell has room for.
fn aggregation(config: &Config, link: &Link) -> Aggregation {
    let (LinkModel::Sinr(receiver), Capacity::Carrier(_)) =
        (&config.downlink.channel.link, &config.downlink.channel.capacity)
    else {
        return Aggregation::Two;
    };
    let target = Probability::new(CONTROL_TARGET).expect("a probability");
    let level = Aggregation::smallest(CONTROL_BITS, link.sinr(), *receiver, target);
    config.control_channel.map_or(level, |channel| level.within(channel.cces))
}

/// Bits of a typical control message, CRC included (TS 36.212 §5.3.3.1: formats 0 and 1A at 10 MHz).
const CONTROL_BITS: u32 = 43;
/// Messages are sent so that this share of them is missed at most.
const CONTROL_TARGET: f64 = 0.01;
