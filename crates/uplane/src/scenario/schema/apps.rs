//! Sections of the applications.
//!
//! All have a name, the UE they run on (the first one by default, or "all"), and a start time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::quantity::Address;
use crate::app::Clock;
use crate::app::Completion;
use crate::app::End;
use crate::net::Direction;
use crate::unit::range::{at_least, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit};

/// Declares one application section with the keys that all have.
macro_rules! application {
    ($(#[doc = $doc:literal])+ $name:ident { $($fields:tt)* }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Its name in tables; unique.
            pub name: String,
            /// The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            /// first UE by default.
            #[serde(default)]
            pub ue: Option<String>,
            /// When it starts.
            #[serde(default = "at_once")]
            pub start: Duration,
            /// It starts up to this much later, by a time drawn anew for each run.
            #[serde(default = "at_once")]
            pub spread: Duration,
            /// The port at the server, for packet filters; 80 over TCP and 5004 without.
            #[serde(default)]
            pub port: Option<u16>,
            /// The address of the server, for packet filters; 198.51.100.1 without.
            #[serde(default)]
            pub server_address: Option<Address>,
            /// The link at whose far end its server stands, by name: its packets do not pass the
            /// links before that one, as with a server at the edge; the first link by default.
            #[serde(default)]
            pub server_link: Option<String>,
            $($fields)*
        }

        impl $name {
            /// The keys that all sections have; `kind` is the word in its heading.
            pub fn common(&self, kind: &'static str, position: usize) -> Common<'_> {
                Common {
                    key: format!("{kind}.{position}"),
                    kind,
                    name: &self.name,
                    ue: self.ue.as_deref(),
                    start: self.start,
                    spread: self.spread,
                    port: self.port,
                    server_address: self.server_address,
                    server_link: self.server_link.as_deref(),
                }
            }
        }
    };
}

/// The keys that all application sections have.
pub struct Common<'a> {
    /// The section, by the place of its heading in the file: `web.0`.
    pub key: String,
    /// The word in its heading.
    pub kind: &'static str,
    /// Its name.
    pub name: &'a str,
    /// The UEs it runs on.
    pub ue: Option<&'a str>,
    /// When it starts.
    pub start: Duration,
    /// How much later at most.
    pub spread: Duration,
    /// The port at the server.
    pub port: Option<u16>,
    /// The address of the server.
    pub server_address: Option<Address>,
    /// The link at whose far end the server stands.
    pub server_link: Option<&'a str>,
}

application! {
    /// A download of one file: connect, ask, receive.
    Download {
        /// The TCP parameter set.
        #[serde(default)]
        pub tcp: Option<String>,
        /// The QUIC parameter set, for QUIC instead of TCP; "default" is always there.
        #[serde(default)]
        pub quic: Option<String>,
        /// Length of the file.
        #[schemars(transform = at_least("1 B"))]
        pub file: Bytes,
        /// Length of the request; the server starts at once when it is 0 B.
        #[serde(default = "short_request")]
        pub request: Bytes,
        /// Opens a connection first; without, both ends are connected from the start.
        #[serde(default = "yes")]
        pub handshake: bool,
        /// Which end opens it.
        #[serde(default)]
        pub opens: End,
        /// When the clock starts.
        #[serde(default)]
        pub clock: Clock,
        /// When it is complete.
        #[serde(default)]
        pub completion: Completion,
        /// How fast the receiving application reads what came, from the receive buffer: when that
        /// is full, the window closes; not of QUIC.
        #[serde(default = "unlimited")]
        pub read_rate: Limit<Bitrate>,
    }
}

application! {
    /// An upload of one file: connect, send.
    Upload {
        /// The TCP parameter set.
        #[serde(default)]
        pub tcp: Option<String>,
        /// The QUIC parameter set, for QUIC instead of TCP; "default" is always there.
        #[serde(default)]
        pub quic: Option<String>,
        /// Length of the file.
        #[schemars(transform = at_least("1 B"))]
        pub file: Bytes,
        /// Opens a connection first; without, both ends are connected from the start.
        #[serde(default = "yes")]
        pub handshake: bool,
        /// Which end opens it.
        #[serde(default)]
        pub opens: End,
        /// When the clock starts.
        #[serde(default)]
        pub clock: Clock,
        /// When it is complete.
        #[serde(default)]
        pub completion: Completion,
        /// How fast the receiving application reads what came, from the receive buffer: when that
        /// is full, the window closes; not of QUIC.
        #[serde(default = "unlimited")]
        pub read_rate: Limit<Bitrate>,
    }
}

application! {
    /// A greedy transfer: always more to send, from start to stop.
    Bulk {
        /// The TCP parameter set.
        #[serde(default)]
        pub tcp: Option<String>,
        /// The QUIC parameter set, for QUIC instead of TCP; "default" is always there.
        #[serde(default)]
        pub quic: Option<String>,
        /// The direction of the data.
        #[serde(default)]
        pub direction: Direction,
        /// Which end opens the connection.
        #[serde(default)]
        pub opens: End,
        /// When the application stops writing; without, at the end of the run.
        #[serde(default)]
        pub stop: Option<Duration>,
        /// How fast the receiving application reads what came, from the receive buffer: when that
        /// is full, the window closes; not of QUIC.
        #[serde(default = "unlimited")]
        pub read_rate: Limit<Bitrate>,
    }
}

application! {
    /// A web page of several objects.
    Web {
        /// The TCP parameter set.
        #[serde(default)]
        pub tcp: Option<String>,
        /// The QUIC parameter set, for QUIC instead of TCP: one connection, a stream for each
        /// object (or for several, where `persistent`); "default" is always there.
        #[serde(default)]
        pub quic: Option<String>,
        /// Lengths of the objects, in order.
        #[schemars(transform = at_least("1 B").each())]
        pub objects: Vec<Bytes>,
        /// Length of each request.
        #[serde(default = "web_request")]
        pub request: Bytes,
        /// How many objects are asked for at a time; 1 is in sequence.
        #[serde(default = "one")]
        #[schemars(transform = within(1, 1000).unit("objects"))]
        pub parallel: u32,
        /// Uses a connection for several objects; without, a new one for each.
        #[serde(default)]
        pub persistent: bool,
        /// When an object is complete, so that the next may begin.
        #[serde(default)]
        pub completion: Completion,
        /// Extra time between the completion of an object and the next request.
        #[serde(default = "at_once")]
        pub think: Duration,
    }
}

application! {
    /// Echo requests at an interval.
    Ping {
        /// Length of the IP packet, with its header and that of ICMP.
        #[serde(default = "ping_packet")]
        #[schemars(transform = within("28 B", "65535 B"))]
        pub packet: Bytes,
        /// From one request to the next.
        #[serde(default = "second")]
        #[schemars(transform = at_least("1 us"))]
        pub interval: Duration,
        /// How many requests; without, until the end of the run.
        #[serde(default)]
        #[schemars(transform = within(1, MOST_BEATS).unit("requests"))]
        pub count: Option<u64>,
    }
}

application! {
    /// Datagrams of one length at an interval.
    Voice {
        /// Payload of each datagram, without UDP and IP headers (RFC 768).
        #[serde(default = "voice_payload")]
        #[schemars(transform = within("1 B", "65507 B"))]
        pub payload: Bytes,
        /// From one datagram to the next.
        #[serde(default = "voice_interval")]
        #[schemars(transform = at_least("1 us"))]
        pub interval: Duration,
        /// The direction.
        #[serde(default)]
        pub direction: Direction,
        /// How many datagrams; without, until the end of the run.
        #[serde(default)]
        #[schemars(transform = within(1, MOST_BEATS).unit("datagrams"))]
        pub count: Option<u64>,
        /// Type of service of the packets.
        #[serde(default)]
        pub tos: u8,
    }
}

/// As many as there are microseconds in the longest run.
const MOST_BEATS: u64 = 1_000_000_000_000;

fn unlimited() -> Limit<Bitrate> {
    Limit::UNLIMITED
}

fn at_once() -> Duration {
    Duration::from_millis(0)
}

fn short_request() -> Bytes {
    Bytes(60)
}

fn web_request() -> Bytes {
    Bytes(400)
}

fn ping_packet() -> Bytes {
    Bytes(84)
}

fn second() -> Duration {
    Duration::from_secs(1)
}

/// 20 ms of 64 kbit/s PCM (160 B) with its RTP header (12 B, RFC 3550 §5.1).
fn voice_payload() -> Bytes {
    Bytes(172)
}

fn voice_interval() -> Duration {
    Duration::from_millis(20)
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}
