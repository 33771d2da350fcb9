//! The section of the random access channel, of any generation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};
use crate::unit::{Duration, Probability};

/// Contention-based random access (RACH; TS 36.321 §5.1, TS 38.321 §5.1): UEs draw preambles, and
/// equal preambles in one occasion collide. Without this section, random access takes the time
/// `random_access`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rach {
    /// Number of messages until contention is resolved: 4 (preamble, response, Msg3, contention
    /// resolution), or 2 (MsgA, MsgB). LTE requires 4.
    #[serde(default = "four")]
    #[schemars(transform = one_of(STEPS).unit("steps"))]
    pub steps: u32,
    /// Distance between two PRACH occasions of the cell, in slots (NR) or TTIs (LTE)
    /// (`prach-ConfigurationIndex`, TS 38.331 §6.3.2). A multiple of the TDD pattern. The occasion
    /// is the first uplink slot of each period.
    #[serde(default = "twenty")]
    #[schemars(transform = within(1, 1280).unit("slots"))]
    pub prach_period: u64,
    /// Number of preambles for contention-based access in each occasion
    /// (`totalNumberOfRA-Preambles`, TS 38.331 §6.3.2). A UE draws one of them.
    #[serde(default = "fifty_four")]
    #[schemars(transform = within(1, 64).unit("preambles"))]
    pub preambles: u64,
    /// Probability that the base station does not detect a preamble (TS 38.104 §8.4). The UE then
    /// gets no response within `response_window` and retries.
    #[serde(default = "hundredth")]
    pub preamble_missed: Probability,
    /// Time that a UE waits for the response to its preamble (`ra-ResponseWindow`, TS 38.331
    /// §6.3.2) or MsgA (`msgB-ResponseWindow`), in slots (NR) or TTIs (LTE). It starts with the
    /// slot after the preamble or MsgA. Without a response, the UE backs off and retries.
    #[serde(default = "twenty")]
    #[schemars(transform = within(1, 320).unit("slots"))]
    pub response_window: u64,
    /// Time that a UE waits after Msg3 for a grant before it assumes a collision, backs off and
    /// retries (`ra-ContentionResolutionTimer`, TS 38.331 §6.3.2).
    #[serde(default = "sixty_four_ms")]
    #[schemars(transform = within("8 ms", "64 ms"))]
    pub contention_resolution_timer: Duration,
    /// Maximum number of preambles of one random access procedure (`preambleTransMax`, TS 38.331
    /// §6.3.2). When the last one fails, the radio link has failed: RLC is re-established, and the
    /// UE starts a new procedure.
    #[serde(default = "ten")]
    #[schemars(transform = one_of(TRANS_MAX).unit("preambles"))]
    pub preamble_trans_max: u32,
    /// PUCCH resources of UEs for scheduling requests; UEs use random access only after these
    /// requests fail. If false, UEs request uplink grants by random access alone (TS 38.321
    /// §5.4.4).
    #[serde(default = "yes")]
    pub scheduling_requests: bool,
}

const STEPS: &[u32] = &[2, 4];
const TRANS_MAX: &[u32] = &[3, 4, 5, 6, 7, 8, 10, 20, 50, 100, 200];

fn four() -> u32 {
    4
}

fn ten() -> u32 {
    10
}

fn twenty() -> u64 {
    20
}

fn fifty_four() -> u64 {
    54
}

fn hundredth() -> Probability {
    Probability::new(0.01).expect("between zero and one")
}

fn sixty_four_ms() -> Duration {
    Duration::from_millis(64)
}

fn yes() -> bool {
    true
}
