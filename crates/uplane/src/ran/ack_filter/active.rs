//! Active discard: drops the oldest acknowledgements beyond a threshold, at each arrival.
//!
//! In: arrivals. Out: the positions of the dropped acknowledgements.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::estimate::Estimate;
use super::queue::Queue;
use super::threshold::Threshold;
use crate::unit::FlowId;

/// ACKs that a threshold counts together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "AckFilterScope")]
pub enum Scope {
    /// All ACKs of the bearer.
    #[default]
    #[serde(rename = "bearer")]
    WholeBearer,
    /// ACKs of each flow.
    #[serde(rename = "flow")]
    PerFlow,
}

/// The rule of active discard.
#[derive(Clone, Debug)]
pub(super) struct Active {
    limit: Limit,
    scope: Scope,
}

/// Source of the threshold.
#[derive(Clone, Debug)]
pub(super) enum Limit {
    Fixed(Threshold),
    Estimated(Estimate),
}

impl Active {
    pub(super) fn new(limit: Limit, scope: Scope) -> Self {
        Self { limit, scope }
    }

    /// Processes a packet of `flow` that was put at the end of the queue.
    pub(super) fn on_arrival(&self, flow: FlowId, queue: &mut Queue, discard: &mut Vec<usize>) {
        let Some(limit) = self.threshold().map(Threshold::acknowledgements) else { return };
        let counted = match self.scope {
            Scope::WholeBearer => None,
            Scope::PerFlow => Some(flow),
        };
        let waiting = queue.pure(counted).count();
        queue.discard(waiting.saturating_sub(limit), counted, discard);
    }

    /// Returns the current threshold. `None` before the first estimate.
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
