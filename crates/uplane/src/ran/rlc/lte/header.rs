//! Lengths of RLC headers, and how much data fits beside them.
//!
//! In: the configured field lengths, a grant, data field elements one by one. Out: how many bytes
//! of the next element fit, and the length of the header.
//!
//! A header is a fixed part and, when there is more than one data field element, an E and an LI for
//! each element but the last; with an LI of 11 bits that is 1.5 bytes an element, rounded up to
//! whole bytes (TS 36.322 §6.2.1.3, §6.2.1.4).

use crate::ran::rlc::buffer::TransmissionBuffer;
use crate::ran::rlc::flight::Flight;
use crate::ran::rlc::span::Span;
use crate::unit::Bytes;

/// The lengths of the fields of one kind of PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of the fixed part.
    pub fixed: u64,
    /// The length of the LI field.
    pub li: LengthIndicator,
    /// The longest data field that the fields can describe.
    pub longest_data: u64,
}

/// The length of the LI field (TS 36.322 §6.2.2.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthIndicator {
    /// 11 bits: elements up to 2047 bytes can have others behind them.
    #[default]
    Eleven,
    /// 15 bits, for acknowledged mode: up to 32 767 bytes.
    Fifteen,
    /// Any length at no cost, as in studies that count no headers.
    Uncounted,
}

/// A PDU while it is filled.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    layout: Layout,
    grant: u64,
    elements: u64,
    data: u64,
    /// Length of the last element.
    last: u64,
}

impl Layout {
    /// The header of a PDU with `elements` data field elements, at least one.
    pub const fn header(&self, elements: u64) -> Bytes {
        Bytes(self.fixed + (self.li.bits_with_extension() * (elements - 1)).div_ceil(8))
    }
}

impl LengthIndicator {
    /// E and LI together.
    const fn bits_with_extension(self) -> u64 {
        match self {
            Self::Eleven => 12,
            Self::Fifteen => 16,
            Self::Uncounted => 0,
        }
    }

    /// The longest element that can have another behind it.
    const fn longest(self) -> u64 {
        match self {
            Self::Eleven => 2047,
            Self::Fifteen => 32_767,
            Self::Uncounted => UNLIMITED,
        }
    }
}

impl Packing {
    /// An empty PDU for a grant of so many bytes.
    pub const fn new(layout: Layout, grant: Bytes) -> Self {
        Self { layout, grant: grant.0, elements: 0, data: 0, last: 0 }
    }

    /// How many bytes a further element may have; none when not even one byte of it would fit.
    #[inline]
    pub fn room(&self) -> u64 {
        // TS 36.322 §6.2.2.2: what is longer than LI can say is the last in its PDU.
        if self.last > self.layout.li.longest() {
            return 0;
        }
        let used = self.layout.header(self.elements + 1).0 + self.data;
        self.grant.saturating_sub(used).min(self.layout.longest_data - self.data)
    }

    /// Adds an element, at most as long as [`Packing::room`].
    #[inline]
    pub fn add(&mut self, length: u64) {
        debug_assert!(length <= self.room(), "{length} bytes into a room of {}", self.room());
        self.elements += 1;
        self.data += length;
        self.last = length;
    }

    /// Fills the data field with what waits, in the order of arrival: one or two pieces of SDUs at
    /// the ends, whole ones between (TS 36.322 §6.2.2.2). None when nothing waits or fits.
    #[inline(always)]
    pub fn fill(&mut self, buffer: &mut TransmissionBuffer, flight: &mut Flight) -> Option<Span> {
        let from = buffer.position(flight);
        loop {
            let taken = buffer.take(self.room(), flight);
            if taken == 0 {
                break;
            }
            self.add(taken);
        }
        let data = Span::new(from, buffer.position(flight));
        (!data.is_empty()).then_some(data)
    }

    /// The length of the header; at least one element was added.
    pub fn header(&self) -> Bytes {
        self.layout.header(self.elements)
    }
}

/// No limit but the grant's.
pub const UNLIMITED: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(fixed: u64, li: LengthIndicator) -> Layout {
        Layout { fixed, li, longest_data: UNLIMITED }
    }

    /// TS 36.322 §6.2.1.3, figures 3 to 6: the data field begins at octet 2.5 + 1.5 K + 1 for an
    /// odd number K of LIs, 2 + 1.5 K + 1 for an even one (10-bit SN).
    #[test]
    fn an_odd_number_of_length_indicators_is_padded_by_half_a_byte() {
        let headers = [1, 2, 3, 4, 5, 6].map(|n| layout(2, LengthIndicator::Eleven).header(n).0);
        assert_eq!(headers, [2, 4, 5, 7, 8, 10]);
        let short = [1, 2, 3].map(|n| layout(1, LengthIndicator::Eleven).header(n).0);
        assert_eq!(short, [1, 3, 4]);
    }

    /// TS 36.322 §6.2.1.4, figure 4: two bytes for each LI of 15 bits.
    #[test]
    fn long_length_indicators_take_two_bytes_each() {
        let headers = [1, 2, 3, 4].map(|n| layout(2, LengthIndicator::Fifteen).header(n).0);
        assert_eq!(headers, [2, 4, 6, 8]);
    }

    /// TS 36.322 §6.2.2.2
    #[test]
    fn behind_2048_bytes_nothing_follows() {
        let mut packing = Packing::new(layout(2, LengthIndicator::Eleven), Bytes(5000));
        packing.add(2047);
        assert_eq!(packing.room(), 5000 - 4 - 2047);
        packing.add(2048);
        assert_eq!(packing.room(), 0);
        let mut long = Packing::new(layout(2, LengthIndicator::Fifteen), Bytes(5000));
        long.add(2048);
        assert_eq!(long.room(), 5000 - 4 - 2048);
    }

    /// Studies that count no headers: every byte of the grant is data.
    #[test]
    fn uncounted_headers_leave_the_whole_grant_to_data() {
        let mut packing = Packing::new(layout(0, LengthIndicator::Uncounted), Bytes(100));
        packing.add(30);
        assert_eq!(packing.room(), 70);
        packing.add(70);
        assert_eq!((packing.header(), packing.room()), (Bytes::ZERO, 0));
    }
}
