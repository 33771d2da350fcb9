//! The section of transmissions within slots, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};

/// Transmissions of some symbols each, both ways.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MiniSlots {
    /// How long each is: 4, 7 or 14 symbols with mapping type A, 2, 4 or 7 with B.
    #[schemars(transform = one_of(MINI_SLOTS).unit("symbols"))]
    pub symbols: u32,
    /// Where they may begin (TS 38.214 §5.1.2.1, §6.1.2.1).
    pub mapping: Mapping,
    /// Resource blocks of the control channel, beside those of downlink data, in sixes, wherever a
    /// transmission may begin; by default half of the carrier, at most 30.
    #[serde(default)]
    #[schemars(transform = within(6, 270).unit("resource blocks"))]
    pub control_prbs: Option<u32>,
}

/// Mapping types of PDSCH and PUSCH.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "MappingType")]
pub enum Mapping {
    /// Type A: in one of the first four symbols of a slot, in the uplink in the first.
    A,
    /// Type B: in any symbol from which they end in their slot.
    B,
}

/// TS 38.214 Table 5.1.2.1-1
const MINI_SLOTS: &[u32] = &[2, 4, 7, 14];
