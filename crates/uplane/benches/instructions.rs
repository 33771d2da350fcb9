//! Cost of a simulated second: instructions, which no other program on the machine changes, and CPU
//! seconds; also those of LENA 3.37 where it can simulate the case. `cargo bench -p uplane --bench
//! instructions -- WORD` runs the cases whose name contains the word.
//!
//! In: the scenarios of `shared/cases.rs`, each with two durations. Out: tables in Markdown, a row
//! for each scenario. The difference of the two durations excludes setting up and reading the
//! scenario.
//!
//! The program runs itself under `valgrind --tool=callgrind` and reads the total. Without valgrind,
//! it says so and prints the CPU seconds alone. A row that takes 3 % more instructions than its
//! budget fails the run. `-- --learn EVENTS` runs the examples instead, for a build that writes a
//! profile (`tools/bench.sh`): the measured scenarios differ from those that the profile learnt
//! from.
//!
//! Left out: memory accesses, branches and caches, which the CPU seconds have.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark starts processes, reads the clock and prints"
)]

#[path = "shared/budgets.rs"]
mod budgets;
#[path = "shared/cases.rs"]
mod cases;
#[path = "shared/clock.rs"]
mod clock;

use std::fmt::Write;
use std::hint::black_box;
use std::process::{Command, Stdio};

use uplane::record::Data;
use uplane::scenario::{Outcome, Scenario, simulate};

use cases::{CASES, Case, Group};
use clock::Cpu;

/// Cost of a simulated second of a case, and its peak memory.
struct Cost {
    case: &'static Case,
    /// Millions of instructions; `None` without valgrind.
    instructions: Option<f64>,
    cpu_seconds: f64,
    packets: f64,
    events: f64,
    peak_mib: f64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [what, name, seconds] = words.as_slice()
        && what.starts_with("--run-")
    {
        let case = CASES.iter().find(|case| case.name == name).expect("a case of this bench");
        return run(case, seconds.parse().expect("whole seconds"), what == "--run-timed");
    }
    if let Some(place) = words.iter().position(|word| word == "--learn") {
        let events = words.get(place + 1).and_then(|word| word.parse().ok());
        return run_examples(events.expect("how many events of each example"));
    }
    let writes = words.iter().any(|word| word == "--write-budgets");
    let words: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let wanted = |case: &&Case| words.is_empty() || words.iter().any(|it| case.name.contains(*it));
    let has_valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    if !has_valgrind {
        println!(
            "Instructions are not counted: there is no valgrind (Debian: apt install valgrind)."
        );
    }
    let costs: Vec<Cost> =
        CASES.iter().filter(wanted).map(|case| Cost::of(case, has_valgrind)).collect();
    print!("{}{}{}", table(&costs), effects(&costs), slopes(&costs));
    let counted: Vec<_> =
        costs.iter().filter_map(|cost| Some((cost.case.name, cost.instructions?))).collect();
    if writes {
        budgets::write(&counted);
    } else if !budgets::are_kept(&counted) {
        std::process::exit(1);
    }
}

/// Runs a case in a separate process. A timed run prints CPU seconds, packets, events, and KiB of
/// peak memory.
fn run(case: &Case, seconds: u32, is_timed: bool) {
    let scenario = case.scenario(seconds);
    if !is_timed {
        black_box(simulate(&scenario, 1));
        return;
    }
    let mut least = f64::INFINITY;
    let mut outcome = None;
    // Disturbances only make a run longer.
    for _ in 0..RUNS {
        let start = Cpu::now();
        outcome = Some(simulate(&scenario, 1));
        least = least.min(start.elapsed());
    }
    let outcome = outcome.expect("it ran");
    println!("{least} {} {} {}", packets(&outcome), outcome.events, peak_kib().unwrap_or(0));
}

/// Runs each example that needs no other file, with as many seeds as an equal share of events
/// takes.
fn run_examples(least_events: u64) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let entries = std::fs::read_dir(folder).expect("the folder of examples exists");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "toml"));
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let Ok(scenario) = Scenario::from_toml(&text, "example", &[]) else { continue };
        let mut events = 0;
        for seed in 1.. {
            events += black_box(simulate(&scenario, seed)).events;
            if events >= least_events {
                break;
            }
        }
    }
}

fn packets(outcome: &Outcome) -> u64 {
    let run = outcome.tables.iter().find(|table| table.name == "run").expect("a run's own row");
    match run.column("packets") {
        Some(Data::U64(values)) => values[0],
        _ => panic!("the table run has packets"),
    }
}

/// Returns the peak resident memory of this process, if the system reports it.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().trim_end_matches(" kB").parse().ok()
}

impl Cost {
    fn of(case: &'static Case, counts: bool) -> Self {
        let [short, long] = case.lengths;
        let a_second = |[less, more]: [f64; 2]| (more - less) / f64::from(long - short);
        let instructions = counts.then(|| a_second(instructions(case)) / 1e6);
        let timed = case.lengths.map(|seconds| timed(case, seconds));
        let column = |index: usize| a_second(timed.each_ref().map(|numbers| numbers[index]));
        Self {
            case,
            instructions,
            cpu_seconds: column(0),
            packets: column(1),
            events: column(2),
            peak_mib: timed[1][3] / 1024.0,
        }
    }

    /// Formats the instructions for a table.
    fn counted(&self) -> String {
        self.instructions.map_or("-".to_owned(), budgets::digits)
    }
}

/// Returns the instructions of a run with either duration, counted in parallel.
fn instructions(case: &Case) -> [f64; 2] {
    let itself = std::env::current_exe().expect("a program knows where it is");
    let runs = case.lengths.map(|seconds| {
        Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&itself)
            .args(["--run-counted", case.name, &seconds.to_string()])
            .stderr(Stdio::piped())
            .spawn()
            .expect("valgrind was there before")
    });
    runs.map(|run| {
        let run = run.wait_with_output().expect("a child that was started");
        let log = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{log}");
        let total = log.lines().find_map(|line| line.split_once("Collected : "));
        total.and_then(|(_, count)| count.trim().parse().ok()).expect("callgrind says the total")
    })
}

/// Returns CPU seconds, packets, events and KiB of a run.
fn timed(case: &Case, seconds: u32) -> [f64; 4] {
    let itself = std::env::current_exe().expect("a program knows where it is");
    let mut run = Command::new(itself);
    let run = run.args(["--run-timed", case.name, &seconds.to_string()]).output();
    let said = String::from_utf8(run.expect("it runs again").stdout).expect("numbers");
    let numbers: Vec<f64> = said.split_whitespace().flat_map(str::parse).collect();
    numbers.try_into().expect("four numbers")
}

/// Returns all rows, with those of LENA.
fn table(costs: &[Cost]) -> String {
    let mut text = String::from(
        "| simulated | M instructions | CPU ms | packets | events | peak MiB | LENA, M instructions \
         | times | LENA, CPU ms | times |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for cost in costs.iter().filter(|cost| cost.case.group == Group::Table) {
        let Cost { case, cpu_seconds, packets, events, peak_mib, .. } = cost;
        let lena = case.lena;
        let counted = lena.map(|it| it.instructions);
        let cpu = lena.map(|it| it.cpu_seconds);
        let times = |theirs: Option<f64>, ours: Option<f64>| {
            theirs
                .zip(ours)
                .map_or("-".to_owned(), |(theirs, ours)| format!("{:.0}", theirs / ours))
        };
        let plain = |number: Option<f64>| number.map_or("-".to_owned(), |it| format!("{it:.0}"));
        let _ = writeln!(
            text,
            "| {} | {} | {:.3} | {packets:.0} | {events:.0} | {peak_mib:.1} | {} | {} | {} | {} |",
            case.name,
            cost.counted(),
            cpu_seconds * 1e3,
            plain(counted),
            times(counted, cost.instructions),
            plain(cpu.map(|it| it * 1e3)),
            times(cpu, Some(*cpu_seconds)),
        );
    }
    text
}

/// Returns the table of the cost of one feature more.
fn effects(costs: &[Cost]) -> String {
    let Some(base) = costs.iter().find(|cost| cost.case.name == EFFECTS_OF) else {
        return String::new();
    };
    let mut text = format!("\n| {EFFECTS_OF}, with | M instructions | more |\n|---|--:|--:|\n");
    for cost in costs.iter().filter(|cost| cost.case.group == Group::Effect) {
        let more = cost.instructions.zip(base.instructions);
        let more = more.map_or("-".to_owned(), |(with, without)| {
            format!("{:+.1} %", (with / without - 1.0) * 100.0)
        });
        let _ = writeln!(text, "| {} | {} | {more} |", cost.case.name, cost.counted());
    }
    text
}

/// Returns the table of the cost of one UE, cell or other item more.
fn slopes(costs: &[Cost]) -> String {
    let mut text = String::from("\n| one more | from, to | M instructions |\n|---|---|--:|\n");
    let mut add = |of: &str, (low, high): (u32, u32), (less, more): (&Cost, &Cost)| {
        let Some((less, more)) = less.instructions.zip(more.instructions) else { return };
        let slope = (more - less) / f64::from(high - low);
        let _ = writeln!(text, "| {of} | {low}, {high} | {slope:.3} |");
    };
    let steps = costs.iter().filter_map(|cost| match cost.case.group {
        Group::Slope(of, count) => Some((of, count, cost)),
        _ => None,
    });
    let steps: Vec<_> = steps.collect();
    for pair in steps.windows(2) {
        if let [(of, low, less), (other, high, more)] = pair
            && of == other
        {
            add(of, (*low, *high), (less, more));
        }
    }
    let named = |name: &str| costs.iter().find(|cost| cost.case.name == name);
    if let (Some(few), Some(many)) = (named(EFFECTS_OF), named("3 busy cells of 21, 60 UEs")) {
        add("UE in 3 busy cells of 21", (10, 60), (few, many));
    }
    text
}

/// The row that the effects are added to.
const EFFECTS_OF: &str = "3 busy cells of 21, 10 UEs";
const RUNS: u32 = 5;
