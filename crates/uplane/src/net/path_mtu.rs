//! A router's answer to a packet that is too long (RFC 1191 §4, RFC 8201 §3).
//!
//! In: the refused packet, and the maximum length that would have passed. Out: an ICMP message to
//! its sender, with the MTU that the sender has to respect.
//!
//! The message also goes to the user's host if the refused packet was in a tunnel: the router's
//! message to the ingress, and the ingress's message to the host (RFC 2003 §5.1), are one message
//! here.
//!
//! Left out: the rate limit of such messages (RFC 1812 §4.3.2.8), and an ingress that fragments the
//! user's IPv4 packet before it encapsulates.

use super::ledger::Ledger;
use super::packet::{Body, IpVersion, Packet, TooBig, TunnelHeaders};
use crate::unit::{Bytes, HostId, Instant, PacketId};

/// Returns the answer of `router` to the sender of `refused`, which met a link with an MTU of
/// `link_mtu`.
///
/// Returns `None` if no answer is allowed: to ICMP errors and to fragments other than the first
/// (RFC 1122 §3.2.2; RFC 4443 §2.4 (e) allows the latter, but nothing here could use it).
pub fn too_big_reply(
    refused: &Packet,
    link_mtu: Bytes,
    router: HostId,
    id: PacketId,
    now: Instant,
) -> Option<Packet> {
    let user = refused.carried()?;
    if matches!(user.body, Body::TooBig(_)) {
        return None;
    }
    let quoted = user.inner_length();
    Some(Packet {
        id,
        flow: user.flow,
        source: router,
        destination: user.source,
        ports: (user.ports.1, user.ports.0),
        ip: user.ip,
        tos: 0,
        dont_fragment: user.ip == IpVersion::V6,
        length: (user.ip.header() + ICMP_HEADER + quoted).min(longest(user.ip)),
        tunnel: None,
        body: Body::TooBig(TooBig { mtu: inner_mtu(refused, link_mtu), refused: quoted }),
        ledger: Ledger::start(now),
    })
}

/// Returns the maximum length of a user's packet that would have passed a link with an MTU of
/// `link_mtu` in the tunnel that `refused` is in.
///
/// The padding of an IPsec tunnel depends on the length, so a packet of exactly the announced
/// length may be refused, too; [`super::gtpu::largest_inner`] knows it exactly.
pub fn inner_mtu(refused: &Packet, link_mtu: Bytes) -> Bytes {
    link_mtu.saturating_sub(refused.tunnel.map_or(Bytes::ZERO, TunnelHeaders::length))
}

/// Returns the maximum length of the answer, which quotes as much of the packet as fits (RFC 1812
/// §4.3.2.3 and RFC 4443 §2.4 (c)).
const fn longest(ip: IpVersion) -> Bytes {
    match ip {
        IpVersion::V4 => Bytes(576),
        IpVersion::V6 => Bytes(1280),
    }
}

/// Length of the ICMP header (RFC 792, RFC 4443 §3.2).
const ICMP_HEADER: Bytes = Bytes(8);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Datagram, gtpu, ip};
    use crate::unit::FlowId;

    fn packet(ip: IpVersion, length: u64) -> Packet {
        let payload = Bytes(length) - ip.header() - Bytes(8);
        Packet {
            id: PacketId(4),
            flow: FlowId(9),
            source: HostId(1),
            destination: HostId(2),
            ports: (80, 5001),
            ip,
            tos: 0,
            dont_fragment: true,
            length: Bytes(length),
            tunnel: None,
            body: Body::Datagram(Datagram { number: 0, payload }),
            ledger: Ledger::start(Instant::ZERO),
        }
    }

    fn reply(refused: &Packet, mtu: u64) -> Option<Packet> {
        too_big_reply(refused, Bytes(mtu), HostId(30), PacketId(5), Instant::ZERO)
    }

    fn answer(packet: &Packet) -> TooBig {
        match packet.body {
            Body::TooBig(answer) => answer,
            ref other => panic!("not an answer: {other:?}"),
        }
    }

    /// RFC 1191 §4, RFC 1812 §4.3.2.3: to the sender, with the MTU, in at most 576 bytes.
    #[test]
    fn the_sender_is_told_the_mtu() {
        let reply = reply(&packet(IpVersion::V4, 1500), 1400).expect("an answer");
        assert_eq!((reply.source, reply.destination), (HostId(30), HostId(1)));
        assert_eq!((reply.flow, reply.ports), (FlowId(9), (5001, 80)));
        assert_eq!(reply.length, Bytes(576));
        assert_eq!(answer(&reply), TooBig { mtu: Bytes(1400), refused: Bytes(1500) });
    }

    /// RFC 4443 §2.4 (c): up to the minimum MTU of IPv6.
    #[test]
    fn the_answer_quotes_what_fits() {
        let lengths = [1300, 1200]
            .map(|length| reply(&packet(IpVersion::V6, length), 1100).expect("an answer").length.0);
        assert_eq!(lengths, [1280, 1248]);
        let short = reply(&packet(IpVersion::V4, 200), 100).expect("an answer");
        assert_eq!(short.length, Bytes(228));
    }

    /// RFC 2003 §5.1: the user's host has to leave space for the tunnel.
    #[test]
    fn the_answer_leaves_room_for_the_tunnel() {
        let mut refused = packet(IpVersion::V4, 1500);
        gtpu::encapsulate(gtpu::Config::default(), &mut refused);
        let reply = reply(&refused, 1500).expect("an answer");
        assert_eq!(answer(&reply), TooBig { mtu: Bytes(1464), refused: Bytes(1500) });
    }

    /// RFC 1122 §3.2.2: never about an ICMP error, nor about a fragment other than the first.
    #[test]
    fn some_packets_get_no_answer() {
        let error = reply(&packet(IpVersion::V4, 1500), 1400).expect("an answer");
        assert!(reply(&error, 100).is_none());
        let fragments = ip::fragment(Box::new(packet(IpVersion::V6, 3000)), Bytes(1500));
        let answered: Vec<_> = fragments.map(|piece| reply(&piece, 1280).is_some()).collect();
        assert_eq!(answered, [true, false, false]);
    }
}
