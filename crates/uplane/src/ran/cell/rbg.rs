//! Resource block groups in use in a slot (resource allocation type 0: TS 36.213 §7.1.6.1, TS
//! 38.214 §5.1.2.2.1).
//!
//! In: the number of resource blocks of a UE, the start of a cell's blocks. Out: sets of groups.
//!
//! Left out: sounding and channel state reference signals, which take a few resource elements of
//! some groups. This matters for comparisons of the rates of single groups.

use crate::unit::{CellId, UeId};

/// Groups of one slot, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupSet(pub(super) u32);

/// Iterator over the groups of a set, in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Groups(u32);

/// The groups of a band; the last one may be smaller than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    prbs: u32,
    size: u32,
}

impl GroupSet {
    pub(super) const NONE: Self = Self(0);

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(super) const fn contains(self, group: usize) -> bool {
        self.0 >> group & 1 == 1
    }

    pub(super) const fn with(self, group: usize) -> Self {
        Self(self.0 | 1 << group)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the first `count` groups, or all if there are fewer.
    const fn first(self, count: usize) -> Self {
        let (mut rest, mut left) = (self.0, count);
        while left > 0 && rest != 0 {
            rest &= rest - 1;
            left -= 1;
        }
        Self(self.0 & !rest)
    }

    /// Returns the groups in ascending order.
    pub(super) const fn iter(self) -> Groups {
        Groups(self.0)
    }
}

impl Iterator for Groups {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let group = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(group)
    }
}

impl Grid {
    /// Creates a band of `prbs` resource blocks in groups of `size`.
    ///
    /// # Panics
    /// For more than 32 groups.
    pub(super) fn new(prbs: u32, size: u32) -> Self {
        let grid = Self { prbs, size };
        assert!(grid.count() <= 32, "{prbs} resource blocks in groups of {size}");
        grid
    }

    /// Returns the number of groups in the band.
    pub(super) const fn count(self) -> usize {
        self.prbs.div_ceil(self.size) as usize
    }

    pub(super) const fn all(self) -> GroupSet {
        GroupSet(u32::MAX >> (32 - self.count()))
    }

    /// Returns the groups that lie completely within the first `prbs` resource blocks.
    pub(super) fn within(self, prbs: u32) -> GroupSet {
        let whole = |group: &usize| *group as u64 * u64::from(self.size) + self.prbs_of(*group);
        let groups = (0..self.count()).filter(|group| whole(group) <= u64::from(prbs));
        groups.fold(GroupSet::NONE, GroupSet::with)
    }

    /// Returns the number of resource blocks in a group.
    pub(super) fn prbs_of(self, group: usize) -> u64 {
        u64::from((self.prbs - group as u32 * self.size).min(self.size))
    }

    /// Returns the number of resource blocks in a set.
    pub(super) fn prbs(self, set: GroupSet) -> u64 {
        let full = u64::from(set.0.count_ones()) * u64::from(self.size);
        let last = self.count() - 1;
        if set.contains(last) { full - u64::from(self.size) + self.prbs_of(last) } else { full }
    }

    /// Returns the group at which the blocks of a cell or UE begin in a slot. It is random in each
    /// slot, since cells and UEs do not coordinate.
    pub(super) fn start(self, whose: Whose, slot: u64) -> usize {
        let key = match whose {
            Whose::Cell(cell) => u64::from(cell.0),
            Whose::Ue(ue) => u64::from(ue.0) + (1 << 20),
        };
        (mixed(key, slot) % self.count() as u64) as usize
    }

    /// Returns groups of `free` that hold `prbs` resource blocks: adjacent ones from `start` on,
    /// wrapping around. A smaller last group is taken only if the others are too few.
    pub(super) fn take(self, free: GroupSet, start: usize, prbs: u64) -> GroupSet {
        let last = self.count() - 1;
        let is_small = self.prbs_of(last) < u64::from(self.size);
        let small = if is_small { GroupSet::NONE.with(last) } else { GroupSet::NONE };
        let full = free.without(small);
        let before = GroupSet((1 << start) - 1);
        // All full groups have one size, so only their number counts.
        let needed = prbs.div_ceil(u64::from(self.size)) as usize;
        let behind = full.without(before).first(needed);
        let around = full.common(before).first(needed - behind.count());
        let taken = GroupSet(behind.0 | around.0);
        if taken.count() < needed { GroupSet(taken.0 | small.common(free).0) } else { taken }
    }
}

/// Maximum number of groups of a band; the widest has 28, for 110 resource blocks.
pub(super) const MOST_GROUPS: usize = 32;

/// Owner of blocks in the band.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose {
    Cell(CellId),
    Ue(UeId),
}

/// Returns 64 random bits, a function of two numbers (the finaliser of SplitMix64).
fn mixed(key: u64, number: u64) -> u64 {
    let mut bits = (key << 40 ^ key).wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.213 Table 7.1.6.1-1: 50 resource blocks are 16 groups of 3 and one of 2.
    #[test]
    fn the_last_group_has_the_rest_of_the_band() {
        let grid = Grid::new(50, 3);
        assert_eq!((grid.count(), grid.prbs(grid.all())), (17, 50));
        assert_eq!(grid.prbs(GroupSet(1 << 16)), 2);
        assert_eq!(grid.prbs(GroupSet(0b101)), 6);
        assert_eq!(Grid::new(100, 4).prbs(Grid::new(100, 4).all()), 100);
    }

    /// The bandwidth divided by the size of a group, without the rest.
    #[test]
    fn a_partly_used_group_is_left_out() {
        let grid = Grid::new(50, 3);
        assert_eq!(grid.within(50), grid.all());
        assert_eq!(grid.within(48), grid.all().without(GroupSet(1 << 16)));
        assert_eq!((grid.within(5), grid.within(0)), (GroupSet(1), GroupSet::NONE));
    }

    #[test]
    fn blocks_are_adjacent_and_wrap_around() {
        let grid = Grid::new(50, 3);
        assert_eq!(grid.take(grid.all(), 14, 12), GroupSet(0b1100_0000_0000_0011));
        assert_eq!(grid.take(grid.all(), 3, 50), grid.all());
        let left = grid.all().without(GroupSet(0b111));
        assert_eq!(grid.take(left, 0, 6).iter().collect::<Vec<_>>(), [3, 4]);
    }

    /// Each of eight starts has an eighth of the slots, within four standard deviations, and two
    /// independent starts coincide in an eighth of them.
    #[test]
    fn blocks_begin_anywhere_and_independently() {
        let grid = Grid::new(24, 3);
        let start = |whose| move |slot| grid.start(whose, slot);
        let (cell, ue) = (|number| Whose::Cell(CellId(number)), |number| Whose::Ue(UeId(number)));
        let close = |found: usize, expected: f64| {
            assert!((found as f64 - expected).abs() < 4.0 * expected.sqrt(), "{found} {expected}");
        };
        for (one, other) in [(cell(0), cell(1)), (ue(0), ue(1)), (cell(5), ue(5))] {
            for group in 0..8 {
                close((0..8_000).filter(|&slot| start(one)(slot) == group).count(), 1_000.0);
            }
            let meets = |&slot: &u64| start(one)(slot) == start(other)(slot);
            close((0..8_000).filter(meets).count(), 1_000.0);
            let repeats = |&slot: &u64| start(one)(slot) == start(one)(slot + 1);
            close((0..8_000).filter(repeats).count(), 1_000.0);
        }
    }

    /// The first three numbers of SplitMix64 from state 0, as its authors publish them.
    #[test]
    fn numbers_are_mixed_as_in_split_mix_64() {
        let published = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        assert_eq!([1, 2, 3].map(|number| mixed(0, number)), published);
    }
}
