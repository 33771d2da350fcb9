//! The effects of a connection.

use crate::net::{Cookie, Packet};
use crate::unit::Bytes;

/// One effect of a connection on its host.
#[derive(Clone, Debug)]
pub enum Effect {
    /// A segment to send to the peer: a packet without addresses. The ledger of data started when
    /// the application wrote its first byte, that of a pure acknowledgement now; it is booked up to
    /// now.
    Transmit(Box<Packet>),
    /// With Fast Open, before the handshake has ended: the application may write.
    Writable,
    /// The connection is open.
    Connected,
    /// Data about the peer for later connections.
    Learned(Box<Learned>),
    /// Data in order, for the application. The ledger is booked up to now.
    Deliver {
        /// The packet with the data.
        packet: Box<Packet>,
        /// The bytes that this packet was the first to deliver.
        new: Bytes,
    },
    /// The peer has acknowledged more data.
    Acked {
        /// All bytes of the application that have been acknowledged.
        total: Bytes,
    },
    /// The peer will send no more data.
    PeerClosed,
    /// The connection has ended, and emits nothing more.
    Closed(CloseReason),
}

/// Data of the peer's SYN-ACK for later connections (RFC 7413 §4.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learned {
    /// Cookie that the peer granted, if it did.
    pub cookie: Option<Cookie>,
    /// Segment size that the peer announced, if it did.
    pub mss: Option<Bytes>,
}

/// Reason for the end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// Both ends have closed it.
    Finished,
    /// One end has aborted it.
    Reset,
    /// The peer has not answered within the limit of retransmissions or window probes.
    TimedOut,
}

impl CloseReason {
    /// Name of the reason in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Reset => "reset",
            Self::TimedOut => "timed_out",
        }
    }
}
