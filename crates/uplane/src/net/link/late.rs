//! Reordering: some frames take longer on the wire than others, which overtake them.
//!
//! In: frames at the end of the wire. Out: the same frames, some of them later.
//!
//! Left out: paths of several links of which one is faster. This matters for studies of load
//! balancing.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Frame;
use crate::net::ledger::Cause;
use crate::sim::{Stream, Streams};
use crate::unit::{Duration, Instant, Probability};

/// Reordering of frames: some take longer than others.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reordering {
    /// Probability that a frame is late: it arrives `delay` after its regular time.
    pub probability: Probability,
    /// Additional delay of a late frame. Frames that are sent within this time after the late
    /// frame, and are not late themselves, overtake it.
    pub delay: Duration,
}

/// The frames at the end of the wire.
#[derive(Clone, Debug)]
pub(super) struct Late {
    reordering: Reordering,
    stream: Stream,
    /// Frames in the order of their arrival.
    pub(super) frames: VecDeque<Frame>,
}

impl Late {
    pub(super) fn new(reordering: Reordering, streams: Streams, entity: &str) -> Self {
        let stream = streams.open(entity, "reordering");
        Self { reordering, stream, frames: VecDeque::new() }
    }

    /// Takes a frame that would arrive now.
    pub(super) fn take(&mut self, mut frame: Frame) {
        if self.stream.chance(self.reordering.probability) {
            frame.arrives += self.reordering.delay;
            frame.packet.ledger.charge(Cause::Propagation, frame.arrives);
        }
        let place = self.frames.partition_point(|other| other.arrives <= frame.arrives);
        self.frames.insert(place, frame);
    }

    /// Returns the arrival time of the first frame.
    pub(super) fn first(&self) -> Option<Instant> {
        self.frames.front().map(|frame| frame.arrives)
    }

    /// Removes a frame that has arrived.
    pub(super) fn arrived(&mut self, now: Instant) -> Option<Frame> {
        let has_arrived = self.first().is_some_and(|arrives| arrives <= now);
        has_arrived.then(|| self.frames.pop_front()).flatten()
    }
}
