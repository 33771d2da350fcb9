//! Before the run: every entity is made, entered on the agenda, and put on the routes.
//!
//! In: the plan, random streams. Out: a world in which nothing has happened, with applications
//! armed for their starts.

use std::collections::VecDeque;

use super::app_session::AppSession;
use super::conservation::Doors;
use super::critical_path::CriticalPaths;
use super::fast_open::Cookies;
use super::quic::Quic;
use super::recorder::{Recorder, Site};
use super::route::{self, Radio, Stage};
use super::{Entity, Outboxes, Placed, World, tables};
use crate::net::ip::{self, Reassembler};
use crate::net::{Count, Direction};
use crate::scenario::plan::Plan;
use crate::sim::{Agenda, EntityId, Outbox, Streams};
use crate::unit::{Duration, Instant};

impl<'a> World<'a> {
    pub(super) fn wire(plan: &'a Plan, streams: Streams, agenda: &mut Agenda) -> Self {
        let routes = route::routes(plan);
        let doors = routes.each_ref().map(|route| Doors::new(route.stages.len()));
        let mut world = Self {
            plan,
            entities: vec![Entity::Radio, Entity::Hosts],
            work: VecDeque::new(),
            emitted: Vec::new(),
            routes,
            links: Vec::new(),
            tunnel_ends: Vec::new(),
            radio: Radio::new(plan, streams),
            radio_entity: agenda.add(),
            radio_acks: [Count::default(); 2],
            reassembler: Reassembler::new(ip::REASSEMBLY_TIMEOUT),
            hosts_entity: agenda.add(),
            doors,
            app_sessions: Vec::new(),
            flows: Vec::new(),
            ends: Vec::new(),
            cookies: Cookies::default(),
            quic: Quic::new(streams),
            recorder: Recorder::new(plan, tables::declare()),
            critical_paths: plan.record.critical_path.then(CriticalPaths::default),
            sampled: Instant::ZERO,
            packets: 0,
            unfinished: plan.apps.len(),
            outboxes: Outboxes::default(),
        };
        world.wire_routes(streams, agenda);
        if let Some(at) = world.radio.first_wake() {
            agenda.arm(world.radio_entity, at);
        }
        for (number, app) in plan.apps.iter().enumerate() {
            let entity = world.entity(agenda, Entity::AppSession(number));
            world.app_sessions.push(AppSession::new(app, entity));
            let mut draw = streams.open(&format!("app/{number}"), "start");
            let later = Duration::from_nanos(draw.below(app.spread.as_nanos()));
            agenda.arm(entity, app.start + later);
        }
        if plan.record.series.is_some() {
            let entity = world.entity(agenda, Entity::Sampler);
            agenda.arm(entity, Instant::ZERO);
        }
        world
    }

    fn wire_routes(&mut self, streams: Streams, agenda: &mut Agenda) {
        for direction in [Direction::Down, Direction::Up] {
            let places = self.routes[direction as usize].places();
            for position in 0..self.plan.links.len() {
                let entity = self.entity(agenda, Entity::Link(self.links.len()));
                let stage = places[&Stage::Link(self.links.len())];
                let own = route::link(self.plan, position, direction, streams);
                let out = Outbox::default();
                let acks = Count::default();
                let site = Site::Link(position);
                self.links.push(Placed { own, out, entity, site, direction, stage, acks });
            }
            if self.plan.tunnel.is_some() {
                let entity = self.entity(agenda, Entity::TunnelEnd(self.tunnel_ends.len()));
                let end = Stage::TunnelEnd(self.tunnel_ends.len());
                let stage = places[&end];
                let own = route::tunnel_end(self.plan);
                let out = Outbox::default();
                let acks = Count::default();
                let site = Site::Tunnel;
                self.tunnel_ends.push(Placed { own, out, entity, site, direction, stage, acks });
            }
        }
    }

    /// Enters this entity on the agenda.
    pub(super) fn entity(&mut self, agenda: &mut Agenda, entity: Entity) -> EntityId {
        self.entities.push(entity);
        agenda.add()
    }
}
