//! The order of the candidates of a slot, computed only as far as it is used.
//!
//! In: candidates with different keys. Out: candidates, the highest key first.
//!
//! A slot rarely serves more than a few candidates, which one pass over all finds. If many are
//! taken, because the control channel cannot carry their messages, each further pass finds several
//! times as many as all passes before it: `n` candidates cost `n` comparisons when few are taken,
//! `n log n` when all are.

/// A candidate with a key that determines its place.
pub(super) trait Keyed {
    /// Key of the candidate: the higher the better. No two candidates have equal keys.
    fn key(&self) -> u128;
}

/// Candidates, best first.
#[derive(Clone, Debug)]
pub(super) struct Order<T> {
    candidates: Vec<T>,
    /// Number of first candidates that are in order, and better than all others.
    ordered: usize,
    /// Number of first candidates that were taken.
    taken: usize,
}

impl<T: Keyed + Copy> Order<T> {
    /// Creates an empty order with memory for `capacity` candidates.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { candidates: Vec::with_capacity(capacity), ordered: 0, taken: 0 }
    }

    /// Removes all candidates.
    pub(super) fn clear(&mut self) {
        self.candidates.clear();
        (self.ordered, self.taken) = (0, 0);
    }

    /// Adds a candidate, before any is taken.
    pub(super) fn push(&mut self, candidate: T) {
        self.candidates.push(candidate);
    }

    /// Takes the best candidate that was not taken yet.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<T> {
        let left = self.candidates.len() - self.taken;
        if left == 0 {
            return None;
        }
        // A last candidate, which is often the only one, needs no sorting.
        if self.taken == self.ordered && left > 1 {
            self.look_for_next();
        }
        let best = self.candidates[self.taken];
        self.taken += 1;
        Some(best)
    }

    /// Returns `true` if a candidate was not taken.
    #[inline(always)]
    pub(super) const fn has_left(&self) -> bool {
        self.taken < self.candidates.len()
    }

    #[inline(never)]
    fn look_for_next(&mut self) {
        let rest = &mut self.candidates[self.ordered..];
        let wanted = rest.len().min((self.ordered * GROWTH).max(FIRST));
        if self.ordered == 0 {
            bring_forward(rest, wanted);
        } else {
            if wanted < rest.len() {
                rest.select_nth_unstable_by_key(wanted, descending);
            }
            rest[..wanted].sort_unstable_by_key(descending);
        }
        self.ordered += wanted;
    }
}

/// Sorts the best few to the front, in one pass.
fn bring_forward<T: Keyed>(candidates: &mut [T], few: usize) {
    for next in 0..candidates.len() {
        let mut place = next;
        if next >= few {
            place = few - 1;
            if candidates[next].key() < candidates[place].key() {
                continue;
            }
            candidates.swap(place, next);
        }
        while place > 0 && candidates[place - 1].key() < candidates[place].key() {
            candidates.swap(place - 1, place);
            place -= 1;
        }
    }
}

fn descending<T: Keyed>(candidate: &T) -> u128 {
    !candidate.key()
}

/// Number of candidates that the first pass sorts.
const FIRST: usize = 8;
/// Candidates that a further pass sorts, for each one that is sorted already.
const GROWTH: usize = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;
    use std::cell::Cell;

    /// A key that counts how often it is read.
    #[derive(Clone, Copy)]
    struct Counted<'a> {
        key: u128,
        looks: &'a Cell<u64>,
    }

    impl Keyed for Counted<'_> {
        fn key(&self) -> u128 {
            self.looks.set(self.looks.get() + 1);
            self.key
        }
    }

    /// Returns the number of key reads to take the best `few` of `count`, and asserts their order.
    fn looks(count: usize, few: usize) -> u64 {
        let mut random = Streams::new(3).open("order", "test");
        let mut keys: Vec<u128> =
            (0..count as u128).map(|n| u128::from(random.below(1 << 60)) << 32 | n).collect();
        let looks = Cell::new(0);
        let mut order = Order::with_capacity(0);
        for &key in &keys {
            order.push(Counted { key, looks: &looks });
        }
        let taken: Vec<u128> = (0..few).map_while(|_| order.take()).map(|it| it.key).collect();
        keys.sort_unstable_by(|one, other| other.cmp(one));
        keys.truncate(few);
        assert_eq!(taken, keys);
        assert!(few < count || order.take().is_none());
        looks.get()
    }

    #[test]
    fn the_best_candidates_are_first() {
        for count in 0..200 {
            looks(count, count);
        }
    }

    /// Two reads for each comparison, and some more where the best few change.
    #[test]
    fn a_few_cost_one_pass() {
        for count in [1_000, 30_000] {
            let looks = looks(count, FIRST);
            assert!(looks < 3 * count as u64 + 1_000, "{looks} looks at {count} keys");
        }
    }

    /// Many UEs for which a control channel has no room: one more pass for each eight UEs would
    /// read keys 10^9 times for 10^5 UEs.
    #[test]
    fn all_cost_little_more_than_to_sort_them() {
        for count in [1_000_usize, 10_000, 100_000] {
            let looks = looks(count, count);
            let sorting = count as u64 * u64::from(count.ilog2());
            assert!(looks < 8 * sorting, "{looks} looks at {count} keys");
        }
    }
}
