//! The parameters of the air of a network.
//!
//! In: nothing; a scenario fills it. Out: plain parameters.

use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{self, PowerControl, Profile, Speed, blockage};
use crate::unit::{Decibel, Probability, UeId};

/// Sites, the air between, and how much the eNBs know of it.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where cells are, and what is lost between them and the UEs.
    pub geometry: channel::Network,
    /// What cells do to each other.
    pub interference: Interference,
    /// Fast fading of both directions; none for `None`.
    pub fading: Fading,
    /// Antennas of the eNB and the UE, for the downlink.
    pub antennas: Antennas,
    /// Channel quality is reported for each subband, not for the whole band alone.
    pub subbands: bool,
    /// Reports of the downlink.
    pub reports: Reports,
    /// The eNB's measurements of the uplink.
    pub sounding: Reports,
    /// How strong UEs send.
    pub power: PowerControl,
    /// An eNB receives the UEs of other cells as they send, on average over the band, in addition
    /// to the constant of `power`.
    pub uplink_coupled: bool,
    /// What changes between a UE and its mast.
    pub surroundings: Surroundings,
}

/// What a UE meets on its way, beyond fast fading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// How fast it comes into a line of sight and out of it, where the budget knows of such.
    pub speed: Speed,
    /// `K`: the direct ray over all others while there is a line of sight; no direct ray for
    /// `None`.
    pub rician: Option<Decibel>,
    /// What steps into its way.
    pub blockage: Option<blockage::Config>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self { speed: Speed(3.0), rician: None, blockage: None }
    }
}

/// Fading of a profile at a speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fading {
    /// The echoes.
    pub profile: Profile,
    /// How fast UEs are.
    pub speed: Speed,
}

/// What the other cells send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interference {
    /// On all resource blocks in all slots.
    Full,
    /// The mean of this load, in all slots.
    Load(Probability),
    /// What they really send; cells without UEs are on the air with the mean of this load.
    Coupled {
        /// Load of cells without UEs.
        idle: Probability,
    },
}

/// Measurements at regular slots, known some slots later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reports {
    /// From one to the next, in slots.
    pub period: u64,
    /// From the slot that is measured to the first that makes use of it, in slots.
    pub delay: u64,
    /// A slot that the first UE measures.
    pub first: u64,
    /// By how many slots the next UE is later: those of a TDD pattern, where not every slot can be
    /// measured.
    pub step: u64,
}

impl Reports {
    /// Measurements of any slot.
    pub const fn of_any_slot(period: u64, delay: u64) -> Self {
        Self { period, delay, first: 0, step: 1 }
    }

    /// A slot that a UE measures.
    pub(in crate::ran::cell) const fn offset(self, ue: UeId) -> u64 {
        self.first + self.step * ue.0 as u64
    }

    /// The slot whose measurement is the newest known in `slot`, for a UE with this offset. Before
    /// the first report it is what the UE measured when it attached, in slot 0.
    pub(in crate::ran::cell) fn in_force(self, slot: u64, offset: u64) -> u64 {
        let Some(latest) = slot.checked_sub(self.delay) else { return 0 };
        let phase = offset % self.period;
        let since = (latest % self.period + self.period - phase) % self.period;
        latest.saturating_sub(since)
    }

    /// The first slot in which the measurement of `measured` is not the newest known.
    pub(in crate::ran::cell) fn in_force_until(self, measured: u64, offset: u64) -> u64 {
        let phase = offset % self.period;
        let next = if measured == 0 && phase > 0 { phase } else { measured + self.period };
        next + self.delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.213 §7.2.2: a report each `N_pd` TTIs with an offset; known `delay` TTIs after its
    /// measurement.
    #[test]
    fn a_report_is_known_after_its_delay_until_the_next_one_is() {
        let reports = Reports::of_any_slot(5, 8);
        let known: Vec<u64> = (18..26).map(|slot| reports.in_force(slot, 2)).collect();
        // Measured in 7, 12, 17; known from 15, 20, 25.
        assert_eq!(known, [7, 7, 12, 12, 12, 12, 12, 17]);
        assert_eq!([0, 7, 8, 9].map(|slot| reports.in_force(slot, 2)), [0, 0, 0, 0]);
    }

    /// `DDDSU`: UEs measure in slot 0 of a pattern of five, and those of one period share it.
    #[test]
    fn in_a_pattern_only_slots_of_one_direction_are_measured() {
        let reports = Reports { period: 10, delay: 14, first: 0, step: 5 };
        for ue in 0..6 {
            let measured = reports.in_force(1000, reports.offset(UeId(ue)));
            assert_eq!((measured % 5, measured % 10 / 5), (0, u64::from(ue % 2)), "{ue}");
        }
        let sounding = Reports { first: 4, ..reports };
        assert!((0..6).all(|ue| sounding.in_force(1000, sounding.offset(UeId(ue))) % 5 == 4));
    }

    #[test]
    fn a_report_is_in_force_until_the_next_one_is() {
        for (period, delay) in [(1, 0), (1, 8), (2, 3), (5, 8), (10, 8), (40, 1)] {
            let reports = Reports::of_any_slot(period, delay);
            for offset in 0..12 {
                let (mut measured, mut until) = (0, reports.in_force_until(0, offset));
                for slot in 0..200 {
                    let newest = reports.in_force(slot, offset);
                    assert_eq!(newest != measured, slot == until, "{reports:?} {offset} {slot}");
                    if newest != measured {
                        (measured, until) = (newest, reports.in_force_until(newest, offset));
                    }
                }
            }
        }
    }
}
