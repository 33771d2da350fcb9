//! The effects of RLC, and what it is told of a PDU's transmission over the air.

use crate::net::{Direction, DropCause, Packet};
use crate::unit::Instant;

/// The effects of a bearer.
#[derive(Clone, Debug)]
pub enum Effect {
    /// The packet has arrived, and all before it have arrived or will not.
    Deliver(Direction, Box<Packet>),
    /// The packet will not arrive.
    Drop(Direction, Box<Packet>, DropCause),
    /// A PDU of this direction was sent too often: the radio link has failed. The owner may call
    /// [`super::Bearer::reestablish`]; until then the bearer goes on trying.
    RadioLinkFailure(Direction),
}

/// How a transport block crossed the air: what the ledgers of its packets are charged with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The end of its first transmission.
    pub transmitted: Instant,
    /// The end of its last transmission: the same when it was not repeated.
    pub decoded: Instant,
    /// It was repeated after an urgent block had taken a part of it.
    pub preempted: bool,
}
