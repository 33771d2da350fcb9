//! Dual connectivity: each UE has an LTE cell and an NR cell, and a bearer over one of them or over
//! both (EN-DC, TS 37.340 §4, §7).
//!
//! In: IP packets, each for one UE and one direction. Out: these packets in order, or dropped with
//! a cause.
//!
//! ```text
//!                              ┌─► X2 ─► LTE cell ─┐
//!  down: packet ─► PDCP, router ┤                   ├─► PDCP, t-Reordering ─► UE
//!                              └────────► NR cell ──┘
//! ```
//!
//! PDCP is that of NR, and is in this module: the cells carry its PDUs as packets, with its header,
//! and have no PDCP of their own. PDCP is in the node in which the bearer ends, and X2 connects it
//! with the other node. The cells are those of [`super::cell`], and do not know of each other.
//!
//! | file | contents |
//! |---|---|
//! | [`config`], [`leg`] | parameters; the two legs |
//! | [`router`] | the transmitting PDCP entity, and its choice of a leg |
//! | [`flow_control`] | desired buffer sizes of the legs |
//! | [`bearer_direction`], [`on_the_way`] | one direction of a bearer, with its receiving entity; the PDUs between |
//! | [`x2`] | the link between the nodes |
//! | [`report`] | counters and rows in the tables |
//!
//! Left out: more than one bearer for a UE, adding and releasing the secondary node, its failure,
//! handovers, a common limit of the UE's transmission power. This matters for studies of NR
//! coverage at its edge.

mod bearer_direction;
pub mod config;
pub mod flow_control;
mod leg;
mod on_the_way;
mod report;
mod router;
mod x2;

use std::collections::BTreeSet;

pub use config::{Config, Paths, Plan};
pub use leg::{Leg, PerLeg};
pub(in crate::ran) use report::LegRow;

use super::Effect;
use super::cell::Cell;
use crate::net::{Cause, Direction, DropCause, Packet, PerDirection, Tally};
use crate::record::Activity;
use crate::sim::{Agenda, EntityId, Outbox, Streams, Wake};
use crate::unit::{Bytes, Instant, UeId};
use bearer_direction::{BearerDirection, Outcome};
use router::Submitted;
use x2::X2;

/// Two cells, their UEs and the bearers over them.
#[derive(Clone, Debug)]
pub struct DualConnectivity {
    config: Config,
    cells: PerLeg<Box<Cell>>,
    /// Time at which each cell wants to be called.
    dues: PerLeg<Option<Instant>>,
    outs: PerLeg<Outbox<Effect>>,
    /// Bearer of each UE, by direction.
    bearers: PerDirection<Vec<BearerDirection>>,
    /// `t-Reordering` of each bearer and direction.
    timers: Agenda,
    timer_of: PerDirection<Vec<EntityId>>,
    x2: X2,
    /// Bearers with packets that wait for a leg.
    backlogged: BTreeSet<(UeId, Direction)>,
    /// Bearers whose legs report.
    reporting: BTreeSet<(UeId, Direction)>,
    /// End of the current report period.
    period_ends: Option<Instant>,
    tallies: PerDirection<Tally>,
    sampled: PerDirection<Vec<Activity>>,
}

impl DualConnectivity {
    /// Creates the cells at the start of a run.
    pub fn new(plan: &Plan, ue_count: u32, streams: Streams) -> Self {
        let config = plan.config.clone();
        let cell = |leg: Leg| {
            let own = if leg == Leg::Nr { streams } else { streams.of(leg.name()) };
            Box::new(Cell::new(&plan.cells[leg], own))
        };
        let cells = PerLeg::of(cell);
        let bearers = PerDirection::of(|direction| {
            (0..ue_count).map(|_| BearerDirection::new(&config, direction)).collect()
        });
        let mut timers = Agenda::default();
        let timer_of =
            PerDirection::of(|_| (0..ue_count).map(|_| timers.add()).collect::<Vec<_>>());
        Self {
            dues: PerLeg::of(|leg| cells[leg].first_wake()),
            cells,
            outs: PerLeg::default(),
            bearers,
            timers,
            timer_of,
            x2: X2::default(),
            backlogged: BTreeSet::new(),
            reporting: BTreeSet::new(),
            period_ends: None,
            tallies: PerDirection::default(),
            sampled: PerDirection::both(vec![Activity::default(); ue_count as usize]),
            config,
        }
    }

    /// Returns the time of the first call, if nothing arrives before.
    pub fn first_wake(&self) -> Option<Instant> {
        Instant::sooner(self.dues.master, self.dues.secondary)
    }

    /// Takes a packet for `ue` (`Down`) or from it (`Up`).
    pub fn on_packet(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: UeId,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        self.tallies[direction].enter(packet.length);
        self.update_legs(ue, direction);
        let bearer = &mut self.bearers[direction][ue.index()];
        if let Err(packet) = bearer.router.on_packet(packet) {
            self.drop(direction, ue, packet, DropCause::Queue, out);
        } else {
            let longest = &mut self.tallies[direction].queue_max;
            *longest = (*longest).max(bearer.router.volume());
            if self.config.paths[direction].is_controlled() {
                self.report_periodically(now, ue, direction);
            }
            self.submit(now, ue, direction, out);
        }
        self.rest(out);
    }

    /// Handles everything due at `now`.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.cross_x2(now, out);
        if self.period_ends.is_some_and(|ends| ends <= now) {
            self.end_period(now);
        }
        for leg in Leg::BOTH {
            if self.dues[leg].take_if(|due| *due <= now).is_some() {
                self.cells[leg].on_timer(now, &mut self.outs[leg]);
                self.after_cell(now, leg, out);
            }
        }
        while let Some((_, timer)) = self.timers.pop(now) {
            self.on_reordering_timer(now, timer, out);
        }
        for (ue, direction) in std::mem::take(&mut self.backlogged) {
            self.update_legs(ue, direction);
            self.submit(now, ue, direction, out);
        }
        self.rest(out);
    }

    /// Submits the PDUs that the legs want.
    fn submit(&mut self, now: Instant, ue: UeId, direction: Direction, out: &mut Outbox<Effect>) {
        while let Some(submitted) = self.bearers[direction][ue.index()].submit(now) {
            let Submitted { packet, size, legs, .. } = submitted;
            match (legs.master, legs.secondary) {
                (true, true) => {
                    self.send(now, Leg::Lte, (ue, direction), packet.clone(), size, out);
                    self.send(now, Leg::Nr, (ue, direction), packet, size, out);
                }
                (is_master, _) => {
                    let leg = if is_master { Leg::Lte } else { Leg::Nr };
                    self.send(now, leg, (ue, direction), packet, size, out);
                }
            }
        }
        if self.bearers[direction][ue.index()].router.queue().len() > 0 {
            self.backlogged.insert((ue, direction));
        }
    }

    /// Sends a PDU to the cell of a leg.
    fn send(
        &mut self,
        now: Instant,
        leg: Leg,
        (ue, direction): (UeId, Direction),
        mut packet: Box<Packet>,
        size: Bytes,
        out: &mut Outbox<Effect>,
    ) {
        if self.config.is_remote(leg, direction) {
            let arrives = now + self.config.x2_delay;
            packet.ledger.charge(Cause::Propagation, arrives);
            self.x2.send(arrives, direction, ue, packet);
            return;
        }
        self.bearers[direction][ue.index()].meters[leg].receive(size);
        self.cells[leg].on_packet(now, direction, ue, packet, &mut self.outs[leg]);
        self.after_cell(now, leg, out);
    }

    /// Receives the packets and statuses that have crossed X2.
    fn cross_x2(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let remote = self.config.host.other();
        while let Some((ue, packet)) = self.x2.arrived(now, Direction::Down) {
            let size = packet.length + self.config.header;
            self.bearers.down[ue.index()].meters[remote].receive(size);
            self.cells[remote].on_packet(now, Direction::Down, ue, packet, &mut self.outs[remote]);
            self.after_cell(now, remote, out);
        }
        while let Some((ue, packet)) = self.x2.arrived(now, Direction::Up) {
            self.receive(now, remote, Direction::Up, ue, packet, out);
        }
        while let Some((ue, status)) = self.x2.reported(now) {
            self.bearers.down[ue.index()].router.on_status(remote, status);
        }
    }

    /// Carries out the effects of a cell.
    fn after_cell(&mut self, now: Instant, leg: Leg, out: &mut Outbox<Effect>) {
        match self.outs[leg].take_wake() {
            Wake::Unchanged => {}
            Wake::At(at) => self.dues[leg] = Some(at),
            Wake::Never => self.dues[leg] = None,
        }
        while let Some(effect) = self.outs[leg].take_next() {
            match effect {
                Effect::Deliver { direction, ue, mut packet } => {
                    let crosses = direction == Direction::Up;
                    let arrives = now + self.config.delay(leg);
                    if crosses && arrives > now {
                        packet.ledger.charge(Cause::Propagation, arrives);
                        self.x2.send(arrives, direction, ue, packet);
                    } else {
                        self.receive(now, leg, direction, ue, packet, out);
                    }
                }
                Effect::Drop { direction, ue, packet, cause } => {
                    let bearer = &mut self.bearers[direction][ue.index()];
                    if let Some(packet) = bearer.lose(leg, packet) {
                        self.drop(direction, ue, packet, cause, out);
                    }
                }
            }
        }
    }

    /// Hands a PDU to the receiving PDCP entity.
    fn receive(
        &mut self,
        now: Instant,
        leg: Leg,
        direction: Direction,
        ue: UeId,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        let tally = &mut self.tallies[direction];
        let bearer = &mut self.bearers[direction][ue.index()];
        bearer.receive(now, leg, packet, |outcome| leave(outcome, direction, ue, tally, out));
        self.arm(direction, ue);
    }

    /// Handles the expiry of a bearer's `t-Reordering`.
    fn on_reordering_timer(&mut self, now: Instant, timer: EntityId, out: &mut Outbox<Effect>) {
        let ue_count = self.bearers.down.len();
        let (direction, ue) = match timer.index().checked_sub(ue_count) {
            None => (Direction::Down, timer.index()),
            Some(ue) => (Direction::Up, ue),
        };
        let tally = &mut self.tallies[direction];
        let id = UeId(ue as u32);
        self.bearers[direction][ue]
            .on_timer(now, |outcome| leave(outcome, direction, id, tally, out));
        self.arm(direction, id);
    }

    fn arm(&mut self, direction: Direction, ue: UeId) {
        let timer = self.timer_of[direction][ue.index()];
        match self.bearers[direction][ue.index()].next_timer() {
            Some(at) => self.timers.arm(timer, at),
            None => self.timers.disarm(timer),
        }
    }

    /// Updates the transmitting entity with the queues of the legs in its own node.
    fn update_legs(&mut self, ue: UeId, direction: Direction) {
        for leg in Leg::BOTH {
            if self.config.is_remote(leg, direction) {
                continue;
            }
            let unsent = self.cells[leg].unsent(ue, direction);
            let BearerDirection { router, meters, .. } = &mut self.bearers[direction][ue.index()];
            router.on_status(leg, meters[leg].status(&self.config.flow, unsent));
        }
    }

    /// Starts periodic reports of this bearer, until nothing waits.
    fn report_periodically(&mut self, now: Instant, ue: UeId, direction: Direction) {
        self.reporting.insert((ue, direction));
        if self.period_ends.is_none() {
            let period = self.config.flow.period.as_nanos();
            let ended = now.as_nanos() / period;
            self.period_ends = Some(Instant::from_nanos((ended + 1) * period));
        }
    }

    /// Ends a period, and lets the nodes of the legs report.
    fn end_period(&mut self, now: Instant) {
        let Self { config, cells, bearers, x2, reporting, .. } = self;
        for &(ue, direction) in reporting.iter() {
            let BearerDirection { router, meters, .. } = &mut bearers[direction][ue.index()];
            for leg in Leg::BOTH {
                let unsent = cells[leg].unsent(ue, direction);
                let status = meters[leg].end_period(&config.flow, unsent);
                if config.is_remote(leg, direction) {
                    x2.report(now + config.x2_delay, ue, status);
                } else {
                    router.on_status(leg, status);
                }
            }
        }
        reporting.retain(|&(ue, direction)| !bearers[direction][ue.index()].router.is_idle());
        self.period_ends = (!reporting.is_empty()).then(|| now + config.flow.period);
    }

    fn drop(
        &mut self,
        direction: Direction,
        ue: UeId,
        packet: Box<Packet>,
        cause: DropCause,
        out: &mut Outbox<Effect>,
    ) {
        self.tallies[direction].drop(cause, packet.length);
        out.emit(Effect::Drop { direction, ue, packet, cause });
    }

    /// Requests the next call.
    fn rest(&mut self, out: &mut Outbox<Effect>) {
        let cells = Instant::sooner(self.dues.master, self.dues.secondary);
        let nodes = Instant::sooner(self.x2.next(), self.period_ends);
        out.wake(Instant::sooner(Instant::sooner(cells, nodes), self.timers.next_due()));
    }
}

/// Emits a packet that leaves the receiving PDCP entity.
fn leave(
    outcome: Outcome,
    direction: Direction,
    ue: UeId,
    tally: &mut Tally,
    out: &mut Outbox<Effect>,
) {
    match outcome {
        Outcome::Delivered(packet) => {
            tally.leave(packet.length);
            out.emit(Effect::Deliver { direction, ue, packet });
        }
        Outcome::Dropped(packet, cause) => {
            tally.drop(cause, packet.length);
            out.emit(Effect::Drop { direction, ue, packet, cause });
        }
    }
}

#[cfg(test)]
mod tests;
