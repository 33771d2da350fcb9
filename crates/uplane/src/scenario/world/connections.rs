//! Connections at the end of a run: a row for each, and warnings about those that failed or that
//! something limited.
//!
//! In: the ends of connections. Out: rows of `connections`, warnings.

use std::collections::BTreeMap;

use super::World;
use super::flow::{End, direction_from};
use super::outcome::sender;
use crate::net::waits::Shares;
use crate::record::{Owner, Tables, Warned, Warning, table};
use crate::tcp::{CloseReason, State, Statistics};
use crate::unit::{Duration, Instant};

table! {
    /// One end of a TCP connection, at the end of the run. Both ends of a failed connection have a
    /// row; otherwise the ends that sent data have one, or the opener if neither did.
    connections: pub(super) ConnectionRow {
        /// Application and UE.
        owner: Owner,
        /// Number of the flow in the run.
        flow: u64,
        /// Host of this end: `server` or `ue`.
        sender: &'static str,
        /// End of the connection at this host: `finished` (both ends closed it), `reset`,
        /// `timed_out` (no answer for too long), or `run_end` (the run ended first).
        ended: &'static str,
        /// State and counters of this end.
        sent: Statistics,
        /// Time between the first and the last data segment of this end that arrived at the other
        /// end, in s.
        active_s: Duration,
        /// Rate of unique application bytes that arrived at the other end over `active_s`, in
        /// kbit/s; missing if `active_s` is 0.
        throughput_kbps: Option<f64>,
        /// Number of pure ACKs sent by the other end.
        acks: u64,
    }
}

impl World<'_> {
    /// Writes one row for each end that sent data, for both ends of a failed connection, and at
    /// least one row for each connection.
    pub(super) fn report_connections(&mut self, now: Instant) {
        for first in (0..self.ends.len()).step_by(2) {
            let pair = [first, first + 1];
            let sent = pair.map(|number| self.ends[number].connection.statistics(now));
            let has_failed = pair.iter().any(|&number| self.ends[number].has_failed());
            let told = [0, 1].map(|side: usize| sent[side].counters.segments > 0 || has_failed);
            for side in [0, 1] {
                let opens_unused = told == [false; 2] && self.ends[pair[side]].is_opener;
                if told[side] || opens_unused {
                    self.report_end(pair[side], &sent[side], &sent[1 - side]);
                }
            }
        }
        self.warn_of_failures();
    }

    fn report_end(&mut self, number: usize, sent: &Statistics, received: &Statistics) {
        self.warn_of_limits(number, sent);
        let end = &self.ends[number];
        let owner = self.recorder.owner(end.app_session);
        let active = received.last_arrival.zip(received.first_arrival);
        let active_s = active.map_or(Duration::ZERO, |(last, first)| last - first);
        let seconds = active_s.as_secs_f64();
        let rate = || received.received.bits() as f64 / seconds / 1000.0;
        self.recorder.tables.push(ConnectionRow {
            owner,
            flow: u64::from(end.flow.0),
            sender: sender(end.host.is_server()),
            ended: end.ended.map_or("run_end", CloseReason::name),
            sent: sent.clone(),
            active_s,
            throughput_kbps: (seconds > 0.0).then(rate),
            acks: received.pure_acks,
        });
    }

    /// Warns of what limited a sender for most of the time.
    fn warn_of_limits(&mut self, number: usize, sent: &Statistics) {
        let end = &self.ends[number];
        let owner = self.recorder.owner(end.app_session);
        warn_of_buffers(&mut self.recorder.tables, &owner, &sent.shares, &TCP_BUFFERS);
        let share = sent.shares.cwnd + sent.shares.recovery;
        let direction = direction_from(end.host);
        if share > DECISIVE
            && let Some((site, packets)) = self.recorder.fullest_queue(end.app_session, direction)
        {
            let place = self.recorder.hop(site);
            let words = format!(
                "{{app}} on {{ue}}: limited by the queue of the {place} ({{amount}} packets dropped): \
                 in congestion window or loss recovery for {{share}} % of the time"
            );
            let (share, amount) = (Some(share), Some(packets));
            let warning = Warning::new(Warned::Queue, words);
            self.recorder.tables.warn(Warning { owner, place, share, amount, ..warning });
        }
    }

    /// Warns of the connections that did not end as their applications wished.
    fn warn_of_failures(&mut self) {
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        let mut failed: BTreeMap<(String, &str, String), u64> = BTreeMap::new();
        for pair in self.ends.chunks(2) {
            let Owner { app, ue } = self.recorder.owner(pair[0].app_session);
            *all.entry(app.clone()).or_default() += 1;
            if let Some(how) = failure(pair) {
                *failed.entry((app, how, ue)).or_default() += 1;
            }
        }
        for ((app, how, ue), connections) in failed {
            let (amount, of) = (Some(connections), all.get(&app).copied());
            let words = format!("{{app}} on {{ue}}: {{amount}} of {{of}} connections {how}");
            let warning = Warning::new(Warned::Failed, words);
            let owner = Owner { app, ue };
            self.recorder.tables.warn(Warning { owner, amount, of, ..warning });
        }
    }
}

impl End {
    fn has_failed(&self) -> bool {
        self.ended.is_some_and(|reason| reason != CloseReason::Finished)
    }
}

/// Returns the kind of failure of the connection between two ends, if it failed.
fn failure(ends: &[End]) -> Option<&'static str> {
    let ended = |reason| ends.iter().any(|end| end.ended == Some(reason));
    let opener = ends.iter().find(|end| end.is_opener)?;
    let waits = opener.ended.is_none() && opener.connection.state() == State::SynSent;
    if ended(CloseReason::TimedOut) {
        let never = "never opened: the handshake timed out";
        Some(if opener.opened { "given up after too many timeouts" } else { never })
    } else if ended(CloseReason::Reset) {
        Some(if opener.opened { "reset" } else { "never opened: it was reset" })
    } else {
        waits.then_some("not open when the run ended")
    }
}

/// Keys that set the buffers of a sender: the receive window of its peer, the send buffer.
pub(super) type BufferKeys = [&'static str; 2];

const TCP_BUFFERS: BufferKeys = ["`receive_buffer` of `[tcp]`", "`send_buffer` of `[tcp]`"];

/// Warns if a buffer of an end, and not the network between, limited a sender. Names its key.
pub(super) fn warn_of_buffers(
    tables: &mut Tables,
    owner: &Owner,
    shares: &Shares,
    keys: &BufferKeys,
) {
    let buffers = [(shares.rwnd, Warned::ReceiveWindow), (shares.send_buffer, Warned::SendBuffer)];
    for ((share, kind), key) in buffers.into_iter().zip(keys) {
        if share <= DECISIVE {
            continue;
        }
        let limit = kind.name();
        let words = format!(
            "{{app}} on {{ue}}: limited by the {limit} for {{share}} % of the time ({key})"
        );
        let (owner, share) = (owner.clone(), Some(share));
        tables.warn(Warning { owner, share, ..Warning::new(kind, words) });
    }
}

/// A limit that holds longer than this decides the result.
const DECISIVE: f64 = 0.5;
