//! Rules of the router and of flow control, and drawn histories of two legs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::bearer_direction::{BearerDirection, Outcome};
use super::config::{Config, Paths};
use super::flow_control::{self, Meter, Status, View};
use super::leg::{Leg, PerLeg};
use super::router::Router;
use crate::net::{Body, Datagram, Direction, DropCause, Packet, PerDirection};
use crate::ran::pdcp::{Numbering, Reordering};
use crate::sim::{Stream, Streams};
use crate::unit::{Bytes, Duration, Instant, PacketId, Probability};

const FLOW: flow_control::Config = flow_control::Config {
    period: Duration::from_millis(5),
    desired_buffer: Duration::from_millis(20),
};

fn config(paths: Paths) -> Config {
    Config {
        host: Leg::Nr,
        x2_delay: Duration::from_millis(2),
        paths: PerDirection::both(paths),
        header: Bytes(3),
        buffer: None,
        reordering: Reordering {
            window: 1 << 17,
            t_reordering: Some(Duration::from_millis(30)),
            out_of_order: false,
            numbering: Numbering::AtArrival,
        },
        flow: FLOW,
    }
}

fn split(threshold: u64) -> Paths {
    Paths::Split { primary: Leg::Nr, threshold: Some(Bytes(threshold)) }
}

/// Returns a packet of 1000 bytes, whose PDU has 1003.
fn packet(number: u64) -> Box<Packet> {
    let body = Body::Datagram(Datagram { number, payload: Bytes(972) });
    let packet = Packet::plain(body, Bytes(1000), Instant::ZERO);
    Box::new(Packet { id: PacketId(number), ..packet })
}

fn router(paths: Paths, packets: u64) -> Router {
    let mut router = Router::new(&config(paths), Direction::Up);
    (0..packets).for_each(|number| router.on_packet(packet(number)).expect("there is room"));
    router
}

/// Returns the legs of all PDUs that are submitted at once.
fn routed(router: &mut Router) -> Vec<(bool, bool)> {
    std::iter::from_fn(|| router.next()).map(|it| (it.legs.master, it.legs.secondary)).collect()
}

const LTE: (bool, bool) = (true, false);
const NR: (bool, bool) = (false, true);

/// TS 38.323 §5.2.1: "equal to or larger than": the data waiting in PDCP and in both legs count.
#[test]
fn data_equal_to_the_threshold_may_go_either_way() {
    assert_eq!(routed(&mut router(split(3010), 3)), [NR, NR, NR], "3009 B are less");
    // NR is full with 5015 B, and the sixth PDU would wait there.
    assert_eq!(routed(&mut router(split(6018), 6)), [NR, NR, NR, NR, NR, LTE]);
    assert_eq!(
        routed(&mut router(split(6019), 6)),
        [NR; 5],
        "the sixth waits for the primary path"
    );
}

/// No leg has reported a rate: each gets PDUs while it has less than three packets of 1500 B.
#[test]
fn a_leg_gets_at_most_its_desired_buffer() {
    let mut router = router(split(0), 20);
    assert_eq!(routed(&mut router), [[NR; 5], [LTE; 5]].concat());
    let sent = |sent| Status { sent: Bytes(sent), desired: Bytes(4500), rate: Bytes::ZERO };
    router.on_status(Leg::Lte, sent(515));
    assert_eq!(routed(&mut router), [], "4500 B wait in it, as it wants");
    router.on_status(Leg::Lte, sent(516));
    assert_eq!(routed(&mut router), [LTE]);
    router.on_status(Leg::Nr, sent(5015));
    assert_eq!(routed(&mut router), [NR; 5]);
    assert_eq!(router.queue().len(), 4);
}

/// LTE sends 1000 B in 5 ms with a delay of 2 ms, NR sends 4000 B: with 2006 B in NR's queue a
/// packet would start in 2.5 ms there, and in 2 ms over LTE.
#[test]
fn a_packet_takes_the_leg_of_first_arrival() {
    let mut router = router(split(0), 6);
    let rate = |rate| Status { sent: Bytes::ZERO, desired: Bytes(100_000), rate: Bytes(rate) };
    router.on_status(Leg::Lte, rate(1000));
    router.on_status(Leg::Nr, rate(4000));
    // After that LTE would take 7.0 ms, and NR 2.5, 3.8 and 5.0 ms.
    assert_eq!(routed(&mut router), [NR, NR, LTE, NR, NR, NR]);
}

#[test]
fn a_full_buffer_refuses() {
    let mut config = config(split(0));
    config.buffer = Some(Bytes(2006));
    let mut router = Router::new(&config, Direction::Down);
    assert!(router.on_packet(packet(0)).is_ok());
    assert_eq!(routed(&mut router), [NR], "what a leg has not sent counts too");
    assert!(router.on_packet(packet(1)).is_ok());
    assert!(router.on_packet(packet(2)).is_err());
}

/// Duplicates use each leg with room, and wait only if no leg has room.
#[test]
fn a_leg_without_room_gets_no_copy() {
    let mut router = router(Paths::Duplicated, 7);
    assert_eq!(routed(&mut router), [(true, true); 5]);
    router.on_status(Leg::Nr, Status { sent: Bytes(5015), ..Status::default() });
    assert_eq!(routed(&mut router), [NR, NR]);
}

/// A rate rises at once, and falls by an eighth of the difference, only while data wait.
#[test]
fn the_rate_of_a_leg_is_the_best_of_late() {
    let mut meter = Meter::default();
    let mut period = |came: u64, unsent: u64| {
        meter.receive(Bytes(came));
        meter.end_period(&FLOW, Bytes(unsent))
    };
    let first = period(10_000, 2000);
    assert_eq!((first.sent, first.rate), (Bytes(8000), Bytes(8000)));
    assert_eq!(first.desired, Bytes(32_000), "what it sends in 20 ms");
    assert_eq!(period(0, 2000).rate, Bytes(7000), "it was slower with something to send");
    assert_eq!(period(0, 0).rate, Bytes(7000), "its queue ran empty");
    assert_eq!(period(0, 0).rate, Bytes(7000));
    assert_eq!(period(9000, 0).rate, Bytes(9000));
}

/// A period at whose start nothing waited has no information about the leg's rate, however much
/// waits at its end.
#[test]
fn a_period_that_began_idle_lowers_no_rate() {
    let mut meter = Meter::default();
    meter.receive(Bytes(9000));
    assert_eq!(meter.end_period(&FLOW, Bytes(0)).rate, Bytes(9000));
    meter.receive(Bytes(5000));
    assert_eq!(meter.end_period(&FLOW, Bytes(4000)).rate, Bytes(9000), "1000 B of a part of it");
    assert_eq!(meter.end_period(&FLOW, Bytes(3000)).rate, Bytes(8000), "1000 B of a whole one");
}

/// Bytes that a cell returns to its queue, for example after a radio link failure, count as sent.
#[test]
fn sent_bytes_stay_sent() {
    let mut meter = Meter::default();
    meter.receive(Bytes(5000));
    assert_eq!(meter.status(&FLOW, Bytes(1000)).sent, Bytes(4000));
    assert_eq!(meter.status(&FLOW, Bytes(3000)).sent, Bytes(4000));
    let mut view = View::default();
    view.submit(Bytes(5000));
    view.on_status(meter.status(&FLOW, Bytes(1000)));
    assert_eq!(view.unsent(), Bytes(1000));
}

/// A leg with drawn properties: the packets that wait in it, and those under way.
#[derive(Default)]
struct DrawnLeg {
    waiting: VecDeque<Box<Packet>>,
    flying: Vec<(u64, Box<Packet>)>,
    /// Probability of sending a packet in a millisecond, then of losing it.
    sends: f64,
    loses: f64,
    /// Maximum delay, in ms.
    longest: u64,
}

impl DrawnLeg {
    fn drawn(random: &mut Stream) -> Self {
        Self {
            sends: 0.05 + 0.95 * random.uniform(),
            loses: if random.below(2) == 0 { 0.0 } else { 0.3 * random.uniform() },
            longest: 1 + random.below(60),
            ..Self::default()
        }
    }
}

/// Events of one history.
#[derive(Default)]
struct Seen {
    /// COUNTs and times of arrivals at the receiver.
    came: Vec<(u64, u64)>,
    delivered: Vec<(u64, u64)>,
    late: BTreeSet<u64>,
    lost: BTreeSet<u64>,
}

/// TS 38.323 §5.2.2, word for word and one millisecond after the other: the delivery time of each
/// COUNT.
fn twin(came: &[(u64, u64)], end: u64, t_reordering: u64) -> Vec<(u64, u64)> {
    let (mut rx_next, mut rx_deliv, mut rx_reord) = (0, 0, 0);
    let (mut expires, mut stored) = (None::<u64>, BTreeSet::new());
    let mut up = Vec::new();
    for now in 0..=end {
        for &(_, count) in came.iter().filter(|(at, _)| *at == now) {
            if count < rx_deliv || !stored.insert(count) {
                continue;
            }
            rx_next = rx_next.max(count + 1);
            while stored.remove(&rx_deliv) {
                up.push((now, rx_deliv));
                rx_deliv += 1;
            }
            if expires.is_some() && rx_deliv >= rx_reord {
                expires = None;
            }
            if expires.is_none() && rx_deliv < rx_next {
                rx_reord = rx_next;
                expires = Some(now + t_reordering);
            }
        }
        if expires == Some(now) {
            expires = None;
            while rx_deliv < rx_reord || stored.contains(&rx_deliv) {
                if stored.remove(&rx_deliv) {
                    up.push((now, rx_deliv));
                }
                rx_deliv += 1;
            }
            if rx_deliv < rx_next {
                rx_reord = rx_next;
                expires = Some(now + t_reordering);
            }
        }
    }
    up
}

/// Plays one history: packets at drawn times over two drawn legs, until all have arrived or are
/// lost.
fn history(random: &mut Stream, paths: Paths) -> (Seen, u64, u64, u64) {
    let mut config = config(paths);
    let timer = 1 + random.below(80);
    config.reordering.t_reordering = Some(Duration::from_millis(timer));
    let mut bearer = BearerDirection::new(&config, Direction::Down);
    let mut legs = PerLeg::of(|_| DrawnLeg::drawn(random));
    let packets = 1 + random.below(60);
    let mut times: Vec<u64> = (0..packets).map(|_| random.below(200)).collect();
    times.sort_unstable();
    let (mut seen, mut next, mut now) = (Seen::default(), 0, 0);
    let mut counts = BTreeMap::new();
    let most = 200 + packets * 400 + 60 + timer + 1;
    while now <= most {
        let at = Instant::ZERO + Duration::from_millis(now);
        while next < times.len() && times[next] == now {
            bearer.router.on_packet(packet(next as u64)).expect("there is room");
            next += 1;
        }
        for leg in Leg::BOTH {
            step(&mut bearer, &mut legs, leg, (now, at), random, (&counts, &mut seen));
        }
        bearer.on_timer(at, |outcome| note(outcome, now, &counts, &mut seen));
        while let Some(submitted) = bearer.submit(at) {
            assert_eq!(submitted.count, submitted.packet.id.0, "COUNT in the order of arrival");
            counts.insert(submitted.packet.id, submitted.count);
            for leg in Leg::BOTH.into_iter().filter(|&leg| submitted.legs[leg]) {
                bearer.meters[leg].receive(submitted.size);
                legs[leg].waiting.push_back(submitted.packet.clone());
            }
        }
        now += 1;
    }
    assert_eq!(bearer.held().packets, 0, "nothing stalls");
    assert_eq!(bearer.copies().packets, 0);
    (seen, packets, most, timer)
}

/// Plays a millisecond of a leg.
fn step(
    bearer: &mut BearerDirection,
    legs: &mut PerLeg<DrawnLeg>,
    leg: Leg,
    (now, at): (u64, Instant),
    random: &mut Stream,
    (counts, seen): (&BTreeMap<PacketId, u64>, &mut Seen),
) {
    let own = &mut legs[leg];
    let chance = |random: &mut Stream, of| random.chance(Probability::new(of).expect("a share"));
    // A packet leaves in 400 ms at the latest: a leg that sends nothing would stall all packets.
    if !own.waiting.is_empty() && (chance(random, own.sends) || now.is_multiple_of(200)) {
        let packet = own.waiting.pop_front().expect("it is not empty");
        if chance(random, own.loses) {
            let count = counts[&packet.id];
            if bearer.lose(leg, packet).is_some() {
                seen.lost.insert(count);
            }
        } else {
            own.flying.push((now + 1 + random.below(own.longest), packet));
        }
    }
    let (arrived, flying): (Vec<_>, Vec<_>) =
        std::mem::take(&mut own.flying).into_iter().partition(|(due, _)| *due <= now);
    own.flying = flying;
    for (_, packet) in arrived {
        seen.came.push((now, counts[&packet.id]));
        bearer.receive(at, leg, packet, |outcome| note(outcome, now, counts, seen));
    }
    let unsent = Bytes(1003 * legs[leg].waiting.len() as u64);
    let status = if now.is_multiple_of(5) {
        bearer.meters[leg].end_period(&FLOW, unsent)
    } else {
        bearer.meters[leg].status(&FLOW, unsent)
    };
    bearer.router.on_status(leg, status);
}

fn note(outcome: Outcome, now: u64, counts: &BTreeMap<PacketId, u64>, seen: &mut Seen) {
    match outcome {
        Outcome::Delivered(packet) => seen.delivered.push((now, counts[&packet.id])),
        Outcome::Dropped(packet, cause) => {
            assert_eq!(cause, DropCause::Late);
            assert!(seen.late.insert(counts[&packet.id]), "twice");
        }
    }
}

/// With any behaviour of two legs each packet is delivered once and in order, or is lost, or is
/// late; none waits for ever; and all are delivered when the clauses require it.
#[test]
fn whatever_the_legs_do_each_packet_ends_once_and_in_order() {
    let mut random = Streams::new(7).open("dual connectivity", "histories");
    let (mut late, mut lost, mut both) = (0, 0, 0);
    for number in 0..3000_u64 {
        let paths = match number % 3 {
            0 => split(0),
            1 => split(random.below(20_000)),
            _ => Paths::Duplicated,
        };
        let (seen, packets, end, timer) = history(&mut random, paths);
        let up: Vec<u64> = seen.delivered.iter().map(|&(_, count)| count).collect();
        assert!(up.windows(2).all(|pair| pair[0] < pair[1]), "history {number}: {up:?}");
        let mut all: Vec<u64> = up.iter().chain(&seen.late).chain(&seen.lost).copied().collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..packets), "history {number}: each once");
        assert_eq!(seen.delivered, twin(&seen.came, end, timer), "history {number}");
        late += seen.late.len();
        lost += seen.lost.len();
        both += usize::from(seen.came.len() > up.len());
    }
    assert!(
        late > 1000 && lost > 1000 && both > 500,
        "{late} late, {lost} lost, {both} with copies"
    );
}
