//! Errors on their way to Python.
//!
//! In: a refused scenario, or a panic of the simulator. Out: the exceptions that `uplane.errors`
//! declares.
//!
//! A panic is a bug of the simulator, never of the user. It is caught, reported with its place and
//! the seed, and not printed a second time by Rust.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

use pyo3::prelude::*;
use uplane::scenario::{Footprint, ScenarioError};
use uplane_threads::PassedOn;

use crate::program::{Failure, failure};
use crate::watch::Watch;

/// Returns the exception for a refused scenario.
pub(crate) fn refused(py: Python<'_>, error: &ScenarioError) -> PyErr {
    let ScenarioError { file, line, key, found, expected, nearest, reason } = error;
    let fields = (error.to_string(), file, line, key, found, expected, nearest, reason);
    raise(py, "ScenarioError", fields)
}

/// Returns the exception for a broken invariant.
pub(crate) fn bug(py: Python<'_>, message: String, seed: u64) -> PyErr {
    raise(py, "SimulationBug", (message, seed))
}

/// Returns the exception for a run that a user's program or a broken invariant has ended.
pub(crate) fn ended(py: Python<'_>, message: String, seed: u64, time_s: f64) -> PyErr {
    let Some(failure) = failure() else { return bug(py, message, seed) };
    let Failure { file, now, error, class } = failure;
    let time_s = time_s.max(now.as_secs_f64());
    let cause = error.into_value(py).into_bound(py);
    let described = py
        .import("uplane.program")
        .and_then(|program| program.call_method1("described", (&cause, &file)))
        .and_then(|text| text.extract::<String>());
    let described = described.unwrap_or_else(|other| other.to_string());
    let raised = raise(py, class, (described, file, seed, time_s));
    raised.set_cause(py, Some(PyErr::from_value(cause.into_any())));
    raised
}

/// Returns the exception for a run that takes more memory than its limit.
pub(crate) fn too_large(py: Python<'_>, found: &Footprint, watch: &Watch, seed: u64) -> PyErr {
    let limit = watch.memory().unwrap_or_default();
    let fields = (found.bytes, limit, found.rows, found.largest, seed, watch.now_s());
    raise(py, "MemoryLimitError", fields)
}

/// Returns the exception for a run that was stopped before its end.
pub(crate) fn stopped(py: Python<'_>) -> PyErr {
    raise(py, "RunStopped", ("the run was stopped before its end",))
}

fn raise<'py>(py: Python<'py>, class: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py
        .import("uplane.errors")
        .and_then(|errors| errors.getattr(class))
        .and_then(|class| class.call1(arguments));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(other) => other,
    }
}

thread_local! {
    /// Message of the last panic inside [`catching`]. `None` outside of it.
    static BUG: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic becomes its message, with the place in the source. One that another thread
/// passed on says so itself.
pub(crate) fn catching<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    BUG.set(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let message = BUG.take().unwrap_or_default();
    result.map_err(|panic| panic.downcast::<PassedOn>().map_or(message, |passed| passed.0))
}

/// Keeps Rust from printing the panics that [`catching`] hands on.
pub(crate) fn keep_bugs_quiet() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let text = panic.payload_as_str().unwrap_or("a panic without a message");
        let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let is_caught = BUG.with_borrow_mut(|bug| match bug {
            Some(message) => {
                *message = format!("{text}{}", place.unwrap_or_default());
                true
            }
            None => false,
        });
        if !is_caught {
            print(panic);
        }
    }));
}
