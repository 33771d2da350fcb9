//! Handover of the UEs of a cell: the UEs that are away, their returns, and the packets that the
//! source forwards.
//!
//! In: timers, downlink packets. Out: both sides reset the MAC; RLC is re-established; forwarded
//! packets, each when it has reached the target.
//!
//! Packets reach the target in the order in which the source got them: a packet on the new path
//! waits for forwarded ones (the end marker of TS 36.300 §10.1.2.2).

use std::collections::VecDeque;

use super::Cell;
use crate::net::{Cause, Count, Direction, DropCause, Packet};
use crate::ran::Effect;
use crate::ran::handover::Config;
use crate::sim::{Outbox, Streams};
use crate::unit::{Instant, UeId};

/// The handovers of a cell.
#[derive(Clone, Debug)]
pub(super) struct Handovers {
    config: Config,
    ues: Vec<State>,
}

/// Handover state of one UE.
#[derive(Clone, Debug)]
struct State {
    /// Time of its next departure from the cell, if any.
    leaves: Option<Instant>,
    /// Time of its return, while it is away.
    returns: Option<Instant>,
    /// Packets forwarded by the source, and packets that wait for them.
    forwarded: VecDeque<Forwarded>,
}

/// A downlink packet between two cells.
#[derive(Clone, Debug)]
struct Forwarded {
    /// Time from which it may be sent.
    at: Instant,
    bearer: usize,
    packet: Box<Packet>,
}

/// Treatment of a downlink packet.
enum Route {
    /// The UE is in its cell, so the packet is sent here.
    Now(Box<Packet>),
    /// The packet arrives later.
    Later,
    /// The packet is lost, as the source does not forward it.
    Lost(Box<Packet>),
}

impl Handovers {
    pub(super) fn new(config: Config, ues: impl Iterator<Item = UeId>, streams: Streams) -> Self {
        let state = |id: UeId| {
            let stream = || streams.open(&format!("radio/ue/{}", id.0), "handover");
            let leaves = Some(config.first(stream));
            State { leaves, returns: None, forwarded: VecDeque::new() }
        };
        Self { config, ues: ues.map(state).collect() }
    }

    /// Returns `true` while a UE is in no cell.
    pub(super) fn is_away(&self, ue: u32) -> bool {
        self.ues[ue as usize].returns.is_some()
    }

    /// Returns the time of the next event of a UE.
    pub(super) fn due(&self, ue: u32) -> Option<Instant> {
        let State { leaves, returns, forwarded } = &self.ues[ue as usize];
        let comes = forwarded.front().filter(|_| returns.is_none()).map(|first| first.at);
        Instant::sooner(comes, returns.or(*leaves))
    }

    /// Returns the number of downlink packets between two cells.
    pub(super) fn held(&self) -> Count {
        let mut held = Count::default();
        let forwarded = self.ues.iter().flat_map(|state| &state.forwarded);
        forwarded.for_each(|forwarded| held.add(forwarded.packet.length));
        held
    }

    /// Decides what happens to a downlink packet before it enters the queue of its bearer.
    fn route(&mut self, now: Instant, ue: u32, bearer: usize, packet: Box<Packet>) -> Route {
        let State { returns, forwarded, .. } = &mut self.ues[ue as usize];
        let last = forwarded.back().map(|last| last.at);
        let at = match (*returns, self.config.forwarding, last) {
            (Some(_), None, _) => return Route::Lost(packet),
            (Some(returns), Some(span), _) => returns.max(now + span),
            (None, _, Some(last)) => last,
            (None, _, None) => return Route::Now(packet),
        };
        let at = last.map_or(at, |last| at.max(last));
        forwarded.push_back(Forwarded { at, bearer, packet });
        Route::Later
    }

    /// Returns `true` while a UE is in no cell, or its packets are between two cells.
    pub(super) fn is_under_way(&self, ue: u32) -> bool {
        self.is_away(ue) || !self.ues[ue as usize].forwarded.is_empty()
    }

    /// Makes a UE leave its cell, if it is time. Returns `Some(true)` if this interrupts the UE. A
    /// UE that is not connected selects another cell on its own.
    fn leave(&mut self, now: Instant, ue: u32, is_connected: bool) -> Option<bool> {
        let state = &mut self.ues[ue as usize];
        if state.returns.is_some() || state.leaves.is_none_or(|leaves| leaves > now) {
            return None;
        }
        state.returns = is_connected.then(|| now + self.config.interruption);
        state.leaves = state.leaves.zip(self.config.every).map(|(leaves, every)| leaves + every);
        Some(is_connected)
    }

    /// Makes a UE arrive in its new cell, and returns `true`, if it is time.
    fn arrive(&mut self, now: Instant, ue: u32) -> bool {
        self.ues[ue as usize].returns.take_if(|returns| *returns <= now).is_some()
    }

    /// Returns the next packet that has reached the target.
    fn next_arrived(&mut self, now: Instant, ue: u32) -> Option<(usize, Box<Packet>)> {
        let State { returns, forwarded, .. } = &mut self.ues[ue as usize];
        if returns.is_some() || forwarded.front()?.at > now {
            return None;
        }
        let Forwarded { bearer, mut packet, .. } = forwarded.pop_front()?;
        packet.ledger.charge(Cause::Handover, now);
        Some((bearer, packet))
    }
}

impl Cell {
    /// Returns `true` while a UE is in no cell, or is not connected in its own.
    #[inline(always)]
    pub(super) fn is_away(&self, ue: u32) -> bool {
        self.handovers.as_ref().is_some_and(|handovers| handovers.is_away(ue))
            || self.is_suspended(ue)
    }

    /// Returns a downlink packet, unless it waits for the handover of its UE, or is lost by it.
    #[inline(always)]
    pub(super) fn while_in_cell(
        &mut self,
        now: Instant,
        ue: u32,
        bearer: usize,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) -> Option<Box<Packet>> {
        if self.handovers.is_none() {
            return Some(packet);
        }
        self.routed(now, ue, bearer, packet, out)
    }

    #[cold]
    fn routed(
        &mut self,
        now: Instant,
        ue: u32,
        bearer: usize,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) -> Option<Box<Packet>> {
        let route = self.handovers.as_mut()?.route(now, ue, bearer, packet);
        match route {
            Route::Now(packet) => return Some(packet),
            Route::Later => self.plan_handover(now, ue),
            Route::Lost(packet) => {
                self.drop(Direction::Down, ue, packet, DropCause::Handover, out);
            }
        }
        None
    }

    /// Plans the first handovers.
    pub(super) fn plan_handovers(&mut self) {
        if self.handovers.is_some() {
            (0..self.ues.len() as u32).for_each(|ue| self.plan_handover(Instant::ZERO, ue));
            self.wakes.begin_timers();
        }
    }

    fn plan_handover(&mut self, now: Instant, ue: u32) {
        let due = self.handovers.as_ref().and_then(|handovers| handovers.due(ue));
        self.wakes.set_handover(now, ue, due);
    }

    /// Handles the due events of a UE's handovers.
    pub(super) fn on_handover(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        let Some(mut handovers) = self.handovers.take() else { return };
        if handovers.arrive(now, ue) {
            self.arrive_in_cell(now, ue);
        }
        while let Some((bearer, packet)) = handovers.next_arrived(now, ue) {
            self.enqueue(now, Direction::Down, ue, bearer, packet, out);
        }
        let is_connected = self.rrc.as_ref().is_none_or(|rrc| rrc.is_connected(ue));
        let leaves = handovers.leave(now, ue, is_connected);
        let forwards = handovers.config.forwarding.is_some();
        self.handovers = Some(handovers);
        match leaves {
            Some(true) => self.leave_cell(now, ue, forwards, out),
            Some(false) => self.on_reselection(now, ue),
            None => {}
        }
        self.plan_handover(now, ue);
    }

    /// Makes a UE leave: both sides reset the MAC (TS 36.321 §5.9, TS 38.321 §5.12), and blocks and
    /// messages under way are lost.
    pub(super) fn leave_cell(
        &mut self,
        now: Instant,
        ue: u32,
        forwards: bool,
        out: &mut Outbox<Effect>,
    ) {
        self.free_sps(ue);
        self.air.forget(ue);
        self.base.forget(&self.setup, ue);
        self.base.stop_drx(self.setup.clock.at_or_after(now), ue);
        self.secondaries.iter_mut().for_each(|secondary| secondary.forget(ue));
        self.ues[ue as usize].leave_cell(&self.setup, now);
        if let Some(access) = &mut self.random_access {
            access.finish(ue);
        }
        self.wakes.disarm_retx_bsr(ue);
        for (position, bearer) in self.bearers[ue as usize].iter_mut().enumerate() {
            bearer.rlc.leave_cell(now, forwards, &mut self.effects);
            for direction in Direction::BOTH {
                bearer.pdcp[direction].forget_contexts();
            }
            self.ues[ue as usize].notify_restored(position, bearer);
        }
        self.settle(now, ue, out);
    }

    /// Makes a UE arrive, after which data in both directions may be sent.
    fn arrive_in_cell(&mut self, now: Instant, ue: u32) {
        for bearer in &mut self.bearers[ue as usize] {
            bearer.rlc.arrive_in_cell(now);
        }
        self.ues[ue as usize].unbar();
        self.base.restart_drx(self.setup.clock.at_or_after(now), ue);
        self.on_downlink_data(now, ue);
        self.on_uplink_data(now, ue);
    }
}
