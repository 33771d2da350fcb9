//! Packets and the wired path: the entities that carry an IP packet.
//!
//! In: packets of the hosts. Out: the same packets later, in fragments, or dropped.

mod byte_counters;
mod cookie;
mod direction;
mod ecn;
pub mod framing;
pub mod gtpu;
pub mod ip;
mod ledger;
pub mod link;
pub mod mss_clamp;
mod packet;
pub mod path_mtu;
pub mod queue;
mod segment;
mod stock;
mod tally;
pub mod waits;

pub use byte_counters::ByteCounters;
pub use cookie::Cookie;
pub use direction::{Direction, PerDirection};
pub use ecn::Ecn;
pub use framing::Framing;
pub use ledger::{Cause, Ledger, TimeByCause};
pub use link::Link;
pub use packet::{
    Body, Datagram, Echo, Fragment, IpVersion, Packet, QuicDatagram, TooBig, TunnelHeaders,
};
pub use queue::QueueLimit;
pub use segment::{Flags, SackBlocks, Segment, SequenceNumber, Timestamps};
pub use stock::Stock;
pub use tally::{ByCause, Count, DropCause, Tally};
pub(crate) use tally::{DropRow, HopRow};
