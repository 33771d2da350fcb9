//! The section of the random access channel, of any generation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};
use crate::unit::{Duration, Probability};

/// Random access with contention (RACH; TS 36.321 §5.1, TS 38.321 §5.1): UEs draw preambles, which
/// collide. Without this section random access takes the time of `random_access`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rach {
    /// Four steps (preamble, response, Msg3, contention resolution), or two (MsgA, MsgB), which LTE
    /// has not.
    #[serde(default = "four")]
    #[schemars(transform = one_of(STEPS).unit("steps"))]
    pub steps: u32,
    /// From one PRACH occasion to the next (`prach-ConfigurationIndex`, TS 38.331 §6.3.2), a
    /// multiple of the TDD pattern; an occasion is the first uplink slot of each period.
    #[serde(default = "twenty")]
    #[schemars(transform = within(1, 1280).unit("slots"))]
    pub prach_period: u64,
    /// Preambles for access with contention (`totalNumberOfRA-Preambles`, TS 38.331 §6.3.2).
    #[serde(default = "fifty_four")]
    #[schemars(transform = within(1, 64).unit("preambles"))]
    pub preambles: u64,
    /// The base station does not detect a preamble (TS 38.104 §8.4).
    #[serde(default = "hundredth")]
    pub preamble_missed: Probability,
    /// How long a UE waits for the answer to its preamble (`ra-ResponseWindow`, TS 38.331 §6.3.2),
    /// or to its MsgA (`msgB-ResponseWindow`).
    #[serde(default = "twenty")]
    #[schemars(transform = within(1, 320).unit("slots"))]
    pub response_window: u64,
    /// How long it waits after Msg3 before it takes its preamble for collided
    /// (`ra-ContentionResolutionTimer`, TS 38.331 §6.3.2).
    #[serde(default = "sixty_four_ms")]
    #[schemars(transform = within("8 ms", "64 ms"))]
    pub contention_resolution_timer: Duration,
    /// How many preambles it sends before its radio link has failed (`preambleTransMax`, TS 38.331
    /// §6.3.2).
    #[serde(default = "ten")]
    #[schemars(transform = one_of(TRANS_MAX).unit("preambles"))]
    pub preamble_trans_max: u32,
    /// UEs have resources for scheduling requests and use random access when these fail; "false":
    /// they ask by random access alone (TS 38.321 §5.4.4).
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
