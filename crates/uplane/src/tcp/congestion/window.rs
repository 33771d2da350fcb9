//! `cwnd` and `ssthresh` of a control by losses.
//!
//! In: a new size. Out: the same within its bounds, one segment and the profile's maximum.

use super::Start;

/// The window of a control by losses, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) cwnd: u64,
    /// `u64::MAX` while unlimited.
    pub(super) ssthresh: u64,
    /// `SMSS`
    pub(super) mss: u64,
    /// The window never grows beyond this.
    maximum: u64,
}

impl Window {
    /// The window of a new connection.
    pub(super) fn new(start: &Start<'_>) -> Self {
        let mut window = Self {
            cwnd: 0,
            ssthresh: start.profile.initial_ssthresh.get().map_or(u64::MAX, |bytes| bytes.0),
            mss: start.mss,
            maximum: start.profile.max_window.get().map_or(u64::MAX >> 1, |bytes| bytes.0),
        };
        window.set(start.initial_window.bytes(start.mss));
        window
    }

    /// RFC 5681 §3.1
    pub(super) fn is_in_slow_start(&self) -> bool {
        self.cwnd < self.ssthresh
    }

    /// Sets the window, within one segment and the maximum.
    pub(super) fn set(&mut self, cwnd: u64) {
        self.cwnd = cwnd.min(self.maximum).max(self.mss);
    }

    /// Opens the window by `bytes`, up to the maximum.
    pub(super) fn open(&mut self, bytes: u64) {
        self.cwnd = (self.cwnd + bytes).min(self.maximum.max(self.mss));
    }
}
