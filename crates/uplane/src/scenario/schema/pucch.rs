//! The section of the uplink's control channel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};

/// The PUCCH takes as many resource blocks as the UEs of the cell need (TS 36.211 §5.4), instead of
/// a constant of the bandwidth.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pucch {
    /// Resource blocks of the PUCCH in each slot, half of them at each edge of the band; as many as
    /// needed without. With this key and `sr_period = "auto"`, UEs have the shortest period that
    /// fits.
    #[serde(default)]
    #[schemars(transform = within(2, 98).unit("resource blocks"))]
    pub prbs: Option<u32>,
    /// Every one, every other or every third cyclic shift is used (`deltaPUCCH-Shift`, TS 36.331
    /// §6.3.2).
    #[serde(default = "two")]
    #[schemars(transform = one_of(SHIFTS).unit("shifts"))]
    pub delta_shift: u32,
    /// Resource blocks for channel quality reports (`nRB-CQI`, TS 36.331 §6.3.2); as many as
    /// needed without. UEs
    /// report in a network only.
    #[serde(default)]
    #[schemars(transform = within(0, 98).unit("resource blocks"))]
    pub nrb_cqi: Option<u32>,
    /// Resources for scheduling requests in each slot, before those for HARQ-ACKs (`n1PUCCH-AN`,
    /// TS 36.331 §6.3.2); as many as needed without.
    #[serde(default)]
    #[schemars(transform = within(0, 2047).unit("resources"))]
    pub n1_an: Option<u32>,
    /// Connected UEs of each cell in addition to those of the scenario: they hold resources of the
    /// PUCCH and send nothing.
    #[serde(default)]
    #[schemars(transform = within(0, 10_000).unit("UEs"))]
    pub other_ues: u32,
}

/// TS 36.331 §6.3.2, PUCCH-ConfigCommon
const SHIFTS: &[u32] = &[1, 2, 3];

fn two() -> u32 {
    2
}
