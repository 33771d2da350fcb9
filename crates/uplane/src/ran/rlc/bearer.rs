//! The RLC of one bearer: both ends of both directions. PDCP and the MAC use RLC through this file.
//!
//! In: SDUs, grants, PDUs that crossed the air and PDUs that did not, time. Out: PDUs; packets,
//! delivered in order or dropped with a cause; the failure of the radio link.
//!
//! A cell simulates both ends of each bearer, so one object holds them. Nothing passes between the
//! ends except PDUs, with two exceptions that change no PDU: the packets of both ends wait in one
//! [`Flight`](super::flight::Flight), and a packet in unacknowledged mode is dropped when the radio
//! loses a part of it, not when its receiver notices.
//!
//! How the MAC uses it, each slot:
//! 1. [`Bearer::buffer_status`] says how much waits.
//! 2. [`Bearer::build`], repeatedly, while it returns a PDU and the transport block has space.
//!    [`Bearer::each_begun`] gives the ledgers of what began in it, to charge the wait before it.
//! 3. When the block was decoded: [`Bearer::on_pdu`]; when HARQ gave it up: [`Bearer::on_lost`].
//!
//! The owner calls [`Bearer::on_timer`] at [`Bearer::next_timer`], which any other call may change.

mod duplication;
mod handover;

use duplication::Duplication;

use super::buffer::{BufferStatus, Overhead, TransmissionBuffer};
use super::effect::{Effect, Passage};
use super::entity::Config;
use super::path::{Path, Why};
use super::pdu::{DataPdu, Pdu, StatusPdu};
use super::sdu::Sdu;
use super::span::Span;
use crate::net::queue::Aqm;
use crate::net::{Cause, Count, Direction, DropCause, Ledger, Packet, PerDirection, Tally};
use crate::ran::pdcp::receiver::Reordering;
use crate::record::Tables;
use crate::sim::{Outbox, Stream};
use crate::unit::{Bytes, Instant};

/// The RLC of one bearer.
#[derive(Clone, Debug)]
pub struct Bearer {
    paths: PerDirection<Path>,
    /// How often it was re-established.
    epoch: u32,
    /// Its mode: what is lost is sent again.
    is_acknowledged: bool,
    /// Its timers may have moved since they were looked at last.
    timers_moved: bool,
    /// The second RLC entity, where PDCP sends each packet twice.
    duplication: Option<Box<Duplication>>,
}

impl Bearer {
    /// A bearer with these parameters down and up. Both have the same mode, since the STATUS PDUs
    /// of one direction of acknowledged mode travel in the other.
    pub fn new(down: Config, up: Config) -> Self {
        assert!(down.is_acknowledged() == up.is_acknowledged(), "a bearer has one mode");
        let is_acknowledged = down.is_acknowledged();
        let paths = PerDirection { down: Path::new(down), up: Path::new(up) };
        Self { paths, epoch: 0, is_acknowledged, timers_moved: false, duplication: None }
    }

    /// The same with PDCP that puts the packets of these directions in order.
    #[must_use]
    pub fn reordered(mut self, config: &PerDirection<Option<Reordering>>) -> Self {
        for direction in Direction::BOTH {
            if let Some(config) = config[direction] {
                self.paths[direction].reorder(config);
            }
        }
        self
    }

    /// Takes an SDU from PDCP; gives the packet back when the buffer is full, counted as dropped.
    #[inline(always)]
    pub fn enqueue(&mut self, direction: Direction, sdu: Sdu) -> Result<(), Box<Packet>> {
        if self.duplication.is_some() && self.duplicates(direction) {
            return self.enqueue_twice(direction, sdu);
        }
        self.paths[direction].enqueue(sdu)
    }

    /// What waits to be sent in this direction (TS 36.322 §4.5).
    #[inline(always)]
    pub fn buffer_status(&self, now: Instant, direction: Direction) -> BufferStatus {
        let status = self.status_size(now, direction);
        BufferStatus { status, ..self.paths[direction].buffer_status() }
    }

    /// What packets of this direction that are begun now cost beside their bytes.
    pub fn overhead(&self, direction: Direction) -> Overhead {
        self.paths[direction].overhead()
    }

    /// [`BufferStatus::available`]. A cell asks for it at each packet, so it has a function of its
    /// own.
    #[inline]
    pub fn available(&self, now: Instant, direction: Direction) -> Bytes {
        self.without_headers(now, direction).available()
    }

    /// True where [`BufferStatus::demand`] is not zero.
    #[inline]
    pub fn has_demand(&self, now: Instant, direction: Direction) -> bool {
        !self.without_headers(now, direction).demand().is_zero()
    }

    /// What waits to be sent, without the headers that it will have.
    #[inline(always)]
    fn without_headers(&self, now: Instant, direction: Direction) -> BufferStatus {
        let (waiting, may_report) = self.paths[direction].waiting();
        if !may_report {
            return waiting;
        }
        BufferStatus { status: self.status_size(now, direction), ..waiting }
    }

    /// The STATUS PDU that would be sent now.
    #[inline(always)]
    fn status_size(&self, now: Instant, direction: Direction) -> Bytes {
        let own = self.paths[direction.opposite()].receiver.status_size(now);
        if self.duplication.is_some() { own + self.status_beside(now, direction) } else { own }
    }

    /// One PDU of at most `grant` bytes, without MAC headers: a STATUS PDU first, then what must be
    /// sent again, then what is new. None when nothing waits, or nothing fits.
    #[inline]
    pub fn build(&mut self, now: Instant, direction: Direction, grant: Bytes) -> Option<Pdu> {
        if self.duplication.is_some() {
            return self.build_of_two(now, direction, grant);
        }
        self.build_of_one(now, direction, grant)
    }

    #[inline(always)]
    fn build_of_one(&mut self, now: Instant, direction: Direction, grant: Bytes) -> Option<Pdu> {
        let epoch = self.epoch;
        let (path, other) = self.paths.both_from(direction);
        self.timers_moved |= self.is_acknowledged;
        path.exit.flight.open();
        path.buffer.turn(now);
        if let Some(status) = other.receiver.build_status(now, grant) {
            path.exit.tally.wire += status.size;
            return Some(Pdu::Status(StatusPdu { epoch, ..status }));
        }
        let data = path.transmitter.build(now, grant, &mut path.buffer, &mut path.exit.flight)?;
        path.exit.tally.wire += data.size();
        Some(Pdu::Data(DataPdu { epoch, ..data }))
    }

    /// The ledgers of the packets whose first byte is in the PDU just built.
    #[inline]
    pub fn each_begun(&mut self, direction: Direction, what: impl FnMut(&mut Ledger)) {
        self.paths[direction].exit.flight.each_begun(what);
    }

    /// The SDUs whose first byte is in these data of a PDU just built, each with its place in the
    /// stream.
    pub fn begun_in(&self, direction: Direction, data: Span) -> impl Iterator<Item = (Span, &Sdu)> {
        self.paths[direction].exit.flight.begun_in(data)
    }

    /// Bytes of packets, as they come to PDCP, that a PDU of this direction is the first to carry:
    /// nothing for one that repeats, for the second copy of a duplicated packet and for a STATUS
    /// PDU. Its packets must still be in flight.
    pub fn packet_bytes(&self, direction: Direction, pdu: &Pdu) -> Bytes {
        if pdu.is_of_second() {
            return Bytes::ZERO;
        }
        self.paths[direction].exit.flight.packet_bytes(sent_first(pdu))
    }

    /// The ledger of the packet that a PDU goes on with, when an earlier one had its first byte.
    /// None for a PDU that repeats.
    pub fn continued(&mut self, direction: Direction, pdu: &Pdu) -> Option<&mut Ledger> {
        if pdu.is_of_second() != self.is_swapped() {
            return self.duplication.as_mut()?.continued(direction, sent_first(pdu));
        }
        self.paths[direction].exit.flight.continued(sent_first(pdu))
    }

    /// A PDU of this direction has crossed the air and is ready at its receiver. What is late by
    /// more than its window is discarded, and so is what was built before a re-establishment.
    pub fn on_pdu(
        &mut self,
        now: Instant,
        direction: Direction,
        pdu: &Pdu,
        passage: Passage,
        out: &mut Outbox<Effect>,
    ) {
        if pdu.epoch() != self.epoch {
            return;
        }
        if self.duplication.is_some() {
            self.timers_moved = true;
            self.receive_of_two(now, direction, pdu, passage, out);
            return;
        }
        match pdu {
            Pdu::Data(data) => {
                let moved = self.paths[direction].on_data(now, direction, data, passage, out);
                self.timers_moved |= moved;
            }
            Pdu::Status(status) => {
                let acknowledged = direction.opposite();
                self.paths[acknowledged].on_status(acknowledged, status, out);
                self.timers_moved = true;
            }
        }
    }

    /// HARQ gave up a block with this PDU.
    pub fn on_lost(
        &mut self,
        now: Instant,
        direction: Direction,
        pdu: &Pdu,
        passage: Passage,
        out: &mut Outbox<Effect>,
    ) {
        if let Pdu::Data(data) = pdu
            && data.epoch == self.epoch
        {
            self.with_entity(data.second, |it| {
                it.paths[direction].on_lost(now, direction, data.data, passage, out);
            });
        }
    }

    /// True when [`Bearer::next_timer`] may be another than when this was asked last.
    #[inline]
    pub fn take_timers_moved(&mut self) -> bool {
        std::mem::take(&mut self.timers_moved)
    }

    /// When the bearer wants to be called, unless something else happens before.
    #[inline]
    pub fn next_timer(&self) -> Option<Instant> {
        let PerDirection { down, up } = &self.paths;
        let timer = Instant::sooner(down.next_timer(), up.next_timer());
        match &self.duplication {
            None => timer,
            Some(duplication) => Instant::sooner(timer, duplication.next_timer()),
        }
    }

    /// Does what it is time for.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.timers_moved = true;
        for direction in Direction::BOTH {
            self.paths[direction].on_timer(now, direction, out);
        }
        self.each_other_path(|direction, path| path.on_timer(now, direction, out));
    }

    /// Begins again on both sides, as after a failure of the radio link (TS 36.322 §5.4). In
    /// acknowledged mode PDCP then sends again what did not arrive (TS 36.323 §5.2.1.1): so nothing
    /// is lost. In unacknowledged mode what was begun and did not arrive whole is dropped, and PDCP
    /// sends the rest (TS 36.323 §5.2.1.2).
    pub fn reestablish(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let why = Why { wait: Cause::RlcRetransmission, drop: DropCause::Incomplete };
        self.begin_again(now, why, out);
    }

    /// There is no connection any more by which what is held in this direction could go: all of it
    /// is lost (TS 38.331 §5.3.11).
    pub fn abandon(&mut self, now: Instant, direction: Direction, out: &mut Outbox<Effect>) {
        self.begin_again(now, Why { wait: Cause::RlcRetransmission, drop: DropCause::Loss }, out);
        self.paths[direction].discard_unsent(direction, DropCause::Loss, out);
        self.each_other_path(|of, path| {
            if of == direction {
                path.discard_unsent(direction, DropCause::Loss, out);
            }
        });
        self.paths[direction].restart_reordering(now, direction, out);
    }

    fn begin_again(&mut self, now: Instant, why: Why, out: &mut Outbox<Effect>) {
        self.epoch += 1;
        self.timers_moved = true;
        for direction in Direction::BOTH {
            self.paths[direction].reestablish(now, direction, why, out);
        }
        self.each_other_path(|direction, path| path.reestablish(now, direction, why, out));
    }

    /// The SDUs of which no byte was sent, oldest first, and the rest of one partly sent.
    pub fn buffer(&self, direction: Direction) -> &TransmissionBuffer {
        &self.paths[direction].buffer
    }

    /// Takes an SDU of which no byte was sent out of the buffer, by its place in
    /// [`TransmissionBuffer::queue`] (TS 36.322 §5.3). It counts as dropped.
    pub fn remove_at(
        &mut self,
        direction: Direction,
        index: usize,
        cause: DropCause,
    ) -> Box<Packet> {
        let path = &mut self.paths[direction];
        let sdu = path.buffer.remove_at(index);
        path.exit.tally.drop(cause, sdu.packet.length);
        sdu.packet
    }

    /// Manages the queue of this direction; before the first SDU.
    pub fn manage(&mut self, direction: Direction, aqm: Aqm, stream: Stream) {
        self.paths[direction].buffer.manage(aqm, stream);
    }

    /// Takes out what the management of this direction's queue dropped, one by one.
    pub fn take_dropped(&mut self, direction: Direction) -> Option<(Box<Packet>, DropCause)> {
        let path = &mut self.paths[direction];
        let (sdu, cause) = path.buffer.take_dropped()?;
        path.exit.tally.drop(cause, sdu.packet.length);
        Some((sdu.packet, cause))
    }

    /// Takes out what the management of this direction's queue marked since the last call.
    pub fn take_marked(&mut self, direction: Direction) -> Count {
        self.paths[direction].buffer.take_marked()
    }

    /// What came in, went on and was dropped in this direction. `wire` counts the PDUs built for
    /// it.
    pub fn tally(&self, direction: Direction) -> &Tally {
        &self.paths[direction].exit.tally
    }

    /// Warns of packets of `ue` that PDCP dropped because too many were in flight.
    pub fn warn(&self, ue: &str, direction: Direction, tables: &mut Tables) {
        self.paths[direction].warn(ue, direction, tables);
    }

    /// The packets inside, counted one by one. It equals [`Tally::held`], or something is wrong.
    pub fn held(&self, direction: Direction) -> Count {
        self.paths[direction].held()
    }
}

/// The bytes of a PDU that were not sent before.
fn sent_first(pdu: &Pdu) -> Span {
    match pdu {
        Pdu::Data(data) if !data.retransmission => data.data,
        _ => Span::default(),
    }
}

#[cfg(test)]
mod tests;
