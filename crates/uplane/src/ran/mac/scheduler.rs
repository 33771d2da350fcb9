//! The order in which UEs are served in a slot.
//!
//! In: UEs with data, the rate that each could get now, and its service before. Out: an order; the
//! cell gives resources in this order until none are left.
//!
//! All schedulers share one procedure and differ in one [`metric::Metric`]. Its value is a pair: a
//! class, compared first, and a number within it. UEs whose guaranteed rate is in danger come
//! before all others, whatever their metric.
//!
//! Left out: resources of different quality within the band. If all parts of the band are equal for
//! a UE, serving the best UE fully, then the next, gives the same result as assigning group by
//! group. If they are not, the cell divides the band by groups among the UEs ranked first.

pub mod average;
pub mod metric;
mod order;

use average::Averages;
pub use metric::{Candidate, Metric};
use order::{Keyed, Order};

use crate::unit::Bytes;

/// The scheduler of one direction.
#[derive(Clone, Debug)]
pub struct Scheduler {
    metric: Metric,
    averages: Averages,
    /// Averages that change only when the UE is served. Updated only if the metric uses them.
    when_scheduled: Averages,
    /// Round robin: the UE whose turn is next.
    turn: u32,
    /// Candidates of the slot.
    order: Order<Ranked>,
}

/// A candidate with its key.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// All criteria in one number: urgent or not, class, value, and the turn. The higher the
    /// better, and no two UEs have the same.
    key: u128,
    /// Value of its metric; 0 when there was no other candidate.
    pub value: f64,
    /// Number of the UE.
    pub ue: u32,
}

impl Ranked {
    fn new(ue: u32, urgent: bool, (class, value): (i64, f64), distance: u32) -> Self {
        let class = (class.clamp(-MOST_CLASS, MOST_CLASS) + MOST_CLASS) as u128;
        // The order of `f64::total_cmp`, as an order of integers.
        let bits = value.to_bits();
        let negative = bits >> 63 == 1;
        let value_order = if negative { !bits } else { bits | 1 << 63 };
        let key = u128::from(urgent) << 127
            | class << 96
            | u128::from(value_order) << 32
            | u128::from(!distance);
        Self { key, value, ue }
    }

    /// Returns the part of the key that is compared before the value: urgent or not, and the class.
    pub const fn rank(&self) -> u32 {
        (self.key >> 96) as u32
    }
}

impl Keyed for Ranked {
    fn key(&self) -> u128 {
        self.key
    }
}

impl Scheduler {
    /// Creates a scheduler for `ue_count` UEs that were never served. Averages forget within about
    /// `averaging_slots` slots.
    pub fn new(metric: Metric, ue_count: u32, averaging_slots: u32) -> Self {
        Self {
            metric,
            averages: Averages::new(ue_count, averaging_slots),
            when_scheduled: Averages::new(ue_count, averaging_slots),
            turn: 0,
            order: Order::with_capacity(ue_count as usize),
        }
    }

    /// Returns `true` if the metric uses the age of the oldest packet.
    pub fn needs_delays(&self) -> bool {
        self.metric.needs_delays()
    }

    /// Ranks the candidates of `slot`; [`Scheduler::pick`] returns them one by one.
    pub fn rank(&mut self, slot: u64, candidates: &[Candidate]) {
        self.order.clear();
        if let [only] = candidates {
            // The frequent case: no other candidate.
            self.order.push(Ranked::new(only.ue, false, (0, 0.0), 0));
            return;
        }
        let mean_delay = self.metric.mean_delay(candidates);
        for candidate in candidates {
            let &Candidate { ue, urgent, .. } = candidate;
            let history = metric::History {
                average: self.averages.value(ue, slot),
                when_scheduled: self.when_scheduled.last(ue),
                mean_delay,
            };
            let merit = self.metric.value(candidate, &history);
            self.order.push(Ranked::new(ue, urgent, merit, ue.wrapping_sub(self.turn)));
        }
    }

    /// Returns the best UE that was not returned yet.
    #[inline]
    pub fn pick(&mut self) -> Option<u32> {
        self.pick_ranked().map(|ranked| ranked.ue)
    }

    /// Returns the best UE that was not returned yet, with its metric, for callers that share a
    /// slot more finely.
    #[inline]
    pub fn pick_ranked(&mut self) -> Option<Ranked> {
        self.order.take()
    }

    /// Returns `true` if a candidate was not picked.
    #[inline]
    pub fn has_left(&self) -> bool {
        self.order.has_left()
    }

    /// Records `bytes` that a UE was served in `slot`.
    pub fn on_served(&mut self, ue: u32, slot: u64, bytes: Bytes) {
        self.averages.add(ue, slot, bytes);
        if self.metric.needs_when_scheduled() {
            self.when_scheduled.add_without_decay(ue, bytes);
        }
        self.turn = ue + 1;
    }
}

/// Classes must fit into 31 bits: priorities do, and delays in groups of a millisecond do for
/// twelve days.
const MOST_CLASS: i64 = (1 << 30) - 1;

#[cfg(test)]
mod tests;
