//! One direction of a bearer: the transmitting and the receiving entity, and the packets between
//! them.
//!
//! In: SDUs, PDUs that crossed the air and PDUs that did not, time. Out: packets, delivered in
//! order or dropped with a cause. Every packet that comes in is counted once more when it goes.

use super::effect::{Effect, Passage};
use super::entity::{Config, LinkFailure, Receiver, Transmitter};
use super::flight::Flight;
use super::pdu::{DataPdu, StatusPdu};
use super::sdu::Sdu;
use super::span::Span;
use crate::net::{Cause, Count, Direction, DropCause, Packet, Tally};
use crate::sim::Outbox;
use crate::unit::Instant;

/// One direction of a bearer.
#[derive(Clone, Debug)]
pub(super) struct Path {
    config: Config,
    pub(super) transmitter: Transmitter,
    pub(super) flight: Flight,
    pub(super) receiver: Receiver,
    pub(super) tally: Tally,
}

impl Path {
    pub(super) fn new(config: Config) -> Self {
        Self {
            transmitter: Transmitter::new(&config),
            flight: Flight::default(),
            receiver: Receiver::new(&config),
            tally: Tally::default(),
            config,
        }
    }

    #[inline(always)]
    pub(super) fn enqueue(&mut self, sdu: Sdu) -> Result<(), Box<Packet>> {
        self.tally.enter(sdu.packet.length);
        let buffer = self.transmitter.buffer_mut();
        if let Err(sdu) = buffer.enqueue(sdu) {
            self.tally.drop(DropCause::Queue, sdu.packet.length);
            return Err(sdu.packet);
        }
        self.tally.queue_max = self.tally.queue_max.max(buffer.bytes());
        Ok(())
    }

    pub(super) fn on_data(
        &mut self,
        now: Instant,
        direction: Direction,
        pdu: &DataPdu,
        passage: Passage,
        out: &mut Outbox<Effect>,
    ) {
        if !self.receiver.place(now, pdu) {
            return;
        }
        self.flight.charge_passage(pdu.data, passage, now);
        let Self { receiver, flight, tally, .. } = self;
        let assembled = |whole| pass(flight, tally, whole, now, direction, out);
        receiver.on_placed(now, pdu, assembled);
    }

    pub(super) fn on_status(
        &mut self,
        direction: Direction,
        status: &StatusPdu,
        out: &mut Outbox<Effect>,
    ) {
        report(self.transmitter.on_status(status), direction, out);
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
        self.flight.give_up(data, |sdu| {
            self.tally.drop(DropCause::Loss, sdu.packet.length);
            out.emit(Effect::Drop(direction, sdu.packet, DropCause::Loss));
        });
    }

    pub(super) fn on_timer(
        &mut self,
        now: Instant,
        direction: Direction,
        out: &mut Outbox<Effect>,
    ) {
        report(self.transmitter.on_timer(now), direction, out);
        let Self { receiver, flight, tally, .. } = self;
        receiver.on_timer(now, |whole| pass(flight, tally, whole, now, direction, out));
    }

    pub(super) fn reestablish(
        &mut self,
        now: Instant,
        direction: Direction,
        out: &mut Outbox<Effect>,
    ) {
        let Self { config, transmitter, flight, receiver, tally } = self;
        if transmitter.is_acknowledged() {
            let begun = flight.drain().map(|mut sdu| {
                sdu.packet.ledger.charge(Cause::RlcRetransmission, now);
                sdu
            });
            transmitter.reset(config, begun);
        } else {
            transmitter.reset(config, std::iter::empty());
            for sdu in flight.drain() {
                tally.drop(DropCause::Incomplete, sdu.packet.length);
                out.emit(Effect::Drop(direction, sdu.packet, DropCause::Incomplete));
            }
        }
        receiver.reset(flight.end());
    }

    pub(super) fn held(&self) -> Count {
        let waiting = self.transmitter.buffer().queue().iter();
        waiting.chain(self.flight.sdus()).fold(Count::default(), |sum, sdu| Count {
            packets: sum.packets + 1,
            bytes: sum.bytes + sdu.packet.length,
        })
    }
}

/// The receiver has come to the end of `whole`: packets that end there are delivered or, where a
/// part of them is missing, dropped.
#[inline(always)]
fn pass(
    flight: &mut Flight,
    tally: &mut Tally,
    whole: Span,
    now: Instant,
    direction: Direction,
    out: &mut Outbox<Effect>,
) {
    flight.pass(whole, |mut sdu, complete| {
        if complete {
            tally.leave(sdu.packet.length);
            sdu.packet.ledger.charge(Cause::RadioReordering, now);
            out.emit(Effect::Deliver(direction, sdu.packet));
        } else {
            tally.drop(DropCause::Incomplete, sdu.packet.length);
            out.emit(Effect::Drop(direction, sdu.packet, DropCause::Incomplete));
        }
    });
}

fn report(outcome: Result<(), LinkFailure>, direction: Direction, out: &mut Outbox<Effect>) {
    if outcome.is_err() {
        out.emit(Effect::RadioLinkFailure(direction));
    }
}
