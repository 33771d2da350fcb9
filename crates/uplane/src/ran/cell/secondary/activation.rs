//! Activation of a secondary carrier, UE by UE (TS 38.321 §5.9, TS 38.133 §8.3).
//!
//! In: data for a UE, assignments on the carrier. Out: whether the carrier may carry them, and
//! since when.
//!
//! A carrier is activated when data arrive for its UE, and carries them after a constant delay. It
//! is deactivated when nothing was assigned on it for `sCellDeactivationTimer`; if data wait then,
//! they activate it again.
//!
//! Left out: a base station that activates a carrier only for much data, and the control elements
//! for activation; HARQ buffers that are flushed at deactivation, since retransmissions go first
//! and are sent long before the timer expires. This matters for studies of the cost of activation.

use std::collections::VecDeque;

use super::Secondary;
use crate::net::Direction;
use crate::ran::cell::bearer::{Bearer, swap_entities};
use crate::ran::cell::config::Activation;
use crate::unit::Instant;

/// Activation state of a carrier, for each UE.
#[derive(Clone, Debug)]
pub(super) struct Activations {
    config: Activation,
    ues: Vec<State>,
    /// UEs for which the carrier is being activated, each with the end of the activation.
    coming: VecDeque<(Instant, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Deactivated,
    Coming,
    /// Active until the timer expires.
    ActiveUntil(Instant),
}

impl Activations {
    /// Creates a carrier that is deactivated for all `ues` UEs.
    pub(super) fn new(config: Activation, ues: usize) -> Self {
        Self { config, ues: vec![State::Deactivated; ues], coming: VecDeque::new() }
    }

    /// Activates the carrier for a UE with data. Returns `true` if the carrier may carry them
    /// already.
    pub(super) fn on_data(&mut self, now: Instant, ue: u32) -> bool {
        let state = &mut self.ues[ue as usize];
        match *state {
            State::ActiveUntil(end) if now < end => return true,
            State::Coming => return false,
            State::Deactivated | State::ActiveUntil(_) => {}
        }
        *state = State::Coming;
        self.coming.push_back((now + self.config.delay, ue));
        false
    }

    /// Returns `true` if the carrier may carry data of a UE.
    fn is_active(&self, now: Instant, ue: u32) -> bool {
        matches!(self.ues[ue as usize], State::ActiveUntil(end) if now < end)
    }

    /// Restarts the timer for a UE, when something is sent on the carrier.
    pub(super) fn on_sent(&mut self, now: Instant, ue: u32) {
        self.ues[ue as usize] = State::ActiveUntil(now + self.config.deactivation_timer);
    }

    /// Deactivates the carrier for a UE.
    pub(super) fn forget(&mut self, ue: u32) {
        self.ues[ue as usize] = State::Deactivated;
        self.coming.retain(|&(_, other)| other != ue);
    }

    /// Returns the time at which the carrier becomes active for another UE.
    pub(super) fn next(&self) -> Option<Instant> {
        self.coming.front().map(|&(at, _)| at)
    }

    /// Returns the next UE for which the carrier is active from now on.
    fn take_next(&mut self, now: Instant) -> Option<u32> {
        let &(at, ue) = self.coming.front().filter(|(at, _)| *at <= now)?;
        self.coming.pop_front();
        self.ues[ue as usize] = State::ActiveUntil(at + self.config.deactivation_timer);
        Some(ue)
    }
}

impl Secondary {
    /// Deactivates the carrier for UEs whose timer has expired. They get no new block, although
    /// data wait, until these data have activated the carrier again.
    pub(super) fn deactivate(&mut self, now: Instant) {
        let Some(activations) = &mut self.activations else { return };
        let inactive = |ue: &u32| !activations.is_active(now, *ue);
        let starved: Vec<u32> = self.base.backlogged().iter().copied().filter(inactive).collect();
        for ue in starved {
            self.base.hold_back(ue);
            activations.on_data(now, ue);
        }
    }

    /// Schedules UEs for which the carrier is active from now on.
    pub(super) fn activate(&mut self, now: Instant, bearers: &mut [Vec<Bearer>]) {
        let Some(activations) = &mut self.activations else { return };
        while let Some(ue) = activations.take_next(now) {
            let bearers = &mut bearers[ue as usize];
            swap_entities(bearers, Direction::Down);
            self.base.on_queues(now, ue, bearers);
            swap_entities(bearers, Direction::Down);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Duration;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    /// TS 38.321 §5.9: `sCellDeactivationTimer` starts with the activation, and restarts with each
    /// assignment.
    #[test]
    fn it_is_active_from_its_delay_until_its_timer_expires() {
        let (delay, deactivation_timer) = (Duration::from_millis(8), Duration::from_millis(20));
        let mut activations = Activations::new(Activation { delay, deactivation_timer }, 2);
        assert!(!activations.on_data(at(0), 1));
        assert_eq!((activations.next(), activations.take_next(at(7))), (Some(at(8)), None));
        assert_eq!(activations.take_next(at(9)), Some(1));
        let active = |it: &Activations, ms: u64| [0, 1].map(|ue| it.is_active(at(ms), ue));
        assert_eq!([9, 27].map(|ms| active(&activations, ms)), [[false, true]; 2]);
        assert_eq!(active(&activations, 28), [false; 2], "20 ms after 8 ms");
        activations.on_sent(at(27), 1);
        assert_eq!([46, 47].map(|ms| active(&activations, ms)[1]), [true, false]);
        // Data wait for the activation delay.
        assert!(!activations.on_data(at(50), 1));
        assert_eq!(activations.next(), Some(at(58)));
    }
}
