//! The section of discontinuous reception, of any generation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::mac::scheduling_request::Offset;
use crate::unit::Duration;
use crate::unit::range::within;

/// Discontinuous reception in connected mode (C-DRX) of all UEs (TS 36.321 §5.7, TS 38.321 §5.7):
/// the UE monitors the PDCCH only in its Active Time. A pending scheduling request also keeps a UE
/// awake.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drx {
    /// Long DRX cycle: time from the start of one on-duration to the start of the next
    /// (`drx-LongCycle`, TS 38.331 §6.3.2).
    #[schemars(transform = within("1 ms", "10240 ms"))]
    pub long_cycle: Duration,
    /// Time at the start of each DRX cycle in which a UE is awake (`drx-onDurationTimer`, TS 38.331
    /// §6.3.2). At most `short_cycle`, or `long_cycle` if that is not set.
    #[schemars(transform = within("1 us", "1600 ms"))]
    pub on_duration: Duration,
    /// Time for which a UE stays awake after each downlink assignment or uplink grant for a new
    /// block (`drx-InactivityTimer`, TS 38.331 §6.3.2). `"0 s"`: assignments and grants do not keep
    /// it awake.
    #[schemars(transform = within("0 s", "2560 ms"))]
    pub inactivity_timer: Duration,
    /// Time for which a UE stays awake for the retransmission of a failed block, in downlink and
    /// uplink (`drx-RetransmissionTimerDL` and `UL`, TS 38.331 §6.3.2). It starts at the first slot
    /// in which the retransmission is possible. `"0 s"`: a failed block does not keep the UE awake.
    #[serde(default = "eight_ms")]
    #[schemars(transform = within("0 s", "320 ms"))]
    pub retransmission_timer: Duration,
    /// Short DRX cycle, which a UE uses for `short_cycle_timer` cycles after `inactivity_timer`
    /// expires (`drx-ShortCycle`, TS 38.331 §6.3.2). `long_cycle` must be a multiple of it. If not
    /// set, the long cycle follows at once.
    #[serde(default)]
    #[schemars(transform = within("1 ms", "640 ms"))]
    pub short_cycle: Option<Duration>,
    /// Number of short cycles before a UE returns to the long cycle (`drx-ShortCycleTimer`, TS
    /// 38.331 §6.3.2). Without effect, with a warning, if
    /// `short_cycle` is not set.
    #[serde(default = "usual_short_cycle_timer")]
    #[schemars(transform = within(1, 16).unit("short cycles"))]
    pub short_cycle_timer: u64,
    /// Start of a UE's long cycles within `long_cycle` (`drx-StartOffset`, TS 38.331 §6.3.2).
    /// `"in_turn"`: UE number n (from 0) starts n on-durations later, modulo the cycle. `"random"`:
    /// each UE draws its start once, at the start of the run.
    #[serde(default)]
    pub offset: Offset,
}

fn eight_ms() -> Duration {
    Duration::from_millis(8)
}

fn usual_short_cycle_timer() -> u64 {
    Drx::USUAL_SHORT_CYCLE_TIMER
}

impl Drx {
    /// Short cycles of a UE if `short_cycle_timer` is not set.
    pub const USUAL_SHORT_CYCLE_TIMER: u64 = 2;
}
