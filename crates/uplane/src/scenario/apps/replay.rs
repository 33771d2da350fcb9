//! `[[replay]]`: the keys of a replay, and the application that they make.

use std::sync::Arc;

use super::super::error::Checked;
use super::conversation::{Keys, MOST_DATAGRAMS};
use super::{Common, Particular, Rest, Section, application};
use crate::app::replay::{Replay as Repeat, Writes};
use crate::unit::Bytes;
use crate::unit::range::within;

application! {
    /// What an application wrote, once more: each message at its time, over a connection or as
    /// datagrams.
    Replay {
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
        /// What was written: a file of comma-separated values beside the scenario, with the heading
        /// `time,direction,bytes`. Times are counted from the start, in ascending order.
        pub file: Writes,
    }
}

impl Section for Replay {
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular> {
        rest.ends(common, "file", self.file.total())?;
        let keys = Keys {
            tcp: self.tcp.as_deref(),
            quic: self.quic.as_deref(),
            datagrams: self.datagrams,
            payload: self.payload,
            handshake: self.handshake,
        };
        let longest = self.file.longest();
        let expected = format!("a larger one: at most {MOST_DATAGRAMS} datagrams a message");
        let found = format!("too small a payload for a message of {longest}");
        let key = format!("{}.payload", common.key);
        rest.demand(longest <= keys.longest(), &key, found, &expected)?;
        let repeat = Repeat::new(&self.file);
        keys.check(common, rest, Arc::new(move |_| Box::new(repeat.clone())))
    }
}
