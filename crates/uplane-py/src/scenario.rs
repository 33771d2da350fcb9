//! A checked scenario, and the run it describes.
//!
//! In: TOML text with overrides. Out: an [`Outcome`] for each seed.
//!
//! The interpreter is free while a scenario is read and while a run lasts, so threads of one
//! process fill all cores.

use std::sync::Arc;

use pyo3::prelude::*;
use uplane::scenario::{Footprint, Scenario};

use crate::beside::Surroundings;
use crate::error::{bug, catching, ended, refused, stopped, too_large};
use crate::program::Program;
use crate::table::CoreTable;
use crate::watch::{Ended, Watch};

/// A scenario that was read and found possible.
#[pyclass(name = "Scenario", frozen, module = "uplane._core")]
pub(crate) struct CoreScenario {
    scenario: Scenario,
    programs: Vec<Arc<Program>>,
}

/// The result of one run.
#[pyclass(frozen, module = "uplane._core")]
pub(crate) struct Outcome {
    /// All tables, in the order in which they are declared.
    #[pyo3(get)]
    tables: Vec<Py<CoreTable>>,
    /// Number of events processed.
    #[pyo3(get)]
    events: u64,
}

#[pymethods]
impl CoreScenario {
    /// Reads `text`. `source` is its name in messages, `settings` are pairs of key and TOML value.
    /// `data` and `program` return the text of a data file and of a program file, or raise a
    /// description of the file found instead. No program runs.
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes the list for this call")]
    fn new(
        py: Python<'_>,
        text: &str,
        source: &str,
        settings: Vec<(String, String)>,
        data: Py<PyAny>,
        program: Py<PyAny>,
    ) -> PyResult<Self> {
        let beside = Surroundings::new(data, program);
        let read =
            py.detach(|| catching(|| Scenario::with_bases(text, source, &settings, &beside)));
        if let Some(interrupt) = beside.interrupt() {
            return Err(interrupt);
        }
        let scenario =
            read.map_err(|message| bug(py, message, 0))?.map_err(|error| refused(py, &error))?;
        Ok(Self { scenario, programs: beside.into_programs() })
    }

    /// Returns the file name and the text of each program of the scenario.
    #[getter]
    fn programs(&self) -> Vec<(&str, &str)> {
        self.programs.iter().map(|program| (&*program.file, &*program.text)).collect()
    }

    /// Runs the files of the scenario's programs, as each run requires. The caller has checked that
    /// they are trusted.
    fn begin(&self, py: Python<'_>) -> PyResult<()> {
        self.programs.iter().try_for_each(|program| program.begin(py))
    }

    /// Returns the seed of the scenario.
    #[getter]
    fn seed(&self) -> u64 {
        self.scenario.seed()
    }

    /// Returns all values in effect, as JSON text.
    fn effective_json(&self) -> String {
        self.scenario.effective().to_string()
    }

    /// Returns an estimate, from the scenario alone, of the maximum number of rows and bytes of
    /// memory of a run, and the table that takes most of the memory.
    fn foretold(&self) -> (u64, u64, Option<&'static str>) {
        let Footprint { rows, bytes, largest } = self.scenario.foretold();
        (rows, bytes, largest.map(|(table, _)| table))
    }

    /// Runs the scenario to its end, until `watch` is stopped, or until it takes more memory than
    /// `watch` allows. `threads` is the number of threads for the cells of a network.
    #[pyo3(signature = (seed, watch, threads = 1))]
    fn simulate(
        &self,
        py: Python<'_>,
        seed: u64,
        watch: &Bound<'_, Watch>,
        threads: usize,
    ) -> PyResult<Outcome> {
        let watch = watch.get();
        let run = || {
            watch.simulate(&self.scenario, seed, threads).map(|outcome| {
                let tables = outcome.tables.into_iter().map(CoreTable::from);
                (tables.collect::<Vec<_>>(), outcome.events)
            })
        };
        let (tables, events) = py
            .detach(|| catching(run))
            .map_err(|message| ended(py, message, seed, watch.now_s()))?
            .map_err(|ended| match ended {
                Ended::Stopped => stopped(py),
                Ended::TooLarge(footprint) => too_large(py, &footprint, watch, seed),
            })?;
        let tables = tables.into_iter().map(|table| Py::new(py, table));
        Ok(Outcome { tables: tables.collect::<PyResult<_>>()?, events })
    }
}
