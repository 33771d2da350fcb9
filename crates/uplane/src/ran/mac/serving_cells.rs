//! A set of the serving cells of a UE. Serving cells are carriers here, numbered from 0.
//!
//! In: numbers. Out: the numbers that are in the set.

/// A set of carriers, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServingCells(u32);

impl ServingCells {
    /// The set of all possible carriers.
    pub const ALL: Self = Self(u32::MAX);

    /// The first carrier, which is the primary cell.
    pub const FIRST: Self = Self(1);

    /// Returns `true` if the set contains the carrier.
    #[inline(always)]
    pub const fn contains(self, number: u64) -> bool {
        self.0 & (1 << number) != 0
    }

    /// Returns the union of both sets.
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
    fn a_set_contains_named_carriers() {
        let set: ServingCells = [1, 31].into_iter().collect();
        assert_eq!([0, 1, 2, 31].map(|number| set.contains(number)), [false, true, false, true]);
        assert!(set.or(ServingCells::FIRST).contains(0) && !ServingCells::FIRST.contains(1));
        assert!((0..32).all(|number| ServingCells::ALL.contains(number)));
    }
}
