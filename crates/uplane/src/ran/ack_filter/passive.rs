//! Passive discard: at a grant, a share of the acknowledgements that do not fit.
//!
//! In: grants. Out: the places of what is dropped.
//!
//! A share of a few is rarely a whole number. The fraction is carried to the next grant, so that in
//! the long run the share is exact.

use super::queue::{Entry, Queue};
use crate::unit::{Bytes, Probability};

/// `discard ratio`: which share of the acknowledgements that do not fit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio {
    /// In billionths, so that shares sum up exactly.
    billionths: u64,
}

/// What a grant has for the packets of one bearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Bytes for packets not yet begun: without MAC control elements and headers, and without the
    /// rest of a packet that was begun.
    pub room: Bytes,
    /// Bytes of headers that each packet costs.
    pub per_packet: Bytes,
}

/// The rule.
#[derive(Clone, Debug)]
pub(super) struct Passive {
    ratio: Ratio,
    /// What was cut off, in billionths.
    carry: u64,
}

impl Ratio {
    /// All that do not fit.
    pub const ALL: Self = Self { billionths: BILLION };

    /// The share to the nearest billionth.
    pub fn new(share: Probability) -> Self {
        Self { billionths: (share.value() * BILLION as f64).round() as u64 }
    }
}

impl Passive {
    pub(super) fn new(ratio: Ratio) -> Self {
        Self { ratio, carry: 0 }
    }

    /// A grant is about to be filled.
    pub(super) fn on_grant(&mut self, grant: Grant, queue: &mut Queue, discard: &mut Vec<usize>) {
        let fitting = grant.newest_that_fit(queue.pure(None));
        let excess = queue.pure(None).count() - fitting;
        let share = self.ratio.billionths * excess as u64 + self.carry;
        self.carry = share % BILLION;
        queue.discard((share / BILLION) as usize, None, discard);
    }
}

impl Grant {
    /// How many of these packets it has room for.
    fn newest_that_fit<'a>(self, newest_first: impl Iterator<Item = &'a Entry>) -> usize {
        let mut room = self.room;
        let fits = |entry: &&Entry| {
            let needed = entry.size() + self.per_packet;
            let fits = needed <= room;
            room = room.saturating_sub(needed);
            fits
        };
        newest_first.take_while(fits).count()
    }
}

const BILLION: u64 = 1_000_000_000;
