//! One stream at one end: lengths of written and read data.
//!
//! In: writes, chunks that were sent, acknowledged or received. Out: the waits of data before its
//! departure, the number of acknowledged bytes, the number of new bytes.
//!
//! The library keeps the data; this file keeps only lengths, and the times that the library does
//! not know.

use std::collections::{BTreeMap, VecDeque};

use crate::net::waits::Waits;
use crate::unit::Instant;

/// One stream at one end, as lengths.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The stream id of the protocol, once either end has opened the stream.
    pub(super) id: Option<u64>,
    /// Bytes that the application has written, that the library has taken, and that have been sent.
    pub(super) written: u64,
    pub(super) given: u64,
    pub(super) sent: u64,
    /// The application writes no more data; the library has been notified.
    pub(super) closing: bool,
    pub(super) finished: bool,
    /// The application waits for the first departure of its newest data.
    pub(super) awaits_first_sent: bool,
    /// The peer's limit for the data of the stream (RFC 9000 §4.1).
    pub(super) credit: u64,
    /// Number of bytes, in order, that the application has read here.
    pub(super) delivered: u64,
    /// Bytes that arrived at least once, and bytes that are acknowledged.
    pub(super) arrived: Ranges,
    pub(super) acked: Ranges,
    history: History,
}

/// Times of the writes, and of first departures.
#[derive(Debug, Default)]
struct History {
    /// End positions of writes, and the stopwatch at the time of each write.
    writes: VecDeque<(u64, Waits)>,
    /// First departures of chunks in flight, by their first byte.
    first_sent: BTreeMap<u64, FirstSent>,
}

/// The first departure of a chunk, and its waits until then.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstSent {
    pub(super) at: Instant,
    pub(super) waits: Waits,
}

impl Stream {
    pub(super) fn new(credit: u64) -> Self {
        Self { credit, ..Self::default() }
    }

    /// Records a write; `waits` is the sender's current stopwatch.
    pub(super) fn write(&mut self, bytes: u64, waits: Waits) {
        self.written += bytes;
        self.awaits_first_sent = true;
        self.history.writes.push_back((self.written, waits));
    }

    pub(super) fn has_unsent(&self) -> bool {
        self.written > self.sent
    }

    /// Records the departure of bytes `start..end`. Returns the first departure of the first of
    /// them.
    pub(super) fn on_sent(
        &mut self,
        now: Instant,
        (start, end): (u64, u64),
        waits: Waits,
    ) -> FirstSent {
        let History { writes, first_sent } = &mut self.history;
        if start < self.sent {
            self.sent = self.sent.max(end);
            let earlier = first_sent.range(..=start).next_back();
            return earlier.map_or(FirstSent { at: now, waits: Waits::default() }, |(_, &it)| it);
        }
        while writes.front().is_some_and(|&(last, _)| last <= start) {
            writes.pop_front();
        }
        let before = writes.front().map_or(waits, |&(_, before)| before);
        let first = FirstSent { at: now, waits: waits.since(&before) };
        first_sent.insert(start, first);
        self.sent = end;
        first
    }

    /// Records the acknowledgement of bytes `start..end`. Returns `true` if any of them is
    /// acknowledged for the first time.
    pub(super) fn on_acked(&mut self, start: u64, end: u64) -> bool {
        while let Some((&first, _)) = self.history.first_sent.range(start..end).next() {
            self.history.first_sent.remove(&first);
        }
        self.acked.add(start, end) > 0
    }
}

/// Disjoint ranges of bytes.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    /// End of each range, by its start.
    ranges: BTreeMap<u64, u64>,
    total: u64,
}

impl Ranges {
    /// Adds `start..end`. Returns the number of new bytes.
    pub(super) fn add(&mut self, start: u64, end: u64) -> u64 {
        let (mut from, mut to, mut known) = (start, end, 0);
        while let Some((&first, &last)) = self.ranges.range(..=to).next_back() {
            if last < from {
                break;
            }
            known += last.min(end).saturating_sub(first.max(start));
            (from, to) = (from.min(first), to.max(last));
            self.ranges.remove(&first);
        }
        self.ranges.insert(from, to);
        self.total += end - start - known;
        end - start - known
    }

    /// Returns the number of bytes in all ranges.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::waits::{Limit, LimitAccount};
    use crate::unit::Duration;

    /// Compares ranges with a set of bytes.
    #[test]
    fn ranges_are_the_union_of_what_was_added() {
        let mut random = crate::sim::Streams::new(5).open("ranges", "test");
        let (mut ranges, mut bytes) = (Ranges::default(), std::collections::BTreeSet::new());
        for _ in 0..2000 {
            let start = random.below(400);
            let end = start + 1 + random.below(30);
            let new = (start..end).filter(|&byte| bytes.insert(byte)).count();
            assert_eq!(ranges.add(start, end), new as u64);
            assert_eq!(ranges.total(), bytes.len() as u64);
            if bytes.len() > 380 {
                (ranges, bytes) = Default::default();
            }
        }
    }

    #[test]
    fn data_waits_from_its_write_to_its_first_departure() {
        let at = Instant::from_nanos;
        let mut account = LimitAccount::start(at(0));
        let mut stream = Stream::new(1000);
        account.enter(at(10), Limit::CongestionWindow);
        stream.write(100, account.waits_at(at(10)));
        stream.write(100, account.waits_at(at(15)));
        let first = stream.on_sent(at(20), (0, 60), account.waits_at(at(20)));
        assert_eq!(first.waits.total(), Duration::from_nanos(10));
        let second = stream.on_sent(at(30), (100, 200), account.waits_at(at(30)));
        assert_eq!(second.waits.spent(Limit::CongestionWindow), Duration::from_nanos(15));
        let again = stream.on_sent(at(50), (0, 40), account.waits_at(at(50)));
        assert_eq!((again.at, again.waits.total()), (at(20), Duration::from_nanos(10)));
        assert!(stream.on_acked(0, 60) && !stream.on_acked(10, 20));
    }
}
