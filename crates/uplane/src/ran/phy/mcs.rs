//! The index of a modulation and coding scheme, as grants and assignments have it in LTE and NR.
//!
//! In: a number. Out: the same, as five bits. Its meaning is in a table ([`super::lte::McsTable`],
//! [`super::nr::McsTable`]).

/// `I_MCS`, 0 to 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mcs(u8);

impl Mcs {
    /// `I_MCS` 0.
    pub const LOWEST: Self = Self(0);

    /// `None` above 31: the field has five bits.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 32 { Some(Self(index)) } else { None }
    }

    /// The number.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// This index and all below, from the highest down.
    pub fn descending(self) -> impl Iterator<Item = Self> {
        (0..=self.0).rev().map(Self)
    }
}
