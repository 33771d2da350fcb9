//! The section of a configured grant, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nr_words::GrantPeriod;
use crate::unit::Bytes;
use crate::unit::range::{at_least, one_of, within};

/// A configured grant of type 1.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfiguredGrant {
    /// From one occasion to the next (`periodicity`, TS 38.331 §6.3.2), a multiple of the TDD
    /// pattern; "every_start": an occasion wherever an uplink block may begin, as several
    /// configured grants of a UE give together.
    #[schemars(transform = within(1, 5120).unit("slots"))]
    pub period: GrantPeriod,
    /// The size of each, with space for headers and a byte.
    #[schemars(transform = at_least("16 B"))]
    pub size: Bytes,
    /// Its HARQ processes (`nrofHARQ-Processes`, TS 38.331 §6.3.2): the first of the UE's, of which
    /// grants use the others; half of them without, 16 at most.
    #[serde(default)]
    #[schemars(transform = within(1, 16).unit("processes"))]
    pub harq_processes: Option<u32>,
    /// For how many periods a process takes no new block after it was sent
    /// (`configuredGrantTimer`, TS 38.331 §6.3.2); without, until the base station can have had it
    /// sent again, and one more.
    #[serde(default)]
    #[schemars(transform = within(1, 64).unit("periods"))]
    pub configured_grant_timer: Option<u64>,
    /// In how many slots in a row each block is sent (`repK`, TS 38.331 §6.3.2); those that go down
    /// are left out.
    #[serde(default = "once")]
    #[schemars(transform = one_of(REPETITIONS).unit("transmissions"))]
    pub repetitions: u32,
    /// Redundancy versions of these slots (`repK-RV`, TS 38.331 §6.3.2); with "0303" and "0000" a
    /// block may also begin in a later one.
    #[serde(default)]
    pub rv_sequence: RvSequence,
}

/// Redundancy versions of the slots of one configured grant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "RvSequence")]
pub enum RvSequence {
    /// A block begins in the first slot.
    #[default]
    #[serde(rename = "0231")]
    S0231,
    /// It begins in any slot with version 0.
    #[serde(rename = "0303")]
    S0303,
    /// It begins in any slot but the last of eight.
    #[serde(rename = "0000")]
    S0000,
}

fn once() -> u32 {
    1
}

/// TS 38.331 §6.3.2
const REPETITIONS: &[u32] = &[1, 2, 4, 8];
