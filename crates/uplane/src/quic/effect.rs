//! The effects of a connection.

use crate::net::Packet;
use crate::unit::Bytes;

/// One effect of a connection on its host. `stream` is the application's number of a stream.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Sends this datagram to the peer: a packet without addresses, with its ledger booked up to
    /// now.
    Transmit(Box<Packet>),
    /// The connection is open.
    Connected,
    /// A stream was opened here. The peer will know it by this id (RFC 9000 §2.1).
    Opened {
        /// The application's number of the stream.
        stream: u32,
        /// The stream id of the protocol.
        id: u64,
    },
    /// The first data since the application's last write has left.
    FirstSent {
        /// The application's number of the stream.
        stream: u32,
    },
    /// All data in this packet has reached the application. The ledger is booked up to now.
    Deliver {
        /// The packet that carried the data.
        packet: Box<Packet>,
        /// Number of bytes that this packet was the first to carry.
        new: Bytes,
    },
    /// More data of a stream has arrived, in order.
    Received {
        /// The application's number of the stream.
        stream: u32,
        /// Number of new bytes of the stream.
        bytes: Bytes,
    },
    /// The peer has acknowledged more data.
    Acked {
        /// The application's number of the stream.
        stream: u32,
        /// Number of all acknowledged bytes of the stream so far.
        total: Bytes,
    },
    /// The peer will send no more data on this stream.
    PeerClosed {
        /// The application's number of the stream.
        stream: u32,
    },
    /// The connection is closed, and will have no further effects.
    Closed(CloseReason),
}

/// The reason why a connection was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// One end closed the connection.
    Finished,
    /// The peer has forgotten the connection, or found an error.
    Reset,
    /// Nothing was received for the idle timeout (RFC 9000 §10.1).
    TimedOut,
}

impl CloseReason {
    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Reset => "reset",
            Self::TimedOut => "timed_out",
        }
    }
}
