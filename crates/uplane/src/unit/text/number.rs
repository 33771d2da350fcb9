//! A number and its unit, as exact fractions.
//!
//! In: `"12.5 ms"`, the units with their factors. Out: a fraction of the smallest unit in lowest
//! terms, or `None` if the text does not have that form.

use crate::unit::in_lowest_terms;

/// Reads `number unit` as an exact fraction of the smallest unit. The number is decimal, `12.5`, or
/// a fraction, `1/7`; neither sign nor exponent.
pub(crate) fn exact(text: &str, units: &[(&str, u128)]) -> Option<(u128, u128)> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '/')?;
    let (number, unit) = text.split_at(split);
    let unit = unit.strip_prefix(' ').unwrap_or(unit);
    let &(_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    let (num, den) = fraction(number)?;
    let num = num.checked_mul(factor)?;
    Some(in_lowest_terms(num, den))
}

fn fraction(number: &str) -> Option<(u128, u128)> {
    if let Some((num, den)) = number.split_once('/') {
        return Some((digits(num)?, digits(den).filter(|&den| den > 0)?));
    }
    match number.split_once('.') {
        None => Some((digits(number)?, 1)),
        Some((whole, part)) => {
            let den = 10_u128.checked_pow(u32::try_from(part.len()).ok()?)?;
            Some((digits(whole)?.checked_mul(den)?.checked_add(digits(part)?)?, den))
        }
    }
}

/// Reads at most 18 digits, so that no product overflows.
pub(crate) fn digits(text: &str) -> Option<u128> {
    let fits = (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}
