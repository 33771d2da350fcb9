//! Equal intervals, counted from a start: the times of pings and of datagrams of constant-rate
//! streams.
//!
//! In: a start, an interval, and a stop. Out: the time of each number.
//!
//! Number `n` is due at `start + n · interval`: times are not summed, so they do not drift.

use crate::unit::{Duration, Instant};

/// The interval, count and stop of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Interval between two items; not zero.
    pub interval: Duration,
    /// Number of items. `None`: unlimited.
    pub count: Option<u64>,
    /// Time at and after which no item is due.
    pub stop: Option<Instant>,
}

impl Beat {
    /// Returns the maximum number of items that fit into `room`, and the time that they take.
    pub(super) fn most(&self, room: Duration) -> (u64, Duration) {
        let room = self.stop.map_or(room, |stop| room.min(stop - Instant::ZERO));
        let fitting = room.as_nanos() / self.interval.as_nanos() + 1;
        let number = self.count.map_or(fitting, |count| count.min(fitting));
        (number, self.interval.saturating_mul(number).min(room))
    }
}

/// A series in progress, with its start and next item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    beat: Beat,
    start: Instant,
    next: u64,
}

impl Schedule {
    /// Begins a series whose first item is due now.
    pub(super) fn begin(beat: Beat, now: Instant) -> Self {
        Self { beat, start: now, next: 0 }
    }

    /// Returns the time at which item `n` was or will be due.
    pub(super) fn instant(&self, n: u64) -> Instant {
        self.start + self.beat.interval * n
    }

    /// Returns the time at which the next item is due. `None` if there are no more.
    pub(super) fn due(&self) -> Option<Instant> {
        let at = self.instant(self.next);
        let counted_out = self.beat.count.is_some_and(|count| self.next >= count);
        let stopped = self.beat.stop.is_some_and(|stop| at >= stop);
        (!counted_out && !stopped).then_some(at)
    }

    /// Takes the number of the next item that is due now or was due before.
    pub(super) fn take(&mut self, now: Instant) -> Option<u64> {
        if self.due()? > now {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }
}
