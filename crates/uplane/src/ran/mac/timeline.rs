//! From a slot to the slots in which its consequences happen (TS 36.213 §7, §8, §10; TS 38.213 §9,
//! TS 38.214 §5.1, §6.1).
//!
//! In: a slot in which something was decided or sent. Out: the slot in which the other side acts on
//! it.
//!
//! Every caller that needs such a slot asks here, and adds no delays itself. Where all slots are
//! alike, each answer is the slot and a constant; where they differ, as in TDD, it is the slot and
//! an entry of a table, which repeats.
//!
//! Left out: base stations that choose among several answers, as a `k1` from a list. Each answer is
//! the earliest; but an uplink slot is granted by the last downlink slot that is in time for it,
//! which makes no difference to a UE with data.
//!
//! Where transmissions begin within a slot, the slots of a cell's clock are symbols, and a block is
//! on the air for several of them: its slot is that in which it begins.

use super::timing::{Clock, Timing};

/// The delays of a cell from slot to slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    block_to_air: u64,
    fill_to_uplink: u64,
    uplink_round_trip: u64,
    least_grant: u64,
    goes_in_turn: bool,
    /// One entry a slot, again and again from slot 0 on.
    slots: Box<[SlotTimes]>,
}

/// What follows from one slot, in slots from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotTimes {
    /// Until the scheduler knows the feedback for a downlink block that is built in it, and can
    /// send it again.
    pub feedback: u64,
    /// Until a request that is sent in it can be answered.
    pub request: u64,
    /// Until the scheduler knows what an uplink block in it says, and whether it decoded.
    pub report: u64,
    /// Until each uplink slot that it grants, in ascending order.
    pub grants: Box<[u64]>,
    /// Until the next slot for downlink blocks; zero for such a slot.
    pub downlink: u64,
    /// Until the next slot for uplink blocks; zero for such a slot.
    pub uplink: u64,
    /// Until the next slot in which a downlink block could begin if the band always went both ways.
    pub downlink_start: u64,
    /// The same of uplink blocks.
    pub uplink_start: u64,
    /// By how much the block for a request of this slot is later than with slots that go both ways.
    pub request_duplex: u64,
    /// The same of a report.
    pub report_duplex: u64,
}

impl Timeline {
    /// These delays in whole slots of `clock`, for slots that are all alike.
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

    /// Slots of which each has its own times.
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

    /// In which slot a downlink block is on the air that is built in `slot`.
    #[inline(always)]
    pub const fn downlink_on_air(&self, slot: u64) -> u64 {
        slot + self.block_to_air
    }

    /// In which slot the scheduler knows the feedback for a downlink block that is built in `slot`.
    #[inline(always)]
    pub fn feedback_known(&self, slot: u64) -> u64 {
        slot + self.at(slot).feedback
    }

    /// In which slot a request that is sent in `slot` can be answered.
    #[inline(always)]
    pub fn request_known(&self, slot: u64) -> u64 {
        slot + self.at(slot).request
    }

    /// In which slot the scheduler knows a report that is sent in `slot`.
    #[inline(always)]
    pub fn report_known(&self, slot: u64) -> u64 {
        slot + self.at(slot).report
    }

    /// In which slots UEs transmit that are sent grants in `slot`.
    #[inline(always)]
    pub fn granted_in(&self, slot: u64) -> impl Iterator<Item = u64> + '_ {
        self.at(slot).grants.iter().map(move |ahead| slot + ahead)
    }

    /// The first slot of a transmission whose grant is sent in `slot` or later.
    pub fn first_granted_from(&self, slot: u64) -> Option<u64> {
        (slot..slot + self.slots.len() as u64).find_map(|slot| self.granted_in(slot).next())
    }

    /// The first slot for downlink blocks from `slot` on.
    #[inline(always)]
    pub fn next_downlink(&self, slot: u64) -> u64 {
        slot + self.at(slot).downlink
    }

    /// The first slot for uplink blocks from `slot` on.
    #[inline(always)]
    pub fn next_uplink(&self, slot: u64) -> u64 {
        slot + self.at(slot).uplink
    }

    /// The first slot from `slot` on in which a downlink block could begin if the band always went
    /// both ways.
    #[inline(always)]
    pub fn downlink_start(&self, slot: u64) -> u64 {
        slot + self.at(slot).downlink_start
    }

    /// The same of uplink blocks.
    #[inline(always)]
    pub fn uplink_start(&self, slot: u64) -> u64 {
        slot + self.at(slot).uplink_start
    }

    /// Slots by which the uplink block that a request of `slot` asks for is late because the band
    /// goes both ways in turn.
    #[inline(always)]
    pub fn request_duplex(&self, slot: u64) -> u64 {
        self.at(slot).request_duplex
    }

    /// The same of a report of `slot`.
    #[inline(always)]
    pub fn report_duplex(&self, slot: u64) -> u64 {
        self.at(slot).report_duplex
    }

    /// Slots by which the first block that can be granted in `slot` or later is late, likewise.
    pub fn grant_duplex(&self, slot: u64) -> u64 {
        let first = self.first_granted_from(slot);
        first.map_or(0, |first| first.saturating_sub(slot + self.least_grant))
    }

    /// The last slot whose grant would be in time for an uplink block of `slot`, if all slots went
    /// both ways; the first one of all where none is.
    #[inline(always)]
    pub const fn last_grant(&self, slot: u64) -> u64 {
        slot.saturating_sub(self.least_grant)
    }

    /// True when the band goes one way in some slots, and the other way in others.
    #[inline(always)]
    pub const fn goes_in_turn(&self) -> bool {
        self.goes_in_turn
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

    /// In which slot an uplink block is sent again that was sent in `slot` and did not decode,
    /// where that is synchronous.
    #[inline(always)]
    pub const fn uplink_retransmission(&self, slot: u64) -> u64 {
        slot + self.uplink_round_trip
    }

    /// Slots from an uplink transmission to its retransmission, where that is synchronous.
    pub const fn uplink_round_trip(&self) -> u64 {
        self.uplink_round_trip
    }

    /// The slots of one turn.
    pub fn slots(&self) -> &[SlotTimes] {
        &self.slots
    }
}

#[cfg(test)]
impl SlotTimes {
    /// Of a slot in which blocks go both ways and all is known four slots later.
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

    /// TR 36.912 annex B.2: a request in slot 5 is answered in 9, its data go in 13 and, if they do
    /// not decode, again in 21.
    #[test]
    fn an_uplink_packet_goes_by_the_delays_of_the_standard() {
        let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a TTI takes time");
        let timeline = Timeline::new(&Timing::standard(), &clock);
        let grant = timeline.request_known(5);
        let data = timeline.granted_in(grant).next().expect("a slot");
        let again = timeline.uplink_retransmission(data);
        assert_eq!((grant, data, again), (9, 13, 21));
        assert_eq!(timeline.uplink_round_trip(), 8);
        assert_eq!((timeline.feedback_known(5), timeline.downlink_on_air(5)), (13, 5));
    }

    /// A turn of two slots: blocks begin, and go either way, in the first one alone.
    #[test]
    fn what_comes_next_counts_from_the_slot_that_is_asked_for() {
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

    /// A slot after which the next block begins so many slots later.
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
