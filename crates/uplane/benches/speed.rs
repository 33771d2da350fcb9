//! Speed of the simulator: `make bench`, or `cargo bench --bench speed -- WORD` for the cases whose
//! name contains the word.
//!
//! Prints, for each case, the median of several runs: CPU time, simulated seconds per CPU second,
//! events and packets per CPU second, and the peak memory of the process. CPU time, because a busy
//! machine shares its cores; wall time where the system does not report it. Never a test.
//!
//! Cases of one name with more and more UEs show the cost of each: CPU time per second and busy UE.
//! All of them have data waiting all the time, so they share the air, and each gets less of it.
//!
//! With `--once` each scenario runs a single time and prints only a fingerprint of all its results.
//! Two builds with equal fingerprints simulate equally. `valgrind --tool=callgrind` counts the
//! instructions of such a run, whatever else runs on the machine.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark reads the clock and prints"
)]

#[path = "shared/clock.rs"]
mod clock;

use std::hint::black_box;

use uplane::record::Data;
use uplane::scenario::{Scenario, simulate};
use uplane::sim::{Agenda, Streams};
use uplane::unit::{Duration, Instant};

use clock::Cpu;

const RUNS: usize = 7;

fn main() {
    let once = std::env::args().any(|word| word == "--once");
    if !once {
        println!(
            "{:<36} {:>12} {:>14} {:>12} {:>12} {:>12}",
            "case", "CPU time", "sim s / CPU s", "events / s", "packets / s", "CPU / UE s"
        );
    }
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word));
    for pending in [500, 5_000] {
        if is_wanted("agenda") && !once {
            queue(pending);
        }
    }
    let cases =
        CASES.iter().map(|(name, text, set)| (name.to_string(), read(name, text, set), None));
    let growing = GROWING.iter().flat_map(|(name, cells, set)| {
        [10, 30, 100, 300, 1000].map(|ues| {
            let name = format!("{ues} busy UEs {name}");
            let count = (ues * cells).to_string();
            let set = [*set, &[("ue.ue.count", count.as_str())]].concat();
            let scenario = read(&name, NETWORK, &set);
            (name, scenario, Some(ues * cells))
        })
    });
    for (name, scenario, ues) in cases.chain(growing).filter(|(name, ..)| is_wanted(name)) {
        if once {
            println!("{name:<40} {:016x}", fingerprint(&scenario));
        } else {
            measure(&name, &scenario, ues);
        }
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory {peak}");
    }
}

/// The hold model: pop the next of `pending` entities and arm it for a later time.
fn queue(pending: usize) {
    let events = 2_000_000;
    let seconds = median(|| {
        let mut random = Streams::new(1).open("bench", "queue");
        let mut agenda = Agenda::default();
        for _ in 0..pending {
            let slot = agenda.add();
            agenda.arm(slot, Instant::from_nanos(random.below(1_000_000)));
        }
        let start = Cpu::now();
        for _ in 0..events {
            let (now, slot) = agenda.pop(Instant::FAR_FUTURE).expect("entities are always armed");
            agenda.arm(slot, now + Duration::from_nanos(1 + random.below(1_000_000)));
        }
        black_box(agenda.len());
        start.elapsed()
    });
    let rate = f64::from(events) / seconds / 1e6;
    println!(
        "{:<36} {:>9.3} ms {:>14} {:>10.1} M {:>12}",
        format!("agenda, {pending} pending"),
        seconds * 1e3,
        "",
        rate,
        ""
    );
}

fn read(name: &str, text: &str, set: &[(&str, &str)]) -> Scenario {
    let set: Vec<_> = set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Scenario::from_toml(text, name, &set).unwrap_or_else(|error| panic!("{error}"))
}

/// FNV-1a over all results of one run.
fn fingerprint(scenario: &Scenario) -> u64 {
    let outcome = simulate(scenario, 1);
    let results = format!("{:?} {}", outcome.tables, outcome.events);
    results.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn measure(name: &str, scenario: &Scenario, ues: Option<u32>) {
    let first = Cpu::now();
    let outcome = simulate(scenario, 1);
    let first = first.elapsed();
    let run =
        outcome.tables.iter().find(|table| table.name == "run").expect("every run has this table");
    let simulated = match run.column("simulated_s") {
        Some(Data::F64(values)) => values[0].expect("a time"),
        _ => panic!("the table run has simulated_s"),
    };
    let packets = match run.column("packets") {
        Some(Data::U64(values)) => values[0] as f64,
        _ => panic!("the table run has packets"),
    };
    // The system counts CPU time in ticks of some milliseconds: short runs are repeated.
    let repeats = (0.2 / first.max(1e-6)).ceil().clamp(1.0, 1000.0);
    let seconds = median_of(if first > 1.0 { 3 } else { RUNS }, || {
        let start = Cpu::now();
        for _ in 0..repeats as u32 {
            black_box(simulate(scenario, 1));
        }
        start.elapsed() / repeats
    });
    let of_ue = ues.map(|ues| format!("{:>9.1} us", seconds / simulated / f64::from(ues) * 1e6));
    println!(
        "{name:<36} {:>9.3} ms {:>14.1} {:>10.2} M {:>10.2} M {}",
        seconds * 1e3,
        simulated / seconds,
        outcome.events as f64 / seconds / 1e6,
        packets / seconds / 1e6,
        of_ue.unwrap_or_default()
    );
}

fn median(run: impl FnMut() -> f64) -> f64 {
    median_of(RUNS, run)
}

fn median_of(runs: usize, mut run: impl FnMut() -> f64) -> f64 {
    run();
    let mut times: Vec<f64> = (0..runs).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

/// Returns the peak resident memory of this process, if the system reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(|size| size.trim().to_owned())
}

/// Name, scenario, and the keys that the case changes.
type Case = (&'static str, &'static str, &'static [Setting]);
type Setting = (&'static str, &'static str);

const CASES: &[Case] = &[
    ("one greedy flow, fixed 21 Mbit/s", GREEDY, &[]),
    ("FTP of 100 kB over EDGE", GERAN, &[("radio.geran.profile", "edge")]),
    ("FTP of 100 kB over GERAN Evolution", GERAN, &[("radio.geran.profile", "gev")]),
    ("one download, LTE cell of 21 Mbit/s", DOWNLOAD, &[]),
    ("one download, the TTI study's cell", TTI_STUDY, &[]),
    ("a call and a download, study 001", MARKING_STUDY, &[]),
    ("10 greedy UEs, 10 MHz, HARQ and CQI", CELL, &[]),
    ("the same with 90 idle UEs beside", CELL_WITH_IDLE, &[]),
    (
        "21 cells, 10 UEs, 10 MHz, no fading",
        NETWORK,
        &[("duration", "20 s"), ("ue.ue.count", "10")],
    ),
    ("21 cells, 60 UEs, 10 MHz, no fading", NETWORK, &[]),
    ("the same, 20 MHz, EPA, wideband CQI", NETWORK, &[WIDE, EPA, RECEIVERS]),
    ("the same with subband CQI", NETWORK, &[WIDE, EPA, RECEIVERS, SUBBAND]),
    ("21 loaded coupled cells, 210 UEs", NETWORK, &[SHORT, MANY, WRAPPED, EVEN, EPA]),
    ("21 loaded coupled cells, subband CQI", NETWORK, &[SHORT, MANY, WRAPPED, EVEN, EPA, SUBBAND]),
];

/// Place of the busy UEs, the factor of their number, and the keys changed in [`NETWORK`].
const GROWING: &[(&str, u32, &[Setting])] = &[
    ("in each of 3 cells", 3, &[SHORTER, WIDE, ONE_SITE, EPA, RECEIVERS, SUBBAND, EVEN]),
    ("over 21 cells", 1, &[SHORTER, WRAPPED, EPA, SUBBAND]),
];

const SHORT: Setting = ("duration", "4 s");
const SHORTER: Setting = ("duration", "3 s");
const MANY: Setting = ("ue.ue.count", "210");
const WIDE: Setting = ("radio.lte.bandwidth", "20 MHz");
const EPA: Setting = ("radio.lte.network.fading", "epa");
const RECEIVERS: Setting = ("radio.lte.network.antennas", "1x2");
const SUBBAND: Setting = ("radio.lte.network.cqi", "subband");
const WRAPPED: Setting = ("radio.lte.network.edge", "wrapped");
const EVEN: Setting = ("radio.lte.network.equal_per_cell", "true");
const ONE_SITE: Setting = ("radio.lte.network.rings", "0");

const GREEDY: &str = r#"
duration = "20 s"
[radio.fixed]
down = "21 Mbit/s"
rtt = "20 ms"
buffer = "100 kB"
[[link]]
name = "core"
delay = "5 ms"
[[bulk]]
name = "greedy"
"#;

const GERAN: &str = r#"
[radio.geran]
rlc_rtt = "50 ms"
[[link]]
name = "server"
delay = "10 ms"
[tcp.default]
base = "bare"
initial_window = 2
initial_ssthresh = "58400 B"
max_window = "61320 B"
initial_rto = "3 s"
receive_buffer = "65535 B"
acks.timer = "100 ms"
[[download]]
name = "ftp"
file = "100 kB"
"#;

const DOWNLOAD: &str = r#"
duration = "20 s"
[radio.lte]
block = "2625 B"
[[link]]
name = "core"
delay = "5 ms"
[tcp.default]
receive_buffer = "256 kB"
[[bulk]]
name = "greedy"
"#;

const TTI_STUDY: &str = r#"
duration = "20 s"
[radio.lte]
profile = "tti_study"
rate = "21 Mbit/s"
sr_period = 5
[[link]]
name = "core"
delay = "1 ms"
[tcp.default]
base = "bare"
window_scaling = true
initial_window = 3
receive_buffer = "256 kB"
[[bulk]]
name = "greedy"
"#;

/// The study's own file: a benchmark of an earlier version would say nothing about the present one.
const MARKING_STUDY: &str =
    include_str!("../../../python/uplane/studies/001-loss-latency/honest.toml");

macro_rules! cell_with {
    ($more:literal) => {
        concat!(
            r#"
duration = "10 s"
[[ue]]
name = "ue"
count = 10
[radio.lte]
bandwidth = "10 MHz"
downlink_sinr_db = 15
uplink_sinr_db = 10
[[link]]
name = "core"
delay = "10 ms"
[[bulk]]
name = "greedy"
ue = "ue"
"#,
            $more
        )
    };
}
const CELL: &str = cell_with!("");
const CELL_WITH_IDLE: &str = cell_with!("[[ue]]\nname = 'idle'\ncount = 90\n");

const NETWORK: &str = r#"
duration = "10 s"
[[ue]]
name = "ue"
count = 60
[radio.lte]
bandwidth = "10 MHz"
[radio.lte.network]
fading = "none"
[[link]]
name = "core"
delay = "10 ms"
[tcp.default]
base = "linux"
[[bulk]]
name = "greedy"
ue = "ue"
"#;
