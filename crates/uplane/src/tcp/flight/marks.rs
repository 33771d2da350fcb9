//! What is known about a segment in flight: arrived, lost, retransmitted.
//!
//! The flags of one segment are those of the scoreboard of RFC 6675 §3, with one addition: a
//! segment that has arrived keeps its earlier flags, so that a recovery can tell a retransmission
//! that arrived from a segment that was never lost.

/// A set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tcp) struct Marks(u8);

impl Marks {
    /// On its way, as far as one knows.
    pub(in crate::tcp) const OUTSTANDING: Self = Self(0);
    /// Lost, and not sent again.
    pub(in crate::tcp) const LOST: Self = Self(1);
    /// Sent again although it may not be lost: on its way twice, as far as one knows.
    pub(in crate::tcp) const DOUBLED: Self = Self(2);
    /// Lost, and on its way again.
    pub(in crate::tcp) const RESENT: Self = Self(3);
    /// The receiver has it out of order. The other flags say what was known before.
    pub(in crate::tcp) const SACKED: Self = Self(4);
    /// Arrived when it had been lost and was on its way again.
    pub(in crate::tcp) const SACKED_RESENT: Self = Self(7);
    /// Arrived when it was on its way twice.
    pub(in crate::tcp) const SACKED_DOUBLED: Self = Self(6);

    /// How many sets there are.
    pub(in crate::tcp) const COUNT: usize = 8;

    #[inline]
    pub(in crate::tcp) const fn is_sacked(self) -> bool {
        self.0 & Self::SACKED.0 != 0
    }

    #[inline]
    pub(in crate::tcp) const fn is_lost(self) -> bool {
        self.0 & Self::LOST.0 != 0
    }

    pub(in crate::tcp) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(in crate::tcp) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Its place among [`Marks::COUNT`] counters; all that have arrived come last.
    #[inline]
    pub(in crate::tcp) const fn index(self) -> usize {
        self.0 as usize
    }
}
