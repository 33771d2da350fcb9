//! Mean service of each UE: `R̄ ← (1 − 1/t_c)·R̄ + (1/t_c)·r` each slot.
//!
//! In: bytes served, slots. Out: bytes per slot. An average is updated only when it is needed;
//! slots without service are then added all at once.

use crate::unit::{Bytes, math};

/// One average for each UE.
#[derive(Clone, Debug)]
pub struct Averages {
    ues: Vec<Average>,
    /// `1/t_c`
    weight: f64,
    /// `(1 − 1/t_c)ⁿ` for the small numbers of slots that are most frequent.
    powers: [f64; 16],
}

#[derive(Clone, Debug, Default)]
struct Average {
    value: f64,
    /// The slot up to which it has decayed.
    at: u64,
}

impl Average {
    /// Applies the decay of many slots.
    #[cold]
    fn decay(&mut self, keep: f64, slot: u64) {
        self.value *= math::pow(keep, (slot - self.at) as f64);
        self.at = slot;
    }
}

impl Averages {
    /// Averages of zero with `t_c` = `slots`.
    pub fn new(ue_count: u32, slots: u32) -> Self {
        let weight = 1.0 / f64::from(slots.max(1));
        let powers = std::array::from_fn(|passed| math::pow(1.0 - weight, passed as f64));
        Self { ues: vec![Average::default(); ue_count as usize], weight, powers }
    }

    /// Returns the average of a UE before `slot` is served.
    #[inline(always)]
    pub fn value(&mut self, ue: u32, slot: u64) -> f64 {
        self.decayed(ue, slot).value
    }

    #[inline(always)]
    fn decayed(&mut self, ue: u32, slot: u64) -> &mut Average {
        let average = &mut self.ues[ue as usize];
        if slot > average.at {
            match self.powers.get((slot - average.at) as usize) {
                Some(&power) => {
                    average.value *= power;
                    average.at = slot;
                }
                None => average.decay(1.0 - self.weight, slot),
            }
        }
        average
    }

    /// Adds `bytes` that a UE was served in `slot`.
    pub fn add(&mut self, ue: u32, slot: u64, bytes: Bytes) {
        let weight = self.weight;
        self.decayed(ue, slot).value += bytes.0 as f64 * weight;
    }

    /// Adds `bytes` that a UE was served, for averages over the times of service alone.
    pub fn add_without_decay(&mut self, ue: u32, bytes: Bytes) {
        let average = &mut self.ues[ue as usize];
        average.value += (bytes.0 as f64 - average.value) * self.weight;
    }

    /// Returns the average at its last update.
    pub fn last(&self, ue: u32) -> f64 {
        self.ues[ue as usize].value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few slots and many, each by its own code path.
    #[test]
    fn slots_without_service_can_be_made_up_for_at_once() {
        for last in [2, 3, 9, 16, 17, 499] {
            let mut lazy = Averages::new(1, 100);
            let mut eager = Averages::new(1, 100);
            for averages in [&mut lazy, &mut eager] {
                averages.add(0, 1, Bytes(1000));
            }
            for slot in 2..=last {
                eager.value(0, slot);
            }
            let (lazy, eager) = (lazy.value(0, last), eager.value(0, last));
            assert!((lazy / eager - 1.0).abs() < 1e-12, "{last}: {lazy} {eager}");
        }
    }

    #[test]
    fn constant_service_is_its_own_average() {
        let mut averages = Averages::new(1, 100);
        for slot in 0..3_000 {
            averages.add(0, slot, Bytes(500));
        }
        assert!((averages.value(0, 2_999) - 500.0).abs() < 1e-6);
    }

    #[test]
    fn without_decay_each_service_moves_the_average_by_its_weight() {
        let mut averages = Averages::new(1, 4);
        averages.add_without_decay(0, Bytes(400));
        assert!((averages.last(0) - 100.0).abs() < 1e-9);
        averages.add_without_decay(0, Bytes(500));
        assert!((averages.last(0) - 200.0).abs() < 1e-9);
    }
}
