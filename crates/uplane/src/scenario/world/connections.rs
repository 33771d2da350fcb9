//! Connections at the end of a run: a row for each, and warnings about those that failed or that something limited.
//!
//! In: the ends of connections. Out: rows of `connections`, warnings.

use std::collections::{BTreeMap, BTreeSet};

use super::super::warning::{Failure, Warning};
use super::World;
use super::flow::{End, direction_from};
use super::outcome::sender;
use crate::record::ConnectionRow;
use crate::tcp::{CloseReason, State, Statistics};
use crate::unit::{Duration, Instant};

impl World<'_> {
    /// One row for each end that sent data, for both ends of a connection that failed, and at least one for each connection.
    pub(super) fn connection_rows(&mut self, now: Instant, warnings: &mut Vec<Warning>) {
        for first in (0..self.ends.len()).step_by(2) {
            let pair = [first, first + 1];
            let sent = pair.map(|number| self.ends[number].connection.statistics(now));
            let has_failed = pair.iter().any(|&number| self.ends[number].has_failed());
            let told = [0, 1].map(|side: usize| sent[side].segments > 0 || has_failed);
            for side in [0, 1] {
                let opens_unused = told == [false; 2] && self.ends[pair[side]].is_opener;
                if told[side] || opens_unused {
                    self.connection_row(pair[side], &sent[side], &sent[1 - side], warnings);
                }
            }
        }
        warnings.extend(self.failures());
    }

    fn connection_row(
        &mut self,
        number: usize,
        sent: &Statistics,
        received: &Statistics,
        warnings: &mut Vec<Warning>,
    ) {
        let end = &self.ends[number];
        let (app, ue) = self.recorder.name(end.conversation);
        let shares = &sent.shares;
        warnings.extend(self.limits(end, sent));
        let active = received.last_arrival.zip(received.first_arrival);
        let active = active.map_or(0.0, |(last, first)| (last - first).as_secs_f64());
        self.recorder.connections.push(ConnectionRow {
            app,
            ue,
            flow: u64::from(end.flow.0),
            sender: sender(end.host.is_server()),
            state: sent.state,
            ended: end.ended.map_or("run_end", CloseReason::name),
            segments: sent.segments,
            retransmissions: sent.retransmissions,
            timeouts: sent.timeouts,
            recoveries: sent.recoveries,
            duplicate_acks: sent.duplicate_acks,
            acked_bytes: sent.acked.0,
            active_s: active,
            throughput_kbps: (active > 0.0)
                .then(|| received.received.bits() as f64 / active / 1000.0),
            acks: received.pure_acks,
            cwnd_bytes: sent.cwnd.0,
            srtt_ms: sent.srtt.map(Duration::as_millis_f64),
            limited_cwnd: shares.cwnd,
            limited_rwnd: shares.rwnd,
            limited_app: shares.application,
            limited_recovery: shares.recovery,
            limited_pacing: shares.pacing,
            idle: shares.idle,
        });
    }

    /// What limited a sender for most of the time.
    fn limits(&self, end: &End, sent: &Statistics) -> Vec<Warning> {
        let (app, ue) = self.recorder.name(end.conversation);
        let mut warnings = Vec::new();
        let share = sent.shares.rwnd;
        if share > DECISIVE {
            let (app, ue) = (app.clone(), ue.clone());
            warnings.push(Warning::ReceiveWindow { app, ue, share });
        }
        let share = sent.shares.cwnd + sent.shares.recovery;
        let direction = direction_from(end.host);
        if share > DECISIVE
            && let Some((site, packets)) = self.recorder.fullest_queue(end.conversation, direction)
        {
            let hop = self.recorder.hop(site);
            warnings.push(Warning::Queue { app, ue, hop, packets, share });
        }
        warnings
    }

    /// The connections that did not end as their applications wished, by application.
    fn failures(&self) -> Vec<Warning> {
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        let mut failed: BTreeMap<(String, Failure), (BTreeSet<String>, u64)> = BTreeMap::new();
        for pair in self.ends.chunks(2) {
            let (app, ue) = self.recorder.name(pair[0].conversation);
            *all.entry(app.clone()).or_default() += 1;
            if let Some(failure) = failure(pair) {
                let (ues, connections) = failed.entry((app, failure)).or_default();
                *connections += 1;
                ues.insert(ue);
            }
        }
        let told = failed.into_iter().map(|((app, how), (ues, connections))| {
            let (ues, of) = (ues.into_iter().collect(), all[&app]);
            Warning::Failed { app, ues, how, connections, of }
        });
        told.collect()
    }
}

impl End {
    fn has_failed(&self) -> bool {
        self.ended.is_some_and(|reason| reason != CloseReason::Finished)
    }
}

/// How the connection between two ends failed, if it did.
fn failure(ends: &[End]) -> Option<Failure> {
    let ended = |reason| ends.iter().any(|end| end.ended == Some(reason));
    let opener = ends.iter().find(|end| end.is_opener)?;
    let waits = opener.ended.is_none() && opener.connection.state() == State::SynSent;
    if ended(CloseReason::TimedOut) {
        Some(if opener.opened { Failure::TimedOut } else { Failure::NoAnswer })
    } else if ended(CloseReason::Reset) {
        Some(if opener.opened { Failure::Reset } else { Failure::Refused })
    } else {
        waits.then_some(Failure::NotOpened)
    }
}

/// A limit that holds longer than this decides the result.
const DECISIVE: f64 = 0.5;
