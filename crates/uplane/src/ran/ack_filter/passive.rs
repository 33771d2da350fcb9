//! Passive discard: drops a share of the acknowledgements that do not fit, at each grant.
//!
//! In: grants. Out: the positions of the dropped acknowledgements.
//!
//! A share of a few acknowledgements is rarely a whole number. The fraction is carried to the next
//! grant, so that the share is exact in the long run.

use super::queue::{Entry, Queue};
use crate::unit::{Bytes, Probability};

/// `discard ratio`: share of the acknowledgements that do not fit and are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio {
    /// The share in billionths, so that shares sum up exactly.
    billionths: u64,
}

/// The space of a grant for the packets of one bearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Bytes for packets not yet begun: without MAC control elements and headers, and without the
    /// rest of a packet that is partly sent.
    pub room: Bytes,
    /// Bytes of headers per packet.
    pub per_packet: Bytes,
}

/// The rule of passive discard.
#[derive(Clone, Debug)]
pub(super) struct Passive {
    ratio: Ratio,
    /// Fraction carried to the next grant, in billionths of an acknowledgement.
    carry: u64,
}

impl Ratio {
    /// Ratio 1: all that do not fit.
    pub const ALL: Self = Self { billionths: BILLION };

    /// Creates a ratio, rounded to the nearest billionth.
    pub fn new(share: Probability) -> Self {
        Self { billionths: (share.value() * BILLION as f64).round() as u64 }
    }
}

impl Passive {
    pub(super) fn new(ratio: Ratio) -> Self {
        Self { ratio, carry: 0 }
    }

    /// Processes a grant that is about to be filled.
    pub(super) fn on_grant(&mut self, grant: Grant, queue: &mut Queue, discard: &mut Vec<usize>) {
        let fitting = grant.newest_that_fit(queue.pure(None));
        let excess = queue.pure(None).count() - fitting;
        let share = self.ratio.billionths * excess as u64 + self.carry;
        self.carry = share % BILLION;
        queue.discard((share / BILLION) as usize, None, discard);
    }
}

impl Grant {
    /// Returns the number of these packets that fit into the grant.
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
