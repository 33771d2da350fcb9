//! The applications of a run: calls them and carries out their effects.
//!
//! In: news from connections, datagrams and timers. Out: writes, datagrams, reports.

use super::{Step, World, arm};
use crate::app::{self, Application};
use crate::net::{Body, Datagram, Echo, IpVersion, Ledger, Packet};
use crate::scenario::plan::AppPlan;
use crate::sim::{Agenda, EntityId, Wake};
use crate::unit::{Bytes, FlowId, HostId, Instant};

use super::flow::Flow;

/// One application on one UE.
pub(super) struct AppSession {
    app: Application,
    pub(super) entity: EntityId,
    started: bool,
    /// Flows of its connections, by its own numbers.
    pub(super) connections: Vec<FlowId>,
    /// The flow of its datagrams and echoes.
    packets: Option<FlowId>,
}

impl AppSession {
    pub(super) fn new(plan: &AppPlan, entity: EntityId) -> Self {
        Self {
            app: plan.application.clone(),
            entity,
            started: false,
            connections: Vec::new(),
            packets: None,
        }
    }
}

impl World<'_> {
    /// Calls an application at its start, or when its timer is due.
    pub(super) fn wake_conversation(&mut self, now: Instant, number: usize) {
        let started = std::mem::replace(&mut self.app_sessions[number].started, true);
        match &mut self.critical_paths {
            Some(paths) if started => paths.on_app_timer(now, number),
            Some(paths) => paths.start(now, number),
            None => {}
        }
        let input = if started { app::Input::Timer } else { app::Input::Start };
        self.tell(now, number, input);
    }

    /// Gives an input to an application. It is called at once, and mostly has no effect; its
    /// effects come after all that is already queued.
    #[inline]
    pub(super) fn tell(&mut self, now: Instant, number: usize, input: app::Input) {
        let is_news = !matches!(input, app::Input::Timer);
        let out = &mut self.outboxes.app;
        let before = out.len();
        self.app_sessions[number].app.on_input(now, input, out);
        let (wake, wanted) = (out.take_wake(), out.len() - before);
        if wake != Wake::Unchanged || wanted != 0 {
            self.line_up(number, wake, is_news, wanted);
        }
    }

    #[inline(never)]
    fn line_up(&mut self, app_session: usize, wake: Wake, is_news: bool, wanted: usize) {
        if wake != Wake::Unchanged {
            self.work.push_back(Step::Arm { app_session, wake, is_news });
        }
        self.work.extend((0..wanted).map(|_| Step::Act { app_session }));
    }

    /// An application is called again when it said.
    pub(super) fn arm_app(
        &mut self,
        number: usize,
        wake: Wake,
        is_news: bool,
        agenda: &mut Agenda,
    ) {
        if let (Some(paths), Wake::At(due), true) = (&mut self.critical_paths, wake, is_news) {
            paths.on_app_waits(number, due);
        }
        arm(agenda, self.app_sessions[number].entity, wake);
    }

    /// Carries out the first effect of applications.
    pub(super) fn act(&mut self, now: Instant, number: usize, agenda: &mut Agenda) {
        let effect = self.outboxes.app.take_next().expect("one effect for each step");
        self.on_app(now, number, effect, agenda);
    }

    #[inline(never)]
    fn on_app(&mut self, now: Instant, number: usize, effect: app::Effect, agenda: &mut Agenda) {
        match effect {
            app::Effect::Open { connection, handshake } => {
                debug_assert_eq!(connection as usize, self.app_sessions[number].connections.len());
                self.open(now, number, connection, handshake, agenda);
            }
            app::Effect::Write { connection, end, bytes } if self.is_quic(number) => {
                self.write_quic(now, number, connection, end, bytes, agenda);
            }
            app::Effect::Close { connection, end } if self.is_quic(number) => {
                self.finish_quic(now, number, connection, end, agenda);
            }
            app::Effect::Write { connection, end, bytes } => {
                let end = self.end_of(number, connection, end);
                self.ends[end].awaits_first_sent = true;
                self.ends[end].connection.write(now, bytes, &mut self.outboxes.tcp);
                self.after_tcp(now, end, agenda);
            }
            app::Effect::Close { connection, end } => {
                let end = self.end_of(number, connection, end);
                self.ends[end].connection.close(now, &mut self.outboxes.tcp);
                self.after_tcp(now, end, agenda);
            }
            app::Effect::SendDatagram { end, number: datagram, payload } => {
                let body = Body::Datagram(Datagram { number: datagram, payload });
                let length = IpVersion::V4.header() + UDP_HEADER + payload;
                self.send_from(now, number, end, body, length);
            }
            app::Effect::SendEcho { number: echo, length } => {
                let body = Body::Echo(Echo { number: echo, reply: false, asked: now });
                self.send_from(now, number, app::End::Client, body, length);
            }
            app::Effect::Report(report) => {
                if let (Some(paths), app::Report::Transfer(transfer)) =
                    (&mut self.critical_paths, &report)
                {
                    let owner = self.recorder.owner(number);
                    paths.on_transfer(number, &owner, transfer, &mut self.recorder.tables);
                }
                self.recorder.on_report(number, report);
            }
            app::Effect::Finished => {
                self.unfinished -= 1;
                if self.is_quic(number) {
                    self.close_quic(now, number, agenda);
                }
            }
        }
    }

    /// Sends a packet of an application that has no connection.
    fn send_from(
        &mut self,
        now: Instant,
        number: usize,
        from: app::End,
        body: Body,
        length: Bytes,
    ) {
        let app = &self.plan.apps[number];
        let ue = HostId::ue(app.ue);
        let (source, destination) = match from {
            app::End::Client => (ue, app.server),
            app::End::Server => (app.server, ue),
        };
        let flow = self.packet_flow(number);
        let packet = Packet {
            id: self.next_packet(),
            flow,
            source,
            destination,
            ports: (app.port.unwrap_or(DATAGRAM_PORT), app.port.unwrap_or(DATAGRAM_PORT)),
            ip: IpVersion::V4,
            tos: app.tos,
            dont_fragment: false,
            length,
            tunnel: None,
            body,
            ledger: Ledger::start(now),
        };
        self.send(now, Box::new(packet));
    }

    /// Returns the flow of an application's datagrams and echoes, created when first needed.
    fn packet_flow(&mut self, number: usize) -> FlowId {
        if let Some(flow) = self.app_sessions[number].packets {
            return flow;
        }
        let flow = FlowId(self.flows.len() as u32);
        self.flows.push(Flow { app_session: number, ends: None, quic: None });
        self.app_sessions[number].packets = Some(flow);
        flow
    }

    /// Hands a datagram or echo that has arrived at its host to the application.
    pub(super) fn bring_to_conversation(&mut self, now: Instant, packet: &Packet) {
        let number = self.flows[packet.flow.index()].app_session;
        self.recorder.on_delivered(now, number, packet, packet.payload());
        let end = if packet.destination.is_server() { app::End::Server } else { app::End::Client };
        let input = match packet.body {
            Body::Datagram(Datagram { number, .. }) => {
                app::Input::Datagram { end, number, sent: packet.ledger.started() }
            }
            Body::Echo(echo) if !echo.reply => return self.answer(now, packet, echo),
            Body::Echo(echo) => app::Input::Echo { number: echo.number, asked: echo.asked },
            _ => unreachable!("only datagrams and echoes come here"),
        };
        self.tell(now, number, input);
    }

    /// Sends the reply to an echo request immediately, with the same length (RFC 1122 §3.2.2.6).
    fn answer(&mut self, now: Instant, request: &Packet, echo: Echo) {
        let id = self.next_packet();
        let reply = Packet {
            id,
            source: request.destination,
            destination: request.source,
            body: Body::Echo(Echo { reply: true, ..echo }),
            ledger: Ledger::start(now),
            ..request.clone()
        };
        self.send(now, Box::new(reply));
    }

    /// Collects the reports of every application about its incomplete transfers.
    pub(super) fn finish_conversations(&mut self) {
        for number in 0..self.app_sessions.len() {
            if !self.app_sessions[number].started {
                continue;
            }
            self.app_sessions[number].app.finish(&mut self.outboxes.app);
            while let Some(effect) = self.outboxes.app.take_next() {
                if let app::Effect::Report(report) = effect {
                    self.recorder.on_report(number, report);
                }
            }
        }
    }
}

/// RFC 768.
const UDP_HEADER: Bytes = Bytes(8);
/// Datagrams of applications use one port at both ends.
const DATAGRAM_PORT: u16 = 5004;
