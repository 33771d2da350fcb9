//! The control channel of an NR cell: its elements, and where UEs look for their messages.
//!
//! In: the section of a cell, its grid. Out: the parameters of the control channel.

use super::super::{Checked, Checker};
use super::Frame;
use crate::ran::mac::{control_channel, search_space};
use crate::ran::phy::Aggregation;
use crate::ran::phy::nr::pdcch;
use crate::scenario::schema::{Nr, SearchSpace};

impl Frame {
    /// Returns the control channel of a carrier that counts control channel elements, without
    /// search spaces.
    pub(super) fn counted_control_channel(&self) -> control_channel::Config {
        let (prbs, symbols) = self.control();
        counted(pdcch::cces(prbs, symbols))
    }
}

fn counted(cces: u32) -> control_channel::Config {
    control_channel::Config { message: pdcch::MESSAGE, ..control_channel::Config::of(cces) }
}

impl Checker<'_> {
    pub(super) fn nr_control_channel(
        &self,
        section: &Nr,
        frame: &Frame,
    ) -> Checked<control_channel::Config> {
        let (carrier, symbols) = frame.control();
        let prbs = section.search_space.and_then(|own| own.prbs).unwrap_or(carrier);
        let expected = format!("at most {carrier}, the resource blocks of the carrier");
        self.demand(prbs <= carrier, "radio.nr.search_space.prbs", prbs, &expected)?;
        let cces = pdcch::cces(prbs, symbols);
        let search = section.search_space.as_ref();
        let rule = "not modelled together with radio.nr.secondary_carrier; remove one of the two \
                    sections";
        let alone = search.is_none() || section.secondary_carrier.is_empty();
        self.require(alone, "radio.nr.search_space", rule)?;
        Ok(control_channel::Config {
            search: search.map(|own| self.nr_search_space(own, frame, cces)).transpose()?,
            ..counted(cces)
        })
    }

    /// Checks the search space (TS 38.213 §10.1).
    fn nr_search_space(
        &self,
        own: &SearchSpace,
        frame: &Frame,
        cces: u32,
    ) -> Checked<search_space::Config> {
        const KEY: &str = "radio.nr.search_space";
        let rule = "not modelled together with radio.nr.mini_slots; remove one of the two sections";
        self.require(frame.within.is_none(), KEY, rule)?;
        let config = search_space::Config {
            candidates: [own.level_1, own.level_2, own.level_4, own.level_8, own.level_16],
            factor: pdcch::HASH_FACTORS[CORESET],
            slots_per_frame: frame.numerology.slots_per_frame(),
            ticks: frame.ticks,
            first_rnti: own.first_rnti,
        };
        let of = |level: Aggregation| config.candidates_of(level, cces);
        let candidates: u32 = Aggregation::ALL.into_iter().map(of).sum();
        let expected = format!(
            "at least one candidate of a level that fits into the {cces} control channel elements"
        );
        self.demand(candidates > 0, KEY, "none", &expected)?;
        let (most_candidates, most_cces) = pdcch::LIMITS[frame.numerology.value() as usize];
        let expected = format!("at most {most_candidates}, the number that a UE monitors per slot");
        let found = format!("{candidates} candidates");
        self.demand(candidates <= most_candidates, KEY, found, &expected)?;
        let apart: u32 = Aggregation::ALL.into_iter().map(|level| of(level) * level.cces()).sum();
        let looked_at = apart.min(cces);
        let expected = format!(
            "at most {most_cces}, the number that a UE monitors per slot; use fewer candidates"
        );
        let found = format!("candidates of {looked_at} elements");
        self.demand(looked_at <= most_cces, KEY, found, &expected)?;
        let ues: u64 = self.file.ue.iter().map(|ue| u64::from(ue.count)).sum();
        let last = u64::from(own.first_rnti) + ues.saturating_sub(1);
        let expected =
            format!("at most {} with {ues} UEs", (LAST_RNTI + 1).saturating_sub(ues.max(1)));
        let key = format!("{KEY}.first_rnti");
        self.demand(last <= LAST_RNTI, &key, own.first_rnti, &expected)?;
        Ok(config)
    }
}

/// The first CORESET beside that of the common search space.
const CORESET: usize = 1;
/// TS 38.321 Table 7.1-1
const LAST_RNTI: u64 = 65_519;
