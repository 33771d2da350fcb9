//! The transmission buffer: SDUs that wait, and the rest of one that is partly sent (TS 36.322
//! §4.2.1).
//!
//! In: SDUs, the number of bytes that may be sent. Out: bytes of the SDUs, in order.
//!
//! The buffer has tail drop of whole SDUs, limited in bytes of SDUs. It is also PDCP's queue. LTE's
//! PDCP numbers an SDU when its first byte is sent; since LTE's PDCP does not reorder, earlier
//! numbering would give the same result. So ACK filters and discard timers may remove any SDU whose
//! first byte was not sent (TS 36.322 §5.3), and leave no gap. For the same reason the queue may be
//! a managed one ([`crate::net::queue`]), which decides about each SDU when it is begun.

use std::collections::VecDeque;

use super::flight::Flight;
use super::sdu::Sdu;
use super::span::Span;
use crate::net::queue::{Aqm, Queue};
use crate::net::{Count, DropCause, Ledger, QueueLimit};
use crate::sim::Stream;
use crate::unit::{Bytes, Instant};

/// SDUs not yet sent, and the rest of one that is partly sent.
#[derive(Clone, Debug)]
pub struct TransmissionBuffer {
    /// Whole SDUs, of which no byte was sent.
    queue: VecDeque<Sdu>,
    /// Bytes of the last SDU begun that were not yet sent.
    rest: u64,
    /// Number of all unsent bytes.
    bytes: Bytes,
    /// Maximum number of bytes that may wait. `None`: unlimited.
    limit: Option<Bytes>,
    /// The managed queue, if there is one. SDUs then wait there, except those to be retransmitted.
    managed: Option<Box<Managed>>,
}

/// A queue with active queue management (AQM).
#[derive(Clone, Debug)]
struct Managed {
    queue: Queue<Sdu>,
    /// Time at which the current PDU is built.
    now: Instant,
}

impl Managed {
    /// Returns the next SDU that the queue does not drop. Updates `bytes`, the bytes of the whole
    /// buffer: dropped SDUs leave it now, and the returned SDU when it is sent.
    fn dequeue(&mut self, bytes: &mut Bytes) -> Option<Sdu> {
        let before = self.queue.waiting().bytes;
        let sdu = self.queue.dequeue(self.now);
        let after = self.queue.waiting().bytes;
        let taken = sdu.as_ref().map_or(Bytes::ZERO, |sdu| sdu.size);
        *bytes = *bytes - before + after + taken;
        sdu
    }
}

/// The overhead of packets on the radio, beyond their own bytes, if they are begun now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overhead {
    /// Headers of earlier data, and of the PDU that the packets share, in bytes.
    pub once: Bytes,
    /// Headers of each packet, in bytes.
    pub each: Bytes,
    /// Headers of the first packet that the space in a block already excludes, in bytes.
    pub spared: Bytes,
}

impl Overhead {
    /// Packets together in one PDU, which has a header of two bytes and length indicators of 12
    /// bits, in whole bytes (TS 36.322 §6.2.1).
    pub const CONCATENATED: Self = Self { once: Bytes(2), each: Bytes(2), spared: Bytes::ZERO };
}

/// The data that waits for transmission (TS 36.322 §4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferStatus {
    /// Length of the STATUS PDU that is due now.
    pub status: Bytes,
    /// Data pending for retransmission.
    pub retransmission: Bytes,
    /// SDUs, and rests of SDUs, that were never sent.
    pub new: Bytes,
    /// Headers of all this data, if PDUs may have any length.
    pub headers: Bytes,
    /// The transmitting window is full, so no new data can be sent.
    pub stalled: bool,
}

impl TransmissionBuffer {
    /// Creates an empty buffer with this limit.
    pub fn new(limit: Option<Bytes>) -> Self {
        Self { queue: VecDeque::new(), rest: 0, bytes: Bytes::ZERO, limit, managed: None }
    }

    /// Sets up queue management. Call it before the first SDU.
    pub(super) fn manage(&mut self, aqm: Aqm, stream: Stream) {
        let limit = self.limit.map_or(QueueLimit::Unlimited, QueueLimit::Bytes);
        let queue = Queue::new(aqm, limit, stream);
        self.managed = Some(Box::new(Managed { queue, now: Instant::ZERO }));
    }

    /// Sets the time at which the managed queue decides. Call it before a PDU takes data from the
    /// buffer.
    #[inline]
    pub(super) fn turn(&mut self, now: Instant) {
        if let Some(managed) = &mut self.managed {
            managed.now = now;
        }
    }

    /// Removes the next SDU that queue management has dropped, and returns it with the cause.
    pub(super) fn take_dropped(&mut self) -> Option<(Sdu, DropCause)> {
        self.managed.as_mut()?.queue.take_dropped()
    }

    /// Returns the count of packets that queue management has marked since the last call.
    pub(super) fn take_marked(&mut self) -> Count {
        self.managed.as_mut().map_or_else(Count::default, |it| it.queue.take_marked())
    }

    /// Queues an SDU. Returns the SDU if it does not fit whole.
    pub fn enqueue(&mut self, sdu: Sdu) -> Result<(), Sdu> {
        debug_assert!(!sdu.size.is_zero(), "an SDU without bytes");
        if self.managed.is_some() {
            self.enqueue_managed(sdu);
            return Ok(());
        }
        if self.limit.is_some_and(|limit| self.bytes + sdu.size > limit) {
            return Err(sdu);
        }
        self.bytes += sdu.size;
        self.queue.push_back(sdu);
        Ok(())
    }

    /// Returns the position in the stream of the next byte to send.
    #[inline(always)]
    pub fn position(&self, flight: &Flight) -> u64 {
        flight.end() - self.rest
    }

    /// Removes at most `room` bytes of one SDU: of the one that is partly sent, else of the next
    /// one, which then goes into the flight. Returns the number of bytes: zero if nothing waits, or
    /// `room` is zero.
    #[inline(always)]
    pub fn take(&mut self, room: u64, flight: &mut Flight) -> u64 {
        if room == 0 || (self.rest == 0 && !self.begin_next(flight)) {
            return 0;
        }
        let taken = room.min(self.rest);
        self.rest -= taken;
        self.bytes -= Bytes(taken);
        taken
    }

    /// Returns the part of an SDU that is sent next, and sets `sdu` to that SDU: the rest of the
    /// one that is partly sent, or all of the next one. Returns `None` if nothing waits.
    pub fn next_sdu(&mut self, flight: &Flight, sdu: &mut Span) -> Option<Span> {
        if self.rest > 0 {
            return Some(Span::new(sdu.to - self.rest, sdu.to));
        }
        if self.queue.is_empty() {
            // A managed queue decides now, even if no byte of the SDU fits.
            let decided = self.dequeue_managed();
            self.queue.extend(decided);
        }
        let next = self.queue.front()?;
        *sdu = Span::new(flight.end(), flight.end() + next.size.0);
        Some(*sdu)
    }

    /// Returns the number of all unsent bytes.
    pub fn bytes(&self) -> Bytes {
        self.bytes
    }

    /// Returns the number of unsent bytes of the SDU that is partly sent.
    pub fn rest(&self) -> Bytes {
        Bytes(self.rest)
    }

    /// Returns `true` if all bytes are sent.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_zero()
    }

    /// Returns the number of data field elements if one PDU carried the whole buffer.
    pub fn elements(&self) -> u64 {
        self.whole() + u64::from(self.rest > 0)
    }

    /// Returns the number of SDUs of which no byte was sent.
    pub fn whole(&self) -> u64 {
        let managed = self.managed.as_ref().map_or(0, |it| it.queue.waiting().packets);
        self.queue.len() as u64 + managed
    }

    /// Returns the arrival time of the oldest SDU of which no byte was sent.
    pub fn oldest(&self) -> Option<Instant> {
        let first = self.queue.front().map(|sdu| sdu.arrived);
        let managed = self.managed.as_ref().and_then(|it| it.queue.oldest());
        Instant::sooner(first, managed)
    }

    /// Calls `what` for each SDU of which no byte was sent.
    pub(super) fn each(&self, mut what: impl FnMut(&Sdu)) {
        self.queue.iter().for_each(&mut what);
        if let Some(managed) = &self.managed {
            managed.queue.each(what);
        }
    }

    /// Calls `what` for the ledger of each SDU of which no byte was sent.
    pub(super) fn each_ledger(&mut self, mut what: impl FnMut(&mut Ledger)) {
        self.queue.iter_mut().for_each(|sdu| what(&mut sdu.packet.ledger));
        if let Some(managed) = &mut self.managed {
            managed.queue.each_mut(|sdu| what(&mut sdu.packet.ledger));
        }
    }

    /// Removes all SDUs of which no byte was sent. Not for a managed queue.
    pub(super) fn take_unsent(&mut self) -> VecDeque<Sdu> {
        debug_assert!(self.managed.is_none(), "a managed queue is not emptied");
        self.bytes = Bytes(self.rest);
        std::mem::take(&mut self.queue)
    }

    /// Returns the SDUs of which no byte was sent, oldest first, without those of a managed queue.
    pub fn queue(&self) -> &VecDeque<Sdu> {
        &self.queue
    }

    /// Removes the SDU at this index of [`TransmissionBuffer::queue`].
    pub fn remove_at(&mut self, index: usize) -> Sdu {
        let sdu = self.queue.remove(index).expect("a place in the queue");
        self.bytes -= sdu.size;
        sdu
    }

    /// Removes the SDU with this COUNT if no byte of it was sent (TS 38.322 §5.4).
    pub(super) fn discard(&mut self, count: u64) -> Option<Sdu> {
        let place = self.queue.binary_search_by_key(&count, |sdu| sdu.count).ok()?;
        Some(self.remove_at(place))
    }

    /// Returns SDUs that were begun to the front of the buffer, whole: none of their bytes counts
    /// as sent. `begun` are all SDUs that were in flight, in order.
    pub(super) fn restore(&mut self, begun: impl DoubleEndedIterator<Item = Sdu>) {
        self.bytes -= Bytes(self.rest);
        self.rest = 0;
        for sdu in begun.rev() {
            self.bytes += sdu.size;
            self.queue.push_front(sdu);
        }
    }

    fn enqueue_managed(&mut self, sdu: Sdu) {
        let Some(managed) = &mut self.managed else { return };
        let before = managed.queue.waiting().bytes;
        let others = self.bytes - before;
        managed.queue.enqueue(sdu.arrived, sdu, others);
        let after = managed.queue.waiting().bytes;
        self.bytes = self.bytes - before + after;
    }

    /// Removes the next SDU of the managed queue. Its bytes count until they are sent.
    #[inline(always)]
    fn dequeue_managed(&mut self) -> Option<Sdu> {
        self.managed.as_mut()?.dequeue(&mut self.bytes)
    }

    /// Moves the next SDU into the flight. Returns `false` if there is none.
    fn begin_next(&mut self, flight: &mut Flight) -> bool {
        let Some(sdu) = self.queue.pop_front().or_else(|| self.dequeue_managed()) else {
            return false;
        };
        self.rest = sdu.size.0;
        flight.begin(sdu);
        true
    }
}

impl BufferStatus {
    /// Returns the data available for transmission, as a buffer status report counts it: without
    /// the headers of data PDUs (TS 36.321 §6.1.3.1).
    pub fn available(&self) -> Bytes {
        self.status + self.retransmission + self.new
    }

    /// Returns the size of the grant that carries all data that can be sent now, with RLC headers
    /// and without MAC headers.
    pub fn demand(&self) -> Bytes {
        let new = if self.stalled { Bytes::ZERO } else { self.new };
        let data = self.retransmission + new;
        self.status + data + if data.is_zero() { Bytes::ZERO } else { self.headers }
    }
}

#[cfg(test)]
mod tests;
