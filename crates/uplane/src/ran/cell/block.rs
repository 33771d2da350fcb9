//! Transport blocks: the content of a HARQ process, and its delivery by the receiver.
//!
//! In: a block that was filled. Out: packets, or lost PDUs.

mod groups;

use super::bearer::Bearer;
use super::draft::Draft;
use super::group_harq::GroupHarq;
use super::rbg::GroupSet;
use crate::net::{Cause, Direction};
use crate::ran::mac::buffer_status::Report;
use crate::ran::mac::configured_grant::RvSequence;
use crate::ran::phy::{CodeBlocks, Modulation, RedundancyVersion, SoftBuffer};
use crate::ran::rlc::{self, Passage, Pdu};
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// A transport block in a HARQ process.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// RLC PDUs, each with the position of its bearer.
    pub(super) parts: Vec<(usize, Pdu)>,
    pub(super) size: Bytes,
    pub(super) units: u64,
    /// Resource block groups of its last transmission, in a network's downlink.
    pub(super) groups: GroupSet,
    pub(super) modulation: Modulation,
    /// First transmission of the block: its slot, start and end.
    pub(super) slot: u64,
    started: Instant,
    transmitted: Instant,
    /// End of the transmission that decoded, or of the last one so far.
    pub(super) decoded: Instant,
    /// The block has reached its receiver.
    pub(super) arrived: bool,
    /// Bundle of its first transmissions, while it lasts.
    pub(super) bundle: Option<Bundle>,
    /// The block is the first message of small data on a configured grant, and is repeated until it
    /// is received.
    pub(super) until_received: bool,
    /// The block is full of data, so its sender may have more.
    pub(super) full: bool,
    pub(super) report: Option<Report>,
    pub(super) soft: SoftBuffer,
    /// Replaces `soft` if code block groups are acknowledged separately.
    pub(super) group_harq: Option<Box<GroupHarq>>,
}

/// Time of a block's first transmission.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnAir {
    /// Slot of the clock in which it begins.
    pub(super) slot: u64,
    pub(super) started: Instant,
    pub(super) ended: Instant,
}

/// A bundle of slots in which a block is transmitted whatever the results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    /// First slot of the bundle.
    pub(super) occasion: u64,
    pub(super) sequence: RvSequence,
    /// Number of transmissions still to come.
    pub(super) left: u32,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            size: Bytes::ZERO,
            units: 0,
            groups: GroupSet::NONE,
            modulation: Modulation::Qpsk,
            slot: 0,
            started: Instant::ZERO,
            transmitted: Instant::ZERO,
            decoded: Instant::ZERO,
            arrived: false,
            bundle: None,
            until_received: false,
            full: false,
            report: None,
            soft: SoftBuffer::new(CodeBlocks::control(1)),
            group_harq: None,
        }
    }
}

impl Block {
    /// Fills this block from `draft`, for a first transmission at `air`.
    #[inline(always)]
    pub(super) fn begin(&mut self, draft: Draft, air: OnAir, units: u64, modulation: Modulation) {
        self.parts = draft.parts;
        self.size = draft.packing.size();
        self.units = units;
        self.modulation = modulation;
        self.slot = air.slot;
        self.started = air.started;
        self.transmitted = air.ended;
        self.decoded = air.ended;
        self.arrived = false;
        self.bundle = None;
        self.until_received = false;
        self.full = false;
        self.report = None;
    }

    /// Handles the end of a transmission, after which the block `decodes` or not. Returns `true` if
    /// another transmission of its bundle follows, or if the UE repeats it on its own.
    pub(super) fn continues(&mut self, decodes: bool) -> bool {
        if self.until_received {
            return !decodes;
        }
        let Some(bundle) = &mut self.bundle else { return false };
        let continues = bundle.left > 0;
        if continues {
            bundle.left -= 1;
        } else {
            self.bundle = None;
        }
        continues
    }

    /// Returns the redundancy version of transmission number `number` in `slot`.
    pub(super) fn version(&self, slot: u64, number: u32) -> RedundancyVersion {
        if self.until_received {
            // A configured grant without repetitions (TS 38.214 §6.1.2.3).
            return RedundancyVersion::of_transmission(0);
        }
        let of = |bundle: Bundle| bundle.sequence.version(slot - bundle.occasion);
        let named = self.bundle.and_then(|bundle| RedundancyVersion::new(of(bundle)));
        named.unwrap_or_else(|| RedundancyVersion::of_transmission(number - 1))
    }

    /// Delivers the PDUs of the block to the receiver. `waited` is the cause of a packet's wait
    /// between two blocks.
    #[inline(always)]
    pub(super) fn deliver(
        &self,
        now: Instant,
        direction: Direction,
        waited: Cause,
        bearers: &mut [Bearer],
        out: &mut Outbox<rlc::Effect>,
    ) {
        let passage = self.passage();
        for (bearer, pdu) in &self.parts {
            let rlc = &mut bearers[*bearer].rlc;
            if let Some(ledger) = rlc.continued(direction, pdu) {
                ledger.charge(waited, self.started);
            }
            rlc.on_pdu(now, direction, pdu, passage, out);
        }
    }

    /// Reports the PDUs of an abandoned block as lost.
    pub(super) fn lose(
        &self,
        now: Instant,
        direction: Direction,
        bearers: &mut [Bearer],
        out: &mut Outbox<rlc::Effect>,
    ) {
        for (bearer, pdu) in &self.parts {
            bearers[*bearer].rlc.on_lost(now, direction, pdu, self.passage(), out);
        }
    }

    fn passage(&self) -> Passage {
        let preempted = self.was_preempted();
        Passage { transmitted: self.transmitted, decoded: self.decoded, preempted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 38.214 §6.1.2.3: a grant without repetitions uses redundancy version 0 each time;
    /// retransmissions by grants use 0, 2, 3, 1. TS 38.321 §5.4.1: the UE repeats the block until
    /// it decodes.
    #[test]
    fn a_first_message_is_sent_alike_until_it_is_heard() {
        let versions = |block: &Block| [1, 2, 3, 4, 5].map(|number| block.version(100, number));
        let mut block = Block { until_received: true, ..Block::default() };
        assert_eq!(versions(&block), [RedundancyVersion::of_transmission(0); 5]);
        assert!(block.continues(false) && block.continues(false) && !block.continues(true));
        let other = Block::default();
        assert_eq!(versions(&other), [0, 1, 2, 3, 4].map(RedundancyVersion::of_transmission));
    }
}
