//! Checks of where a network is: its deployment, and what is special to millimetre waves.

use super::super::schema::{DeploymentCase, LineOfSightKind, Network as Section};
use super::{Checked, Checker};
use crate::ran::channel::Profile;
use crate::ran::channel::budget::{
    Beams, CASE_1_BETWEEN_SITES, CASE_3_BETWEEN_SITES, ROOFS_BETWEEN_SITES, STREETS_BETWEEN_SITES,
};
use crate::ran::channel::fading::Antennas;
use crate::ran::channel::line_of_sight::LineOfSight;
use crate::ran::channel::{Budget, Hertz, Metres, Speed, blockage};
use crate::ran::lte::air::Surroundings;
use crate::ran::phy::lte::Bandwidth;
use crate::unit::Decibel;

impl Checker<'_> {
    /// The link budget of a deployment, and the usual distance of its sites.
    pub(super) fn budget(
        &self,
        section: &Section,
        bandwidth: Bandwidth,
    ) -> Checked<(Budget, Metres)> {
        let (case, usual) = match section.case {
            DeploymentCase::Case1 => (Some(Budget::case1(bandwidth)), CASE_1_BETWEEN_SITES),
            DeploymentCase::Case3 => (Some(Budget::case3(bandwidth)), CASE_3_BETWEEN_SITES),
            DeploymentCase::UmiStreetCanyon => (None, STREETS_BETWEEN_SITES),
            DeploymentCase::UrbanMacro => (None, ROOFS_BETWEEN_SITES),
        };
        let Some(budget) = case else {
            return Ok((self.millimetre_waves(section, bandwidth)?, usual));
        };
        let expected = "no such section, but with case = \"umi_street_canyon\" or \"urban_macro\": cases 1 and 3 have one antenna at 2 GHz";
        let key = "radio.lte.network.beams";
        self.demand(section.beams.is_none(), key, "a section", expected)?;
        Ok((budget, usual))
    }

    fn millimetre_waves(&self, section: &Section, bandwidth: Bandwidth) -> Checked<Budget> {
        let one = section.antennas == Antennas::OneByOne;
        let expected = "\"1x1\": an array is one antenna with a beam";
        self.demand(one, "radio.lte.network.antennas", "more", expected)?;
        let beams = section.beams.unwrap_or_default();
        let carrier = Hertz(beams.carrier_ghz * 1e9);
        let mut budget = match section.case {
            DeploymentCase::UrbanMacro => Budget::urban_macro(bandwidth, carrier),
            _ => Budget::street_canyon(bandwidth, carrier),
        };
        budget.beams = Beams {
            base: Decibel(beams.base_array_db),
            ue: Decibel(beams.ue_array_db),
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

    /// What a UE meets on its way.
    pub(super) fn surroundings(&self, section: &Section) -> Checked<Surroundings> {
        // Without fading there is nothing around the direct ray.
        let ray = section.has_arrays() && section.fading != Profile::None;
        let mut surroundings = Surroundings {
            speed: Speed(section.speed_kmh.unwrap_or(3.0)),
            rician: ray.then(|| Decibel(section.beams.unwrap_or_default().rician_k_db)),
            blockage: None,
        };
        let Some(blockage) = section.blockage else { return Ok(surroundings) };
        let ramp = blockage.ramp;
        let expected = "at most half of `lasting`: it comes and goes in that time";
        let key = "radio.lte.network.blockage.ramp";
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
