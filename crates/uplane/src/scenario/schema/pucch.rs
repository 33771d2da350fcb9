//! The section of the uplink's control channel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The PUCCH takes as many resource blocks as the UEs of the cell need (TS 36.211 §5.4), instead of
/// a constant of the bandwidth.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pucch {
    /// Resource blocks of the PUCCH in each slot, half of them at each edge of the band; as many as
    /// needed without. With this key and without `sr_period`, UEs have the shortest period that
    /// fits.
    #[serde(default)]
    pub prbs: Option<u32>,
    /// Every one, every other or every third cyclic shift is used (`deltaPUCCH-Shift`).
    #[serde(default = "two")]
    pub delta_shift: u32,
    /// Resource blocks for channel quality reports (`nRB-CQI`); as many as needed without. UEs
    /// report in a network only.
    #[serde(default)]
    pub nrb_cqi: Option<u32>,
    /// Resources for scheduling requests in each slot, before those for HARQ-ACKs (`n1PUCCH-AN`);
    /// as many as needed without.
    #[serde(default)]
    pub n1_an: Option<u32>,
    /// Connected UEs of each cell beside those of the scenario: they hold resources of the PUCCH
    /// and send nothing.
    #[serde(default)]
    pub other_ues: u32,
}

fn two() -> u32 {
    2
}
