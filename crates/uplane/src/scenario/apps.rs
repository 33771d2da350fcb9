//! Sections of the applications: each file has the keys of one, and makes the application from
//! them.
//!
//! In: sections of a scenario file. Out: applications, each with its transport.
//!
//! All have a name, the UE they run on (the first one by default, or "all"), and a start time.

mod bulk;
mod conversation;
mod download;
mod ping;
mod program;
mod replay;
mod upload;
mod voice;
mod web;

pub use bulk::Bulk;
pub use download::Download;
pub use ping::Ping;
pub use program::Program;
pub use replay::Replay;
pub use upload::Upload;
pub use voice::Voice;
pub use web::Web;

use super::error::Checked;
use super::plan::Transport;
use super::quantity::Address;
use std::fmt::Display;

use crate::app::ping::Beat;
use crate::app::{Application, End, transfer};
use crate::net::Direction;
use crate::unit::{Bitrate, Bytes, Duration, Limit};

/// Does the same with the sections of each kind of application.
macro_rules! for_each_application {
    ($file:expr, |$position:ident, $section:ident, $kind:ident| $body:expr) => {
        $crate::scenario::apps::for_each_application!(
            @kinds [download, upload, bulk, web, ping, voice, replay, program],
            $file, $position, $section, $kind, $body
        )
    };
    (@kinds [$($name:ident),+],
        $file:expr, $position:ident, $section:ident, $kind:ident, $body:expr) => {$(
        let $kind = stringify!($name);
        for ($position, $section) in $file.$name.iter().enumerate() {
            $body;
        }
    )+};
}
pub(super) use for_each_application;

/// Kinds of applications with connections, and so with the keys `tcp` and `quic`.
pub(super) const CONNECTED: [&str; 6] = ["download", "upload", "bulk", "web", "replay", "program"];

/// The rule about the number of applications.
pub(super) const AT_LEAST_ONE: &str =
    "at least one application: download, upload, bulk, web, ping, voice, replay or program";

/// Declares one application section with the keys that all have.
macro_rules! application {
    ($(#[doc = $doc:literal])+ $name:ident { $($fields:tt)* }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Name of the application in tables, unique in the scenario.
            pub name: String,
            /// Name of the UE that runs the application. The name of a section with `count` above
            /// one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
            #[serde(default)]
            pub ue: Option<String>,
            /// Start time of the application, counted from the start of the run.
            #[serde(default = "super::at_once")]
            pub start: $crate::unit::Duration,
            /// Maximum random delay added to `start`: each run draws a delay between 0 and
            /// `spread`. With `"0 s"`, the application starts exactly at `start`.
            #[serde(default = "super::at_once")]
            pub spread: $crate::unit::Duration,
            /// Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            /// 5004 for datagrams.
            #[serde(default)]
            pub port: Option<u16>,
            /// IP address of the server, for packet filters and captures. Default: 198.51.100.1.
            #[serde(default)]
            pub server_address: Option<$crate::scenario::quantity::Address>,
            /// Name of the link at whose network end the server is, for example for an edge server.
            /// Packets do not pass the links that precede it in the file. Default: the first link.
            #[serde(default)]
            pub server_link: Option<String>,
            $($fields)*
        }

        impl $name {
            /// The keys that all sections have; `kind` is the word in its heading.
            pub fn common(&self, kind: &'static str, position: usize) -> super::Common<'_> {
                super::Common {
                    key: format!("{kind}.{position}"),
                    kind,
                    name: &self.name,
                    ue: self.ue.as_deref(),
                    start: self.start,
                    spread: self.spread,
                    port: self.port,
                    server_address: self.server_address,
                    server_link: self.server_link.as_deref(),
                }
            }
        }
    };
}
use application;

/// The keys that all application sections have.
pub struct Common<'a> {
    /// The section, by the place of its heading in the file: `web.0`.
    pub key: String,
    /// The word in its heading.
    pub kind: &'static str,
    /// Name of the application.
    pub name: &'a str,
    /// `"all"`, or the name of the UE or section of UEs that runs the application.
    pub ue: Option<&'a str>,
    /// Start of the application, from the start of the run.
    pub start: Duration,
    /// Maximum random delay of the start.
    pub spread: Duration,
    /// The port at the server.
    pub port: Option<u16>,
    /// The address of the server.
    pub server_address: Option<Address>,
    /// The link at whose far end the server stands.
    pub server_link: Option<&'a str>,
}

/// A section that says what an application does.
pub(super) trait Section {
    /// Checks the keys, alone and with the rest of the scenario, and returns the application.
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular>;
}

/// The rest of the scenario, as far as a section depends on it; and the checks that sections share.
pub(super) trait Rest {
    /// Returns an error at `key` unless `right`.
    fn demand(&self, right: bool, key: &str, found: impl Display, expected: &str) -> Checked<()>;

    /// Checks that a greedy sender has a rate limit on its path. Otherwise it would send an
    /// unlimited amount at one instant.
    fn bounded(&self, common: &Common, direction: Direction) -> Checked<()>;

    /// Checks that a transfer of this size ends, even on a path without any delay.
    fn ends(&self, common: &Common, field: &str, size: Bytes) -> Checked<()>;

    /// Checks that the path takes time, by a rate or a delay, for an application that could
    /// otherwise exchange messages forever at one instant.
    fn takes_time(&self, common: &Common) -> Checked<()>;

    /// Returns the transport, TCP or QUIC, with the parameter set that an application names.
    fn transport(
        &mut self,
        common: &Common,
        named: (Option<&str>, Option<&str>),
        handshake: bool,
    ) -> Checked<Transport>;

    /// Returns an upper bound of a sender's data in flight.
    fn largest_flight(&self, transport: Transport) -> Bytes;

    /// Checks that no end opens the connection if there is no handshake.
    fn opened(&self, common: &Common, opens: End, handshake: bool) -> Checked<()> {
        let valid = handshake || opens == End::Client;
        let expected = "no opener: without a handshake both ends are connected from the start";
        self.demand(valid, &format!("{}.opens", common.key), "\"server\"", expected)
    }

    /// Checks the transfer of a file in one direction, for downloads and uploads.
    fn file(
        &mut self,
        common: &Common,
        named: (Option<&str>, Option<&str>),
        opens: End,
        config: transfer::Config,
        read_rate: Limit<Bitrate>,
    ) -> Checked<Particular> {
        self.opened(common, opens, config.handshake)?;
        self.ends(common, "file", config.file)?;
        let (direction, handshake) = (config.direction, config.handshake);
        let app = Application::Transfer(transfer::FileTransfer::new(config));
        let particular = self.connected(common, named, (app, handshake))?;
        let reads = self.reads(common, direction, read_rate, particular.transport)?;
        Ok(Particular { opens, reads, ..particular })
    }

    fn connected(
        &mut self,
        common: &Common,
        named: (Option<&str>, Option<&str>),
        (application, handshake): (Application, bool),
    ) -> Checked<Particular> {
        let transport = self.transport(common, named, handshake)?;
        Ok(Particular { application, transport, opens: End::Client, reads: None, tos: 0 })
    }

    /// Returns the reading rate of the receiver of data in this direction.
    fn reads(
        &self,
        common: &Common,
        direction: Direction,
        rate: Limit<Bitrate>,
        transport: Transport,
    ) -> Checked<Option<(End, Bitrate)>> {
        let Some(rate) = rate.get() else { return Ok(None) };
        let expected = "\"unlimited\": slow reading is modelled over TCP only";
        let is_tcp = matches!(transport, Transport::Tcp(_));
        self.demand(is_tcp, &format!("{}.read_rate", common.key), rate, expected)?;
        Ok(Some((End::sending(direction).peer(), rate)))
    }
}

/// The properties of an application beside the common keys.
pub(super) struct Particular {
    pub application: Application,
    pub transport: Transport,
    pub opens: End,
    pub reads: Option<(End, Bitrate)>,
    pub tos: u8,
}

impl Particular {
    /// Creates the properties of an application without a connection.
    fn without_connection(application: Application) -> Self {
        let transport = Transport::Absent;
        Self { application, transport, opens: End::Client, reads: None, tos: 0 }
    }
}

/// Returns a schedule of one item per `interval`, for `count` items or until the end of the run.
const fn beat(interval: Duration, count: Option<u64>) -> Beat {
    Beat { interval, count, stop: None }
}

/// As many as there are microseconds in the longest run.
const MOST_BEATS: u64 = 1_000_000_000_000;

fn unlimited() -> Limit<Bitrate> {
    Limit::UNLIMITED
}

fn at_once() -> Duration {
    Duration::from_millis(0)
}

fn one() -> u32 {
    1
}

fn yes() -> bool {
    true
}
