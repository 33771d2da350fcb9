//! `[[bulk]]`: the keys of a greedy transfer, and the application that they make.

use super::super::error::Checked;
use super::{Common, Particular, Rest, Section, application};
use crate::app::{Application, End, bulk};
use crate::net::Direction;
use crate::unit::{Bitrate, Bytes, Duration, Instant, Limit};

application! {
    /// Greedy transfer: the sender always has more data, from `start` to `stop`.
    Bulk {
        /// Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default" if
        /// the file has one, otherwise the profile "rfc". Refused beside `quic`.
        #[serde(default)]
        pub tcp: Option<String>,
        /// Name of the `[quic.NAME]` set, which makes the connection use QUIC instead of TCP.
        /// "default" works without a section and has the default of every key. If not set, the
        /// connection uses TCP.
        #[serde(default)]
        pub quic: Option<String>,
        /// Direction of the data: `"down"` or `"up"`.
        #[serde(default)]
        pub direction: Direction,
        /// Side that opens the connection: `"ue"` or `"server"`.
        #[serde(default)]
        pub opens: End,
        /// Time at which the application stops writing, counted from the start of the run. Data
        /// written before is still delivered. If not set, the application writes until the end of
        /// the run.
        #[serde(default)]
        pub stop: Option<Duration>,
        /// Rate at which the receiving application reads data from the receive buffer; a full
        /// buffer closes the receive window. TCP only. `"unlimited"`: reads at once.
        #[serde(default = "super::unlimited")]
        pub read_rate: Limit<Bitrate>,
    }
}

impl Section for Bulk {
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular> {
        rest.bounded(common, self.direction)?;
        if let Some(stop) = self.stop {
            let expected = "a time after the start";
            let is_after = stop > self.start + self.spread;
            rest.demand(is_after, &format!("{}.stop", common.key), stop, expected)?;
        }
        let named = (self.tcp.as_deref(), self.quic.as_deref());
        let transport = rest.transport(common, named, true)?;
        let config = bulk::Config {
            direction: self.direction,
            ahead: rest.largest_flight(transport) + PIECE + PIECE,
            piece: PIECE,
            stop: self.stop.map(|stop| Instant::ZERO + stop),
            handshake: true,
        };
        let application = Application::Bulk(bulk::Bulk::new(config));
        let reads = rest.reads(common, self.direction, self.read_rate, transport)?;
        Ok(Particular { application, transport, opens: self.opens, reads, tos: 0 })
    }
}

/// A greedy application writes as much at once as a host hands to its network interface (64 KiB).
const PIECE: Bytes = Bytes(65_536);
