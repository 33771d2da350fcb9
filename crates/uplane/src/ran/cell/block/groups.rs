//! The code block groups of a transport block: the groups and the resource blocks of each
//! transmission.
//!
//! In: HARQ-ACK, resource blocks that urgent blocks take. Out: updates of [`GroupHarq`] if code
//! block groups are acknowledged separately; otherwise, whole transmissions.

use std::ops::Range;

use super::Block;
use crate::ran::cell::config::{Capacity, Channel};
use crate::ran::cell::group_harq::GroupHarq;
use crate::ran::cell::preemption::Preemption;
use crate::ran::phy::{CodeBlocks, GroupBits};
use crate::unit::Bytes;

impl Block {
    /// Starts reception of a block that was built for `channel` with these code blocks.
    pub(in crate::ran::cell) fn start_decoding(&mut self, channel: &Channel, blocks: CodeBlocks) {
        let Some(most) = channel.harq.code_block_groups else {
            self.soft.start(blocks);
            return;
        };
        match &mut self.group_harq {
            Some(harq) => harq.start(blocks, most, self.units),
            None => self.group_harq = Some(Box::new(GroupHarq::new(blocks, most, self.units))),
        }
    }

    /// Returns the resource blocks of its next retransmission.
    pub(in crate::ran::cell) fn retransmission_units(&self, capacity: &Capacity) -> u64 {
        let (Some(harq), Capacity::Carrier(carrier)) = (&self.group_harq, capacity) else {
            return self.units;
        };
        let part = harq.part_of(harq.units, harq.wanted);
        carrier.allocation.at_least(part, carrier.prbs).min(harq.units)
    }

    /// Returns the resource blocks of its next transmission, if the receiver schedules it: the
    /// groups that failed are retransmitted.
    pub(in crate::ran::cell) fn units_to_request(&mut self, capacity: &Capacity) -> u64 {
        let failed = self.failed_groups();
        if let Some(harq) = &mut self.group_harq {
            harq.on_acknowledged(failed);
        }
        self.retransmission_units(capacity)
    }

    /// Returns the resource blocks of the whole block.
    pub(in crate::ran::cell) fn all_units(&self) -> u64 {
        self.group_harq.as_ref().map_or(self.units, |harq| harq.units)
    }

    /// Starts a retransmission, on [`Block::retransmission_units`] resource blocks.
    pub(in crate::ran::cell) fn start_retransmission(&mut self, capacity: &Capacity) {
        self.units = self.retransmission_units(capacity);
        if let Some(harq) = &mut self.group_harq {
            harq.start_retransmission();
        }
    }

    /// Returns the bytes of the block in its last transmission.
    pub(in crate::ran::cell) fn sent_bytes(&self) -> Bytes {
        let part = |harq: &GroupHarq| Bytes(harq.part_of(self.size.0, harq.sent));
        self.group_harq.as_deref().map_or(self.size, part)
    }

    /// Returns the groups in its last transmission; empty unless groups are acknowledged
    /// separately.
    pub(in crate::ran::cell) fn sent_groups(&self) -> GroupBits {
        let many = self.group_harq.as_ref().filter(|harq| harq.buffer.groups().count() > 1);
        many.map_or(GroupBits::NONE, |harq| harq.sent)
    }

    /// Records that its last transmission, which began in slot `begins`, lost `units` during
    /// `slots` to an urgent block. Returns `true` for the first loss of the transmission.
    pub(in crate::ran::cell) fn lose_symbols(
        &mut self,
        begins: u64,
        slots: Range<u64>,
        units: u64,
        preemption: Preemption,
    ) -> bool {
        let share = units as f64 / self.units as f64;
        let harq = self.group_harq.as_mut().expect("where blocks lose, code blocks are told apart");
        let is_first = !std::mem::replace(&mut harq.is_taken, true);
        let (from, to) = (slots.start - begins, slots.end - begins);
        harq.punctures.add(from as u32, to as u32, share, preemption.is_known());
        harq.is_misled |= !preemption.is_known();
        is_first
    }

    /// Records that its UE treats all its resource blocks during `slots` as lost.
    pub(in crate::ran::cell) fn take_for_lost(&mut self, begins: u64, slots: Range<u64>) {
        let harq = self.group_harq.as_mut().expect("where blocks lose, code blocks are told apart");
        let (from, to) = (slots.start - begins, slots.end - begins);
        harq.punctures.add(from as u32, to as u32, 1.0, true);
    }

    /// Returns `true` if its last transmission lost resource blocks to urgent blocks, or its UE
    /// treats some as lost.
    pub(in crate::ran::cell) fn lost_some(&self) -> bool {
        self.group_harq.as_ref().is_some_and(|harq| !harq.punctures.is_empty())
    }

    /// Returns `true` if an earlier transmission lost resource blocks to urgent blocks.
    pub(in crate::ran::cell) fn was_preempted(&self) -> bool {
        self.group_harq.as_ref().is_some_and(|harq| harq.preempted)
    }

    /// Returns the groups that its receiver has not decoded; empty unless groups are acknowledged
    /// separately.
    pub(in crate::ran::cell) fn failed_groups(&self) -> GroupBits {
        self.group_harq.as_ref().map_or(GroupBits::NONE, |harq| harq.buffer.failed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::ChannelCode;
    use crate::ran::phy::puncture::Damage;

    /// Returns one code block on 20 resource blocks.
    fn block() -> Block {
        let blocks = CodeBlocks::equal(ChannelCode::LdpcGraph1, 1, 6000.0);
        let group_harq = Some(Box::new(GroupHarq::new(blocks, 1, 20)));
        Block { units: 20, group_harq, ..Block::default() }
    }

    fn damage(block: &Block) -> Damage {
        block.group_harq.as_ref().expect("it has groups").punctures.damage(0, 1, 14)
    }

    /// An urgent block on ten of its twenty resource blocks, in two of fourteen symbols: a
    /// fourteenth of its bits.
    #[test]
    fn a_block_loses_a_share_of_its_own_resource_blocks() {
        for (preemption, is_known) in [
            (Preemption::Indicated, true),
            (Preemption::Symbols, true),
            (Preemption::Unindicated, false),
        ] {
            let mut block = block();
            assert!(block.lose_symbols(28, 31..33, 10, preemption));
            assert!(!block.lose_symbols(28, 40..42, 10, preemption), "the second time");
            let Damage { absent, noise } = damage(&block);
            let (lost, other) = if is_known { (absent, noise) } else { (noise, absent) };
            assert!((lost - 1.0 / 7.0).abs() < 1e-12 && other == 0.0, "{preemption:?}");
            assert_eq!(block.group_harq.expect("groups").is_misled, !is_known);
        }
    }

    /// DCI format 2_1 marks the whole block as lost in these symbols; only the resource blocks
    /// actually taken count as pre-empted.
    #[test]
    fn only_taken_resource_blocks_count() {
        let mut block = block();
        block.take_for_lost(28, 31..33);
        assert!((damage(&block).absent - 1.0 / 7.0).abs() < 1e-12);
        assert!(block.lost_some());
        assert!(block.lose_symbols(28, 40..42, 10, Preemption::Symbols), "the first time");
        assert!(!block.lose_symbols(28, 31..33, 10, Preemption::Symbols), "the second time");
    }
}
