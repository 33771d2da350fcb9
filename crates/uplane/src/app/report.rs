//! What applications report, in typed quantities, and how it becomes rows of tables.
//!
//! In: instants and amounts. Out: rows with seconds, milliseconds and bytes.

use crate::record;
use crate::unit::{Bytes, Duration, Instant};

/// What kind of transfer it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file to the UE.
    Download,
    /// A file from the UE.
    Upload,
    /// As much as possible.
    Bulk,
    /// All objects of a page.
    Page,
    /// One object of a page.
    Object,
}

/// One transfer of a known or an unlimited amount of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// What it was.
    pub kind: Kind,
    /// Number within the application and kind, from 0.
    pub number: u64,
    /// When the application began it.
    pub started: Instant,
    /// When the request was written.
    pub requested: Option<Instant>,
    /// When the sender's first data packet left.
    pub first_sent: Option<Instant>,
    /// When it was complete by the completion rule.
    pub completed: Option<Instant>,
    /// When its first byte reached the receiving application.
    pub first_byte: Option<Instant>,
    /// When its last byte reached the receiving application.
    pub last_byte: Option<Instant>,
    /// Bytes asked for; `None` for a transfer without end.
    pub bytes: Option<Bytes>,
    /// Bytes that reached the receiving application.
    pub received: Bytes,
    /// When the newest of them did.
    pub last_received: Option<Instant>,
    /// From start to completion by the clock rule.
    pub duration: Option<Duration>,
}

/// One ping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ping {
    /// Number within the application, from 0.
    pub number: u64,
    /// When the request left.
    pub sent: Instant,
    /// Round-trip time; `None` without an answer.
    pub rtt: Option<Duration>,
}

/// One datagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// Number within the application, from 0.
    pub number: u64,
    /// When it left.
    pub sent: Instant,
    /// One-way latency; `None` when it did not arrive.
    pub latency: Option<Duration>,
}

impl Kind {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Download => "download",
            Self::Upload => "upload",
            Self::Bulk => "bulk",
            Self::Page => "page",
            Self::Object => "object",
        }
    }
}

impl Transfer {
    /// A transfer that begins now.
    pub(super) fn begin(kind: Kind, number: u64, bytes: Option<Bytes>, now: Instant) -> Self {
        Self {
            kind,
            number,
            started: now,
            requested: None,
            first_sent: None,
            completed: None,
            first_byte: None,
            last_byte: None,
            bytes,
            received: Bytes::ZERO,
            last_received: None,
            duration: None,
        }
    }

    /// More of it reached the receiving application.
    pub(super) fn receive(&mut self, now: Instant, bytes: Bytes) {
        if !bytes.is_zero() {
            self.received += bytes;
            self.first_byte.get_or_insert(now);
            self.last_received = Some(now);
        }
        if self.bytes.is_some_and(|all| self.received >= all) {
            self.last_byte.get_or_insert(now);
        }
    }

    /// Bytes over duration; without end, received bytes over the time from first to last. In kbit/s.
    pub fn rate_kbps(&self) -> Option<f64> {
        let (bytes, span) = match self.bytes {
            Some(bytes) => (bytes, self.duration?),
            None => (self.received, self.last_received? - self.first_byte?),
        };
        (!span.is_zero()).then(|| bytes.bits() as f64 / span.as_millis_f64())
    }

    /// The row of the table `transfers`.
    pub fn row(&self, app: &str, ue: &str) -> record::Transfer {
        record::Transfer {
            app: app.to_owned(),
            ue: ue.to_owned(),
            kind: self.kind.name(),
            number: self.number,
            started_s: self.started.as_secs_f64(),
            requested_s: self.requested.map(Instant::as_secs_f64),
            first_sent_s: self.first_sent.map(Instant::as_secs_f64),
            completed_s: self.completed.map(Instant::as_secs_f64),
            last_byte_s: self.last_byte.map(Instant::as_secs_f64),
            bytes: self.bytes.map(|bytes| bytes.0 as f64),
            received_bytes: self.received.0,
            duration_s: self.duration.map(Duration::as_secs_f64),
            rate_kbps: self.rate_kbps(),
        }
    }
}

impl Ping {
    /// The row of the table `pings`.
    pub fn row(&self, app: &str, ue: &str) -> record::Ping {
        record::Ping {
            app: app.to_owned(),
            ue: ue.to_owned(),
            number: self.number,
            sent_s: self.sent.as_secs_f64(),
            rtt_ms: self.rtt.map(Duration::as_millis_f64),
        }
    }
}

impl Datagram {
    /// The row of the table `datagrams`.
    pub fn row(&self, app: &str, ue: &str) -> record::DatagramRow {
        record::DatagramRow {
            app: app.to_owned(),
            ue: ue.to_owned(),
            number: self.number,
            sent_s: self.sent.as_secs_f64(),
            latency_ms: self.latency.map(Duration::as_millis_f64),
        }
    }
}
