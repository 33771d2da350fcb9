//! The run loop: call who is due, until the end, and notice when time stands still.
//!
//! In: a world and its agenda. Out: how far the run came and how many events it took.
//!
//! A run that handles `STUCK_AFTER` events without any progress of simulated time has a bug; it
//! panics with the time and the entity instead of hanging.

use super::agenda::{Agenda, Slot};
use crate::unit::Instant;

/// What the agenda's slots stand for.
pub trait World {
    /// Calls the entity at `slot`, which is due now, and arms whoever has to be armed.
    fn on_due(&mut self, now: Instant, slot: Slot, agenda: &mut Agenda);

    /// True when there is no reason to go on before the end.
    fn is_finished(&self) -> bool {
        false
    }

    /// The name of the entity at `slot`, for bug reports.
    fn name(&self, slot: Slot) -> String {
        format!("entity {}", slot.index())
    }
}

/// How far a run came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Calls of entities.
    pub events: u64,
    /// The time of the last call.
    pub now: Instant,
}

/// Runs until `end`, until the world is finished, or until nobody is armed.
pub fn run(world: &mut impl World, agenda: &mut Agenda, end: Instant) -> Progress {
    let mut progress = Progress::default();
    let mut since_time_moved = 0_u32;
    while !world.is_finished()
        && let Some((now, slot)) = agenda.pop(end)
    {
        if now > progress.now {
            progress.now = now;
            since_time_moved = 0;
        }
        since_time_moved += 1;
        assert!(
            since_time_moved < STUCK_AFTER,
            "simulated time stands still at {now}: {STUCK_AFTER} events without progress, the last for {}",
            world.name(slot)
        );
        world.on_due(now, slot, agenda);
        progress.events += 1;
    }
    progress
}

/// No entity needs this many calls at one instant: the largest block that a radio delivers at once
/// is a few thousand packets.
const STUCK_AFTER: u32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Duration;

    struct Clockwork {
        step: Duration,
        calls: u64,
    }

    impl World for Clockwork {
        fn on_due(&mut self, now: Instant, slot: Slot, agenda: &mut Agenda) {
            self.calls += 1;
            agenda.arm(slot, now + self.step);
        }
    }

    fn tick(step: Duration) -> Progress {
        let mut agenda = Agenda::default();
        let slot = agenda.add();
        agenda.arm(slot, Instant::ZERO);
        let mut world = Clockwork { step, calls: 0 };
        let progress = run(&mut world, &mut agenda, Instant::from_nanos(1_000));
        assert_eq!(progress.events, world.calls);
        progress
    }

    #[test]
    fn a_run_includes_its_last_instant() {
        let progress = tick(Duration::from_nanos(10));
        assert_eq!(progress, Progress { events: 101, now: Instant::from_nanos(1_000) });
    }

    #[test]
    #[should_panic(expected = "simulated time stands still")]
    fn a_world_that_never_advances_is_a_reported_bug() {
        tick(Duration::ZERO);
    }
}
