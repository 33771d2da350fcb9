//! A configured grant of type 2 of one UE, as its base station knows it (TS 38.321 §5.8.2).
//!
//! In: messages that activate and release it, blocks, confirmations. Out: its occasions, and when
//! so many of them had no block that it is to be released.
//!
//! The message that activates it names the slot of its first block, and occasions follow that slot
//! one period after another. After it was released the UE may still use it, until a block of it has
//! confirmed that.
//!
//! When a base station activates and releases is its own affair. This one answers a request or a
//! report by activating, and releases what was not used for a number of occasions in a row.
//!
//! Left out: a message that the UE misses (1 % by the choice of its level), and with it what the
//! base station learns from a confirmation that does not come.

/// Whether it is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// It has no occasions.
    Inactive,
    /// It has.
    Active {
        /// The slot of its first block.
        first: u64,
        /// The occasion of its last one.
        last: u64,
        /// The UE is to be told, or has been told, that it is released.
        released: bool,
    },
}

impl Activation {
    /// It was activated with a block in `slot`.
    pub const fn new(slot: u64) -> Self {
        Self::Active { first: slot, last: slot, released: false }
    }

    /// The place of its occasions in a period; none while it has no occasions.
    pub const fn offset(&self, period: u64) -> Option<u64> {
        match self {
            Self::Inactive => None,
            Self::Active { first, .. } => Some(*first % period),
        }
    }

    /// A block of it begins, of the bundle at `occasion`.
    pub const fn on_block(&mut self, occasion: u64) {
        if let Self::Active { last, .. } = self {
            *last = occasion;
        }
    }

    /// The last of `count` occasions after its last block, with which it is to be released; none
    /// when it is not active, or was released before.
    pub const fn idle_with(&self, period: u64, count: u64) -> Option<u64> {
        match self {
            Self::Active { last, released: false, .. } => Some(*last + count * period),
            _ => None,
        }
    }

    /// The UE is told that it is released.
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

    /// Three occasions without a block after that in slot 87, with a period of 20 slots.
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
