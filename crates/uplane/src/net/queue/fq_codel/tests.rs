use super::*;
use crate::net::queue::testing::{Arrival, Fate, PLAIN, at, drops, every, packet, serve, waits};
use crate::net::queue::{Aqm, Queue};
use crate::net::{IpVersion, TunnelHeaders};
use crate::sim::Streams;

const FQ: fn() -> Aqm = || Aqm::FqCodel(Config::default());

fn of_port(port: u16, arrivals: &[Arrival]) -> Vec<Arrival> {
    arrivals.iter().map(|it| Arrival { port, ..*it }).collect()
}

fn together(flows: &[Vec<Arrival>]) -> Vec<Arrival> {
    let mut all: Vec<_> = flows.concat();
    all.sort_by_key(|arrival| arrival.at);
    all
}

/// Returns the fates of one flow.
fn of(port: u16, arrivals: &[Arrival], fates: &[(Instant, Fate)]) -> Vec<(Instant, Fate)> {
    let both = arrivals.iter().zip(fates).filter(|(arrival, _)| arrival.port == port);
    both.map(|(_, fate)| *fate).collect()
}

/// RFC 8290 §1: a sparse flow (one packet of 200 bytes in 20 ms) beside a flow that sends at twice
/// the rate. The sparse flow waits at most for the packet that is being sent and for other new
/// queues, and has no losses.
#[test]
fn a_sparse_flow_does_not_wait_for_a_greedy_one() {
    let voice: Vec<_> =
        every(20_000, 500).iter().map(|it| Arrival { length: 200, ..*it }).collect();
    let all = together(&[of_port(2, &voice), of_port(1, &every(500, 20_000))]);
    let fates = serve(FQ(), QueueLimit::Unlimited, 1000, &all);
    let voice = of(2, &all, &fates);
    assert_eq!(drops(&voice, DropCause::Early), []);
    let longest = waits(&voice).into_iter().fold(0.0, f64::max);
    assert!(longest <= 1.0, "{longest} ms");
    let greedy = waits(&of(1, &all, &fates)).into_iter().fold(0.0, f64::max);
    assert!(greedy > 20.0, "{greedy} ms");
}

/// RFC 8290 §4.2: deficit round robin counts bytes, so three greedy flows with packets of 300, 1000
/// and 1500 bytes get a third of the link each. In any time all are served equally, up to a quantum
/// and a packet.
#[test]
fn greedy_flows_share_in_bytes_whatever_the_length_of_their_packets() {
    let lengths = [300, 1000, 1500];
    let flow = |number: usize| {
        let length = lengths[number];
        (0..6000)
            .map(|position| Arrival { at: at(position * length / 2), length, ..PLAIN })
            .map(|arrival| Arrival { port: number as u16, ..arrival })
            .collect::<Vec<_>>()
    };
    let all = together(&[flow(0), flow(1), flow(2)]);
    let fates = serve(FQ(), QueueLimit::Unlimited, 1000, &all);
    // While all three send: the shortest one lasts 900 ms.
    let sent = lengths.map(|length| {
        let is_sent = |it: &&(Instant, Fate)| {
            matches!(it.1, Fate::Sent(..)) && (at(100_000)..at(800_000)).contains(&it.0)
        };
        let fates = all.iter().zip(&fates).filter(|(arrival, _)| arrival.length == length);
        fates.map(|(_, fate)| fate).filter(is_sent).count() as u64 * length
    });
    for share in sent {
        // A quantum and a packet at each end of the window.
        assert!(share.abs_diff(700_000 / 3) < 2 * (1514 + 1500), "{sent:?}");
    }
}

/// RFC 8290 §5.2.4: a quantum of 1514 bytes is a packet of 1500 bytes with its hardware header, so
/// full flows send one packet each, in turn. If the quantum did not count the header, each flow
/// would save 14 bytes per round: it would send two packets at once in its first round, and after
/// each 107 rounds.
#[test]
fn a_quantum_is_one_full_frame() {
    let mut queue: Queue<Box<Packet>> =
        Queue::new(FQ(), QueueLimit::Unlimited, Streams::new(1).open("test", "aqm"));
    for number in 0..800 {
        let port = 1 + (number % 2) as u16;
        let arrival = Arrival { port, length: 1500, ..PLAIN };
        queue.enqueue(at(0), packet(number, arrival), Bytes::ZERO);
    }
    let sent: Vec<u16> =
        (0..400).map(|_| queue.dequeue(at(1)).expect("one of 800").ports.0).collect();
    assert!(sent.windows(2).all(|pair| pair[0] != pair[1]), "{sent:?}");
}

/// RFC 8290 §4.1: packets are dropped from the longest queue, not from that of the new packet: half
/// of it, at most 64 packets.
#[test]
fn an_overload_drops_from_the_head_of_the_longest_queue() {
    let mut queue: Queue<Box<Packet>> =
        Queue::new(FQ(), QueueLimit::Packets(200), Streams::new(1).open("test", "aqm"));
    for number in 0..199 {
        queue.enqueue(at(0), packet(number, Arrival { port: 1, ..PLAIN }), Bytes::ZERO);
    }
    queue.enqueue(at(0), packet(1000, Arrival { port: 2, ..PLAIN }), Bytes::ZERO);
    assert!(queue.take_dropped().is_none());
    queue.enqueue(at(0), packet(1001, Arrival { port: 2, ..PLAIN }), Bytes::ZERO);
    let (dropped, cause) = queue.take_dropped().expect("one too many");
    assert_eq!((dropped.id.0, cause), (0, DropCause::Queue));
    assert!(queue.take_dropped().is_none());
    assert_eq!(queue.waiting().packets, 200);
}

/// A router sees only the tunnel of a packet in a tunnel.
#[test]
fn the_packets_of_a_tunnel_are_one_flow() {
    let fq: FqCodel<Box<Packet>> = FqCodel::new(Config::default(), 7);
    let queues = |in_tunnel: bool| {
        let queue = |port: u16| {
            let mut packet = packet(0, Arrival { port, ..PLAIN });
            let headers = TunnelHeaders::new(Bytes(36), IpVersion::V4, false);
            packet.tunnel = in_tunnel.then_some(headers);
            fq.queue_of(&packet)
        };
        (0..1000).map(queue).collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(queues(true), 1);
    // 1000 flows in 1024 queues: 1024 · (1 − e^(−1000 / 1024)) = 638 are used.
    assert!((600..680).contains(&queues(false)), "{}", queues(false));
}

/// Two queues with the same seed hash alike; two with different seeds do not.
#[test]
fn which_flows_share_a_queue_is_drawn() {
    let queue = |perturbation| {
        let fq: FqCodel<Box<Packet>> = FqCodel::new(Config::default(), perturbation);
        (0..20).map(|port| fq.queue_of(&packet(0, Arrival { port, ..PLAIN }))).collect::<Vec<_>>()
    };
    assert_eq!(queue(1), queue(1));
    assert_ne!(queue(1), queue(2));
}

/// RFC 8290 §4.1.1: addresses distinguish flows as ports do. A thousand flows of as many hosts,
/// drawn to 1024 queues, are in 1024 · (1 − (1 − 1/1024)^1000) = 639 of them, with a deviation of
/// 11.
#[test]
fn flows_of_other_hosts_have_other_queues() {
    let fq: FqCodel<Box<Packet>> = FqCodel::new(Config::default(), 0x5bd1_e995_1234_9871);
    let queues: std::collections::BTreeSet<usize> = (0..1000)
        .map(|host| {
            let mut packet = packet(0, PLAIN);
            packet.destination = crate::unit::HostId(host);
            fq.queue_of(&packet)
        })
        .collect();
    assert!((639 - 45..639 + 45).contains(&queues.len()), "{}", queues.len());
}
