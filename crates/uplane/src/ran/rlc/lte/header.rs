//! Lengths of RLC headers, and the space for data beside them.
//!
//! In: the configured field lengths, a grant, data field elements one by one. Out: the number of
//! bytes of the next element that fit, and the length of the header.
//!
//! A header is a fixed part and, for more than one data field element, an E and an LI for each
//! element except the last. With an LI of 11 bits, that is 1.5 bytes per element, rounded up to
//! whole bytes (TS 36.322 §6.2.1.3, §6.2.1.4).

use crate::ran::rlc::buffer::TransmissionBuffer;
use crate::ran::rlc::flight::Flight;
use crate::ran::rlc::span::Span;
use crate::unit::Bytes;

/// The field lengths of one kind of PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Length of the fixed part, in bytes.
    pub fixed: u64,
    /// The length of the LI field.
    pub li: LengthIndicator,
    /// Maximum length of a data field that the fields can describe, in bytes.
    pub longest_data: u64,
}

/// The length of the LI field (TS 36.322 §6.2.2.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthIndicator {
    /// 11 bits: only elements of at most 2047 bytes can have another element behind them.
    #[default]
    Eleven,
    /// 15 bits, for acknowledged mode: the maximum is 32 767 bytes.
    Fifteen,
    /// Any length at no cost, for studies that count no headers.
    Uncounted,
}

/// A PDU under construction.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    layout: Layout,
    grant: u64,
    elements: u64,
    data: u64,
    /// Length of the last element, in bytes.
    last: u64,
}

impl Layout {
    /// Returns the header length of a PDU with `elements` data field elements, at least one.
    pub const fn header(&self, elements: u64) -> Bytes {
        Bytes(self.fixed + (self.li.bits_with_extension() * (elements - 1)).div_ceil(8))
    }
}

impl LengthIndicator {
    /// Returns the number of bits of E and LI together.
    const fn bits_with_extension(self) -> u64 {
        match self {
            Self::Eleven => 12,
            Self::Fifteen => 16,
            Self::Uncounted => 0,
        }
    }

    /// Returns the maximum length of an element that has another behind it, in bytes.
    const fn longest(self) -> u64 {
        match self {
            Self::Eleven => 2047,
            Self::Fifteen => 32_767,
            Self::Uncounted => UNLIMITED,
        }
    }
}

impl Packing {
    /// Creates an empty PDU for a grant of `grant` bytes.
    pub const fn new(layout: Layout, grant: Bytes) -> Self {
        Self { layout, grant: grant.0, elements: 0, data: 0, last: 0 }
    }

    /// Returns the maximum length of a further element, in bytes: zero if not one byte of it fits.
    #[inline]
    pub fn room(&self) -> u64 {
        // TS 36.322 §6.2.2.2: an element longer than LI can describe is the last one in its PDU.
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

    /// Fills the data field from the buffer, in the order of arrival: one or two pieces of SDUs at
    /// the ends, whole SDUs between them (TS 36.322 §6.2.2.2). Returns `None` if nothing waits or
    /// fits.
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

    /// Returns the length of the header. At least one element must have been added.
    pub fn header(&self) -> Bytes {
        self.layout.header(self.elements)
    }
}

/// A length limited only by the grant.
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

    /// Without header costs, every byte of the grant is data.
    #[test]
    fn uncounted_headers_leave_the_whole_grant_to_data() {
        let mut packing = Packing::new(layout(0, LengthIndicator::Uncounted), Bytes(100));
        packing.add(30);
        assert_eq!(packing.room(), 70);
        packing.add(70);
        assert_eq!((packing.header(), packing.room()), (Bytes::ZERO, 0));
    }
}
