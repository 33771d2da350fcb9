//! Number of random cases of a test: its usual number, times `UPLANE_CASES_FACTOR` for a longer
//! search.

/// Returns the number of cases of a test that plays `usual` cases in `cargo test`.
pub(crate) fn cases(usual: u32) -> u32 {
    let factor = std::env::var("UPLANE_CASES_FACTOR").unwrap_or_else(|_| "1".to_owned());
    match factor.parse::<u32>() {
        Ok(factor) if factor > 0 => usual.saturating_mul(factor),
        _ => panic!("UPLANE_CASES_FACTOR: found {factor:?}, expected a whole number above 0"),
    }
}
