//! Handover of the UEs of a cell: who is away, until when, and what the source forwards meanwhile.
//!
//! In: timers, downlink packets. Out: both sides reset the MAC; RLC is re-established; forwarded
//! packets, each when it has reached the target.
//!
//! Packets reach the target in the order in which the source got them: one that comes by the new
//! path waits for those that were forwarded (the end marker of TS 36.300 §10.1.2.2).

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

/// One UE.
#[derive(Clone, Debug)]
struct State {
    /// When it leaves its cell next, if it will.
    leaves: Option<Instant>,
    /// It is away, and comes back then.
    returns: Option<Instant>,
    /// What is on its way from the source, or behind that.
    forwarded: VecDeque<Forwarded>,
}

/// A downlink packet between two cells.
#[derive(Clone, Debug)]
struct Forwarded {
    /// When it may be sent.
    at: Instant,
    bearer: usize,
    packet: Box<Packet>,
}

/// What becomes of a downlink packet.
enum Way {
    /// It is in the cell of its UE.
    Here(Box<Packet>),
    /// It comes later.
    Later,
    /// It is not forwarded.
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

    /// True while a UE is in no cell.
    pub(super) fn is_away(&self, ue: u32) -> bool {
        self.ues[ue as usize].returns.is_some()
    }

    /// When anything happens to a UE next.
    pub(super) fn due(&self, ue: u32) -> Option<Instant> {
        let State { leaves, returns, forwarded } = &self.ues[ue as usize];
        let comes = forwarded.front().filter(|_| returns.is_none()).map(|first| first.at);
        Instant::sooner(comes, returns.or(*leaves))
    }

    /// Packets of the downlink between two cells.
    pub(super) fn held(&self) -> Count {
        let mut held = Count::default();
        let forwarded = self.ues.iter().flat_map(|state| &state.forwarded);
        forwarded.for_each(|forwarded| held.add(forwarded.packet.length));
        held
    }

    /// Decides what happens to a downlink packet before it enters the queue of its bearer.
    fn route(&mut self, now: Instant, ue: u32, bearer: usize, packet: Box<Packet>) -> Way {
        let State { returns, forwarded, .. } = &mut self.ues[ue as usize];
        let last = forwarded.back().map(|last| last.at);
        let at = match (*returns, self.config.forwarding, last) {
            (Some(_), None, _) => return Way::Lost(packet),
            (Some(returns), Some(span), _) => returns.max(now + span),
            (None, _, Some(last)) => last,
            (None, _, None) => return Way::Here(packet),
        };
        let at = last.map_or(at, |last| at.max(last));
        forwarded.push_back(Forwarded { at, bearer, packet });
        Way::Later
    }

    /// True while a UE is in no cell, or its packets are between two.
    pub(super) fn is_under_way(&self, ue: u32) -> bool {
        self.is_away(ue) || !self.ues[ue as usize].forwarded.is_empty()
    }

    /// A UE changes its cell, if it is time. True when it is interrupted by that: one that is not
    /// connected selects another by itself.
    fn leave(&mut self, now: Instant, ue: u32, is_connected: bool) -> Option<bool> {
        let state = &mut self.ues[ue as usize];
        if state.returns.is_some() || state.leaves.is_none_or(|leaves| leaves > now) {
            return None;
        }
        state.returns = is_connected.then(|| now + self.config.interruption);
        state.leaves = state.leaves.zip(self.config.every).map(|(leaves, every)| leaves + every);
        Some(is_connected)
    }

    /// A UE is in its new cell, if it is time.
    fn arrive(&mut self, now: Instant, ue: u32) -> bool {
        self.ues[ue as usize].returns.take_if(|returns| *returns <= now).is_some()
    }

    /// The next packet that has come to the target.
    fn next_here(&mut self, now: Instant, ue: u32) -> Option<(usize, Box<Packet>)> {
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
    /// True while a UE is in no cell, or is not connected in its own.
    #[inline(always)]
    pub(super) fn is_away(&self, ue: u32) -> bool {
        self.handovers.as_ref().is_some_and(|handovers| handovers.is_away(ue))
            || self.is_suspended(ue)
    }

    /// A downlink packet, unless its UE changes the cell.
    #[inline(always)]
    pub(super) fn at_hand(
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
        let way = self.handovers.as_mut()?.route(now, ue, bearer, packet);
        match way {
            Way::Here(packet) => return Some(packet),
            Way::Later => self.plan_handover(now, ue),
            Way::Lost(packet) => {
                self.drop(Direction::Down, ue, packet, DropCause::Handover, out);
            }
        }
        None
    }

    /// The first handovers are planned.
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

    /// Something happens to a UE that changes its cell.
    pub(super) fn on_handover(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        let Some(mut handovers) = self.handovers.take() else { return };
        if handovers.arrive(now, ue) {
            self.arrive_in_cell(now, ue);
        }
        while let Some((bearer, packet)) = handovers.next_here(now, ue) {
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

    /// A UE leaves: the MAC is reset on both sides (TS 36.321 §5.9, TS 38.321 §5.12), nothing that
    /// was under way arrives.
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
            self.ues[ue as usize].tell_restored(position, bearer);
        }
        self.settle(now, ue, out);
    }

    /// A UE has come: what waits for it and in it may be sent.
    fn arrive_in_cell(&mut self, now: Instant, ue: u32) {
        for bearer in &mut self.bearers[ue as usize] {
            bearer.rlc.arrive_in_cell(now);
        }
        self.ues[ue as usize].unbar();
        self.base.welcome(self.setup.clock.at_or_after(now), ue);
        self.on_downlink_data(now, ue);
        self.on_uplink_data(now, ue);
    }
}
