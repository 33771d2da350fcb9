//! From a slot to the slots of what follows from it (TS 36.213 §7, §8, §10).
//!
//! In: a slot in which something was decided or sent. Out: the slot in which the other side acts on
//! it.
//!
//! Whoever needs such a slot asks here, and nobody adds delays up. In FDD all slots are alike, and
//! each answer is the slot and a constant.
//!
//! Left out: slots that differ, as the uplink and downlink slots of TDD; they need a table by slot
//! behind these functions.

use super::timing::{Clock, Timing};

/// The delays of a cell from slot to slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeline {
    block_to_air: u64,
    downlink_feedback: u64,
    request_to_grant: u64,
    report_to_grant: u64,
    grant_to_uplink: u64,
    fill_to_uplink: u64,
    uplink_round_trip: u64,
}

impl Timeline {
    /// These delays in whole slots of `clock`.
    pub fn new(timing: &Timing, clock: &Clock) -> Self {
        Self {
            block_to_air: clock.slots(timing.block_to_air),
            downlink_feedback: clock.slots(timing.downlink_feedback),
            request_to_grant: clock.slots(timing.request_to_grant),
            report_to_grant: clock.slots(timing.report_to_grant),
            grant_to_uplink: clock.slots(timing.grant_to_uplink),
            fill_to_uplink: clock.slots(timing.fill_to_uplink),
            uplink_round_trip: clock.slots(timing.uplink_round_trip),
        }
    }

    /// In which slot a downlink block is on the air that is built in `slot`.
    #[inline(always)]
    pub const fn downlink_on_air(&self, slot: u64) -> u64 {
        slot + self.block_to_air
    }

    /// In which slot the scheduler knows the feedback for a downlink block that is built in `slot`.
    #[inline(always)]
    pub const fn feedback_known(&self, slot: u64) -> u64 {
        slot + self.downlink_feedback
    }

    /// In which slot a request that is sent in `slot` can be answered.
    #[inline(always)]
    pub const fn request_known(&self, slot: u64) -> u64 {
        slot + self.request_to_grant
    }

    /// In which slot the scheduler knows a report that is sent in `slot`.
    #[inline(always)]
    pub const fn report_known(&self, slot: u64) -> u64 {
        slot + self.report_to_grant
    }

    /// In which slot the UE transmits that is sent a grant in `slot`.
    #[inline(always)]
    pub const fn transmission_of_grant(&self, slot: u64) -> u64 {
        slot + self.grant_to_uplink
    }

    /// In which slot the block of an uplink transmission is on the air that is filled in `slot`.
    #[inline(always)]
    pub const fn transmission_of_fill(&self, slot: u64) -> u64 {
        slot + self.fill_to_uplink
    }

    /// In which slot the block is filled of an uplink transmission in `slot`.
    #[inline(always)]
    pub const fn fill_of_transmission(&self, slot: u64) -> u64 {
        slot - self.fill_to_uplink
    }

    /// In which slot an uplink block is sent again that was sent in `slot` and did not decode.
    #[inline(always)]
    pub const fn uplink_retransmission(&self, slot: u64) -> u64 {
        slot + self.uplink_round_trip
    }

    /// Slots from an uplink transmission to its retransmission, where that is synchronous.
    pub const fn uplink_round_trip(&self) -> u64 {
        self.uplink_round_trip
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Instant;

    /// TR 36.912 annex B.2: a request in slot 5 is answered in 9, its data go in 13 and, if they do
    /// not decode, again in 21.
    #[test]
    fn an_uplink_packet_goes_by_the_delays_of_the_standard() {
        let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a TTI takes time");
        let timeline = Timeline::new(&Timing::standard(), &clock);
        let grant = timeline.request_known(5);
        let data = timeline.transmission_of_grant(grant);
        let again = timeline.uplink_retransmission(data);
        assert_eq!((grant, data, again), (9, 13, 21));
        assert_eq!(timeline.uplink_round_trip(), 8);
        assert_eq!((timeline.feedback_known(5), timeline.downlink_on_air(5)), (13, 5));
    }

    /// The LTE module of ns-3 fills uplink blocks four slots, and downlink blocks two, before they
    /// are sent.
    #[test]
    fn a_block_may_be_filled_before_its_slot() {
        let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a TTI takes time");
        let timeline = Timeline::new(&Timing::lena(), &clock);
        assert_eq!(timeline.fill_of_transmission(timeline.transmission_of_fill(7)), 7);
        assert_eq!((timeline.transmission_of_fill(7), timeline.downlink_on_air(7)), (11, 9));
    }
}
