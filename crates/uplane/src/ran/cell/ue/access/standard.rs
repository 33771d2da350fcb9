//! Uplink access by requests and reports (TS 36.321 §5.4.4, §5.4.5).

use super::Needs;

/// A UE that follows the standard.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell::ue) struct Standard {
    /// The UE has semi-persistent or configured grants: data that may wait for them trigger no
    /// request (SR masking, TS 36.321 §5.4.5).
    pub(super) sps: bool,
}

impl Standard {
    pub(super) fn on_data(self) -> Needs {
        Needs { sps: self.sps, occasion: true, retx_bsr: true, report: false }
    }
}
