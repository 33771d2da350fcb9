//! State of a segment in flight: arrived, lost, retransmitted.
//!
//! The flags of a segment are those of the scoreboard of RFC 6675 §3, with one addition: a segment
//! that has arrived keeps its earlier flags, so that a recovery can distinguish an arrived
//! retransmission from a segment that was never lost.

/// A set of flags of one segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tcp) struct Marks(u8);

impl Marks {
    /// Presumed to be on its way.
    pub(in crate::tcp) const OUTSTANDING: Self = Self(0);
    /// Lost, and not retransmitted.
    pub(in crate::tcp) const LOST: Self = Self(1);
    /// Retransmitted though it may not be lost: presumed to be on its way twice.
    pub(in crate::tcp) const DOUBLED: Self = Self(2);
    /// Lost, and retransmitted.
    pub(in crate::tcp) const RESENT: Self = Self(3);
    /// Received out of order. The other flags keep the earlier state.
    pub(in crate::tcp) const SACKED: Self = Self(4);
    /// Arrived after it had been lost and retransmitted.
    pub(in crate::tcp) const SACKED_RESENT: Self = Self(7);
    /// Arrived while it was on its way twice.
    pub(in crate::tcp) const SACKED_DOUBLED: Self = Self(6);

    /// Number of different sets.
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

    /// Index among [`Marks::COUNT`] counters; all arrived segments are last.
    #[inline]
    pub(in crate::tcp) const fn index(self) -> usize {
        self.0 as usize
    }
}
