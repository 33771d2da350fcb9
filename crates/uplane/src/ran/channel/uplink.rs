//! The uplink: the power of a UE, and its SINR at the eNB (TS 36.213 §5.1.1.1).
//!
//! In: the loss to the serving cell, resource blocks. Out: power, the number of resource blocks
//! that the power is sufficient for, SINR.
//!
//! Left out: closed-loop commands. The interference of UEs of other cells is a constant over
//! thermal noise here; a network may add more. This matters for studies of the uplink's cell edge.

use super::budget::Budget;
use super::quantity::Dbm;
use crate::ran::phy::Sinr;
use crate::unit::{Decibel, Probability, math};

/// Open-loop power control of the PUSCH.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerControl {
    /// `P_0`: target of the received power at the eNB per resource block, if `α` is 1.
    pub target: Dbm,
    /// `α`: share of the loss that the UE compensates.
    pub compensation: Probability,
    /// Interference over thermal noise at the eNB: noise and interference together, relative to
    /// noise.
    pub interference_over_thermal: Decibel,
}

impl PowerControl {
    /// Returns the transmit power of a UE behind `loss` in each of `prbs` resource blocks.
    pub fn prb_power(&self, budget: &Budget, loss: Decibel, prbs: u32) -> Dbm {
        let share = math::linear_to_db(f64::from(prbs.max(1)));
        let wanted = self.wanted(loss).0 + share;
        Dbm(wanted.min(budget.ue_power.0) - share)
    }

    /// Returns the maximum number of resource blocks that a UE behind `loss` can fill with the
    /// target power less `margin`; at least one.
    pub fn most_prbs(&self, budget: &Budget, loss: Decibel, margin: Decibel) -> u32 {
        let headroom = Decibel(budget.ue_power.0 - self.wanted(loss).0 - margin.0);
        headroom.linear().clamp(1.0, f64::from(budget.grid.prbs)) as u32
    }

    /// Returns the SINR of each of `prbs` resource blocks at the eNB, before fast fading.
    pub fn sinr(&self, budget: &Budget, loss: Decibel, prbs: u32) -> Sinr {
        let heard = self.prb_power(budget, loss, prbs).0 - loss.0;
        let disturbed = budget.base_noise().0 + self.interference_over_thermal.0;
        Decibel(heard - disturbed).into()
    }

    /// Returns the power per resource block that the UE would use without a maximum.
    fn wanted(&self, loss: Decibel) -> Dbm {
        Dbm(self.target.0 + self.compensation.value() * loss.0)
    }
}

impl Default for PowerControl {
    fn default() -> Self {
        Self {
            target: Dbm(-85.0),
            compensation: Probability::new(0.8).expect("in [0, 1]"),
            interference_over_thermal: Decibel(5.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::lte::Bandwidth;

    fn budget() -> Budget {
        Budget::case1(Bandwidth::Mhz20)
    }

    /// TS 36.213 §5.1.1.1: −85 + 0.8·100 = −5 dBm a resource block, below the limit with all 100.
    #[test]
    fn near_the_mast_the_target_decides() {
        let control = PowerControl::default();
        let near = Decibel(100.0);
        assert!((control.prb_power(&budget(), near, 100).0 + 5.0).abs() < 1e-9);
        assert_eq!(control.most_prbs(&budget(), near, Decibel(0.0)), 100);
        let sinr = Decibel::from(control.sinr(&budget(), near, 50)).0;
        assert!((sinr - (-105.0 + 116.447 - 5.0)).abs() < 1e-3, "{sinr} dB");
    }

    /// TS 36.213 §5.1.1.1: at 125 dB the UE needs 15 dBm per resource block; 23 dBm are sufficient
    /// for 6.
    #[test]
    fn far_away_the_power_is_shared_by_the_resource_blocks() {
        let control = PowerControl::default();
        let far = Decibel(125.0);
        assert_eq!(control.most_prbs(&budget(), far, Decibel(0.0)), 6);
        assert_eq!(control.most_prbs(&budget(), far, Decibel(5.0)), 1);
        assert!((control.prb_power(&budget(), far, 6).0 - 15.0).abs() < 1e-9);
        assert!((control.prb_power(&budget(), far, 20).0 - (23.0 - 13.0103)).abs() < 1e-3);
    }
}
