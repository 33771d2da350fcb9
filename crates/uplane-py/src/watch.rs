//! State that a running simulation shares with the thread that waits for it: its progress, the
//! request to stop, and the limit of its memory.
//!
//! In: simulated time, rows and memory, from the thread that runs; the request and the limit, from
//! any other thread. Out: these values, for the other threads.
//!
//! The simulator does not know of it: the driver runs it in parts and looks here after each part.
//! So a request takes effect within [`EVENTS_A_LOOK`] events and has no influence on the numbers of
//! a run. Memory is compared with the limit before the entities are created, and then at every
//! [`LOOKS_A_COUNT`]th look.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use pyo3::prelude::*;
use uplane::scenario::{Footprint, Outcome, Scenario, Simulation};
use uplane_threads::Threads;

use crate::error::catching;

/// Progress and memory of a run, and the request to stop it.
#[pyclass(frozen, module = "uplane._core")]
#[derive(Default)]
pub(crate) struct Watch {
    now_ns: AtomicU64,
    end_ns: AtomicU64,
    rows: AtomicU64,
    bytes: AtomicU64,
    /// Maximum of `bytes`.
    memory: Option<u64>,
    is_stopped: AtomicBool,
}

/// Reason for a run without a result.
pub(crate) enum Ended {
    /// The run was stopped on request.
    Stopped,
    /// The run takes more memory than its limit.
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

    /// Simulated time, in s.
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
    /// Runs the scenario with `threads` threads.
    ///
    /// # Errors
    /// The run was stopped before its end, or takes more memory than its limit.
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

    /// Publishes rows and memory of the run, and compares the memory with its limit.
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
