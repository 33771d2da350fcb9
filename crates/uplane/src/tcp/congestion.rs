//! The congestion window of one sender: slow start, and the algorithm after it.
//!
//! In: acknowledgements, losses, timeouts. Out: how many bytes may be in flight.
//!
//! Slow start (RFC 5681 §3.1) is common to all algorithms; an [`Algorithm`] says how the window grows
//! in congestion avoidance and what a loss leaves of it. What the window is *during* a recovery is
//! the business of `recovery`.
//!
//! Left out: explicit congestion notification (RFC 3168). Only runs with marking routers could tell,
//! and the links here do not mark.

mod cubic;
mod hystart;
mod new_reno;

use self::cubic::Cubic;
use self::hystart::{HyStart, Pace};
use self::new_reno::NewReno;
use super::profile::{CongestionControl, Growth, InitialWindow, Profile};
use crate::unit::{Duration, Instant};

/// The congestion window.
#[derive(Clone, Debug)]
pub(super) struct Congestion {
    /// `cwnd`
    cwnd: u64,
    /// `ssthresh`; `u64::MAX` while unlimited.
    ssthresh: u64,
    /// `SMSS`
    mss: u64,
    /// The window never grows beyond this.
    maximum: u64,
    growth: Growth,
    /// RFC 7661 §4.4: a window that is not used is not tested, and does not grow.
    only_when_limited: bool,
    /// In the slow start after a timeout.
    after_timeout: bool,
    algorithm: Algorithms,
    /// Until the first slow start has ended (RFC 9406 §4.3).
    hystart: Option<HyStart>,
}

/// A cumulative acknowledgement, as far as the window is concerned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub(super) now: Instant,
    /// Bytes newly acknowledged.
    pub(super) acked: u64,
    /// Bytes in flight before it.
    pub(super) flight: u64,
    /// The window was the reason not to send more.
    pub(super) limited: bool,
    /// Everything before this is acknowledged.
    pub(super) una: u64,
    /// Everything before this is sent.
    pub(super) nxt: u64,
    /// The round-trip sample of this acknowledgement.
    pub(super) sample: Option<Duration>,
    /// The smoothed round-trip time.
    pub(super) srtt: Option<Duration>,
}

/// What congestion controls differ in.
trait Algorithm {
    /// Congestion avoidance: by how many bytes this acknowledgement of `acked` bytes opens a window of
    /// `cwnd` bytes.
    fn increase(&mut self, acked: u64, cwnd: u64, mss: u64, progress: &Progress) -> u64;

    /// The slow-start threshold after a loss with `flight` bytes in flight, in bytes.
    fn on_loss(&mut self, cwnd: u64, flight: u64, mss: u64) -> u64;

    /// After `on_loss`, when the loss was noticed by a timeout.
    fn on_timeout(&mut self) {}

    /// Nothing was in flight for this long, and the application was the reason.
    fn on_pause(&mut self, _pause: Duration) {}
}

/// The built-in algorithms.
#[derive(Clone, Debug)]
enum Algorithms {
    NewReno(NewReno),
    Cubic(Cubic),
}

impl Congestion {
    /// The window of a connection that is not open yet.
    pub(super) fn new(profile: &Profile) -> Self {
        Self {
            cwnd: profile.segments.mss.0,
            ssthresh: profile.congestion.initial_ssthresh.map_or(u64::MAX, |bytes| bytes.0),
            mss: profile.segments.mss.0,
            maximum: profile.congestion.maximum_cwnd.map_or(u64::MAX >> 1, |bytes| bytes.0),
            growth: profile.congestion.growth,
            only_when_limited: profile.congestion.grow_only_when_limited,
            after_timeout: false,
            algorithm: match profile.congestion.control {
                CongestionControl::NewReno => {
                    Algorithms::NewReno(NewReno::new(profile.congestion.growth))
                }
                CongestionControl::Cubic => Algorithms::Cubic(Cubic::default()),
            },
            hystart: profile
                .congestion
                .hystart
                .then(|| HyStart::new(profile.sender.pacing.is_some())),
        }
    }

    /// The connection is open with this segment size; data begins at `una`.
    pub(super) fn open(&mut self, mss: u64, initial: InitialWindow) {
        self.mss = mss;
        self.set_cwnd(initial.bytes(mss));
    }

    /// `cwnd` in bytes.
    pub(super) fn cwnd(&self) -> u64 {
        self.cwnd
    }

    /// `ssthresh` in bytes, `None` while unlimited.
    pub(super) fn ssthresh(&self) -> Option<u64> {
        Some(self.ssthresh).filter(|&bytes| bytes != u64::MAX)
    }

    /// `SMSS` in bytes.
    pub(super) fn mss(&self) -> u64 {
        self.mss
    }

    /// RFC 5681 §3.1
    pub(super) fn is_in_slow_start(&self) -> bool {
        self.cwnd < self.ssthresh
    }

    /// The path takes only smaller segments.
    pub(super) fn set_mss(&mut self, mss: u64) {
        self.mss = mss;
    }

    /// Sets the window, within one segment and the maximum.
    pub(super) fn set_cwnd(&mut self, cwnd: u64) {
        self.cwnd = cwnd.min(self.maximum).max(self.mss);
    }

    /// The window is `ssthresh` from now on: a recovery begins or ends.
    pub(super) fn set_cwnd_to_threshold(&mut self) {
        self.set_cwnd(self.ssthresh);
    }

    /// More is acknowledged, outside of a fast recovery.
    #[inline(always)]
    pub(super) fn on_ack(&mut self, progress: &Progress) {
        let pace = self.slow_start_pace(progress);
        if self.only_when_limited && !self.is_used(progress) {
            return;
        }
        let mut acked = progress.acked;
        if self.is_in_slow_start() {
            acked = self.slow_start(acked, pace);
        }
        if acked > 0 {
            self.after_timeout = false;
            let (cwnd, mss) = (self.cwnd, self.mss);
            self.cwnd += self.algorithm.get().increase(acked, cwnd, mss, progress);
        }
        self.cwnd = self.cwnd.min(self.maximum.max(self.mss));
    }

    /// A loss was noticed with `flight` bytes in flight; sets `ssthresh`.
    ///
    /// RFC 5681 §3.2 excludes what limited transmit sent beyond the window; the same goes for data that SACK
    /// has confirmed behind the hole, of which a long recovery leaves several windows.
    pub(super) fn on_loss(&mut self, flight: u64) {
        let flight = flight.min(self.cwnd);
        self.ssthresh = self.algorithm.get().on_loss(self.cwnd, flight, self.mss);
        self.hystart = None;
    }

    /// The retransmission timer expired; `repeated` when it did already for the same segment.
    pub(super) fn on_timeout(&mut self, flight: u64, repeated: bool) {
        // RFC 5681 §3.1: `ssthresh` is held constant while one segment times out again.
        if !repeated {
            self.on_loss(flight);
            self.algorithm.get().on_timeout();
        }
        self.after_timeout = true;
        self.set_cwnd(self.mss);
    }

    /// RFC 5681 §4.1: after an idle timeout the window is the initial one, or less.
    pub(super) fn restart(&mut self, initial: InitialWindow) {
        self.set_cwnd(self.cwnd.min(initial.bytes(self.mss)));
    }

    /// Nothing was in flight for this long, and the application was the reason.
    pub(super) fn on_pause(&mut self, pause: Duration) {
        self.algorithm.get().on_pause(pause);
    }

    /// HyStart++ looks at each sample, and may end slow start.
    fn slow_start_pace(&mut self, progress: &Progress) -> Pace {
        if !self.is_in_slow_start() {
            self.hystart = None;
        }
        let Some(hystart) = &mut self.hystart else { return Pace::Full };
        let pace = hystart.on_ack(progress);
        if pace == Pace::Stop {
            self.ssthresh = self.cwnd;
            self.hystart = None;
        }
        pace
    }

    /// Grows in slow start and returns the bytes left for congestion avoidance.
    fn slow_start(&mut self, acked: u64, pace: Pace) -> u64 {
        let step = match self.growth {
            Growth::PerAck => self.mss,
            Growth::PerByte { limit: None } => acked,
            // RFC 3465 §2.3: no more than one segment an ACK after a timeout.
            Growth::PerByte { limit: Some(_) } if self.after_timeout => acked.min(self.mss),
            Growth::PerByte { limit: Some(limit) } => acked.min(u64::from(limit) * self.mss),
        };
        let step = pace.apply(step, self.mss);
        let room = self.ssthresh - self.cwnd;
        self.cwnd += step;
        if self.growth == Growth::PerAck || step <= room || pace != Pace::Full {
            return 0;
        }
        self.cwnd = self.ssthresh;
        step - room
    }

    /// True when the window was used: in slow start, where each round doubles it, half of it.
    fn is_used(&self, progress: &Progress) -> bool {
        progress.limited || (self.is_in_slow_start() && 2 * progress.flight > self.cwnd)
    }
}

impl Algorithms {
    fn get(&mut self) -> &mut dyn Algorithm {
        match self {
            Self::NewReno(algorithm) => algorithm,
            Self::Cubic(algorithm) => algorithm,
        }
    }
}

#[cfg(test)]
mod tests;
