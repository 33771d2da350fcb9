//! The section of transmissions within slots, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};

/// Transmissions that may begin within a slot, in both directions. Refused beside `rach`, `drx`,
/// `search_space`, `downlink_sps`, `configured_grant_config`, `secondary_carrier`, `network`, and
/// SINRs of UEs over time. With mini-slots, a `configured_grant` must have type 1 and no
/// repetitions.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MiniSlots {
    /// Duration of each transmission, in symbols: 4, 7 or 14 with mapping type A, and 2, 4 or 7
    /// with mapping type B.
    #[schemars(transform = one_of(MINI_SLOTS).unit("symbols"))]
    pub symbols: u32,
    /// Mapping type of PDSCH and PUSCH (TS 38.214 §5.1.2.1, §6.1.2.1). `"A"`: a downlink
    /// transmission begins in one of the first four symbols of a slot, an uplink transmission in
    /// the first. `"B"`: a transmission begins in any symbol from which it ends within its slot.
    pub mapping: Mapping,
    /// Number of resource blocks of the PDCCH, a multiple of six, in every symbol in which a
    /// downlink transmission may begin. Downlink data has the other resource blocks of the carrier.
    /// Default: half of the carrier's resource blocks, at most 30, rounded down to a multiple of
    /// six.
    #[serde(default)]
    #[schemars(transform = within(6, 270).unit("resource blocks"))]
    pub control_prbs: Option<u32>,
}

/// Mapping type of PDSCH and PUSCH.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "MappingType")]
pub enum Mapping {
    /// A downlink transmission begins in one of the first four symbols of a slot, an uplink
    /// transmission in the first.
    A,
    /// A transmission begins in any symbol from which it ends within its slot.
    B,
}

/// TS 38.214 Table 5.1.2.1-1
const MINI_SLOTS: &[u32] = &[2, 4, 7, 14];
