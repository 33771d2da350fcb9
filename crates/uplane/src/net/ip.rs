//! Fragmentation of an IP packet that is too long for a link, and its reassembly (RFC 791 §3.2, RFC
//! 8200 §4.5).
//!
//! In: a packet and an MTU. Out: fragments, first to last, each a packet with the outermost IP
//! header; the first one carries the fragmented packet itself. [`Reassembler`] is the reverse.
//!
//! A fragment that meets a shorter link is cut into shorter fragments of the same packet. A
//! fragment that enters a tunnel becomes a packet of the tunnel, and if that is cut, its fragments
//! are fragments of a fragment.
//!
//! Left out: the 16 bits of IPv4's identification. In reality they wrap, and with more than 65 536
//! fragmented packets in one reassembly timeout, fragments of different packets may be joined to
//! one packet (RFC 4963 §2); here they never are. Also left out: options and extension headers
//! other than the fragment header.

mod reassembler;
mod reassembly;

pub use reassembler::{Effect, Reassembler};
pub(crate) use reassembly::{Insertion, Reassembly};

use super::packet::{Body, Fragment, IpVersion, Packet};
use crate::unit::{Bytes, Duration};

/// Time that a host waits for all fragments of a packet, counted from the first one: the maximum of
/// RFC 8200 §4.5 and the minimum that RFC 1122 §3.3.2 recommends.
pub const REASSEMBLY_TIMEOUT: Duration = Duration::from_secs(60);

/// Cuts `packet` into fragments of at most `mtu`, first to last. A packet that fits is returned
/// unchanged.
///
/// The caller decides whether the packet *may* be fragmented ([`Packet::may_fragment`]).
pub fn fragment(packet: Box<Packet>, mtu: Bytes) -> Fragments {
    let rest = if packet.length <= mtu { packet } else { as_piece(packet) };
    Fragments { rest: Some(rest), mtu }
}

/// The fragments of one packet.
#[derive(Clone, Debug)]
pub struct Fragments {
    rest: Option<Box<Packet>>,
    mtu: Bytes,
}

impl Iterator for Fragments {
    type Item = Box<Packet>;

    /// Cuts off the part that fits, until the rest fits (RFC 791 §3.2, "An Example Fragmentation
    /// Procedure").
    fn next(&mut self) -> Option<Box<Packet>> {
        let mut fragment = self.rest.take()?;
        if fragment.length > self.mtu {
            self.rest = Some(cut_off(&mut fragment, self.mtu));
        }
        Some(fragment)
    }
}

/// Returns the whole payload of the packet as one fragment, which is still too long. A fragment is
/// returned unchanged.
fn as_piece(packet: Box<Packet>) -> Box<Packet> {
    if packet.tunnel.is_none() && matches!(packet.body, Body::Fragment(_)) {
        return packet;
    }
    let ip = packet.outer_ip();
    let payload = packet.length - ip.header();
    Box::new(Packet {
        id: packet.id,
        flow: packet.flow,
        source: packet.source,
        destination: packet.destination,
        ports: packet.ports,
        ip,
        tos: packet.tos,
        dont_fragment: !packet.may_fragment(),
        length: fragment_header(ip) + payload,
        tunnel: None,
        ledger: packet.ledger.clone(),
        body: Body::Fragment(Fragment {
            offset: Bytes::ZERO,
            payload,
            more: false,
            cut: cut_number(&packet),
            number: packet.number(),
            whole: Some(packet),
        }),
    })
}

/// Shortens `front` to the part that fits into `mtu`, and returns the rest of it.
fn cut_off(front: &mut Packet, mtu: Bytes) -> Box<Packet> {
    let header = fragment_header(front.ip);
    let taken = Bytes(mtu.saturating_sub(header).0 / UNIT * UNIT);
    assert!(!taken.is_zero(), "no fragment fits into an MTU of {mtu}");
    let piece = fragment_of(front);
    let whole = piece.whole.take();
    let mut rest = Box::new(front.clone());
    let behind = fragment_of(&mut rest);
    behind.offset += taken;
    behind.payload -= taken;
    rest.length -= taken;
    let piece = fragment_of(front);
    piece.payload = taken;
    piece.more = true;
    piece.whole = whole;
    front.length = header + taken;
    rest
}

/// Returns the number that all fragments of `packet` share: zero for a whole packet, and a
/// different one for each fragment of it. An IPv4 offset has 13 bits (RFC 791 §3.1), so 14 bits
/// hold an offset plus one.
fn cut_number(packet: &Packet) -> u64 {
    match &packet.body {
        Body::Fragment(piece) => {
            let outer = piece.cut.checked_mul(1 << 14).expect("tunnels nested at most four deep");
            outer + piece.offset.0 / UNIT + 1
        }
        _ => 0,
    }
}

/// Returns the length of the headers before a fragment's payload: in IPv6 they include the fragment
/// header (RFC 8200 §4.5).
fn fragment_header(ip: IpVersion) -> Bytes {
    match ip {
        IpVersion::V4 => ip.header(),
        IpVersion::V6 => ip.header() + Bytes(8),
    }
}

fn fragment_of(packet: &mut Packet) -> &mut Fragment {
    match &mut packet.body {
        Body::Fragment(piece) => piece,
        other => panic!("not a fragment: {other:?}"),
    }
}

/// Fragments begin at multiples of 8 bytes (RFC 791 §3.2, RFC 8200 §4.5).
const UNIT: u64 = 8;

#[cfg(test)]
mod tests;
