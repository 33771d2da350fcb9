//! Semi-persistent scheduling of an NR cell's downlink.
//!
//! In: the section of a cell, its slots. Out: its parameters.

use super::super::{Checked, Checker};
use super::Frame;
use super::access::FRAMES;
use crate::ran::mac::downlink_sps;
use crate::scenario::schema::Nr;

impl Checker<'_> {
    /// Checks downlink SPS (TS 38.321 §5.8.1, TS 38.331 §6.3.2 `SPS-Config`).
    pub(super) fn nr_downlink_sps(
        &self,
        section: &Nr,
        frame: &Frame,
    ) -> Checked<Option<downlink_sps::Config>> {
        const KEY: &str = "radio.nr.downlink_sps";
        let Some(own) = section.downlink_sps else { return Ok(None) };
        let rule = "not modelled together with radio.nr.mini_slots: occasions of SPS are whole \
                    slots; remove one of the two sections";
        self.require(frame.within.is_none(), KEY, rule)?;
        let rule = "not modelled together with radio.nr.network; remove one of the two sections";
        self.require(section.network.is_none(), KEY, rule)?;
        let turn = frame.format.slots().len() as u64;
        let expected = format!(
            "a multiple of the {turn} slots of the TDD pattern, so that each occasion is in a downlink slot"
        );
        let found = format!("{} slots", own.period);
        let whole = own.period.is_multiple_of(turn);
        self.demand(whole, &format!("{KEY}.period"), found, &expected)?;
        let most = section.harq_processes - 1;
        let expected =
            format!("at most {most}: radio.nr.harq_processes minus one for other blocks");
        let key = format!("{KEY}.harq_processes");
        self.demand(own.harq_processes <= most, &key, own.harq_processes, &expected)?;
        Ok(Some(downlink_sps::Config {
            period: own.period,
            bytes: own.size,
            processes: own.harq_processes,
            release_after: own.release_after,
            cycle: FRAMES * frame.numerology.slots_per_frame(),
        }))
    }
}
