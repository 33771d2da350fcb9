//! The RLC of NR (TS 38.322): a PDU carries one SDU or a segment of one, and RLC does not reorder.
//!
//! In: SDUs, grants, PDUs, time. Out: PDUs; SDUs as soon as they are complete.
//!
//! | file | content |
//! |---|---|
//! | [`um`] | unacknowledged mode |
//! | [`am`] | acknowledged mode, except for the part in [`super::acknowledged`] |
//!
//! The rules of the receivers follow public implementations that quote the clauses. The rules of
//! the transmitters are written from memory and were not checked against the specification.

pub mod am;
pub mod um;

use super::buffer::Overhead;
use super::pdu::Resegmented;
use crate::ran::rlc::span::Span;
use crate::unit::Bytes;

/// Header lengths of the PDUs of one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Headers {
    /// The header of a whole SDU, in bytes.
    whole: Bytes,
    /// The header of a first segment, in bytes. Later segments have two additional bytes for SO.
    segment: Bytes,
}

/// The MAC sub-header of a PDU of at most 255 bytes (TS 38.321 §6.1.2).
const SHORT_SUB_HEADER: Bytes = Bytes(2);
/// Length of the SO field (TS 38.322 §6.2.3.5).
const SEGMENT_OFFSET: Bytes = Bytes(2);

impl Headers {
    /// Returns the overhead of whole packets of at most 255 bytes, behind `once` bytes of other
    /// headers.
    fn overhead(self, once: Bytes) -> Overhead {
        Overhead { once, each: self.whole + SHORT_SUB_HEADER, spared: SHORT_SUB_HEADER }
    }

    /// Returns the beginning of `part`, a part of the SDU `sdu`, that fits into `grant`, with its
    /// header length and the fields of a segment. Returns `None` if not one byte fits.
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

    /// Returns the header length of a segment that begins at byte `so` of its SDU.
    fn segment_at(self, so: u32) -> Bytes {
        if so == 0 { self.segment } else { self.segment + SEGMENT_OFFSET }
    }
}
