//! The rest of a downlink slot, and the announcement of a block that takes a part of it.

use crate::ran::cell::limits::Limit;

/// The rest of a slot.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Room {
    pub(super) units: u64,
    /// Maximum number of further UEs.
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

/// Announcement of a new block to its UE.
#[derive(Clone, Copy, Debug)]
pub(super) enum Announced {
    /// By a control message. The process is any free one, or this one.
    Now(Option<usize>),
    /// By an earlier message; the slot names this process (TS 38.321 §5.8.1).
    Before(usize),
}
