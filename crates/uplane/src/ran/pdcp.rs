//! Packet data convergence (TS 36.323, TS 38.323): a header, header compression, the discard of
//! packets that waited too long, and in NR their order ([`Receiver`]).
//!
//! In: IP packets, in order. Out: SDUs for RLC, each as long as its PDCP PDU.
//!
//! Two rules of the specification need no code in LTE. PDUs are numbered when RLC sends them, which
//! makes no difference to numbering them on arrival: RLC delivers in order, so LTE's PDCP does not
//! reorder (TS 36.323 §5.1.2.1) but for what a re-establishment of RLC brings ([`Stored`]), and a
//! discarded packet leaves no gap to wait for. And the receiving side only removes the header.
//!
//! Left out: ciphering and integrity (no length changes in user data), status reports, and the
//! feedback packets of header compression, which cost uplink bytes when a context is damaged; RLC
//! delivers in order, so that happens only after losses in unacknowledged mode.

pub(in crate::ran) mod receiver;
pub(in crate::ran) mod stored;

use std::collections::BTreeMap;

pub use receiver::{Numbering, Receiver, Reordering};
pub use stored::Stored;

use super::rlc::{Bearer, Effect, Sdu};
use crate::net::{Body, Direction, DropCause, Flags, Packet};
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, FlowId, Instant};

/// The parameters of one direction of one bearer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The length of sequence numbers.
    pub sn_length: SnLength,
    /// `discardTimer`: how long a packet may wait for its first byte to be sent; any time for
    /// `None`.
    pub discard_timer: Option<Duration>,
    /// Header compression, if configured.
    pub rohc: Option<Rohc>,
    /// The header of the layer above, in front of each packet (TS 37.324 §6.2.2).
    pub sdap_header: Bytes,
    /// The receiver puts packets in order, where RLC does not.
    pub reordering: Option<Reordering>,
}

/// The length of sequence numbers (TS 36.323 §6.2.3, §6.2.4, §6.2.9, §6.2.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnLength {
    /// 7 bits, in RLC's unacknowledged mode only.
    Seven,
    /// 12 bits.
    #[default]
    Twelve,
    /// 15 bits.
    Fifteen,
    /// 18 bits.
    Eighteen,
    /// No bits, as in studies that count no headers.
    Uncounted,
}

/// Robust header compression as lengths of compressed headers.
///
/// The lengths are the scenario's: real ones depend on how fields change from packet to packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rohc {
    /// IP and TCP header together (RFC 6846). SACK blocks come on top, as they are.
    pub tcp: Bytes,
    /// IP and UDP header together (RFC 5225).
    pub udp: Bytes,
    /// How many packets of each flow keep their whole header, to set the context up.
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
    /// A transmitter that has sent nothing.
    pub fn new(config: Config) -> Self {
        Self { config, contexts: BTreeMap::new() }
    }

    /// Header compression starts again, as in another cell (TS 38.323 §5.1.2).
    pub fn forget_contexts(&mut self) {
        self.contexts.clear();
    }

    /// Makes a packet an SDU of RLC.
    #[inline]
    pub fn on_packet(&mut self, now: Instant, packet: Box<Packet>) -> Sdu {
        let headers = self.config.sn_length.header() + self.config.sdap_header;
        let size = headers + packet.length - self.saved(&packet);
        Sdu { packet, size, arrived: now, count: 0 }
    }

    /// When the first packet in `bearer` will have waited too long, if none is sent before.
    pub fn next_discard(&self, bearer: &Bearer, direction: Direction) -> Option<Instant> {
        let limit = self.config.discard_timer?;
        let oldest = bearer.buffer(direction).queue().front()?;
        Some(oldest.arrived + limit)
    }

    /// Drops the packets that have waited too long and of which no byte was sent (TS 36.323 §5.4,
    /// TS 36.322 §5.3). It is enough to call this before the bearer's buffer status is asked for.
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

    /// What header compression saves: nothing before its flow has sent enough whole headers.
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
    /// The same with packets that are numbered when their first byte is sent.
    #[must_use]
    pub fn numbered_late(&self) -> Self {
        let reordering = self
            .reordering
            .map(|reordering| Reordering { numbering: Numbering::AtTransmission, ..reordering });
        Self { reordering, ..self.clone() }
    }
}

impl SnLength {
    /// How many bits a sequence number has.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Seven => 7,
            Self::Twelve => 12,
            Self::Fifteen => 15,
            Self::Eighteen => 18,
            Self::Uncounted => 0,
        }
    }

    /// The header of a PDCP data PDU of user data.
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
    /// By how much this packet becomes shorter.
    fn saves(&self, packet: &Packet) -> Bytes {
        let compressed = match &packet.body {
            Body::Tcp(segment) if !segment.flags.intersects(Flags::SYN) => {
                self.tcp + Bytes(8) * segment.sack.len() as u64
            }
            Body::Datagram(_) => self.udp,
            // Its own header is protected (RFC 9001 §5.4): IP and UDP headers are all there is.
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
