//! The configured grants of an NR cell's UEs, and which bearer may use which.
//!
//! In: the sections of a cell and of its bearers, the cell's slots. Out: the parameters of grants.

use super::super::names::{Names, keyed};
use super::super::{Checked, Checker};
use super::Frame;
use super::access::FRAMES;
use super::mini_slots::begins_up;
use crate::ran::cell::{Slots, Tti};
use crate::ran::mac::configured_grant::set::MOST;
use crate::ran::mac::configured_grant::{self, GrantSet, Kind, RvSequence};
use crate::ran::mac::grant::Sps;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::scenario::schema::{ConfiguredGrant, GrantPeriod, Nr, NrBearer, NrRvSequence};
use crate::unit::Instant;

/// Parameters common to all grants of a cell.
struct Place<'a> {
    frame: &'a Frame,
    timing: &'a Timing,
    slots: &'a Slots,
}

impl Checker<'_> {
    /// Returns the configured grants of each UE, in the order of their sections (TS 38.321 §5.8.2).
    pub(super) fn nr_configured_grants(
        &self,
        section: &Nr,
        frame: &Frame,
        timing: &Timing,
        slots: &Slots,
    ) -> Checked<Vec<Sps>> {
        self.grants_of_a_list(section, frame)?;
        let place = Place { frame, timing, slots };
        let grants = section.configured_grants();
        let mut first_process = 0;
        let mut all = Vec::new();
        for (number, own) in grants.iter().enumerate() {
            let key = |name: &str| format!("{}.{name}", section_of(section, number));
            self.can_be_used(section, number, &key)?;
            let usual = (section.harq_processes / 2).min(16) / grants.len() as u32;
            let processes = own.harq_processes.unwrap_or(usual.max(1));
            let most = (section.harq_processes - 1).saturating_sub(first_process);
            let before = if first_process == 0 {
                String::new()
            } else {
                format!(" and {first_process} for the earlier configured grants")
            };
            let expected = format!(
                "at most {most}: radio.nr.harq_processes minus one for dynamic grants{before}"
            );
            self.demand(processes <= most, &key("harq_processes"), processes, &expected)?;
            all.push(self.nr_configured(&place, own, (first_process, processes), &key)?);
            first_process += processes;
        }
        Ok(all)
    }

    /// Checks the list of a UE's grants, an alternative to a single one.
    fn grants_of_a_list(&self, section: &Nr, frame: &Frame) -> Checked<()> {
        let list = &section.configured_grant_config;
        let lone = section.configured_grant.is_none() || list.is_empty();
        let rule = "not valid together with `configured_grant`; move that grant into this list";
        self.require(lone, LIST, rule)?;
        self.names(keyed(LIST, list.iter().map(|own| own.name.as_str())))?;
        let found = format!("{} sections", list.len());
        let expected = format!("at most {MOST} (`maxNrofConfiguredGrantConfig`)");
        self.demand(list.len() <= MOST, LIST, found, &expected)?;
        let whole = frame.within.is_none() || list.is_empty();
        let rule = "not modelled together with radio.nr.mini_slots; use one `configured_grant`";
        self.require(whole, LIST, rule)
    }

    /// Checks that some bearer may use the grant.
    fn can_be_used(
        &self,
        section: &Nr,
        number: usize,
        key: &impl Fn(&str) -> String,
    ) -> Checked<()> {
        let list = &section.configured_grant_config;
        if list.is_empty() || section.bearer.is_empty() {
            return Ok(());
        }
        let usable = section.bearer.iter().any(|bearer| may_use(list, bearer).contains(number));
        let rule = format!(
            "no bearer may use the grant \"{}\"; allow it in a bearer (`allowed_cg_list`, `configured_grant_allowed`), or remove it",
            list[number].name
        );
        self.require(usable, &key("name"), &rule)
    }

    fn nr_configured(
        &self,
        place: &Place<'_>,
        own: &ConfiguredGrant,
        (first_process, processes): (u32, u32),
        key: &impl Fn(&str) -> String,
    ) -> Checked<Sps> {
        let Place { frame, .. } = *place;
        let repetitions = u64::from(own.repetitions);
        let kind = self.nr_grant_kind(frame, own, key)?;
        let (period, places) = self.occasions(frame, own, &key("period"))?;
        let expected = format!("at most {period} slots, one period: bundles do not overlap");
        self.demand(repetitions <= period, &key("repetitions"), repetitions, &expected)?;
        let places =
            self.ordered_from_offset(own.offset, best_places(frame, &places, repetitions), key)?;
        let periods = self.nr_grant_timer(place, own, period, key)?;
        Ok(Sps {
            period,
            bytes: own.size,
            slots: Some(places),
            skips: true,
            configured: Some(configured_grant::Config {
                kind,
                processes,
                first_process,
                timer: periods * period,
                repetitions,
                sequence: match own.rv_sequence {
                    NrRvSequence::S0231 => RvSequence::S0231,
                    NrRvSequence::S0303 => RvSequence::S0303,
                    NrRvSequence::S0000 => RvSequence::S0000,
                },
                cycle: FRAMES * frame.numerology.slots_per_frame() * frame.ticks,
            }),
        })
    }

    /// Returns type 1 or type 2 with its own keys.
    fn nr_grant_kind(
        &self,
        frame: &Frame,
        own: &ConfiguredGrant,
        key: &impl Fn(&str) -> String,
    ) -> Checked<Kind> {
        if own.of_type == 1 {
            let rule = "requires `type = 2`: only RRC releases a grant of type 1";
            self.require(own.release_after.is_none(), &key("release_after"), rule)?;
            return Ok(Kind::Type1);
        }
        let expected = "1 with radio.nr.mini_slots: occasions of type 2 are whole slots";
        self.demand(frame.within.is_none(), &key("type"), own.of_type, expected)?;
        let expected = "1 with `period = \"every_start\"`, which is not activated";
        let periodic = own.period != GrantPeriod::EveryStart;
        self.demand(periodic, &key("type"), own.of_type, expected)?;
        let rule =
            "requires `type = 1`: the message that activates a grant of type 2 contains its slot";
        self.require(own.offset.is_none(), &key("offset"), rule)?;
        Ok(Kind::Type2 { release_after: own.release_after.unwrap_or(EIGHT) })
    }

    /// Returns the slots of occasions, rotated so that the first UE's is first.
    pub(super) fn ordered_from_offset(
        &self,
        offset: Option<u64>,
        mut places: Box<[u64]>,
        key: &impl Fn(&str) -> String,
    ) -> Checked<Box<[u64]>> {
        let Some(offset) = offset else { return Ok(places) };
        let Some(first) = places.iter().position(|&place| place == offset) else {
            let texts: Vec<String> = places.iter().take(8).map(u64::to_string).collect();
            let more = if places.len() > texts.len() { ", …" } else { "" };
            let expected = format!(
                "a slot of the period that can have an occasion: {}{more}",
                texts.join(", ")
            );
            return self.wrong(&key("offset"), &offset.to_string(), &expected);
        };
        places.rotate_left(first);
        Ok(places)
    }

    /// Returns `configuredGrantTimer`, in periods.
    fn nr_grant_timer(
        &self,
        place: &Place<'_>,
        own: &ConfiguredGrant,
        period: u64,
        key: &impl Fn(&str) -> String,
    ) -> Checked<u64> {
        let Place { frame, timing, slots } = *place;
        let repetitions = u64::from(own.repetitions);
        let Tti { num, den } = frame.tti();
        let clock = Clock::new(Instant::ZERO, num, den).expect("a slot takes time");
        let timeline = Timeline::with_slots(timing, &clock, slots.times.clone());
        let again = |slot| timeline.first_granted_from(timeline.report_known(slot)).unwrap_or(slot);
        let starts = (0..slots.times.len() as u64).filter(|&n| timeline.next_uplink(n) == n);
        let round_trip = starts.map(|slot| again(slot) - slot).max().unwrap_or(0);
        let usual = (round_trip + repetitions - 1).div_ceil(period) + 1;
        let periods = own.configured_grant_timer.unwrap_or(usual);
        let decoded = clock.at_or_after(clock.after(slots.on_air - 1, timing.uplink_decoding));
        let least = (decoded + repetitions).div_ceil(period);
        let expected =
            format!("at least {least} periods, in which the base station decodes a block");
        self.demand(periods >= least, &key("configured_grant_timer"), periods, &expected)?;
        Ok(periods)
    }

    /// Returns the period of a configured grant, in slots of the clock, and the occasions of one
    /// period.
    fn occasions(
        &self,
        frame: &Frame,
        own: &ConfiguredGrant,
        key: &str,
    ) -> Checked<(u64, Box<[u64]>)> {
        let GrantPeriod::Slots(period) = own.period else {
            return Ok((1, Box::new([0])));
        };
        let slots = self.uplink_slots(frame, key, period.into())?;
        let Some(within) = &frame.within else { return Ok((period.into(), slots)) };
        let length = u64::from(within.mini.symbols);
        let starts =
            |&slot: &u64| (slot * frame.ticks..(slot + 1) * frame.ticks).step_by(length as usize);
        let places = slots.iter().flat_map(starts).filter(|&symbol| begins_up(frame, symbol));
        Ok((u64::from(period) * frame.ticks, places.collect()))
    }

    /// Returns the configured grants that a bearer may use (TS 38.321 §5.4.3.1.2).
    pub(super) fn nr_allowed_grants(
        &self,
        section: &Nr,
        key: &impl Fn(&str) -> String,
        own: &NrBearer,
    ) -> Checked<GrantSet> {
        let grants = section.configured_grants();
        if let Some(named) = &own.allowed_cg_list {
            let has = !section.configured_grant_config.is_empty();
            let rule = "requires `[[radio.nr.configured_grant_config]]`";
            self.require(has, &key("allowed_cg_list"), rule)?;
            let names = Names::of(grants.iter().map(|grant| grant.name.as_str()).zip(0..));
            for (place, name) in named.iter().enumerate() {
                let key = key(&format!("allowed_cg_list.{place}"));
                self.find(&key, name, &names, "a configured grant")?;
            }
        }
        let types: Vec<u32> = grants.iter().map(|grant| grant.of_type).collect();
        let restricts = own.configured_grant_allowed || types.is_empty() || types.contains(&1);
        let rule = "has no effect: it concerns grants of type 1, and the cell has none; remove it";
        self.require(restricts, &key("configured_grant_allowed"), rule)?;
        Ok(may_use(grants, own))
    }
}

/// Returns the grants of a UE that a bearer may use: those of type 1 if `configured_grant_allowed`,
/// and those of type 2; of both, only grants of `allowed_cg_list`, if the bearer has one. None if
/// the bearer may not use the cell's own carrier.
pub(super) fn may_use(grants: &[ConfiguredGrant], own: &NrBearer) -> GrantSet {
    if own.allowed_serving_cells.as_ref().is_some_and(|carriers| !carriers.contains(&0)) {
        return GrantSet::NONE;
    }
    let named = |grant: &ConfiguredGrant| {
        own.allowed_cg_list.as_ref().is_none_or(|names| names.contains(&grant.name))
    };
    let may = |grant: &ConfiguredGrant| {
        named(grant) && (grant.of_type == 2 || own.configured_grant_allowed)
    };
    grants.iter().enumerate().filter(|(_, grant)| may(grant)).map(|(number, _)| number).collect()
}

/// Returns the path of a grant in the scenario.
fn section_of(section: &Nr, number: usize) -> String {
    match &section.configured_grant {
        Some(_) => "radio.nr.configured_grant".to_owned(),
        None => format!("{LIST}.{number}"),
    }
}

/// Returns the occasions of a period from which a bundle finds the most uplink slots.
fn best_places(frame: &Frame, places: &[u64], repetitions: u64) -> Box<[u64]> {
    if repetitions == 1 {
        return places.into();
    }
    let goes_up = |&slot: &u64| frame.format.at(slot).up == SYMBOLS;
    let found = |slot: u64| (slot..slot + repetitions).filter(goes_up).count();
    let most = places.iter().map(|&slot| found(slot)).max();
    places.iter().copied().filter(|&slot| Some(found(slot)) == most).collect()
}

const LIST: &str = "radio.nr.configured_grant_config";
/// Occasions without a block before a release, where the section does not say it.
const EIGHT: u64 = 8;
