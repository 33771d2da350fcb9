//! Packets and the wired path: what carries an IP packet from room to room.
//!
//! In: packets of the hosts. Out: the same packets later, in pieces, or not at all.

mod ledger;
mod packet;
mod segment;
mod tally;

pub use ledger::{Cause, Ledger};
pub use packet::{Body, Datagram, Echo, IpVersion, Packet, Piece, TooBig, TunnelHeaders};
pub use segment::{Flags, SackBlocks, Segment, SequenceNumber, Timestamps};
pub use tally::{Count, Direction, DropCause, Tally};
