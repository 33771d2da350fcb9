//! A transport block that is acknowledged and sent again by code block groups (TS 38.213 §9.1.1,
//! TS 38.214 §5.1.7, §6.1.5).
//!
//! In: the resource blocks of its first transmission, HARQ-ACK. Out: which groups the next
//! transmission has (CBGTI), and on how many resource blocks.
//!
//! Groups take resource blocks in proportion to their code blocks, up to the next number that can
//! be allocated. Earlier transmissions are combined with later ones, unless urgent blocks spoilt
//! them and the UE does not know: then a retransmission by groups says so (CBGFI = 0).

use crate::ran::phy::{
    CodeBlockBuffer, CodeBlocks, GroupBits, LinkModel, Punctures, Reception, Transmission,
};
use crate::sim::Stream;

/// What a block has beyond others where its groups are told apart.
#[derive(Clone, Debug)]
pub(super) struct GroupHarq {
    /// At its receiver.
    pub(super) buffer: CodeBlockBuffer,
    /// Groups of its last transmission.
    pub(super) sent: GroupBits,
    /// Groups that its sender is to send next: those that failed, as far as it knows.
    pub(super) wanted: GroupBits,
    /// Resource blocks of all groups.
    pub(super) units: u64,
    /// What its last transmission lost to urgent blocks, and whether its UE does not know.
    pub(super) punctures: Punctures,
    pub(super) is_misled: bool,
    /// A transmission before lost something.
    pub(super) preempted: bool,
}

impl GroupHarq {
    /// For a new block of `blocks` that is first sent on `units`.
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
            preempted: false,
        }
    }

    /// Takes the place of the block before.
    pub(super) fn start(&mut self, blocks: CodeBlocks, most_groups: u32, units: u64) {
        self.buffer.start(blocks, most_groups);
        let all = self.buffer.groups().all();
        (self.sent, self.wanted, self.units) = (all, all, units);
        self.punctures.clear();
        (self.is_misled, self.preempted) = (false, false);
    }

    /// Its last transmission, of so many symbols, reaches its receiver. True when all groups have
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

    /// What failed is sent again.
    pub(super) fn send_again(&mut self) {
        self.sent = self.wanted;
        if self.punctures.is_empty() {
            return;
        }
        // Without groups a DCI has no field for it (TS 38.212 §7.3.1.2.2).
        if self.is_misled && self.buffer.groups().count() > 1 {
            self.buffer.flush(self.sent);
        }
        self.punctures.clear();
        (self.is_misled, self.preempted) = (false, true);
    }

    /// The sender has read which groups failed.
    pub(super) fn on_acknowledged(&mut self, failed: GroupBits) {
        self.wanted = failed;
    }

    /// Of `whole`, the part that `groups` are by their code blocks, rounded up.
    pub(super) fn part_of(&self, whole: u64, groups: GroupBits) -> u64 {
        let all = self.buffer.groups();
        (whole * u64::from(all.code_blocks_of(groups))).div_ceil(all.code_blocks().into())
    }
}
