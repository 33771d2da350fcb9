//! Complex numbers with the operations that a channel needs.
//!
//! In: real and imaginary parts. Out: sums, products, powers.
//!
//! Left out: division and transcendental functions, which nothing here needs.

/// A complex number, as an amplitude.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part: the in-phase component.
    pub re: f64,
    /// Imaginary part: in quadrature.
    pub im: f64,
}

impl Complex {
    /// The number 1.
    pub const ONE: Self = Self { re: 1.0, im: 0.0 };
    /// The imaginary unit.
    pub const J: Self = Self { re: 0.0, im: 1.0 };
    /// The number 0.
    pub const ZERO: Self = Self { re: 0.0, im: 0.0 };

    /// Returns the squared magnitude.
    #[inline]
    pub fn power(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// Returns the complex conjugate.
    pub fn conjugate(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    /// Returns the number with the opposite sign.
    pub fn negative(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }

    /// Returns the sum of two numbers.
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }

    /// Returns the product of two numbers.
    #[inline]
    pub fn times(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    /// Returns the product with a real factor.
    #[inline]
    pub fn scaled(self, factor: f64) -> Self {
        Self { re: self.re * factor, im: self.im * factor }
    }
}
