//! The section of an ACK filter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::ack_filter::Scope;
use crate::unit::range::{at_least, within};
use crate::unit::{Bytes, Duration, Probability};

/// UEs throw away acknowledgements in their uplink queues that later ones make needless.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AckFilter {
    /// Which of them go.
    pub rule: AckFilterRule,
    /// The share of those that do not fit that is dropped; for the rule `passive`.
    #[serde(default)]
    pub ratio: Option<Probability>,
    /// How many may wait; for the rules `active` and `hybrid`. A UE may have its own
    /// (`ue.<name>.ack_threshold`).
    #[serde(default)]
    #[schemars(transform = within(1, u32::MAX).unit("acknowledgements"))]
    pub threshold: Option<u32>,
    /// What a threshold counts.
    #[serde(default)]
    pub scope: Scope,
    /// Payload of the segments that are acknowledged; for the rule `hybrid_opt`.
    #[serde(default)]
    #[schemars(transform = at_least("1 B"))]
    pub segment: Option<Bytes>,
    /// Headers of such a segment, IP, TCP and radio; for the rule `hybrid_opt`, 58 bytes without.
    #[serde(default)]
    pub headers: Option<Bytes>,
    /// Segments for one acknowledgement; for the rule `hybrid_opt`, 2 without.
    #[serde(default)]
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub segments_per_ack: Option<u32>,
    /// How long a downlink block counts; for the rule `hybrid_opt`, 1 s without.
    #[serde(default)]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub memory: Option<Duration>,
    /// The block that the whole band would carry with the scheme of a downlink block counts, and
    /// not the block itself; for the rule `hybrid_opt`, by default `false`.
    #[serde(default)]
    pub whole_band: Option<bool>,
}

/// Rules of ACK filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AckFilterRule {
    /// None goes.
    Basic,
    /// At a grant, a share of those that do not fit.
    Passive,
    /// At a grant, all that do not fit.
    Granted,
    /// At an arrival, all beyond a threshold.
    Active,
    /// At an arrival, all but the newest.
    Highest,
    /// Active, then granted.
    Hybrid,
    /// Hybrid with a threshold that follows the blocks of the downlink.
    HybridOpt,
}
