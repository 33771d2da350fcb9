//! Activation of a secondary carrier, UE by UE (TS 38.321 §5.9, TS 38.133 §8.3).
//!
//! In: data for a UE, assignments on the carrier. Out: whether the carrier may carry it, and from
//! when on.
//!
//! A carrier is activated when data comes for its UE, and carries it a constant time later. It is
//! deactivated when nothing was assigned on it for the time of `sCellDeactivationTimer`.
//!
//! Left out: a base station that activates a carrier only for much data, and the control elements
//! that it sends for that. Who asks what an activation costs can tell.

use std::collections::VecDeque;

use super::Secondary;
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
    /// What waits for UEs for which the carrier is active from now on may be sent.
    pub(super) fn activate(&mut self, now: Instant, bearers: &mut [Vec<Bearer>]) {
        let Some(activations) = &mut self.activations else { return };
        while let Some(ue) = activations.take_next(now) {
            let bearers = &mut bearers[ue as usize];
            swap_entities(bearers);
            self.base.on_queues(now, ue, bearers);
            swap_entities(bearers);
        }
    }
}
