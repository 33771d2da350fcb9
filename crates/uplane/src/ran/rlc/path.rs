//! One direction of a bearer: the transmitting and the receiving entity, and the packets between
//! them.
//!
//! In: SDUs, PDUs that crossed the air or were lost, time. Out: packets, delivered in order or
//! dropped with a cause. Every packet is counted when it enters and when it leaves.

mod duplication;

use super::buffer::{BufferStatus, Overhead, TransmissionBuffer};
use super::effect::{Effect, Passage};
use super::entity::{Config, LinkFailure, Receiver, Transmitter};
use super::exit::{Exit, ExitContext, is_last};
use super::pdu::{DataPdu, StatusPdu};
use super::sdu::{Sdu, UNNUMBERED};
use super::sent_copies::SentCopies;
use super::span::Span;
use crate::net::{Cause, Count, Direction, DropCause, Packet};
use crate::ran::pdcp::receiver::{Numbering, Receiver as PdcpReceiver, Reordering};
use crate::record::Tables;
use crate::sim::Outbox;
use crate::unit::Instant;

/// One direction of a bearer.
#[derive(Clone, Debug)]
pub(super) struct Path {
    config: Config,
    pub(super) buffer: TransmissionBuffer,
    pub(super) transmitter: Transmitter,
    pub(super) receiver: Receiver,
    pub(super) exit: Exit,
    /// `TX_NEXT` of PDCP: the COUNT of the next packet.
    tx_next: u64,
    /// PDCP numbers a packet when its first byte is sent, not on arrival.
    numbers_late: bool,
    /// The duplicated packets that the transmitter has begun.
    sent_copies: SentCopies,
}

impl Path {
    pub(super) fn new(config: Config) -> Self {
        Self {
            buffer: TransmissionBuffer::new(config.buffer()),
            transmitter: Transmitter::new(&config),
            receiver: Receiver::new(&config),
            exit: Exit::default(),
            tx_next: 0,
            numbers_late: true,
            sent_copies: SentCopies::default(),
            config,
        }
    }

    /// Sets up reordering by PDCP.
    pub(super) fn reorder(&mut self, config: Reordering) {
        self.numbers_late = config.numbering == Numbering::AtTransmission;
        self.exit.reordering = Some(Box::new(PdcpReceiver::new(config)));
    }

    #[inline(always)]
    pub(super) fn enqueue(&mut self, mut sdu: Sdu) -> Result<(), Box<Packet>> {
        let tally = &mut self.exit.tally;
        tally.enter(sdu.packet.length);
        sdu.count = if self.numbers_late { UNNUMBERED } else { self.tx_next };
        if let Err(sdu) = self.buffer.enqueue(sdu) {
            tally.drop(DropCause::Queue, sdu.packet.length);
            return Err(sdu.packet);
        }
        self.tx_next += 1;
        tally.queue_max = tally.queue_max.max(self.buffer.bytes());
        Ok(())
    }

    /// Returns the data that waits, without the STATUS PDU of the opposite direction.
    pub(super) fn buffer_status(&self) -> BufferStatus {
        self.transmitter.buffer_status(&self.buffer)
    }

    /// Returns the data that waits, without headers and without the STATUS PDU of the opposite
    /// direction, and whether there may be such a STATUS PDU.
    #[inline(always)]
    pub(super) fn waiting(&self) -> (BufferStatus, bool) {
        self.transmitter.waiting(&self.buffer)
    }

    /// Returns the overhead of packets that are begun now, beyond their own bytes.
    pub(super) fn overhead(&self) -> Overhead {
        self.transmitter.overhead(&self.buffer)
    }

    /// Processes a data PDU that has arrived. Returns `false` if no timer has moved.
    pub(super) fn on_data(
        &mut self,
        now: Instant,
        direction: Direction,
        pdu: &DataPdu,
        passage: Passage,
        out: &mut Outbox<Effect>,
    ) -> bool {
        let next = self.receiver.take_next(now, pdu);
        let placed = next.is_some() || self.receiver.place(now, pdu);
        let Self { receiver, exit, .. } = self;
        if placed {
            exit.flight.charge_passage(pdu.data, passage, now);
        }
        let mut context = ExitContext { now, direction, out };
        if let Some(passed) = next {
            exit.pass(passed, &mut context);
            return exit.reordering.is_some();
        }
        if placed {
            receiver.on_placed(now, pdu, |passed| exit.pass(passed, &mut context));
        } else {
            receiver.take_late().into_iter().for_each(|late| exit.discard(late, &mut context));
        }
        true
    }

    pub(super) fn on_status(
        &mut self,
        direction: Direction,
        status: &StatusPdu,
        out: &mut Outbox<Effect>,
    ) {
        report(self.transmitter.on_status(status, |_| ()), direction, out);
    }

    pub(super) fn on_lost(
        &mut self,
        now: Instant,
        direction: Direction,
        data: Span,
        passage: Passage,
        out: &mut Outbox<Effect>,
    ) {
        if self.transmitter.is_acknowledged() {
            self.exit.flight.mark_lost(data, passage, now);
            return;
        }
        self.exit.abandon(data, DropCause::Loss, &mut ExitContext { now, direction, out });
    }

    /// Returns the time of the next [`Path::on_timer`].
    #[inline]
    pub(super) fn next_timer(&self) -> Option<Instant> {
        if let (Receiver::Um(receiver), None) = (&self.receiver, &self.exit.reordering) {
            // The transmitter of unacknowledged mode has no timer either.
            return receiver.next_timer();
        }
        let reordering =
            self.exit.reordering.as_ref().and_then(|reordering| reordering.next_timer());
        let ends = Instant::sooner(self.transmitter.next_timer(), self.receiver.next_timer());
        Instant::sooner(ends, reordering)
    }

    pub(super) fn on_timer(
        &mut self,
        now: Instant,
        direction: Direction,
        out: &mut Outbox<Effect>,
    ) {
        report(self.transmitter.on_timer(now, &self.buffer), direction, out);
        let Self { receiver, exit, .. } = self;
        let mut context = ExitContext { now, direction, out };
        receiver.on_timer(now, |passed| exit.pass(passed, &mut context));
        exit.wait_no_longer(&mut context);
    }

    pub(super) fn reestablish(
        &mut self,
        now: Instant,
        direction: Direction,
        why: Why,
        out: &mut Outbox<Effect>,
    ) {
        let Self { config, buffer, transmitter, receiver, exit, sent_copies, .. } = self;
        let Exit { flight, tally, copies, stored, .. } = exit;
        let mut context = ExitContext { now, direction, out };
        let mut again = Vec::new();
        for (mut sdu, is_whole) in flight.drain(&receiver.behind_gaps()) {
            let ledger = &mut sdu.packet.ledger;
            match (transmitter.is_acknowledged(), is_whole) {
                (true, true) => {
                    ledger.charge(Cause::RadioReordering, now);
                    stored.get_or_insert_default().push(sdu);
                }
                (true, false) => {
                    ledger.charge(why.wait, now);
                    again.push(sdu);
                }
                (false, true) => {
                    ledger.charge(Cause::RadioReordering, now);
                    context.deliver(sdu, tally);
                }
                (false, false) if is_last(copies, &sdu) => context.drop(sdu, why.drop, tally),
                (false, false) => {}
            }
        }
        transmitter.reset(config);
        buffer.restore(again.into_iter());
        sent_copies.clear();
        receiver.reset(flight.end());
    }

    /// Drops all SDUs of which no byte was sent.
    pub(super) fn discard_unsent(
        &mut self,
        direction: Direction,
        cause: DropCause,
        out: &mut Outbox<Effect>,
    ) {
        for sdu in self.buffer.take_unsent() {
            if is_last(&mut self.exit.copies, &sdu) {
                self.exit.tally.drop(cause, sdu.packet.length);
                out.emit(Effect::Drop(direction, sdu.packet, cause));
            }
        }
    }

    /// Stops the wait of PDCP at the receiver for packets sent before, and delivers those it holds
    /// (TS 38.323 §5.1.2).
    pub(super) fn restart_reordering(
        &mut self,
        now: Instant,
        direction: Direction,
        out: &mut Outbox<Effect>,
    ) {
        let Exit { flight, tally, reordering, .. } = &mut self.exit;
        let Some(reordering) = reordering else { return };
        let next = if self.numbers_late { flight.tx_next() } else { self.tx_next };
        let waiting = self.buffer.queue().front().map(|sdu| sdu.count);
        let next = waiting.filter(|&count| count != UNNUMBERED).unwrap_or(next);
        let mut context = ExitContext { now, direction, out };
        reordering.restart(next, |sdu| context.deliver(sdu, tally));
    }

    /// Warns of packets that the PDCP receiver dropped because too many packets were in flight.
    pub(super) fn warn(&self, ue: &str, direction: Direction, tables: &mut Tables) {
        self.exit.reordering.iter().for_each(|it| it.warn(ue, direction, tables));
    }

    pub(super) fn held(&self) -> Count {
        let Exit { flight, copies, reordering, stored, .. } = &self.exit;
        let mut sum = copies.as_ref().map_or(Count::default(), |copies| copies.held());
        if copies.is_none() {
            self.buffer.each(|sdu| sum.add(sdu.packet.length));
            flight.sdus().for_each(|sdu| sum.add(sdu.packet.length));
        }
        let reordered = reordering.iter().flat_map(|reordering| reordering.held());
        let stored = stored.iter().flat_map(|stored| stored.held());
        reordered.chain(stored).for_each(|sdu| sum.add(sdu.packet.length));
        sum
    }
}

/// The causes that apply when both ends of a bearer are re-established.
#[derive(Clone, Copy, Debug)]
pub(super) struct Why {
    /// Cause of delay that is charged to packets that are retransmitted.
    pub(super) wait: Cause,
    /// Cause of the drop of packets that are not retransmitted.
    pub(super) drop: DropCause,
}

fn report(outcome: Result<(), LinkFailure>, direction: Direction, out: &mut Outbox<Effect>) {
    if outcome.is_err() {
        out.emit(Effect::RadioLinkFailure(direction));
    }
}
