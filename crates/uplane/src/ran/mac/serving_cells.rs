//! Some of the serving cells of a UE, which its carriers are here: by their numbers, 0 for the
//! first one.
//!
//! In: numbers. Out: which are there.

/// Carriers by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServingCells(u32);

impl ServingCells {
    /// All there can be.
    pub const ALL: Self = Self(u32::MAX);

    /// The first carrier alone, which is the primary cell.
    pub const FIRST: Self = Self(1);

    /// True when the carrier is one of them.
    #[inline(always)]
    pub const fn contains(self, number: u64) -> bool {
        self.0 & (1 << number) != 0
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<u32> for ServingCells {
    fn from_iter<T: IntoIterator<Item = u32>>(numbers: T) -> Self {
        Self(numbers.into_iter().fold(0, |all, number| all | 1 << number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_named() {
        let set: ServingCells = [1, 31].into_iter().collect();
        assert_eq!([0, 1, 2, 31].map(|number| set.contains(number)), [false, true, false, true]);
        assert!(set.or(ServingCells::FIRST).contains(0) && !ServingCells::FIRST.contains(1));
        assert!((0..32).all(|number| ServingCells::ALL.contains(number)));
    }
}
