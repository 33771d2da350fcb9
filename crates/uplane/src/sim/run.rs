//! The run loop: calls the entities that are due, until the end, and detects that time does not
//! advance.
//!
//! In: a world and its agenda. Out: the progress of the run, with the number of events.
//!
//! A run may be made in parts, so that its driver can do other work between them. The cuts change
//! nothing.
//!
//! A run whose entities are called repeatedly without any progress of simulated time has a bug. It
//! panics with the time and the entity instead of hanging. The limit depends on the number of
//! entities, since all may be called at one instant.

use super::agenda::{Agenda, EntityId};
use crate::unit::Instant;

/// The entities behind an agenda.
pub trait World {
    /// Calls `entity`, which is due now, and arms each entity that has to be armed.
    fn on_due(&mut self, now: Instant, entity: EntityId, agenda: &mut Agenda);

    /// Returns `true` if there is no reason to continue until the end.
    fn is_finished(&self) -> bool {
        false
    }

    /// Returns the name of `entity`, for bug reports.
    fn name(&self, entity: EntityId) -> String {
        format!("entity {}", entity.index())
    }
}

/// The progress of a run: events and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of calls of entities.
    pub events: u64,
    /// Time of the last call of an entity.
    pub now: Instant,
}

/// A run in progress, which may be made in parts.
#[derive(Debug, Default)]
pub struct RunLoop {
    /// Events and time so far.
    pub progress: Progress,
    since_time_moved: u64,
}

impl RunLoop {
    /// Handles up to `events` more events. Returns `true` if the run is over: at `end`, if the
    /// world is finished, or if no entity is armed.
    pub fn advance(
        &mut self,
        world: &mut impl World,
        agenda: &mut Agenda,
        end: Instant,
        events: u64,
    ) -> bool {
        let pause = self.progress.events.saturating_add(events);
        while self.progress.events < pause {
            if world.is_finished() {
                return true;
            }
            let Some((now, entity)) = agenda.pop(end) else { return true };
            if now > self.progress.now {
                self.progress.now = now;
                self.since_time_moved = 0;
            }
            self.since_time_moved += 1;
            let calls = self.since_time_moved;
            assert!(
                calls < STUCK_AFTER || calls < TURNS * agenda.entities() as u64,
                "simulated time stands still at {now}: {calls} events without progress, the last for {}",
                world.name(entity)
            );
            world.on_due(now, entity, agenda);
            self.progress.events += 1;
        }
        false
    }
}

/// Runs until `end`, until the world is finished, or until no entity is armed.
pub fn run(world: &mut impl World, agenda: &mut Agenda, end: Instant) -> Progress {
    let mut run = RunLoop::default();
    while !run.advance(world, agenda, end, u64::MAX) {}
    run.progress
}

/// Limit of calls at one instant for few entities. They never need a million: the largest block
/// that a radio delivers at once is a few thousand packets.
const STUCK_AFTER: u64 = 1_000_000;
/// Limit of calls at one instant for each of many entities.
const TURNS: u64 = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Duration;

    struct Clockwork {
        step: Duration,
        calls: u64,
    }

    impl World for Clockwork {
        fn on_due(&mut self, now: Instant, entity: EntityId, agenda: &mut Agenda) {
            self.calls += 1;
            assert!(self.calls <= 2 * STUCK_AFTER, "nobody notices");
            agenda.arm(entity, now + self.step);
        }
    }

    fn tick(step: Duration) -> Progress {
        tick_in_parts(step, u64::MAX).0
    }

    fn tick_in_parts(step: Duration, events: u64) -> (Progress, u64) {
        let mut agenda = Agenda::default();
        let entity = agenda.add();
        agenda.arm(entity, Instant::ZERO);
        let mut world = Clockwork { step, calls: 0 };
        let (mut run, mut pauses) = (RunLoop::default(), 0);
        while !run.advance(&mut world, &mut agenda, Instant::from_nanos(1_000), events) {
            pauses += 1;
        }
        assert_eq!(run.progress.events, world.calls);
        (run.progress, pauses)
    }

    #[test]
    fn a_run_includes_its_last_instant() {
        let progress = tick(Duration::from_nanos(10));
        assert_eq!(progress, Progress { events: 101, now: Instant::from_nanos(1_000) });
    }

    #[test]
    fn where_a_run_is_cut_changes_nothing() {
        let whole = tick(Duration::from_nanos(10));
        for (events, pauses) in [(1, 101), (7, 14), (101, 1), (102, 0)] {
            assert_eq!(tick_in_parts(Duration::from_nanos(10), events), (whole, pauses));
        }
    }

    struct Crowd;

    impl World for Crowd {
        fn on_due(&mut self, _: Instant, _: EntityId, _: &mut Agenda) {}
    }

    /// Many entities that are called at one instant are no standstill.
    #[test]
    fn a_crowd_may_start_at_one_instant() {
        let mut agenda = Agenda::default();
        let crowd = STUCK_AFTER + 1000;
        for _ in 0..crowd {
            let entity = agenda.add();
            agenda.arm(entity, Instant::ZERO);
        }
        let mut run = RunLoop::default();
        assert!(run.advance(&mut Crowd, &mut agenda, Instant::from_nanos(1), u64::MAX));
        assert_eq!(run.progress.events, crowd);
    }

    #[test]
    #[should_panic(expected = "simulated time stands still")]
    fn time_that_stands_still_is_noticed_across_pauses() {
        tick_in_parts(Duration::ZERO, 1000);
    }

    #[test]
    #[should_panic(expected = "simulated time stands still")]
    fn a_world_that_never_advances_is_a_reported_bug() {
        tick(Duration::ZERO);
    }
}
