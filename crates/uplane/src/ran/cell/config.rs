//! The parameters of a cell.
//!
//! In: nothing; a scenario fills it. Out: plain parameters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::air::varying_sinr::SinrStep;
use super::carrier::Carrier;
use super::preemption::Preemption;
pub use super::tti::Tti;
use crate::net::{Direction, PerDirection};
use crate::ran::Phase;
use crate::ran::ack_filter;
use crate::ran::bearer;
use crate::ran::handover;
use crate::ran::mac::buffer_status;
use crate::ran::mac::control_channel;
use crate::ran::mac::downlink_sps;
use crate::ran::mac::drx;
use crate::ran::mac::estimate::Reading;
use crate::ran::mac::grant;
use crate::ran::mac::harq;
use crate::ran::mac::header::SubHeaders;
use crate::ran::mac::random_access;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::scheduling_request;
use crate::ran::mac::sharing::Sharing;
use crate::ran::mac::status_pdus::StatusPdus;
use crate::ran::mac::timeline::{SlotTimes, Timeline};
use crate::ran::mac::timing::{Clock, Timing};
use crate::ran::phy::feedback::FeedbackErrors;
use crate::ran::phy::{CodeBlocks, LinkModel, Mcs, Pucch, TransportBlockSize};
use crate::ran::rrc;
use crate::unit::{Bitrate, Bytes, Decibel, Duration};

/// One cell and its UEs, which all have the same bearers.
#[derive(Clone, Debug)]
pub struct Config {
    /// The transmission time interval.
    pub tti: Tti,
    /// Where the grid of slots begins.
    pub phase: Phase,
    /// Delays of all nodes.
    pub timing: Timing,
    /// Slots that differ in what follows from them, as in TDD; for `None` they are all alike.
    pub slots: Option<Slots>,
    /// From the eNB to the UEs.
    pub downlink: Downlink,
    /// From the UEs to the eNB.
    pub uplink: Uplink,
    /// Capacity for grants and assignments; no limit for `None`.
    pub control_channel: Option<control_channel::Config>,
    /// How reliable feedback and requests are.
    pub feedback: FeedbackErrors,
    /// Lengths of MAC headers and reports.
    pub sub_headers: SubHeaders,
    /// The bearers of each UE; the first is the default bearer.
    pub bearers: Vec<bearer::Config>,
    /// `UE-AMBR` of the downlink: what all bearers of a UE without guaranteed rate may get
    /// together.
    pub aggregate_maximum: Option<Bitrate>,
    /// The same of the uplink.
    pub uplink_aggregate_maximum: Option<Bitrate>,
    /// Radio conditions of the UEs; of the first again when there are more UEs than entries.
    pub conditions: Vec<Conditions>,
    /// By how much UEs may be better off than that, both ways alike: each draws it for the run,
    /// from zero to this. Zero for UEs beyond the entries.
    pub spreads: Vec<Decibel>,
    /// SINRs over time instead, in a cell without a network: of UEs with a list in a direction.
    /// None for UEs beyond the entries.
    pub sinrs: Vec<PerDirection<Vec<SinrStep>>>,
    /// When UEs change the cell; never for `None`.
    pub handover: Option<handover::Config>,
    /// When UEs without data are released, and how they come back; they never are for `None`.
    pub rrc: Option<rrc::Config>,
    /// The ACK filters of the UEs, each for all its bearers; of the first again when there are more
    /// UEs than entries, none when there is no entry.
    pub ack_filters: Vec<ack_filter::Config>,
    /// Secondary carriers, each as a cell of which the downlink counts, and the uplink's blocks
    /// where it carries some. Their slots begin with those of this cell.
    pub secondaries: Vec<Self>,
    /// Of a secondary carrier: it carries uplink blocks.
    pub carries_uplink: bool,
    /// Of a secondary carrier: how it is activated; it always is for `None`.
    pub activation: Option<Activation>,
}

/// What follows from each slot, again and again from slot 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// When the other side acts on what is sent in it.
    pub times: Box<[SlotTimes]>,
    /// By how much a downlink transmission in it ends before the slot.
    pub downlink_spared: Box<[Duration]>,
    /// By how much longer than [`Timing::ue_processing`] a UE takes for a block of it.
    pub downlink_late: Box<[Duration]>,
    /// For how many slots of the clock a block is on the air.
    pub on_air: u64,
    /// Slots of the clock in one of the carrier: more than one where blocks begin within a slot.
    pub in_carrier_slot: u64,
}

/// What both directions have.
#[derive(Clone, Debug)]
pub struct Channel {
    /// How much fits into a slot.
    pub capacity: Capacity,
    /// Whether it arrives.
    pub link: LinkModel,
    /// Retransmissions.
    pub harq: harq::Config,
    /// The order of UEs.
    pub metric: Metric,
    /// `t_c`: how many slots averages of the scheduler remember.
    pub averaging_slots: u32,
    /// How many UEs share a slot at most.
    pub ues_per_slot: u32,
    /// How the bearers of a UE share its block.
    pub sharing: Sharing,
    /// What a STATUS PDU leaves for data.
    pub status_pdus: StatusPdus,
}

/// The downlink.
#[derive(Clone, Debug)]
pub struct Downlink {
    /// Blocks.
    pub channel: Channel,
    /// Outer-loop link adaptation, for `RateControl::Adaptive`.
    pub outer_loop: bool,
    /// What the scheduler knows of the queues.
    pub queue_view: DownlinkQueueView,
    /// Semi-persistent scheduling: blocks that need no control message of their own.
    pub sps: Option<downlink_sps::Config>,
    /// When UEs sleep; never for `None`.
    pub drx: Option<drx::Config>,
    /// Short blocks of urgent bearers; for `None` no bearer is urgent.
    pub urgent: Option<Box<Urgent>>,
}

/// Short downlink blocks of urgent bearers.
#[derive(Clone, Debug)]
pub struct Urgent {
    /// What they carry, and how they are sent again.
    pub channel: Channel,
    /// What follows from each slot of the clock for them.
    pub times: Box<[SlotTimes]>,
    /// By how much longer a UE takes for one that begins in it.
    pub late: Box<[Duration]>,
    /// For how many slots of the clock one is on the air.
    pub on_air: u64,
    /// What they do to other blocks.
    pub preemption: Preemption,
}

/// Queue sizes that the downlink scheduler uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "DownlinkQueues")]
pub enum DownlinkQueueView {
    /// Current queue sizes of RLC, which is in the same base station as the scheduler.
    #[default]
    Exact,
    /// Queue sizes that RLC reports when packets arrive, as in ns-3; the scheduler subtracts each
    /// grant, used or not. Requires `sharing = "equal"`, bearers in unacknowledged mode, and
    /// neither `ue_ambr` nor `mbr`.
    Reports,
}

/// The uplink.
#[derive(Clone, Debug)]
pub struct Uplink {
    /// Blocks.
    pub channel: Channel,
    /// How blocks are sent again.
    pub discipline: harq::Discipline,
    /// Outer-loop link adaptation, for `RateControl::Adaptive`.
    pub outer_loop: bool,
    /// How the eNB learns of data.
    pub access: Access,
    /// Scheduling requests.
    pub request: scheduling_request::Config,
    /// Further configurations of them, in NR; those of bearers count from that above.
    pub more_requests: Vec<scheduling_request::Config>,
    /// `logicalChannelSR-DelayTimer`, for bearers that have it applied.
    pub request_delay: Duration,
    /// Random access with contention; for `None` it takes the times of the requests' parameters.
    pub random_access: Option<random_access::Config>,
    /// Buffer status reports.
    pub report: buffer_status::Config,
    /// Grants.
    pub grants: grant::Policy,
    /// The control channel by the number of UEs; for `None` the carrier and the requests are as
    /// they are.
    pub pucch: Option<Pucch>,
}

/// Rule by which a UE asks for uplink grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RequestRule")]
pub enum Access {
    /// When data arrives at empty buffers, the UE sends a scheduling request at each occasion until
    /// it builds a block with a buffer status report (TS 36.321 §5.4.4, §5.4.5).
    Standard,
    /// The UE sends a scheduling request at each occasion while its waiting bytes exceed its
    /// requested and granted bytes. Uplink blocks carry buffer status reports.
    #[serde(rename = "eager")]
    EagerRequests,
    /// The UE sends no scheduling requests. It reports its buffers in each TTI in which they
    /// change, without cost or error. The eNB takes each report as the current demand, so it grants
    /// bytes again that are granted but not yet received.
    IdealReports,
}

/// How a carrier is activated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// From data for a UE until the carrier may carry it.
    pub delay: Duration,
    /// `sCellDeactivationTimer`
    pub deactivation_timer: Duration,
}

/// How much fits into a slot.
#[derive(Clone, Debug)]
pub enum Capacity {
    /// Anything.
    Unlimited,
    /// A constant rate, whatever the TTI: blocks of `rate · TTI`, to the byte.
    Rate(Bitrate),
    /// Resource blocks.
    Carrier(Carrier),
}

/// Radio conditions of one UE. They stay the same for the whole run, but for a UE with a list of
/// SINRs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// SINR at the UE.
    pub downlink: Decibel,
    /// SINR at the eNB.
    pub uplink: Decibel,
}

impl Config {
    /// Blocks of one direction.
    pub(super) const fn channel(&self, direction: Direction) -> &Channel {
        match direction {
            Direction::Down => &self.downlink.channel,
            Direction::Up => &self.uplink.channel,
        }
    }

    /// The same cell with sizes for its TTI and a control channel for `ues` UEs: what it takes is
    /// no longer there for data.
    pub(super) fn for_ues(&self, ues: u32) -> Self {
        let mut config = self.clone();
        let tti = config.tti.length();
        for channel in [&mut config.downlink.channel, &mut config.uplink.channel] {
            if let Capacity::Carrier(carrier) = &mut channel.capacity {
                carrier.sizing = carrier.sizing.in_slots_of(tti);
            }
        }
        let Some(pucch) = &self.uplink.pucch else { return config };
        let dimensions = pucch.dimensions(ues).expect("no more UEs than were found possible");
        config.uplink.request.period = dimensions.request_period;
        if let Capacity::Carrier(carrier) = &mut config.uplink.channel.capacity {
            carrier.prbs = pucch.band() - dimensions.prbs;
        }
        config
    }

    /// True where several carriers carry uplink blocks.
    pub(super) fn shares_uplink(&self) -> bool {
        self.secondaries.iter().any(|secondary| secondary.carries_uplink)
    }

    /// For how many slots of the clock a block is on the air.
    pub(super) fn on_air(&self) -> u64 {
        self.slots.as_ref().map_or(1, |slots| slots.on_air)
    }

    /// Slots of the clock in one of the carrier.
    pub(super) fn in_carrier_slot(&self) -> u64 {
        self.slots.as_ref().map_or(1, |slots| slots.in_carrier_slot)
    }

    /// The length of a slot of the carrier, to the nearest nanosecond.
    pub(super) fn carrier_slot(&self) -> Duration {
        Tti { num: self.tti.num * self.in_carrier_slot(), ..self.tti }.length()
    }

    /// From slot to slot, with the slots of `clock`.
    pub fn timeline(&self, clock: &Clock) -> Timeline {
        match &self.slots {
            None => Timeline::new(&self.timing, clock),
            Some(slots) => Timeline::with_slots(&self.timing, clock, slots.times.clone()),
        }
    }

    /// True where the scheduler can know queues by reports ([`DownlinkQueueView::Reports`]): where
    /// the downlink is as in ns-3.
    pub fn can_know_by_reports(&self) -> bool {
        self.downlink.channel.sharing == Sharing::Equal
            && self.aggregate_maximum.is_none()
            && self
                .bearers
                .iter()
                .all(|bearer| bearer.mbr.down.is_none() && !bearer.rlc.down.is_acknowledged())
    }

    /// By how much an uplink transmission ends before its slot: a fourteenth of it where it spares
    /// a symbol, and then the nanosecond by which every block of the LTE module of ns-3 ends before
    /// its time.
    pub(super) fn uplink_spared(&self) -> Duration {
        if !self.timing.uplink_spares_symbol {
            return Duration::ZERO;
        }
        let symbol = (self.tti.num + 7 * self.tti.den) / (14 * self.tti.den);
        Duration::from_nanos(symbol + 1)
    }
}

impl Default for Conditions {
    fn default() -> Self {
        Self { downlink: Decibel(20.0), uplink: Decibel(20.0) }
    }
}

impl Access {
    /// What the scheduler makes of a report.
    pub(super) const fn reading(self) -> Reading {
        match self {
            Self::Standard | Self::EagerRequests => Reading::LessGrants,
            Self::IdealReports => Reading::AsItIs,
        }
    }
}

impl Capacity {
    /// The fewest resource blocks that a UE can be given.
    pub(super) fn smallest_allocation(&self) -> u32 {
        match self {
            Self::Carrier(carrier) => carrier.allocation.at_least(1, carrier.prbs) as u32,
            Self::Unlimited | Self::Rate(_) => 1,
        }
    }

    /// The code blocks of a transport block that is sent with `mcs` for the first time: one, which
    /// is only counted, where there are no resource blocks.
    pub(super) fn code_blocks(&self, size: Bytes, mcs: Mcs) -> CodeBlocks {
        let Self::Carrier(carrier) = self else { return CodeBlocks::control(1) };
        let size = TransportBlockSize::from_bits(size.bits() as u32).expect("whole bytes");
        carrier.sizing.code_blocks(size, mcs)
    }
}

impl Channel {
    /// Anything arrives, in the order of round robin.
    pub fn ideal(capacity: Capacity, harq: harq::Config) -> Self {
        Self {
            capacity,
            link: LinkModel::Ideal,
            harq,
            metric: Metric::RoundRobin,
            averaging_slots: 100,
            ues_per_slot: 10,
            sharing: Sharing::Priority,
            status_pdus: StatusPdus::WithData,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::lte::preset;
    use crate::ran::phy::lte::Bandwidth;

    #[test]
    fn the_length_of_a_tti_is_to_the_nearest_nanosecond() {
        assert_eq!(Tti::SUBFRAME.length(), Duration::from_millis(1));
        assert_eq!(Tti::TWO_SYMBOLS.length(), Duration::from_nanos(142_857));
        assert_eq!(Tti { num: 1_000_000, den: 3 }.length(), Duration::from_nanos(333_333));
        assert_eq!(Tti { num: 2_000_000, den: 3 }.length(), Duration::from_nanos(666_667));
    }

    /// A fourteenth of 333 333.3 ns is 23 809.52, and one nanosecond more.
    #[test]
    fn a_spared_symbol_is_to_the_nearest_nanosecond() {
        let mut config = preset::lena(Bandwidth::Mhz5, vec![bearer::Config::default_bearer()]);
        config.tti = Tti { num: 1_000_000, den: 3 };
        assert_eq!(config.uplink_spared(), Duration::from_nanos(23_811));
        config.timing.uplink_spares_symbol = false;
        assert_eq!(config.uplink_spared(), Duration::ZERO);
    }

    /// Where blocks begin within a slot the clock counts symbols, here those of 30 kHz, 14 in a
    /// slot of half a millisecond (TS 38.211 §4.3.2).
    #[test]
    fn a_slot_of_the_carrier_has_all_its_symbols() {
        let mut config = preset::lena(Bandwidth::Mhz5, vec![bearer::Config::default_bearer()]);
        assert_eq!(config.carrier_slot(), Duration::from_millis(1));
        config.tti = Tti { num: 1_000_000, den: 28 };
        config.slots = Some(Slots {
            times: Box::new([]),
            downlink_spared: Box::new([]),
            downlink_late: Box::new([]),
            on_air: 2,
            in_carrier_slot: 14,
        });
        assert_eq!(config.carrier_slot(), Duration::from_micros(500));
    }
}
