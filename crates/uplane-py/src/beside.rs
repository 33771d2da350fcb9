//! Files and programs next to a scenario: Python functions read the files, and Python runs the
//! programs.
//!
//! No program runs while a scenario is read: a [`Program`] is kept for the start of a run.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use uplane::app::{conversation, program};
use uplane::scenario::{Beside, ScenarioError};
use uplane::tcp::{Maker, Own};

use crate::application::Talker;
use crate::control::Control;
use crate::program::{Kind, Program};

/// The functions that read files, the programs that were read, and what interrupted a reader.
pub(crate) struct Surroundings {
    pub(crate) data: Py<PyAny>,
    pub(crate) program: Py<PyAny>,
    programs: Mutex<Vec<Arc<Program>>>,
    interrupt: Mutex<Option<PyErr>>,
}

impl Surroundings {
    pub(crate) fn new(data: Py<PyAny>, program: Py<PyAny>) -> Self {
        Self { data, program, programs: Mutex::default(), interrupt: Mutex::default() }
    }

    /// Returns the programs that were read, in the order of the scenario.
    pub(crate) fn into_programs(self) -> Vec<Arc<Program>> {
        self.programs.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an exception of a reader that is not an error of a file: Ctrl-C, SIGTERM.
    pub(crate) fn interrupt(&self) -> Option<PyErr> {
        self.interrupt.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the text that a reader gives for a file, or the reason why there is none.
    fn text_of(&self, reader: &Py<PyAny>, name: &str) -> Result<String, String> {
        Python::attach(|py| {
            let text = reader.call1(py, (name,)).and_then(|text| text.extract(py));
            text.map_err(|error: PyErr| self.said(py, error))
        })
    }

    /// Returns the message of an exception. An exception that is no error is kept for the caller.
    fn said(&self, py: Python<'_>, error: PyErr) -> String {
        let said = error.value(py).to_string();
        if !error.is_instance_of::<PyException>(py) {
            *self.interrupt.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
        said
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
        self.text_of(&self.data, name)
    }

    fn read_program(&self, name: &str) -> Result<String, String> {
        self.text_of(&self.program, name)
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

static CONTROL: Kind =
    Kind { base: ("uplane.control", "CongestionControl"), error: "ControlError" };
static APPLICATION: Kind =
    Kind { base: ("uplane.application", "Application"), error: "ApplicationError" };
