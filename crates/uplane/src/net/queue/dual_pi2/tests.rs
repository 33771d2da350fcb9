use super::*;
use crate::net::Packet;
use crate::net::queue::testing::{Arrival, Fate, PLAIN, at, drops, packet, serve, waits};
use crate::net::queue::{Aqm, QueueLimit};
use crate::net::tally::DropCause;

const DUAL: fn() -> Aqm = || Aqm::DualPi2(Config::default());

/// Creates a queue whose controller is held at this `p'`.
fn held_at(config: Config, base: f64) -> DualPi2<Box<Packet>> {
    let mut dual = DualPi2::new(config);
    (dual.controller.base, dual.controller.next) = (base, Instant::FAR_FUTURE);
    dual
}

/// Returns the shares marked and dropped of many packets of this kind, alone in the queues.
fn shares(base: f64, tos: u8) -> (f64, f64) {
    shares_of(Config::default(), base, tos)
}

fn shares_of(config: Config, base: f64, tos: u8) -> (f64, f64) {
    let mut dual = held_at(config, base);
    let mut facts = Facts::default();
    let count = 100_000;
    let (mut marked, mut dropped) = (0, 0);
    for number in 0..count {
        let packet = packet(number, Arrival { tos, ..PLAIN });
        facts.waiting.add(packet.length);
        dual.enqueue(at(0), packet);
        match dual.dequeue(at(0), &mut facts) {
            Some(packet) => {
                marked += u32::from(packet.tos == 3);
                facts.leave(packet.length);
            }
            None => dropped += 1,
        }
    }
    (f64::from(marked) / count as f64, f64::from(dropped) / count as f64)
}

/// RFC 9332 §2.1: p_CL = k · p', p_C = p'², with k = 2.
#[test]
fn the_queues_are_coupled_by_the_square() {
    for base in [0.01, 0.1, 0.3, 0.45] {
        let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-4;
        let ((low, none), (classic, _), (marked, _)) =
            (shares(base, 1), shares(base, 0), shares(base, 2));
        assert!(close(low, 2.0 * base) && none <= 0.0, "{base}: {low}");
        assert!(classic <= 0.0 && close(shares(base, 0).1, base * base));
        assert!(close(marked, base * base), "{base}: {marked}");
    }
}

/// Appendix A.2: beyond k · p' = 1 the low-latency queue drops like the classic one. There, too,
/// packets that can be marked are dropped if p'² is at least 1 / k².
#[test]
fn an_overload_is_dropped_in_both_queues() {
    let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-4;
    let (marked, dropped) = shares(0.6, 1);
    assert!(close(dropped, 0.36) && close(marked, 0.64), "{marked} {dropped}");
    let (marked, dropped) = shares(0.6, 2);
    assert!(marked <= 0.0 && close(dropped, 0.36), "{marked} {dropped}");
}

/// With k = 3, the overload starts at p' = 1 / 3, p'² = 1 / 9.
#[test]
fn an_overload_begins_with_the_square_of_the_coupling() {
    let config = Config { coupling: 3.0, ..Config::default() };
    for (base, is_overload) in [(0.32, false), (0.35, true)] {
        let (marked, dropped) = shares_of(config, base, 2);
        let (most, none) = if is_overload { (dropped, marked) } else { (marked, dropped) };
        assert!((most - base * base).abs() <= 1e-4 && none <= 0.0, "{marked} {dropped}");
    }
}

/// Appendix A.1, computed by hand: alpha = 0.1 · 0.015 / 0.01 = 0.15, beta = 3, every 15 ms.
#[test]
fn the_controller_is_proportional_and_integral() {
    let mut controller = Controller::new(Config::default());
    controller.on_update(0.035);
    let first = 0.15 * 0.020 + 3.0 * 0.035;
    assert!((controller.base - first).abs() < 1e-12, "{}", controller.base);
    controller.on_update(0.025);
    let second = first + 0.15 * 0.010 - 3.0 * 0.010;
    assert!((controller.base - second).abs() < 1e-12, "{}", controller.base);
    (0..1000).for_each(|_| controller.on_update(0.0));
    assert!(controller.is_at_rest());
    (0..1000).for_each(|_| controller.on_update(1.0));
    assert!((controller.base - 1.0).abs() < 1e-12);
}

/// §1.2: beside a classic flow that fills its queue (at twice the rate of the link), packets of the
/// low-latency queue wait for little more than the packet that is being sent; their step is 1 ms.
#[test]
fn the_low_latency_queue_waits_a_millisecond_beside_a_full_classic_one() {
    // A packet takes 0.1 ms. The low-latency flow has half of the link.
    let low = (0..20_000_u64).map(|n| Arrival { at: at(200 * n + 7), tos: 1, port: 2, ..PLAIN });
    let classic = (0..80_000_u64).map(|n| Arrival { at: at(50 * n), ..PLAIN });
    let mut all: Vec<_> = low.chain(classic).collect();
    all.sort_by_key(|arrival| arrival.at);
    let fates = serve(DUAL(), QueueLimit::Packets(500), 100, &all);
    let of = |port: u16| -> Vec<_> {
        let both = all.iter().zip(&fates).filter(|(arrival, _)| arrival.port == port);
        both.map(|(_, fate)| *fate).collect()
    };
    let longest = waits(&of(2)).into_iter().fold(0.0, f64::max);
    let mean = |waits: Vec<f64>| waits.iter().sum::<f64>() / waits.len() as f64;
    assert!(longest <= 1.0, "{longest} ms");
    assert!(mean(waits(&of(1))) > 5.0);
    assert!(!drops(&of(1), DropCause::Early).is_empty());
}

/// A low-latency flow alone, with 1.2 times the rate of the link, is marked by the step; a classic
/// flow with the same load is brought to the target.
#[test]
fn the_step_marks_and_the_controller_keeps_the_target() {
    let flow = |tos: u8| (0..200_000_u64).map(move |n| Arrival { at: at(83 * n), tos, ..PLAIN });
    let fates = serve(DUAL(), QueueLimit::Unlimited, 100, &flow(0).collect::<Vec<_>>());
    let late = waits(&fates).split_off(100_000);
    let mean = late.iter().sum::<f64>() / late.len() as f64;
    assert!((13.0..17.0).contains(&mean), "{mean} ms");
    let fates = serve(DUAL(), QueueLimit::Unlimited, 100, &flow(1).take(2000).collect::<Vec<_>>());
    let is_marked = |it: &&(Instant, Fate)| matches!(it.1, Fate::Sent(_, true));
    let unmarked = fates.iter().filter(|it| !is_marked(it));
    let longest = waits(&unmarked.copied().collect::<Vec<_>>()).into_iter().fold(0.0, f64::max);
    assert!(longest <= 1.2, "{longest} ms");
    assert!(fates.iter().filter(is_marked).count() > 1000);
}

/// §4.2.2: of two queues that are never empty, the classic one gets its tenth, in bytes.
#[test]
fn the_classic_queue_keeps_its_share() {
    let mut dual = held_at(Config::default(), 0.0);
    let mut facts = Facts::default();
    for number in 0..4000 {
        let (length, tos) = if number % 2 == 0 { (300, 1) } else { (1500, 0) };
        let packet = packet(number, Arrival { length, tos, ..PLAIN });
        facts.waiting.add(packet.length);
        dual.enqueue(at(0), packet);
    }
    let (mut classic, mut all) = (0_u64, 0_u64);
    for _ in 0..1500 {
        let packet = dual.dequeue(at(0), &mut facts).expect("both have packets");
        facts.leave(packet.length);
        all += packet.length.0;
        classic += if packet.length.0 == 1500 { 1500 } else { 0 };
    }
    // Within the longest packet.
    assert!((classic * 10).abs_diff(all) <= 15_000, "{classic} of {all}");
}
