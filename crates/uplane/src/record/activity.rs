//! Selection of the samples of a queue or radio link that become rows.
//!
//! In: at each sample, whether the queue or link is active. Out: whether the sample becomes a row.
//!
//! An idle queue has one row, that of the sample at which it became idle, and no further row until
//! it is active again. So a thousand idle UEs cost no rows, and a curve that holds its value from
//! row to row is correct at every sample.

use crate::unit::{Bytes, Duration};

/// The activity of a queue or link at its last sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Activity(bool);

impl Activity {
    /// Returns `true` if this sample has a row.
    pub fn has_row(&mut self, is_active: bool) -> bool {
        std::mem::replace(&mut self.0, is_active) || is_active
    }
}

/// Returns the rate of `bytes` in `period`, in kbit/s; zero for an empty period.
pub fn rate_kbps(bytes: Bytes, period: Duration) -> f64 {
    if period.is_zero() { 0.0 } else { bytes.bits() as f64 / period.as_millis_f64() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_to_rest_has_a_row_and_what_rests_has_none() {
        let mut activity = Activity::default();
        let samples = [false, true, true, false, false, true, false];
        let rows = samples.map(|is_active| activity.has_row(is_active));
        assert_eq!(rows, [false, true, true, true, false, true, true]);
    }

    #[test]
    fn a_rate_is_in_kilobits() {
        let rate = rate_kbps(Bytes(1250), Duration::from_millis(10));
        assert!((rate - 1000.0).abs() < 1e-9);
    }
}
