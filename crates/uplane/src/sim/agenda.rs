//! The event queue: one entry per entity, armed for its earliest timer.
//!
//! In: `arm(slot, at)` and `disarm(slot)`. Out: `pop`, in the order of (time, sequence), where the
//! sequence counts armings: of two entities due at the same instant the one armed first goes first.
//!
//! An indexed 4-ary heap, and before it the first entry by itself. Because an entity has one entry,
//! the heap is as small as the number of waiting entities, not of packets in flight. An entity that
//! is called and is the next to be called again, the common case, costs one comparison; one that is
//! not costs one sift.

use crate::unit::Instant;

/// An entity's place on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(u32);

impl Slot {
    /// The slot as a position in the list of entities, in the order of [`Agenda::add`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who is due next.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    /// The earliest entry. It is missing while whoever was popped may still be armed again.
    first: Option<Entry>,
    /// All others.
    heap: Vec<Entry>,
    /// Where each slot's entry is in `heap`, or `FIRST`, or `ABSENT`.
    positions: Vec<u32>,
    armings: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Time in the upper, sequence in the lower 64 bits.
    key: u128,
    slot: u32,
}

impl Agenda {
    /// Adds an entity, not armed.
    pub fn add(&mut self) -> Slot {
        self.positions.push(ABSENT);
        Slot(self.positions.len() as u32 - 1)
    }

    /// How many entities there are, armed or not.
    pub fn entities(&self) -> usize {
        self.positions.len()
    }

    /// Calls `slot` at `at`, instead of whenever it was armed for before.
    ///
    /// Arming for the instant already armed keeps the place in the order.
    #[inline(always)]
    pub fn arm(&mut self, slot: Slot, at: Instant) {
        if self.due(slot) == Some(at) {
            return;
        }
        self.armings += 1;
        let key = (u128::from(at.as_nanos()) << 64) | u128::from(self.armings);
        let entry = Entry { key, slot: slot.0 };
        match self.positions[slot.index()] {
            ABSENT => self.insert(entry),
            FIRST => {
                self.first = None;
                self.insert(entry);
            }
            position => self.replace(position as usize, entry),
        }
    }

    /// Does not call `slot` until it is armed again.
    #[inline]
    pub fn disarm(&mut self, slot: Slot) {
        match std::mem::replace(&mut self.positions[slot.index()], ABSENT) {
            ABSENT => {}
            FIRST => self.first = None,
            position => {
                let last = self.heap.pop().expect("an armed slot has an entry");
                if (position as usize) < self.heap.len() {
                    self.settle_at(position as usize, last);
                }
            }
        }
    }

    /// Removes and returns the next entity due at or before `until`.
    #[inline]
    pub fn pop(&mut self, until: Instant) -> Option<(Instant, Slot)> {
        self.find_first();
        let first = self.first.take_if(|first| first.at() <= until)?;
        self.positions[first.slot as usize] = ABSENT;
        Some((first.at(), Slot(first.slot)))
    }

    /// When the next entity is due, for an entity that keeps an agenda of its own parts.
    pub fn next_due(&mut self) -> Option<Instant> {
        self.find_first();
        self.first.map(Entry::at)
    }

    /// When `slot` is due, if it is armed.
    #[inline]
    pub fn due(&self, slot: Slot) -> Option<Instant> {
        match self.positions[slot.index()] {
            ABSENT => None,
            FIRST => self.first.map(Entry::at),
            position => Some(self.heap[position as usize].at()),
        }
    }

    /// How many entities are armed.
    pub fn len(&self) -> usize {
        self.heap.len() + usize::from(self.first.is_some())
    }

    /// True when nobody is armed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn insert(&mut self, entry: Entry) {
        match self.first {
            None if self.heap.first().is_none_or(|root| entry.key < root.key) => {
                self.put_first(entry);
            }
            None => {
                self.put_first(self.heap[0]);
                self.sift_down(0, entry);
            }
            Some(first) => {
                let later = if entry.key < first.key {
                    self.put_first(entry);
                    first
                } else {
                    entry
                };
                self.heap.push(later);
                self.sift_up(self.heap.len() - 1, later);
            }
        }
    }

    fn replace(&mut self, position: usize, entry: Entry) {
        self.settle_at(position, entry);
        let root = self.heap[0];
        if let Some(first) = self.first.filter(|first| root.key < first.key) {
            self.put_first(root);
            self.place(0, first);
        }
    }

    /// Whoever was popped has not been armed again before all others.
    fn find_first(&mut self) {
        if self.first.is_none()
            && let Some(last) = self.heap.pop()
        {
            let root = self.heap.first().copied();
            self.put_first(root.unwrap_or(last));
            if root.is_some() {
                self.sift_down(0, last);
            }
        }
    }

    fn put_first(&mut self, entry: Entry) {
        self.positions[entry.slot as usize] = FIRST;
        self.first = Some(entry);
    }

    /// `entry` comes into the place of another.
    fn settle_at(&mut self, position: usize, entry: Entry) {
        if entry.key < self.heap[position].key {
            self.sift_up(position, entry);
        } else {
            self.sift_down(position, entry);
        }
    }

    fn sift_up(&mut self, mut hole: usize, entry: Entry) {
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.heap[parent].key <= entry.key {
                break;
            }
            self.place(hole, self.heap[parent]);
            hole = parent;
        }
        self.place(hole, entry);
    }

    fn sift_down(&mut self, mut hole: usize, entry: Entry) {
        while let Some(child) = self.first_child(hole) {
            let least = self.heap[child];
            if entry.key <= least.key {
                break;
            }
            self.place(hole, least);
            hole = child;
        }
        self.place(hole, entry);
    }

    /// Where the child of `parent` is that goes first.
    fn first_child(&self, parent: usize) -> Option<usize> {
        let start = parent * ARITY + 1;
        if let Some([a, b, c, d]) = self.heap.get(start..start + ARITY) {
            // Two pairs and a final, so that no comparison has to be guessed.
            let (low, low_key) = if b.key < a.key { (1, b.key) } else { (0, a.key) };
            let (high, high_key) = if d.key < c.key { (3, d.key) } else { (2, c.key) };
            return Some(start + if high_key < low_key { high } else { low });
        }
        (start..self.heap.len()).min_by_key(|&child| self.heap[child].key)
    }

    fn place(&mut self, position: usize, entry: Entry) {
        self.heap[position] = entry;
        self.positions[entry.slot as usize] = position as u32;
    }
}

impl Entry {
    fn at(self) -> Instant {
        Instant::from_nanos((self.key >> 64) as u64)
    }
}

const ARITY: usize = 4;
const ABSENT: u32 = u32::MAX;
const FIRST: u32 = u32::MAX - 1;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    fn drain(agenda: &mut Agenda) -> Vec<(u64, usize)> {
        std::iter::from_fn(|| agenda.pop(Instant::FAR_FUTURE))
            .map(|(time, slot)| (time.as_nanos(), slot.index()))
            .collect()
    }

    #[test]
    fn simultaneous_entities_go_in_the_order_of_arming() {
        let mut agenda = Agenda::default();
        let slots: Vec<Slot> = (0..20).map(|_| agenda.add()).collect();
        for &slot in slots.iter().rev() {
            agenda.arm(slot, at(7));
        }
        let order: Vec<usize> = drain(&mut agenda).into_iter().map(|(_, slot)| slot).collect();
        assert_eq!(order, (0..20).rev().collect::<Vec<_>>());
    }

    #[test]
    fn arming_again_replaces_the_entry() {
        let mut agenda = Agenda::default();
        let (a, b) = (agenda.add(), agenda.add());
        agenda.arm(a, at(5));
        agenda.arm(b, at(6));
        agenda.arm(a, at(9));
        assert_eq!(drain(&mut agenda), [(6, 1), (9, 0)]);
    }

    #[test]
    fn nothing_due_after_the_end_is_popped() {
        let mut agenda = Agenda::default();
        let a = agenda.add();
        agenda.arm(a, at(10));
        assert_eq!(agenda.pop(at(9)), None);
        assert_eq!(agenda.due(a), Some(at(10)));
        assert_eq!(agenda.pop(at(10)), Some((at(10), a)));
    }

    #[test]
    fn the_next_due_time_is_that_of_the_next_pop() {
        let mut agenda = Agenda::default();
        let (a, b) = (agenda.add(), agenda.add());
        assert_eq!(agenda.next_due(), None);
        agenda.arm(a, at(8));
        agenda.arm(b, at(3));
        assert_eq!(agenda.next_due(), Some(at(3)));
        agenda.pop(at(3));
        assert_eq!(agenda.next_due(), Some(at(8)));
    }

    /// Against a sorted list as the obvious implementation.
    #[test]
    fn any_mix_of_arm_disarm_and_pop_agrees_with_a_sorted_list() {
        let mut random = crate::sim::Streams::new(1).open("agenda", "test");
        let mut agenda = Agenda::default();
        let slots: Vec<Slot> = (0..50).map(|_| agenda.add()).collect();
        let mut model: Vec<(u64, u64, usize)> = Vec::new();
        let mut now = 0;
        for step in 0..200_000_u64 {
            let slot = random.below(50) as usize;
            match random.below(4) {
                0 | 1 => {
                    let time = now + random.below(40);
                    if !model.iter().any(|&(due, _, of)| of == slot && due == time) {
                        model.retain(|&(_, _, of)| of != slot);
                        model.push((time, step, slot));
                    }
                    agenda.arm(slots[slot], at(time));
                }
                2 => {
                    model.retain(|&(_, _, of)| of != slot);
                    agenda.disarm(slots[slot]);
                }
                _ => {
                    model.sort_unstable();
                    let expected = (!model.is_empty()).then(|| model.remove(0));
                    let popped = agenda.pop(Instant::FAR_FUTURE);
                    assert_eq!(
                        popped.map(|(time, slot)| (time.as_nanos(), slot.index())),
                        expected.map(|(time, _, slot)| (time, slot))
                    );
                    now = expected.map_or(now, |(time, _, _)| time);
                }
            }
            assert_eq!(agenda.len(), model.len());
        }
    }
}
