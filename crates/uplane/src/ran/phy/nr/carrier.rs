//! Carriers of NR: their resource blocks and their peak rates (TS 38.104 §5.3.2, TS 38.306 §4.1.2).
//!
//! In: bandwidth, subcarrier spacing. Out: PRBs, bits per second.

use crate::ran::phy::Modulation;
use crate::unit::Bitrate;
use FrequencyRange::{Fr1, Fr2};

/// Frequency range (TS 38.104 §5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrequencyRange {
    /// FR1: below 7.125 GHz.
    Fr1,
    /// FR2: above 24.25 GHz.
    Fr2,
}

/// The parameters of the peak rate of TS 38.306 §4.1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeakRate {
    /// Number of spatial layers.
    pub layers: u32,
    /// Highest modulation of the carrier.
    pub modulation: Modulation,
    /// Number of PRBs of the carrier.
    pub prbs: u32,
    /// `μ`: the subcarrier spacing is 15 kHz · 2^μ.
    pub numerology: u32,
    /// Overhead of reference and control signals, in percent: 14 and 18 in the downlink in FR1 and
    /// FR2, 8 and 10 in the uplink.
    pub overhead_percent: u32,
}

impl PeakRate {
    /// Returns the peak rate of TS 38.306 §4.1.2 for one carrier with scaling factor 1, to the
    /// nearest bit per second.
    pub fn rate(self) -> Bitrate {
        let symbols = u64::from(14_000_u32 << self.numerology);
        let bits = u64::from(self.layers * self.modulation.bits() * self.prbs * 12 * 948);
        let share = 1024 * 100;
        let per_second = bits * symbols * u64::from(100 - self.overhead_percent);
        Bitrate::from_bps((per_second + share / 2) / share).expect("a carrier carries something")
    }
}

/// Returns the number of PRBs of a carrier (TS 38.104 Tables 5.3.2-1, 5.3.2-2). `None` for a
/// combination that does not exist.
pub fn carrier_prbs(range: FrequencyRange, bandwidth_mhz: u32, spacing_khz: u32) -> Option<u32> {
    let asked = (range, bandwidth_mhz, spacing_khz);
    let found = CARRIERS.iter().find(|row| (row.0, row.1, row.2) == asked)?;
    Some(found.3)
}

/// Returns the bandwidths, in MHz, that carriers can have with a subcarrier spacing.
pub fn carrier_bandwidths(range: FrequencyRange, spacing_khz: u32) -> impl Iterator<Item = u32> {
    let rows = CARRIERS.iter().filter(move |row| (row.0, row.2) == (range, spacing_khz));
    rows.map(|row| row.1)
}

/// Range, bandwidth in MHz, subcarrier spacing in kHz, number of PRBs.
static CARRIERS: [(FrequencyRange, u32, u32, u32); 46] =
    include!("../../../../data/ts38104_nrb.rs");

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a peak rate of TS 38.306 §4.1.2, in units of 0.1 Mbit/s.
    fn check_peak(
        layers: u32,
        modulation: Modulation,
        prbs: u32,
        numerology: u32,
        overhead: u32,
        tenths: u64,
    ) {
        let peak = PeakRate { layers, modulation, prbs, numerology, overhead_percent: overhead };
        assert_eq!((peak.rate().as_bps() + 50_000) / 100_000, tenths, "{peak:?}");
    }

    /// TS 38.306 §4.1.2
    #[test]
    fn peak_rates_are_those_of_the_standard() {
        check_peak(4, Modulation::Qam256, 273, 1, 14, 23_370);
        check_peak(1, Modulation::Qam64, 273, 1, 8, 4_688);
        check_peak(2, Modulation::Qam256, 273, 1, 8, 12_500);
        check_peak(2, Modulation::Qam64, 264, 3, 18, 32_323);
        check_peak(2, Modulation::Qam64, 66, 3, 18, 8_081);
    }

    /// TS 38.104 Tables 5.3.2-1, 5.3.2-2
    #[test]
    fn carriers_have_their_resource_blocks() {
        assert_eq!(carrier_prbs(Fr1, 100, 30), Some(273));
        assert_eq!(carrier_prbs(Fr1, 20, 15), Some(106));
        assert_eq!(carrier_prbs(Fr2, 400, 120), Some(264));
        assert_eq!(carrier_prbs(Fr1, 400, 120), None);
    }

    /// 106 PRB · 12 · 6 · 14 000 · 0.86 · 948 / 1024 of a carrier of 20 MHz are 85 069 372.5 bit/s,
    /// which is rounded up. At 273 PRB and four layers the rate is a whole number.
    #[test]
    fn a_peak_rate_is_to_the_nearest_bit() {
        let peak = |layers, modulation, prbs, numerology| {
            let overhead_percent = 14;
            PeakRate { layers, modulation, prbs, numerology, overhead_percent }.rate().as_bps()
        };
        assert_eq!(peak(1, Modulation::Qam64, 106, 0), 85_069_373);
        assert_eq!(peak(4, Modulation::Qam256, 273, 1), 2_337_000_120);
    }
}
