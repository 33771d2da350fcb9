//! `cwnd` and `ssthresh` of a loss-based control.
//!
//! In: a new size. Out: that size within its bounds, one segment and the profile's maximum.

use super::controller::Start;

/// The window of a loss-based control, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) cwnd: u64,
    /// `u64::MAX` while unlimited.
    pub(super) ssthresh: u64,
    /// `SMSS`
    pub(super) mss: u64,
    /// Maximum window, in bytes.
    maximum: u64,
    /// The window is a whole number of segments.
    whole: bool,
    /// Growth below one segment, for the next step.
    rest: u64,
}

impl Window {
    /// Returns the window of a new connection. `whole`: it counts whole segments.
    pub(super) fn new(start: &Start, whole: bool) -> Self {
        let mut window = Self {
            cwnd: 0,
            ssthresh: start.initial_ssthresh.unwrap_or(u64::MAX),
            mss: start.mss,
            whole,
            rest: 0,
            maximum: start.max_window.unwrap_or(u64::MAX >> 1),
        };
        window.set(start.initial_window.bytes(start.mss));
        window
    }

    /// RFC 5681 §3.1
    pub(super) fn is_in_slow_start(&self) -> bool {
        if self.whole { self.cwnd + self.mss <= self.ssthresh } else { self.cwnd < self.ssthresh }
    }

    /// Sets the window, within one segment and the maximum.
    pub(super) fn set(&mut self, cwnd: u64) {
        let cwnd = cwnd.min(self.maximum);
        let cwnd = if self.whole { cwnd / self.mss * self.mss } else { cwnd };
        self.cwnd = cwnd.max(self.mss);
        self.rest = 0;
    }

    /// Sets the threshold, in whole segments if the window counts whole segments.
    pub(super) fn set_threshold(&mut self, ssthresh: u64) {
        self.ssthresh = if self.whole { ssthresh / self.mss * self.mss } else { ssthresh };
    }

    /// Closes the window by `bytes`, for a control that answers marks itself. At least two segments
    /// remain, since Prague has no smaller window here. A part that is no whole segment is kept for
    /// the next time.
    pub(super) fn close(&mut self, bytes: u64) {
        let left = (self.cwnd + self.rest).saturating_sub(bytes).max(2 * self.mss);
        self.rest = if self.whole { left % self.mss } else { 0 };
        self.cwnd = left - self.rest;
    }

    /// Opens the window by `bytes`, up to the maximum.
    pub(super) fn open(&mut self, bytes: u64) {
        let mut step = bytes;
        if self.whole {
            step += self.rest;
            self.rest = step % self.mss;
            step -= self.rest;
        }
        self.cwnd = (self.cwnd + step).min(self.maximum.max(self.mss));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::profile::InitialWindow;

    /// Twenty segments less two and a half are seventeen, and a half that counts the next time.
    #[test]
    fn whole_segment_window_keeps_its_remainder() {
        let start = Start {
            mss: 1000,
            rtt: None,
            initial_window: InitialWindow::Segments(20),
            initial_ssthresh: None,
            max_window: None,
            counts_marks: false,
        };
        let mut window = Window::new(&start, true);
        let left = [2500, 500, 500].map(|bytes| {
            window.close(bytes);
            window.cwnd
        });
        assert_eq!(left, [17_000, 17_000, 16_000]);
    }
}
