//! Code block groups (CBG): parts of a transport block that are acknowledged and retransmitted on
//! their own (TS 38.213 §9.1.1, TS 38.214 §5.1.7, §6.1.5).
//!
//! In: `maxCodeBlockGroupsPerTransportBlock`, the number of code blocks. Out: the code blocks of
//! each group.

use std::ops::Range;

/// The groups of one transport block. The first ones have one code block more than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeBlockGroups {
    code_blocks: u32,
    groups: u32,
}

/// A set of groups of a transport block, one bit each: those that a DCI names (CBGTI), or those
/// that HARQ-ACK reports as failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupBits(u8);

impl CodeBlockGroups {
    /// Creates `M = min(N, C)` groups of `code_blocks` code blocks (TS 38.214 §5.1.7.1).
    ///
    /// # Panics
    /// If there are no code blocks, no groups, or more groups than a DCI can name.
    pub const fn new(most: u32, code_blocks: u32) -> Self {
        assert!(1 <= most && most <= 8 && code_blocks > 0, "from 1 to 8 groups of something");
        let groups = if most < code_blocks { most } else { code_blocks };
        Self { code_blocks, groups }
    }

    /// Returns `M`, the number of groups and of HARQ-ACK bits.
    pub const fn count(self) -> u32 {
        self.groups
    }

    /// Returns `C`, the number of code blocks of all groups.
    pub const fn code_blocks(self) -> u32 {
        self.code_blocks
    }

    /// Returns the code blocks of group `group`.
    pub const fn members(self, group: u32) -> Range<u32> {
        let (each, longer) = (self.code_blocks / self.groups, self.code_blocks % self.groups);
        let before = if group < longer { group } else { longer };
        let start = group * each + before;
        start..start + each + (group < longer) as u32
    }

    /// Returns the group of code block `member`.
    pub const fn group_of(self, member: u32) -> u32 {
        let (each, longer) = (self.code_blocks / self.groups, self.code_blocks % self.groups);
        if member < longer * (each + 1) {
            member / (each + 1)
        } else {
            longer + (member - longer * (each + 1)) / each
        }
    }

    /// Returns the set of all groups.
    pub const fn all(self) -> GroupBits {
        GroupBits(u8::MAX >> (8 - self.groups))
    }

    /// Returns the groups in `groups`, in ascending order.
    pub fn each(self, groups: GroupBits) -> impl Iterator<Item = u32> {
        (0..self.groups).filter(move |&group| groups.has(group))
    }

    /// Returns the number of code blocks of `groups`.
    pub fn code_blocks_of(self, groups: GroupBits) -> u32 {
        self.each(groups).map(|group| self.members(group).len() as u32).sum()
    }
}

impl GroupBits {
    /// The empty set of groups.
    pub const NONE: Self = Self(0);

    /// Returns `true` if the set is empty.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if `group` is in the set.
    pub const fn has(self, group: u32) -> bool {
        self.0 >> group & 1 == 1
    }

    /// Returns the number of groups in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Adds `group` to the set if `is_one`, or removes it.
    pub const fn set(&mut self, group: u32, is_one: bool) {
        self.0 = self.0 & !(1 << group) | (is_one as u8) << group;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(most: u32, code_blocks: u32) -> Vec<usize> {
        let groups = CodeBlockGroups::new(most, code_blocks);
        (0..groups.count()).map(|group| groups.members(group).len()).collect()
    }

    /// TS 38.214 §5.1.7.1: `M_1 = mod(C, M)` groups of `ceil(C/M)`, then groups of `floor(C/M)`.
    #[test]
    fn larger_groups_come_first() {
        assert_eq!(lengths(4, 10), [3, 3, 2, 2]);
        assert_eq!(lengths(8, 8), [1; 8]);
        assert_eq!(lengths(6, 151), [26, 25, 25, 25, 25, 25]);
    }

    #[test]
    fn there_are_no_more_groups_than_code_blocks() {
        assert_eq!(lengths(8, 3), [1, 1, 1]);
        assert_eq!(lengths(2, 1), [1]);
    }

    /// Each code block is in one group, and groups follow each other.
    #[test]
    fn groups_divide_the_code_blocks() {
        for most in [2, 4, 6, 8] {
            for code_blocks in 1..200 {
                let groups = CodeBlockGroups::new(most, code_blocks);
                let members = groups.each(groups.all()).flat_map(|group| groups.members(group));
                assert!(members.eq(0..code_blocks), "{code_blocks} in {most}");
                let of = |group| groups.members(group).all(|it| groups.group_of(it) == group);
                assert!((0..groups.count()).all(of), "{code_blocks} in {most}");
                assert_eq!(groups.code_blocks_of(groups.all()), code_blocks);
            }
        }
    }

    #[test]
    fn bits_are_set_one_by_one() {
        let mut bits = CodeBlockGroups::new(8, 20).all();
        assert_eq!(bits.count(), 8);
        bits.set(7, false);
        bits.set(0, false);
        assert!(!bits.has(0) && bits.has(1) && bits.has(6) && !bits.has(7));
        for group in 1..7 {
            bits.set(group, false);
        }
        assert!(bits.is_none());
    }
}
