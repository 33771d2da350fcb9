//! The gain of a sector's antenna by direction (TR 36.814 Table A.2.1.1-2, TR 36.942 §4.2.1).
//!
//! In: the direction of a UE seen from the antenna. Out: its gain.
//!
//! Left out: measured patterns with their side lobes. This matters for the planning of a real
//! network.

use super::quantity::Degrees;
use crate::unit::Decibel;

/// The pattern of one sector's antenna.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Antenna {
    /// Equal gain in all directions.
    Isotropic {
        /// Gain in all directions, in dBi.
        gain: Decibel,
    },
    /// A horizontal pattern around the boresight, without a vertical pattern.
    Horizontal {
        /// Gain on the boresight, less the loss of the cable.
        gain: Decibel,
        /// `A_m`: attenuation of the back relative to the boresight.
        back: Decibel,
    },
    /// One element of an array, which is also the average over many of its beams (TR 38.901 Table
    /// 7.3-1).
    Element {
        /// Gain on the axis, which is horizontal.
        gain: Decibel,
    },
    /// Patterns in both planes.
    HorizontalAndVertical {
        /// Gain on the axis, less the loss of the cable.
        gain: Decibel,
        /// Angle of the axis below the horizon.
        downtilt: Degrees,
    },
}

impl Antenna {
    /// Returns the antenna of cases 1 and 3: 14 dBi including the loss of the cable.
    pub const fn macro_cell(downtilt: Degrees) -> Self {
        Self::HorizontalAndVertical { gain: Decibel(14.0), downtilt }
    }

    /// Returns the gain towards a UE `azimuth` off the boresight and `depression` below the
    /// horizon.
    pub fn towards(self, azimuth: Degrees, depression: Degrees) -> Decibel {
        match self {
            Self::Isotropic { gain } => gain,
            Self::Horizontal { gain, back } => Decibel(gain.0 - horizontal(azimuth, back)),
            Self::Element { gain } => {
                let off_axis = lobe(azimuth.signed(), ELEMENT_WIDTH, ELEMENT_BACK)
                    + lobe(depression, ELEMENT_WIDTH, ELEMENT_BACK);
                Decibel(gain.0 - off_axis.min(ELEMENT_BACK.0))
            }
            Self::HorizontalAndVertical { gain, downtilt } => {
                let tilted = Degrees(depression.0 - downtilt.0);
                let off_axis = horizontal(azimuth, FRONT_TO_BACK) + vertical(tilted);
                Decibel(gain.0 - off_axis.min(FRONT_TO_BACK.0))
            }
        }
    }
}

/// Returns the horizontal attenuation, `−A_H`.
fn horizontal(azimuth: Degrees, floor: Decibel) -> f64 {
    lobe(azimuth.signed(), Degrees(70.0), floor)
}

/// Returns the vertical attenuation, `−A_V`.
fn vertical(off_axis: Degrees) -> f64 {
    lobe(off_axis, Degrees(10.0), Decibel(20.0))
}

/// Returns the attenuation of a lobe, which is 3 dB at half of `width` to each side.
fn lobe(angle: Degrees, width: Degrees, floor: Decibel) -> f64 {
    let ratio = angle.0 / width.0;
    (12.0 * ratio * ratio).min(floor.0)
}

/// `θ_3dB` and `φ_3dB` (TR 38.901 Table 7.3-1).
const ELEMENT_WIDTH: Degrees = Degrees(65.0);
/// `A_max` and `SLA_V` (TR 38.901 Table 7.3-1).
const ELEMENT_BACK: Decibel = Decibel(30.0);
/// `A_m`
const FRONT_TO_BACK: Decibel = Decibel(25.0);

#[cfg(test)]
mod tests {
    use super::*;

    fn check(antenna: Antenna, azimuth: f64, depression: f64, gain: f64) {
        let found = antenna.towards(Degrees(azimuth), Degrees(depression)).0;
        assert!((found - gain).abs() < 1e-9, "{azimuth}°, {depression}°: {found} dB");
    }

    /// TR 36.814 Table A.2.1.1-2
    #[test]
    fn half_the_power_is_lost_at_half_the_width() {
        let antenna = Antenna::macro_cell(Degrees(15.0));
        check(antenna, 0.0, 15.0, 14.0);
        check(antenna, 35.0, 15.0, 11.0);
        check(antenna, -35.0, 20.0, 8.0);
        check(antenna, 325.0, 15.0, 11.0);
    }

    /// TR 36.814 Table A.2.1.1-2: the maximum attenuation is 20 dB for the vertical pattern alone
    /// and 25 dB for both together.
    #[test]
    fn no_direction_is_more_than_25_db_below_the_axis() {
        let antenna = Antenna::macro_cell(Degrees(15.0));
        check(antenna, 0.0, 90.0, -6.0);
        check(antenna, 180.0, 15.0, -11.0);
        check(antenna, 180.0, 90.0, -11.0);
    }

    /// TR 38.901 Table 7.3-1: 8 dBi on the axis, half the power at 32.5° to each side, 30 dB less
    /// behind.
    #[test]
    fn an_element_looks_65_degrees_wide_in_both_planes() {
        let element = Antenna::Element { gain: Decibel(8.0) };
        check(element, 0.0, 0.0, 8.0);
        check(element, 32.5, 0.0, 5.0);
        check(element, -32.5, 32.5, 2.0);
        check(element, 180.0, 0.0, -22.0);
    }

    /// TR 36.942 §4.2.1
    #[test]
    fn without_a_vertical_pattern_the_back_is_20_db_down() {
        let antenna = Antenna::Horizontal { gain: Decibel(14.0), back: Decibel(20.0) };
        check(antenna, 180.0, 90.0, -6.0);
        check(antenna, 35.0, 0.0, 11.0);
    }
}
