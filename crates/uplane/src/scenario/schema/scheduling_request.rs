//! The section of a further configuration of scheduling requests, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::mac::scheduling_request::Offset;
use crate::unit::Duration;
use crate::unit::range::{one_of, within};

/// Further configuration of scheduling requests beside the `sr_` keys of the cell
/// (`SchedulingRequestToAddMod`, `SchedulingRequestResourceConfig`, TS 38.331 §6.3.2). Bearers that
/// name a configuration send their requests at its occasions (TS 38.321 §5.4.4). A UE has at most
/// eight configurations, including that of the cell if a bearer uses it.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchedulingRequest {
    /// Name of the configuration, for `scheduling_request` of bearers. At least one bearer must
    /// name the configuration.
    pub name: String,
    /// Distance between two occasions of a UE for a request of this configuration, in slots. A
    /// multiple of the number of slots of the TDD pattern.
    #[schemars(transform = within(1, 640).unit("slots"))]
    pub period: u64,
    /// Uplink slot of each `period` in which a UE has its occasion. `"in_turn"`: UE number n,
    /// counted from 0, has uplink slot number n modulo the number of uplink slots in the period.
    /// `"random"`: each UE draws one of these uplink slots at the start of the run.
    #[serde(default)]
    pub offset: Offset,
    /// Minimum time between two requests of this configuration of a UE (`sr-ProhibitTimer`, TS
    /// 38.331 §6.3.2). `0 s`: the UE repeats a pending request at each occasion.
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
