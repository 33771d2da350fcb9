//! The index of a modulation and coding scheme in grants and assignments of LTE and NR.
//!
//! In: a number. Out: an index of five bits. Its meaning is in a table ([`super::lte::McsTable`],
//! [`super::nr::McsTable`]).

/// `I_MCS`, 0 to 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mcs(u8);

impl Mcs {
    /// `I_MCS` 0.
    pub const LOWEST: Self = Self(0);

    /// Returns the index. `None` above 31, because the field has five bits.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 32 { Some(Self(index)) } else { None }
    }

    /// Returns the index as a number.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Returns this index and all lower ones, in descending order.
    pub fn descending(self) -> impl Iterator<Item = Self> {
        (0..=self.0).rev().map(Self)
    }
}
