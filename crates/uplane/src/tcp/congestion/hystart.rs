//! HyStart++ (RFC 9406): leaves slow start when the round-trip time begins to rise.
//!
//! In: acknowledgements with round-trip samples. Out: the permitted growth of the window.

use super::controller::AckSample;
use crate::unit::Duration;

/// State of HyStart++ (RFC 9406).
#[derive(Clone, Debug)]
pub(super) struct HyStart {
    /// A paced sender may grow without limit (RFC 9406 §4.3, `L`).
    paced: bool,
    /// `windowEnd`: the round ends when this position is acknowledged.
    window_end: u64,
    /// `lastRoundMinRTT`
    last_minimum: Duration,
    /// `currentRoundMinRTT`
    current_minimum: Duration,
    /// `rttSampleCount`
    samples: u32,
    conservative: Option<Conservative>,
}

/// Conservative slow start (CSS).
#[derive(Clone, Copy, Debug)]
struct Conservative {
    /// `cssBaselineMinRtt`
    baseline: Duration,
    /// Rounds of CSS that have begun.
    rounds: u32,
}

/// Permitted growth of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// Growth of slow start, without a limit.
    Full,
    /// Growth of slow start, at most `L` segments an ACK.
    Limited,
    /// A quarter of the limited growth (`CSS_GROWTH_DIVISOR`).
    Quarter,
    /// No growth: slow start has ended.
    Stop,
}

impl Pace {
    /// Returns the growth of a `step` in bytes at this pace.
    pub(super) fn apply(self, step: u64, mss: u64) -> u64 {
        match self {
            Self::Full => step,
            Self::Limited => step.min(LIMIT * mss),
            Self::Quarter => step.min(LIMIT * mss) / GROWTH_DIVISOR,
            Self::Stop => 0,
        }
    }
}

impl HyStart {
    pub(super) fn new(paced: bool) -> Self {
        Self {
            paced,
            window_end: 0,
            last_minimum: Duration::MAX,
            current_minimum: Duration::MAX,
            samples: 0,
            conservative: None,
        }
    }

    /// RFC 9406 §4.2
    pub(super) fn on_ack(&mut self, sample: &AckSample) -> Pace {
        if let Some(rtt) = sample.rtt {
            self.current_minimum = self.current_minimum.min(rtt);
            self.samples += 1;
        }
        self.judge();
        let over = self.conservative.is_some_and(|css| css.rounds > ROUNDS);
        if sample.una >= self.window_end {
            self.begin_round(sample.nxt);
        }
        match self.conservative {
            _ if over => Pace::Stop,
            Some(_) => Pace::Quarter,
            None if self.paced => Pace::Full,
            None => Pace::Limited,
        }
    }

    fn begin_round(&mut self, nxt: u64) {
        self.window_end = nxt;
        self.last_minimum = self.current_minimum;
        self.current_minimum = Duration::MAX;
        self.samples = 0;
        if let Some(css) = &mut self.conservative {
            css.rounds += 1;
        }
    }

    /// Decides whether this round is slower than the one before, or whether an earlier alarm was
    /// false.
    fn judge(&mut self) {
        if self.samples < SAMPLES {
            return;
        }
        match self.conservative {
            None if self.rises() => {
                self.conservative =
                    Some(Conservative { baseline: self.current_minimum, rounds: 1 });
            }
            Some(css) if self.current_minimum < css.baseline => self.conservative = None,
            _ => {}
        }
    }

    fn rises(&self) -> bool {
        if self.last_minimum == Duration::MAX {
            return false;
        }
        let threshold = (self.last_minimum / 8).clamp(MINIMUM_THRESHOLD, MAXIMUM_THRESHOLD);
        self.current_minimum >= self.last_minimum + threshold
    }
}

/// RFC 9406 §4.3: the recommended values of `N_RTT_SAMPLE`, `MIN_RTT_THRESH`, `MAX_RTT_THRESH`,
/// `CSS_GROWTH_DIVISOR`, `CSS_ROUNDS` and `L`.
const SAMPLES: u32 = 8;
const MINIMUM_THRESHOLD: Duration = Duration::from_millis(4);
const MAXIMUM_THRESHOLD: Duration = Duration::from_millis(16);
const GROWTH_DIVISOR: u64 = 4;
const ROUNDS: u32 = 5;
const LIMIT: u64 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs ten acknowledgements in each round, all with the round's RTT in ms, and returns the
    /// pace at the end of each round.
    fn paces(round_trips: &[u64]) -> Vec<Pace> {
        let mut hystart = HyStart::new(false);
        let mut una = 0;
        round_trips
            .iter()
            .map(|&rtt| {
                let nxt = una + 20;
                let mut pace = Pace::Full;
                for _ in 0..10 {
                    una += 1;
                    let rtt = Some(Duration::from_millis(rtt));
                    pace = hystart.on_ack(&AckSample { una, nxt, rtt, ..AckSample::default() });
                }
                una = nxt;
                pace
            })
            .collect()
    }

    /// RFC 9406 §4.2: the threshold of a 100-ms path is 100/8 = 12.5 ms.
    #[test]
    fn a_rising_rtt_slows_growth_to_a_quarter() {
        assert_eq!(*paces(&[100, 100, 112]).last().expect("some"), Pace::Limited);
        assert_eq!(*paces(&[100, 100, 113]).last().expect("some"), Pace::Quarter);
    }

    /// RFC 9406 §4.2: if the round-trip time falls again, it was jitter.
    #[test]
    fn a_false_alarm_is_taken_back() {
        assert_eq!(*paces(&[100, 113, 99]).last().expect("some"), Pace::Limited);
    }

    /// RFC 9406 §4.2: after five rounds at a quarter, slow start is over.
    #[test]
    fn five_slow_rounds_end_slow_start() {
        let paces = paces(&[100, 120, 120, 120, 120, 120, 120]);
        let quarters = paces.iter().filter(|&&pace| pace == Pace::Quarter).count();
        assert_eq!(quarters, 5);
        assert_eq!(*paces.last().expect("some"), Pace::Stop);
    }

    /// RFC 9406 §4.3: `L` is 8 segments, and a quarter of the step in CSS.
    #[test]
    fn growth_is_limited_for_unpaced_senders() {
        assert_eq!(Pace::Limited.apply(20_000, 1000), 8000);
        assert_eq!(Pace::Quarter.apply(4000, 1000), 1000);
        assert_eq!(Pace::Full.apply(20_000, 1000), 20_000);
    }

    /// RFC 9406 §4.2: the alarm was false only below the round-trip time at which it was given.
    #[test]
    fn constant_round_trip_is_no_false_alarm() {
        let paces = paces(&[100, 113, 113, 114, 112]);
        assert_eq!(paces[1..], [Pace::Quarter, Pace::Quarter, Pace::Quarter, Pace::Limited]);
    }

    /// RFC 9406 §4.2: fewer than eight samples decide nothing about a round. The first
    /// acknowledgement here ends the round before.
    #[test]
    fn seven_samples_are_too_few() {
        for (samples, pace) in [(7, Pace::Limited), (8, Pace::Quarter)] {
            let mut hystart = HyStart::new(false);
            let mut una = 0;
            let mut last = Pace::Full;
            for (count, rtt) in [(9, 100), (1 + samples, 200)] {
                let nxt = una + 20;
                for _ in 0..count {
                    una += 1;
                    let rtt = Some(Duration::from_millis(rtt));
                    last = hystart.on_ack(&AckSample { una, nxt, rtt, ..AckSample::default() });
                }
                una = nxt;
            }
            assert_eq!(last, pace, "{samples} samples");
        }
    }
}
