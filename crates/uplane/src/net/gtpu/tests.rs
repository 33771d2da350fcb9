use super::*;
use crate::net::{
    Body, Cause, Datagram, DropCause, Framing, Ledger, Link, Tally, ip, link, mss_clamp,
};
use crate::sim::{Outbox, Streams, Wake};
use crate::unit::{Duration, FlowId, HostId, Instant, PacketId};

fn micros(micros: u64) -> Instant {
    Instant::ZERO + Duration::from_micros(micros)
}

fn user_packet(length: u64) -> Box<Packet> {
    Box::new(Packet {
        id: PacketId(0),
        flow: FlowId(0),
        source: HostId(1),
        destination: HostId(2),
        ports: (80, 5001),
        ip: IpVersion::V4,
        tos: 0,
        dont_fragment: true,
        length: Bytes(length),
        tunnel: None,
        body: Body::Datagram(Datagram { number: 0, payload: Bytes(length - 28) }),
        ledger: Ledger::start(Instant::ZERO),
    })
}

/// S1-U over IPv4: 36 bytes of headers.
const S1: Config = Config {
    ip: IpVersion::V4,
    sequence_numbers: false,
    pdu_session_container: false,
    dont_fragment: false,
    esp: None,
};
const N3: Config = Config { pdu_session_container: true, ..S1 };

/// Sends a user's packet in the tunnel `config` over one Ethernet link of MTU 1500, and returns the
/// counts of the link.
fn over_ethernet(config: Config, inner: u64) -> Tally {
    let framing = Framing::Ethernet;
    let config_of_link = link::Config { framing, ..link::Config::default() };
    let mut link = Link::new(&config_of_link, Streams::new(1), "link/test");
    let mut out = Outbox::default();
    let mut packet = user_packet(inner);
    encapsulate(config, &mut packet);
    link.on_packet(Instant::ZERO, packet, &mut out);
    *link.tally()
}

/// TS 29.281 §5.1, §5.2.2.7: 8 bytes, 12 with sequence numbers, 16 with the container. Sequence
/// numbers use the optional bytes that the container needs anyway.
#[test]
fn headers_are_those_of_the_interface() {
    let numbered = Config { sequence_numbers: true, ..S1 };
    let both = Config { sequence_numbers: true, ..N3 };
    let over_ipv6 = Config { ip: IpVersion::V6, ..N3 };
    let lengths = [S1, numbered, N3, both, over_ipv6].map(|config| overhead(config, Bytes(1000)).0);
    assert_eq!(lengths, [36, 40, 44, 44, 64]);
}

/// RFC 4303 §2: 20 + 8 + 8 + 1036 + 2 + 2 (padding) + 16, and for AES-CBC 20 + 8 + 16 + 1036 + 2 +
/// 2 (padding) + 12.
#[test]
fn ipsec_adds_headers_vector_padding_trailer_and_check_value() {
    let with = |cipher| Config { esp: Some(Esp { ip: IpVersion::V4, cipher }), ..S1 };
    assert_eq!(overhead(with(Cipher::AesGcm), Bytes(1000)), Bytes(36 + 56));
    assert_eq!(overhead(with(Cipher::AesCbcHmacSha1), Bytes(1000)), Bytes(36 + 60));
    assert_eq!(overhead(with(Cipher::AesCbcHmacSha256), Bytes(1000)), Bytes(36 + 64));
}

/// RFC 4303 §2.4: AES-GCM adds 54 to 57 bytes over IPv4, AES-CBC with HMAC-SHA1-96 58 to 73.
#[test]
fn ipsec_padding_depends_on_the_length() {
    let range = |cipher| {
        let esp = Esp { ip: IpVersion::V4, cipher };
        let lengths: Vec<u64> =
            (1000..1064).map(|protected| esp.overhead(Bytes(protected)).0).collect();
        (lengths.iter().min().copied(), lengths.iter().max().copied())
    };
    assert_eq!(range(Cipher::AesGcm), (Some(54), Some(57)));
    assert_eq!(range(Cipher::AesCbcHmacSha1), (Some(58), Some(73)));
}

/// TS 23.501 annex J: a link MTU of 1358 bytes for the user avoids fragments on a transport MTU of
/// 1500 in its worst case, GTP-U with an extension header over IPv6 in an IPsec tunnel over IPv6.
/// That is exactly AES-CBC with HMAC-SHA1-96: 1500 − 40 − 8 − 16 − 12 = 89 blocks, less 2 + 64.
#[test]
fn the_worst_case_of_the_5g_system_leaves_1358_bytes() {
    let esp = Some(Esp { ip: IpVersion::V6, cipher: Cipher::AesCbcHmacSha1 });
    let worst = Config { ip: IpVersion::V6, esp, ..N3 };
    assert_eq!(largest_inner(worst, Bytes(1500)), Some(Bytes(1358)));
}

/// MTU 1500 less 36 bytes of headers.
#[test]
fn the_largest_packet_without_fragment_is_1464() {
    assert_eq!(largest_inner(S1, Bytes(1500)), Some(Bytes(1464)));
    assert_eq!(largest_inner(N3, Bytes(1500)), Some(Bytes(1456)));
    assert_eq!(largest_inner(S1, Bytes(35)), None);
    assert_eq!(over_ethernet(S1, 1464).entered.packets, 1);
    assert_eq!(over_ethernet(S1, 1465).entered.packets, 2);
}

#[test]
fn the_largest_packet_fits_and_one_byte_more_does_not() {
    let tunnels = [Cipher::AesGcm, Cipher::AesCbcHmacSha1, Cipher::AesCbcHmacSha256]
        .map(|cipher| Config { esp: Some(Esp { ip: IpVersion::V6, cipher }), ..N3 });
    for config in tunnels.into_iter().chain([S1, N3]) {
        for mtu in (256..2000).map(Bytes) {
            let inner = largest_inner(config, mtu).expect("256 bytes are enough for all headers");
            let outer = |inner| inner + overhead(config, inner);
            assert!(outer(inner) <= mtu && outer(inner + Bytes(1)) > mtu, "{config:?} {mtu}");
        }
    }
}

/// RFC 791 §3.2: 1536 bytes become 1500 + 56.
#[test]
fn a_full_user_packet_is_cut_into_1500_and_56_bytes() {
    let mut packet = user_packet(1500);
    encapsulate(S1, &mut packet);
    let lengths: Vec<_> = ip::fragment(packet, Bytes(1500)).map(|piece| piece.length.0).collect();
    assert_eq!(lengths, [1500, 56]);
}

/// Ethernet with 38 bytes a frame: 1316 + 38, 1464 + 38, 1500 + 38, and 1500 + 56 + 2 · 38.
#[test]
fn ethernet_bytes_for_each_user_packet() {
    let wire = [1280, 1428, 1464, 1500].map(|inner| over_ethernet(S1, inner).wire.0);
    assert_eq!(wire, [1354, 1502, 1538, 1632]);
}

/// The share of a backhaul that TCP can use, with 40 bytes of TCP/IP header: without timestamps, so
/// the payload is that of `mss_for`. Timestamps take 12 bytes more: 0.916, 0.918, 0.887.
#[test]
fn tcp_payload_for_each_ethernet_byte() {
    let share = |inner: u64, options: u16| {
        let payload = mss_clamp::mss_for(Bytes(inner), IpVersion::V4) - options;
        f64::from(payload) / over_ethernet(S1, inner).wire.0 as f64
    };
    let plain = [1428, 1464, 1500].map(|inner| format!("{:.4}", share(inner, 0)));
    let timestamps = [1280, 1428, 1464, 1500].map(|inner| format!("{:.3}", share(inner, 12)));
    assert_eq!(plain, ["0.9241", "0.9259", "0.8946"]);
    assert_eq!(timestamps, ["0.907", "0.916", "0.918", "0.887"]);
    // With a backhaul bottleneck 1428 wins by 3.3 %.
    assert_eq!(format!("{:.3}", share(1428, 0) / share(1500, 0)), "1.033");
}

/// Returns all effects of an end for a list of (microseconds, packet).
fn run(config: egress::Config, input: Vec<(u64, Box<Packet>)>) -> (Egress, Vec<(Instant, String)>) {
    let mut egress = Egress::new(config);
    let mut out = Outbox::default();
    let mut said = Vec::new();
    let mut wake = None;
    let mut input = input.into_iter().peekable();
    loop {
        let next = input.peek().map(|(time, _)| micros(*time));
        let Some(now) = [next, wake].into_iter().flatten().min() else { break };
        if next == Some(now) {
            let (_, packet) = input.next().expect("peeked");
            egress.on_packet(now, packet, &mut out);
        } else {
            egress.on_timer(now, &mut out);
        }
        for effect in out.drain() {
            said.push((now, name(effect, now)));
        }
        match out.take_wake() {
            Wake::At(at) => wake = Some(at),
            Wake::Never => wake = None,
            Wake::Unchanged => {}
        }
    }
    (egress, said)
}

fn name(effect: egress::Effect, now: Instant) -> String {
    match effect {
        egress::Effect::Deliver(packet) => {
            assert_eq!(packet.ledger.booked(), now);
            let spent = |cause| packet.ledger.spent(cause).as_nanos() / 1000;
            let (wait, work) = (spent(Cause::FragmentWait), spent(Cause::Processing));
            format!("{} B, waited {wait}, processed {work}", packet.length.0)
        }
        egress::Effect::Drop(_, DropCause::Incomplete) => "incomplete".to_string(),
        egress::Effect::Drop(_, cause) => panic!("unexpected drop: {cause:?}"),
    }
}

fn arriving(time: u64, mut packet: Box<Packet>) -> (u64, Box<Packet>) {
    packet.ledger = Ledger::start(micros(time));
    (time, packet)
}

fn tunnelled(length: u64) -> Box<Packet> {
    let mut packet = user_packet(length);
    encapsulate(S1, &mut packet);
    packet
}

#[test]
fn an_end_without_cost_takes_the_tunnel_off_at_once() {
    let (egress, said) = run(egress::Config::default(), vec![arriving(7, tunnelled(1400))]);
    assert_eq!(said, [(micros(7), "1400 B, waited 0, processed 0".to_string())]);
    assert_eq!(egress.tally().left.bytes, Bytes(1436));
}

/// One processor: the second packet waits for the first.
#[test]
fn packets_are_processed_one_after_another() {
    let per_packet = Duration::from_micros(10);
    let config = egress::Config { per_packet, ..egress::Config::default() };
    let input = vec![arriving(0, tunnelled(1400)), arriving(4, tunnelled(100))];
    let (_, said) = run(config, input);
    let expected = [(10, "1400 B, waited 0, processed 10"), (20, "100 B, waited 0, processed 16")]
        .map(|(time, text)| (micros(time), text.to_string()));
    assert_eq!(said, expected);
}

/// The first fragment is processed while it waits for the second; then the second fragment takes 3
/// µs and the packet 10 µs.
#[test]
fn each_fragment_costs_its_share() {
    let config = egress::Config {
        per_fragment: Duration::from_micros(3),
        per_packet: Duration::from_micros(10),
        ..egress::Config::default()
    };
    let fragments = ip::fragment(tunnelled(1500), Bytes(1500));
    let input = fragments.zip([0, 5]).map(|(piece, time)| arriving(time, piece)).collect();
    let (egress, said) = run(config, input);
    assert_eq!(said, [(micros(18), "1500 B, waited 5, processed 13".to_string())]);
    assert_eq!((egress.tally().left.packets, egress.tally().left.bytes), (2, Bytes(1556)));
}

/// RFC 8200 §4.5: after 60 s, even if nothing else arrives.
#[test]
fn an_incomplete_packet_is_given_up() {
    let mut fragments = ip::fragment(tunnelled(1500), Bytes(1500));
    let input = vec![arriving(5, fragments.next().expect("two fragments"))];
    let (egress, said) = run(egress::Config::default(), input);
    assert_eq!(said, [(micros(60_000_005), "incomplete".to_string())]);
    assert_eq!(egress.tally().dropped[DropCause::Incomplete as usize].bytes, Bytes(1500));
    assert_eq!(egress.held().packets, 0);
}

#[test]
#[should_panic(expected = "enters a tunnel inside a tunnel")]
fn a_tunnel_in_a_tunnel_is_a_bug_of_the_wiring() {
    let mut packet = tunnelled(100);
    encapsulate(S1, &mut packet);
}
