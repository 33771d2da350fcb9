//! How UEs of an NR cell come to grants: requests, configured grants, and what answers requests.
//!
//! In: the section of a cell, its slots. Out: the parameters of requests and grants.

use super::super::{Checked, Checker};
use super::Frame;
use crate::ran::cell::Slots;
use crate::ran::mac::configured_grant::{self, RvSequence};
use crate::ran::mac::grant::{self, OnRequest, ProactiveGrant, Sps};
use crate::ran::mac::request::{self, Prohibit};
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::ran::nr::timeline::PUCCH_SYMBOL;
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::scenario::schema::{ConfiguredGrant, Nr, NrRvSequence};
use crate::unit::{Duration, Instant};

impl Checker<'_> {
    /// TS 38.213 §9.2.4
    pub(super) fn nr_request(&self, section: &Nr, frame: &Frame) -> Checked<request::Config> {
        let slots = self.uplink_slots(frame, "radio.nr.sr_period", section.sr_period)?;
        Ok(request::Config {
            period: section.sr_period,
            offset: section.sr_offset,
            slots: Some(slots),
            begins: frame.numerology.symbol_start(PUCCH_SYMBOL),
            prohibit: Prohibit::Slots(
                section.sr_prohibit_timer.as_nanos().div_ceil(frame.numerology.slot().as_nanos()),
            ),
            dsr_trans_max: section.sr_trans_max,
            random_access: section.random_access,
            back_off: section.random_access_backoff,
        })
    }

    /// The uplink slots of a period, which must hold whole patterns.
    fn uplink_slots(&self, frame: &Frame, key: &str, period: u64) -> Checked<Box<[u64]>> {
        let turn = frame.format.slots().len() as u64;
        let expected = format!(
            "a multiple of the {turn} slots of the TDD pattern: an occasion in a slot that goes down does not exist"
        );
        self.demand(period.is_multiple_of(turn), key, format!("{period} slots"), &expected)?;
        Ok((0..period).filter(|&slot| frame.format.at(slot).up == SYMBOLS).collect())
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
                every: grants.every,
                bytes: grants.size,
                inactivity: grants.inactivity,
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
        let ConfiguredGrant { period, .. } = *own;
        let repetitions = u64::from(own.repetitions);
        let places = self.uplink_slots(frame, &key("period"), period)?;
        let expected = format!("{period} slots at most, a period: bundles do not overlap");
        self.demand(repetitions <= period, &key("repetitions"), repetitions, &expected)?;
        let processes = own.harq_processes.unwrap_or((section.harq_processes / 2).min(16));
        let most = section.harq_processes - 1;
        let expected = format!("{most} at most: harq_processes less one for grants");
        self.demand(processes <= most, &key("harq_processes"), processes, &expected)?;
        let clock = Clock::new(Instant::ZERO, frame.numerology.slot().as_nanos(), 1);
        let clock = clock.expect("a slot takes time");
        let timeline = Timeline::with_slots(timing, &clock, slots.times.clone());
        let again = |slot| timeline.first_granted_from(timeline.report_known(slot)).unwrap_or(slot);
        let round_trip = places.iter().map(|&slot| again(slot) - slot).max().unwrap_or(0);
        let usual = (round_trip + repetitions - 1).div_ceil(period) + 1;
        let periods = own.configured_grant_timer.unwrap_or(usual);
        let least = (section.gnb_rx_slots + repetitions).div_ceil(period);
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
                cycle: FRAMES * Duration::from_millis(10).as_nanos()
                    / frame.numerology.slot().as_nanos(),
            }),
        })
    }
}

/// Of the uplink slots of a period those from which a bundle finds most of them.
fn best_places(frame: &Frame, places: &[u64], repetitions: u64) -> Box<[u64]> {
    let goes_up = |&slot: &u64| frame.format.at(slot).up == SYMBOLS;
    let found = |slot: u64| (slot..slot + repetitions).filter(goes_up).count();
    let most = places.iter().map(|&slot| found(slot)).max();
    places.iter().copied().filter(|&slot| Some(found(slot)) == most).collect()
}

/// Numbers of frames (TS 38.211 §4.3.1)
const FRAMES: u64 = 1024;
