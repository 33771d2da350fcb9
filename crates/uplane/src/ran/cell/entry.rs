//! Packets on their way into the buffer of their bearer.
//!
//! In: IP packets of both directions. Out: PDCP SDUs in RLC's buffers; packets that find no room
//! there are dropped.
//!
//! A packet is first assigned to a bearer (by packet filters, and rules that reflective QoS has
//! derived), then passes the processing of its sender, and is then queued.

use super::setup::Setup;
use super::{Cell, Effect};
use crate::net::{Cause, Direction, DropCause, Packet};
use crate::ran::mac::timing::Delay;
use crate::ran::sdap;
use crate::sim::Outbox;
use crate::unit::{Instant, UeId};

/// A downlink packet in the processing of the base station.
#[derive(Clone, Debug)]
pub(super) struct Processed {
    /// The first slot that may carry it.
    pub(super) first: u64,
    /// Time from which a secondary carrier may carry it.
    pub(super) ready: Instant,
    pub(super) ue: u32,
    pub(super) bearer: usize,
    pub(super) packet: Box<Packet>,
}

/// An uplink packet in the processing of its UE.
#[derive(Clone, Debug)]
pub(super) struct UplinkProcessed {
    /// Time at which it enters its buffer.
    pub(super) at: Instant,
    pub(super) ue: u32,
    pub(super) bearer: usize,
    pub(super) packet: Box<Packet>,
}

impl Cell {
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
        let bearer = self.bearer_of(now, direction, ue, &packet);
        let clock = &self.setup.clock;
        let delay = self.setup.config.timing.enb_processing;
        if direction == Direction::Down && delay != Delay::NONE {
            let ready = now + clock.length(delay);
            packet.ledger.charge(Cause::RadioProcessing, ready);
            // Packets that arrive at one instant are ready for one slot.
            let together = self.processing.back().filter(|last| last.ready == ready);
            let first = together.map_or_else(|| clock.first_after(now, delay), |last| last.first);
            if self.processing.is_empty() {
                self.wakes.wake_by(clock.start(first), out);
            }
            self.processing.push_back(Processed { first, ready, ue: ue.0, bearer, packet });
        } else if direction == Direction::Up
            && self.setup.config.timing.ue_transmission != Delay::NONE
        {
            let at = now + clock.length(self.setup.config.timing.ue_transmission);
            packet.ledger.charge(Cause::RadioProcessing, at);
            self.uplink_processing.push_back(UplinkProcessed { at, ue: ue.0, bearer, packet });
            self.wakes.wake_by(at, out);
        } else {
            let had_work = self.has_work();
            self.put_in_queue(now, direction, ue.0, bearer, packet, out);
            let clock = &self.setup.clock;
            let next = (self.has_work() && !had_work).then(|| self.wakes.next_start(clock, now));
            if let Some(slot) = self.wakes.take_planned().into_iter().chain(next).min() {
                self.wakes.wake_by(clock.start(slot), out);
            }
            if self.rrc.is_some() {
                self.wakes.wake_for_timers(out);
            }
        }
        if !self.secondaries.is_empty()
            && let Some(at) = self.next_secondary_tick(now)
        {
            self.wakes.wake_by(at, out);
        }
    }

    /// Returns the position of the bearer that carries this packet.
    fn bearer_of(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: UeId,
        packet: &Packet,
    ) -> usize {
        if self.setup.filters.is_empty() && !self.setup.reflective {
            return 0;
        }
        let claim = self.setup.filters.claim(direction, packet);
        if self.setup.reflective && direction == Direction::Up {
            let derived = self.ues[ue.0 as usize].rules.bearer_of(now, packet);
            let first = claim.is_none_or(|(precedence, _)| precedence > sdap::PRECEDENCE);
            if let Some(bearer) = derived.filter(|_| first) {
                return bearer;
            }
        }
        let Some((precedence, bearer)) = claim else { return 0 };
        self.claimed.insert(precedence);
        bearer
    }

    /// Lets a UE derive a rule from a downlink packet that has arrived.
    pub(super) fn derive_rule(&mut self, now: Instant, ue: u32, packet: &Packet) {
        let Setup { config, filters, .. } = &self.setup;
        if let Some((_, bearer)) = filters.claim(Direction::Down, packet)
            && let Some(reflective) = config.bearers[bearer].reflective
        {
            self.ues[ue as usize].rules.on_downlink(now, packet, bearer, reflective);
        }
    }

    /// Queues the packets that UEs have processed until now.
    #[inline(always)]
    pub(super) fn end_ue_processing(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        while self.uplink_processing.front().is_some_and(|processed| processed.at <= now) {
            let processed = self.uplink_processing.pop_front().expect("there is a front");
            let UplinkProcessed { ue, bearer, packet, .. } = processed;
            self.enqueue(now, Direction::Up, ue, bearer, packet, out);
        }
    }

    /// Queues the packets that the base station has processed until this slot.
    #[inline(always)]
    pub(super) fn end_base_processing(
        &mut self,
        slot: u64,
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        while self.processing.front().is_some_and(|processed| processed.first <= slot) {
            let processed = self.processing.pop_front().expect("there is a front");
            let Processed { ue, bearer, packet, .. } = processed;
            self.enqueue(now, Direction::Down, ue, bearer, packet, out);
        }
    }

    /// Puts a packet into the RLC buffer of its bearer.
    pub(super) fn enqueue(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: u32,
        position: usize,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        self.put_in_queue(now, direction, ue, position, packet, out);
    }

    /// Does the work of [`Cell::enqueue`], inlined: most packets have no processing delay.
    #[inline(always)]
    fn put_in_queue(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: u32,
        position: usize,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        let Some(packet) = self.while_connected(now, direction, ue, position, packet) else {
            return;
        };
        let packet = match direction {
            Direction::Down => self.while_in_cell(now, ue, position, packet, out),
            Direction::Up => Some(packet),
        };
        let Some(packet) = packet else { return };
        let bearer = &mut self.bearers[ue as usize][position];
        let sdu = bearer.pdcp[direction].on_packet(now, packet);
        let refused = bearer.rlc.enqueue(direction, sdu).err();
        let mut waiting = bearer.rlc.buffer(direction).bytes();
        if direction == Direction::Down {
            self.base.on_packet(ue, position, bearer, refused.is_none());
            for secondary in &mut self.secondaries {
                secondary.on_packet(now, ue, position, bearer, refused.is_none());
            }
            if self.setup.managed {
                self.settle_queue(ue, position, out);
                waiting = self.bearers[ue as usize][position].rlc.buffer(direction).bytes();
            }
        }
        if let Some(packet) = refused {
            self.drop(direction, ue, packet, DropCause::Queue, out);
            return;
        }
        let longest = &mut self.tallies[direction].queue_max;
        *longest = (*longest).max(waiting);
        if direction == Direction::Up {
            let Self { ues, scratch, effects, bearers, .. } = self;
            let bearer = &mut bearers[ue as usize][position];
            if ues[ue as usize].filter_at_arrival(position, bearer, scratch, effects) {
                self.carry_out(now, ue, out);
            }
            self.on_uplink_data(now, ue);
        }
    }
}
