//! Properties of every link, every tunnel and every division of packets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use uplane::net::QueueLimit;
use uplane::net::gtpu::{self, Cipher, Egress, Esp, egress};
use uplane::net::link::{self, Link, Loss, RateStep, Reordering, StepRate, Trace, Varying};
use uplane::net::queue::{Aqm, codel, dual_pi2, fq_codel, red, step};
use uplane::net::{
    Body, Cause, Datagram, DropCause, Framing, IpVersion, Ledger, Packet, Tally, ip,
};
use uplane::sim::{Agenda, EntityId, Outbox, Streams, Wake, World, run};
use uplane::unit::{Bitrate, Bytes, Duration, FlowId, HostId, Instant, PacketId, Probability};

fn nanos(nanos: u64) -> Instant {
    Instant::from_nanos(nanos)
}

fn packet(id: u64, version: IpVersion, length: u64, start: Instant) -> Box<Packet> {
    let payload = Bytes(length) - version.header() - Bytes(8);
    Box::new(Packet {
        id: PacketId(id),
        flow: FlowId(0),
        source: HostId(1),
        destination: HostId(2),
        ports: (5000, 5001),
        ip: version,
        tos: (id % 4) as u8,
        dont_fragment: version == IpVersion::V6,
        length: Bytes(length),
        tunnel: None,
        body: Body::Datagram(Datagram { number: id, payload }),
        ledger: Ledger::start(start),
    })
}

fn versions() -> impl Strategy<Value = IpVersion> {
    select(vec![IpVersion::V4, IpVersion::V6])
}

fn queues() -> impl Strategy<Value = QueueLimit> {
    prop_oneof![
        Just(QueueLimit::Unlimited),
        (0_u64..20_000).prop_map(|limit| QueueLimit::Bytes(Bytes(limit))),
        (0_u64..12).prop_map(QueueLimit::Packets),
    ]
}

fn framings() -> impl Strategy<Value = Framing> {
    prop_oneof![
        Just(Framing::None),
        Just(Framing::Ethernet),
        Just(Framing::EthernetVlan),
        Just(Framing::Ppp),
    ]
}

fn losses() -> impl Strategy<Value = Loss> {
    let probability = || prop_oneof![3 => Just(0.0), 1 => 0.0..0.3];
    (probability(), probability(), probability()).prop_map(|(packet, frame, byte)| {
        let new = |value| Probability::new(value).expect("below one");
        Loss {
            per_packet: new(packet),
            per_frame: new(frame),
            per_byte: new(byte / 500.0),
            bursts: None,
        }
    })
}

fn managements() -> impl Strategy<Value = Option<Aqm>> {
    let times = (0_u64..20_000_000, 1_u64..200_000_000, any::<bool>());
    let codel = times.prop_map(|(target, interval, ecn)| codel::Config {
        target: Duration::from_nanos(target),
        interval: Duration::from_nanos(interval),
        ecn,
    });
    let fq_codel = (1_u64..4000, 1_u32..6).prop_map(|(quantum, flows)| fq_codel::Config {
        quantum: Bytes(quantum),
        flows,
        target: Duration::from_nanos(1),
        ..fq_codel::Config::default()
    });
    let red = (1_u32..5, 1_u32..5).prop_map(|(least, more)| red::Config {
        min_threshold: least,
        max_threshold: least + more,
        weight: Probability::new(0.3).expect("a weight"),
        ..red::Config::default()
    });
    prop::option::of(prop_oneof![
        codel.prop_map(Aqm::Codel),
        fq_codel.prop_map(Aqm::FqCodel),
        red.prop_map(Aqm::Red),
        (1_u64..20_000).prop_map(|target| Aqm::DualPi2(dual_pi2::Config {
            target: Duration::from_micros(target),
            rtt_max: Duration::from_millis(1),
            ..dual_pi2::Config::default()
        })),
        Just(Aqm::Step(step::Config { threshold: Duration::from_micros(1), ect0: true })),
    ])
}

fn capacities() -> impl Strategy<Value = Option<Varying>> {
    let gaps = prop::collection::vec(0_u64..4, 1..9);
    let trace = gaps.prop_filter_map("no time", |gaps| {
        let mut now = 0;
        let ascending = gaps.iter().map(|gap| {
            now += gap;
            now
        });
        Trace::new(ascending.collect()).map(Varying::Opportunities)
    });
    let rate = || prop_oneof![1 => Just(0), 4 => 1_000_u64..100_000_000];
    let steps = prop::collection::vec((1_u64..5, rate()), 1..6).prop_map(|mut steps| {
        // An outage ends.
        steps.push((1, 1_000_000));
        let mut at = Duration::ZERO;
        let step = |(gap, rate): (u64, u64)| {
            let step = RateStep { at, rate: StepRate(Bitrate::from_bps(rate)) };
            at += Duration::from_millis(gap);
            step
        };
        Varying::Rates(steps.into_iter().map(step).collect())
    });
    prop::option::weighted(0.3, prop_oneof![trace, steps])
}

fn links() -> impl Strategy<Value = link::Config> {
    let queues = || (queues(), managements());
    let late = (0.0..1.0, 0_u64..5_000_000).prop_map(|(probability, delay)| Reordering {
        probability: Probability::new(probability).expect("a probability"),
        delay: Duration::from_nanos(delay),
    });
    let late = prop::option::weighted(0.2, late);
    let rate = (prop::option::of(1_000_u64..1_000_000_000), capacities());
    let losses = || (losses(), late);
    let times = (0_u64..2_000_000, prop_oneof![Just(0), 0_u64..100_000]);
    (rate, times, 68_u64..3000, queues(), losses(), framings(), any::<bool>()).prop_map(
        |(
            (rate, varying),
            (delay, processing),
            mtu,
            (queue, aqm),
            (loss, reordering),
            framing,
            icmp,
        )| link::Config {
            rate: rate.and_then(Bitrate::from_bps),
            varying: varying.map(Arc::new),
            reordering,
            delay: Duration::from_nanos(delay),
            mtu: Bytes(mtu),
            queue,
            aqm,
            loss,
            framing,
            processing: Duration::from_nanos(processing),
            icmp,
        },
    )
}

fn tunnels() -> impl Strategy<Value = gtpu::Config> {
    let ciphers = select(vec![Cipher::AesGcm, Cipher::AesCbcHmacSha1, Cipher::AesCbcHmacSha256]);
    let esp = prop::option::of((versions(), ciphers).prop_map(|(ip, cipher)| Esp { ip, cipher }));
    (versions(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.2), esp).prop_map(
        |(ip, sequence_numbers, pdu_session_container, dont_fragment, esp)| gtpu::Config {
            ip,
            sequence_numbers,
            pdu_session_container,
            dont_fragment,
            esp,
        },
    )
}

/// Gaps between packets in nanoseconds, with many at the same instant, and lengths.
fn arrivals(max_packets: usize) -> impl Strategy<Value = Vec<(u64, u64)>> {
    let gap = prop_oneof![1 => Just(0), 3 => 0_u64..3_000_000];
    prop::collection::vec((gap, 48_u64..4000), 1..max_packets)
}

/// The arriving packets, by time.
fn packets(arrivals: &[(u64, u64)], version: IpVersion) -> Vec<(Instant, Box<Packet>)> {
    let mut now = 0;
    let packet_at = |(id, &(gap, length)): (usize, &(u64, u64))| {
        now += gap;
        (nanos(now), packet(id as u64, version, length.max(60), nanos(now)))
    };
    arrivals.iter().enumerate().map(packet_at).collect()
}

/// Output of a place: time and effect.
enum Out {
    Delivered(Box<Packet>),
    Dropped(Box<Packet>, DropCause),
}

impl From<link::Effect> for Out {
    fn from(effect: link::Effect) -> Self {
        match effect {
            link::Effect::Deliver(packet) => Self::Delivered(packet),
            link::Effect::Drop(packet, cause) => Self::Dropped(packet, cause),
            link::Effect::TooBig { refused, .. } => Self::Dropped(refused, DropCause::TooBig),
        }
    }
}

impl From<egress::Effect> for Out {
    fn from(effect: egress::Effect) -> Self {
        match effect {
            egress::Effect::Deliver(packet) => Self::Delivered(packet),
            egress::Effect::Drop(packet, cause) => Self::Dropped(packet, cause),
        }
    }
}

impl From<ip::Effect> for Out {
    fn from(effect: ip::Effect) -> Self {
        match effect {
            ip::Effect::Deliver(packet) => Self::Delivered(packet),
            ip::Effect::Drop(packet, cause) => Self::Dropped(packet, cause),
        }
    }
}

/// A host, a first link, a tunnel over two more links, and a reassembling host.
struct Path {
    input: std::vec::IntoIter<(Instant, Box<Packet>)>,
    links: Vec<Link>,
    tunnel: gtpu::Config,
    egress: Egress,
    host: ip::Reassembler,
    delivered: Vec<(Instant, Box<Packet>)>,
    /// Packet ids of all drops.
    dropped: BTreeSet<u64>,
}

const EGRESS: usize = 3;
const HOST: usize = 4;
const INPUT: usize = 5;

impl Path {
    fn next_input(&self) -> Option<Instant> {
        self.input.as_slice().first().map(|(time, _)| *time)
    }

    /// Calls the entity at `place`, with a packet or because it is due, and passes its effects on.
    fn call(&mut self, now: Instant, place: usize, packet: Option<Box<Packet>>, to: &mut Calls) {
        let effects = match place {
            EGRESS => {
                let mut out = Outbox::default();
                match packet {
                    Some(packet) => self.egress.on_packet(now, packet, &mut out),
                    None => self.egress.on_timer(now, &mut out),
                }
                to.collect(place, out)
            }
            HOST => {
                let mut out = Outbox::default();
                match packet {
                    Some(packet) => self.host.on_packet(now, packet, &mut out),
                    None => self.host.on_timer(now, &mut out),
                }
                to.collect(place, out)
            }
            _ => {
                let mut out = Outbox::default();
                match packet {
                    Some(packet) => self.links[place].on_packet(now, packet, &mut out),
                    None => self.links[place].on_timer(now, &mut out),
                }
                to.collect(place, out)
            }
        };
        for effect in effects {
            self.carry(now, place, effect, to);
        }
    }

    fn carry(&mut self, now: Instant, place: usize, effect: Out, to: &mut Calls) {
        match effect {
            Out::Dropped(packet, _) => {
                self.dropped.insert(packet.id.0);
            }
            Out::Delivered(packet) if place == HOST => self.delivered.push((now, packet)),
            Out::Delivered(mut packet) => {
                assert_eq!(packet.ledger.booked(), now, "a packet leaves when its ledger says so");
                if place == 0 {
                    gtpu::encapsulate(self.tunnel, &mut packet);
                }
                self.call(now, place + 1, Some(packet), to);
            }
        }
    }

    /// In = out + dropped + held, where held packets are counted and not computed.
    fn check_conservation(&self) {
        for link in &self.links {
            assert_eq!(link.tally().held(), link.held());
        }
        assert_eq!(self.egress.tally().held(), self.egress.held());
        assert_eq!(self.host.tally().held(), self.host.held());
    }

    fn tallies(&self) -> Vec<Tally> {
        let mut tallies: Vec<Tally> = self.links.iter().map(|link| *link.tally()).collect();
        tallies.extend([*self.egress.tally(), *self.host.tally()]);
        tallies
    }
}

/// Calls that the entities have asked for.
struct Calls<'a> {
    agenda: &'a mut Agenda,
    slots: Vec<EntityId>,
}

impl Calls<'_> {
    fn collect<E: Into<Out>>(&mut self, place: usize, mut out: Outbox<E>) -> Vec<Out> {
        match out.take_wake() {
            Wake::At(at) => self.agenda.arm(self.slots[place], at),
            Wake::Never => self.agenda.disarm(self.slots[place]),
            Wake::Unchanged => {}
        }
        out.drain().map(Into::into).collect()
    }
}

struct Simulation {
    path: Path,
    slots: Vec<EntityId>,
}

impl World for Simulation {
    fn on_due(&mut self, now: Instant, slot: EntityId, agenda: &mut Agenda) {
        let mut calls = Calls { agenda, slots: self.slots.clone() };
        if slot.index() == INPUT {
            let (_, packet) = self.path.input.next().expect("armed for a packet");
            if let Some(next) = self.path.next_input() {
                calls.agenda.arm(slot, next);
            }
            self.path.call(now, 0, Some(packet), &mut calls);
        } else {
            self.path.call(now, slot.index(), None, &mut calls);
        }
        self.path.check_conservation();
    }
}

fn simulate(
    input: Vec<(Instant, Box<Packet>)>,
    links: &[link::Config],
    tunnel: gtpu::Config,
    egress: egress::Config,
) -> Path {
    let streams = Streams::new(1);
    let open = |(number, config): (usize, &link::Config)| {
        Link::new(config, streams, &format!("link/{number}"))
    };
    let path = Path {
        input: input.into_iter(),
        links: links.iter().enumerate().map(open).collect(),
        tunnel,
        egress: Egress::new(egress),
        host: ip::Reassembler::new(ip::REASSEMBLY_TIMEOUT),
        delivered: Vec::new(),
        dropped: BTreeSet::new(),
    };
    let mut agenda = Agenda::default();
    let slots: Vec<EntityId> = (0..=INPUT).map(|_| agenda.add()).collect();
    agenda.arm(slots[INPUT], path.next_input().expect("at least one packet"));
    let mut simulation = Simulation { path, slots };
    run(&mut simulation, &mut agenda, Instant::FAR_FUTURE);
    simulation.path
}

/// Sends all packets over one link and returns its effects with their times; `check` sees the link
/// after each call.
fn over_link(
    config: &link::Config,
    input: Vec<(Instant, Box<Packet>)>,
    mut check: impl FnMut(&Link),
) -> Vec<(Instant, Out)> {
    let mut link = Link::new(config, Streams::new(1), "link/test");
    let mut out = Outbox::default();
    let mut seen = Vec::new();
    let mut due = None;
    let mut input = input.into_iter().peekable();
    loop {
        let next = input.peek().map(|(time, _)| *time);
        let Some(now) = [due, next].into_iter().flatten().min() else { break };
        if due == Some(now) {
            link.on_timer(now, &mut out);
        } else {
            let (_, packet) = input.next().expect("peeked");
            link.on_packet(now, packet, &mut out);
        }
        seen.extend(out.drain().map(|effect| (now, effect.into())));
        match out.take_wake() {
            Wake::At(at) => {
                assert!(at > now, "a link asks for a call in the past");
                due = Some(at);
            }
            Wake::Never => due = None,
            Wake::Unchanged => {}
        }
        check(&link);
    }
    seen
}

/// The obvious model of a first-in first-out link with tail drop: the arrival time of each packet.
fn expected_arrivals(
    config: &link::Config,
    input: &[(Instant, Box<Packet>)],
) -> Vec<(Instant, u64)> {
    let mut free = Instant::ZERO;
    let mut accepted: Vec<(Instant, Bytes)> = Vec::new();
    let mut arrivals = Vec::new();
    for (now, packet) in input {
        let waiting =
            || accepted.iter().filter(|(start, _)| start > now).map(|(_, length)| *length);
        let is_room = match config.queue {
            QueueLimit::Unlimited => true,
            QueueLimit::Bytes(limit) => waiting().sum::<Bytes>() + packet.length <= limit,
            QueueLimit::Packets(limit) => (waiting().count() as u64) < limit,
        };
        if free > *now && !is_room {
            continue;
        }
        let start = free.max(*now);
        let wire = config.framing.wire(packet.length);
        free = start + config.processing + config.rate.map_or(Duration::ZERO, |rate| wire / rate);
        accepted.push((start, packet.length));
        arrivals.push((free + config.delay, packet.id.0));
    }
    arrivals
}

/// Fields that identify a packet apart from its time.
fn identity(packet: &Packet) -> (PacketId, Bytes, Bytes, bool) {
    (packet.id, packet.length, packet.inner_length(), packet.tunnel.is_some())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// In = out + dropped + held, in packets and bytes, after every call of a link; and the tally
    /// agrees with the output.
    #[test]
    fn a_link_loses_nothing_unnoticed(config in links(), arrivals in arrivals(60), version in versions()) {
        let mut tally = Tally::default();
        let seen = over_link(&config, packets(&arrivals, version), |link| {
            assert_eq!(link.tally().held(), link.held());
            tally = *link.tally();
        });
        prop_assert_eq!(tally.held().packets, 0);
        let mut out = Tally::default();
        for (_, effect) in &seen {
            match effect {
                Out::Delivered(packet) => out.leave(packet.length),
                Out::Dropped(packet, cause) => out.drop(*cause, packet.length),
            }
        }
        prop_assert_eq!((out.left, out.dropped), (tally.left, tally.dropped));
    }

    /// Order, tail drop and departures, to the nanosecond, as in the obvious model.
    #[test]
    fn a_link_serves_first_in_first_out(config in links(), arrivals in arrivals(100)) {
        let config = link::Config {
            mtu: Bytes(4000),
            aqm: None,
            varying: None,
            reordering: None,
            loss: Loss::default(),
            ..config
        };
        let input = packets(&arrivals, IpVersion::V4);
        let expected = expected_arrivals(&config, &input);
        let seen: Vec<(Instant, u64)> = over_link(&config, input, |_| {})
            .into_iter()
            .filter_map(|(time, out)| match out {
                Out::Delivered(packet) => Some((time, packet.id.0)),
                Out::Dropped(..) => None,
            })
            .collect();
        prop_assert_eq!(seen, expected);
    }

    /// The causes of a packet sum to its time on the link, and it never arrives before it can.
    #[test]
    fn ledger_sums_to_the_time_on_the_link(config in links(), arrivals in arrivals(60)) {
        for (now, out) in over_link(&config, packets(&arrivals, IpVersion::V4), |_| {}) {
            let Out::Delivered(packet) = out else { continue };
            let ledger = &packet.ledger;
            let sum = ledger.entries().fold(Duration::ZERO, |sum, (_, span)| sum + span);
            prop_assert_eq!(sum, now - ledger.started());
            let late = ledger.spent(Cause::Propagation) - config.delay;
            prop_assert!(late.is_zero() || config.reordering.is_some_and(|it| it.delay == late));
            prop_assert_eq!(ledger.spent(Cause::Processing), config.processing);
        }
    }

    /// RFC 791 §3.2, RFC 8200 §4.5: fragments fit, all but the last have a multiple of 8 bytes,
    /// none is empty, and together they are the packet's payload without gap or overlap.
    #[test]
    fn fragments_are_legal(version in versions(), mtu in 68_u64..9000, excess in 1_u64..9000) {
        let length = mtu + excess;
        let whole = packet(0, version, length, Instant::ZERO);
        let mut end = Bytes::ZERO;
        let mut more = true;
        for (index, fragment) in ip::fragment(whole, Bytes(mtu)).enumerate() {
            let Body::Fragment(piece) = &fragment.body else { panic!("not a fragment") };
            prop_assert!(more, "a fragment after the last");
            prop_assert!(fragment.length <= Bytes(mtu));
            prop_assert_eq!(piece.offset, end);
            prop_assert!(!piece.payload.is_zero());
            prop_assert!(!piece.more || piece.payload.0 % 8 == 0);
            prop_assert_eq!(piece.whole.is_some(), index == 0);
            let header = if version == IpVersion::V6 { Bytes(48) } else { Bytes(20) };
            prop_assert_eq!(fragment.length, header + piece.payload);
            (end, more) = (end + piece.payload, piece.more);
        }
        prop_assert!(!more);
        prop_assert_eq!(end + version.header(), Bytes(length));
    }

    /// Fragmented, perhaps fragmented twice, shuffled, most of them repeated: one packet, equal to
    /// the original. (One fragment is not repeated. If all were, the packet would be, as from any
    /// IP stack.)
    #[test]
    fn reassembly_gives_the_same_packet_once(
        version in versions(),
        length in 60_u64..9000,
        mtus in (68_u64..3000, 68_u64..3000),
        copies in prop::collection::vec(1_usize..4, 200),
        once in any::<Index>(),
        seed in any::<u64>(),
    ) {
        let mut whole = packet(0, IpVersion::V4, length, Instant::ZERO);
        gtpu::encapsulate(gtpu::Config { ip: version, ..gtpu::Config::default() }, &mut whole);
        let expected = identity(&whole);
        let fragments: Vec<_> = ip::fragment(whole, Bytes(mtus.0))
            .flat_map(|fragment| ip::fragment(fragment, Bytes(mtus.1)))
            .collect();
        let once = once.index(fragments.len());
        let mut order: Vec<usize> = Vec::new();
        for index in 0..fragments.len() {
            let count = if index == once { 1 } else { copies[index % copies.len()] };
            order.extend(std::iter::repeat_n(index, count));
        }
        shuffle(&mut order, seed);
        let mut host = ip::Reassembler::new(ip::REASSEMBLY_TIMEOUT);
        let mut out = Outbox::default();
        let mut delivered = Vec::new();
        for (time, index) in order.into_iter().enumerate() {
            host.on_packet(nanos(time as u64), fragments[index].clone(), &mut out);
            prop_assert_eq!(host.tally().held(), host.held());
            delivered.extend(out.drain().filter_map(|effect| match effect {
                ip::Effect::Deliver(packet) => Some(packet),
                ip::Effect::Drop(..) => None,
            }));
        }
        prop_assert_eq!(delivered.iter().map(|packet| identity(packet)).collect::<Vec<_>>(), [expected]);
    }

    /// Without any one of its fragments there is no packet, and after the timeout nothing is left.
    #[test]
    fn a_lost_fragment_loses_the_packet(
        version in versions(),
        length in 3000_u64..9000,
        mtu in 68_u64..2900,
        lost in any::<Index>(),
        seed in any::<u64>(),
    ) {
        let mut fragments: Vec<_> =
            ip::fragment(packet(0, version, length, Instant::ZERO), Bytes(mtu)).collect();
        fragments.remove(lost.index(fragments.len()));
        let mut order: Vec<usize> = (0..fragments.len()).collect();
        shuffle(&mut order, seed);
        let mut host = ip::Reassembler::new(ip::REASSEMBLY_TIMEOUT);
        let mut out = Outbox::default();
        for index in order {
            host.on_packet(nanos(5), fragments[index].clone(), &mut out);
        }
        prop_assert!(out.is_empty());
        host.on_timer(nanos(5) + ip::REASSEMBLY_TIMEOUT, &mut out);
        let incomplete = out
            .drain()
            .filter(|effect| matches!(effect, ip::Effect::Drop(_, DropCause::Incomplete)))
            .count();
        prop_assert_eq!(incomplete, fragments.len());
        prop_assert_eq!(host.held().packets, 0);
    }

    /// Any path through a link, a tunnel over two links, and the end: conservation at each place
    /// after each event, each user's packet out once or dropped somewhere, unchanged, with all its
    /// time accounted for.
    #[test]
    fn a_path_with_a_tunnel_keeps_account(
        links in prop::collection::vec(links(), 3),
        tunnel in tunnels(),
        arrivals in arrivals(40),
        costs in (0_u64..50_000, 0_u64..50_000),
    ) {
        let input = packets(&arrivals, IpVersion::V4);
        let sent: BTreeMap<u64, _> =
            input.iter().map(|(_, packet)| (packet.id.0, identity(packet))).collect();
        let egress = egress::Config {
            per_fragment: Duration::from_nanos(costs.0),
            per_packet: Duration::from_nanos(costs.1),
            ..egress::Config::default()
        };
        let path = simulate(input, &links, tunnel, egress);
        let mut delivered = BTreeSet::new();
        for (now, packet) in &path.delivered {
            prop_assert!(delivered.insert(packet.id.0), "packet {} came twice", packet.id.0);
            prop_assert_eq!(identity(packet), sent[&packet.id.0]);
            prop_assert_eq!(packet.ledger.total(), *now - packet.ledger.started());
        }
        prop_assert!(delivered.is_disjoint(&path.dropped));
        prop_assert_eq!(delivered.len() + path.dropped.len(), sent.len());
        for tally in path.tallies() {
            prop_assert_eq!(tally.held().packets, 0);
        }
    }
}

/// Fragmented on the first link, and each fragment in the tunnel: 3 fragments of at most 1000
/// bytes, with 36 bytes around each, are 2 + 2 + 2 on links of 600 bytes, and all are reassembled.
#[test]
fn fragments_of_fragments_are_reassembled() {
    let mtus = [1000, 600, 600].map(|mtu| link::Config {
        mtu: Bytes(mtu),
        delay: Duration::from_millis(1),
        ..link::Config::default()
    });
    let input = packets(&[(0, 2900)], IpVersion::V4);
    let path = simulate(input, &mtus, gtpu::Config::default(), egress::Config::default());
    let counted: Vec<u64> = path.tallies().iter().map(|tally| tally.entered.packets).collect();
    assert_eq!(counted, [3, 6, 6, 6, 3]);
    let (arrived, packet) = &path.delivered[0];
    assert_eq!((*arrived, packet.length), (nanos(3_000_000), Bytes(2900)));
}

/// Shuffle of Fisher and Yates.
fn shuffle(order: &mut [usize], seed: u64) {
    let mut stream = Streams::new(seed).open("test", "order");
    for last in (1..order.len()).rev() {
        order.swap(last, stream.below(last as u64 + 1) as usize);
    }
}
