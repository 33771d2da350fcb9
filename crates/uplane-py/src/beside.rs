//! What is beside a scenario: a Python function reads the files, and Python runs the programs.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use uplane::app::{conversation, program};
use uplane::scenario::Beside;
use uplane::tcp::{Maker, Own};

use crate::application::Talker;
use crate::control::Control;
use crate::program::{Kind, Program};

/// The function that reads files, and what interrupted it.
pub(crate) struct Surroundings {
    reader: Py<PyAny>,
    interrupt: Mutex<Option<PyErr>>,
}

impl Surroundings {
    pub(crate) fn new(reader: Py<PyAny>) -> Self {
        Self { reader, interrupt: Mutex::new(None) }
    }

    /// An exception that is no error of a file: Ctrl-C, SIGTERM.
    pub(crate) fn interrupt(&self) -> Option<PyErr> {
        self.interrupt.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What an exception says; one that is no error is kept for the caller.
    fn said(&self, py: Python<'_>, error: PyErr) -> String {
        let said = error.value(py).to_string();
        if !error.is_instance_of::<PyException>(py) {
            *self.interrupt.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
        said
    }
}

impl Beside for Surroundings {
    fn read(&self, name: &str) -> Result<String, String> {
        Python::attach(|py| {
            let text = self.reader.call1(py, (name,)).and_then(|text| text.extract(py));
            text.map_err(|error: PyErr| self.said(py, error))
        })
    }

    fn control(&self, own: &Own) -> Result<Maker, String> {
        let program = Arc::new(Program::load(&own.file, &own.text, &CONTROL)?);
        Ok(Arc::new(move |start| Box::new(Control::new(&program, start))))
    }

    fn application(&self, own: &program::Own) -> Result<conversation::Maker, String> {
        let program = Arc::new(Program::load(&own.file, &own.text, &APPLICATION)?);
        Ok(Arc::new(move |longest| Box::new(Talker::new(&program, longest))))
    }
}

static CONTROL: Kind =
    Kind { base: ("uplane.control", "CongestionControl"), error: "ControlError" };
static APPLICATION: Kind =
    Kind { base: ("uplane.application", "Application"), error: "ApplicationError" };
