//! Time of a UE in each RRC state.
//!
//! In: states that end, each with its end. Out: time in RRC_CONNECTED, RRC_INACTIVE and RRC_IDLE.
//!
//! A UE that returns stays in its released state until data flows. Small data flows in
//! RRC_INACTIVE.

use super::State;
use crate::ran::rrc::Released;
use crate::record::columns;
use crate::unit::{Duration, Instant};

columns! {
    /// Time of one UE in each RRC state.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(in crate::ran::cell) StateTimes {
        /// Time of the UE in RRC_CONNECTED, in s.
        connected as connected_s: Duration,
        /// Time of the UE in RRC_INACTIVE, small data transmissions and the resume included, in s.
        inactive as inactive_s: Duration,
        /// Time of the UE in RRC_IDLE, the set-up included, in s.
        idle as idle_s: Duration,
    } besides {
        /// Start of the present state or step.
        since: Instant,
    }
}

impl StateTimes {
    /// Returns the times of a UE that never leaves RRC_CONNECTED.
    pub(in crate::ran::cell) fn connected(now: Instant) -> Self {
        Self::default().until(now, State::Connected)
    }

    /// Adds the time in `state` until `now`.
    #[must_use]
    pub(super) fn until(mut self, now: Instant, state: State) -> Self {
        let time = match state {
            State::Connected => &mut self.connected,
            State::SmallData(_)
            | State::Released { state: Released::Inactive, .. }
            | State::Returning { from: Released::Inactive, .. } => &mut self.inactive,
            State::Released { state: Released::Idle, .. }
            | State::Returning { from: Released::Idle, .. } => &mut self.idle,
        };
        *time += now.saturating_since(self.since);
        self.since = self.since.max(now);
        self
    }
}
