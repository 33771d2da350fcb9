//! What a run under way shares with the thread that waits for it: its progress, the request to
//! stop, and the limit of its memory.
//!
//! In: simulated time, rows and memory, from the thread that runs; the request and the limit, from
//! any other. Out: the same, in the other direction.
//!
//! The simulator knows nothing of it: it is driven in parts, and between two parts the driver looks
//! here. So a request takes effect within [`EVENTS_A_LOOK`] events, and the numbers of a run do not
//! depend on it. Memory is compared with the limit before the network is wired, and then every
//! [`LOOKS_A_COUNT`] looks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use pyo3::prelude::*;
use uplane::scenario::{Footprint, Outcome, Scenario, Simulation};
use uplane_threads::Threads;

use crate::error::catching;

/// How far a run is and what it takes, and whether it shall go on.
#[pyclass(frozen, module = "uplane._core")]
#[derive(Default)]
pub(crate) struct Watch {
    now_ns: AtomicU64,
    end_ns: AtomicU64,
    rows: AtomicU64,
    bytes: AtomicU64,
    /// The most that `bytes` may be.
    memory: Option<u64>,
    is_stopped: AtomicBool,
}

/// Why a run has no outcome.
pub(crate) enum Ended {
    /// Nobody waits for it any more.
    Stopped,
    /// It takes more memory than it may.
    TooLarge(Footprint),
}

#[pymethods]
impl Watch {
    #[new]
    #[pyo3(signature = (memory = None))]
    fn new(memory: Option<u64>) -> Self {
        Self { memory, ..Self::default() }
    }

    /// Rows of all tables so far.
    #[getter]
    fn rows(&self) -> u64 {
        self.rows.load(Relaxed)
    }

    /// Estimated memory of the run, in bytes.
    #[getter]
    fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// The limit of the estimated memory, in bytes.
    #[getter]
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
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
    /// Runs the scenario with so many threads.
    ///
    /// # Errors
    /// It was stopped before its end, or takes more memory than it may.
    pub(crate) fn simulate(
        &self,
        scenario: &Scenario,
        seed: u64,
        threads: usize,
    ) -> Result<Outcome, Ended> {
        if self.is_stopped.load(Relaxed) {
            return Err(Ended::Stopped);
        }
        self.count(Footprint { bytes: scenario.wired_bytes(), ..Footprint::default() })?;
        let mut simulation = Simulation::new(scenario, seed);
        if threads > 1 {
            let threads = Threads::new(threads, |part| catching(|| part.work()));
            simulation.employ(Box::new(threads));
        }
        self.end_ns.store(scenario.end().as_nanos(), Relaxed);
        let mut looks = 0;
        while !simulation.advance(EVENTS_A_LOOK) {
            self.now_ns.store(simulation.now().as_nanos(), Relaxed);
            if self.is_stopped.load(Relaxed) {
                return Err(Ended::Stopped);
            }
            looks += 1;
            if looks % LOOKS_A_COUNT == 0 {
                self.count(simulation.footprint())?;
            }
        }
        Ok(simulation.finish())
    }

    /// Publishes what the run takes now.
    fn count(&self, footprint: Footprint) -> Result<(), Ended> {
        self.rows.store(footprint.rows, Relaxed);
        self.bytes.store(footprint.bytes, Relaxed);
        let is_too_large = self.memory.is_some_and(|memory| footprint.bytes > memory);
        if is_too_large { Err(Ended::TooLarge(footprint)) } else { Ok(()) }
    }
}

fn seconds(nanoseconds: &AtomicU64) -> f64 {
    nanoseconds.load(Relaxed) as f64 / 1e9
}

/// An event costs from a tenth of a microsecond to, in a network of thousands of UEs, about a
/// millisecond.
const EVENTS_A_LOOK: u64 = 32;
/// Counting takes about as long as a few events.
const LOOKS_A_COUNT: u64 = 16;
