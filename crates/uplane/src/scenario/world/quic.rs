//! QUIC connections of a run: opening them, and carrying between their ends, the hosts and the
//! applications.
//!
//! In: what applications want and what packets bring. Out: packets, news for the applications; the
//! rows of `quic`, `qlog` and `series` are written by `report`.
//!
//! An application has one QUIC connection; each connection of the application is a stream of it.
//! The QUIC connection opens with the first stream. A stream exists on the wire since its first
//! data (RFC 9000 §2.1), so the end that writes first opens it, and the world maps it to the
//! application's connection at the other end. The QUIC connection closes when its application has
//! finished. If it has ended before, by the idle timeout, the next stream opens a new one.
//!
//! Left out: several parallel QUIC connections of one application, which browsers rarely open.

#![cfg_attr(
    not(feature = "quic"),
    allow(unreachable_code, unused_variables, reason = "no connection can be made")
)]

mod report;

use std::ops::Range;

pub(super) use self::report::{QlogRow, QuicRow};
use super::flow::{FIRST_CLIENT_PORT, Flow, arm_lazily, direction_from};
use super::{Entity, World};
use crate::app;
use crate::net::Packet;
use crate::quic::{CloseReason, Connection, Effect, Role};
use crate::scenario::plan::Transport;
use crate::sim::{Agenda, EntityId, Outbox, Streams};
use crate::unit::{Bytes, FlowId, HostId, Instant};

/// All QUIC connections of a run.
pub(super) struct Quic {
    streams: Streams,
    /// Client's side and server's side of each connection, in turn.
    ends: Vec<End>,
    out: Outbox<Effect>,
}

/// One end of a connection, on the side of an application's client or server.
struct End {
    connection: Connection,
    flow: FlowId,
    app_session: usize,
    side: app::End,
    host: HostId,
    peer: HostId,
    ports: (u16, u16),
    entity: EntityId,
    begun: Instant,
    opened: Option<Instant>,
    ended: Option<CloseReason>,
    /// Numbers of the application's connections that are streams of this connection.
    streams: Range<u32>,
    /// Bytes delivered in order to the application at this end.
    delivered: Bytes,
}

impl Quic {
    pub(super) fn new(streams: Streams) -> Self {
        Self { streams, ends: Vec::new(), out: Outbox::default() }
    }

    /// Returns the number of logged events so far, each of which becomes a row.
    pub(super) fn logged(&self) -> u64 {
        self.ends.iter().map(|end| end.connection.log().len() as u64).sum()
    }
}

impl World<'_> {
    pub(super) fn is_quic(&self, app_session: usize) -> bool {
        matches!(self.plan.apps[app_session].transport, Transport::Quic(_))
    }

    /// Returns the first of the two ends of an application's newest QUIC connection.
    fn newest(&self, app_session: usize) -> Option<usize> {
        let flow = self.app_sessions[app_session].connections.last()?;
        self.flows[flow.index()].quic
    }

    /// Returns the end on this side of the QUIC connection that has the application's stream.
    fn quic_end(&self, app_session: usize, stream: u32, side: app::End) -> usize {
        let flow = self.app_sessions[app_session].connections[stream as usize];
        self.flows[flow.index()].quic.expect("its flow is QUIC's") + side as usize
    }

    /// Opens a connection of an application as a stream. The first one opens the QUIC connection.
    pub(super) fn open_quic(
        &mut self,
        now: Instant,
        (app_session, stream): (usize, u32),
        set: usize,
        agenda: &mut Agenda,
    ) {
        let newest = self.newest(app_session);
        let lives = |client: &usize| {
            [*client, client + 1].iter().all(|&end| self.quic.ends[end].ended.is_none())
        };
        if let Some(client) = newest.filter(lives) {
            let flow = self.quic.ends[client].flow;
            self.app_sessions[app_session].connections.push(flow);
            for end in [client, client + 1] {
                self.quic.ends[end].streams.end = stream + 1;
                if self.quic.ends[end].opened.is_some() {
                    self.inform_quic(now, end, connected(stream));
                }
            }
            return;
        }
        let client = self.make_ends(now, (app_session, stream), set, agenda);
        let opener = client + self.plan.apps[app_session].opens as usize;
        self.quic.ends[opener].connection.connect(now, &mut self.quic.out);
        self.after_quic(now, opener, agenda);
    }

    /// Makes both ends of a connection; returns the number of the first.
    fn make_ends(
        &mut self,
        now: Instant,
        (app_session, stream): (usize, u32),
        set: usize,
        agenda: &mut Agenda,
    ) -> usize {
        let (plan, streams) = (self.plan, self.quic.streams);
        let app = &plan.apps[app_session];
        let flow = FlowId(self.flows.len() as u32);
        let client = self.quic.ends.len();
        let ue = HostId::ue(app.ue);
        let ports =
            (FIRST_CLIENT_PORT.wrapping_add(flow.0 as u16), app.port.unwrap_or(SERVER_PORT));
        for side in [app::End::Client, app::End::Server] {
            let entity = self.entity(agenda, Entity::QuicEnd(self.quic.ends.len()));
            let role = if side == app.opens { Role::Client } else { Role::Server };
            let (host, peer, ports) = match side {
                app::End::Client => (ue, app.server, ports),
                app::End::Server => (app.server, ue, (ports.1, ports.0)),
            };
            let random = streams.open(&format!("quic/{}", flow.0), side_name(side));
            let connection = Connection::new(&plan.quic_sets[set], role, random, plan.record.qlog);
            let end = End {
                connection,
                flow,
                app_session,
                side,
                host,
                peer,
                ports,
                entity,
                begun: now,
                opened: None,
                ended: None,
                streams: stream..stream + 1,
                delivered: Bytes::ZERO,
            };
            self.quic.ends.push(end);
        }
        self.flows.push(Flow { app_session, ends: None, quic: Some(client) });
        self.app_sessions[app_session].connections.push(flow);
        client
    }

    pub(super) fn write_quic(
        &mut self,
        now: Instant,
        app_session: usize,
        stream: u32,
        side: app::End,
        bytes: Bytes,
        agenda: &mut Agenda,
    ) {
        let number = self.quic_end(app_session, stream, side);
        self.quic.ends[number].connection.write(now, stream, bytes, &mut self.quic.out);
        self.after_quic(now, number, agenda);
    }

    pub(super) fn finish_quic(
        &mut self,
        now: Instant,
        app_session: usize,
        stream: u32,
        side: app::End,
        agenda: &mut Agenda,
    ) {
        let number = self.quic_end(app_session, stream, side);
        self.quic.ends[number].connection.finish(now, stream, &mut self.quic.out);
        self.after_quic(now, number, agenda);
    }

    /// Closes the QUIC connection of a finished application, at the end that opened it.
    pub(super) fn close_quic(&mut self, now: Instant, app_session: usize, agenda: &mut Agenda) {
        let opens = self.plan.apps[app_session].opens;
        let Some(client) = self.newest(app_session) else { return };
        let number = client + opens as usize;
        self.quic.ends[number].connection.close(now, &mut self.quic.out);
        self.after_quic(now, number, agenda);
    }

    /// Processes the timer of an end.
    pub(super) fn wake_quic(&mut self, now: Instant, number: usize, agenda: &mut Agenda) {
        let connection = &mut self.quic.ends[number].connection;
        if let Some(paths) = &mut self.critical_paths {
            paths.on_timer(now, QUIC_ENDS + number, connection.awaited());
        }
        connection.on_timer(now, &mut self.quic.out);
        self.after_quic(now, number, agenda);
    }

    /// Hands a datagram that has arrived at its host to its connection.
    pub(super) fn bring_to_quic(&mut self, now: Instant, packet: Box<Packet>, agenda: &mut Agenda) {
        let flow = &self.flows[packet.flow.index()];
        let client = flow.quic.expect("only QUIC's packets come here");
        let number = client + usize::from(packet.destination.is_server());
        let End { app_session, side, .. } = self.quic.ends[number];
        if let Some(paths) = &mut self.critical_paths {
            paths.on_arrival(app_session, side, QUIC_ENDS + number, &packet);
        }
        if packet.is_without_data() {
            self.recorder.on_delivered(now, app_session, &packet, Bytes::ZERO);
        }
        self.quic.ends[number].connection.on_packet(now, packet, &mut self.quic.out);
        self.after_quic(now, number, agenda);
    }

    /// Carries out the effects of one end.
    fn after_quic(&mut self, now: Instant, number: usize, agenda: &mut Agenda) {
        arm_lazily(agenda, self.quic.ends[number].entity, self.quic.out.take_wake());
        while let Some(effect) = self.quic.out.take_next() {
            self.on_quic(now, number, effect);
        }
    }

    fn on_quic(&mut self, now: Instant, number: usize, effect: Effect) {
        let end = &mut self.quic.ends[number];
        match effect {
            Effect::Transmit(packet) => self.transmit_quic(now, number, packet),
            Effect::Deliver { packet, new } => {
                debug_assert!(!new.is_zero(), "a packet that brought nothing is not handed over");
                self.recorder.on_delivered(now, end.app_session, &packet, Bytes::ZERO);
            }
            Effect::Opened { stream, id } => {
                self.quic.ends[number ^ 1].connection.name(stream, id);
            }
            Effect::Connected => {
                end.opened = Some(now);
                for stream in end.streams.clone() {
                    self.inform_quic(now, number, connected(stream));
                }
            }
            Effect::Received { stream, bytes } => {
                end.delivered += bytes;
                let direction = direction_from(end.peer);
                self.recorder.on_read(now, end.app_session, direction, bytes);
                self.inform_quic(now, number, |end| app::Input::Received {
                    connection: stream,
                    end,
                    bytes,
                });
            }
            Effect::Acked { stream, total } => {
                self.inform_quic(now, number, |end| app::Input::Acked {
                    connection: stream,
                    end,
                    total,
                });
            }
            Effect::FirstSent { stream } => {
                self.inform_quic(now, number, |end| app::Input::FirstSent {
                    connection: stream,
                    end,
                });
            }
            Effect::PeerClosed { stream } => {
                self.inform_quic(now, number, |end| app::Input::PeerClosed {
                    connection: stream,
                    end,
                });
            }
            Effect::Closed(reason) => {
                end.ended = Some(reason);
                for stream in end.streams.clone() {
                    self.inform_quic(now, number, closed(stream));
                }
            }
        }
    }

    /// Fills in the IP header of what the transport sends, and sends it.
    fn transmit_quic(&mut self, now: Instant, number: usize, mut packet: Box<Packet>) {
        let &End { host, peer, ports, flow, app_session, side, .. } = &self.quic.ends[number];
        packet.source = host;
        packet.destination = peer;
        packet.ports = ports;
        packet.flow = flow;
        packet.tos |= self.plan.apps[app_session].tos;
        packet.id = self.next_packet();
        if let Some(paths) = &mut self.critical_paths {
            paths.on_departure(app_session, side, QUIC_ENDS + number, &packet);
        }
        self.send(now, packet);
    }

    /// Passes an input to the application of this end.
    fn inform_quic(
        &mut self,
        now: Instant,
        number: usize,
        input: impl FnOnce(app::End) -> app::Input,
    ) {
        let &End { app_session, side, .. } = &self.quic.ends[number];
        self.tell(now, app_session, input(side));
    }
}

const fn connected(stream: u32) -> impl FnOnce(app::End) -> app::Input {
    move |end| app::Input::Connected { connection: stream, end }
}

const fn closed(stream: u32) -> impl FnOnce(app::End) -> app::Input {
    move |end| app::Input::Closed { connection: stream, end }
}

const fn side_name(side: app::End) -> &'static str {
    match side {
        app::End::Client => "client",
        app::End::Server => "server",
    }
}

/// HTTP over QUIC (RFC 9114 §3.1).
const SERVER_PORT: u16 = 443;
/// Ends of TCP and of QUIC have numbers of their own.
const QUIC_ENDS: usize = 1 << 31;
