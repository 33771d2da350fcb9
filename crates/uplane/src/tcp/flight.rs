//! The retransmission queue: unacknowledged segments and their state.
//!
//! In: segments as they leave, and marks: arrived (SACK), lost, retransmitted. Out: the data
//! outstanding, the segment to retransmit, and samples of the delivery rate (`delivery_rate`).
//!
//! A queue in stream order with counters, so that an acknowledgement costs as much as it
//! acknowledges, not as much as is outstanding. It holds facts; `recovery` decides what follows
//! from them. Segments get their marks in `marking`.

mod marking;
mod marks;
mod newly_delivered;
mod unanswered;
mod waited;

use std::collections::VecDeque;

pub(super) use self::marks::Marks;
pub(super) use self::newly_delivered::{NewlyDelivered, Transmission};
pub(super) use self::unanswered::UnansweredRetransmissions;
use self::waited::Waited;
use super::congestion::controller::Lost;
use super::delivery_rate::{Delivery, RateSample, Stamp};
use super::limits::Waits;
use super::ranges::Range;
use crate::unit::{Duration, Instant};

/// A segment in the retransmission queue.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// Position of the first byte.
    pub(super) start: u64,
    /// Bytes of payload in the segment.
    pub(super) length: u32,
    /// The segment carries the FIN, which takes the position after the payload.
    pub(super) fin: bool,
    /// Time of the first transmission.
    pub(super) first_sent: Instant,
    /// Number of retransmissions. A retransmitted segment gives no round-trip sample (Karn).
    retransmissions: u32,
    marks: Marks,
    /// State of delivery at the last transmission.
    stamp: Stamp,
}

/// The retransmission queue.
#[derive(Clone, Debug, Default)]
pub(super) struct Flight {
    queue: VecDeque<Sent>,
    waited: Waited,
    /// Payload in flight, whatever its marks.
    bytes: u64,
    /// Payload with each set of marks.
    marked: [u64; Marks::COUNT],
    /// Number of segments with each set of marks; a lone FIN is one without payload.
    segments: [u32; Marks::COUNT],
    /// Payload that was marked as lost since the connection opened.
    marked_lost: u64,
    /// Every lost segment that starts before this position has been retransmitted.
    none_lost_before: u64,
    delivery: Delivery,
    /// Account of the acknowledgement in process.
    newly_delivered: NewlyDelivered,
    /// The shortest round trip of a segment that was sent once, or of the handshake.
    minimum_rtt: Option<Duration>,
    /// Losses that were not reported yet, for a control that needs them.
    #[expect(clippy::box_collection, reason = "most connections have none")]
    losses: Option<Box<Vec<Lost>>>,
}

/// Part of the flight that a cumulative acknowledgement removed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Acknowledged {
    /// Payload acknowledged for the first time, cumulatively.
    pub(super) bytes: u64,
    /// Time at which the oldest segment left, if none of them was sent twice.
    pub(super) sent: Option<Instant>,
    /// One of the segments had been sent more than once.
    pub(super) ambiguous: bool,
}

impl Sent {
    /// Returns the position after the segment, FIN included.
    pub(super) fn end(&self) -> u64 {
        self.start + u64::from(self.length) + u64::from(self.fin)
    }

    /// Returns the last transmission of the segment.
    #[inline]
    fn transmission(&self) -> Transmission {
        Transmission { sent: self.stamp.sent, end: self.end() }
    }

    fn was_lost(&self) -> bool {
        matches!(self.marks, Marks::LOST | Marks::RESENT)
    }

    fn range(&self) -> Range {
        Range { left: self.start, right: self.end() }
    }
}

impl Flight {
    /// Returns `true` if nothing is in flight.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Payload between the oldest unacknowledged byte and the newest sent one (`FlightSize`).
    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the payload that is presumed to be on its way (`pipe` of RFC 6675 §2).
    #[inline]
    pub(super) fn outstanding(&self) -> u64 {
        self.marked(Marks::OUTSTANDING)
            + self.marked(Marks::RESENT)
            + 2 * self.marked(Marks::DOUBLED)
    }

    /// Returns the payload with exactly these marks.
    #[inline]
    pub(super) fn marked(&self, marks: Marks) -> u64 {
        self.marked[marks.index()]
    }

    /// Returns the payload that has arrived out of order.
    pub(super) fn sacked(&self) -> u64 {
        self.marked[Marks::SACKED.index()..].iter().sum()
    }

    /// Returns the payload that was marked as lost since the connection opened.
    pub(super) fn marked_lost(&self) -> u64 {
        self.marked_lost
    }

    /// Returns the payload that was delivered since the connection opened.
    #[inline]
    pub(super) fn delivered(&self) -> u64 {
        self.delivery.delivered()
    }

    /// Returns the segment at `index`, oldest first.
    pub(super) fn segment(&self, index: usize) -> &Sent {
        &self.queue[index]
    }

    /// Returns the waits of this segment's data, by cause, until its first transmission.
    pub(super) fn waits(&self, sent: &Sent) -> Waits {
        self.waited.at(sent.start)
    }

    /// Books the first transmission of a segment, with the waits of its data.
    #[inline(always)]
    pub(super) fn push(&mut self, now: Instant, start: u64, length: u32, fin: bool, waits: Waits) {
        let mut stamp = self.delivery.on_sent(now, self.queue.is_empty());
        let marks = Marks::OUTSTANDING;
        self.bytes += u64::from(length);
        self.count(marks, u64::from(length));
        stamp.load = self.load();
        self.waited.push(start, waits);
        let (first_sent, retransmissions) = (now, 0);
        let sent = Sent { start, length, fin, first_sent, retransmissions, marks, stamp };
        self.queue.push_back(sent);
    }

    /// Starts the account of an acknowledgement, which may deliver data and echoes the timestamp of
    /// `echoed`.
    #[inline]
    pub(super) fn begin_acknowledgement(&mut self, now: Instant, echoed: Option<Instant>) {
        self.delivery.begin(now);
        self.newly_delivered.begin(now, echoed, self.minimum_rtt);
    }

    /// Ends the account of an acknowledgement, and returns the transmissions that it delivered.
    #[inline]
    pub(super) fn end_acknowledgement(&mut self) -> NewlyDelivered {
        let minimum = self.minimum_rtt.unwrap_or(Duration::MAX);
        if let Some(rtt) = self.newly_delivered.latest_rtt() {
            self.minimum_rtt = Some(minimum.min(rtt));
        }
        self.newly_delivered
    }

    /// Returns the transmissions that the last acknowledgement delivered.
    pub(super) fn newly_delivered(&self) -> NewlyDelivered {
        self.newly_delivered
    }

    /// Books the round-trip time of the handshake.
    pub(super) fn on_handshake(&mut self, rtt: Duration) {
        self.minimum_rtt = Some(rtt);
    }

    /// The shortest round trip of a segment that was sent once, or of the handshake.
    pub(super) fn minimum_rtt(&self) -> Option<Duration> {
        self.minimum_rtt
    }

    /// Returns the delivery-rate sample of an acknowledgement with the round-trip sample `rtt`.
    pub(super) fn rate_sample(&mut self, rtt: Option<Duration>) -> Option<RateSample> {
        let sample = self.delivery.sample(rtt)?;
        if self.losses.is_none() {
            return Some(sample);
        }
        Some(RateSample { lost: self.marked_lost - sample.lost, ..sample })
    }

    /// Starts to record each loss.
    pub(super) fn note_losses(&mut self) {
        self.losses = Some(Box::default());
    }

    /// Returns the losses that were not reported yet, if they are recorded.
    pub(super) fn losses(&mut self) -> Option<&mut Vec<Lost>> {
        self.losses.as_deref_mut()
    }

    /// Books that the application has no more to send.
    pub(super) fn on_application_limit(&mut self) {
        self.delivery.on_application_limit(self.outstanding());
    }

    /// Drops all before `una`.
    #[inline]
    pub(super) fn acknowledge(&mut self, una: u64) -> Acknowledged {
        let mut acknowledged = Acknowledged::default();
        while let Some(first) = self.queue.front()
            && first.start < una
        {
            let (marks, length) = (first.marks, u64::from(first.length));
            let whole = first.end() <= una;
            let taken = length.min(una - first.start);
            acknowledged.sent.get_or_insert(first.first_sent);
            acknowledged.ambiguous |= first.retransmissions > 0;
            acknowledged.bytes += taken;
            if !marks.is_sacked() {
                self.delivery.on_delivered(&first.stamp, taken);
                let retransmitted = first.retransmissions > 0;
                self.newly_delivered.on_acknowledged(first.transmission(), retransmitted);
            }
            self.bytes -= taken;
            self.uncount(marks, length);
            if !whole {
                self.keep_rest(taken);
                break;
            }
            self.queue.pop_front();
        }
        self.waited.acknowledge(una);
        acknowledged.sent = acknowledged.sent.filter(|_| !acknowledged.ambiguous);
        acknowledged
    }

    /// Keeps the rest of the oldest segment after `taken` acknowledged bytes. A receiver whose
    /// window took a part of a segment may acknowledge only this part.
    fn keep_rest(&mut self, taken: u64) {
        let first = self.queue.front_mut().expect("just seen");
        first.start += taken;
        first.length -= taken as u32;
        if first.marks.is_sacked() {
            first.marks = Marks::SACKED;
        }
        let (marks, length) = (first.marks, u64::from(first.length));
        self.count(marks, length);
    }

    /// Returns `true` if a lost segment has not been retransmitted.
    #[inline]
    pub(super) fn has_lost(&self) -> bool {
        self.segments[Marks::LOST.index()] > 0
    }

    /// Returns `true` if a segment is known to be lost, retransmitted or not.
    #[inline]
    pub(super) fn has_known_loss(&self) -> bool {
        self.has_lost() || self.segments[Marks::RESENT.index()] > 0
    }

    /// Returns `true` if a retransmission is on its way.
    pub(super) fn has_resent(&self) -> bool {
        self.segments[Marks::RESENT.index()] + self.segments[Marks::DOUBLED.index()] > 0
    }

    /// Returns the number of segments that have arrived out of order.
    #[inline]
    pub(super) fn sacked_segments(&self) -> u32 {
        self.segments[Marks::SACKED.index()..].iter().sum()
    }

    /// Returns the number of segments in flight, whatever their marks.
    pub(super) fn segments(&self) -> usize {
        self.queue.len()
    }

    /// Returns `true` if the oldest segment is lost and not retransmitted.
    pub(super) fn first_is_lost(&self) -> bool {
        self.queue.front().is_some_and(|first| first.marks == Marks::LOST)
    }

    /// Returns `true` if the oldest segment is known to be lost, retransmitted or not.
    pub(super) fn first_was_lost(&self) -> bool {
        self.queue.front().is_some_and(Sent::was_lost)
    }

    /// Returns `true` if, among all but the oldest segment, the first one of known fate was lost.
    pub(super) fn second_was_lost(&self) -> bool {
        if self.segments[Marks::LOST.index()] + self.segments[Marks::RESENT.index()] == 0 {
            return false;
        }
        let known = |sent: &&Sent| !matches!(sent.marks, Marks::OUTSTANDING | Marks::DOUBLED);
        self.queue.iter().skip(1).find(known).is_some_and(Sent::was_lost)
    }

    /// Returns `true` if SACK reported the oldest segment: then the receiver has dropped it.
    pub(super) fn first_is_sacked(&self) -> bool {
        self.queue.front().is_some_and(|first| first.marks.is_sacked())
    }

    /// Returns the first lost segment that has not been retransmitted.
    pub(super) fn next_lost(&mut self) -> Option<usize> {
        if self.segments[Marks::LOST.index()] == 0 {
            return None;
        }
        let from = self.none_lost_before;
        let first = self.queue.partition_point(|sent| sent.start < from);
        let found = (first..self.queue.len()).find(|&index| self.queue[index].marks == Marks::LOST);
        self.none_lost_before = match found {
            Some(index) => self.queue[index].start,
            None => self.queue.back().map_or(from, Sent::end),
        };
        found
    }

    /// Returns the first segment from `from` on that ends by `until` and is only presumed to be on
    /// its way.
    pub(super) fn first_outstanding(&self, from: u64, until: u64) -> Option<usize> {
        let first = self.queue.partition_point(|sent| sent.start < from);
        (first..self.queue.len())
            .take_while(|&index| self.queue[index].end() <= until)
            .find(|&index| self.queue[index].marks == Marks::OUTSTANDING)
    }

    /// Returns the last segment that has not arrived, if it lies before `position` and no
    /// retransmission is under way.
    pub(super) fn last_only_sent_before(&self, position: u64) -> Option<usize> {
        if self.has_resent() {
            return None;
        }
        let index = self.last_missing()?;
        let sent = &self.queue[index];
        (sent.marks == Marks::OUTSTANDING && sent.end() <= position).then_some(index)
    }

    /// Returns the last segment that has not arrived.
    pub(super) fn last_missing(&self) -> Option<usize> {
        self.queue.iter().rposition(|sent| !sent.marks.is_sacked())
    }

    /// Books a retransmission of the segment at `index`.
    pub(super) fn resend(&mut self, now: Instant, index: usize) -> &Sent {
        let marks = match self.queue[index].marks {
            Marks::OUTSTANDING | Marks::DOUBLED => Marks::DOUBLED,
            _ => Marks::RESENT,
        };
        self.mark(index, marks);
        self.rescue(now, index)
    }

    /// Books a retransmission of the segment at `index` that leaves its marks unchanged.
    pub(super) fn rescue(&mut self, now: Instant, index: usize) -> &Sent {
        let load = self.load();
        let mut stamp = self.delivery.on_sent(now, false);
        stamp.load = load;
        let sent = &mut self.queue[index];
        sent.retransmissions += 1;
        sent.stamp = stamp;
        sent
    }

    #[inline]
    fn count(&mut self, marks: Marks, length: u64) {
        self.marked[marks.index()] += length;
        self.segments[marks.index()] += 1;
    }

    #[inline]
    fn uncount(&mut self, marks: Marks, length: u64) {
        self.marked[marks.index()] -= length;
        self.segments[marks.index()] -= 1;
    }
}

#[cfg(test)]
mod tests;
