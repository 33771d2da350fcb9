//! RRC states: which times are possible, and in which cells.
//!
//! In: the section. Out: the parameters of a cell.

use super::{Checked, Checker};
use crate::ran::Phase;
use crate::ran::cell::config::{Config, DownlinkQueueView};
use crate::ran::rrc::{self, FRAME, Inactive, Paging};
use crate::scenario::schema::Rrc;
use crate::unit::Duration;

impl Checker<'_> {
    /// Checks the section at `place` of a cell without RRC_INACTIVE, if there is one.
    pub(super) fn rrc(
        &self,
        place: &str,
        section: Option<&Rrc>,
        cell: &Config,
    ) -> Checked<Option<rrc::Config>> {
        let Some(section) = section else { return Ok(None) };
        let has_access = cell.uplink.random_access.is_some();
        let rule = "requires the section `rach`: a UE reconnects by random access";
        self.require(has_access, place, rule)?;
        let is_exact = cell.downlink.queue_view == DownlinkQueueView::Exact;
        let rule = "requires `downlink_queues = \"exact\"`";
        self.require(is_exact, place, rule)?;
        let Rrc { inactivity, paging_offset, .. } = *section;
        let one = section.inactivities.is_empty();
        let inactivities = if one { vec![inactivity] } else { section.inactivities.clone() };
        let cycle = FRAME * u64::from(section.paging_cycle);
        if let Phase::Fixed(offset) = paging_offset {
            let in_frames = offset.as_nanos().is_multiple_of(FRAME.as_nanos());
            let expected =
                format!("less than {cycle}, the paging cycle, and whole frames of 10 ms");
            let key = format!("{place}.paging_offset");
            self.demand(offset < cycle && in_frames, &key, offset, &expected)?;
        }
        Ok(Some(rrc::Config {
            inactivities,
            inactive: Inactive::Never,
            paging: Paging { cycle, offset: paging_offset },
            core_paging: section.core_paging_time,
            resume: Duration::ZERO,
            setup: section.setup_time,
            small_data: None,
            configured_grant: None,
        }))
    }
}
