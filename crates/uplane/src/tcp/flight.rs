//! What was sent and is not yet acknowledged, with what is known about each segment.
//!
//! In: segments as they are sent, and marks: arrived (SACK), lost, sent again. Out: how much is
//! outstanding, and which segment to send again.
//!
//! A queue in stream order with counters, so that an acknowledgement costs what it acknowledges and
//! not what is outstanding.

use std::collections::VecDeque;

use super::limits::Waits;
use super::ranges::{Range, RangeSet};
use crate::unit::Instant;

/// One segment in flight.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// The position of its first byte.
    pub(super) start: u64,
    /// Bytes of payload.
    pub(super) length: u32,
    /// It carries the FIN, which takes the position after the payload.
    pub(super) fin: bool,
    /// When it was first sent.
    pub(super) first_sent: Instant,
    /// How long its data had waited by then, and for what.
    pub(super) waits: Waits,
    /// It was sent more than once: its acknowledgement says nothing about the round trip (Karn).
    pub(super) ambiguous: bool,
    mark: Mark,
    /// It has arrived after it was sent again, and still counts as on its way.
    lingers: bool,
}

/// What is known about a segment in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// On its way, as far as one knows.
    Outstanding,
    /// The receiver has it out of order.
    Sacked,
    /// Lost, to be sent again.
    Lost,
    /// Lost, and on its way again.
    Resent,
    /// Sent again although it may not be lost: on its way twice, as far as one knows.
    Doubled,
}

/// What was sent again and then reported as arrived may still count as on its way, until it is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Linger {
    /// It does not (`pipe` of RFC 6675 §2).
    #[default]
    Never,
    /// If it had been lost.
    Lost,
    /// Whether it had been lost or not; a timeout ends that.
    UntilTimeout,
}

/// All segments in flight.
#[derive(Clone, Debug, Default)]
pub(super) struct Flight {
    queue: VecDeque<Sent>,
    /// Payload in flight, whatever its mark.
    bytes: u64,
    /// The part of it that has arrived out of order.
    sacked: u64,
    /// The part of it that is lost and not sent again.
    lost: u64,
    /// How many segments are lost and not sent again; a lone FIN is one without payload.
    lost_segments: u32,
    /// The part of it that is on its way twice.
    doubled: u64,
    /// The part of it that has arrived after it was sent again, where that counts as on its way.
    lingering: u64,
    linger: Linger,
    /// No segment that starts before this is lost and not sent again.
    none_lost_before: u64,
}

/// What one cumulative acknowledgement took out of the flight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Acknowledged {
    /// Payload that is acknowledged now.
    pub(super) bytes: u64,
    /// The part of it that SACK had reported before.
    pub(super) known: u64,
    /// When the oldest segment left, if none of them was sent twice.
    pub(super) sent: Option<Instant>,
    /// A segment was among them that had been sent more than once.
    pub(super) ambiguous: bool,
}

impl Sent {
    /// A segment that is sent for the first time.
    pub(super) fn first(start: u64, length: u32, fin: bool, now: Instant, waits: Waits) -> Self {
        let mark = Mark::Outstanding;
        Self { start, length, fin, first_sent: now, waits, ambiguous: false, mark, lingers: false }
    }

    /// The position after it, FIN included.
    pub(super) fn end(&self) -> u64 {
        self.start + u64::from(self.length) + u64::from(self.fin)
    }

    fn was_lost(&self) -> bool {
        matches!(self.mark, Mark::Lost | Mark::Resent)
    }

    fn range(&self) -> Range {
        Range { left: self.start, right: self.end() }
    }
}

impl Flight {
    /// An empty flight.
    pub(super) fn new(linger: Linger) -> Self {
        Self { linger, ..Self::default() }
    }

    /// Nothing is in flight.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Payload between the oldest unacknowledged byte and the newest sent one (`FlightSize`).
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Payload that is on its way, as far as one knows (`pipe` of RFC 6675 §2).
    pub(super) fn outstanding(&self) -> u64 {
        self.bytes - self.sacked - self.lost + self.doubled + self.lingering
    }

    /// Payload that has arrived out of order.
    pub(super) fn sacked(&self) -> u64 {
        self.sacked
    }

    /// The segment at `index`, oldest first.
    pub(super) fn segment(&self, index: usize) -> &Sent {
        &self.queue[index]
    }

    /// Takes a segment that leaves now for the first time.
    pub(super) fn push(&mut self, sent: Sent) {
        self.bytes += u64::from(sent.length);
        self.queue.push_back(sent);
    }

    /// Drops all before `una`.
    pub(super) fn acknowledge(&mut self, una: u64) -> Acknowledged {
        let mut acknowledged = Acknowledged::default();
        while let Some(first) = self.queue.front_mut()
            && first.start < una
        {
            if std::mem::take(&mut first.lingers) {
                self.lingering -= u64::from(first.length);
            }
            let (mark, length) = (first.mark, u64::from(first.length));
            let whole = first.end() <= una;
            let taken = length.min(una - first.start);
            acknowledged.sent.get_or_insert(first.first_sent);
            acknowledged.ambiguous |= first.ambiguous;
            acknowledged.bytes += taken;
            acknowledged.known += if mark == Mark::Sacked { taken } else { 0 };
            self.bytes -= taken;
            self.uncount(mark, length);
            if !whole {
                // Possible when the receiver's window took a part of it.
                let first = self.queue.front_mut().expect("just seen");
                first.start += taken;
                first.length -= taken as u32;
                self.count(mark, length - taken);
                break;
            }
            self.queue.pop_front();
        }
        acknowledged.sent = acknowledged.sent.filter(|_| !acknowledged.ambiguous);
        acknowledged
    }

    /// Marks the segments as arrived that overlap `news` and lie entirely in `sacked`.
    pub(super) fn mark_sacked(&mut self, news: Range, sacked: &RangeSet) -> u64 {
        let before = self.sacked;
        let mut index = self.queue.partition_point(|sent| sent.end() <= news.left);
        while index < self.queue.len() && self.queue[index].start < news.right {
            if sacked.covers(self.queue[index].range()) {
                self.mark(index, Mark::Sacked);
            }
            index += 1;
        }
        self.sacked - before
    }

    /// The receiver has dropped what it had out of order, as RFC 2018 §8 allows.
    pub(super) fn forget_sacked(&mut self) {
        for index in 0..self.queue.len() {
            if self.queue[index].mark == Mark::Sacked {
                self.mark(index, Mark::Outstanding);
            }
        }
    }

    /// Marks the oldest segment as lost, also when it was sent again already.
    pub(super) fn mark_first_lost(&mut self) {
        if !self.queue.is_empty() {
            self.mark(0, Mark::Lost);
        }
    }

    /// Marks as lost what lies before `position`, has not arrived and was not sent again, looking
    /// from `from` on.
    pub(super) fn mark_lost_between(&mut self, from: u64, position: u64) {
        let mut index = self.queue.partition_point(|sent| sent.end() <= from);
        while index < self.queue.len() && self.queue[index].end() <= position {
            match self.queue[index].mark {
                Mark::Outstanding => self.mark(index, Mark::Lost),
                Mark::Doubled => self.mark(index, Mark::Resent),
                Mark::Sacked | Mark::Lost | Mark::Resent => {}
            }
            index += 1;
        }
    }

    /// Marks everything as lost that has not arrived, also what was sent again (RFC 6298 §5.4).
    pub(super) fn mark_all_lost(&mut self) {
        for index in 0..self.queue.len() {
            if self.linger == Linger::UntilTimeout && self.queue[index].lingers {
                self.queue[index].lingers = false;
                self.lingering -= u64::from(self.queue[index].length);
            }
            if self.queue[index].mark != Mark::Sacked {
                self.mark(index, Mark::Lost);
            }
        }
    }

    /// True when the oldest segment is known to be lost.
    pub(super) fn first_is_lost(&self) -> bool {
        self.queue.front().is_some_and(|first| first.mark == Mark::Lost)
    }

    /// True when the oldest segment was found lost, and may be on its way again.
    pub(super) fn first_was_lost(&self) -> bool {
        self.queue.front().is_some_and(Sent::was_lost)
    }

    /// True when of all but the oldest segment the first one about which something is known was lost.
    pub(super) fn second_was_lost(&self) -> bool {
        let known = |sent: &&Sent| !matches!(sent.mark, Mark::Outstanding | Mark::Doubled);
        self.queue.iter().skip(1).find(known).is_some_and(Sent::was_lost)
    }

    /// True when the oldest segment is known to have arrived: then the receiver has dropped it.
    pub(super) fn first_is_sacked(&self) -> bool {
        self.queue.front().is_some_and(|first| first.mark == Mark::Sacked)
    }

    /// The first segment that is lost and not sent again.
    pub(super) fn next_lost(&mut self) -> Option<usize> {
        if self.lost_segments == 0 {
            return None;
        }
        let from = self.none_lost_before;
        let first = self.queue.partition_point(|sent| sent.start < from);
        let found = (first..self.queue.len()).find(|&index| self.queue[index].mark == Mark::Lost);
        self.none_lost_before = match found {
            Some(index) => self.queue[index].start,
            None => self.queue.back().map_or(from, Sent::end),
        };
        found
    }

    /// The first segment from `from` on that ends by `until` and is only presumed to be on its way.
    pub(super) fn first_outstanding(&self, from: u64, until: u64) -> Option<usize> {
        let first = self.queue.partition_point(|sent| sent.start < from);
        (first..self.queue.len())
            .take_while(|&index| self.queue[index].end() <= until)
            .find(|&index| self.queue[index].mark == Mark::Outstanding)
    }

    /// The last segment that has not arrived.
    pub(super) fn last_missing(&self) -> Option<usize> {
        self.queue.iter().rposition(|sent| sent.mark != Mark::Sacked)
    }

    /// The segment at `index` leaves again.
    pub(super) fn resend(&mut self, index: usize) -> &Sent {
        let mark = match self.queue[index].mark {
            Mark::Outstanding | Mark::Doubled => Mark::Doubled,
            Mark::Sacked | Mark::Lost | Mark::Resent => Mark::Resent,
        };
        self.mark(index, mark);
        self.rescue(index)
    }

    /// The segment at `index` leaves again, which changes nothing of what is known about it.
    pub(super) fn rescue(&mut self, index: usize) -> &Sent {
        self.queue[index].ambiguous = true;
        &self.queue[index]
    }

    /// Cuts all segments with more than `length` bytes that have not arrived, and marks the pieces as
    /// lost: no router let them through.
    pub(super) fn cut(&mut self, length: u32) {
        let whole = std::mem::take(&mut self.queue);
        for sent in whole {
            if sent.length <= length || sent.mark == Mark::Sacked {
                self.queue.push_back(sent);
                continue;
            }
            self.uncount(sent.mark, u64::from(sent.length));
            let end = sent.start + u64::from(sent.length);
            let mut start = sent.start;
            while start < end {
                let piece = length.min((end - start) as u32);
                let fin = sent.fin && start + u64::from(piece) == end;
                let mark = Mark::Lost;
                self.queue.push_back(Sent { start, length: piece, fin, mark, ..sent.clone() });
                self.count(mark, u64::from(piece));
                start += u64::from(piece);
            }
            self.none_lost_before = self.none_lost_before.min(sent.start);
        }
    }

    fn mark(&mut self, index: usize, mark: Mark) {
        let sent = &mut self.queue[index];
        let (start, length) = (sent.start, u64::from(sent.length));
        let old = std::mem::replace(&mut sent.mark, mark);
        if std::mem::take(&mut sent.lingers) {
            self.lingering -= length;
        }
        let sticks = match self.linger {
            Linger::Never => false,
            Linger::Lost => old == Mark::Resent,
            Linger::UntilTimeout => matches!(old, Mark::Resent | Mark::Doubled),
        };
        if sticks && mark == Mark::Sacked {
            sent.lingers = true;
            self.lingering += length;
        }
        self.uncount(old, length);
        self.count(mark, length);
        if mark == Mark::Lost {
            self.none_lost_before = self.none_lost_before.min(start);
        }
    }

    fn count(&mut self, mark: Mark, length: u64) {
        match mark {
            Mark::Sacked => self.sacked += length,
            Mark::Lost => {
                self.lost += length;
                self.lost_segments += 1;
            }
            Mark::Doubled => self.doubled += length,
            Mark::Outstanding | Mark::Resent => {}
        }
    }

    fn uncount(&mut self, mark: Mark, length: u64) {
        match mark {
            Mark::Sacked => self.sacked -= length,
            Mark::Lost => {
                self.lost -= length;
                self.lost_segments -= 1;
            }
            Mark::Doubled => self.doubled -= length,
            Mark::Outstanding | Mark::Resent => {}
        }
    }
}

#[cfg(test)]
mod tests;
