//! Equal intervals, counted from a start: when pings and datagrams of constant-rate streams are
//! due.
//!
//! In: a start, an interval, and when to stop. Out: which number is due when.
//!
//! Number `n` is due at `start + n · interval`: nothing is summed, so nothing drifts.

use crate::unit::{Duration, Instant};

/// When and how often something is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// From one to the next; not zero.
    pub interval: Duration,
    /// How many; without end when `None`.
    pub count: Option<u64>,
    /// None at or after this instant.
    pub stop: Option<Instant>,
}

impl Beat {
    /// How many fit into `room` at most, and the time that they take.
    pub(super) fn most(&self, room: Duration) -> (u64, Duration) {
        let room = self.stop.map_or(room, |stop| room.min(stop - Instant::ZERO));
        let fitting = room.as_nanos() / self.interval.as_nanos() + 1;
        let number = self.count.map_or(fitting, |count| count.min(fitting));
        (number, self.interval.saturating_mul(number).min(room))
    }
}

/// A beat that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    beat: Beat,
    start: Instant,
    next: u64,
}

impl Schedule {
    /// The first is due now.
    pub(super) fn begin(beat: Beat, now: Instant) -> Self {
        Self { beat, start: now, next: 0 }
    }

    /// When number `n` was or will be due.
    pub(super) fn instant(&self, n: u64) -> Instant {
        self.start + self.beat.interval * n
    }

    /// When the next one is due; `None` when there is no more.
    pub(super) fn due(&self) -> Option<Instant> {
        let at = self.instant(self.next);
        let counted_out = self.beat.count.is_some_and(|count| self.next >= count);
        let stopped = self.beat.stop.is_some_and(|stop| at >= stop);
        (!counted_out && !stopped).then_some(at)
    }

    /// Takes the next number that is due now or was before.
    pub(super) fn take(&mut self, now: Instant) -> Option<u64> {
        if self.due()? > now {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }
}
