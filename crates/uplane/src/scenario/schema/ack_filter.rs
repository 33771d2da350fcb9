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
    /// Rule by which the filter drops ACKs. When the UE fills the block of a grant: `"passive"`,
    /// `"granted"`. When an ACK arrives in the queue: `"active"`, `"highest"`. At both: `"hybrid"`,
    /// `"hybrid_opt"`. `"basic"` drops none and only counts.
    pub rule: AckFilterRule,
    /// Ratio of the dropped ACKs to all ACKs that do not fit into a grant: 0 drops none, 1 acts
    /// like the rule `granted`. Required with the rule `passive`, refused with all others.
    #[serde(default)]
    pub ratio: Option<Probability>,
    /// Number of ACKs that may be queued: when an ACK arrives, the filter drops the oldest ones
    /// beyond it. Required with the rules `active` and `hybrid`, refused with all others.
    /// `ue.<name>.ack_threshold` overrides it for a UE.
    #[serde(default)]
    #[schemars(transform = within(1, u32::MAX).unit("acknowledgements"))]
    pub threshold: Option<u32>,
    /// ACKs that a threshold counts together: `"bearer"`, all ACKs of a bearer, or `"flow"`, the
    /// ACKs of each flow. It has an effect with the rules `active`, `highest`, `hybrid` and
    /// `hybrid_opt`.
    #[serde(default)]
    pub scope: Scope,
    /// Payload of a downlink TCP segment, in bytes. `hybrid_opt` computes its threshold from it:
    /// the average downlink block divided by `segments_per_ack · (segment + headers)`, at least 1.
    /// A larger value drops more ACKs. Required with the rule `hybrid_opt`, refused with all
    /// others.
    #[serde(default)]
    #[schemars(transform = at_least("1 B"))]
    pub segment: Option<Bytes>,
    /// Length of the IP, TCP and radio headers of a downlink TCP segment, in bytes. `hybrid_opt`
    /// adds it to `segment` to compute its threshold; a larger value drops more ACKs. Default 58 B.
    /// Refused with all other rules.
    #[serde(default)]
    pub headers: Option<Bytes>,
    /// Number of downlink segments that one ACK acknowledges. `hybrid_opt` divides by it to compute
    /// its threshold; a larger value drops more ACKs. Default 2. Refused with all other rules.
    #[serde(default)]
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub segments_per_ack: Option<u32>,
    /// Time constant of the average size of a UE's downlink blocks, from which `hybrid_opt`
    /// computes its threshold. A longer time follows the channel more slowly. Default 1 s. Refused
    /// with all other rules.
    #[serde(default)]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub memory: Option<Duration>,
    /// Averages the size that each downlink block would have over the whole band at the same MCS.
    /// If false, `hybrid_opt` averages the sizes of the blocks themselves, which gives a lower
    /// threshold. Default `false`. Refused with all other rules.
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
