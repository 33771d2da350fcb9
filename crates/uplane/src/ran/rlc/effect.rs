//! The effects of RLC, and its input about the transmission of a PDU over the air.

use crate::net::{Direction, DropCause, Packet};
use crate::unit::Instant;

/// The effects of the RLC of a bearer.
#[derive(Clone, Debug)]
pub enum Effect {
    /// The packet has arrived, and each earlier packet has arrived or will not arrive.
    Deliver(Direction, Box<Packet>),
    /// The packet will not arrive.
    Drop(Direction, Box<Packet>, DropCause),
    /// A PDU of this direction has reached the maximum number of retransmissions: the radio link
    /// has failed. The owner may call [`super::Bearer::reestablish`]; until then the bearer
    /// continues.
    RadioLinkFailure(Direction),
}

/// The times at which a transport block crossed the air, for the ledgers of its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// End of the first transmission of the block.
    pub transmitted: Instant,
    /// End of the last transmission of the block, equal to `transmitted` if there was only one.
    pub decoded: Instant,
    /// The block was retransmitted because an urgent block had preempted a part of it.
    pub preempted: bool,
}
