//! Transcendental functions with the same bits on every platform.
//!
//! The standard library's `ln`, `exp`, `powf`, … may differ between platforms and versions. All of
//! uplane calls these instead (enforced by `clippy.toml`).

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Natural logarithm of `1 + x`, precise also where `x` is tiny.
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// Logarithm to base 2.
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// Logarithm to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// `e` to the `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// `e` to the `x`, less 1, precise also where `x` is tiny.
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// 2 to the `x`.
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// `x` to the `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Cube root.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// Sine.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// The angle of the direction (`x`, `y`) in radians, between −π and π.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Complementary error function.
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The ratio of `db` decibels as a plain factor.
pub fn db_to_linear(db: f64) -> f64 {
    exp(db * (std::f64::consts::LN_10 / 10.0))
}

/// A plain ratio in decibels.
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
