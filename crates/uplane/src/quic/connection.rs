//! One end of a connection (RFC 9000 §5): drives the library, and translates between it and the
//! simulation.
//!
//! In: calls of the application (`connect`, `write`, …), packets, its timer. Out: [`Effect`]s, and
//! the time of the next `on_timer`.
//!
//! Each call ends in `flush`: it reports events, offers written data to the library, and sends all
//! datagrams of the library. After that, time is booked on the reason that keeps the connection
//! from sending more. `connection/output` sends a datagram.
//!
//! Left out: routers' messages (RFC 9000 §14.2.1 lets an end ignore them; probes find the path
//! MTU).

mod output;

use std::collections::BTreeMap;

use quinn_proto::{ConnectionError, Event, StreamEvent};

use super::Role;
use super::arrivals::{Arrival, Arrivals};
use super::crypto::TAG;
use super::departures::{Departures, chunks};
use super::effect::{CloseReason, Effect};
use super::library::{ID_LENGTH, Library, Snapshot};
use super::profile::Profile;
use super::qlog::Qlog;
use super::statistics::{Counters, LogEvent, Statistics};
use super::stream::Stream;
use super::wire::{self, Frame, QuicPacket, Space};
use crate::net::waits::{Limit, LimitAccount, Waits};
use crate::net::{Body, Cause, Packet};
use crate::sim::{Outbox, Stream as Random};
use crate::unit::{Bytes, Instant};

/// One end of a connection.
#[derive(Debug)]
pub struct Connection {
    profile: Box<Profile>,
    role: Role,
    library: Library,
    /// Streams by the application's numbers.
    streams: BTreeMap<u32, Stream>,
    /// The application's stream numbers by the protocol's stream ids.
    numbers: BTreeMap<u64, u32>,
    departures: Departures,
    arrivals: Arrivals,
    limits: LimitAccount,
    /// The peer's limit for the data of all streams together (RFC 9000 §4.1).
    credit: u64,
    counters: Counters,
    /// First and last arrival of data.
    came: Option<(Instant, Instant)>,
    /// Time at which the connection opened, and the waits until then.
    opened: Option<(Instant, Waits)>,
    closed: bool,
    /// The log, if the scenario requests one.
    log: Option<Box<Qlog>>,
}

impl Connection {
    /// Creates an end that waits to be opened, or for the peer. `random` is its own stream; it
    /// keeps a log if `logs`.
    pub fn new(profile: &Profile, role: Role, random: Random, logs: bool) -> Self {
        Self {
            library: Library::new(profile, role, random),
            role,
            streams: BTreeMap::new(),
            numbers: BTreeMap::new(),
            departures: Departures::default(),
            arrivals: Arrivals::default(),
            limits: LimitAccount::start(Instant::ZERO),
            credit: profile.receive_window.0,
            counters: Counters::default(),
            came: None,
            opened: None,
            closed: false,
            log: logs.then(Box::default),
            profile: Box::new(profile.clone()),
        }
    }

    /// Begins the handshake, at the client.
    pub fn connect(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.limits.advance(now);
        self.library.connect(now);
        self.flush(now, out);
    }

    /// Writes to a stream. The end that writes first opens the stream.
    pub fn write(&mut self, now: Instant, stream: u32, bytes: Bytes, out: &mut Outbox<Effect>) {
        self.limits.advance(now);
        let waits = self.limits.waits();
        self.stream(stream).write(bytes.0, waits);
        self.flush(now, out);
    }

    /// Ends the application's writing to this stream.
    pub fn finish(&mut self, now: Instant, stream: u32, out: &mut Outbox<Effect>) {
        self.limits.advance(now);
        self.stream(stream).closing = true;
        self.flush(now, out);
    }

    /// Closes the connection, which the application does not need any more (RFC 9000 §10.2).
    pub fn close(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.limits.advance(now);
        if !self.closed {
            self.library.close(now);
            self.end(CloseReason::Finished, out);
        }
        self.flush(now, out);
    }

    /// Records that the stream which the peer opened as `id` is number `stream` of the application.
    pub fn name(&mut self, stream: u32, id: u64) {
        self.stream(stream).id = Some(id);
        self.numbers.insert(id, stream);
    }

    /// Processes a received packet, which must carry QUIC.
    pub fn on_packet(&mut self, now: Instant, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        self.limits.advance(now);
        let datagram = match &packet.body {
            Body::Quic(datagram) => datagram,
            other => panic!("a connection got a packet without QUIC: {other:?}"),
        };
        let packets = wire::packets(&datagram.contents, TAG, ID_LENGTH);
        self.library.on_datagram(now, &datagram.contents, packet.ecn());
        for packet in &packets {
            if let Some(log) = &mut self.log {
                log.on_received(now, packet);
            }
            self.on_quic_packet(now, packet, out);
        }
        self.take_arrival(now, packet, &packets);
        self.flush(now, out);
    }

    /// Handles the timer that the last call has set.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.limits.advance(now);
        self.library.on_timer(now);
        self.note_losses(now, if self.opened.is_some() { Space::Data } else { Space::Handshake });
        self.flush(now, out);
    }

    /// Returns the cause that the connection has waited for when its timer is called. The library
    /// does not report which of its timers expired: it was pacing if that kept the connection from
    /// sending; else the acknowledgement that it owed if nothing of its own was in flight; else
    /// loss recovery.
    pub fn awaited(&self) -> Cause {
        match self.limits.current() {
            Limit::Pacing => Cause::Pacing,
            _ if self.departures.flight().is_zero() => Cause::AcknowledgementDelay,
            _ => Cause::LossRecovery,
        }
    }

    /// Returns the connection's statistics at `now`.
    pub fn statistics(&self, now: Instant) -> Statistics {
        let Some(snapshot) = self.library.snapshot() else { return Statistics::default() };
        let shares = |(_, before): &_| self.limits.waits_at(now).since(before).shares();
        Statistics {
            counters: self.counters,
            acked: Bytes(self.streams.values().map(|stream| stream.acked.total()).sum()),
            cwnd: snapshot.cwnd,
            srtt: self.opened.map(|_| snapshot.srtt),
            udp_payload: snapshot.udp_payload,
            shares: self.opened.as_ref().map(shares).unwrap_or_default(),
            ssthresh: snapshot.ssthresh,
            flight: self.departures.flight(),
            received: Bytes(self.streams.values().map(|stream| stream.arrived.total()).sum()),
            first_arrival: self.came.map(|(first, _)| first),
            last_arrival: self.came.map(|(_, last)| last),
            limit: self.limits.current().name(),
        }
    }

    /// Returns the events of the log, if there is one.
    pub fn log(&self) -> &[LogEvent] {
        self.log.as_ref().map_or(&[], |log| log.events())
    }

    fn stream(&mut self, number: u32) -> &mut Stream {
        let credit = self.profile.stream_receive_window.0;
        self.streams.entry(number).or_insert_with(|| Stream::new(credit))
    }

    fn stream_by_id(&mut self, id: u64) -> Option<(u32, &mut Stream)> {
        let number = *self.numbers.get(&id)?;
        Some((number, self.stream(number)))
    }

    /// Processes a packet's information about data sent from here.
    fn on_quic_packet(&mut self, now: Instant, packet: &QuicPacket, out: &mut Outbox<Effect>) {
        if packet.space == Space::Handshake && self.role == Role::Server {
            self.departures.discard(Space::Initial);
        }
        for frame in &packet.frames {
            match frame {
                Frame::Ack(ranges) => {
                    let chunks = self.departures.on_acked(packet.space, ranges);
                    for chunk in chunks {
                        let Some((number, stream)) = self.stream_by_id(chunk.id) else { continue };
                        if stream.on_acked(chunk.start, chunk.end) {
                            let total = Bytes(stream.acked.total());
                            out.emit(Effect::Acked { stream: number, total });
                        }
                    }
                    self.note_losses(now, packet.space);
                }
                &Frame::MaxData(most) => self.credit = self.credit.max(most),
                &Frame::MaxStreamData { id, most } => {
                    if let Some((_, stream)) = self.stream_by_id(id) {
                        stream.credit = stream.credit.max(most);
                    }
                }
                Frame::Other(HANDSHAKE_DONE) => self.departures.discard(Space::Handshake),
                _ => {}
            }
        }
    }

    /// Updates the counters of losses from the library.
    fn note_losses(&mut self, now: Instant, space: Space) {
        let Some(Snapshot { statistics, .. }) = self.library.snapshot() else { return };
        let path = &statistics.path;
        let lost = path.lost_packets - self.counters.lost;
        if lost > 0 {
            for number in self.departures.on_lost(space, lost) {
                if let Some(log) = &mut self.log {
                    log.on_lost(now, space, number);
                }
            }
        }
        if path.lost_plpmtud_probes > self.counters.lost_probes {
            self.departures.on_probe_lost();
        }
        self.counters.lost = path.lost_packets;
        self.counters.lost_probes = path.lost_plpmtud_probes;
        self.counters.congestion_events = path.congestion_events;
    }

    /// Keeps a packet with data until all of it is read.
    fn take_arrival(&mut self, now: Instant, packet: Box<Packet>, packets: &[QuicPacket]) {
        let chunks: Vec<_> = packets.iter().flat_map(chunks).collect();
        let mut new = 0;
        for chunk in &chunks {
            if let Some((_, stream)) = self.stream_by_id(chunk.id) {
                new += stream.arrived.add(chunk.start, chunk.end);
            }
        }
        if new > 0 {
            let first = self.came.map_or(now, |(first, _)| first);
            self.came = Some((first, now));
            self.arrivals.add(Arrival { packet, chunks, new: Bytes(new) });
        }
    }

    /// Reports events, sends the data that may be sent, and sets the timer.
    fn flush(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        loop {
            self.take_events(now, out);
            self.offer(out);
            let Some((contents, ecn)) = self.library.next_datagram(now) else { break };
            self.depart(now, contents, ecn, out);
        }
        self.limits.enter(now, self.limit());
        if let (Some(log), Some(snapshot)) = (&mut self.log, self.library.snapshot()) {
            log.on_state(now, &snapshot, self.departures.flight());
        }
        out.wake(self.library.due().map(|due| due.max(now)));
    }

    fn take_events(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        while let Some(event) = self.library.next_event() {
            match event {
                Event::Connected => {
                    self.opened = Some((now, self.limits.waits()));
                    if self.role == Role::Server {
                        self.departures.discard(Space::Handshake);
                    }
                    out.emit(Effect::Connected);
                }
                Event::ConnectionLost { reason } => self.end(close_reason(&reason), out),
                Event::Stream(StreamEvent::Opened { .. }) => {
                    while let Some(id) = self.library.accept() {
                        self.read(now, id, out);
                    }
                }
                Event::Stream(StreamEvent::Readable { id }) => self.read(now, id.into(), out),
                // Written data is offered again after each call.
                Event::Stream(_)
                | Event::HandshakeDataReady
                | Event::DatagramReceived
                | Event::DatagramsUnblocked => {}
            }
        }
    }

    /// Reads all data of the stream that is in order.
    fn read(&mut self, now: Instant, id: u64, out: &mut Outbox<Effect>) {
        let before = self.stream_by_id(id).map_or(0, |(_, stream)| stream.delivered);
        let (bytes, is_end) = self.library.read(id, before);
        let Some((number, stream)) = self.stream_by_id(id) else { return };
        stream.delivered += bytes;
        let (numbers, streams) = (&self.numbers, &self.streams);
        let delivered = |id| {
            let stream = numbers.get(&id).and_then(|number| streams.get(number));
            stream.map_or(0, |stream| stream.delivered)
        };
        for Arrival { mut packet, new, .. } in self.arrivals.take_read(delivered) {
            packet.ledger.charge(Cause::InOrderWait, now);
            out.emit(Effect::Deliver { packet, new });
        }
        if bytes > 0 {
            out.emit(Effect::Received { stream: number, bytes: Bytes(bytes) });
        }
        if is_end {
            out.emit(Effect::PeerClosed { stream: number });
        }
    }

    /// Opens streams that were written to, and passes written data to the library.
    fn offer(&mut self, out: &mut Outbox<Effect>) {
        if self.opened.is_none() || self.closed {
            return;
        }
        for (&number, stream) in &mut self.streams {
            if stream.id.is_none() && stream.written > 0 {
                let Some(id) = self.library.open() else { continue };
                stream.id = Some(id);
                self.numbers.insert(id, number);
                out.emit(Effect::Opened { stream: number, id });
            }
            let Some(id) = stream.id else { continue };
            if stream.written > stream.given {
                stream.given += self.library.write(id, stream.written - stream.given);
            }
            if stream.closing && !stream.finished && stream.given == stream.written {
                stream.finished = true;
                self.library.finish(id);
            }
        }
    }

    fn end(&mut self, reason: CloseReason, out: &mut Outbox<Effect>) {
        if !std::mem::replace(&mut self.closed, true) {
            out.emit(Effect::Closed(reason));
        }
    }
}

fn close_reason(error: &ConnectionError) -> CloseReason {
    match error {
        ConnectionError::TimedOut => CloseReason::TimedOut,
        ConnectionError::ApplicationClosed(_) | ConnectionError::LocallyClosed => {
            CloseReason::Finished
        }
        _ => CloseReason::Reset,
    }
}

/// The frame that confirms the handshake (RFC 9000 §19.20).
const HANDSHAKE_DONE: u64 = 0x1e;
