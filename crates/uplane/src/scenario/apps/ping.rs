//! `[[ping]]`: the keys of a series of pings, and the application that they make.

use super::super::error::Checked;
use super::{Common, MOST_BEATS, Particular, Rest, Section, application, beat};
use crate::app::{Application, ping};
use crate::unit::range::{at_least, within};
use crate::unit::{Bytes, Duration};

application! {
    /// Series of ICMP echo requests that the UE sends to the server.
    Ping {
        /// Length of the IP packet of each echo request and reply, IP and ICMP headers included.
        #[serde(default = "ping_packet")]
        #[schemars(transform = within("28 B", "65535 B"))]
        pub packet: Bytes,
        /// Time between two echo requests of the UE.
        #[serde(default = "second")]
        #[schemars(transform = at_least("1 us"))]
        pub interval: Duration,
        /// Number of echo requests. If not set, requests continue until the end of the run.
        #[serde(default)]
        #[schemars(transform = within(1, MOST_BEATS).unit("requests"))]
        pub count: Option<u64>,
    }
}

impl Section for Ping {
    fn check(&self, _: &Common, _: &mut impl Rest) -> Checked<Particular> {
        let beat = beat(self.interval, self.count);
        let config = ping::Config { length: self.packet, beat };
        Ok(Particular::without_connection(Application::Ping(ping::PingSeries::new(config))))
    }
}

fn ping_packet() -> Bytes {
    Bytes(84)
}

fn second() -> Duration {
    Duration::from_secs(1)
}
