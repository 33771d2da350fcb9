//! An IP packet under way.
//!
//! In: the packets that hosts send. Out: the same packets, possibly with a tunnel around them or in
//! fragments.
//!
//! A packet is a `Box` that exactly one entity holds at a time. It carries lengths and headers, and
//! payload bytes only for QUIC.
//!
//! Left out: addresses (host ids represent them), IP options, and the bits of the payload.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ledger::Ledger;
use super::segment::Segment;
use crate::unit::{Bytes, FlowId, HostId, Instant, PacketId};

/// One IP packet.
#[derive(Clone, Debug)]
pub struct Packet {
    /// Number of the packet in this run, shared by all its fragments.
    pub id: PacketId,
    /// The flow that the packet belongs to.
    pub flow: FlowId,
    /// The host that sent the packet.
    pub source: HostId,
    /// The host that the packet is for.
    pub destination: HostId,
    /// Source and destination port.
    pub ports: (u16, u16),
    /// Version of the packet's IP header, without tunnels.
    pub ip: IpVersion,
    /// Type of service, or traffic class.
    pub tos: u8,
    /// Routers must not fragment the packet. Always so in IPv6, regardless of this flag; see
    /// [`Packet::may_fragment`].
    pub dont_fragment: bool,
    /// Current length, with the IP header and all tunnel headers around it.
    pub length: Bytes,
    /// The tunnel around the packet.
    pub tunnel: Option<TunnelHeaders>,
    /// The contents of the packet.
    pub body: Body,
    /// The latency ledger of the packet.
    pub ledger: Ledger,
}

/// With the word that an allocator keeps before it, a packet takes four cache lines.
const _: () = assert!(size_of::<Packet>() <= 248);

/// The headers of a tunnel around a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TunnelHeaders {
    /// Number of bytes of headers, padding and trailers together, including those of IPsec around
    /// GTP-U.
    bytes: u32,
    /// Version of the outermost IP header.
    pub ip: IpVersion,
    /// The outermost packet must not be fragmented.
    pub dont_fragment: bool,
}

impl TunnelHeaders {
    /// Creates headers of this length. They take half as much memory in each packet as with a
    /// [`Bytes`] in them.
    pub const fn new(length: Bytes, ip: IpVersion, dont_fragment: bool) -> Self {
        Self { bytes: length.0 as u32, ip, dont_fragment }
    }

    /// Returns the length of the headers.
    pub const fn length(self) -> Bytes {
        Bytes(self.bytes as u64)
    }
}

/// The contents of an IP packet.
#[derive(Clone, Debug)]
pub enum Body {
    /// A TCP segment.
    Tcp(Segment),
    /// A UDP datagram.
    Datagram(Datagram),
    /// A UDP datagram of QUIC.
    Quic(QuicDatagram),
    /// An ICMP echo or its reply.
    Echo(Echo),
    /// ICMP: a router could not forward a packet that must not be cut (RFC 1191 §4, RFC 8201).
    TooBig(TooBig),
    /// A fragment of another packet.
    Fragment(Fragment),
}

/// A UDP datagram of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// Number within its flow.
    pub number: u64,
    /// Length of the UDP payload.
    pub payload: Bytes,
}

/// A UDP datagram of QUIC. It is produced by code that is used in production, so it contains its
/// bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuicDatagram {
    /// The bytes of the UDP payload.
    pub contents: Vec<u8>,
    /// Number of bytes of application data in the contents.
    pub data: Bytes,
}

/// An ICMP echo request or reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Echo {
    /// Number within its flow.
    pub number: u64,
    /// True for the reply, false for the request.
    pub reply: bool,
    /// Departure of the request.
    pub asked: Instant,
}

/// "Fragmentation needed", or "packet too big".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooBig {
    /// MTU of the link that refused the packet.
    pub mtu: Bytes,
    /// Length of the packet that was refused.
    pub refused: Bytes,
}

/// A fragment (RFC 791 §3.2): bytes `[offset, offset + length)` of the fragmented packet's payload.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Position of the fragment in the payload of the fragmented packet.
    pub offset: Bytes,
    /// Number of bytes of that payload in this fragment.
    pub payload: Bytes,
    /// True for all fragments but the last.
    pub more: bool,
    /// Number of the fragmented packet: all its fragments share this number, and no two packets
    /// with the same [`PacketId`] have the same number. It is not zero if the packet was a fragment
    /// itself, on its way through a tunnel.
    pub cut: u64,
    /// [`Packet::number`] of the fragmented packet.
    pub number: Option<u64>,
    /// The fragmented packet itself, which is carried by the first fragment.
    pub whole: Option<Box<Packet>>,
}

/// The version of an IP header.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "OuterIp")]
pub enum IpVersion {
    /// IPv4 (RFC 791), without options.
    #[default]
    V4,
    /// IPv6 (RFC 8200), without extension headers.
    V6,
}

impl IpVersion {
    /// Returns the length of the IP header.
    pub const fn header(self) -> Bytes {
        match self {
            Self::V4 => Bytes(20),
            Self::V6 => Bytes(40),
        }
    }

    /// Returns the minimum MTU of a link: RFC 791 §3.2 (68 bytes) and RFC 8200 §5 (1280 bytes).
    pub const fn minimum_mtu(self) -> Bytes {
        match self {
            Self::V4 => Bytes(68),
            Self::V6 => Bytes(1280),
        }
    }
}

impl Packet {
    /// Returns the number of a datagram or an echo within its flow, also for a fragment of one.
    pub fn number(&self) -> Option<u64> {
        match &self.body {
            Body::Datagram(datagram) => Some(datagram.number),
            Body::Echo(echo) => Some(echo.number),
            Body::Fragment(fragment) => fragment.number,
            Body::Tcp(_) | Body::Quic(_) | Body::TooBig(_) => None,
        }
    }

    /// Returns an IPv4 packet from host 0 to host 1 in flow 0 whose ledger begins now: defaults for
    /// a struct update with `..`.
    pub fn plain(body: Body, length: Bytes, now: Instant) -> Self {
        Self {
            id: PacketId(0),
            flow: FlowId(0),
            source: HostId(0),
            destination: HostId(1),
            ports: (1, 2),
            ip: IpVersion::V4,
            tos: 0,
            dont_fragment: false,
            length,
            tunnel: None,
            body,
            ledger: Ledger::start(now),
        }
    }

    /// Creates a packet from a TCP segment. The host sets addresses, ports and markings.
    pub fn of_segment(ip: IpVersion, segment: Segment, ledger: Ledger) -> Box<Self> {
        // Allocate first: `Box::new` would copy the packet into the box.
        let place = Box::new_uninit();
        let packet = Self {
            id: PacketId(0),
            flow: FlowId(0),
            source: HostId(0),
            destination: HostId(0),
            ports: (0, 0),
            ip,
            tos: 0,
            dont_fragment: false,
            length: ip.header() + segment.header_length() + segment.payload,
            tunnel: None,
            body: Body::Tcp(segment),
            ledger,
        };
        Box::write(place, packet)
    }

    /// Creates a packet from a QUIC datagram, which must not be fragmented (RFC 9000 §14). The host
    /// sets addresses, ports and class.
    pub fn of_quic(ip: IpVersion, datagram: QuicDatagram, ledger: Ledger) -> Box<Self> {
        let length = ip.header() + UDP_HEADER + Bytes(datagram.contents.len() as u64);
        let plain = Self::plain(Body::Quic(datagram), length, ledger.started());
        Box::new(Self { ip, dont_fragment: true, ledger, ..plain })
    }

    /// Returns `true` for a transport packet without application data: a TCP segment without
    /// payload, or a QUIC datagram without data.
    pub fn is_without_data(&self) -> bool {
        match &self.body {
            Body::Quic(datagram) => datagram.data.is_zero(),
            _ => self.is_bare_segment(),
        }
    }

    /// Returns `true` for a TCP segment without payload: an acknowledgement, or a segment that
    /// opens or closes a connection.
    pub fn is_bare_segment(&self) -> bool {
        self.segment().is_some_and(|segment| segment.payload.is_zero())
    }

    /// Returns the TCP segment inside, if there is one.
    pub fn segment(&self) -> Option<&Segment> {
        match &self.body {
            Body::Tcp(segment) => Some(segment),
            _ => None,
        }
    }

    /// Returns the length of the user's IP packet, without tunnels around it.
    pub fn inner_length(&self) -> Bytes {
        self.length - self.tunnel.map_or(Bytes::ZERO, TunnelHeaders::length)
    }

    /// Returns the version of the outermost IP header, which is the one that routers see.
    pub fn outer_ip(&self) -> IpVersion {
        self.tunnel.map_or(self.ip, |tunnel| tunnel.ip)
    }

    /// Returns `true` if the packet may be fragmented on its way: an IPv4 packet without the "don't
    /// fragment" flag (RFC 791 §3.2), or a tunnel's packet whose flag is off. In IPv6 only the
    /// source fragments (RFC 8200 §4.5). The source of a tunnel's packet is its ingress, which is
    /// assumed to know the MTU of the path.
    pub fn may_fragment(&self) -> bool {
        match (self.tunnel, &self.body, self.ip) {
            (Some(tunnel), ..) => !tunnel.dont_fragment,
            (None, Body::Fragment(_), _) | (None, _, IpVersion::V4) => !self.dont_fragment,
            (None, _, IpVersion::V6) => false,
        }
    }

    /// Returns the user's whole packet, if it is in here: the packet itself, or the one that this
    /// fragment carries.
    pub fn carried(&self) -> Option<&Self> {
        match &self.body {
            Body::Fragment(fragment) => fragment.whole.as_deref()?.carried(),
            _ => Some(self),
        }
    }

    /// Returns the number of bytes of applications and transports in the packet: the length without
    /// IP and transport headers.
    #[inline(always)]
    pub fn payload(&self) -> Bytes {
        match &self.body {
            Body::Tcp(segment) => segment.payload,
            Body::Datagram(datagram) => datagram.payload,
            Body::Quic(datagram) => datagram.data,
            Body::Echo(_) => self.inner_length() - self.ip.header() - ICMP_HEADER,
            Body::TooBig(_) => Bytes::ZERO,
            Body::Fragment(fragment) => fragment.payload,
        }
    }
}

/// Length of the UDP header (RFC 768).
const UDP_HEADER: Bytes = Bytes(8);
/// Length of the ICMP header of an echo (RFC 792).
const ICMP_HEADER: Bytes = Bytes(8);

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 792, RFC 791, RFC 8200: an echo of 84 bytes has 56 bytes of data behind 20 bytes of IP
    /// and 8 of ICMP, and 36 behind the 40 bytes of IPv6.
    #[test]
    fn an_echo_carries_what_its_headers_leave() {
        let echo = Body::Echo(Echo { number: 0, reply: false, asked: Instant::ZERO });
        let mut packet = Packet::plain(echo, Bytes(84), Instant::ZERO);
        assert_eq!(packet.payload(), Bytes(56));
        packet.ip = IpVersion::V6;
        assert_eq!(packet.payload(), Bytes(36));
    }
}
