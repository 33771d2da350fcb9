//! Spacing out segments instead of sending a window at once.
//!
//! In: segments as they leave, with the pacing rate. Out: when the next may leave.
//!
//! The rate is the congestion control's own, or else the profile's multiple of `cwnd / SRTT`, as
//! Linux's internal pacing has it: 2 in slow start, so that pacing does not keep the window from
//! doubling, and 1.2 after it.

use super::congestion::{Controller, PacingRate};
use super::profile::Pacing;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// Lets segments go at the pacing rate.
#[derive(Clone, Debug)]
pub(super) struct Pacer {
    pacing: Option<Pacing>,
    /// Nothing leaves before this; `None` while nothing has been paced.
    release: Option<Instant>,
    /// What left since then, and not yet waited for.
    burst: u64,
}

impl Pacer {
    pub(super) fn new(pacing: Option<Pacing>) -> Self {
        Self { pacing, release: None, burst: 0 }
    }

    /// When the next segment may leave.
    pub(super) fn release(&self) -> Option<Instant> {
        self.release
    }

    /// A segment of `length` bytes left.
    #[inline]
    pub(super) fn on_sent(
        &mut self,
        now: Instant,
        length: u64,
        controller: &dyn Controller,
        srtt: Option<Duration>,
    ) {
        let (quantum, rate) = match (controller.pacing_rate(), self.pacing) {
            (Some(PacingRate { rate, quantum }), _) => (quantum, Some(rate)),
            (None, Some(pacing)) => {
                (pacing.burst, srtt.and_then(|srtt| rate(pacing, controller, srtt)))
            }
            (None, None) => return,
        };
        self.burst += length;
        if self.burst < quantum.0 {
            return;
        }
        if let Some(rate) = rate {
            let begin = self.release.map_or(now, |release| release.max(now));
            self.release = Some(begin + Bytes(self.burst) / rate);
        }
        self.burst = 0;
    }
}

/// The profile's multiple of `cwnd / SRTT`.
fn rate(pacing: Pacing, controller: &dyn Controller, srtt: Duration) -> Option<Bitrate> {
    let slow_start = controller.is_in_slow_start();
    let factor = if slow_start { pacing.slow_start } else { pacing.avoidance };
    let seconds = srtt.as_secs_f64().max(1e-6);
    Bitrate::from_bps((factor * (controller.cwnd() * 8) as f64 / seconds) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::AckSample;

    /// A window of 20 segments of 1000 bytes, with or without a rate of its own.
    #[derive(Debug)]
    struct Fixed(Option<PacingRate>);

    impl Controller for Fixed {
        fn cwnd(&self) -> u64 {
            20_000
        }

        fn is_in_slow_start(&self) -> bool {
            false
        }

        fn pacing_rate(&self) -> Option<PacingRate> {
            self.0
        }

        fn on_mss(&mut self, _: u64) {}

        fn on_ack(&mut self, _: &AckSample) {}

        fn on_recovery_begin(&mut self, _: u64) {}

        fn on_timeout(&mut self, _: u64, _: bool) {}
    }

    /// 20 segments of 1000 bytes a 100 ms, times 1.2: a burst of two takes 2/(20·1.2)·100 ms.
    #[test]
    fn a_burst_takes_its_share_of_the_round_trip() {
        let pacing = Pacing { slow_start: 2.0, avoidance: 1.2, burst: Bytes(2000) };
        let mut pacer = Pacer::new(Some(pacing));
        let srtt = Some(Duration::from_millis(100));
        pacer.on_sent(Instant::ZERO, 1000, &Fixed(None), srtt);
        assert_eq!(pacer.release(), None);
        pacer.on_sent(Instant::ZERO, 1000, &Fixed(None), srtt);
        let waited = pacer.release().expect("it is paced") - Instant::ZERO;
        assert!(waited.abs_diff(Duration::from_nanos(8_333_333)) < Duration::from_nanos(10));
    }

    /// A control with a rate of its own is paced whatever the profile says: 1000 bytes at 1 Mbit/s
    /// take 8 ms.
    #[test]
    fn the_rate_of_the_control_goes_first() {
        let rate = Bitrate::from_bps(1_000_000).expect("more than none");
        let paced = Fixed(Some(PacingRate { rate, quantum: Bytes(1000) }));
        let mut pacer = Pacer::new(None);
        pacer.on_sent(Instant::ZERO, 1000, &paced, None);
        assert_eq!(pacer.release(), Some(Instant::ZERO + Duration::from_millis(8)));
        pacer.on_sent(Instant::ZERO, 1000, &Fixed(None), None);
        assert_eq!(pacer.release(), Some(Instant::ZERO + Duration::from_millis(8)));
    }
}
