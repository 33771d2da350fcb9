//! A gateway that rewrites the maximum segment size of passing connections, so that no segment has
//! to be fragmented.
//!
//! In: any packet. Out: the packet; in a SYN the option is at most the limit.
//!
//! Left out: adding the option to a SYN without one. Its sender assumes 536 bytes (RFC 9293
//! §3.7.1), which fit everywhere.

use super::packet::{Body, IpVersion, Packet};
use super::segment::Flags;
use crate::unit::Bytes;

/// Returns the segment size that fills packets of length `mtu`: without IP and TCP header,
/// regardless of the segments' options (RFC 9293 §3.7.1, RFC 6691 §2).
pub fn mss_for(mtu: Bytes, ip: IpVersion) -> u16 {
    let room = mtu.saturating_sub(ip.header() + TCP_HEADER).0;
    u16::try_from(room).unwrap_or(u16::MAX)
}

/// Lowers the maximum segment size of a SYN to `limit`. Returns `true` if it was higher.
pub fn clamp(packet: &mut Packet, limit: u16) -> bool {
    let Body::Tcp(segment) = &mut packet.body else { return false };
    match segment.mss {
        Some(mss) if mss > limit && segment.flags.contains(Flags::SYN) => {
            segment.mss = Some(limit);
            true
        }
        _ => false,
    }
}

/// Length of the TCP header without options (RFC 9293 §3.1).
const TCP_HEADER: Bytes = Bytes(20);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Ledger, Segment};
    use crate::unit::{FlowId, HostId, Instant, PacketId};

    fn packet(flags: Flags, mss: Option<u16>) -> Packet {
        Packet {
            id: PacketId(0),
            flow: FlowId(0),
            source: HostId(0),
            destination: HostId(1),
            ports: (5000, 80),
            ip: IpVersion::V4,
            tos: 0,
            dont_fragment: true,
            length: Bytes(44),
            tunnel: None,
            body: Body::Tcp(Segment { flags, mss, ..Segment::default() }),
            ledger: Ledger::start(Instant::ZERO),
        }
    }

    fn clamped(flags: Flags, mss: Option<u16>) -> (bool, Option<u16>) {
        let mut packet = packet(flags, mss);
        let changed = clamp(&mut packet, 1424);
        (changed, packet.segment().and_then(|segment| segment.mss))
    }

    /// RFC 9293 §3.7.1: only SYN segments have the option.
    #[test]
    fn both_syns_of_a_handshake_are_lowered_and_never_raised() {
        let syn_ack = Flags::SYN.with(Flags::ACK);
        assert_eq!(clamped(Flags::SYN, Some(1460)), (true, Some(1424)));
        assert_eq!(clamped(syn_ack, Some(1460)), (true, Some(1424)));
        assert_eq!(clamped(Flags::SYN, Some(1424)), (false, Some(1424)));
        assert_eq!(clamped(Flags::SYN, Some(536)), (false, Some(536)));
        assert_eq!(clamped(Flags::SYN, None), (false, None));
        assert_eq!(clamped(Flags::ACK, Some(1460)), (false, Some(1460)));
    }

    /// RFC 6691 §2: the fixed headers only.
    #[test]
    fn the_segment_size_is_the_mtu_without_fixed_headers() {
        assert_eq!(mss_for(Bytes(1500), IpVersion::V4), 1460);
        assert_eq!(mss_for(Bytes(1500), IpVersion::V6), 1440);
        assert_eq!(mss_for(Bytes(1280), IpVersion::V6), 1220);
        assert_eq!(mss_for(Bytes(30), IpVersion::V4), 0);
        assert_eq!(mss_for(Bytes(1 << 20), IpVersion::V4), u16::MAX);
    }
}
