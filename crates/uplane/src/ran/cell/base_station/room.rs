//! What is left of a downlink slot, and how a UE knows of a block that takes some of it.

use crate::ran::cell::limits::Limit;

/// What is left of a slot.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Room {
    pub(super) units: u64,
    /// UEs that it may still be given to.
    pub(super) ues: u32,
}

impl Room {
    /// Returns `true` if a UE may get some of the slot.
    pub(super) const fn has_any(&self) -> bool {
        self.units > 0 && self.ues > 0
    }

    /// Returns `true` if a block of `units` fits.
    #[inline(always)]
    pub(super) const fn fits(&self, units: u64) -> bool {
        self.ues > 0 && units <= self.units
    }

    /// Returns the limit of a block of `units` that does not fit.
    #[inline(always)]
    pub(super) const fn limit_for(&self, units: u64) -> Limit {
        if units > self.units { Limit::Units } else { Limit::Ues }
    }
}

/// How a UE knows of a new block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Announced {
    /// By a control message, which names any process or this one.
    Now(Option<usize>),
    /// By an earlier message: the slot names the process (TS 38.321 §5.8.1).
    Before(usize),
}
