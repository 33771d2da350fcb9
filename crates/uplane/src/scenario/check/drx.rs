//! Checks of discontinuous reception: which cycles are possible.
//!
//! In: the section. Out: the parameters of a cell.

use super::{Checked, Checker};
use crate::ran::mac::drx;
use crate::scenario::schema::Drx;

impl Checker<'_> {
    /// Checks the section at `place`, if there is one.
    pub(super) fn drx(&self, place: &str, section: Option<&Drx>) -> Checked<Option<drx::Config>> {
        let Some(section) = section else { return Ok(None) };
        let Drx { long_cycle, on_duration, short_cycle, .. } = *section;
        let shortest = short_cycle.unwrap_or(long_cycle);
        let expected = format!("at most {shortest}, the cycle");
        let fits = on_duration <= shortest;
        self.demand(fits, &format!("{place}.on_duration"), on_duration, &expected)?;
        if let Some(short) = short_cycle {
            let whole = long_cycle.as_nanos().is_multiple_of(short.as_nanos());
            let expected = format!("a divisor of the long cycle, {long_cycle}");
            self.demand(whole, &format!("{place}.short_cycle"), short, &expected)?;
        }
        Ok(Some(drx::Config {
            long_cycle,
            short_cycle: short_cycle.map(|cycle| (cycle, section.short_cycle_timer)),
            on_duration,
            inactivity: section.inactivity_timer,
            retransmission: section.retransmission_timer,
            offset: section.offset,
        }))
    }
}
