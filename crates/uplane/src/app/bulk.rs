//! A greedy sender: it always has more data to send, from its start until its stop.
//!
//! In: events and acknowledgements of the connection. Out: data, so that a constant amount is
//! written ahead of the acknowledged data, and one report.
//!
//! Left out: a request. The sender begins as soon as its end of the connection is open.

use super::report::{Kind, Transfer};
use super::{Effect, End, Input, Report};
use crate::net::Direction;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// The parameters of a greedy sender.
#[derive(Clone, Debug)]
pub struct Config {
    /// `Down` for a download, `Up` for an upload.
    pub direction: Direction,
    /// Maximum number of bytes written but not yet acknowledged: the send buffer of a host. If it
    /// exceeds every window by a `piece`, the application never limits the connection. The time
    /// that data waits in it is part of the data's latency.
    pub ahead: Bytes,
    /// Minimum size of a write: the application writes as soon as `piece` fits.
    pub piece: Bytes,
    /// Time of the last write. Data written before is still delivered, and then the transfer is
    /// complete. `None`: the transfer has no end.
    pub stop: Option<Instant>,
    /// If false, the connection is open before the run begins.
    pub handshake: bool,
}

/// The state of a greedy sender.
#[derive(Clone, Debug)]
pub struct Bulk {
    config: Config,
    sender: End,
    written: Bytes,
    /// The report in progress. `None` before the start and after the end.
    report: Option<Transfer>,
    stopped: bool,
}

impl Bulk {
    /// Creates a sender that waits for its start.
    pub fn new(config: Config) -> Self {
        let sender = End::sending(config.direction);
        Self { config, sender, written: Bytes::ZERO, report: None, stopped: false }
    }

    /// Processes an input event.
    pub fn on_input(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        if let Input::Start = input {
            self.start(now, out);
        }
        if self.report.is_none() {
            return;
        }
        match input {
            Input::Timer => self.stop(now, out),
            Input::Connected { end, .. } if end == self.sender => self.refill(Bytes::ZERO, out),
            Input::Acked { end, total, .. } if end == self.sender => self.refill(total, out),
            Input::FirstSent { end, .. } if end == self.sender => self.on_first_sent(now),
            Input::Received { end, bytes, .. } if end != self.sender => {
                self.on_received(now, bytes, out);
            }
            Input::Closed { .. } => self.end(out),
            _ => {}
        }
    }

    /// Ends the run: reports the data received so far.
    pub fn finish(&mut self, out: &mut Outbox<Effect>) {
        if let Some(report) = self.report.take() {
            out.emit(Effect::Report(Report::Transfer(report)));
        }
    }

    fn start(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.report = Some(Transfer::begin(Kind::Bulk, 0, None, now));
        out.wake(self.config.stop);
        out.emit(Effect::Open { connection: CONNECTION, handshake: self.config.handshake });
    }

    /// Writes the bytes that fit ahead of `acked`, if there are at least `piece`.
    fn refill(&mut self, acked: Bytes, out: &mut Outbox<Effect>) {
        let bytes = (acked + self.config.ahead).saturating_sub(self.written);
        if !self.stopped && bytes >= self.config.piece {
            self.written += bytes;
            out.emit(Effect::Write { connection: CONNECTION, end: self.sender, bytes });
        }
    }

    fn on_first_sent(&mut self, now: Instant) {
        if let Some(report) = &mut self.report {
            report.first_sent.get_or_insert(now);
        }
    }

    fn on_received(&mut self, now: Instant, bytes: Bytes, out: &mut Outbox<Effect>) {
        if let Some(report) = &mut self.report {
            report.receive(now, bytes);
        }
        self.complete_if_all_arrived(now, out);
    }

    fn stop(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.stopped = true;
        out.wake(None);
        out.emit(Effect::Close { connection: CONNECTION, end: self.sender });
        if let Some(report) = &mut self.report {
            report.bytes = Some(self.written);
        }
        self.complete_if_all_arrived(now, out);
    }

    #[inline(always)]
    fn complete_if_all_arrived(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if let Some(report) = &mut self.report
            && self.stopped
            && report.received >= self.written
        {
            report.completed = Some(now);
            report.last_byte = report.last_received;
            report.duration = Some(now - report.started);
            out.emit(Effect::Close { connection: CONNECTION, end: self.sender.peer() });
            self.end(out);
        }
    }

    fn end(&mut self, out: &mut Outbox<Effect>) {
        self.finish(out);
        out.wake(None);
        out.emit(Effect::Finished);
    }
}

/// Number of the only connection.
const CONNECTION: u32 = 0;
