//! The RLC of NR (TS 38.322): one SDU, or a segment of one, in a PDU, and no reordering.
//!
//! In: SDUs, grants, PDUs, time. Out: PDUs; SDUs as soon as they are whole.
//!
//! | file | what |
//! |---|---|
//! | [`um`] | unacknowledged mode |
//! | [`am`] | acknowledged mode, but for what [`super::acknowledged`] has of it |
//!
//! The rules of the receivers are those of public implementations that quote the clauses; those of
//! the transmitters are recalled, not read again.

pub mod am;
pub mod um;

use super::buffer::Overhead;
use super::pdu::Resegmented;
use crate::ran::rlc::span::Span;
use crate::unit::Bytes;

/// What a PDU adds to its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Headers {
    /// The header of a whole SDU.
    whole: Bytes,
    /// The header of a first segment; later ones have the two bytes of SO more.
    segment: Bytes,
}

/// The sub-header of a PDU of up to 255 bytes (TS 38.321 §6.1.2).
const SHORT_SUB_HEADER: Bytes = Bytes(2);
/// Bytes of the SO field (TS 38.322 §6.2.3.5).
const SEGMENT_OFFSET: Bytes = Bytes(2);

impl Headers {
    /// The overhead of whole packets of up to 255 bytes, behind `once` bytes of other headers.
    fn overhead(self, once: Bytes) -> Overhead {
        Overhead { once, each: self.whole + SHORT_SUB_HEADER, spared: SHORT_SUB_HEADER }
    }

    /// How much of `part`, a part of the SDU `sdu`, fits into `grant`: the data, the header, and
    /// what tells a segment. None where not even a byte does.
    fn cut(
        self,
        sdu: Span,
        part: Span,
        grant: Bytes,
    ) -> Option<(Span, Bytes, Option<Resegmented>)> {
        if part == sdu && self.whole + sdu.length() <= grant {
            return Some((sdu, self.whole, None));
        }
        let so = (part.from - sdu.from) as u32;
        let header = self.segment_at(so);
        let length = grant.saturating_sub(header).min(part.length());
        let data = Span::new(part.from, part.from + length.0);
        let segment = Resegmented { so, lsf: data.to == sdu.to };
        (!length.is_zero()).then_some((data, header, Some(segment)))
    }

    /// The header of a segment that begins at byte `so` of its SDU.
    fn segment_at(self, so: u32) -> Bytes {
        if so == 0 { self.segment } else { self.segment + SEGMENT_OFFSET }
    }
}
