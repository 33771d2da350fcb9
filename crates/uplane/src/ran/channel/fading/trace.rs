//! Fading recorded elsewhere, in the text format of ns-3's `.fad` files.
//!
//! In: text with one line per resource block, and in it one number in dB per sample of time. Out: a
//! fading trace instead of the sum of sinusoids.
//!
//! As in ns-3 a UE sees windows of the trace, each from a random position, so that a short trace
//! serves many UEs. Here the position is a function of UE and window.
//!
//! Left out: reading files (the core reads none), and phases, which a trace does not have. The
//! gains of several antennas are windows at independent positions.

use std::error::Error;
use std::fmt;

use super::block::uniform;
use super::complex::Complex;
use crate::ran::channel::band::Band;
use crate::sim::Stream;
use crate::unit::{Duration, Instant, math};

/// Power gains by resource block and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    interval: Duration,
    samples: usize,
    /// Power gains as factors, by resource block, then sample.
    gains: Vec<f64>,
}

/// The error of a text that is not a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// The text has no numbers.
    Empty,
    /// The text has a word that is not a finite number.
    NotANumber {
        /// Line of the word, from 1.
        line: usize,
        /// The word that is not a number.
        found: String,
    },
    /// A line has a number of samples that differs from the first line.
    Uneven {
        /// Number of that line, from 1.
        line: usize,
        /// Number of samples in that line.
        found: usize,
        /// Number of samples in the first line.
        expected: usize,
    },
}

/// A trace cut to the parts of a band.
#[derive(Clone, Debug)]
pub(super) struct Table {
    interval: Duration,
    samples: usize,
    window: Duration,
    /// Amplitudes by part, then sample.
    amplitudes: Vec<f64>,
}

/// The position of a UE in the trace.
#[derive(Clone, Debug)]
pub(super) struct State {
    keys: Vec<u64>,
    /// Index of the current sample of each branch.
    samples: Vec<usize>,
}

impl Trace {
    /// Reads a trace with one sample per `interval`. Empty lines do not count.
    pub fn parse(text: &str, interval: Duration) -> Result<Self, TraceError> {
        assert!(!interval.is_zero(), "samples without time between");
        let mut gains = Vec::new();
        let mut samples = 0;
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let before = gains.len();
            for word in text.split_ascii_whitespace() {
                gains.push(gain(word, line)?);
            }
            let found = gains.len() - before;
            if before == 0 {
                samples = found;
            } else if found != samples {
                return Err(TraceError::Uneven { line, found, expected: samples });
            }
        }
        if samples == 0 { Err(TraceError::Empty) } else { Ok(Self { interval, samples, gains }) }
    }

    /// Returns the number of resource blocks for which there are gains.
    pub fn prbs(&self) -> usize {
        self.gains.len() / self.samples
    }

    /// Returns the duration of the trace.
    pub fn length(&self) -> Duration {
        self.interval * self.samples as u64
    }

    fn of_prb(&self, prb: usize) -> &[f64] {
        &self.gains[prb * self.samples..][..self.samples]
    }
}

impl Table {
    /// Computes the mean gain over each part of the band.
    ///
    /// # Panics
    /// If the band has more resource blocks than the trace, or the trace is shorter than a window.
    pub(super) fn new(band: &Band, trace: &Trace, window: Duration) -> Self {
        assert!(trace.length() >= window && !window.is_zero(), "a trace shorter than its window");
        let mut amplitudes = Vec::with_capacity(band.parts() * trace.samples);
        for part in band.prbs() {
            assert!(
                part.end as usize <= trace.prbs(),
                "a trace without resource block {}",
                part.end
            );
            let share = 1.0 / part.len() as f64;
            let gains = part.clone().map(|prb| trace.of_prb(prb as usize));
            amplitudes.extend((0..trace.samples).map(|sample| {
                (gains.clone().map(|of_prb| of_prb[sample]).sum::<f64>() * share).sqrt()
            }));
        }
        Self { interval: trace.interval, samples: trace.samples, window, amplitudes }
    }

    /// Returns the index of the sample at `now` for a UE with this key.
    fn sample(&self, key: u64, now: Instant) -> usize {
        let window = now.as_nanos() / self.window.as_nanos();
        let inside = now.as_nanos() % self.window.as_nanos() / self.interval.as_nanos();
        let in_window = self.window.as_nanos().div_ceil(self.interval.as_nanos()) as usize;
        let places = self.samples - in_window.min(self.samples) + 1;
        let first = (uniform(key, window) * places as f64) as usize;
        (first + inside as usize).min(self.samples - 1)
    }
}

impl State {
    pub(super) fn new(branches: usize, stream: &mut Stream) -> Self {
        let keys: Vec<u64> = (0..branches).map(|_| stream.bits()).collect();
        Self { keys, samples: vec![0; branches] }
    }

    pub(super) fn refresh(&mut self, table: &Table, now: Instant) {
        for (sample, key) in self.samples.iter_mut().zip(&self.keys) {
            *sample = table.sample(*key, now);
        }
    }

    pub(super) fn response(&self, table: &Table, branch: usize, part: usize) -> Complex {
        let amplitude = table.amplitudes[part * table.samples + self.samples[branch]];
        Complex { re: amplitude, im: 0.0 }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the trace has no numbers"),
            Self::NotANumber { line, found } => {
                write!(f, "line {line} of the trace has `{found}` where a number of dB should be")
            }
            Self::Uneven { line, found, expected } => {
                write!(f, "line {line} of the trace has {found} samples, the first one {expected}")
            }
        }
    }
}

impl Error for TraceError {}

/// Returns the gain as a factor.
fn gain(word: &str, line: usize) -> Result<f64, TraceError> {
    match word.parse::<f64>() {
        Ok(decibels) if decibels.is_finite() => Ok(math::db_to_linear(decibels)),
        _ => Err(TraceError::NotANumber { line, found: word.to_owned() }),
    }
}
