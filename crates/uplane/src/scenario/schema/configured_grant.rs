//! The sections of configured grants, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nr_words::GrantPeriod;
use crate::unit::Bytes;
use crate::unit::range::{at_least, one_of, within};

/// A configured grant of each UE (`ConfiguredGrantConfig`, TS 38.331 §6.3.2): uplink blocks at
/// regular occasions.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfiguredGrant {
    /// Its name, for `allowed_cg_list` of bearers; needed in a list.
    #[serde(default)]
    pub name: String,
    /// 1: from RRC, always there; 2: activated by a message on the PDCCH that answers a request or
    /// a report, and released by another (TS 38.321 §5.8.2).
    #[serde(default = "one", rename = "type")]
    #[schemars(transform = one_of(TYPES))]
    pub of_type: u32,
    /// From one occasion to the next (`periodicity`, TS 38.331 §6.3.2), a multiple of the TDD
    /// pattern; "every_start": an occasion wherever an uplink block may begin, as several
    /// configured grants of a UE give together.
    #[schemars(transform = within(1, 5120).unit("slots"))]
    pub period: GrantPeriod,
    /// Type 1: the slot of a period that the first UE has (`timeDomainOffset`, TS 38.331 §6.3.2);
    /// the others have the uplink slots after it in turn. Without, the first uplink slot; of those
    /// from which a bundle finds most.
    #[serde(default)]
    #[schemars(transform = within(0, 5119).unit("slots"))]
    pub offset: Option<u64>,
    /// Type 2: a base station releases it after so many occasions in a row without a block, and
    /// activates it anew with the next request or report; 8 without.
    #[serde(default)]
    #[schemars(transform = within(1, 1000).unit("occasions"))]
    pub release_after: Option<u64>,
    /// The size of each, with space for headers and a byte.
    #[schemars(transform = at_least("16 B"))]
    pub size: Bytes,
    /// Its HARQ processes (`nrofHARQ-Processes`, TS 38.331 §6.3.2): the first of the UE's, in a
    /// list those after the processes of the grants before it (`harq-ProcID-Offset2`). Dynamic
    /// grants use the others. Without, half of the UE's, 16 at most, shared by all of a list.
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

fn one() -> u32 {
    1
}

fn once() -> u32 {
    1
}

/// TS 38.321 §5.8.2
const TYPES: &[u32] = &[1, 2];
/// TS 38.331 §6.3.2
const REPETITIONS: &[u32] = &[1, 2, 4, 8];
