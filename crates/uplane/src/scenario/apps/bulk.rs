//! `[[bulk]]`: the keys of a greedy transfer, and the application that they make.

use super::super::error::Checked;
use super::{Common, Particular, Rest, Section, application};
use crate::app::{Application, End, bulk};
use crate::net::Direction;
use crate::unit::{Bitrate, Bytes, Duration, Instant, Limit};

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
