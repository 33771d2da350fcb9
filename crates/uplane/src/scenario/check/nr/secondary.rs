//! Secondary carriers of an NR cell.
//!
//! In: the sections of the carriers and that of their cell. Out: cells of which the downlink
//! counts, and the uplink's blocks where a carrier has some.

use super::super::{Checked, Checker};
use super::{Frame, depends_on_sinr};
use crate::net::{Direction, PerDirection};
use crate::ran::cell::{Activation, Conditions, Config, Downlink, Uplink};
use crate::ran::mac::grant;
use crate::scenario::schema::{CarrierUplink, Nr, SecondaryCarrier, UplinkPrbs};
use crate::unit::Decibel;

impl Checker<'_> {
    /// Checks all carriers beside that of `cell`, which carries their HARQ feedback.
    pub(super) fn secondary_carriers(
        &self,
        section: &Nr,
        frame: &Frame,
        cell: &Config,
    ) -> Checked<Vec<Config>> {
        let carriers = &section.secondary_carrier;
        if carriers.is_empty() {
            return Ok(Vec::new());
        }
        let found = carriers.len().to_string();
        let expected = format!("at most {MOST} (maxNrofSCells, TS 38.331 §6.4)");
        self.demand(carriers.len() <= MOST, SECTIONS, found, &expected)?;
        let without = [
            ("network", section.network.is_some()),
            ("mini_slots", section.mini_slots.is_some()),
            ("drx", section.drx.is_some()),
        ];
        for (key, given) in without {
            let rule =
                format!("not modelled together with {SECTIONS}; remove one of the two sections");
            self.require(!given, &format!("radio.nr.{key}"), &rule)?;
        }
        let numbered = carriers.iter().enumerate();
        let carrier = |(number, own): (usize, &SecondaryCarrier)| {
            self.secondary(&format!("{SECTIONS}.{number}"), own, section, frame, cell)
        };
        numbered.map(carrier).collect()
    }

    /// Checks the carrier whose keys are at `place`.
    fn secondary(
        &self,
        place: &str,
        own: &SecondaryCarrier,
        section: &Nr,
        pucch: &Frame,
        cell: &Config,
    ) -> Checked<Config> {
        let section = with(section, own);
        let frame = self.frame(&section, place)?;
        let (timing, slots) = self.nr_timing(&section, &frame, pucch)?;
        let better = PerDirection {
            down: own.sinr_offset_db,
            up: own.uplink.as_ref().map_or(0.0, |uplink| uplink.sinr_offset_db),
        };
        let expected = "0: neither MCS nor block errors of this uplink depend on the SINR";
        let key = format!("{place}.uplink.sinr_offset_db");
        let obeyed = depends_on_sinr(&section, Direction::Up) || better.up == 0.0;
        self.demand(obeyed, &key, better.up, expected)?;
        let mut uplink = idle(&cell.uplink);
        if own.uplink.is_some() {
            uplink.channel = self.nr_channel(&section, &frame, place, false)?;
        }
        let channel = self.nr_channel(&section, &frame, place, true)?;
        Ok(Config {
            tti: frame.tti(),
            timing,
            slots: Some(slots),
            downlink: Downlink { channel, ..cell.downlink.clone() },
            uplink,
            carries_uplink: own.uplink.is_some(),
            control_channel: Some(frame.counted_control_channel()),
            activation: own.activation.map(|activation| Activation {
                delay: activation.delay,
                deactivation_timer: activation.deactivation_timer,
            }),
            ..better_by(&better, cell)
        })
    }
}

/// Returns the cell's section with the keys of one of its carriers.
pub(super) fn with(cell: &Nr, own: &SecondaryCarrier) -> Nr {
    let mut section = Nr { bandwidth_mhz: own.bandwidth_mhz, ..cell.clone() };
    let SecondaryCarrier { duplex, subcarrier_spacing_khz, layers, modulation, mcs, bler, .. } =
        own;
    section.subcarrier_spacing_khz =
        subcarrier_spacing_khz.unwrap_or(section.subcarrier_spacing_khz);
    section.layers = layers.unwrap_or(section.layers);
    section.modulation = modulation.unwrap_or(section.modulation);
    section.mcs = mcs.unwrap_or(section.mcs);
    section.duplex = duplex.clone().unwrap_or(section.duplex);
    section.bler = bler.clone().unwrap_or(section.bler);
    if let Some(CarrierUplink { layers, modulation, mcs, prbs, .. }) = &own.uplink {
        section.uplink_layers = layers.unwrap_or(section.uplink_layers);
        section.uplink_modulation = modulation.unwrap_or(section.uplink_modulation);
        section.uplink_mcs = mcs.unwrap_or(section.uplink_mcs);
        section.uplink_prbs = prbs.unwrap_or(UplinkPrbs::All);
    }
    section
}

/// Returns the cell with SINRs increased by `db`.
fn better_by(db: &PerDirection<f64>, cell: &Config) -> Config {
    let mut cell = cell.clone();
    let conditions = cell.conditions.iter();
    let better = |&Conditions { downlink, uplink }: &Conditions| Conditions {
        downlink: Decibel(downlink.0 + db.down),
        uplink: Decibel(uplink.0 + db.up),
    };
    cell.conditions = conditions.map(better).collect();
    for sinrs in &mut cell.sinrs {
        for way in Direction::BOTH {
            sinrs[way].iter_mut().for_each(|step| step.sinr_db += db[way]);
        }
    }
    cell
}

/// Returns the uplink without random access, configured grants and proactive grants, which are on
/// the first carrier.
fn idle(uplink: &Uplink) -> Uplink {
    let grants = grant::Policy { sps: Vec::new(), proactive: None, ..uplink.grants.clone() };
    Uplink { grants, random_access: None, ..uplink.clone() }
}

/// `maxNrofSCells`
const MOST: usize = 31;
const SECTIONS: &str = "radio.nr.secondary_carrier";
