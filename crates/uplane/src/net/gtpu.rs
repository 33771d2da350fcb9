//! The user plane's tunnel through the core and the backhaul (TS 29.281).
//!
//! In: a user's packet at the gateway, or at the base station in the uplink. Out: the packet with
//! an outer IP header, UDP, GTP-U, and optionally an IPsec tunnel around it; [`Egress`] is the
//! other end. The links between may fragment the outer packet.
//!
//! Left out: tunnel endpoint identifiers (the scenario wires the ends), echo requests and end
//! markers, and reordering by sequence number (TS 29.281 §4.3.1). Also left out: fragmentation
//! before encryption (RFC 4301 §7). This matters for IPsec traffic over a short MTU.

pub mod egress;
pub mod esp;

pub use egress::Egress;
pub use esp::{Cipher, Esp};

use super::packet::{IpVersion, Packet, TunnelHeaders};
use crate::unit::Bytes;

/// The headers that a tunnel puts around each packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Version of the IP header that carries UDP and GTP-U.
    pub ip: IpVersion,
    /// Packets are numbered (TS 29.281 §5.1, flag S).
    pub sequence_numbers: bool,
    /// Packets carry their QoS flow, as on N3 of the 5G system (TS 29.281 §5.2.2.7).
    pub pdu_session_container: bool,
    /// The outermost packet must not be fragmented. Off by default, since the routers of the
    /// backbone may fragment (TS 29.060 §13.2.2).
    pub dont_fragment: bool,
    /// The IPsec tunnel around the GTP-U tunnel (TS 33.401 §12), if there is one.
    pub esp: Option<Esp>,
}

/// Returns the number of bytes that `config` puts around a user's packet of length `inner`.
pub fn overhead(config: Config, inner: Bytes) -> Bytes {
    let headers = headers(config);
    headers + config.esp.map_or(Bytes::ZERO, |esp| esp.overhead(inner + headers))
}

/// Returns the maximum length of a user's packet that crosses a path of this MTU unfragmented.
/// `None` if even an empty one is too long.
pub fn largest_inner(config: Config, path_mtu: Bytes) -> Option<Bytes> {
    let protected = config.esp.map_or(Some(path_mtu), |esp| esp.largest_protected(path_mtu))?;
    protected.0.checked_sub(headers(config).0).map(Bytes)
}

/// Puts the tunnel around a packet.
#[inline(always)]
pub fn encapsulate(config: Config, packet: &mut Packet) {
    assert!(packet.tunnel.is_none(), "packet {} enters a tunnel inside a tunnel", packet.id.0);
    let length = overhead(config, packet.length);
    let ip = config.esp.map_or(config.ip, |esp| esp.ip);
    packet.length += length;
    packet.tunnel = Some(TunnelHeaders::new(length, ip, config.dont_fragment));
}

/// Removes the tunnel. Panics if there is none.
pub fn decapsulate(packet: &mut Packet) {
    let tunnel = packet.tunnel.take().expect("a packet leaves the tunnel that it is in");
    packet.length -= tunnel.length();
}

/// Returns the length of outer IP, UDP and GTP-U headers.
fn headers(config: Config) -> Bytes {
    // TS 29.281 §5.1: one of the flags E, S and PN is sufficient for all four optional bytes.
    let optional = if config.sequence_numbers || config.pdu_session_container { 4 } else { 0 };
    let container = if config.pdu_session_container { PDU_SESSION_CONTAINER } else { Bytes::ZERO };
    config.ip.header() + UDP_HEADER + GTPU_HEADER + Bytes(optional) + container
}

/// Length of the UDP header (RFC 768).
const UDP_HEADER: Bytes = Bytes(8);
/// Length of the mandatory part of the GTP-U header (TS 29.281 §5.1).
const GTPU_HEADER: Bytes = Bytes(8);
/// Length of the PDU session container: length, two bytes of content, type of the next one (TS
/// 29.281 §5.2.1, TS 38.415 §5.5.2).
const PDU_SESSION_CONTAINER: Bytes = Bytes(4);

#[cfg(test)]
mod tests;
