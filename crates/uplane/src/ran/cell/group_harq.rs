//! A transport block that is acknowledged and retransmitted by code block groups (TS 38.213 §9.1.1,
//! TS 38.214 §5.1.7, §6.1.5).
//!
//! In: the resource blocks of its first transmission, HARQ-ACK. Out: the groups of the next
//! transmission (CBGTI), and their number of resource blocks.
//!
//! Groups take resource blocks in proportion to their code blocks, up to the next number that can
//! be allocated. Earlier transmissions are combined with later ones, unless urgent blocks damaged
//! them without the UE's knowledge: then a retransmission by groups signals it (CBGFI = 0).

use crate::ran::phy::{
    CodeBlockBuffer, CodeBlocks, GroupBits, LinkModel, Punctures, Reception, Transmission,
};
use crate::sim::Stream;

/// HARQ state of a block with separately acknowledged code block groups.
#[derive(Clone, Debug)]
pub(super) struct GroupHarq {
    /// Code blocks at the receiver.
    pub(super) buffer: CodeBlockBuffer,
    /// Groups of its last transmission.
    pub(super) sent: GroupBits,
    /// Groups of the next transmission: those that failed, as far as the sender knows.
    pub(super) wanted: GroupBits,
    /// Resource blocks of all groups.
    pub(super) units: u64,
    /// Losses of its last transmission to urgent blocks, then `true` if its UE does not know them.
    pub(super) punctures: Punctures,
    pub(super) is_misled: bool,
    /// Urgent blocks took a part of it. Other resources that its UE treats as lost do not count.
    pub(super) is_taken: bool,
    /// An earlier transmission lost something to urgent blocks.
    pub(super) preempted: bool,
}

impl GroupHarq {
    /// Creates the state of a new block of `blocks`, first sent on `units`.
    pub(super) fn new(blocks: CodeBlocks, most_groups: u32, units: u64) -> Self {
        let buffer = CodeBlockBuffer::new(blocks, most_groups);
        let all = buffer.groups().all();
        Self {
            buffer,
            sent: all,
            wanted: all,
            units,
            punctures: Punctures::default(),
            is_misled: false,
            is_taken: false,
            preempted: false,
        }
    }

    /// Replaces the block by a new one.
    pub(super) fn start(&mut self, blocks: CodeBlocks, most_groups: u32, units: u64) {
        self.buffer.start(blocks, most_groups);
        let all = self.buffer.groups().all();
        (self.sent, self.wanted, self.units) = (all, all, units);
        self.punctures.clear();
        (self.is_misled, self.is_taken, self.preempted) = (false, false, false);
    }

    /// Receives its last transmission, of `symbols` symbols. Returns `true` if all groups have
    /// decoded.
    pub(super) fn receive(
        &mut self,
        link: &LinkModel,
        symbols: u32,
        reception: impl Fn() -> Reception,
        stream: &mut Stream,
    ) -> bool {
        let sent = Transmission { groups: self.sent, punctures: &self.punctures, symbols };
        self.buffer.receive(link, &sent, reception, stream);
        self.buffer.failed().is_none()
    }

    /// Starts a retransmission of the groups that failed.
    pub(super) fn start_retransmission(&mut self) {
        self.sent = self.wanted;
        if self.punctures.is_empty() {
            return;
        }
        // A DCI without groups has no field for it (TS 38.212 §7.3.1.2.2).
        if self.is_misled && self.buffer.groups().count() > 1 {
            self.buffer.flush(self.sent);
        }
        self.punctures.clear();
        (self.is_misled, self.is_taken, self.preempted) = (false, false, true);
    }

    /// Records the groups that failed, as the sender has read them.
    pub(super) fn on_acknowledged(&mut self, failed: GroupBits) {
        self.wanted = failed;
    }

    /// Returns the part of `whole` that `groups` have by their code blocks, rounded up.
    pub(super) fn part_of(&self, whole: u64, groups: GroupBits) -> u64 {
        let all = self.buffer.groups();
        (whole * u64::from(all.code_blocks_of(groups))).div_ceil(all.code_blocks().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::{ChannelCode, Modulation, Receiver, RedundancyVersion};
    use crate::sim::Streams;
    use crate::unit::Decibel;

    fn blocks() -> CodeBlocks {
        CodeBlocks::equal(ChannelCode::LdpcGraph1, 7, 6000.0)
    }

    /// Returns a block of seven code blocks in seven groups on 70 resource blocks.
    fn block() -> GroupHarq {
        GroupHarq::new(blocks(), 7, 70)
    }

    /// Receives a transmission of `harq`, 7500 bits of 64QAM for each code block, at this SINR. One
    /// transmission needs 17 dB; two together decode below 14.
    fn receive(harq: &mut GroupHarq, number: u32, db: f64, stream: &mut Stream) -> bool {
        let coded_bits = harq.sent.count() * 7500;
        let reception = || Reception {
            modulation: Modulation::Qam64,
            sinr: Decibel(db).into(),
            rv: RedundancyVersion::of_transmission(number),
            coded_bits,
        };
        harq.receive(&LinkModel::Sinr(Receiver::Ideal), 14, reception, stream)
    }

    fn stream() -> Stream {
        Streams::new(5).open("group harq", "test")
    }

    /// TS 38.214 §5.1.7.2: earlier transmissions are combined, unless the UE would combine noise:
    /// only a code block that lost bits without the UE's knowledge is forgotten (CBGFI).
    #[test]
    fn only_damaged_code_blocks_are_forgotten() {
        let mut stream = stream();
        for (is_known, decodes) in [(true, true), (false, false)] {
            let mut harq = block();
            assert!(!receive(&mut harq, 0, 14.0, &mut stream));
            // A hundredth of two symbols.
            harq.punctures.add(4, 6, 0.01, is_known);
            harq.is_misled = !is_known;
            harq.on_acknowledged(harq.buffer.failed());
            harq.start_retransmission();
            assert_eq!(receive(&mut harq, 1, 14.0, &mut stream), decodes, "known: {is_known}");
            assert!(harq.preempted && harq.punctures.is_empty() && !harq.is_misled);
            // After that, transmissions add up as usual.
            harq.on_acknowledged(harq.buffer.failed());
            harq.start_retransmission();
            assert!(receive(&mut harq, 2, 14.0, &mut stream));
        }
    }

    /// A block that replaces another has lost nothing.
    #[test]
    fn a_new_block_has_no_earlier_losses() {
        let mut harq = block();
        harq.punctures.add(4, 6, 1.0, false);
        harq.is_misled = true;
        let mut one = GroupBits::NONE;
        one.set(3, true);
        harq.on_acknowledged(one);
        harq.start_retransmission();
        harq.punctures.add(4, 6, 1.0, false);
        (harq.is_misled, harq.is_taken) = (true, true);
        harq.start(blocks(), 4, 40);
        assert!(harq.punctures.is_empty() && !harq.is_misled && !harq.is_taken);
        assert!(!harq.preempted);
        let all = harq.buffer.groups().all();
        assert_eq!((harq.sent, harq.wanted, harq.units, all.count()), (all, all, 40, 4));
    }

    /// Two of seven code blocks are 30.3 of 106 resource blocks, so they need 31.
    #[test]
    fn a_part_is_rounded_up() {
        let harq = GroupHarq::new(blocks(), 4, 106);
        let mut groups = GroupBits::NONE;
        let mut part = |group| {
            groups.set(group, true);
            harq.part_of(106, groups)
        };
        assert_eq!([part(0), part(3), part(1), part(2)], [31, 46, 76, 106]);
    }
}
