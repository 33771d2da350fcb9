//! The retransmission buffer: the part of the transmitting window that is pending for
//! retransmission.
//!
//! In: portions reported missing, acknowledgements. Out: portions in the order of the stream.

use std::collections::VecDeque;

use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::Bytes;

/// Portions pending for retransmission: in order, without overlap, each a part of one AMD PDU.
#[derive(Clone, Debug, Default)]
pub(in crate::ran::rlc) struct RetransmissionBuffer {
    portions: VecDeque<Pending>,
    bytes: Bytes,
}

/// A portion of one AMD PDU, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ran::rlc) struct Pending {
    pub(in crate::ran::rlc) sn: Sn,
    pub(in crate::ran::rlc) data: Span,
}

impl RetransmissionBuffer {
    pub(in crate::ran::rlc) fn is_empty(&self) -> bool {
        self.portions.is_empty()
    }

    /// Returns the number of bytes pending for retransmission.
    pub(in crate::ran::rlc) fn bytes(&self) -> Bytes {
        self.bytes
    }

    pub(in crate::ran::rlc) fn first(&self) -> Option<Pending> {
        self.portions.front().copied()
    }

    pub(in crate::ran::rlc) fn iter(&self) -> impl Iterator<Item = Pending> + '_ {
        self.portions.iter().copied()
    }

    /// Adds a portion and merges it with adjacent pending portions of the same AMD PDU. Returns
    /// `false` if all of it was pending already.
    pub(in crate::ran::rlc) fn add(&mut self, sn: Sn, data: Span) -> bool {
        let mut merged = data;
        let mut place = self.portions.partition_point(|pending| pending.data.to < data.from);
        while let Some(pending) = self.portions.get(place)
            && pending.data.touches(merged)
        {
            if pending.sn != sn {
                // Portions of different PDUs are not merged.
                if pending.data.from >= merged.to {
                    break;
                }
                place += 1;
                continue;
            }
            if pending.data.covers(data) {
                return false;
            }
            merged = merged.hull(pending.data);
            self.bytes -= pending.data.length();
            self.portions.remove(place);
        }
        self.bytes += merged.length();
        self.portions.insert(place, Pending { sn, data: merged });
        true
    }

    /// Removes bytes that are sent now: the beginning of the first portion.
    pub(in crate::ran::rlc) fn take(&mut self, sent: Span) {
        let first = self.portions.front_mut().expect("something is pending");
        debug_assert!(first.data.from == sent.from, "retransmission out of order");
        self.bytes -= sent.length();
        first.data.from = sent.to;
        if first.data.is_empty() {
            self.portions.pop_front();
        }
    }

    /// Keeps only the portions of PDUs for which `missing` returns `true`.
    pub(in crate::ran::rlc) fn retain(&mut self, mut missing: impl FnMut(Sn) -> bool) {
        self.portions.retain(|pending| missing(pending.sn));
        self.bytes = self.portions.iter().map(|pending| pending.data.length()).sum();
    }

    pub(in crate::ran::rlc) fn clear(&mut self) {
        self.portions.clear();
        self.bytes = Bytes::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(buffer: &RetransmissionBuffer) -> Vec<(u64, u64)> {
        buffer.iter().map(|pending| (pending.data.from, pending.data.to)).collect()
    }

    #[test]
    fn portions_of_one_pdu_merge_and_those_of_others_stay_apart() {
        let (zero, one, two) = (Sn::zero(10), Sn::zero(10).plus(1), Sn::zero(10).plus(2));
        let mut buffer = RetransmissionBuffer::default();
        assert!(buffer.add(one, Span::new(10, 12)));
        assert!(buffer.add(one, Span::new(16, 20)));
        assert!(buffer.add(zero, Span::new(0, 10)));
        assert!(buffer.add(two, Span::new(20, 30)));
        assert_eq!(spans(&buffer), [(0, 10), (10, 12), (16, 20), (20, 30)]);
        assert!(!buffer.add(one, Span::new(17, 19)), "already pending");
        assert!(buffer.add(one, Span::new(11, 17)), "12 to 16 was not");
        assert_eq!(spans(&buffer), [(0, 10), (10, 20), (20, 30)]);
        assert_eq!(buffer.bytes(), Bytes(30));
    }

    #[test]
    fn sent_or_acknowledged_portions_are_not_pending() {
        let (zero, one) = (Sn::zero(10), Sn::zero(10).plus(1));
        let mut buffer = RetransmissionBuffer::default();
        buffer.add(zero, Span::new(0, 10));
        buffer.add(one, Span::new(10, 20));
        buffer.take(Span::new(0, 4));
        assert_eq!(buffer.first(), Some(Pending { sn: zero, data: Span::new(4, 10) }));
        buffer.retain(|sn| sn == one);
        assert_eq!((spans(&buffer), buffer.bytes()), (vec![(10, 20)], Bytes(10)));
    }
}
