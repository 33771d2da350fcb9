//! Activation of a secondary carrier, UE by UE (TS 38.321 §5.9, TS 38.133 §8.3).
//!
//! In: data for a UE, assignments on the carrier. Out: whether the carrier may carry it, and from
//! when on.
//!
//! A carrier is activated when data comes for its UE, and carries it a constant time later. It is
//! deactivated when nothing was assigned on it for the time of `sCellDeactivationTimer`, though
//! data wait: these activate it anew.
//!
//! Left out: a base station that activates a carrier only for much data, and the control elements
//! that it sends for that; HARQ buffers that are flushed at the deactivation, since retransmissions
//! go first and are sent long before the timer expires. Who asks what an activation costs can tell.

use std::collections::VecDeque;

use super::Secondary;
use crate::net::Direction;
use crate::ran::cell::bearer::{Bearer, swap_entities};
use crate::ran::cell::config::Activation;
use crate::unit::Instant;

/// The carrier, as each UE has it.
#[derive(Clone, Debug)]
pub(super) struct Activations {
    config: Activation,
    ues: Vec<State>,
    /// UEs for which it is being activated, and until when.
    coming: VecDeque<(Instant, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Deactivated,
    Coming,
    /// Until the timer expires.
    ActiveUntil(Instant),
}

impl Activations {
    /// For so many UEs, of which none has the carrier at first.
    pub(super) fn new(config: Activation, ues: usize) -> Self {
        Self { config, ues: vec![State::Deactivated; ues], coming: VecDeque::new() }
    }

    /// Data waits for a UE: true when the carrier may carry it.
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

    /// True when the carrier may carry something to a UE.
    fn is_active(&self, now: Instant, ue: u32) -> bool {
        matches!(self.ues[ue as usize], State::ActiveUntil(end) if now < end)
    }

    /// Something is sent to a UE.
    pub(super) fn on_sent(&mut self, now: Instant, ue: u32) {
        self.ues[ue as usize] = State::ActiveUntil(now + self.config.deactivation_timer);
    }

    /// It is deactivated for a UE.
    pub(super) fn forget(&mut self, ue: u32) {
        self.ues[ue as usize] = State::Deactivated;
        self.coming.retain(|&(_, other)| other != ue);
    }

    /// When it is active for another UE.
    pub(super) fn next(&self) -> Option<Instant> {
        self.coming.front().map(|&(at, _)| at)
    }

    /// The next UE for which it is active from now on.
    fn take_next(&mut self, now: Instant) -> Option<u32> {
        let &(at, ue) = self.coming.front().filter(|(at, _)| *at <= now)?;
        self.coming.pop_front();
        self.ues[ue as usize] = State::ActiveUntil(at + self.config.deactivation_timer);
        Some(ue)
    }
}

impl Secondary {
    /// UEs for which the timer has expired get no new block, although data wait.
    pub(super) fn deactivate(&mut self, now: Instant) {
        let Some(activations) = &mut self.activations else { return };
        let inactive = |ue: &u32| !activations.is_active(now, *ue);
        let starved: Vec<u32> = self.base.backlogged().iter().copied().filter(inactive).collect();
        for ue in starved {
            self.base.hold_back(ue);
            activations.on_data(now, ue);
        }
    }

    /// What waits for UEs for which the carrier is active from now on may be sent.
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

    /// TS 38.321 §5.9: `sCellDeactivationTimer` starts with the activation, and again with each
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
        // Data waits the delay again.
        assert!(!activations.on_data(at(50), 1));
        assert_eq!(activations.next(), Some(at(58)));
    }
}
