//! The section of a further configuration of scheduling requests, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::mac::scheduling_request::Offset;
use crate::unit::Duration;
use crate::unit::range::{one_of, within};

/// A configuration of scheduling requests beside that of the cell's `sr_` keys
/// (`SchedulingRequestToAddMod`, `SchedulingRequestResourceConfig`, TS 38.331 §6.3.2): bearers that
/// name it ask by its occasions (TS 38.321 §5.4.4). A UE has eight at most.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchedulingRequest {
    /// Its name, for bearers.
    pub name: String,
    /// From one occasion to the next, a multiple of the TDD pattern.
    #[schemars(transform = within(1, 640).unit("slots"))]
    pub period: u64,
    /// Which uplink slot of each period a UE may use.
    #[serde(default)]
    pub offset: Offset,
    /// After a request of this configuration no other of it for so long (`sr-ProhibitTimer`,
    /// TS 38.331 §6.3.2).
    #[serde(default)]
    #[schemars(transform = within("0 s", "128 ms"))]
    pub prohibit_timer: Duration,
    /// How often a request of this configuration is sent before random access (`sr-TransMax`,
    /// TS 38.331 §6.3.2).
    #[serde(default = "most")]
    #[schemars(transform = one_of(super::nr::SR_TRANS_MAX).unit("requests"))]
    pub trans_max: u32,
}

fn most() -> u32 {
    64
}
