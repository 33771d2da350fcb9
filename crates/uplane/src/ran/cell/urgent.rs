//! Urgent downlink blocks: short blocks that begin within a slot, while blocks of a whole slot are
//! on the air (TS 38.213 §11.2, TS 38.214 §5.1.2.1).
//!
//! In: the parameters of such blocks. Out: their slots, and their ends.
//!
//! The slots of the cell's clock are symbols. An urgent block takes free resource blocks, and those
//! of blocks on the air as far as [`super::preemption`] allows.

use super::block::OnAir;
use super::config::Urgent;
use super::slot_capacity::SlotCapacity;
use super::tti::Tti;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::unit::Instant;

/// Parameters and slots of urgent blocks in a cell.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) timeline: Timeline,
    pub(super) capacity: SlotCapacity,
    pub(super) config: Urgent,
}

impl Grid {
    pub(super) fn new(config: &Urgent, timing: &Timing, clock: &Clock, tti: Tti) -> Self {
        Self {
            timeline: Timeline::with_slots(timing, clock, config.times.clone()),
            capacity: SlotCapacity::new(&config.channel.capacity, tti),
            config: config.clone(),
        }
    }

    /// Returns the time on the air of a block that begins in `slot`.
    pub(super) fn times_of_block(&self, clock: &Clock, slot: u64) -> OnAir {
        OnAir { slot, started: clock.start(slot), ended: self.ended(clock, slot) }
    }

    /// Returns the end of a block that begins in `slot`.
    pub(super) fn ended(&self, clock: &Clock, slot: u64) -> Instant {
        clock.start(slot + self.config.on_air)
    }

    /// Returns the time at which the UE has processed a block that begins in `slot`.
    pub(super) fn processed(&self, clock: &Clock, timing: &Timing, slot: u64) -> Instant {
        let late = self.config.late[(slot % self.config.late.len() as u64) as usize];
        clock.after(slot + self.config.on_air, timing.ue_processing) + late
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::cell::preemption::Preemption;
    use crate::ran::lte::preset;
    use crate::ran::mac::timeline::SlotTimes;
    use crate::ran::phy::lte::Bandwidth;
    use crate::unit::Duration;

    /// Two slots of the clock that start at 7 ms; the UE takes 1.5 ms after their end, and 0.25 ms
    /// more if a block begins in an odd slot.
    #[test]
    fn a_block_ends_with_its_last_slot() {
        let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a slot takes time");
        let late = [0, 250].map(Duration::from_micros).into();
        let grid = Grid::new(&two_slots(late), &Timing::standard(), &clock, Tti::SUBFRAME);
        let at = |micros| Instant::ZERO + Duration::from_micros(micros);
        let times = grid.times_of_block(&clock, 7);
        assert_eq!((times.slot, times.started, times.ended), (7, at(7_000), at(9_000)));
        assert_eq!(grid.processed(&clock, &Timing::standard(), 7), at(10_750));
        assert_eq!(grid.processed(&clock, &Timing::standard(), 8), at(11_500));
    }

    fn two_slots(late: Box<[Duration]>) -> Urgent {
        let channel = preset::system_level(Bandwidth::Mhz5, Vec::new()).downlink.channel;
        let times = Box::new([SlotTimes::both_ways()]);
        Urgent { channel, times, late, on_air: 2, preemption: Preemption::Never }
    }
}
