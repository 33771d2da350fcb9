//! Marks of segments: arrived, lost, retransmitted.
//!
//! In: reports of SACK, timers and recoveries about segments. Out: marks, and counters that agree
//! with them.

use super::{Flight, Marks, Sent, Transmission};
use crate::tcp::congestion::controller::Lost;
use crate::tcp::delivery_rate::Load;
use crate::tcp::ranges::{Range, RangeSet};
use crate::unit::{Duration, Instant};

impl Flight {
    /// Marks the segments that overlap `blocks` and lie entirely in `sacked` as arrived. Returns
    /// the payload that SACK had not reported before.
    pub(in crate::tcp) fn mark_sacked(&mut self, blocks: Range, sacked: &RangeSet) -> u64 {
        let mut arrived = 0;
        let mut index = self.queue.partition_point(|sent| sent.end() <= blocks.left);
        while index < self.queue.len() && self.queue[index].start < blocks.right {
            let sent = &self.queue[index];
            if sacked.covers(sent.range()) {
                let (old, length) = (sent.marks, u64::from(sent.length));
                if old.is_sacked() {
                    self.mark(index, Marks::SACKED);
                } else {
                    self.delivery.on_delivered(&sent.stamp, length);
                    self.newly_delivered.on_sacked(sent.transmission(), sent.retransmissions > 0);
                    self.mark(index, Marks::SACKED.with(old));
                    arrived += length;
                }
            }
            index += 1;
        }
        arrived
    }

    /// Removes all SACK marks: the receiver has dropped its data out of order, as RFC 2018 §8
    /// allows.
    pub(in crate::tcp) fn clear_sacked(&mut self) {
        for index in 0..self.queue.len() {
            if self.queue[index].marks.is_sacked() {
                self.mark(index, Marks::OUTSTANDING);
            }
        }
    }

    /// Marks the oldest segment as lost, even if it was retransmitted.
    pub(in crate::tcp) fn mark_first_lost(&mut self) {
        if !self.queue.is_empty() {
            self.mark(0, Marks::LOST);
        }
    }

    /// Marks segments that end by `position` as lost, starting at `from`, if they have not arrived
    /// and were not marked as lost before.
    pub(in crate::tcp) fn mark_lost_between(&mut self, from: u64, position: u64) {
        let mut index = self.queue.partition_point(|sent| sent.end() <= from);
        while index < self.queue.len() && self.queue[index].end() <= position {
            let marks = self.queue[index].marks;
            if !marks.is_sacked() && !marks.is_lost() {
                self.mark(index, marks.with(Marks::LOST));
            }
            index += 1;
        }
    }

    /// Marks everything that has not arrived as lost, including retransmissions (RFC 6298 §5.4).
    pub(in crate::tcp) fn mark_all_lost(&mut self) {
        for index in 0..self.queue.len() {
            if !self.queue[index].marks.is_sacked() {
                self.mark(index, Marks::LOST);
            }
        }
    }

    /// RFC 8985 §6.2 step 5: marks segments as lost that have not arrived, left before `newest`,
    /// and left at least `settled` ago. Returns the time at which this will be true for the last of
    /// the others.
    pub(in crate::tcp) fn mark_overtaken(
        &mut self,
        now: Instant,
        newest: Transmission,
        settled: Duration,
    ) -> Option<Instant> {
        let mut last = None;
        let mut index = 0;
        // First transmissions leave in stream order.
        while let Some(sent) = self.queue.get(index)
            && sent.first_sent <= newest.sent
        {
            let marks = sent.marks;
            if !marks.is_sacked() && marks != Marks::LOST && sent.transmission() < newest {
                let due = sent.stamp.sent + settled;
                if due <= now {
                    self.mark(index, Marks::LOST);
                } else {
                    last = last.max(Some(due));
                }
            }
            index += 1;
        }
        last
    }

    /// RFC 8985 §6.3: marks the oldest segment as lost, and all that have not arrived and left at
    /// least `settled` ago.
    pub(in crate::tcp) fn mark_timed_out(&mut self, now: Instant, settled: Duration) {
        for index in 0..self.queue.len() {
            let sent = &self.queue[index];
            let is_over = index == 0 || sent.stamp.sent + settled <= now;
            if is_over && !sent.marks.is_sacked() && sent.marks != Marks::LOST {
                self.mark(index, Marks::LOST);
            }
        }
    }

    /// Splits all segments with more than `length` bytes that have not arrived, and marks the parts
    /// as lost: no router forwarded them.
    pub(in crate::tcp) fn cut(&mut self, length: u32) {
        let whole = std::mem::take(&mut self.queue);
        for sent in whole {
            if sent.length <= length || sent.marks.is_sacked() {
                self.queue.push_back(sent);
                continue;
            }
            self.uncount(sent.marks, u64::from(sent.length));
            let end = sent.start + u64::from(sent.length);
            let mut start = sent.start;
            while start < end {
                let piece = length.min((end - start) as u32);
                let fin = sent.fin && start + u64::from(piece) == end;
                let marks = Marks::LOST;
                self.queue.push_back(Sent { start, length: piece, fin, marks, ..sent.clone() });
                self.count(marks, u64::from(piece));
                start += u64::from(piece);
            }
            self.none_lost_before = self.none_lost_before.min(sent.start);
        }
    }

    /// Removes the mark of loss from segments that have not arrived, after a spurious detection.
    pub(in crate::tcp) fn unmark_lost(&mut self) {
        for index in 0..self.queue.len() {
            let marks = self.queue[index].marks;
            if marks.is_lost() && !marks.is_sacked() {
                self.mark(index, marks.without(Marks::LOST));
            }
        }
    }

    /// Removes the marks of retransmission from segments that have arrived.
    pub(in crate::tcp) fn clear_retransmissions_of_sacked(&mut self) {
        for index in 0..self.queue.len() {
            if self.queue[index].marks.is_sacked() {
                self.mark(index, Marks::SACKED);
            }
        }
    }

    /// Returns the data in flight and lost, for a control that needs losses.
    #[inline]
    pub(super) fn load(&self) -> Load {
        if self.losses.is_none() {
            return Load::default();
        }
        Load { in_flight: self.outstanding(), lost: self.marked_lost }
    }

    #[inline]
    fn note_loss(&mut self, index: usize) {
        let Some(losses) = &mut self.losses else { return };
        let sent = &self.queue[index];
        losses.push(Lost {
            start: sent.start,
            bytes: u64::from(sent.length),
            in_flight: sent.stamp.load.in_flight,
            since_sent: self.marked_lost - sent.stamp.load.lost,
            app_limited: sent.stamp.app_limited,
        });
    }

    pub(super) fn mark(&mut self, index: usize, marks: Marks) {
        let sent = &mut self.queue[index];
        let (start, length) = (sent.start, u64::from(sent.length));
        let old = std::mem::replace(&mut sent.marks, marks);
        self.uncount(old, length);
        self.count(marks, length);
        if marks == Marks::LOST {
            self.marked_lost += length;
            self.note_loss(index);
            self.none_lost_before = self.none_lost_before.min(start);
        }
    }
}
