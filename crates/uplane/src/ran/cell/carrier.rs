//! The resource blocks of one direction, and their allocation granularity.
//!
//! In: the carrier's parameters, a number of resource blocks. Out: the nearest number that can be
//! allocated, and its size in the physical layer.
//!
//! Left out: the positions of these resource blocks, which [`super::rbg`] has for networks.

use std::cmp::Reverse;

use crate::ran::phy::{RateControl, Receiver, Sizing, resource_grid};
use crate::unit::{Bytes, Duration};

/// Resource blocks of one direction, with their parameters.
#[derive(Clone, Debug)]
pub struct Carrier {
    /// Number of resource blocks that may carry data.
    pub prbs: u32,
    /// Number of these resource blocks in each slot of a pattern that repeats, starting at slot 0.
    /// With `None`, all in every slot.
    pub by_slot: Option<Box<[u32]>>,
    /// Allocation granularity of the resource blocks.
    pub allocation: Groups,
    /// Transport block sizes of the resource blocks.
    pub sizing: Sizing,
    /// Choice of the MCS.
    pub rate_control: RateControl,
    /// Receiver quality of the UEs or the eNB.
    pub receiver: Receiver,
}

/// Numbers of resource blocks that can be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    /// Multiples of this group size (downlink type 0, TS 36.213 §7.1.6.1).
    Of(u32),
    /// Products of powers of 2, 3 and 5 (uplink, TS 36.211 §5.3.3).
    Products,
    /// All of the carrier's resource blocks, to one UE.
    All,
}

/// Smallest block that carries data: a short report (TS 36.321 §6.1.3.1) with its sub-header, a
/// sub-header and an RLC header of two bytes for data, and two bytes of data.
pub const SMALLEST_BLOCK: Bytes = Bytes(7);

impl Carrier {
    /// Returns the first of the slots with the most resource elements for data.
    pub fn widest_slot(&self) -> u64 {
        let slots = self.by_slot.as_deref().unwrap_or_default();
        let elements = |slot: &usize| {
            let prbs = slots[*slot].min(self.prbs);
            (self.sizing.allocate(*slot as u64, prbs).elements(), Reverse(*slot))
        };
        (0..slots.len()).max_by_key(elements).unwrap_or(0) as u64
    }

    /// Returns the size of a block on all resource blocks with the highest MCS, or with the fixed
    /// one.
    pub fn largest_block(&self, tti: Duration) -> Bytes {
        let mcs = match self.rate_control {
            RateControl::FixedMcs(mcs) => mcs,
            RateControl::Adaptive(_) => self.sizing.highest(),
        };
        let sizing = self.sizing.in_slots_of(tti);
        let block = |_| sizing.allocate(self.widest_slot(), self.prbs).block_size(mcs).bytes();
        sizing.scheme(mcs).map_or(Bytes::ZERO, block)
    }
}

impl Groups {
    /// Returns the largest allocation of at most `available` of `all` resource blocks.
    pub(super) fn at_most(self, available: u64, all: u32) -> u64 {
        match self {
            Self::Of(_) | Self::All if available >= u64::from(all) => u64::from(all),
            Self::Of(size) => available - available % u64::from(size),
            Self::Products => u64::from(resource_grid::transform_prbs_at_most(
                available.min(u64::from(all)) as u32,
            )),
            Self::All => 0,
        }
    }

    /// Returns the smallest allocation of at least `wanted` of `all` resource blocks.
    pub(super) fn at_least(self, wanted: u64, all: u32) -> u64 {
        let all_of = u64::from(all);
        match self {
            Self::Of(size) => wanted.next_multiple_of(u64::from(size)).min(all_of),
            Self::Products => {
                u64::from(resource_grid::transform_prbs_at_least(wanted as u32)).min(all_of)
            }
            Self::All => all_of,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_keep_to_their_groups() {
        assert_eq!([2, 3, 7, 24, 25].map(|n| Groups::Of(2).at_most(n, 25)), [2, 2, 6, 24, 25]);
        assert_eq!([1, 3, 25].map(|n| Groups::Of(2).at_least(n, 25)), [2, 4, 25]);
        assert_eq!(Groups::Products.at_most(7, 50), 6);
        assert_eq!([51, 1 << 40].map(|n| Groups::Products.at_most(n, 50)), [50, 50]);
        assert_eq!(Groups::All.at_most(5, 6), 0);
        assert_eq!(Groups::All.at_least(1, 6), 6);
    }
}
