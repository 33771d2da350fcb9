//! Applications: the data that each end sends, its time, and the completion of a transfer.
//!
//! In: events of the application's connections, datagrams and echoes, at both ends, and its timer.
//! Out: data to send, and reports.
//!
//! An application is one conversation: one state machine that sees both ends, the client at the UE
//! and the server. So a rule such as "complete when the last acknowledgement reaches the server" is
//! one line, and needs no hidden channel between two halves. Its input is limited: an application
//! receives only the events that a program at one of the ends would see, and those that the tables
//! need.
//!
//! The caller gives [`Input::Start`] once, at the application's start time, and calls `finish` at
//! the end of the run. A transfer that is incomplete then is reported as incomplete.

pub mod bulk;
pub mod constant_rate;
pub mod conversation;
mod exchange;
pub mod ping;
pub mod program;
pub mod replay;
mod report;
mod schedule;
pub mod transfer;
pub mod web;

pub use exchange::{Clock, Completion};
pub(crate) use report::declare;
pub use report::{Datagram, Fate, Kind, Message, Ping, Transfer, Value};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::net::Direction;
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

/// One end of a connection.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Opener")]
pub enum End {
    /// UE, which sends requests and by default opens connections.
    #[default]
    #[serde(rename = "ue")]
    Client,
    /// Server, for example if it pushes data.
    Server,
}

/// The input events of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The application's start time.
    Start,
    /// The expiry of the application's timer.
    Timer,
    /// This end of the connection is open.
    Connected {
        /// Number of the connection within the application.
        connection: u32,
        /// The end of the connection that is open.
        end: End,
    },
    /// Data reached the application at this end, in order.
    Received {
        /// Number of the connection within the application.
        connection: u32,
        /// The end that received the data.
        end: End,
        /// Number of new bytes received.
        bytes: Bytes,
    },
    /// Data written at this end was acknowledged.
    Acked {
        /// Number of the connection within the application.
        connection: u32,
        /// The end that sent the data.
        end: End,
        /// Number of all acknowledged bytes of this connection.
        total: Bytes,
    },
    /// The first packet of data after an [`Effect::Write`] left this end.
    FirstSent {
        /// Number of the connection within the application.
        connection: u32,
        /// The end that sent the data.
        end: End,
    },
    /// This end learned that the other end sends no more data.
    PeerClosed {
        /// Number of the connection within the application.
        connection: u32,
        /// The end that learned of the close.
        end: End,
    },
    /// This end of the connection is closed, for any reason.
    Closed {
        /// Number of the connection within the application.
        connection: u32,
        /// The end of the connection that is closed.
        end: End,
    },
    /// A datagram arrived at the other end.
    Datagram {
        /// The end that received the datagram.
        end: End,
        /// Number of the datagram.
        number: u64,
        /// Departure of the datagram.
        sent: Instant,
    },
    /// The reply to an echo request arrived.
    Echo {
        /// Number of the echo request.
        number: u64,
        /// Departure of the request.
        asked: Instant,
    },
}

/// The effects of an application.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Opens a connection, by the end that the scenario names.
    Open {
        /// Number of the connection within the application: 0, 1, 2, …
        connection: u32,
        /// If false, both ends are open at once, and both receive `Connected` without any packet.
        handshake: bool,
    },
    /// Writes data at this end.
    Write {
        /// Number of the connection within the application.
        connection: u32,
        /// The end that writes the data.
        end: End,
        /// Number of bytes to write.
        bytes: Bytes,
    },
    /// Ends writing at this end; data written before is still delivered.
    Close {
        /// Number of the connection within the application.
        connection: u32,
        /// The end that stops writing.
        end: End,
    },
    /// Sends a UDP datagram from this end.
    SendDatagram {
        /// The end that sends the datagram.
        end: End,
        /// Number of the datagram: 0, 1, 2, …
        number: u64,
        /// Length of the datagram's payload.
        payload: Bytes,
    },
    /// Sends an echo request from the client.
    SendEcho {
        /// Number of the echo request: 0, 1, 2, …
        number: u64,
        /// Length of the IP packet.
        length: Bytes,
    },
    /// Adds a row to the tables.
    Report(Report),
    /// The application has finished, and ignores all further input.
    Finished,
}

/// A row for the tables, without the names of application and UE.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// A row of the table `transfers`.
    Transfer(Transfer),
    /// A row of the table `pings`.
    Ping(Ping),
    /// A row of the table `datagrams`.
    Datagram(Datagram),
    /// A row of the table `messages`.
    Message(Message),
    /// A row of the table `program_values`.
    Value(Value),
}

/// An application of any kind.
#[derive(Clone, Debug)]
pub enum Application {
    /// Transfer of one file in either direction.
    Transfer(transfer::FileTransfer),
    /// Greedy transfer, which always has more data to send.
    Bulk(bulk::Bulk),
    /// Web page of several objects.
    Web(web::WebPage),
    /// Series of echo requests.
    Ping(ping::PingSeries),
    /// Stream of datagrams at a constant rate.
    ConstantRate(constant_rate::ConstantRate),
    /// Conversation of messages, from a file or a program.
    Conversation(conversation::Conversation),
}

/// An upper bound of the data of an application, both directions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Number of packets of an application that decides the length of each packet.
    pub packets: u64,
    /// Number of bytes sent over connections.
    pub bytes: Bytes,
    /// Time over which the application itself spreads its data.
    pub span: Duration,
}

impl Application {
    /// Returns an upper bound of the data that the application sends within `room`. Returns `None`
    /// if only the path limits the data. A replay or a program counts as nothing: its data is not
    /// known in advance.
    pub fn volume(&self, room: Duration) -> Option<Volume> {
        match self {
            Self::Transfer(transfer) => Some(transfer.volume()),
            Self::Bulk(_) => None,
            Self::Web(web) => Some(web.volume()),
            Self::Ping(ping) => Some(ping.volume(room)),
            Self::ConstantRate(stream) => Some(stream.volume(room)),
            Self::Conversation(_) => Some(Volume::default()),
        }
    }

    /// Processes an input event.
    pub fn on_input(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        match self {
            Self::Transfer(transfer) => transfer.on_input(now, input, out),
            Self::Bulk(bulk) => bulk.on_input(now, input, out),
            Self::Web(web) => web.on_input(now, input, out),
            Self::Ping(ping) => ping.on_input(now, input, out),
            Self::ConstantRate(stream) => stream.on_input(now, input, out),
            Self::Conversation(talk) => talk.on_input(now, input, out),
        }
    }

    /// Ends the run: reports incomplete transfers. Without effect after [`Effect::Finished`].
    pub fn finish(&mut self, out: &mut Outbox<Effect>) {
        match self {
            Self::Transfer(transfer) => transfer.finish(out),
            Self::Bulk(bulk) => bulk.finish(out),
            Self::Web(web) => web.finish(out),
            Self::Ping(ping) => ping.finish(out),
            Self::ConstantRate(stream) => stream.finish(out),
            Self::Conversation(talk) => talk.finish(out),
        }
    }
}

impl End {
    /// Returns the end that sends in this direction.
    pub const fn sending(direction: Direction) -> Self {
        match direction {
            Direction::Down => Self::Server,
            Direction::Up => Self::Client,
        }
    }

    /// Returns the other end of the connection.
    pub const fn peer(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// Closes both ends of a connection.
fn close_both(connection: u32, out: &mut Outbox<Effect>) {
    for end in [End::Client, End::Server] {
        out.emit(Effect::Close { connection, end });
    }
}
