//! Programs that users write in Python: their texts, classes and exceptions.
//!
//! In: the text of a program. Out: its class, once a run begins, of which the core creates objects;
//! and an exception that an object has raised.
//!
//! An exception of the user's program ends the run: it unwinds to the driver of the simulator,
//! which gets it from [`failure`].

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::OnceLock;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use uplane::scenario::ScenarioError;
use uplane::unit::Instant;

use crate::error::refused;

/// A program of the user's: its text, and its class once a run has begun.
pub(crate) struct Program {
    pub(crate) file: String,
    pub(crate) text: String,
    kind: &'static Kind,
    /// Error of a program without such a class, still without `found`.
    place: ScenarioError,
    class: OnceLock<Class>,
}

/// A class of the user's, and the calls that it answers.
struct Class {
    class: Py<PyAny>,
    answers: Vec<String>,
}

/// A kind of programs: congestion controls or applications.
pub(crate) struct Kind {
    /// Module and name of the base class.
    pub(crate) base: (&'static str, &'static str),
    /// Name of the exception for a failed program, in `uplane.errors`.
    pub(crate) error: &'static str,
}

/// An exception of a program, with the name of its file.
pub(crate) struct Failure {
    pub(crate) file: String,
    /// Time of the last call of the object.
    pub(crate) now: Instant,
    pub(crate) error: PyErr,
    /// Name of the exception of `uplane.errors` for it.
    pub(crate) class: &'static str,
}

thread_local! {
    static FAILURE: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Takes the exception that ended the run of this thread, if a user's program raised one.
pub(crate) fn failure() -> Option<Failure> {
    FAILURE.take()
}

impl Program {
    /// Keeps a text, if it is Python. It is compiled and does not run.
    pub(crate) fn new(
        file: &str,
        text: &str,
        kind: &'static Kind,
        place: ScenarioError,
    ) -> Result<Self, ScenarioError> {
        let checked = Python::attach(|py| {
            let checked = loader(py).call_method1("check", (file, text));
            checked.map(drop).map_err(|error| error.value(py).to_string())
        });
        match checked {
            Ok(()) => {
                let (file, text) = (file.to_owned(), text.to_owned());
                Ok(Self { file, text, kind, place, class: OnceLock::new() })
            }
            Err(found) => Err(ScenarioError { found, ..place }),
        }
    }

    /// Runs the file, unless it has run already. The caller has checked that it is trusted.
    pub(crate) fn begin(&self, py: Python<'_>) -> PyResult<()> {
        if self.class.get().is_some() {
            return Ok(());
        }
        let (module, base) = self.kind.base;
        let base = py.import(module)?.getattr(base)?;
        let loaded = loader(py).call_method1("load", (&self.file, &self.text, base));
        let loaded = loaded.and_then(|loaded| loaded.extract::<(Py<PyAny>, Vec<String>)>());
        let (class, answers) = loaded.map_err(|error| {
            if !error.is_instance_of::<PyValueError>(py) {
                return error;
            }
            let found = error.value(py).to_string();
            refused(py, &ScenarioError { found, ..self.place.clone() })
        })?;
        // Whoever else has run it meanwhile has the same class in effect.
        let _ = self.class.set(Class { class, answers });
        Ok(())
    }

    /// Returns the class of the program.
    pub(crate) fn class(&self) -> &Py<PyAny> {
        &self.begun().class
    }

    /// Returns `true` if the class has this method.
    pub(crate) fn answers(&self, call: &str) -> bool {
        self.begun().answers.iter().any(|it| it == call)
    }

    fn begun(&self) -> &Class {
        self.class.get().expect("a run begins with all its programs")
    }

    /// Ends the run with an exception of the program.
    pub(crate) fn fail(&self, now: Instant, error: PyErr) -> ! {
        let (file, class) = (self.file.clone(), self.kind.error);
        FAILURE.set(Some(Failure { file, now, error, class }));
        resume_unwind(Box::new("a program of the user's has failed"))
    }
}

fn loader(py: Python<'_>) -> Bound<'_, PyModule> {
    py.import("uplane.program").expect("it is part of the package")
}
