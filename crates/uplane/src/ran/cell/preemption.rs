//! What urgent blocks of the downlink do to others that are on the air (TS 38.213 §11.2).
//!
//! In: nothing; a scenario says it. Out: whether they take resources, and what UEs learn of it.

/// What urgent blocks do to others that are on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preemption {
    /// They wait for what is free.
    Never,
    /// They take what they need, and its UE decodes what it gets.
    Unindicated,
    /// The same, and the UE knows exactly what it did not get.
    Indicated,
    /// The same by DCI format 2_1: all UEs take all resource blocks of these symbols for lost
    /// (`timeFrequencySet` = set0, TS 38.331 §6.3.2).
    Symbols,
}

impl Preemption {
    /// True where UEs learn of it.
    pub(super) const fn is_known(self) -> bool {
        matches!(self, Self::Indicated | Self::Symbols)
    }
}
