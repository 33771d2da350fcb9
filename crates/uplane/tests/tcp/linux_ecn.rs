//! `base = "linux"` with classic ECN against Linux: the times of downloads through a queue that
//! marks.
//!
//! `peers/linux/ecn.csv` has the results of Linux 6.18 over an emulated path (`peers/linux/cell.c`
//! with `mark=`): packets that have waited for longer than 5 or 20 ms leave with CE, and the queue
//! is long enough that nothing is dropped. Each cell was played twice.
//!
//! The bounds were set before this test was run for the first time, from the kernel's agreement
//! with itself: where its two plays are within 2.5 % of each other, nine of ten cells are to be
//! within 5 % of their mean; nine of ten of all cells within 10 % of the interval between the two
//! plays. An earlier comparison by other means was known: 48 of 54 cells of reno and 44 of CUBIC
//! within 5 %.
//!
//! The profile alone misses one of the bounds (CUBIC: 0.872; the bound is 0.9). The missing feature
//! is PSH: Linux acknowledges a segment with PSH at once, so that the mark of the next one has a
//! separate acknowledgement. The test sets these rules by their keys, and meets all bounds.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a mean of ratios is compared with bounds, and what was found is printed"
)]

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

/// One path, and the kernel's times.
struct Cell {
    /// Size, rate in Mbit/s, round trip and threshold in ms, control, queue in bytes.
    key: [String; 6],
    /// The shorter and the longer time, in seconds.
    plays: (f64, f64),
}

/// The cells in which the emulator was late by at most 3 % of the time.
fn cells() -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for line in include_str!("../../../../peers/linux/ecn.csv").lines().skip(1) {
        let words: Vec<&str> = line.split(',').collect();
        let number = |index: usize| words[index].parse::<f64>().expect("a number");
        assert!(number(7) == 0.0, "the kernel sent something again: {line}");
        let key = [0, 1, 2, 3, 4, 5].map(|index: usize| words[index].to_owned());
        let time = number(6);
        if number(10) > 0.03 * time {
            continue;
        }
        match cells.iter_mut().find(|cell| cell.key == key) {
            Some(cell) => cell.plays = (cell.plays.0.min(time), cell.plays.1.max(time)),
            None => cells.push(Cell { key, plays: (time, time) }),
        }
    }
    cells
}

impl Cell {
    /// Simulated time of the download, in s.
    fn play(&self) -> f64 {
        let [size, rate, rtt, mark, control, queue] = &self.key;
        let delay = rtt.parse::<u64>().expect("a number") * 500;
        let control = match control.as_str() {
            "reno" => "congestion_control = \"new_reno\"\nhystart = false",
            _ => "congestion_control = \"cubic\"",
        };
        let text = format!(
            "duration = \"1000 s\"\n[radio.fixed]\n[[link]]\nname = \"path\"\ndelay = \"{delay} us\"\n\
             down = {{ rate = \"{rate} Mbit/s\", queue = \"{queue} B\" }}\n\
             aqm.step = {{ threshold = \"{mark} ms\", ect0 = true }}\n\
             [tcp.default]\nbase = \"linux\"\necn = \"classic\"\n{control}\n{PUSHES}\n\
             [[download]]\nname = \"file\"\nfile = \"{size} B\"\n"
        );
        let scenario = Scenario::from_toml(&text, "ecn", &[]).unwrap_or_else(|it| panic!("{it}"));
        let outcome = simulate(&scenario, 1);
        assert!(total(&outcome, "connections", "retransmissions") == 0.0, "{text}");
        total(&outcome, "transfers", "duration_s")
    }
}

fn total(outcome: &Outcome, name: &str, column: &str) -> f64 {
    let found = outcome.tables.iter().find(|table: &&Table| table.name == name);
    match found.expect("a table of every run").column(column).expect("a column") {
        Data::F64(values) => values.iter().flatten().sum(),
        Data::U64(values) => values.iter().map(|&value| value as f64).sum(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

/// Rules of Linux that the profile leaves out.
const PUSHES: &str = "acks = { at_push = true }\npush_often = true\nsend_buffer_tuning = true";

/// Returns the share of `ratios` that hold.
fn share(ratios: &[bool]) -> f64 {
    ratios.iter().filter(|it| **it).count() as f64 / ratios.len() as f64
}

#[test]
fn downloads_through_marking_queues_match_linux_times() {
    let cells = cells();
    assert!(cells.len() > 100, "only {} cells", cells.len());
    for control in ["reno", "cubic"] {
        let (mut settled, mut all, mut logs) = (Vec::new(), Vec::new(), Vec::new());
        for cell in cells.iter().filter(|cell| cell.key[4] == control) {
            let (least, most) = cell.plays;
            let (time, mean) = (cell.play(), f64::midpoint(least, most));
            let ratio = time / mean;
            println!("{:?}: Linux {least:.3} to {most:.3} s, {ratio:.3}", cell.key);
            if most / least <= 1.025 {
                settled.push((ratio - 1.0).abs() <= 0.05);
            }
            all.push(0.9 * least <= time && time <= 1.1 * most);
            logs.push(ratio.ln());
        }
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        println!(
            "{control}: {} of {} cells where Linux agrees with itself, {:.3} of these within 5 %; \
             {:.3} of all within 10 % of both plays, mean {mean:.3}",
            settled.len(),
            all.len(),
            share(&settled),
            share(&all),
        );
        assert!(share(&settled) >= 0.9, "{control}: {:.3}", share(&settled));
        assert!(share(&all) >= 0.9, "{control}: {:.3}", share(&all));
        assert!((0.97..=1.03).contains(&mean), "{control}: {mean:.3}");
    }
}
