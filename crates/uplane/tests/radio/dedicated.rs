//! Properties of every dedicated-channel radio, and a slow twin of each that must agree to the
//! nanosecond.

mod closed_form;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use uplane::net::{Body, Datagram, Direction, DropCause, Ledger, Packet, Segment, Tally};
use uplane::ran::fixed::{self, Charge, Slots};
use uplane::ran::geran;
use uplane::ran::{Channel, Dedicated, Effect, Phase};
use uplane::sim::{Outbox, Streams, Wake};
use uplane::unit::{Bitrate, Bytes, Duration, Instant, PacketId, Probability, UeId};

const MS: Duration = Duration::from_millis(1);

/// A packet that arrives at the radio.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    at: Instant,
    direction: Direction,
    ue: UeId,
    length: Bytes,
}

/// A packet that left the radio.
#[derive(Clone, Debug)]
struct Departure {
    id: u64,
    direction: Direction,
    ue: UeId,
    at: Instant,
    length: Bytes,
    ledger: Ledger,
    dropped: Option<DropCause>,
}

/// Order of calls when a packet arrives at the very instant of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Packet,
    Timer,
}

fn packet(id: u64, now: Instant, length: Bytes) -> Box<Packet> {
    let payload = length.saturating_sub(Bytes(40));
    // Odd packets are datagrams, so that both kinds of payload are seen.
    let body = if id.is_multiple_of(2) {
        Body::Tcp(Segment { payload, ..Segment::default() })
    } else {
        Body::Datagram(Datagram { number: id, payload })
    };
    Box::new(Packet { id: PacketId(id), ..Packet::plain(body, length, now) })
}

/// Sends the arrivals, which are sorted by time, through the radio until `end`.
fn run<C: Channel>(
    radio: &mut Dedicated<C>,
    arrivals: &[Arrival],
    first: First,
    end: Instant,
) -> Vec<Departure> {
    let mut out = Outbox::default();
    let mut departures = Vec::new();
    let mut next = 0;
    let mut due: Option<Instant> = None;
    loop {
        let arrival = arrivals.get(next).map(|arrival| arrival.at);
        let timer_first = match (arrival, due) {
            (Some(arrival), Some(due)) => {
                due < arrival || (due == arrival && first == First::Timer)
            }
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (None, None) => break,
        };
        let now = if timer_first { due } else { arrival }.expect("one of the two");
        if now > end {
            break;
        }
        if timer_first {
            radio.on_timer(now, &mut out);
        } else {
            let Arrival { direction, ue, length, .. } = arrivals[next];
            radio.on_packet(now, direction, ue, packet(next as u64, now, length), &mut out);
            next += 1;
        }
        departures.extend(out.drain().map(|effect| departure(now, effect)));
        due = match out.take_wake() {
            Wake::At(at) => Some(at),
            Wake::Never => None,
            Wake::Unchanged => due,
        };
    }
    departures
}

fn departure(at: Instant, effect: Effect) -> Departure {
    let (direction, ue, packet, dropped) = match effect {
        Effect::Deliver { direction, ue, packet } => (direction, ue, packet, None),
        Effect::Drop { direction, ue, packet, cause } => (direction, ue, packet, Some(cause)),
    };
    let (id, length) = (packet.id.0, packet.length);
    Departure { id, direction, ue, at, length, ledger: packet.ledger, dropped }
}

/// (packet, time) of the deliveries to one UE in one direction.
fn delivered(departures: &[Departure], direction: Direction, ue: UeId) -> Vec<(u64, Instant)> {
    departures
        .iter()
        .filter(|d| (d.direction, d.ue, d.dropped) == (direction, ue, None))
        .map(|d| (d.id, d.at))
        .collect()
}

fn ids_of(arrivals: &[Arrival], direction: Direction, ue: UeId) -> Vec<u64> {
    (0..)
        .zip(arrivals)
        .filter(|(_, a)| (a.direction, a.ue) == (direction, ue))
        .map(|(id, _)| id)
        .collect()
}

fn each_channel(ue_count: u32) -> impl Iterator<Item = (Direction, UeId)> {
    (0..ue_count).flat_map(|ue| [(Direction::Down, UeId(ue)), (Direction::Up, UeId(ue))])
}

fn any_arrivals(ue_count: u32) -> impl Strategy<Value = Vec<Arrival>> {
    let one = (0..30_u64, prop::bool::ANY, 0..ue_count, 20..1501_u64);
    prop::collection::vec(one, 1..80).prop_map(|gaps| {
        let mut at = Instant::ZERO;
        let mut arrival = |(gap, down, ue, length): (u64, bool, u32, u64)| {
            // Whole multiples of 2.5 ms hit the boundaries of the TTIs again and again.
            at += Duration::from_micros(2500) * gap.saturating_sub(20);
            let direction = if down { Direction::Down } else { Direction::Up };
            Arrival { at, direction, ue: UeId(ue), length: Bytes(length) }
        };
        gaps.into_iter().map(&mut arrival).collect()
    })
}

/// A built-in profile with this RLC round-trip time.
fn like(profile: &str, rlc_rtt: Duration) -> geran::Config {
    geran::Config { rlc_rtt, ..geran::Config::built_in(profile).expect("it is built in") }
}

fn any_geran() -> impl Strategy<Value = geran::Config> {
    let one_way = (1..9_u32, 20..200_u64, 0.0..0.8).prop_map(|(pdus, pdu, bler)| {
        let bler = Probability::new(bler).expect("in range");
        geran::OneWay { pdus, pdu: Bytes(pdu), bler }
    });
    let phase = prop_oneof![Just(Phase::Random), Just(Phase::default())];
    let tti = prop_oneof![Just(20_000_u64), Just(10_000), Just(5_000), Just(3_333)];
    (tti, one_way.clone(), one_way, 0..300_u64, prop::bool::ANY, phase).prop_map(
        |(tti, down, up, rlc_rtt, concatenation, phase)| geran::Config {
            tti: Duration::from_micros(tti),
            down,
            up,
            concatenation,
            phase,
            ..like("edge", MS * rlc_rtt)
        },
    )
}

fn any_fixed() -> impl Strategy<Value = fixed::Config> {
    let slots = prop_oneof![
        Just(None),
        (1..25_u64).prop_map(|tti| Some(Slots { tti: MS * tti, phase: Phase::default() })),
        Just(Some(Slots { tti: MS, phase: Phase::Random })),
    ];
    let rate =
        prop_oneof![1 => Just(None), 4 => (1_000..10_000_000_u64).prop_map(Bitrate::from_bps)];
    let charge = prop_oneof![Just(Charge::Packet), Just(Charge::Payload)];
    let buffer = prop::option::of((1500..20_000_u64).prop_map(Bytes));
    let one_way = (rate, charge, 0..100_u64, slots, buffer).prop_map(
        |(rate, charge, delay, slots, buffer)| fixed::OneWay {
            rate,
            charge,
            delay: MS * delay,
            slots,
            buffer,
        },
    );
    (one_way.clone(), one_way).prop_map(|(down, up)| fixed::Config { down, up })
}

/// Order, exactly once, the ledger, and the balance at every instant, for any radio.
fn keeps_its_promises<C: Channel>(
    mut radio: Dedicated<C>,
    arrivals: &[Arrival],
    cut: Instant,
) -> Result<(), TestCaseError> {
    let departures = run(&mut radio, arrivals, First::Packet, cut);
    let mut counted = [Tally::default(); 2];
    for arrival in arrivals.iter().filter(|arrival| arrival.at <= cut) {
        counted[arrival.direction as usize].enter(arrival.length);
    }
    for departure in &departures {
        let tally = &mut counted[departure.direction as usize];
        match departure.dropped {
            None => tally.leave(departure.length),
            Some(cause) => tally.drop(cause, departure.length),
        }
    }
    for direction in [Direction::Down, Direction::Up] {
        let (here, own) = (counted[direction as usize], radio.tally(direction));
        prop_assert_eq!(own.entered, here.entered);
        prop_assert_eq!(own.left, here.left);
        prop_assert_eq!(own.dropped, here.dropped);
        prop_assert_eq!(own.held(), here.held());
    }
    for departure in departures.iter().filter(|departure| departure.dropped.is_none()) {
        let ledger = &departure.ledger;
        prop_assert_eq!(ledger.booked(), departure.at);
        let sum = ledger.entries().fold(Duration::ZERO, |sum, (_, span)| sum + span);
        prop_assert_eq!(sum, departure.at - ledger.started());
    }
    Ok(())
}

/// Later than the last packet of any of these runs leaves.
const FOREVER: Instant = Instant::from_nanos(3_600_000_000_000);

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn geran_delivers_everything_once_and_in_order(
        config in any_geran(), arrivals in any_arrivals(3), seed in 0..1000_u64, cut in 0..1000_u64,
    ) {
        let radio = geran::Radio::new(&config, 3, Streams::new(seed));
        keeps_its_promises(radio.clone(), &arrivals, Instant::ZERO + MS * cut)?;
        keeps_its_promises(radio.clone(), &arrivals, FOREVER)?;
        let departures = run(&mut { radio }, &arrivals, First::Packet, FOREVER);
        for (direction, ue) in each_channel(3) {
            let got: Vec<u64> =
                delivered(&departures, direction, ue).into_iter().map(|(id, _)| id).collect();
            prop_assert_eq!(got, ids_of(&arrivals, direction, ue));
        }
    }

    #[test]
    fn geran_agrees_with_a_tti_by_tti_twin(
        config in any_geran(), arrivals in any_arrivals(2), seed in 0..1000_u64,
    ) {
        let mut radio = geran::Radio::new(&config, 2, Streams::new(seed));
        let departures = run(&mut radio, &arrivals, First::Packet, FOREVER);
        for (direction, ue) in each_channel(2) {
            let expected = geran_twin(&config, &arrivals, direction, ue, seed);
            prop_assert_eq!(delivered(&departures, direction, ue), expected);
        }
    }

    #[test]
    fn geran_calls_at_one_instant_may_be_reordered(
        config in any_geran(), arrivals in any_arrivals(1), seed in 0..1000_u64,
    ) {
        let radio = geran::Radio::new(&config, 1, Streams::new(seed));
        let [one, other] = [First::Packet, First::Timer].map(|first| {
            let departures = run(&mut radio.clone(), &arrivals, first, FOREVER);
            each_channel(1).map(|(d, ue)| delivered(&departures, d, ue)).collect::<Vec<_>>()
        });
        prop_assert_eq!(one, other);
    }

    #[test]
    fn another_ue_changes_nothing(
        config in any_geran(), arrivals in any_arrivals(2), seed in 0..1000_u64,
    ) {
        let both = run(
            &mut geran::Radio::new(&config, 2, Streams::new(seed)), &arrivals, First::Packet, FOREVER,
        );
        let mine: Vec<Arrival> = arrivals.iter().copied().filter(|a| a.ue == UeId(0)).collect();
        for ue_count in [1, 2, 5] {
            let mut radio = geran::Radio::new(&config, ue_count, Streams::new(seed));
            let alone = run(&mut radio, &mine, First::Packet, FOREVER);
            for direction in [Direction::Down, Direction::Up] {
                let times = |departures: &[Departure]| -> Vec<Instant> {
                    delivered(departures, direction, UeId(0)).into_iter().map(|(_, at)| at).collect()
                };
                prop_assert_eq!(times(&alone), times(&both));
            }
        }
    }

    #[test]
    fn a_fixed_channel_keeps_order_balance_and_ledger(
        config in any_fixed(), arrivals in any_arrivals(3), cut in 0..1000_u64,
    ) {
        let radio = fixed::Radio::new(&config, 3, Streams::new(1));
        keeps_its_promises(radio.clone(), &arrivals, Instant::ZERO + MS * cut)?;
        keeps_its_promises(radio.clone(), &arrivals, FOREVER)?;
        let departures = run(&mut { radio }, &arrivals, First::Packet, FOREVER);
        prop_assert_eq!(departures.len(), arrivals.len());
        for (direction, ue) in each_channel(3) {
            let got = delivered(&departures, direction, ue);
            prop_assert!(got.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
        }
    }

    #[test]
    fn slotted_channel_agrees_with_a_block_twin(
        tti in prop::sample::select(vec![1_u64, 2, 4, 5, 8, 10, 20]), block in 1..3000_u64,
        arrivals in any_arrivals(1),
    ) {
        // A whole number of bytes a block, so that the twin can count in whole bytes.
        let rate = Bitrate::from_bps(block * 8_000 / tti);
        let slots = Some(Slots { tti: MS * tti, phase: Phase::default() });
        let one_way = fixed::OneWay { rate, slots, ..fixed::OneWay::default() };
        let config = fixed::Config { down: one_way.clone(), up: one_way };
        let mut radio = fixed::Radio::new(&config, 1, Streams::new(1));
        let departures = run(&mut radio, &arrivals, First::Packet, FOREVER);
        for (direction, ue) in each_channel(1) {
            let expected = slotted_twin(MS * tti, block, &arrivals, direction);
            prop_assert_eq!(delivered(&departures, direction, ue), expected);
        }
    }
}

/// GERAN as the study describes it: one PDU after the other, one TTI after the other.
fn geran_twin(
    config: &geran::Config,
    arrivals: &[Arrival],
    direction: Direction,
    ue: UeId,
    seed: u64,
) -> Vec<(u64, Instant)> {
    #[derive(Clone, Copy)]
    struct Pdu {
        number: usize,
        ready: Instant,
        arrived: bool,
    }
    let streams = Streams::new(seed);
    let one_way = config.one_way(direction);
    let mine = ids_of(arrivals, direction, ue);
    let purpose = match direction {
        Direction::Down => "downlink block errors",
        Direction::Up => "uplink block errors",
    };
    let mut errors = streams.open(&format!("radio/ue/{}", ue.0), purpose);
    let mut start = Instant::ZERO + twin_phase(config, direction, streams);
    // Each PDU is a list of packets whose bytes it carries.
    let mut pdus: Vec<Vec<u64>> = Vec::new();
    let mut waiting: Vec<Pdu> = Vec::new();
    let mut all: Vec<Pdu> = Vec::new();
    let mut unsent: Vec<(u64, u64)> =
        mine.iter().map(|&id| (id, arrivals[id as usize].length.0)).collect();
    let mut delivered = Vec::new();
    while delivered.len() < mine.len() {
        let end = start + config.tti;
        let mut block: Vec<Pdu> =
            waiting.iter().copied().filter(|pdu| pdu.ready <= start).collect();
        block.sort_by_key(|pdu| (pdu.ready, pdu.number));
        block.truncate(one_way.pdus as usize);
        waiting.retain(|pdu| block.iter().all(|sent| sent.number != pdu.number));
        while block.len() < one_way.pdus as usize {
            let mut carried = Vec::new();
            let mut room = one_way.pdu.0;
            while room > 0
                && let Some(first) = unsent.first_mut()
                && arrivals[first.0 as usize].at <= start
                && (carried.is_empty() || config.concatenation)
            {
                let part = room.min(first.1);
                carried.push(first.0);
                room -= part;
                first.1 -= part;
                if first.1 == 0 {
                    unsent.remove(0);
                }
            }
            if carried.is_empty() {
                break;
            }
            let pdu = Pdu { number: pdus.len(), ready: start, arrived: false };
            pdus.push(carried);
            all.push(pdu);
            block.push(pdu);
        }
        for pdu in block {
            if errors.chance(one_way.bler) {
                let ready = end + config.rlc_rtt.saturating_sub(config.tti);
                waiting.push(Pdu { ready, ..pdu });
            } else {
                all[pdu.number].arrived = true;
            }
        }
        while let Some(&id) = mine.get(delivered.len())
            && unsent.iter().all(|&(waiting, _)| waiting != id)
            && all.iter().all(|pdu| pdu.arrived || !pdus[pdu.number].contains(&id))
        {
            delivered.push((id, end));
        }
        start = end;
    }
    delivered
}

fn twin_phase(config: &geran::Config, direction: Direction, streams: Streams) -> Duration {
    let phase = config.phase.offset(config.tti, &mut streams.open("radio", "grid phase"));
    let mut stream = streams.open("radio", "uplink grid shift");
    let shift = config.uplink_shift.offset(config.tti, &mut stream);
    match direction {
        Direction::Down => phase,
        Direction::Up => Phase::Fixed(phase + shift).offset(config.tti, &mut stream),
    }
}

/// A block a slot, filled byte by byte with the data that had arrived by the start of the slot.
fn slotted_twin(
    tti: Duration,
    block: u64,
    arrivals: &[Arrival],
    direction: Direction,
) -> Vec<(u64, Instant)> {
    let mut queue: Vec<(u64, u64)> = ids_of(arrivals, direction, UeId(0))
        .into_iter()
        .map(|id| (id, arrivals[id as usize].length.0))
        .collect();
    let mut start = Instant::ZERO;
    let mut delivered = Vec::new();
    while !queue.is_empty() {
        for _ in 0..block {
            let Some(first) = queue.first_mut() else { break };
            if arrivals[first.0 as usize].at > start {
                break;
            }
            first.1 -= 1;
            if first.1 == 0 {
                delivered.push((first.0, start + tti));
                queue.remove(0);
            }
        }
        start += tti;
    }
    delivered
}

/// `count` packets of this length, each alone: `gap` apart, give or take a random time.
fn lonely(count: u64, length: Bytes, gap: Duration, direction: Direction) -> Vec<Arrival> {
    let mut random = Streams::new(3).open("test", "arrivals");
    let arrival = |n| Arrival {
        at: Instant::ZERO + gap * n + Duration::from_nanos(random.below(1_000_000_000)),
        direction,
        ue: UeId(0),
        length,
    };
    (0..count).map(arrival).collect()
}

/// The mean is right within five standard errors: a false alarm in two million.
fn assert_mean(samples: &[f64], expected: f64) {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let variance = samples.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - 1.0);
    let standard_error = (variance / count).sqrt();
    assert!(
        (mean - expected).abs() < 5.0 * standard_error,
        "mean {mean} ± {standard_error}, expected {expected}"
    );
}

#[test]
fn mean_pdu_transmissions_follow_the_closed_form() {
    for p in [0.01, 0.1, 0.5] {
        let mut config = like("gev", MS * 100);
        config.down.bler = Probability::new(p).expect("a probability");
        let transmissions: Vec<f64> = (0..200)
            .map(|seed| {
                let mut radio = geran::Radio::new(&config, 1, Streams::new(seed));
                let arrival = Arrival {
                    at: Instant::ZERO,
                    direction: Direction::Down,
                    ue: UeId(0),
                    length: Bytes(100 * 142),
                };
                run(&mut radio, &[arrival], First::Packet, FOREVER);
                radio.tally(Direction::Down).wire.0 as f64 / (100.0 * 142.0)
            })
            .collect();
        let expected = closed_form::mean_transmissions(&config, Direction::Down);
        assert_mean(&transmissions, expected);
    }
}

/// One PDU up and down on EDGE, and two to five PDUs of one TTI on GEV.
#[test]
fn lone_packets_take_the_closed_forms_mean_time() {
    for (config, length) in [
        (like("edge", MS * 50), 64),
        (like("edge", MS * 300), 64),
        (like("gev", MS * 100), 300),
        (like("gev", MS * 20), 200),
    ] {
        for direction in [Direction::Down, Direction::Up] {
            let mut radio = geran::Radio::new(&config, 1, Streams::new(11));
            let gap = Duration::from_secs(20);
            let arrivals = lonely(20_000, Bytes(length), gap, direction);
            let departures = run(&mut radio, &arrivals, First::Packet, Instant::FAR_FUTURE);
            assert_eq!(departures.len(), arrivals.len());
            let latencies: Vec<f64> =
                departures.iter().map(|d| d.ledger.total().as_millis_f64()).collect();
            let mean = closed_form::mean_one_way(&config, direction, Bytes(length));
            assert_mean(&latencies, mean.expect("fits into one TTI").as_millis_f64());
        }
    }
}

#[test]
fn a_seed_decides_everything_and_another_seed_something() {
    let config = like("edge", MS * 100);
    let arrivals = lonely(200, Bytes(1500), Duration::from_secs(1), Direction::Down);
    let times = |seed| -> Vec<Instant> {
        let mut radio = geran::Radio::new(&config, 1, Streams::new(seed));
        run(&mut radio, &arrivals, First::Packet, FOREVER).iter().map(|d| d.at).collect()
    };
    assert_eq!(times(1), times(1));
    assert_ne!(times(1), times(2));
}

/// 1000 packets of 1500 B at 14.4 Mbit/s: 0.8333… s, then half the round-trip time.
#[test]
fn a_fixed_channel_has_exactly_its_rate() {
    let rate = Bitrate::from_bps(14_400_000);
    let (down_delay, up_delay) = fixed::halves(MS * 101);
    assert_eq!((down_delay + up_delay, down_delay), (MS * 101, Duration::from_micros(50_500)));
    let down = fixed::OneWay { rate, delay: down_delay, ..fixed::OneWay::default() };
    let last = |charge| {
        let config =
            fixed::Config { down: fixed::OneWay { charge, ..down.clone() }, up: down.clone() };
        let mut radio = fixed::Radio::new(&config, 1, Streams::new(1));
        let direction = Direction::Down;
        let arrival = Arrival { at: Instant::ZERO, direction, ue: UeId(0), length: Bytes(1500) };
        let departures = run(&mut radio, &vec![arrival; 1000], First::Packet, FOREVER);
        departures.last().map(|departure| departure.at - Instant::ZERO)
    };
    assert_eq!(last(Charge::Packet), Some(Duration::from_nanos(833_333_333 + 50_500_000)));
    // 1460 of 1500 bytes are payload.
    assert_eq!(last(Charge::Payload), Some(Duration::from_nanos(811_111_111 + 50_500_000)));
}

/// Room for three packets of 1500 B: the fourth is dropped; another fits when the first has left
/// the buffer, although that is still on its way.
#[test]
fn a_full_buffer_drops_the_newcomer() {
    let one_way = fixed::OneWay {
        rate: Bitrate::from_bps(12_000_000), // 1500 B a millisecond
        delay: MS * 50,
        buffer: Some(Bytes(4500)),
        ..fixed::OneWay::default()
    };
    let config = fixed::Config { down: one_way.clone(), up: one_way };
    let mut radio = fixed::Radio::new(&config, 1, Streams::new(1));
    let arrivals = [0, 0, 0, 0, 1].map(|ms| Arrival {
        at: Instant::ZERO + MS * ms,
        direction: Direction::Up,
        ue: UeId(0),
        length: Bytes(1500),
    });
    let departures = run(&mut radio, &arrivals, First::Packet, FOREVER);
    let dropped: Vec<u64> =
        departures.iter().filter(|d| d.dropped.is_some()).map(|d| d.id).collect();
    assert_eq!(dropped, [3]);
    assert_eq!(departures.last().map(|d| (d.id, d.at)), Some((4, Instant::ZERO + MS * 54)));
    assert_eq!(radio.tally(Direction::Up).queue_max, Bytes(4500));
}

/// Four packets end in one block of 6000 bytes: one call delivers them all, and no other is
/// requested.
#[test]
fn block_is_one_event_and_idle_radio_none() {
    let slots = Some(Slots { tti: MS, phase: Phase::default() });
    let rate = Bitrate::from_bps(48_000_000);
    let one_way = fixed::OneWay { rate, slots, ..fixed::OneWay::default() };
    let config = fixed::Config { down: one_way.clone(), up: one_way };
    let mut radio = fixed::Radio::new(&config, 1, Streams::new(1));
    let mut out = Outbox::default();
    for id in 0..4 {
        let packet = packet(id, Instant::ZERO, Bytes(1500));
        radio.on_packet(Instant::ZERO, Direction::Down, UeId(0), packet, &mut out);
    }
    assert_eq!(out.take_wake(), Wake::At(Instant::ZERO + MS));
    radio.on_timer(Instant::ZERO + MS, &mut out);
    assert_eq!(out.drain().count(), 4);
    assert_eq!(out.take_wake(), Wake::Never);
}
