//! Complex numbers, as far as a channel needs them.
//!
//! In: real and imaginary parts. Out: sums, products, powers.
//!
//! Left out: division and transcendental functions, which nothing here needs.

/// A complex amplitude.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// In phase.
    pub re: f64,
    /// In quadrature.
    pub im: f64,
}

impl Complex {
    /// 1
    pub const ONE: Self = Self { re: 1.0, im: 0.0 };
    /// The imaginary unit.
    pub const J: Self = Self { re: 0.0, im: 1.0 };
    /// 0
    pub const ZERO: Self = Self { re: 0.0, im: 0.0 };

    /// The squared magnitude.
    #[inline]
    pub fn power(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// The number mirrored at the real axis.
    pub fn conjugate(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    /// The number turned by half a turn.
    pub fn negative(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }

    /// The sum.
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }

    /// The product.
    #[inline]
    pub fn times(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    /// The number times a real factor.
    #[inline]
    pub fn scaled(self, factor: f64) -> Self {
        Self { re: self.re * factor, im: self.im * factor }
    }
}
