//! RRC states: which times are possible, and in which cells.
//!
//! In: the section. Out: the parameters of a cell.

use super::{Checked, Checker};
use crate::ran::Phase;
use crate::ran::cell::config::{Config, DownlinkQueueView};
use crate::ran::mac::random_access::Steps;
use crate::ran::rrc::{self, FRAME, Inactive, Paging};
use crate::scenario::schema::{IdleAfter, Nr, Rrc, RrcInactive, SmallData};
use crate::unit::Duration;

impl Checker<'_> {
    /// Those of an NR cell, where it has any.
    pub(super) fn nr_rrc(&self, section: &Nr, cell: &Config) -> Checked<Option<rrc::Config>> {
        let config = self.rrc("radio.nr.rrc", section.rrc.as_ref(), cell)?;
        let Some(inactive) = &section.rrc_inactive else { return Ok(config) };
        let place = "radio.nr.rrc_inactive";
        let Some(config) = config else {
            let expected = "no such section, or the section `rrc` too: UEs are always connected";
            return self.wrong(place, "a section", expected);
        };
        let small_data = self.small_data(place, inactive, (&config, cell))?;
        let until_idle = match inactive.idle_after {
            IdleAfter::Unlimited => Inactive::Always,
            IdleAfter::Time(span) => Inactive::For(span),
        };
        let resume = inactive.resume_time;
        Ok(Some(rrc::Config { inactive: until_idle, resume, small_data, ..config }))
    }

    /// The section at `place`, where there is one, of a cell without RRC_INACTIVE.
    pub(super) fn rrc(
        &self,
        place: &str,
        section: Option<&Rrc>,
        cell: &Config,
    ) -> Checked<Option<rrc::Config>> {
        let Some(section) = section else { return Ok(None) };
        let has_access = cell.uplink.random_access.is_some();
        let expected = "no RRC states, or the section `rach`: a UE comes back by random access";
        self.demand(has_access, place, "a section", expected)?;
        let is_exact = cell.downlink.queue_view == DownlinkQueueView::Exact;
        let expected = "no RRC states: this cell's queues are known by reports";
        self.demand(is_exact, place, "a section", expected)?;
        let Rrc { inactivity, paging_offset, .. } = *section;
        let cycle = FRAME * u64::from(section.paging_cycle);
        if let Phase::Fixed(offset) = paging_offset {
            let in_frames = offset.as_nanos().is_multiple_of(FRAME.as_nanos());
            let expected =
                format!("less than {cycle}, the paging cycle, and whole frames of 10 ms");
            let key = format!("{place}.paging_offset");
            self.demand(offset < cycle && in_frames, &key, offset, &expected)?;
        }
        Ok(Some(rrc::Config {
            inactivity,
            inactive: Inactive::Never,
            paging: Paging { cycle, offset: paging_offset },
            core_paging: section.core_paging_time,
            resume: Duration::ZERO,
            setup: section.setup_time,
            small_data: None,
        }))
    }

    fn small_data(
        &self,
        place: &str,
        section: &RrcInactive,
        (states, cell): (&rrc::Config, &Config),
    ) -> Checked<Option<rrc::SmallData>> {
        let Some(SmallData { most, inactivity }) = section.small_data else { return Ok(None) };
        let place = format!("{place}.small_data");
        let access = &cell.uplink.random_access;
        let two_steps = access.as_ref().is_some_and(|access| access.steps == Steps::Two);
        let expected = "no small data, or four steps: MsgA has no room for data here";
        self.demand(!two_steps, &place, "a section", expected)?;
        let expected = format!("{} at most, as in RRC_CONNECTED", states.inactivity);
        let key = format!("{place}.inactivity");
        self.demand(inactivity <= states.inactivity, &key, inactivity, &expected)?;
        Ok(Some(rrc::SmallData { most, inactivity }))
    }
}
