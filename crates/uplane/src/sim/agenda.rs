//! The event queue: one entry per entity, armed for its earliest timer.
//!
//! In: `arm(entity, at)` and `disarm(entity)`. Out: `pop`, in the order of (time, sequence), where
//! the sequence counts armings: of two entities due at the same instant, the one armed first comes
//! first.
//!
//! The next few entries are kept in order, and all others in an indexed 4-ary heap. Since an entity
//! has one entry, the number of entries is that of waiting entities, not that of packets in flight:
//! a scenario of one UE needs no heap. An entity that is called and armed again among the next few,
//! the common case, costs a few comparisons; any other costs one sift.

use crate::unit::Instant;

/// The identity of an entity on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntityId(u32);

impl EntityId {
    /// Returns the entity's index in the list of entities, in the order of [`Agenda::add`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The entities that are armed, with the time of each call.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    /// The next few entries, in descending order: the very next one last. May be empty while the
    /// entity that was popped may still be armed again.
    near: Vec<Entry>,
    /// All other entries. None of them comes before one of `near`.
    heap: Vec<Entry>,
    /// Index of each entity's entry in `heap`, or `NEAR` if it is not there.
    positions: Vec<u32>,
    /// Time at which each entity is due.
    due: Vec<Option<Instant>>,
    armings: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    at: Instant,
    sequence: u64,
    entity: u32,
}

impl Agenda {
    /// Adds an entity, not armed.
    pub fn add(&mut self) -> EntityId {
        self.positions.push(NEAR);
        self.due.push(None);
        EntityId(self.positions.len() as u32 - 1)
    }

    /// Returns the number of entities, armed or not.
    pub fn entities(&self) -> usize {
        self.positions.len()
    }

    /// Arms `entity` for `at`, which replaces the time it was armed for before.
    ///
    /// Arming for the instant already armed keeps the place in the order.
    #[inline(always)]
    pub fn arm(&mut self, entity: EntityId, at: Instant) {
        let due = self.due[entity.index()].replace(at);
        if due.is_some() && !self.takes_out(entity, due, at) {
            return;
        }
        self.armings += 1;
        self.insert(Entry { at, sequence: self.armings, entity: entity.0 });
    }

    /// Disarms `entity`: it is not called until it is armed again.
    #[inline]
    pub fn disarm(&mut self, entity: EntityId) {
        if self.due[entity.index()].take().is_some() {
            self.take_out(entity);
        }
    }

    /// Removes and returns the next entity due at or before `until`.
    #[inline]
    pub fn pop(&mut self, until: Instant) -> Option<(Instant, EntityId)> {
        self.find_next();
        let next = self.near.pop_if(|next| next.at <= until)?;
        self.due[next.entity as usize] = None;
        Some((next.at, EntityId(next.entity)))
    }

    /// Returns the time at which the next entity is due, for an entity that keeps an agenda of its
    /// own parts.
    #[inline]
    pub fn next_due(&mut self) -> Option<Instant> {
        self.find_next();
        self.near.last().map(|next| next.at)
    }

    /// Returns the time at which `entity` is due, if it is armed.
    #[inline]
    pub fn due(&self, entity: EntityId) -> Option<Instant> {
        self.due[entity.index()]
    }

    /// Returns the number of armed entities.
    pub fn len(&self) -> usize {
        self.near.len() + self.heap.len()
    }

    /// Returns `true` if no entity is armed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes the entry of an entity that was due at `due`, unless it is due at `at` already.
    /// Returns `true` if it was removed.
    #[inline]
    fn takes_out(&mut self, entity: EntityId, due: Option<Instant>, at: Instant) -> bool {
        let moves = due != Some(at);
        if moves {
            self.take_out(entity);
        }
        moves
    }

    /// Removes the entry of an entity that has one.
    fn take_out(&mut self, entity: EntityId) {
        let position = self.positions[entity.index()];
        if position == NEAR {
            let place = self.near.iter().position(|entry| entry.entity == entity.0);
            self.near.remove(place.expect("an armed entity has an entry"));
            return;
        }
        self.positions[entity.index()] = NEAR;
        let last = self.heap.pop().expect("an armed entity has an entry");
        if (position as usize) < self.heap.len() {
            self.settle_at(position as usize, last);
        }
    }

    /// Adds an entry that was just armed. Its sequence is the highest, so its time alone determines
    /// its place.
    #[inline]
    fn insert(&mut self, entry: Entry) {
        if self.near.len() < FEW && self.precedes_heap(entry) {
            self.put_in_order(entry, |other| other.at <= entry.at);
        } else {
            self.insert_far(entry);
        }
    }

    /// Adds an entry that does not belong to the next few, or finds no space among them.
    #[inline(never)]
    fn insert_far(&mut self, entry: Entry) {
        if self.near.is_empty() {
            self.bring_near(self.heap[0]);
            self.sift_down(0, entry);
        } else if entry.key() < self.near[0].key() {
            let last = self.near.remove(0);
            self.put_into_heap(last);
            self.put_in_order(entry, |other| other.at <= entry.at);
        } else {
            self.put_into_heap(entry);
        }
    }

    /// Returns `true` if no entry of the heap comes before this one.
    fn precedes_heap(&self, entry: Entry) -> bool {
        self.heap.first().is_none_or(|root| entry.at < root.at)
    }

    /// Moves the first entry of the heap to the next few, if there are none.
    #[inline]
    fn find_next(&mut self) {
        if self.near.is_empty() && !self.heap.is_empty() {
            self.take_from_heap();
        }
    }

    #[inline(never)]
    fn take_from_heap(&mut self) {
        let root = self.heap[0];
        if let Some(last) = self.heap.pop()
            && !self.heap.is_empty()
        {
            self.sift_down(0, last);
        }
        self.bring_near(root);
    }

    /// Moves an entry from the heap to the next few.
    fn bring_near(&mut self, root: Entry) {
        self.positions[root.entity as usize] = NEAR;
        self.put_in_order(root, |other| other.key() < root.key());
    }

    /// Puts an entry among the next few, behind those for which `before` returns `true`.
    #[inline]
    fn put_in_order(&mut self, entry: Entry, before: impl Fn(&Entry) -> bool) {
        let mut place = self.near.len();
        self.near.push(entry);
        while place > 0 && before(&self.near[place - 1]) {
            self.near[place] = self.near[place - 1];
            place -= 1;
        }
        self.near[place] = entry;
    }

    fn put_into_heap(&mut self, entry: Entry) {
        self.heap.push(entry);
        self.sift_up(self.heap.len() - 1, entry);
    }

    /// Puts `entry` at the position of another one in the heap.
    fn settle_at(&mut self, position: usize, entry: Entry) {
        if entry.key() < self.heap[position].key() {
            self.sift_up(position, entry);
        } else {
            self.sift_down(position, entry);
        }
    }

    fn sift_up(&mut self, mut hole: usize, entry: Entry) {
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.heap[parent].key() <= entry.key() {
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
            if entry.key() <= least.key() {
                break;
            }
            self.place(hole, least);
            hole = child;
        }
        self.place(hole, entry);
    }

    /// Returns the index of the first child of `parent`, in the order of the heap.
    fn first_child(&self, parent: usize) -> Option<usize> {
        let start = parent * ARITY + 1;
        if let Some([a, b, c, d]) = self.heap.get(start..start + ARITY) {
            // Two pairs and a final, so that no comparison depends on branch prediction.
            let [a, b, c, d] = [a.key(), b.key(), c.key(), d.key()];
            let (low, low_key) = if b < a { (1, b) } else { (0, a) };
            let (high, high_key) = if d < c { (3, d) } else { (2, c) };
            return Some(start + if high_key < low_key { high } else { low });
        }
        (start..self.heap.len()).min_by_key(|&child| self.heap[child].key())
    }

    fn place(&mut self, position: usize, entry: Entry) {
        self.heap[position] = entry;
        self.positions[entry.entity as usize] = position as u32;
    }
}

impl Entry {
    /// Returns the sort key: time in the upper, sequence in the lower 64 bits.
    #[inline(always)]
    fn key(self) -> u128 {
        (u128::from(self.at.as_nanos()) << 64) | u128::from(self.sequence)
    }
}

const ARITY: usize = 4;
const NEAR: u32 = u32::MAX;
/// Maximum number of entries kept in order. Up to this number, order is faster than a heap.
const FEW: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    fn drain(agenda: &mut Agenda) -> Vec<(u64, usize)> {
        std::iter::from_fn(|| agenda.pop(Instant::FAR_FUTURE))
            .map(|(time, entity)| (time.as_nanos(), entity.index()))
            .collect()
    }

    #[test]
    fn simultaneous_entities_go_in_the_order_of_arming() {
        let mut agenda = Agenda::default();
        let entities: Vec<EntityId> = (0..20).map(|_| agenda.add()).collect();
        for &entity in entities.iter().rev() {
            agenda.arm(entity, at(7));
        }
        let order: Vec<usize> = drain(&mut agenda).into_iter().map(|(_, entity)| entity).collect();
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

    /// Compares the agenda with a sorted list.
    #[test]
    fn any_mix_of_arm_disarm_and_pop_agrees_with_a_sorted_list() {
        let mut random = crate::sim::Streams::new(1).open("agenda", "test");
        let mut agenda = Agenda::default();
        let entities: Vec<EntityId> = (0..50).map(|_| agenda.add()).collect();
        let mut model: Vec<(u64, u64, usize)> = Vec::new();
        let mut now = 0;
        for step in 0..200_000_u64 {
            let entity = random.below(50) as usize;
            match random.below(4) {
                0 | 1 => {
                    let time = now + random.below(40);
                    if !model.iter().any(|&(due, _, of)| of == entity && due == time) {
                        model.retain(|&(_, _, of)| of != entity);
                        model.push((time, step, entity));
                    }
                    agenda.arm(entities[entity], at(time));
                }
                2 => {
                    model.retain(|&(_, _, of)| of != entity);
                    agenda.disarm(entities[entity]);
                }
                _ => {
                    model.sort_unstable();
                    let expected = (!model.is_empty()).then(|| model.remove(0));
                    let popped = agenda.pop(Instant::FAR_FUTURE);
                    assert_eq!(
                        popped.map(|(time, entity)| (time.as_nanos(), entity.index())),
                        expected.map(|(time, _, entity)| (time, entity))
                    );
                    now = expected.map_or(now, |(time, _, _)| time);
                }
            }
            assert_eq!(agenda.len(), model.len());
        }
    }
}
