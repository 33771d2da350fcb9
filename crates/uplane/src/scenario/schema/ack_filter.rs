//! The section of an ACK filter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::ack_filter::Scope;
use crate::unit::range::{at_least, within};
use crate::unit::{Bytes, Duration, Probability};

/// TCP ACK filter in each UE: drops pure ACKs from its uplink queues if a later ACK of the same
/// flow is queued behind them. Duplicate ACKs, ACKs with SACK blocks and window updates are never
/// dropped, nor is the newest ACK of a flow.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AckFilter {
    /// Rule by which the filter drops ACKs, when an ACK arrives in the queue or when the UE fills
    /// the block of a grant.
    pub rule: AckFilterRule,
    /// Rule `passive` only, required: ratio of the dropped ACKs to those that do not fit into a
    /// grant.
    #[serde(default)]
    pub ratio: Option<Probability>,
    /// Rules `active` and `hybrid` only, required: number of ACKs that may be queued; older ones
    /// beyond it are dropped when an ACK arrives. A UE may have its own value
    /// (`ue.<name>.ack_threshold`).
    #[serde(default)]
    #[schemars(transform = within(1, u32::MAX).unit("acknowledgements"))]
    pub threshold: Option<u32>,
    /// ACKs that a threshold counts together: `"bearer"`, all of a bearer, or `"flow"`, those of
    /// each flow.
    #[serde(default)]
    pub scope: Scope,
    /// Rule `hybrid_opt` only, required: payload of a downlink TCP segment, in bytes. The threshold
    /// is the number of ACKs that the segments of one average downlink block cause.
    #[serde(default)]
    #[schemars(transform = at_least("1 B"))]
    pub segment: Option<Bytes>,
    /// Rule `hybrid_opt` only: IP, TCP and radio headers of a downlink segment, in bytes. Default
    /// 58 B.
    #[serde(default)]
    pub headers: Option<Bytes>,
    /// Rule `hybrid_opt` only: number of downlink segments that one ACK acknowledges. Default 2.
    #[serde(default)]
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub segments_per_ack: Option<u32>,
    /// Rule `hybrid_opt` only: time constant of the average size of downlink blocks. Default 1 s.
    #[serde(default)]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub memory: Option<Duration>,
    /// Rule `hybrid_opt` only: averages the block that the whole band would have carried at the MCS
    /// of each downlink block, instead of the block itself. Default `false`.
    #[serde(default)]
    pub whole_band: Option<bool>,
}

/// Rule by which an ACK filter drops ACKs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AckFilterRule {
    /// No ACK is dropped; the filter only counts.
    Basic,
    /// At a grant, the ratio `ratio` of the ACKs that do not fit into it.
    Passive,
    /// At a grant, all ACKs that do not fit into it.
    Granted,
    /// At an arrival, all ACKs beyond `threshold`, the oldest first.
    Active,
    /// At an arrival, all ACKs but the newest.
    Highest,
    /// `active` at an arrival, then `granted` at a grant.
    Hybrid,
    /// `hybrid` with a threshold that follows the average size of downlink blocks.
    HybridOpt,
}
