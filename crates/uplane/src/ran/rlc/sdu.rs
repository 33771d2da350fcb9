//! What PDCP gives RLC.

use crate::net::Packet;
use crate::unit::{Bytes, Instant};

/// A packet with its length as an RLC SDU, that is as a PDCP PDU.
#[derive(Clone, Debug)]
pub struct Sdu {
    /// The packet.
    pub packet: Box<Packet>,
    /// Its length with PDCP's header, after header compression.
    pub size: Bytes,
    /// When it came.
    pub arrived: Instant,
}
