//! Transport blocks: filling them from the bearers of a UE, and emptying them at the other side.
//!
//! In: a size, bearers with data. Out: a block with RLC PDUs of several bearers; packets.

use super::rbg::GroupSet;
use super::ue::{Bearer, Ue};
use crate::net::{Cause, Direction, Ledger};
use crate::ran::mac::header::Packing;
use crate::ran::mac::report::Groups;
use crate::ran::mac::sharing::Sharing;
use crate::ran::mac::timing::Clock;
use crate::ran::phy::{CodeBlocks, Modulation, SoftBuffer};
use crate::ran::rlc::{self, Passage, Pdu};
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

/// A transport block in a HARQ process.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// RLC PDUs, each with the position of its bearer.
    pub(super) parts: Vec<(usize, Pdu)>,
    pub(super) size: Bytes,
    pub(super) units: u64,
    /// The groups of its last transmission, in a network's downlink.
    pub(super) groups: GroupSet,
    pub(super) modulation: Modulation,
    /// Its first transmission: the slot, start and end.
    pub(super) slot: u64,
    started: Instant,
    transmitted: Instant,
    /// The end of its last transmission.
    pub(super) decoded: Instant,
    /// It has reached its receiver.
    pub(super) arrived: bool,
    /// It is full of data: whoever sent it may have more.
    pub(super) full: bool,
    pub(super) report: Option<Groups>,
    pub(super) soft: SoftBuffer,
}

/// A block while it is filled.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) direction: Direction,
    pub(super) now: Instant,
    pub(super) packing: Packing,
    pub(super) parts: Vec<(usize, Pdu)>,
}

/// Lists that filling needs, kept from block to block.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    demands: Vec<Bytes>,
    shares: Vec<Bytes>,
    /// Places in a queue.
    pub(super) places: Vec<usize>,
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
            full: false,
            report: None,
            soft: SoftBuffer::new(CodeBlocks::control(1)),
        }
    }
}

impl Block {
    /// Becomes the block of `draft`, to be sent in `slot`.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        draft: Draft,
        clock: &Clock,
        slot: u64,
        units: u64,
        modulation: Modulation,
    ) {
        self.parts = draft.parts;
        self.size = draft.packing.size();
        self.units = units;
        self.modulation = modulation;
        self.slot = slot;
        self.started = clock.start(slot);
        self.transmitted = clock.end(slot);
        self.decoded = self.transmitted;
        self.arrived = false;
        self.full = false;
        self.report = None;
    }

    /// Its transmission ends so much before its slot does.
    pub(super) fn shorten(&mut self, by: Duration) {
        self.transmitted = self.transmitted - by;
        self.decoded = self.transmitted;
    }

    /// The receiver takes it apart. `waited` is what a packet waited for between two blocks.
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

    /// HARQ gave it up.
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
        Passage { transmitted: self.transmitted, decoded: self.decoded }
    }
}

impl Ue {
    /// Fills `draft` with PDUs of the bearers. `charge` books the wait of each packet that begins in it.
    pub(super) fn fill(
        &mut self,
        draft: &mut Draft,
        sharing: Sharing,
        scratch: &mut Scratch,
        charge: impl Fn(&mut Ledger),
    ) {
        draft.parts.clear();
        let by_reports = draft.direction == Direction::Down && self.reports;
        if let ([only], false, false) = (self.bearers.as_mut_slice(), self.limited, by_reports) {
            let room = draft.packing.room();
            only.build(0, room, draft, &charge);
            return;
        }
        let direction = draft.direction;
        if let Some(only) = self.only_bearer_with_data(draft.now, direction, sharing) {
            let room = draft.packing.room();
            let used = self.bearers[only].build(only, room, draft, &charge);
            self.on_sent(direction, only, used);
            return;
        }
        let Scratch { demands, shares, .. } = scratch;
        if by_reports {
            self.reported(draft.now, demands);
        } else {
            self.demands(draft.now, direction, demands);
        }
        let buckets = &mut self.buckets[direction];
        sharing.share(buckets, draft.now, draft.packing.room(), demands, shares);
        let mut left = Bytes::ZERO;
        for place in 0..shares.len() {
            let position = match sharing {
                Sharing::Equal => place,
                _ => self.buckets[direction].order()[place],
            };
            if demands[position].is_zero() {
                continue;
            }
            let share = (shares[position] + left).min(self.limit(position, demands, direction));
            let used = self.bearers[position].build(position, share, draft, &charge);
            if by_reports {
                self.bearers[position].on_share(draft.now, share, used);
            }
            self.on_sent(direction, position, used);
            left = if sharing.passes_on() { share.saturating_sub(used) } else { Bytes::ZERO };
        }
    }

    /// The bearer that may have the whole block, as no other wants a part of it. Token buckets, maximum rates and reports have
    /// to be asked nevertheless.
    fn only_bearer_with_data(
        &self,
        now: Instant,
        direction: Direction,
        sharing: Sharing,
    ) -> Option<usize> {
        let by_reports = direction == Direction::Down && self.reports;
        if self.limited || by_reports || sharing == Sharing::Buckets {
            return None;
        }
        let has_data = |bearer: &Bearer| bearer.rlc.has_demand(now, direction);
        let first = self.bearers.iter().position(has_data)?;
        let alone = !self.bearers[first + 1..].iter().any(has_data);
        alone.then_some(first)
    }

    /// What each bearer may get now, with headers.
    fn demands(&mut self, now: Instant, direction: Direction, demands: &mut Vec<Bytes>) {
        demands.clear();
        let limited = self.limited && direction == Direction::Down;
        let mut aggregate = match &mut self.aggregate {
            Some(bucket) if limited => bucket.allows(now),
            _ => Bytes(u64::MAX),
        };
        for bearer in &mut self.bearers {
            let demand = bearer.rlc.buffer_status(now, direction).demand();
            if demand.is_zero() {
                demands.push(demand);
                continue;
            }
            let mut allowed = demand + SUB_HEADER;
            if limited {
                allowed = bearer.rates.allowed(now, allowed);
                if !bearer.quality.guaranteed {
                    allowed = allowed.min(aggregate);
                    aggregate -= allowed;
                }
            }
            demands.push(allowed);
        }
    }

    /// All that may be sent downlink now, with RLC headers.
    pub(super) fn allowed_downlink(&mut self, now: Instant, scratch: &mut Scratch) -> Bytes {
        if self.reports {
            self.reported(now, &mut scratch.demands);
        } else if !self.limited {
            return self.demand(now, Direction::Down);
        } else {
            self.demands(now, Direction::Down, &mut scratch.demands);
        }
        scratch.demands.iter().copied().sum()
    }

    /// A bearer with a limit does not take what others left beyond it.
    fn limit(&self, position: usize, demands: &[Bytes], direction: Direction) -> Bytes {
        let limited = self.limited && direction == Direction::Down;
        if limited { demands[position] } else { Bytes(u64::MAX) }
    }

    fn on_sent(&mut self, direction: Direction, position: usize, bytes: Bytes) {
        self.buckets[direction].on_sent(position, bytes);
        if direction == Direction::Down {
            let bearer = &mut self.bearers[position];
            bearer.rates.on_sent(bytes);
            if let (Some(bucket), false) = (&mut self.aggregate, bearer.quality.guaranteed) {
                bucket.take(bytes);
            }
        }
    }
}

/// What the MAC adds to a PDU that is not the last.
const SUB_HEADER: Bytes = Bytes(3);
