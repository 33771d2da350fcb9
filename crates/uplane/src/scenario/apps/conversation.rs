//! The transport of a conversation's messages: the keys that its sections share.
//!
//! In: these keys. Out: the application with its transport, or the error of contradicting keys.

use super::super::error::Checked;
use super::{Common, Particular, Rest};
use crate::app::Application;
use crate::app::conversation::{Carrier, Conversation, Maker};
use crate::unit::Bytes;

/// Declares the section of an application whose messages a [`Carrier`] carries, with the keys that
/// all of these have.
macro_rules! conversation {
    ($(#[doc = $doc:literal])+ $name:ident { $($fields:tt)* }) => {
        $crate::scenario::apps::application! {
            $(#[doc = $doc])+
            $name {
                /// Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set
                /// "default" if the file has one, otherwise the profile "rfc". Refused beside
                /// `quic` and `datagrams`.
                #[serde(default)]
                pub tcp: Option<String>,
                /// Name of the `[quic.NAME]` set, which makes the connection use QUIC instead of
                /// TCP, with one stream. "default" works without a section and has the default of
                /// every key. If not set, the connection uses TCP.
                #[serde(default)]
                pub quic: Option<String>,
                /// Sends each message as a UDP datagram. If false, messages are sent over a TCP or
                /// QUIC connection.
                #[serde(default)]
                pub datagrams: bool,
                /// Maximum UDP payload of a datagram, without UDP and IP headers: longer messages
                /// are split. Default: 65507 B (RFC 768). Requires `datagrams`.
                #[serde(default)]
                #[schemars(transform = $crate::unit::range::within("1 B", "65507 B"))]
                pub payload: Option<$crate::unit::Bytes>,
                /// Opens a connection before the first message. If false, UE and server are
                /// connected from the start. False requires TCP without Fast Open, and is refused
                /// with `datagrams`.
                #[serde(default = "super::yes")]
                pub handshake: bool,
                $($fields)*
            }
        }

        impl $name {
            fn carried(&self) -> $crate::scenario::apps::conversation::Keys<'_> {
                $crate::scenario::apps::conversation::Keys {
                    tcp: self.tcp.as_deref(),
                    quic: self.quic.as_deref(),
                    datagrams: self.datagrams,
                    payload: self.payload,
                    handshake: self.handshake,
                }
            }
        }
    };
}
pub(super) use conversation;

/// Keys of the transport.
pub(super) struct Keys<'a> {
    pub(super) tcp: Option<&'a str>,
    pub(super) quic: Option<&'a str>,
    pub(super) datagrams: bool,
    pub(super) payload: Option<Bytes>,
    pub(super) handshake: bool,
}

impl Keys<'_> {
    /// Checks the keys and returns the application.
    pub(super) fn check(
        &self,
        common: &Common,
        rest: &mut impl Rest,
        maker: Maker,
    ) -> Checked<Particular> {
        let carrier = self.carrier(common, rest)?;
        let app = Application::Conversation(Conversation::new(carrier, self.longest(), maker));
        match carrier {
            Carrier::Connection { handshake } => {
                rest.connected(common, (self.tcp, self.quic), (app, handshake))
            }
            Carrier::Datagrams { .. } => Ok(Particular::without_connection(app)),
        }
    }

    /// Returns the length of the longest message.
    pub(super) fn longest(&self) -> Bytes {
        let payload = self.payload.unwrap_or(LONGEST_PAYLOAD);
        if self.datagrams { Bytes(payload.0 * MOST_DATAGRAMS) } else { LONGEST_MESSAGE }
    }

    fn carrier(&self, common: &Common, rest: &impl Rest) -> Checked<Carrier> {
        let Self { datagrams, payload, handshake, .. } = *self;
        let key = |key: &str| format!("{}.{key}", common.key);
        if !datagrams {
            let rule = "requires `datagrams = true`";
            rest.demand(payload.is_none(), &key("payload"), "", rule)?;
            return Ok(Carrier::Connection { handshake });
        }
        let rule = "not valid together with `datagrams`, which have no connection; remove it";
        rest.demand(handshake, &key("handshake"), "", rule)?;
        for (name, set) in [("tcp", self.tcp), ("quic", self.quic)] {
            rest.demand(set.is_none(), &key(name), "", rule)?;
        }
        Ok(Carrier::Datagrams { payload: payload.unwrap_or(LONGEST_PAYLOAD) })
    }
}

/// UDP payload of the longest IP packet (RFC 791 §3.1, RFC 768).
const LONGEST_PAYLOAD: Bytes = Bytes(65_507);
/// Maximum number of datagrams of one message: all leave their host at one instant.
pub(super) const MOST_DATAGRAMS: u64 = 10_000;
/// As any amount of a scenario.
const LONGEST_MESSAGE: Bytes = Bytes(1_000_000_000_000);
