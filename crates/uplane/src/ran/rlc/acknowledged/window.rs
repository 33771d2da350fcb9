//! The transmitting window: what was sent and is not acknowledged (TS 36.322 §5.1.3.1, §5.2.1; TS
//! 38.322 §5.2.3.1, §5.3.2).
//!
//! In: what is sent with a number of its own (an AMD PDU of LTE, an SDU of NR), STATUS PDUs. Out:
//! what is to be sent again; the news that it was sent too often.
//!
//! Two rules where the text is ambiguous:
//! - `RETX_COUNT` grows at most once per STATUS PDU, however many portions are reported missing in
//!   it, as TS 38.322 §5.3.2 says and TS 36.322 §5.2.1 means.
//! - A STATUS PDU overtaken by a newer one does not take an acknowledgement back.

use std::collections::VecDeque;

use super::poll::Polling;
use super::retransmission::RetransmissionBuffer;
use crate::ran::rlc::pdu::{Nack, StatusPdu};
use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::Bytes;

/// Upper layers are told that `maxRetxThreshold` is reached (TS 36.322 §5.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkFailure;

/// What was sent and is not acknowledged, by number.
#[derive(Clone, Debug)]
pub struct Window {
    /// `AM_Window_Size`
    size: usize,
    max_retx_threshold: u32,
    /// `VT(A)`, `TX_Next_Ack`: the first that is not acknowledged.
    first: Sn,
    sent: VecDeque<Sent>,
    /// What is to be sent again.
    pub(in crate::ran::rlc) retransmission: RetransmissionBuffer,
}

/// Something that was sent, or a part of it.
#[derive(Clone, Copy, Debug)]
struct Sent {
    data: Span,
    /// Bytes of its header.
    header: u32,
    /// `RETX_COUNT`; none before it is first considered for retransmission.
    retx_count: Option<u32>,
    acknowledged: bool,
}

impl Window {
    /// Nothing was sent; numbers have `bits` bits.
    pub fn new(bits: u8, size: u32, max_retx_threshold: u32) -> Self {
        Self {
            size: size as usize,
            max_retx_threshold,
            first: Sn::zero(bits),
            sent: VecDeque::new(),
            retransmission: RetransmissionBuffer::default(),
        }
    }

    /// Nothing new can be sent: `VT(S) = VT(MS)`.
    pub fn is_full(&self) -> bool {
        self.sent.len() >= self.size
    }

    /// `VT(S)`, `TX_Next`: the number of what is sent next.
    pub fn next(&self) -> Sn {
        self.first.plus(self.sent.len() as u32)
    }

    /// These data have the next number, and such a header when they are sent whole.
    pub fn push(&mut self, data: Span, header: Bytes) -> Sn {
        let sn = self.next();
        let header = header.0 as u32;
        self.sent.push_back(Sent { data, header, retx_count: None, acknowledged: false });
        sn
    }

    /// The data with this number.
    pub fn data_of(&self, sn: Sn) -> Span {
        self.sent[sn.offset_from(self.first) as usize].data
    }

    /// The header of what has this number, when it is sent whole.
    pub fn header_of(&self, sn: Sn) -> Bytes {
        Bytes(self.sent[sn.offset_from(self.first) as usize].header.into())
    }

    /// Takes a STATUS PDU of the other end (TS 36.322 §5.1.3.1.1, §5.2.1, §5.2.2.2): up to where
    /// all is acknowledged now, if that is news. `delivered` is told of each that is acknowledged
    /// for the first time (TS 38.322 §5.3.3).
    pub(in crate::ran::rlc) fn on_status(
        &mut self,
        status: &StatusPdu,
        polling: &mut Polling,
        delivered: impl FnMut(Span),
    ) -> (Option<u64>, Result<(), LinkFailure>) {
        let sent = self.sent.len() as u32;
        let acked = match status.ack_sn.offset_from(self.first) {
            acked if acked <= sent => acked,
            // An older report, overtaken by one that moved VT(A) beyond its ACK_SN.
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

    /// A poll had no answer: the last that was sent is sent again, or any that is not acknowledged;
    /// the first is not (TS 36.322 §5.2.2.3).
    pub fn repeat_highest(&mut self) -> Result<(), LinkFailure> {
        let Some(highest) = self.sent.len().checked_sub(1) else { return Ok(()) };
        let place = if self.sent[highest].acknowledged { 0 } else { highest };
        self.consider(place, [self.sent[place].data])
    }

    /// Forgets what was sent and begins again with number zero.
    pub fn clear(&mut self) {
        self.first = self.first.to_zero();
        self.sent.clear();
        self.retransmission.clear();
    }

    /// The first `acked` are received, except those that are said to be missing.
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

    /// Considers all that is said to be missing for retransmission.
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

    /// Considers portions for retransmission.
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

    /// Moves VT(A) to the first that is not acknowledged; where the last that it passed ends.
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
    /// The part of it that a NACK says is missing; none when it has no such part, since the report
    /// is of an earlier one with its number.
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

    /// TS 36.322 §6.2.1.5: `SOend` names the last byte that is missing, and none of a PDU of 100
    /// bytes comes after byte 99.
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
