//! One request and the file it is about, on one connection: what transfers and web objects share.
//!
//! In: what happens on the connection. Out: the request, the file, and the moment of completion.
//!
//! A file of the server is written when the whole request has reached the server, or, without a
//! request, when the server's end is open. A file of the client follows its request at once, on the
//! same connection.
//!
//! Left out: answers to uploads, and think time of the server. A link between radio and server can
//! stand for the latter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::report::{Kind, Transfer};
use super::{Effect, End, Input, Report};
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// Start of a transfer's measured duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// Opening of the connection (SYN); the request if the connection was open already.
    #[default]
    Open,
    /// Writing of the request, or of the file if there is no request.
    Request,
    /// Departure of the sender's first data packet.
    FirstData,
}

/// End of a transfer's measured duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Completion {
    /// Arrival of the last byte at the receiving application.
    #[default]
    LastByte,
    /// Arrival of the ACK of the last byte at the sender, or the moment when the receiving
    /// application reads that byte, whichever is later. A slow reader may read it after the ACK.
    LastAck,
}

/// What is exchanged, and how it is timed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Who sends the file.
    pub(super) sender: End,
    /// What the client sends before; may be nothing.
    pub(super) request: Bytes,
    /// Length of the file, at least a byte.
    pub(super) file: Bytes,
    pub(super) clock: Clock,
    pub(super) completion: Completion,
}

/// One request and its file.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    plan: Plan,
    connection: u32,
    /// What the sender of the file had written on this connection before.
    written_before: Bytes,
    /// Part of the request, as far as it reached the server.
    request_arrived: Bytes,
    /// When the file was written.
    file_written: Option<Instant>,
    /// Whether the ACK of the last byte has reached the sender.
    is_acked: bool,
    report: Transfer,
}

impl Exchange {
    /// An exchange that begins now. If the connection is open already, the next call is
    /// [`Exchange::on_open`] for each end.
    pub(super) fn begin(
        plan: Plan,
        (kind, number): (Kind, u64),
        (connection, written_before): (u32, Bytes),
        now: Instant,
    ) -> Self {
        Self {
            plan,
            connection,
            written_before,
            request_arrived: Bytes::ZERO,
            file_written: None,
            is_acked: false,
            report: Transfer::begin(kind, number, Some(plan.file), now),
        }
    }

    /// This end of the connection is open.
    pub(super) fn on_open(&mut self, now: Instant, end: End, out: &mut Outbox<Effect>) {
        let Plan { sender, request, .. } = self.plan;
        if end == End::Client && !request.is_zero() {
            self.report.requested = Some(now);
            self.write(End::Client, request, out);
        }
        if end == sender && (sender == End::Client || request.is_zero()) {
            self.write_file(now, out);
        }
    }

    /// Takes what happened on the connection; true when that completes the exchange.
    pub(super) fn on_input(
        &mut self,
        now: Instant,
        input: Input,
        out: &mut Outbox<Effect>,
    ) -> bool {
        match input {
            Input::Connected { end, .. } => self.on_open(now, end, out),
            Input::FirstSent { end, .. } => self.on_first_sent(now, end),
            Input::Received { end, bytes, .. } => self.on_received(now, end, bytes, out),
            Input::Acked { end, total, .. } if end == self.plan.sender => {
                self.is_acked |= total >= self.written();
            }
            _ => {}
        }
        let is_complete = self.report.last_byte.is_some()
            && (self.is_acked || self.plan.completion == Completion::LastByte);
        if is_complete {
            self.complete(now);
        }
        is_complete
    }

    /// The connection it uses.
    pub(super) fn connection(&self) -> u32 {
        self.connection
    }

    /// What the sender of the file has written on the connection, with all earlier exchanges.
    pub(super) fn written(&self) -> Bytes {
        self.written_before + self.before_file() + self.plan.file
    }

    /// The report as it is now.
    pub(super) fn into_report(self) -> Transfer {
        self.report
    }

    /// Reports it as it is now.
    pub(super) fn emit_report(&self, out: &mut Outbox<Effect>) {
        out.emit(Effect::Report(Report::Transfer(self.report.clone())));
    }

    fn on_first_sent(&mut self, now: Instant, end: End) {
        if end == self.plan.sender && self.file_written.is_some() {
            self.report.first_sent.get_or_insert(now);
        }
    }

    fn on_received(&mut self, now: Instant, end: End, bytes: Bytes, out: &mut Outbox<Effect>) {
        let mut file = bytes;
        if end == End::Server {
            let missing = self.plan.request - self.request_arrived;
            self.request_arrived += missing.min(bytes);
            file = bytes.saturating_sub(missing);
        }
        if end != self.plan.sender {
            self.report.receive(now, file);
        } else if end == End::Server
            && self.request_arrived == self.plan.request
            && self.file_written.is_none()
        {
            self.write_file(now, out);
        }
    }

    fn complete(&mut self, now: Instant) {
        let since = match self.plan.clock {
            Clock::Open => Some(self.report.started),
            Clock::Request => self.report.requested.or(self.file_written),
            Clock::FirstData => self.report.first_sent,
        };
        self.report.completed = Some(now);
        self.report.duration = since.map(|since| now - since);
    }

    fn write_file(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.file_written = Some(now);
        self.write(self.plan.sender, self.plan.file, out);
    }

    fn write(&self, end: End, bytes: Bytes, out: &mut Outbox<Effect>) {
        out.emit(Effect::Write { connection: self.connection, end, bytes });
    }

    /// What the sender of the file sends before it in this exchange.
    fn before_file(&self) -> Bytes {
        if self.plan.sender == End::Client { self.plan.request } else { Bytes::ZERO }
    }
}
