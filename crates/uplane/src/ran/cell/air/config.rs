//! The parameters of the air of a network.
//!
//! In: nothing; a scenario sets the values. Out: plain parameters.

use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{self, PowerControl, Profile, Speed, blockage};
use crate::unit::{Decibel, Probability, UeId};

/// Sites, the air between them, and the measurements of the eNBs.
#[derive(Clone, Debug)]
pub struct Config {
    /// Places of cells, and losses between cells and UEs.
    pub geometry: channel::Network,
    /// Transmissions of other cells.
    pub interference: Interference,
    /// Fast fading of both directions; no fading for `Profile::None`.
    pub fading: Fading,
    /// Antennas of the eNB and the UE, for the downlink.
    pub antennas: Antennas,
    /// UEs report channel quality of each subband, not only of the whole band.
    pub subbands: bool,
    /// Channel quality reports for the downlink.
    pub reports: Reports,
    /// The eNB's measurements of the uplink.
    pub sounding: Reports,
    /// Power control of UEs.
    pub power: PowerControl,
    /// An eNB receives the transmissions of UEs in other cells, on average over the band, in
    /// addition to the constant interference of `power`.
    pub uplink_coupled: bool,
    /// Changes of the path between a UE and its mast.
    pub surroundings: Surroundings,
}

/// Effects on a UE's link beyond fast fading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Speed at which a UE moves into and out of a line of sight, if the budget has a model for it.
    pub speed: Speed,
    /// `K`: power of the direct ray relative to all other rays while there is a line of sight; no
    /// direct ray for `None`.
    pub rician: Option<Decibel>,
    /// Blockers between the UE and its mast.
    pub blockage: Option<blockage::Config>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self { speed: Speed(3.0), rician: None, blockage: None }
    }
}

/// Fading with a delay profile, at a speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fading {
    /// Delays and powers of the echoes.
    pub profile: Profile,
    /// Speed of the UEs.
    pub speed: Speed,
}

/// Interference by the other cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interference {
    /// Full power on all resource blocks in all slots.
    Full,
    /// The mean power of this load, in all slots.
    Load(Probability),
    /// Actual transmissions of simulated cells. Cells without UEs transmit with the mean power of
    /// `idle`.
    Coupled {
        /// Load of cells without UEs.
        idle: Probability,
    },
}

/// Measurements at regular slots, known after a delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reports {
    /// Distance between two measurements, in slots.
    pub period: u64,
    /// Delay from the measured slot to the first slot that uses the measurement, in slots.
    pub delay: u64,
    /// A slot that the first UE measures.
    pub first: u64,
    /// Offset between the measurements of one UE and the next, in slots: the length of a TDD
    /// pattern, if not every slot can be measured.
    pub step: u64,
}

impl Reports {
    /// Measurements that may be in any slot.
    pub const fn of_any_slot(period: u64, delay: u64) -> Self {
        Self { period, delay, first: 0, step: 1 }
    }

    /// Returns a slot that a UE measures.
    pub(in crate::ran::cell) const fn offset(self, ue: UeId) -> u64 {
        self.first + self.step * ue.0 as u64
    }

    /// Returns the slot of the newest measurement known in `slot`, for a UE with this offset.
    /// Before the first report it is slot 0, in which the UE measured when it attached.
    pub(in crate::ran::cell) fn in_force(self, slot: u64, offset: u64) -> u64 {
        let Some(latest) = slot.checked_sub(self.delay) else { return 0 };
        let phase = offset % self.period;
        let since = (latest % self.period + self.period - phase) % self.period;
        latest.saturating_sub(since)
    }

    /// Returns the first slot in which a newer measurement than that of `measured` is known.
    pub(in crate::ran::cell) fn in_force_until(self, measured: u64, offset: u64) -> u64 {
        let phase = offset % self.period;
        let next = if measured == 0 && phase > 0 { phase } else { measured + self.period };
        next + self.delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.213 §7.2.2: a report each `N_pd` TTIs with an offset, known `delay` TTIs after its
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
