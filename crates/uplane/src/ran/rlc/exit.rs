//! The end of packets in one direction of a bearer: packets in flight, and their delivery or drop.
//!
//! In: progress of the receiver, data that will never be complete, time. Out: packets, delivered or
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

/// The packets that were begun, those that wait for earlier ones, and the counts of all.
#[derive(Clone, Debug, Default)]
pub(super) struct Exit {
    pub(super) flight: Flight,
    pub(super) tally: Tally,
    /// PDCP's reordering at the receiver, if configured.
    pub(super) reordering: Option<Box<PdcpReceiver>>,
    /// The copies of duplicated packets, if PDCP duplicates them.
    pub(super) copies: Option<Box<Copies>>,
    /// Packets that PDCP of LTE has received from a re-establishment of RLC.
    pub(super) stored: Option<Box<Stored>>,
}

/// The time, direction and outbox of the effects that happen now.
#[derive(Debug)]
pub(super) struct ExitContext<'a> {
    pub(super) now: Instant,
    pub(super) direction: Direction,
    pub(super) out: &'a mut Outbox<Effect>,
}

impl Exit {
    /// Processes progress of the receiver.
    #[inline(always)]
    pub(super) fn pass(&mut self, passed: Passed, context: &mut ExitContext<'_>) {
        match passed {
            Passed::UpTo(whole) => self.pass_in_order(whole, context),
            Passed::Sdu(whole) => self.pass_sdu(whole, context),
            Passed::Discarded(data) => self.discard(data, context),
        }
    }

    /// Delivers the packets that end in or before `whole`, or drops those of which a part is
    /// missing.
    #[inline(always)]
    fn pass_in_order(&mut self, whole: Span, context: &mut ExitContext<'_>) {
        let Self { flight, tally, stored, .. } = self;
        flight.pass(whole, |mut sdu, complete| {
            if complete && let Some(stored) = stored {
                sdu.packet.ledger.charge(Cause::RadioReordering, context.now);
                stored.pass(sdu, |sdu| context.deliver(sdu, tally));
            } else if complete {
                tally.leave(sdu.packet.length);
                sdu.packet.ledger.charge(Cause::RadioReordering, context.now);
                context.out.emit(Effect::Deliver(context.direction, sdu.packet));
            } else {
                context.drop(sdu, DropCause::Incomplete, tally);
            }
        });
    }

    /// Processes a complete SDU: delivers it, or keeps it until those before it have arrived.
    fn pass_sdu(&mut self, whole: Span, context: &mut ExitContext<'_>) {
        let Some(sdu) = self.flight.release(whole) else { return };
        let Self { tally, reordering, copies, .. } = self;
        let Some(reordering) = reordering else {
            context.deliver(sdu, tally);
            return;
        };
        let count = sdu.count;
        let late = reordering.on_sdu(context.now, sdu, |sdu| context.deliver(sdu, tally));
        if let Err(sdu) = late {
            if is_last(copies, &sdu) {
                context.drop(sdu, DropCause::Late, tally);
            }
        } else if let Some(copies) = copies {
            copies.accept(count);
        }
    }

    /// Discards an SDU whose rest is no longer waited for.
    pub(super) fn discard(&mut self, data: Span, context: &mut ExitContext<'_>) {
        self.abandon(data, DropCause::Incomplete, context);
    }

    /// Drops the packets with bytes in this span, unless another copy of them is under way.
    pub(super) fn abandon(&mut self, data: Span, cause: DropCause, context: &mut ExitContext<'_>) {
        let Self { flight, tally, copies, .. } = self;
        flight.abandon(data, |sdu| {
            if is_last(copies, &sdu) {
                context.drop(sdu, cause, tally);
            }
        });
        flight.trim();
    }

    /// Handles the expiry of PDCP's `t-Reordering`, if it has expired.
    pub(super) fn wait_no_longer(&mut self, context: &mut ExitContext<'_>) {
        let Self { tally, reordering, .. } = self;
        if let Some(reordering) = reordering {
            reordering.on_timer(context.now, |sdu| context.deliver(sdu, tally));
        }
    }
}

impl ExitContext<'_> {
    /// Delivers a packet from PDCP.
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

/// Records that an SDU ends here. Returns `true` if no other copy of its packet is under way.
pub(super) fn is_last(copies: &mut Option<Box<Copies>>, sdu: &Sdu) -> bool {
    copies.as_mut().is_none_or(|copies| copies.lose(sdu.count))
}
