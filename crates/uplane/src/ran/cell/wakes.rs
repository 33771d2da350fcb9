//! Times at which a cell wants to be called: its next slot, and timers between slots.
//!
//! In: slots with work, timers of RLC, `retxBSR-Timer`s, handovers, RRC states. Out: one instant.

use crate::ran::mac::timing::Clock;
use crate::sim::{Agenda, EntityId, Outbox};
use crate::unit::Instant;

/// Timers, and the next slot.
#[derive(Clone, Debug)]
pub(super) struct Wakes {
    timers: Agenda,
    /// RLC timer of each UE.
    rlc: Vec<EntityId>,
    /// `retxBSR-Timer` of each UE.
    retx_bsr: Vec<EntityId>,
    /// Time of each UE's next handover event; empty without handovers.
    handover: Vec<EntityId>,
    /// Time at which each UE's RRC state may next change; empty without RRC states.
    rrc: Vec<EntityId>,
    /// The first slot that has not been processed.
    next_slot: u64,
    /// Start of `next_slot`.
    next_begins: Instant,
    /// Time at which the cell wants to be called.
    at: Option<Instant>,
    /// First slot that was planned since the last [`Wakes::take_planned`].
    planned: Option<u64>,
}

/// A timer that has expired.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expired {
    /// RLC timer of this UE.
    Rlc(u32),
    /// `retxBSR-Timer` of this UE.
    RetxBsr(u32),
    /// Handover event of this UE.
    Handover(u32),
    /// The RRC state of this UE may change.
    Rrc(u32),
}

impl Wakes {
    pub(super) fn new(
        clock: &Clock,
        ue_count: u32,
        has_handovers: bool,
        has_rrc_states: bool,
    ) -> Self {
        let mut timers = Agenda::default();
        let mut of_each_ue = |wanted: bool| {
            let count = if wanted { ue_count } else { 0 };
            (0..count).map(|_| timers.add()).collect()
        };
        let (rlc, retx_bsr) = (of_each_ue(true), of_each_ue(true));
        let (handover, rrc) = (of_each_ue(has_handovers), of_each_ue(has_rrc_states));
        let (next_slot, next_begins) = (0, clock.start(0));
        Self {
            timers,
            rlc,
            retx_bsr,
            handover,
            rrc,
            next_slot,
            next_begins,
            at: None,
            planned: None,
        }
    }

    /// Returns a timer that expires now, if any is left.
    pub(super) fn expired(&mut self, now: Instant) -> Option<Expired> {
        let (_, timer) = self.timers.pop(now)?;
        let (index, ue_count) = (timer.index() as u32, self.rlc.len() as u32);
        let ue = index % ue_count;
        Some(match index / ue_count {
            0 => Expired::Rlc(ue),
            1 => Expired::RetxBsr(ue),
            2 if !self.handover.is_empty() => Expired::Handover(ue),
            _ => Expired::Rrc(ue),
        })
    }

    /// Sets the next timer of a UE's RLC.
    pub(super) fn set_rlc(&mut self, now: Instant, ue: u32, at: Option<Instant>) {
        let timer = self.rlc[ue as usize];
        match at {
            Some(at) => self.timers.arm(timer, at.max(now)),
            None => self.timers.disarm(timer),
        }
    }

    /// Returns `true` while `retxBSR-Timer` of a UE is armed.
    pub(super) fn has_retx_bsr(&self, ue: u32) -> bool {
        self.timers.due(self.retx_bsr[ue as usize]).is_some()
    }

    pub(super) fn arm_retx_bsr(&mut self, ue: u32, at: Instant) {
        self.timers.arm(self.retx_bsr[ue as usize], at);
    }

    /// Disarms `retxBSR-Timer` of a UE.
    pub(super) fn disarm_retx_bsr(&mut self, ue: u32) {
        self.timers.disarm(self.retx_bsr[ue as usize]);
    }

    /// Sets the time of a UE's next handover event.
    pub(super) fn set_handover(&mut self, now: Instant, ue: u32, at: Option<Instant>) {
        let timer = self.handover[ue as usize];
        match at {
            Some(at) => self.timers.arm(timer, at.max(now)),
            None => self.timers.disarm(timer),
        }
    }

    /// Sets the next time at which a UE's RRC state may change.
    pub(super) fn set_rrc(&mut self, now: Instant, ue: u32, at: Option<Instant>) {
        let timer = self.rrc[ue as usize];
        match at {
            Some(at) => self.timers.arm(timer, at.max(now)),
            None => self.timers.disarm(timer),
        }
    }

    /// Starts `slot`.
    pub(super) fn begin(&mut self, clock: &Clock, slot: u64) {
        (self.next_slot, self.next_begins) = (slot + 1, clock.end(slot));
    }

    /// Returns the first slot that begins at or after `now` and is not yet processed.
    pub(super) fn next_start(&self, clock: &Clock, now: Instant) -> u64 {
        if now <= self.next_begins { self.next_slot } else { clock.at_or_after(now) }
    }

    /// Returns the start of `slot`.
    #[inline]
    pub(super) fn start(&self, clock: &Clock, slot: u64) -> Instant {
        if slot == self.next_slot { self.next_begins } else { clock.start(slot) }
    }

    /// Plans an event in `slot`.
    pub(super) fn plan(&mut self, slot: u64) {
        self.planned = Some(self.planned.map_or(slot, |other| other.min(slot)));
    }

    /// Returns the first slot planned since the last call.
    pub(super) fn take_planned(&mut self) -> Option<u64> {
        self.planned.take()
    }

    /// Returns the time at which the cell wants to be called.
    pub(super) const fn at(&self) -> Option<Instant> {
        self.at
    }

    /// Sets the first call by timers alone.
    pub(super) fn begin_timers(&mut self) {
        self.at = self.timers.next_due();
    }

    /// Requests a call at `at`, unless an earlier one is requested.
    pub(super) fn wake_by<T>(&mut self, at: Instant, out: &mut Outbox<T>) {
        if self.at.is_none_or(|wake| at < wake) {
            self.at = Some(at);
            out.wake_at(at);
        }
    }

    /// Requests a call for a timer that may have been armed for an earlier time.
    pub(super) fn wake_for_timers<T>(&mut self, out: &mut Outbox<T>) {
        if let Some(at) = self.timers.next_due() {
            self.wake_by(at, out);
        }
    }

    /// Requests the next call: for the next tick, the next arrival or the next timer.
    #[inline]
    pub(super) fn rest<T>(
        &mut self,
        tick: Option<Instant>,
        arrival: Option<Instant>,
        out: &mut Outbox<T>,
    ) {
        self.planned = None;
        self.at = Instant::sooner(tick, Instant::sooner(arrival, self.timers.next_due()));
        out.wake(self.at);
    }
}
