//! The section of a further configuration of scheduling requests, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::mac::scheduling_request::Offset;
use crate::unit::Duration;
use crate::unit::range::{one_of, within};

/// Further configuration of scheduling requests beside the `sr_` keys of the cell
/// (`SchedulingRequestToAddMod`, `SchedulingRequestResourceConfig`, TS 38.331 §6.3.2). Bearers that
/// name it send their requests at its occasions (TS 38.321 §5.4.4). A UE has at most eight
/// configurations, including that of the cell if a bearer uses it.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchedulingRequest {
    /// Name of the configuration, for `scheduling_request` of bearers. At least one bearer must use
    /// it.
    pub name: String,
    /// Distance between two occasions of a UE for a request of this configuration, in slots, a
    /// multiple of the TDD pattern.
    #[schemars(transform = within(1, 640).unit("slots"))]
    pub period: u64,
    /// Uplink slot of a UE's occasions within the period. `"in_turn"`: UE number n (from 0) has the
    /// n-th uplink slot, counted modulo their number. `"random"`: each UE draws one of them at the
    /// start of the run.
    #[serde(default)]
    pub offset: Offset,
    /// Time after a request of this configuration in which the UE sends no other one of it
    /// (`sr-ProhibitTimer`, TS 38.331 §6.3.2).
    #[serde(default)]
    #[schemars(transform = within("0 s", "128 ms"))]
    pub prohibit_timer: Duration,
    /// Maximum number of requests of this configuration for the same pending data before the UE
    /// starts random access (`sr-TransMax`, TS 38.331 §6.3.2).
    #[serde(default = "most")]
    #[schemars(transform = one_of(super::nr::SR_TRANS_MAX).unit("requests"))]
    pub trans_max: u32,
}

fn most() -> u32 {
    64
}
