//! The newest downlink channel quality report that a base station has of a UE.
//!
//! In: measurements of the UE. Out: CQIs of subbands, and the bytes that they allow.

use crate::ran::cell::rbg::MOST_GROUPS;
use crate::ran::phy::Cqi;

/// A report as the base station knows it.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct CqiReport {
    /// CQI of each subband of the band.
    pub(super) subbands: [Cqi; MOST_GROUPS],
    /// Bytes that each group can carry in a slot.
    pub(in crate::ran::cell) bytes: [f64; MOST_GROUPS],
    /// Bytes that all groups can carry together.
    pub(in crate::ran::cell) bytes_of_band: f64,
}

impl Default for CqiReport {
    fn default() -> Self {
        Self {
            subbands: [Cqi::OUT_OF_RANGE; MOST_GROUPS],
            bytes: [0.0; MOST_GROUPS],
            bytes_of_band: 0.0,
        }
    }
}
