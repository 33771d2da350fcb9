//! Uplink access of the LTE module of ns-3: a report in each slot in which a buffer changed, at no
//! cost and without errors.

use super::Needs;

/// A UE with ideal reports.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ran::cell::ue) struct IdealBsr {
    /// Buffers changed since the last report.
    pub(super) changed: bool,
}

impl IdealBsr {
    /// Returns the need for one report, however often buffers change before it is made.
    pub(super) fn on_data(&mut self, changed: bool) -> Needs {
        let report = changed && !self.changed;
        self.changed |= changed;
        Needs { report, ..Needs::default() }
    }
}
