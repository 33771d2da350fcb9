//! The section of urgent downlink blocks in an NR cell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Probability;
use crate::unit::range::one_of;

/// Short downlink blocks of urgent bearers, which may begin while blocks of a whole slot are on the
/// air. They use the MCS table of low spectral efficiency (TS 38.214 Table 5.1.3.1-3), and UEs are
/// served in the order of their oldest packet. Requires `mini_slots` with 14 symbols and mapping
/// type A, and an urgent bearer; refused beside handovers and RRC states.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UrgentBlocks {
    /// Duration of an urgent block, in symbols: 2, 4 or 7. Urgent blocks have mapping type B: a
    /// block may begin in any downlink symbol from which it ends within its slot (TS 38.214
    /// §5.1.2.1).
    #[serde(default = "two")]
    #[schemars(transform = one_of(LENGTHS).unit("symbols"))]
    pub symbols: u32,
    /// Effect of urgent blocks on other blocks that are on the air (TS 38.213 §11.2): `"none"`,
    /// `"unindicated"`, `"indicated"` or `"indicated_symbols"`. Requires one of: `preemption =
    /// "none"`, `radio.nr.bler = "sinr"`.
    #[serde(default)]
    pub preemption: Preemption,
    /// Target block error rate of first transmissions of urgent blocks. The MCS of urgent blocks
    /// follows the reported CQI and this target, without an outer loop.
    #[serde(default = "rarely")]
    pub bler_target: Probability,
}

/// Effect of urgent blocks on other blocks that are on the air.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preemption {
    /// No effect on other blocks: an urgent block waits until resource blocks are free.
    None,
    /// Urgent blocks take resource blocks that are in use. The UE whose block loses them does not
    /// know of the loss. It decodes with the bits of the urgent block instead of its own.
    #[default]
    Unindicated,
    /// Urgent blocks take resource blocks that are in use. The UE whose block loses them knows
    /// exactly which of its bits are lost, and ignores these bits.
    Indicated,
    /// Urgent blocks take resource blocks that are in use. DCI format 2_1 signals the symbols of an
    /// urgent block, and all UEs ignore all resource blocks of these symbols (`timeFrequencySet` =
    /// set0, TS 38.331 §6.3.2).
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
