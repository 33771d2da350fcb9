//! Blocks of a whole slot on the air, in cells in which urgent blocks may take their resource
//! blocks.
//!
//! In: blocks that begin, resource blocks that are taken from them. Out: the losses of each block;
//! blocks that have ended.
//!
//! Only these blocks have a result that is unknown when they begin: it is drawn when they end.

use std::ops::Range;

use super::{BaseStation, BaseTurn};
use crate::ran::tables::class::Priority;

/// All blocks on the air, in the order in which they began.
#[derive(Clone, Debug, Default)]
pub(super) struct LongBlocks {
    blocks: Vec<LongBlock>,
}

/// One block on the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongBlock {
    pub(super) ue: u32,
    pub(super) process: usize,
    /// Slot of the clock in which the block begins, then the first slot after it.
    pub(super) begins: u64,
    ends: u64,
    units: u64,
    /// Priority of its most urgent bearer.
    priority: Priority,
    /// Resource blocks that urgent blocks have taken from it, until slot `taken_until`.
    taken: u64,
    taken_until: u64,
}

impl LongBlock {
    /// Returns the resource blocks of the block that can be taken in slot `now`.
    fn available(&self, now: u64) -> u64 {
        if self.taken_until > now { self.units - self.taken } else { self.units }
    }
}

impl LongBlocks {
    /// Returns all blocks on the air.
    pub(super) fn all(&self) -> &[LongBlock] {
        &self.blocks
    }

    /// Returns the resource blocks that can be taken in slot `now`.
    pub(super) fn available(&self, now: u64) -> u64 {
        self.blocks.iter().map(|block| block.available(now)).sum()
    }

    /// Returns the first slot after the block that ends first.
    pub(super) fn next_end(&self) -> Option<u64> {
        self.blocks.iter().map(|block| block.ends).min()
    }

    /// Takes `units` during `slots` for an urgent block, and returns the blocks that lose them.
    /// Blocks of the lowest priority lose first, the largest among them first.
    pub(super) fn take_units(
        &mut self,
        slots: Range<u64>,
        mut units: u64,
    ) -> Vec<(LongBlock, u64)> {
        let mut losers = Vec::new();
        while units > 0 {
            let has_some = |block: &&mut LongBlock| block.available(slots.start) > 0;
            let order = |block: &&mut LongBlock| (block.priority, block.units);
            let loser = self.blocks.iter_mut().filter(has_some).max_by_key(order);
            let loser = loser.expect("there are as many resource blocks as were counted");
            let given = units.min(loser.available(slots.start));
            // Urgent blocks have equal lengths, so the units taken later are released later.
            loser.taken = loser.units - loser.available(slots.start) + given;
            loser.taken_until = slots.end;
            units -= given;
            losers.push((*loser, given));
        }
        losers
    }

    /// Removes and returns the blocks that have ended before `slot`.
    fn take_ended(&mut self, slot: u64) -> Vec<LongBlock> {
        let (ended, rest) = self.blocks.iter().partition(|block| block.ends <= slot);
        self.blocks = rest;
        ended
    }
}

impl BaseStation {
    /// Returns the first slot after the first block of a whole slot whose result is still unknown.
    #[inline]
    pub(in crate::ran::cell) fn next_end(&self) -> Option<u64> {
        self.urgent.as_ref()?.long.next_end()
    }

    /// Keeps the blocks of this slot of the clock until they have ended.
    pub(super) fn keep_open(&mut self, turn: &BaseTurn<'_>) {
        let Some(urgent) = &mut self.urgent else { return };
        for (ue, process) in self.down.on_air.drain(..) {
            let block = self.ues[ue as usize].down.harq.block(process);
            let bearers = &turn.bearers[ue as usize];
            let of = |(bearer, _): &(usize, _)| bearers[*bearer].quality.priority;
            urgent.long.blocks.push(LongBlock {
                ue,
                process,
                begins: turn.slot,
                ends: turn.slot + turn.setup.on_air,
                units: block.units,
                priority: block.parts.iter().map(of).min().unwrap_or(Priority(u16::MAX)),
                taken: 0,
                taken_until: 0,
            });
        }
    }

    /// Transmits the blocks of a whole slot that have ended, and sends their feedback.
    pub(in crate::ran::cell) fn finish_ended(&mut self, turn: &mut BaseTurn<'_>) {
        let Some(urgent) = &mut self.urgent else { return };
        for ended in urgent.long.take_ended(turn.slot) {
            self.finish_block(turn, ended.begins, ended.ue, ended.process);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the blocks on the air in slots 0 to 13 of the clock, by priority and resource
    /// blocks. The UE is the place in the list.
    fn on_air(blocks: &[(u16, u64)]) -> LongBlocks {
        let block = |(ue, &(priority, units)): (u32, &(u16, u64))| LongBlock {
            ue,
            process: 0,
            begins: 0,
            ends: 14,
            units,
            priority: Priority(priority),
            taken: 0,
            taken_until: 0,
        };
        LongBlocks { blocks: (0..).zip(blocks).map(block).collect() }
    }

    fn losers(blocks: &mut LongBlocks, slots: Range<u64>, units: u64) -> Vec<(u32, u64)> {
        blocks
            .take_units(slots, units)
            .into_iter()
            .map(|(block, units)| (block.ue, units))
            .collect()
    }

    /// A block of the lowest priority loses first, the largest among them, then the next.
    #[test]
    fn the_largest_of_the_lowest_priority_loses_first() {
        let mut blocks = on_air(&[(60, 50), (90, 10), (90, 20), (90, 15)]);
        assert_eq!(losers(&mut blocks, 3..5, 12), [(2, 12)]);
        assert_eq!(losers(&mut blocks, 3..5, 30), [(2, 8), (3, 15), (1, 7)]);
        assert_eq!(losers(&mut blocks, 3..5, 13), [(1, 3), (0, 10)]);
    }

    /// Resource blocks that one urgent block has taken are not available to another until it ends.
    #[test]
    fn taken_units_are_available_after_their_taker() {
        let mut blocks = on_air(&[(90, 70)]);
        assert_eq!(blocks.available(3), 70);
        losers(&mut blocks, 3..5, 40);
        assert_eq!([3, 4, 5].map(|slot| blocks.available(slot)), [30, 30, 70]);
        losers(&mut blocks, 4..6, 20);
        assert_eq!(blocks.available(4), 10, "of both");
        losers(&mut blocks, 6..8, 25);
        assert_eq!(blocks.available(6), 45, "those before have ended");
    }

    /// A block of 14 symbols can lose each of them, and has ended after the last.
    #[test]
    fn a_block_has_ended_behind_its_last_symbol() {
        let mut blocks = on_air(&[(90, 70)]);
        assert_eq!(blocks.next_end(), Some(14));
        assert!(blocks.take_ended(13).is_empty() && blocks.all().len() == 1);
        assert_eq!(blocks.take_ended(14).len(), 1);
        assert!(blocks.all().is_empty());
    }
}
