//! How UEs of an NR cell get grants: random access, configured grants, and the answers to requests.
//!
//! In: the section of a cell, its slots. Out: the parameters of requests and grants.

use super::super::rach::Prach;
use super::super::{Checked, Checker};
use super::Frame;
use super::mini_slots::begins_up;
use crate::ran::cell::{Slots, Tti};
use crate::ran::mac::configured_grant::{self, RvSequence};
use crate::ran::mac::grant::{self, OnRequest, ProactiveGrant, Sps};
use crate::ran::mac::random_access;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::scenario::schema::{ConfiguredGrant, GrantPeriod, Nr, NrRvSequence};
use crate::unit::Instant;

impl Checker<'_> {
    /// TS 38.211 §6.3.3, TS 38.213 §8
    pub(super) fn nr_random_access(
        &self,
        section: &Nr,
        frame: &Frame,
        (timing, slots): (&Timing, &Slots),
    ) -> Checked<Option<random_access::Config>> {
        let Some(rach) = &section.rach else { return Ok(None) };
        let expected = "no rach beside mini_slots: its windows count slots";
        self.demand(frame.within.is_none(), "radio.nr.rach", "a section", expected)?;
        let slots_of = self.uplink_slots(frame, "radio.nr.rach.prach_period", rach.prach_period)?;
        let Tti { num, den } = frame.tti();
        let clock = Clock::new(Instant::ZERO, num, den).expect("a slot takes time");
        let timeline = Timeline::with_slots(timing, &clock, slots.times.clone());
        let prach = Prach {
            place: "radio.nr.rach",
            offset: slots_of[0],
            msg3_delay: frame.numerology.msg3_delay(),
            back_off: section.random_access_backoff,
            timeline: &timeline,
        };
        self.rach(rach, &prach).map(Some)
    }

    /// The uplink slots of a period, which must hold whole patterns.
    pub(super) fn uplink_slots(
        &self,
        frame: &Frame,
        key: &str,
        period: u64,
    ) -> Checked<Box<[u64]>> {
        let turn = frame.format.slots().len() as u64;
        let expected = format!(
            "a multiple of the {turn} slots of the TDD pattern: an occasion in a slot that goes down does not exist"
        );
        self.demand(period.is_multiple_of(turn), key, format!("{period} slots"), &expected)?;
        Ok((0..period).filter(|&slot| frame.format.at(slot).up == SYMBOLS).collect())
    }

    /// The period of a configured grant in slots of the clock, and the occasions of one.
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

    pub(super) fn nr_grants(
        &self,
        section: &Nr,
        frame: &Frame,
        timing: &Timing,
        slots: &Slots,
    ) -> Checked<grant::Policy> {
        let configured = section.configured_grant.as_ref();
        let configured =
            configured.map(|own| self.nr_configured(section, own, frame, timing, slots));
        Ok(grant::Policy {
            on_request: OnRequest::Bytes(section.sr_grant),
            repeated: section.sr_repeated,
            header_share: section.grant_header_share.value(),
            proactive: section.proactive_grants.map(|grants| ProactiveGrant {
                every: grants.every * frame.ticks,
                bytes: grants.size,
                inactivity: grants.inactivity * frame.ticks,
            }),
            sps: configured.transpose()?,
            ..grant::Policy::default()
        })
    }

    fn nr_configured(
        &self,
        section: &Nr,
        own: &ConfiguredGrant,
        frame: &Frame,
        timing: &Timing,
        slots: &Slots,
    ) -> Checked<Sps> {
        let key = |name: &str| format!("radio.nr.configured_grant.{name}");
        let repetitions = u64::from(own.repetitions);
        let (period, places) = self.occasions(frame, own, &key("period"))?;
        let expected = format!("{period} slots at most, a period: bundles do not overlap");
        self.demand(repetitions <= period, &key("repetitions"), repetitions, &expected)?;
        let processes = own.harq_processes.unwrap_or((section.harq_processes / 2).min(16));
        let most = section.harq_processes - 1;
        let expected = format!("{most} at most: harq_processes less one for grants");
        self.demand(processes <= most, &key("harq_processes"), processes, &expected)?;
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
            format!("{least} periods at least, until the base station has decoded a block");
        self.demand(periods >= least, &key("configured_grant_timer"), periods, &expected)?;
        Ok(Sps {
            period,
            bytes: own.size,
            slots: Some(best_places(frame, &places, repetitions)),
            skips: true,
            configured: Some(configured_grant::Config {
                processes,
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
}

/// Of the occasions of a period those from which a bundle finds most of them.
fn best_places(frame: &Frame, places: &[u64], repetitions: u64) -> Box<[u64]> {
    if repetitions == 1 {
        return places.into();
    }
    let goes_up = |&slot: &u64| frame.format.at(slot).up == SYMBOLS;
    let found = |slot: u64| (slot..slot + repetitions).filter(goes_up).count();
    let most = places.iter().map(|&slot| found(slot)).max();
    places.iter().copied().filter(|&slot| Some(found(slot)) == most).collect()
}

/// Numbers of frames (TS 38.211 §4.3.1)
pub(super) const FRAMES: u64 = 1024;
