//! How UEs of an LTE cell come to grants: requests, reports, and what answers them.
//!
//! In: the section of a cell. Out: the parameters of requests, reports and grants.

use super::super::{Checked, Checker};
use crate::ran::lte::Access;
use crate::ran::mac::grant::{self, OnRequest, ProactiveGrant, Sps};
use crate::ran::mac::report::Levels;
use crate::ran::mac::{report, request};
use crate::scenario::schema::{Lte, SrPeriod};
use crate::unit::Duration;

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
        let expected = "no such key but with sr_rule = \"standard\": other UEs do not wait for it";
        self.demand(standard, "radio.lte.sps", "a section", expected)?;
        Ok(grant::Policy {
            on_request,
            repeated: section.sr_repeated,
            header_share: section.grant_header_share.value(),
            proactive,
            sps: section.sps.map(|sps| Sps {
                period: sps.period,
                bytes: sps.size,
                slots: None,
                skips: false,
                configured: None,
            }),
            ..grant::Policy::default()
        })
    }
}

/// "auto" is the usual period until the PUCCH has given its own.
pub(super) fn request(section: &Lte) -> request::Config {
    let usual = request::Config::default();
    let period = match section.sr_period {
        SrPeriod::Auto => usual.period,
        SrPeriod::Of(period) => period.into(),
    };
    request::Config {
        period,
        offset: section.sr_offset,
        prohibit: request::Prohibit::Periods(section.sr_prohibit_timer),
        slots: None,
        begins: Duration::ZERO,
        dsr_trans_max: section.dsr_trans_max,
        random_access: section.random_access,
        back_off: section.random_access_backoff,
    }
}

pub(super) fn report(section: &Lte) -> report::Config {
    report::Config {
        periodic: Some(section.periodic_bsr_timer),
        retransmission: Some(section.retx_bsr_timer),
        levels: if section.bsr_exact { Levels::Exact } else { Levels::SixBits },
        ..report::Config::default()
    }
}
