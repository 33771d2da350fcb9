//! Transport blocks: filling them from the bearers of a UE, and emptying them at the other side.
//!
//! In: a size, bearers with data. Out: a block with RLC PDUs of several bearers; packets.

use super::ue::Ue;
use crate::net::{Cause, Direction, Ledger};
use crate::ran::mac::header::Packing;
use crate::ran::mac::report::Groups;
use crate::ran::mac::sharing::Sharing;
use crate::ran::phy::{CodeBlocks, Modulation, SoftBuffer};
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
    pub(super) modulation: Modulation,
    /// Its first transmission: the slot, start and end.
    pub(super) slot: u64,
    pub(super) started: Instant,
    pub(super) transmitted: Instant,
    /// The end of its last transmission.
    pub(super) decoded: Instant,
    /// It has reached its receiver.
    pub(super) arrived: bool,
    /// It is full of data: whoever sent it may have more.
    pub(super) full: bool,
    pub(super) report: Option<Groups>,
    pub(super) soft: SoftBuffer,
}

/// Lists that filling needs, kept from block to block.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    demands: Vec<Bytes>,
    shares: Vec<Bytes>,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            size: Bytes::ZERO,
            units: 0,
            modulation: Modulation::Qpsk,
            slot: 0,
            started: Instant::ZERO,
            transmitted: Instant::ZERO,
            decoded: Instant::ZERO,
            arrived: false,
            full: false,
            report: None,
            soft: SoftBuffer::new(CodeBlocks::control(1)),
        }
    }
}

impl Block {
    /// How it crossed the air.
    pub(super) fn passage(&self) -> Passage {
        Passage { transmitted: self.transmitted, decoded: self.decoded }
    }

    /// The receiver takes it apart. `waited` is what a packet waited for between two blocks.
    pub(super) fn deliver(
        &self,
        now: Instant,
        direction: Direction,
        waited: Cause,
        ue_bearers: &mut [super::ue::Bearer],
        out: &mut Outbox<rlc::Effect>,
    ) {
        for (bearer, pdu) in &self.parts {
            let rlc = &mut ue_bearers[*bearer].rlc;
            if let Some((ledger, false)) = rlc.ledgers(direction, pdu).next() {
                ledger.charge(waited, self.started);
            }
            rlc.on_pdu(now, direction, pdu, self.passage(), out);
        }
    }

    /// HARQ gave it up.
    pub(super) fn lose(
        &self,
        now: Instant,
        direction: Direction,
        ue_bearers: &mut [super::ue::Bearer],
        out: &mut Outbox<rlc::Effect>,
    ) {
        for (bearer, pdu) in &self.parts {
            ue_bearers[*bearer].rlc.on_lost(now, direction, pdu, self.passage(), out);
        }
    }
}

/// Fills `packing` with PDUs of the bearers of `ue`, and `parts` with them. `charge` books the wait
/// of each packet that begins in the block.
pub(super) fn fill(
    ue: &mut Ue,
    direction: Direction,
    now: Instant,
    sharing: Sharing,
    packing: &mut Packing,
    parts: &mut Vec<(usize, Pdu)>,
    scratch: &mut Scratch,
    charge: impl Fn(&mut Ledger),
) {
    parts.clear();
    if let [only] = ue.bearers.as_mut_slice() {
        let room = packing.room();
        only.build(0, direction, now, room, packing, parts, &charge);
        return;
    }
    let Scratch { demands, shares } = scratch;
    demands.clear();
    demands.extend(ue.bearers.iter().map(|bearer| {
        let demand = bearer.rlc.buffer_status(now, direction).demand();
        if demand.is_zero() { demand } else { demand + SUB_HEADER }
    }));
    let buckets = &mut ue.buckets[direction as usize];
    sharing.share(buckets, now, packing.room(), demands, shares);
    let mut left = Bytes::ZERO;
    for place in 0..shares.len() {
        let position = buckets.order()[place];
        if demands[position].is_zero() {
            continue;
        }
        let share = shares[position] + left;
        let bearer = &mut ue.bearers[position];
        let used = bearer.build(position, direction, now, share, packing, parts, &charge);
        buckets.on_sent(position, used);
        left = if sharing.passes_on() { share.saturating_sub(used) } else { Bytes::ZERO };
    }
}

/// What the MAC adds to a PDU that is not the last.
const SUB_HEADER: Bytes = Bytes(3);
