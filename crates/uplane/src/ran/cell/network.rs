//! Many cells of one kind on one carrier: sites of three sectors, and UEs that receive all of them
//! (TR 36.814 §A.2.1.1).
//!
//! In: IP packets, each for one UE and one direction. Out: the same packets, in order, or dropped
//! with a cause.
//!
//! A [`Cell`] schedules and carries; the network knows which UE is in which cell, and what each
//! receives of the others. All cells have the same grid of slots, and the same TDD pattern. Only
//! cells that have something to do in a slot are called, and a cell without UEs exists as
//! interference alone.
//!
//! Where cells are coupled a slot has two phases: first all cells of the slot schedule, then all
//! blocks are received with what the others really send on the same resource blocks.
//!
//! Left out: a handover into another of its cells (a UE that changes its cell comes into one like
//! its own), uplink interference of single UEs (a constant over thermal noise stands for it, or its
//! mean), coordination between cells. A packet that arrives at the very instant at which a slot
//! begins may wake a cell after the others have received that slot; then they have not received its
//! interference. Who studies mobility or inter- cell coordination can tell.

mod report;

use std::sync::Arc;

pub(super) use report::{CellRow, UeRow};
pub use report::{UePlace, UeReport};

use super::air::{Environment, Interference, Neighbour, Neighbours, Propagation, RadioLink};
use super::attach::AttachedUe;
use super::base_station::RbgAllocation;
use super::config::Conditions;
use super::possible::NetworkPlan;
use super::rbg::GroupSet;
use super::{Cell, Effect};
use crate::net::{Direction, Packet};
use crate::sim::{Agenda, EntityId, Outbox, Streams};
use crate::unit::{CellId, Instant, UeId};

/// Cells with UEs, and everything between them.
#[derive(Clone, Debug)]
pub struct Network {
    cells: Vec<Member>,
    /// By UE: the position of its cell, and its number there.
    homes: Vec<(usize, UeId)>,
    places: Vec<UePlace>,
    agenda: Agenda,
    /// What the cells sent in the slot that began last; none where they do not interfere with each
    /// other.
    neighbours: Option<Neighbours>,
    /// Cells called at this instant, and those that tick.
    due: Vec<usize>,
    ticking: Vec<(usize, u64)>,
}

#[derive(Clone, Debug)]
struct Member {
    id: CellId,
    cell: Cell,
    entity: EntityId,
}

impl Network {
    /// A network in which nothing has happened.
    pub fn new(plan: &NetworkPlan, streams: Streams) -> Self {
        let NetworkPlan { cells, carrier, air, ues } = plan;
        let config = cells.config();
        let least = config.uplink.channel.capacity.smallest_allocation();
        let shared = Arc::new(Propagation::new(air, carrier, config.tti.length(), least));
        let placements = air.geometry.place_all(*ues, streams);
        let cell_count = air.geometry.layout.cells().count();
        let mut populated: Vec<CellId> = placements.iter().map(|place| place.serving).collect();
        populated.sort_unstable();
        populated.dedup();
        let position = |cell: CellId| populated.binary_search(&cell).ok();
        let place = |cell| position(cell).map(|at| at as u32);
        let neighbour = |cell| match air.interference {
            Interference::Full => Neighbour::Mean(1.0),
            Interference::Load(load) => Neighbour::Mean(load.value()),
            Interference::Coupled { idle } => position(cell)
                .map_or(Neighbour::Mean(idle.value()), |at| Neighbour::Simulated(at as u32)),
        };
        let mut attached: Vec<Vec<AttachedUe>> = vec![Vec::new(); populated.len()];
        let (mut homes, mut places) = (Vec::new(), Vec::new());
        for placement in &placements {
            let home = position(placement.serving).expect("a UE populates its cell");
            homes.push((home, UeId(attached[home].len() as u32)));
            let path =
                RadioLink::new(&shared, placement, cell_count as u32, neighbour, place, streams);
            places.push(UePlace::new(placement, &path));
            attached[home].push(attached_ue(&shared, placement.ue, path));
        }
        let cells = populated.iter().zip(attached).zip(0..).map(|((&id, attached), place)| {
            let air = Environment::new(Arc::clone(&shared), id, place, populated.len());
            (id, Cell::with_ues(cells, attached, Some(air), streams))
        });
        let coupled = matches!(air.interference, Interference::Coupled { .. });
        let neighbours = (coupled || air.uplink_coupled).then(|| Neighbours::new(populated.len()));
        Self::of(cells.collect(), homes, places, neighbours)
    }

    fn of(
        cells: Vec<(CellId, Cell)>,
        homes: Vec<(usize, UeId)>,
        places: Vec<UePlace>,
        neighbours: Option<Neighbours>,
    ) -> Self {
        let mut agenda = Agenda::default();
        let cells = cells.into_iter().map(|(id, cell)| Member { id, cell, entity: agenda.add() });
        let cells = cells.collect();
        let (due, ticking) = (Vec::new(), Vec::new());
        let mut network = Self { cells, homes, places, agenda, neighbours, due, ticking };
        (0..network.cells.len()).for_each(|cell| network.arm(cell));
        network
    }

    /// When it wants to be called for the first time, whatever comes.
    pub fn first_wake(&mut self) -> Option<Instant> {
        self.agenda.next_due()
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
        let (home, local) = self.homes[ue.index()];
        self.cells[home].cell.on_packet(now, direction, local, packet, out);
        self.arm(home);
        out.wake(self.agenda.next_due());
    }

    /// Does what is due.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.due.clear();
        let mut arrived = false;
        while let Some((_, entity)) = self.agenda.pop(now) {
            arrived |= self.cells[entity.index()].cell.wake_up(now, out);
            self.due.push(entity.index());
        }
        // What arrived may cause packets at this very instant, for any cell: they are handled
        // before the slot.
        if !arrived {
            self.due.sort_unstable();
            self.tick(now, out);
        }
        for place in 0..self.due.len() {
            let cell = self.due[place];
            self.cells[cell].cell.rest(now, out);
            self.arm(cell);
        }
        out.wake(self.agenda.next_due());
    }

    /// The slot that begins now, in all cells that have work in it. Each step is done for all cells
    /// before the next one, since the code of one step fits into a processor's cache, and that of
    /// all does not.
    fn tick(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.ticking.clear();
        for &place in &self.due {
            let cell = &mut self.cells[place].cell;
            let Some(slot) = cell.tick_due(now) else { continue };
            self.ticking.push((place, slot));
            if let Some(neighbours) = &mut self.neighbours {
                let capacity = &cell.setup.capacity;
                neighbours.begin(slot, |way, from, to| capacity[way].slots_with_any(from, to));
                cell.copy_neighbours(neighbours);
            }
            cell.begin(slot, now, out);
        }
        for turn in 0..2 {
            for &(place, slot) in &self.ticking {
                let cell = &mut self.cells[place].cell;
                cell.schedule(cell.turns(slot)[turn], slot, now, out);
            }
        }
        if let Some(neighbours) = &mut self.neighbours {
            for &(place, _) in &self.ticking {
                let (groups, share) = self.cells[place].cell.used_groups();
                neighbours.send(place, groups, share);
                self.cells[place].cell.interfere(neighbours);
            }
        }
        for &(place, slot) in &self.ticking {
            let cell = &mut self.cells[place].cell;
            if let Some(neighbours) = &self.neighbours {
                cell.copy_neighbours(neighbours);
            }
            cell.receive(slot, now);
        }
    }

    fn arm(&mut self, cell: usize) {
        let Member { cell, entity, .. } = &self.cells[cell];
        match cell.wakes.at() {
            Some(at) => self.agenda.arm(*entity, at),
            None => self.agenda.disarm(*entity),
        }
    }
}

impl Cell {
    /// The conditions of the slot that begins, as the network knows them.
    fn copy_neighbours(&mut self, neighbours: &Neighbours) {
        if let Some(environment) = &mut self.air.environment {
            environment.neighbours.copy_from(neighbours);
        }
    }

    /// Tells the other base stations what they hear of the UEs that send in this slot.
    fn interfere(&self, neighbours: &mut Neighbours) {
        if let Some(environment) = &self.air.environment {
            environment.interfere(&self.air.links, neighbours);
        }
    }

    /// Groups that this cell uses in the slot just scheduled, and their share of the band.
    fn used_groups(&self) -> (GroupSet, f64) {
        self.base.allocation.as_ref().map_or((GroupSet::NONE, 0.0), RbgAllocation::used)
    }
}

fn attached_ue(air: &Propagation, id: UeId, path: RadioLink) -> AttachedUe {
    let conditions =
        Conditions { downlink: path.mean(air).into(), uplink: path.mean_uplink().into() };
    AttachedUe { id, radio: Some((Box::new(path), conditions)) }
}

#[cfg(test)]
mod tests;
