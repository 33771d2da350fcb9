//! Applications that users write in Python.
//!
//! In: what happens in a conversation. Out: a [`Behaviour`] that passes each call to an object of
//! the user's class, and takes what it wants from there.
//!
//! What never ends is an error of the program: so many calls at one instant.

use std::fmt;
use std::sync::Arc;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use uplane::app::conversation::{Behaviour, Wishes};
use uplane::app::{Message, Value};
use uplane::net::Direction;
use uplane::unit::{Bytes, Duration, Instant};

use crate::program::Program;

/// One object of the user's class.
pub(crate) struct Talker {
    program: Arc<Program>,
    object: Py<PyAny>,
    /// The time of the last call.
    now: Instant,
    /// Calls at that time.
    calls: u32,
}

impl Talker {
    pub(crate) fn new(program: &Arc<Program>, longest: Bytes) -> Self {
        let now = Instant::ZERO;
        let object = Python::attach(|py| {
            let object = program.class().call0(py)?;
            object.setattr(py, "_longest", longest.0)?;
            Ok(object)
        });
        let object = object.unwrap_or_else(|error| program.fail(now, error));
        Self { program: Arc::clone(program), object, now, calls: 0 }
    }

    /// Calls the object, if its class has an answer, and hears what it wants.
    fn tell<A>(&mut self, now: Instant, call: &str, arguments: A, wishes: &mut Wishes)
    where
        A: for<'py> PyCallArgs<'py>,
    {
        if !self.program.answers(call) {
            return;
        }
        self.calls = if self.now == now { self.calls + 1 } else { 1 };
        self.now = now;
        let done = Python::attach(|py| {
            if self.calls > MOST_CALLS {
                return Err(PyRuntimeError::new_err(ENDLESS));
            }
            let object = self.object.bind(py);
            object.setattr("now_s", now.as_secs_f64())?;
            object.call_method1(call, arguments)?;
            hear(object, now, wishes)
        });
        done.unwrap_or_else(|error| self.program.fail(now, error));
    }
}

/// Takes what the object wants.
fn hear(object: &Bound<'_, PyAny>, now: Instant, wishes: &mut Wishes) -> PyResult<()> {
    let written = object.getattr("_written")?;
    if written.len()? > 0 {
        let messages: Vec<(bool, u64)> = written.extract()?;
        written.call_method0("clear")?;
        let direction = |is_up| if is_up { Direction::Up } else { Direction::Down };
        let messages = messages.into_iter().map(|(is_up, size)| (direction(is_up), Bytes(size)));
        wishes.messages.extend(messages);
    }
    let wake_s: Option<f64> = object.getattr("_wake_s")?.extract()?;
    // A time is as exact as a float: to the nanosecond for as long as a run may be.
    let instant = |time_s: f64| Instant::ZERO + Duration::from_nanos((time_s * 1e9).round() as u64);
    wishes.wake = wake_s.map(|time_s| instant(time_s).max(now));
    Ok(())
}

impl Behaviour for Talker {
    fn on_start(&mut self, now: Instant, wishes: &mut Wishes) {
        self.tell(now, "on_start", (), wishes);
    }

    fn on_timer(&mut self, now: Instant, wishes: &mut Wishes) {
        let forgotten = Python::attach(|py| self.object.setattr(py, "_wake_s", py.None()));
        forgotten.unwrap_or_else(|error| self.program.fail(now, error));
        self.tell(now, "on_time", (), wishes);
    }

    fn on_delivered(&mut self, now: Instant, message: &Message, wishes: &mut Wishes) {
        self.tell(now, "on_message", (CoreMessage::from(message),), wishes);
    }

    fn values(&mut self) -> Vec<Value> {
        let said = Python::attach(|py| {
            let report = self.object.bind(py).call_method0("report")?;
            let numbers = report.call_method0("items")?.try_iter()?.map(|item| value(&item?));
            numbers.collect::<PyResult<Vec<Value>>>()
        });
        said.unwrap_or_else(|error| self.program.fail(self.now, error))
    }
}

/// A name with its number.
fn value(item: &Bound<'_, PyAny>) -> PyResult<Value> {
    let numbered = item.extract().ok().filter(|(_, number): &(String, f64)| number.is_finite());
    let (name, value) = numbered.ok_or_else(|| {
        PyValueError::new_err(format!("report: found {item}, expected a name and a finite number"))
    })?;
    Ok(Value { name, value })
}

impl fmt::Debug for Talker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Talker").field("file", &self.program.file).finish_non_exhaustive()
    }
}

/// A message that was delivered, in bytes and seconds.
#[pyclass(name = "Message", frozen, get_all, module = "uplane._core")]
pub(crate) struct CoreMessage {
    /// As `send` gave it.
    number: u64,
    /// `up` or `down`.
    direction: &'static str,
    /// Its length in bytes.
    size: u64,
    /// When it was written.
    written_s: f64,
    /// From written to delivered.
    latency_s: f64,
}

impl From<&Message> for CoreMessage {
    fn from(message: &Message) -> Self {
        Self {
            number: message.number,
            direction: message.direction.name(),
            size: message.bytes.0,
            written_s: message.written.as_secs_f64(),
            latency_s: message.latency.map_or(0.0, Duration::as_secs_f64),
        }
    }
}

const MOST_CALLS: u32 = 100_000;
const ENDLESS: &str = "found more than 100000 calls at one instant, expected that time goes on";
