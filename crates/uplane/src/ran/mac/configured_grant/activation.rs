//! A configured grant of type 2 of one UE, as its base station knows it (TS 38.321 §5.8.2).
//!
//! In: messages that activate and release it, blocks, confirmations. Out: its occasions, and the
//! occasion with which it is released after a number of occasions without a block.
//!
//! The message that activates the grant names the slot of its first block, and occasions follow
//! that slot one period after another. After a release the UE may still use the grant, until one of
//! its blocks has confirmed the release.
//!
//! The standard leaves open when a base station activates and releases a grant. This one activates
//! it to answer a request or a report, and releases it after a number of occasions in a row without
//! a block.
//!
//! Left out: a message that the UE misses (1 % by the choice of its level), and the conclusions
//! that a base station draws from a missing confirmation.

/// State of a configured grant of type 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The grant has no occasions.
    Inactive,
    /// The grant has occasions.
    Active {
        /// The slot of its first block.
        first: u64,
        /// The occasion of its last block.
        last: u64,
        /// The UE has received its release, or will receive it.
        released: bool,
    },
}

impl Activation {
    /// Creates the state of a grant that was activated with a block in `slot`.
    pub const fn new(slot: u64) -> Self {
        Self::Active { first: slot, last: slot, released: false }
    }

    /// Returns the place of its occasions in a period; `None` while it has no occasions.
    pub const fn offset(&self, period: u64) -> Option<u64> {
        match self {
            Self::Inactive => None,
            Self::Active { first, .. } => Some(*first % period),
        }
    }

    /// Records a block of the grant that begins, in the bundle at `occasion`.
    pub const fn on_block(&mut self, occasion: u64) {
        if let Self::Active { last, .. } = self {
            *last = occasion;
        }
    }

    /// Returns the last of `count` occasions after its last block, with which the grant is
    /// released. `None` if it is not active, or was released before.
    pub const fn idle_with(&self, period: u64, count: u64) -> Option<u64> {
        match self {
            Self::Active { last, released: false, .. } => Some(*last + count * period),
            _ => None,
        }
    }

    /// Records that the UE receives the release.
    pub const fn release(&mut self) {
        if let Self::Active { released, .. } = self {
            *released = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 38.321 §5.8.2: the first block gives the place of the others.
    #[test]
    fn occasions_follow_the_first_block() {
        let mut grant = Activation::new(47);
        assert_eq!(grant.offset(20), Some(7));
        grant.on_block(87);
        assert_eq!(grant.offset(20), Some(7));
        assert_eq!(Activation::Inactive.offset(20), None);
    }

    /// Three occasions without a block after the block in slot 87, with a period of 20 slots.
    #[test]
    fn it_is_idle_with_the_last_of_its_empty_occasions() {
        let mut grant = Activation::new(47);
        assert_eq!(grant.idle_with(20, 3), Some(107));
        grant.on_block(87);
        assert_eq!(grant.idle_with(20, 3), Some(147));
        grant.release();
        assert_eq!(grant.idle_with(20, 3), None, "it is released once");
        assert_eq!(grant.offset(20), Some(7), "until the UE has confirmed it");
        assert_eq!(Activation::Inactive.idle_with(20, 3), None);
    }
}
