//! How packets leave one direction of a bearer: what its packets are until they do, and what
//! becomes of them then.
//!
//! In: how far the receiver has come, what will never be whole, time. Out: packets, delivered or
//! dropped with a cause, each counted.

use super::copies::Copies;
use super::effect::Effect;
use super::flight::Flight;
use super::passed::Passed;
use super::sdu::Sdu;
use super::span::Span;
use crate::net::{Cause, Direction, DropCause, Tally};
use crate::ran::pdcp::receiver::Receiver as PdcpReceiver;
use crate::ran::pdcp::stored::Stored;
use crate::sim::Outbox;
use crate::unit::Instant;

/// Packets that were begun, those that wait for others before them, and the count of all.
#[derive(Clone, Debug, Default)]
pub(super) struct Exit {
    pub(super) flight: Flight,
    pub(super) tally: Tally,
    /// PDCP at the receiver, where it puts packets in order.
    pub(super) reordering: Option<Box<PdcpReceiver>>,
    /// Where PDCP sends each packet twice.
    pub(super) copies: Option<Box<Copies>>,
    /// What PDCP of LTE has got from a re-establishment of RLC.
    pub(super) stored: Option<Box<Stored>>,
}

/// Where effects go that happen now in this direction.
#[derive(Debug)]
pub(super) struct Way<'a> {
    pub(super) now: Instant,
    pub(super) direction: Direction,
    pub(super) out: &'a mut Outbox<Effect>,
}

impl Exit {
    /// The receiver has come so far.
    #[inline(always)]
    pub(super) fn pass(&mut self, passed: Passed, way: &mut Way<'_>) {
        match passed {
            Passed::UpTo(whole) => self.pass_in_order(whole, way),
            Passed::Sdu(whole) => self.pass_sdu(whole, way),
            Passed::Discarded(data) => self.discard(data, way),
        }
    }

    /// The receiver has come to the end of `whole`: packets that end there are delivered or, where
    /// a part of them is missing, dropped.
    #[inline(always)]
    fn pass_in_order(&mut self, whole: Span, way: &mut Way<'_>) {
        let Self { flight, tally, stored, .. } = self;
        flight.pass(whole, |mut sdu, complete| {
            if complete && let Some(stored) = stored {
                sdu.packet.ledger.charge(Cause::RadioReordering, way.now);
                stored.pass(sdu, |sdu| way.deliver(sdu, tally));
            } else if complete {
                tally.leave(sdu.packet.length);
                sdu.packet.ledger.charge(Cause::RadioReordering, way.now);
                way.out.emit(Effect::Deliver(way.direction, sdu.packet));
            } else {
                way.drop(sdu, DropCause::Incomplete, tally);
            }
        });
    }

    /// An SDU is whole: it is delivered, or waits for those before it.
    fn pass_sdu(&mut self, whole: Span, way: &mut Way<'_>) {
        let Some(sdu) = self.flight.release(whole) else { return };
        let Self { tally, reordering, copies, .. } = self;
        let Some(reordering) = reordering else {
            way.deliver(sdu, tally);
            return;
        };
        let count = sdu.count;
        let late = reordering.on_sdu(way.now, sdu, |sdu| way.deliver(sdu, tally));
        if let Err(sdu) = late {
            if is_last(copies, &sdu) {
                way.drop(sdu, DropCause::Late, tally);
            }
        } else if let Some(copies) = copies {
            copies.accept(count);
        }
    }

    /// The rest of an SDU is not waited for.
    pub(super) fn discard(&mut self, data: Span, way: &mut Way<'_>) {
        self.give_up(data, DropCause::Incomplete, way);
    }

    /// Packets with bytes in this span are dropped, where no other copy of them is under way.
    pub(super) fn give_up(&mut self, data: Span, cause: DropCause, way: &mut Way<'_>) {
        let Self { flight, tally, copies, .. } = self;
        flight.give_up(data, |sdu| {
            if is_last(copies, &sdu) {
                way.drop(sdu, cause, tally);
            }
        });
        flight.trim();
    }

    /// `t-Reordering` of PDCP may have expired.
    pub(super) fn wait_no_longer(&mut self, way: &mut Way<'_>) {
        let Self { tally, reordering, .. } = self;
        if let Some(reordering) = reordering {
            reordering.on_timer(way.now, |sdu| way.deliver(sdu, tally));
        }
    }
}

impl Way<'_> {
    /// PDCP delivers a packet.
    pub(super) fn deliver(&mut self, mut sdu: Sdu, tally: &mut Tally) {
        tally.leave(sdu.packet.length);
        sdu.packet.ledger.charge(Cause::PdcpReordering, self.now);
        self.out.emit(Effect::Deliver(self.direction, sdu.packet));
    }

    pub(super) fn drop(&mut self, sdu: Sdu, cause: DropCause, tally: &mut Tally) {
        tally.drop(cause, sdu.packet.length);
        self.out.emit(Effect::Drop(self.direction, sdu.packet, cause));
    }
}

/// An SDU goes no further: true when no other copy of its packet does.
pub(super) fn is_last(copies: &mut Option<Box<Copies>>, sdu: &Sdu) -> bool {
    copies.as_mut().is_none_or(|copies| copies.lose(sdu.count))
}
