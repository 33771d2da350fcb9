//! Disjoint ranges of stream positions: data that a receiver has out of order, or that a sender
//! knows to have arrived.
//!
//! In: ranges `[left, right)` in any order. Out: these ranges, merged and sorted, and the number of
//! new positions.
//!
//! A sorted vector: there are as many ranges as holes, which are few, and most are added at the
//! end.

/// A set of positions, kept as the minimum number of ranges.
#[derive(Clone, Debug, Default)]
pub(super) struct RangeSet {
    /// Sorted ascending, neither overlapping nor touching.
    ranges: Vec<Range>,
}

/// The positions from `left` to `right − 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) left: u64,
    pub(super) right: u64,
}

impl Range {
    /// Returns the number of positions.
    pub(super) fn length(self) -> u64 {
        self.right - self.left
    }

    /// Returns `true` if all of `other` lies within.
    pub(super) fn covers(self, other: Self) -> bool {
        self.left <= other.left && other.right <= self.right
    }
}

impl RangeSet {
    /// Returns `true` if the set has no position.
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the number of ranges.
    pub(super) fn count(&self) -> usize {
        self.ranges.len()
    }

    /// Returns the ranges in ascending order.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Range> + '_ {
        self.ranges.iter().copied()
    }

    /// Returns the range that contains `position`.
    pub(super) fn around(&self, position: u64) -> Option<Range> {
        // Most queries are about the newest data, or about data before the first range.
        let (first, last) = (self.ranges.first()?, *self.ranges.last()?);
        if position >= last.left {
            return (position < last.right).then_some(last);
        }
        if position < first.left {
            return None;
        }
        let index = self.first_ending_after(position);
        self.ranges.get(index).copied().filter(|range| range.left <= position)
    }

    /// Returns `true` if the set contains all of `range`.
    pub(super) fn covers(&self, range: Range) -> bool {
        self.around(range.left).is_some_and(|around| around.covers(range))
    }

    /// Returns the highest position in the set, plus one.
    pub(super) fn end(&self) -> Option<u64> {
        self.ranges.last().map(|range| range.right)
    }

    /// Adds `range` and returns the number of positions that are new.
    pub(super) fn insert(&mut self, range: Range) -> u64 {
        if range.left >= range.right {
            return 0;
        }
        // Merge all ranges that overlap or touch.
        let first = self.ranges.partition_point(|other| other.right < range.left);
        let last = first
            + self.ranges[first..].iter().take_while(|other| other.left <= range.right).count();
        if first == last {
            self.ranges.insert(first, range);
            return range.length();
        }
        let old: u64 = self.ranges[first..last].iter().map(|other| other.length()).sum();
        let merged = Range {
            left: range.left.min(self.ranges[first].left),
            right: range.right.max(self.ranges[last - 1].right),
        };
        self.ranges[first] = merged;
        self.ranges.drain(first + 1..last);
        merged.length() - old
    }

    /// Removes all positions below `position`.
    pub(super) fn trim_below(&mut self, position: u64) {
        let gone = self.first_ending_after(position);
        self.ranges.drain(..gone);
        if let Some(first) = self.ranges.first_mut() {
            first.left = first.left.max(position);
        }
    }

    /// Removes all positions from the set.
    pub(super) fn clear(&mut self) {
        self.ranges.clear();
    }

    fn first_ending_after(&self, position: u64) -> usize {
        self.ranges.partition_point(|range| range.right <= position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(u64, u64)]) -> RangeSet {
        let mut set = RangeSet::default();
        for &(left, right) in ranges {
            set.insert(Range { left, right });
        }
        set
    }

    fn pairs(set: &RangeSet) -> Vec<(u64, u64)> {
        set.iter().map(|range| (range.left, range.right)).collect()
    }

    #[test]
    fn touching_and_overlapping_ranges_become_one() {
        let mut set = set(&[(10, 20), (30, 40), (50, 60)]);
        assert_eq!(set.insert(Range { left: 20, right: 35 }), 10);
        assert_eq!(pairs(&set), [(10, 40), (50, 60)]);
        assert_eq!(set.insert(Range { left: 0, right: 100 }), 60);
        assert_eq!(pairs(&set), [(0, 100)]);
        assert_eq!(set.insert(Range { left: 5, right: 5 }), 0);
    }

    #[test]
    fn trimming_cuts_into_a_range() {
        let mut set = set(&[(10, 20), (30, 40)]);
        set.trim_below(35);
        assert_eq!(pairs(&set), [(35, 40)]);
        set.trim_below(40);
        assert!(set.is_empty());
    }

    /// Compares with an array of bits as the obvious implementation.
    #[test]
    fn insertions_agree_with_an_array_of_bits() {
        let mut random = crate::sim::Streams::new(3).open("ranges", "test");
        for _ in 0..300 {
            let mut set = RangeSet::default();
            let mut bits = [false; 64];
            for _ in 0..20 {
                let left = random.below(60);
                let right = left + random.below(5);
                let new = (left..right).filter(|&at| !bits[at as usize]).count();
                bits[left as usize..right as usize].fill(true);
                assert_eq!(set.insert(Range { left, right }), new as u64);
                for (at, &bit) in bits.iter().enumerate() {
                    assert_eq!(set.around(at as u64).is_some(), bit);
                }
                assert!(pairs(&set).windows(2).all(|pair| pair[0].1 < pair[1].0));
            }
        }
    }
}
