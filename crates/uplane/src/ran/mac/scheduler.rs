//! The order in which UEs are served in a slot.
//!
//! In: UEs with data, what each could get now and what it got before. Out: an order; the cell gives
//! resources in this order until none are left.
//!
//! All schedulers share one frame and differ by one [`metric::Metric`]. Its value is a pair: a class,
//! compared first, and a number within it. Before any metric come UEs whose guaranteed rate is in danger.
//!
//! Left out: resources of different quality within the band. Where a UE is worth the same on each of them, giving
//! the best UE all it needs, then the next, is what assignment group by group would do; where not, the
//! cell shares the band by groups among those ranked first.

pub mod average;
pub mod metric;

use average::Averages;
pub use metric::{Candidate, Metric};

use crate::unit::Bytes;

/// The scheduler of one direction.
#[derive(Clone, Debug)]
pub struct Scheduler {
    metric: Metric,
    averages: Averages,
    /// Averages that change only when the UE is served.
    when_scheduled: Averages,
    /// Round robin: the UE whose turn is next.
    turn: u32,
    order: Vec<Ranked>,
}

/// A candidate in its place.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// It goes before all that are not urgent.
    pub urgent: bool,
    /// Its class; compared first among the urgent and among the others.
    pub class: i64,
    /// Its metric; 0 when there was nobody to compare with.
    pub value: f64,
    /// Breaks ties.
    distance: u32,
    /// Who it is.
    pub ue: u32,
}

impl Scheduler {
    /// A scheduler for `ue_count` UEs that were never served; averages forget in about
    /// `averaging_slots` slots.
    pub fn new(metric: Metric, ue_count: u32, averaging_slots: u32) -> Self {
        Self {
            metric,
            averages: Averages::new(ue_count, averaging_slots),
            when_scheduled: Averages::new(ue_count, averaging_slots),
            turn: 0,
            order: Vec::with_capacity(ue_count as usize),
        }
    }

    /// True when the metric looks at the age of the oldest packet.
    pub fn needs_delays(&self) -> bool {
        self.metric.needs_delays()
    }

    /// Ranks the candidates of `slot`; [`Scheduler::pick`] gives them one by one.
    pub fn rank(&mut self, slot: u64, candidates: &[Candidate]) {
        self.order.clear();
        if let [only] = candidates {
            // The frequent case: nobody to compare with.
            self.order.push(Ranked {
                urgent: false,
                class: 0,
                value: 0.0,
                distance: 0,
                ue: only.ue,
            });
            return;
        }
        let mean_delay = metric::mean_delay(candidates);
        for candidate in candidates {
            let history = metric::History {
                average: self.averages.value(candidate.ue, slot),
                when_scheduled: self.when_scheduled.last(candidate.ue),
                mean_delay,
            };
            let (class, value) = self.metric.value(candidate, &history);
            let distance = candidate.ue.wrapping_sub(self.turn);
            self.order.push(Ranked {
                urgent: candidate.urgent,
                class,
                value,
                distance,
                ue: candidate.ue,
            });
        }
        // Best last, to be popped.
        self.order.sort_unstable_by(|a, b| {
            (a.urgent.cmp(&b.urgent))
                .then(a.class.cmp(&b.class))
                .then(a.value.total_cmp(&b.value))
                .then(b.distance.cmp(&a.distance))
        });
    }

    /// The best UE that was not given yet.
    pub fn pick(&mut self) -> Option<u32> {
        self.pick_ranked().map(|ranked| ranked.ue)
    }

    /// The same with its metric, for those who share a slot more finely.
    pub fn pick_ranked(&mut self) -> Option<Ranked> {
        self.order.pop()
    }

    /// A UE was served `bytes` in `slot`.
    pub fn on_served(&mut self, ue: u32, slot: u64, bytes: Bytes) {
        self.averages.add(ue, slot, bytes);
        self.when_scheduled.add_without_decay(ue, bytes);
        self.turn = ue + 1;
    }

    /// `R̄`: what a UE got on average, in bytes a slot.
    pub fn average(&mut self, ue: u32, slot: u64) -> f64 {
        self.averages.value(ue, slot)
    }
}

#[cfg(test)]
mod tests;
