//! The logical channel groups whose data a carrier may carry in the uplink
//! (`allowedServingCells`, TS 38.321 §5.4.3.1.2).
//!
//! In: groups by number. Out: the groups of a set, and their bytes.
//!
//! A base station knows groups, not logical channels: all channels of a group may use the same
//! carriers.

use super::buffer_status::Groups;
use crate::unit::Bytes;

/// A set of the eight groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServedGroups(u8);

impl ServedGroups {
    /// The set of all groups.
    pub const ALL: Self = Self(u8::MAX);

    /// Returns the set without `group`.
    #[must_use]
    pub const fn without(self, group: u8) -> Self {
        Self(self.0 & !(1 << group))
    }

    /// Returns `true` if the set contains the group.
    #[inline(always)]
    pub const fn contains(self, group: usize) -> bool {
        self.0 & (1 << group) != 0
    }

    /// Returns `bytes` with zero for groups that are not in the set.
    #[must_use]
    pub fn of(self, bytes: &Groups) -> Groups {
        std::array::from_fn(|group| if self.contains(group) { bytes[group] } else { Bytes::ZERO })
    }

    /// Returns the sum of the bytes of the groups in the set.
    #[inline(always)]
    pub fn bytes(self, bytes: &Groups) -> Bytes {
        if self == Self::ALL {
            return bytes.iter().copied().sum();
        }
        self.of(bytes).iter().copied().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carrier_sees_the_bytes_of_its_groups_alone() {
        let bytes = [1, 2, 4, 8, 16, 32, 64, 128].map(Bytes);
        assert_eq!(ServedGroups::ALL.bytes(&bytes), Bytes(255));
        let served = ServedGroups::ALL.without(1).without(7);
        assert_eq!((served.bytes(&bytes), served.contains(1)), (Bytes(125), false));
        assert_eq!(served.of(&bytes), [1, 0, 4, 8, 16, 32, 64, 0].map(Bytes));
    }
}
