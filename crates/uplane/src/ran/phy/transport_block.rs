//! Transport blocks: their size, and the layers that they are mapped to.
//!
//! In: bits. Out: whole bytes. The sizes by resources differ between generations ([`super::lte`],
//! [`super::nr`]).

use super::resource_grid::SUBFRAME;
use crate::unit::{Bytes, Duration};

/// The size of a transport block in bits, without its CRC; whole bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransportBlockSize(u32);

/// Spatial layers that one transport block is mapped to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layers {
    /// 1
    #[default]
    One,
    /// 2
    Two,
    /// 3, in NR.
    Three,
    /// 4, in NR.
    Four,
}

impl TransportBlockSize {
    /// A block of `bits` bits; `None` unless these are whole bytes.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits.is_multiple_of(8) { Some(Self(bits)) } else { None }
    }

    /// A block of `bits` bits, which a table says are whole bytes.
    #[inline(always)]
    pub(super) const fn of_whole_bytes(bits: u32) -> Self {
        debug_assert!(bits.is_multiple_of(8), "a block of whole bytes");
        Self(bits)
    }

    /// The size in bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The size in bytes.
    pub const fn bytes(self) -> Bytes {
        Bytes(self.0 as u64 / 8)
    }

    /// What this size of a 1 ms subframe becomes in a transmission time interval of another length:
    /// in proportion, whole bytes, at least one.
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
    /// How many.
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
