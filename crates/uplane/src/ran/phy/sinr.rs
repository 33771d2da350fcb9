//! The SINR of a resource element.

use crate::unit::Decibel;

/// Signal to interference and noise ratio per resource element, as a plain factor; never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Sinr(f64);

impl Sinr {
    /// The SINR without a signal.
    pub const ZERO: Self = Self(0.0);

    /// Creates a SINR from a linear factor.
    ///
    /// # Panics
    /// If the factor is negative or not a number.
    #[inline]
    pub fn from_linear(factor: f64) -> Self {
        assert!(factor >= 0.0, "SINR {factor}");
        Self(factor)
    }

    /// Returns the SINR as a plain factor.
    #[inline]
    pub const fn linear(self) -> f64 {
        self.0
    }

    /// Returns the SINR raised by `gain`.
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
