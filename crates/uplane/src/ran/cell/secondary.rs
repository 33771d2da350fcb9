//! Secondary carriers of a cell: carrier aggregation (TS 38.300 §6.7, TS 38.321 §5.9), with
//! carriers beside the first one, for the downlink and optionally for the uplink.
//!
//! In: the bearers of the UEs, from which all carriers fill blocks in the order of their turns;
//! feedback, on the uplink of the first carrier. Out: blocks of more carriers.
//!
//! Each carrier has its own slots, scheduler, control channel, HARQ entities and radio conditions;
//! RLC and PDCP, requests, reports and all rates belong to the UE. Slots that begin at the same
//! instant have their turn carrier by carrier. A cell with one carrier has none of this.
//!
//! Left out: assignments and grants of one carrier on the control channel of another, UEs with only
//! some of the carriers. This matters for studies of mixed UE categories.

mod activation;
mod report;
mod uplink;

pub(super) use report::CarrierRow;

use super::attach::{AttachedUe, Carried};
use super::base_station::{BaseStation, BaseTurn};
use super::bearer::{Bearer, swap_entities};
use super::carrier_place::CarrierPlace;
use super::setup::Setup;
use super::statistics::{CellStatistics, UeCounters};
use super::{Cell, Effect};
use crate::net::{Cause, Direction};
use crate::ran::ack_filter;
use crate::ran::cell::air::{Air, Arrival, Due};
use crate::sim::{Outbox, Streams};
use crate::unit::{Instant, UeId};
use activation::Activations;
use uplink::SecondaryUplink;

/// A secondary carrier.
#[derive(Clone, Debug)]
pub(super) struct Secondary {
    setup: Setup,
    base: BaseStation,
    air: Air,
    activations: Option<Activations>,
    /// Its uplink, if it has one.
    uplink: Option<Box<SecondaryUplink>>,
    /// A slot that has begun, with its events.
    under_way: Option<(u64, Box<Due>)>,
    /// The first slot that has not begun.
    next_slot: u64,
    /// UEs whose rate state it has during its turn.
    served: Vec<u32>,
}

impl Secondary {
    /// Returns the parameters of the carrier.
    pub(super) const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Creates all secondary carriers of the cell `first`, for these UEs.
    pub(super) fn all(first: &Setup, ues: &[AttachedUe], streams: Streams) -> Vec<Self> {
        let origin = first.clock.start(0);
        let configs = first.config.secondaries.iter().zip(1..);
        let secondaries = configs.map(|(config, number)| {
            let place = CarrierPlace::new(&first.config, number);
            let setup = Setup::beginning(config.clone(), place, origin);
            let entity = |id: UeId| format!("radio/carrier/{number}/ue/{}", id.0);
            let Carried { base, air } = Carried::new(&setup, ues.to_vec(), None, (entity, streams));
            let activations = setup.config.activation;
            let activations = activations.map(|config| Activations::new(config, ues.len()));
            let uplink = SecondaryUplink::new(&setup, ues.len());
            Self {
                setup,
                base,
                air,
                activations,
                uplink,
                under_way: None,
                next_slot: 0,
                served: Vec::new(),
            }
        });
        secondaries.collect()
    }

    /// Handles the arrival of a packet at the queue of a bearer.
    pub(super) fn on_packet(
        &mut self,
        now: Instant,
        ue: u32,
        position: usize,
        bearer: &Bearer,
        queued: bool,
    ) {
        if self.activations.as_mut().is_none_or(|it| it.on_data(now, ue)) {
            self.base.on_packet(ue, position, bearer, queued);
        }
    }

    /// Handles a possible change of a UE's queues. `bearers` have the RLC entities of secondary
    /// carriers.
    pub(super) fn on_queues(&mut self, now: Instant, ue: u32, bearers: &[Bearer]) {
        let waits = bearers.iter().any(|bearer| bearer.rlc.has_demand(now, Direction::Down));
        if !waits || self.activations.as_mut().is_none_or(|it| it.on_data(now, ue)) {
            self.base.on_queues(now, ue, bearers);
        }
    }

    /// Resets the MAC of a UE (TS 38.321 §5.12).
    pub(super) fn forget(&mut self, ue: u32) {
        self.air.forget(ue);
        self.base.forget(&self.setup, ue);
        if let Some(uplink) = &mut self.uplink {
            uplink.forget(&self.setup, ue);
        }
        if let Some(activations) = &mut self.activations {
            activations.forget(ue);
        }
    }

    /// Returns the next slot with work. `ready` is the time at which a packet becomes available to
    /// any carrier; `to_grant` is `true` if any UE needs a grant.
    fn next_slot(&self, now: Instant, ready: Option<Instant>, to_grant: bool) -> Option<u64> {
        let from = |time: Instant| self.setup.clock.at_or_after(time.max(now)).max(self.next_slot);
        if self.base.has_work() || to_grant && self.uplink.is_some() {
            return Some(from(now));
        }
        let activated = self.activations.as_ref().and_then(Activations::next);
        let due = Instant::sooner(ready, activated).map(from);
        self.air.ring.next().into_iter().chain(due).min()
    }

    /// Returns the base station, and its inputs in a slot.
    fn turn<'a>(
        &'a mut self,
        slot: u64,
        now: Instant,
        bearers: &'a mut [Vec<Bearer>],
    ) -> (&'a mut BaseStation, BaseTurn<'a>) {
        let Self { setup, base, air, .. } = self;
        (base, BaseTurn { setup, slot, now, air, bearers })
    }
}

/// Swaps the RLC entities of the first carrier with those of secondary carriers, for UEs whose
/// downlink is duplicated.
fn swap_entities_of(ues: &[u32], bearers: &mut [Vec<Bearer>]) {
    for &ue in ues {
        swap_entities(&mut bearers[ue as usize], Direction::Down);
    }
}

impl Cell {
    /// Starts the slots of carriers with an uplink, before the slot of the first carrier, so that
    /// all carriers know the content of their events.
    #[cold]
    pub(super) fn begin_on_secondaries(&mut self, now: Instant) {
        for place in 0..self.secondaries.len() {
            if self.secondaries[place].uplink.is_some() {
                self.begin_on_secondary(place, now);
            }
        }
    }

    /// Processes the slots of secondary carriers that begin now and have work.
    #[cold]
    pub(super) fn tick_secondaries(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        for place in 0..self.secondaries.len() {
            self.begin_on_secondary(place, now);
            self.build_on_secondary(place, now, out);
            if let Some((slot, due)) = self.secondaries[place].under_way.take() {
                self.tick_secondary(place, (slot, due), now, out);
            }
        }
    }

    /// Starts the slot of a carrier that begins now, if it has work.
    fn begin_on_secondary(&mut self, place: usize, now: Instant) {
        let (ready, to_grant) = (self.first_processed(), self.has_to_grant());
        let secondary = &mut self.secondaries[place];
        let Some(slot) = secondary.next_slot(now, ready, to_grant) else { return };
        if secondary.setup.clock.start(slot) > now {
            return;
        }
        secondary.base.begin(slot);
        secondary.air.clear();
        secondary.next_slot = slot + 1;
        let due = secondary.air.ring.take(slot);
        if secondary.uplink.is_some() {
            self.receive_on_secondary(place, slot, now, &due);
        }
        self.secondaries[place].under_way = Some((slot, due));
    }

    /// Returns the time at which the next slot of a secondary carrier with work begins.
    #[cold]
    pub(super) fn next_secondary_tick(&self, now: Instant) -> Option<Instant> {
        let (ready, to_grant) = (self.first_processed(), self.has_to_grant());
        let start = |secondary: &Secondary| {
            let next = secondary.next_slot(now, ready, to_grant)?;
            Some(secondary.setup.clock.start(next))
        };
        self.secondaries.iter().filter_map(start).min()
    }

    /// Returns `true` if any UE needs a grant.
    fn has_to_grant(&self) -> bool {
        !self.base.to_grant().is_empty()
    }

    /// Returns the time at which the next block of a secondary carrier reaches its receiver.
    pub(super) fn next_secondary_arrival(&self) -> Option<Instant> {
        self.secondaries.iter().filter_map(|secondary| secondary.air.next_arrival()).min()
    }

    /// Returns the time at which the first packet in processing becomes ready.
    fn first_processed(&self) -> Option<Instant> {
        self.processing.front().map(|processed| processed.ready)
    }

    /// Processes the rest of a slot of a secondary carrier, which has begun.
    fn tick_secondary(
        &mut self,
        place: usize,
        (slot, due): (u64, Box<Due>),
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        while self.processing.front().is_some_and(|processed| processed.ready <= now) {
            let processed = self.processing.pop_front().expect("there is a front");
            self.enqueue(
                now,
                Direction::Down,
                processed.ue,
                processed.bearer,
                processed.packet,
                out,
            );
        }
        for &feedback in &due.feedback {
            let (base, mut turn) = self.secondaries[place].turn(slot, now, &mut self.bearers);
            if base.on_feedback(&mut turn, feedback) {
                self.open_on_secondary(now, place, feedback.ue, feedback.process, true);
                self.settle(now, feedback.ue, out);
            }
        }
        self.secondaries[place].air.ring.recycle(slot, due);
        let Self { secondaries, bearers, .. } = self;
        secondaries[place].deactivate(now);
        secondaries[place].activate(now, bearers);
        // Both directions need the control channel, as on the first carrier.
        let [first, second] = self.turns(slot);
        for direction in [first, second] {
            match direction {
                Direction::Down => self.send_on_secondary(place, slot, now, out),
                Direction::Up => self.grant_on_secondary(place, slot, now),
            }
        }
        let secondary = &mut self.secondaries[place];
        if let Some(activations) = &mut secondary.activations {
            secondary.base.each_on_air(|ue| activations.on_sent(now, ue));
        }
        let (base, mut turn) = secondary.turn(slot, now, &mut self.bearers);
        base.finish_slot(&mut turn);
    }

    /// Sends the downlink of a slot.
    fn send_on_secondary(
        &mut self,
        place: usize,
        slot: u64,
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        let (base, mut turn) = self.secondaries[place].turn(slot, now, &mut self.bearers);
        if let Some(room) = base.send_retransmissions(&mut turn) {
            self.discard_late(BaseStation::backlogged, now, out);
            let Self { secondaries, bearers, base: first, .. } = self;
            let secondary = &mut secondaries[place];
            // The rate limits of a UE apply to all its carriers together.
            secondary.served.clear();
            secondary.served.extend(secondary.base.backlogged());
            first.lend_rates(&mut secondary.base, &secondary.served);
            swap_entities_of(&secondary.served, bearers);
            let (base, mut turn) = secondary.turn(slot, now, bearers);
            base.send_new_blocks(&mut turn, room);
            swap_entities_of(&secondary.served, bearers);
            first.lend_rates(&mut secondary.base, &secondary.served);
            self.settle_managed(out);
        }
    }

    /// Delivers the blocks of secondary carriers that have arrived. Returns `true` if there were
    /// any.
    #[cold]
    pub(super) fn arrive_on_secondaries(&mut self, now: Instant, out: &mut Outbox<Effect>) -> bool {
        let mut any = false;
        for (place, direction) in (0..self.secondaries.len())
            .flat_map(|place| Direction::BOTH.map(|direction| (place, direction)))
        {
            while let Some(arrival) = self.secondaries[place].air.arrivals[direction].front()
                && arrival.at <= now
            {
                let Arrival { ue, process, lost, .. } = *arrival;
                self.secondaries[place].air.arrivals[direction].pop_front();
                any = true;
                match direction {
                    Direction::Down => self.open_on_secondary(now, place, ue, process, lost),
                    Direction::Up => self.open_uplink_on_secondary(now, place, ue, process, lost),
                }
                self.settle(now, ue, out);
            }
        }
        any
    }

    /// Delivers a block to a UE, or reports it as lost.
    fn open_on_secondary(
        &mut self,
        now: Instant,
        place: usize,
        ue: u32,
        process: usize,
        lost: bool,
    ) {
        self.notify_rrc(now, Direction::Down, ue, lost);
        let Self { secondaries, bearers, effects, ues, .. } = self;
        let secondary = &mut secondaries[place];
        let bearers = &mut bearers[ue as usize];
        let block = secondary.base.block(ue, process);
        if lost {
            block.lose(now, Direction::Down, bearers, effects);
        } else {
            block.deliver(now, Direction::Down, Cause::RadioQueue, bearers, effects);
        }
        if lost {
            return;
        }
        let band = secondary.setup.capacity.down.units(block.slot);
        let received = ack_filter::Block { size: block.size, units: block.units, band };
        ues[ue as usize].notify_block(now, received);
    }
}
