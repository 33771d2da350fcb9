//! A transport block while it is filled from the bearers of a UE.
//!
//! In: a size, bearers with data, their sharing rule. Out: RLC PDUs of several bearers.

use super::bearer::Bearer;
use crate::net::{Direction, Ledger};
use crate::ran::mac::header::Packing;
use crate::ran::mac::prioritisation::Buckets;
use crate::ran::mac::sharing::{Sharing, Wanted};
use crate::ran::mac::status_pdus::StatusPdus;
use crate::ran::rlc::Pdu;
use crate::unit::{Bytes, Instant};

/// A block while it is filled.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) direction: Direction,
    pub(super) now: Instant,
    pub(super) packing: Packing,
    pub(super) parts: Vec<(usize, Pdu)>,
    pub(super) status_pdus: StatusPdus,
}

/// Lists used while filling blocks; their memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) demands: Vec<Bytes>,
    /// The UE with these demands, and their time.
    pub(super) demanded: Option<(u32, Instant)>,
    /// Bytes that bearers get for their guaranteed rates before the block is shared; empty if no
    /// bearer has one.
    pub(super) promised: Vec<Bytes>,
    shares: Vec<Bytes>,
    /// Places of packets in a queue.
    pub(super) places: Vec<usize>,
}

impl Draft {
    /// Puts PDUs of a bearer into the block, at most `share` bytes, and returns the bytes used.
    /// `charge` books the wait of each packet that begins in the block.
    fn take_from(
        &mut self,
        bearer: &mut Bearer,
        position: usize,
        share: Bytes,
        charge: &impl Fn(&mut Ledger),
    ) -> Bytes {
        let Self { direction, now, packing, parts, status_pdus } = self;
        let mut used = Bytes::ZERO;
        loop {
            let grant = packing.room().min(share.saturating_sub(used));
            if grant.is_zero() {
                return used;
            }
            let Some(pdu) = bearer.rlc.build(*now, *direction, grant) else { return used };
            packing.add(pdu.size());
            used += pdu.size();
            bearer.rlc.each_begun(*direction, charge);
            let is_last = status_pdus.ends_share(&pdu);
            parts.push((position, pdu));
            if is_last {
                return used;
            }
        }
    }

    /// Returns the only bearer with data, which may have the whole block; `None` if no bearer, or
    /// more than one, has data.
    pub(super) fn only_bearer_with_data(&self, bearers: &[Bearer]) -> Option<usize> {
        let has_data = |bearer: &Bearer| bearer.rlc.has_demand(self.now, self.direction);
        let first = bearers.iter().position(has_data)?;
        let alone = !bearers[first + 1..].iter().any(has_data);
        alone.then_some(first)
    }

    /// Gives the rest of the block to one bearer, and returns the bytes that it used.
    pub(super) fn fill_from(
        &mut self,
        bearers: &mut [Bearer],
        position: usize,
        charge: &impl Fn(&mut Ledger),
    ) -> Bytes {
        let room = self.packing.room();
        self.take_from(&mut bearers[position], position, room, charge)
    }

    /// Divides the block among the bearers by their `demands`. A `capped` bearer does not take
    /// bytes that others left beyond its demand. Calls `on_share` with each bearer, its share and
    /// the bytes that it used.
    pub(super) fn fill_by_shares(
        &mut self,
        bearers: &mut [Bearer],
        shares: &mut Shares<'_>,
        charge: &impl Fn(&mut Ledger),
        mut on_share: impl FnMut(&Bearer, usize, Bytes, Bytes),
    ) {
        let Shares { sharing, buckets, scratch, capped } = shares;
        let Scratch { demands, promised, shares, .. } = scratch;
        let wanted = Wanted { demands, promised };
        sharing.share(buckets, self.now, self.packing.room(), wanted, shares);
        let mut left = Bytes::ZERO;
        for place in 0..shares.len() {
            let position = match sharing {
                Sharing::Equal => place,
                _ => buckets.order()[place],
            };
            if demands[position].is_zero() {
                continue;
            }
            let limit = if *capped { demands[position] } else { Bytes(u64::MAX) };
            let share = (shares[position] + left).min(limit);
            let used = self.take_from(&mut bearers[position], position, share, charge);
            on_share(&bearers[position], position, share, used);
            buckets.on_sent(position, used);
            left = if sharing.passes_on() { share.saturating_sub(used) } else { Bytes::ZERO };
        }
    }
}

/// Sharing of a block among the bearers of a UE.
#[derive(Debug)]
pub(super) struct Shares<'a> {
    pub(super) sharing: Sharing,
    pub(super) buckets: &'a mut Buckets,
    /// Contains the demand of each bearer.
    pub(super) scratch: &'a mut Scratch,
    pub(super) capped: bool,
}

/// MAC sub-header of a PDU that is not the last.
pub(super) const SUB_HEADER: Bytes = Bytes(3);
