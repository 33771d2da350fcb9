//! What is already known to happen in the slots to come.
//!
//! In: a slot and something due in it. Out: all that is due in a slot, and the next slot with anything.
//!
//! Inside a cell there is no event queue: nearly everything that the radio's nodes wait for is at most a few
//! dozen slots away, so a ring of slots with lists in them is enough. Lists keep their memory. What a scenario
//! puts further off waits in a map until the ring comes near, so that no length of time takes memory.

use std::collections::BTreeMap;

use crate::ran::mac::report::Groups;
use crate::unit::{Bytes, Instant};

/// The future of one cell.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    #[expect(clippy::vec_box, reason = "what is due changes hands by its box")]
    slots: Vec<Box<Due>>,
    /// Empty lists with memory, in exchange for the next ones that are taken out.
    spare: Option<Box<Due>>,
    /// One bit for each slot of the ring.
    occupied: Vec<u64>,
    /// No slot before this one is in the ring.
    from: u64,
    /// Slots beyond the ring.
    far: BTreeMap<u64, Box<Due>>,
}

/// All that is due in one slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Due {
    /// HARQ feedback for downlink blocks that reaches the scheduler.
    pub(super) feedback: Vec<Feedback>,
    /// Scheduling requests that reach the scheduler.
    pub(super) requests: Vec<Requested>,
    /// Buffer status reports that reach the scheduler.
    pub(super) reports: Vec<Reported>,
    /// UEs to be granted something in advance.
    pub(super) advances: Vec<u32>,
    /// UEs with an occasion for a scheduling request.
    pub(super) occasions: Vec<u32>,
    /// Uplink blocks to be built.
    pub(super) builds: Vec<Grant>,
    /// Uplink blocks on the air.
    pub(super) transmissions: Vec<Transmission>,
    /// Uplink resources that are taken.
    pub(super) uplink_units: u64,
}

/// Feedback of one downlink process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feedback {
    pub(super) ue: u32,
    pub(super) process: usize,
    /// What the UE sent.
    pub(super) acknowledged: bool,
}

/// A scheduling request on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requested {
    pub(super) ue: u32,
    pub(super) slot: u64,
    /// The first occasion that the prohibit timer cost it.
    pub(super) missed: Option<u64>,
}

/// A report on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported {
    pub(super) ue: u32,
    /// The uplink slot whose block it was built for.
    pub(super) slot: u64,
    /// What it says; none when the block was full and had no report.
    pub(super) groups: Option<Groups>,
}

/// A grant that its UE has received, or will.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub(super) ue: u32,
    /// The slot of the transmission.
    pub(super) slot: u64,
    /// Size of the block; as large as it needs for `None`.
    pub(super) size: Option<Bytes>,
    pub(super) units: u64,
    pub(super) asked: Asked,
    /// When the UE had received it.
    pub(super) received: Instant,
}

/// What a grant answers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    /// A scheduling request.
    Request {
        /// The start of its slot.
        sent: Instant,
        /// Since when it was held back by the prohibit timer.
        held: Option<Instant>,
    },
    /// A buffer status report.
    Report {
        /// The start of its slot.
        sent: Instant,
    },
    /// A standing grant: nobody asked.
    Standing,
    /// Nothing.
    Nothing,
}

/// A scheduling request that has been answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answered {
    /// The start of its slot.
    pub(super) sent: Instant,
    /// Since when it was held back by the prohibit timer.
    pub(super) held: Option<Instant>,
    /// When the UE had the grant.
    pub(super) received: Instant,
}

/// An uplink transmission.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transmission {
    pub(super) ue: u32,
    pub(super) process: usize,
    /// It was on the air before.
    pub(super) again: bool,
}

impl Ring {
    /// An empty ring for a cell that mostly plans at most `horizon` slots ahead.
    pub(super) fn new(horizon: u64) -> Self {
        let size = (horizon.min(LONGEST) + 2).next_power_of_two().max(64) as usize;
        let slots = vec![Box::default(); size];
        Self { slots, spare: None, occupied: vec![0; size / 64], from: 0, far: BTreeMap::new() }
    }

    /// What is due in `slot`, to add to it.
    pub(super) fn at(&mut self, slot: u64) -> &mut Due {
        let ahead = slot.checked_sub(self.from).expect("nothing is planned for the past");
        if ahead >= self.slots.len() as u64 {
            return self.far.entry(slot).or_default();
        }
        let place = self.place(slot);
        self.occupied[place / 64] |= 1 << (place % 64);
        &mut self.slots[place]
    }

    /// It is `slot` by now: after a time without anything due, the ring begins there.
    pub(super) fn advance(&mut self, slot: u64) {
        debug_assert!(self.next().is_none_or(|next| next >= slot), "slot {slot} comes too early");
        self.begin_at(self.from.max(slot));
    }

    /// Uplink resources of `slot` that are taken.
    pub(super) fn uplink_units(&self, slot: u64) -> u64 {
        if slot - self.from >= self.slots.len() as u64 {
            return self.far.get(&slot).map_or(0, |due| due.uplink_units);
        }
        self.slots[self.place(slot)].uplink_units
    }

    /// Takes out what is due in `slot`; [`Ring::give_back`] returns the lists.
    pub(super) fn take(&mut self, slot: u64) -> Box<Due> {
        self.begin_at(slot);
        let place = self.place(slot);
        self.occupied[place / 64] &= !(1 << (place % 64));
        std::mem::replace(&mut self.slots[place], self.spare.take().unwrap_or_default())
    }

    /// Keeps the memory of lists that were taken out for `slot`, which is over.
    pub(super) fn give_back(&mut self, slot: u64, mut due: Box<Due>) {
        due.feedback.clear();
        due.requests.clear();
        due.reports.clear();
        due.advances.clear();
        due.occasions.clear();
        due.builds.clear();
        due.transmissions.clear();
        due.uplink_units = 0;
        self.spare = Some(due);
        self.begin_at(slot + 1);
    }

    /// The next slot with anything due.
    pub(super) fn next(&self) -> Option<u64> {
        self.next_near().or_else(|| self.far.first_key_value().map(|(&slot, _)| slot))
    }

    #[inline(always)]
    fn next_near(&self) -> Option<u64> {
        let size = self.slots.len();
        let start = self.place(self.from);
        let words = self.occupied.len();
        // The word of `start` is looked at twice: its upper bits first, its lower bits last.
        for step in 0..=words {
            let word = (start / 64 + step) % words;
            let mask = match step {
                0 => u64::MAX << (start % 64),
                last if last == words => !(u64::MAX << (start % 64)),
                _ => u64::MAX,
            };
            let bits = self.occupied[word] & mask;
            if bits != 0 {
                let place = word * 64 + bits.trailing_zeros() as usize;
                return Some(self.from + ((place + size - start) % size) as u64);
            }
        }
        None
    }

    /// The ring begins at `slot`; what comes within its reach by that moves into it.
    #[inline(always)]
    fn begin_at(&mut self, slot: u64) {
        self.from = slot;
        if !self.far.is_empty() {
            self.fetch();
        }
    }

    fn fetch(&mut self) {
        while let Some(first) = self.far.first_entry()
            && first.key() - self.from < self.slots.len() as u64
        {
            let (slot, due) = first.remove_entry();
            let place = self.place(slot);
            self.occupied[place / 64] |= 1 << (place % 64);
            self.slots[place] = due;
        }
    }

    fn place(&self, slot: u64) -> usize {
        slot as usize & (self.slots.len() - 1)
    }
}

/// The longest ring: with the longest period of requests, grants and reports of TS 36.331 nothing goes beyond it.
const LONGEST: u64 = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a set as the obvious implementation.
    #[test]
    fn the_next_slot_is_the_earliest_with_anything_due() {
        let mut random = crate::sim::Streams::new(5).open("ring", "test");
        let mut ring = Ring::new(100);
        let mut model = BTreeMap::new();
        let mut now = 0;
        for _ in 0..20_000 {
            if random.below(3) > 0 {
                let far = if random.below(10) == 0 { 1_000_000 } else { 100 };
                let slot = now + random.below(far);
                ring.at(slot).occasions.push(7);
                ring.at(slot).uplink_units += 1;
                *model.entry(slot).or_insert(0) += 1;
                assert_eq!(ring.uplink_units(slot), model[&slot]);
            } else if let Some((&first, _)) = model.first_key_value() {
                assert_eq!(ring.next(), Some(first));
                let due = ring.take(first);
                assert_eq!(due.occasions, vec![7; model[&first] as usize]);
                ring.give_back(first, due);
                model.remove(&first);
                now = first + 1;
            }
            assert_eq!(ring.next(), model.first_key_value().map(|(&slot, _)| slot));
        }
    }

    #[test]
    fn a_ring_is_short_however_far_it_looks() {
        let mut ring = Ring::new(u64::MAX / 4);
        ring.at(u64::MAX / 8).occasions.push(7);
        assert!(ring.slots.len() <= 8192);
        assert_eq!(ring.next(), Some(u64::MAX / 8));
    }
}
