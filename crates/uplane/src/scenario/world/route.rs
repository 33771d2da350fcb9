//! The way of packets through the stages between server and UE, in each direction.
//!
//! In: the plan. Out: two lists of stages. Down: links, with the tunnel around some of them, then
//! the radio. Up: the mirror image.

use std::collections::BTreeMap;

use super::super::plan::{Plan, RadioPlan};
use crate::net::{Count, Direction, Packet, Tally, gtpu, link};
use crate::ran::cell::Workers;
use crate::ran::dual_connectivity::DualConnectivity;
use crate::ran::{self, fixed, geran, lte};
use crate::record::Tables;
use crate::sim::{Outbox, Streams};
use crate::unit::{Duration, Instant, UeId};

/// One direction's stages.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) stages: Vec<Stage>,
    /// The next stage of a packet that has crossed the radio in the uplink.
    pub(super) after_radio: u32,
    /// By the number of a server, the stage at which its packets join the route, or leave it.
    pub(super) doors: Vec<usize>,
}

impl Route {
    /// Returns the positions of all stages.
    pub(super) fn places(&self) -> BTreeMap<Stage, u32> {
        places(&self.stages)
    }
}

fn places(stages: &[Stage]) -> BTreeMap<Stage, u32> {
    stages.iter().copied().zip(0..).collect()
}

/// Something that a packet passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Gets a tunnel around it.
    TunnelStart,
    /// A link, by its number in the world.
    Link(usize),
    /// Loses its tunnel, by its number in the world.
    TunnelEnd(usize),
    /// The radio.
    Radio,
    /// The server.
    Server,
}

/// Returns the routes down and up. The link at position `p` of the plan is number `p` down and
/// `count + p` up.
pub(super) fn routes(plan: &Plan) -> [Route; 2] {
    let count = plan.links.len();
    let tunnel = plan.tunnel.as_ref().map(|tunnel| (tunnel.first, tunnel.last));
    let mut down = along(0..count, tunnel, 0, 0);
    down.push(Stage::Radio);
    let mirrored = tunnel.map(|(first, last)| (last, first));
    let mut up = vec![Stage::Radio];
    up.extend(along((0..count).rev(), mirrored, count, 1));
    up.push(Stage::Server);
    let [joins, leaves] = [Direction::Down, Direction::Up].map(|direction| {
        let stages = [&down, &up][direction as usize];
        let places = places(stages);
        plan.server_links
            .iter()
            .map(|&link| door(stages, &places, link, count, direction))
            .collect()
    });
    [
        Route { stages: down, after_radio: 0, doors: joins },
        Route { stages: up, after_radio: 1, doors: leaves },
    ]
}

/// The stage at which packets of a server at this link join the route down: that link, or the
/// tunnel around it. The one at which they leave the route up: what follows that link or tunnel.
fn door(
    stages: &[Stage],
    places: &BTreeMap<Stage, u32>,
    link: usize,
    count: usize,
    direction: Direction,
) -> usize {
    let is_at = |number: usize| places.get(&Stage::Link(number)).map(|&place| place as usize);
    match direction {
        Direction::Down => {
            let at = is_at(link).unwrap_or(0);
            if at > 0 && stages[at - 1] == Stage::TunnelStart { at - 1 } else { at }
        }
        Direction::Up => {
            let after = is_at(count + link).map_or(1, |at| at + 1);
            if matches!(stages[after], Stage::TunnelEnd(_)) { after + 1 } else { after }
        }
    }
}

/// Stages along the links at these positions, with a tunnel from the first to the last given.
fn along(
    positions: impl Iterator<Item = usize>,
    tunnel: Option<(usize, usize)>,
    first_link: usize,
    tunnel_end: usize,
) -> Vec<Stage> {
    let mut stages = Vec::new();
    for position in positions {
        if tunnel.is_some_and(|(first, _)| first == position) {
            stages.push(Stage::TunnelStart);
        }
        stages.push(Stage::Link(first_link + position));
        if tunnel.is_some_and(|(_, last)| last == position) {
            stages.push(Stage::TunnelEnd(tunnel_end));
        }
    }
    stages
}

/// Creates the link at this position of the plan, in this direction.
pub(super) fn link(
    plan: &Plan,
    position: usize,
    direction: Direction,
    streams: Streams,
) -> link::Link {
    let link = &plan.links[position];
    let entity = format!("link/{}/{}", link.name, direction.name());
    let way = direction as usize;
    link::Link::new(&link.ways[way], streams, &entity).losing(&link.lost[way])
}

/// Creates a receiving end of the tunnel.
pub(super) fn tunnel_end(plan: &Plan) -> gtpu::Egress {
    let tunnel = plan.tunnel.as_ref().expect("a route has this stage only with a tunnel");
    gtpu::Egress::new(tunnel.end)
}

/// The radio of a run, one of the kinds.
pub(super) enum Radio {
    Fixed(fixed::Radio),
    Geran(geran::Radio),
    Cell(Box<lte::Cell>),
    Network(Box<lte::Network>),
    EnDc(Box<DualConnectivity>),
}

impl Radio {
    pub(super) fn new(plan: &Plan, streams: Streams) -> Self {
        let mut radio = Self::of(plan, streams);
        match &mut radio {
            Self::Cell(cell) if plan.record.radio => cell.capture(),
            Self::Network(network) if plan.record.radio => network.capture(),
            Self::Fixed(_) | Self::Geran(_) | Self::Cell(_) | Self::Network(_) | Self::EnDc(_) => {}
        }
        radio
    }

    fn of(plan: &Plan, streams: Streams) -> Self {
        let ues = plan.ues.len() as u32;
        match &plan.radio {
            RadioPlan::Fixed(config) => Self::Fixed(fixed::Radio::new(config, ues, streams)),
            RadioPlan::Geran(config) => Self::Geran(geran::Radio::new(config, ues, streams)),
            RadioPlan::Cell(cell) => Self::Cell(Box::new(lte::Cell::new(cell, streams))),
            RadioPlan::Network(network) => {
                Self::Network(Box::new(lte::Network::new(network, streams)))
            }
            RadioPlan::EnDc(plan) => {
                Self::EnDc(Box::new(DualConnectivity::new(plan, ues, streams)))
            }
        }
    }

    /// Lets `workers` compute a network of cells from now on. Other radios have one part only.
    pub(super) fn employ(&mut self, workers: Box<dyn Workers>) {
        if let Self::Network(network) = self {
            network.employ(workers);
        }
    }

    /// Returns the time of the first timer, which is due even if no packet arrives.
    pub(super) fn first_wake(&mut self) -> Option<Instant> {
        match self {
            Self::Fixed(_) | Self::Geran(_) => None,
            Self::Cell(cell) => cell.first_wake(),
            Self::Network(network) => network.first_wake(),
            Self::EnDc(radio) => radio.first_wake(),
        }
    }

    pub(super) fn on_packet(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: UeId,
        packet: Box<Packet>,
        out: &mut Outbox<ran::Effect>,
    ) {
        match self {
            Self::Fixed(radio) => radio.on_packet(now, direction, ue, packet, out),
            Self::Geran(radio) => radio.on_packet(now, direction, ue, packet, out),
            Self::Cell(cell) => cell.on_packet(now, direction, ue, packet, out),
            Self::Network(network) => network.on_packet(now, direction, ue, packet, out),
            Self::EnDc(radio) => radio.on_packet(now, direction, ue, packet, out),
        }
    }

    pub(super) fn on_timer(&mut self, now: Instant, out: &mut Outbox<ran::Effect>) {
        match self {
            Self::Fixed(radio) => radio.on_timer(now, out),
            Self::Geran(radio) => radio.on_timer(now, out),
            Self::Cell(cell) => cell.on_timer(now, out),
            Self::Network(network) => network.on_timer(now, out),
            Self::EnDc(radio) => radio.on_timer(now, out),
        }
    }

    pub(super) fn tally(&self, direction: Direction) -> Tally {
        match self {
            Self::Fixed(radio) => radio.tally(direction),
            Self::Geran(radio) => radio.tally(direction),
            Self::Cell(cell) => cell.tally(direction),
            Self::Network(network) => network.tally(direction),
            Self::EnDc(radio) => radio.tally(direction),
        }
    }

    /// Counts the packets inside in this direction, one by one.
    pub(super) fn held(&self, direction: Direction) -> Count {
        match self {
            Self::Fixed(radio) => radio.held(direction),
            Self::Geran(radio) => radio.held(direction),
            Self::Cell(cell) => cell.held(direction),
            Self::Network(network) => network.held(direction),
            Self::EnDc(radio) => radio.held(direction),
        }
    }

    /// Returns the number of captured facts that become rows when the run ends.
    pub(super) fn captured(&self) -> u64 {
        match self {
            Self::Cell(cell) => cell.captured(),
            Self::Network(network) => network.captured(),
            Self::Fixed(_) | Self::Geran(_) | Self::EnDc(_) => 0,
        }
    }

    /// Writes a sample of queues, and of the events during the last `period`.
    pub(super) fn sample(
        &mut self,
        now: Instant,
        period: Duration,
        ues: &[String],
        tables: &mut Tables,
    ) {
        match self {
            Self::Fixed(radio) => radio.sample(now, ues, tables),
            Self::Geran(radio) => radio.sample(now, ues, tables),
            Self::Cell(cell) => cell.sample(now, period, ues, tables),
            Self::Network(network) => network.sample(now, period, ues, tables),
            Self::EnDc(radio) => radio.sample(now, ues, tables),
        }
    }

    /// Writes the totals until `now` into the radio's own tables, if it has any.
    pub(super) fn report(&self, now: Instant, ues: &[String], tables: &mut Tables) {
        match self {
            Self::Fixed(_) | Self::Geran(_) => {}
            Self::Cell(cell) => cell.report(now, ues, tables),
            Self::Network(network) => network.report(now, ues, tables),
            Self::EnDc(radio) => radio.report(now, ues, tables),
        }
    }
}
