//! Programs that users write in Python: what is beside a scenario, and what runs it.
//!
//! In: the text of a program. Out: its class, of which the core has objects made; and what one of
//! them has raised.
//!
//! An exception of the user's program ends the run: it unwinds to the driver of the simulator,
//! which takes it from here ([`failure`]).

use std::cell::RefCell;
use std::panic::resume_unwind;

use pyo3::prelude::*;
use uplane::unit::Instant;

/// A class of the user's.
pub(crate) struct Program {
    pub(crate) file: String,
    pub(crate) class: Py<PyAny>,
    /// The calls that the class answers.
    answers: Vec<String>,
    kind: &'static Kind,
}

/// What a class may be for.
pub(crate) struct Kind {
    /// The module of its base, and the base.
    pub(crate) base: (&'static str, &'static str),
    /// The exception for one that fails, in `uplane.errors`.
    pub(crate) error: &'static str,
}

/// What a program has raised, and where its text came from.
pub(crate) struct Failure {
    pub(crate) file: String,
    /// When the object had heard of anything last.
    pub(crate) now: Instant,
    pub(crate) error: PyErr,
    /// The name of the exception for it.
    pub(crate) class: &'static str,
}

thread_local! {
    static FAILURE: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// What ended the run of this thread, if it was a user's program.
pub(crate) fn failure() -> Option<Failure> {
    FAILURE.take()
}

impl Program {
    /// Runs a file; or what was found in it instead of such a class.
    pub(crate) fn load(file: &str, text: &str, kind: &'static Kind) -> Result<Self, String> {
        Python::attach(|py| {
            let (module, base) = kind.base;
            let base = py.import(module).and_then(|module| module.getattr(base));
            let loader = py.import("uplane.program").expect("it is part of the package");
            let loaded = base.and_then(|base| loader.call_method1("load", (file, text, base)));
            loaded
                .and_then(|loaded| loaded.extract())
                .map(|(class, answers)| Self { file: file.to_owned(), class, answers, kind })
                .map_err(|error| error.value(py).to_string())
        })
    }

    /// True if the class has an answer to this call.
    pub(crate) fn answers(&self, call: &str) -> bool {
        self.answers.iter().any(|it| it == call)
    }

    /// Ends the run.
    pub(crate) fn fail(&self, now: Instant, error: PyErr) -> ! {
        let (file, class) = (self.file.clone(), self.kind.error);
        FAILURE.set(Some(Failure { file, now, error, class }));
        resume_unwind(Box::new("a program of the user's has failed"))
    }
}
