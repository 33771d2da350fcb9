//! The section of the uplink's control channel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};

/// PUCCH size that follows from the number of UEs in the cell (TS 36.211 §5.4), instead of a
/// constant for each bandwidth. Requires scheduling requests, resource blocks and a fixed number of
/// control symbols; `uplink_prbs` must be `"auto"` or `"all"`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pucch {
    /// Number of resource blocks of the PUCCH in each TTI, half of them at each edge of the band:
    /// an even number. With `sr_period = "auto"`, the SR period is the shortest for which all UEs
    /// fit. Default: the number that the UEs need.
    #[serde(default)]
    #[schemars(transform = within(2, 98).unit("resource blocks"))]
    pub prbs: Option<u32>,
    /// Distance between the cyclic shifts in use: 1, 2 or 3 (`deltaPUCCH-Shift`, TS 36.331 §6.3.2).
    /// A resource block has 36 divided by `delta_shift` resources for scheduling requests, so a
    /// larger value needs more resource blocks.
    #[serde(default = "two")]
    #[schemars(transform = one_of(SHIFTS).unit("shifts"))]
    pub delta_shift: u32,
    /// Number of PUCCH resource blocks for CQI reports in each TTI, at least the number that the
    /// UEs need (`nRB-CQI`, TS 36.331 §6.3.2). Default: that number, which is 0 without
    /// `radio.lte.network`.
    #[serde(default)]
    #[schemars(transform = within(0, 98).unit("resource blocks"))]
    pub nrb_cqi: Option<u32>,
    /// Number of PUCCH resources for scheduling requests in each TTI, at least the number that the
    /// UEs need (`n1PUCCH-AN`, TS 36.331 §6.3.2). The resources for HARQ-ACKs follow them. With
    /// `sr_period = "auto"`, the SR period is the shortest for which all UEs fit. Default: the
    /// number that the UEs need.
    #[serde(default)]
    #[schemars(transform = within(0, 2047).unit("resources"))]
    pub n1_an: Option<u32>,
    /// Number of further connected UEs in each cell, which hold PUCCH resources and send nothing:
    /// more of them leave fewer resource blocks for data. Default 0.
    #[serde(default)]
    #[schemars(transform = within(0, 10_000).unit("UEs"))]
    pub other_ues: u32,
}

/// TS 36.331 §6.3.2, PUCCH-ConfigCommon
const SHIFTS: &[u32] = &[1, 2, 3];

fn two() -> u32 {
    2
}
