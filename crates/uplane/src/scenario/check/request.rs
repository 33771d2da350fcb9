//! Checks of the rules by which UEs ask for uplink resources and an eNB answers.

use super::super::schema::{Lte, RepeatedRequest, RequestRule};
use super::{Checked, Checker};
use crate::ran::lte::Config;
use crate::ran::lte::config::Access;
use crate::ran::mac::grant::{OnRequest, Repeated};
use crate::ran::mac::timing::Delay;

impl Checker<'_> {
    /// What the keys of requests, reports and blocks change in a profile's cell.
    pub(super) fn requests(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        let known = section.sr_grant.is_some() || section.sr_grant_scales;
        let expected = "radio.lte.sr_grant, the grant that stays the same";
        self.demand(known, "radio.lte.sr_grant_scales", false, expected)?;
        if let Some(size) = section.sr_grant {
            config.uplink.grants.on_request = if section.sr_grant_scales {
                OnRequest::PerMillisecond(size.0)
            } else {
                OnRequest::Bytes(size.0)
            };
        }
        if let Some(rule) = section.sr_rule {
            config.uplink.access = match rule {
                RequestRule::Standard => Access::Standard,
                RequestRule::Eager => Access::EagerRequests,
            };
        }
        if let Some(repeated) = section.sr_repeated {
            config.uplink.grants.repeated = match repeated {
                RepeatedRequest::Ignore => Repeated::Ignore,
                RepeatedRequest::Grant => Repeated::GrantEach,
            };
        }
        if let Some(ttis) = section.bsr_delay {
            let valid = (1..=100).contains(&ttis);
            self.demand(valid, "radio.lte.bsr_delay", ttis, "from 1 to 100 TTIs")?;
            config.timing.report_to_grant = Delay::ttis(ttis);
        }
        if let Some(ttis) = section.uplink_fill {
            self.demand(ttis <= 3, "radio.lte.uplink_fill", ttis, "from 0 to 3 TTIs")?;
            config.timing.fill_to_uplink = Delay::ttis(ttis);
        }
        Ok(())
    }
}
