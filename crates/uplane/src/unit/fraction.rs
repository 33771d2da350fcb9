//! Fractions of whole numbers.

/// Returns `num/den` in lowest terms; `den` is not zero.
pub(crate) const fn in_lowest_terms(num: u128, den: u128) -> (u128, u128) {
    let (mut common, mut rest) = (num, den);
    while rest != 0 {
        (common, rest) = (rest, common % rest);
    }
    (num / common, den / common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_has_no_common_divisor() {
        assert_eq!(in_lowest_terms(84, 36), (7, 3));
        assert_eq!(in_lowest_terms(7, 7), (1, 1));
        assert_eq!(in_lowest_terms(0, 5), (0, 1));
        assert_eq!(in_lowest_terms(u128::MAX, 1), (u128::MAX, 1));
    }
}
