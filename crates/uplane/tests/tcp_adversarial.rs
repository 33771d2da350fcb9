//! TCP against a network that does its worst: whatever it does, every byte arrives once and in
//! order, or the connection is reported dead; and nothing ever waits without a timer.
//!
//! In 19 000 random cases, `UPLANE_CASES_FACTOR` times as many on request: both ends have profiles
//! drawn at random, down to windows of one byte. The network drops, duplicates and reorders, fails
//! for seconds, closes windows, and shrinks its MTU, all until `CALM`; then it is perfect, so that
//! each connection that is still alive must complete.

#[path = "adversarial/case.rs"]
mod case;
#[path = "shared/cases.rs"]
mod cases;
#[path = "adversarial/world.rs"]
mod world;

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};

use case::Case;
use cases::cases;
use world::{End, Verdict, World, must};

/// What was seen in all cases of a test: a test that sees no trouble proves nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    complete: u64,
    retransmissions: u64,
    recoveries: u64,
    timeouts: u64,
    mark_reductions: u64,
}

/// Plays this many cases, the same in each run.
fn play(
    usual: u32,
    strategy: impl Strategy<Value = Case>,
    check: fn(&Case, &World) -> Verdict,
) -> Seen {
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
    if let Err(failure) = played {
        panic!("{failure}");
    }
    seen.get()
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
        self
    }
}

#[test]
fn every_byte_arrives_once_and_in_order_or_the_connection_is_dead() {
    let seen = play(7000, case::hostile(), |case, world| world.is_complete_or_dead(case));
    assert!(seen.complete > 5000 && seen.recoveries > 1000 && seen.timeouts > 10_000, "{seen:?}");
    assert!(seen.mark_reductions > 1000, "{seen:?}");
}

/// RFC 5961 §7: two ends that have said all they had to say fall silent, however late their
/// acknowledgements come.
#[test]
fn late_acknowledgements_are_no_reason_to_talk_for_ever() {
    let seen = play(6000, case::disordered(), |case, world| world.is_complete_or_dead(case));
    assert!(seen.complete > 5900 && seen.recoveries > 1000, "{seen:?}");
}

#[test]
fn windows_of_a_few_bytes_and_windows_that_close_do_not_stall() {
    let seen = play(2000, case::tiny_windows(), |case, world| world.is_complete_or_dead(case));
    assert!(seen.complete > 1500 && seen.timeouts > 5000, "{seen:?}");
}

/// RFC 9293 §3.8.6: whoever reads slowly closes its window, and gets everything nevertheless.
#[test]
fn slow_readers_get_every_byte_or_the_connection_is_dead() {
    let seen = play(2000, case::slow_readers(), |case, world| world.is_complete_or_dead(case));
    assert!(seen.complete > 1400 && seen.timeouts > 2000, "{seen:?}");
}

/// RFC 5681 §3.2, RFC 6298 §2.4: without loss and reordering nothing is sent twice, and nobody
/// gives up.
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
