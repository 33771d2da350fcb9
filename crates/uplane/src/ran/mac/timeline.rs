//! Delays between a slot and the slots in which its consequences happen (TS 36.213 §7, §8, §10; TS
//! 38.213 §9, TS 38.214 §5.1, §6.1).
//!
//! In: a slot in which something was decided or sent. Out: the slot in which the other side acts on
//! it.
//!
//! All delays from slot to slot are in this file; its callers add none. If all slots are alike,
//! each answer is the slot plus a constant. If they differ, as in TDD, it is the slot plus an entry
//! of a table, which repeats.
//!
//! Left out: base stations that choose among several answers, such as a `k1` from a list. Each
//! answer is the earliest; but an uplink slot is granted by the last downlink slot that is in time
//! for it, which makes no difference to a UE with data.
//!
//! If transmissions can begin within a slot, the slots of a cell's clock are symbols, and a block
//! is on the air for several of them. The slot of a block is then its first symbol.

use super::timing::{Clock, Timing};

/// The delays of a cell from slot to slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    block_to_air: u64,
    fill_to_uplink: u64,
    uplink_round_trip: u64,
    least_grant: u64,
    goes_in_turn: bool,
    /// Times of each slot of the repeated pattern, starting at slot 0.
    slots: Box<[SlotTimes]>,
}

/// Delays that start in one slot, in slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotTimes {
    /// Until the scheduler knows the feedback for a downlink block that is built in the slot, and
    /// can retransmit the block.
    pub feedback: u64,
    /// Until a request that is sent in the slot can be answered.
    pub request: u64,
    /// Until the scheduler knows the content of an uplink block in the slot, and whether it
    /// decoded.
    pub report: u64,
    /// Until each uplink slot that the slot grants, in ascending order.
    pub grants: Box<[u64]>,
    /// Until the next slot for downlink blocks; zero for such a slot.
    pub downlink: u64,
    /// Until the next slot for uplink blocks; zero for such a slot.
    pub uplink: u64,
    /// Until the next slot in which a downlink block could begin if the band always went both ways.
    pub downlink_start: u64,
    /// Until the next slot in which an uplink block could begin if the band always went both ways.
    pub uplink_start: u64,
    /// Delay of the block for a request of this slot, beyond its delay with slots that go both
    /// ways.
    pub request_duplex: u64,
    /// Delay of the block for a report of this slot, beyond its delay with slots that go both ways.
    pub report_duplex: u64,
}

impl Timeline {
    /// Creates a timeline with these delays in whole slots of `clock`, for slots that are all
    /// alike.
    pub fn new(timing: &Timing, clock: &Clock) -> Self {
        let alike = SlotTimes {
            feedback: clock.slots(timing.downlink_feedback),
            request: clock.slots(timing.request_to_grant),
            report: clock.slots(timing.report_to_grant),
            grants: Box::new([clock.slots(timing.grant_to_uplink)]),
            downlink: 0,
            uplink: 0,
            downlink_start: 0,
            uplink_start: 0,
            request_duplex: 0,
            report_duplex: 0,
        };
        Self::with_slots(timing, clock, Box::new([alike]))
    }

    /// Creates a timeline with separate times of each slot.
    pub fn with_slots(timing: &Timing, clock: &Clock, slots: Box<[SlotTimes]>) -> Self {
        assert!(!slots.is_empty(), "a timeline has slots");
        let waits = |slot: &SlotTimes| {
            slot.downlink > slot.downlink_start || slot.uplink > slot.uplink_start
        };
        Self {
            goes_in_turn: slots.iter().any(waits),
            block_to_air: clock.slots(timing.block_to_air),
            fill_to_uplink: clock.slots(timing.fill_to_uplink),
            uplink_round_trip: clock.slots(timing.uplink_round_trip),
            least_grant: clock.slots(timing.grant_to_uplink),
            slots,
        }
    }

    #[inline(always)]
    fn at(&self, slot: u64) -> &SlotTimes {
        match &*self.slots {
            [alike] => alike,
            slots => &slots[(slot % slots.len() as u64) as usize],
        }
    }

    /// Returns the slot in which a downlink block that is built in `slot` is on the air.
    #[inline(always)]
    pub const fn downlink_on_air(&self, slot: u64) -> u64 {
        slot + self.block_to_air
    }

    /// Returns the slot in which the scheduler knows the feedback for a downlink block that is
    /// built in `slot`.
    #[inline(always)]
    pub fn feedback_known(&self, slot: u64) -> u64 {
        slot + self.at(slot).feedback
    }

    /// Returns the slot in which a request that is sent in `slot` can be answered.
    #[inline(always)]
    pub fn request_known(&self, slot: u64) -> u64 {
        slot + self.at(slot).request
    }

    /// Returns the slot in which the scheduler knows a report that is sent in `slot`.
    #[inline(always)]
    pub fn report_known(&self, slot: u64) -> u64 {
        slot + self.at(slot).report
    }

    /// Returns the uplink slots of transmissions whose grants are sent in `slot`.
    #[inline(always)]
    pub fn granted_in(&self, slot: u64) -> impl Iterator<Item = u64> + '_ {
        self.at(slot).grants.iter().map(move |ahead| slot + ahead)
    }

    /// Returns the first slot of a transmission whose grant is sent in `slot` or later.
    pub fn first_granted_from(&self, slot: u64) -> Option<u64> {
        (slot..slot + self.slots.len() as u64).find_map(|slot| self.granted_in(slot).next())
    }

    /// Returns the first slot for downlink blocks at or after `slot`.
    #[inline(always)]
    pub fn next_downlink(&self, slot: u64) -> u64 {
        slot + self.at(slot).downlink
    }

    /// Returns the first slot for uplink blocks at or after `slot`.
    #[inline(always)]
    pub fn next_uplink(&self, slot: u64) -> u64 {
        slot + self.at(slot).uplink
    }

    /// Returns the first slot at or after `slot` in which a downlink block could begin if the band
    /// always went both ways.
    #[inline(always)]
    pub fn downlink_start(&self, slot: u64) -> u64 {
        slot + self.at(slot).downlink_start
    }

    /// Returns the first slot at or after `slot` in which an uplink block could begin if the band
    /// always went both ways.
    #[inline(always)]
    pub fn uplink_start(&self, slot: u64) -> u64 {
        slot + self.at(slot).uplink_start
    }

    /// Returns the additional delay, in slots, of the uplink block for a request of `slot`, because
    /// the band alternates between both directions.
    #[inline(always)]
    pub fn request_duplex(&self, slot: u64) -> u64 {
        self.at(slot).request_duplex
    }

    /// Returns the additional delay, in slots, of the uplink block for a report of `slot`, because
    /// the band alternates between both directions.
    #[inline(always)]
    pub fn report_duplex(&self, slot: u64) -> u64 {
        self.at(slot).report_duplex
    }

    /// Returns the additional delay, in slots, of the first block that can be granted in `slot` or
    /// later, because the band alternates between both directions.
    pub fn grant_duplex(&self, slot: u64) -> u64 {
        let first = self.first_granted_from(slot);
        first.map_or(0, |first| first.saturating_sub(slot + self.least_grant))
    }

    /// Returns the last slot whose grant would be in time for an uplink block of `slot` if all
    /// slots went both ways; slot 0 if there is none.
    #[inline(always)]
    pub const fn last_grant(&self, slot: u64) -> u64 {
        slot.saturating_sub(self.least_grant)
    }

    /// Returns `true` if the band is downlink in some slots, and uplink in others.
    #[inline(always)]
    pub const fn goes_in_turn(&self) -> bool {
        self.goes_in_turn
    }

    /// Returns the slot in which an uplink block that is filled in `slot` is on the air.
    #[inline(always)]
    pub const fn transmission_of_fill(&self, slot: u64) -> u64 {
        slot + self.fill_to_uplink
    }

    /// Returns the slot in which the block of an uplink transmission in `slot` is filled.
    #[inline(always)]
    pub const fn fill_of_transmission(&self, slot: u64) -> u64 {
        slot - self.fill_to_uplink
    }

    /// Returns the slot in which a block that failed in uplink slot `slot` is retransmitted by a
    /// synchronous uplink.
    #[inline(always)]
    pub const fn uplink_retransmission(&self, slot: u64) -> u64 {
        slot + self.uplink_round_trip
    }

    /// Returns the slots between an uplink transmission and its retransmission in a synchronous
    /// uplink.
    pub const fn uplink_round_trip(&self) -> u64 {
        self.uplink_round_trip
    }

    /// Returns the times of the slots of one pattern.
    pub fn slots(&self) -> &[SlotTimes] {
        &self.slots
    }
}

#[cfg(test)]
impl SlotTimes {
    /// Returns the times of a slot in which blocks go both ways, with delays of four slots.
    pub(crate) fn both_ways() -> Self {
        Self {
            feedback: 4,
            request: 4,
            report: 4,
            grants: Box::new([4]),
            downlink: 0,
            uplink: 0,
            downlink_start: 0,
            uplink_start: 0,
            request_duplex: 0,
            report_duplex: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Instant;

    /// TR 36.912 annex B.2: a request in slot 5 is answered in 9, its data are sent in 13 and, if
    /// they do not decode, retransmitted in 21.
    #[test]
    fn an_uplink_packet_has_the_standard_delays() {
        let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a TTI takes time");
        let timeline = Timeline::new(&Timing::standard(), &clock);
        let grant = timeline.request_known(5);
        let data = timeline.granted_in(grant).next().expect("a slot");
        let again = timeline.uplink_retransmission(data);
        assert_eq!((grant, data, again), (9, 13, 21));
        assert_eq!(timeline.uplink_round_trip(), 8);
        assert_eq!((timeline.feedback_known(5), timeline.downlink_on_air(5)), (13, 5));
    }

    /// A pattern of two slots: blocks begin, in either direction, in the first one alone.
    #[test]
    fn the_next_slot_counts_from_the_argument() {
        let clock = Clock::new(Instant::ZERO, 500_000, 1).expect("a slot takes time");
        let turn = Box::new([slot(0), slot(1)]);
        let timeline = Timeline::with_slots(&Timing::standard(), &clock, turn);
        let next = |slot| {
            let starts = [timeline.downlink_start(slot), timeline.uplink_start(slot)];
            (starts, [timeline.next_downlink(slot), timeline.next_uplink(slot)])
        };
        assert_eq!(next(4), ([4, 4], [4, 4]));
        assert_eq!(next(5), ([6, 6], [6, 6]));
    }

    /// Returns a slot after which the next block begins `next` slots later.
    fn slot(next: u64) -> SlotTimes {
        SlotTimes {
            downlink: next,
            uplink: next,
            downlink_start: next,
            uplink_start: next,
            ..SlotTimes::both_ways()
        }
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
