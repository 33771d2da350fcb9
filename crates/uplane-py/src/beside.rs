//! What is beside a scenario: a Python function reads the files, and Python runs the programs.

use std::sync::Arc;

use pyo3::prelude::*;
use uplane::app::{conversation, program};
use uplane::scenario::Beside;
use uplane::tcp::{Maker, Own};

use crate::application::Talker;
use crate::control::Control;
use crate::program::{Kind, Program};

/// The function that reads files.
pub(crate) struct Surroundings(pub(crate) Py<PyAny>);

impl Beside for Surroundings {
    fn read(&self, name: &str) -> Result<String, String> {
        Python::attach(|py| {
            let text = self.0.call1(py, (name,)).and_then(|text| text.extract(py));
            text.map_err(|error: PyErr| error.value(py).to_string())
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
