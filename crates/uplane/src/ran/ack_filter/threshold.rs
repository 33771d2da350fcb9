//! Thresholds of active discard.

/// Maximum number of pure acknowledgements that may wait, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Threshold(usize);

impl Threshold {
    /// Threshold of one: only the newest acknowledgement may wait.
    pub const ONE: Self = Self(1);

    /// Creates a threshold. Returns `None` for zero, because the newest acknowledgement is never
    /// dropped.
    pub const fn new(acknowledgements: usize) -> Option<Self> {
        if acknowledgements == 0 { None } else { Some(Self(acknowledgements)) }
    }

    /// Returns the maximum number of acknowledgements that may wait.
    pub const fn acknowledgements(self) -> usize {
        self.0
    }
}
