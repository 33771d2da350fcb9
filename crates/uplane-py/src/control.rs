//! Congestion controls that users write in Python.
//!
//! In: the text of a program, then the sender's calls. Out: a [`Controller`] that passes each call
//! to an object of the user's class and then stores the object's values, so that the sender can
//! read them without calling Python.

use std::fmt;
use std::sync::Arc;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use uplane::net::Ecn;
use uplane::tcp::{AckSample, Burst, Controller, PacingRate, Start};
use uplane::unit::{Bitrate, Bytes, Duration, Instant};

use crate::program::Program;

/// One object of the user's class.
pub(crate) struct Control {
    program: Arc<Program>,
    object: Py<PyAny>,
    mss: u64,
    max_window: u64,
    /// Time of the last call.
    now: Instant,
    said: Said,
}

/// Values of the object after the last call.
#[derive(Clone, Debug)]
struct Said {
    cwnd: u64,
    ssthresh: Option<u64>,
    is_in_slow_start: bool,
    pacing_rate: Option<PacingRate>,
}

impl Control {
    pub(crate) fn new(program: &Arc<Program>, start: &Start) -> Self {
        let (mss, now) = (start.mss, Instant::ZERO);
        let max_window = start.max_window.unwrap_or(u64::MAX);
        let made = Python::attach(|py| {
            let object = program.class().call1(py, (CoreStart::from(start),))?;
            let said = Said::of(object.bind(py), mss, max_window)?;
            Ok((object, said))
        });
        let (object, said) = made.unwrap_or_else(|error| program.fail(now, error));
        Self { program: Arc::clone(program), object, mss, max_window, now, said }
    }

    /// Calls the object, if its class has this method, and stores the object's values. Returns
    /// whether the class has the method.
    fn tell<A>(&mut self, call: &str, arguments: A) -> bool
    where
        A: for<'py> PyCallArgs<'py>,
    {
        let answers = self.program.answers(call);
        if answers {
            self.call(call, arguments);
        }
        answers
    }

    /// Calls a method that returns nothing.
    fn call<A>(&mut self, call: &str, arguments: A)
    where
        A: for<'py> PyCallArgs<'py>,
    {
        self.ask(call, arguments, |_| Ok(()));
    }

    /// Calls a method, and returns its result as `read` converts it.
    fn ask<A, T>(
        &mut self,
        call: &str,
        arguments: A,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> T
    where
        A: for<'py> PyCallArgs<'py>,
    {
        let said = Python::attach(|py| {
            let object = self.object.bind(py);
            let answer = read(&object.call_method1(call, arguments)?)?;
            Ok((Said::of(object, self.mss, self.max_window)?, answer))
        });
        let (said, answer) = said.unwrap_or_else(|error| self.program.fail(self.now, error));
        self.said = said;
        answer
    }
}

impl Said {
    /// Reads the values of the object. Lowers its window to the maximum window.
    fn of(object: &Bound<'_, PyAny>, mss: u64, max_window: u64) -> PyResult<Self> {
        let mut cwnd: u64 = number(object, "cwnd", "a whole number of bytes")?;
        if cwnd < mss {
            let expected = format!("at least one segment, {mss}");
            return Err(unfit("cwnd", &cwnd.to_string(), &expected));
        }
        if cwnd > max_window {
            cwnd = max_window;
            object.setattr("cwnd", cwnd)?;
        }
        let ssthresh = number(object, "ssthresh", "a whole number of bytes, or None")?;
        let rate: Option<f64> = number(object, "pacing_rate_bps", "bits a second, or None")?;
        let quantum = number(object, "pacing_quantum", "a whole number of bytes")?;
        let pacing_rate = match rate {
            None => None,
            Some(bps) if (1.0..=1e15).contains(&bps) => Bitrate::from_bps(bps as u64)
                .map(|rate| PacingRate { rate, quantum: Bytes(quantum) }),
            Some(bps) => {
                return Err(unfit("pacing_rate_bps", &bps.to_string(), "from 1 to 1e15 bit/s"));
            }
        };
        let is_in_slow_start = number(object, "in_slow_start", "True or False")?;
        Ok(Self { cwnd, ssthresh, is_in_slow_start, pacing_rate })
    }
}

/// Returns the attribute of the object with this name.
fn number<'py, T>(object: &Bound<'py, PyAny>, name: &str, expected: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let value = object.getattr(name)?;
    value.extract().map_err(|_| unfit(name, &value.to_string(), expected))
}

fn unfit(name: &str, found: &str, expected: &str) -> PyErr {
    PyValueError::new_err(format!("{name}: found {found}, expected {expected}"))
}

impl Controller for Control {
    fn cwnd(&self) -> u64 {
        self.said.cwnd
    }

    fn ssthresh(&self) -> Option<u64> {
        self.said.ssthresh
    }

    fn is_in_slow_start(&self) -> bool {
        self.said.is_in_slow_start
    }

    fn pacing_rate(&self) -> Option<PacingRate> {
        self.said.pacing_rate
    }

    fn field(&self) -> Ecn {
        Ecn::Ect0
    }

    fn on_mss(&mut self, mss: u64) {
        self.mss = mss;
        let said = Python::attach(|py| {
            let object = self.object.bind(py);
            object.setattr("mss", mss)?;
            if self.said.cwnd < mss {
                object.setattr("cwnd", mss)?;
            }
            Said::of(object, mss, self.max_window)
        });
        self.said = said.unwrap_or_else(|error| self.program.fail(self.now, error));
    }

    fn on_sent(&mut self, now: Instant, bytes: u64, flight: u64) {
        self.now = now;
        self.tell("on_sent", (now.as_secs_f64(), bytes, flight));
    }

    fn on_burst(&mut self, burst: &Burst) {
        self.now = burst.now;
        self.tell("on_burst", (burst.flight, burst.limited, burst.una, burst.nxt));
    }

    fn on_ack(&mut self, sample: &AckSample) {
        self.now = sample.now;
        self.tell("on_ack", (CoreAckSample::from(sample),));
    }

    fn on_recovery_begin(&mut self, flight: u64) {
        self.tell("on_recovery_begin", (flight,));
    }

    fn on_recovery_window(&mut self, cwnd: u64) {
        self.tell("on_recovery_window", (cwnd,));
    }

    fn on_recovery_end(&mut self) {
        self.tell("on_recovery_end", ());
    }

    /// The class that all are of answers this by itself.
    fn on_timeout(&mut self, flight: u64, repeated: bool) {
        self.call("on_timeout", (flight, repeated));
    }

    fn on_spurious_reduction(&mut self) {
        self.tell("on_spurious_reduction", ());
    }

    /// As `on_timeout`.
    fn on_congestion(&mut self, flight: u64) -> u64 {
        let left: Option<u64> = self.ask("on_congestion", (flight,), |left| {
            let expected = "a whole number of bytes, or None";
            left.extract().map_err(|_| unfit("on_congestion", &left.to_string(), expected))
        });
        left.or(self.ssthresh()).unwrap_or(u64::MAX)
    }

    fn on_idle_restart(&mut self, timeouts: u64) {
        self.tell("on_idle_restart", (timeouts,));
    }

    fn on_pause(&mut self, pause: Duration) {
        self.tell("on_pause", (pause.as_secs_f64(),));
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("file", &self.program.file)
            .field("said", &self.said)
            .finish_non_exhaustive()
    }
}

/// Parameters of a control at its start.
#[pyclass(name = "Start", frozen, get_all, module = "uplane._core")]
pub(crate) struct CoreStart {
    /// `SMSS` in bytes.
    mss: u64,
    /// The round trip of the handshake, if it is unambiguous.
    rtt_s: Option<f64>,
    /// The initial window in bytes, which a lost SYN makes smaller.
    initial_window: u64,
    /// The first slow-start threshold in bytes; `None` for none.
    initial_ssthresh: Option<u64>,
    /// The largest window in bytes that the scenario allows.
    max_window: Option<u64>,
}

impl From<&Start> for CoreStart {
    fn from(start: &Start) -> Self {
        Self {
            mss: start.mss,
            rtt_s: start.rtt.map(Duration::as_secs_f64),
            initial_window: start.initial_window.bytes(start.mss),
            initial_ssthresh: start.initial_ssthresh,
            max_window: start.max_window,
        }
    }
}

/// Information of one acknowledgement, in bytes, seconds and bit/s.
#[pyclass(name = "AckSample", frozen, get_all, module = "uplane._core")]
pub(crate) struct CoreAckSample {
    /// Time of arrival, in s.
    now_s: f64,
    /// `SND.UNA` has advanced.
    advanced: bool,
    /// Bytes that it acknowledges cumulatively.
    acked: u64,
    /// Bytes that it delivers: cumulatively or by SACK, and not before.
    delivered: u64,
    /// Bytes that were marked as lost since the last sample.
    lost: u64,
    /// Bytes that routers marked, as far as the feedback counts (RFC 9768).
    marked: u64,
    /// `FlightSize` before it.
    flight: u64,
    /// `pipe` after it (RFC 6675 §2).
    pipe: u64,
    /// The sender is in fast recovery, which proposes the window.
    recovering: bool,
    /// The window limited the sender.
    limited: bool,
    /// `SND.UNA`.
    una: u64,
    /// `SND.NXT`.
    nxt: u64,
    /// Round-trip sample of the acknowledgement, in s.
    rtt_s: Option<f64>,
    /// Round-trip time of the newest segment that it delivers, in s.
    latest_rtt_s: Option<f64>,
    /// `SRTT` (RFC 6298 §2).
    srtt_s: Option<f64>,
    /// The retransmission timeout.
    rto_s: f64,
    /// Its sample of the delivery rate.
    delivery_rate_bps: Option<f64>,
    /// The application did not fill the pipe when that segment left.
    app_limited: bool,
    /// A round trip is over, counted by deliveries.
    round_start: bool,
}

impl From<&AckSample> for CoreAckSample {
    fn from(sample: &AckSample) -> Self {
        let rate = sample.rate.filter(|rate| !rate.interval.is_zero());
        Self {
            now_s: sample.now.as_secs_f64(),
            advanced: sample.advanced,
            acked: sample.acked,
            delivered: sample.delivered,
            lost: sample.lost,
            marked: sample.marked,
            flight: sample.flight,
            pipe: sample.pipe,
            recovering: sample.recovering,
            limited: sample.limited,
            una: sample.una,
            nxt: sample.nxt,
            rtt_s: sample.rtt.map(Duration::as_secs_f64),
            latest_rtt_s: sample.latest_rtt.map(Duration::as_secs_f64),
            srtt_s: sample.srtt.map(Duration::as_secs_f64),
            rto_s: sample.rto.as_secs_f64(),
            delivery_rate_bps: rate
                .map(|rate| 8.0 * rate.delivered as f64 / rate.interval.as_secs_f64()),
            app_limited: sample.rate.is_some_and(|rate| rate.app_limited),
            round_start: sample.rate.is_some_and(|rate| rate.round_start),
        }
    }
}
