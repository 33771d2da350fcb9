//! A grid of equal slots whose length is an exact fraction of nanoseconds.
//!
//! In: an origin and a slot length `num/den` ns. Out: `start(n) = origin + floor(n · num / den)`,
//! so that a 1/7 ms slot or a 60/13 ms frame never drifts.

use super::fraction::in_lowest_terms;
use super::time::{Duration, Instant};

/// Slots `n = 0, 1, 2, …` of equal exact length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    origin: Instant,
    /// Slot length in nanoseconds, as a fraction in lowest terms.
    num: u64,
    den: u64,
}

impl Grid {
    /// Creates slots of `num/den` nanoseconds, starting at `origin`. Returns `None` if a slot would
    /// be shorter than one nanosecond or `den` is zero.
    pub fn new(origin: Instant, num: u64, den: u64) -> Option<Self> {
        if den == 0 || num < den {
            return None;
        }
        let (num, den) = in_lowest_terms(num.into(), den.into());
        Some(Self { origin, num: num as u64, den: den as u64 })
    }

    /// Creates slots of a whole number of nanoseconds.
    pub fn every(origin: Instant, slot: Duration) -> Option<Self> {
        Self::new(origin, slot.as_nanos(), 1)
    }

    /// Returns the start of slot `n`.
    #[inline]
    pub fn start(&self, n: u64) -> Instant {
        self.origin + self.span(n)
    }

    /// Returns the length of `n` slots counted from the origin, rounded down to a nanosecond.
    #[inline]
    pub fn span(&self, n: u64) -> Duration {
        let nanos = match (self.den, n.checked_mul(self.num)) {
            (1, Some(product)) => product,
            (den, Some(product)) => product / den,
            (den, None) => (u128::from(n) * u128::from(self.num) / u128::from(den)) as u64,
        };
        Duration::from_nanos(nanos)
    }

    /// Returns the first slot that starts at or after `time`.
    #[inline]
    pub fn at_or_after(&self, time: Instant) -> u64 {
        let elapsed = time.saturating_since(self.origin).as_nanos();
        // The smallest n with floor(n·num/den) ≥ elapsed is the smallest with n·num ≥ elapsed·den.
        match elapsed.checked_mul(self.den) {
            Some(product) => product.div_ceil(self.num),
            None => {
                (u128::from(elapsed) * u128::from(self.den)).div_ceil(u128::from(self.num)) as u64
            }
        }
    }

    /// Returns the slot that contains `time`, or slot 0 before the origin.
    pub fn containing(&self, time: Instant) -> u64 {
        let n = self.at_or_after(time);
        if n > 0 && self.start(n) > time { n - 1 } else { n }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seven slots of 1/7 ms are one millisecond, also after an hour.
    #[test]
    fn sevenths_of_a_millisecond_do_not_drift() {
        let grid = Grid::new(Instant::ZERO, 1_000_000, 7).expect("valid");
        assert_eq!(grid.start(7), Instant::from_nanos(1_000_000));
        assert_eq!(grid.start(7 * 3_600_000), Instant::from_nanos(3_600_000_000_000));
    }

    #[test]
    fn at_or_after_and_start_agree_at_every_boundary() {
        let grid = Grid::new(Instant::from_nanos(5), 1_000_000, 7).expect("valid");
        for n in 0..1000 {
            let start = grid.start(n);
            assert_eq!(grid.at_or_after(start), n);
            assert_eq!(grid.at_or_after(start + Duration::from_nanos(1)), n + 1);
            assert_eq!(grid.containing(start), n);
            assert_eq!(grid.containing(start + Duration::from_nanos(142_856)), n);
        }
    }

    #[test]
    fn a_slot_shorter_than_a_nanosecond_is_refused() {
        assert!(Grid::new(Instant::ZERO, 1, 2).is_none());
        assert!(Grid::new(Instant::ZERO, 0, 1).is_none());
        assert!(Grid::new(Instant::ZERO, 1, 0).is_none());
    }
}
