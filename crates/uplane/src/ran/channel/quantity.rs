//! Quantities used only by a radio channel.
//!
//! In: plain numbers. Out: typed quantities.

use crate::unit::math;

/// A distance in m.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Metres(pub f64);

/// A frequency, or a bandwidth, in Hz.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Hertz(pub f64);

/// An absolute power, in dB over 1 mW.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Dbm(pub f64);

/// An angle in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Degrees(pub f64);

/// A speed in km/h.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Speed(pub f64);

impl Dbm {
    /// Returns the power in mW.
    pub fn milliwatts(self) -> f64 {
        math::db_to_linear(self.0)
    }
}

impl Degrees {
    /// Returns the same direction as an angle between −180° and 180°.
    pub fn signed(self) -> Self {
        Self((self.0 + 180.0).rem_euclid(360.0) - 180.0)
    }
}

impl Speed {
    /// Returns `f_d`: the maximum Doppler shift of a carrier.
    pub fn doppler(self, carrier: Hertz) -> Hertz {
        Hertz(self.0 / 3.6 * carrier.0 / SPEED_OF_LIGHT)
    }
}

/// Speed of light, in m/s.
pub(super) const SPEED_OF_LIGHT: f64 = 299_792_458.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pedestrian_shifts_2_ghz_by_5_6_hz() {
        for (speed, carrier, doppler) in
            [(3.0, 2e9, 5.6), (30.0, 2e9, 55.6), (120.0, 2e9, 222.4), (3.0, 28e9, 77.8)]
        {
            let shift = Speed(speed).doppler(Hertz(carrier)).0;
            assert!((shift - doppler).abs() < 0.05, "{shift} Hz");
        }
    }

    #[test]
    fn directions_have_one_name() {
        for (angle, same) in [(0.0, 0.0), (270.0, -90.0), (-190.0, 170.0), (180.0, -180.0)] {
            assert!((Degrees(angle).signed().0 - same).abs() < 1e-9);
        }
    }
}
