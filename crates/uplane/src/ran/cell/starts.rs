//! The earliest time at which a downlink packet could have been sent on a free band.
//!
//! In: the slots of a cell, the instant at which the packet was ready. Out: the start of the next
//! slot, and of the next downlink slot. The packets of one block are looked up one after the other,
//! and many arrived together, so the last result is kept.

use std::cell::Cell;

use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::Clock;
use crate::unit::Instant;

/// Starts of downlink slots, for the packets of one block. Packets that arrived together share one
/// result.
pub(super) struct Starts<'a> {
    clock: &'a Clock,
    timeline: &'a Timeline,
    /// The last `ready` instant, with its result.
    last: Cell<(Instant, [Instant; 2])>,
}

impl<'a> Starts<'a> {
    pub(super) const fn new(clock: &'a Clock, timeline: &'a Timeline) -> Self {
        let none = (Instant::FAR_FUTURE, [Instant::FAR_FUTURE; 2]);
        Self { clock, timeline, last: Cell::new(none) }
    }

    /// Returns the start of the first slot after a packet is `ready`, and of the first downlink
    /// slot.
    #[inline(always)]
    pub(super) fn after(&self, ready: Instant) -> [Instant; 2] {
        let (last, starts) = self.last.get();
        if last == ready {
            return starts;
        }
        let Self { clock, timeline, last } = self;
        let slot = clock.at_or_after(ready);
        let slots = [timeline.downlink_start(slot), timeline.next_downlink(slot)];
        let starts = slots.map(|slot| clock.start(slot));
        last.set((ready, starts));
        starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::mac::timing::Timing;
    use crate::sim::Streams;

    /// The result does not depend on earlier calls.
    #[test]
    fn the_answer_depends_on_the_packet_alone() {
        let clock = Clock::new(Instant::from_nanos(300), 1_000, 1).expect("a slot takes time");
        let timeline = Timeline::new(&Timing::standard(), &clock);
        let starts = Starts::new(&clock, &timeline);
        let mut random = Streams::new(4).open("cell", "starts");
        for _ in 0..1_000 {
            let ready = Instant::from_nanos(random.below(5) * 700);
            let next = clock.start(clock.at_or_after(ready));
            assert_eq!(starts.after(ready), [next, next], "all slots go down");
        }
    }
}
