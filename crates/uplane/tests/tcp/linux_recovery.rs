//! `base = "linux"` against Linux with paths that change, reorder or lose tails, and with slow
//! readers.
//!
//! Each case states the results of Linux 6.18 over that emulated path (`peers/linux/cell.c` with a
//! rate that changes, late packets, and a reader that pauses).

#![allow(clippy::disallowed_methods, reason = "a mean of ratios is compared with bounds")]

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

fn run(text: &str, seed: u64) -> Outcome {
    let scenario = Scenario::from_toml(text, "path", &[]).unwrap_or_else(|it| panic!("{it}"));
    simulate(&scenario, seed)
}

/// The values of a column; missing ones are left out.
fn numbers(outcome: &Outcome, name: &str, column: &str) -> Vec<f64> {
    let found = outcome.tables.iter().find(|table: &&Table| table.name == name);
    match found.expect("a table of every run").column(column).expect("a column") {
        Data::F64(values) => values.iter().copied().flatten().collect(),
        Data::U64(values) => values.iter().map(|&value| value as f64).collect(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

fn sum(outcome: &Outcome, name: &str, column: &str) -> f64 {
    numbers(outcome, name, column).into_iter().sum()
}

/// A fade behind a deep buffer: 20 Mbit/s, 4 after a second, a queue of 500 kB, 100 ms, 4 MB. Round
/// trips of 1.1 s with a minimum of 0.1 s, so that an ACK of the first copy of a segment arrives
/// long after the second left (RFC 8985 §6.2 step 2). Linux: 900 retransmissions, 6.690 s.
#[test]
fn fade_behind_a_deep_buffer_starts_no_storm() {
    let outcome = run(
        "duration = \"100 s\"\n[radio.fixed]\n[[link]]\nname = \"path\"\ndelay = \"50 ms\"\n\
         [link.down]\nqueue = \"500 kB\"\n\
         rates = [{at = \"0 s\", rate = \"20 Mbit/s\"}, {at = \"1 s\", rate = \"4 Mbit/s\"}]\n\
         [tcp.default]\nbase = \"linux\"\ncongestion_control = \"new_reno\"\nhystart = false\n\
         [[download]]\nname = \"file\"\nfile = \"4 MB\"\n",
        1,
    );
    let resent = sum(&outcome, "connections", "retransmissions");
    assert!(resent <= 1.2 * 900.0, "{resent} retransmissions");
    let time = numbers(&outcome, "transfers", "duration_s")[0];
    assert!((time / 6.690 - 1.0).abs() <= 0.02, "{time} s");
}

/// A share of the packets of both directions is late, by 3, 15 or 60 ms: 1.5 MB over 20 Mbit/s and
/// 50 ms. Retransmissions of Linux, mean of eight runs.
const LATE: [(&str, u64, f64); 9] = [
    ("0.01", 3, 1.0),
    ("0.01", 15, 1.5),
    ("0.01", 60, 13.0),
    ("0.05", 3, 0.9),
    ("0.05", 15, 1.9),
    ("0.05", 60, 38.0),
    ("0.2", 3, 1.1),
    ("0.2", 15, 1.8),
    ("0.2", 60, 26.0),
];

/// Reordering revealed by a spurious retransmission is remembered (RFC 8985 §6.2 step 4, RFC 3522
/// §3.2): at most twice the retransmissions of Linux, or three more.
#[test]
fn late_packets_are_hardly_retransmitted() {
    let mut wrong = Vec::new();
    for (share, late_ms, linux) in LATE {
        let text = format!(
            "duration = \"100 s\"\n[radio.fixed]\n[[link]]\nname = \"path\"\ndelay = \"25 ms\"\n\
             down = {{rate = \"20 Mbit/s\"}}\n\
             reordering = {{probability = {share}, delay = \"{late_ms} ms\"}}\n\
             [tcp.default]\nbase = \"linux\"\n[[download]]\nname = \"file\"\nfile = \"1500 kB\"\n"
        );
        let runs = 8;
        let resent = |seed| sum(&run(&text, seed), "connections", "retransmissions");
        let mean = (1..=runs).map(resent).sum::<f64>() / runs as f64;
        if mean > f64::max(2.0 * linux, linux + 3.0) {
            wrong.push(format!("{share} late by {late_ms} ms: {mean}, Linux {linux}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("; "));
}

/// A reader of 20 kbit/s closes the window for most of the time (RFC 9293 §3.8.6.1). Linux: no
/// retransmission, no recovery, and a window of ten segments throughout.
#[test]
fn slow_reader_is_no_loss() {
    let outcome = run(
        "duration = \"30 s\"\n[radio.fixed]\n[tcp.default]\nbase = \"linux\"\n\
         receive_buffer = \"64 kB\"\nreceive_buffer_tuning = false\n\
         [[link]]\nname = \"path\"\ndelay = \"20 ms\"\n\
         [[download]]\nname = \"file\"\nfile = \"1 MB\"\nread_rate = \"20 kbit/s\"\n",
        1,
    );
    for column in ["retransmissions", "recoveries", "timeouts", "limited_recovery"] {
        assert!(sum(&outcome, "connections", column).abs() < 1e-9, "{column}");
    }
    assert!(sum(&outcome, "connections", "limited_rwnd") > 0.9);
    let windows = numbers(&outcome, "connections", "cwnd_bytes");
    assert!(windows.iter().all(|&window| window >= 14_480.0), "{windows:?}");
}

/// Seven objects on one connection over 10 Mbit/s and 150 ms, as a server without Nagle's algorithm
/// sends them. Linux: 1.645 s; its window stays at 48 segments while small objects use a part of
/// it, and the fifth object finds it (RFC 7661 §4.4).
#[test]
fn page_finds_the_window_that_it_left() {
    let outcome = run(
        "duration = \"100 s\"\n[radio.fixed]\n[[link]]\nname = \"path\"\ndelay = \"75 ms\"\n\
         [link.down]\nrate = \"10 Mbit/s\"\nqueue = \"125 kB\"\n\
         [tcp.default]\nbase = \"linux\"\nnagle = false\n\
         [[web]]\nname = \"page\"\npersistent = true\n\
         objects = [\"14 kB\", \"40 kB\", \"10 kB\", \"10 kB\", \"80 kB\", \"5 kB\", \"100 kB\"]\n",
        1,
    );
    let times = numbers(&outcome, "transfers", "duration_s");
    let time = times.last().expect("the page");
    assert!((time / 1.645 - 1.0).abs() <= 0.02, "{times:?}");
}

/// Three objects on one connection over 10 Mbit/s and 50 ms; the last packet of the first is lost.
/// A probe repairs it (RFC 8985 §7.2: at the retransmission timeout at the latest), and the second
/// object finds the window that the probe leaves. Linux: 0.222 s for the second, 0.218 s for the
/// third.
#[test]
fn lost_tail_of_an_object_is_no_timeout() {
    let outcome = run(
        "duration = \"100 s\"\n[radio.fixed]\n[[link]]\nname = \"path\"\ndelay = \"25 ms\"\n\
         [link.down]\nrate = \"10 Mbit/s\"\nqueue = \"125 kB\"\nlost_packets = [7]\n\
         [tcp.default]\nbase = \"linux\"\n[[web]]\nname = \"page\"\npersistent = true\n\
         think = \"100 ms\"\nobjects = [\"10 kB\", \"60 kB\", \"60 kB\"]\n",
        1,
    );
    assert!(sum(&outcome, "connections", "timeouts").abs() < 1e-9);
    let times = numbers(&outcome, "transfers", "duration_s");
    for (time, linux) in times[1..3].iter().zip([0.222, 0.218]) {
        assert!((time / linux - 1.0).abs() <= 0.05, "{times:?}");
    }
}
