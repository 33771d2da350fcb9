//! Whether the window is used. A window that is not used is not tested: it must not grow (RFC 7661
//! §4.4), and shrinks (RFC 2861 §3).
//!
//! In: acknowledgements. Out: whether the window was used in this round trip, and how much of it.

use super::controller::AckSample;
use crate::unit::{Duration, Instant};

/// How much of the window was used.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// The round trip ends when this is acknowledged.
    round_end: u64,
    /// The window was the limit in this round trip.
    limited: bool,
    /// The most that was in flight in this round trip (`pipeACK`).
    largest: u64,
    /// The most that was in flight since the window was last used (`W_used`).
    used: u64,
    /// When it was last used (`T_prev`).
    used_at: Instant,
}

impl Usage {
    /// An acknowledgement came. What was in flight before it is the most since the one before.
    pub(super) fn on_ack(&mut self, sample: &AckSample) {
        if sample.una.saturating_sub(sample.acked) >= self.round_end {
            (self.limited, self.largest, self.round_end) = (false, 0, sample.nxt);
        }
        self.limited |= sample.limited;
        self.largest = self.largest.max(sample.flight);
    }

    /// True when a window of `cwnd` was used in this round trip: in slow start, where each round
    /// doubles it, half of it.
    pub(super) fn is_used(&self, cwnd: u64, slow_start: bool) -> bool {
        self.limited || (slow_start && 2 * self.largest > cwnd)
    }

    /// RFC 2861 §3: how much of the window was used, when that has been less than all of it for a
    /// retransmission timeout.
    pub(super) fn unused_for(&mut self, sample: &AckSample, is_used: bool) -> Option<u64> {
        if is_used {
            self.on_used(sample.now);
            return None;
        }
        self.used = self.used.max(sample.flight);
        if sample.now.saturating_since(self.used_at) < sample.rto.max(SHORTEST) {
            return None;
        }
        let used = self.used;
        self.on_used(sample.now);
        Some(used)
    }

    /// The window is in use from `now` on.
    fn on_used(&mut self, now: Instant) {
        (self.used, self.used_at) = (0, now);
    }
}

/// A shorter time does not count as a timeout.
const SHORTEST: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten segments of one round trip, acknowledged in pairs.
    fn ack(una: u64) -> AckSample {
        AckSample { acked: 2, flight: 12 - una, una, nxt: 10, ..AckSample::default() }
    }

    /// RFC 7661 §4.4: the largest flight of the round counts, not the one before this
    /// acknowledgement.
    #[test]
    fn a_flight_that_shrinks_as_it_is_acknowledged_was_as_large_as_it_was() {
        let mut usage = Usage::default();
        for una in [2, 4, 6, 8, 10] {
            usage.on_ack(&ack(una));
            assert!(usage.is_used(19, true) && !usage.is_used(20, true), "{una}");
        }
        let next = AckSample { acked: 1, flight: 1, una: 11, nxt: 11, ..AckSample::default() };
        usage.on_ack(&next);
        assert!(!usage.is_used(2, true) && usage.is_used(1, true));
        assert!(!usage.is_used(1, false));
    }

    /// RFC 2861 §3
    #[test]
    fn what_was_used_is_told_once_a_timeout() {
        let rto = Duration::from_millis(200);
        let at = |millis| AckSample {
            now: Instant::ZERO + Duration::from_millis(millis),
            flight: 10 + millis / 100,
            rto,
            ..AckSample::default()
        };
        let mut usage = Usage::default();
        assert_eq!(usage.unused_for(&at(100), true), None);
        assert_eq!(usage.unused_for(&at(299), false), None);
        assert_eq!(usage.unused_for(&at(300), false), Some(13));
        assert_eq!(usage.unused_for(&at(499), false), None);
        assert_eq!(usage.unused_for(&at(500), false), Some(15));
    }
}
