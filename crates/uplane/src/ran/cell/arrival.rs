//! Blocks at the end of their way, and what RLC then wants.
//!
//! In: blocks that have arrived, timers of RLC. Out: packets, and buffers that may have changed.
//!
//! Left out: re-establishment takes no time, and loses what RLC holds. Who studies radio link failures can tell.

use super::Cell;
use super::ue::Ue;
use crate::net::{Cause, Direction, DropCause, Packet};
use crate::ran::{Effect, rlc};
use crate::sim::Outbox;
use crate::unit::Instant;

/// A block at the end of its way, well or lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) at: Instant,
    pub(super) ue: u32,
    pub(super) process: usize,
    pub(super) lost: bool,
}

impl Cell {
    /// Blocks that have arrived are taken apart. True when there were any.
    pub(super) fn arrive(&mut self, now: Instant, out: &mut Outbox<Effect>) -> bool {
        let mut any = false;
        for direction in Direction::BOTH {
            while let Some(arrival) = self.arrivals[direction].front()
                && arrival.at <= now
            {
                let Arrival { ue, process, lost, .. } = *arrival;
                self.arrivals[direction].pop_front();
                any = true;
                self.open(now, direction, ue, process, lost);
                self.settle(now, ue, out);
            }
        }
        any
    }

    pub(super) fn open(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: u32,
        process: usize,
        lost: bool,
    ) {
        let Ue { bearers, down, up, .. } = &mut self.ues[ue as usize];
        let (half, waited) = match direction {
            Direction::Down => (down, Cause::RadioQueue),
            Direction::Up => (up, Cause::GrantWait),
        };
        let block = half.harq.block(process);
        if lost {
            block.lose(now, direction, bearers, &mut self.effects);
        } else {
            block.deliver(now, direction, waited, bearers, &mut self.effects);
            if direction == Direction::Down {
                for bearer in bearers {
                    bearer.tell_block(now, block.size);
                }
            }
        }
    }

    pub(super) fn on_rlc_timer(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        for bearer in &mut self.ues[ue as usize].bearers {
            bearer.rlc.on_timer(now, &mut self.effects);
        }
        self.settle(now, ue, out);
    }

    /// After anything that may have changed the RLC of a UE: its effects go out, its timers and its
    /// buffers are looked at.
    pub(super) fn settle(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        self.carry_out(now, ue, out);
        let state = &self.ues[ue as usize];
        let timer = state.bearers.iter().filter_map(|bearer| bearer.rlc.next_timer()).min();
        let slot = self.timer_slots[ue as usize];
        match timer {
            Some(at) => self.timers.arm(slot, at.max(now)),
            None if self.timers.due(slot).is_some() => self.timers.disarm(slot),
            None => {}
        }
        // Only STATUS PDUs and their consequences change buffers when something arrives.
        if state.acknowledged {
            let waits = state.has_data(now, Direction::Down);
            self.down.set_waiting(ue, waits);
            self.on_uplink_data(now, ue);
        }
    }

    /// Carries effects of RLC out of the cell.
    pub(super) fn carry_out(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        let mut failed = false;
        while let Some(effect) = self.effects.take_next() {
            match effect {
                rlc::Effect::Deliver(direction, packet) => {
                    self.tallies[direction].leave(packet.length);
                    let state = &mut self.ues[ue as usize];
                    if direction == Direction::Up {
                        state.counted.uplink.on_packet(&packet);
                    }
                    let ue = state.id;
                    out.emit(Effect::Deliver { direction, ue, packet });
                }
                rlc::Effect::Drop(direction, packet, cause) => {
                    self.tallies[direction].drop(cause, packet.length);
                    let ue = self.ues[ue as usize].id;
                    out.emit(Effect::Drop { direction, ue, packet, cause });
                }
                rlc::Effect::RadioLinkFailure(_) => failed = true,
            }
        }
        if failed {
            for bearer in &mut self.ues[ue as usize].bearers {
                bearer.rlc.reestablish(now, &mut self.effects);
                bearer.tell_restored();
            }
            self.carry_out(now, ue, out);
        }
    }

    /// A packet goes no further.
    pub(super) fn drop(
        &mut self,
        direction: Direction,
        ue: u32,
        packet: Box<Packet>,
        cause: DropCause,
        out: &mut Outbox<Effect>,
    ) {
        self.tallies[direction].drop(cause, packet.length);
        let ue = self.ues[ue as usize].id;
        out.emit(Effect::Drop { direction, ue, packet, cause });
    }
}
