//! The network around an NR cell.
//!
//! In: the section of a cell. Out: what its network needs of it: resource block groups and
//! subbands, frequency range, and when slots are measured and reported.
//!
//! A report is of slot 0 of the TDD pattern, which goes down, and sounding of the first slot that
//! goes up. The CSI reference resource is 4 ms before the uplink slot of the report (TS 38.214
//! §5.2.2.5).

use super::super::network::{CarrierBand, RepeatedCell};
use super::super::{Checked, Checker};
use super::{CELL, Frame};
use crate::ran::cell::Slots;
use crate::ran::cell::air::{Config, Reports};
use crate::ran::channel::{Dbm, PowerControl};
use crate::ran::mac::timeline::SlotTimes;
use crate::ran::phy::ResourceGrid;
use crate::ran::phy::nr::resources::Granularity;
use crate::ran::phy::resource_grid::SUBFRAME;
use crate::scenario::schema::{Network, Nr};
use crate::unit::math;

impl Checker<'_> {
    /// Checks the network around the cell of `section`, if it has one.
    pub(in crate::scenario::check) fn nr_network(&self, section: &Nr) -> Checked<Option<Config>> {
        let Some(network) = &section.network else { return Ok(None) };
        let rule = "not modelled together with radio.nr.network, where all blocks take whole \
                    slots; remove one of the two sections";
        self.require(section.mini_slots.is_none(), "radio.nr.mini_slots", rule)?;
        let expected = "1 with radio.nr.network: a base station receives with one antenna";
        let one = section.uplink_layers == 1;
        self.demand(one, "radio.nr.uplink_layers", section.uplink_layers, expected)?;
        let frame = self.frame(section, CELL)?;
        let (_, slots) = self.nr_timing(section, &frame, &frame)?;
        let subband = Granularity::Fine.subband(frame.prbs);
        let spacing = section.subcarrier_spacing_khz / 15;
        let fr1 = CarrierBand::Fr1 { mhz: section.bandwidth_mhz };
        let cell = RepeatedCell {
            radio: "radio.nr",
            grid: ResourceGrid {
                prbs: frame.prbs,
                group: Granularity::Fine.rbg(frame.prbs),
                subband: subband.unwrap_or(frame.prbs),
            },
            spacing,
            layers: section.layers,
            no_subbands: subband.is_none().then_some(NO_SUBBANDS),
            depends: Ok(()),
            sinrs: [
                ("downlink_sinr_db", section.downlink_sinr_db),
                ("uplink_sinr_db", section.uplink_sinr_db),
            ],
            band: if section.subcarrier_spacing_khz == 120 { CarrierBand::Fr2 } else { fr1 },
            reports: [self.nr_reports(network, &frame, &slots)?, sounding(&frame, &slots)],
            target: target(spacing),
        };
        self.network(network, &cell).map(Some)
    }

    /// Returns the CQI reports (TS 38.331 §6.3.2, `CSI-ReportPeriodicityAndOffset`).
    fn nr_reports(&self, network: &Network, frame: &Frame, slots: &Slots) -> Checked<Reports> {
        let pattern = slots.times.len() as u64;
        let key = "radio.nr.network.cqi_period";
        let millisecond = frame.ticks_in(SUBFRAME);
        let fits = |period: &u64| period.is_multiple_of(pattern);
        let least = PERIODS.into_iter().filter(fits).find(|&period| period >= 5 * millisecond);
        let period = network.cqi_period.or(least).unwrap_or(LONGEST);
        let expected = "4, 5, 8, 10, 16, 20, 40, 80, 160 or 320 slots";
        self.demand(PERIODS.contains(&period), key, period, expected)?;
        let expected =
            format!("a valid period that is a multiple of the {pattern} slots of the TDD pattern");
        self.demand(fits(&period), key, period, &expected)?;
        let sent = next_uplink(slots, 4 * millisecond);
        let delay = network.cqi_delay.unwrap_or(sent + of(slots, sent).report);
        Ok(Reports { period, delay, first: 0, step: pattern })
    }
}

/// Returns the measurements of the uplink, one every 20 ms.
fn sounding(frame: &Frame, slots: &Slots) -> Reports {
    let period = frame.ticks_in(SUBFRAME * 20);
    let first = next_uplink(slots, 0);
    Reports { period, delay: of(slots, first).report, first, step: slots.times.len() as u64 }
}

/// Returns the first uplink slot that is not before `slot`.
fn next_uplink(slots: &Slots, slot: u64) -> u64 {
    slot + of(slots, slot).uplink
}

fn of(slots: &Slots, slot: u64) -> &SlotTimes {
    &slots.times[(slot % slots.times.len() as u64) as usize]
}

/// Returns `P_0` for a PRB of this spacing: the parameter is for a PRB of 180 kHz (TS 38.213
/// §7.1.1).
fn target(spacing: u32) -> Dbm {
    Dbm(PowerControl::default().target.0 + math::linear_to_db(f64::from(spacing)))
}

const PERIODS: [u64; 10] = [4, 5, 8, 10, 16, 20, 40, 80, 160, LONGEST];
const LONGEST: u64 = 320;
const NO_SUBBANDS: &str =
    "\"wideband\": fewer than 24 resource blocks have no subbands (TS 38.214 Table 5.2.1.4-2)";
