//! The rows of QUIC connections in the tables `quic`, `qlog` and `series`, and the warnings about
//! those that failed or that a buffer limited.
//!
//! In: the ends of a run. Out: rows.

use super::super::World;
use super::super::connections::{BufferKeys, warn_of_buffers};
use super::super::outcome::{SeriesRow, sender};
use super::End;
use crate::quic::{CloseReason, Statistics};
use crate::record::{Owner, Warned, Warning, table};
use crate::scenario::plan::AppPlan;
use crate::unit::{Duration, Instant};

table! {
    /// One end of a QUIC connection, at the end of the run.
    quic: pub(in super::super) QuicRow {
        /// Application and UE.
        owner: Owner,
        /// Number of the flow in the run.
        flow: u64,
        /// Host of this end: `server` or `ue`.
        sender: &'static str,
        /// End of the connection at this host: `finished` (one end closed it), `reset` (an error),
        /// `timed_out` (idle timeout), or `run_end` (the run ended first).
        ended: &'static str,
        /// Number of streams that the application used.
        streams: u64,
        /// Time from the opening of the connection until the handshake is complete (RFC 9001
        /// §4.1.1) at this endpoint, in ms; missing if it was not complete.
        handshake_ms: Option<Duration>,
        /// State and counters of this end.
        sent: Statistics,
        /// Time between the first and the last datagram with data of this end that arrived at the
        /// other end, in s.
        active_s: Duration,
        /// Rate of unique application bytes that arrived at the other end over `active_s`, in
        /// kbit/s; missing if `active_s` is 0.
        throughput_kbps: Option<f64>,
    }
}

table! {
    /// One event at one end of a QUIC connection, in the terms of qlog 0.3 (on request:
    /// `record.qlog`). `Results.write_qlog` writes them as files.
    qlog: pub(in super::super) QlogRow {
        /// Time of the event since the start of the run, in s.
        time_s: Instant,
        /// Application and UE.
        owner: Owner,
        /// Number of the flow in the run.
        flow: u64,
        /// Host of this end: `server` or `ue`.
        sender: &'static str,
        /// Role of this end: `client`, which opened the connection, or `server`.
        role: &'static str,
        /// Category and name of the event, for example `transport:packet_sent`.
        event: &'static str,
        /// Data of the event, as JSON.
        data: String,
    }
}

const QUIC_BUFFERS: BufferKeys =
    ["`receive_window` or `stream_receive_window` of `[quic]`", "`send_buffer` of `[quic]`"];

impl End {
    fn role_name(&self, app: &AppPlan) -> &'static str {
        if self.side == app.opens { "client" } else { "server" }
    }
}

impl World<'_> {
    /// Writes one row of `series` for each sender that has sent data.
    pub(in super::super) fn sample_quic(&mut self, now: Instant) {
        for (number, end) in self.quic.ends.iter().enumerate() {
            let statistics = end.connection.statistics(now);
            if statistics.counters.data_datagrams == 0 {
                continue;
            }
            self.recorder.tables.push(SeriesRow {
                time_s: now,
                owner: self.recorder.owner(end.app_session),
                flow: u64::from(end.flow.0),
                sender: sender(end.host.is_server()),
                cwnd_bytes: statistics.cwnd,
                ssthresh_bytes: statistics.ssthresh,
                flight_bytes: statistics.flight,
                srtt_ms: statistics.srtt,
                delivered_bytes: self.quic.ends[number ^ 1].delivered,
                limit: statistics.limit,
            });
        }
    }

    /// Writes one row for each end, and a warning for each failed connection.
    pub(in super::super) fn report_quic(&mut self, now: Instant) {
        for pair in self.quic.ends.chunks(2) {
            let Some(how) = failure(pair) else { continue };
            let owner = self.recorder.owner(pair[0].app_session);
            let words = format!("{{app}} on {{ue}}: its QUIC connection {how}");
            self.recorder.tables.warn(Warning { owner, ..Warning::new(Warned::Failed, words) });
        }
        for (number, end) in self.quic.ends.iter().enumerate() {
            let received = self.quic.ends[number ^ 1].connection.statistics(now);
            let active = received.last_arrival.zip(received.first_arrival);
            let active_s = active.map_or(Duration::ZERO, |(last, first)| last - first);
            let seconds = active_s.as_secs_f64();
            let rate = || received.received.bits() as f64 / seconds / 1000.0;
            let (owner, sent) =
                (self.recorder.owner(end.app_session), end.connection.statistics(now));
            warn_of_buffers(&mut self.recorder.tables, &owner, &sent.shares, &QUIC_BUFFERS);
            self.recorder.tables.push(QuicRow {
                owner,
                flow: u64::from(end.flow.0),
                sender: sender(end.host.is_server()),
                ended: end.ended.map_or("run_end", CloseReason::name),
                streams: end.streams.len() as u64,
                handshake_ms: end.opened.map(|opened| opened - end.begun),
                sent,
                active_s,
                throughput_kbps: (seconds > 0.0).then(rate),
            });
            for event in end.connection.log() {
                self.recorder.tables.push(QlogRow {
                    time_s: event.at,
                    owner: self.recorder.owner(end.app_session),
                    flow: u64::from(end.flow.0),
                    sender: sender(end.host.is_server()),
                    role: end.role_name(&self.plan.apps[end.app_session]),
                    event: event.name,
                    data: event.data.clone(),
                });
            }
        }
    }
}

/// Returns the kind of failure of the connection between two ends, if it failed.
fn failure(ends: &[End]) -> Option<&'static str> {
    let ended = |reason| ends.iter().any(|end| end.ended == Some(reason));
    let opened = ends.iter().all(|end| end.opened.is_some());
    match (ended(CloseReason::TimedOut), ended(CloseReason::Reset)) {
        (true, _) if opened => Some("was given up: nothing came for the idle timeout"),
        (true, _) => Some("never opened: the handshake timed out"),
        (_, true) => Some("was reset"),
        _ => None,
    }
}
