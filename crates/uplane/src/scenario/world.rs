//! One run: all rooms, and the carrying of effects from room to room.
//!
//! In: a plan and a seed. Out: the recorded facts.
//!
//! At each event one room is called; a packet that leaves it goes straight into the next one. What hosts want to happen
//! at this instant is put in line (`work`) and carried out in order, until the line is empty. No room knows another: the world alone knows where a packet
//! goes next ([`route`]), which connection it belongs to ([`flow`]) and what is written down ([`recorder`]).
//!
//! Left out: hosts take no time between their layers; an ICMP answer takes no time on the wired path, so that path
//! MTU discovery converges a little early.

mod connections;
mod conservation;
mod conversation;
mod critical_path;
mod flow;
mod outcome;
mod recorder;
mod route;
mod wiring;

use std::collections::VecDeque;

use super::plan::{Plan, SERVER};
use super::warning::Warning;
use crate::app;
use crate::net::ip::{self, Reassembler};
use crate::net::{Body, Count, Direction, DropCause, Packet, gtpu, link, mss_clamp, path_mtu};
use crate::ran;
use crate::record::Table;
use crate::sim::{Agenda, Outbox, Progress, RunLoop, Slot, Streams, Wake, World as Driven};
use crate::tcp;
use crate::unit::{Bytes, Host, HostId, Instant, PacketId, UeId};
use conservation::Doors;
use conversation::Conversation;
use critical_path::CriticalPaths;
use flow::{End, Flow};
use recorder::{Recorder, Site};
use route::{Radio, Route, Stage};

/// All rooms of one run.
pub(super) struct World<'a> {
    plan: &'a Plan,
    rooms: Vec<Room>,
    work: VecDeque<Step>,
    /// Rooms with effects to carry out that wait for their turn, see [`World::carry`].
    emitted: Vec<Room>,
    routes: [Route; 2],
    links: Vec<Placed<link::Link, link::Effect>>,
    tunnel_ends: Vec<Placed<gtpu::Egress, gtpu::egress::Effect>>,
    radio: Radio,
    radio_slot: Slot,
    /// Acknowledgements that came to the radio, down and up.
    radio_acks: [Count; 2],
    /// Servers first, see [`World::room_of`].
    hosts: Vec<HostRoom>,
    /// What hosts gave and got, by direction.
    doors: [Doors; 2],
    conversations: Vec<Conversation>,
    flows: Vec<Flow>,
    ends: Vec<End>,
    recorder: Recorder,
    /// Where the scenario asks for them.
    critical_paths: Option<CriticalPaths>,
    packets: u64,
    unfinished: usize,
    outboxes: Outboxes,
}

/// What an agenda slot stands for.
#[derive(Clone, Copy, Debug)]
enum Room {
    Link(usize),
    TunnelEnd(usize),
    Radio,
    Host(usize),
    End(usize),
    Conversation(usize),
    Sampler,
}

/// Something that still has to happen at this instant.
enum Step {
    /// A packet enters a stage of its route.
    Packet(Onward),
    /// An application learns something.
    Tell { conversation: usize, input: app::Input },
}

/// A packet that stands before a stage of its route.
struct Onward {
    direction: Direction,
    stage: usize,
    packet: Box<Packet>,
}

/// A room with its place: its agenda slot, and where it stands on which route. It has an outbox of its own, since the next
/// room on the route may be of the same kind.
struct Placed<T, E> {
    room: T,
    out: Outbox<E>,
    slot: Slot,
    direction: Direction,
    stage: usize,
    /// Acknowledgements that came in.
    acks: Count,
}

/// An IP host: where pieces of its packets become whole again.
struct HostRoom {
    reassembler: Reassembler,
    slot: Slot,
}

/// One outbox a kind of room, where rooms of a kind never follow each other.
#[derive(Default)]
struct Outboxes {
    radio: Outbox<ran::Effect>,
    host: Outbox<ip::Effect>,
    tcp: Outbox<tcp::Effect>,
    app: Outbox<app::Effect>,
}

/// What one run gives.
pub(super) struct Facts {
    pub(super) tables: Vec<Table>,
    pub(super) warnings: Vec<Warning>,
    pub(super) events: u64,
}

/// One run under way: all rooms, who is due next, and how far it came.
pub(super) struct Play<'a> {
    world: World<'a>,
    agenda: Agenda,
    run: RunLoop,
    seed: u64,
}

impl<'a> Play<'a> {
    /// The rooms of a plan, wired, before the first event.
    pub(super) fn begin(plan: &'a Plan, seed: u64) -> Self {
        let mut agenda = Agenda::default();
        let world = World::wire(plan, Streams::new(seed), &mut agenda);
        Self { world, agenda, run: RunLoop::default(), seed }
    }

    /// Handles so many more events; true when the run is over.
    pub(super) fn advance(&mut self, events: u64) -> bool {
        let end = self.world.plan.end;
        self.run.advance(&mut self.world, &mut self.agenda, end, events)
    }

    /// The simulated time.
    pub(super) fn now(&self) -> Instant {
        self.run.progress.now
    }

    /// What was recorded.
    pub(super) fn finish(self) -> Facts {
        let Progress { events, now } = self.run.progress;
        let end = if self.world.is_finished() { now } else { self.world.plan.end };
        self.world.finish(end, self.seed, events)
    }
}

impl World<'_> {
    /// Carries out everything that is in line.
    fn work_off(&mut self, now: Instant, agenda: &mut Agenda) {
        while let Some(step) = self.work.pop_front() {
            match step {
                Step::Packet(onward) => self.carry(now, onward, agenda),
                Step::Tell { conversation, input } => self.tell(now, conversation, input, agenda),
            }
        }
    }

    /// Takes a packet as far as it comes at this instant, then what was emitted on its way. Rooms
    /// that have emitted more wait on a list, since a route may have any number of links.
    fn carry(&mut self, now: Instant, first: Onward, agenda: &mut Agenda) {
        let mut onward = first;
        loop {
            let next = self.enter(now, onward, agenda);
            let Some(next) = next.or_else(|| self.next_emitted(now, agenda)) else { return };
            onward = next;
        }
    }

    /// A packet enters a stage of its route. Returns the next one that leaves it at this instant.
    #[inline(always)]
    fn enter(&mut self, now: Instant, onward: Onward, agenda: &mut Agenda) -> Option<Onward> {
        let Onward { direction, mut stage, mut packet } = onward;
        let stages = &self.routes[direction as usize].stages;
        if stages[stage] == Stage::TunnelStart {
            stage += 1;
            self.enter_tunnel(direction, &mut packet);
        }
        match self.routes[direction as usize].stages[stage] {
            Stage::Link(number) => {
                let Placed { room, out, acks, .. } = &mut self.links[number];
                count(acks, &packet);
                room.on_packet(now, packet, out);
                self.next_of_link(now, number, agenda)
            }
            Stage::TunnelEnd(number) => {
                let Placed { room, out, acks, .. } = &mut self.tunnel_ends[number];
                count(acks, &packet);
                room.on_packet(now, packet, out);
                self.next_of_tunnel(number, agenda)
            }
            Stage::Radio => {
                let ue = ue_of(direction, &packet);
                count(&mut self.radio_acks[direction as usize], &packet);
                self.radio.on_packet(now, direction, ue, packet, &mut self.outboxes.radio);
                self.next_of_radio(now, agenda)
            }
            Stage::Server => {
                self.arrive(now, direction, packet, agenda);
                None
            }
            Stage::TunnelStart => unreachable!("a link follows the start of a tunnel"),
        }
    }

    /// The next packet of the rooms that have emitted more than one.
    #[inline]
    fn next_emitted(&mut self, now: Instant, agenda: &mut Agenda) -> Option<Onward> {
        while let Some(room) = self.emitted.pop() {
            let next = match room {
                Room::Link(number) => self.next_of_link(now, number, agenda),
                Room::TunnelEnd(number) => self.next_of_tunnel(number, agenda),
                Room::Radio => self.next_of_radio(now, agenda),
                other => unreachable!("{other:?} emits no packets for the next room"),
            };
            if next.is_some() {
                return next;
            }
        }
        None
    }

    fn enter_tunnel(&mut self, direction: Direction, packet: &mut Packet) {
        let tunnel = self.plan.tunnel.as_ref().expect("a route has this stage only with a tunnel");
        if let Some(largest) = tunnel.mss_clamp {
            mss_clamp::clamp(packet, largest);
        }
        let before = packet.length;
        gtpu::encapsulate(tunnel.config, packet);
        self.doors[direction as usize].tunnelled += packet.length - before;
    }

    /// The next packet that leaves a link, if any does at this instant.
    #[inline(always)]
    fn next_of_link(&mut self, now: Instant, number: usize, agenda: &mut Agenda) -> Option<Onward> {
        let Placed { slot, direction, stage, ref mut out, .. } = self.links[number];
        arm(agenda, slot, out.take_wake());
        while let Some(effect) = self.links[number].out.take_next() {
            match effect {
                link::Effect::Deliver(packet) => {
                    if !self.links[number].out.effects().is_empty() {
                        self.emitted.push(Room::Link(number));
                    }
                    return Some(Onward { direction, stage: stage + 1, packet });
                }
                link::Effect::Drop(packet, cause) => {
                    let site = Site::Link(number % self.plan.links.len());
                    self.on_drop(site, &packet, cause);
                }
                link::Effect::TooBig { refused, mtu } => {
                    let site = Site::Link(number % self.plan.links.len());
                    self.on_drop(site, &refused, DropCause::TooBig);
                    self.refuse(now, direction, &refused, mtu);
                }
            }
        }
        None
    }

    /// The same of a tunnel's end.
    #[inline(always)]
    fn next_of_tunnel(&mut self, number: usize, agenda: &mut Agenda) -> Option<Onward> {
        let Placed { slot, direction, stage, ref mut out, .. } = self.tunnel_ends[number];
        arm(agenda, slot, out.take_wake());
        while let Some(effect) = self.tunnel_ends[number].out.take_next() {
            match effect {
                gtpu::egress::Effect::Deliver(packet) => {
                    if !self.tunnel_ends[number].out.effects().is_empty() {
                        self.emitted.push(Room::TunnelEnd(number));
                    }
                    return Some(Onward { direction, stage: stage + 1, packet });
                }
                gtpu::egress::Effect::Drop(packet, cause) => {
                    self.on_drop(Site::Tunnel, &packet, cause);
                }
            }
        }
        None
    }

    /// The same of the radio; what it delivers to UEs has arrived.
    #[inline(always)]
    fn next_of_radio(&mut self, now: Instant, agenda: &mut Agenda) -> Option<Onward> {
        arm(agenda, self.radio_slot, self.outboxes.radio.take_wake());
        while let Some(effect) = self.outboxes.radio.take_next() {
            match effect {
                ran::Effect::Deliver { direction: Direction::Down, packet, .. } => {
                    self.arrive(now, Direction::Down, packet, agenda);
                }
                ran::Effect::Deliver { direction: Direction::Up, packet, .. } => {
                    if !self.outboxes.radio.effects().is_empty() {
                        self.emitted.push(Room::Radio);
                    }
                    let stage = self.routes[Direction::Up as usize].after_radio;
                    return Some(Onward { direction: Direction::Up, stage, packet });
                }
                ran::Effect::Drop { packet, cause, .. } => {
                    self.on_drop(Site::Radio, &packet, cause);
                }
            }
        }
        None
    }

    fn on_drop(&mut self, site: Site, packet: &Packet, cause: DropCause) {
        let conversation = self.flows[packet.flow.index()].conversation;
        self.recorder.on_drop(conversation, site, packet, cause);
    }

    /// A router could not forward a packet: it tells the sender, on the way back.
    fn refuse(&mut self, now: Instant, direction: Direction, refused: &Packet, mtu: Bytes) {
        let id = self.next_packet();
        let Some(reply) = path_mtu::too_big_reply(refused, mtu, SERVER, id, now) else { return };
        // The refusing router stands before its link; how far its answer travels back does not matter to
        // path MTU discovery, so it goes all the way of the other direction's last stages.
        let back = direction.opposite();
        let stage = self.routes[back as usize].stages.len() - 1;
        self.doors[back as usize].replied.add(reply.length);
        let onward = Onward { direction: back, stage, packet: Box::new(reply) };
        self.work.push_back(Step::Packet(onward));
    }

    /// A packet has come to the end of its route.
    #[inline(always)]
    fn arrive(
        &mut self,
        now: Instant,
        direction: Direction,
        packet: Box<Packet>,
        agenda: &mut Agenda,
    ) {
        self.doors[direction as usize].arrived.add(packet.length);
        self.hand_over(now, packet, agenda);
    }

    /// The host of its destination takes a packet.
    fn hand_over(&mut self, now: Instant, packet: Box<Packet>, agenda: &mut Agenda) {
        match packet.body {
            Body::Piece(_) => {
                let host = self.room_of(packet.destination);
                self.hosts[host].reassembler.on_packet(now, packet, &mut self.outboxes.host);
                self.after_host(now, host, agenda);
            }
            Body::Tcp(_) | Body::TooBig(_) => self.bring_to_end(now, packet, agenda),
            Body::Datagram(_) | Body::Echo(_) => self.bring_to_conversation(now, &packet),
        }
    }

    fn after_host(&mut self, now: Instant, host: usize, agenda: &mut Agenda) {
        arm(agenda, self.hosts[host].slot, self.outboxes.host.take_wake());
        while let Some(effect) = self.outboxes.host.take_next() {
            match effect {
                ip::Effect::Deliver(packet) => self.hand_over(now, packet, agenda),
                ip::Effect::Drop(packet, cause) => self.on_drop(Site::Host, &packet, cause),
            }
        }
    }

    /// Where a host is among `hosts`.
    fn room_of(&self, host: HostId) -> usize {
        match host.host() {
            Host::Server(number) => number as usize,
            Host::Ue(ue) => self.plan.servers as usize + ue.index(),
        }
    }

    fn next_packet(&mut self) -> PacketId {
        self.packets += 1;
        PacketId(self.packets - 1)
    }

    /// Sends a packet of a host on its way.
    fn send(&mut self, packet: Box<Packet>) {
        let direction = flow::direction_from(packet.source);
        self.doors[direction as usize].sent.add(packet.length);
        self.work.push_back(Step::Packet(Onward { direction, stage: 0, packet }));
    }
}

impl Driven for World<'_> {
    fn on_due(&mut self, now: Instant, slot: Slot, agenda: &mut Agenda) {
        let first = match self.rooms[slot.index()] {
            Room::Link(number) => {
                let Placed { room, out, .. } = &mut self.links[number];
                room.on_timer(now, out);
                self.next_of_link(now, number, agenda)
            }
            Room::TunnelEnd(number) => {
                let Placed { room, out, .. } = &mut self.tunnel_ends[number];
                room.on_timer(now, out);
                self.next_of_tunnel(number, agenda)
            }
            Room::Radio => {
                self.radio.on_timer(now, &mut self.outboxes.radio);
                self.next_of_radio(now, agenda)
            }
            Room::Host(number) => {
                self.hosts[number].reassembler.on_timer(now, &mut self.outboxes.host);
                self.after_host(now, number, agenda);
                None
            }
            Room::End(number) => {
                if let Some(paths) = &mut self.critical_paths
                    && let Some(cause) = self.ends[number].connection.awaited(now)
                {
                    paths.on_timer(now, number, cause);
                }
                self.ends[number].connection.on_timer(now, &mut self.outboxes.tcp);
                self.after_tcp(now, number, agenda);
                None
            }
            Room::Conversation(number) => {
                self.wake_conversation(now, number, agenda);
                None
            }
            Room::Sampler => {
                self.sample(now, slot, agenda);
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

    fn name(&self, slot: Slot) -> String {
        format!("{:?}", self.rooms[slot.index()])
    }
}

/// Counts a packet if it is an acknowledgement.
fn count(acks: &mut Count, packet: &Packet) {
    if packet.is_bare_segment() {
        acks.add(packet.length);
    }
}

/// Arms a slot as its room wished.
#[inline(always)]
fn arm(agenda: &mut Agenda, slot: Slot, wake: Wake) {
    match wake {
        Wake::Unchanged => {}
        Wake::At(at) => agenda.arm(slot, at),
        Wake::Never => agenda.disarm(slot),
    }
}

/// The UE that a packet goes to or comes from.
fn ue_of(direction: Direction, packet: &Packet) -> UeId {
    let host = match direction {
        Direction::Down => packet.destination,
        Direction::Up => packet.source,
    };
    match host.host() {
        Host::Ue(ue) => ue,
        Host::Server(number) => panic!("server {number} has no radio"),
    }
}
