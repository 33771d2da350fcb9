//! The parameters of a cell.
//!
//! In: nothing; a scenario sets the values. Out: plain parameters.

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
    /// Start of the grid of slots.
    pub phase: Phase,
    /// Delays of all nodes.
    pub timing: Timing,
    /// Times of slots that differ, as in TDD; `None` if all slots are alike.
    pub slots: Option<Slots>,
    /// The direction from the eNB to the UEs.
    pub downlink: Downlink,
    /// The direction from the UEs to the eNB.
    pub uplink: Uplink,
    /// Capacity for grants and assignments; no limit for `None`.
    pub control_channel: Option<control_channel::Config>,
    /// Error rates of feedback and requests.
    pub feedback: FeedbackErrors,
    /// Lengths of MAC headers and reports.
    pub sub_headers: SubHeaders,
    /// The bearers of each UE; the first is the default bearer.
    pub bearers: Vec<bearer::Config>,
    /// `UE-AMBR` of the downlink: maximum rate of a UE's bearers without guaranteed rate together.
    pub aggregate_maximum: Option<Bitrate>,
    /// `UE-AMBR` of the uplink: maximum rate of a UE's bearers without guaranteed rate together.
    pub uplink_aggregate_maximum: Option<Bitrate>,
    /// Radio conditions of each UE. UEs beyond the entries have the first ones.
    pub conditions: Vec<Conditions>,
    /// Maximum improvement of each UE's conditions, equal in both directions. A UE draws it once
    /// per run, between zero and this value. Zero for UEs beyond the entries.
    pub spreads: Vec<Decibel>,
    /// SINRs over time of UEs that have a list in a direction, in a cell without a network. No list
    /// for UEs beyond the entries.
    pub sinrs: Vec<PerDirection<Vec<SinrStep>>>,
    /// Handovers of the UEs; `None` if there are none.
    pub handover: Option<handover::Config>,
    /// Release and resumption of UEs without data; `None` if UEs are never released.
    pub rrc: Option<rrc::Config>,
    /// ACK filter of each UE, for all its bearers. UEs beyond the entries have the first one;
    /// without entries there is no filter.
    pub ack_filters: Vec<ack_filter::Config>,
    /// Secondary carriers, each as a cell. Its downlink counts, and its uplink only if it carries
    /// uplink blocks. Its slots begin with those of this cell.
    pub secondaries: Vec<Self>,
    /// On a secondary carrier: `true` if it carries uplink blocks.
    pub carries_uplink: bool,
    /// On a secondary carrier: its activation; `None` if it is always active.
    pub activation: Option<Activation>,
}

/// Times of each slot of a pattern that repeats, starting at slot 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Delays from each slot to the slots in which the other side acts on its content.
    pub times: Box<[SlotTimes]>,
    /// Time by which a downlink transmission in the slot ends before the slot.
    pub downlink_spared: Box<[Duration]>,
    /// Additional processing time of a UE for a block in the slot, beyond
    /// [`Timing::ue_processing`].
    pub downlink_late: Box<[Duration]>,
    /// Number of slots of the clock that a block is on the air.
    pub on_air: u64,
    /// Number of slots of the clock in a slot of the carrier: more than one if blocks can begin
    /// within a slot.
    pub in_carrier_slot: u64,
}

/// Parameters that both directions have.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Capacity of a slot.
    pub capacity: Capacity,
    /// Error model of blocks.
    pub link: LinkModel,
    /// HARQ: processes and retransmissions.
    pub harq: harq::Config,
    /// Metric that ranks the UEs.
    pub metric: Metric,
    /// `t_c`: memory of the scheduler's averages, in slots.
    pub averaging_slots: u32,
    /// Maximum number of UEs in a slot.
    pub ues_per_slot: u32,
    /// Rule by which the bearers of a UE share its block.
    pub sharing: Sharing,
    /// Use of a bearer's share after a STATUS PDU.
    pub status_pdus: StatusPdus,
}

/// Parameters of the downlink.
#[derive(Clone, Debug)]
pub struct Downlink {
    /// Capacity, errors, HARQ and scheduling of downlink blocks.
    pub channel: Channel,
    /// Outer-loop link adaptation, for `RateControl::Adaptive`.
    pub outer_loop: bool,
    /// Queue sizes that the scheduler uses.
    pub queue_view: DownlinkQueueView,
    /// Semi-persistent scheduling: blocks without control messages.
    pub sps: Option<downlink_sps::Config>,
    /// DRX of the UEs; `None` if they never sleep.
    pub drx: Option<drx::Config>,
    /// Short blocks of urgent bearers; `None` if no bearer is urgent.
    pub urgent: Option<Box<Urgent>>,
}

/// Short downlink blocks of urgent bearers.
#[derive(Clone, Debug)]
pub struct Urgent {
    /// Their capacity, errors and retransmissions.
    pub channel: Channel,
    /// Delays of these blocks from each slot of the clock.
    pub times: Box<[SlotTimes]>,
    /// Additional processing time of a UE for a block that begins in the slot.
    pub late: Box<[Duration]>,
    /// Number of slots of the clock that such a block is on the air.
    pub on_air: u64,
    /// Pre-emption of other blocks.
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

/// Parameters of the uplink.
#[derive(Clone, Debug)]
pub struct Uplink {
    /// Capacity, errors, HARQ and scheduling of uplink blocks.
    pub channel: Channel,
    /// Retransmission scheme of blocks.
    pub discipline: harq::Discipline,
    /// Outer-loop link adaptation, for `RateControl::Adaptive`.
    pub outer_loop: bool,
    /// Rule by which UEs ask for grants.
    pub access: Access,
    /// Parameters of scheduling requests.
    pub request: scheduling_request::Config,
    /// Further SR configurations, in NR. Numbers in bearers count from `request`, which is 0.
    pub more_requests: Vec<scheduling_request::Config>,
    /// `logicalChannelSR-DelayTimer`, for the bearers that use it.
    pub request_delay: Duration,
    /// Random access with contention; `None` for fixed times, from the parameters of requests.
    pub random_access: Option<random_access::Config>,
    /// Parameters of buffer status reports.
    pub report: buffer_status::Config,
    /// Sizes and causes of uplink grants.
    pub grants: grant::Policy,
    /// PUCCH, dimensioned for the number of UEs; `None` leaves the carrier and the requests
    /// unchanged.
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

/// Activation of a secondary carrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// Delay between data for a UE and the time when the carrier may carry them.
    pub delay: Duration,
    /// `sCellDeactivationTimer`
    pub deactivation_timer: Duration,
}

/// Capacity of a slot.
#[derive(Clone, Debug)]
pub enum Capacity {
    /// Unlimited capacity.
    Unlimited,
    /// A constant rate with any TTI: blocks of `rate · TTI`, to the byte.
    Rate(Bitrate),
    /// Resource blocks of a carrier.
    Carrier(Carrier),
}

/// Radio conditions of one UE. They are constant during a run, except for a UE with a list of
/// SINRs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// SINR at the UE's receiver.
    pub downlink: Decibel,
    /// SINR at the eNB's receiver.
    pub uplink: Decibel,
}

impl Config {
    /// Returns the block parameters of one direction.
    pub(super) const fn channel(&self, direction: Direction) -> &Channel {
        match direction {
            Direction::Down => &self.downlink.channel,
            Direction::Up => &self.uplink.channel,
        }
    }

    /// Returns this cell with sizes for its TTI and a PUCCH for `ues` UEs. Resources of the PUCCH
    /// are not available for data.
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

    /// Returns `true` if several carriers carry uplink blocks.
    pub(super) fn shares_uplink(&self) -> bool {
        self.secondaries.iter().any(|secondary| secondary.carries_uplink)
    }

    /// Returns the number of slots of the clock that a block is on the air.
    pub(super) fn on_air(&self) -> u64 {
        self.slots.as_ref().map_or(1, |slots| slots.on_air)
    }

    /// Returns the number of slots of the clock in a slot of the carrier.
    pub(super) fn in_carrier_slot(&self) -> u64 {
        self.slots.as_ref().map_or(1, |slots| slots.in_carrier_slot)
    }

    /// Returns the length of a slot of the carrier, to the nearest nanosecond.
    pub(super) fn carrier_slot(&self) -> Duration {
        Tti { num: self.tti.num * self.in_carrier_slot(), ..self.tti }.length()
    }

    /// Returns the delays from slot to slot, in slots of `clock`.
    pub fn timeline(&self, clock: &Clock) -> Timeline {
        match &self.slots {
            None => Timeline::new(&self.timing, clock),
            Some(slots) => Timeline::with_slots(&self.timing, clock, slots.times.clone()),
        }
    }

    /// Returns `true` if the scheduler can use reports of queues ([`DownlinkQueueView::Reports`]),
    /// because the downlink is as in ns-3.
    pub fn can_know_by_reports(&self) -> bool {
        self.downlink.channel.sharing == Sharing::Equal
            && self.aggregate_maximum.is_none()
            && self
                .bearers
                .iter()
                .all(|bearer| bearer.mbr.down.is_none() && !bearer.rlc.down.is_acknowledged())
    }

    /// Returns the time by which an uplink transmission ends before its slot: a fourteenth of the
    /// slot if it spares a symbol, plus the nanosecond by which every block of the LTE module of
    /// ns-3 ends early.
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
    /// Returns the scheduler's interpretation of a report.
    pub(super) const fn reading(self) -> Reading {
        match self {
            Self::Standard | Self::EagerRequests => Reading::LessGrants,
            Self::IdealReports => Reading::Current,
        }
    }
}

impl Capacity {
    /// Returns the smallest number of resource blocks that a UE can get.
    pub(super) fn smallest_allocation(&self) -> u32 {
        match self {
            Self::Carrier(carrier) => carrier.allocation.at_least(1, carrier.prbs) as u32,
            Self::Unlimited | Self::Rate(_) => 1,
        }
    }

    /// Returns the code blocks of a transport block with `mcs` in its first transmission. Without
    /// resource blocks it is one code block, which is only counted.
    pub(super) fn code_blocks(&self, size: Bytes, mcs: Mcs) -> CodeBlocks {
        let Self::Carrier(carrier) = self else { return CodeBlocks::control(1) };
        let size = TransportBlockSize::from_bits(size.bits() as u32).expect("whole bytes");
        carrier.sizing.code_blocks(size, mcs)
    }
}

impl Channel {
    /// Creates a channel whose blocks all arrive, with round robin.
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

    /// If blocks can begin within a slot, the clock counts symbols, here those of 30 kHz, 14 in a
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
