//! Random access with contention from end to end, against closed forms that were computed
//! independently of this code (TS 38.321 §5.1, TS 38.213 §8).

use uplane::record::Data;
use uplane::scenario::Outcome;

use crate::runs::{numbers, run, table};

fn counted(outcome: &Outcome, column: &str) -> f64 {
    numbers(outcome, "control", column)[0]
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn close(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= share, "{what}: {found}, expected {expected}");
}

/// A cell in which nothing fails by default.
const NR: &str = "[radio.nr]\nbler = \"none\"\nmcs = 10\nuplink_mcs = 10\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";
const FDD: &str = "duplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 20\n";
const LTE: &str = "[radio.lte]\nbandwidth = \"20 MHz\"\nbler = \"none\"\nmcs = 10\nsr_grant = \"128 B\"\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

/// A RACH as the only way to request a grant.
fn alone(keys: &str) -> String {
    format!("rach = {{ scheduling_requests = false, preamble_missed = 0, {keys} }}\n")
}

/// Lone datagrams of the uplink at all phases: one-way latencies in ms, and the mean time in ms
/// that they spend in random access.
fn lone(cell: &str) -> (Vec<f64>, f64) {
    let text = format!(
        "duration = \"100000 s\"\n{cell}[[voice]]\nname = \"v\"\npayload = \"40 B\"\n\
         direction = \"up\"\ninterval = \"101.0137 ms\"\ncount = 2500\n"
    );
    let outcome = run(&text, 1);
    let Some(Data::Text(causes)) = table(&outcome, "anatomy").column("cause") else {
        panic!("causes have names")
    };
    let means = numbers(&outcome, "anatomy", "mean_ms");
    let own = causes.iter().zip(&means).filter(|(cause, _)| *cause == "random access");
    let latencies = numbers(&outcome, "datagrams", "latency_ms");
    assert_eq!(latencies.len(), 2500);
    (latencies, own.map(|(_, mean)| mean).sum())
}

/// Time from a lone packet's arrival to the network, in ms.
///
/// FDD at 15 kHz: half of T_proc,2, 0.357; half a period to the occasion, 5; the preamble, the base
/// station and the response, 1 each; to Msg3 `14 + 10` symbols and 0.5 ms, 2.21, and so 3 slots;
/// Msg3 and the base station, 1 each: 13.36. With two steps instead of response and Msg3 MsgA's
/// payload and the base station, 1 each, and then a grant, its answer by `K2` of a slot: 12.36 − 1.
/// DDDSU at 30 kHz: 0.214 and 5; the preamble in slot 4, the response in 6, which ends 2.78 slots
/// before Msg3 at least: in slot 14, since 9 is too early; and a slot for the base station: 12
/// slots from the preamble on. LTE: 5; the preamble, the response 4 TTIs behind it, Msg3 6 behind
/// that, its TTI and 1.5 to decode: 4 + 6 + 2.5.
#[test]
fn a_lone_access_takes_its_four_steps() {
    for (cell, expected) in [
        (format!("{NR}{FDD}{}", alone("prach_period = 10")), 0.357 + 5.0 + 3.0 + 3.0 + 2.0),
        (format!("{NR}{}", alone("prach_period = 20")), 0.214 + 5.0 + 6.0),
        (format!("{LTE}{}", alone("prach_period = 10")), 5.0 + 4.0 + 6.0 + 2.5),
    ] {
        let (latencies, _) = lone(&cell);
        close(mean(&latencies), expected, 0.02, &cell);
    }
}

/// With two steps the payload of MsgA is one uplink slot behind its preamble. FDD: 0.357, 5, the
/// preamble and its payload, the base station, the grant's slot, the block and the base station, 1
/// each. DDDSU: preamble in slot 4, payload in 9, known to the base station in slot 11, block in
/// the first uplink slot after that which is `K2` behind, 14, and a slot more.
#[test]
fn two_steps_are_a_round_shorter_than_four() {
    for (cell, expected) in [
        (format!("{NR}{FDD}{}", alone("prach_period = 10, steps = 2")), 0.357 + 5.0 + 6.0),
        (format!("{NR}{}", alone("prach_period = 20, steps = 2")), 0.214 + 5.0 + 6.0),
    ] {
        let (latencies, _) = lone(&cell);
        close(mean(&latencies), expected, 0.02, &cell);
    }
}

/// All the cost of random access is in its own cause: the latency less the processing and the
/// transmission.
#[test]
fn ledger_books_random_access() {
    let (latencies, accessing) = lone(&format!("{NR}{FDD}{}", alone("prach_period = 10")));
    // Processing before, Msg3 and the base station after.
    close(accessing, mean(&latencies) - 0.357 - 2.0, 0.001, "random access");
}

/// `k` UEs that start at once with `n` preambles, in many runs: the share of first preambles that
/// no other UE drew.
fn alone_share(k: u32, n: u32) -> (f64, f64) {
    let rach = alone(&format!("prach_period = 10, preambles = {n}"));
    // The run ends before any UE tries a second time.
    let text = format!(
        "duration = \"40 ms\"\n{NR}{FDD}ues_per_slot = 100\nphase = \"0 s\"\n{rach}[[ue]]\n\
         name = \"u\"\ncount = {k}\n[[voice]]\nname = \"v\"\nue = \"u\"\npayload = \"10 B\"\n\
         direction = \"up\"\ninterval = \"1 s\"\ncount = 1\nstart = \"1 ms\"\n"
    );
    let (mut sent, mut collided, mut squares) = (0.0, 0.0, 0.0);
    for seed in 1..=400 {
        let outcome = run(&text, seed);
        let own = counted(&outcome, "preambles_collided");
        sent += counted(&outcome, "preambles_sent");
        collided += own;
        squares += own * own;
    }
    assert!((sent - 400.0 * f64::from(k)).abs() < 0.5, "{sent} preambles");
    let (count, each) = (400.0, f64::from(k));
    let average = collided / count;
    let variance = squares / count - average * average;
    (1.0 - collided / sent, 4.0 * (variance / count).sqrt() / each)
}

/// `P = (1 − 1/N)^(k−1)` for each of `k` UEs, within four standard errors of the mean of 400 runs.
#[test]
fn preambles_collide_as_often_as_chance_has_it() {
    for (k, n) in [(2, 4), (10, 8), (30, 54)] {
        let (found, within) = alone_share(k, n);
        let expected: f64 = (1..k).map(|_| 1.0 - 1.0 / f64::from(n)).product();
        assert!((found - expected).abs() <= within, "{k}, {n}: {found} ± {within}, {expected}");
        assert!(within < 0.09, "{k}, {n}: {within}");
    }
}

/// Two UEs with one preamble and no back-off collide for ever: after each `preambleTransMax`
/// preambles each has a radio link failure, and restarts.
#[test]
fn ue_that_always_collides_fails_repeatedly() {
    let rach = alone(
        "prach_period = 10, preambles = 1, preamble_trans_max = 3, \
         contention_resolution_timer = \"8 ms\"",
    );
    let text = format!(
        "duration = \"1 s\"\n{NR}{FDD}phase = \"0 s\"\nrandom_access_backoff = \"0 s\"\n{rach}\
         [[ue]]\nname = \"u\"\ncount = 2\n[[voice]]\nname = \"v\"\nue = \"u\"\npayload = \"10 B\"\n\
         direction = \"up\"\ninterval = \"1 s\"\ncount = 1\nstart = \"1 ms\"\n"
    );
    let outcome = run(&text, 1);
    // The preamble, 6 slots to Msg3, which ends in the next, and 8 ms: so each in the second
    // occasion from the one before, 20 ms later, and a failure with the third.
    let sent = counted(&outcome, "preambles_sent");
    let problems = counted(&outcome, "random_access_problems");
    assert!((sent - 2.0 * 50.0).abs() < 2.5, "{sent}");
    assert!((problems - (sent / 3.0).floor()).abs() < 2.5, "{problems} of {sent}");
    assert!((counted(&outcome, "preambles_collided") - sent).abs() < 0.5);
    assert!((counted(&outcome, "random_accesses") - problems - 2.0).abs() < 0.5);
    assert_eq!(numbers(&outcome, "datagrams", "latency_ms").len(), 0);
}

/// Packets that waited when random access failed are sent when it succeeds, and later packets too.
#[test]
fn waiting_packets_survive_a_failed_random_access() {
    let rach = alone("prach_period = 10, preambles = 1, preamble_trans_max = 3");
    let mut problems = 0.0;
    for seed in 1..=20 {
        let text = format!(
            "duration = \"60 s\"\n{NR}{FDD}random_access_backoff = \"20 ms\"\n{rach}[[ue]]\n\
             name = \"u\"\ncount = 3\n[[voice]]\nname = \"v\"\nue = \"u\"\npayload = \"10 B\"\n\
             direction = \"up\"\ninterval = \"500 ms\"\ncount = 4\nstart = \"1 ms\"\n"
        );
        let outcome = run(&text, seed);
        problems += counted(&outcome, "random_access_problems");
        assert_eq!(numbers(&outcome, "datagrams", "latency_ms").len(), 12, "seed {seed}");
    }
    assert!(problems > 10.0, "{problems}");
}

/// With a back-off they separate, and nothing is lost.
#[test]
fn back_off_separates_colliding_ues() {
    let rach = alone("prach_period = 10, preambles = 1, preamble_trans_max = 50");
    let text = format!(
        "duration = \"20 s\"\n{NR}{FDD}random_access_backoff = \"320 ms\"\n{rach}[[ue]]\nname = \"u\"\n\
         count = 5\n[[voice]]\nname = \"v\"\nue = \"u\"\npayload = \"10 B\"\ndirection = \"up\"\n\
         interval = \"1 s\"\ncount = 1\nstart = \"1 ms\"\n"
    );
    let outcome = run(&text, 1);
    assert_eq!(numbers(&outcome, "datagrams", "latency_ms").len(), 5);
    assert!(counted(&outcome, "preambles_collided") >= 5.0);
}

/// A preamble that is not detected is retransmitted after the window: with half of them lost, the
/// mean delay is that of the expected number of further attempts.
#[test]
fn missed_preamble_costs_its_response_window() {
    // The window ends 4 slots behind the preamble's; the next occasion is in slot 10.
    let rach = |missed| {
        format!(
            "random_access_backoff = \"0 s\"\nrach = {{ scheduling_requests = false, \
             preamble_missed = {missed}, prach_period = 10, response_window = 4, \
             preamble_trans_max = 200 }}\n"
        )
    };
    let of = |missed| mean(&lone(&format!("{NR}{FDD}{}", rach(missed))).0);
    // One more attempt each time with a chance of a half: one on average, 10 ms.
    close(of("0.5") - of("0"), 10.0, 0.1, "attempts");
}

/// TS 38.321 §5.4.4: `sr-TransMax` requests without answer, then random access, which succeeds.
#[test]
fn requests_without_answer_end_in_random_access() {
    for cell in [
        format!("{NR}{FDD}sr_period = 5\nsr_trans_max = 4\n"),
        format!("{LTE}sr_period = 5\ndsr_trans_max = 4\n"),
    ] {
        let cell = cell.replace("sr_missed = 0", "sr_missed = 1");
        let rach = "rach = { prach_period = 10, preamble_missed = 0 }\n";
        let (latencies, accessing) = lone(&format!("{cell}{rach}"));
        assert!(accessing > 5.0, "{accessing}");
        // Four requests take 15 to 20 slots, and the access as long as without them.
        let by_requests = latencies.iter().copied().fold(0.0, f64::max);
        assert!(by_requests < 20.0 + 5.0 + 10.0 + 13.0, "{by_requests}");
    }
}

/// A request in the first slots of a run, for whose block no slot was early enough to grant it, is
/// answered as later requests are: a second is a whole number of all periods.
#[test]
fn first_request_is_answered_like_later_ones() {
    let cell = format!("{NR}{FDD}least_k2 = 28\n{}", alone(""));
    let outcome = run(
        &format!(
            "duration = \"3 s\"\n{cell}[[ping]]\nname = \"p\"\ninterval = \"1 s\"\ncount = 2\n"
        ),
        1,
    );
    let [first, second] = numbers(&outcome, "pings", "rtt_ms")[..] else { panic!("two came") };
    assert!((first - second).abs() < 1e-6, "{first}, {second}");
}
