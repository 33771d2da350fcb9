//! Applications: which end sends what when, and when a transfer is complete.
//!
//! In: what happens to the application's connections, datagrams and echoes, at both ends, and its
//! timer. Out: what it wants to send, and reports.
//!
//! An application is one conversation: one state machine that sees both ends, the client at the UE
//! and the server. So a rule such as "complete when the last acknowledgement reaches the server" is
//! one line, and needs no hidden channel between two halves. It does not know too much: it is told
//! only what a program at one of the ends would see, and what the tables need.
//!
//! The caller gives [`Input::Start`] once, at the application's start time, and calls `finish` when
//! the run ends; what is incomplete then is reported as incomplete.

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

/// What an application learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// It is the application's start time.
    Start,
    /// The timer is due.
    Timer,
    /// This end of the connection is open.
    Connected {
        /// The application's own number of the connection.
        connection: u32,
        /// Which end.
        end: End,
    },
    /// Data reached the application at this end, in order.
    Received {
        /// The application's own number of the connection.
        connection: u32,
        /// Which end.
        end: End,
        /// How much more.
        bytes: Bytes,
    },
    /// Data written at this end was acknowledged.
    Acked {
        /// The application's own number of the connection.
        connection: u32,
        /// The end that sent the data.
        end: End,
        /// All acknowledged bytes of this connection.
        total: Bytes,
    },
    /// The first packet of data since a [`Effect::Write`] left this end.
    FirstSent {
        /// The application's own number of the connection.
        connection: u32,
        /// The end that sent the data.
        end: End,
    },
    /// This end learned that the other one sends no more.
    PeerClosed {
        /// The application's own number of the connection.
        connection: u32,
        /// The end that learned it.
        end: End,
    },
    /// This end of the connection is gone, in whatever way.
    Closed {
        /// The application's own number of the connection.
        connection: u32,
        /// Which end.
        end: End,
    },
    /// A datagram arrived.
    Datagram {
        /// The end at which it arrived.
        end: End,
        /// Its number.
        number: u64,
        /// When it was sent.
        sent: Instant,
    },
    /// The reply to an echo came back.
    Echo {
        /// Its number.
        number: u64,
        /// When the request was sent.
        asked: Instant,
    },
}

/// The effects of an application.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A connection is opened, by the end that the scenario names.
    Open {
        /// The application's own number of it, 0, 1, 2, …
        connection: u32,
        /// False: both ends are open at once, and `Connected` comes for both without any packet.
        handshake: bool,
    },
    /// This end writes data.
    Write {
        /// The application's own number of the connection.
        connection: u32,
        /// Which end.
        end: End,
        /// How much.
        bytes: Bytes,
    },
    /// This end will write no more; what was written is still delivered.
    Close {
        /// The application's own number of the connection.
        connection: u32,
        /// Which end.
        end: End,
    },
    /// This end sends a UDP datagram.
    SendDatagram {
        /// Which end.
        end: End,
        /// Its number, 0, 1, 2, …
        number: u64,
        /// Length of its payload.
        payload: Bytes,
    },
    /// The client sends an echo request.
    SendEcho {
        /// Its number, 0, 1, 2, …
        number: u64,
        /// Length of the IP packet.
        length: Bytes,
    },
    /// A row for the tables.
    Report(Report),
    /// All is done; the application ignores everything from now on.
    Finished,
}

/// A row for the tables, without the names of application and UE.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// For the table `transfers`.
    Transfer(Transfer),
    /// For the table `pings`.
    Ping(Ping),
    /// For the table `datagrams`.
    Datagram(Datagram),
    /// For the table `messages`.
    Message(Message),
    /// For the table `program_values`.
    Value(Value),
}

/// Any application.
#[derive(Clone, Debug)]
pub enum Application {
    /// One file.
    Transfer(transfer::FileTransfer),
    /// As much as possible.
    Bulk(bulk::Bulk),
    /// A page of objects.
    Web(web::WebPage),
    /// A series of echoes.
    Ping(ping::PingSeries),
    /// A stream of datagrams.
    ConstantRate(constant_rate::ConstantRate),
    /// Messages, as a file or a program has them.
    Conversation(conversation::Conversation),
}

/// An upper bound of the data of an application, both directions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Packets, where the application decides what a packet is.
    pub packets: u64,
    /// Data of connections.
    pub bytes: Bytes,
    /// Time over which the application itself spreads its data.
    pub span: Duration,
}

impl Application {
    /// How much it sends within `room`; `None` if only the path limits it. A replay or a program
    /// counts as nothing: what it sends is not known in advance.
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

    /// Takes what happened now.
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

    /// The run ends: reports what is incomplete. Does nothing after [`Effect::Finished`].
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
    /// The end that sends in this direction.
    pub const fn sending(direction: Direction) -> Self {
        match direction {
            Direction::Down => Self::Server,
            Direction::Up => Self::Client,
        }
    }

    /// The other end.
    pub const fn peer(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// Both ends of a connection shall be closed.
fn close_both(connection: u32, out: &mut Outbox<Effect>) {
    for end in [End::Client, End::Server] {
        out.emit(Effect::Close { connection, end });
    }
}
