//! Uplink access by requests and reports (TS 36.321 §5.4.4, §5.4.5).

use super::{Needs, Triggered};
use crate::ran::mac::request::{SchedulingRequest, Step};

/// A UE that follows the standard.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell::ue) struct Standard {
    /// Data that may use its semi-persistent grant waits for that and does not ask for another (SR
    /// masking, TS 36.321 §5.4.5).
    pub(super) sps: bool,
}

impl Standard {
    pub(super) fn on_data(self, request: &mut SchedulingRequest, triggered: Triggered) -> Needs {
        if triggered.asks || triggered.any && !self.sps {
            request.trigger();
        }
        Needs { sps: self.sps, occasion: true, retx_bsr: true, report: false }
    }

    pub(super) fn on_occasion(request: &mut SchedulingRequest, slot: u64) -> Step {
        request.on_occasion(slot)
    }
}
