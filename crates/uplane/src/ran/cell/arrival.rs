//! Arriving blocks, and the effects of RLC that follow.
//!
//! In: blocks that have arrived, timers of RLC. Out: packets, and changes of buffers.
//!
//! Left out: re-establishment takes no time, and loses the data in RLC. This matters for studies of
//! radio link failures.

use super::Cell;
use super::air::Arrival;
use super::bearer::swap_entities;
use crate::net::{Cause, Direction, DropCause, Packet};
use crate::ran::{Effect, ack_filter, rlc};
use crate::sim::Outbox;
use crate::unit::Instant;

impl Cell {
    /// Delivers the blocks that have arrived. Returns `true` if there were any.
    #[inline(always)]
    pub(super) fn arrive(&mut self, now: Instant, out: &mut Outbox<Effect>) -> bool {
        let mut any = self.air.next_arrival().is_some_and(|at| at <= now);
        if any {
            self.open_arrivals(now, out);
        }
        if !self.secondaries.is_empty() {
            any |= self.arrive_on_secondaries(now, out);
        }
        any
    }

    #[inline(never)]
    fn open_arrivals(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        for direction in Direction::BOTH {
            while let Some(arrival) = self.air.arrivals[direction].front()
                && arrival.at <= now
            {
                let Arrival { ue, process, lost, .. } = *arrival;
                self.air.arrivals[direction].pop_front();
                self.open(now, direction, ue, process, lost);
                self.settle(now, ue, out);
            }
        }
    }

    /// Delivers a block to its receiver, or reports it as lost.
    #[inline(always)]
    fn open(&mut self, now: Instant, direction: Direction, ue: u32, process: usize, lost: bool) {
        self.notify_rrc(now, direction, ue, lost);
        let state = &mut self.ues[ue as usize];
        let bearers = &mut self.bearers[ue as usize];
        let (block, waited) = match direction {
            Direction::Down => (self.base.block(ue, process), Cause::RadioQueue),
            Direction::Up => (state.harq.block(process), Cause::GrantWait),
        };
        if lost {
            block.lose(now, direction, bearers, &mut self.effects);
            return;
        }
        block.deliver(now, direction, waited, bearers, &mut self.effects);
        if direction == Direction::Up || !self.setup.ack_filters {
            return;
        }
        let band = self.setup.capacity[Direction::Down].units(block.slot);
        // Only urgent blocks begin in slots in which other blocks have no band.
        if band > 0 {
            let received = ack_filter::Block { size: block.size, units: block.all_units(), band };
            state.notify_block(now, received);
        }
    }

    /// Reports a block as lost to its receiver.
    #[cold]
    pub(super) fn lose(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: u32,
        process: usize,
        out: &mut Outbox<Effect>,
    ) {
        self.open(now, direction, ue, process, true);
        self.settle(now, ue, out);
    }

    pub(super) fn on_rlc_timer(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        for bearer in &mut self.bearers[ue as usize] {
            bearer.rlc.on_timer(now, &mut self.effects);
        }
        self.settle(now, ue, out);
    }

    /// Completes a change of a UE's RLC: carries out its effects, and updates its timers and
    /// buffers.
    #[inline(always)]
    pub(super) fn settle(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        self.carry_out(now, ue, out);
        let bearers = &mut self.bearers[ue as usize];
        let mut moved = self.setup.acknowledged;
        if !moved {
            for bearer in bearers.iter_mut() {
                moved |= bearer.rlc.take_timers_moved();
            }
        }
        if moved {
            let timer = bearers.iter().filter_map(|bearer| bearer.rlc.next_timer()).min();
            self.wakes.set_rlc(now, ue, timer);
        }
        // Only STATUS PDUs and their consequences change buffers at an arrival.
        if self.setup.acknowledged {
            if !self.is_away(ue) {
                self.on_downlink_data(now, ue);
            }
            self.on_uplink_data(now, ue);
        }
    }

    /// Handles a possible change of a UE's downlink queues.
    #[inline(always)]
    pub(super) fn on_downlink_data(&mut self, now: Instant, ue: u32) {
        let Self { base, bearers, secondaries, .. } = self;
        let bearers = &mut bearers[ue as usize];
        base.on_queues(now, ue, bearers);
        if secondaries.is_empty() {
            return;
        }
        swap_entities(bearers, Direction::Down);
        for secondary in secondaries {
            secondary.on_queues(now, ue, bearers);
        }
        swap_entities(bearers, Direction::Down);
    }

    /// Carries effects of RLC out of the cell.
    pub(super) fn carry_out(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        let mut failed = false;
        while let Some(effect) = self.effects.take_next() {
            match effect {
                rlc::Effect::Deliver(direction, packet) => {
                    self.tallies[direction].leave(packet.length);
                    if self.setup.reflective && direction == Direction::Down {
                        self.derive_rule(now, ue, &packet);
                    }
                    let link = &mut self.air.links[ue as usize];
                    if direction == Direction::Up {
                        link.counted.uplink.on_packet(&packet);
                    }
                    let ue = link.id;
                    out.emit(Effect::Deliver { direction, ue, packet });
                }
                rlc::Effect::Drop(direction, packet, cause) => {
                    self.tallies[direction].drop(cause, packet.length);
                    let ue = self.air.links[ue as usize].id;
                    out.emit(Effect::Drop { direction, ue, packet, cause });
                }
                rlc::Effect::RadioLinkFailure(_) => failed = true,
            }
        }
        if failed {
            self.reestablish(now, ue, out);
        }
    }

    /// Re-establishes RLC after a radio link failure of a UE; the data in RLC are lost.
    pub(super) fn reestablish(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        for (position, bearer) in self.bearers[ue as usize].iter_mut().enumerate() {
            bearer.rlc.reestablish(now, &mut self.effects);
            self.ues[ue as usize].notify_restored(position, bearer);
        }
        self.carry_out(now, ue, out);
    }

    /// Drops a packet, with its cause.
    pub(super) fn drop(
        &mut self,
        direction: Direction,
        ue: u32,
        packet: Box<Packet>,
        cause: DropCause,
        out: &mut Outbox<Effect>,
    ) {
        self.tallies[direction].drop(cause, packet.length);
        let ue = self.air.links[ue as usize].id;
        out.emit(Effect::Drop { direction, ue, packet, cause });
    }
}
