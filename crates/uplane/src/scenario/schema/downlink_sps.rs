//! The section of semi-persistent scheduling of the downlink, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Bytes;
use crate::unit::range::{at_least, within};

/// Semi-persistent scheduling (SPS) of each UE's downlink (TS 38.321 §5.8.1): a PDCCH message
/// activates it with the first block, and later blocks of each period need no message. Data that
/// fits into one block waits for the next occasion; more data is sent with ordinary assignments.
/// Refused beside `mini_slots` and `network`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DownlinkSps {
    /// Distance between two SPS occasions of a UE, in slots (`periodicity`, TS 38.331 §6.3.2). A
    /// multiple of the number of slots of the TDD pattern. Occasions count from the slot of the
    /// activating block.
    #[schemars(transform = within(1, 5120).unit("slots"))]
    pub period: u64,
    /// Minimum size of each SPS block, with RLC and MAC headers. It must hold the headers and one
    /// byte of data.
    #[schemars(transform = at_least("16 B"))]
    pub size: Bytes,
    /// Number of HARQ processes for SPS (`nrofHARQ-Processes`, TS 38.331 §6.3.2): the first ones of
    /// the UE. Other downlink blocks use the rest, at least one.
    #[serde(default = "two")]
    #[schemars(transform = within(1, 8).unit("processes"))]
    pub harq_processes: u32,
    /// Number of consecutive periods without an SPS block of a UE after which its SPS is released.
    /// The next data activates SPS again.
    #[serde(default = "eight")]
    #[schemars(transform = within(1, 1000).unit("occasions"))]
    pub release_after: u64,
}

fn two() -> u32 {
    2
}

fn eight() -> u64 {
    8
}
