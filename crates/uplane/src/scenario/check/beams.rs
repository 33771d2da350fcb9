//! Checks of where a network is: its deployment, and what is special to millimetre waves.

use super::super::schema::{
    BeamSection, DeploymentCase, FadingProfile, LineOfSightKind, Network as Section,
};
use super::{Checked, Checker};
use crate::ran::channel::budget::{
    Beams, CASE_1_BETWEEN_SITES, CASE_3_BETWEEN_SITES, ROOFS_BETWEEN_SITES, STREETS_BETWEEN_SITES,
};
use crate::ran::channel::fading::Antennas;
use crate::ran::channel::line_of_sight::LineOfSight;
use crate::ran::channel::{Budget, Hertz, Metres, Speed, blockage};
use crate::ran::lte::air::Surroundings;
use crate::ran::phy::lte::Bandwidth;
use crate::unit::{Decibel, Duration};

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
        let ghz = beams.carrier_ghz;
        let key = "radio.lte.network.beams.carrier_ghz";
        self.demand((0.5..=100.0).contains(&ghz), key, ghz, "from 0.5 to 100 GHz")?;
        let carrier = Hertz(ghz * 1e9);
        let mut budget = match section.case {
            DeploymentCase::UrbanMacro => Budget::urban_macro(bandwidth, carrier),
            _ => Budget::street_canyon(bandwidth, carrier),
        };
        budget.beams = self.arrays(&beams)?;
        if let Some(los) = &mut budget.los {
            match beams.line_of_sight {
                LineOfSightKind::Drawn => {}
                LineOfSightKind::Always => los.line_of_sight = LineOfSight::Always,
                LineOfSightKind::Never => los.line_of_sight = LineOfSight::Never,
            }
        }
        Ok(budget)
    }

    fn arrays(&self, beams: &BeamSection) -> Checked<Beams> {
        for (key, value, most) in [
            ("base_array_db", beams.base_array_db, 40.0),
            ("ue_array_db", beams.ue_array_db, 40.0),
            ("misalignment_db", beams.misalignment_db, 20.0),
        ] {
            let expected = format!("from 0 to {most} dB");
            let valid = (0.0..=most).contains(&value);
            self.demand(valid, &format!("radio.lte.network.beams.{key}"), value, &expected)?;
        }
        let key = "radio.lte.network.beams.rician_k_db";
        let ratio = beams.rician_k_db;
        self.demand((-20.0..=40.0).contains(&ratio), key, ratio, "from -20 to 40 dB")?;
        Ok(Beams {
            base: Decibel(beams.base_array_db),
            ue: Decibel(beams.ue_array_db),
            misalignment: Decibel(beams.misalignment_db),
        })
    }

    /// What a UE meets on its way.
    pub(super) fn surroundings(&self, section: &Section) -> Checked<Surroundings> {
        // Without fading there is nothing around the direct ray.
        let ray = is_drawn(section) && section.fading != FadingProfile::None;
        let mut surroundings = Surroundings {
            speed: Speed(section.speed_kmh.unwrap_or(3.0)),
            rician: ray.then(|| Decibel(section.beams.unwrap_or_default().rician_k_db)),
            blockage: None,
        };
        let Some(blockage) = section.blockage else { return Ok(surroundings) };
        let key = |name: &str| format!("radio.lte.network.blockage.{name}");
        for (name, span) in [("between", blockage.between), ("lasting", blockage.lasting)] {
            let valid = (Duration::from_millis(1)..=Duration::from_secs(3600)).contains(&span);
            self.demand(valid, &key(name), span, "from 1 ms to an hour")?;
        }
        let ramp = blockage.ramp;
        let expected = "at most half of `lasting`: it comes and goes in that time";
        self.demand(ramp * 2 <= blockage.lasting, &key("ramp"), ramp, expected)?;
        for (name, value) in
            [("loss_db", blockage.loss_db), ("deviation_db", blockage.deviation_db)]
        {
            self.demand((0.0..=80.0).contains(&value), &key(name), value, "from 0 to 80 dB")?;
        }
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

/// True where UEs may see a mast or not.
pub(super) fn is_drawn(section: &Section) -> bool {
    matches!(section.case, DeploymentCase::UmiStreetCanyon | DeploymentCase::UrbanMacro)
}
