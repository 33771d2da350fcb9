//! The content and length of a STATUS PDU (TS 36.322 §5.2.3, §6.2.1.6; TS 38.322 §6.2.2.5).
//!
//! In: the gaps in the reception buffer, a grant. Out: the STATUS PDU, cut to the grant.
//!
//! In NR one NACK range can report several consecutive SDUs. Here each of these SDUs has its own
//! NACK, and only the length is that of the range.

use crate::ran::rlc::pdu::{Nack, Portion, StatusPdu};
use crate::ran::rlc::sn::Sn;
use crate::unit::Bytes;

/// Lengths of the fields of a STATUS PDU, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Fixed part, including ACK_SN.
    pub fixed: u64,
    /// One NACK without offsets, in bits.
    pub nack: u64,
    /// SOstart and SOend together, in bits.
    pub offsets: u64,
    /// A NACK range, in bits. `None`: the format has no ranges.
    pub range: Option<u64>,
}

/// A STATUS PDU under construction.
pub(super) struct Writer {
    layout: Layout,
    bits: u64,
    most_bits: u64,
    nacks: Vec<Nack>,
    /// The last NACK, which the next one may extend to a range.
    last: Last,
}

/// The sequence numbers that the last NACK covers.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    /// Number of consecutive sequence numbers, up to the maximum of the range field.
    numbers: u64,
    has_offsets: bool,
    /// The NACK reaches to the end of its last PDU or SDU.
    is_open: bool,
}

/// Maximum number of sequence numbers of a NACK range: the field has eight bits.
const MOST_IN_RANGE: u64 = 255;

impl Writer {
    /// Creates a STATUS PDU without NACKs. Returns `None` if the grant is too short for it.
    pub(super) fn new(layout: Layout, grant: Bytes) -> Option<Self> {
        let (bits, most_bits) = (layout.fixed, grant.0.saturating_mul(8));
        let last = Last::default();
        (bits <= most_bits).then_some(Self { layout, bits, most_bits, nacks: Vec::new(), last })
    }

    /// Adds a NACK. Returns `false` if the NACK does not fit.
    pub(super) fn push(&mut self, sn: Sn, portion: Option<Portion>) -> bool {
        let (bits, last) = self.extended(sn, portion).unwrap_or_else(|| {
            let offsets = if portion.is_some() { self.layout.offsets } else { 0 };
            (self.layout.nack + offsets, Last::of(portion))
        });
        let fits = self.bits + bits <= self.most_bits;
        if fits {
            self.bits += bits;
            self.last = last;
            self.nacks.push(Nack { sn, portion });
        }
        fits
    }

    /// Returns the additional bits if the last NACK can be extended by this one, and the last NACK
    /// after that. Returns `None` if this NACK does not continue the last one.
    fn extended(&self, sn: Sn, portion: Option<Portion>) -> Option<(u64, Last)> {
        let range = self.layout.range?;
        let begins = portion.is_none_or(|portion| portion.so_start == 0);
        let follows = self.last()?.plus(1) == sn && self.last.is_open && begins;
        if !follows || self.last.numbers == MOST_IN_RANGE {
            return None;
        }
        let own = Last::of(portion);
        let has_offsets = self.last.has_offsets || own.has_offsets;
        let range = if self.last.numbers == 1 { range } else { 0 };
        let offsets = if has_offsets && !self.last.has_offsets { self.layout.offsets } else { 0 };
        let numbers = self.last.numbers + 1;
        Some((range + offsets, Last { numbers, has_offsets, is_open: own.is_open }))
    }

    /// Returns the last sequence number reported missing.
    pub(super) fn last(&self) -> Option<Sn> {
        self.nacks.last().map(|nack| nack.sn)
    }

    /// Returns the length of the PDU so far, padded to whole bytes.
    pub(super) fn size(&self) -> Bytes {
        Bytes(self.bits.div_ceil(8))
    }

    pub(super) fn finish(self, ack_sn: Sn, held_back: bool) -> StatusPdu {
        let size = self.size();
        StatusPdu { ack_sn, nacks: self.nacks, size, held_back, epoch: 0, second: false }
    }
}

impl Last {
    fn of(portion: Option<Portion>) -> Self {
        let is_open = portion.is_none_or(|portion| portion.so_end.is_none());
        Self { numbers: 1, has_offsets: portion.is_some(), is_open }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Option<Portion> = None;
    const PART: Option<Portion> = Some(Portion { so_start: 1, so_end: Some(2) });
    const END: Option<Portion> = Some(Portion { so_start: 1, so_end: None });
    const BEGINNING: Option<Portion> = Some(Portion { so_start: 0, so_end: Some(2) });
    /// Layouts of LTE with 10 and 16 bits, and of NR with 12 and 18 bits.
    const TEN: Layout = Layout { fixed: 15, nack: 12, offsets: 30, range: None };
    const SIXTEEN: Layout = Layout { fixed: 21, nack: 18, offsets: 32, range: None };
    const TWELVE: Layout = Layout { fixed: 24, nack: 16, offsets: 32, range: Some(8) };
    const EIGHTEEN: Layout = Layout { fixed: 24, nack: 24, offsets: 32, range: Some(8) };

    fn size(layout: Layout, nacks: &[(u32, Option<Portion>)]) -> u64 {
        let mut writer = Writer::new(layout, Bytes(100)).expect("long enough");
        let zero = Sn::zero(10);
        assert!(nacks.iter().all(|&(sn, portion)| writer.push(zero.plus(sn), portion)));
        writer.size().0
    }

    /// TS 36.322 §6.2.1.6: 15 bits, 12 for each NACK_SN with E1 and E2, 30 for each SOstart and
    /// SOend.
    #[test]
    fn lengths_with_ten_bits() {
        assert_eq!(size(TEN, &[]), 2);
        assert_eq!(size(TEN, &[(0, WHOLE)]), 4); // 27 bits
        assert_eq!(size(TEN, &[(0, WHOLE), (1, WHOLE)]), 5); // 39 bits
        assert_eq!(size(TEN, &[(0, PART)]), 8); // 57 bits
        assert_eq!(size(TEN, &[(0, PART), (1, WHOLE), (2, PART)]), 14); // 111 bits
    }

    /// TS 36.322 §6.2.1.6, figure 2: 21 bits, 18 and 32.
    #[test]
    fn lengths_with_sixteen_bits() {
        assert_eq!(size(SIXTEEN, &[]), 3);
        assert_eq!(size(SIXTEEN, &[(0, WHOLE)]), 5); // 39 bits
        assert_eq!(size(SIXTEEN, &[(0, PART)]), 9); // 71 bits
    }

    /// TS 38.322 §6.2.2.5: three bytes, two or three a NACK, four for SOstart and SOend, one for a
    /// range.
    #[test]
    fn lengths_with_ranges() {
        assert_eq!(size(TWELVE, &[]), 3);
        assert_eq!(size(EIGHTEEN, &[(0, WHOLE), (2, WHOLE), (4, WHOLE)]), 12);
        assert_eq!(size(TWELVE, &[(0, PART)]), 9);
        // From within one SDU, across whole ones, into another: one NACK.
        let one = [(5, END), (6, WHOLE), (7, WHOLE), (8, BEGINNING)];
        assert_eq!(size(TWELVE, &one), 10);
        assert_eq!(size(EIGHTEEN, &[(3, WHOLE), (4, WHOLE), (5, WHOLE)]), 3 + 3 + 1);
        assert_eq!(size(EIGHTEEN, &[(3, PART), (4, WHOLE)]), 3 + 7 + 3, "a gap between");
        assert_eq!(size(EIGHTEEN, &[(3, WHOLE), (4, PART)]), 3 + 3 + 7, "a gap between");
        assert_eq!(size(EIGHTEEN, &[(3, END), (3, PART)]), 3 + 7 + 7, "two parts of one");
    }

    #[test]
    fn a_range_has_255_numbers_at_most() {
        let nacks: Vec<_> = (0..300).map(|sn| (sn, WHOLE)).collect();
        assert_eq!(size(EIGHTEEN, &nacks), 3 + 2 * (3 + 1));
    }

    #[test]
    fn a_grant_is_filled_to_the_bit_and_not_beyond() {
        assert!(Writer::new(TEN, Bytes(1)).is_none());
        let mut writer = Writer::new(TEN, Bytes(5)).expect("15 of 40 bits");
        let sn = Sn::zero(10);
        assert!(writer.push(sn, WHOLE) && writer.push(sn.plus(1), WHOLE));
        assert!(!writer.push(sn.plus(2), WHOLE), "39 + 12 bits are more than 40");
        assert_eq!((writer.last(), writer.size()), (Some(sn.plus(1)), Bytes(5)));
    }
}
