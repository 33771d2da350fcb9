//! What a run under way shares with the thread that waits for it: its progress, and the request to
//! stop.
//!
//! In: simulated time, from the thread that runs; the request, from any other. Out: the same, in
//! the other direction.
//!
//! The simulator knows nothing of it: it is driven in parts, and between two parts the driver looks
//! here. So a request takes effect within [`EVENTS_A_LOOK`] events, and the numbers of a run do not
//! depend on it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use pyo3::prelude::*;
use uplane::scenario::{Outcome, Scenario, Simulation};
use uplane_threads::Threads;

use crate::error::catching;

/// How far a run is, and whether it shall go on.
#[pyclass(frozen, module = "uplane._core")]
#[derive(Default)]
pub(crate) struct Watch {
    now_ns: AtomicU64,
    end_ns: AtomicU64,
    is_stopped: AtomicBool,
}

#[pymethods]
impl Watch {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The simulated time.
    #[getter]
    pub(crate) fn now_s(&self) -> f64 {
        seconds(&self.now_ns)
    }

    /// The longest simulated time; zero while the network is still being wired.
    #[getter]
    fn end_s(&self) -> f64 {
        seconds(&self.end_ns)
    }

    /// Asks the run to end at once, without a result.
    fn stop(&self) {
        self.is_stopped.store(true, Relaxed);
    }
}

impl Watch {
    /// Runs the scenario with so many threads; nothing when it was stopped before its end.
    pub(crate) fn simulate(
        &self,
        scenario: &Scenario,
        seed: u64,
        threads: usize,
    ) -> Option<Outcome> {
        if self.is_stopped.load(Relaxed) {
            return None;
        }
        let mut simulation = Simulation::new(scenario, seed);
        if threads > 1 {
            let threads = Threads::new(threads, |part| catching(|| part.work()));
            simulation.employ(Box::new(threads));
        }
        self.end_ns.store(scenario.end().as_nanos(), Relaxed);
        while !simulation.advance(EVENTS_A_LOOK) {
            self.now_ns.store(simulation.now().as_nanos(), Relaxed);
            if self.is_stopped.load(Relaxed) {
                return None;
            }
        }
        Some(simulation.finish())
    }
}

fn seconds(nanoseconds: &AtomicU64) -> f64 {
    nanoseconds.load(Relaxed) as f64 / 1e9
}

/// An event costs from a tenth of a microsecond to, in a network of thousands of UEs, about a
/// millisecond.
const EVENTS_A_LOOK: u64 = 32;
