//! The number of a carrier in its cell, and the order of its slots among those of the other
//! carriers.
//!
//! In: a slot of a carrier. Out: its turn, a number that all carriers of a cell share.
//!
//! Carriers have slots of different lengths, which begin together. A UE builds the blocks of all
//! its carriers one after the other: in the order of their starts and, for equal starts, of the
//! carriers' numbers (TS 38.321 §5.4.3.1 leaves the order to the UE). So the age of a report is the
//! turn of its block, whatever the carriers. In a cell with one carrier, turns are slots.

use super::config::Config;
use crate::unit::Duration;

/// The place of a carrier among those of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CarrierPlace {
    /// Number of the carrier; 0 is the first.
    number: u64,
    /// Number of carriers in the cell.
    count: u64,
    /// Number of turns in a slot.
    turns: u64,
    /// Shortest slot of all carriers.
    shortest: Duration,
}

impl CarrierPlace {
    /// Creates the place of carrier `number` of the cell whose first carrier is `first`.
    pub(super) fn new(first: &Config, number: u64) -> Self {
        let count = 1 + first.secondaries.len() as u64;
        if !first.shares_uplink() {
            return Self { number: 0, count: 1, turns: 1, shortest: first.tti.length() };
        }
        let slots = || std::iter::once(first).chain(&first.secondaries).map(|it| it.tti.length());
        let own = slots().nth(number as usize).expect("a carrier of the cell").as_nanos();
        let shortest = slots().min().expect("the first carrier");
        let ratio = own / shortest.as_nanos();
        debug_assert_eq!(ratio * shortest.as_nanos(), own, "slots begin together");
        Self { number, count, turns: ratio * count, shortest }
    }

    /// Returns `true` if all uplink blocks use one carrier.
    #[inline(always)]
    pub(super) const fn is_alone(self) -> bool {
        self.count == 1
    }

    /// Returns the number of the carrier; 0 is the first.
    #[inline(always)]
    pub(super) const fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of carriers whose blocks have turns.
    pub(super) const fn count(self) -> u64 {
        self.count
    }

    /// Returns the turn of the block in a slot.
    #[inline(always)]
    pub(super) const fn turn(self, slot: u64) -> u64 {
        slot * self.turns + self.number
    }

    /// Returns the last of the turns of granted blocks after one more grant. On one carrier the new
    /// turn is always the last.
    #[inline(always)]
    pub(super) fn last_of(self, last: Option<u64>, turn: u64) -> Option<u64> {
        let later = last.filter(|&last| !self.is_alone() && last > turn);
        later.or(Some(turn))
    }

    /// Returns the last turn of any carrier that has begun at time `over` in a slot.
    #[inline(always)]
    pub(super) const fn last_turn(self, slot: u64, over: Duration) -> u64 {
        if self.is_alone() {
            return slot;
        }
        let shortest = over.as_nanos() / self.shortest.as_nanos();
        slot * self.turns + shortest * self.count + self.count - 1
    }

    /// Returns a number for a HARQ process of this carrier that no other carrier uses, if each has
    /// `processes` of them.
    #[inline(always)]
    pub(super) const fn process(self, process: usize, processes: usize) -> usize {
        self.number as usize * processes + process
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Carriers of 15 and 30 kHz: slots of 1 ms and of 0.5 ms have the turns 0, 4, 8, … and 1, 3,
    /// 5, …. A request that begins after 12 of 14 symbols of a slot of 1 ms begins after the second
    /// slot of 0.5 ms has begun.
    #[test]
    fn turns_are_ordered_by_time_then_carrier() {
        let shortest = Duration::from_micros(500);
        let slow = CarrierPlace { number: 0, count: 2, turns: 4, shortest };
        let fast = CarrierPlace { number: 1, count: 2, turns: 2, shortest };
        assert_eq!([0, 1, 2].map(|slot| slow.turn(slot)), [0, 4, 8]);
        assert_eq!([0, 1, 2].map(|slot| fast.turn(slot)), [1, 3, 5]);
        assert_eq!(slow.last_turn(1, Duration::from_micros(857)), fast.turn(3));
        assert_eq!(slow.last_turn(1, Duration::from_micros(428)), fast.turn(2));
        // A block of a slow carrier is granted, then an earlier one of a fast carrier.
        assert_eq!(fast.last_of(slow.last_of(None, 8), 5), Some(8));
        assert_eq!(slow.last_of(fast.last_of(None, 5), 8), Some(8));
        assert_eq!([slow.process(3, 16), fast.process(3, 16)], [3, 19]);
    }
}
