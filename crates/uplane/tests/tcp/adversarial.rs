//! TCP against a hostile network: whatever it does, every byte arrives once and in order, or the
//! connection is reported dead; and nothing ever waits without a timer.
//!
//! In 24 140 random cases, `UPLANE_CASES_FACTOR` times as many on request: both ends have profiles
//! drawn at random, down to windows of one byte. The network drops, duplicates and reorders, fails
//! for seconds, closes windows, and shrinks its MTU, all until `CALM`; then it is perfect, so that
//! each connection that is still alive must complete. Where the network does its worst, each
//! recovery with each control, with and without ECN, has as many cases.

mod case;
mod pair;
mod world;

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::cases::cases;
use case::Case;
use pair::Pair;
use uplane::tcp::FastOpenOutcome;
use world::{End, Verdict, World, must};

/// Counts over all cases of a test: a test that sees no trouble proves nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    complete: u64,
    retransmissions: u64,
    recoveries: u64,
    timeouts: u64,
    mark_reductions: u64,
    /// Outcomes of Fast Open at openers, in the order of `FastOpenOutcome`.
    fast_opens: [u64; 5],
}

/// Plays `usual` cases, equal in each run.
fn play(
    usual: u32,
    strategy: impl Strategy<Value = Case>,
    check: fn(&Case, &World) -> Verdict,
) -> Seen {
    play_all(usual, strategy, check).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Plays `usual` cases, and returns the first failure.
fn play_all(
    usual: u32,
    strategy: impl Strategy<Value = Case>,
    check: fn(&Case, &World) -> Verdict,
) -> Result<Seen, String> {
    let config = ProptestConfig {
        cases: cases(usual),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let seen = Cell::new(Seen::default());
    let played = TestRunner::new_with_rng(config, random).run(&strategy, |case| {
        let mut world = World::new(&case);
        world.run().and_then(|()| check(&case, &world)).map_err(TestCaseError::fail)?;
        seen.set(seen.get().with(&world));
        Ok(())
    });
    played.map(|()| seen.get()).map_err(|failure| failure.to_string())
}

impl Seen {
    fn with(mut self, world: &World) -> Self {
        self.complete += u64::from(!world.ends.iter().any(End::is_dead));
        for end in &world.ends {
            let facts = end.connection.statistics(world.now);
            self.retransmissions += facts.counters.retransmissions;
            self.recoveries += facts.counters.recoveries;
            self.timeouts += facts.counters.timeouts;
            self.mark_reductions += facts.marks.reductions;
        }
        let opener = world.ends[0].connection.statistics(world.now);
        self.fast_opens[opener.fast_open as usize] += 1;
        self
    }
}

/// Cases of each pair: 7140 in all.
const EACH: u32 = 170;

#[expect(clippy::print_stdout, reason = "what was seen is shown on request")]
#[test]
fn every_byte_arrives_once_or_connection_dies() {
    let mut failures = Vec::new();
    for pair in Pair::all() {
        let check = |case: &Case, world: &World| world.is_complete_or_dead(case);
        match play_all(EACH, pair.cases(), check) {
            Ok(seen) => {
                println!("{pair}: {seen:?}");
                // Of 1000 cases: an end must have had to recover, and to answer to marks.
                let least = |of_1000: u64| of_1000 * u64::from(cases(EACH)) / 1000;
                let repaired = seen.recoveries > least(100) && seen.timeouts > least(1000);
                let marked = !pair.has_marks() || seen.mark_reductions > least(100);
                if !(seen.complete > least(700) && repaired && marked) {
                    failures.push(format!("{pair}: too little happened: {seen:?}"));
                }
            }
            Err(failure) => failures.push(format!("{pair}: {failure}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// RFC 5961 §7: two ends without anything to send fall silent, however late their acknowledgements
/// are.
#[test]
fn late_acknowledgements_cause_no_endless_exchange() {
    let seen = play(6000, case::disordered(), |case, world| world.is_complete_or_dead(case));
    assert!(seen.complete > 5900 && seen.recoveries > 1000, "{seen:?}");
}

#[test]
fn tiny_and_closing_windows_do_not_stall() {
    let seen = play(2000, case::tiny_windows(), |case, world| world.is_complete_or_dead(case));
    assert!(seen.complete > 1500 && seen.timeouts > 5000, "{seen:?}");
}

/// RFC 9293 §3.8.6: a slow reader closes its window, and gets everything nevertheless.
#[test]
fn slow_readers_get_everything_or_connection_dies() {
    let seen = play(2000, case::slow_readers(), |case, world| world.is_complete_or_dead(case));
    assert!(seen.complete > 1400 && seen.timeouts > 2000, "{seen:?}");
}

/// RFC 7413 §4.2: data in the SYN, accepted, refused or lost with it, is delivered once and in
/// order.
#[test]
fn fast_opens_lose_nothing_and_repeat_nothing() {
    let seen = play(3000, case::fast_opens(), |case, world| world.is_complete_or_dead(case));
    let [_, asked, accepted, refused, fallback] = seen.fast_opens;
    assert!(seen.complete > 2000 && asked > 50 && accepted > 200, "{seen:?}");
    assert!(refused > 50 && fallback > 200, "{seen:?}");
}

/// RFC 7413 §4.2.2: only data that a SYN carried without success is retransmitted.
#[test]
fn a_perfect_network_lets_fast_opens_repair_nothing() {
    let seen = play(2000, case::perfect_fast_opens(), |case, world| {
        must(!world.ends.iter().any(End::is_dead), || "it died".to_owned())?;
        world.is_complete_or_dead(case)?;
        for end in &world.ends {
            let facts = end.connection.statistics(world.now);
            let repairs = (facts.counters.timeouts, facts.counters.recoveries);
            must(repairs == (0, 0), || format!("it repaired without need: {repairs:?}"))?;
            let went_again = facts.counters.retransmissions > 0;
            let may =
                matches!(facts.fast_open, FastOpenOutcome::Refused | FastOpenOutcome::Fallback);
            must(may || !went_again, || "it sent again without need".to_owned())?;
        }
        Ok(())
    });
    assert!(seen.fast_opens[FastOpenOutcome::Accepted as usize] > 200, "{seen:?}");
}

/// RFC 5681 §3.2, RFC 6298 §2.4: without loss and reordering nothing is retransmitted, and no
/// connection is aborted.
#[test]
fn a_perfect_network_needs_no_retransmission() {
    play(2000, case::perfect(), |case, world| {
        must(!world.ends.iter().any(End::is_dead), || "it died".to_owned())?;
        world.is_complete_or_dead(case)?;
        for end in &world.ends {
            let facts = end.connection.statistics(world.now);
            let repairs = (
                facts.counters.retransmissions,
                facts.counters.timeouts,
                facts.counters.recoveries,
            );
            must(repairs == (0, 0, 0), || format!("it repaired without need: {repairs:?}"))?;
        }
        Ok(())
    });
}
