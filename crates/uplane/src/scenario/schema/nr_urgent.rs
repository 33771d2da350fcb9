//! The section of urgent downlink blocks in an NR cell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Probability;
use crate::unit::range::one_of;

/// Short downlink blocks of urgent bearers, which begin while blocks of a whole slot are on the
/// air. They have the schemes of low spectral efficiency (TS 38.214 Table 5.1.3.1-3).
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UrgentBlocks {
    /// How long each is; with mapping type B it begins in any symbol from which it ends in its slot
    /// (TS 38.214 §5.1.2.1).
    #[serde(default = "two")]
    #[schemars(transform = one_of(LENGTHS).unit("symbols"))]
    pub symbols: u32,
    /// What they do to blocks that are on the air (TS 38.213 §11.2).
    #[serde(default)]
    pub preemption: Preemption,
    /// At which share of errors in first transmissions their schemes aim.
    #[serde(default = "rarely")]
    pub bler_target: Probability,
}

/// What urgent blocks do to others, and what UEs learn of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preemption {
    /// Nothing: they wait until resource blocks are free.
    None,
    /// They take resource blocks, and the UE that loses them decodes what it gets in their place.
    #[default]
    Unindicated,
    /// The same, and the UE knows exactly which of its bits are lost.
    Indicated,
    /// The same by DCI format 2_1: all UEs take all resource blocks of these symbols for lost
    /// (`timeFrequencySet` = set0, TS 38.331 §6.3.2).
    IndicatedSymbols,
}

fn two() -> u32 {
    2
}

fn rarely() -> Probability {
    Probability::new(1e-5).expect("a probability")
}

/// TS 38.214 Table 5.1.2.1-1
const LENGTHS: &[u32] = &[2, 4, 7];
