//! Many cells of one kind on one carrier: sites of three sectors, and UEs that receive all cells
//! (TR 36.814 §A.2.1.1).
//!
//! In: IP packets, each for one UE and one direction. Out: these packets, in order, or dropped with
//! a cause.
//!
//! A [`Cell`] schedules and transmits; the network has the cell of each UE, and the interference
//! between cells. All cells have one grid of slots, and one TDD pattern. Only cells with work in a
//! slot are called. A cell without UEs exists only as interference.
//!
//! If cells are coupled, a slot has two phases: first all cells schedule the slot, then all blocks
//! are received with the actual transmissions of the other cells on the same resource blocks.
//!
//! Left out: a handover into another cell of the network (a UE that changes its cell comes into an
//! equal cell), uplink interference of single UEs (a constant over thermal noise replaces it, or
//! its mean), coordination between cells. A packet that arrives exactly when a slot begins may wake
//! a cell after the others have received that slot; then they have not received its interference.
//! This matters for studies of mobility or inter-cell coordination.

mod part;
mod report;
mod workers;

use std::sync::Arc;

pub use part::Part;
use part::{Member, Step, Task};
pub(super) use report::{CellRow, UeRow};
pub use report::{UePlace, UeReport};
pub use workers::Workers;

use super::air::{Environment, Interference, Neighbour, Neighbours, Propagation, RadioLink};
use super::attach::AttachedUe;
use super::base_station::RbgAllocation;
use super::config::Conditions;
use super::possible::NetworkPlan;
use super::rbg::GroupSet;
use super::{Cell, Effect};
use crate::net::{Direction, Packet};
use crate::sim::{Agenda, Outbox, Streams};
use crate::unit::{CellId, Instant, UeId};

/// Cells with UEs, and the interference between them.
#[derive(Debug)]
pub struct Network {
    /// All cells, in their order; one part without workers.
    #[expect(clippy::vec_box, reason = "parts go to other threads without being moved")]
    parts: Vec<Box<Part>>,
    /// Part of each cell, and the position of the cell in the part.
    addresses: Vec<(usize, usize)>,
    /// Cell of each UE, and its number in the cell.
    homes: Vec<(usize, UeId)>,
    places: Vec<UePlace>,
    agenda: Agenda,
    /// Transmissions of the cells in the slot that began last; `None` if cells do not interfere
    /// with each other.
    neighbours: Option<Neighbours>,
    /// Cells called at this instant.
    due: Vec<usize>,
    workers: Option<Box<dyn Workers>>,
}

impl Network {
    /// Creates a network at the start of a run.
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
        let parts = vec![Box::new(Part::new(cells.collect()))];
        let addresses = addresses(&parts);
        let (due, workers) = (Vec::new(), None);
        let mut network =
            Self { parts, addresses, homes, places, agenda, neighbours, due, workers };
        (0..network.addresses.len()).for_each(|cell| network.arm(cell));
        network
    }

    /// Sets the workers that process the cells from now on, which changes no result.
    pub fn employ(&mut self, workers: Box<dyn Workers>) {
        self.parts = part::divide(self.parts.drain(..), workers.count());
        self.addresses = addresses(&self.parts);
        self.workers = Some(workers);
    }

    /// Returns the time of the first call, if nothing arrives before.
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
        self.member_mut(home).cell.on_packet(now, direction, local, packet, out);
        self.arm(home);
        out.wake(self.agenda.next_due());
    }

    /// Handles everything due at `now`.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.find_due(now);
        // Arrivals may cause packets at this very instant, for any cell. They are handled before
        // the slot.
        if !self.wake_up(now, out) {
            self.tick(out);
        }
        self.parts.iter_mut().for_each(|part| part.rest());
        for place in 0..self.due.len() {
            self.arm(self.due[place]);
        }
        out.wake(self.agenda.next_due());
    }

    /// Finds the cells that are called at this instant.
    fn find_due(&mut self, now: Instant) {
        self.due.clear();
        self.parts.iter_mut().for_each(|part| part.begin_instant(now));
        while let Some((_, entity)) = self.agenda.pop(now) {
            let cell = entity.index();
            let (part, member) = self.addresses[cell];
            self.parts[part].call(member);
            self.due.push(cell);
        }
    }

    /// Delivers blocks that arrived at the due cells, and handles their timers. Returns `true` if
    /// anything arrived.
    fn wake_up(&mut self, now: Instant, out: &mut Outbox<Effect>) -> bool {
        let mut arrived = false;
        if self.is_worth_sharing() {
            self.share(Task::WakeUp);
            for &cell in &self.due {
                self.parts[self.addresses[cell].0].emit_turn(out);
            }
            arrived = self.parts.iter().any(|part| part.has_arrivals());
        } else {
            for place in 0..self.due.len() {
                arrived |= self.member_mut(self.due[place]).cell.wake_up(now, out);
            }
        }
        arrived
    }

    /// Processes the slot that begins now, in all cells that have work in it. All cells complete a
    /// step before the next one: the code of one step fits into a processor's cache, the code of
    /// all steps does not.
    fn tick(&mut self, out: &mut Outbox<Effect>) {
        // All cells of a network begin the same slot.
        self.due.sort_unstable();
        let slots = self.parts.iter_mut().filter_map(|part| part.find_ticking());
        let Some(slot) = slots.fold(None, |_, slot| Some(slot)) else { return };
        if let Some(neighbours) = &mut self.neighbours {
            let ticking = self.parts.iter().flat_map(|part| part.ticking()).next();
            let capacity = &ticking.expect("cells with work").1.setup.capacity;
            neighbours
                .begin(slot, |direction, from, to| capacity[direction].slots_with_any(from, to));
        }
        let is_shared = self.is_worth_sharing();
        if is_shared {
            self.share(Task::Schedule);
        }
        for step in Step::ALL {
            for part in &mut self.parts {
                if is_shared {
                    part.emit_turn(out);
                } else {
                    part.take_step(step, self.neighbours.as_ref(), out);
                }
            }
        }
        self.exchange();
        if is_shared {
            self.share(Task::Receive);
        } else {
            self.parts.iter_mut().for_each(|part| part.receive(self.neighbours.as_ref()));
        }
    }

    /// Exchanges the transmissions of all cells in this slot.
    fn exchange(&mut self) {
        let Some(neighbours) = &mut self.neighbours else { return };
        let mut first = 0;
        for part in &self.parts {
            for (member, cell) in part.ticking() {
                let (groups, share) = cell.used_groups();
                neighbours.send(first + member, groups, share);
                cell.interfere(neighbours);
            }
            first += part.members.len();
        }
    }

    /// Returns `true` if there are workers, and enough cells for them.
    fn is_worth_sharing(&self) -> bool {
        self.workers.is_some() && self.due.len() >= WORTH_SHARING
    }

    /// Lets all parts do a task at the same time.
    fn share(&mut self, task: Task) {
        for part in &mut self.parts {
            part.prepare(task, self.neighbours.as_ref());
        }
        let workers = self.workers.as_mut().expect("shared where there are some");
        workers.work(&mut self.parts);
    }

    fn member_mut(&mut self, cell: usize) -> &mut Member {
        let (part, member) = self.addresses[cell];
        &mut self.parts[part].members[member]
    }

    /// Returns all cells with UEs, in their order.
    fn members(&self) -> impl Iterator<Item = &Member> {
        self.parts.iter().flat_map(|part| &part.members)
    }

    fn member(&self, cell: usize) -> &Member {
        let (part, member) = self.addresses[cell];
        &self.parts[part].members[member]
    }

    fn arm(&mut self, cell: usize) {
        let (part, member) = self.addresses[cell];
        let Member { cell, entity, .. } = &self.parts[part].members[member];
        match cell.wakes.at() {
            Some(at) => self.agenda.arm(*entity, at),
            None => self.agenda.disarm(*entity),
        }
    }
}

/// Returns the address of each cell: its part, and its position there.
fn addresses(parts: &[Box<Part>]) -> Vec<(usize, usize)> {
    let numbered = parts.iter().enumerate();
    numbered.flat_map(|(part, it)| (0..it.members.len()).map(move |at| (part, at))).collect()
}

impl Cell {
    /// Copies the transmissions of the other cells in the slot that begins.
    fn copy_neighbours(&mut self, neighbours: Option<&Neighbours>) {
        if let (Some(environment), Some(neighbours)) = (&mut self.air.environment, neighbours) {
            environment.neighbours.copy_from(neighbours);
        }
    }

    /// Adds the UEs of this cell that send in this slot to the interference at the other base
    /// stations.
    fn interfere(&self, neighbours: &mut Neighbours) {
        if let Some(environment) = &self.air.environment {
            environment.interfere(&self.air.links, neighbours);
        }
    }

    /// Returns the groups that this cell uses in the slot just scheduled, and their share of the
    /// band.
    fn used_groups(&self) -> (GroupSet, f64) {
        self.base.allocation.as_ref().map_or((GroupSet::NONE, 0.0), RbgAllocation::used)
    }
}

/// Minimum number of cells, called at one instant, for which workers are used: a choice, not
/// measured.
const WORTH_SHARING: usize = 4;

fn attached_ue(air: &Propagation, id: UeId, path: RadioLink) -> AttachedUe {
    let conditions =
        Conditions { downlink: path.mean(air).into(), uplink: path.mean_uplink().into() };
    AttachedUe { id, radio: Some((Box::new(path), conditions)) }
}

#[cfg(test)]
mod tests;
