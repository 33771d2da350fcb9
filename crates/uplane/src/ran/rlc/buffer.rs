//! The transmission buffer: SDUs that wait, and the rest of one that is being sent (TS 36.322
//! §4.2.1).
//!
//! In: SDUs, a number of bytes that may be sent. Out: bytes of one SDU after the other.
//!
//! The buffer has tail drop of whole SDUs, limited in bytes of SDUs. It is also PDCP's queue: in
//! LTE, PDCP numbers an SDU when its first byte is sent, which makes no difference to numbering it
//! earlier, because LTE's PDCP does not reorder. So ACK filters and discard timers may take any SDU
//! out whose first byte was not sent (TS 36.322 §5.3), and leave no gap. For the same reason its
//! queue may be a managed one ([`crate::net::queue`]), which decides at each SDU that is begun.

use std::collections::VecDeque;

use super::flight::Flight;
use super::sdu::Sdu;
use super::span::Span;
use crate::net::queue::{Aqm, Queue};
use crate::net::{Count, DropCause, Ledger, QueueLimit};
use crate::sim::Stream;
use crate::unit::{Bytes, Instant};

/// SDUs not yet sent, and the rest of one that is being sent.
#[derive(Clone, Debug)]
pub struct TransmissionBuffer {
    /// Whole SDUs; no byte of them was sent.
    queue: VecDeque<Sdu>,
    /// Bytes of the last SDU begun that were not yet sent.
    rest: u64,
    /// All unsent bytes.
    bytes: Bytes,
    /// How many bytes may wait; any number for `None`.
    limit: Option<Bytes>,
    /// Where SDUs wait instead, except those that are to be sent once more.
    managed: Option<Box<Managed>>,
}

/// A queue with management.
#[derive(Clone, Debug)]
struct Managed {
    queue: Queue<Sdu>,
    /// When the PDU is built that takes from it.
    now: Instant,
}

impl Managed {
    /// The next SDU that the queue does not drop. `bytes` are those of the whole buffer: what was
    /// dropped leaves them, the SDU's own stay until they are sent.
    fn dequeue(&mut self, bytes: &mut Bytes) -> Option<Sdu> {
        let before = self.queue.waiting().bytes;
        let sdu = self.queue.dequeue(self.now);
        let after = self.queue.waiting().bytes;
        let taken = sdu.as_ref().map_or(Bytes::ZERO, |sdu| sdu.size);
        *bytes = *bytes - before + after + taken;
        sdu
    }
}

/// What packets cost on the radio beside their bytes, when they are begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overhead {
    /// Headers of what goes before them, and of the PDU that they share.
    pub once: Bytes,
    /// Headers of each.
    pub each: Bytes,
    /// What the space in a block leaves out for the first of them already.
    pub spared: Bytes,
}

impl Overhead {
    /// Packets together in a PDU with a header of two bytes and length indicators of 12 bits, in
    /// whole bytes (TS 36.322 §6.2.1).
    pub const CONCATENATED: Self = Self { once: Bytes(2), each: Bytes(2), spared: Bytes::ZERO };
}

/// What waits to be sent (TS 36.322 §4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferStatus {
    /// The STATUS PDU that would be sent now.
    pub status: Bytes,
    /// Data to be sent again.
    pub retransmission: Bytes,
    /// SDUs and rests of SDUs never sent.
    pub new: Bytes,
    /// The headers of all this, when PDUs may have any length.
    pub headers: Bytes,
    /// Nothing new can be sent, because the transmitting window is full.
    pub stalled: bool,
}

impl TransmissionBuffer {
    /// An empty buffer with this limit.
    pub fn new(limit: Option<Bytes>) -> Self {
        Self { queue: VecDeque::new(), rest: 0, bytes: Bytes::ZERO, limit, managed: None }
    }

    /// Manages the queue from here on; before the first SDU.
    pub(super) fn manage(&mut self, aqm: Aqm, stream: Stream) {
        let limit = self.limit.map_or(QueueLimit::Unlimited, QueueLimit::Bytes);
        let queue = Queue::new(aqm, limit, stream);
        self.managed = Some(Box::new(Managed { queue, now: Instant::ZERO }));
    }

    /// A PDU is built now.
    #[inline]
    pub(super) fn turn(&mut self, now: Instant) {
        if let Some(managed) = &mut self.managed {
            managed.now = now;
        }
    }

    /// Takes out what the management dropped, one by one.
    pub(super) fn take_dropped(&mut self) -> Option<(Sdu, DropCause)> {
        self.managed.as_mut()?.queue.take_dropped()
    }

    /// Takes out what the management marked.
    pub(super) fn take_marked(&mut self) -> Count {
        self.managed.as_mut().map_or_else(Count::default, |it| it.queue.take_marked())
    }

    /// Takes an SDU, or gives it back when it does not fit whole.
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

    /// Where the next byte that is sent lies in the stream.
    #[inline(always)]
    pub fn position(&self, flight: &Flight) -> u64 {
        flight.end() - self.rest
    }

    /// Takes out at most `room` bytes of one SDU: of the one that is partly sent, else of the next,
    /// which goes into the flight. Zero when nothing waits, or there is no room.
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

    /// The part of an SDU that is sent next: the rest of `sdu`, which is partly sent, or all of the
    /// next one, which `sdu` then is. None when nothing waits.
    pub fn next_sdu(&mut self, flight: &Flight, sdu: &mut Span) -> Option<Span> {
        if self.rest > 0 {
            return Some(Span::new(sdu.to - self.rest, sdu.to));
        }
        if self.queue.is_empty() {
            // A managed queue decides now, whether or not a byte of the SDU fits.
            let decided = self.dequeue_managed();
            self.queue.extend(decided);
        }
        let next = self.queue.front()?;
        *sdu = Span::new(flight.end(), flight.end() + next.size.0);
        Some(*sdu)
    }

    /// All unsent bytes.
    pub fn bytes(&self) -> Bytes {
        self.bytes
    }

    /// Unsent bytes of an SDU that is partly sent.
    pub fn rest(&self) -> Bytes {
        Bytes(self.rest)
    }

    /// True when all is sent.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_zero()
    }

    /// How many data field elements one PDU with all of it would have.
    pub fn elements(&self) -> u64 {
        self.whole() + u64::from(self.rest > 0)
    }

    /// SDUs of which no byte was sent.
    pub fn whole(&self) -> u64 {
        let managed = self.managed.as_ref().map_or(0, |it| it.queue.waiting().packets);
        self.queue.len() as u64 + managed
    }

    /// When the oldest SDU came of which no byte was sent.
    pub fn oldest(&self) -> Option<Instant> {
        let first = self.queue.front().map(|sdu| sdu.arrived);
        let managed = self.managed.as_ref().and_then(|it| it.queue.oldest());
        Instant::sooner(first, managed)
    }

    /// Each SDU of which no byte was sent.
    pub(super) fn each(&self, mut what: impl FnMut(&Sdu)) {
        self.queue.iter().for_each(&mut what);
        if let Some(managed) = &self.managed {
            managed.queue.each(what);
        }
    }

    /// The ledger of each of them.
    pub(super) fn each_ledger(&mut self, mut what: impl FnMut(&mut Ledger)) {
        self.queue.iter_mut().for_each(|sdu| what(&mut sdu.packet.ledger));
        if let Some(managed) = &mut self.managed {
            managed.queue.each_mut(|sdu| what(&mut sdu.packet.ledger));
        }
    }

    /// Takes out all SDUs of which no byte was sent; not of a managed queue.
    pub(super) fn take_unsent(&mut self) -> VecDeque<Sdu> {
        debug_assert!(self.managed.is_none(), "a managed queue is not emptied");
        self.bytes = Bytes(self.rest);
        std::mem::take(&mut self.queue)
    }

    /// The SDUs of which no byte was sent, oldest first, without those of a managed queue.
    pub fn queue(&self) -> &VecDeque<Sdu> {
        &self.queue
    }

    /// Takes out the SDU at this place of [`TransmissionBuffer::queue`].
    pub fn remove_at(&mut self, index: usize) -> Sdu {
        let sdu = self.queue.remove(index).expect("a place in the queue");
        self.bytes -= sdu.size;
        sdu
    }

    /// Takes out the SDU with this COUNT, where no byte of it was sent (TS 38.322 §5.4).
    pub(super) fn discard(&mut self, count: u64) -> Option<Sdu> {
        let place = self.queue.binary_search_by_key(&count, |sdu| sdu.count).ok()?;
        Some(self.remove_at(place))
    }

    /// Puts SDUs that were begun back to the front, whole: nothing of them counts as sent.
    /// `begun` are all that were in flight, in order.
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

    /// The next SDU of the managed queue: its bytes count until they are sent.
    #[inline(always)]
    fn dequeue_managed(&mut self) -> Option<Sdu> {
        self.managed.as_mut()?.dequeue(&mut self.bytes)
    }

    /// Moves the next SDU into the flight; false when there is none.
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
    /// Data available for transmission, as a buffer status report counts it: without the headers of
    /// data PDUs (TS 36.321 §6.1.3.1).
    pub fn available(&self) -> Bytes {
        self.status + self.retransmission + self.new
    }

    /// The grant that empties all that can be sent now, with RLC and without MAC headers.
    pub fn demand(&self) -> Bytes {
        let new = if self.stalled { Bytes::ZERO } else { self.new };
        let data = self.retransmission + new;
        self.status + data + if data.is_zero() { Bytes::ZERO } else { self.headers }
    }
}

#[cfg(test)]
mod tests;
