use super::*;
use crate::net::{Datagram, SackBlocks, Segment, SequenceNumber, Timestamps};
use crate::ran::rlc;

fn at(millis: u64) -> Instant {
    Instant::from_nanos(millis * 1_000_000)
}

fn packet(flow: u32, header: u64, body: Body) -> Box<Packet> {
    let mut packet =
        Packet { flow: FlowId(flow), ..Packet::plain(body, Bytes::ZERO, Instant::ZERO) };
    packet.length = packet.payload() + Bytes(header);
    Box::new(packet)
}

fn segment(flow: u32, payload: u64) -> Box<Packet> {
    let timestamps = Some(Timestamps::default());
    let segment = Segment { payload: Bytes(payload), timestamps, ..Segment::default() };
    let header = 20 + segment.header_length().0;
    packet(flow, header, Body::Tcp(segment))
}

fn datagram(payload: u64) -> Box<Packet> {
    let datagram = Datagram { number: 0, payload: Bytes(payload) };
    packet(9, 28, Body::Datagram(datagram))
}

fn bearer() -> Bearer {
    let config = rlc::Config::Um(rlc::um::Config::default());
    Bearer::new(config.clone(), config)
}

fn sizes(config: Config, packets: impl IntoIterator<Item = Box<Packet>>) -> Vec<u64> {
    let mut pdcp = Transmitter::new(config);
    packets.into_iter().map(|packet| pdcp.on_packet(Instant::ZERO, packet).size.0).collect()
}

/// TS 36.323 §6.2.3, §6.2.4, §6.2.9, §6.2.11
#[test]
fn headers_are_as_long_as_their_numbers_need() {
    let of =
        |sn_length| sizes(Config { sn_length, ..Config::default() }, [segment(0, 536)])[0] - 588;
    let lengths = [SnLength::Seven, SnLength::Twelve, SnLength::Fifteen, SnLength::Eighteen];
    assert_eq!(lengths.map(of), [1, 2, 2, 3]);
}

#[test]
fn a_flow_is_compressed_once_its_context_is_known() {
    let rohc = Rohc { tcp: Bytes(10), udp: Bytes(4), initial: 2 };
    let config = Config { rohc: Some(rohc), ..Config::default() };
    let packets = [
        segment(0, 0),
        segment(0, 0),
        segment(0, 0),
        segment(1, 0), // another flow has its own context
        segment(0, 536),
        datagram(172),
        datagram(172),
        datagram(172),
    ];
    assert_eq!(sizes(config, packets), [54, 54, 12, 54, 548, 202, 202, 178]);
}

#[test]
fn a_syn_is_not_compressed_and_sack_blocks_stay_as_they_are() {
    let rohc = Rohc { tcp: Bytes(10), udp: Bytes(4), initial: 0 };
    let config = Config { rohc: Some(rohc), ..Config::default() };
    let mut syn = segment(0, 0);
    let mut sack = segment(0, 0);
    if let (Body::Tcp(syn), Body::Tcp(sack)) = (&mut syn.body, &mut sack.body) {
        syn.flags = Flags::SYN;
        sack.sack = SackBlocks::default();
        sack.sack.push(SequenceNumber(1), SequenceNumber(2));
        sack.sack.push(SequenceNumber(3), SequenceNumber(4));
    }
    sack.length += Bytes(20);
    assert_eq!(sizes(config, [syn, sack]), [54, 2 + 10 + 16]);
}

/// TS 36.323 §5.4, TS 36.322 §5.3: a packet that is partly sent stays.
#[test]
fn old_packets_are_discarded_unless_a_byte_of_them_was_sent() {
    let discard_timer = Some(Duration::from_millis(50));
    let mut pdcp = Transmitter::new(Config { discard_timer, ..Config::default() });
    let (mut bearer, mut out) = (bearer(), Outbox::default());
    for (arrived, payload) in [(0, 100), (10, 200), (20, 300), (31, 400)] {
        let sdu = pdcp.on_packet(at(arrived), segment(0, payload));
        bearer.enqueue(Direction::Down, sdu).expect("no limit");
    }
    let _ = bearer.build(at(40), Direction::Down, Bytes(100)).expect("a segment of the first");
    assert_eq!(pdcp.next_discard(&bearer, Direction::Down), Some(at(60)));
    pdcp.discard(at(70), Direction::Down, &mut bearer, &mut out);
    let dropped: Vec<_> = (out.drain())
        .map(|effect| match effect {
            Effect::Drop(_, packet, cause) => (packet.payload().0, cause),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(dropped, [(200, DropCause::Late), (300, DropCause::Late)]);
    assert_eq!(bearer.buffer(Direction::Down).rest(), Bytes(154 - 98));
    assert_eq!(bearer.buffer_status(at(70), Direction::Down).new, Bytes(154 - 98 + 454));
    assert_eq!(pdcp.next_discard(&bearer, Direction::Down), Some(at(81)));
    assert_eq!(bearer.tally(Direction::Down).held(), bearer.held(Direction::Down));
}

#[test]
fn without_a_discard_timer_packets_wait_for_ever() {
    let mut pdcp = Transmitter::new(Config::default());
    let mut bearer = bearer();
    let sdu = pdcp.on_packet(at(0), segment(0, 100));
    bearer.enqueue(Direction::Up, sdu).expect("no limit");
    assert_eq!(pdcp.next_discard(&bearer, Direction::Up), None);
}

/// A header is a sequence number and at least one further bit (D/C), in whole bytes.
#[test]
fn a_header_is_its_number_and_a_bit_in_whole_bytes() {
    for (length, bits) in [
        (SnLength::Seven, 7),
        (SnLength::Twelve, 12),
        (SnLength::Fifteen, 15),
        (SnLength::Eighteen, 18),
    ] {
        assert_eq!(length.bits(), bits);
        assert_eq!(length.header().0, u64::from(bits + 1).div_ceil(8));
    }
    assert_eq!((SnLength::Uncounted.bits(), SnLength::Uncounted.header()), (0, Bytes::ZERO));
}

/// RFC 5795 with RFC 9001 §5.4: only the IP and UDP headers of a QUIC packet are compressed, 28
/// bytes to 4.
#[test]
fn headers_of_udp_alone_are_compressed_around_quic() {
    let rohc = Rohc { initial: 0, tcp: Bytes(6), udp: Bytes(4) };
    let contents = vec![0; 1200];
    let datagram = crate::net::QuicDatagram { contents, data: Bytes(1100) };
    let ledger = crate::net::Ledger::start(Instant::ZERO);
    let packet = Packet::of_quic(crate::net::IpVersion::V4, datagram, ledger);
    assert_eq!(packet.length, Bytes(1228));
    assert_eq!(rohc.saves(&packet), Bytes(24));
}
