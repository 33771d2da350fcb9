//! One direction of a bearer: the transmitting and the receiving entity, and the packets between
//! them.
//!
//! In: SDUs, PDUs that crossed the air and PDUs that did not, time. Out: packets, delivered in
//! order or dropped with a cause. Every packet is counted when it comes in and when it leaves.

mod duplication;

use super::buffer::{BufferStatus, Overhead, TransmissionBuffer};
use super::copies::Copies;
use super::effect::{Effect, Passage};
use super::entity::{Config, LinkFailure, Receiver, Transmitter};
use super::flight::Flight;
use super::passed::Passed;
use super::pdu::{DataPdu, StatusPdu};
use super::sdu::{Sdu, UNNUMBERED};
use super::sent_copies::SentCopies;
use super::span::Span;
use crate::net::{Cause, Count, Direction, DropCause, Packet, Tally};
use crate::ran::pdcp::receiver::{Numbering, Receiver as PdcpReceiver, Reordering};
use crate::ran::pdcp::stored::Stored;
use crate::sim::Outbox;
use crate::unit::Instant;

/// One direction of a bearer.
#[derive(Clone, Debug)]
pub(super) struct Path {
    config: Config,
    pub(super) buffer: TransmissionBuffer,
    pub(super) transmitter: Transmitter,
    pub(super) flight: Flight,
    pub(super) receiver: Receiver,
    pub(super) tally: Tally,
    /// `TX_NEXT` of PDCP: the number of the next packet.
    tx_next: u64,
    /// PDCP numbers a packet when its first byte is sent.
    numbers_late: bool,
    /// PDCP at the receiver, where it puts packets in order.
    reordering: Option<Box<PdcpReceiver>>,
    /// Where PDCP sends each packet twice.
    copies: Option<Box<Copies>>,
    /// Where it does, what the transmitter has begun of these.
    sent_copies: SentCopies,
    /// What PDCP of LTE has got from a re-establishment of RLC.
    stored: Option<Box<Stored>>,
}

impl Path {
    pub(super) fn new(config: Config) -> Self {
        Self {
            buffer: TransmissionBuffer::new(config.buffer()),
            transmitter: Transmitter::new(&config),
            flight: Flight::default(),
            receiver: Receiver::new(&config),
            tally: Tally::default(),
            tx_next: 0,
            numbers_late: true,
            reordering: None,
            copies: None,
            sent_copies: SentCopies::default(),
            stored: None,
            config,
        }
    }

    /// PDCP puts packets in order.
    pub(super) fn reorder(&mut self, config: Reordering) {
        self.numbers_late = config.numbering == Numbering::AtTransmission;
        self.reordering = Some(Box::new(PdcpReceiver::new(config)));
    }

    #[inline(always)]
    pub(super) fn enqueue(&mut self, mut sdu: Sdu) -> Result<(), Box<Packet>> {
        self.tally.enter(sdu.packet.length);
        sdu.count = if self.numbers_late { UNNUMBERED } else { self.tx_next };
        if let Err(sdu) = self.buffer.enqueue(sdu) {
            self.tally.drop(DropCause::Queue, sdu.packet.length);
            return Err(sdu.packet);
        }
        self.tx_next += 1;
        self.tally.queue_max = self.tally.queue_max.max(self.buffer.bytes());
        Ok(())
    }

    /// What waits, without the STATUS PDU of the other side.
    pub(super) fn buffer_status(&self) -> BufferStatus {
        self.transmitter.buffer_status(&self.buffer)
    }

    /// The same without headers, and with it true where there may be such a PDU.
    #[inline(always)]
    pub(super) fn waiting(&self) -> (BufferStatus, bool) {
        self.transmitter.waiting(&self.buffer)
    }

    /// What packets that are begun now cost beside their bytes.
    pub(super) fn overhead(&self) -> Overhead {
        self.transmitter.overhead(&self.buffer)
    }

    pub(super) fn on_data(
        &mut self,
        now: Instant,
        direction: Direction,
        pdu: &DataPdu,
        passage: Passage,
        out: &mut Outbox<Effect>,
    ) {
        let next = self.receiver.take_next(now, pdu);
        let placed = next.is_some() || self.receiver.place(now, pdu);
        if placed {
            self.flight.charge_passage(pdu.data, passage, now);
        }
        let Self { receiver, flight, tally, reordering, copies, stored, .. } = self;
        let mut exit = Exit { flight, tally, reordering, copies, stored, now, direction, out };
        if let Some(passed) = next {
            exit.pass(passed);
        } else if placed {
            receiver.on_placed(now, pdu, |passed| exit.pass(passed));
        } else {
            receiver.take_late().into_iter().for_each(|late| exit.discard(late));
        }
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
            self.flight.mark_lost(data, passage, now);
            return;
        }
        let Self { flight, tally, copies, .. } = self;
        flight.give_up(data, |sdu| {
            if is_last(copies, &sdu) {
                tally.drop(DropCause::Loss, sdu.packet.length);
                out.emit(Effect::Drop(direction, sdu.packet, DropCause::Loss));
            }
        });
        flight.trim();
    }

    /// When it wants to be called.
    #[inline]
    pub(super) fn next_timer(&self) -> Option<Instant> {
        if let (Receiver::Um(receiver), None) = (&self.receiver, &self.reordering) {
            // Nor has the other end of it a timer.
            return receiver.next_timer();
        }
        let reordering = self.reordering.as_ref().and_then(|reordering| reordering.next_timer());
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
        let Self { receiver, flight, tally, reordering, copies, stored, .. } = self;
        let mut exit = Exit { flight, tally, reordering, copies, stored, now, direction, out };
        receiver.on_timer(now, |passed| exit.pass(passed));
        exit.wait_no_longer();
    }

    pub(super) fn reestablish(
        &mut self,
        now: Instant,
        direction: Direction,
        why: Why,
        out: &mut Outbox<Effect>,
    ) {
        let Self {
            config,
            buffer,
            transmitter,
            flight,
            receiver,
            tally,
            copies,
            sent_copies,
            stored,
            ..
        } = self;
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
                    deliver(sdu, now, direction, tally, out);
                }
                (false, false) if is_last(copies, &sdu) => {
                    tally.drop(why.drop, sdu.packet.length);
                    out.emit(Effect::Drop(direction, sdu.packet, why.drop));
                }
                (false, false) => {}
            }
        }
        transmitter.reset(config);
        buffer.restore(again.into_iter());
        sent_copies.clear();
        receiver.reset(flight.end());
    }

    /// Nothing that waits to be sent is sent any more.
    pub(super) fn discard_unsent(
        &mut self,
        direction: Direction,
        cause: DropCause,
        out: &mut Outbox<Effect>,
    ) {
        for sdu in self.buffer.take_unsent() {
            if is_last(&mut self.copies, &sdu) {
                self.tally.drop(cause, sdu.packet.length);
                out.emit(Effect::Drop(direction, sdu.packet, cause));
            }
        }
    }

    /// PDCP at the receiver waits for nothing that was sent before, and delivers what it has (TS
    /// 38.323 §5.1.2).
    pub(super) fn restart_reordering(
        &mut self,
        now: Instant,
        direction: Direction,
        out: &mut Outbox<Effect>,
    ) {
        let Some(reordering) = &mut self.reordering else { return };
        let next = if self.numbers_late { self.flight.tx_next() } else { self.tx_next };
        let waiting = self.buffer.queue().front().map(|sdu| sdu.count);
        let next = waiting.filter(|&count| count != UNNUMBERED).unwrap_or(next);
        let tally = &mut self.tally;
        reordering.restart(next, |sdu| deliver(sdu, now, direction, tally, out));
    }

    pub(super) fn held(&self) -> Count {
        let mut sum = self.copies.as_ref().map_or(Count::default(), |copies| copies.held());
        if self.copies.is_none() {
            self.buffer.each(|sdu| sum.add(sdu.packet.length));
            self.flight.sdus().for_each(|sdu| sum.add(sdu.packet.length));
        }
        let reordered = self.reordering.iter().flat_map(|reordering| reordering.held());
        let stored = self.stored.iter().flat_map(|stored| stored.held());
        reordered.chain(stored).for_each(|sdu| sum.add(sdu.packet.length));
        sum
    }
}

/// Why both ends of a bearer begin again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Why {
    /// The cause on which the time of packets that are sent again is booked.
    pub(super) wait: Cause,
    /// Why those are dropped that are not.
    pub(super) drop: DropCause,
}

/// How packets leave.
struct Exit<'a> {
    flight: &'a mut Flight,
    tally: &'a mut Tally,
    reordering: &'a mut Option<Box<PdcpReceiver>>,
    copies: &'a mut Option<Box<Copies>>,
    stored: &'a mut Option<Box<Stored>>,
    now: Instant,
    direction: Direction,
    out: &'a mut Outbox<Effect>,
}

impl Exit<'_> {
    /// The receiver has come so far.
    #[inline(always)]
    fn pass(&mut self, passed: Passed) {
        match passed {
            Passed::UpTo(whole) => self.pass_in_order(whole),
            Passed::Sdu(whole) => self.pass_sdu(whole),
            Passed::Discarded(data) => self.discard(data),
        }
    }

    /// The receiver has come to the end of `whole`: packets that end there are delivered or, where
    /// a part of them is missing, dropped.
    #[inline(always)]
    fn pass_in_order(&mut self, whole: Span) {
        let Self { flight, tally, stored, now, direction, out, .. } = self;
        flight.pass(whole, |mut sdu, complete| {
            if complete && let Some(stored) = stored {
                sdu.packet.ledger.charge(Cause::RadioReordering, *now);
                stored.pass(sdu, |sdu| deliver(sdu, *now, *direction, tally, out));
            } else if complete {
                tally.leave(sdu.packet.length);
                sdu.packet.ledger.charge(Cause::RadioReordering, *now);
                out.emit(Effect::Deliver(*direction, sdu.packet));
            } else {
                tally.drop(DropCause::Incomplete, sdu.packet.length);
                out.emit(Effect::Drop(*direction, sdu.packet, DropCause::Incomplete));
            }
        });
    }

    /// An SDU is whole: it is delivered, or waits for those before it.
    fn pass_sdu(&mut self, whole: Span) {
        let Some(sdu) = self.flight.release(whole) else { return };
        let Self { tally, reordering, copies, now, direction, out, .. } = self;
        let Some(reordering) = reordering else {
            deliver(sdu, *now, *direction, tally, out);
            return;
        };
        let count = sdu.count;
        let late = reordering.on_sdu(*now, sdu, |sdu| deliver(sdu, *now, *direction, tally, out));
        if let Err(sdu) = late {
            if !is_last(copies, &sdu) {
                return;
            }
            tally.drop(DropCause::Late, sdu.packet.length);
            out.emit(Effect::Drop(*direction, sdu.packet, DropCause::Late));
        } else if let Some(copies) = copies {
            copies.accept(count);
        }
    }

    /// The rest of an SDU is not waited for.
    fn discard(&mut self, data: Span) {
        let Self { flight, tally, copies, direction, out, .. } = self;
        flight.give_up(data, |sdu| {
            if is_last(copies, &sdu) {
                tally.drop(DropCause::Incomplete, sdu.packet.length);
                out.emit(Effect::Drop(*direction, sdu.packet, DropCause::Incomplete));
            }
        });
        flight.trim();
    }

    /// `t-Reordering` of PDCP may have expired.
    fn wait_no_longer(&mut self) {
        let Self { tally, reordering, now, direction, out, .. } = self;
        if let Some(reordering) = reordering {
            reordering.on_timer(*now, |sdu| deliver(sdu, *now, *direction, tally, out));
        }
    }
}

/// An SDU goes no further: true when no other copy of its packet does.
fn is_last(copies: &mut Option<Box<Copies>>, sdu: &Sdu) -> bool {
    copies.as_mut().is_none_or(|copies| copies.lose(sdu.count))
}

/// PDCP delivers a packet.
fn deliver(
    mut sdu: Sdu,
    now: Instant,
    direction: Direction,
    tally: &mut Tally,
    out: &mut Outbox<Effect>,
) {
    tally.leave(sdu.packet.length);
    sdu.packet.ledger.charge(Cause::PdcpReordering, now);
    out.emit(Effect::Deliver(direction, sdu.packet));
}

fn report(outcome: Result<(), LinkFailure>, direction: Direction, out: &mut Outbox<Effect>) {
    if outcome.is_err() {
        out.emit(Effect::RadioLinkFailure(direction));
    }
}
