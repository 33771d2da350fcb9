//! One run: all entities, and the carrying of effects from one to the next.
//!
//! In: a plan and a seed. Out: the recorded facts.
//!
//! At each event one [`Entity`] is called. A packet that leaves it enters the next one at once.
//! Effects of hosts at this instant are queued (`work`) and carried out in order, until the queue
//! is empty. No entity knows another. Only the world knows the next entity of a packet ([`route`],
//! [`carry`]), its connection ([`host`], [`flow`]) and the recorded tables ([`recorder`]).
//!
//! Left out: hosts take no time between their layers; an ICMP answer takes no time on the wired
//! path, so path MTU discovery converges a little early.

mod anatomy;
mod app_session;
mod carry;
mod connections;
mod conservation;
mod critical_path;
mod fast_open;
mod flow;
mod footprint;
mod headers;
mod host;
mod network_delays;
mod outcome;
mod quic;
mod recorder;
mod route;
mod tables;
mod wiring;

use std::collections::VecDeque;

use super::footprint::Footprint;
use super::plan::Plan;
use crate::app;
use crate::net::ip::{self, Reassembler};
use crate::net::{Count, Direction, Packet, gtpu, link};
use crate::ran;
use crate::ran::cell::Workers;
use crate::record::Table;
use crate::sim::{Agenda, EntityId, Outbox, Progress, RunLoop, Streams, Wake, World as Driven};
use crate::tcp;
use crate::unit::Instant;
use app_session::AppSession;
use conservation::Doors;
use critical_path::CriticalPaths;
use fast_open::Cookies;
use flow::{End, Flow};
use quic::Quic;
use recorder::{Recorder, Site};
use route::{Radio, Route};
pub(super) use tables::declare;

/// All entities of one run.
pub(super) struct World<'a> {
    plan: &'a Plan,
    entities: Vec<Entity>,
    work: VecDeque<Step>,
    /// Entities with effects to carry out that wait for their turn, see [`World::carry`].
    emitted: Vec<Entity>,
    routes: [Route; 2],
    links: Vec<Placed<link::Link, link::Effect>>,
    tunnel_ends: Vec<Placed<gtpu::Egress, gtpu::egress::Effect>>,
    radio: Radio,
    radio_entity: EntityId,
    /// Acknowledgements that came to the radio, down and up.
    radio_acks: [Count; 2],
    /// Reassembly of fragments at all hosts. One is enough, since packet numbers are unique.
    reassembler: Reassembler,
    hosts_entity: EntityId,
    /// Packets that entered and left the routes at hosts, by direction.
    doors: [Doors; 2],
    app_sessions: Vec<AppSession>,
    flows: Vec<Flow>,
    ends: Vec<End>,
    cookies: Cookies,
    quic: Quic,
    recorder: Recorder,
    /// Critical paths, if the scenario records them.
    critical_paths: Option<CriticalPaths>,
    /// Time of the last sample of series.
    sampled: Instant,
    packets: u64,
    unfinished: usize,
    outboxes: Outboxes,
}

/// An entity of the agenda.
#[derive(Clone, Copy, Debug)]
enum Entity {
    Link(usize),
    TunnelEnd(usize),
    Radio,
    Hosts,
    End(usize),
    QuicEnd(usize),
    AppSession(usize),
    Sampler,
}

/// A step that is still to be carried out at this instant.
enum Step {
    /// A packet enters a stage of its route.
    Packet(Onward),
    /// An application sets its timer, after an input (`is_news`) or when the timer was due.
    Arm { app_session: usize, wake: Wake, is_news: bool },
    /// Carries out the first effect in the outbox of applications, which is this application's.
    Act { app_session: usize },
    /// A SYN leaves, unless it has left with data of its application.
    Syn { end: usize },
}

/// A packet before a stage of its route. It fits two registers, in which it is passed from entity
/// to entity.
struct Onward {
    direction: Direction,
    stage: u32,
    packet: Box<Packet>,
}

/// An entity with its number on the agenda and its place on a route. It has an outbox of its own,
/// since the next entity on the route may be of the same kind.
struct Placed<T, E> {
    own: T,
    out: Outbox<E>,
    entity: EntityId,
    /// Identity of the entity in tables.
    site: Site,
    direction: Direction,
    stage: u32,
    /// Acknowledgements received.
    acks: Count,
}

/// One outbox per kind of entity, for kinds that never follow each other on a route.
#[derive(Default)]
struct Outboxes {
    radio: Outbox<ran::Effect>,
    host: Outbox<ip::Effect>,
    tcp: Outbox<tcp::Effect>,
    app: Outbox<app::Effect>,
}

/// The result of one run.
pub(super) struct Facts {
    pub(super) tables: Vec<Table>,
    pub(super) events: u64,
}

/// A run in progress: all entities, the agenda, and the simulated time.
pub(super) struct Play<'a> {
    world: World<'a>,
    agenda: Agenda,
    run: RunLoop,
    seed: u64,
}

impl<'a> Play<'a> {
    /// Creates and connects the entities of a plan, before the first event.
    pub(super) fn begin(plan: &'a Plan, seed: u64) -> Self {
        let mut agenda = Agenda::default();
        let world = World::wire(plan, Streams::new(seed), &mut agenda);
        Self { world, agenda, run: RunLoop::default(), seed }
    }

    /// See [`crate::scenario::Simulation::employ`].
    pub(super) fn employ(&mut self, workers: Box<dyn Workers>) {
        self.world.radio.employ(workers);
    }

    /// Processes up to `events` further events. Returns `true` if the run is over.
    pub(super) fn advance(&mut self, events: u64) -> bool {
        let end = self.world.plan.end;
        self.run.advance(&mut self.world, &mut self.agenda, end, events)
    }

    /// Returns the simulated time.
    pub(super) fn now(&self) -> Instant {
        self.run.progress.now
    }

    /// See [`crate::scenario::Simulation::footprint`].
    pub(super) fn footprint(&self) -> Footprint {
        self.world.footprint()
    }

    /// Ends the run and returns the recorded tables.
    pub(super) fn finish(self) -> Facts {
        let Progress { events, now } = self.run.progress;
        let end = if self.world.is_finished() { now } else { self.world.plan.end };
        self.world.finish(end, self.seed, events)
    }
}

impl World<'_> {
    /// Carries out all queued steps.
    fn work_off(&mut self, now: Instant, agenda: &mut Agenda) {
        while let Some(step) = self.work.pop_front() {
            match step {
                Step::Packet(onward) => self.carry(now, onward, agenda),
                Step::Arm { app_session, wake, is_news } => {
                    self.arm_app(app_session, wake, is_news, agenda);
                }
                Step::Act { app_session } => self.act(now, app_session, agenda),
                Step::Syn { end } => self.send_syn(now, end, agenda),
            }
        }
    }
}

impl Driven for World<'_> {
    fn on_due(&mut self, now: Instant, entity: EntityId, agenda: &mut Agenda) {
        let first = match self.entities[entity.index()] {
            Entity::Link(number) => {
                let Placed { own, out, direction, stage, .. } = &mut self.links[number];
                if let Some((packet, wake)) = own.arrival(now) {
                    if let Some(at) = wake {
                        agenda.arm(entity, at);
                    }
                    Some(Onward { direction: *direction, stage: *stage + 1, packet })
                } else {
                    own.on_timer(now, out);
                    self.next_of_link(now, number, agenda)
                }
            }
            Entity::TunnelEnd(number) => {
                let Placed { own, out, .. } = &mut self.tunnel_ends[number];
                own.on_timer(now, out);
                self.next_of_tunnel(number, agenda)
            }
            Entity::Radio => {
                self.radio.on_timer(now, &mut self.outboxes.radio);
                self.next_of_radio(now, agenda)
            }
            Entity::Hosts => {
                self.reassembler.on_timer(now, &mut self.outboxes.host);
                self.after_reassembly(now, agenda);
                None
            }
            Entity::End(number) => {
                if let Some(paths) = &mut self.critical_paths
                    && let Some(cause) = self.ends[number].connection.awaited(now)
                {
                    paths.on_timer(now, number, cause);
                }
                let end = &mut self.ends[number];
                let has_read = end.connection.awaited_reading(now);
                end.connection.on_timer(now, &mut self.outboxes.tcp);
                if let Some(paths) = self.critical_paths.as_mut().filter(|_| has_read) {
                    let goes_on = end.connection.is_reading();
                    paths.on_reading(now, (end.app_session, end.side), number, goes_on);
                }
                self.after_tcp(now, number, agenda);
                None
            }
            Entity::QuicEnd(number) => {
                self.wake_quic(now, number, agenda);
                None
            }
            Entity::AppSession(number) => {
                self.wake_conversation(now, number);
                None
            }
            Entity::Sampler => {
                self.sample(now, entity, agenda);
                None
            }
        };
        if let Some(onward) = first {
            self.carry(now, onward, agenda);
        }
        self.work_off(now, agenda);
    }

    fn is_finished(&self) -> bool {
        self.unfinished == 0
    }

    fn name(&self, entity: EntityId) -> String {
        format!("{:?}", self.entities[entity.index()])
    }
}

/// Sets the timer of an entity.
#[inline(always)]
fn arm(agenda: &mut Agenda, entity: EntityId, wake: Wake) {
    match wake {
        Wake::Unchanged => {}
        Wake::At(at) => agenda.arm(entity, at),
        Wake::Never => agenda.disarm(entity),
    }
}
