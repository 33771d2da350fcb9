//! TCP connections of a run: opening them, and carrying between their ends, the hosts and the
//! applications.
//!
//! In: what applications want and what packets bring. Out: packets, and news for the applications.

use super::{Entity, World};
use crate::app;
use crate::net::{Body, Direction, Packet};
use crate::scenario::plan::Transport;
use crate::sim::{Agenda, EntityId, Wake};
use crate::tcp::{self, Connection};
use crate::unit::{Bytes, FlowId, HostId, Instant};

/// One flow of packets, both directions.
pub(super) struct Flow {
    /// The application whose packets these are.
    pub(super) app_session: usize,
    /// Its two ends, client first, if it is a TCP connection.
    pub(super) ends: Option<[usize; 2]>,
    /// Its number among the QUIC connections, if it is one.
    pub(super) quic: Option<usize>,
}

/// One end of a connection.
pub(super) struct End {
    pub(super) connection: Connection,
    pub(super) flow: FlowId,
    /// The application of its flow, and the application's number for the connection.
    pub(super) app_session: usize,
    number: u32,
    pub(super) side: app::End,
    pub(super) host: HostId,
    peer: HostId,
    ports: (u16, u16),
    tos: u8,
    dont_fragment: bool,
    pub(super) entity: EntityId,
    /// Bytes delivered in order to the application here.
    pub(super) delivered: Bytes,
    /// The application wants to know when its newest data first leaves.
    pub(super) awaits_first_sent: bool,
    /// This end sent the SYN.
    pub(super) is_opener: bool,
    /// The connection has been established at this end.
    pub(super) opened: bool,
    /// The application was notified of the connection before the handshake (Fast Open).
    is_told: bool,
    /// Reason for the end of the connection, if it has ended.
    pub(super) ended: Option<tcp::CloseReason>,
}

impl World<'_> {
    /// Opens a connection of an application: one end connects, the other listens.
    pub(super) fn open(
        &mut self,
        now: Instant,
        app_session: usize,
        connection: u32,
        handshake: bool,
        agenda: &mut Agenda,
    ) {
        let app = &self.plan.apps[app_session];
        let profile = match app.transport {
            Transport::Tcp(set) => &self.plan.tcp_sets[set],
            Transport::Quic(set) => {
                return self.open_quic(now, (app_session, connection), set, agenda);
            }
            Transport::Absent => unreachable!("an application without connections opens none"),
        };
        let flow = FlowId(self.flows.len() as u32);
        let client = self.ends.len();
        let ue = HostId::ue(app.ue);
        let port = FIRST_CLIENT_PORT.wrapping_add(flow.0 as u16);
        let server_port = app.port.unwrap_or(SERVER_PORT);
        let sides = [
            (app::End::Client, ue, app.server, (port, server_port)),
            (app::End::Server, app.server, ue, (server_port, port)),
        ];
        for (side, host, peer, ports) in sides {
            let entity = self.entity(agenda, Entity::End(self.ends.len()));
            let endpoint = Connection::new(profile, FIRST_SEQUENCE_NUMBER);
            let end = End {
                connection: endpoint,
                flow,
                app_session,
                number: connection,
                side,
                host,
                peer,
                ports,
                tos: app.tos,
                dont_fragment: profile.path_mtu_discovery,
                entity,
                delivered: Bytes::ZERO,
                awaits_first_sent: false,
                is_opener: side == app.opens,
                opened: !handshake,
                is_told: false,
                ended: None,
            };
            self.ends.push(end);
        }
        self.flows.push(Flow { app_session, ends: Some([client, client + 1]), quic: None });
        self.app_sessions[app_session].connections.push(flow);
        if handshake {
            let opener = client + app.opens as usize;
            let listener = client + app.opens.peer() as usize;
            self.connect(now, (opener, listener), profile, agenda);
        } else {
            for end in [client, client + 1] {
                self.ends[end].connection.open_established(now);
                self.inform(now, end, connected);
            }
        }
        if let Some((end, rate)) = self.plan.apps[app_session].reads {
            self.ends[client + end as usize].connection.read_slowly(rate);
        }
    }

    /// Returns the end of an application's connection on this side.
    pub(super) fn end_of(&self, app_session: usize, connection: u32, side: app::End) -> usize {
        let flow = self.app_sessions[app_session].connections[connection as usize];
        let ends = self.flows[flow.index()].ends.expect("a connection has two ends");
        ends[side as usize]
    }

    /// Hands a TCP segment, or an ICMP message about one, to its connection.
    pub(super) fn bring_to_end(&mut self, now: Instant, packet: Box<Packet>, agenda: &mut Agenda) {
        let Flow { ends: Some(ends), app_session, .. } = self.flows[packet.flow.index()] else {
            return;
        };
        let number = ends[usize::from(packet.destination.is_server())];
        if let Some(paths) = &mut self.critical_paths {
            paths.on_arrival(app_session, self.ends[number].side, number, &packet);
        }
        if let Body::TooBig(news) = packet.body {
            self.ends[number].connection.on_too_big(now, news.mtu, &mut self.outboxes.tcp);
        } else {
            if packet.payload().is_zero() {
                self.recorder.on_delivered(now, app_session, &packet, Bytes::ZERO);
            }
            let connection = &mut self.ends[number].connection;
            connection.on_packet(now, packet, &mut self.outboxes.tcp);
            if let Some(paths) = &mut self.critical_paths
                && connection.is_reading()
            {
                paths.on_unread(number);
            }
        }
        self.after_tcp(now, number, agenda);
    }

    /// Carries out the effects of one end.
    pub(super) fn after_tcp(&mut self, now: Instant, number: usize, agenda: &mut Agenda) {
        arm_lazily(agenda, self.ends[number].entity, self.outboxes.tcp.take_wake());
        while let Some(effect) = self.outboxes.tcp.take_next() {
            self.on_tcp(now, number, effect);
        }
    }

    fn on_tcp(&mut self, now: Instant, number: usize, effect: tcp::Effect) {
        match effect {
            tcp::Effect::Transmit(packet) => self.transmit(now, number, packet),
            tcp::Effect::Deliver { packet, new: bytes } => {
                let end = &mut self.ends[number];
                end.delivered += bytes;
                self.recorder.on_delivered(now, end.app_session, &packet, bytes);
                if let Some(packet) = end.connection.reuse_delivered(packet) {
                    drop(self.ends[peer_of(number)].connection.reuse(packet));
                }
                let received = |connection, end| app::Input::Received { connection, end, bytes };
                self.inform(now, number, received);
            }
            tcp::Effect::Writable => {
                self.ends[number].is_told = true;
                self.inform(now, number, connected);
            }
            tcp::Effect::Connected => {
                self.ends[number].opened = true;
                if !self.ends[number].is_told {
                    self.inform(now, number, connected);
                }
            }
            tcp::Effect::Learned(learned) => {
                let end = &self.ends[number];
                self.cookies.learn((end.host, end.peer), learned.cookie, learned.mss);
            }
            tcp::Effect::Acked { total } => {
                self.inform(now, number, |connection, end| app::Input::Acked {
                    connection,
                    end,
                    total,
                });
            }
            tcp::Effect::PeerClosed => {
                self.inform(now, number, |connection, end| app::Input::PeerClosed {
                    connection,
                    end,
                });
            }
            tcp::Effect::Closed(reason) => {
                self.ends[number].ended = Some(reason);
                self.inform(now, number, |connection, end| app::Input::Closed { connection, end });
            }
        }
    }

    /// Fills in the IP header of what the transport sends, and sends it.
    fn transmit(&mut self, now: Instant, number: usize, mut packet: Box<Packet>) {
        let end = &mut self.ends[number];
        packet.source = end.host;
        packet.destination = end.peer;
        packet.ports = end.ports;
        packet.flow = end.flow;
        // The transport has set the ECN field.
        packet.tos |= end.tos;
        packet.dont_fragment = end.dont_fragment;
        let is_first_data = end.awaits_first_sent && !packet.payload().is_zero();
        end.awaits_first_sent &= !is_first_data;
        let side = end.side;
        packet.id = self.next_packet();
        if let Some(paths) = &mut self.critical_paths {
            paths.on_departure(self.ends[number].app_session, side, number, &packet);
        }
        self.send(now, packet);
        if is_first_data {
            self.inform(now, number, |connection, end| app::Input::FirstSent { connection, end });
        }
    }

    /// Gives the application of this end an input about its connection.
    #[inline]
    fn inform(
        &mut self,
        now: Instant,
        number: usize,
        input: impl FnOnce(u32, app::End) -> app::Input,
    ) {
        let &End { app_session, number, side, .. } = &self.ends[number];
        self.tell(now, app_session, input(number, side));
    }
}

/// Returns the other end: both are created together, client first.
const fn peer_of(end: usize) -> usize {
    end ^ 1
}

const fn connected(connection: u32, end: app::End) -> app::Input {
    app::Input::Connected { connection, end }
}

/// Arms an entity only for an earlier instant than before. With every acknowledgement a connection
/// postpones its timers: instead of moving its entry each time, it is called too early now and
/// then, and arms itself again.
pub(super) fn arm_lazily(agenda: &mut Agenda, entity: EntityId, wake: Wake) {
    if let Wake::At(at) = wake
        && agenda.due(entity).is_none_or(|armed| at < armed)
    {
        agenda.arm(entity, at);
    }
}

/// Returns the direction of packets from this host.
pub(super) fn direction_from(host: HostId) -> Direction {
    if host.is_server() { Direction::Down } else { Direction::Up }
}

/// Initial sequence number. RFC 9293 §3.4.1 requires an unpredictable one, which matters only
/// against attackers.
const FIRST_SEQUENCE_NUMBER: u32 = 0;
const SERVER_PORT: u16 = 80;
/// The first dynamic port (RFC 6335 §6).
pub(super) const FIRST_CLIENT_PORT: u16 = 49_152;
