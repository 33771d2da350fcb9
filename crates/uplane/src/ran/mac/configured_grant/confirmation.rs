//! The configured grants that a UE may use, and those that it must confirm (TS 38.321 §5.4.1,
//! §5.8.2).
//!
//! In: messages that activate and release grants of type 2, blocks. Out: active grants, and whether
//! a block carries a Configured Grant Confirmation MAC CE.
//!
//! The next block of the UE confirms activations and releases. A released grant is cleared with the
//! block that confirms the release, and carries that block if no other block comes first.

use super::GrantSet;
use crate::unit::Bytes;

/// The configured grants of one UE.
#[derive(Clone, Copy, Debug)]
pub struct Confirmations {
    active: GrantSet,
    /// Grants to confirm, in a block of slot `from` or later.
    triggered: GrantSet,
    /// Grants of `triggered` that were released.
    released: GrantSet,
    from: u64,
    /// Length of the control element with its sub-header.
    length: Bytes,
}

/// The grants that a block confirms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// Grants that were activated or released.
    pub all: GrantSet,
    /// Grants of `all` that are cleared with the block.
    pub cleared: GrantSet,
}

impl Confirmations {
    /// Creates the state of a UE with these grants of type 1, and no active grant of type 2. With
    /// `a_list` a confirmation names each of its grants.
    pub const fn new(type_1: GrantSet, a_list: bool) -> Self {
        Self {
            active: type_1,
            triggered: GrantSet::NONE,
            released: GrantSet::NONE,
            from: 0,
            length: if a_list { MULTIPLE_ENTRY } else { SINGLE },
        }
    }

    /// Returns the grants that the UE may use.
    pub const fn active(&self) -> GrantSet {
        self.active
    }

    /// Returns `true` if the UE has something to confirm, now or later.
    pub const fn are_triggered(&self) -> bool {
        !self.triggered.is_empty()
    }

    /// Returns the length of the confirmation that a block in `slot` must have; `None` if it needs
    /// none.
    pub const fn length_in(&self, slot: u64) -> Option<Bytes> {
        if self.are_triggered() && slot >= self.from { Some(self.length) } else { None }
    }

    /// Records the activation of a grant that begins with a block in `slot`.
    pub const fn on_activation(&mut self, number: usize, slot: u64) {
        self.active.add(number);
        self.triggered.add(number);
        self.from = slot;
    }

    /// Records the release of a grant, to be confirmed by a block in `slot` or later.
    pub const fn on_release(&mut self, number: usize, slot: u64) {
        self.triggered.add(number);
        self.released.add(number);
        self.from = slot;
    }

    /// Confirms all triggered grants with a block, and clears the released ones.
    pub const fn confirm(&mut self) -> Confirmed {
        let confirmed = Confirmed { all: self.triggered, cleared: self.released };
        self.active = self.active.without(confirmed.cleared);
        (self.triggered, self.released) = (GrantSet::NONE, GrantSet::NONE);
        confirmed
    }
}

impl Confirmed {
    /// A block that confirms no grant.
    pub const NOTHING: Self = Self { all: GrantSet::NONE, cleared: GrantSet::NONE };
}

/// TS 38.321 §6.1.3.7: only a sub-header, of one byte.
const SINGLE: Bytes = Bytes(1);
/// TS 38.321 §6.1.3.31: four bytes, with a sub-header of two (`eLCID`).
const MULTIPLE_ENTRY: Bytes = Bytes(6);

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> GrantSet {
        numbers.iter().copied().collect()
    }

    /// TS 38.321 §5.8.2: a grant is cleared with the block that confirms its release, not before.
    #[test]
    fn a_released_grant_may_be_used_until_that_is_confirmed() {
        let mut grants = Confirmations::new(set(&[0]), true);
        grants.on_activation(1, 30);
        assert_eq!(grants.active(), set(&[0, 1]));
        assert_eq!([29, 30].map(|slot| grants.length_in(slot)), [None, Some(Bytes(6))]);
        assert_eq!(grants.confirm(), Confirmed { all: set(&[1]), cleared: GrantSet::NONE });
        assert_eq!(grants.length_in(31), None);
        grants.on_release(1, 70);
        assert!(grants.are_triggered() && grants.active().contains(1));
        assert_eq!(grants.confirm(), Confirmed { all: set(&[1]), cleared: set(&[1]) });
        assert_eq!(grants.active(), set(&[0]));
        assert!(!grants.are_triggered());
    }

    /// TS 38.321 §6.1.3.7: where a UE has one grant that is not in a list.
    #[test]
    fn the_confirmation_of_a_lone_grant_is_a_sub_header() {
        let mut grants = Confirmations::new(GrantSet::NONE, false);
        grants.on_activation(0, 5);
        assert_eq!(grants.length_in(5), Some(Bytes(1)));
    }
}
