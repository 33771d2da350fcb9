//! Outer-loop link adaptation: learns the error of the reported SINR (Pedersen et al. 2007).
//!
//! In: the results of first transmissions. Out: an offset in dB to the SINR estimate, for which a
//! given share of them fails.
//!
//! Left out: starting from experience with other UEs; every UE starts at 0 dB.

use crate::unit::{Decibel, Probability};

/// The outer loop of one UE and direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OuterLoop {
    offset: f64,
    /// Step after a failure, in dB.
    down: f64,
    /// Step after a success, in dB.
    up: f64,
}

impl OuterLoop {
    /// Creates a loop that goes down by `step` after each failure, and settles where the share
    /// `target` of first transmissions fails.
    ///
    /// # Panics
    /// If the target is one.
    pub fn new(step: Decibel, target: Probability) -> Self {
        let target = target.value();
        assert!(target < 1.0, "no offset makes every block fail");
        Self { offset: 0.0, down: step.0, up: step.0 * target / (1.0 - target) }
    }

    /// Creates a loop with steps of 0.5 dB after failures. Returns `None` if all first
    /// transmissions may fail.
    pub fn towards(target: Probability) -> Option<Self> {
        (target.value() < 1.0).then(|| Self::new(STEP, target))
    }

    /// Returns the offset to add to the SINR estimate.
    pub const fn offset(&self) -> Decibel {
        Decibel(self.offset)
    }

    /// Raises the offset after a first transmission that arrived.
    pub const fn on_first_ack(&mut self) {
        self.offset = (self.offset + self.up).min(LIMIT);
    }

    /// Lowers the offset after a first transmission that failed.
    pub const fn on_first_nack(&mut self) {
        self.offset = (self.offset - self.down).max(-LIMIT);
    }
}

/// Steps of 0.5 dB towards 10 % failures.
impl Default for OuterLoop {
    fn default() -> Self {
        Self::new(STEP, Probability::new(0.1).expect("a probability"))
    }
}

/// Step of a loop after a failure.
const STEP: Decibel = Decibel(0.5);

/// Maximum absolute value of the offset in dB, so that the effect of an outage ends in finite time.
const LIMIT: f64 = 10.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_successes_make_up_for_one_failure() {
        let mut outer_loop = OuterLoop::default();
        outer_loop.on_first_nack();
        assert_eq!(outer_loop.offset(), Decibel(-0.5));
        for _ in 0..9 {
            outer_loop.on_first_ack();
        }
        assert!(outer_loop.offset().0.abs() < 1e-12);
    }

    #[test]
    fn the_offset_is_limited_on_both_sides() {
        let mut outer_loop = OuterLoop::default();
        for _ in 0..100 {
            outer_loop.on_first_nack();
        }
        assert_eq!(outer_loop.offset(), Decibel(-10.0));
        for _ in 0..1000 {
            outer_loop.on_first_ack();
        }
        assert_eq!(outer_loop.offset(), Decibel(10.0));
    }
}
