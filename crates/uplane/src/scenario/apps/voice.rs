//! `[[voice]]`: the keys of a stream of datagrams, and the application that they make.

use super::super::error::Checked;
use super::{Common, MOST_BEATS, Particular, Rest, Section, application, beat};
use crate::app::{Application, constant_rate};
use crate::net::Direction;
use crate::unit::range::{at_least, within};
use crate::unit::{Bytes, Duration};

application! {
    /// Constant-rate stream of UDP datagrams of equal length.
    Voice {
        /// UDP payload of each datagram, without UDP and IP headers (RFC 768).
        #[serde(default = "voice_payload")]
        #[schemars(transform = within("1 B", "65507 B"))]
        pub payload: Bytes,
        /// Time between two datagrams.
        #[serde(default = "voice_interval")]
        #[schemars(transform = at_least("1 us"))]
        pub interval: Duration,
        /// Direction of the datagrams: `"down"` or `"up"`.
        #[serde(default)]
        pub direction: Direction,
        /// Number of datagrams. If not set, datagrams continue until the end of the run.
        #[serde(default)]
        #[schemars(transform = within(1, MOST_BEATS).unit("datagrams"))]
        pub count: Option<u64>,
        /// Type of service octet (DSCP and ECN) in the IP header of the datagrams, for packet
        /// filters and captures.
        #[serde(default)]
        pub tos: u8,
    }
}

impl Section for Voice {
    fn check(&self, _: &Common, _: &mut impl Rest) -> Checked<Particular> {
        let config = constant_rate::Config {
            direction: self.direction,
            payload: self.payload,
            beat: beat(self.interval, self.count),
        };
        let app = Application::ConstantRate(constant_rate::ConstantRate::new(config));
        Ok(Particular { tos: self.tos, ..Particular::without_connection(app) })
    }
}

/// Returns the payload of 20 ms of 64 kbit/s PCM (160 B) with its RTP header (12 B, RFC 3550 §5.1).
fn voice_payload() -> Bytes {
    Bytes(172)
}

fn voice_interval() -> Duration {
    Duration::from_millis(20)
}
