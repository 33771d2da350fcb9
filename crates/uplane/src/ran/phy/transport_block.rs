//! Transport blocks: their size, and the layers that they are mapped to.
//!
//! In: bits. Out: whole bytes. The sizes for given resources differ between generations
//! ([`super::lte`], [`super::nr`]).

use super::resource_grid::SUBFRAME;
use crate::unit::{Bytes, Duration};

/// The size of a transport block in bits, without its CRC; whole bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransportBlockSize(u32);

/// Number of spatial layers of one transport block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layers {
    /// One spatial layer.
    #[default]
    One,
    /// Two spatial layers.
    Two,
    /// Three spatial layers, only in NR.
    Three,
    /// Four spatial layers, only in NR.
    Four,
}

impl TransportBlockSize {
    /// Returns a size of `bits` bits. `None` unless these are whole bytes.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits.is_multiple_of(8) { Some(Self(bits)) } else { None }
    }

    /// Returns a size of `bits` bits, which a table guarantees to be whole bytes.
    #[inline(always)]
    pub(super) const fn of_whole_bytes(bits: u32) -> Self {
        debug_assert!(bits.is_multiple_of(8), "a block of whole bytes");
        Self(bits)
    }

    /// Returns the size in bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the size in bytes.
    pub const fn bytes(self) -> Bytes {
        Bytes(self.0 as u64 / 8)
    }

    /// Scales the size in a 1 ms subframe to a transmission time interval of another length: in
    /// proportion, in whole bytes, at least one.
    pub fn scaled(self, tti: Duration) -> Self {
        let subframe = SUBFRAME.as_nanos();
        if tti.as_nanos() == subframe {
            return self;
        }
        let bytes = (self.bytes().0 * tti.as_nanos() + subframe / 2) / subframe;
        Self(8 * bytes.max(1) as u32)
    }
}

impl Layers {
    /// Returns the number of layers.
    pub const fn count(self) -> u32 {
        self as u32 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_interval_carries_its_share_in_whole_bytes() {
        let size = TransportBlockSize::from_bits(21_000).expect("whole bytes");
        assert_eq!(size.scaled(Duration::from_millis(1)).bits(), 21_000);
        assert_eq!(size.scaled(Duration::from_micros(500)).bits(), 10_504);
        assert_eq!(size.scaled(Duration::from_micros(100)).bits(), 2_104);
        assert_eq!(TransportBlockSize(16).scaled(Duration::from_micros(100)).bits(), 8);
    }

    #[test]
    fn a_block_is_whole_bytes() {
        assert_eq!(TransportBlockSize::from_bits(17), None);
    }
}
