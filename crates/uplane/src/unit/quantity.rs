//! Amounts of data, rates, decibels and probabilities.
//!
//! In: plain numbers. Out: types with only the sensible operators.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

use super::math;
use super::time::Duration;

/// An amount of data in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A rate in bit/s; never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bitrate(u64);

/// A ratio of powers in dB.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Decibel(pub f64);

/// A probability in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Probability(f64);

impl Bytes {
    /// An amount of zero bytes.
    pub const ZERO: Self = Self(0);

    /// Returns the amount in bits.
    pub const fn bits(self) -> u64 {
        self.0 * 8
    }

    /// Returns this amount less `other`, or zero.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Returns `true` for zero bytes.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Bitrate {
    /// Returns a rate of `bits` bit/s. `None` for zero, which would never deliver anything.
    pub const fn from_bps(bits: u64) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits)) }
    }

    /// Returns the rate in bit/s.
    pub const fn as_bps(self) -> u64 {
        self.0
    }

    /// Returns the time that this amount takes, to the nearest nanosecond.
    fn time_for(self, amount: Bytes) -> Duration {
        let half = self.0 / 2;
        // 2^64 / (8 · 10^9) bytes is 2.3 GB: larger amounts take the slow path.
        let nanos = amount.0.checked_mul(8_000_000_000).map_or_else(
            || {
                ((u128::from(amount.0) * 8_000_000_000 + u128::from(half)) / u128::from(self.0))
                    as u64
            },
            |bit_nanos| bit_nanos.saturating_add(half) / self.0,
        );
        Duration::from_nanos(nanos)
    }
}

impl Decibel {
    /// Returns the ratio as a plain factor.
    pub fn linear(self) -> f64 {
        math::db_to_linear(self.0)
    }

    /// Returns the ratio `factor` in dB.
    pub fn from_linear(factor: f64) -> Self {
        Self(math::linear_to_db(factor))
    }
}

impl Probability {
    /// The probability of an event that never happens.
    pub const ZERO: Self = Self(0.0);

    /// Returns the probability. `None` outside [0, 1] and for not-a-number.
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// Returns the probability as a plain number.
    pub const fn value(self) -> f64 {
        self.0
    }

    /// Returns `true` for probability zero.
    pub fn is_zero(self) -> bool {
        self.0 <= 0.0
    }
}

impl Add for Bytes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Bytes {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.checked_sub(other.0).expect("a negative amount of bytes"))
    }
}

impl SubAssign for Bytes {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<u64> for Bytes {
    type Output = Self;
    fn mul(self, factor: u64) -> Self {
        Self(self.0 * factor)
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::add)
    }
}

/// Computes the time that these bytes take at this rate, to the nearest nanosecond.
impl Div<Bitrate> for Bytes {
    type Output = Duration;
    fn div(self, rate: Bitrate) -> Duration {
        rate.time_for(self)
    }
}

/// Computes the amount that this rate carries in this time, rounded down to whole bytes.
impl Mul<Duration> for Bitrate {
    type Output = Bytes;
    fn mul(self, span: Duration) -> Bytes {
        Bytes((u128::from(self.0) * u128::from(span.as_nanos()) / 8_000_000_000) as u64)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} B", self.0)
    }
}

/// Prints the rate in its largest unit that needs no fraction: `5 Mbit/s`, `113600 bit/s`.
impl fmt::Display for Bitrate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (divisor, unit) = match self.0 {
            bps if bps % 1_000_000_000 == 0 => (1_000_000_000, "Gbit/s"),
            bps if bps % 1_000_000 == 0 => (1_000_000, "Mbit/s"),
            bps if bps % 1_000 == 0 => (1_000, "kbit/s"),
            _ => (1, "bit/s"),
        };
        write!(f, "{} {unit}", self.0 / divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_over_a_rate_are_rounded_to_the_nearest_nanosecond() {
        let rate = Bitrate::from_bps(14_400_000).expect("not zero");
        assert_eq!(Bytes(1460) / rate, Duration::from_nanos(811_111));
        assert_eq!(Bytes(1) / rate, Duration::from_nanos(556));
    }

    #[test]
    fn terabytes_do_not_overflow() {
        let rate = Bitrate::from_bps(8).expect("not zero");
        assert_eq!(Bytes(10_000_000_000) / rate, Duration::from_secs(10_000_000_000));
    }

    #[test]
    fn a_probability_is_a_number_from_zero_to_one() {
        assert!(Probability::new(1.0).is_some());
        assert!(Probability::new(-0.1).is_none());
        assert!(Probability::new(f64::NAN).is_none());
    }
}
