//! What a STATUS PDU says, and how long it is (TS 36.322 §5.2.3, §6.2.1.6).
//!
//! In: the reception buffer's gaps, a grant. Out: the STATUS PDU, cut short where the grant ends.

use super::SnLength;
use crate::ran::rlc::pdu::{Nack, Portion, StatusPdu};
use crate::ran::rlc::sn::Sn;
use crate::unit::Bytes;

/// A STATUS PDU while it is written.
pub(super) struct Writer {
    sn_length: SnLength,
    bits: u64,
    most_bits: u64,
    nacks: Vec<Nack>,
}

impl Writer {
    /// A STATUS PDU without NACKs; `None` when the grant is too short for it.
    pub(super) fn new(sn_length: SnLength, grant: Bytes) -> Option<Self> {
        let bits = 4 + sn_length.sn_bits() + 1;
        let most_bits = grant.0.saturating_mul(8);
        (bits <= most_bits).then_some(Self { sn_length, bits, most_bits, nacks: Vec::new() })
    }

    /// Adds a NACK; false when it does not fit.
    pub(super) fn push(&mut self, sn: Sn, portion: Option<Portion>) -> bool {
        let so_bits = if portion.is_some() { 2 * self.sn_length.so_bits() } else { 0 };
        let bits = self.sn_length.sn_bits() + 2 + so_bits;
        let fits = self.bits + bits <= self.most_bits;
        if fits {
            self.bits += bits;
            self.nacks.push(Nack { sn, portion });
        }
        fits
    }

    /// The number of the last AMD PDU said to be missing.
    pub(super) fn last(&self) -> Option<Sn> {
        self.nacks.last().map(|nack| nack.sn)
    }

    /// The length of the PDU so far, padded to whole bytes.
    pub(super) fn size(&self) -> Bytes {
        Bytes(self.bits.div_ceil(8))
    }

    pub(super) fn finish(self, ack_sn: Sn) -> StatusPdu {
        let size = self.size();
        StatusPdu { ack_sn, nacks: self.nacks, size, epoch: 0 }
    }
}

impl SnLength {
    const fn sn_bits(self) -> u64 {
        self.bits() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Option<Portion> = None;
    const PART: Option<Portion> = Some(Portion { so_start: 1, so_end: Some(2) });

    fn size(sn_length: SnLength, nacks: &[Option<Portion>]) -> u64 {
        let mut writer = Writer::new(sn_length, Bytes(100)).expect("long enough");
        let sn = Sn::zero(sn_length.bits());
        assert!(nacks.iter().all(|&portion| writer.push(sn, portion)));
        writer.size().0
    }

    /// TS 36.322 §6.2.1.6: 15 bits, 12 for each NACK_SN with E1 and E2, 30 for each SOstart and
    /// SOend.
    #[test]
    fn lengths_with_ten_bits() {
        assert_eq!(size(SnLength::Ten, &[]), 2);
        assert_eq!(size(SnLength::Ten, &[WHOLE]), 4); // 27 bits
        assert_eq!(size(SnLength::Ten, &[WHOLE, WHOLE]), 5); // 39 bits
        assert_eq!(size(SnLength::Ten, &[PART]), 8); // 57 bits
        assert_eq!(size(SnLength::Ten, &[PART, WHOLE, PART]), 14); // 111 bits
    }

    /// TS 36.322 §6.2.1.6, figure 2: 21 bits, 18 and 32.
    #[test]
    fn lengths_with_sixteen_bits() {
        assert_eq!(size(SnLength::Sixteen, &[]), 3);
        assert_eq!(size(SnLength::Sixteen, &[WHOLE]), 5); // 39 bits
        assert_eq!(size(SnLength::Sixteen, &[PART]), 9); // 71 bits
    }

    #[test]
    fn a_grant_is_filled_to_the_bit_and_not_beyond() {
        assert!(Writer::new(SnLength::Ten, Bytes(1)).is_none());
        let mut writer = Writer::new(SnLength::Ten, Bytes(5)).expect("15 of 40 bits");
        let sn = Sn::zero(10);
        assert!(writer.push(sn, WHOLE) && writer.push(sn.plus(1), WHOLE));
        assert!(!writer.push(sn.plus(2), WHOLE), "39 + 12 bits are more than 40");
        assert_eq!((writer.last(), writer.size()), (Some(sn.plus(1)), Bytes(5)));
    }
}
