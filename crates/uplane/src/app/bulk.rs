//! A greedy sender: it always has more to send, from its start until its stop.
//!
//! In: connection and acknowledgements. Out: data, so that always some amount is written ahead of
//! what is acknowledged, and one report.
//!
//! Left out: a request. The sender begins as soon as its end of the connection is open.

use super::report::{Kind, Transfer};
use super::{Effect, End, Input, Report};
use crate::net::Direction;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// Who sends, how far ahead, and until when.
#[derive(Clone, Debug)]
pub struct Config {
    /// `Down` for a download, `Up` for an upload.
    pub direction: Direction,
    /// Written but not yet acknowledged, at most: the send buffer of a host. The application never
    /// limits the connection if this exceeds every window by a `piece`; the time that data waits in
    /// it counts as their latency.
    pub ahead: Bytes,
    /// The application writes as soon as this much fits.
    pub piece: Bytes,
    /// No data is written from then on; what was written before is still delivered, and then the
    /// transfer is complete. Without a stop it has no end.
    pub stop: Option<Instant>,
    /// False when the connection is open before the run begins.
    pub handshake: bool,
}

/// The application.
#[derive(Clone, Debug)]
pub struct Bulk {
    config: Config,
    sender: End,
    written: Bytes,
    /// `None` before the start and after the end.
    report: Option<Transfer>,
    stopped: bool,
}

impl Bulk {
    /// A sender that waits for its start.
    pub fn new(config: Config) -> Self {
        let sender = End::sending(config.direction);
        Self { config, sender, written: Bytes::ZERO, report: None, stopped: false }
    }

    /// Takes what happened now.
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

    /// The run ends: reports what was received so far.
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

    /// Writes what fits ahead of `acked`, unless that is little.
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

/// The only connection.
const CONNECTION: u32 = 0;
