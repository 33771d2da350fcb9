//! Spacing out segments instead of sending a window at once.
//!
//! In: segments as they leave. Out: when the next may leave.
//!
//! The rate is a multiple of `cwnd / SRTT`, as Linux's internal pacing has it: 2 in slow start, so
//! that pacing does not keep the window from doubling, and 1.2 after it.

use super::profile::Pacing;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// Lets segments go at the pace of the window.
#[derive(Clone, Debug)]
pub(super) struct Pacer {
    pacing: Pacing,
    /// Nothing leaves before this.
    release: Instant,
    /// What left since then, and not yet waited for.
    burst: u64,
}

impl Pacer {
    pub(super) fn new(pacing: Pacing) -> Self {
        Self { pacing, release: Instant::ZERO, burst: 0 }
    }

    /// When the next segment may leave.
    pub(super) fn release(&self) -> Instant {
        self.release
    }

    /// A segment of `length` bytes left; the window is `cwnd` bytes.
    pub(super) fn on_sent(
        &mut self,
        now: Instant,
        length: u64,
        cwnd: u64,
        srtt: Option<Duration>,
        slow_start: bool,
    ) {
        self.burst += length;
        if self.burst < self.pacing.burst.0 {
            return;
        }
        let Some(rate) = srtt.and_then(|srtt| self.rate(cwnd, srtt, slow_start)) else {
            self.burst = 0;
            return;
        };
        self.release = now.max(self.release) + Bytes(self.burst) / rate;
        self.burst = 0;
    }

    fn rate(&self, cwnd: u64, srtt: Duration, slow_start: bool) -> Option<Bitrate> {
        let factor = if slow_start { self.pacing.slow_start } else { self.pacing.avoidance };
        let seconds = srtt.as_secs_f64().max(1e-6);
        Bitrate::from_bps((factor * (cwnd * 8) as f64 / seconds) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20 segments of 1000 bytes a 100 ms, times 1.2: a burst of two takes 2/(20·1.2)·100 ms.
    #[test]
    fn a_burst_takes_its_share_of_the_round_trip() {
        let pacing = Pacing { slow_start: 2.0, avoidance: 1.2, burst: Bytes(2000) };
        let mut pacer = Pacer::new(pacing);
        let srtt = Some(Duration::from_millis(100));
        pacer.on_sent(Instant::ZERO, 1000, 20_000, srtt, false);
        assert_eq!(pacer.release(), Instant::ZERO);
        pacer.on_sent(Instant::ZERO, 1000, 20_000, srtt, false);
        let waited = pacer.release() - Instant::ZERO;
        assert!(waited.abs_diff(Duration::from_nanos(8_333_333)) < Duration::from_nanos(10));
    }
}
