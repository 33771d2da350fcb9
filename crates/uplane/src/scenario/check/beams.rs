//! Checks of the deployment of a network: its case, its carrier, and the models of TR 38.901.

use super::super::schema::{DeploymentCase, LineOfSightKind, Network as Section};
use super::network::{CarrierBand, RepeatedCell};
use super::{Checked, Checker};
use crate::ran::cell::air::Surroundings;
use crate::ran::channel::Profile;
use crate::ran::channel::budget::{
    Beams, CASE_1_BETWEEN_SITES, CASE_3_BETWEEN_SITES, ROOFS_BETWEEN_SITES, STREETS_BETWEEN_SITES,
};
use crate::ran::channel::fading::Antennas;
use crate::ran::channel::line_of_sight::LineOfSight;
use crate::ran::channel::{Budget, Dbm, Hertz, Metres, Speed, blockage};
use crate::unit::Decibel;

impl Checker<'_> {
    /// Returns the link budget of a deployment, and the default distance of its sites.
    pub(super) fn budget(
        &self,
        section: &Section,
        cell: &RepeatedCell,
    ) -> Checked<(Budget, Metres)> {
        let (case, usual) = match section.case {
            DeploymentCase::Case1 => (Some(Budget::case1(cell.grid)), CASE_1_BETWEEN_SITES),
            DeploymentCase::Case3 => (Some(Budget::case3(cell.grid)), CASE_3_BETWEEN_SITES),
            DeploymentCase::UmiStreetCanyon => (None, STREETS_BETWEEN_SITES),
            DeploymentCase::UrbanMacro => (None, ROOFS_BETWEEN_SITES),
        };
        let mut budget = match case {
            Some(budget) => {
                self.at_2_ghz(section, cell)?;
                match cell.band {
                    CarrierBand::Fr1 { mhz } => budget.of_bandwidth(mhz),
                    CarrierBand::Any | CarrierBand::Fr2 => budget,
                }
            }
            None => self.with_arrays(section, cell)?,
        };
        if let Some(power) = section.base_power_dbm {
            budget.base_power = Dbm(power);
        }
        Ok((budget, usual))
    }

    fn at_2_ghz(&self, section: &Section, cell: &RepeatedCell) -> Checked<()> {
        let rule = "requires `case = \"umi_street_canyon\"` or `\"urban_macro\"`: cases 1 and 3 have one antenna at 2 GHz";
        self.require(section.beams.is_none(), &cell.key("beams"), rule)?;
        let expected = "\"umi_street_canyon\" or \"urban_macro\" at 120 kHz, which is in FR2 (TS 38.104 §5.3.5)";
        let fits = cell.band != CarrierBand::Fr2;
        self.demand(fits, &cell.key("case"), "a case at 2 GHz", expected)
    }

    fn with_arrays(&self, section: &Section, cell: &RepeatedCell) -> Checked<Budget> {
        let one = section.antennas == Antennas::OneByOne;
        let expected = "\"1x1\": in this case an antenna array counts as one antenna with a beam";
        self.demand(one, &cell.key("antennas"), "more", expected)?;
        let beams = section.beams.unwrap_or_default();
        let (usual, ue_array) = match cell.band {
            CarrierBand::Fr1 { .. } => (3.5, 0.0),
            CarrierBand::Any | CarrierBand::Fr2 => (28.0, Beams::MILLIMETRE_WAVES.ue.0),
        };
        let ghz = beams.carrier_ghz.unwrap_or(usual);
        let (range, expected) = match cell.band {
            CarrierBand::Any => (0.5..=100.0, ""),
            CarrierBand::Fr1 { .. } => (
                0.41..=7.125,
                "from 0.41 to 7.125 GHz: below 120 kHz the cell is in FR1 (TS 38.104 §5.1)",
            ),
            CarrierBand::Fr2 => (
                24.25..=71.0,
                "from 24.25 to 71 GHz: with 120 kHz the cell is in FR2 (TS 38.104 §5.1)",
            ),
        };
        self.demand(range.contains(&ghz), &cell.key("beams.carrier_ghz"), ghz, expected)?;
        let carrier = Hertz(ghz * 1e9);
        let mut budget = match section.case {
            DeploymentCase::UrbanMacro => Budget::urban_macro(cell.grid, carrier),
            _ => Budget::street_canyon(cell.grid, carrier),
        };
        if let CarrierBand::Fr1 { mhz } = cell.band {
            budget = budget.in_fr1(mhz);
        }
        budget.beams = Beams {
            base: Decibel(beams.base_array_db),
            ue: Decibel(beams.ue_array_db.unwrap_or(ue_array)),
            misalignment: Decibel(beams.misalignment_db),
        };
        if let Some(los) = &mut budget.los {
            match beams.line_of_sight {
                LineOfSightKind::Drawn => {}
                LineOfSightKind::Always => los.line_of_sight = LineOfSight::Always,
                LineOfSightKind::Never => los.line_of_sight = LineOfSight::Never,
            }
        }
        Ok(budget)
    }

    /// Returns the blockage and the direct ray of UEs, and their speed.
    pub(super) fn surroundings(
        &self,
        section: &Section,
        cell: &RepeatedCell,
    ) -> Checked<Surroundings> {
        // Without fading there are no scattered rays beside the direct one.
        let ray = section.has_arrays() && section.fading != Profile::None;
        let mut surroundings = Surroundings {
            speed: Speed(section.speed_kmh.unwrap_or(3.0)),
            rician: ray.then(|| Decibel(section.beams.unwrap_or_default().rician_k_db)),
            blockage: None,
        };
        let Some(blockage) = section.blockage else { return Ok(surroundings) };
        let ramp = blockage.ramp;
        let expected = "at most half of `lasting`, which contains the ramp twice";
        let key = &cell.key("blockage.ramp");
        self.demand(ramp * 2 <= blockage.lasting, key, ramp, expected)?;
        surroundings.blockage = Some(blockage::Config {
            between: blockage.between,
            lasting: blockage.lasting,
            loss: Decibel(blockage.loss_db),
            deviation: Decibel(blockage.deviation_db),
            ramp,
        });
        Ok(surroundings)
    }
}
