//! Handover of a UE to another cell: its times and its cost (TS 36.300 §10.1.2, TS 38.300 §9.2.3).
//!
//! In: times of a scenario. Out: the times at which a UE leaves its cell and arrives in the next
//! one.
//!
//! The target is like the source: the same load, the same radio conditions. So a run shows the
//! effect of the handover alone, without that of a different cell.
//!
//! Left out: the measurements that cause a handover, the choice of the target and its conditions,
//! and failures. The interruption includes the RRC messages and random access at the target. With
//! two protocol stacks (DAPS) there is no interruption: model that as a cell without this section.
//! This matters for studies of coverage or of handover thresholds.

use super::Phase;
use crate::sim::Stream;
use crate::unit::{Duration, Instant};

/// The handovers of all UEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Time of the first handover of a UE: equal for all UEs, or drawn by each UE within `every`.
    pub first: Phase,
    /// Time between two handovers of a UE. `None`: one handover only.
    pub every: Option<Duration>,
    /// Time from the UE's departure from the source until data flows in the target, in both
    /// directions.
    pub interruption: Duration,
    /// Delay of data forwarding from the source to the target. `None`: the data is lost.
    pub forwarding: Option<Duration>,
}

impl Config {
    /// Returns the time of the first handover of a UE.
    pub fn first(&self, stream: impl FnOnce() -> Stream) -> Instant {
        let span = match (self.first, self.every) {
            (Phase::Fixed(first), _) => first,
            (Phase::Random, Some(every)) => {
                Duration::from_nanos(stream().below(every.as_nanos().max(1)))
            }
            (Phase::Random, None) => unreachable!("what is drawn is drawn within a period"),
        };
        Instant::ZERO + span
    }
}
