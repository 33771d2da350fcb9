//! A cell of any generation: all mechanisms that decide when and whether an IP packet crosses the
//! radio. [`super::lte`] and [`super::nr`] have the parts of one generation alone.
//!
//! In: IP packets, each for one UE and one direction. Out: these packets in order, or dropped with
//! a cause.
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
//! feedback that arrives, an occasion for a pending request. A slot processes only UEs with work,
//! so an idle UE costs nothing and changes nothing. All packets that one block delivers are one
//! event.
//!
//! | file | contents |
//! |---|---|
//! | [`config`], [`possible`], [`setup`] | parameters of a cell, and checks that it is possible |
//! | [`ue`], [`base_station`], [`air`] | the three entities |
//! | [`exchange`], [`transmission`] | messages and blocks between them in a slot |
//! | [`urgent`], [`preemption`] | short downlink blocks that begin while others are on the air |
//! | [`persistent`] | semi-persistent and configured grants |
//! | [`random_access`] | preambles, their answers, contention |
//! | [`handover`] | UEs that change the cell |
//! | [`secondary`] | carriers beside the first one |
//! | [`rrc`] | UEs that are released, and return |
//! | [`entry`] | packets on their way into their bearer's buffer |
//! | [`arrival`] | blocks at their receiver, and RLC's own timers |
//! | [`attach`] | data of a UE for each side |
//! | [`bearer`], [`draft`], [`block`] | bearers and transport blocks, which both sides fill and empty |
//! | [`group_harq`] | transport blocks with retransmissions of their groups |
//! | [`slot_capacity`], [`carrier`], [`rbg`], [`mcs_cache`] | resources of a slot, and their bytes |
//! | [`carrier_place`] | the order of the slots of several carriers |
//! | [`wakes`] | times at which the cell wants to be called |
//! | [`network`] | many cells |
//! | [`statistics`], [`series`], [`report`] | counters, series and reports of a cell |
//! | [`limits`] | slots in which the scheduler left data, and why |
//! | [`ue_states`] | how long each UE is awake and in each RRC state |
//! | [`capture`] | blocks and their transmissions, one by one |
//!
//! Left out: mobility, signalling. A UE keeps its cell, or moves into an equal cell by a handover.
//! UEs are connected before the run, the control plane is random access and the time that RRC
//! takes, and re-establishment after a radio link failure takes no time. This matters for studies
//! of coverage or outages. A single cell has no neighbours and no fading: those need a [`network`].

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
    /// Bearers of each UE, which both sides fill and empty.
    bearers: Vec<Vec<Bearer>>,
    /// Downlink packets in the processing of the base station.
    processing: VecDeque<Processed>,
    /// Uplink packets in the processing of their UEs.
    uplink_processing: VecDeque<UplinkProcessed>,
    /// UEs whose buffers changed, if reports are free.
    reporting: Vec<u32>,
    wakes: Wakes,
    tallies: PerDirection<Tally>,
    /// Precedences of the packet filters that have claimed a packet.
    claimed: BTreeSet<u8>,
    effects: Outbox<rlc::Effect>,
    scratch: Scratch,
    /// Random access with contention, if the cell has it.
    random_access: Option<Box<RandomAccess>>,
    /// Handovers of UEs, if configured.
    handovers: Option<Box<Handovers>>,
    /// Secondary carriers.
    secondaries: Vec<Secondary>,
    /// RRC states of UEs, if UEs without data are released.
    rrc: Option<Box<RrcStates>>,
    /// State of each UE at the last sample of series, if samples are taken.
    sampled: Vec<series::Sampled>,
}

impl Cell {
    /// Creates a cell at the start of a run.
    pub fn new(plan: &CellPlan, streams: Streams) -> Self {
        let ues = (0..plan.ues()).map(|ue| AttachedUe { id: UeId(ue), radio: None });
        Self::with_ues(plan, ues.collect(), None, streams)
    }

    /// Creates a cell of a network with its UEs, renumbered.
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

    /// Returns the time of the first call, if nothing arrives before.
    pub fn first_wake(&self) -> Option<Instant> {
        self.wakes.at()
    }

    /// Handles everything due at `now`.
    #[inline(never)]
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        // Arrivals may cause packets at this very instant, which the slot that begins now may
        // carry. They are handled before the slot.
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

    /// Delivers arrived blocks, and handles timers. Returns `true` if anything arrived.
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

    /// Returns the slot that begins now, if it has work.
    #[inline(always)]
    fn tick_due(&self, now: Instant) -> Option<u64> {
        self.next_tick(now).filter(|&slot| self.wakes.start(&self.setup.clock, slot) <= now)
    }

    /// Processes a slot from its beginning to its end.
    #[inline(never)]
    fn tick(&mut self, slot: u64, now: Instant, out: &mut Outbox<Effect>) {
        self.begin(slot, now, out);
        for direction in self.turns(slot) {
            self.schedule(direction, slot, now, out);
        }
        self.receive(slot, now);
    }

    /// Requests the next call, as nothing more is due.
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

    /// Starts a slot, and handles its events before the schedulers run.
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
        self.air.ring.recycle(slot, due);
    }

    /// Returns the order of the schedulers. Both need the control channel, so each is first in
    /// every other slot. If slots of the clock are symbols, each is first in every other symbol.
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

    /// Returns the next slot with work, at or after `now`.
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

    /// Returns `true` if a scheduler or a UE has work in the next slot, whichever it is.
    fn has_work(&self) -> bool {
        self.base.has_work() || !self.reporting.is_empty()
    }
}

#[cfg(test)]
mod tests;
