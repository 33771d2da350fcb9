use super::*;
use crate::net::queue::testing::{Arrival, Fate, PLAIN, at, drops, every, serve, waits};
use crate::net::queue::{Aqm, QueueLimit};
use crate::net::tally::DropCause;

const CODEL: fn() -> Aqm = || Aqm::Codel(Config::default());

fn early(aqm: Aqm, service: u64, arrivals: &[Arrival]) -> Vec<Instant> {
    drops(&serve(aqm, QueueLimit::Unlimited, service, arrivals), DropCause::Early)
}

/// RFC 8289 §4.2: bursts are good queue. 5 packets of 1 ms each wait for 4 ms at most, 90 % load.
#[test]
fn what_waits_less_than_the_target_is_never_dropped() {
    let burst = |number: u64| Arrival { at: at(5_600 * (number / 5)), ..PLAIN };
    let arrivals: Vec<_> = (0..5000).map(burst).collect();
    assert_eq!(early(CODEL(), 1000, &arrivals), []);
}

/// A queue above the target for less than an interval has no drops: 60 packets arrive at once.
#[test]
fn a_queue_that_goes_within_an_interval_is_never_dropped() {
    let burst = |number: u64| Arrival { at: at(200_000 * (number / 60)), ..PLAIN };
    let arrivals: Vec<_> = (0..3000).map(burst).collect();
    assert_eq!(early(CODEL(), 1000, &arrivals), []);
}

/// RFC 8289 §5.4: with a load that never decreases, the n-th drop follows the one before it by
/// interval / sqrt(n), at the next turn of a packet. The first one comes one interval after the
/// first packet that had waited for the target.
#[test]
fn drops_come_closer_with_the_square_root_of_their_number() {
    // One packet takes 10 µs, and 15 arrive in the time of 10: the queue grows all the time.
    let arrivals: Vec<_> = every(1, 120_000)
        .into_iter()
        .enumerate()
        .map(|(number, arrival)| Arrival {
            at: Instant::from_nanos(number as u64 * 6_667),
            ..arrival
        })
        .collect();
    let drops = early(CODEL(), 10, &arrivals);
    let above = serve(CODEL(), QueueLimit::Unlimited, 10, &arrivals)
        .into_iter()
        .find_map(|(at, fate)| match fate {
            Fate::Sent(wait, _) if wait >= Duration::from_millis(5) => Some(at),
            _ => None,
        })
        .expect("the queue grows");
    let turn = 10_000;
    let mut expected = (above + Duration::from_millis(100)).as_nanos() as f64;
    assert!(drops.len() > 30, "{}", drops.len());
    for (number, drop) in drops.iter().enumerate() {
        let late = drop.as_nanos() as f64 - expected;
        // Each step of the law is rounded down.
        let least = -(number as f64 + 1.0);
        assert!((least..=f64::from(turn)).contains(&late), "drop {number} is late by {late} ns");
        // The law continues from the time at which a drop was due; the first interval counts from
        // the drop itself.
        let from = if number == 0 { drop.as_nanos() as f64 } else { expected };
        expected = from + 100e6 / ((number + 1) as f64).sqrt();
    }
}

/// RFC 8289 §5.3: no packet is dropped from a queue of one packet.
#[test]
fn the_last_packet_is_never_dropped() {
    // Each packet takes 20 ms, and the next one arrives 1 ms before it is sent.
    let arrivals: Vec<_> =
        (0..500).map(|number| Arrival { at: at(20_000 * number), ..PLAIN }).collect();
    let slow = Aqm::Codel(Config { target: Duration::from_nanos(1), ..Config::default() });
    assert_eq!(early(slow, 20_001, &arrivals), []);
}

/// An unresponsive sender at twice the rate: CoDel keeps the wait near the target only once the
/// drop rate has grown enough. A sender with a window of 30 packets of 1 ms is brought to a wait
/// near the target.
#[test]
fn dropping_starts_again_near_where_it_left_off() {
    // Two overloads of one second with a gap of 0.3 s: the second one finds the control where it
    // was (within 16 intervals), so its second drop comes sooner than an interval after its first.
    let two = |gap: u64| {
        let mut arrivals = every(500, 4000);
        let later =
            arrivals.iter().map(|it| Arrival { at: it.at + Duration::from_millis(gap), ..*it });
        let later: Vec<_> = later.collect();
        arrivals.extend(later);
        let drops = early(CODEL(), 1000, &arrivals);
        let second: Vec<_> = drops.into_iter().filter(|drop| *drop > at(gap * 1000)).collect();
        second[1] - second[0]
    };
    assert!(two(5_000) < Duration::from_millis(30), "{:?}", two(5_000));
    // Ten seconds later the state is forgotten: the second drop is an interval after the first.
    let forgotten = two(20_000).as_millis_f64();
    assert!((99.0..101.1).contains(&forgotten), "{forgotten}");
}

/// RFC 3168: packets that can be marked are marked at the times of the drops, and sent.
#[test]
fn what_can_be_marked_is_marked_and_sent() {
    let ect: Vec<_> = every(500, 4000).iter().map(|it| Arrival { tos: 2, ..*it }).collect();
    let fates = serve(CODEL(), QueueLimit::Unlimited, 1000, &ect);
    assert_eq!(drops(&fates, DropCause::Early), []);
    let marked = |fates: &[(Instant, Fate)]| {
        fates.iter().filter(|it| matches!(it.1, Fate::Sent(_, true))).count()
    };
    assert!(marked(&fates) > 50, "{}", marked(&fates));
    let off = Aqm::Codel(Config { ecn: false, ..Config::default() });
    let fates = serve(off, QueueLimit::Unlimited, 1000, &ect);
    assert_eq!(marked(&fates), 0);
    assert!(drops(&fates, DropCause::Early).len() > 50);
}

#[test]
fn a_full_queue_drops_what_comes() {
    let fates = serve(CODEL(), QueueLimit::Packets(20), 1000, &every(500, 200));
    assert!(drops(&fates, DropCause::Queue).len() > 50);
    assert!(waits(&fates).iter().all(|wait| *wait <= 20.0));
}
