//! `[[program]]`: the keys of an application in Python, and the application that they make.

use std::sync::Arc;

use super::super::error::Checked;
use super::conversation::Keys;
use super::{Common, Particular, Rest, Section, application};
use crate::app::program::Own;
use crate::unit::Bytes;
use crate::unit::range::within;

application! {
    /// An application in Python: what it writes is decided message by message, over a connection or
    /// as datagrams.
    Program {
        /// The TCP parameter set.
        #[serde(default)]
        pub tcp: Option<String>,
        /// The QUIC parameter set, for QUIC instead of TCP: one stream; "default" is always there.
        #[serde(default)]
        pub quic: Option<String>,
        /// UDP datagrams instead of a connection: one for each message.
        #[serde(default)]
        pub datagrams: bool,
        /// The longest payload of a datagram, without UDP and IP headers: longer messages are
        /// split; 65507 B without (RFC 768).
        #[serde(default)]
        #[schemars(transform = within("1 B", "65507 B"))]
        pub payload: Option<Bytes>,
        /// Opens the connection first; without, both ends are connected from the start.
        #[serde(default = "super::yes")]
        pub handshake: bool,
        /// The program: a file beside the scenario with a class of
        /// `uplane.application.Application`, of which each UE has an object.
        pub file: Own,
    }
}

impl Section for Program {
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular> {
        let keys = Keys {
            tcp: self.tcp.as_deref(),
            quic: self.quic.as_deref(),
            datagrams: self.datagrams,
            payload: self.payload,
            handshake: self.handshake,
        };
        rest.takes_time(common)?;
        keys.check(common, rest, Arc::clone(self.file.maker()))
    }
}
