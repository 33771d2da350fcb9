//! One file, downloaded or uploaded over one connection, as FTP and file-transfer studies do it.
//!
//! In: what happens on the connection. Out: one report.
//!
//! Left out: the FTP control connection and log-in. Studies begin their clock after both.

use super::exchange::{Clock, Completion, Exchange, Plan};
use super::report::Kind;
use super::{Effect, End, Input, Volume, close_both};
use crate::net::Direction;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// What is transferred, and how it is timed.
#[derive(Clone, Debug)]
pub struct Config {
    /// `Down` for a download, `Up` for an upload.
    pub direction: Direction,
    /// What the client sends before the file. With none, the server of a download starts as soon as
    /// its end of the connection is open.
    pub request: Bytes,
    /// Length of the file, at least a byte.
    pub file: Bytes,
    /// From when the duration counts.
    pub clock: Clock,
    /// When the transfer is complete.
    pub completion: Completion,
    /// False when the connection is open before the run begins.
    pub handshake: bool,
}

/// The application.
#[derive(Clone, Debug)]
pub struct FileTransfer {
    config: Config,
    /// `None` before the start and after the end.
    exchange: Option<Exchange>,
}

impl FileTransfer {
    /// A transfer that waits for its start.
    pub fn new(config: Config) -> Self {
        Self { config, exchange: None }
    }

    /// Request and file.
    pub(super) fn volume(&self) -> Volume {
        Volume { bytes: self.config.request + self.config.file, ..Volume::default() }
    }

    /// Takes what happened now.
    pub fn on_input(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        match input {
            Input::Start => self.start(now, out),
            Input::Closed { .. } => self.end(out),
            _ => self.advance(now, input, out),
        }
    }

    /// The run ends: reports the transfer as incomplete if it is.
    pub fn finish(&mut self, out: &mut Outbox<Effect>) {
        if let Some(exchange) = self.exchange.take() {
            exchange.emit_report(out);
        }
    }

    fn start(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let Config { direction, request, file, clock, completion, handshake } = self.config;
        let kind = match direction {
            Direction::Down => Kind::Download,
            Direction::Up => Kind::Upload,
        };
        let plan = Plan { sender: End::sending(direction), request, file, clock, completion };
        self.exchange = Some(Exchange::begin(plan, (kind, 0), (CONNECTION, Bytes::ZERO), now));
        out.emit(Effect::Open { connection: CONNECTION, handshake });
    }

    fn advance(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        let is_complete =
            self.exchange.as_mut().is_some_and(|exchange| exchange.on_input(now, input, out));
        if is_complete {
            close_both(CONNECTION, out);
            self.end(out);
        }
    }

    fn end(&mut self, out: &mut Outbox<Effect>) {
        if self.exchange.is_some() {
            self.finish(out);
            out.emit(Effect::Finished);
        }
    }
}

/// The only connection.
const CONNECTION: u32 = 0;
