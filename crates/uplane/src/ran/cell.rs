//! A cell of any generation: everything that decides when and whether an IP packet crosses the
//! radio. What is one generation's alone is in [`super::lte`] and [`super::nr`].
//!
//! In: IP packets, each for one UE and one direction. Out: the same packets in order, or dropped
//! with a cause.
//!
//! ```text
//!  down: packet ─► eNB processing ─► PDCP, RLC ─► block of slot n ─► HARQ ─► RLC, PDCP ─► UE
//!  up:   packet ─► PDCP, RLC ─► request, grant ─► block of slot n ─► HARQ ─► RLC, PDCP ─► network
//! ```
//!
//! A cell has three entities: the UEs, the base station, the air between them. The two sides
//! exchange messages, each with its slot (`air/messages.rs`); neither reads or writes the state of
//! the other.
//!
//! A cell is called once a slot, and only in slots with work: data to schedule, a report or
//! feedback that arrives, an occasion for a pending request. A slot looks only at UEs with work, so
//! an idle UE costs nothing and changes nothing. All packets that one block delivers are one event.
//!
//! | file | what |
//! |---|---|
//! | [`config`], [`possible`], [`setup`] | what a cell is like, and whether it can be |
//! | [`ue`], [`base_station`], [`air`] | the three entities |
//! | [`exchange`], [`transmission`] | what they hand each other in a slot |
//! | [`urgent`], [`preemption`] | short downlink blocks that begin while others are on the air |
//! | [`persistent`] | semi-persistent and configured grants |
//! | [`random_access`] | preambles, their answers, contention |
//! | [`handover`] | UEs that change the cell |
//! | [`secondary`] | carriers beside the first one |
//! | [`rrc`] | UEs that are released, and come back |
//! | [`entry`] | the way of a packet into its bearer's buffer |
//! | [`arrival`] | what happens at the end of a block's way, and RLC's own timers |
//! | [`attach`] | what each side is told of a UE |
//! | [`bearer`], [`draft`], [`block`] | what both sides fill, and empty: bearers, transport blocks |
//! | [`group_harq`] | transport blocks that are sent again in parts |
//! | [`slot_capacity`], [`carrier`], [`rbg`], [`mcs_cache`] | what there is in a slot, and what it is worth |
//! | [`carrier_place`] | the order of the slots of several carriers |
//! | [`wakes`] | when the cell wants to be called |
//! | [`network`] | many cells |
//! | [`statistics`], [`series`], [`report`] | what is counted, and what a cell says of itself |
//! | [`limits`] | slots in which the scheduler left data, and why |
//! | [`ue_states`] | how long each UE is awake and in each RRC state |
//! | [`capture`] | blocks and their transmissions, one by one |
//!
//! Left out: mobility, signalling. A UE keeps its cell, or comes into one like
//! it by a handover. UEs are connected before the run, the control plane is random access and the
//! time that RRC takes, and re-establishment after a radio link failure takes no time. Who studies
//! coverage or outages can tell. A single cell has no neighbours and no fading: those need a
//! [`network`].

pub mod air;
mod arrival;
mod attach;
mod base_station;
mod bearer;
mod block;
mod capture;
mod carrier;
mod carrier_place;
pub mod config;
mod draft;
mod entry;
mod exchange;
mod group_harq;
mod handover;
mod least_block;
mod limits;
mod mcs_cache;
mod network;
mod persistent;
mod possible;
mod preemption;
mod random_access;
mod rbg;
mod report;
mod rrc;
mod secondary;
mod series;
mod setup;
mod slot_capacity;
mod starts;
mod statistics;
mod transmission;
mod tti;
mod ue;
mod ue_states;
mod urgent;
mod wakes;

use std::collections::{BTreeSet, VecDeque};

pub use carrier::{Carrier, Groups, SMALLEST_BLOCK};
pub use config::{
    Access, Activation, Capacity, Channel, Conditions, Config, Downlink, Slots, Tti, Uplink, Urgent,
};
pub use limits::SlotLimits;
pub use network::{Network, Part, UePlace, UeReport, Workers};
pub use possible::{CellPlan, NetworkPlan};
pub use preemption::Preemption;
pub(super) use report::declare;
pub use statistics::{BlockStatistics, CellStatistics, UeCounters, UplinkCounters};

use super::{Effect, rlc};
use crate::net::{Direction, PerDirection, Tally};
use crate::sim::{Outbox, Streams};
use crate::unit::{Instant, UeId};
use air::{Air, Environment};
use attach::{AttachedUe, Entities};
use base_station::BaseStation;
use bearer::Bearer;
use draft::Scratch;
use entry::{Processed, UplinkProcessed};
use handover::Handovers;
use random_access::RandomAccess;
use rrc::RrcStates;
use secondary::Secondary;
use setup::Setup;
use ue::Ue;
use wakes::{Expired, Wakes};

/// One cell with its UEs.
#[derive(Clone, Debug)]
pub struct Cell {
    setup: Setup,
    ues: Vec<Ue>,
    base: BaseStation,
    air: Air,
    /// Of each UE: what both sides fill and empty.
    bearers: Vec<Vec<Bearer>>,
    /// Downlink packets in the processing of the base station.
    processing: VecDeque<Processed>,
    /// Uplink packets in the processing of their UEs.
    uplink_processing: VecDeque<UplinkProcessed>,
    /// UEs whose buffers changed, where reports are free of cost.
    reporting: Vec<u32>,
    wakes: Wakes,
    tallies: PerDirection<Tally>,
    /// Precedences of the packet filters that have claimed a packet.
    claimed: BTreeSet<u8>,
    effects: Outbox<rlc::Effect>,
    scratch: Scratch,
    /// Random access with contention, where the cell has it.
    random_access: Option<Box<RandomAccess>>,
    /// Where UEs change the cell.
    handovers: Option<Box<Handovers>>,
    /// Carriers beside the first one.
    secondaries: Vec<Secondary>,
    /// Where UEs without data are released.
    rrc: Option<Box<RrcStates>>,
    /// Where its state is written down in between.
    sampled: Vec<series::Sampled>,
}

impl Cell {
    /// A cell in which nothing has happened.
    pub fn new(plan: &CellPlan, streams: Streams) -> Self {
        let ues = (0..plan.ues()).map(|ue| AttachedUe { id: UeId(ue), radio: None });
        Self::with_ues(plan, ues.collect(), None, streams)
    }

    /// A cell of a network with the UEs that are in it, renumbered.
    fn with_ues(
        plan: &CellPlan,
        attached: Vec<AttachedUe>,
        environment: Option<Environment>,
        streams: Streams,
    ) -> Self {
        let ue_count = attached.len() as u32;
        let setup = Setup::new(plan, ue_count, streams);
        let ids = || attached.iter().map(|ue| ue.id);
        let handovers =
            (setup.config.handover).map(|config| Box::new(Handovers::new(config, ids(), streams)));
        let secondaries = Secondary::all(&setup, &attached, streams);
        let rrc = setup.config.rrc.clone();
        let rrc = rrc.map(|config| Box::new(RrcStates::new(config, ids(), streams)));
        let Entities { ues, base, air, bearers } =
            Entities::new(&setup, attached, environment, streams);
        let access = setup.config.uplink.random_access.as_ref();
        let mut cell = Self {
            random_access: access.map(|config| Box::new(RandomAccess::new(config))),
            wakes: Wakes::new(&setup.clock, ue_count, handovers.is_some(), rrc.is_some()),
            handovers,
            secondaries,
            rrc,
            setup,
            ues,
            base,
            air,
            bearers,
            processing: VecDeque::new(),
            uplink_processing: VecDeque::new(),
            reporting: Vec::with_capacity(ue_count as usize),
            tallies: PerDirection::default(),
            claimed: BTreeSet::new(),
            effects: Outbox::default(),
            scratch: Scratch::default(),
            sampled: Vec::new(),
        };
        cell.plan_handovers();
        cell.plan_rrc_states();
        cell
    }

    /// When it wants to be called for the first time, whatever comes.
    pub fn first_wake(&self) -> Option<Instant> {
        self.wakes.at()
    }

    /// Does what is due.
    #[inline(never)]
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        // What arrived may cause packets at this very instant, which the slot that begins now may
        // carry: they are handled before the slot.
        if !self.wake_up(now, out) {
            if !self.secondaries.is_empty() {
                self.begin_on_secondaries(now);
            }
            if let Some(slot) = self.tick_due(now) {
                self.tick(slot, now, out);
            }
            if !self.secondaries.is_empty() {
                self.tick_secondaries(now, out);
            }
        }
        self.rest(now, out);
    }

    /// What arrived is delivered, timers expire. True when anything arrived.
    #[inline(always)]
    fn wake_up(&mut self, now: Instant, out: &mut Outbox<Effect>) -> bool {
        let mut arrived = self.arrive(now, out);
        self.end_ue_processing(now, out);
        while let Some(expired) = self.wakes.expired(now) {
            match expired {
                Expired::Rlc(ue) => self.on_rlc_timer(now, ue, out),
                Expired::RetxBsr(ue) => self.on_retx_bsr(now, ue),
                Expired::Handover(ue) => {
                    self.on_handover(now, ue, out);
                    arrived = true;
                }
                Expired::Rrc(ue) => {
                    self.on_rrc(now, ue, out);
                    arrived = true;
                }
            }
        }
        arrived
    }

    /// The slot that begins now, if it has work.
    #[inline(always)]
    fn tick_due(&self, now: Instant) -> Option<u64> {
        self.next_tick(now).filter(|&slot| self.wakes.start(&self.setup.clock, slot) <= now)
    }

    /// A slot from its beginning to its end.
    #[inline(never)]
    fn tick(&mut self, slot: u64, now: Instant, out: &mut Outbox<Effect>) {
        self.begin(slot, now, out);
        for direction in self.turns(slot) {
            self.schedule(direction, slot, now, out);
        }
        self.receive(slot, now);
    }

    /// Nothing more is due: says when the cell wants to be called again.
    #[inline(always)]
    fn rest(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let mut tick = self.next_tick(now).map(|slot| self.wakes.start(&self.setup.clock, slot));
        let processed = self.uplink_processing.front().map(|processed| processed.at);
        let mut arrival = Instant::sooner(self.air.next_arrival(), processed);
        if !self.secondaries.is_empty() {
            tick = Instant::sooner(tick, self.next_secondary_tick(now));
            arrival = Instant::sooner(arrival, self.next_secondary_arrival());
        }
        self.wakes.rest(tick, arrival, out);
    }

    /// A slot begins `now`: handles what is due in it, before the schedulers run.
    #[inline(always)]
    fn begin(&mut self, slot: u64, now: Instant, out: &mut Outbox<Effect>) {
        debug_assert_eq!(self.setup.clock.start(slot), now, "slot {slot} begins at another time");
        self.base.begin(slot);
        self.air.clear();
        let due = self.air.ring.take(slot);
        self.wakes.begin(&self.setup.clock, slot);
        if self.setup.urgent.is_some() {
            let (base, mut turn) = self.base_turn(slot, now);
            base.finish_ended(&mut turn);
        }
        self.end_base_processing(slot, now, out);
        if self.random_access.is_some() {
            self.access_randomly(slot, now, out);
        }
        self.receive_uplink_control(slot, now, &due, out);
        self.receive_grants(slot, now, &due, out);
        self.air.ring.give_back(slot, due);
    }

    /// The order of the schedulers. Both need the control channel: each is first in every other
    /// slot, and where slots of the clock are symbols in every other one of these.
    const fn turns(&self, slot: u64) -> [Direction; 2] {
        let turn = match self.setup.in_carrier_slot {
            1 => slot,
            symbols => slot / symbols + slot % symbols,
        };
        if turn.is_multiple_of(2) {
            [Direction::Down, Direction::Up]
        } else {
            [Direction::Up, Direction::Down]
        }
    }

    /// Schedules one direction of a slot. Downlink blocks are on the air until [`Cell::receive`].
    #[inline(always)]
    fn schedule(
        &mut self,
        direction: Direction,
        slot: u64,
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        match direction {
            Direction::Down => self.schedule_downlink(slot, now, out),
            Direction::Up => self.schedule_uplink(slot, now),
        }
    }

    /// The next slot with work, at or after `now`.
    #[inline(always)]
    fn next_tick(&self, now: Instant) -> Option<u64> {
        if self.has_work() {
            // Nothing is planned for earlier slots.
            return Some(self.wakes.next_start(&self.setup.clock, now));
        }
        let planned = self.air.ring.next();
        let processed = self.processing.front().map(|processed| processed.first);
        let access = self.random_access.as_ref().and_then(|access| access.next());
        let ended = self.base.next_end();
        [planned, processed, access, ended].into_iter().flatten().min()
    }

    /// True when a scheduler or a UE has something to do in whatever slot comes next.
    fn has_work(&self) -> bool {
        self.base.has_work() || !self.reporting.is_empty()
    }
}

#[cfg(test)]
mod tests;
