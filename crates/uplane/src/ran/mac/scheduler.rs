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

use std::cmp::Ordering;

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
    /// All candidates of the slot, in no order, and how many of them were picked.
    candidates: Vec<Ranked>,
    picked: usize,
    /// The best of those not picked, best last.
    next: Vec<Ranked>,
    last: Option<Ranked>,
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

impl Ranked {
    /// Greater is better; nobody is equal to another UE.
    #[inline]
    fn compare(&self, other: &Self) -> Ordering {
        (self.urgent.cmp(&other.urgent))
            .then(self.class.cmp(&other.class))
            .then(self.value.total_cmp(&other.value))
            .then(other.distance.cmp(&self.distance))
    }
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
            candidates: Vec::with_capacity(ue_count as usize),
            picked: 0,
            next: Vec::with_capacity(AT_ONCE),
            last: None,
        }
    }

    /// True when the metric looks at the age of the oldest packet.
    pub fn needs_delays(&self) -> bool {
        self.metric.needs_delays()
    }

    /// Ranks the candidates of `slot`; [`Scheduler::pick`] gives them one by one.
    pub fn rank(&mut self, slot: u64, candidates: &[Candidate]) {
        self.candidates.clear();
        self.next.clear();
        (self.picked, self.last) = (0, None);
        if let [only] = candidates {
            // The frequent case: nobody to compare with.
            let (urgent, class, value, distance) = (false, 0, 0.0, 0);
            self.candidates.push(Ranked { urgent, class, value, distance, ue: only.ue });
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
            let (class, value) = self.metric.value(candidate, &history);
            let distance = ue.wrapping_sub(self.turn);
            self.candidates.push(Ranked { urgent, class, value, distance, ue });
        }
    }

    /// The best UE that was not given yet.
    pub fn pick(&mut self) -> Option<u32> {
        self.pick_ranked().map(|ranked| ranked.ue)
    }

    /// The same with its metric, for those who share a slot more finely.
    pub fn pick_ranked(&mut self) -> Option<Ranked> {
        if self.next.is_empty() && self.picked < self.candidates.len() {
            self.look_for_next();
        }
        self.last = self.next.pop();
        self.picked += usize::from(self.last.is_some());
        self.last
    }

    /// Finds the best few that come after the last one picked. A slot rarely has room for more, so there is no need to sort
    /// all.
    fn look_for_next(&mut self) {
        let last = self.last;
        let left = |ranked: &&Ranked| last.is_none_or(|last| ranked.compare(&last).is_lt());
        for ranked in self.candidates.iter().filter(left) {
            if self.next.len() < AT_ONCE {
                self.next.insert(0, *ranked);
            } else if ranked.compare(&self.next[0]).is_gt() {
                self.next[0] = *ranked;
            } else {
                continue;
            }
            let mut place = 1;
            while place < self.next.len() && self.next[place].compare(&self.next[place - 1]).is_lt()
            {
                self.next.swap(place, place - 1);
                place += 1;
            }
        }
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

/// UEs that are put in order at once.
const AT_ONCE: usize = 8;

#[cfg(test)]
mod tests;
