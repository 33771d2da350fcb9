//! Loss-based congestion control: slow start, congestion avoidance, and a smaller window after a
//! loss (RFC 5681 §3.1).
//!
//! In: the calls of [`Controller`]. Out: the window. NewReno and CUBIC differ in their
//! [`Avoidance`].

use std::fmt::Debug;

use super::controller::{AckSample, Burst, Controller, PacingRate, Start};
use super::slow_start::SlowStart;
use super::usage::Usage;
use super::window::Window;
use crate::net::Ecn;
use crate::tcp::profile::{IdleRestart, InitialWindow, Profile, ThresholdBase};
use crate::unit::Duration;

/// Growth of the window after slow start, and its reduction after a loss.
pub(super) trait Avoidance: Clone + Debug {
    /// Processes the sample of any acknowledgement, before it opens the window.
    fn on_sample(&mut self, _sample: &AckSample) {}

    /// Returns `true` if the control answers marks itself, by `on_marks`, and not as congestion.
    fn answers_marks(&self) -> bool {
        false
    }

    /// Returns the ECN field of data packets, where both ends agreed on ECN.
    fn field(&self) -> Ecn {
        Ecn::Ect0
    }

    /// Returns `true` if HyStart may end slow start before a loss or a mark, where the profile has
    /// it.
    fn has_hystart(&self) -> bool {
        true
    }

    /// Returns the pacing rate with a window of `cwnd` bytes. Default: the rate of the profile.
    fn pacing_rate(&self, _cwnd: u64, _mss: u64, _slow_start: bool) -> Option<PacingRate> {
        None
    }

    /// Returns the bytes by which the marks of the last sample close a window of `cwnd` bytes.
    /// `None` if they do not.
    fn on_marks(&mut self, _cwnd: u64) -> Option<u64> {
        None
    }

    /// Returns the bytes by which an acknowledgement of `acked` bytes opens a window of `cwnd`
    /// bytes.
    fn increase(&mut self, acked: u64, cwnd: u64, mss: u64, sample: &AckSample) -> u64;

    /// Returns the bytes that a loss leaves of `flight` bytes in flight, before any minimum.
    /// `gentle`: the reduction is for a mark, which costs less (RFC 8511).
    fn on_loss(&mut self, cwnd: u64, flight: u64, mss: u64, gentle: bool) -> u64;

    /// Processes a timeout, after `on_loss` if that is called.
    fn on_timeout(&mut self) {}

    /// Undoes the last reduction; `before` is the state before it (RFC 9438 §4.9).
    fn undo(&mut self, before: Self) {
        *self = before;
    }

    /// Processes a pause in which nothing was in flight because the application wrote nothing.
    fn on_pause(&mut self, _pause: Duration) {}
}

/// A loss-based congestion control.
#[derive(Clone, Debug)]
pub(super) struct LossBased<A> {
    window: Window,
    slow_start: SlowStart,
    avoidance: A,
    /// RFC 7661 §4.4: a window that is not used is not tested, and does not grow.
    only_when_limited: bool,
    usage: Usage,
    idle_restart: IdleRestart,
    threshold_base: ThresholdBase,
    initial_window: InitialWindow,
    /// A mark costs less than a loss.
    abe: bool,
    /// Minimum window after a mark, in segments.
    ecn_min_window: u64,
    /// The last acknowledgement reported marks, and the window was reduced for them.
    reduced_for_marks: bool,
    /// The window and the state of avoidance before the last reduction.
    prior: Option<(Window, A)>,
}

impl<A: Avoidance> LossBased<A> {
    /// The control of a new connection.
    pub(super) fn new(start: &Start, profile: &Profile, avoidance: A) -> Self {
        let slow_start = SlowStart::new(profile);
        let has_hystart = avoidance.has_hystart();
        Self {
            window: Window::new(start, profile.whole_segments),
            slow_start: if has_hystart { slow_start } else { slow_start.without_hystart() },
            avoidance,
            only_when_limited: profile.grow_only_when_limited,
            usage: Usage::default(),
            idle_restart: profile.restart_after_idle,
            threshold_base: profile.threshold_base,
            initial_window: start.initial_window,
            abe: profile.abe,
            ecn_min_window: u64::from(profile.ecn_min_window),
            reduced_for_marks: false,
            prior: None,
        }
    }

    #[cfg(test)]
    pub(super) fn avoidance(&self) -> &A {
        &self.avoidance
    }

    #[cfg(test)]
    pub(super) fn avoidance_mut(&mut self) -> &mut A {
        &mut self.avoidance
    }

    /// Sets the threshold after a loss or a mark. RFC 5681 §3.2 excludes the data that limited
    /// transmit sent beyond the window. Data that SACK has confirmed behind the hole is excluded
    /// too: a long recovery leaves several windows of it.
    ///
    /// Returns the bytes that remain before any minimum. The threshold is at least two segments
    /// (RFC 5681 §3.1, equation 4; RFC 9438 §4.6), after a mark too.
    fn reduce(&mut self, flight: u64, gentle: bool) -> u64 {
        self.prior = Some((self.window.clone(), self.avoidance.clone()));
        let Window { cwnd, mss, .. } = self.window;
        let base = match self.threshold_base {
            ThresholdBase::FlightSize => flight.min(cwnd),
            ThresholdBase::Cwnd => cwnd,
        };
        let left = self.avoidance.on_loss(cwnd, base, mss, gentle);
        self.window.set_threshold(left.max(2 * mss));
        self.slow_start.on_loss();
        left
    }

    /// Closes the window by the answer to marks; the result is also the slow-start threshold.
    fn reduce_for_marks(&mut self) {
        if let Some(less) = self.avoidance.on_marks(self.window.cwnd) {
            self.window.close(less);
            self.window.ssthresh = self.window.cwnd;
            self.slow_start.on_loss();
            self.prior = None;
            self.reduced_for_marks = true;
        }
    }

    fn is_used(&self) -> bool {
        self.usage.is_used(self.window.cwnd, self.window.is_in_slow_start())
    }

    /// RFC 2861 §3: halves the part of the window that was not used for a timeout; the threshold
    /// keeps three quarters of the window.
    fn shrink_unused(&mut self, used: u64) {
        let used = used.max(self.initial_window.bytes(self.window.mss));
        if used < self.window.cwnd {
            self.remember_three_quarters();
            self.window.set(u64::midpoint(self.window.cwnd, used));
        }
    }

    fn remember_three_quarters(&mut self) {
        let Window { cwnd, ssthresh, .. } = self.window;
        self.window.ssthresh = ssthresh.max(cwnd / 4 * 3);
    }
}

impl<A: Avoidance> Controller for LossBased<A> {
    fn cwnd(&self) -> u64 {
        self.window.cwnd
    }

    fn ssthresh(&self) -> Option<u64> {
        Some(self.window.ssthresh).filter(|&bytes| bytes != u64::MAX)
    }

    fn is_in_slow_start(&self) -> bool {
        self.window.is_in_slow_start()
    }

    fn pacing_rate(&self) -> Option<PacingRate> {
        let Window { cwnd, mss, .. } = self.window;
        self.avoidance.pacing_rate(cwnd, mss, self.is_in_slow_start())
    }

    fn field(&self) -> Ecn {
        self.avoidance.field()
    }

    fn answers_marks(&self) -> bool {
        self.avoidance.answers_marks()
    }

    fn has_reduced_for_marks(&self) -> bool {
        self.reduced_for_marks
    }

    fn on_mss(&mut self, mss: u64) {
        self.window.mss = mss;
    }

    fn on_burst(&mut self, burst: &Burst) {
        self.usage.on_burst(burst);
        if self.idle_restart == IdleRestart::Rfc2861 {
            let is_used = self.is_used();
            let used = self.usage.unused_for(burst, is_used).filter(|_| burst.calm);
            if let Some(used) = used {
                self.shrink_unused(used);
            }
        }
    }

    fn on_ack(&mut self, sample: &AckSample) {
        self.avoidance.on_sample(sample);
        self.slow_start.on_sample(&mut self.window, sample);
        self.reduced_for_marks = false;
        if sample.marked > 0 && !sample.recovering && self.avoidance.answers_marks() {
            self.reduce_for_marks();
        }
        if sample.recovering || !self.slow_start.counts(sample) {
            return;
        }
        let pace = self.slow_start.pace(&mut self.window, sample);
        if self.only_when_limited && !self.is_used() {
            return;
        }
        let mut acked = self.slow_start.counted(sample);
        if self.is_in_slow_start() {
            acked = self.slow_start.grow(&mut self.window, acked, pace);
        }
        let mut step = 0;
        if acked > 0 {
            self.slow_start.on_avoidance();
            let Window { cwnd, mss, .. } = self.window;
            step = self.avoidance.increase(acked, cwnd, mss, sample);
        }
        self.window.open(step);
    }

    fn on_recovery_begin(&mut self, flight: u64) {
        self.reduce(flight, false);
    }

    /// A mark is never spurious: there is nothing to undo.
    fn on_congestion(&mut self, flight: u64) -> u64 {
        let left = self.reduce(flight, self.abe);
        self.prior = None;
        left.max(self.ecn_min_window * self.window.mss)
    }

    fn on_recovery_window(&mut self, cwnd: u64) {
        self.window.set(cwnd);
    }

    fn on_timeout(&mut self, flight: u64, repeated: bool) {
        // RFC 5681 §3.1: `ssthresh` is held constant while one segment times out again.
        if !repeated {
            self.reduce(flight, false);
        }
        self.avoidance.on_timeout();
        self.slow_start.on_timeout();
        self.window.set(self.window.mss);
    }

    /// RFC 4015 §3.2, RFC 9438 §4.9
    fn on_spurious_reduction(&mut self) {
        if let Some((window, avoidance)) = self.prior.take() {
            self.window.ssthresh = window.ssthresh.max(self.window.ssthresh);
            self.window.set(window.cwnd.max(self.window.cwnd));
            self.avoidance.undo(avoidance);
        }
    }

    /// RFC 5681 §4.1: after an idle timeout the window is the initial one, or less. RFC 2861 §3: it
    /// is halved for each timeout.
    fn on_idle_restart(&mut self, timeouts: u64) {
        let cwnd = self.window.cwnd;
        let initial = cwnd.min(self.initial_window.bytes(self.window.mss));
        self.usage.on_idle_restart();
        if self.idle_restart == IdleRestart::Rfc2861 {
            self.remember_three_quarters();
            self.window.set((cwnd >> timeouts.min(63)).max(initial));
        } else {
            self.window.set(initial);
        }
    }

    fn on_pause(&mut self, pause: Duration) {
        self.avoidance.on_pause(pause);
    }
}
