//! Path loss: the mean loss over positions at the same distance (TR 36.814 §A.2.1.1, TR 36.942
//! §4.5, TR 38.901 §7.4.1).
//!
//! In: a distance on the ground. Out: the loss in dB.
//!
//! Left out: distances that the formulas do not cover (below 10 m to 35 m); the caller keeps UEs
//! away from the mast. Line of sight is an argument here; [`super::line_of_sight`] draws it.

use super::quantity::{Hertz, Metres, SPEED_OF_LIGHT};
use crate::unit::{Decibel, math};

/// A formula for the path loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathLoss {
    /// Macro cells at 2 GHz: cases 1 and 3 of TR 36.814 Table A.2.1.1-2.
    Macro2Ghz,
    /// Macro cells in a town (TR 36.942 §4.5.2).
    Urban {
        /// Carrier frequency of the cell.
        carrier: Hertz,
        /// `Dhb`: height of the antenna above the mean roof.
        above_roofs: Metres,
    },
    /// A street below the roofs (TR 38.901 Table 7.4.1-1, UMi).
    StreetCanyon(LinkTerms),
    /// Masts above the roofs (TR 38.901 Table 7.4.1-1, UMa).
    UrbanMacro(LinkTerms),
}

/// The geometry of the formulas of TR 38.901.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkTerms {
    /// The link has a line of sight.
    pub line_of_sight: bool,
    /// Carrier frequency of the link.
    pub carrier: Hertz,
    /// `h_BS`
    pub base_height: Metres,
    /// `h_UT`
    pub ue_height: Metres,
}

impl PathLoss {
    /// Returns the loss over `ground`, the distance between mast and UE on the map.
    pub fn over(self, ground: Metres) -> Decibel {
        let log_km = math::log10(ground.0 / 1000.0);
        Decibel(match self {
            Self::Macro2Ghz => 128.1 + 37.6 * log_km,
            Self::Urban { carrier, above_roofs: Metres(height) } => {
                40.0 * (1.0 - 4e-3 * height) * log_km - 18.0 * math::log10(height)
                    + 21.0 * math::log10(carrier.0 / 1e6)
                    + 80.0
            }
            Self::StreetCanyon(terms) => street_canyon(terms, ground),
            Self::UrbanMacro(terms) => urban_macro(terms, ground),
        })
    }
}

fn street_canyon(terms: LinkTerms, ground: Metres) -> f64 {
    let (log_distance, log_ghz) = terms.logarithms(ground);
    let clear = terms.two_slopes(ground, [32.4, 21.0], [32.4, 9.5]);
    if terms.line_of_sight {
        return clear;
    }
    clear.max(35.3 * log_distance + 22.4 + 21.3 * log_ghz - 0.3 * (terms.ue_height.0 - 1.5))
}

fn urban_macro(terms: LinkTerms, ground: Metres) -> f64 {
    let (log_distance, log_ghz) = terms.logarithms(ground);
    let clear = terms.two_slopes(ground, [28.0, 22.0], [28.0, 9.0]);
    if terms.line_of_sight {
        return clear;
    }
    clear.max(13.54 + 39.08 * log_distance + 20.0 * log_ghz - 0.6 * (terms.ue_height.0 - 1.5))
}

impl LinkTerms {
    /// Returns the logarithms of the distance through the air in m, and of the carrier in GHz.
    fn logarithms(self, ground: Metres) -> (f64, f64) {
        let rise = self.base_height.0 - self.ue_height.0;
        let distance = (ground.0 * ground.0 + rise * rise).sqrt();
        (math::log10(distance), math::log10(self.carrier.0 / 1e9))
    }

    /// Returns the loss with line of sight: as in free space up to the break point, where the
    /// ground's reflection cancels the direct ray, and with the fourth power of the distance
    /// beyond.
    fn two_slopes(self, ground: Metres, near: [f64; 2], far: [f64; 2]) -> f64 {
        let (log_distance, log_ghz) = self.logarithms(ground);
        if ground.0 <= self.break_point() {
            let [constant, slope] = near;
            return constant + slope * log_distance + 20.0 * log_ghz;
        }
        let [constant, correction] = far;
        let rise = self.base_height.0 - self.ue_height.0;
        let bend = self.break_point() * self.break_point() + rise * rise;
        constant + 40.0 * log_distance + 20.0 * log_ghz - correction * math::log10(bend)
    }

    /// Returns `d'_BP`, with 1 m for the height of moving objects on the street (TR 38.901 Table
    /// 7.4.1-1 note 1).
    fn break_point(self) -> f64 {
        4.0 * (self.base_height.0 - 1.0) * (self.ue_height.0 - 1.0) * self.carrier.0
            / SPEED_OF_LIGHT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACRO: LinkTerms = LinkTerms {
        line_of_sight: true,
        carrier: Hertz(2e9),
        base_height: Metres(25.0),
        ue_height: Metres(1.5),
    };
    const STREET: LinkTerms = LinkTerms { base_height: Metres(10.0), ..MACRO };

    /// TR 36.814 Table A.2.1.1-2: 128.1 dB at a kilometre, and 37.6 dB more per decade.
    #[test]
    fn macro_cells_lose_37_6_db_per_decade() {
        assert!((PathLoss::Macro2Ghz.over(Metres(1000.0)).0 - 128.1).abs() < 1e-9);
        assert!((PathLoss::Macro2Ghz.over(Metres(100.0)).0 - 90.5).abs() < 1e-9);
    }

    /// TR 36.942 §4.5.2: at 15 m above the roofs and 2 GHz the formula is 128.15 + 37.6 log10 R,
    /// the origin of the formula of TR 36.814.
    #[test]
    fn the_urban_formula_at_2_ghz_is_that_of_macro_cells() {
        let urban = PathLoss::Urban { carrier: Hertz(2e9), above_roofs: Metres(15.0) };
        for ground in [50.0, 250.0, 1000.0, 2000.0] {
            let ground = Metres(ground);
            let difference = urban.over(ground).0 - PathLoss::Macro2Ghz.over(ground).0;
            assert!(difference.abs() < 0.1, "{difference} dB");
        }
    }

    /// TR 38.901 Table 7.4.1-1
    #[test]
    fn the_two_slopes_of_line_of_sight_meet_at_the_break_point() {
        for loss in [PathLoss::UrbanMacro(MACRO), PathLoss::StreetCanyon(STREET)] {
            let (PathLoss::UrbanMacro(terms) | PathLoss::StreetCanyon(terms)) = loss else {
                unreachable!("one of the two")
            };
            let at = terms.break_point();
            let step = loss.over(Metres(at + 0.001)).0 - loss.over(Metres(at)).0;
            assert!(step.abs() < 0.05, "{step} dB at {at} m");
        }
    }

    /// TR 38.901 Table 7.4.1-1, by hand: 28 + 22 log10 102.72 + 20 log10 2, and 13.54 + 39.08 log10
    /// 102.72 + 20 log10 2.
    #[test]
    fn an_urban_macro_cell_at_100_m() {
        let hidden = LinkTerms { line_of_sight: false, ..MACRO };
        let loss = |terms| PathLoss::UrbanMacro(terms).over(Metres(100.0)).0;
        assert!((loss(MACRO) - 78.278).abs() < 0.01, "{}", loss(MACRO));
        assert!((loss(hidden) - 98.178).abs() < 0.01, "{}", loss(hidden));
    }

    const MILLIMETRES: LinkTerms = LinkTerms { carrier: Hertz(28e9), ..STREET };

    /// TR 38.901 Table 7.4.1-1, UMi at 28 GHz and 100 m, by hand: √(100² + 8.5²) = 100.361 m, of
    /// which the logarithm is 2.001563; that of 28 is 1.447158. 32.4 + 21·2.001563 + 20·1.447158,
    /// and 35.3·2.001563 + 22.4 + 21.3·1.447158.
    #[test]
    fn a_street_canyon_at_28_ghz_and_100_m() {
        let hidden = LinkTerms { line_of_sight: false, ..MILLIMETRES };
        let loss = |terms| PathLoss::StreetCanyon(terms).over(Metres(100.0)).0;
        assert!((loss(MILLIMETRES) - 103.376).abs() < 0.001, "{}", loss(MILLIMETRES));
        assert!((loss(hidden) - 123.880).abs() < 0.001, "{}", loss(hidden));
    }

    /// TR 38.901 Table 7.4.1-1, UMa at 28 GHz and 200 m, computed by hand: √(200² + 23.5²) =
    /// 201.376 m, whose logarithm is 2.304007. 28 + 22·2.304007 + 20·1.447158, and 13.54 +
    /// 39.08·2.304007 + 20·1.447158.
    #[test]
    fn an_urban_macro_cell_at_28_ghz_and_200_m() {
        let clear = LinkTerms { base_height: Metres(25.0), ..MILLIMETRES };
        let hidden = LinkTerms { line_of_sight: false, ..clear };
        let loss = |terms| PathLoss::UrbanMacro(terms).over(Metres(200.0)).0;
        assert!((loss(clear) - 107.631).abs() < 0.001, "{}", loss(clear));
        assert!((loss(hidden) - 132.524).abs() < 0.001, "{}", loss(hidden));
    }

    /// TR 38.901 Table 7.4.1-1, UMi at 2 GHz and 500 m, by hand: beyond the break point
    /// 4·9·0.5·2e9/c = 120.08 m it is 32.4 + 40·log10 500.072 + 20·log10 2 − 9.5·log10(120.08² +
    /// 8.5²) = 32.4 + 107.961 + 6.021 − 39.531.
    #[test]
    fn beyond_the_break_point_the_loss_grows_with_the_fourth_power() {
        let loss = PathLoss::StreetCanyon(STREET).over(Metres(500.0)).0;
        assert!((loss - 106.851).abs() < 0.001, "{loss}");
    }
}
