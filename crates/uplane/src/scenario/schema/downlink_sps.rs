//! The section of semi-persistent scheduling of the downlink, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Bytes;
use crate::unit::range::{at_least, within};

/// Semi-persistent scheduling of the downlink of each UE (SPS, TS 38.321 §5.8.1): a control message
/// announces the first block, and from then on one may go each period without a message. Data that
/// fit into a block wait for it; what is more goes by messages as without it.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DownlinkSps {
    /// From one occasion to the next (`periodicity`, TS 38.331 §6.3.2), a multiple of the TDD
    /// pattern. The slot of the first block gives the others.
    #[schemars(transform = within(1, 5120).unit("slots"))]
    pub period: u64,
    /// The size of each block, with space for headers and a byte.
    #[schemars(transform = at_least("16 B"))]
    pub size: Bytes,
    /// Its HARQ processes (`nrofHARQ-Processes`, TS 38.331 §6.3.2): the first of the UE's, of which
    /// other blocks use the rest.
    #[serde(default = "two")]
    #[schemars(transform = within(1, 8).unit("processes"))]
    pub harq_processes: u32,
    /// It is released after so many occasions without data, and activated anew with the next.
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
