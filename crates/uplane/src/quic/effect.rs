//! The effects of a connection.

use crate::net::Packet;
use crate::unit::Bytes;

/// One effect of a connection on its host. `stream` is the application's number of a stream.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send this datagram to the peer: a packet without addresses, its ledger booked up to now.
    Transmit(Box<Packet>),
    /// The connection is open.
    Connected,
    /// A stream was opened here: the peer will know it by this id (RFC 9000 §2.1).
    Opened {
        /// The application's number.
        stream: u32,
        /// The protocol's.
        id: u64,
    },
    /// The first data since the application's last write has left.
    FirstSent {
        /// Of which stream.
        stream: u32,
    },
    /// All data in this packet has reached the application. The ledger is booked up to now.
    Deliver {
        /// The packet that brought it.
        packet: Box<Packet>,
        /// The bytes that this packet was the first to bring.
        new: Bytes,
    },
    /// More of a stream has come, in order.
    Received {
        /// Of which stream.
        stream: u32,
        /// How much more.
        bytes: Bytes,
    },
    /// The peer has acknowledged more.
    Acked {
        /// Of which stream.
        stream: u32,
        /// All bytes of the stream that are acknowledged so far.
        total: Bytes,
    },
    /// The peer will send no more on this stream.
    PeerClosed {
        /// Which stream.
        stream: u32,
    },
    /// The connection is gone; nothing more will come from it.
    Closed(CloseReason),
}

/// Why a connection is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// One end has closed it.
    Finished,
    /// The peer does not know it any more, or found an error.
    Reset,
    /// Nothing came for the idle timeout (RFC 9000 §10.1).
    TimedOut,
}

impl CloseReason {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Reset => "reset",
            Self::TimedOut => "timed_out",
        }
    }
}
