//! Uplink access of UEs in an LTE cell: scheduling requests, buffer status reports, and grants.
//!
//! In: the section of a cell. Out: the parameters of requests, reports and grants.

use super::super::rach::Prach;
use super::super::{Checked, Checker};
use crate::ran::cell::Tti;
use crate::ran::lte::Access;
use crate::ran::mac::buffer_status::Levels;
use crate::ran::mac::grant::{self, OnRequest, ProactiveGrant, Sps};
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::ran::mac::{buffer_status, random_access, scheduling_request};
use crate::scenario::schema::{Lte, SrPeriod};
use crate::unit::{Duration, Instant};

impl Checker<'_> {
    pub(super) fn grants(&self, section: &Lte) -> Checked<grant::Policy> {
        let on_request = match section.sr_grant.get() {
            None => OnRequest::Unlimited,
            Some(size) if section.sr_grant_scales => OnRequest::PerMillisecond(size),
            Some(size) => OnRequest::Bytes(size),
        };
        let proactive = section.proactive_grants.map(|grants| ProactiveGrant {
            every: grants.every,
            bytes: grants.size,
            inactivity: grants.inactivity,
        });
        let standard = section.sr_rule == Access::Standard || section.sps.is_none();
        let rule =
            "requires `sr_rule = \"standard\"`: with other rules UEs do not wait for these grants";
        self.require(standard, "radio.lte.sps", rule)?;
        Ok(grant::Policy {
            on_request,
            repeated: section.sr_repeated,
            header_share: section.grant_header_share.value(),
            proactive,
            sps: section
                .sps
                .iter()
                .map(|sps| Sps {
                    period: sps.period,
                    bytes: sps.size,
                    slots: None,
                    skips: false,
                    configured: None,
                })
                .collect(),
            ..grant::Policy::default()
        })
    }
}

impl Checker<'_> {
    /// Checks random access (TS 36.321 §5.1, TS 36.213 §6.1.1).
    pub(in crate::scenario::check) fn lte_random_access(
        &self,
        section: &Lte,
        timing: &Timing,
    ) -> Checked<Option<random_access::Config>> {
        let Some(rach) = &section.rach else { return Ok(None) };
        let standard = section.sr_rule == Access::Standard;
        let rule =
            "requires `sr_rule = \"standard\"`: with other rules no scheduling request fails";
        self.require(standard, "radio.lte.rach", rule)?;
        let steps = rach.steps;
        self.demand(steps == 4, "radio.lte.rach.steps", steps, "4: only NR has two steps")?;
        let Tti { num, den } = section.tti;
        let clock = Clock::new(Instant::ZERO, num, den).expect("a TTI takes time");
        let timeline = Timeline::new(timing, &clock);
        let prach = Prach {
            place: "radio.lte.rach",
            offset: 0,
            // Msg3 is six subframes behind its response.
            msg3_delay: section.tti.length() * 5,
            back_off: section.random_access_backoff,
            timeline: &timeline,
        };
        self.rach(rach, &prach).map(Some)
    }
}

/// Returns the scheduling request configuration. `"auto"` gives the default period, which the PUCCH
/// replaces later.
pub(super) fn request(section: &Lte) -> scheduling_request::Config {
    let usual = scheduling_request::Config::default();
    let period = match section.sr_period {
        SrPeriod::Auto => usual.period,
        SrPeriod::Of(period) => period.into(),
    };
    scheduling_request::Config {
        period,
        offset: section.sr_offset,
        prohibit: scheduling_request::Prohibit::Periods(section.sr_prohibit_timer),
        slots: None,
        begins: Duration::ZERO,
        dsr_trans_max: section.dsr_trans_max,
        random_access: section.random_access,
        back_off: section.random_access_backoff,
    }
}

pub(super) fn report(section: &Lte) -> buffer_status::Config {
    buffer_status::Config {
        periodic: Some(section.periodic_bsr_timer),
        retransmission: Some(section.retx_bsr_timer),
        levels: if section.bsr_exact { Levels::Exact } else { Levels::SixBits },
        ..buffer_status::Config::default()
    }
}
