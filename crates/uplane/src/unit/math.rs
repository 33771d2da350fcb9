//! Transcendental functions with bit-identical results on every platform.
//!
//! The standard library's `ln`, `exp`, `powf`, … may differ between platforms and versions. All of
//! uplane calls these functions instead (enforced by `clippy.toml`).

/// Returns the natural logarithm of `x`.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Returns the natural logarithm of `1 + x`, precise also for tiny `x`.
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// Returns the logarithm of `x` to base 2.
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// Returns the logarithm of `x` to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// Returns `e` to the power of `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Returns `e` to the power of `x`, less 1, precise also for tiny `x`.
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// Returns 2 to the power of `x`.
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// Returns `x` to the power of `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Returns the cube root of `x`.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// Returns the sine of `x` in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Returns the cosine of `x` in radians.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Returns the angle of the direction (`x`, `y`) in radians, between −π and π.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Returns the complementary error function of `x`.
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// Converts a ratio from dB to a plain factor.
pub fn db_to_linear(db: f64) -> f64 {
    exp(db * (std::f64::consts::LN_10 / 10.0))
}

/// Converts a ratio from a plain factor to dB.
pub fn linear_to_db(factor: f64) -> f64 {
    10.0 * log10(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decibels_and_factors_are_inverse() {
        for db in [-30.0, 0.0, 3.0, 25.5] {
            assert!((linear_to_db(db_to_linear(db)) - db).abs() < 1e-12);
        }
    }
}
