//! The sections of configured grants, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nr_words::GrantPeriod;
use crate::unit::Bytes;
use crate::unit::range::{at_least, one_of, within};

/// One configured grant of each UE (`ConfiguredGrantConfig`, TS 38.331 §6.3.2): uplink blocks at
/// periodic occasions, without scheduling request and dynamic grant. A UE without data leaves an
/// occasion unused.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfiguredGrant {
    /// Name of the grant, for `allowed_cg_list` of bearers. Required in `configured_grant_config`.
    #[serde(default)]
    pub name: String,
    /// Type of the grant (TS 38.321 §5.8.2). 1: configured by RRC, always active. 2: activated by a
    /// PDCCH message that answers a scheduling request or buffer status report, and released by
    /// another PDCCH message. With `mini_slots` or `period = "every_start"`: 1 only.
    #[serde(default = "one", rename = "type")]
    #[schemars(transform = one_of(TYPES))]
    pub of_type: u32,
    /// Distance between two occasions of a UE, in slots (`periodicity`, TS 38.331 §6.3.2). A
    /// multiple of the number of slots of the TDD pattern. `"every_start"` (type 1 only): an
    /// occasion wherever an uplink block may begin, like several configured grants of a UE
    /// together.
    #[schemars(transform = within(1, 5120).unit("slots"))]
    pub period: GrantPeriod,
    /// Type 1 only: slot of the first UE's occasions, counted from 0 at the start of each period
    /// (`timeDomainOffset`, TS 38.331 §6.3.2). It must be an uplink slot. The other UEs get the
    /// following uplink slots in turn. Default: the first uplink slot of the period. Default with
    /// `repetitions`: the first uplink slot from which a bundle has most uplink slots.
    #[serde(default)]
    #[schemars(transform = within(0, 5119).unit("slots"))]
    pub offset: Option<u64>,
    /// Type 2 only: number of consecutive occasions without a block after which the base station
    /// releases the grant. The next scheduling request or buffer status report activates the grant
    /// again. Default 8.
    #[serde(default)]
    #[schemars(transform = within(1, 1000).unit("occasions"))]
    pub release_after: Option<u64>,
    /// Minimum size of the uplink transport block of each occasion, with RLC and MAC headers. It
    /// must hold the headers and one byte of data.
    #[schemars(transform = at_least("16 B"))]
    pub size: Bytes,
    /// Number of HARQ processes of the grant (`nrofHARQ-Processes`, TS 38.331 §6.3.2). They are the
    /// first processes of the UE; in a list, those after the processes of earlier grants
    /// (`harq-ProcID-Offset2`). Dynamic grants use the other processes, at least one. Default: half
    /// of the UE's processes, at most 16, divided equally among the grants of a list.
    #[serde(default)]
    #[schemars(transform = within(1, 16).unit("processes"))]
    pub harq_processes: Option<u32>,
    /// Number of periods after a transmission in which the HARQ process of this transmission takes
    /// no new block (`configuredGrantTimer`, TS 38.331 §6.3.2). Minimum: the periods in which the
    /// base station decodes a block. Default: the periods within which the base station can have
    /// requested a retransmission, plus one.
    #[serde(default)]
    #[schemars(transform = within(1, 64).unit("periods"))]
    pub configured_grant_timer: Option<u64>,
    /// Number of consecutive slots in which each block is transmitted, a bundle (`repK`, TS 38.331
    /// §6.3.2). Downlink slots of a bundle carry no repetition. At most the number of slots of one
    /// period. 1: no repetition.
    #[serde(default = "once")]
    #[schemars(transform = one_of(REPETITIONS).unit("transmissions"))]
    pub repetitions: u32,
    /// Redundancy versions in the slots of a bundle, in turn (`repK-RV`, TS 38.331 §6.3.2):
    /// `"0231"`, `"0303"` or `"0000"`. With `"0303"` or `"0000"`, a block may also begin in a later
    /// slot of the bundle.
    #[serde(default)]
    pub rv_sequence: RvSequence,
}

/// Redundancy versions in the slots of a bundle, which also determine where a block may begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "RvSequence")]
pub enum RvSequence {
    /// Versions 0, 2, 3, 1: a block begins in the first slot of a bundle only.
    #[default]
    #[serde(rename = "0231")]
    S0231,
    /// Versions 0, 3, 0, 3: a block begins in any slot of a bundle with version 0.
    #[serde(rename = "0303")]
    S0303,
    /// Version 0 in all slots: a block begins in any slot of a bundle, except in the last one of
    /// eight.
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
