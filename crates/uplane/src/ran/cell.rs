//! An LTE cell: everything that decides when and whether an IP packet crosses the radio.
//!
//! In: IP packets, each for one UE and one direction. Out: the same packets in order, or dropped with a cause.
//!
//! ```text
//!  down: packet ─► eNB processing ─► PDCP, RLC ─► block of slot n ─► HARQ ─► RLC, PDCP ─► UE
//!  up:   packet ─► PDCP, RLC ─► request, grant ─► block of slot n ─► HARQ ─► RLC, PDCP ─► network
//! ```
//!
//! One tick a slot, and only in slots with work: data to schedule, a report or feedback that arrives, an
//! occasion for a request that is pending. Ticks look at UEs with work alone, so an idle UE costs nothing
//! and changes nothing. All packets that one block delivers are one event.
//!
//! | file | what |
//! |---|---|
//! | [`config`] | what a cell is like |
//! | [`ue`], [`base_station`], [`air`] | what each side does in a slot, and what is between them |
//! | [`slot_ring`] | what is known to happen in slots to come |
//! | [`arrival`] | what happens at the end of a block's way, and RLC's own timers |
//! | [`slot_capacity`], [`carrier`] | what there is in a slot |
//! | [`block`] | one transport block |
//! | [`mcs_cache`] | modulation and coding by what the eNB knows of a link |
//! | [`rbg`] | parts of the band |
//! | [`network`] | many cells |
//! | [`statistics`], [`report`] | what is counted, and what a cell says of itself |
//!
//! Left out: mobility, carrier aggregation, DRX, signalling. A UE keeps its cell; the
//! control plane has happened before the run, and re-establishment after a failure of the radio link takes
//! no time. Whoever studies coverage or outages can tell. A cell by itself has no neighbours and no
//! fading either: that takes a [`network`].

pub mod air;
mod arrival;
mod base_station;
mod block;
mod carrier;
pub mod config;
mod mcs_cache;
mod network;
mod rbg;
mod report;
mod slot_capacity;
mod slot_ring;
mod statistics;
mod ue;

use std::collections::{BTreeSet, VecDeque};

pub use carrier::{Carrier, Groups, SMALLEST_BLOCK};
pub use config::{Access, Capacity, Channel, Conditions, Config, Downlink, Tti, Uplink};
pub use network::{Network, UeReport};
pub use statistics::{BlockStatistics, CellStatistics, UeCounters, UplinkCounters, UplinkReport};

use super::{Effect, bearer, rlc};
use crate::net::{Cause, Direction, DropCause, Packet, PerDirection, Tally};
use crate::ran::mac::control_channel::ControlChannel;
use crate::ran::mac::timing::{Clock, Delay, Slots};
use crate::ran::tables::qci::Characteristics;
use crate::sim::{Agenda, Outbox, Slot, Streams};
use crate::unit::{Duration, Instant, UeId};
use air::CellAir;
use arrival::Arrival;
use base_station::UplinkSchedule;
use base_station::downlink::DownlinkState;
use block::Scratch;
use mcs_cache::Schemes;
use slot_capacity::Supply;
use slot_ring::Ring;
use ue::{Newcomer, Ue};

/// One cell with its UEs.
#[derive(Clone, Debug)]
pub struct Cell {
    config: Config,
    clock: Clock,
    slots: Slots,
    /// Units of each slot.
    supply: PerDirection<Supply>,
    schemes: PerDirection<Schemes>,
    /// What is around it, in a network.
    air: Option<CellAir>,
    /// Length of a slot, to the nearest nanosecond.
    tti: Duration,
    ues: Vec<Ue>,
    ring: Ring,
    down: DownlinkState,
    up: UplinkSchedule,
    control: ControlChannel,
    /// Downlink packets in the eNB's processing.
    processing: VecDeque<Processed>,
    /// Blocks that reach the UE, and blocks that reach the network.
    arrivals: PerDirection<VecDeque<Arrival>>,
    /// Timers of RLC and of reports: of all UEs the first, then of all the second.
    timers: Agenda,
    timer_slots: Vec<Slot>,
    /// `retxBSR-Timer` of each UE.
    reminder_slots: Vec<Slot>,
    /// The first slot that has not been ticked.
    next_slot: u64,
    /// When it begins.
    next_begins: Instant,
    /// When the cell wants to be called.
    wake: Option<Instant>,
    /// A slot that was planned since the cell said so.
    planned: Option<u64>,
    statistics: CellStatistics,
    tallies: PerDirection<Tally>,
    effects: Outbox<rlc::Effect>,
    scratch: Scratch,
    /// The class of the default bearer.
    quality: Characteristics,
    /// Precedences of the packet filters that have claimed a packet.
    claimed: BTreeSet<u8>,
}

/// A downlink packet in the processing of the eNB.
#[derive(Clone, Debug)]
struct Processed {
    /// The first slot that may carry it.
    first: u64,
    ue: u32,
    bearer: usize,
    packet: Box<Packet>,
}

impl Cell {
    /// A cell in which nothing has happened.
    ///
    /// # Panics
    /// When delays contradict each other: a process reused before its block has arrived. When the uplink's control channel
    /// has no room for so many UEs.
    pub fn new(config: &Config, ue_count: u32, streams: Streams) -> Self {
        let ues = (0..ue_count).map(|ue| Newcomer { id: UeId(ue), path: None });
        Self::with_ues(config, ues.collect(), None, streams)
    }

    /// A cell of a network with the UEs that are in it, numbered anew.
    fn with_ues(
        config: &Config,
        newcomers: Vec<Newcomer>,
        air: Option<CellAir>,
        streams: Streams,
    ) -> Self {
        let ue_count = newcomers.len() as u32;
        let config = &config.for_ues(ue_count);
        let tti = config.tti.length();
        let phase = config.phase.offset(tti, &mut streams.open("radio", "grid phase"));
        let clock = Clock::new(Instant::ZERO + phase, config.tti.num, config.tti.den)
            .expect("a TTI takes time");
        config.check_timing(&clock);
        let slots = config.timing.slots(&clock);
        let mut timers = Agenda::default();
        let mut schemes = PerDirection::default();
        let mut arrive =
            |(ue, newcomer)| Ue::new(config, &clock, ue, newcomer, streams, &mut schemes);
        let ues: Vec<Ue> = (0..ue_count).zip(newcomers).map(&mut arrive).collect();
        Self {
            clock,
            slots,
            supply: PerDirection::of(|direction| {
                Supply::new(&config.channel(direction).capacity, config.tti)
            }),
            tti,
            ues,
            schemes,
            air,
            ring: Ring::new(config.horizon(&clock)),
            down: DownlinkState::new(&config.downlink, ue_count),
            up: UplinkSchedule::new(&config.uplink, ue_count),
            control: ControlChannel::new(config.control_channel),
            processing: VecDeque::new(),
            arrivals: PerDirection::default(),
            timer_slots: (0..ue_count).map(|_| timers.add()).collect(),
            reminder_slots: (0..ue_count).map(|_| timers.add()).collect(),
            timers,
            next_slot: 0,
            next_begins: clock.start(0),
            wake: None,
            planned: None,
            statistics: CellStatistics::default(),
            tallies: PerDirection::default(),
            effects: Outbox::default(),
            scratch: Scratch::default(),
            quality: config.bearers[0].qci.characteristics(),
            claimed: BTreeSet::new(),
            config: config.clone(),
        }
    }

    /// Takes a packet for `ue` (`Down`) or from it (`Up`).
    pub fn on_packet(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: UeId,
        mut packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        self.tallies[direction].enter(packet.length);
        let bearer = self.bearer_of(direction, &packet);
        let delay = self.config.timing.enb_processing;
        if direction == Direction::Down && delay != Delay::NONE {
            packet.ledger.charge(Cause::RadioProcessing, now + self.clock.length(delay));
            let slot = self.clock.first_after(now, delay).max(self.next_slot);
            if self.processing.is_empty() {
                self.wake_by(self.clock.start(slot), out);
            }
            self.processing.push_back(Processed { first: slot, ue: ue.0, bearer, packet });
        } else {
            let had_work = self.has_work();
            self.enqueue(now, direction, ue.0, bearer, packet, out);
            let next = (self.has_work() && !had_work).then(|| self.next_start(now));
            if let Some(slot) = self.planned.take().into_iter().chain(next).min() {
                self.wake_by(self.clock.start(slot), out);
            }
        }
    }

    /// The position of the bearer that carries this packet.
    fn bearer_of(&mut self, direction: Direction, packet: &Packet) -> usize {
        let Some((precedence, bearer)) = bearer::claim(&self.config.bearers, direction, packet)
        else {
            return 0;
        };
        self.claimed.insert(precedence);
        bearer
    }

    /// Does what is due.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        // What arrived may cause packets at this very instant, which the slot that begins now may carry:
        // their turn is before the tick's.
        if !self.wake_up(now, out)
            && let Some(slot) = self.tick_due(now)
        {
            self.begin(slot, out);
            for direction in Self::turns(slot) {
                self.schedule(direction, slot, out);
            }
            self.receive(slot);
        }
        self.rest(now, out);
    }

    /// What arrived is delivered, timers expire. True when anything arrived.
    fn wake_up(&mut self, now: Instant, out: &mut Outbox<Effect>) -> bool {
        let arrived = self.arrive(now, out);
        while let Some((_, slot)) = self.timers.pop(now) {
            let (index, ue_count) = (slot.index() as u32, self.ues.len() as u32);
            if index < ue_count {
                self.on_rlc_timer(now, index, out);
            } else {
                self.on_reminder(now, index - ue_count);
            }
        }
        arrived
    }

    /// The slot that begins now, if it has work.
    #[inline]
    fn tick_due(&self, now: Instant) -> Option<u64> {
        self.next_tick(now).filter(|&slot| self.clock.start(slot) <= now)
    }

    /// Nothing more is due: says when the cell wants to be called again.
    #[inline]
    fn rest(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.planned = None;
        self.wake = self.next_due(now);
        out.wake(self.wake);
    }

    /// One slot: what is due in it happens, before the schedulers have their turn.
    fn begin(&mut self, slot: u64, out: &mut Outbox<Effect>) {
        let now = self.clock.start(slot);
        self.statistics.slots += 1;
        self.control.clear();
        if let Some(air) = &mut self.air {
            air.clear();
        }
        let due = self.ring.take(slot);
        (self.next_slot, self.next_begins) = (slot + 1, self.clock.end(slot));
        while let Some(Processed { ue, bearer, packet, .. }) =
            self.processing.pop_front_if(|processed| processed.first <= slot)
        {
            self.enqueue(now, Direction::Down, ue, bearer, packet, out);
        }
        self.downlink_feedback(slot, &due.feedback, out);
        self.uplink_news(slot, &due);
        self.uplink_blocks(slot, &due, out);
        self.ring.give_back(slot, due);
    }

    /// The order of the schedulers. Both need the control channel: each is first in every other slot.
    const fn turns(slot: u64) -> [Direction; 2] {
        if slot.is_multiple_of(2) {
            [Direction::Down, Direction::Up]
        } else {
            [Direction::Up, Direction::Down]
        }
    }

    /// One direction of a slot is scheduled. What goes down is on the air until [`Cell::receive`].
    fn schedule(&mut self, direction: Direction, slot: u64, out: &mut Outbox<Effect>) {
        match direction {
            Direction::Down => self.schedule_downlink(slot, self.clock.start(slot), out),
            Direction::Up => self.schedule_uplink(slot),
        }
    }

    /// Puts a packet into the RLC buffer of its bearer.
    fn enqueue(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: u32,
        bearer: usize,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        let state = &mut self.ues[ue as usize].bearers[bearer];
        let sdu = state.pdcp[direction].on_packet(now, packet);
        let enqueued = state.rlc.enqueue(direction, sdu);
        if direction == Direction::Down {
            state.report_packet();
        }
        if let Err(packet) = enqueued {
            self.drop(direction, ue, packet, DropCause::Queue, out);
            return;
        }
        let queued = state.rlc.buffer(direction).bytes();
        let longest = &mut self.tallies[direction].queue_max;
        *longest = (*longest).max(queued);
        match direction {
            Direction::Down => self.down.set_waiting(ue, true),
            Direction::Up => {
                self.filter_at_arrival(now, ue, bearer, out);
                self.on_uplink_data(now, ue);
            }
        }
    }

    /// The next slot with work, at or after `now`.
    #[inline(always)]
    fn next_tick(&self, now: Instant) -> Option<u64> {
        if self.has_work() {
            // Nothing is planned for earlier slots.
            return Some(self.next_start(now));
        }
        let planned = self.ring.next();
        let processed = self.processing.front().map(|processed| processed.first);
        [planned, processed].into_iter().flatten().min()
    }

    /// True when a scheduler has something to do in whatever slot comes next.
    fn has_work(&self) -> bool {
        self.down.has_work() || self.up.has_work()
    }

    /// The first slot that begins at or after `now` and was not ticked.
    fn next_start(&self, now: Instant) -> u64 {
        if now <= self.next_begins { self.next_slot } else { self.clock.at_or_after(now) }
    }

    /// The cell has something to do at `at`.
    fn wake_by(&mut self, at: Instant, out: &mut Outbox<Effect>) {
        if self.wake.is_none_or(|wake| at < wake) {
            self.wake = Some(at);
            out.wake_at(at);
        }
    }

    #[inline]
    fn next_due(&mut self, now: Instant) -> Option<Instant> {
        let tick = self.next_tick(now).map(|slot| self.clock.start(slot));
        let next = |direction| Some(self.arrivals[direction].front()?.at);
        let arrival = Instant::sooner(next(Direction::Down), next(Direction::Up));
        Instant::sooner(tick, Instant::sooner(arrival, self.timers.next_due()))
    }
}

#[cfg(test)]
mod tests;
