//! What PDCP gives RLC.

use crate::net::Packet;
use crate::net::queue::Waiting;
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
    /// `COUNT`: its number in PDCP, which the bearer gives it when it takes it, or when its first
    /// byte is sent.
    pub count: u64,
}

/// The `COUNT` of an SDU that has none yet.
pub(super) const UNNUMBERED: u64 = u64::MAX;

/// In a queue it counts as long as it is on the radio.
impl Waiting for Sdu {
    fn length(&self) -> Bytes {
        self.size
    }
    fn packet(&self) -> &Packet {
        &self.packet
    }
    fn packet_mut(&mut self) -> &mut Packet {
        &mut self.packet
    }
}
