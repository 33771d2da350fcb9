//! Some of the configured grants of a UE, by their numbers.
//!
//! In: numbers. Out: which are there.

/// Grants by number, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrantSet(u16);

impl GrantSet {
    /// No grant.
    pub const NONE: Self = Self(0);

    /// All there can be.
    pub const ALL: Self = Self(u16::MAX);

    /// True when the grant is one of them.
    pub const fn contains(self, number: usize) -> bool {
        self.0 & (1 << number) != 0
    }

    /// True when there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True when some grant is in both.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// These without the others.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The numbers of all of them.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        (0..MOST).filter(move |&number| self.contains(number))
    }

    /// One more.
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

/// A UE has so many grants at most (`maxNrofConfiguredGrantConfig`, TS 38.331 §6.4).
pub const MOST: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_added() {
        let set: GrantSet = [1, 11].into_iter().collect();
        assert_eq!(set.numbers().collect::<Vec<usize>>(), [1, 11]);
        let eleven: GrantSet = [11].into_iter().collect();
        assert!(set.meets(eleven) && !set.without(eleven).meets(eleven));
        assert!(set.without(set).is_empty() && !set.without(eleven).is_empty());
        assert!((0..MOST).all(|number| GrantSet::ALL.contains(number)));
    }
}
