//! A process of two states that stays in each for a random time (alternating renewal process).
//!
//! In: the mean duration of each state, a stream; then instants, in any order. Out: the state at an
//! instant, and the stay that contains it.
//!
//! Stays are drawn in order and remembered, so the state is a function of the instant alone,
//! whatever instants are requested and in whatever order.
//!
//! Left out: stays that are not exponential. This matters for comparing the shortest blockages with
//! measurements.

use crate::sim::Stream;
use crate::unit::{Duration, Instant};

/// One process with two states, on and off.
#[derive(Clone, Debug)]
pub struct Alternation {
    starts_on: bool,
    /// Mean stays, off and on, in s.
    means: [f64; 2],
    /// End times of the stays drawn so far.
    ends: Vec<Instant>,
    stream: Stream,
}

/// A stay: an uninterrupted time in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// The process is in the state on.
    pub on: bool,
    /// Number of stays before this one.
    pub number: usize,
    /// Time at which the stay begins.
    pub begun: Instant,
    /// Time at which the stay ends.
    pub ends: Instant,
}

impl Alternation {
    /// Creates a process that begins in the state `on`. Means are in s; an infinite mean gives a
    /// state that lasts.
    pub fn starting(on: bool, [off_mean, on_mean]: [f64; 2], stream: Stream) -> Self {
        Self { starts_on: on, means: [off_mean, on_mean], ends: Vec::new(), stream }
    }

    /// Creates a process in its stationary distribution, which begins in a random state.
    pub fn stationary([off_mean, on_mean]: [f64; 2], mut stream: Stream) -> Self {
        let on = stream.uniform() * (off_mean + on_mean) < on_mean;
        Self::starting(on, [off_mean, on_mean], stream)
    }

    /// Returns the stay that contains `at`.
    pub fn at(&mut self, at: Instant) -> Stay {
        while self.ends.last().is_none_or(|&last| last <= at) {
            self.draw();
        }
        let number = self.ends.partition_point(|&end| end <= at);
        let begun = if number == 0 { Instant::ZERO } else { self.ends[number - 1] };
        Stay { on: self.is_on(number), number, begun, ends: self.ends[number] }
    }

    /// Returns the share of the time before `end` that was spent in the state on. `None` if that
    /// time is zero.
    pub fn share(&self, end: Instant) -> Option<f64> {
        let mut process = self.clone();
        let (mut now, mut on) = (Instant::ZERO, Duration::ZERO);
        while now < end {
            let stay = process.at(now);
            let until = stay.ends.min(end);
            on += if stay.on { until - now } else { Duration::ZERO };
            now = until;
        }
        (end > Instant::ZERO).then(|| on.as_secs_f64() / end.as_secs_f64())
    }

    fn draw(&mut self) {
        let mean = self.means[usize::from(self.is_on(self.ends.len()))];
        let stay = self.stream.exponential(mean).min(LONGEST);
        let begun = self.ends.last().copied().unwrap_or_default();
        // A stay without duration would not be a stay.
        self.ends.push(begun + Duration::from_secs_f64(stay).max(Duration::from_nanos(1)));
    }

    const fn is_on(&self, number: usize) -> bool {
        self.starts_on == number.is_multiple_of(2)
    }
}

/// Upper limit of a stay, in s; longer than any run.
const LONGEST: f64 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    fn process(means: [f64; 2]) -> Alternation {
        Alternation::stationary(means, Streams::new(4).open("test", "alternation"))
    }

    fn at(seconds: f64) -> Instant {
        Instant::ZERO + Duration::from_secs_f64(seconds)
    }

    #[test]
    fn a_state_depends_on_the_instant_alone() {
        let (mut often, mut once) = (process([1.0, 0.5]), process([1.0, 0.5]));
        let forwards: Vec<Stay> =
            (0..100).map(|tenth| often.at(at(f64::from(tenth) / 10.0))).collect();
        let last = once.at(at(9.9));
        assert_eq!(forwards.last(), Some(&last));
        let backwards = (0..100).rev().map(|tenth| once.at(at(f64::from(tenth) / 10.0)));
        assert!(backwards.eq(forwards.into_iter().rev()));
    }

    /// On for 0.4 s and off for 5 s on average: 0.4/5.4 of the time; 4000 cycles leave 4 % of
    /// deviation.
    #[test]
    fn the_shares_of_time_are_those_of_the_means() {
        let share = process([5.0, 0.4]).share(at(21_600.0)).expect("some time");
        assert!((share / (0.4 / 5.4) - 1.0).abs() < 0.08, "{share}");
        assert_eq!(process([5.0, 0.4]).share(Instant::ZERO), None);
    }

    #[test]
    fn a_state_without_end_lasts() {
        let stream = Streams::new(4).open("test", "alternation");
        let mut process = Alternation::starting(true, [1.0, f64::INFINITY], stream);
        assert!(process.at(at(1e8)).on);
        assert_eq!(process.share(at(1e6)), Some(1.0));
    }
}
