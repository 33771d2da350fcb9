//! Modulation schemes from QPSK to 1024QAM.
//!
//! In: the modulation order of a table. Out: one of five schemes.
//!
//! Left out: π/2-BPSK of NR with transform precoding. This matters for a cell-edge NR uplink.

/// A modulation scheme, in ascending order of bits per symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modulation {
    /// 2 bits per resource element.
    Qpsk,
    /// 4 bits per resource element.
    Qam16,
    /// 6 bits per resource element.
    Qam64,
    /// 8 bits per resource element.
    Qam256,
    /// 10 bits per resource element.
    Qam1024,
}

impl Modulation {
    /// All schemes, in ascending order.
    pub const ALL: [Self; 5] = [Self::Qpsk, Self::Qam16, Self::Qam64, Self::Qam256, Self::Qam1024];

    /// Returns `Q_m`, the number of coded bits per resource element.
    pub const fn bits(self) -> u32 {
        2 * (self as u32 + 1)
    }

    /// Returns the scheme with this `Q_m`.
    ///
    /// # Panics
    /// If there is no such scheme.
    pub(super) const fn of_order(bits: u32) -> Self {
        assert!(bits >= 2 && bits <= 10 && bits.is_multiple_of(2), "no such modulation order");
        Self::ALL[bits as usize / 2 - 1]
    }
}
