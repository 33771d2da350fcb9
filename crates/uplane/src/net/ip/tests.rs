use super::*;
use crate::net::{Cause, Datagram, DropCause, Ledger, TunnelHeaders};
use crate::sim::{Outbox, Wake};
use crate::unit::{FlowId, HostId, Instant, PacketId};

fn at(millis: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(millis)
}

fn packet(ip: IpVersion, length: u64) -> Box<Packet> {
    let payload = Bytes(length) - ip.header() - Bytes(8);
    Box::new(Packet {
        id: PacketId(7),
        flow: FlowId(0),
        source: HostId(1),
        destination: HostId(2),
        ports: (5000, 5001),
        ip,
        tos: 0xb8,
        dont_fragment: ip == IpVersion::V6,
        length: Bytes(length),
        tunnel: None,
        body: Body::Datagram(Datagram { number: 3, payload }),
        ledger: Ledger::start(Instant::ZERO),
    })
}

fn tunnelled(ip: IpVersion, length: u64) -> Box<Packet> {
    let mut packet = packet(IpVersion::V4, length);
    let headers = ip.header() + Bytes(16);
    packet.length += headers;
    packet.tunnel = Some(TunnelHeaders::new(headers, ip, false));
    packet
}

fn lengths(packet: Box<Packet>, mtu: u64) -> Vec<u64> {
    fragment(packet, Bytes(mtu)).map(|fragment| fragment.length.0).collect()
}

/// Returns the offset in units of 8 bytes, the payload, and "more fragments" of each fragment, as
/// in the header.
fn headers(packet: Box<Packet>, mtu: u64) -> Vec<(u64, u64, bool)> {
    fragment(packet, Bytes(mtu))
        .map(|mut fragment| {
            let piece = fragment_of(&mut fragment);
            (piece.offset.0 / 8, piece.payload.0, piece.more)
        })
        .collect()
}

/// Effects of a reassembler: payloads of complete packets, and causes of drops.
#[derive(Debug, PartialEq)]
enum Said {
    Whole(Bytes),
    Dropped(DropCause),
}

fn said(out: &mut Outbox<Effect>) -> Vec<Said> {
    out.drain()
        .map(|effect| match effect {
            Effect::Deliver(packet) => Said::Whole(packet.payload()),
            Effect::Drop(_, cause) => Said::Dropped(cause),
        })
        .collect()
}

/// RFC 791 appendix A, example 2: 452 bytes of data over an MTU of 280 bytes.
#[test]
fn fragments_are_as_long_as_units_of_eight_bytes_allow() {
    assert_eq!(lengths(packet(IpVersion::V4, 472), 280), [276, 216]);
    assert_eq!(headers(packet(IpVersion::V4, 472), 280), [(0, 256, true), (32, 196, false)]);
    assert_eq!(lengths(packet(IpVersion::V4, 4472), 1500), [1500, 1500, 1500, 32]);
}

/// RFC 791 §3.2: only the data of fragments that are followed by others is in units of 8 bytes.
#[test]
fn the_last_fragment_may_fill_the_mtu() {
    assert_eq!(lengths(packet(IpVersion::V4, 20 + 1472 + 1479), 1499), [1492, 1499]);
    assert_eq!(lengths(packet(IpVersion::V4, 20 + 1472 + 1480), 1499), [1492, 1492, 28]);
}

/// RFC 791 §3.2: every internet module must forward 68 bytes.
#[test]
fn the_smallest_mtu_takes_48_bytes_a_fragment() {
    assert_eq!(lengths(packet(IpVersion::V4, 20 + 100), 68), [68, 68, 24]);
}

/// RFC 8200 §4.5: each fragment has the header and 8 bytes of fragment header.
#[test]
fn ipv6_fragments_have_48_bytes_of_headers() {
    assert_eq!(lengths(packet(IpVersion::V6, 40 + 2000), 1280), [1280, 48 + 768]);
    assert_eq!(lengths(packet(IpVersion::V6, 40 + 1241), 1280), [1280, 48 + 9]);
}

#[test]
fn a_packet_that_fits_stays_as_it_is() {
    let whole: Vec<_> = fragment(packet(IpVersion::V4, 1500), Bytes(1500)).collect();
    assert_eq!(whole.len(), 1);
    assert!(matches!(whole[0].body, Body::Datagram(_)));
}

/// RFC 791 §3.2: offsets count from the beginning of the first packet, and the flag is inherited.
#[test]
fn a_fragment_is_cut_into_fragments_of_the_same_packet() {
    let mut first = fragment(packet(IpVersion::V4, 20 + 2000), Bytes(1500));
    let front = first.next().expect("two fragments");
    let back = first.next().expect("two fragments");
    assert_eq!(headers(front, 820), [(0, 800, true), (100, 680, true)]);
    assert_eq!(headers(back, 420), [(185, 400, true), (235, 120, false)]);
}

/// RFC 791 §2.3, RFC 8200 §4.5: which nodes may fragment which packets.
#[test]
fn the_outermost_header_says_whether_a_packet_may_be_cut() {
    let mut held_together = packet(IpVersion::V4, 1500);
    held_together.dont_fragment = true;
    let mut in_tunnel = tunnelled(IpVersion::V4, 1500);
    in_tunnel.dont_fragment = true;
    assert!(packet(IpVersion::V4, 1500).may_fragment());
    assert!(!held_together.may_fragment());
    assert!(!packet(IpVersion::V6, 1500).may_fragment());
    assert!(in_tunnel.may_fragment());
    assert!(tunnelled(IpVersion::V6, 1500).may_fragment());
    if let Some(tunnel) = &mut in_tunnel.tunnel {
        tunnel.dont_fragment = true;
    }
    assert!(!in_tunnel.may_fragment());
}

/// RFC 8200 §4.5: routers do not fragment further what an IPv6 host has fragmented. Fragments from
/// a tunnel's ingress represent those that it would have cut shorter.
#[test]
fn fragments_inherit_whether_they_may_be_cut() {
    let of = |packet| fragment(packet, Bytes(1280)).map(|f| f.may_fragment()).collect::<Vec<_>>();
    assert_eq!(of(packet(IpVersion::V4, 1500)), [true, true]);
    assert_eq!(of(packet(IpVersion::V6, 1500)), [false, false]);
    assert_eq!(of(tunnelled(IpVersion::V6, 1500)), [true, true]);
}

/// RFC 815 §3: in any order, the packet is complete with the last missing byte.
#[test]
fn the_packet_is_whole_with_its_last_missing_fragment() {
    let mut reassembler = Reassembler::new(REASSEMBLY_TIMEOUT);
    let mut out = Outbox::default();
    let mut fragments: Vec<_> = fragment(packet(IpVersion::V4, 4472), Bytes(1500)).collect();
    fragments.swap(0, 3);
    for fragment in fragments.drain(..3) {
        reassembler.on_packet(at(5), fragment, &mut out);
        assert!(out.is_empty());
    }
    assert_eq!(out.take_wake(), Wake::At(at(60_005)));
    let mut last = fragments.pop().expect("one is left");
    last.ledger.charge(Cause::Propagation, at(9));
    reassembler.on_packet(at(9), last, &mut out);
    assert_eq!(out.take_wake(), Wake::Never);
    assert_eq!(said(&mut out), [Said::Whole(Bytes(4472 - 28))]);
    assert_eq!(reassembler.tally().left, reassembler.tally().entered);
}

/// The ledger of the packet is that of its first fragment, and then the wait for the others.
#[test]
fn the_wait_for_other_fragments_is_on_the_ledger() {
    let mut fragments = fragment(packet(IpVersion::V4, 2000), Bytes(1500));
    let mut front = fragments.next().expect("two fragments");
    front.ledger.charge(Cause::Propagation, at(4));
    let back = fragments.next().expect("two fragments");
    let mut reassembler = Reassembler::new(REASSEMBLY_TIMEOUT);
    let mut out = Outbox::default();
    reassembler.on_packet(at(4), front, &mut out);
    reassembler.on_packet(at(10), back, &mut out);
    let whole = match out.drain().next() {
        Some(Effect::Deliver(whole)) => whole,
        other => panic!("not whole: {other:?}"),
    };
    let entries: Vec<_> = whole.ledger.entries().collect();
    let spans = [Duration::from_millis(4), Duration::from_millis(6)];
    assert_eq!(entries, [(Cause::Propagation, spans[0]), (Cause::FragmentWait, spans[1])]);
}

/// RFC 8200 §4.5: 60 seconds after its first-arriving fragment an incomplete packet is given up.
/// RFC 3168 §5.3: one marked fragment marks the packet, whichever it is.
#[test]
fn a_mark_on_any_fragment_marks_the_packet() {
    let marked = |which: usize| {
        let (mut reassembler, mut out) = (Reassembler::new(REASSEMBLY_TIMEOUT), Outbox::default());
        let mut ect = packet(IpVersion::V4, 1500);
        ect.tos |= 2;
        for (number, mut fragment) in fragment(ect, Bytes(576)).enumerate() {
            if number == which {
                assert!(fragment.mark());
            }
            reassembler.on_packet(at(0), fragment, &mut out);
        }
        match out.take_next() {
            Some(Effect::Deliver(whole)) => whole.tos,
            other => panic!("not whole: {other:?}"),
        }
    };
    assert_eq!([0, 1, 2, 9].map(marked), [0xbb, 0xbb, 0xbb, 0xba]);
}

#[test]
fn a_packet_with_a_lost_fragment_is_given_up_after_the_timeout() {
    let mut reassembler = Reassembler::new(REASSEMBLY_TIMEOUT);
    let mut out = Outbox::default();
    let fragments = fragment(packet(IpVersion::V4, 4472), Bytes(1500));
    for (fragment, time) in fragments.skip(1).zip([10, 20, 30]) {
        reassembler.on_packet(at(time), fragment, &mut out);
    }
    reassembler.on_timer(at(60_009), &mut out);
    assert_eq!(said(&mut out), []);
    assert_eq!(reassembler.held().packets, 3);
    reassembler.on_timer(at(60_010), &mut out);
    assert_eq!(said(&mut out), [const { Said::Dropped(DropCause::Incomplete) }; 3]);
    assert_eq!(out.take_wake(), Wake::Never);
    assert_eq!(reassembler.tally().held(), reassembler.held());
}

/// RFC 815 §3: a fragment that is in no hole changes nothing.
#[test]
fn a_duplicate_of_a_fragment_is_dropped() {
    let mut reassembler = Reassembler::new(REASSEMBLY_TIMEOUT);
    let mut out = Outbox::default();
    let fragments: Vec<_> = fragment(packet(IpVersion::V4, 2000), Bytes(1500)).collect();
    for index in [1, 1, 0] {
        reassembler.on_packet(at(1), fragments[index].clone(), &mut out);
    }
    let expected = [Said::Dropped(DropCause::Duplicate), Said::Whole(Bytes(2000 - 28))];
    assert_eq!(said(&mut out), expected);
}

#[test]
fn a_packet_that_was_never_cut_passes_at_once() {
    let mut reassembler = Reassembler::new(REASSEMBLY_TIMEOUT);
    let mut out = Outbox::default();
    reassembler.on_packet(at(1), packet(IpVersion::V4, 1500), &mut out);
    assert_eq!(said(&mut out), [Said::Whole(Bytes(1500 - 28))]);
}

/// Two fragments of one packet, both fragmented again in a tunnel: the tunnel's fragments share
/// packet id and offsets, and must not be mixed up.
#[test]
fn fragments_of_different_fragments_are_not_mixed_up() {
    let mut reassembler = Reassembler::new(REASSEMBLY_TIMEOUT);
    let mut out = Outbox::default();
    let mut inner = Vec::new();
    for (index, mut piece) in fragment(packet(IpVersion::V4, 2900), Bytes(1500)).enumerate() {
        piece.length += Bytes(36);
        let (length, ip) = (Bytes(36), IpVersion::V4);
        piece.tunnel = Some(TunnelHeaders::new(length, ip, false));
        let outer: Vec<_> = fragment(piece, Bytes(1000)).collect();
        assert_eq!(outer.len(), 2, "fragment {index}");
        inner.push(outer);
    }
    // Halves of different fragments first: in their offsets they would make a packet.
    let order = [(0, 0), (1, 1), (1, 0), (0, 1)];
    for (fragment, half) in order {
        reassembler.on_packet(at(1), inner[fragment][half].clone(), &mut out);
    }
    let mut whole: Vec<Box<Packet>> = Vec::new();
    for effect in out.drain() {
        match effect {
            Effect::Deliver(packet) => whole.push(packet),
            Effect::Drop(_, cause) => panic!("dropped for {cause:?}"),
        }
    }
    let offsets: Vec<_> = whole.iter_mut().map(|packet| fragment_of(packet).offset).collect();
    assert_eq!(offsets, [Bytes(1480), Bytes(0)]);
    for mut piece in whole {
        piece.length -= Bytes(36);
        piece.tunnel = None;
        reassembler.on_packet(at(2), piece, &mut out);
    }
    assert_eq!(said(&mut out), [Said::Whole(Bytes(2900 - 28))]);
}

/// One of two fragments, fragmented again in a tunnel: its fragments are independent of the other
/// fragment.
#[test]
fn fragments_of_a_fragment_are_not_mixed_up_with_its_neighbour() {
    let mut reassembler = Reassembler::new(REASSEMBLY_TIMEOUT);
    let mut out = Outbox::default();
    let mut pieces = fragment(packet(IpVersion::V4, 2900), Bytes(1500));
    let (mut first, second) = (pieces.next().expect("two"), pieces.next().expect("two"));
    first.length += Bytes(36);
    let (length, ip) = (Bytes(36), IpVersion::V4);
    first.tunnel = Some(TunnelHeaders::new(length, ip, false));
    let halves: Vec<_> = fragment(first, Bytes(1000)).collect();
    for piece in [halves[0].clone(), second, halves[1].clone()] {
        reassembler.on_packet(at(1), piece, &mut out);
    }
    let Some(Effect::Deliver(mut first)) = out.take_next() else { panic!("the first fragment") };
    assert_eq!(fragment_of(&mut first).offset, Bytes(0));
    first.length -= Bytes(36);
    first.tunnel = None;
    reassembler.on_packet(at(2), first, &mut out);
    assert_eq!(said(&mut out), [Said::Whole(Bytes(2900 - 28))]);
}
