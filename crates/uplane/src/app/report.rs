//! What applications report: rows of tables, without the names of application and UE.
//!
//! In: instants and amounts. Out: transfers, pings, datagrams, messages.

use super::Report;
use crate::net::Direction;
use crate::record::{Owner, Tables, columns, named, table};
use crate::unit::{Bytes, Duration, Instant};

named! {
    /// What kind of transfer it was.
    pub Kind {
        /// A file to the UE.
        Download = "download",
        /// A file from the UE.
        Upload = "upload",
        /// As much as possible.
        Bulk = "bulk",
        /// All objects of a page.
        Page = "page",
        /// One object of a page.
        Object = "object",
    }
}

columns! {
    /// One transfer of a known or an unlimited amount of data.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub Transfer {
        /// What it was.
        kind: Kind,
        /// Number within the application and kind, from 0.
        number: u64,
        /// When the application began it (a connection was opened, or a request written).
        started as started_s: Instant,
        /// When the request was written; missing when none was.
        requested as requested_s: Option<Instant>,
        /// When the sender's first data packet left; missing when none did.
        first_sent as first_sent_s: Option<Instant>,
        /// When it was complete by the application's completion rule; missing when the run ended
        /// before.
        completed as completed_s: Option<Instant>,
        /// When its last byte reached the receiving application, in order; missing when the run
        /// ended before.
        last_byte as last_byte_s: Option<Instant>,
        /// Bytes asked for; missing for a transfer without end.
        bytes: Option<Bytes>,
        /// Bytes that reached the receiving application before the transfer was complete or given
        /// up.
        received as received_bytes: Bytes,
        /// From start to completion by the application's clock rule; missing when incomplete.
        duration as duration_s: Option<Duration>,
    } besides {
        /// When its first byte reached the receiving application.
        first_byte: Option<Instant>,
        /// When the newest of them did.
        last_received: Option<Instant>,
    }
}

named! {
    /// What became of a packet until the end of the run.
    pub Fate {
        /// It came, or its answer did.
        Came = "came",
        /// It, its answer, or a fragment of one was dropped.
        Lost = "lost",
        /// Neither: the run ended before.
        Open = "open",
    }
}

columns! {
    /// One ping.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub Ping {
        /// Number within the application, from 0.
        number: u64,
        /// When the request left the host.
        sent as sent_s: Instant,
        /// Round-trip time; missing when no answer came before the end.
        rtt as rtt_ms: Option<Duration>,
        /// What became of request and answer.
        fate: Fate,
    }
}

columns! {
    /// One datagram.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub Datagram {
        /// Number within the application, from 0.
        number: u64,
        /// When it left the host.
        sent as sent_s: Instant,
        /// One-way latency, application to application; missing when it was lost or still on its
        /// way.
        latency as latency_ms: Option<Duration>,
        /// What became of it.
        fate: Fate,
    }
}

columns! {
    /// One message.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub Message {
        /// Number within the application, from 0, both directions together.
        number: u64,
        /// `up` or `down`.
        direction: Direction,
        /// When it was written at its end.
        written as written_s: Instant,
        /// Its length.
        bytes: Bytes,
        /// When all of it had been read at the other end; missing when it was lost or still on its
        /// way.
        delivered as delivered_s: Option<Instant>,
        /// From written to delivered.
        latency as latency_ms: Option<Duration>,
    }
}

columns! {
    /// A number that a program reports.
    #[derive(Clone, Debug, PartialEq)]
    pub Value {
        /// What the program calls it.
        name: String,
        /// The number.
        value: f64,
    }
}

table! {
    /// One download, upload, web page or object of a web page.
    transfers: TransferRow {
        /// Whose.
        owner: Owner,
        /// What was reported.
        transfer: Transfer,
        /// `bytes` over `duration_s`; for a transfer without end, received bytes over the time from
        /// first to last.
        rate_kbps: Option<f64>,
    }
}

table! {
    /// One ping.
    pings: PingRow {
        /// Whose.
        owner: Owner,
        /// What was reported.
        ping: Ping,
    }
}

table! {
    /// One datagram of a constant-rate stream.
    datagrams: DatagramRow {
        /// Whose.
        owner: Owner,
        /// What was reported.
        datagram: Datagram,
    }
}

table! {
    /// One message of a replay or a program: over a connection or as datagrams.
    messages: MessageRow {
        /// Whose.
        owner: Owner,
        /// What was reported.
        message: Message,
    }
}

table! {
    /// What a program reports at the end of the run.
    program_values: ValueRow {
        /// Whose.
        owner: Owner,
        /// What was reported.
        value: Value,
    }
}

/// With the tables of applications.
pub(crate) fn declare(tables: Tables) -> Tables {
    let tables = tables.with::<TransferRow>().with::<PingRow>();
    tables.with::<DatagramRow>().with::<MessageRow>().with::<ValueRow>()
}

impl Report {
    /// Writes its row.
    pub(crate) fn write(self, owner: Owner, tables: &mut Tables) {
        match self {
            Self::Transfer(transfer) => {
                let rate_kbps = transfer.rate_kbps();
                tables.push(TransferRow { owner, transfer, rate_kbps });
            }
            Self::Ping(ping) => tables.push(PingRow { owner, ping }),
            Self::Datagram(datagram) => tables.push(DatagramRow { owner, datagram }),
            Self::Message(message) => tables.push(MessageRow { owner, message }),
            Self::Value(value) => tables.push(ValueRow { owner, value }),
        }
    }
}

impl Message {
    /// A message that is written now.
    pub(super) fn write(number: u64, direction: Direction, now: Instant, bytes: Bytes) -> Self {
        Self { number, direction, written: now, bytes, delivered: None, latency: None }
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

    /// Bytes over duration; without end, received bytes over the time from first to last. In
    /// kbit/s.
    pub fn rate_kbps(&self) -> Option<f64> {
        let (bytes, span) = match self.bytes {
            Some(bytes) => (bytes, self.duration?),
            None => (self.received, self.last_received? - self.first_byte?),
        };
        (!span.is_zero()).then(|| bytes.bits() as f64 / span.as_millis_f64())
    }
}
