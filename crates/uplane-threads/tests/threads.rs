//! Threads change nothing of a run, and what breaks in one of them is heard in the calling one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use uplane::ran::cell::Part;
use uplane::scenario::{Outcome, Scenario, Simulation};
use uplane_threads::{PassedOn, Threads, Work};

fn scenario(example: &str, set: &[(&str, &str)]) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
    let text = std::fs::read_to_string(&path).expect("an example");
    let set: Vec<_> = set.iter().map(|&(key, value)| (key.into(), value.into())).collect();
    Scenario::from_toml(&text, example, &set).unwrap_or_else(|error| panic!("{error}"))
}

fn run(scenario: &Scenario, threads: usize, work: Work) -> Outcome {
    let mut simulation = Simulation::new(scenario, 1);
    if threads > 1 {
        simulation.employ(Box::new(Threads::new(threads, work)));
    }
    while !simulation.advance(1000) {}
    simulation.finish()
}

/// Parts that other threads worked on, over all tests of this file.
static WORKED: AtomicU64 = AtomicU64::new(0);

#[expect(clippy::unnecessary_wraps, reason = "as any work")]
fn counted(part: &mut Part) -> Result<(), String> {
    WORKED.fetch_add(1, Relaxed);
    part.work();
    Ok(())
}

/// All tables and the count of events, with as many threads as there are processors, with more,
/// and with more than there are cells.
#[test]
fn the_bytes_are_the_same_with_any_number_of_threads() {
    let wrapped =
        [("radio.lte.network.edge", "wrapped"), ("ue.ue.count", "40"), ("duration", "0.5 s")];
    for (example, set) in
        [("lte-network.toml", &wrapped[..]), ("nr-network.toml", &[("duration", "0.3 s")])]
    {
        let scenario = scenario(example, set);
        let alone = run(&scenario, 1, counted);
        for threads in [2, 3, 24] {
            let before = WORKED.load(Relaxed);
            let shared = run(&scenario, threads, counted);
            let worked = WORKED.load(Relaxed) - before;
            assert!(worked > 1000, "{example}: {worked} parts by {threads} threads");
            assert_eq!(shared.events, alone.events, "{example}, {threads} threads");
            assert!(shared.tables == alone.tables, "{example}, {threads} threads");
        }
    }
}

/// A thread whose part breaks ends the run, and says why.
#[test]
fn a_panic_in_another_thread_is_passed_on() {
    let wrapped =
        [("radio.lte.network.edge", "wrapped"), ("ue.ue.count", "40"), ("duration", "2 s")];
    let scenario = scenario("lte-network.toml", &wrapped);
    let broken = |_: &mut Part| Err("the window is negative (tcp.rs:1)".to_owned());
    let ended = catch_unwind(AssertUnwindSafe(|| run(&scenario, 2, broken).events));
    let said = ended.expect_err("it does not go on").downcast::<PassedOn>();
    assert_eq!(said.expect("as it was said").0, "the window is negative (tcp.rs:1)");
}
