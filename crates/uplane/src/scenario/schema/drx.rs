//! The section of discontinuous reception, of any generation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::mac::scheduling_request::Offset;
use crate::unit::Duration;
use crate::unit::range::within;

/// Discontinuous reception (C-DRX) of all UEs (TS 36.321 §5.7, TS 38.321 §5.7): a UE reads the
/// control channel only part of the time.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drx {
    /// From one on-duration to the next (`drx-LongCycle`, TS 38.331 §6.3.2).
    #[schemars(transform = within("1 ms", "10240 ms"))]
    pub long_cycle: Duration,
    /// How long a UE is awake in each cycle (`drx-onDurationTimer`, TS 38.331 §6.3.2).
    #[schemars(transform = within("1 us", "1600 ms"))]
    pub on_duration: Duration,
    /// How long it stays awake after an assignment or a grant of new data (`drx-InactivityTimer`,
    /// TS 38.331 §6.3.2).
    #[schemars(transform = within("0 s", "2560 ms"))]
    pub inactivity_timer: Duration,
    /// How long it is awake for a block that is to be sent again, from when it can be
    /// (`drx-RetransmissionTimerDL` and `UL`, TS 38.331 §6.3.2).
    #[serde(default = "eight_ms")]
    #[schemars(transform = within("0 s", "320 ms"))]
    pub retransmission_timer: Duration,
    /// The cycle after the inactivity timer (`drx-ShortCycle`, TS 38.331 §6.3.2), of which the long
    /// one is a multiple; none without.
    #[serde(default)]
    #[schemars(transform = within("1 ms", "640 ms"))]
    pub short_cycle: Option<Duration>,
    /// How many short cycles follow (`drx-ShortCycleTimer`, TS 38.331 §6.3.2).
    #[serde(default = "two")]
    #[schemars(transform = within(1, 16).unit("short cycles"))]
    pub short_cycle_timer: u64,
    /// Where the cycles of a UE begin (`drx-StartOffset`, TS 38.331 §6.3.2): "in_turn" UE by UE the
    /// next on-duration of a long cycle, or "random".
    #[serde(default)]
    pub offset: Offset,
}

fn eight_ms() -> Duration {
    Duration::from_millis(8)
}

fn two() -> u64 {
    2
}
