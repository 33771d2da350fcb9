//! The retransmission timeout of one sender (RFC 6298).
//!
//! In: round-trip samples and timeouts. Out: the time to wait for the next acknowledgement.
//!
//! Two estimators: that of RFC 6298, and that of Linux, whose variation is the maximum of a round
//! trip and falls only once in a round trip, by a quarter, and in which a shorter sample has less
//! weight.

use super::profile::{Profile, RtoRule};
use crate::unit::Duration;

/// Constants of RFC 6298, which stacks choose differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RtoParameters {
    /// Timeout before the first sample (RFC 6298 §2.1: one second; RFC 2988: three).
    initial: Duration,
    /// Minimum timeout (RFC 6298 §2.4: one second). Linux: minimum distance of the timeout to the
    /// mean, 200 ms.
    minimum: Duration,
    /// Maximum timeout. RFC 6298 §2.5: at least one minute.
    maximum: Duration,
    /// `G` (RFC 6298 §2.3), the minimum distance of the timeout to the mean. The rule of Linux
    /// takes `minimum` instead.
    granularity: Duration,
    /// Several samples a round trip have only their share of the weight (RFC 7323 appendix G).
    share_weights: bool,
    rule: RtoRule,
}

/// The round trip that a sample belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    /// Expected number of samples in the round trip.
    pub(super) expected: u64,
    /// `SND.UNA`
    pub(super) una: u64,
    /// `SND.NXT`
    pub(super) nxt: u64,
}

impl RtoParameters {
    pub(super) const fn of(profile: &Profile) -> Self {
        Self {
            initial: profile.initial_rto,
            minimum: profile.min_rto,
            maximum: profile.max_rto,
            granularity: profile.rto_granularity,
            share_weights: profile.rto_share_weights,
            rule: profile.rto_rule,
        }
    }
}

/// Estimator of the timeout from round-trip samples.
#[derive(Clone, Debug)]
pub(super) struct RtoEstimator {
    parameters: RtoParameters,
    /// Smoothed round trip; `None` until the first sample.
    rtt: Option<SmoothedRtt>,
    /// Timeouts since the last sample; each doubles the wait.
    backoffs: u32,
}

#[derive(Clone, Copy, Debug)]
struct SmoothedRtt {
    /// `SRTT`
    mean: Duration,
    /// `RTTVAR`; four times its value in Linux.
    variation: Duration,
    /// Linux: four times the present mean deviation; `largest` is its maximum in this round trip,
    /// which ends at `round_end`.
    deviation: Duration,
    largest: Duration,
    round_end: u64,
}

impl RtoEstimator {
    pub(super) fn new(parameters: RtoParameters) -> Self {
        Self { parameters, rtt: None, backoffs: 0 }
    }

    /// Processes the round-trip time of a segment that was sent once. The round trip has about
    /// `round.expected` samples.
    ///
    /// RFC 6298 §3: the caller never offers a sample of a segment sent twice, unless the timestamp
    /// option names the transmission.
    #[inline(always)]
    pub(super) fn on_sample(&mut self, sample: Duration, round: Round) {
        let share =
            if self.parameters.share_weights { round.expected.clamp(1, 1 << 20) } else { 1 };
        self.rtt = Some(match (self.rtt, self.parameters.rule) {
            (rtt, RtoRule::Linux) => self.linux(rtt, sample, round),
            // RFC 6298 §2.2
            (None, RtoRule::Rfc6298) => SmoothedRtt::first(sample, sample / 2, 0),
            // RFC 6298 §2.3: the variation is updated first, from the old mean.
            (Some(old), RtoRule::Rfc6298) => SmoothedRtt {
                variation: towards(old.variation, old.mean.abs_diff(sample), 4 * share),
                mean: towards(old.mean, sample, 8 * share),
                ..old
            },
        });
        self.backoffs = 0;
    }

    /// Linux, `tcp_rtt_estimator`.
    fn linux(&self, old: Option<SmoothedRtt>, sample: Duration, round: Round) -> SmoothedRtt {
        let least = self.parameters.minimum;
        let Some(old) = old else {
            return SmoothedRtt::first(sample, (sample * 2).max(least), round.nxt);
        };
        let mut rtt = SmoothedRtt { mean: towards(old.mean, sample, 8), ..old };
        let error = old.mean.abs_diff(sample);
        let held = old.deviation / 4;
        rtt.deviation = if error <= held {
            old.deviation - (held - error)
        } else if sample < old.mean {
            old.deviation + (error - held) / 8
        } else {
            old.deviation + (error - held)
        };
        rtt.largest = old.largest.max(rtt.deviation);
        rtt.variation = old.variation.max(rtt.largest);
        if round.una > old.round_end {
            rtt.variation -= (rtt.variation - rtt.largest.min(rtt.variation)) / 4;
            rtt.round_end = round.nxt;
            rtt.largest = least;
        }
        rtt
    }

    /// Returns `true` if segments reported by SACK give samples too.
    pub(super) fn takes_sacked(&self) -> bool {
        self.parameters.rule == RtoRule::Linux
    }

    /// RFC 6298 §5.5: doubles the timeout after an expiry.
    pub(super) fn back_off(&mut self) {
        self.backoffs += 1;
    }

    /// Processes a retransmission of the SYN (RFC 6298 §5.7): without a sample, the first data
    /// waits at least three seconds.
    pub(super) fn on_syn_lost(&mut self) {
        self.parameters.initial = self.parameters.initial.max(AFTER_LOST_SYN);
        self.backoffs = 0;
    }

    /// Returns `SRTT`, if there is a sample.
    pub(super) fn mean(&self) -> Option<Duration> {
        self.rtt.map(|rtt| rtt.mean)
    }

    /// Returns the time to wait from now.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout_after(0)
    }

    /// Returns the time to wait after `more` timeouts that this estimator has not counted.
    pub(super) fn timeout_after(&self, more: u32) -> Duration {
        let RtoParameters { initial, minimum, maximum, granularity, .. } = self.parameters;
        let base = match self.rtt {
            None => initial,
            Some(rtt) if self.parameters.rule == RtoRule::Linux => rtt.mean + rtt.variation,
            Some(rtt) => (rtt.mean + granularity.max(rtt.variation * 4)).max(minimum),
        };
        // 2^20 raises any base that matters to the maximum.
        let backoffs = self.backoffs.saturating_add(more).min(20);
        base.saturating_mul(1 << backoffs).min(maximum)
    }
}

impl SmoothedRtt {
    fn first(sample: Duration, variation: Duration, round_end: u64) -> Self {
        let (deviation, largest) = (sample * 2, variation);
        Self { mean: sample, variation, deviation, largest, round_end }
    }
}

/// Returns `old`, moved by one `divisor`-th of the way to `sample`.
fn towards(old: Duration, sample: Duration, divisor: u64) -> Duration {
    (old * (divisor - 1) + sample) / divisor
}

const AFTER_LOST_SYN: Duration = Duration::from_secs(3);

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    const PARAMETERS: RtoParameters = RtoParameters {
        initial: ms(1000),
        minimum: ms(1000),
        maximum: ms(60_000),
        granularity: ms(1),
        share_weights: false,
        rule: RtoRule::Rfc6298,
    };

    const ONLY: Round = Round { expected: 1, una: 0, nxt: 0 };

    fn after(samples: &[u64]) -> RtoEstimator {
        let mut rto = RtoEstimator::new(PARAMETERS);
        for &sample in samples {
            rto.on_sample(ms(sample), ONLY);
        }
        rto
    }

    /// RFC 6298 §2.1
    #[test]
    fn without_a_sample_it_is_one_second() {
        assert_eq!(after(&[]).timeout(), ms(1000));
    }

    /// RFC 6298 §2.2: 800 + 4 · 400
    #[test]
    fn the_first_sample_sets_mean_and_variation() {
        assert_eq!(after(&[800]).timeout(), ms(2400));
    }

    /// RFC 6298 §2.3: mean 800·7/8 + 1600/8 = 900, variation 400·3/4 + 800/4 = 500
    #[test]
    fn later_samples_are_smoothed() {
        assert_eq!(after(&[800, 1600]).timeout(), ms(2900));
    }

    /// RFC 6298 §2.3: the granularity keeps the timeout off the mean.
    #[test]
    fn a_constant_rtt_leaves_a_tick_of_margin() {
        assert_eq!(after(&[2000; 400]).timeout(), ms(2001));
    }

    /// RFC 6298 §2.4
    #[test]
    fn it_is_never_below_the_minimum() {
        assert_eq!(after(&[10; 50]).timeout(), ms(1000));
    }

    /// RFC 6298 §2.5 and §5.5
    #[test]
    fn each_timeout_doubles_it_up_to_the_maximum() {
        let mut rto = after(&[]);
        let waits = [0; 8].map(|_: u64| {
            let wait = rto.timeout();
            rto.back_off();
            wait
        });
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60].map(|secs| ms(secs * 1000)));
    }

    /// RFC 6298 §5, after §5.7: a new measurement ends the back-off.
    #[test]
    fn a_sample_ends_the_back_off() {
        let mut rto = after(&[800]);
        rto.back_off();
        assert_eq!(rto.timeout(), ms(4800));
        rto.on_sample(ms(800), ONLY);
        assert_eq!(rto.timeout(), ms(800 + 4 * 300));
    }

    /// RFC 6298 §5.7
    #[test]
    fn after_a_lost_syn_data_waits_three_seconds() {
        let mut rto = after(&[]);
        rto.back_off();
        rto.on_syn_lost();
        assert_eq!(rto.timeout(), ms(3000));
    }

    /// RFC 7323 appendix G: n samples a round trip move the mean about as far as one.
    #[test]
    fn many_samples_a_round_weigh_as_one() {
        let mut many = RtoEstimator::new(RtoParameters { share_weights: true, ..PARAMETERS });
        many.on_sample(ms(800), ONLY);
        for _ in 0..10 {
            many.on_sample(ms(1600), Round { expected: 10, ..ONLY });
        }
        let mean = many.mean().expect("there are samples");
        assert!(mean > ms(893) && mean < ms(900), "{mean}");
    }

    /// Linux: the distance to the mean is at least 200 ms; a longer sample counts at once, and its
    /// effect falls by a quarter of the difference a round trip.
    #[test]
    fn linux_variation_is_a_rounds_maximum() {
        let minimum = ms(200);
        let mut rto =
            RtoEstimator::new(RtoParameters { rule: RtoRule::Linux, minimum, ..PARAMETERS });
        let mut take = |sample, una, nxt| {
            rto.on_sample(ms(sample), Round { expected: 9, una, nxt });
            rto.timeout()
        };
        assert_eq!(take(80, 0, 10), ms(80 + 200));
        // The deviation was 160; 400 is 320 from the mean: 160 + 320 − 40. The mean is 120.
        assert_eq!(take(400, 5, 10), ms(120 + 440));
        // A shorter sample: 120 − 16 is 104 from it, less than the 110 held: 440 − 6.
        assert_eq!(take(16, 11, 30), ms(107 + 440));
        // The round before had 440, this one 434 − 105.5, at least 200: a quarter of the
        // difference.
        let after = take(104, 31, 40);
        assert!(after < ms(107 + 440) && after > ms(104 + 400), "{after}");
    }

    /// Linux: a sample below the mean counts an eighth of its excess over the deviation. The first
    /// sample of 400 leaves 800 (four times the deviation); 100 is 300 from the mean, of which 200
    /// are held: 800 + 100 / 8; the mean is 400 − 300 / 8.
    #[test]
    fn a_much_shorter_sample_hardly_counts_in_linux() {
        let (rule, minimum) = (RtoRule::Linux, ms(200));
        let mut rto = RtoEstimator::new(RtoParameters { minimum, rule, ..PARAMETERS });
        rto.on_sample(ms(400), Round { expected: 9, una: 0, nxt: 10 });
        assert_eq!(rto.timeout(), ms(400 + 800));
        rto.on_sample(ms(100), Round { expected: 9, una: 5, nxt: 10 });
        assert_eq!(rto.timeout(), Duration::from_micros(362_500 + 812_500));
    }
}
