//! Pacing: segments are spaced out instead of sent as a window at once.
//!
//! In: segments as they leave, with the pacing rate. Out: when the next may leave.
//!
//! The rate is the congestion control's own, or else a multiple of `cwnd / SRTT`, as in Linux's
//! internal pacing: 2 in slow start, so that pacing does not keep the window from doubling, and 1.2
//! after it.

use super::congestion::controller::{Controller, PacingRate};
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// Spaces segments at the pacing rate.
#[derive(Clone, Debug)]
pub(super) struct Pacer {
    /// Burst that leaves at once, if the profile paces.
    quantum: Option<Bytes>,
    /// Nothing leaves before this instant; `None` while nothing has been paced.
    release: Option<Instant>,
    /// Bytes of the present burst, which do not delay later ones yet.
    burst: u64,
    /// Retransmissions are paced too.
    paces_all: bool,
}

impl Pacer {
    pub(super) fn new(quantum: Option<Bytes>) -> Self {
        Self { quantum, release: None, burst: 0, paces_all: false }
    }

    /// Paces all departures: the control has its own pacing rate.
    pub(super) fn pace_all(&mut self) {
        self.paces_all = true;
    }

    /// Returns `true` if retransmissions are paced too.
    pub(super) fn paces_all(&self) -> bool {
        self.paces_all
    }

    /// Returns `true` if a retransmission has to wait.
    #[inline]
    pub(super) fn holds_again(&self, now: Instant) -> bool {
        self.paces_all && self.release.is_some_and(|release| release > now)
    }

    /// Returns the time at which the next segment may leave.
    pub(super) fn release(&self) -> Option<Instant> {
        self.release
    }

    /// Books a departure of `length` bytes.
    #[inline]
    pub(super) fn on_sent(
        &mut self,
        now: Instant,
        length: u64,
        controller: &dyn Controller,
        srtt: Option<Duration>,
    ) {
        let (quantum, rate) = match (controller.pacing_rate(), self.quantum) {
            (Some(PacingRate { rate, quantum }), _) => (quantum, Some(rate)),
            (None, Some(quantum)) => (quantum, srtt.and_then(|srtt| rate(controller, srtt))),
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

/// Linux's multiple of `cwnd / SRTT`.
fn rate(controller: &dyn Controller, srtt: Duration) -> Option<Bitrate> {
    let slow_start = controller.is_in_slow_start();
    let factor = if slow_start { SLOW_START_RATIO } else { AVOIDANCE_RATIO };
    let seconds = srtt.as_secs_f64().max(1e-6);
    Bitrate::from_bps((factor * (controller.cwnd() * 8) as f64 / seconds) as u64)
}

/// Linux: `tcp_pacing_ss_ratio` of 200 %.
const SLOW_START_RATIO: f64 = 2.0;
/// Linux: `tcp_pacing_ca_ratio` of 120 %.
const AVOIDANCE_RATIO: f64 = 1.2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::controller::AckSample;

    /// A window of 20 segments of 1000 bytes, with or without its own pacing rate.
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
    fn burst_takes_its_share_of_a_round() {
        let mut pacer = Pacer::new(Some(Bytes(2000)));
        let srtt = Some(Duration::from_millis(100));
        pacer.on_sent(Instant::ZERO, 1000, &Fixed(None), srtt);
        assert_eq!(pacer.release(), None);
        pacer.on_sent(Instant::ZERO, 1000, &Fixed(None), srtt);
        let waited = pacer.release().expect("it is paced") - Instant::ZERO;
        assert!(waited.abs_diff(Duration::from_nanos(8_333_333)) < Duration::from_nanos(10));
    }

    /// A control with its own pacing rate is paced whatever the profile says: 1000 bytes at 1
    /// Mbit/s take 8 ms.
    #[test]
    fn rate_of_the_control_has_priority() {
        let rate = Bitrate::from_bps(1_000_000).expect("more than none");
        let paced = Fixed(Some(PacingRate { rate, quantum: Bytes(1000) }));
        let mut pacer = Pacer::new(None);
        pacer.on_sent(Instant::ZERO, 1000, &paced, None);
        assert_eq!(pacer.release(), Some(Instant::ZERO + Duration::from_millis(8)));
        pacer.on_sent(Instant::ZERO, 1000, &Fixed(None), None);
        assert_eq!(pacer.release(), Some(Instant::ZERO + Duration::from_millis(8)));
    }
}
