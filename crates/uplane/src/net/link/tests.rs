use super::*;
use crate::net::Framing;
use crate::net::queue::{Aqm, QueueLimit};
use crate::net::queue::{codel, fq_codel, red};
use crate::net::{Body, Datagram, IpVersion, Ledger, TunnelHeaders};
use crate::sim::{Streams, Wake};
use crate::unit::Bitrate;
use crate::unit::{FlowId, HostId, PacketId, Probability};
use std::sync::Arc;

fn micros(micros: u64) -> Instant {
    Instant::ZERO + Duration::from_micros(micros)
}

fn mbps(rate: u64) -> Option<Bitrate> {
    Bitrate::from_bps(rate * 1_000_000)
}

fn chance(value: f64) -> Probability {
    Probability::new(value).expect("from 0 to 1")
}

fn packet(number: u64, length: u64) -> Box<Packet> {
    Box::new(Packet {
        id: PacketId(number),
        flow: FlowId(0),
        source: HostId(1),
        destination: HostId(2),
        ports: (5000, 5001),
        ip: IpVersion::V4,
        tos: 0,
        dont_fragment: true,
        length: Bytes(length),
        tunnel: None,
        body: Body::Datagram(Datagram { number, payload: Bytes(length - 28) }),
        ledger: Ledger::start(Instant::ZERO),
    })
}

fn cuttable(number: u64, length: u64) -> Box<Packet> {
    let mut packet = packet(number, length);
    packet.dont_fragment = false;
    packet
}

#[expect(clippy::needless_pass_by_value, reason = "each test has its own")]
fn link(config: Config) -> Link {
    Link::new(&config, Streams::new(1), "link/test")
}

/// Effects of a link, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Delivered(u64),
    Dropped(u64, DropCause),
    TooBig(u64, Bytes),
}

fn said(out: &mut Outbox<Effect>) -> Vec<Said> {
    out.drain()
        .map(|effect| match effect {
            Effect::Deliver(packet) => Said::Delivered(packet.id.0),
            Effect::Drop(packet, cause) => Said::Dropped(packet.id.0, cause),
            Effect::TooBig { refused, mtu } => Said::TooBig(refused.id.0, mtu),
        })
        .collect()
}

/// Calls the link at the times that it requests, until it is empty.
fn run_out(link: &mut Link, out: &mut Outbox<Effect>) -> Vec<(Instant, Vec<Said>)> {
    let mut calls = Vec::new();
    while let Wake::At(now) = out.take_wake() {
        link.on_timer(now, out);
        calls.push((now, said(out)));
    }
    calls
}

/// 1500 bytes at 12 Mbit/s take 1 ms.
const SLOW: fn() -> Config = || Config { rate: mbps(12), ..Config::default() };

/// Back to back: one serialisation after another, and the propagation once.
#[test]
fn packets_leave_back_to_back() {
    let mut link = link(Config { delay: Duration::from_micros(300), ..SLOW() });
    let mut out = Outbox::default();
    for number in 0..3 {
        link.on_packet(micros(5), packet(number, 1500), &mut out);
    }
    link.on_packet(micros(5), packet(3, 150), &mut out);
    let arrivals: Vec<_> = run_out(&mut link, &mut out);
    let expected = [(1305, 0), (2305, 1), (3305, 2), (3405, 3)]
        .map(|(time, number)| (micros(time), vec![Said::Delivered(number)]));
    assert_eq!(arrivals, expected);
}

#[test]
fn the_ledger_names_queue_processing_serialisation_and_propagation() {
    let config = Config {
        delay: Duration::from_micros(300),
        processing: Duration::from_micros(20),
        ..SLOW()
    };
    let mut link = link(config);
    let mut out = Outbox::default();
    link.on_packet(micros(0), packet(0, 1500), &mut out);
    link.on_packet(micros(0), packet(1, 750), &mut out);
    link.on_timer(micros(2000), &mut out);
    let last = match out.drain().next_back() {
        Some(Effect::Deliver(packet)) => packet,
        other => panic!("not delivered: {other:?}"),
    };
    let spent: Vec<_> = last.ledger.entries().collect();
    let expected = [
        (Cause::CoreQueue, 1020),
        (Cause::Serialisation, 500),
        (Cause::Propagation, 300),
        (Cause::Processing, 20),
    ];
    assert_eq!(spent, expected.map(|(cause, span)| (cause, Duration::from_micros(span))));
    assert_eq!(last.ledger.booked(), micros(1840));
}

#[test]
fn all_that_arrives_at_one_instant_comes_in_one_call() {
    let mut link = link(Config { delay: Duration::from_micros(10), ..Config::default() });
    let mut out = Outbox::default();
    for number in 0..3 {
        link.on_packet(micros(0), packet(number, 1500), &mut out);
    }
    let expected = vec![Said::Delivered(0), Said::Delivered(1), Said::Delivered(2)];
    assert_eq!(run_out(&mut link, &mut out), [(micros(10), expected)]);
}

#[test]
fn a_link_without_rate_and_delay_is_no_event() {
    let mut link = link(Config::default());
    let mut out = Outbox::default();
    link.on_packet(micros(3), packet(0, 1500), &mut out);
    assert_eq!(said(&mut out), [Said::Delivered(0)]);
    assert_eq!(out.take_wake(), Wake::Never);
}

#[test]
fn the_frame_on_the_wire_is_not_in_the_queue() {
    let mut link = link(Config { queue: QueueLimit::Packets(2), ..SLOW() });
    let mut out = Outbox::default();
    for number in 0..4 {
        link.on_packet(micros(0), packet(number, 1500), &mut out);
    }
    assert_eq!(said(&mut out), [Said::Dropped(3, DropCause::Queue)]);
    assert_eq!(link.queued(micros(0)), Count { packets: 2, bytes: Bytes(3000) });
    // After 1 ms the second frame is on the wire, and there is room for one more.
    link.on_packet(micros(999), packet(4, 1500), &mut out);
    link.on_packet(micros(1000), packet(5, 1500), &mut out);
    assert_eq!(said(&mut out), [Said::Dropped(4, DropCause::Queue), Said::Delivered(0)]);
    assert_eq!(link.tally().queue_max, Bytes(3000));
}

#[test]
fn a_queue_in_bytes_takes_the_short_packet_that_still_fits() {
    let mut link = link(Config { queue: QueueLimit::Bytes(Bytes(2000)), ..SLOW() });
    let mut out = Outbox::default();
    for (number, length) in [(0, 1500), (1, 1500), (2, 501), (3, 500), (4, 28)] {
        link.on_packet(micros(0), packet(number, length), &mut out);
    }
    let dropped = [Said::Dropped(2, DropCause::Queue), Said::Dropped(4, DropCause::Queue)];
    assert_eq!(said(&mut out), dropped);
}

#[test]
fn an_idle_link_takes_a_packet_without_any_queue() {
    let mut link = link(Config { queue: QueueLimit::Packets(0), ..SLOW() });
    let mut out = Outbox::default();
    link.on_packet(micros(0), packet(0, 1500), &mut out);
    link.on_packet(micros(1000), packet(1, 1500), &mut out);
    assert_eq!(said(&mut out), [Said::Delivered(0)]);
}

/// Framing takes time and counts on the wire, but not against the MTU.
#[test]
fn framing_is_serialised_too() {
    let framing = Framing::Ethernet;
    let mut link = link(Config { rate: mbps(8), framing, ..Config::default() });
    let mut out = Outbox::default();
    link.on_packet(micros(0), packet(0, 1500), &mut out);
    assert_eq!(out.take_wake(), Wake::At(micros(1538)));
    assert_eq!(link.tally().wire, Bytes(1538));
}

/// Processing is serial: it limits frames per second, as the rate limits bits per second.
#[test]
fn fragments_cost_processing_time_each() {
    let processing = Duration::from_micros(100);
    let mut link = link(Config { mtu: Bytes(576), processing, ..Config::default() });
    let mut out = Outbox::default();
    link.on_packet(micros(0), cuttable(0, 1500), &mut out);
    let times: Vec<_> = run_out(&mut link, &mut out).into_iter().map(|(time, _)| time).collect();
    assert_eq!(times, [micros(100), micros(200), micros(300)]);
}

/// RFC 791 §3.2: fragmented if the flag allows it.
#[test]
fn a_packet_that_is_too_long_is_cut() {
    let mut link = link(Config { mtu: Bytes(1000), ..SLOW() });
    let mut out = Outbox::default();
    link.on_packet(micros(0), cuttable(0, 1500), &mut out);
    assert_eq!(link.tally().entered.packets, 2);
    assert_eq!(link.tally().entered.bytes, Bytes(1520));
    assert_eq!(run_out(&mut link, &mut out).len(), 2);
}

/// RFC 1191 §4: refused with the MTU of the next hop, if the router sends messages at all (RFC 2923
/// §2.1).
#[test]
fn a_packet_that_must_not_be_cut_is_refused_or_vanishes() {
    let refuse = |icmp| {
        let mut link = link(Config { mtu: Bytes(1000), icmp, ..SLOW() });
        let mut out = Outbox::default();
        link.on_packet(micros(0), packet(0, 1500), &mut out);
        assert_eq!(out.take_wake(), Wake::Unchanged);
        assert_eq!(link.tally().dropped[DropCause::TooBig as usize].bytes, Bytes(1500));
        said(&mut out)
    };
    assert_eq!(refuse(true), [Said::TooBig(0, Bytes(1000))]);
    assert_eq!(refuse(false), [Said::Dropped(0, DropCause::TooBig)]);
}

/// The tunnel's header decides, not the user's.
#[test]
fn the_flag_of_the_outer_header_counts() {
    let sent = |dont_fragment| {
        let mut link = link(SLOW());
        let mut out = Outbox::default();
        let mut packet = packet(0, 1536);
        let (length, ip) = (Bytes(36), IpVersion::V4);
        packet.tunnel = Some(TunnelHeaders::new(length, ip, dont_fragment));
        link.on_packet(micros(0), packet, &mut out);
        link.tally().entered
    };
    assert_eq!((sent(false).packets, sent(false).bytes), (2, Bytes(1556)));
    assert_eq!((sent(true).packets, sent(true).bytes), (1, Bytes(1536)));
}

/// Sends `packets` and returns the numbers of lost frames and of incomplete packets.
fn lost(loss: Loss, mtu: u64, length: u64, packets: u64) -> (u64, u64) {
    let mut link = link(Config { mtu: Bytes(mtu), loss, ..Config::default() });
    let mut out = Outbox::default();
    let (mut frames, mut whole) = (0, 0);
    for number in 0..packets {
        let mut complete = true;
        link.on_packet(Instant::from_nanos(number), cuttable(number, length), &mut out);
        for effect in out.drain() {
            if let Effect::Drop(_, cause) = effect {
                assert_eq!(cause, DropCause::Loss);
                frames += 1;
                complete = false;
            }
        }
        whole += u64::from(!complete);
    }
    (frames, whole)
}

/// Checks that `count` is within four standard deviations of the binomial distribution: 1 run in 16
/// 000 would fail, and the seed is fixed.
fn assert_binomial(count: u64, trials: u64, probability: f64) {
    let mean = trials as f64 * probability;
    let deviation = (mean * (1.0 - probability)).sqrt();
    assert!(
        (count as f64 - mean).abs() <= 4.0 * deviation,
        "{count} of {trials} is not a share of {probability}"
    );
}

#[test]
fn frames_are_lost_at_the_configured_rate() {
    let loss = Loss { per_frame: chance(0.02), ..Loss::default() };
    let (frames, whole) = lost(loss, 1000, 1500, 100_000);
    assert_binomial(frames, 200_000, 0.02);
    // A packet in two frames survives with 0.98².
    assert_binomial(whole, 100_000, 1.0 - 0.98 * 0.98);
}

#[test]
fn packets_are_lost_once_however_many_fragments_they_are_in() {
    let loss = Loss { per_packet: chance(0.02), ..Loss::default() };
    for mtu in [1500, 1000, 300] {
        let (frames, whole) = lost(loss, mtu, 1500, 100_000);
        assert_eq!(frames, whole);
        assert_binomial(whole, 100_000, 0.02);
    }
}

/// 1 − (1 − 10⁻⁵)^1000 = 0.009950
#[test]
fn bytes_are_lost_at_the_configured_rate() {
    let loss = Loss { per_byte: chance(1e-5), ..Loss::default() };
    let (frames, _) = lost(loss, 1500, 1000, 100_000);
    assert_binomial(frames, 100_000, 0.009_950_2);
}

#[test]
fn certain_loss_loses_everything() {
    for loss in [
        Loss { per_packet: chance(1.0), ..Loss::default() },
        Loss { per_frame: chance(1.0), ..Loss::default() },
        Loss { per_byte: chance(1.0), ..Loss::default() },
    ] {
        assert_eq!(lost(loss, 1500, 1000, 100), (100, 100));
    }
}

/// A lost frame has kept the wire busy, and is dropped when it would have arrived.
#[test]
fn a_lost_frame_takes_its_time() {
    let loss = Loss { per_frame: chance(1.0), ..Loss::default() };
    let mut link = link(Config { loss, ..SLOW() });
    let mut out = Outbox::default();
    link.on_packet(micros(0), packet(0, 1500), &mut out);
    link.on_packet(micros(0), packet(1, 1500), &mut out);
    let dropped = |number| vec![Said::Dropped(number, DropCause::Loss)];
    let expected = [(micros(1000), dropped(0)), (micros(2000), dropped(1))];
    assert_eq!(run_out(&mut link, &mut out), expected);
}

/// So adding a perfect link changes no other random numbers.
#[test]
fn a_link_without_loss_draws_no_random_numbers() {
    let draws = |loss| {
        let mut link = link(Config { loss, ..Config::default() });
        let mut out = Outbox::default();
        link.on_packet(micros(0), packet(0, 1500), &mut out);
        let mut fresh = Streams::new(1).open("link/test", "loss");
        let next = link.losses.next_bits();
        (0..4).position(|_| fresh.bits() == next)
    };
    let all = Loss {
        per_packet: chance(0.1),
        per_frame: chance(0.1),
        per_byte: chance(0.1),
        bursts: None,
    };
    assert_eq!(draws(Loss::default()), Some(0));
    assert_eq!(draws(all), Some(3));
}

/// Pollaczek and Khinchine: in M/D/1 the mean wait is ρ / (2 (1 − ρ)) of the service time. Forty
/// batches; within four standard errors of their mean, which must be below 2 %.
#[test]
fn the_mean_queue_is_that_of_m_d_1() {
    let load = 0.7;
    let mut arrivals = Streams::new(3).open("link/test", "arrivals");
    let waits: Vec<f64> = (0..40)
        .map(|_| {
            let mut link = link(SLOW());
            let mut out = Outbox::default();
            let mut now = Instant::ZERO;
            let mut wait = 0.0;
            for number in 0..20_000 {
                now += Duration::from_secs_f64(arrivals.exponential(0.001 / load));
                let mut packet = packet(number, 1500);
                packet.ledger = Ledger::start(now);
                link.on_packet(now, packet, &mut out);
                for effect in out.drain() {
                    if let Effect::Deliver(packet) = effect {
                        wait += packet.ledger.spent(Cause::CoreQueue).as_millis_f64();
                    }
                }
            }
            wait / 20_000.0
        })
        .collect();
    let batches = waits.len() as f64;
    let mean = waits.iter().sum::<f64>() / batches;
    let variance =
        waits.iter().map(|wait| (wait - mean) * (wait - mean)).sum::<f64>() / (batches - 1.0);
    let error = (variance / batches).sqrt();
    let expected = load / (2.0 * (1.0 - load));
    assert!(error < 0.02 * expected, "standard error {error}");
    assert!((mean - expected).abs() < 4.0 * error, "{mean} instead of {expected}");
}

/// 1 − (1 − p)^n, which is far below p·n for long packets: 1 − 0.999^1000 = 0.632305.
#[test]
fn a_long_packet_is_lost_with_any_of_its_bytes() {
    let loss = Loss { per_byte: chance(1e-3), ..Loss::default() };
    let (frames, _) = lost(loss, 1500, 1000, 100_000);
    assert_binomial(frames, 100_000, 0.632_305);
}

/// By number in order of arrival: a packet that the queue drops has a number, one without payload
/// has none, and a lost one has used the link.
#[test]
fn packets_are_lost_by_their_number() {
    let mut link = link(Config { queue: QueueLimit::Packets(1), ..SLOW() }).losing(&[3, 7, 3]);
    let mut out = Outbox::default();
    // The first packet has no number; the second one with payload finds a full queue.
    for (number, length) in [(0, 28), (1, 1500), (2, 1500)] {
        link.on_packet(micros(0), packet(number, length), &mut out);
    }
    assert_eq!(said(&mut out), [Said::Dropped(2, DropCause::Queue)]);
    link.on_packet(micros(500), packet(3, 1500), &mut out);
    link.on_packet(micros(1500), packet(4, 1500), &mut out);
    let later: Vec<Said> =
        run_out(&mut link, &mut out).into_iter().flat_map(|(_, said)| said).collect();
    let expected = [
        Said::Delivered(0),
        Said::Delivered(1),
        Said::Dropped(3, DropCause::Loss),
        Said::Delivered(4),
    ];
    assert_eq!(later, expected);
    assert!(link.busy_until > micros(3000), "{}", link.busy_until);
}

/// A managed queue gives the wire the same work as a plain one while nothing is dropped.
#[test]
fn a_managed_queue_that_drops_nothing_changes_nothing() {
    let arrivals = |aqm| {
        let mut link = link(Config { aqm, processing: Duration::from_micros(20), ..SLOW() });
        let mut out = Outbox::default();
        for number in 0..5 {
            link.on_packet(micros(100 * number), packet(number, 1500), &mut out);
        }
        let mut seen = Vec::new();
        while let Wake::At(now) = out.take_wake() {
            link.on_timer(now, &mut out);
            for effect in out.drain() {
                let Effect::Deliver(packet) = effect else { panic!("nothing is dropped") };
                seen.push((now, packet.id, packet.ledger));
            }
        }
        seen
    };
    let aqms = [Aqm::Codel(codel::Config::default()), Aqm::FqCodel(fq_codel::Config::default())];
    for aqm in aqms.into_iter().chain([Aqm::Red(red::Config::default())]) {
        assert_eq!(arrivals(Some(aqm)), arrivals(None));
    }
}

/// Drops and marks of a managed queue are counted at the link.
#[test]
fn what_a_queue_drops_and_marks_is_counted() {
    let target = Duration::from_nanos(1);
    let codel = codel::Config { target, interval: Duration::from_millis(1), ecn: true };
    let mut link = link(Config { aqm: Some(Aqm::Codel(codel)), ..SLOW() });
    let mut out = Outbox::default();
    for number in 0..100 {
        let mut packet = packet(number, 1500);
        packet.tos = if number % 2 == 0 { 2 } else { 0 };
        link.on_packet(micros(0), packet, &mut out);
    }
    let mut marked = 0;
    while let Wake::At(now) = out.take_wake() {
        link.on_timer(now, &mut out);
        for effect in out.drain() {
            if let Effect::Deliver(packet) = effect {
                marked += u64::from(packet.tos == 3);
            }
        }
    }
    assert!(marked > 3, "{marked}");
    assert_eq!(link.tally().marked.packets, marked);
    assert!(link.tally().dropped[DropCause::Early as usize].packets > 3);
    assert_eq!(link.tally().held(), Count::default());
}

/// One in ten frames is 5.5 ms late, which delays no other frame: five others overtake it.
#[test]
fn late_frames_are_overtaken() {
    let reordering =
        Some(Reordering { probability: chance(0.1), delay: Duration::from_micros(5500) });
    let mut link = link(Config { reordering, ..SLOW() });
    let mut out = Outbox::default();
    for number in 0..1000 {
        link.on_packet(micros(0), packet(number, 1500), &mut out);
    }
    let calls = run_out(&mut link, &mut out);
    let mut late = 0;
    for (time, said) in &calls {
        for one in said {
            let Said::Delivered(number) = one else { panic!("nothing is lost") };
            let on_time = micros(1000 * (number + 1));
            late += u64::from(*time != on_time);
            assert!(*time == on_time || *time == on_time + Duration::from_micros(5500));
        }
    }
    assert_binomial(late, 1000, 0.1);
    assert_eq!(link.tally().held(), link.held());
}

/// The ledger of a frame that waits for an opportunity. Waiting frames count against the queue
/// limit.
#[test]
fn a_frame_waits_for_its_opportunity() {
    let trace = Trace::new(vec![2, 10]).expect("a trace");
    let varying = Some(Arc::new(Varying::Opportunities(trace)));
    let config = Config { varying, queue: QueueLimit::Packets(1), ..Config::default() };
    for aqm in [None, Some(Aqm::Codel(codel::Config::default()))] {
        let mut link = link(Config { aqm, ..config.clone() });
        let mut out = Outbox::default();
        link.on_packet(micros(500), packet(0, 1500), &mut out);
        link.on_packet(micros(600), packet(1, 1500), &mut out);
        assert_eq!(said(&mut out), [Said::Dropped(1, DropCause::Queue)]);
        assert_eq!(out.take_wake(), Wake::At(micros(2000)));
        link.on_timer(micros(2000), &mut out);
        assert_eq!(said(&mut out), [Said::Delivered(0)]);
        link.on_packet(micros(2500), packet(2, 1500), &mut out);
        assert_eq!(run_out(&mut link, &mut out), [(micros(10_000), vec![Said::Delivered(2)])]);
    }
}

/// mahimahi counts 1504 bytes for a packet of 1500 bytes: with `bytes=4511`, two packets wait, not
/// three.
#[test]
fn a_queue_before_a_trace_counts_four_bytes_more_for_each_packet() {
    let trace = Trace::new(vec![100]).expect("a trace");
    let varying = Some(Arc::new(Varying::Opportunities(trace)));
    for (aqm, limit, fits) in [
        (None, 4511, 2),
        (None, 4512, 3),
        (Some(Aqm::Codel(codel::Config::default())), 4511, 2),
        (Some(Aqm::Codel(codel::Config::default())), 4512, 3),
    ] {
        let queue = QueueLimit::Bytes(Bytes(limit));
        let mut link = link(Config { aqm, queue, varying: varying.clone(), ..Config::default() });
        let mut out = Outbox::default();
        (0..4).for_each(|number| link.on_packet(micros(500), packet(number, 1500), &mut out));
        assert_eq!(said(&mut out).len(), 4 - fits, "{limit}");
    }
}
