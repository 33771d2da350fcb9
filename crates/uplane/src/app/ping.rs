//! A series of ICMP echoes from the UE to the server (RFC 792).
//!
//! In: replies, and the times at which requests are due. Out: requests, and a report for each, at
//! its reply or at the end.
//!
//! Left out: a timeout. A request without a reply is reported at the end of the run.

use std::collections::BTreeSet;

pub use super::schedule::Beat;

use super::schedule::Schedule;
use super::{Effect, Fate, Input, Ping, Report, Volume};
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

/// The parameters of the series.
#[derive(Clone, Debug)]
pub struct Config {
    /// Length of request and reply as IP packets.
    pub length: Bytes,
    /// Times at which requests are sent.
    pub beat: Beat,
}

/// The series of echo requests.
#[derive(Clone, Debug)]
pub struct PingSeries {
    config: Config,
    /// The schedule in progress. `None` before the start and after the end.
    schedule: Option<Schedule>,
    unanswered: BTreeSet<u64>,
}

impl PingSeries {
    /// Creates a series that waits for its start.
    pub fn new(config: Config) -> Self {
        Self { config, schedule: None, unanswered: BTreeSet::new() }
    }

    /// Returns the maximum number of requests and replies within `room`, and the time that they
    /// take.
    pub(super) fn volume(&self, room: Duration) -> Volume {
        let (number, span) = self.config.beat.most(room);
        Volume { packets: 2 * number, bytes: Bytes::ZERO, span }
    }

    /// Processes an input event.
    pub fn on_input(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        match input {
            Input::Start => {
                self.schedule = Some(Schedule::begin(self.config.beat, now));
                self.send(now, out);
            }
            Input::Timer => self.send(now, out),
            Input::Echo { number, asked } => self.on_reply(now, number, asked, out),
            _ => return,
        }
        self.end_if_done(out);
    }

    /// Ends the run: reports all requests without a reply.
    pub fn finish(&mut self, out: &mut Outbox<Effect>) {
        if let Some(schedule) = self.schedule.take() {
            for number in std::mem::take(&mut self.unanswered) {
                let sent = schedule.instant(number);
                out.emit(Effect::Report(Report::Ping(Ping {
                    number,
                    sent,
                    rtt: None,
                    fate: Fate::Open,
                })));
            }
        }
    }

    fn send(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let Some(schedule) = &mut self.schedule else { return };
        while let Some(number) = schedule.take(now) {
            self.unanswered.insert(number);
            out.emit(Effect::SendEcho { number, length: self.config.length });
        }
        out.wake(schedule.due());
    }

    fn on_reply(&mut self, now: Instant, number: u64, asked: Instant, out: &mut Outbox<Effect>) {
        if self.unanswered.remove(&number) {
            let ping = Ping { number, sent: asked, rtt: Some(now - asked), fate: Fate::Came };
            out.emit(Effect::Report(Report::Ping(ping)));
        }
    }

    fn end_if_done(&mut self, out: &mut Outbox<Effect>) {
        let all_sent = self.schedule.as_ref().is_some_and(|schedule| schedule.due().is_none());
        if all_sent && self.unanswered.is_empty() {
            self.schedule = None;
            out.emit(Effect::Finished);
        }
    }
}
