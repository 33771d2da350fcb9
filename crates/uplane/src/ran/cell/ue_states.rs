//! Time of each UE awake and in each RRC state, for studies of energy.
//!
//! In: DRX cycles of the base station, RRC states. Out: a row for each UE of a cell with `drx` or
//! `rrc`.
//!
//! Left out: power in each state; paging occasions of a released UE, and the time awake for random
//! access.

use super::Cell;
use super::rrc::StateTimes;
use crate::record::{Tables, table};
use crate::unit::{Duration, Instant};

table! {
    /// Time awake and in each RRC state of one UE of an LTE or NR cell. Only cells with `drx` or
    /// `rrc` have rows.
    ue_states: pub(super) UeStateRow {
        /// Name of the UE.
        ue: String,
        /// Time in each RRC state.
        times: StateTimes,
        /// Active Time of DRX, in s: time in RRC_CONNECTED in which the UE read the PDCCH, by
        /// on-durations, inactivity and retransmission timers and pending requests; missing without
        /// `drx`.
        awake_s: Option<Duration>,
        /// Ratio of `awake_s` to `connected_s`; missing without `drx`.
        awake_share: Option<f64>,
    }
}

impl Cell {
    /// Writes the times of one UE until `now`, if the cell has states or cycles.
    pub(super) fn report_ue_states(
        &self,
        ue: usize,
        now: Instant,
        name: &str,
        tables: &mut Tables,
    ) {
        let slot = self.setup.clock.at_or_after(now);
        let awake = self.base.ues[ue].slots_awake(slot);
        if self.rrc.is_none() && awake.is_none() {
            return;
        }
        let rrc = self.rrc.as_ref();
        let times = rrc.map_or_else(|| StateTimes::connected(now), |it| it.times(now, ue as u32));
        let awake_s = awake.map(|slots| self.setup.slots(slots).min(times.connected));
        let share = |awake: Duration| awake.as_secs_f64() / times.connected.as_secs_f64();
        let awake_share = awake_s.filter(|_| !times.connected.is_zero()).map(share);
        tables.push(UeStateRow { ue: name.to_owned(), times, awake_s, awake_share });
    }
}
