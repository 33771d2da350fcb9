//! The use of the window. A window that is not used is not tested: it must not grow (RFC 7661
//! §4.4), and shrinks (RFC 2861 §3).
//!
//! In: the state of the sender after each burst. Out: the answer whether the window was used in
//! this round trip, and the part that was used.
//!
//! Both are judged when data leaves, as in Linux (`tcp_cwnd_validate`): data that an
//! acknowledgement releases may use a window that was not used before.

use super::controller::Burst;
use crate::unit::{Duration, Instant};

/// Account of the use of the window.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// The round trip ends when this position is acknowledged.
    round_end: u64,
    /// The window was the limit in this round trip.
    limited: bool,
    /// Maximum of the data in flight in this round trip (`pipeACK`).
    largest: u64,
    /// Maximum of the data in flight since the window was last used (`W_used`).
    used: u64,
    /// Time of the last full use (`T_prev`).
    used_at: Instant,
}

impl Usage {
    /// Books a burst that has left. It begins a round trip, or counts in the present one if more is
    /// in flight.
    #[inline]
    pub(super) fn on_burst(&mut self, burst: &Burst) {
        let is_over = burst.una >= self.round_end;
        let is_more = !self.limited && burst.flight > self.largest;
        if is_over || burst.limited || is_more {
            self.limited = burst.limited;
            self.largest = burst.flight;
            self.round_end = burst.nxt;
        }
    }

    /// Returns `true` if a window of `cwnd` was used in this round trip. In slow start, where each
    /// round doubles the window, half of it is enough.
    pub(super) fn is_used(&self, cwnd: u64, slow_start: bool) -> bool {
        self.limited || (slow_start && 2 * self.largest > cwnd)
    }

    /// RFC 2861 §3: returns the used part of the window, if it was not fully used for a
    /// retransmission timeout.
    pub(super) fn unused_for(&mut self, burst: &Burst, is_used: bool) -> Option<u64> {
        if is_used {
            self.on_used(burst.now);
            return None;
        }
        self.used_at = self.used_at.min(burst.now);
        self.used = self.used.max(burst.flight);
        if burst.now.saturating_since(self.used_at) < burst.rto.max(SHORTEST) {
            return None;
        }
        let used = self.used;
        self.on_used(burst.now);
        Some(used)
    }

    /// Restarts the account for the new window after an idle time. The use of the new window counts
    /// starting with the next burst.
    pub(super) fn on_idle_restart(&mut self) {
        self.on_used(Instant::FAR_FUTURE);
    }

    /// Restarts the account: the window is used at `now`.
    fn on_used(&mut self, now: Instant) {
        (self.used, self.used_at) = (0, now);
    }
}

/// Minimum of the timeout in this account.
const SHORTEST: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use super::*;

    fn burst(flight: u64, una: u64, nxt: u64) -> Burst {
        Burst { flight, una, nxt, ..Burst::default() }
    }

    /// RFC 7661 §4.4: the largest flight of the round counts, until all of it is acknowledged.
    #[test]
    fn the_largest_flight_of_a_round_counts() {
        let mut usage = Usage::default();
        for (flight, una, nxt) in [(4, 0, 4), (10, 0, 10), (7, 5, 12), (3, 9, 12)] {
            usage.on_burst(&burst(flight, una, nxt));
        }
        assert!(usage.is_used(19, true) && !usage.is_used(20, true));
        assert!(!usage.is_used(1, false));
        usage.on_burst(&burst(1, 12, 13));
        assert!(!usage.is_used(2, true) && usage.is_used(1, true));
    }

    /// RFC 7661 §4.4: a window that was the limit once in a round trip was used in it.
    #[test]
    fn a_limit_counts_for_a_round() {
        let mut usage = Usage::default();
        usage.on_burst(&Burst { limited: true, ..burst(10, 0, 10) });
        usage.on_burst(&burst(8, 4, 12));
        assert!(usage.is_used(1000, false));
        usage.on_burst(&burst(2, 10, 12));
        assert!(!usage.is_used(1000, false));
    }

    /// RFC 2861 §3
    #[test]
    fn used_window_is_reported_once_a_timeout() {
        let rto = Duration::from_millis(200);
        let at = |millis| Burst {
            now: Instant::ZERO + Duration::from_millis(millis),
            flight: 10 + millis / 100,
            rto,
            ..Burst::default()
        };
        let mut usage = Usage::default();
        assert_eq!(usage.unused_for(&at(100), true), None);
        assert_eq!(usage.unused_for(&at(299), false), None);
        assert_eq!(usage.unused_for(&at(300), false), Some(13));
        assert_eq!(usage.unused_for(&at(499), false), None);
        assert_eq!(usage.unused_for(&at(500), false), Some(15));
        usage.on_idle_restart();
        assert_eq!(usage.unused_for(&at(2000), false), None);
        assert_eq!(usage.unused_for(&at(2199), false), None);
        assert_eq!(usage.unused_for(&at(2200), false), Some(32));
    }
}
