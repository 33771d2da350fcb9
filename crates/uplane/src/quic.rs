//! QUIC (RFC 9000, RFC 9001, RFC 9002): the code of `quinn-proto`, a library that is used in
//! production.
//!
//! In: writes of applications, UDP datagrams of the peer, time. Out: UDP datagrams with their
//! ledgers, data in order, and the reasons why nothing was sent.
//!
//! A [`Connection`] is one end, like `tcp::Connection`. The protocol is the library's; its time,
//! its random numbers and its keys come from here: `library` drives it, `boundary` converts its
//! clock and addresses, `crypto` replaces TLS. Facts that the library does not report are read from
//! its datagrams, which are not encrypted (`wire`): the first departure of data (`stream`), the
//! packets in flight (`departures`), the packets received (`arrivals`), and the log of all packets
//! (`qlog`).
//!
//! Left out: secrecy (see `crypto`); 0-RTT, Retry, migration, datagrams of RFC 9221 and several
//! paths, which no application here requests; batches of datagrams that one system call sends
//! (GSO): here each datagram leaves on its own.

mod profile;
mod statistics;

#[cfg(feature = "quic")]
mod arrivals;
#[cfg(feature = "quic")]
mod boundary;
#[cfg(feature = "quic")]
mod connection;
#[cfg(feature = "quic")]
mod crypto;
#[cfg(feature = "quic")]
mod departures;
#[cfg(feature = "quic")]
mod library;
#[cfg(feature = "quic")]
mod qlog;
#[cfg(feature = "quic")]
mod stream;
#[cfg(feature = "quic")]
mod wire;

#[cfg(not(feature = "quic"))]
#[path = "quic/absent.rs"]
mod connection;

mod effect;

pub use connection::Connection;
pub use effect::{CloseReason, Effect};
pub use profile::{CongestionControl, Profile};
pub use statistics::{Counters, LogEvent, Statistics};

/// True if this build has QUIC: the cargo feature `quic`.
pub const IS_BUILT: bool = cfg!(feature = "quic");

/// The role of an end in the handshake (RFC 9000 §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The end that opens the connection.
    Client,
    /// The end that answers the handshake.
    Server,
}
