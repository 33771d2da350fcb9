//! Effect of urgent downlink blocks on other blocks that are on the air (TS 38.213 §11.2).
//!
//! In: nothing; a scenario sets the values. Out: whether urgent blocks take resources, and the UEs'
//! knowledge of it.

/// Effect of urgent blocks on other blocks that are on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preemption {
    /// Urgent blocks wait for free resources.
    Never,
    /// Urgent blocks take the resources that they need. The UE of a damaged block decodes all it
    /// receives.
    Unindicated,
    /// Urgent blocks take the resources that they need. The UE of a damaged block knows exactly its
    /// losses.
    Indicated,
    /// Urgent blocks take the resources that they need, signalled by DCI format 2_1: all UEs treat
    /// all resource blocks of these symbols as lost (`timeFrequencySet` = set0, TS 38.331 §6.3.2).
    Symbols,
}

impl Preemption {
    /// Returns `true` if UEs know of the losses.
    pub(super) const fn is_known(self) -> bool {
        matches!(self, Self::Indicated | Self::Symbols)
    }
}
