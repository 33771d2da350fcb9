//! The known events of future slots.
//!
//! In: a slot and an event in it. Out: all events of a slot, and the next slot with any.
//!
//! Inside a cell there is no event queue: nearly all waits of its nodes are at most a few dozen
//! slots long, so a ring of slots with lists in them is enough. Lists keep their memory. Events
//! further in the future wait in a map until the ring comes near, so that slots without events take
//! no memory.

use std::collections::BTreeMap;
use std::ops::Range;

use super::messages::{Bsr, Grant, GrantCause, HarqFeedback, Sr, Transmission, UplinkResult};

/// The future of one cell, a [`Due`] for each slot.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct SlotRing {
    #[expect(clippy::vec_box, reason = "what is due changes hands by its box")]
    slots: Vec<Box<Due>>,
    /// Empty lists with memory, to replace the next lists that are taken out.
    spare: Option<Box<Due>>,
    /// One bit for each slot of the ring.
    occupied: u128,
    /// The first slot of the ring.
    from: u64,
    /// Events of slots beyond the ring.
    far: BTreeMap<u64, Box<Due>>,
}

/// All events of one slot: messages that arrive, and plans of each side. The comment of each list
/// names its reader.
#[derive(Clone, Debug, Default)]
pub(in crate::ran::cell) struct Due {
    /// To the base station: HARQ feedback for downlink blocks.
    pub(in crate::ran::cell) feedback: Vec<HarqFeedback>,
    /// To the base station: scheduling requests.
    pub(in crate::ran::cell) requests: Vec<Sr>,
    /// To the base station: buffer status reports.
    pub(in crate::ran::cell) reports: Vec<Bsr>,
    /// Plans of the base station: UEs with a proactive grant.
    pub(in crate::ran::cell) proactive: Vec<u32>,
    /// Plans of the base station: configured grants, by UE and number, that may have been idle for
    /// long.
    pub(in crate::ran::cell) idle_grants: Vec<(u32, usize)>,
    /// Plans of the base station: results of uplink blocks that its scheduler knows starting with
    /// this slot.
    pub(in crate::ran::cell) results: Vec<UplinkResult>,
    /// Plans of the UEs: UEs with an occasion for a scheduling request.
    pub(in crate::ran::cell) occasions: Vec<u32>,
    /// Plans of the UEs: blocks to build.
    pub(in crate::ran::cell) builds: Vec<Grant>,
    /// Blocks of the uplink on the air.
    pub(in crate::ran::cell) transmissions: Vec<Transmission>,
    /// Plans of the base station: uplink resources that are taken.
    pub(in crate::ran::cell) uplink_units: u64,
}

impl Due {
    fn forget(&mut self, ue: u32) {
        self.feedback.retain(|it| it.ue != ue);
        self.requests.retain(|it| it.ue != ue);
        self.reports.retain(|it| it.ue != ue);
        self.proactive.retain(|&it| it != ue);
        self.idle_grants.retain(|&(it, _)| it != ue);
        self.results.retain(|it| it.ue != ue);
        self.occasions.retain(|&it| it != ue);
        self.builds.retain(|it| it.ue != ue);
        self.transmissions.retain(|it| it.ue != ue);
    }
}

impl SlotRing {
    /// Creates a ring with nothing in it.
    pub(in crate::ran::cell) fn new() -> Self {
        let slots = vec![Box::default(); SIZE];
        Self { slots, spare: None, occupied: 0, from: 0, far: BTreeMap::new() }
    }

    /// Returns the events of `slot`, to add to.
    #[inline]
    pub(in crate::ran::cell) fn at(&mut self, slot: u64) -> &mut Due {
        let ahead = slot.checked_sub(self.from).expect("nothing is planned for the past");
        if ahead >= SIZE as u64 {
            return self.far_at(slot);
        }
        let place = place(slot);
        self.occupied |= 1 << place;
        &mut self.slots[place]
    }

    #[cold]
    fn far_at(&mut self, slot: u64) -> &mut Due {
        self.far.entry(slot).or_default()
    }

    /// Moves the start of the ring to `slot`, after a time without anything due.
    pub(in crate::ran::cell) fn advance(&mut self, slot: u64) {
        debug_assert!(self.next().is_none_or(|next| next >= slot), "slot {slot} comes too early");
        self.begin_at(self.from.max(slot));
    }

    /// Returns the number of uplink resource units of `slot` that are taken.
    pub(in crate::ran::cell) fn uplink_units(&self, slot: u64) -> u64 {
        if slot - self.from >= SIZE as u64 {
            return self.far.get(&slot).map_or(0, |due| due.uplink_units);
        }
        self.slots[place(slot)].uplink_units
    }

    /// Returns the maximum number of uplink resource units that are taken in any of these slots.
    pub(in crate::ran::cell) fn most_uplink_units(&self, slots: Range<u64>) -> u64 {
        slots.map(|slot| self.uplink_units(slot)).max().unwrap_or(0)
    }

    /// Takes uplink resource units of these slots.
    pub(in crate::ran::cell) fn take_uplink(&mut self, slots: Range<u64>, units: u64) {
        for slot in slots {
            self.at(slot).uplink_units += units;
        }
    }

    /// Frees uplink resource units of these slots.
    pub(in crate::ran::cell) fn free_uplink(&mut self, slots: Range<u64>, units: u64) {
        for slot in slots {
            self.at(slot).uplink_units -= units;
        }
    }

    /// Takes out the events of `slot`; [`SlotRing::recycle`] returns the lists.
    #[inline(always)]
    pub(in crate::ran::cell) fn take(&mut self, slot: u64) -> Box<Due> {
        self.begin_at(slot);
        let place = place(slot);
        self.occupied &= !(1 << place);
        std::mem::replace(&mut self.slots[place], self.spare.take().unwrap_or_default())
    }

    /// Keeps the memory of lists that were taken out for `slot`, which is over.
    pub(in crate::ran::cell) fn recycle(&mut self, slot: u64, mut due: Box<Due>) {
        due.feedback.clear();
        due.requests.clear();
        due.reports.clear();
        due.proactive.clear();
        due.idle_grants.clear();
        due.results.clear();
        due.occasions.clear();
        due.builds.clear();
        due.transmissions.clear();
        due.uplink_units = 0;
        self.spare = Some(due);
        self.begin_at(slot + 1);
    }

    /// Removes all events of this UE. Its uplink resources stay taken.
    pub(in crate::ran::cell) fn forget(&mut self, ue: u32) {
        self.slots.iter_mut().chain(self.far.values_mut()).for_each(|due| due.forget(ue));
    }

    /// Returns the semi-persistent and configured grants of a UE for which blocks are to be built.
    pub(in crate::ran::cell) fn planned_sps(&self, ue: u32) -> Vec<Grant> {
        let slots = self.slots.iter().map(|due| &**due).chain(self.far.values().map(|due| &**due));
        let builds = slots.flat_map(|due| &due.builds);
        let own = |grant: &&Grant| grant.ue == ue && matches!(grant.cause, GrantCause::Sps { .. });
        builds.filter(own).copied().collect()
    }

    /// Returns the next slot with anything due.
    pub(in crate::ran::cell) fn next(&self) -> Option<u64> {
        self.next_near().or_else(|| self.far.first_key_value().map(|(&slot, _)| slot))
    }

    #[inline(always)]
    fn next_near(&self) -> Option<u64> {
        let ahead = self.occupied.rotate_right(place(self.from) as u32).trailing_zeros();
        (self.occupied != 0).then(|| self.from + u64::from(ahead))
    }

    /// Starts the ring at `slot`, and moves events into it that come within its reach.
    #[inline(always)]
    fn begin_at(&mut self, slot: u64) {
        self.from = slot;
        if !self.far.is_empty() {
            self.fetch();
        }
    }

    #[cold]
    fn fetch(&mut self) {
        while let Some(first) = self.far.first_entry()
            && first.key() - self.from < SIZE as u64
        {
            let (slot, due) = first.remove_entry();
            self.occupied |= 1 << place(slot);
            self.slots[place(slot)] = due;
        }
    }
}

/// Returns the place of a slot in the ring.
fn place(slot: u64) -> usize {
    slot as usize % SIZE
}

/// Number of slots in the ring.
const SIZE: usize = u128::BITS as usize;

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the ring with a set, the obvious implementation.
    #[test]
    fn the_next_slot_is_the_earliest_with_anything_due() {
        let mut random = crate::sim::Streams::new(5).open("ring", "test");
        let mut ring = SlotRing::new();
        let mut model = BTreeMap::new();
        let mut now = 0;
        for _ in 0..20_000 {
            if random.below(3) > 0 {
                let far = if random.below(10) == 0 { 1_000_000 } else { SIZE as u64 + 9 };
                let slot = now + random.below(far);
                ring.at(slot).occasions.push(7);
                ring.at(slot).uplink_units += 1;
                *model.entry(slot).or_insert(0) += 1;
                assert_eq!(ring.uplink_units(slot), model[&slot]);
            } else if let Some((&first, _)) = model.first_key_value() {
                assert_eq!(ring.next(), Some(first));
                let due = ring.take(first);
                assert_eq!(due.occasions, vec![7; model[&first] as usize]);
                ring.recycle(first, due);
                model.remove(&first);
                now = first + 1;
            }
            assert_eq!(ring.next(), model.first_key_value().map(|(&slot, _)| slot));
        }
    }

    #[test]
    fn no_slot_is_too_far() {
        let mut ring = SlotRing::new();
        ring.at(u64::MAX / 8).occasions.push(7);
        assert_eq!(ring.next(), Some(u64::MAX / 8));
    }

    #[test]
    #[should_panic(expected = "nothing is planned for the past")]
    fn a_ring_that_has_advanced_takes_nothing_for_before() {
        let mut ring = SlotRing::new();
        ring.advance(50);
        ring.at(49);
    }

    #[test]
    #[should_panic(expected = "nothing is planned for the past")]
    fn a_slot_that_is_over_takes_nothing() {
        let mut ring = SlotRing::new();
        let due = ring.take(7);
        ring.recycle(7, due);
        ring.at(7);
    }
}
