//! The reports of applications: table rows without the names of application and UE.
//!
//! In: instants and amounts. Out: transfers, pings, datagrams, messages.

use super::Report;
use crate::net::Direction;
use crate::record::{Owner, Tables, columns, named, table};
use crate::unit::{Bytes, Duration, Instant};

named! {
    /// Kind of a transfer.
    pub Kind {
        /// File from the server to the UE.
        Download = "download",
        /// File from the UE to the server.
        Upload = "upload",
        /// Greedy transfer.
        Bulk = "bulk",
        /// Web page with all its objects.
        Page = "page",
        /// One object of a web page.
        Object = "object",
    }
}

columns! {
    /// Transfer of a fixed or unlimited amount of data.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub Transfer {
        /// Kind of the transfer.
        kind: Kind,
        /// Number of the transfer within its application and kind, starting at 0.
        number: u64,
        /// Start of the transfer at the application, in s: a connection was opened, or a request
        /// written.
        started as started_s: Instant,
        /// Time at which the request was written, in s; missing without a request.
        requested as requested_s: Option<Instant>,
        /// Departure of the first data packet from the sending host, in s; missing if none left.
        first_sent as first_sent_s: Option<Instant>,
        /// Completion by the application's `completion` rule, in s; missing if the run ended first
        /// or the connection failed.
        completed as completed_s: Option<Instant>,
        /// Arrival of the last byte at the receiving application, in order, in s; missing if the
        /// run ended first or the connection failed.
        last_byte as last_byte_s: Option<Instant>,
        /// Length of the requested data, in bytes; missing for a transfer without end.
        bytes: Option<Bytes>,
        /// Bytes delivered to the receiving application before the transfer was complete or
        /// abandoned.
        received as received_bytes: Bytes,
        /// Duration of the transfer by the application's `clock` and `completion` rules, in s;
        /// missing if incomplete.
        duration as duration_s: Option<Duration>,
    } besides {
        /// Arrival of the first byte at the receiving application.
        first_byte: Option<Instant>,
        /// Arrival of the newest byte at the receiving application.
        last_received: Option<Instant>,
    }
}

named! {
    /// State of a packet at the end of the run.
    pub Fate {
        /// The packet, or the answer to it, arrived.
        Came = "came",
        /// The packet, the answer to it, or a fragment of one was dropped.
        Lost = "lost",
        /// Neither: the run ended first.
        Open = "open",
    }
}

columns! {
    /// One echo request and its reply.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub Ping {
        /// Number of the echo request within its application, starting at 0.
        number: u64,
        /// Departure of the request from the UE, in s.
        sent as sent_s: Instant,
        /// Round-trip time at the UE, in ms; missing if no reply arrived before the end of the run.
        rtt as rtt_ms: Option<Duration>,
        /// State of request and reply.
        fate: Fate,
    }
}

columns! {
    /// One datagram of a constant-rate stream.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub Datagram {
        /// Number of the datagram within its application, starting at 0.
        number: u64,
        /// Departure of the datagram from the sending host, in s.
        sent as sent_s: Instant,
        /// One-way latency from application to application, in ms; missing if the datagram was lost
        /// or still on its way at the end of the run.
        latency as latency_ms: Option<Duration>,
        /// State of the datagram.
        fate: Fate,
    }
}

columns! {
    /// One message of a conversation.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub Message {
        /// Number of the message within its application, starting at 0, in both directions
        /// together.
        number: u64,
        /// Direction of the message: `up` or `down`.
        direction: Direction,
        /// Time at which the sending application wrote the message, in s.
        written as written_s: Instant,
        /// Length of the message, in bytes.
        bytes: Bytes,
        /// Time at which the receiving application had read all of the message, in s; missing if it
        /// was lost or still on its way at the end of the run.
        delivered as delivered_s: Option<Instant>,
        /// Time from writing to complete delivery, in ms; missing like `delivered_s`.
        latency as latency_ms: Option<Duration>,
    }
}

columns! {
    /// Number that a program reports.
    #[derive(Clone, Debug, PartialEq)]
    pub Value {
        /// Name that the program gives to the number.
        name: String,
        /// Value of the number.
        value: f64,
    }
}

table! {
    /// One download, upload, greedy transfer, web page, or object of a web page.
    transfers: TransferRow {
        /// Application and UE.
        owner: Owner,
        /// Transfer.
        transfer: Transfer,
        /// Rate of the transfer, in kbit/s: `bytes` over `duration_s`. For a transfer without end:
        /// received bytes over the time from the first to the last received byte. Missing for an
        /// incomplete transfer of fixed length, and if the time is zero.
        rate_kbps: Option<f64>,
    }
}

table! {
    /// One echo request and its reply.
    pings: PingRow {
        /// Application and UE.
        owner: Owner,
        /// Echo request and reply.
        ping: Ping,
    }
}

table! {
    /// One datagram of a constant-rate stream.
    datagrams: DatagramRow {
        /// Application and UE.
        owner: Owner,
        /// Datagram.
        datagram: Datagram,
    }
}

table! {
    /// One message of a replay or a program, over a connection or as datagrams.
    messages: MessageRow {
        /// Application and UE.
        owner: Owner,
        /// Message.
        message: Message,
    }
}

table! {
    /// One number that a program reports at the end of the run.
    program_values: ValueRow {
        /// Application and UE.
        owner: Owner,
        /// Name and number.
        value: Value,
    }
}

/// Adds the tables of applications.
pub(crate) fn declare(tables: Tables) -> Tables {
    let tables = tables.with::<TransferRow>().with::<PingRow>();
    tables.with::<DatagramRow>().with::<MessageRow>().with::<ValueRow>()
}

impl Report {
    /// Writes the row of the report.
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
    /// Returns a message that is written now.
    pub(super) fn write(number: u64, direction: Direction, now: Instant, bytes: Bytes) -> Self {
        Self { number, direction, written: now, bytes, delivered: None, latency: None }
    }
}

impl Transfer {
    /// Returns a transfer that begins now.
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

    /// Counts bytes that reached the receiving application.
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

    /// Returns the rate of the transfer in kbit/s: bytes over duration, or, without an end,
    /// received bytes over the time from the first to the last.
    pub fn rate_kbps(&self) -> Option<f64> {
        let (bytes, span) = match self.bytes {
            Some(bytes) => (bytes, self.duration?),
            None => (self.received, self.last_received? - self.first_byte?),
        };
        (!span.is_zero()).then(|| bytes.bits() as f64 / span.as_millis_f64())
    }
}
