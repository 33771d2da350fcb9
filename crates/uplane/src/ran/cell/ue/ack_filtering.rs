//! ACK filters in a UE: passes packets and grants to them, and removes the packets that they name.
//!
//! In: events of the uplink queues of UEs, grants, blocks of the downlink. Out: packets dropped as
//! filtered.
//!
//! A filter mirrors the queue of its bearer. The difference of the two lengths is the number of
//! packets that have left the queue since the last call, so no event is counted.
//!
//! Left out: the share of a bearer when several share a block by prioritised bit rates. At a grant
//! the filter assumes that the bearer gets all bytes that more urgent bearers leave. This matters
//! if a filtered bearer is beside another with such a rate.

use super::uplink::Mapping;
use super::{LogicalChannel, Ue, UeTurn};
use crate::net::{Direction, DropCause};
use crate::ran::ack_filter::{AckFilter, Block, Grant};
use crate::ran::cell::bearer::Bearer;
use crate::ran::cell::draft::Scratch;
use crate::ran::rlc;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

impl Ue {
    /// Returns the filters of the UE, each with the position of its bearer.
    pub(in crate::ran::cell) fn ack_filters(&self) -> impl Iterator<Item = (usize, &AckFilter)> {
        self.channels
            .iter()
            .enumerate()
            .filter_map(|(place, channel)| Some((place, channel.filter.as_deref()?)))
    }

    /// Filters the queue of a bearer after an arrival. Returns `true` if the bearer has a filter,
    /// so packets may have been removed.
    #[inline]
    pub(in crate::ran::cell) fn filter_at_arrival(
        &mut self,
        position: usize,
        bearer: &mut Bearer,
        scratch: &mut Scratch,
        effects: &mut Outbox<rlc::Effect>,
    ) -> bool {
        let Some(filter) = &mut self.channels[position].filter else { return false };
        let newest = bearer.rlc.buffer(Direction::Up).queue().back();
        let newest = newest.expect("the queue has just taken it");
        filter.on_arrival(&newest.packet, newest.size, &mut scratch.places);
        take_out(bearer, &scratch.places, effects);
        true
    }

    /// Filters the queues before a block of this size is filled.
    pub(super) fn filter_at_grant(
        &mut self,
        turn: &mut UeTurn<'_>,
        room: Bytes,
        restricted: Option<Mapping>,
    ) {
        if self.channels.iter().all(|channel| channel.filter.is_none()) {
            return;
        }
        let mut room = room;
        for &position in self.buckets.order() {
            let channel = &self.channels[position];
            if restricted.is_some_and(|mapping| !channel.may_use(mapping)) {
                continue;
            }
            let bearer = &mut turn.bearers[position];
            let places = &mut turn.scratch.places;
            let filter = &mut self.channels[position].filter;
            if let (Some(grant), Some(filter)) = (share_of(bearer, turn.now, room), filter) {
                filter.on_grant(grant, places);
                take_out(bearer, places, turn.effects);
            }
            let demand = bearer.rlc.buffer_status(turn.now, Direction::Up).demand();
            room = room.saturating_sub(demand);
        }
    }

    /// Synchronises a filter after RLC was re-established: packets that were partly sent may be in
    /// the queue again.
    pub(in crate::ran::cell) fn notify_restored(&mut self, position: usize, bearer: &Bearer) {
        let length = bearer.rlc.buffer(Direction::Up).queue().len();
        if let Some(filter) = &mut self.channels[position].filter {
            filter.on_restored(length - filter.queued());
        }
    }

    /// Synchronises a filter after all data of its bearer were lost.
    pub(in crate::ran::cell) fn notify_abandoned(&mut self, position: usize, bearer: &Bearer) {
        self.channels[position].notify_expired(bearer);
    }

    /// Reports a received downlink block to all filters.
    pub(in crate::ran::cell) fn notify_block(&mut self, now: Instant, block: Block) {
        for channel in &mut self.channels {
            if let Some(filter) = &mut channel.filter {
                filter.on_block(now, block);
            }
        }
    }
}

impl LogicalChannel {
    /// Synchronises the filter after a block was filled: packets that left the queue are being
    /// sent.
    #[inline]
    pub(super) fn notify_begun(&mut self, bearer: &Bearer) {
        if let Some(filter) = &mut self.filter {
            let length = bearer.rlc.buffer(Direction::Up).queue().len();
            filter.on_begun(filter.queued() - length);
        }
    }

    /// Synchronises the filter after PDCP's check for expired packets, which are always at the
    /// front.
    pub(super) fn notify_expired(&mut self, bearer: &Bearer) {
        if let Some(filter) = &mut self.filter {
            let length = bearer.rlc.buffer(Direction::Up).queue().len();
            (length..filter.queued()).for_each(|_| filter.on_expired(0));
        }
    }
}

/// Returns the part of a block of `room` bytes that remains for untouched packets, after STATUS
/// PDUs, retransmissions and the rest of a partly sent packet. Returns `None` if the block is large
/// enough for all data.
fn share_of(bearer: &Bearer, now: Instant, room: Bytes) -> Option<Grant> {
    let status = bearer.rlc.buffer_status(now, Direction::Up);
    if status.demand() <= room {
        return None;
    }
    let rest = bearer.rlc.buffer(Direction::Up).rest();
    let overhead = bearer.rlc.overhead(Direction::Up);
    let free = status.headers.is_zero();
    let (once, per_packet) =
        if free { (Bytes::ZERO, Bytes::ZERO) } else { (overhead.once, overhead.each) };
    let before = status.status + status.retransmission + rest + once;
    Some(Grant { room: (room + overhead.spared).saturating_sub(before), per_packet })
}

/// Removes packets from the uplink queue, from the last place to the first.
fn take_out(bearer: &mut Bearer, places: &[usize], effects: &mut Outbox<rlc::Effect>) {
    for &place in places {
        let packet = bearer.rlc.remove_at(Direction::Up, place, DropCause::Filtered);
        effects.emit(rlc::Effect::Drop(Direction::Up, packet, DropCause::Filtered));
    }
}
