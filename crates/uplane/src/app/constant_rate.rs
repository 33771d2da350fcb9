//! A stream of equal UDP datagrams at equal intervals: voice, audio, a probe.
//!
//! In: arrivals, and the times at which datagrams are due. Out: datagrams, and a report for each,
//! at its arrival or at the end.
//!
//! Left out: silence, codecs and the jitter buffer. The table has each latency, from which the
//! quality at the listener can be computed.

use std::collections::BTreeSet;

pub use super::schedule::Beat;

use super::schedule::Schedule;
use super::{Datagram, Effect, End, Fate, Input, Report, Volume};
use crate::net::Direction;
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

/// The parameters of the stream.
#[derive(Clone, Debug)]
pub struct Config {
    /// `Down` from the server, `Up` from the UE.
    pub direction: Direction,
    /// Payload of one datagram, without UDP and IP headers.
    pub payload: Bytes,
    /// Times at which datagrams are sent.
    pub beat: Beat,
}

/// The state of a constant-rate stream.
#[derive(Clone, Debug)]
pub struct ConstantRate {
    config: Config,
    /// The schedule in progress. `None` before the start and after the end.
    schedule: Option<Schedule>,
    missing: BTreeSet<u64>,
}

impl ConstantRate {
    /// Creates a stream that waits for its start.
    pub fn new(config: Config) -> Self {
        Self { config, schedule: None, missing: BTreeSet::new() }
    }

    /// Returns the maximum number of datagrams within `room`, and the time that they take.
    pub(super) fn volume(&self, room: Duration) -> Volume {
        let (packets, span) = self.config.beat.most(room);
        Volume { packets, bytes: Bytes::ZERO, span }
    }

    /// Processes an input event.
    pub fn on_input(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        match input {
            Input::Start => {
                self.schedule = Some(Schedule::begin(self.config.beat, now));
                self.send(now, out);
            }
            Input::Timer => self.send(now, out),
            Input::Datagram { number, sent, .. } => self.on_arrival(now, number, sent, out),
            _ => return,
        }
        self.end_if_done(out);
    }

    /// Ends the run: reports the datagrams that did not arrive.
    pub fn finish(&mut self, out: &mut Outbox<Effect>) {
        if let Some(schedule) = self.schedule.take() {
            for number in std::mem::take(&mut self.missing) {
                let sent = schedule.instant(number);
                out.emit(Effect::Report(Report::Datagram(Datagram {
                    number,
                    sent,
                    latency: None,
                    fate: Fate::Open,
                })));
            }
        }
    }

    fn send(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let Some(schedule) = &mut self.schedule else { return };
        let end = End::sending(self.config.direction);
        while let Some(number) = schedule.take(now) {
            self.missing.insert(number);
            out.emit(Effect::SendDatagram { end, number, payload: self.config.payload });
        }
        out.wake(schedule.due());
    }

    fn on_arrival(&mut self, now: Instant, number: u64, sent: Instant, out: &mut Outbox<Effect>) {
        if self.missing.remove(&number) {
            let datagram = Datagram { number, sent, latency: Some(now - sent), fate: Fate::Came };
            out.emit(Effect::Report(Report::Datagram(datagram)));
        }
    }

    fn end_if_done(&mut self, out: &mut Outbox<Effect>) {
        let all_sent = self.schedule.as_ref().is_some_and(|schedule| schedule.due().is_none());
        if all_sent && self.missing.is_empty() {
            self.schedule = None;
            out.emit(Effect::Finished);
        }
    }
}
