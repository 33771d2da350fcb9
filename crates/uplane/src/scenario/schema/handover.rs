//! The section of handovers, of any generation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::Phase;
use crate::unit::Duration;
use crate::unit::range::within;
use crate::unit::text::word_or;

/// Handovers of all UEs at given times, each into a cell with the same load and SINR as its own (TS
/// 36.300 §10.1.2, TS 38.300 §9.2.3). The MAC resets and RLC is re-established. Requires `sr_rule =
/// "standard"` and `downlink_queues = "exact"`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// Time from a UE's departure from its cell until it may send and receive in the next cell. It
    /// includes RRC messages and random access. Published: 45.5 to 49.5 ms for LTE (TR 36.881), 50
    /// to 90 ms for NR, 20 to 30 ms for handovers that layer 1 or 2 triggers.
    #[schemars(transform = within("1 us", "10 s"))]
    pub interruption: Duration,
    /// Time of a UE's first handover after the start of the run, the same for all UEs. `"random"`:
    /// each UE draws a time between 0 and `every`.
    #[serde(default = "random")]
    pub first: Phase,
    /// Distance between two handovers of a UE, at least twice `interruption`. If not set, each UE
    /// has one handover, and `first` must be a time.
    #[serde(default)]
    #[schemars(transform = within("100 ms", "100000 s"))]
    pub every: Option<Duration>,
    /// Delay of downlink packets that the source cell forwards to the target cell over X2 or Xn, at
    /// most `interruption`. `"none"`: packets that wait in the source cell, or arrive during the
    /// interruption, are lost; refused if a bearer has `aqm`.
    #[serde(default)]
    pub forwarding: Forwarding,
}

const fn random() -> Phase {
    Phase::Random
}

/// Forwarding of downlink packets from the source to the target cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarding {
    /// No forwarding: the packets are lost.
    Without,
    /// Delay of a forwarded packet.
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
