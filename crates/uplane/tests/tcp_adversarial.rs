//! TCP against a network that does its worst: whatever it does, every byte arrives once and in order,
//! or the connection is reported dead; and nothing ever waits without a timer.
//!
//! In 11 000 random cases: both ends have profiles drawn at random, down to windows of one byte. The
//! network drops, duplicates and reorders, fails for seconds, closes windows, and shrinks its MTU,
//! all until `CALM`; then it is perfect, so that each connection that is still alive must complete.

#[path = "adversarial/case.rs"]
mod case;
#[path = "adversarial/world.rs"]
mod world;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use case::Case;
use world::{End, World};

/// Plays `cases` cases, the same in each run.
fn play(cases: u32, strategy: impl Strategy<Value = Case>, check: impl Fn(&Case, &World)) {
    let config =
        ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let played = TestRunner::new_with_rng(config, random).run(&strategy, |case| {
        let mut world = World::new(&case);
        world.run();
        check(&case, &world);
        Ok(())
    });
    if let Err(failure) = played {
        panic!("{failure}");
    }
}

/// Everything written has arrived, in both directions, unless an end is dead.
fn is_complete_or_dead(case: &Case, world: &World) {
    if world.ends.iter().any(End::is_dead) {
        return;
    }
    for (sender, receiver) in [(0, 1), (1, 0)] {
        let written = world.ends[sender].written();
        assert_eq!(world.ends[receiver].delivered, written, "{case:#?}");
        assert_eq!(world.ends[sender].acked, written, "{case:#?}");
    }
    if case.ends.iter().all(|end| end.close.is_some()) {
        assert!(world.ends.iter().all(End::is_finished), "{case:#?}");
    }
}

#[test]
fn every_byte_arrives_once_and_in_order_or_the_connection_is_dead() {
    play(7000, case::hostile(), is_complete_or_dead);
}

#[test]
fn windows_of_a_few_bytes_and_windows_that_close_do_not_stall() {
    play(2000, case::tiny_windows(), is_complete_or_dead);
}

/// RFC 5681 §3.2, RFC 6298 §2.4: without loss and reordering nothing is sent twice, and nobody gives up.
#[test]
fn a_perfect_network_needs_no_retransmission() {
    play(2000, case::perfect(), |case, world| {
        assert!(!world.ends.iter().any(End::is_dead), "{case:#?}");
        is_complete_or_dead(case, world);
        for end in &world.ends {
            let facts = end.connection.statistics(world.now);
            let repairs = (facts.retransmissions, facts.timeouts, facts.recoveries);
            assert_eq!(repairs, (0, 0, 0), "{case:#?}");
        }
    });
}
