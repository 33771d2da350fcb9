//! The SINR of a resource element.

use crate::unit::Decibel;

/// Signal to interference and noise ratio per resource element, as a plain factor; never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Sinr(f64);

impl Sinr {
    /// No signal.
    pub const ZERO: Self = Self(0.0);

    /// The ratio `factor` (linear).
    ///
    /// # Panics
    /// When it is negative or not a number.
    #[inline]
    pub fn from_linear(factor: f64) -> Self {
        assert!(factor >= 0.0, "SINR {factor}");
        Self(factor)
    }

    /// The ratio as a plain factor.
    #[inline]
    pub const fn linear(self) -> f64 {
        self.0
    }

    /// This ratio raised by `gain`.
    pub fn plus(self, gain: Decibel) -> Self {
        Self(self.0 * gain.linear())
    }
}

impl From<Decibel> for Sinr {
    fn from(ratio: Decibel) -> Self {
        Self(ratio.linear())
    }
}

impl From<Sinr> for Decibel {
    fn from(sinr: Sinr) -> Self {
        Self::from_linear(sinr.0)
    }
}
