//! Discontinuous reception from end to end, over LTE and NR, against closed forms.
//!
//! An arrival at any time of a cycle `C` with on-duration `o` waits `(C − o)²/(2C)` for the next
//! on-duration on average, and one in sleep `(C − o)/2` (TS 38.321 §5.7). In slots of `s` it waits
//! from one slot to `n = (C − o)/s` of them: `s²·n(n + 1)/(2C)`.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

const LTE: &str = "[radio.lte]\nbandwidth = \"20 MHz\"\nsr_period = 1\nbler = \"none\"\nmcs = 10\n";
const NR: &str = "[radio.nr]\nduplex = \"FDD\"\nbandwidth_mhz = 20\nsr_period = 2\nbler = \"none\"\nmcs = 10\nuplink_mcs = 10\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, 1)
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

fn numbers(outcome: &Outcome, name: &str, column: &str) -> Vec<f64> {
    match table(outcome, name).column(column).expect("a column") {
        Data::F64(values) => values.iter().flatten().copied().collect(),
        Data::U64(_) | Data::Text(_) => panic!("{column} is another kind"),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// One-way latencies in ms of 3000 datagrams, and their mean time in the cause `drx sleep`.
fn datagrams(cell: &str, direction: &str, interval: &str) -> (Vec<f64>, f64) {
    let voice =
        format!("payload = \"40 B\"\ndirection = \"{direction}\"\ninterval = \"{interval}\"\n");
    let text =
        format!("duration = \"100000 s\"\n{cell}[[voice]]\nname = \"v\"\ncount = 3000\n{voice}");
    let outcome = run(&text);
    let Some(Data::Text(causes)) = table(&outcome, "anatomy").column("cause") else {
        panic!("causes have names")
    };
    let means = numbers(&outcome, "anatomy", "mean_ms");
    let slept = causes.iter().zip(&means).filter(|(cause, _)| *cause == "drx sleep");
    (numbers(&outcome, "datagrams", "latency_ms"), slept.map(|(_, mean)| mean).sum())
}

/// Returns a DRX section with these cycles and further keys.
fn drx_with(long: u32, on: u32, inactivity: u32, more: &str) -> String {
    format!(
        "drx = {{ long_cycle = \"{long} ms\", on_duration = \"{on} ms\", \
         inactivity_timer = \"{inactivity} ms\"{more} }}\n"
    )
}

fn drx(long: u32, on: u32, inactivity: u32) -> String {
    drx_with(long, on, inactivity, "")
}

/// An interval for which each packet finds the UE asleep, and no multiple of a cycle.
const FAR: &str = "1013.7139 ms";

#[test]
fn a_downlink_packet_waits_for_half_a_cycle() {
    for (cell, slot) in [(LTE, 1.0), (NR, 0.5)] {
        let (awake, _) = datagrams(cell, "down", FAR);
        for (long, on) in [(320, 10), (40, 8)] {
            let (found, slept) = datagrams(&format!("{cell}{}", drx(long, on, 100)), "down", FAR);
            let more = mean(&found) - mean(&awake);
            let asleep = f64::from(long - on);
            let expected = asleep * (asleep + slot) / (2.0 * f64::from(long));
            assert!((more / expected - 1.0).abs() < 0.02, "{long}/{on}: {more}, {expected}");
            assert!((slept - more).abs() < 0.5, "{slept} of {more} ms in the anatomy");
            let longest = found.iter().copied().fold(0.0, f64::max);
            assert!(longest < asleep + mean(&awake) + 1.5, "{longest}");
        }
    }
}

/// A request wakes the UE, and its answer finds it awake: no ping is later, unless the server takes
/// longer than the inactivity timer.
#[test]
fn ping_answered_after_inactivity_timer_waits() {
    let pings = |cell: &str| {
        let link = "[[link]]\nname = \"core\"\ndelay = \"75 ms\"\n";
        let ping = format!("interval = \"{FAR}\"\ncount = 3000\n");
        let text = format!("duration = \"100000 s\"\n{cell}{link}[[ping]]\nname = \"p\"\n{ping}");
        mean(&numbers(&run(&text), "pings", "rtt_ms"))
    };
    for cell in [LTE, NR] {
        let awake = pings(cell);
        let quick = pings(&format!("{cell}{}", drx(320, 10, 200))) - awake;
        assert!(quick.abs() < 0.1, "the answer comes in time: {quick}");
        let slow = pings(&format!("{cell}{}", drx(320, 10, 100))) - awake;
        assert!((slow / 150.16 - 1.0).abs() < 0.03, "the answer comes late: {slow}");
    }
}

/// Uplink packets are requested as without DRX, and their grants find the UE awake.
#[test]
fn an_uplink_packet_does_not_wait() {
    for cell in [LTE, NR] {
        let (awake, _) = datagrams(cell, "up", FAR);
        // In LTE a second grant follows within 20 ms.
        let (found, slept) = datagrams(&format!("{cell}{}", drx(320, 10, 20)), "up", FAR);
        assert!(awake == found, "{} instead of {}", mean(&found), mean(&awake));
        assert!(slept.abs() < 1e-9);
    }
}

/// Each first transmission fails: the retransmission timer wakes the UE for the second, and
/// without such a timer it waits for the next cycle.
#[test]
fn a_retransmission_finds_the_ue_awake() {
    for cell in [LTE, NR] {
        let fails = cell.replace("bler = \"none\"", "bler = [1, 0]");
        let of = |cell: &str| mean(&datagrams(cell, "down", FAR).0);
        let with = |timer: u32| {
            let own = drx_with(320, 2, 0, &format!(", retransmission_timer = \"{timer} ms\""));
            of(&format!("{fails}{own}"))
        };
        let round_trip = of(&fails) - of(cell);
        let once = of(&format!("{cell}{}", drx(320, 2, 0)));
        assert!((with(8) - once - round_trip).abs() < 0.2, "{} {once} {round_trip}", with(8));
        assert!(with(0) > once + 250.0, "{}", with(0));
    }
}

/// After activity a UE wakes each short cycle, until it is quiet for longer.
#[test]
fn short_cycles_shorten_the_next_packets_wait() {
    for cell in [LTE, NR] {
        let own = |short: &str| format!("{cell}{}", drx_with(320, 10, 20, short));
        let short = ", short_cycle = \"40 ms\", short_cycle_timer = 16";
        // 16 cycles are 640 ms.
        let (longer, _) = datagrams(&own(""), "down", "313.37 ms");
        let (found, _) = datagrams(&own(short), "down", "313.37 ms");
        assert!(found[1..].iter().all(|&latency| latency < 35.0), "{}", mean(&found));
        assert!(longer.iter().any(|&latency| latency > 250.0));
        let (found, _) = datagrams(&own(short), "down", FAR);
        assert!(found.iter().any(|&latency| latency > 250.0), "{}", mean(&found));
    }
}
