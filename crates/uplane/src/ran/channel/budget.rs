//! The link budget of a network: powers, noise, and all constant gains between two antennas (TR
//! 36.814 Table A.2.1.1-1 and -2).
//!
//! The fields of [`Budget`] are the lines of those tables, so that two budgets can be compared line
//! by line.
//!
//! In: the path from a mast to a UE. Out: the mean gain of the link, noise, powers of a resource
//! block.
//!
//! Left out: differences between UEs (all have one noise figure) and between cells.

use super::antenna::Antenna;
use super::layout::GroundPath;
use super::line_of_sight::{self, LineOfSight};
use super::path_loss::{self, PathLoss};
use super::quantity::{Dbm, Degrees, Hertz, Metres};
use super::shadowing;
use crate::ran::phy::Sinr;
use crate::ran::phy::resource_grid::{PRB_HZ, ResourceGrid};
use crate::unit::{Decibel, math};

/// The link budget, equal for all cells and all UEs.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// The resource blocks over which a cell spreads its power.
    pub grid: ResourceGrid,
    /// Subcarrier spacing in multiples of 15 kHz, which is also the width of a resource block in
    /// multiples of 180 kHz.
    pub spacing: u32,
    /// Carrier frequency, for the Doppler shift.
    pub carrier: Hertz,
    /// Formula for the path loss by distance.
    pub path_loss: PathLoss,
    /// Penetration loss of a house or a car.
    pub penetration: Decibel,
    /// Shadowing: deviations from the path loss.
    pub shadowing: shadowing::Config,
    /// Parameters of links without line of sight, if there are any; `path_loss` and `shadowing`
    /// then hold for links with line of sight.
    pub los: Option<line_of_sight::Config>,
    /// Antenna pattern of a sector.
    pub antenna: Antenna,
    /// Gain of beams between a UE and its own cell.
    pub beams: Beams,
    /// Height of the mast's antenna.
    pub base_height: Metres,
    /// Height of the UE's antenna.
    pub ue_height: Metres,
    /// Transmit power of a cell over its whole band.
    pub base_power: Dbm,
    /// Noise figure of the eNB's receiver.
    pub base_noise_figure: Decibel,
    /// `P_CMAX`: the maximum transmit power of a UE.
    pub ue_power: Dbm,
    /// Gain of the UE's antenna.
    pub ue_gain: Decibel,
    /// Noise figure of the UE's receiver.
    pub ue_noise_figure: Decibel,
    /// Error vector magnitude of the transmitters, as a share of the amplitude. TS 36.104 §6.5.2
    /// allows 0.08 for 64QAM.
    pub transmit_error: f64,
}

/// Arrays whose beams a cell and its UE point at each other. Towards others their beams point in
/// random directions, which on average leaves the gain of one element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beams {
    /// Gain of the cell's array over one of its elements.
    pub base: Decibel,
    /// Gain of the UE's array over one of its elements.
    pub ue: Decibel,
    /// Maximum loss of a UE by misaligned beams. Each UE draws a share of it.
    pub misalignment: Decibel,
}

impl Beams {
    /// 64 and 8 elements, and up to 3 dB of misalignment.
    pub const MILLIMETRE_WAVES: Self =
        Self { base: Decibel(18.0), ue: Decibel(9.0), misalignment: Decibel(3.0) };
}

impl Budget {
    /// Returns the budget of case 1: sites 500 m apart.
    pub fn case1(grid: impl Into<ResourceGrid>) -> Self {
        Self::macro_cells(grid, Degrees(15.0))
    }

    /// Returns the budget of case 3: sites 1732 m apart.
    pub fn case3(grid: impl Into<ResourceGrid>) -> Self {
        Self::macro_cells(grid, Degrees(6.0))
    }

    /// Returns the budget of masts below the roofs of a street, with arrays (TR 38.901 Table 7.2-1,
    /// UMi).
    pub fn street_canyon(grid: impl Into<ResourceGrid>, carrier: Hertz) -> Self {
        let base_height = Metres(10.0);
        let formula = PathLoss::StreetCanyon;
        let budget = Self::with_arrays(grid, carrier, base_height, formula);
        budget.hiding(LineOfSight::StreetCanyon, Decibel(7.82), formula)
    }

    /// Returns the budget of masts above the roofs, with arrays (TR 38.901 Table 7.2-1, UMa).
    pub fn urban_macro(grid: impl Into<ResourceGrid>, carrier: Hertz) -> Self {
        let base_height = Metres(25.0);
        let formula = PathLoss::UrbanMacro;
        let budget = Self::with_arrays(grid, carrier, base_height, formula);
        budget.hiding(LineOfSight::UrbanMacro, Decibel(6.0), formula)
    }

    /// Sets the power of a carrier with a bandwidth of `mhz` (TR 36.814 Table A.2.1.1-2).
    #[must_use]
    pub const fn of_bandwidth(self, mhz: u32) -> Self {
        Self { base_power: macro_power(mhz <= 5), ..self }
    }

    /// Adapts the budget to carriers below 7.125 GHz: UEs with one antenna, better receivers, and
    /// 44 dBm per 20 MHz of the carrier, as in dense urban cells at 4 GHz (Report ITU-R M.2412
    /// Table 5).
    #[must_use]
    pub fn in_fr1(self, mhz: u32) -> Self {
        Self {
            base_power: Dbm(44.0 + math::linear_to_db(f64::from(mhz) / 20.0)),
            base_noise_figure: Decibel(5.0),
            ue_gain: Decibel(0.0),
            ue_noise_figure: Decibel(7.0),
            ..self
        }
    }

    /// Returns the gain of the link over `path` from an antenna with this boresight, without
    /// shadowing. It is negative.
    pub fn gain(&self, path: GroundPath, boresight: Degrees) -> Decibel {
        let rise = self.base_height.0 - self.ue_height.0;
        let depression = Degrees(math::atan2(rise, path.distance.0).to_degrees());
        let antenna = self.antenna.towards(Degrees(path.azimuth.0 - boresight.0), depression);
        let lost = self.path_loss.over(path.distance).0 + self.penetration.0;
        Decibel(antenna.0 + self.ue_gain.0 - lost)
    }

    /// Returns the transmit power of a cell in one resource block.
    pub fn prb_power(&self) -> Dbm {
        Dbm(self.base_power.0 - math::linear_to_db(f64::from(self.grid.prbs)))
    }

    /// Returns the noise power of a UE's receiver in one resource block.
    pub fn ue_noise(&self) -> Dbm {
        thermal_noise(self.ue_noise_figure, self.spacing)
    }

    /// Returns the noise power of an eNB's receiver in one resource block.
    pub fn base_noise(&self) -> Dbm {
        thermal_noise(self.base_noise_figure, self.spacing)
    }

    /// Returns the SINR including the errors of the transmitter, which grow with its signal (TS
    /// 36.104 §6.5.2).
    #[inline]
    pub fn after_transmit_error(&self, sinr: Sinr) -> Sinr {
        let floor = self.transmit_error * self.transmit_error;
        Sinr::from_linear(sinr.linear() / (1.0 + floor * sinr.linear()))
    }

    fn macro_cells(grid: impl Into<ResourceGrid>, downtilt: Degrees) -> Self {
        let grid = grid.into();
        Self {
            grid,
            spacing: 1,
            carrier: Hertz(2e9),
            path_loss: PathLoss::Macro2Ghz,
            penetration: Decibel(20.0),
            shadowing: shadowing::Config::default(),
            los: None,
            antenna: Antenna::macro_cell(downtilt),
            beams: Beams::default(),
            base_height: Metres(32.0),
            ue_height: Metres(1.5),
            base_power: macro_power(grid.prbs <= 25),
            base_noise_figure: Decibel(5.0),
            ue_power: Dbm(23.0),
            ue_gain: Decibel(0.0),
            ue_noise_figure: Decibel(9.0),
            transmit_error: 0.056,
        }
    }

    /// Returns a budget with line of sight, arrays of 8 dBi and 5 dBi elements, 35 dBm, and UEs in
    /// the street.
    fn with_arrays(
        grid: impl Into<ResourceGrid>,
        carrier: Hertz,
        base_height: Metres,
        formula: impl Fn(path_loss::LinkTerms) -> PathLoss,
    ) -> Self {
        let ue_height = Metres(1.5);
        let clear = path_loss::LinkTerms { line_of_sight: true, carrier, base_height, ue_height };
        let shadowing =
            shadowing::Config { deviation: Decibel(4.0), ..shadowing::Config::default() };
        Self {
            carrier,
            path_loss: formula(clear),
            penetration: Decibel(0.0),
            shadowing,
            antenna: Antenna::Element { gain: Decibel(8.0) },
            beams: Beams::MILLIMETRE_WAVES,
            base_height,
            base_power: Dbm(35.0),
            base_noise_figure: Decibel(7.0),
            ue_gain: Decibel(5.0),
            ue_noise_figure: Decibel(10.0),
            ..Self::macro_cells(grid, Degrees(0.0))
        }
    }

    /// Adds links without line of sight (TR 38.901 Tables 7.4.1-1 and 7.6.3.1-2).
    fn hiding(
        self,
        line_of_sight: LineOfSight,
        nlos_deviation: Decibel,
        formula: impl Fn(path_loss::LinkTerms) -> PathLoss,
    ) -> Self {
        let Self { carrier, base_height, ue_height, .. } = self;
        let nlos =
            formula(path_loss::LinkTerms { line_of_sight: false, carrier, base_height, ue_height });
        let decorrelation = Metres(50.0);
        let los = line_of_sight::Config { line_of_sight, nlos, nlos_deviation, decorrelation };
        Self { los: Some(los), ..self }
    }
}

/// Distance between sites of case 1.
pub const CASE_1_BETWEEN_SITES: Metres = Metres(500.0);
/// Distance between sites of case 3.
pub const CASE_3_BETWEEN_SITES: Metres = Metres(1732.0);
/// Distance between sites in streets (TR 38.901 Table 7.2-1, UMi).
pub const STREETS_BETWEEN_SITES: Metres = Metres(200.0);
/// Distance between sites above the roofs (TR 38.901 Table 7.2-1, UMa).
pub const ROOFS_BETWEEN_SITES: Metres = Metres(500.0);
/// Minimum distance between a UE and a mast in a street (TR 38.901 Table 7.2-1, UMi).
pub const STREET_MINIMUM_DISTANCE: Metres = Metres(10.0);
/// Minimum distance between a UE and a mast (TR 36.814 Table A.2.1.1-2).
pub const MINIMUM_DISTANCE: Metres = Metres(35.0);

/// Returns the power of a macro cell with up to 5 MHz, or with more (TR 36.814 Table A.2.1.1-2).
const fn macro_power(is_narrow: bool) -> Dbm {
    Dbm(if is_narrow { 43.0 } else { 46.0 })
}

/// Returns the noise power in one resource block: −174 dBm/Hz plus the receiver's noise figure.
fn thermal_noise(figure: Decibel, spacing: u32) -> Dbm {
    Dbm(-174.0 + math::linear_to_db(f64::from(PRB_HZ * spacing)) + figure.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::lte::Bandwidth;

    /// TR 36.814 Table A.2.1.1-2: 46 dBm over 100 resource blocks, noise of 180 kHz and 9 dB.
    #[test]
    fn a_resource_block_of_20_mhz_has_26_dbm_and_its_noise_is_minus_112() {
        let budget = Budget::case1(Bandwidth::Mhz20);
        assert!((budget.prb_power().0 - 26.0).abs() < 1e-9);
        assert!((budget.ue_noise().0 + 112.447).abs() < 1e-3);
        assert!((budget.base_noise().0 + 116.447).abs() < 1e-3);
        assert!((Budget::case1(Bandwidth::Mhz5).prb_power().0 - 29.02).abs() < 0.01);
    }

    /// Computed by hand for 250 m on the boresight: 128.1 + 37.6 log10 0.25 = 105.463 dB, 20 dB for
    /// the wall, and 14 dBi less 12 ((6.956 − 15)/10)² = 7.765 dB off the tilt.
    #[test]
    fn the_gain_sums_distance_wall_and_pattern() {
        let budget = Budget::case1(Bandwidth::Mhz20);
        let path = GroundPath { distance: Metres(250.0), azimuth: Degrees(150.0) };
        let gain = budget.gain(path, Degrees(150.0)).0;
        assert!((gain - (14.0 - 7.765 - 105.463 - 20.0)).abs() < 0.01, "{gain} dB");
        let behind = budget.gain(path, Degrees(-30.0)).0;
        assert!((behind - (14.0 - 25.0 - 105.463 - 20.0)).abs() < 0.01, "{behind} dB");
    }

    /// Computed by hand, UMi at 28 GHz, 100 m on the boresight: the mast is 8.5 m higher, so the UE
    /// is 4.859° below the horizon, where an element has 8 − 12·(4.859/65)² = 7.933 dBi. The UE has
    /// 5 dBi, and the path loss is 103.376 dB.
    #[test]
    fn a_street_canyon_has_arrays_and_no_wall() {
        let budget = Budget::street_canyon(Bandwidth::Mhz20, Hertz(28e9));
        let path = GroundPath { distance: Metres(100.0), azimuth: Degrees(30.0) };
        let gain = budget.gain(path, Degrees(30.0)).0;
        assert!((gain - (7.933 + 5.0 - 103.376)).abs() < 0.001, "{gain} dB");
        assert!((budget.prb_power().0 - 15.0).abs() < 1e-9);
        // −174 + 10 log10 1.44e6 + 10 and + 7.
        let wide = Budget { spacing: 8, ..budget };
        assert!((wide.ue_noise().0 + 102.416).abs() < 1e-3);
        assert!((wide.base_noise().0 + 105.416).abs() < 1e-3);
    }

    /// TS 36.104 §6.5.2: without noise an error of 5.6 % leaves 25 dB.
    #[test]
    fn errors_of_the_transmitter_bound_the_sinr() {
        let budget = Budget::case1(Bandwidth::Mhz20);
        let after = |db: f64| Decibel::from(budget.after_transmit_error(Decibel(db).into())).0;
        assert!((after(80.0) - 25.04).abs() < 0.01);
        assert!((after(0.0) - 0.0).abs() < 0.02);
    }
}
