//! The transmission buffer: SDUs that wait, and the rest of one that is being sent (TS 36.322
//! §4.2.1).
//!
//! In: SDUs, room for bytes. Out: bytes of one SDU after the other.
//!
//! The buffer is drop-tail in bytes of SDUs, and drops whole SDUs. It is also PDCP's queue: PDCP
//! numbers an SDU when its first byte is sent, which nobody can tell from numbering it earlier,
//! because LTE's PDCP does not reorder. So ACK filters and discard timers may take any SDU out
//! whose first byte was not sent (TS 36.322 §5.3), and leave no gap.

use std::collections::VecDeque;

use super::flight::Flight;
use super::sdu::Sdu;
use crate::unit::Bytes;

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
    /// The headers of all this, when each PDU may be as long as it wants.
    pub headers: Bytes,
    /// Nothing new can be sent, because the transmitting window is full.
    pub stalled: bool,
}

impl TransmissionBuffer {
    /// An empty buffer with this limit.
    pub fn new(limit: Option<Bytes>) -> Self {
        Self { queue: VecDeque::new(), rest: 0, bytes: Bytes::ZERO, limit }
    }

    /// Takes an SDU, or gives it back when it does not fit whole.
    pub fn enqueue(&mut self, sdu: Sdu) -> Result<(), Sdu> {
        debug_assert!(!sdu.size.is_zero(), "an SDU without bytes");
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
        self.queue.len() as u64 + u64::from(self.rest > 0)
    }

    /// The SDUs of which no byte was sent, oldest first.
    pub fn queue(&self) -> &VecDeque<Sdu> {
        &self.queue
    }

    /// Takes out the SDU at this place of [`TransmissionBuffer::queue`].
    pub fn remove_at(&mut self, index: usize) -> Sdu {
        let sdu = self.queue.remove(index).expect("a place in the queue");
        self.bytes -= sdu.size;
        sdu
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

    /// Moves the next SDU into the flight; false when there is none.
    fn begin_next(&mut self, flight: &mut Flight) -> bool {
        let Some(sdu) = self.queue.pop_front() else { return false };
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
