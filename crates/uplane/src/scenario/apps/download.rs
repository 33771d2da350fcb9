//! `[[download]]`: the keys of a download, and the application that they make.

use super::super::error::Checked;
use super::{Common, Particular, Rest, Section, application};
use crate::app::{Clock, Completion, End, transfer};
use crate::net::Direction;
use crate::unit::range::at_least;
use crate::unit::{Bitrate, Bytes, Limit};

application! {
    /// Download of one file: the UE connects, requests and receives.
    Download {
        /// Name of the TCP parameter set, or a built-in profile. Default: the set "default",
        /// otherwise the profile "rfc". Refused beside `quic`.
        #[serde(default)]
        pub tcp: Option<String>,
        /// Name of the QUIC parameter set, which makes the connection use QUIC instead of TCP.
        /// "default" always exists.
        #[serde(default)]
        pub quic: Option<String>,
        /// Length of the file that the server sends.
        #[schemars(transform = at_least("1 B"))]
        pub file: Bytes,
        /// Length of the UE's request. With 0 B, the server sends as soon as the connection is
        /// open.
        #[serde(default = "short_request")]
        pub request: Bytes,
        /// Opens a connection first. If false, both ends are connected from the start; refused with
        /// QUIC and with TCP Fast Open.
        #[serde(default = "super::yes")]
        pub handshake: bool,
        /// End that opens the connection: `"ue"` or `"server"`. Without a handshake, only `"ue"`.
        #[serde(default)]
        pub opens: End,
        /// Start of the measured duration: `"open"`, `"request"` or `"first_data"`.
        #[serde(default)]
        pub clock: Clock,
        /// End of the measured duration: `"last_byte"` or `"last_ack"`.
        #[serde(default)]
        pub completion: Completion,
        /// Rate at which the receiving application reads data from the receive buffer; a full
        /// buffer closes the receive window. TCP only. `"unlimited"`: reads at once.
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
