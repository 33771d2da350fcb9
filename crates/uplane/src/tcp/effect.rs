//! The effects of a connection.

use crate::net::{Cookie, Packet};
use crate::unit::Bytes;

/// One effect of a connection on its host.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send this segment to the peer: a packet without addresses. The ledger of data started when
    /// the application wrote its first byte, that of a pure acknowledgement now; it is booked up to
    /// now.
    Transmit(Box<Packet>),
    /// With Fast Open, before the handshake has ended: the application knows of the connection, and
    /// may write.
    Writable,
    /// The connection is open.
    Connected,
    /// What later connections to the same peer need to know.
    Learned(Box<Learned>),
    /// Data in order, for the application. The ledger is booked up to now.
    Deliver {
        /// The packet that brought it.
        packet: Box<Packet>,
        /// The bytes that this packet was the first to bring.
        new: Bytes,
    },
    /// The peer has acknowledged more.
    Acked {
        /// All bytes of the application that are acknowledged so far.
        total: Bytes,
    },
    /// The peer will send no more data.
    PeerClosed,
    /// The connection is gone; nothing more will come from it.
    Closed(CloseReason),
}

/// What the peer's SYN-ACK said for later connections (RFC 7413 §4.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learned {
    /// The cookie that it gave, if it did.
    pub cookie: Option<Cookie>,
    /// The segment size that it announced, if it did.
    pub mss: Option<Bytes>,
}

/// Why a connection is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// Both ends have closed it.
    Finished,
    /// One end has aborted it.
    Reset,
    /// The peer has not answered for too long.
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
