//! Checks of handovers: which are possible, and in which cells.
//!
//! In: the section. Out: the parameters of a cell.

use super::{Checked, Checker};
use crate::ran::Phase;
use crate::ran::cell::config::{Access, Config, DownlinkQueueView};
use crate::ran::handover;
use crate::scenario::schema::{Forwarding, Handover};

impl Checker<'_> {
    /// Checks the section at `place` of a cell, if there is one.
    pub(super) fn handover(
        &self,
        place: &str,
        section: Option<&Handover>,
        cell: &Config,
    ) -> Checked<Option<handover::Config>> {
        let Some(section) = section else { return Ok(None) };
        let Handover { interruption, first, every, .. } = *section;
        let key = |name: &str| format!("{place}.{name}");
        let drawn_within = first != Phase::Random || every.is_some();
        let expected = "a time, or the key `every`, within which the first handover is drawn";
        self.demand(drawn_within, &key("first"), "\"random\"", expected)?;
        if let Some(every) = every {
            let least = interruption + interruption;
            let expected = format!("at least {least}, twice the interruption");
            self.demand(every >= least, &key("every"), every, &expected)?;
        }
        let forwarding = match section.forwarding {
            Forwarding::Without => None,
            Forwarding::Time(span) => Some(span),
        };
        if let Some(span) = forwarding {
            let expected = format!("at most {interruption}, the interruption, or \"none\"");
            self.demand(span <= interruption, &key("forwarding"), span, &expected)?;
        }
        let managed = cell.bearers.iter().any(|bearer| bearer.aqm.is_some());
        let expected = "a time: queues with `aqm` require forwarding";
        self.demand(forwarding.is_some() || !managed, &key("forwarding"), "\"none\"", expected)?;
        let standard = cell.uplink.access == Access::Standard
            && cell.downlink.queue_view == DownlinkQueueView::Exact;
        let rule = "requires `sr_rule = \"standard\"` and `downlink_queues = \"exact\"`";
        self.require(standard, place, rule)?;
        Ok(Some(handover::Config { first, every, interruption, forwarding }))
    }
}
