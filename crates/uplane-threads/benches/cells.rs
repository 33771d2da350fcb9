//! Speed-up of one network by more cores: `cargo bench --package uplane-threads`.
//!
//! Each scenario runs with one thread, with two, and so on up to the number of cores, one run after
//! the other, several times. A row has the minimum of each. Time is wall time, so the machine must
//! be idle. All runs must return the same bytes.

#![allow(clippy::disallowed_methods, reason = "it measures wall time")]
#![allow(clippy::print_stdout, reason = "a table is what it is for")]

use std::thread::available_parallelism;
use std::time::Instant;

use uplane::scenario::{Outcome, Scenario, Simulation};
use uplane_threads::Threads;

const NETWORK: &str = include_str!("../../uplane/benches/scenarios/21-cells.toml");
const EPA: (&str, &str) = ("radio.lte.network.fading", "epa");
const EVEN: (&str, &str) = ("radio.lte.network.equal_per_cell", "true");
const EVERYWHERE: (&str, &str) = ("radio.lte.network.edge", "wrapped");
const SITES_19: (&str, &str) = ("radio.lte.network.rings", "2");

/// Name of each row, and its changes of the scenario.
const ROWS: &[(&str, &[(&str, &str)])] = &[
    ("21 cells, 60 UEs", &[("ue.ue.count", "60")]),
    ("21 cells, 60 UEs, EPA", &[("ue.ue.count", "60"), EPA]),
    ("21 cells, 210 UEs, EPA", &[("ue.ue.count", "210"), EPA, EVEN]),
    ("57 cells, 570 UEs", &[("ue.ue.count", "570"), SITES_19, EVEN]),
    ("57 cells, 570 UEs, EPA", &[("ue.ue.count", "570"), SITES_19, EPA, EVEN]),
];

/// Runs of a row with each number of threads.
const ROUNDS: u32 = 3;

fn main() {
    let most = available_parallelism().map_or(1, usize::from);
    println!("wall milliseconds of a simulated second, and the gain over one thread");
    for &(name, set) in ROWS {
        let scenario = read(name, set);
        let alone = format!("{:?}", run(&scenario, 1).1.tables);
        let mut least = vec![f64::INFINITY; most];
        for _ in 0..ROUNDS {
            for threads in 1..=most {
                let (seconds, outcome) = run(&scenario, threads);
                assert!(format!("{:?}", outcome.tables) == alone, "{name} with {threads} threads");
                least[threads - 1] = least[threads - 1].min(seconds);
            }
        }
        let columns = least.iter().map(|&seconds| {
            format!("{:>9.2} {:>5.2}", seconds * 1e3 / SIMULATED_S, least[0] / seconds)
        });
        println!("{name:<24}{}", columns.collect::<String>());
    }
}

const SIMULATED_S: f64 = 3.0;

fn read(name: &str, set: &[(&str, &str)]) -> Scenario {
    let mut set: Vec<_> = set.iter().map(|&(key, value)| (key.into(), value.into())).collect();
    set.push((EVERYWHERE.0.into(), EVERYWHERE.1.into()));
    set.push(("duration".into(), format!("{SIMULATED_S} s")));
    Scenario::from_toml(NETWORK, name, &set).unwrap_or_else(|error| panic!("{error}"))
}

fn run(scenario: &Scenario, threads: usize) -> (f64, Outcome) {
    let mut simulation = Simulation::new(scenario, 1);
    if threads > 1 {
        simulation.employ(Box::new(Threads::new(threads, |part| {
            part.work();
            Ok(())
        })));
    }
    let begun = Instant::now();
    while !simulation.advance(u64::MAX) {}
    let seconds = begun.elapsed().as_secs_f64();
    (seconds, simulation.finish())
}
