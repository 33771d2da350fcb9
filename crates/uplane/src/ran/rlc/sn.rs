//! Sequence numbers that wrap (TS 36.322 §7.1, TS 38.322 §7.1).
//!
//! In: a number of bits, then steps. Out: distances from a modulus base.
//!
//! Two sequence numbers have no order; only their distances from a third number, the modulus base,
//! do. So the type does not implement `Ord`.

/// A sequence number of 5 to 18 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sn {
    value: u32,
    /// The highest sequence number.
    highest: u32,
}

impl Sn {
    /// Returns sequence number zero of `bits` bits, at most 18.
    pub const fn zero(bits: u8) -> Self {
        assert!(bits <= 18, "a sequence number has at most 18 bits");
        Self { value: 0, highest: (1 << bits) - 1 }
    }

    /// Returns sequence number zero with the same number of bits.
    #[must_use]
    pub const fn to_zero(self) -> Self {
        Self { value: 0, ..self }
    }

    /// Returns the number as it is written in a header.
    pub const fn value(self) -> u32 {
        self.value
    }

    /// Returns the number `steps` after this one.
    #[must_use]
    pub const fn plus(self, steps: u32) -> Self {
        Self { value: self.value.wrapping_add(steps) & self.highest, ..self }
    }

    /// Returns the number `steps` before this one.
    #[must_use]
    pub const fn minus(self, steps: u32) -> Self {
        self.plus(steps.wrapping_neg())
    }

    /// Returns the number of steps from `base` up to this number: never negative, less than the
    /// modulus.
    pub const fn offset_from(self, base: Self) -> u32 {
        debug_assert!(self.highest == base.highest, "two kinds of sequence numbers");
        self.value.wrapping_sub(base.value) & self.highest
    }

    /// Returns whether `base <= self < base + window`, with `base` as the modulus base.
    pub const fn is_within(self, base: Self, window: u32) -> bool {
        self.offset_from(base) < window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.322 §7.1: the modulus base is subtracted from all values, then they are compared.
    #[test]
    fn distances_go_round_the_modulus() {
        let base = Sn::zero(10).minus(2);
        assert_eq!(base.value(), 1022);
        assert_eq!(Sn::zero(10).offset_from(base), 2);
        assert_eq!(base.offset_from(Sn::zero(10)), 1022);
        assert!(Sn::zero(10).plus(509).is_within(base, 512));
        assert!(!Sn::zero(10).plus(510).is_within(base, 512));
        assert!(!base.minus(1).is_within(base, 512));
    }

    #[test]
    fn sixteen_bits_are_used_to_the_last() {
        assert_eq!(Sn::zero(16).minus(1).value(), 65_535);
        assert_eq!(Sn::zero(18).minus(1).value(), 262_143);
        assert_eq!(Sn::zero(16).minus(1).plus(2).value(), 1);
        assert_eq!(Sn::zero(5).plus(33).value(), 1);
    }
}
