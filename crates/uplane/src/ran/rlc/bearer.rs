//! The RLC of one bearer: both ends of both directions. PDCP and the MAC use RLC through this file.
//!
//! In: SDUs, grants, PDUs that crossed the air or were lost, time. Out: PDUs; packets, delivered in
//! order or dropped with a cause; failures of the radio link.
//!
//! A cell simulates both ends of each bearer, so one object holds them. Only PDUs pass between the
//! ends, with two exceptions that change no PDU: the packets of both ends wait in one
//! [`Flight`](super::flight::Flight), and a packet in unacknowledged mode is dropped when the radio
//! loses a part of it, not when its receiver notices the loss.
//!
//! The MAC uses it in each slot:
//! 1. [`Bearer::buffer_status`] returns the number of waiting bytes.
//! 2. [`Bearer::build`], repeatedly, while it returns a PDU and the transport block has space.
//!    [`Bearer::each_begun`] visits the ledgers of the packets begun in the PDU, to charge the wait
//!    before it.
//! 3. [`Bearer::on_pdu`] when the block is decoded; [`Bearer::on_lost`] when HARQ gives it up.
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

/// The RLC entities of one bearer: both ends of both directions.
#[derive(Clone, Debug)]
pub struct Bearer {
    paths: PerDirection<Path>,
    /// Number of re-establishments.
    epoch: u32,
    /// The bearer is in acknowledged mode: lost PDUs are retransmitted.
    is_acknowledged: bool,
    /// Timers may have moved since the last [`Bearer::take_timers_moved`].
    timers_moved: bool,
    /// The second RLC entity, if PDCP duplicates packets.
    duplication: Option<Box<Duplication>>,
}

impl Bearer {
    /// Creates a bearer with these parameters for downlink and uplink. Both directions have the
    /// same mode, because the STATUS PDUs of one direction of acknowledged mode travel in the
    /// other.
    pub fn new(down: Config, up: Config) -> Self {
        assert!(down.is_acknowledged() == up.is_acknowledged(), "a bearer has one mode");
        let is_acknowledged = down.is_acknowledged();
        let paths = PerDirection { down: Path::new(down), up: Path::new(up) };
        Self { paths, epoch: 0, is_acknowledged, timers_moved: false, duplication: None }
    }

    /// Adds PDCP reordering in the directions that have a configuration.
    #[must_use]
    pub fn reordered(mut self, config: &PerDirection<Option<Reordering>>) -> Self {
        for direction in Direction::BOTH {
            if let Some(config) = config[direction] {
                self.paths[direction].reorder(config);
            }
        }
        self
    }

    /// Takes an SDU from PDCP. Returns the packet, counted as dropped, if the buffer is full.
    #[inline(always)]
    pub fn enqueue(&mut self, direction: Direction, sdu: Sdu) -> Result<(), Box<Packet>> {
        if self.duplication.is_some() && self.duplicates(direction) {
            return self.enqueue_twice(direction, sdu);
        }
        self.paths[direction].enqueue(sdu)
    }

    /// Returns the bytes that wait for transmission in this direction (TS 36.322 §4.5).
    #[inline(always)]
    pub fn buffer_status(&self, now: Instant, direction: Direction) -> BufferStatus {
        let status = self.status_size(now, direction);
        BufferStatus { status, ..self.paths[direction].buffer_status() }
    }

    /// Returns the overhead of packets of this direction that are begun now, beyond their own
    /// bytes.
    pub fn overhead(&self, direction: Direction) -> Overhead {
        self.paths[direction].overhead()
    }

    /// Returns [`BufferStatus::available`]. A cell calls it for each packet, so it skips the
    /// headers.
    #[inline]
    pub fn available(&self, now: Instant, direction: Direction) -> Bytes {
        self.without_headers(now, direction).available()
    }

    /// Returns `true` if [`BufferStatus::demand`] is not zero.
    #[inline]
    pub fn has_demand(&self, now: Instant, direction: Direction) -> bool {
        !self.without_headers(now, direction).demand().is_zero()
    }

    /// Returns the buffer status without the headers of the waiting data.
    #[inline(always)]
    fn without_headers(&self, now: Instant, direction: Direction) -> BufferStatus {
        let (waiting, may_report) = self.paths[direction].waiting();
        if !may_report {
            return waiting;
        }
        BufferStatus { status: self.status_size(now, direction), ..waiting }
    }

    /// Returns the length of the STATUS PDU that is due now in this direction.
    #[inline(always)]
    fn status_size(&self, now: Instant, direction: Direction) -> Bytes {
        let own = self.paths[direction.opposite()].receiver.status_size(now);
        if self.duplication.is_some() { own + self.status_beside(now, direction) } else { own }
    }

    /// Builds one PDU of at most `grant` bytes, without MAC headers: a STATUS PDU before
    /// retransmissions before new data. Returns `None` if nothing waits, or nothing fits.
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

    /// Calls `what` with the ledger of each packet whose first byte is in the PDU just built.
    #[inline]
    pub fn each_begun(&mut self, direction: Direction, what: impl FnMut(&mut Ledger)) {
        self.paths[direction].exit.flight.each_begun(what);
    }

    /// Returns the SDUs whose first byte is in `data` of a PDU just built, each with its span of
    /// the stream.
    pub fn begun_in(&self, direction: Direction, data: Span) -> impl Iterator<Item = (Span, &Sdu)> {
        self.paths[direction].exit.flight.begun_in(data)
    }

    /// Returns the bytes of packets, as they come to PDCP, that a PDU of this direction is the
    /// first to carry. Returns zero for a retransmission, for the second copy of a duplicated
    /// packet and for a STATUS PDU. The packets of the PDU must still be in flight.
    pub fn packet_bytes(&self, direction: Direction, pdu: &Pdu) -> Bytes {
        if pdu.is_of_second() {
            return Bytes::ZERO;
        }
        self.paths[direction].exit.flight.packet_bytes(sent_first(pdu))
    }

    /// Returns the ledger of the packet that the PDU continues, that is whose first byte was in an
    /// earlier PDU. Returns `None` for a retransmission.
    pub fn continued(&mut self, direction: Direction, pdu: &Pdu) -> Option<&mut Ledger> {
        if pdu.is_of_second() != self.is_swapped() {
            return self.duplication.as_mut()?.continued(direction, sent_first(pdu));
        }
        self.paths[direction].exit.flight.continued(sent_first(pdu))
    }

    /// Processes a PDU of this direction that crossed the air and is ready at its receiver.
    /// Discards the PDU if it is late by more than the window, or was built before a
    /// re-establishment.
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

    /// Processes the loss of a PDU: HARQ gave up its block.
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

    /// Returns `true` if [`Bearer::next_timer`] may have changed since the last call of this
    /// function.
    #[inline]
    pub fn take_timers_moved(&mut self) -> bool {
        std::mem::take(&mut self.timers_moved)
    }

    /// Returns the time of the next [`Bearer::on_timer`], unless another call comes first.
    #[inline]
    pub fn next_timer(&self) -> Option<Instant> {
        let PerDirection { down, up } = &self.paths;
        let timer = Instant::sooner(down.next_timer(), up.next_timer());
        match &self.duplication {
            None => timer,
            Some(duplication) => Instant::sooner(timer, duplication.next_timer()),
        }
    }

    /// Handles expired timers.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.timers_moved = true;
        for direction in Direction::BOTH {
            self.paths[direction].on_timer(now, direction, out);
        }
        self.each_other_path(|direction, path| path.on_timer(now, direction, out));
    }

    /// Re-establishes RLC on both sides, as after a failure of the radio link (TS 36.322 §5.4). In
    /// acknowledged mode PDCP then retransmits the data that did not arrive (TS 36.323 §5.2.1.1),
    /// so nothing is lost. In unacknowledged mode packets that were begun and did not arrive whole
    /// are dropped, and PDCP sends the rest (TS 36.323 §5.2.1.2).
    pub fn reestablish(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let why = Why { wait: Cause::RlcRetransmission, drop: DropCause::Incomplete };
        self.begin_again(now, why, out);
    }

    /// Drops all packets held in this direction, since no connection is left that could carry them
    /// (TS 38.331 §5.3.11).
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

    /// Returns the buffer with the SDUs of which no byte was sent, oldest first, and the rest of
    /// one that is partly sent.
    pub fn buffer(&self, direction: Direction) -> &TransmissionBuffer {
        &self.paths[direction].buffer
    }

    /// Removes an SDU of which no byte was sent from the buffer, by its index in
    /// [`TransmissionBuffer::queue`] (TS 36.322 §5.3). The packet counts as dropped.
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

    /// Sets up queue management in this direction. Call it before the first SDU.
    pub fn manage(&mut self, direction: Direction, aqm: Aqm, stream: Stream) {
        self.paths[direction].buffer.manage(aqm, stream);
    }

    /// Removes the next packet that queue management has dropped in this direction, and returns it
    /// with the cause.
    pub fn take_dropped(&mut self, direction: Direction) -> Option<(Box<Packet>, DropCause)> {
        let path = &mut self.paths[direction];
        let (sdu, cause) = path.buffer.take_dropped()?;
        path.exit.tally.drop(cause, sdu.packet.length);
        Some((sdu.packet, cause))
    }

    /// Returns the count of packets that queue management has marked in this direction since the
    /// last call.
    pub fn take_marked(&mut self, direction: Direction) -> Count {
        self.paths[direction].buffer.take_marked()
    }

    /// Returns the counts of packets that entered, left and were dropped in this direction. `wire`
    /// counts the PDUs built for it.
    pub fn tally(&self, direction: Direction) -> &Tally {
        &self.paths[direction].exit.tally
    }

    /// Warns of packets of `ue` that PDCP dropped because too many packets were in flight.
    pub fn warn(&self, ue: &str, direction: Direction, tables: &mut Tables) {
        self.paths[direction].warn(ue, direction, tables);
    }

    /// Counts the packets inside, one by one. The result equals [`Tally::held`] unless there is a
    /// fault.
    pub fn held(&self, direction: Direction) -> Count {
        self.paths[direction].held()
    }
}

/// Returns the bytes of a PDU that are sent for the first time.
fn sent_first(pdu: &Pdu) -> Span {
    match pdu {
        Pdu::Data(data) if !data.retransmission => data.data,
        _ => Span::default(),
    }
}

#[cfg(test)]
mod tests;
