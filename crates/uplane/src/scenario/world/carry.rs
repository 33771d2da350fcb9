//! Carries a packet from entity to entity, along its route.
//!
//! In: a packet before a stage. Out: all that happens to it at this instant: it stays in an entity,
//! reaches a host, or is dropped.

use super::recorder::Site;
use super::route::Stage;
use super::{Entity, Onward, Placed, Step, World, arm};
use crate::net::{Count, Direction, DropCause, Packet, gtpu, link, mss_clamp, path_mtu};
use crate::ran;
use crate::scenario::plan::SERVER;
use crate::sim::Agenda;
use crate::unit::{Bytes, Host, HostId, Instant, UeId};

impl World<'_> {
    /// Carries a packet through all entities that it passes at this instant, then the effects that
    /// were emitted on its way. Entities with further effects wait in a list, not on the stack,
    /// since a route may have any number of links.
    pub(super) fn carry(&mut self, now: Instant, first: Onward, agenda: &mut Agenda) {
        let mut onward = Some(first);
        while let Some(packet) = onward {
            onward = self.enter(now, packet, agenda).or_else(|| self.next_emitted(now, agenda));
        }
    }

    /// Lets a packet enter a stage of its route. Returns the next packet that leaves the stage at
    /// this instant.
    ///
    /// A function of its own for speed: most packets enter one entity at an instant, and in a loop
    /// the compiler would prepare registers for all kinds of entities in each pass.
    #[inline(never)]
    fn enter(&mut self, now: Instant, onward: Onward, agenda: &mut Agenda) -> Option<Onward> {
        let Onward { direction, stage, mut packet } = onward;
        let mut stage = stage as usize;
        let mut entered = self.routes[direction as usize].stages[stage];
        // The ends of a tunnel mostly hold nothing up.
        loop {
            match entered {
                Stage::TunnelStart => self.enter_tunnel(direction, &mut packet),
                Stage::TunnelEnd(number) if self.passes_tunnel(now, number, &mut packet) => {}
                _ => break,
            }
            stage += 1;
            entered = self.routes[direction as usize].stages[stage];
        }
        match entered {
            Stage::Link(_) if self.is_at_server(direction, stage, &packet) => {
                self.arrive(now, direction, stage, packet, agenda);
                None
            }
            Stage::Link(number) => {
                let Placed { own, out, acks, entity, .. } = &mut self.links[number];
                count(acks, &packet);
                match own.carry(now, packet) {
                    Ok(wake) => {
                        if let Some(at) = wake {
                            agenda.arm(*entity, at);
                        }
                        None
                    }
                    Err(packet) => {
                        own.on_packet(now, packet, out);
                        self.next_of_link(now, number, agenda)
                    }
                }
            }
            Stage::TunnelEnd(number) => {
                let Placed { own, out, .. } = &mut self.tunnel_ends[number];
                own.on_packet(now, packet, out);
                self.next_of_tunnel(number, agenda)
            }
            Stage::Radio => {
                let ue = ue_of(direction, &packet);
                count(&mut self.radio_acks[direction as usize], &packet);
                self.radio.on_packet(now, direction, ue, packet, &mut self.outboxes.radio);
                self.next_of_radio(now, agenda)
            }
            Stage::Server => {
                self.arrive(now, direction, stage, packet, agenda);
                None
            }
            Stage::TunnelStart => unreachable!("the start of a tunnel holds nothing up"),
        }
    }

    /// Hands a packet to the receiving end of a tunnel. Returns `true` if it leaves at this
    /// instant.
    #[inline]
    fn passes_tunnel(&mut self, now: Instant, number: usize, packet: &mut Packet) -> bool {
        let Placed { own, acks, .. } = &mut self.tunnel_ends[number];
        count(acks, packet);
        own.passes(now, packet)
    }

    /// Returns `true` if a packet has reached the place of its server before the last link.
    #[inline]
    fn is_at_server(&self, direction: Direction, stage: usize, packet: &Packet) -> bool {
        direction == Direction::Up
            && self.plan.server_links.len() > 1
            && self.server_door(direction, packet.destination) == stage
    }

    /// Returns the stage at which packets of this server join or leave a route.
    pub(super) fn server_door(&self, direction: Direction, server: HostId) -> usize {
        match server.host() {
            Host::Server(number) => self.routes[direction as usize].doors[number as usize],
            Host::Ue(ue) => panic!("{ue:?} stands at no link"),
        }
    }

    /// Returns the next packet of the entities that have emitted more than one.
    #[inline]
    fn next_emitted(&mut self, now: Instant, agenda: &mut Agenda) -> Option<Onward> {
        if self.emitted.is_empty() { None } else { self.next_of_many(now, agenda) }
    }

    #[inline(never)]
    fn next_of_many(&mut self, now: Instant, agenda: &mut Agenda) -> Option<Onward> {
        while let Some(entity) = self.emitted.pop() {
            let next = match entity {
                Entity::Link(number) => self.next_of_link(now, number, agenda),
                Entity::TunnelEnd(number) => self.next_of_tunnel(number, agenda),
                Entity::Radio => self.next_of_radio(now, agenda),
                other => unreachable!("{other:?} emits no packets for the next entity"),
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

    /// Returns the next packet that leaves a link at this instant, and records drops.
    #[inline(always)]
    pub(super) fn next_of_link(
        &mut self,
        now: Instant,
        number: usize,
        agenda: &mut Agenda,
    ) -> Option<Onward> {
        loop {
            let Placed { entity, direction, stage, out, .. } = &mut self.links[number];
            arm(agenda, *entity, out.take_wake());
            match out.take_next()? {
                link::Effect::Deliver(packet) => {
                    if !out.is_empty() {
                        self.emitted.push(Entity::Link(number));
                    }
                    return Some(Onward { direction: *direction, stage: *stage + 1, packet });
                }
                gone => self.lose(now, number, gone),
            }
        }
    }

    /// Records a packet that a link drops.
    #[cold]
    fn lose(&mut self, now: Instant, number: usize, effect: link::Effect) {
        let Placed { site, direction, .. } = self.links[number];
        match effect {
            link::Effect::Drop(packet, cause) => self.on_drop(site, &packet, cause),
            link::Effect::TooBig { refused, mtu } => {
                self.on_drop(site, &refused, DropCause::TooBig);
                self.refuse(now, direction, &refused, mtu);
            }
            link::Effect::Deliver(packet) => unreachable!("{packet:?} is delivered"),
        }
    }

    /// Returns the next packet that leaves a tunnel's end at this instant, and records drops.
    #[inline(always)]
    pub(super) fn next_of_tunnel(&mut self, number: usize, agenda: &mut Agenda) -> Option<Onward> {
        loop {
            let Placed { entity, direction, stage, out, .. } = &mut self.tunnel_ends[number];
            arm(agenda, *entity, out.take_wake());
            match out.take_next()? {
                gtpu::egress::Effect::Deliver(packet) => {
                    if !out.is_empty() {
                        self.emitted.push(Entity::TunnelEnd(number));
                    }
                    return Some(Onward { direction: *direction, stage: *stage + 1, packet });
                }
                gtpu::egress::Effect::Drop(packet, cause) => {
                    self.on_drop(Site::Tunnel, &packet, cause);
                }
            }
        }
    }

    /// Returns the next packet that leaves the radio in the uplink at this instant. Hands packets
    /// of the downlink to their UEs, and records drops.
    #[inline(always)]
    pub(super) fn next_of_radio(&mut self, now: Instant, agenda: &mut Agenda) -> Option<Onward> {
        arm(agenda, self.radio_entity, self.outboxes.radio.take_wake());
        loop {
            match self.outboxes.radio.take_next()? {
                ran::Effect::Deliver { direction: Direction::Down, packet, .. } => {
                    let last = self.routes[Direction::Down as usize].stages.len();
                    self.arrive(now, Direction::Down, last, packet, agenda);
                }
                ran::Effect::Deliver { direction: Direction::Up, packet, .. } => {
                    if !self.outboxes.radio.is_empty() {
                        self.emitted.push(Entity::Radio);
                    }
                    let stage = self.routes[Direction::Up as usize].after_radio;
                    return Some(Onward { direction: Direction::Up, stage, packet });
                }
                ran::Effect::Drop { packet, cause, .. } => {
                    self.on_drop(Site::Radio, &packet, cause);
                }
            }
        }
    }

    pub(super) fn on_drop(&mut self, site: Site, packet: &Packet, cause: DropCause) {
        let app_session = self.flows[packet.flow.index()].app_session;
        self.recorder.on_drop(app_session, site, packet, cause);
    }

    /// Sends the ICMP message of a router that could not forward a packet back to the sender.
    fn refuse(&mut self, now: Instant, direction: Direction, refused: &Packet, mtu: Bytes) {
        let id = self.next_packet();
        let Some(reply) = path_mtu::too_big_reply(refused, mtu, SERVER, id, now) else { return };
        // The refusing router is before its link; how far its answer travels back does not matter
        // to path MTU discovery, so it takes the last stages of the other direction.
        let back = direction.opposite();
        let stage = self.routes[back as usize].stages.len() as u32 - 1;
        self.doors[back as usize].replied.add(reply.length);
        let onward = Onward { direction: back, stage, packet: Box::new(reply) };
        self.work.push_back(Step::Packet(onward));
    }
}

/// Counts a packet if it is an acknowledgement.
fn count(acks: &mut Count, packet: &Packet) {
    if packet.is_bare_segment() {
        acks.add(packet.length);
    }
}

/// Returns the UE that receives or sends a packet.
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
