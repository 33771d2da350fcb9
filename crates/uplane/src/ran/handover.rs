//! Handover: when a UE changes its cell, and what that costs (TS 36.300 §10.1.2, TS 38.300 §9.2.3).
//!
//! In: times of a scenario. Out: when a UE leaves and when it is there again.
//!
//! The target is like the source: the same load, the same radio conditions. So a run shows what a
//! handover does by itself, apart from what another cell is like.
//!
//! Left out: the measurements that cause a handover, the choice of the target and its conditions,
//! and failures. The interruption includes the messages of RRC and random access at the target.
//! With two protocol stacks (DAPS) nothing is interrupted: that is a cell without this section. Who
//! studies coverage or the thresholds of handover can tell.

use super::Phase;
use crate::sim::Stream;
use crate::unit::{Duration, Instant};

/// The handovers of all UEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The first handover of a UE: the same for all, or drawn by each within `every`.
    pub first: Phase,
    /// From one handover to the next; only one for `None`.
    pub every: Option<Duration>,
    /// From when the UE leaves the source until it may send and be sent to in the target.
    pub interruption: Duration,
    /// How long data take from the source to the target; they are lost for `None`.
    pub forwarding: Option<Duration>,
}

impl Config {
    /// When a UE is handed over first.
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
