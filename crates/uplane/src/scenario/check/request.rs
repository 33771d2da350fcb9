//! Checks of the rules by which UEs ask for uplink resources and an eNB answers.

use super::super::schema::Lte;
use super::{Checked, Checker};
use crate::ran::lte::Config;
use crate::ran::mac::grant::OnRequest;
use crate::ran::mac::report::{Interval, Levels};
use crate::ran::mac::request::Offset;
use crate::ran::mac::timing::Delay;
use crate::ran::phy::feedback::FeedbackErrors;
use crate::unit::Probability;

impl Checker<'_> {
    /// What the keys of requests, reports and blocks change in a profile's cell.
    pub(super) fn requests(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        let known = section.sr_grant.is_some() || section.sr_grant_scales;
        let expected = "radio.lte.sr_grant, the grant that stays the same";
        self.demand(known, "radio.lte.sr_grant_scales", false, expected)?;
        if let Some(size) = section.sr_grant {
            config.uplink.grants.on_request = if section.sr_grant_scales {
                OnRequest::PerMillisecond(size)
            } else {
                OnRequest::Bytes(size)
            };
        }
        if let Some(rule) = section.sr_rule {
            config.uplink.access = rule;
        }
        if let Some(repeated) = section.sr_repeated {
            config.uplink.grants.repeated = repeated;
        }
        if let Some(ttis) = section.bsr_delay {
            let valid = (1..=100).contains(&ttis);
            self.demand(valid, "radio.lte.bsr_delay", ttis, "from 1 to 100 TTIs")?;
            config.timing.report_to_grant = Delay::ttis(ttis);
        }
        if let Some(ttis) = section.pusch_preparation {
            self.demand(ttis <= 3, "radio.lte.pusch_preparation", ttis, "from 0 to 3 TTIs")?;
            config.timing.fill_to_uplink = Delay::ttis(ttis);
        }
        Ok(())
    }

    /// Requests, reports and grants.
    pub(super) fn uplink(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        let request = &mut config.uplink.request;
        request.period = section.sr_period.unwrap_or(request.period);
        if section.sr_offset == Offset::Random {
            request.offset = Offset::Random;
        }
        request.prohibit_periods = section.sr_prohibit_timer.unwrap_or(request.prohibit_periods);
        if let Some(period) = section.periodic_bsr_timer {
            let valid = !period.is_zero();
            self.demand(valid, "radio.lte.periodic_bsr_timer", period, "a time above zero")?;
            config.uplink.report.periodic = Some(Interval::Time(period));
        }
        if let Some(span) = section.retx_bsr_timer {
            config.uplink.report.retransmission = Some(span);
        }
        if let Some(exact) = section.bsr_exact {
            config.uplink.report.levels = if exact { Levels::Exact } else { Levels::SixBits };
        }
        let request = &mut config.uplink.request;
        request.random_access = section.random_access.unwrap_or(request.random_access);
        if let Some(times) = section.dsr_trans_max {
            let valid = (1..=64).contains(&times);
            self.demand(valid, "radio.lte.dsr_trans_max", times, "from 1 to 64")?;
            request.dsr_trans_max = times;
        }
        self.standing_grants(section, config)?;
        if let Some(feedback) = section.feedback {
            config.feedback = FeedbackErrors {
                ack_as_nack: feedback.ack_as_nack,
                nack_as_ack: feedback.nack_as_ack,
                dtx_as_ack: Probability::ZERO,
                sr_missed: feedback.sr_missed,
                cqi_erased: feedback.cqi_erased,
            };
        }
        Ok(())
    }

    /// TS 36.213 Table 10.1.5-1 and TS 36.331 §6.3.2.
    pub(super) fn request(&self, section: &Lte) -> Checked<()> {
        let period = section.sr_period.unwrap_or(1);
        self.demand(
            SR_PERIODS.contains(&period),
            "radio.lte.sr_period",
            period,
            "1, 2, 5, 10, 20, 40 or 80 TTIs",
        )?;
        let prohibit = section.sr_prohibit_timer.unwrap_or(0);
        self.demand(prohibit <= 7, "radio.lte.sr_prohibit_timer", prohibit, "from 0 to 7 periods")?;
        let grant = section.sr_grant.is_none_or(|size| size.0 >= 2);
        self.demand(
            grant,
            "radio.lte.sr_grant",
            "a grant of less than 2 B",
            "room for a header and a byte",
        )
    }
}

/// TS 36.213 Table 10.1.5-1.
const SR_PERIODS: [u64; 7] = [1, 2, 5, 10, 20, 40, 80];
