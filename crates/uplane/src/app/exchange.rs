//! One request and its file, on one connection: the common part of transfers and web objects.
//!
//! In: events of the connection. Out: the request, the file, and the time of completion.
//!
//! A file of the server is written when the whole request has reached the server, or, without a
//! request, when the server's end is open. A file of the client follows its request at once, on the
//! same connection.
//!
//! Left out: answers to uploads, and think time of the server. A link between radio and server can
//! represent the latter.

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

/// The parameters of an exchange: its data and its timing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The end that sends the file.
    pub(super) sender: End,
    /// Length of the client's request before the file; may be zero.
    pub(super) request: Bytes,
    /// Length of the file, at least one byte.
    pub(super) file: Bytes,
    pub(super) clock: Clock,
    pub(super) completion: Completion,
}

/// One request and its file, in progress.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    plan: Plan,
    connection: u32,
    /// Bytes that the sender of the file had written on this connection before.
    written_before: Bytes,
    /// Bytes of the request that have reached the server.
    request_arrived: Bytes,
    /// Time at which the file was written.
    file_written: Option<Instant>,
    /// The ACK of the last byte has reached the sender.
    is_acked: bool,
    report: Transfer,
}

impl Exchange {
    /// Begins an exchange. If the connection is open already, the next call is
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

    /// Processes the opening of this end of the connection.
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

    /// Processes an event of the connection. Returns `true` if it completes the exchange.
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

    /// Returns the connection of the exchange.
    pub(super) fn connection(&self) -> u32 {
        self.connection
    }

    /// Returns the number of bytes that the sender of the file has written on the connection,
    /// including earlier exchanges.
    pub(super) fn written(&self) -> Bytes {
        self.written_before + self.before_file() + self.plan.file
    }

    /// Returns the report in its current state.
    pub(super) fn into_report(self) -> Transfer {
        self.report
    }

    /// Emits the report in its current state.
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

    /// Returns the number of bytes that the sender of the file sends before it in this exchange.
    fn before_file(&self) -> Bytes {
        if self.plan.sender == End::Client { self.plan.request } else { Bytes::ZERO }
    }
}
