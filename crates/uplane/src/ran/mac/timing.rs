//! The clock of a cell and the delays of its nodes (TS 36.213 §7, §8, §10; TR 36.912 annex B.2).
//!
//! In: a transmission time interval as an exact fraction, delays in TTIs. Out: slots and instants.
//!
//! Delays are counted in TTIs, with halves, so a shorter TTI makes a faster radio. A delay can also
//! have a minimum in absolute time, for nodes that do not get faster. Events on the grid take whole
//! slots; only deliveries fall between slots.
//!
//! Left out: timing advance and propagation (a few microseconds in a cell).

use crate::unit::{Duration, Grid, Instant};

/// A delay in TTIs that is never shorter than a fixed time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay {
    half_ttis: u32,
    at_least: Duration,
}

/// The delays of a cell. Each name states where a delay starts and ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// eNB: from the arrival of a packet to the first slot that may carry it, alignment not
    /// counted.
    pub enb_processing: Delay,
    /// eNB: from the slot in which a downlink block is built to the slot in which it is sent.
    pub block_to_air: Delay,
    /// UE: from the end of a downlink transmission to the IP layer.
    pub ue_processing: Delay,
    /// UE: from the arrival of a packet to its buffer, from which it is requested and sent.
    pub ue_transmission: Delay,
    /// From the slot in which a downlink block is built to the slot whose scheduler knows its HARQ
    /// feedback.
    pub downlink_feedback: Delay,
    /// From the slot of a scheduling request to the slot of the grant that answers it.
    pub request_to_grant: Delay,
    /// From the slot of a buffer status report to the slot of the first grant that knows it.
    pub report_to_grant: Delay,
    /// From the slot of an uplink grant to the slot of its transmission.
    pub grant_to_uplink: Delay,
    /// UE: from the start of the slot in which an uplink block is built to that of its
    /// transmission; at most [`Timing::grant_to_uplink`] less one TTI.
    pub fill_to_uplink: Delay,
    /// eNB: from the end of an uplink transmission to the IP layer.
    pub uplink_decoding: Delay,
    /// From an uplink transmission to its retransmission.
    pub uplink_round_trip: Delay,
    /// An uplink transmission leaves the last of the fourteen symbols of its slot free, for
    /// sounding reference signals (TS 36.213 §8.2).
    pub uplink_spares_symbol: bool,
}

/// The slots of a cell, and their halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    slots: Grid,
    halves: Grid,
}

impl Delay {
    /// A delay of zero.
    pub const NONE: Self = Self::ttis(0);

    /// Creates a delay of whole TTIs.
    pub const fn ttis(ttis: u32) -> Self {
        Self::half_ttis(2 * ttis)
    }

    /// Creates a delay of half TTIs.
    pub const fn half_ttis(half_ttis: u32) -> Self {
        Self { half_ttis, at_least: Duration::ZERO }
    }

    /// Returns this delay with a minimum of `floor`, for a node that does not get faster with the
    /// TTI.
    #[must_use]
    pub const fn at_least(self, floor: Duration) -> Self {
        Self { at_least: floor, ..self }
    }
}

impl Timing {
    /// Returns these delays with minima, for nodes that do not get faster with a short TTI: `floor`
    /// for a grant or the answer to a request or report, twice `floor` for feedback and
    /// retransmissions.
    #[must_use]
    pub const fn at_least(self, floor: Duration) -> Self {
        let both_ways = Duration::from_nanos(2 * floor.as_nanos());
        Self {
            request_to_grant: self.request_to_grant.at_least(floor),
            report_to_grant: self.report_to_grant.at_least(floor),
            grant_to_uplink: self.grant_to_uplink.at_least(floor),
            downlink_feedback: self.downlink_feedback.at_least(both_ways),
            uplink_round_trip: self.uplink_round_trip.at_least(both_ways),
            ..self
        }
    }

    /// TR 36.912 annex B.2: the values from which all later LTE latency studies start.
    ///
    /// Downlink 1.5 + 1 + 1.5 TTI with alignment, 8 TTI a retransmission; uplink from an empty
    /// buffer: wait for the occasion, 1 + 3 + 1 + 3 + 1 + 1.5 TTI.
    pub const fn standard() -> Self {
        Self {
            enb_processing: Delay::ttis(1),
            block_to_air: Delay::NONE,
            ue_processing: Delay::half_ttis(3),
            ue_transmission: Delay::NONE,
            downlink_feedback: Delay::ttis(8),
            request_to_grant: Delay::ttis(4),
            report_to_grant: Delay::ttis(4),
            grant_to_uplink: Delay::ttis(4),
            fill_to_uplink: Delay::NONE,
            uplink_decoding: Delay::half_ttis(3),
            uplink_round_trip: Delay::ttis(8),
            uplink_spares_symbol: false,
        }
    }

    /// TR 36.881 §5.2.1: `standard` with three TTIs in each node. Downlink 3 + 1 + 3 TTIs and
    /// alignment, uplink 1 + 3 + 1 + 3 + 1 + 3 TTIs and the wait for the occasion.
    pub const fn tr_36_881() -> Self {
        Self {
            enb_processing: Delay::ttis(3),
            ue_processing: Delay::ttis(3),
            uplink_decoding: Delay::ttis(3),
            ..Self::standard()
        }
    }

    /// Returns the constants of the LTE module of ns-3 (2018): a block is built two TTIs before it
    /// is sent and delivered at its end, so that RLC to RLC takes 3 ms; an uplink block leaves six
    /// TTIs after the scheduler's decision and spares the last symbol; reports reach the scheduler
    /// five TTIs after the UE made them.
    pub const fn lena() -> Self {
        Self {
            enb_processing: Delay::NONE,
            block_to_air: Delay::ttis(2),
            ue_processing: Delay::NONE,
            ue_transmission: Delay::NONE,
            downlink_feedback: Delay::ttis(7),
            request_to_grant: Delay::ttis(5),
            report_to_grant: Delay::ttis(5),
            grant_to_uplink: Delay::ttis(6),
            fill_to_uplink: Delay::ttis(4),
            uplink_decoding: Delay::NONE,
            uplink_round_trip: Delay::ttis(8),
            uplink_spares_symbol: true,
        }
    }

    /// Returns these delays for nodes that keep `share` of the processing times of 1 ms TTIs,
    /// whatever the TTI: processing between two transmissions takes `share · 3 ms`, delivery `share
    /// · 1.5 ms`.
    #[must_use]
    pub fn with_fixed_processing(self, share: f64) -> Self {
        let between = Duration::from_millis(3).mul_f64(share);
        let half = Duration::from_micros(1_500).mul_f64(share);
        Self {
            enb_processing: self.enb_processing.at_least(Duration::from_millis(1).mul_f64(share)),
            block_to_air: self.block_to_air,
            ue_processing: self.ue_processing.at_least(half),
            ue_transmission: self.ue_transmission,
            downlink_feedback: self.downlink_feedback.at_least(between * 2),
            request_to_grant: self.request_to_grant.at_least(between),
            report_to_grant: self.report_to_grant.at_least(between),
            grant_to_uplink: self.grant_to_uplink.at_least(between),
            fill_to_uplink: self.fill_to_uplink,
            uplink_decoding: self.uplink_decoding.at_least(half),
            uplink_round_trip: self.uplink_round_trip.at_least(between * 2),
            uplink_spares_symbol: self.uplink_spares_symbol,
        }
    }
}

impl Clock {
    /// Creates a clock with slots of `num/den` nanoseconds, starting at `origin`; `None` if half a
    /// slot is shorter than one nanosecond.
    pub fn new(origin: Instant, num: u64, den: u64) -> Option<Self> {
        let halves = Grid::new(origin, num, den.checked_mul(2)?)?;
        Some(Self { slots: Grid::new(origin, num, den)?, halves })
    }

    /// Returns the start of slot `n`.
    #[inline]
    pub fn start(&self, n: u64) -> Instant {
        self.slots.start(n)
    }

    /// Returns the end of slot `n`.
    #[inline]
    pub fn end(&self, n: u64) -> Instant {
        self.slots.start(n + 1)
    }

    /// Returns the first slot that starts at or after `time`.
    pub fn at_or_after(&self, time: Instant) -> u64 {
        self.slots.at_or_after(time)
    }

    /// Returns the first slot that starts at least `delay` after `time`.
    #[inline(always)]
    pub fn first_after(&self, time: Instant, delay: Delay) -> u64 {
        let by_ttis = (self.halves.at_or_after(time) + u64::from(delay.half_ttis)).div_ceil(2);
        if delay.at_least.is_zero() {
            return by_ttis;
        }
        by_ttis.max(self.at_or_after(time + delay.at_least))
    }

    /// Returns the time `delay` after the start of slot `n`.
    #[inline(always)]
    pub fn after(&self, n: u64, delay: Delay) -> Instant {
        let by_ttis = self.halves.start(2 * n + u64::from(delay.half_ttis));
        by_ttis.max(self.start(n) + delay.at_least)
    }

    /// Returns a delay from slot to slot in whole slots, rounded up.
    pub fn slots(&self, delay: Delay) -> u64 {
        let floor = self.slots.at_or_after(self.start(0) + delay.at_least);
        u64::from(delay.half_ttis.div_ceil(2)).max(floor)
    }

    /// Returns the length of a delay, wherever it begins.
    pub fn length(&self, delay: Delay) -> Duration {
        self.halves.span(u64::from(delay.half_ttis)).max(delay.at_least)
    }

    /// Returns the number of slots that begin in `span`, at least one.
    pub fn slots_in(&self, span: Duration) -> u64 {
        self.slots.at_or_after(self.start(0) + span).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> Clock {
        Clock::new(Instant::from_nanos(100), 1_000_000, 7).expect("valid")
    }

    /// TR 36.912 annex B.2: processing of 1 TTI, then the next start of a slot.
    #[test]
    fn a_packet_may_enter_the_first_slot_that_starts_a_delay_later() {
        let clock = clock();
        let delay = Delay::ttis(1);
        assert_eq!(clock.first_after(clock.start(5), delay), 6);
        assert_eq!(clock.first_after(clock.start(5) + Duration::from_nanos(1), delay), 7);
        assert_eq!(clock.first_after(clock.start(5), Delay::half_ttis(3)), 7);
    }

    #[test]
    fn a_fixed_time_wins_when_it_is_longer() {
        let clock = clock();
        let delay = Delay::ttis(4).at_least(Duration::from_millis(3));
        assert_eq!(clock.slots(delay), 21, "3 ms are 21 sevenths of 1 ms");
        assert_eq!(clock.slots(Delay::ttis(4).at_least(Duration::from_micros(10))), 4);
        assert_eq!(clock.after(0, delay), Instant::from_nanos(3_000_100));
        assert_eq!(clock.first_after(clock.start(2), delay), 23);
    }

    #[test]
    fn half_ttis_are_exact_on_a_grid_of_sevenths() {
        let clock = clock();
        assert_eq!(clock.after(7, Delay::half_ttis(14)), Instant::from_nanos(2_000_100));
        assert_eq!(clock.slots(Delay::half_ttis(3)), 2);
        assert_eq!(clock.length(Delay::half_ttis(7)), Duration::from_micros(500));
    }

    /// A floor holds for each way, so delays of a round trip have it twice.
    #[test]
    fn nodes_that_do_not_get_faster_have_a_floor_each_way() {
        let clock = Clock::new(Instant::ZERO, 100_000, 1).expect("valid");
        let timing = Timing::standard().at_least(Duration::from_millis(3));
        for one_way in [timing.request_to_grant, timing.report_to_grant, timing.grant_to_uplink] {
            assert_eq!(clock.slots(one_way), 30);
        }
        assert_eq!(clock.slots(timing.downlink_feedback), 60);
        assert_eq!(clock.slots(timing.uplink_round_trip), 60);
    }

    /// Half of the processing of an LTE node: 1.5 ms between two transmissions, 0.75 ms to deliver.
    #[test]
    fn fixed_processing_is_a_share_of_that_of_a_subframe() {
        let clock = Clock::new(Instant::ZERO, 10_000, 1).expect("valid");
        let timing = Timing::standard().with_fixed_processing(0.5);
        for (delay, micros) in [
            (timing.enb_processing, 500),
            (timing.ue_processing, 750),
            (timing.downlink_feedback, 3_000),
            (timing.request_to_grant, 1_500),
            (timing.report_to_grant, 1_500),
            (timing.grant_to_uplink, 1_500),
            (timing.uplink_decoding, 750),
            (timing.uplink_round_trip, 3_000),
        ] {
            assert_eq!(clock.length(delay), Duration::from_micros(micros));
        }
    }
}
