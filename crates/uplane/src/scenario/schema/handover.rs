//! The section of handovers, of any generation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::Phase;
use crate::unit::Duration;
use crate::unit::range::within;
use crate::unit::text::word_or;

/// Handovers of all UEs, each into a cell like its own (TS 36.300 §10.1.2, TS 38.300 §9.2.3).
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// From when a UE leaves its cell until data flow in the next one. Published: 45.5 to 49.5 ms
    /// for LTE (TR 36.881), 50 to 90 ms for NR, 20 to 30 ms where layer 1 or 2 triggers it.
    #[schemars(transform = within("1 us", "10 s"))]
    pub interruption: Duration,
    /// The first handover: a time, the same for all UEs, or "random", which each UE draws within
    /// `every`.
    #[serde(default = "random")]
    pub first: Phase,
    /// From one handover of a UE to the next, twice the interruption at least; without, it has one.
    #[serde(default)]
    #[schemars(transform = within("100 ms", "100000 s"))]
    pub every: Option<Duration>,
    /// How long downlink data take from the source to the target over X2 or Xn, or "none": what the
    /// source holds is lost.
    #[serde(default)]
    pub forwarding: Forwarding,
}

const fn random() -> Phase {
    Phase::Random
}

/// How long data take from the source to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarding {
    /// They are lost.
    Without,
    /// So long.
    Time(Duration),
}

word_or! {
    Forwarding "Forwarding" "a time such as \"5 ms\", or \"none\""
        { "none" => Without, _ => Time(Duration) }
}

impl Default for Forwarding {
    fn default() -> Self {
        Self::Time(Duration::from_millis(5))
    }
}
