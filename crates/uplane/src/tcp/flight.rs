//! What was sent and is not yet acknowledged, with what is known about each segment.
//!
//! In: segments as they leave, and marks: arrived (SACK), lost, retransmitted. Out: how much is
//! outstanding, which segment to send again, and what was delivered how fast (`delivery_rate`).
//!
//! A queue in stream order with counters, so that an acknowledgement costs what it acknowledges and
//! not what is outstanding. It holds facts; `recovery` decides what follows from them. How segments
//! get their marks is in `marking`.

mod again;
mod marking;
mod marks;
mod newly_delivered;
mod waited;

use std::collections::VecDeque;

pub(super) use self::again::UnderWayAgain;
pub(super) use self::marks::Marks;
pub(super) use self::newly_delivered::{NewlyDelivered, Transmission};
use self::waited::Waited;
use super::congestion::controller::Lost;
use super::delivery_rate::{Delivery, RateSample, Stamp};
use super::limits::Waits;
use super::ranges::Range;
use crate::unit::{Duration, Instant};

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
    /// How often it was retransmitted; if at all, its acknowledgement says nothing about the round
    /// trip (Karn).
    retransmissions: u32,
    marks: Marks,
    /// Its last transmission.
    stamp: Stamp,
}

/// All segments in flight.
#[derive(Clone, Debug, Default)]
pub(super) struct Flight {
    queue: VecDeque<Sent>,
    waited: Waited,
    /// Payload in flight, whatever its marks.
    bytes: u64,
    /// The part of it with these marks.
    marked: [u64; Marks::COUNT],
    /// How many segments have these marks; a lone FIN is one without payload.
    segments: [u32; Marks::COUNT],
    /// Payload that was marked as lost so far.
    marked_lost: u64,
    /// No segment that starts before this is lost and not sent again.
    none_lost_before: u64,
    delivery: Delivery,
    /// What the acknowledgement at hand tells.
    newly_delivered: NewlyDelivered,
    /// The shortest round trip of a segment that was sent once, or of the handshake.
    minimum_rtt: Option<Duration>,
    /// What was lost and not yet told, for a control that asks.
    #[expect(clippy::box_collection, reason = "most connections have none")]
    losses: Option<Box<Vec<Lost>>>,
}

/// What one cumulative acknowledgement took out of the flight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Acknowledged {
    /// Payload that is acknowledged now.
    pub(super) bytes: u64,
    /// When the oldest segment left, if none of them was sent twice.
    pub(super) sent: Option<Instant>,
    /// A segment was among them that had been sent more than once.
    pub(super) ambiguous: bool,
}

impl Sent {
    /// The position after it, FIN included.
    pub(super) fn end(&self) -> u64 {
        self.start + u64::from(self.length) + u64::from(self.fin)
    }

    /// Its last transmission.
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
    /// Nothing is in flight.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Payload between the oldest unacknowledged byte and the newest sent one (`FlightSize`).
    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Payload that is on its way, as far as is known (`pipe` of RFC 6675 §2).
    #[inline]
    pub(super) fn outstanding(&self) -> u64 {
        self.marked(Marks::OUTSTANDING)
            + self.marked(Marks::RESENT)
            + 2 * self.marked(Marks::DOUBLED)
    }

    /// Payload with exactly these marks.
    #[inline]
    pub(super) fn marked(&self, marks: Marks) -> u64 {
        self.marked[marks.index()]
    }

    /// Payload that has arrived out of order.
    pub(super) fn sacked(&self) -> u64 {
        self.marked[Marks::SACKED.index()..].iter().sum()
    }

    /// Payload that was marked as lost since the connection opened.
    pub(super) fn marked_lost(&self) -> u64 {
        self.marked_lost
    }

    /// Payload that was delivered since the connection opened.
    #[inline]
    pub(super) fn delivered(&self) -> u64 {
        self.delivery.delivered()
    }

    /// The segment at `index`, oldest first.
    pub(super) fn segment(&self, index: usize) -> &Sent {
        &self.queue[index]
    }

    /// How long the data of this segment had waited when it was first sent, and for what.
    pub(super) fn waits(&self, sent: &Sent) -> Waits {
        self.waited.at(sent.start)
    }

    /// A segment leaves for the first time, whose data have waited for this.
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

    /// The whole acknowledgement is booked: returns what it told of single transmissions.
    #[inline]
    pub(super) fn end_acknowledgement(&mut self) -> NewlyDelivered {
        let minimum = self.minimum_rtt.unwrap_or(Duration::MAX);
        if let Some(rtt) = self.newly_delivered.latest_rtt() {
            self.minimum_rtt = Some(minimum.min(rtt));
        }
        self.newly_delivered
    }

    /// What the last acknowledgement told of single transmissions.
    pub(super) fn newly_delivered(&self) -> NewlyDelivered {
        self.newly_delivered
    }

    /// The round-trip time of the handshake.
    pub(super) fn on_handshake(&mut self, rtt: Duration) {
        self.minimum_rtt = Some(rtt);
    }

    /// The shortest round trip of a segment that was sent once, or of the handshake.
    pub(super) fn minimum_rtt(&self) -> Option<Duration> {
        self.minimum_rtt
    }

    /// The delivery rate that it shows, with its round-trip sample.
    pub(super) fn rate_sample(&mut self, rtt: Option<Duration>) -> Option<RateSample> {
        let sample = self.delivery.sample(rtt)?;
        if self.losses.is_none() {
            return Some(sample);
        }
        Some(RateSample { lost: self.marked_lost - sample.lost, ..sample })
    }

    /// Each loss is wanted.
    pub(super) fn note_losses(&mut self) {
        self.losses = Some(Box::default());
    }

    /// The losses that were not told yet.
    pub(super) fn losses(&mut self) -> Option<&mut Vec<Lost>> {
        self.losses.as_deref_mut()
    }

    /// The application has no more to send.
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

    /// `taken` bytes of the oldest segment are acknowledged: possible when the receiver's window
    /// took a part of it.
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

    /// True when a segment is known to be lost and not sent again.
    #[inline]
    pub(super) fn has_lost(&self) -> bool {
        self.segments[Marks::LOST.index()] > 0
    }

    /// True when a segment is known to be lost, and may be on its way again.
    #[inline]
    pub(super) fn has_known_loss(&self) -> bool {
        self.has_lost() || self.segments[Marks::RESENT.index()] > 0
    }

    /// True when a segment is on its way again.
    pub(super) fn has_resent(&self) -> bool {
        self.segments[Marks::RESENT.index()] + self.segments[Marks::DOUBLED.index()] > 0
    }

    /// How many segments have arrived out of order.
    #[inline]
    pub(super) fn sacked_segments(&self) -> u32 {
        self.segments[Marks::SACKED.index()..].iter().sum()
    }

    /// How many segments are in flight, whatever is known of them.
    pub(super) fn segments(&self) -> usize {
        self.queue.len()
    }

    /// True when the oldest segment is known to be lost.
    pub(super) fn first_is_lost(&self) -> bool {
        self.queue.front().is_some_and(|first| first.marks == Marks::LOST)
    }

    /// True when the oldest segment was found lost, and may be on its way again.
    pub(super) fn first_was_lost(&self) -> bool {
        self.queue.front().is_some_and(Sent::was_lost)
    }

    /// True when of all but the oldest segment the first one about which something is known was
    /// lost.
    pub(super) fn second_was_lost(&self) -> bool {
        if self.segments[Marks::LOST.index()] + self.segments[Marks::RESENT.index()] == 0 {
            return false;
        }
        let known = |sent: &&Sent| !matches!(sent.marks, Marks::OUTSTANDING | Marks::DOUBLED);
        self.queue.iter().skip(1).find(known).is_some_and(Sent::was_lost)
    }

    /// True when the oldest segment is known to have arrived: then the receiver has dropped it.
    pub(super) fn first_is_sacked(&self) -> bool {
        self.queue.front().is_some_and(|first| first.marks.is_sacked())
    }

    /// The first segment that is lost and not sent again.
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

    /// The first segment from `from` on that ends by `until` and is only presumed to be on its way.
    pub(super) fn first_outstanding(&self, from: u64, until: u64) -> Option<usize> {
        let first = self.queue.partition_point(|sent| sent.start < from);
        (first..self.queue.len())
            .take_while(|&index| self.queue[index].end() <= until)
            .find(|&index| self.queue[index].marks == Marks::OUTSTANDING)
    }

    /// The last segment that has not arrived, if it lies before `position` and nothing newer is
    /// under way.
    pub(super) fn last_only_sent_before(&self, position: u64) -> Option<usize> {
        if self.has_resent() {
            return None;
        }
        let index = self.last_missing()?;
        let sent = &self.queue[index];
        (sent.marks == Marks::OUTSTANDING && sent.end() <= position).then_some(index)
    }

    /// The last segment that has not arrived.
    pub(super) fn last_missing(&self) -> Option<usize> {
        self.queue.iter().rposition(|sent| !sent.marks.is_sacked())
    }

    /// The segment at `index` leaves again.
    pub(super) fn resend(&mut self, now: Instant, index: usize) -> &Sent {
        let marks = match self.queue[index].marks {
            Marks::OUTSTANDING | Marks::DOUBLED => Marks::DOUBLED,
            _ => Marks::RESENT,
        };
        self.mark(index, marks);
        self.rescue(now, index)
    }

    /// The segment at `index` leaves again, which changes nothing of what is known about it.
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
