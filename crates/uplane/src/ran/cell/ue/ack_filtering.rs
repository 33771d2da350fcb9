//! ACK filters at work: who tells them what, and who takes out what they name.
//!
//! In: what happens to the uplink queues of UEs, grants, blocks of the downlink. Out: packets dropped as
//! filtered.
//!
//! A filter mirrors the queue of its bearer. What left the queue since it was told last is known from the two
//! lengths, so nobody has to count.
//!
//! Left out: what a bearer gets when several share a block by prioritised bit rates. At a grant it is taken
//! to get what more urgent ones leave; who filters a bearer beside another with such a rate can tell.

use crate::net::{Direction, DropCause};
use crate::ran::ack_filter::{AckFilter, Grant};
use crate::ran::cell::ue::Bearer;
use crate::ran::cell::{Cell, Effect};
use crate::ran::rlc;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant, UeId};

impl Cell {
    /// The filters, in the order of UEs and bearers.
    pub fn ack_filters(&self) -> impl Iterator<Item = (UeId, usize, &AckFilter)> {
        (0..self.ues.len()).flat_map(|ue| self.ack_filters_of(ue))
    }

    /// Those of one UE of the cell.
    pub(in crate::ran::cell) fn ack_filters_of(
        &self,
        ue: usize,
    ) -> impl Iterator<Item = (UeId, usize, &AckFilter)> {
        let ue = &self.ues[ue];
        ue.bearers.iter().enumerate().filter_map(move |(place, bearer)| {
            bearer.filter.as_deref().map(|filter| (ue.id, place, filter))
        })
    }

    /// The uplink queue of a bearer took a packet.
    pub(in crate::ran::cell) fn filter_at_arrival(
        &mut self,
        now: Instant,
        ue: u32,
        bearer: usize,
        out: &mut Outbox<Effect>,
    ) {
        let bearer = &mut self.ues[ue as usize].bearers[bearer];
        let Some(filter) = &mut bearer.filter else { return };
        let newest = bearer.rlc.buffer(Direction::Up).queue().back();
        let newest = newest.expect("the queue has just taken it");
        let places = &mut self.scratch.places;
        filter.on_arrival(&newest.packet, newest.size, places);
        if !places.is_empty() {
            bearer.take_out(places, &mut self.effects);
            self.carry_out(now, ue, out);
        }
    }

    /// A block with this much room is about to be filled.
    pub(in crate::ran::cell) fn filter_at_grant(
        &mut self,
        now: Instant,
        ue: u32,
        room: Bytes,
        out: &mut Outbox<Effect>,
    ) {
        let state = &mut self.ues[ue as usize];
        if state.bearers.iter().all(|bearer| bearer.filter.is_none()) {
            return;
        }
        let (mut room, mut any) = (room, false);
        for &position in state.buckets.up.order() {
            let bearer = &mut state.bearers[position];
            let places = &mut self.scratch.places;
            if let (Some(grant), Some(filter)) = (bearer.grant(now, room), &mut bearer.filter) {
                filter.on_grant(grant, places);
                any |= !places.is_empty();
                bearer.take_out(places, &mut self.effects);
            }
            let demand = bearer.rlc.buffer_status(now, Direction::Up).demand();
            room = room.saturating_sub(demand);
        }
        if any {
            self.carry_out(now, ue, out);
        }
    }
}

impl Bearer {
    /// What a block with this much room has for packets not yet begun; none when all fit.
    fn grant(&self, now: Instant, room: Bytes) -> Option<Grant> {
        let status = self.rlc.buffer_status(now, Direction::Up);
        if status.demand() <= room {
            return None;
        }
        let rest = self.rlc.buffer(Direction::Up).rest();
        let free = status.headers.is_zero();
        let (header, per_packet) =
            if free { (Bytes::ZERO, Bytes::ZERO) } else { (PDU_HEADER, LENGTH_INDICATOR) };
        let before = status.status + status.retransmission + rest + header;
        Some(Grant { room: room.saturating_sub(before), per_packet })
    }

    /// Takes packets out of the uplink queue, from the last place to the first.
    fn take_out(&mut self, places: &[usize], effects: &mut Outbox<rlc::Effect>) {
        for &place in places {
            let packet = self.rlc.remove_at(Direction::Up, place, DropCause::Filtered);
            effects.emit(rlc::Effect::Drop(Direction::Up, packet, DropCause::Filtered));
        }
    }

    /// A block was filled: what left the queue was begun.
    pub(in crate::ran::cell) fn tell_begun(&mut self) {
        let length = self.rlc.buffer(Direction::Up).queue().len();
        if let Some(filter) = &mut self.filter {
            filter.on_begun(filter.queued() - length);
        }
    }

    /// PDCP looked for what grew too old, which is always at the front.
    pub(in crate::ran::cell) fn tell_expired(&mut self) {
        let length = self.rlc.buffer(Direction::Up).queue().len();
        if let Some(filter) = &mut self.filter {
            (length..filter.queued()).for_each(|_| filter.on_expired(0));
        }
    }

    /// RLC began again: what was begun may be back.
    pub(in crate::ran::cell) fn tell_restored(&mut self) {
        let length = self.rlc.buffer(Direction::Up).queue().len();
        if let Some(filter) = &mut self.filter {
            filter.on_restored(length - filter.queued());
        }
    }

    /// The UE received a block of the downlink.
    pub(in crate::ran::cell) fn tell_block(&mut self, now: Instant, size: Bytes) {
        if let Some(filter) = &mut self.filter {
            filter.on_block(now, size);
        }
    }
}

/// The fixed part of an RLC header with a sequence number of 10 bits (TS 36.322 §6.2.1).
const PDU_HEADER: Bytes = Bytes(2);
/// A length indicator of 12 bits, in whole bytes (TS 36.322 §6.2.1.3).
const LENGTH_INDICATOR: Bytes = Bytes(2);
