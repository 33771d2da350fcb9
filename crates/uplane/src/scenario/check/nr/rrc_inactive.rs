//! RRC_INACTIVE of an NR cell, and small data there: which times and occasions are possible.
//!
//! In: the sections, the cell's slots. Out: the parameters of its RRC states.

use super::super::{Checked, Checker};
use super::Frame;
use crate::ran::cell::{Config, Tti};
use crate::ran::mac::random_access::Steps;
use crate::ran::mac::timing::Clock;
use crate::ran::rrc::{self, ConfiguredGrant, Inactive};
use crate::scenario::schema::{AlignedFor, IdleAfter, Nr, SmallData, SmallDataGrant};
use crate::unit::Instant;

impl Checker<'_> {
    /// Checks the RRC states of an NR cell, if it has any.
    pub(super) fn nr_rrc(
        &self,
        section: &Nr,
        frame: &Frame,
        cell: &Config,
    ) -> Checked<Option<rrc::Config>> {
        let config = self.rrc("radio.nr.rrc", section.rrc.as_ref(), cell)?;
        let Some(inactive) = &section.rrc_inactive else { return Ok(config) };
        let Some(config) = config else {
            let rule = "requires the section `rrc`: without it UEs are always connected";
            return self.wrong("radio.nr.rrc_inactive", "", rule);
        };
        let until_idle = match inactive.idle_after {
            IdleAfter::Unlimited => Inactive::Always,
            IdleAfter::Time(span) => Inactive::For(span),
        };
        let resume = inactive.resume_time;
        let mut config = rrc::Config { inactive: until_idle, resume, ..config };
        if let Some(small) = &inactive.small_data {
            config.small_data = Some(self.small_data(small, &config, cell)?);
            let grant = small.configured_grant.as_ref();
            let grant = grant.map(|own| self.small_data_grant(section, own, frame, cell));
            config.configured_grant = grant.transpose()?.map(Box::new);
        }
        Ok(Some(config))
    }

    fn small_data(
        &self,
        section: &SmallData,
        states: &rrc::Config,
        cell: &Config,
    ) -> Checked<rrc::SmallData> {
        let SmallData { most, inactivity, ref configured_grant } = *section;
        let access = &cell.uplink.random_access;
        let by_access = access.as_ref().is_none_or(|access| access.steps == Steps::Four);
        let rule = "requires random access in four steps (`rach.steps = 4`), or a \
                    `configured_grant` for small data: data in MsgA is not modelled";
        let has_way = by_access || configured_grant.is_some();
        self.require(has_way, PLACE, rule)?;
        let connected = states.inactivities.iter().copied().min().unwrap_or_default();
        let expected = format!("at most {connected}, the inactivity time in RRC_CONNECTED");
        let key = format!("{PLACE}.inactivity");
        self.demand(inactivity <= connected, &key, inactivity, &expected)?;
        Ok(rrc::SmallData { most, inactivity, by_access })
    }

    /// Checks the configured grant for small data (TS 38.321 §5.8.2, §5.27).
    fn small_data_grant(
        &self,
        section: &Nr,
        own: &SmallDataGrant,
        frame: &Frame,
        cell: &Config,
    ) -> Checked<ConfiguredGrant> {
        let key = |name: &str| format!("{PLACE}.configured_grant.{name}");
        let alone = section.configured_grants().is_empty();
        let rule = "not modelled together with configured grants of RRC_CONNECTED; remove one of \
                    them";
        self.require(alone, &format!("{PLACE}.configured_grant"), rule)?;
        let places = self.uplink_slots(frame, &key("period"), own.period.into())?;
        let places = self.ordered_from_offset(own.offset, places, &key)?;
        let period = u64::from(own.period);
        let Tti { num, den } = frame.tti();
        let clock = Clock::new(Instant::ZERO, num, den).expect("a slot takes time");
        let length = clock.start(period).saturating_since(Instant::ZERO);
        let expected = format!("more than {length}, the longest wait for an occasion");
        self.demand(own.t319a > length, &key("t319a"), own.t319a, &expected)?;
        Ok(ConfiguredGrant {
            period,
            places,
            retransmission: period * self.small_data_timer(own, &clock, cell, &key)?,
            alignment: match own.time_alignment_timer {
                AlignedFor::Unlimited => None,
                AlignedFor::Time(span) => Some(span),
            },
            t319a: own.t319a,
        })
    }

    /// Returns `cg-SDT-RetransmissionTimer`, in periods. An answer can arrive before a message is
    /// retransmitted.
    fn small_data_timer(
        &self,
        own: &SmallDataGrant,
        clock: &Clock,
        cell: &Config,
        key: &impl Fn(&str) -> String,
    ) -> Checked<u64> {
        let timeline = cell.timeline(clock);
        let turn = timeline.slots().len() as u64;
        let goes_up = |&slot: &u64| timeline.next_uplink(slot) == slot;
        let answered = |slot: u64| timeline.next_downlink(timeline.report_known(slot)) + 1;
        let waits = (0..turn).filter(goes_up).map(|slot| answered(slot) - slot);
        let least = waits.max().unwrap_or(0).div_ceil(own.period.into()).max(1);
        let periods = own.retransmission_timer.unwrap_or(least);
        let expected = format!("at least {least} periods, in which the base station can answer");
        self.demand(periods >= least, &key("retransmission_timer"), periods, &expected)?;
        Ok(periods)
    }
}

const PLACE: &str = "radio.nr.rrc_inactive.small_data";
