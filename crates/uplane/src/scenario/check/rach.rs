//! Checks of random access with contention: which occasions are possible.
//!
//! In: the section. Out: the parameters of a cell.

use super::{Checked, Checker};
use crate::ran::mac::random_access::{self, Steps};
use crate::ran::mac::timeline::Timeline;
use crate::scenario::schema::Rach;
use crate::unit::Duration;

/// Parameters of random access that LTE and NR cells determine differently.
pub(super) struct Prach<'a> {
    /// Path of the section.
    pub(super) place: &'a str,
    /// Slot of the occasion within each period.
    pub(super) offset: u64,
    /// Delay from a random access response to Msg3.
    pub(super) msg3_delay: Duration,
    pub(super) back_off: Duration,
    pub(super) timeline: &'a Timeline,
}

impl Checker<'_> {
    /// Checks the section and returns the parameters of random access.
    pub(super) fn rach(&self, section: &Rach, prach: &Prach<'_>) -> Checked<random_access::Config> {
        let Prach { place, offset, msg3_delay, back_off, timeline } = *prach;
        let config = random_access::Config {
            steps: if section.steps == 2 { Steps::Two } else { Steps::Four },
            period: section.prach_period,
            offset,
            preambles: section.preambles,
            response_window: section.response_window,
            msg3_delay,
            contention_resolution: section.contention_resolution_timer,
            back_off,
            preamble_trans_max: section.preamble_trans_max,
            preamble_missed: section.preamble_missed,
            requests: section.scheduling_requests,
        };
        let turn = timeline.slots().len() as u64;
        let last = |slot| config.answered(timeline, slot) - config.listens_from(timeline, slot);
        let occasions = (0..turn).map(|number| offset + number * section.prach_period);
        let least = occasions.map(last).max().unwrap_or(0) + 1;
        let expected = format!("at least {least} slots, in which the base station can answer");
        let window = section.response_window;
        self.demand(window >= least, &format!("{place}.response_window"), window, &expected)?;
        Ok(config)
    }
}
