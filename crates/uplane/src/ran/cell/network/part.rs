//! The cells of a network that one thread processes.
//!
//! In: the cells called at an instant, a task. Out: effects of the cells, in their order, and the
//! times of their next calls.
//!
//! Within a task no cell needs another one. A network without [`super::Workers`] has one part with
//! all cells.

use std::collections::VecDeque;

use super::{Cell, Effect, Neighbours};
use crate::sim::{EntityId, Outbox};
use crate::unit::{CellId, Instant};

/// A subset of the cells of a network.
#[derive(Debug, Default)]
pub struct Part {
    pub(super) members: Vec<Member>,
    /// Members called at this instant.
    due: Vec<usize>,
    /// Members of `due` with work in the slot that begins now.
    ticking: Vec<usize>,
    now: Instant,
    slot: u64,
    task: Task,
    /// Transmissions of the network's cells, for the next task.
    neighbours: Option<Neighbours>,
    /// Effects of a task, then the number of effects in each turn: of a member or of a step.
    out: Outbox<Effect>,
    turns: VecDeque<usize>,
    has_arrivals: bool,
}

/// One cell of a part.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) id: CellId,
    pub(super) cell: Cell,
    pub(super) entity: EntityId,
}

/// A task that a part can do without the other parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Task {
    /// Delivers arrived blocks, and handles timers.
    #[default]
    WakeUp,
    /// Schedules a slot that begins.
    Schedule,
    /// Receives the blocks of the slot.
    Receive,
}

/// A step of [`Task::Schedule`]. All cells complete a step before the next one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Begin,
    FirstDirection,
    SecondDirection,
}

impl Step {
    pub(super) const ALL: [Self; 3] = [Self::Begin, Self::FirstDirection, Self::SecondDirection];
}

impl Part {
    pub(super) fn new(members: Vec<Member>) -> Self {
        Self { members, ..Self::default() }
    }

    /// Starts an instant at which no member has been called so far.
    pub(super) fn begin_instant(&mut self, now: Instant) {
        self.now = now;
        self.due.clear();
    }

    /// Calls a member at this instant.
    pub(super) fn call(&mut self, member: usize) {
        self.due.push(member);
    }

    /// Finds the members with work in the slot that begins now, and returns this slot.
    pub(super) fn find_ticking(&mut self) -> Option<u64> {
        self.due.sort_unstable();
        self.ticking.clear();
        for &member in &self.due {
            if let Some(slot) = self.members[member].cell.tick_due(self.now) {
                self.slot = slot;
                self.ticking.push(member);
            }
        }
        (!self.ticking.is_empty()).then_some(self.slot)
    }

    /// Returns the cells with work in the slot, each with its position among the members.
    pub(super) fn ticking(&self) -> impl Iterator<Item = (usize, &Cell)> {
        self.ticking.iter().map(|&member| (member, &self.members[member].cell))
    }

    /// Does one step of a slot. `neighbours` has the earlier transmissions of the cells.
    pub(super) fn take_step(
        &mut self,
        step: Step,
        neighbours: Option<&Neighbours>,
        out: &mut Outbox<Effect>,
    ) {
        let Self { members, ticking, now, slot, .. } = self;
        for &member in &*ticking {
            let cell = &mut members[member].cell;
            match step {
                Step::Begin => {
                    cell.copy_neighbours(neighbours);
                    cell.begin(*slot, *now, out);
                }
                Step::FirstDirection => cell.schedule(cell.turns(*slot)[0], *slot, *now, out),
                Step::SecondDirection => cell.schedule(cell.turns(*slot)[1], *slot, *now, out),
            }
        }
    }

    /// Receives the blocks of the slot. `neighbours` has the transmissions of the cells in it.
    pub(super) fn receive(&mut self, neighbours: Option<&Neighbours>) {
        for &member in &self.ticking {
            let cell = &mut self.members[member].cell;
            cell.copy_neighbours(neighbours);
            cell.receive(self.slot, self.now);
        }
    }

    /// Ends the instant: members determine their next calls.
    pub(super) fn rest(&mut self) {
        for &member in &self.due {
            self.members[member].cell.rest(self.now, &mut self.out);
        }
    }

    /// Sets the task of the next [`Part::work`], and its knowledge of the neighbours.
    pub(super) fn prepare(&mut self, task: Task, neighbours: Option<&Neighbours>) {
        self.task = task;
        match (&mut self.neighbours, neighbours) {
            (Some(own), Some(new)) => own.copy_from(new),
            (own, new) => *own = new.cloned(),
        }
    }

    /// Does the part's task.
    pub fn work(&mut self) {
        let (neighbours, mut out) = (self.neighbours.take(), std::mem::take(&mut self.out));
        match self.task {
            Task::WakeUp => self.wake_up(&mut out),
            Task::Schedule => {
                for step in Step::ALL {
                    let before = out.len();
                    self.take_step(step, neighbours.as_ref(), &mut out);
                    self.turns.push_back(out.len() - before);
                }
            }
            Task::Receive => self.receive(neighbours.as_ref()),
        }
        (self.neighbours, self.out) = (neighbours, out);
    }

    fn wake_up(&mut self, out: &mut Outbox<Effect>) {
        self.has_arrivals = false;
        for &member in &self.due {
            let before = out.len();
            self.has_arrivals |= self.members[member].cell.wake_up(self.now, out);
            self.turns.push_back(out.len() - before);
        }
    }

    /// Returns `true` if anything arrived in [`Task::WakeUp`].
    pub(super) const fn has_arrivals(&self) -> bool {
        self.has_arrivals
    }

    /// Emits the effects of the next turn.
    pub(super) fn emit_turn(&mut self, out: &mut Outbox<Effect>) {
        let count = self.turns.pop_front().expect("a task notes each of its turns");
        for _ in 0..count {
            out.emit(self.out.take_next().expect("what was counted was emitted"));
        }
    }
}

impl Member {
    /// Returns the relative cost of its work.
    pub(super) fn weight(&self) -> usize {
        self.cell.ues.len()
    }
}

/// Divides the members of `parts`, in their order, into `count` parts of about equal weight.
#[expect(clippy::vec_box, reason = "parts go to other threads without being moved")]
pub(super) fn divide(parts: impl Iterator<Item = Box<Part>>, count: usize) -> Vec<Box<Part>> {
    let members: Vec<Member> = parts.flat_map(|part| part.members).collect();
    let whole: usize = members.iter().map(Member::weight).sum();
    let mut divided: Vec<Box<Part>> = (0..count.max(1)).map(|_| Box::default()).collect();
    let mut before = 0;
    for member in members {
        // The part that contains the middle of its weight.
        let middle = 2 * before + member.weight();
        before += member.weight();
        divided[middle * count / (2 * whole).max(1)].members.push(member);
    }
    divided
}
