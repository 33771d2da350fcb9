//! The transmitting window: data that is sent and not acknowledged (TS 36.322 §5.1.3.1, §5.2.1; TS
//! 38.322 §5.2.3.1, §5.3.2).
//!
//! In: items with a sequence number each (an AMD PDU of LTE, an SDU of NR), STATUS PDUs. Out: data
//! to retransmit, and the event that the number of retransmissions has reached its maximum.
//!
//! Two rules where the specification is ambiguous:
//! - `RETX_COUNT` grows at most once per STATUS PDU, however many portions it reports missing, as
//!   TS 38.322 §5.3.2 says and TS 36.322 §5.2.1 means.
//! - A STATUS PDU overtaken by a newer one does not revoke an acknowledgement.

use std::collections::VecDeque;

use super::poll::Polling;
use super::retransmission::RetransmissionBuffer;
use crate::ran::rlc::pdu::{Nack, StatusPdu};
use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::Bytes;

/// `maxRetxThreshold` is reached; upper layers must be notified (TS 36.322 §5.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkFailure;

/// The items that are sent and not acknowledged, by sequence number.
#[derive(Clone, Debug)]
pub struct Window {
    /// `AM_Window_Size`
    size: usize,
    max_retx_threshold: u32,
    /// `VT(A)`, `TX_Next_Ack`: the first sequence number that is not acknowledged.
    first: Sn,
    sent: VecDeque<Sent>,
    /// Data pending for retransmission.
    pub(in crate::ran::rlc) retransmission: RetransmissionBuffer,
}

/// An item that was sent, at least in part.
#[derive(Clone, Copy, Debug)]
struct Sent {
    data: Span,
    /// Length of the header, in bytes.
    header: u32,
    /// `RETX_COUNT`. `None` before the item is first considered for retransmission.
    retx_count: Option<u32>,
    acknowledged: bool,
}

impl Window {
    /// Creates an empty window for sequence numbers of `bits` bits.
    pub fn new(bits: u8, size: u32, max_retx_threshold: u32) -> Self {
        Self {
            size: size as usize,
            max_retx_threshold,
            first: Sn::zero(bits),
            sent: VecDeque::new(),
            retransmission: RetransmissionBuffer::default(),
        }
    }

    /// Returns `true` if no new item can be sent: `VT(S) = VT(MS)`.
    pub fn is_full(&self) -> bool {
        self.sent.len() >= self.size
    }

    /// Returns `VT(S)`, `TX_Next`: the sequence number of the next item.
    pub fn next(&self) -> Sn {
        self.first.plus(self.sent.len() as u32)
    }

    /// Adds an item with the next sequence number and returns the number. `header` is the length of
    /// its header if it is sent whole.
    pub fn push(&mut self, data: Span, header: Bytes) -> Sn {
        let sn = self.next();
        let header = header.0 as u32;
        self.sent.push_back(Sent { data, header, retx_count: None, acknowledged: false });
        sn
    }

    /// Returns the data of the item with this sequence number.
    pub fn data_of(&self, sn: Sn) -> Span {
        self.sent[sn.offset_from(self.first) as usize].data
    }

    /// Returns the header length of the item with this sequence number, if it is sent whole.
    pub fn header_of(&self, sn: Sn) -> Bytes {
        Bytes(self.sent[sn.offset_from(self.first) as usize].header.into())
    }

    /// Processes a STATUS PDU of the other end (TS 36.322 §5.1.3.1.1, §5.2.1, §5.2.2.2). Returns
    /// the position up to which all data is acknowledged, if it has moved. Calls `delivered` for
    /// each item that is acknowledged for the first time (TS 38.322 §5.3.3).
    pub(in crate::ran::rlc) fn on_status(
        &mut self,
        status: &StatusPdu,
        polling: &mut Polling,
        delivered: impl FnMut(Span),
    ) -> (Option<u64>, Result<(), LinkFailure>) {
        let sent = self.sent.len() as u32;
        let acked = match status.ack_sn.offset_from(self.first) {
            acked if acked <= sent => acked,
            // An older report, overtaken by one that has moved VT(A) beyond its ACK_SN.
            _ => 0,
        };
        let nacks = &status.nacks;
        polling.on_status(|poll_sn| {
            poll_sn.is_within(self.first, acked) || nacks.iter().any(|nack| nack.sn == poll_sn)
        });
        self.acknowledge(acked as usize, nacks, delivered);
        let outcome = self.reject(nacks);
        (self.advance(), outcome)
    }

    /// Retransmits one item after a poll without an answer: the last item, or the first one if the
    /// last is acknowledged. The first item in the window is never acknowledged (TS 36.322
    /// §5.2.2.3).
    pub fn repeat_highest(&mut self) -> Result<(), LinkFailure> {
        let Some(highest) = self.sent.len().checked_sub(1) else { return Ok(()) };
        let place = if self.sent[highest].acknowledged { 0 } else { highest };
        self.consider(place, [self.sent[place].data])
    }

    /// Resets the window; sequence numbers restart at zero.
    pub fn clear(&mut self) {
        self.first = self.first.to_zero();
        self.sent.clear();
        self.retransmission.clear();
    }

    /// Marks the first `acked` items as acknowledged, except those reported missing.
    fn acknowledge(&mut self, acked: usize, nacks: &[Nack], mut delivered: impl FnMut(Span)) {
        let first = self.first;
        let places = nacks.iter().map(|nack| nack.sn.offset_from(first) as usize);
        // A report overtaken by a newer one may begin before VT(A).
        let mut nacked = places.filter(|&place| place < acked).peekable();
        for (place, sent) in self.sent.iter_mut().enumerate().take(acked) {
            let mut missing = false;
            while nacked.next_if_eq(&place).is_some() {
                missing = true;
            }
            if !missing && !sent.acknowledged {
                sent.acknowledged = true;
                delivered(sent.data);
            }
        }
        if !self.retransmission.is_empty() {
            let sent = &self.sent;
            self.retransmission.retain(|sn| !sent[sn.offset_from(first) as usize].acknowledged);
        }
    }

    /// Considers all data reported missing for retransmission.
    fn reject(&mut self, nacks: &[Nack]) -> Result<(), LinkFailure> {
        let mut outcome = Ok(());
        for of_one in nacks.chunk_by(|one, next| one.sn == next.sn) {
            let place = of_one[0].sn.offset_from(self.first) as usize;
            let Some(&sent) = self.sent.get(place).filter(|sent| !sent.acknowledged) else {
                continue;
            };
            let mut portions = of_one.iter().filter_map(|nack| sent.portion(nack)).peekable();
            if portions.peek().is_some() {
                outcome = outcome.and(self.consider(place, portions));
            }
        }
        outcome
    }

    /// Considers portions of one item for retransmission.
    fn consider(
        &mut self,
        place: usize,
        portions: impl IntoIterator<Item = Span>,
    ) -> Result<(), LinkFailure> {
        let sn = self.first.plus(place as u32);
        let mut pending_already = true;
        for portion in portions {
            pending_already &= !self.retransmission.add(sn, portion);
        }
        match &mut self.sent[place].retx_count {
            none @ None => *none = Some(0),
            Some(count) if !pending_already => *count += 1,
            Some(_) => return Ok(()),
        }
        let count = self.sent[place].retx_count;
        if count >= Some(self.max_retx_threshold) { Err(LinkFailure) } else { Ok(()) }
    }

    /// Moves VT(A) to the first item that is not acknowledged. Returns the end of the last item
    /// that it passed.
    fn advance(&mut self) -> Option<u64> {
        let mut passed = None;
        while let Some(sent) = self.sent.front().filter(|sent| sent.acknowledged) {
            passed = Some(sent.data.to);
            self.sent.pop_front();
            self.first = self.first.plus(1);
        }
        passed
    }
}

impl Sent {
    /// Returns the portion of this item that a NACK reports missing. Returns `None` if the item has
    /// no such portion: the report is then about an earlier item with the same number.
    fn portion(&self, nack: &Nack) -> Option<Span> {
        let Some(portion) = nack.portion else { return Some(self.data) };
        let from = self.data.from + u64::from(portion.so_start);
        let to = portion.so_end.map(|so_end| self.data.from + u64::from(so_end) + 1);
        let to = to.unwrap_or(self.data.to);
        (from < to && to <= self.data.to).then(|| Span::new(from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::rlc::pdu::Portion;

    /// TS 36.322 §6.2.1.5: `SOend` names the last missing byte, and byte 99 is the last of a PDU of
    /// 100 bytes.
    #[test]
    fn a_nack_names_a_portion_of_its_pdu() {
        let sent =
            Sent { data: Span::new(1000, 1100), header: 2, retx_count: None, acknowledged: false };
        let missing = |portion| sent.portion(&Nack { sn: Sn::zero(10), portion });
        let bytes = |so_start, so_end| missing(Some(Portion { so_start, so_end }));
        assert_eq!(missing(None), Some(Span::new(1000, 1100)));
        assert_eq!(bytes(10, Some(19)), Some(Span::new(1010, 1020)));
        assert_eq!(bytes(10, None), Some(Span::new(1010, 1100)));
        assert_eq!(bytes(99, Some(99)), Some(Span::new(1099, 1100)));
        assert_eq!([bytes(100, None), bytes(10, Some(100)), bytes(20, Some(19))], [None; 3]);
    }
}
