//! One direction of a duplicated bearer (TS 38.323 §5.11), which has two entities and one PDCP.
//!
//! In: SDUs with their copies, STATUS PDUs, the path of the other entity. Out: copies that the
//! other entity need not send, packets of which no copy is left.

use super::{Exit, Path, is_last, report};
use crate::net::{Direction, DropCause, Packet};
use crate::ran::rlc::effect::Effect;
use crate::ran::rlc::pdu::StatusPdu;
use crate::ran::rlc::sdu::Sdu;
use crate::ran::rlc::span::Span;
use crate::sim::Outbox;

impl Path {
    /// Creates the path of a second entity, which has no PDCP of its own.
    pub(in crate::ran::rlc) fn second(&self) -> Self {
        Self::new(self.config.of_second())
    }

    /// Sets up the count of copies for duplicated packets.
    pub(in crate::ran::rlc) fn count_copies(&mut self) {
        self.exit.copies = Some(Box::default());
    }

    /// Swaps the entities, their buffer and their flight with those of `other`. PDCP stays.
    pub(in crate::ran::rlc) fn swap_entities(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.buffer, &mut other.buffer);
        std::mem::swap(&mut self.transmitter, &mut other.transmitter);
        std::mem::swap(&mut self.exit.flight, &mut other.exit.flight);
        std::mem::swap(&mut self.receiver, &mut other.receiver);
        std::mem::swap(&mut self.sent_copies, &mut other.sent_copies);
    }

    /// Queues an SDU, and its copy in `other` if that has space.
    pub(in crate::ran::rlc) fn enqueue_with_copy(
        &mut self,
        sdu: Sdu,
        mut copy: Sdu,
        other: &mut Self,
    ) -> Result<(), Box<Packet>> {
        copy.count = self.tx_next;
        let length = sdu.packet.length;
        self.enqueue(sdu)?;
        let fits = other.buffer.enqueue(copy).is_ok();
        if let Some(copies) = &mut self.exit.copies {
            copies.begin(length, 1 + u32::from(fits));
        }
        Ok(())
    }

    /// Records the SDUs that begin in `data` of a PDU just built, of which another copy exists.
    pub(in crate::ran::rlc) fn note_begun(&mut self, data: Span) {
        let Self { exit, sent_copies, .. } = self;
        exit.flight.begun_in(data).for_each(|(span, sdu)| sent_copies.begin(span, sdu.count));
    }

    /// Processes a STATUS PDU of an entity whose SDUs also go through `other`. Discards the copies
    /// there of packets that it confirms (TS 38.323 §5.11.2).
    pub(in crate::ran::rlc) fn on_status_of_copies(
        &mut self,
        direction: Direction,
        status: &StatusPdu,
        other: &mut Self,
        out: &mut Outbox<Effect>,
    ) {
        let Self { transmitter, sent_copies, exit, .. } = self;
        let Exit { copies, tally, .. } = exit;
        let outcome = transmitter.on_status(status, |delivered| {
            if let Some(count) = sent_copies.end(delivered)
                && let Some(copy) = other.buffer.discard(count)
                && is_last(copies, &copy)
            {
                // The confirmed copy had arrived too late for PDCP.
                tally.drop(DropCause::Late, copy.packet.length);
                out.emit(Effect::Drop(direction, copy.packet, DropCause::Late));
            }
        });
        report(outcome, direction, out);
    }
}
