//! Active discard: at each arrival, the oldest acknowledgements beyond a threshold.
//!
//! In: arrivals. Out: the places of what goes.

use super::estimate::Estimate;
use super::queue::Queue;
use crate::unit::FlowId;

/// How many pure acknowledgements may wait; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Threshold(usize);

/// What a threshold counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All acknowledgements of the bearer, as in the paper.
    #[default]
    WholeBearer,
    /// Those of each flow.
    PerFlow,
}

/// The rule.
#[derive(Clone, Debug)]
pub(super) struct Active {
    limit: Limit,
    scope: Scope,
}

/// Where the threshold comes from.
#[derive(Clone, Debug)]
pub(super) enum Limit {
    Fixed(Threshold),
    Estimated(Estimate),
}

impl Threshold {
    /// Only the newest.
    pub const ONE: Self = Self(1);

    /// `None` for zero: the newest is never taken out.
    pub const fn new(acknowledgements: usize) -> Option<Self> {
        if acknowledgements == 0 { None } else { Some(Self(acknowledgements)) }
    }

    /// How many may wait.
    pub const fn acknowledgements(self) -> usize {
        self.0
    }
}

impl Active {
    pub(super) fn new(limit: Limit, scope: Scope) -> Self {
        Self { limit, scope }
    }

    /// A packet of `flow` was put at the end of the queue.
    pub(super) fn on_arrival(&self, flow: FlowId, queue: &mut Queue, discard: &mut Vec<usize>) {
        let Some(Threshold(limit)) = self.threshold() else { return };
        let counted = match self.scope {
            Scope::WholeBearer => None,
            Scope::PerFlow => Some(flow),
        };
        let waiting = queue.pure(counted).count();
        queue.discard(waiting.saturating_sub(limit), counted, discard);
    }

    /// The threshold now; none before the first estimate.
    pub(super) fn threshold(&self) -> Option<Threshold> {
        match &self.limit {
            Limit::Fixed(threshold) => Some(*threshold),
            Limit::Estimated(estimate) => estimate.threshold(),
        }
    }

    pub(super) fn limit_mut(&mut self) -> &mut Limit {
        &mut self.limit
    }
}
