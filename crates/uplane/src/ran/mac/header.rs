//! Lengths of MAC headers (TS 36.321 §6.1.2, TS 38.321 §6.1.2).
//!
//! In: MAC SDUs and control elements of one transport block, one by one. Out: the maximum length of
//! the next SDU, and the division of the block's bytes into SDUs, headers and padding.
//!
//! A sub-header has one byte; with a length field two (SDUs up to 127 bytes) or three. The last
//! sub-header has no length field. Padding of one or two bytes consists of sub-headers in front;
//! longer padding has a sub-header of one byte at the end, and then the last SDU has a length
//! field.
//!
//! In NR a sub-header precedes each SDU: two bytes for SDUs up to 255 bytes, three for longer SDUs.
//! The sub-header of the padding has one byte.
//!
//! The lengths are a parameter, [`SubHeaders`]. All are zero for studies that count no headers.

use crate::unit::Bytes;

/// One transport block while it is filled.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    size: u64,
    /// Control elements with their sub-headers, and sub-headers of all SDUs but the last.
    before: u64,
    /// Bytes of SDUs.
    sdus: u64,
    /// The SDU added last: its sub-header depends on what follows.
    last: Option<u64>,
    lengths: SubHeaders,
}

/// Lengths of sub-headers and control elements in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubHeaders {
    /// Sub-header of the last SDU, and of padding.
    last: u8,
    /// Sub-header of an SDU up to 127 bytes (NR: 255) before other SDUs.
    short: u8,
    /// Sub-header of a longer SDU.
    long: u8,
    /// Bytes in a block for each byte of a report: 1, or 0 if headers are not counted.
    reports: u8,
    /// Maximum length of the headers of one SDU and a report, which a grant adds to the data.
    allowance: u8,
    /// The sub-header of an SDU depends on its own length alone.
    each: bool,
}

/// Division of the bytes of one block. The sum is the size of the block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Division {
    /// MAC SDUs, which are RLC PDUs.
    pub sdus: Bytes,
    /// Sub-headers and control elements.
    pub headers: Bytes,
    /// Padding, without its sub-header.
    pub padding: Bytes,
}

impl SubHeaders {
    /// TS 36.321 §6.1.2
    pub const LTE: Self =
        Self { last: 1, short: 2, long: 3, reports: 1, allowance: 4, each: false };

    /// TS 38.321 §6.1.2
    pub const NR: Self = Self { last: 0, short: 2, long: 3, reports: 1, allowance: 8, each: true };

    /// Headers and control elements take no bytes.
    pub const NONE: Self =
        Self { last: 0, short: 0, long: 0, reports: 0, allowance: 0, each: false };

    /// Returns the bytes that a grant adds to the data for headers.
    pub const fn allowance(self) -> Bytes {
        Bytes(self.allowance as u64)
    }

    /// Returns the length of the sub-header of the last SDU.
    pub const fn of_last(self) -> Bytes {
        Bytes(self.last as u64)
    }

    /// Returns the bytes in a block of a report that has `length` bytes with its sub-header.
    pub const fn of_report(self, length: Bytes) -> Bytes {
        Bytes(length.0 * self.reports as u64)
    }
}

impl Packing {
    /// Creates an empty block of this size.
    pub const fn new(size: Bytes, lengths: SubHeaders) -> Self {
        Self { size: size.0, before: 0, sdus: 0, last: None, lengths }
    }

    /// Returns the length of the longest SDU that still fits.
    pub const fn room(&self) -> Bytes {
        if self.lengths.each {
            let left = self.size.saturating_sub(self.before + self.sdus);
            return Bytes(left.saturating_sub(self.own_sub_header(left.saturating_sub(2))));
        }
        let own = self.lengths.last as u64;
        Bytes(self.size.saturating_sub(self.before + self.length_field() + self.sdus + own))
    }

    /// Returns the unused bytes, without subtracting a further header.
    pub const fn unused(&self) -> Bytes {
        Bytes(self.size.saturating_sub(self.before + self.sdus + self.last_sub_header()))
    }

    /// Adds an SDU, of at most [`Packing::room`] bytes.
    pub fn add(&mut self, sdu: Bytes) {
        debug_assert!(sdu <= self.room(), "an SDU of {sdu} into a room of {}", self.room());
        if self.lengths.each {
            self.before += self.own_sub_header(sdu.0);
            self.sdus += sdu.0;
            return;
        }
        self.before += self.length_field();
        self.sdus += sdu.0;
        self.last = Some(sdu.0);
    }

    /// Adds a control element of this length. Returns `false` if it does not fit into the unused
    /// bytes.
    pub fn add_element(&mut self, length: Bytes) -> bool {
        let length = self.lengths.of_report(length);
        let fits = length <= self.unused();
        if fits {
            self.before += length.0;
        }
        fits
    }

    /// Reduces the block to the bytes in use.
    pub fn shrink(&mut self) {
        self.size -= self.unused().0;
    }

    /// Returns the size of the block.
    pub const fn size(&self) -> Bytes {
        Bytes(self.size)
    }

    /// Completes the block, and returns the division of its bytes.
    pub fn finish(&self) -> Division {
        let unused = self.unused().0;
        let (last, own) = (self.last_sub_header(), u64::from(self.lengths.last));
        // One or two bytes are padding sub-headers in front (§6.1.2). More take a length field of
        // the last SDU, and the sub-header of the padding.
        let padding_headers = match self.lengths.each {
            true => unused.min(1),
            false if unused <= 2 * own => unused,
            false => (self.length_field() - last + own).min(unused),
        };
        Division {
            sdus: Bytes(self.sdus),
            headers: Bytes(self.before + last + padding_headers),
            padding: Bytes(unused - padding_headers),
        }
    }

    /// Returns the length of the sub-header of an SDU of this length, if each SDU has its own.
    const fn own_sub_header(&self, sdu: u64) -> u64 {
        if sdu <= 255 { self.lengths.short as u64 } else { self.lengths.long as u64 }
    }

    /// Returns the length of the last SDU's sub-header, if nothing follows it.
    const fn last_sub_header(&self) -> u64 {
        if self.last.is_some() { self.lengths.last as u64 } else { 0 }
    }

    /// Returns the length of the last SDU's sub-header, if another follows it.
    const fn length_field(&self) -> u64 {
        match self.last {
            None => 0,
            Some(..=127) => self.lengths.short as u64,
            Some(_) => self.lengths.long as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divide(size: u64, sdus: &[u64]) -> [u64; 3] {
        let mut packing = Packing::new(Bytes(size), SubHeaders::LTE);
        for &sdu in sdus {
            packing.add(Bytes(sdu));
        }
        let Division { sdus, headers, padding } = packing.finish();
        [sdus.0, headers.0, padding.0]
    }

    /// TS 36.321 §6.1.2: a lone SDU that fills the block has the one-byte sub-header.
    #[test]
    fn the_last_sub_header_has_no_length() {
        assert_eq!(divide(549, &[548]), [548, 1, 0]);
        assert_eq!(divide(549, &[100, 446]), [546, 2 + 1, 0]);
        assert_eq!(divide(549, &[128, 417]), [545, 3 + 1, 0]);
    }

    /// TS 36.321 §6.1.2: padding of one or two bytes is in front, without changing the last SDU.
    #[test]
    fn short_padding_is_sub_headers_and_long_padding_costs_a_length_field() {
        assert_eq!(divide(100, &[98]), [98, 2, 0]);
        assert_eq!(divide(100, &[97]), [97, 3, 0]);
        assert_eq!(divide(100, &[96]), [96, 2 + 1, 1]);
        assert_eq!(divide(300, &[200]), [200, 3 + 1, 96]);
        assert_eq!(divide(300, &[]), [0, 1, 299]);
    }

    /// TS 36.321 §6.1.2: bytes of a block are SDUs, headers and padding, and nothing else.
    #[test]
    fn a_block_is_its_sdus_headers_and_padding() {
        let mut random = crate::sim::Streams::new(3).open("mac", "packing");
        for _ in 0..20_000 {
            let size = 1 + random.below(2_000);
            let mut packing = Packing::new(Bytes(size), SubHeaders::LTE);
            if random.below(2) == 0 {
                packing.add_element(Bytes(4));
            }
            for _ in 0..random.below(5) {
                let room = packing.room().0;
                if room > 0 {
                    packing.add(Bytes(1 + random.below(room)));
                }
            }
            if random.below(2) == 0 {
                packing.add_element(Bytes(2));
            }
            let Division { sdus, headers, padding } = packing.finish();
            assert_eq!(sdus.0 + headers.0 + padding.0, size);
        }
    }

    /// TS 38.321 §6.1.2: SDUs of 255 and 256 bytes take 257 and 259.
    #[test]
    fn each_sdu_of_nr_has_its_own_sub_header() {
        let divide = |size, sdus: &[u64]| {
            let mut packing = Packing::new(Bytes(size), SubHeaders::NR);
            for &sdu in sdus {
                packing.add(Bytes(sdu));
            }
            let Division { sdus, headers, padding } = packing.finish();
            [sdus.0, headers.0, padding.0]
        };
        assert_eq!(divide(257, &[255]), [255, 2, 0]);
        assert_eq!(divide(259, &[256]), [256, 3, 0]);
        assert_eq!(divide(1509, &[1506]), [1506, 3, 0]);
        assert_eq!(divide(520, &[255, 255]), [510, 4 + 1, 5]);
        assert_eq!(divide(258, &[255]), [255, 2 + 1, 0]);
        for (size, room) in [(2, 0), (3, 1), (257, 255), (258, 255), (259, 256), (1000, 997)] {
            assert_eq!(Packing::new(Bytes(size), SubHeaders::NR).room(), Bytes(room), "{size}");
        }
    }

    #[test]
    fn a_bare_block_is_all_data() {
        let mut packing = Packing::new(Bytes(50), SubHeaders::NONE);
        assert!(packing.add_element(Bytes(4)));
        packing.add(Bytes(20));
        packing.add(packing.room());
        assert_eq!(packing.finish(), Division { sdus: Bytes(50), ..Division::default() });
    }

    #[test]
    fn a_report_needs_its_sub_header_too() {
        assert!(!Packing::new(Bytes(1), SubHeaders::LTE).add_element(Bytes(2)));
        assert!(Packing::new(Bytes(2), SubHeaders::LTE).add_element(Bytes(2)));
        assert!(!Packing::new(Bytes(3), SubHeaders::LTE).add_element(Bytes(4)));
    }

    #[test]
    fn a_shrunk_block_has_no_padding() {
        let mut packing = Packing::new(Bytes(300), SubHeaders::LTE);
        packing.add(Bytes(200));
        packing.shrink();
        assert_eq!(packing.size(), Bytes(201));
        assert_eq!((packing.room(), packing.finish().padding), (Bytes::ZERO, Bytes::ZERO));
    }
}
