//! The retransmission timeout of one sender (RFC 6298).
//!
//! In: round-trip samples and timeouts. Out: how long to wait for the next acknowledgement.
//!
//! Left out: the undoing of a spurious timeout (RFC 5682, RFC 4015). Runs with delay spikes longer
//! than the timeout can tell: they send a window again and slow down, as stacks without F-RTO do.

use super::profile::Profile;
use crate::unit::Duration;

/// The constants of RFC 6298, which stacks choose differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RtoParameters {
    /// Before the first sample (RFC 6298 §2.1: one second; RFC 2988: three).
    initial: Duration,
    /// RFC 6298 §2.4: one second. Linux: 200 ms.
    minimum: Duration,
    /// RFC 6298 §2.5: at least one minute.
    maximum: Duration,
    /// `G` (RFC 6298 §2.3), the least distance of the timeout to the mean. Linux keeps 200 ms.
    granularity: Duration,
    /// With several samples a round trip, give each the weight of its share (RFC 7323 appendix G).
    share_weights: bool,
}

impl RtoParameters {
    pub(super) const fn of(profile: &Profile) -> Self {
        Self {
            initial: profile.initial_rto,
            minimum: profile.min_rto,
            maximum: profile.max_rto,
            granularity: profile.rto_granularity,
            share_weights: profile.rto_share_weights,
        }
    }
}

/// Turns round-trip samples into a timeout.
#[derive(Clone, Debug)]
pub(super) struct RtoEstimator {
    parameters: RtoParameters,
    /// None until the first sample.
    rtt: Option<SmoothedRtt>,
    /// Timeouts since the last sample; each doubles the wait.
    backoffs: u32,
}

#[derive(Clone, Copy, Debug)]
struct SmoothedRtt {
    /// `SRTT`
    mean: Duration,
    /// `RTTVAR`
    variation: Duration,
}

impl RtoEstimator {
    pub(super) fn new(parameters: RtoParameters) -> Self {
        Self { parameters, rtt: None, backoffs: 0 }
    }

    /// Takes the round-trip time of a segment that was sent once, one of about `expected` samples
    /// in this round trip.
    ///
    /// RFC 6298 §3: the caller never offers a sample of a segment sent twice, unless the timestamp
    /// option says which sending it was.
    #[inline(always)]
    pub(super) fn on_sample(&mut self, sample: Duration, expected: u64) {
        let share = if self.parameters.share_weights { expected.clamp(1, 1 << 20) } else { 1 };
        self.rtt = Some(match self.rtt {
            // RFC 6298 §2.2
            None => SmoothedRtt { mean: sample, variation: sample / 2 },
            // RFC 6298 §2.3: the variation is updated first, from the old mean.
            Some(SmoothedRtt { mean, variation }) => SmoothedRtt {
                variation: towards(variation, mean.abs_diff(sample), 4 * share),
                mean: towards(mean, sample, 8 * share),
            },
        });
        self.backoffs = 0;
    }

    /// RFC 6298 §5.5: the timer expired.
    pub(super) fn back_off(&mut self) {
        self.backoffs += 1;
    }

    /// RFC 6298 §5.7: the SYN was lost, so the first data waits at least three seconds.
    pub(super) fn on_syn_lost(&mut self) {
        self.parameters.initial = self.parameters.initial.max(AFTER_LOST_SYN);
        self.backoffs = 0;
    }

    /// `SRTT`, when there is a sample.
    pub(super) fn mean(&self) -> Option<Duration> {
        self.rtt.map(|rtt| rtt.mean)
    }

    /// How long to wait from now.
    pub(super) fn timeout(&self) -> Duration {
        let RtoParameters { initial, minimum, maximum, granularity, .. } = self.parameters;
        let base = match self.rtt {
            None => initial,
            Some(rtt) => (rtt.mean + granularity.max(rtt.variation * 4)).max(minimum),
        };
        // 2^20 lifts any base that matters to the maximum.
        base.saturating_mul(1 << self.backoffs.min(20)).min(maximum)
    }
}

/// `old` moved by one `divisor`-th of the way to `sample`.
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
    };

    fn after(samples: &[u64]) -> RtoEstimator {
        let mut rto = RtoEstimator::new(PARAMETERS);
        for &sample in samples {
            rto.on_sample(ms(sample), 1);
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

    /// RFC 6298 §5, after §5.7: a new measurement collapses the timeout again.
    #[test]
    fn a_sample_ends_the_back_off() {
        let mut rto = after(&[800]);
        rto.back_off();
        assert_eq!(rto.timeout(), ms(4800));
        rto.on_sample(ms(800), 1);
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
        many.on_sample(ms(800), 1);
        for _ in 0..10 {
            many.on_sample(ms(1600), 10);
        }
        let mean = many.mean().expect("there are samples");
        assert!(mean > ms(893) && mean < ms(900), "{mean}");
    }
}
