//! RLC SDUs: packets as PDCP passes them to RLC.

use crate::net::Packet;
use crate::net::queue::Waiting;
use crate::unit::{Bytes, Instant};

/// A packet with its length as an RLC SDU, that is, as a PDCP PDU.
#[derive(Clone, Debug)]
pub struct Sdu {
    /// The IP packet, with its ledger.
    pub packet: Box<Packet>,
    /// Length with PDCP's header, after header compression.
    pub size: Bytes,
    /// Time of arrival in RLC.
    pub arrived: Instant,
    /// `COUNT`: the packet's number in PDCP. The bearer sets it on arrival, or when the first byte
    /// is sent.
    pub count: u64,
}

/// The `COUNT` of an SDU that is not numbered yet.
pub(super) const UNNUMBERED: u64 = u64::MAX;

/// In a queue, an SDU counts with its length on the radio.
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
