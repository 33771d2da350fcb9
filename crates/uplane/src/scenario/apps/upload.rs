//! `[[upload]]`: the keys of an upload, and the application that they make.

use super::super::error::Checked;
use super::{Common, Particular, Rest, Section, application};
use crate::app::{Clock, Completion, End, transfer};
use crate::net::Direction;
use crate::unit::range::at_least;
use crate::unit::{Bitrate, Bytes, Limit};

application! {
    /// Upload of one file: the UE connects and sends.
    Upload {
        /// Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default" if
        /// the file has one, otherwise the profile "rfc". Refused beside `quic`.
        #[serde(default)]
        pub tcp: Option<String>,
        /// Name of the `[quic.NAME]` set, which makes the connection use QUIC instead of TCP.
        /// "default" works without a section and has the default of every key. If not set, the
        /// connection uses TCP.
        #[serde(default)]
        pub quic: Option<String>,
        /// Length of the file that the UE sends.
        #[schemars(transform = at_least("1 B"))]
        pub file: Bytes,
        /// Opens a connection before the file. If false, UE and server are connected from the
        /// start. False requires TCP without Fast Open.
        #[serde(default = "super::yes")]
        pub handshake: bool,
        /// Side that opens the connection: `"ue"` or `"server"`. Without `handshake`, only `"ue"`.
        #[serde(default)]
        pub opens: End,
        /// Start of the upload's measured duration: `"open"` (opening of the connection),
        /// `"request"` (writing of the file) or `"first_data"` (departure of the UE's first data
        /// packet).
        #[serde(default)]
        pub clock: Clock,
        /// End of the upload's measured duration: `"last_byte"` (arrival at the server's
        /// application) or `"last_ack"` (arrival of the ACK of the last byte at the UE).
        #[serde(default)]
        pub completion: Completion,
        /// Rate at which the receiving application reads data from the receive buffer; a full
        /// buffer closes the receive window. TCP only. `"unlimited"`: reads at once.
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
