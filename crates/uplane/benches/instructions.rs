//! What a simulated second costs: instructions, which no other program on the machine changes, and
//! CPU seconds beside them. `cargo bench -p uplane --bench instructions -- WORD` for the cases
//! whose name has the word.
//!
//! In: three scenarios, each at two lengths. Out: a row for each. Setting up and reading the
//! scenario fall out of the difference of the two.
//!
//! The program runs itself under `valgrind --tool=callgrind` and reads the total. Where there is no
//! valgrind, it says so and gives the CPU seconds alone.
//!
//! Left out: memory accesses, branches and caches, which the CPU seconds have.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark starts processes, reads the clock and prints"
)]

#[path = "shared/clock.rs"]
mod clock;

use std::hint::black_box;
use std::process::Command;

use uplane::scenario::{Scenario, simulate};

use clock::Cpu;

/// A scenario that is simulated for two lengths.
struct Case {
    name: &'static str,
    text: &'static str,
    /// Simulated seconds.
    lengths: [u32; 2],
}

const CASES: &[Case] = &[
    Case {
        name: "study 001: call and download",
        text: include_str!("../../../python/uplane/studies/001-loss-latency/honest.toml"),
        lengths: [10, 30],
    },
    Case {
        name: "download, 21 Mbit/s, 50 PRB",
        text: include_str!("scenarios/download-50-prb.toml"),
        lengths: [4, 12],
    },
    Case {
        name: "7 sites of 3 cells, 10 UEs",
        text: include_str!("scenarios/21-cells.toml"),
        lengths: [2, 6],
    },
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [only, name, seconds] = words.as_slice()
        && only == "--only"
    {
        let case = CASES.iter().find(|case| case.name == name).expect("a case of this bench");
        black_box(simulate(&case.scenario(seconds.parse().expect("whole seconds")), 1));
        return;
    }
    let words: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let wanted = |case: &&Case| words.is_empty() || words.iter().any(|it| case.name.contains(*it));
    let has_valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    if !has_valgrind {
        println!(
            "Instructions are not counted: there is no valgrind (Debian: apt install valgrind)."
        );
    }
    println!("{:<36} {:>22} {:>18}", "case", "instructions / sim s", "CPU ms / sim s");
    for case in CASES.iter().filter(wanted) {
        let counted = has_valgrind.then(|| case.a_second(Case::instructions));
        let counted = counted.map_or("-".to_owned(), |it| format!("{:.2} M", it / 1e6));
        let milliseconds = case.a_second(Case::cpu_seconds) * 1e3;
        println!("{:<36} {counted:>22} {milliseconds:>18.3}", case.name);
    }
}

impl Case {
    fn scenario(&self, seconds: u32) -> Scenario {
        let mut set = vec![("duration".to_owned(), format!("{seconds} s"))];
        if self.text.contains("[[voice]]") {
            // A packet each 20 ms from 2 s on.
            set.push(("voice.call.count".to_owned(), ((seconds - 2) * 50).to_string()));
        }
        Scenario::from_toml(self.text, self.name, &set).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What one simulated second more costs.
    fn a_second(&self, cost: impl Fn(&Self, u32) -> f64) -> f64 {
        let [short, long] = self.lengths;
        (cost(self, long) - cost(self, short)) / f64::from(long - short)
    }

    fn instructions(&self, seconds: u32) -> f64 {
        let itself = std::env::current_exe().expect("a program knows where it is");
        let run = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(itself)
            .args(["--only", self.name, &seconds.to_string()])
            .output()
            .expect("valgrind was there before");
        let log = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{log}");
        let total = log.lines().find_map(|line| line.split_once("Collected : "));
        total.and_then(|(_, count)| count.trim().parse().ok()).expect("callgrind says the total")
    }

    /// The least of several runs: what disturbs a run only makes it longer.
    fn cpu_seconds(&self, seconds: u32) -> f64 {
        let scenario = self.scenario(seconds);
        let runs = (0..5).map(|_| {
            let start = Cpu::now();
            black_box(simulate(&scenario, 1));
            start.elapsed()
        });
        runs.fold(f64::INFINITY, f64::min)
    }
}
