//! `[[upload]]`: the keys of an upload, and the application that they make.

use super::super::error::Checked;
use super::{Common, Particular, Rest, Section, application};
use crate::app::{Clock, Completion, End, transfer};
use crate::net::Direction;
use crate::unit::range::at_least;
use crate::unit::{Bitrate, Bytes, Limit};

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

impl Section for Upload {
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular> {
        let config = transfer::Config {
            direction: Direction::Up,
            request: Bytes::ZERO,
            file: self.file,
            clock: self.clock,
            completion: self.completion,
            handshake: self.handshake,
        };
        let named = (self.tcp.as_deref(), self.quic.as_deref());
        rest.file(common, named, self.opens, config, self.read_rate)
    }
}
