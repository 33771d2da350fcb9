//! The channel of an NR cell in one direction: resource blocks, MCS, errors, scheduler.
//!
//! In: the section of a cell, its slots. Out: a carrier with sizes, schemes and errors.

use super::super::{Checked, Checker};
use super::{CELL, Frame, mini_slots, urgent};
use crate::ran::cell::{Capacity, Carrier, Channel, Groups};
use crate::ran::mac::harq;
use crate::ran::mac::sharing::Sharing;
use crate::ran::mac::status_pdus::StatusPdus;
use crate::ran::nr::timeline::LEAST_DOWNLINK;
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::ran::phy::nr::resources::{Dmrs, Granularity};
use crate::ran::phy::nr::{self, McsTable};
use crate::ran::phy::{Layers, LinkModel, Mcs, RateControl, Receiver, Sizing};
use crate::scenario::schema::{Bler, McsChoice, Nr, NrModulation, UplinkPrbs};

impl Checker<'_> {
    /// Returns one direction of the carrier whose keys are at `place`.
    pub(super) fn nr_channel(
        &self,
        section: &Nr,
        frame: &Frame,
        place: &str,
        down: bool,
    ) -> Checked<Channel> {
        let (mcs, modulation, layers) = if down {
            (section.mcs, section.modulation, section.layers)
        } else {
            (section.uplink_mcs, section.uplink_modulation, section.uplink_layers)
        };
        let key = if down { format!("{place}.mcs") } else { uplink_key(place, "mcs") };
        let table = match modulation {
            NrModulation::Qam64 => McsTable::Qam64,
            NrModulation::Qam256 => McsTable::Qam256,
            NrModulation::LowEfficiency => McsTable::LowEfficiency,
        };
        let control = frame.within.map_or(0, |within| within.control_prbs);
        let prbs =
            if down { frame.prbs - control } else { self.nr_uplink_prbs(section, frame, place)? };
        let elements: Box<[u32]> = elements(section, frame, down);
        // Blocks of an uplink that begin within a slot have their resource blocks beyond the symbol
        // in which they begin.
        let all = !down && frame.within.is_some();
        let of = |&elements: &u32| if elements == 0 && !all { 0 } else { prbs };
        let by_slot = elements.iter().map(of).collect();
        let largest = elements.iter().copied().max().unwrap_or(0);
        let expected =
            "fewer symbols with DM-RS, or longer blocks: no resource elements are left for data";
        self.demand(largest > 0, "radio.nr.dmrs_symbols", section.dmrs_symbols, expected)?;
        let carrier = Carrier {
            prbs,
            by_slot: Some(by_slot),
            allocation: if down { Groups::Of(Granularity::Fine.rbg(prbs)) } else { Groups::Of(1) },
            sizing: Sizing::Nr(nr::Sizing {
                table,
                layers: layers_of(layers),
                res_per_prb: elements,
            }),
            rate_control: self.nr_rate_control(section, mcs, table, &key)?,
            receiver: Receiver::Ideal,
        };
        let link = match &section.bler {
            Bler::Sinr => LinkModel::Sinr(Receiver::Ideal),
            Bler::None => LinkModel::Ideal,
            Bler::Fixed(each) if each.is_empty() => {
                let expected = "at least one probability";
                return self.wrong(&format!("{place}.bler"), "an empty list", expected);
            }
            Bler::Fixed(each) => LinkModel::FixedBler(each.clone()),
        };
        Ok(Channel {
            capacity: Capacity::Carrier(carrier),
            link,
            harq: harq::Config {
                processes: section.harq_processes,
                max_transmissions: section.harq_transmissions,
                code_block_groups: if down {
                    section.max_code_block_groups.or(urgent::preempts(section).then_some(1))
                } else {
                    section.uplink_max_code_block_groups
                },
            },
            metric: if down { section.scheduler } else { section.uplink_scheduler },
            averaging_slots: section.averaging_slots * frame.ticks as u32,
            ues_per_slot: section.ues_per_slot,
            // TS 38.321 §5.4.3.1
            sharing: if down { section.sharing } else { Sharing::Buckets },
            status_pdus: StatusPdus::WithData,
        })
    }

    fn nr_uplink_prbs(&self, section: &Nr, frame: &Frame, place: &str) -> Checked<u32> {
        let prbs = match section.uplink_prbs {
            UplinkPrbs::All => frame.prbs,
            UplinkPrbs::Auto => frame.prbs - PUCCH_PRBS,
            UplinkPrbs::Of(prbs) => prbs,
        };
        let expected = format!("from 1 to {}, the resource blocks of the carrier", frame.prbs);
        self.demand(prbs <= frame.prbs, &uplink_key(place, "prbs"), prbs, &expected)?;
        Ok(prbs)
    }

    fn nr_rate_control(
        &self,
        section: &Nr,
        choice: McsChoice,
        table: McsTable,
        key: &str,
    ) -> Checked<RateControl> {
        let index = match choice {
            McsChoice::Adaptive => return Ok(RateControl::Adaptive(section.bler_target)),
            McsChoice::Highest => return Ok(RateControl::FixedMcs(table.highest())),
            McsChoice::Of(index) => index,
        };
        let mcs = u8::try_from(index).ok().and_then(Mcs::new);
        if let Some(mcs) = mcs.filter(|mcs| table.scheme(*mcs).is_some()) {
            return Ok(RateControl::FixedMcs(mcs));
        }
        let expected = "from 0 to 28, with 256QAM from 0 to 27";
        self.wrong(key, &index.to_string(), expected)
    }
}

/// Returns the number of resource elements per PRB (`N'_RE`) of each slot. Zero in slots without
/// data in this direction.
fn elements(section: &Nr, frame: &Frame, down: bool) -> Box<[u32]> {
    let dmrs = Dmrs { symbols: section.dmrs_symbols, ..Dmrs::ONE };
    let least = LEAST_DOWNLINK.max(frame.control_symbols + 1);
    let of = |symbols: u32| dmrs.elements(symbols, section.x_overhead);
    if let Some(within) = &frame.within {
        return mini_slots::elements(frame, within, down, of(within.mini.symbols));
    }
    let slots = frame.format.slots().iter();
    slots
        .map(|slot| match (down, slot) {
            (true, slot) if slot.down >= least => of(slot.down - frame.control_symbols),
            (false, slot) if slot.up == SYMBOLS => of(slot.up),
            _ => 0,
        })
        .collect()
}

/// Returns the path of an uplink key of the carrier whose keys are at `place`.
fn uplink_key(place: &str, key: &str) -> String {
    if place == CELL { format!("{place}.uplink_{key}") } else { format!("{place}.uplink.{key}") }
}

pub(super) const fn layers_of(layers: u32) -> Layers {
    match layers {
        1 => Layers::One,
        2 => Layers::Two,
        3 => Layers::Three,
        _ => Layers::Four,
    }
}

/// Two at each edge of the band.
const PUCCH_PRBS: u32 = 4;
