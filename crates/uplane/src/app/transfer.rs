//! Download or upload of one file over one connection, as in FTP and file-transfer studies.
//!
//! In: events of the connection. Out: one report.
//!
//! Left out: the FTP control connection and log-in. Studies start their clock after both.

use super::exchange::{Clock, Completion, Exchange, Plan};
use super::report::Kind;
use super::{Effect, End, Input, Volume, close_both};
use crate::net::Direction;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// The parameters of a transfer: its data and its timing.
#[derive(Clone, Debug)]
pub struct Config {
    /// `Down` for a download, `Up` for an upload.
    pub direction: Direction,
    /// Length of the client's request before the file. If zero, the server of a download starts as
    /// soon as its end of the connection is open.
    pub request: Bytes,
    /// Length of the file, at least one byte.
    pub file: Bytes,
    /// Start of the measured duration.
    pub clock: Clock,
    /// End of the measured duration.
    pub completion: Completion,
    /// If false, the connection is open before the run begins.
    pub handshake: bool,
}

/// The state of a file transfer.
#[derive(Clone, Debug)]
pub struct FileTransfer {
    config: Config,
    /// The exchange in progress. `None` before the start and after the end.
    exchange: Option<Exchange>,
}

impl FileTransfer {
    /// Creates a transfer that waits for its start.
    pub fn new(config: Config) -> Self {
        Self { config, exchange: None }
    }

    /// Returns the bytes of the request and of the file.
    pub(super) fn volume(&self) -> Volume {
        Volume { bytes: self.config.request + self.config.file, ..Volume::default() }
    }

    /// Processes an input event.
    pub fn on_input(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        match input {
            Input::Start => self.start(now, out),
            Input::Closed { .. } => self.end(out),
            _ => self.advance(now, input, out),
        }
    }

    /// Ends the run: reports the transfer as incomplete, if it is.
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

/// Number of the only connection.
const CONNECTION: u32 = 0;
