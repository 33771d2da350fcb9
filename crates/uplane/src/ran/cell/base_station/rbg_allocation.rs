//! The resource block groups of a slot, and the UEs to which a base station assigns them.
//!
//! In: numbers of resource blocks, sets of groups. Out: groups that no other UE has in the slot.

use std::sync::Arc;

use super::frequency_selective::Share;
use crate::ran::cell::air::{CqiReport, Propagation};
use crate::ran::cell::rbg::{GroupSet, Whose};
use crate::unit::CellId;

/// The groups of the current slot.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct RbgAllocation {
    pub(super) shared: Arc<Propagation>,
    cell: CellId,
    /// Groups that no UE has yet.
    pub(super) free: GroupSet,
    /// Reused memory for the shares of UEs in a slot.
    pub(super) shares: Vec<Share>,
}

impl RbgAllocation {
    pub(in crate::ran::cell) fn new(shared: Arc<Propagation>, cell: CellId) -> Self {
        let free = shared.used();
        Self { shared, cell, free, shares: Vec::new() }
    }

    /// Frees all groups at the start of a slot.
    pub(super) fn clear(&mut self) {
        self.free = self.shared.used();
    }

    /// Returns the groups used in this slot, and their share of the band.
    pub(in crate::ran::cell) fn used(&self) -> (GroupSet, f64) {
        let grid = self.shared.grid();
        let used = self.shared.used().without(self.free);
        (used, grid.prbs(used) as f64 / grid.prbs(grid.all()) as f64)
    }

    /// Takes groups for `prbs` resource blocks.
    pub(super) fn take(&mut self, slot: u64, prbs: u64) -> GroupSet {
        let grid = self.shared.grid();
        let first = grid.start(Whose::Cell(self.cell), slot);
        let taken = grid.take(self.free, first, prbs);
        self.free = self.free.without(taken);
        taken
    }

    /// Returns the number of free resource blocks in this slot.
    pub(super) fn free_prbs(&self) -> u64 {
        self.shared.grid().prbs(self.free)
    }

    /// Returns the bytes that a UE could get on all free groups, by its last report.
    pub(super) fn bytes(&self, report: &CqiReport) -> f64 {
        if self.free == self.shared.used() {
            return report.bytes_of_band;
        }
        self.free.iter().map(|group| report.bytes[group]).sum()
    }
}
