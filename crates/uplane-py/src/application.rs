//! Applications that users write in Python.
//!
//! In: the events of a conversation. Out: a [`Behaviour`] that passes each call to an object of the
//! user's class, and takes the object's messages and timers.
//!
//! Too many calls at one instant are an error of the program, which would never end. The object's
//! values are checked here as well as in Python, since a program can write to all attributes.

use std::fmt;
use std::sync::Arc;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use uplane::app::conversation::{Behaviour, Wishes};
use uplane::app::{Message, Value};
use uplane::net::Direction;
use uplane::unit::{Bytes, Duration, Instant};

use crate::program::Program;

/// One object of the user's class.
pub(crate) struct Talker {
    program: Arc<Program>,
    object: Py<PyAny>,
    /// The longest message, in bytes.
    longest: u64,
    /// Bytes that may still be written, in both directions together.
    room: u64,
    /// The time of the last call.
    now: Instant,
    /// Number of calls at `now`.
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
        Self {
            program: Arc::clone(program),
            object,
            longest: longest.0,
            room: MOST_BYTES,
            now,
            calls: 0,
        }
    }

    /// Calls the object, if its class has this method, and takes the object's wishes.
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
            take_messages(object, self.longest, &mut self.room, wishes)?;
            wishes.wake = wake_of(object)?.map(|wake| wake.max(now));
            Ok(())
        });
        done.unwrap_or_else(|error| self.program.fail(now, error));
    }
}

/// Takes the messages that the object has written, and empties its list.
fn take_messages(
    object: &Bound<'_, PyAny>,
    longest: u64,
    room: &mut u64,
    wishes: &mut Wishes,
) -> PyResult<()> {
    let written = object.getattr("_written")?;
    let written = written.cast::<PyList>()?;
    if written.is_empty() {
        return Ok(());
    }
    for message in written {
        let (is_up, size): (bool, u64) = message.extract()?;
        if !(1..=longest).contains(&size) {
            let text = format!("size: found {size}, expected from 1 to {longest} bytes");
            return Err(PyValueError::new_err(text));
        }
        *room = room.checked_sub(size).ok_or_else(|| PyValueError::new_err(TOO_MUCH))?;
        let direction = if is_up { Direction::Up } else { Direction::Down };
        wishes.messages.push((direction, Bytes(size)));
    }
    written.set_slice(0, written.len(), &PyList::empty(object.py()))
}

/// Returns the time for which the object has set its timer.
fn wake_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Instant>> {
    let wake_s: Option<f64> = object.getattr("_wake_s")?.extract()?;
    let instant = |time_s: f64| {
        if !(0.0..=LATEST_S).contains(&time_s) {
            let text = format!("time_s: found {time_s}, expected from 0 to {LATEST_S}");
            return Err(PyValueError::new_err(text));
        }
        // A time is as exact as a float: to the nanosecond for as long as a run may be.
        Ok(Instant::ZERO + Duration::from_nanos((time_s * 1e9).round() as u64))
    };
    wake_s.map(instant).transpose()
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

/// Reads a name with its number.
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
    /// Length of the message, in bytes.
    size: u64,
    /// Time at which the message was written, in s.
    written_s: f64,
    /// Time from writing to delivery, in s.
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

/// As `LATEST_S` of `uplane.application`.
const LATEST_S: f64 = 1e6;
/// Sequence numbers of connections stay far below 2^64.
const MOST_BYTES: u64 = 1_000_000_000_000_000_000;
const TOO_MUCH: &str = "found more than 10^18 bytes written in one run, expected less";
const MOST_CALLS: u32 = 100_000;
const ENDLESS: &str = "found more than 100000 calls at one instant, expected that time goes on";
