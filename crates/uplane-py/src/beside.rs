//! What is beside a scenario: Python functions read the files, and Python runs the programs.
//!
//! Nothing of a program runs while a scenario is read: a [`Program`] is kept for the begin of a run.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use uplane::app::{conversation, program};
use uplane::scenario::{Beside, ScenarioError};
use uplane::tcp::{Maker, Own};

use crate::application::Talker;
use crate::control::Control;
use crate::program::{Kind, Program};

/// The functions that read files, and the programs that were read.
pub(crate) struct Surroundings {
    pub(crate) data: Py<PyAny>,
    pub(crate) program: Py<PyAny>,
    programs: Mutex<Vec<Arc<Program>>>,
}

impl Surroundings {
    pub(crate) fn new(data: Py<PyAny>, program: Py<PyAny>) -> Self {
        Self { data, program, programs: Mutex::default() }
    }

    /// The programs that were read, in the order of the scenario.
    pub(crate) fn into_programs(self) -> Vec<Arc<Program>> {
        self.programs.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, program: Program) -> Arc<Program> {
        let program = Arc::new(program);
        let mut all = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(Arc::clone(&program));
        program
    }
}

impl Beside for Surroundings {
    fn read(&self, name: &str) -> Result<String, String> {
        text_of(&self.data, name)
    }

    fn read_program(&self, name: &str) -> Result<String, String> {
        text_of(&self.program, name)
    }

    fn control(&self, own: &Own, place: ScenarioError) -> Result<Maker, ScenarioError> {
        let program = self.keep(Program::new(&own.file, &own.text, &CONTROL, place)?);
        Ok(Arc::new(move |start| Box::new(Control::new(&program, start))))
    }

    fn application(
        &self,
        own: &program::Own,
        place: ScenarioError,
    ) -> Result<conversation::Maker, ScenarioError> {
        let program = self.keep(Program::new(&own.file, &own.text, &APPLICATION, place)?);
        Ok(Arc::new(move |longest| Box::new(Talker::new(&program, longest))))
    }
}

fn text_of(reader: &Py<PyAny>, name: &str) -> Result<String, String> {
    Python::attach(|py| {
        let text = reader.call1(py, (name,)).and_then(|text| text.extract(py));
        text.map_err(|error: PyErr| error.value(py).to_string())
    })
}

static CONTROL: Kind =
    Kind { base: ("uplane.control", "CongestionControl"), error: "ControlError" };
static APPLICATION: Kind =
    Kind { base: ("uplane.application", "Application"), error: "ApplicationError" };
