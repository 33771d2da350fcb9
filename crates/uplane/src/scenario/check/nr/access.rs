//! Uplink access of UEs in an NR cell: random access, and grants for scheduling requests.
//!
//! In: the section of a cell, its slots. Out: the parameters of requests and grants.

use super::super::rach::Prach;
use super::super::{Checked, Checker};
use super::Frame;
use crate::ran::cell::{Slots, Tti};
use crate::ran::mac::grant::{self, OnRequest, ProactiveGrant};
use crate::ran::mac::random_access;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::scenario::schema::Nr;
use crate::unit::Instant;

impl Checker<'_> {
    /// Checks random access (TS 38.211 §6.3.3, TS 38.213 §8).
    pub(super) fn nr_random_access(
        &self,
        section: &Nr,
        frame: &Frame,
        (timing, slots): (&Timing, &Slots),
    ) -> Checked<Option<random_access::Config>> {
        let Some(rach) = &section.rach else { return Ok(None) };
        let rule = "not modelled together with radio.nr.mini_slots: windows of random access \
                    count slots; remove one of the two sections";
        self.require(frame.within.is_none(), "radio.nr.rach", rule)?;
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

    /// Returns the uplink slots of a period, which must be a multiple of the pattern.
    pub(super) fn uplink_slots(
        &self,
        frame: &Frame,
        key: &str,
        period: u64,
    ) -> Checked<Box<[u64]>> {
        let turn = frame.format.slots().len() as u64;
        let expected = format!(
            "a multiple of the {turn} slots of the TDD pattern, so that each occasion is in an uplink slot"
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
        Ok(grant::Policy {
            on_request: OnRequest::Bytes(section.sr_grant),
            repeated: section.sr_repeated,
            header_share: section.grant_header_share.value(),
            proactive: section.proactive_grants.map(|grants| ProactiveGrant {
                every: grants.every * frame.ticks,
                bytes: grants.size,
                inactivity: grants.inactivity * frame.ticks,
            }),
            sps: self.nr_configured_grants(section, frame, timing, slots)?,
            in_a_list: section.configured_grant.is_none(),
            ..grant::Policy::default()
        })
    }
}

/// Numbers of frames (TS 38.211 §4.3.1)
pub(super) const FRAMES: u64 = 1024;
