//! The activity of the other cells of a network.
//!
//! In: the groups that each cell used in a slot, and the power that each eNB received from UEs of
//! other cells. Out: interference in that slot, and means for reports.
//!
//! Means forget exponentially, over 20 slots of their direction: receivers average interference
//! over several reference signals. If the band alternates between both directions, slots of the
//! other direction are not measured.

use crate::net::Direction;
use crate::ran::cell::rbg::GroupSet;
use crate::unit::math;

/// The simulated cells, by their position in the network.
#[derive(Clone, Debug, Default)]
pub(in crate::ran::cell) struct Neighbours {
    groups: Vec<GroupSet>,
    /// Mean share of the band that each cell used, up to `slot`.
    loads: Vec<f64>,
    /// Mean power of other cells' UEs at each eNB, over its noise and the whole band, up to `slot`.
    heard: Vec<f64>,
    slot: u64,
}

impl Neighbours {
    pub(in crate::ran::cell) fn new(cells: usize) -> Self {
        let zeros = vec![0.0; cells];
        Self { groups: vec![GroupSet::NONE; cells], loads: zeros.clone(), heard: zeros, slot: 0 }
    }

    /// Copies another state without allocating memory.
    pub(in crate::ran::cell) fn copy_from(&mut self, other: &Self) {
        self.groups.clone_from(&other.groups);
        self.loads.clone_from(&other.loads);
        self.heard.clone_from(&other.heard);
        self.slot = other.slot;
    }

    /// Starts `slot`, without transmissions so far, and updates the means for the slots without
    /// any. `passed` returns the number of slots of a direction after one slot up to another.
    #[inline]
    pub(in crate::ran::cell) fn begin(
        &mut self,
        slot: u64,
        passed: impl Fn(Direction, u64, u64) -> u64,
    ) {
        if slot <= self.slot {
            return;
        }
        self.groups.fill(GroupSet::NONE);
        let passed = |direction| passed(direction, self.slot, slot);
        let kept = |passed: u64| match passed {
            0 => 1.0,
            1 => KEPT,
            passed => math::pow(KEPT, passed as f64),
        };
        let (downs, ups) = (passed(Direction::Down), passed(Direction::Up));
        let down = kept(downs);
        let up = if ups == downs { down } else { kept(ups) };
        self.loads.iter_mut().for_each(|mean| *mean *= down);
        self.heard.iter_mut().for_each(|mean| *mean *= up);
        self.slot = slot;
    }

    /// Records that a cell uses these groups, a `share` of the band, in the slot that began last.
    pub(in crate::ran::cell) fn send(&mut self, cell: usize, groups: GroupSet, share: f64) {
        self.groups[cell] = groups;
        self.loads[cell] += share * (1.0 - KEPT);
    }

    /// Records that an eNB receives this power from a UE of another cell in the slot that began
    /// last, relative to its noise and the whole band.
    pub(in crate::ran::cell) fn interfere(&mut self, cell: u32, power: f64) {
        self.heard[cell as usize] += power * (1.0 - KEPT);
    }

    /// Returns the mean power of other cells' UEs at an eNB, relative to its noise.
    pub(in crate::ran::cell) fn heard(&self, cell: u32) -> f64 {
        self.heard[cell as usize]
    }

    pub(in crate::ran::cell) fn groups(&self, cell: u32) -> GroupSet {
        self.groups[cell as usize]
    }

    pub(in crate::ran::cell) fn load(&self, cell: u32) -> f64 {
        self.loads[cell as usize]
    }
}

/// Share of a mean that remains after a slot.
const KEPT: f64 = 1.0 - 1.0 / 20.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::cell::rbg::Grid;

    #[test]
    fn a_mean_load_is_reached_and_forgotten_within_twenty_slots() {
        let grid = Grid::new(50, 3);
        let mut neighbours = Neighbours::new(2);
        for slot in 1..=400 {
            neighbours.begin(slot, |_, from, to| to - from);
            neighbours.send(1, grid.all(), 1.0);
        }
        assert!((neighbours.load(1) - 1.0).abs() < 1e-8 && neighbours.load(0) == 0.0);
        assert_eq!((neighbours.groups(0), neighbours.groups(1)), (GroupSet::NONE, grid.all()));
        neighbours.begin(420, |_, from, to| to - from);
        assert!((neighbours.load(1) - math::pow(0.95, 20.0)).abs() < 1e-8);
        assert_eq!(neighbours.groups(1), GroupSet::NONE);
    }

    /// Three slots of five are downlink and one is uplink, and a cell is busy in all of them: each
    /// mean is over the slots of its direction.
    #[test]
    fn slots_of_the_other_direction_are_not_measured() {
        let goes = |direction, slot: u64| match direction {
            Direction::Down => slot % 5 < 3,
            Direction::Up => slot % 5 == 4,
        };
        let passed = |direction, from: u64, to: u64| {
            (from + 1..=to).filter(|&slot| goes(direction, slot)).count() as u64
        };
        let mut neighbours = Neighbours::new(1);
        for slot in (1..=2000).filter(|slot| slot % 5 != 3) {
            neighbours.begin(slot, passed);
            if goes(Direction::Down, slot) {
                neighbours.send(0, GroupSet(1), 1.0);
            } else if goes(Direction::Up, slot) {
                neighbours.interfere(0, 3.0);
            }
        }
        assert!((neighbours.load(0) - 1.0).abs() < 1e-8, "{}", neighbours.load(0));
        assert!((neighbours.heard(0) - 3.0).abs() < 1e-6, "{}", neighbours.heard(0));
    }
}
