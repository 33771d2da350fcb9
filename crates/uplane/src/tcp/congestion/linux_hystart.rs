//! HyStart of Linux: slow start ends at once when the delay rises or a train of acknowledgements
//! gets long (Ha and Rhee, "Taming the elephants", 2011).
//!
//! In: acknowledgements, including those by SACK alone. Out: whether slow start has ended.
//!
//! Two signs. *Delay*: among more than eight samples of a round the shortest exceeds the shortest
//! of the connection by an eighth of it, at least 4 and at most 16 ms. *Train*: acknowledgements at
//! most 2 ms apart have arrived for half of the shortest round trip. A timeout restarts the
//! detection.
//!
//! Left out: a paced sender waits for a whole round trip in Linux. Only paced senders differ.

use super::controller::AckSample;
use crate::unit::{Duration, Instant};

/// State of HyStart of Linux.
#[derive(Clone, Debug, Default)]
pub(super) struct LinuxHystart {
    /// `delay_min`
    shortest: Option<Duration>,
    /// `end_seq`: the round ends when more than this position is acknowledged.
    round_end: u64,
    /// `round_start`
    round_start: Instant,
    /// `last_ack`: the end of the train.
    train_end: Instant,
    /// `curr_rtt`
    current: Option<Duration>,
    /// `sample_cnt`
    samples: u32,
    /// `found`
    found: bool,
}

impl LinuxHystart {
    /// Processes an acknowledgement with a window of `cwnd` segments. Returns `true` if slow start
    /// ends.
    pub(super) fn on_ack(&mut self, sample: &AckSample, cwnd: u64) -> bool {
        let Some(rtt) = sample.latest_rtt else { return false };
        let shortest = self.shortest.map_or(rtt, |shortest| shortest.min(rtt));
        self.shortest = Some(shortest);
        if self.found {
            return false;
        }
        if sample.una > self.round_end {
            self.begin_round(sample);
        }
        if cwnd >= LOW_WINDOW {
            let train = self.is_train_long(sample.now, shortest);
            self.found = self.is_delayed(rtt, shortest) || train;
        }
        self.found
    }

    /// Resets the detection for the slow start after a timeout.
    pub(super) fn on_timeout(&mut self) {
        *self = Self { shortest: None, ..Self::default() };
    }

    fn begin_round(&mut self, sample: &AckSample) {
        self.round_end = sample.nxt;
        (self.round_start, self.train_end) = (sample.now, sample.now);
        (self.current, self.samples) = (None, 0);
    }

    fn is_train_long(&mut self, now: Instant, shortest: Duration) -> bool {
        if now.saturating_since(self.train_end) > TRAIN_GAP {
            return false;
        }
        self.train_end = now;
        now.saturating_since(self.round_start) > (shortest + ACK_DELAY) / 2
    }

    fn is_delayed(&mut self, rtt: Duration, shortest: Duration) -> bool {
        let current = self.current.map_or(rtt, |current| current.min(rtt));
        self.current = Some(current);
        if self.samples < SAMPLES {
            self.samples += 1;
            return false;
        }
        current > shortest + (shortest / 8).clamp(LEAST_RISE, MOST_RISE)
    }
}

/// Linux: `hystart_low_window`, in segments.
const LOW_WINDOW: u64 = 16;
/// Linux: `HYSTART_MIN_SAMPLES`
const SAMPLES: u32 = 8;
/// Linux: `HYSTART_DELAY_MIN` and `HYSTART_DELAY_MAX`
const LEAST_RISE: Duration = Duration::from_millis(4);
const MOST_RISE: Duration = Duration::from_millis(16);
/// Linux: `hystart_ack_delta_us`
const TRAIN_GAP: Duration = Duration::from_millis(2);
/// Linux: maximum delay of a train by offload (`hystart_ack_delay`): four bursts of 64 KiB at the
/// pacing rate, at most 1 ms. Below 2 Gbit/s this is 1 ms.
const ACK_DELAY: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a round that begins at 0 with a round trip of 40 ms. One acknowledgement per trip
    /// follows, each `gap` after the one before. Returns the index of the one that ends slow start.
    fn ends_at(gap: Duration, trips: &[u64]) -> Option<usize> {
        let mut hystart = LinuxHystart::default();
        let ack = |una, now, rtt| AckSample {
            una,
            now,
            nxt: 1000,
            latest_rtt: Some(Duration::from_millis(rtt)),
            ..AckSample::default()
        };
        assert!(!hystart.on_ack(&ack(1, Instant::ZERO, 40), 20));
        let times = (1..).map(|number| Instant::ZERO + gap * number);
        trips.iter().zip(times).position(|(&rtt, now)| hystart.on_ack(&ack(2, now, rtt), 20))
    }

    /// The ninth sample of the round, the first of which was the one that began it: 40 + 40/8 is
    /// not yet enough, as the shortest of the round counts.
    #[test]
    fn nine_slow_samples_end_slow_start() {
        let mut hystart = LinuxHystart { round_end: 500, ..LinuxHystart::default() };
        let ack = |una, rtt| AckSample {
            una,
            nxt: 1000,
            now: Instant::ZERO + Duration::from_secs(una),
            latest_rtt: Some(Duration::from_millis(rtt)),
            ..AckSample::default()
        };
        hystart.on_ack(&ack(100, 40), 20);
        let slow = |hystart: &mut LinuxHystart, rtt| {
            (0..12).position(|number| hystart.on_ack(&ack(600 + number, rtt), 20))
        };
        assert_eq!(slow(&mut hystart.clone(), 46), Some(8));
        assert_eq!(slow(&mut hystart.clone(), 45), None);
        hystart.found = true;
        assert_eq!(slow(&mut hystart, 46), None);
    }

    /// Half of 40 ms and of the 1 ms that offload may add: the first one after 20.5 ms.
    #[test]
    fn a_long_train_of_acknowledgements_ends_slow_start() {
        assert_eq!(ends_at(Duration::from_millis(2), &[40; 12]), Some(10));
        assert_eq!(ends_at(Duration::from_micros(2001), &[40; 30]), None);
    }

    /// Windows below sixteen segments stay in slow start.
    #[test]
    fn small_window_continues_slow_start() {
        let mut hystart = LinuxHystart::default();
        for number in 0..30 {
            let latest_rtt = Some(Duration::from_millis(40));
            let now = Instant::ZERO + Duration::from_millis(number);
            let sample =
                AckSample { una: 1 + number, nxt: 9, now, latest_rtt, ..AckSample::default() };
            assert!(!hystart.on_ack(&sample, 15));
        }
    }
}
