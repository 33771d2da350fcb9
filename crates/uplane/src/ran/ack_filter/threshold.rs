//! How many acknowledgements may wait.

/// How many pure acknowledgements may wait; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Threshold(usize);

impl Threshold {
    /// Only the newest.
    pub const ONE: Self = Self(1);

    /// `None` for zero: the newest is never taken out.
    pub const fn new(acknowledgements: usize) -> Option<Self> {
        if acknowledgements == 0 { None } else { Some(Self(acknowledgements)) }
    }

    /// How many may wait.
    pub const fn acknowledgements(self) -> usize {
        self.0
    }
}
