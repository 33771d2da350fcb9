//! Slow start: the window doubles each round trip (RFC 5681 §3.1, RFC 3465).
//!
//! In: acknowledgements. Out: bytes of growth, and the bytes of an acknowledgement that are left
//! for congestion avoidance. HyStart++ may slow down or end the first slow start. HyStart of Linux
//! may end any.

use super::controller::AckSample;
use super::hystart::{HyStart, Pace};
use super::linux_hystart::LinuxHystart;
use super::window::Window;
use crate::tcp::profile::{Growth, Profile, SlowStartExit};

/// Slow start of a loss-based control.
#[derive(Clone, Debug)]
pub(super) struct SlowStart {
    growth: Growth,
    /// This slow start follows a timeout.
    after_timeout: bool,
    /// HyStart++, until the first slow start has ended (RFC 9406 §4.3).
    hystart: Option<HyStart>,
    linux: Option<LinuxHystart>,
}

impl SlowStart {
    /// The first slow start of a connection.
    pub(super) fn new(profile: &Profile) -> Self {
        Self {
            growth: profile.growth,
            after_timeout: false,
            hystart: (profile.hystart == SlowStartExit::Rfc9406)
                .then(|| HyStart::new(profile.pacing)),
            linux: (profile.hystart == SlowStartExit::Linux).then(LinuxHystart::default),
        }
    }

    /// Passes each sample, including those by SACK alone, to HyStart of Linux (`cubictcp_acked`),
    /// which may end slow start.
    pub(super) fn on_sample(&mut self, window: &mut Window, sample: &AckSample) {
        let Some(linux) = &mut self.linux else { return };
        if window.is_in_slow_start() && linux.on_ack(sample, window.cwnd / window.mss) {
            window.ssthresh = window.cwnd;
        }
    }

    /// Passes each acknowledgement that opens the window to HyStart++, which may end slow start.
    pub(super) fn pace(&mut self, window: &mut Window, sample: &AckSample) -> Pace {
        if !window.is_in_slow_start() {
            self.hystart = None;
        }
        let Some(hystart) = &mut self.hystart else { return Pace::Full };
        let pace = hystart.on_ack(sample);
        if pace == Pace::Stop {
            window.ssthresh = window.cwnd;
            self.hystart = None;
        }
        pace
    }

    /// Returns `true` if this acknowledgement opens the window: one that advances (RFC 5681 §3.1).
    /// `Growth::PerByte` also counts one by SACK alone on a path that reorders, as Linux does
    /// (`tcp_may_raise_cwnd`).
    pub(super) fn counts(&self, sample: &AckSample) -> bool {
        sample.advanced || (sample.reordered && self.growth == Growth::PerByte)
    }

    /// Returns the bytes by which this acknowledgement opens the window.
    ///
    /// RFC 5681 §3.1 and RFC 3465 §2.1 count the bytes that are acknowledged cumulatively, even if
    /// SACK may have reported them before. `Growth::PerByte` counts as Linux does
    /// (`tcp_cong_control`): the bytes delivered, reported by SACK for the first time or
    /// acknowledged.
    pub(super) fn counted(&self, sample: &AckSample) -> u64 {
        if self.growth == Growth::PerByte { sample.delivered } else { sample.acked }
    }

    /// Opens the window and returns the bytes left for congestion avoidance.
    pub(super) fn grow(&mut self, window: &mut Window, acked: u64, pace: Pace) -> u64 {
        let step = match self.growth {
            Growth::PerAck => window.mss,
            Growth::PerByte => acked,
            // RFC 3465 §2.3: no more than one segment an ACK after a timeout.
            Growth::Abc2 if !self.after_timeout => acked.min(2 * window.mss),
            Growth::Abc1 | Growth::Abc2 => acked.min(window.mss),
        };
        let step = pace.apply(step, window.mss);
        let room = window.ssthresh - window.cwnd;
        let within = self.growth == Growth::PerAck || step <= room || pace != Pace::Full;
        window.open(if within { step } else { room });
        if within { 0 } else { step - room }
    }

    /// Processes the start of congestion avoidance.
    pub(super) fn on_avoidance(&mut self) {
        self.after_timeout = false;
    }

    /// Ends HyStart++ after a loss.
    pub(super) fn on_loss(&mut self) {
        self.hystart = None;
    }

    /// Returns a slow start that only losses and marks end.
    pub(super) fn without_hystart(mut self) -> Self {
        (self.hystart, self.linux) = (None, None);
        self
    }

    /// Restarts slow start after a timeout.
    pub(super) fn on_timeout(&mut self) {
        self.after_timeout = true;
        if let Some(linux) = &mut self.linux {
            linux.on_timeout();
        }
    }
}
