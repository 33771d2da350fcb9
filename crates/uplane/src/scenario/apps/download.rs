//! `[[download]]`: the keys of a download, and the application that they make.

use super::super::error::Checked;
use super::{Common, Particular, Rest, Section, application};
use crate::app::{Clock, Completion, End, transfer};
use crate::net::Direction;
use crate::unit::range::at_least;
use crate::unit::{Bitrate, Bytes, Limit};

application! {
    /// A download of one file: connect, request, receive.
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
        #[serde(default = "super::yes")]
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
        #[serde(default = "super::unlimited")]
        pub read_rate: Limit<Bitrate>,
    }
}

impl Section for Download {
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular> {
        let config = transfer::Config {
            direction: Direction::Down,
            request: self.request,
            file: self.file,
            clock: self.clock,
            completion: self.completion,
            handshake: self.handshake,
        };
        let named = (self.tcp.as_deref(), self.quic.as_deref());
        rest.file(common, named, self.opens, config, self.read_rate)
    }
}

fn short_request() -> Bytes {
    Bytes(60)
}
