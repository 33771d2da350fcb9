//! A set of a UE's configured grants, by number.
//!
//! In: numbers. Out: the numbers that are in the set.

/// Grants by number, starting at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrantSet(u16);

impl GrantSet {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The set of all possible grants.
    pub const ALL: Self = Self(u16::MAX);

    /// Returns `true` if the set contains the grant.
    pub const fn contains(self, number: usize) -> bool {
        self.0 & (1 << number) != 0
    }

    /// Returns `true` if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if some grant is in both sets.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns this set without the grants of `others`.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Returns the numbers of all grants of the set.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        (0..MOST).filter(move |&number| self.contains(number))
    }

    /// Adds a grant.
    pub const fn add(&mut self, number: usize) {
        self.0 |= 1 << number;
    }
}

impl FromIterator<usize> for GrantSet {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        let mut set = Self::NONE;
        numbers.into_iter().for_each(|number| set.add(number));
        set
    }
}

/// Maximum number of grants of a UE (`maxNrofConfiguredGrantConfig`, TS 38.331 §6.4).
pub const MOST: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_added_grants() {
        let set: GrantSet = [1, 11].into_iter().collect();
        assert_eq!(set.numbers().collect::<Vec<usize>>(), [1, 11]);
        let eleven: GrantSet = [11].into_iter().collect();
        assert!(set.meets(eleven) && !set.without(eleven).meets(eleven));
        assert!(set.without(set).is_empty() && !set.without(eleven).is_empty());
        assert!((0..MOST).all(|number| GrantSet::ALL.contains(number)));
    }
}
