//! Packet data convergence (TS 36.323, TS 38.323): a header, header compression, the discard timer,
//! and in NR reordering ([`Receiver`]).
//!
//! In: IP packets, in order. Out: SDUs for RLC, each with the length of its PDCP PDU.
//!
//! Two rules of the specification need no code in LTE. PDUs are numbered when RLC sends them, which
//! gives the same result as numbering on arrival: RLC delivers in order, so LTE's PDCP reorders
//! only the SDUs of a re-establishment of RLC (TS 36.323 §5.1.2.1; [`Stored`]), and a discarded
//! packet leaves no gap to wait for. The receiving side only removes the header.
//!
//! Left out: ciphering and integrity (they do not change the length of user data), status reports,
//! and the feedback packets of header compression. Feedback costs uplink bytes when a context is
//! damaged; since RLC delivers in order, that happens only after losses in unacknowledged mode.

pub(in crate::ran) mod receiver;
pub(in crate::ran) mod stored;

use std::collections::BTreeMap;

pub use receiver::{Numbering, Receiver, Reordering};
pub use stored::Stored;

use super::rlc::{Bearer, Effect, Sdu};
use crate::net::{Body, Direction, DropCause, Flags, Packet};
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, FlowId, Instant};

/// The PDCP parameters of one direction of one bearer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The length of sequence numbers.
    pub sn_length: SnLength,
    /// `discardTimer`: maximum time that a packet waits for its first byte to be sent. `None`:
    /// infinity.
    pub discard_timer: Option<Duration>,
    /// Header compression, if configured.
    pub rohc: Option<Rohc>,
    /// Length of the SDAP header in front of each packet (TS 37.324 §6.2.2).
    pub sdap_header: Bytes,
    /// Reordering at the receiver, if RLC does not deliver in order.
    pub reordering: Option<Reordering>,
}

/// The length of sequence numbers (TS 36.323 §6.2.3, §6.2.4, §6.2.9, §6.2.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnLength {
    /// 7 bits, in RLC's unacknowledged mode only.
    Seven,
    /// 12 bits: a header of two bytes.
    #[default]
    Twelve,
    /// 15 bits: a header of two bytes.
    Fifteen,
    /// 18 bits: a header of three bytes.
    Eighteen,
    /// No bits, for studies that count no headers.
    Uncounted,
}

/// Robust header compression, modelled by the lengths of compressed headers.
///
/// The scenario sets these lengths. Real ones depend on the changes of fields from packet to
/// packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rohc {
    /// Length of the compressed IP and TCP header (RFC 6846), in bytes. SACK blocks are added
    /// uncompressed.
    pub tcp: Bytes,
    /// Length of the compressed IP and UDP header (RFC 5225), in bytes.
    pub udp: Bytes,
    /// Number of packets of each flow that keep their whole header, to set the context up.
    pub initial: u32,
}

/// The transmitting side of one direction of one bearer.
#[derive(Clone, Debug)]
pub struct Transmitter {
    config: Config,
    /// Packets seen of each flow, up to [`Rohc::initial`].
    contexts: BTreeMap<FlowId, u32>,
}

impl Transmitter {
    /// Creates a transmitter that has sent nothing.
    pub fn new(config: Config) -> Self {
        Self { config, contexts: BTreeMap::new() }
    }

    /// Resets header compression, as in another cell (TS 38.323 §5.1.2).
    pub fn forget_contexts(&mut self) {
        self.contexts.clear();
    }

    /// Converts a packet to an RLC SDU.
    #[inline]
    pub fn on_packet(&mut self, now: Instant, packet: Box<Packet>) -> Sdu {
        let headers = self.config.sn_length.header() + self.config.sdap_header;
        let size = headers + packet.length - self.saved(&packet);
        Sdu { packet, size, arrived: now, count: 0 }
    }

    /// Returns the time at which the discard timer of the first packet in `bearer` expires, if no
    /// packet is sent before.
    pub fn next_discard(&self, bearer: &Bearer, direction: Direction) -> Option<Instant> {
        let limit = self.config.discard_timer?;
        let oldest = bearer.buffer(direction).queue().front()?;
        Some(oldest.arrived + limit)
    }

    /// Drops the packets whose discard timer has expired and of which no byte was sent (TS 36.323
    /// §5.4, TS 36.322 §5.3). Calling this before reading the bearer's buffer status is sufficient.
    pub fn discard(
        &self,
        now: Instant,
        direction: Direction,
        bearer: &mut Bearer,
        out: &mut Outbox<Effect>,
    ) {
        while self.next_discard(bearer, direction).is_some_and(|due| due <= now) {
            let packet = bearer.remove_at(direction, 0, DropCause::Late);
            out.emit(Effect::Drop(direction, packet, DropCause::Late));
        }
    }

    /// Returns the number of bytes that header compression saves: zero until the flow has sent
    /// enough whole headers.
    fn saved(&mut self, packet: &Packet) -> Bytes {
        let Some(rohc) = self.config.rohc else { return Bytes::ZERO };
        let seen = self.contexts.entry(packet.flow).or_default();
        if *seen < rohc.initial {
            *seen += 1;
            return Bytes::ZERO;
        }
        rohc.saves(packet)
    }
}

impl Config {
    /// Returns the configuration with packets that are numbered when their first byte is sent.
    #[must_use]
    pub fn numbered_late(&self) -> Self {
        let reordering = self
            .reordering
            .map(|reordering| Reordering { numbering: Numbering::AtTransmission, ..reordering });
        Self { reordering, ..self.clone() }
    }
}

impl SnLength {
    /// Returns the number of bits of a sequence number.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Seven => 7,
            Self::Twelve => 12,
            Self::Fifteen => 15,
            Self::Eighteen => 18,
            Self::Uncounted => 0,
        }
    }

    /// Returns the header length of a PDCP data PDU of user data.
    pub const fn header(self) -> Bytes {
        match self {
            Self::Seven => Bytes(1),
            Self::Twelve | Self::Fifteen => Bytes(2),
            Self::Eighteen => Bytes(3),
            Self::Uncounted => Bytes::ZERO,
        }
    }
}

impl Rohc {
    /// Returns the number of bytes by which the compressed packet is shorter.
    fn saves(&self, packet: &Packet) -> Bytes {
        let compressed = match &packet.body {
            Body::Tcp(segment) if !segment.flags.intersects(Flags::SYN) => {
                self.tcp + Bytes(8) * segment.sack.len() as u64
            }
            Body::Datagram(_) => self.udp,
            // QUIC's own header is protected (RFC 9001 §5.4), so only IP and UDP headers are
            // compressed.
            Body::Quic(datagram) => {
                let headers = packet.length - Bytes(datagram.contents.len() as u64);
                return headers.saturating_sub(self.udp);
            }
            _ => return Bytes::ZERO,
        };
        (packet.length - packet.payload()).saturating_sub(compressed)
    }
}

#[cfg(test)]
mod tests;
