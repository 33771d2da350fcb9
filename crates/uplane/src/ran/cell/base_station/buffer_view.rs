//! The downlink scheduler's view of its queues.
//!
//! In: arriving packets, shares of blocks that are granted. Out: the bytes that each bearer is
//! assumed to have.
//!
//! The scheduler sees the actual queues, since they are in the same base station. Or, like the
//! schedulers of ns-3, it uses reports of RLC ([`crate::ran::mac::queue_report`]).

use super::ue_context::{BearerContext, DownlinkContext};
use crate::net::Direction;
use crate::ran::cell::bearer::Bearer;
use crate::ran::cell::config::{Config, DownlinkQueueView};
use crate::ran::mac::queue_report::Queue;
use crate::unit::{Bytes, Instant};

/// Source of the scheduler's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BufferView {
    /// The actual queues.
    Exact,
    /// Reports of the RLC.
    Reported,
}

impl BufferView {
    pub(super) const fn new(config: &Config) -> Self {
        match config.downlink.queue_view {
            DownlinkQueueView::Exact => Self::Exact,
            DownlinkQueueView::Reports => Self::Reported,
        }
    }

    /// Returns `true` if data wait for a UE, as far as the scheduler knows.
    #[inline]
    pub(super) fn has_data(
        self,
        now: Instant,
        context: &DownlinkContext,
        bearers: &[Bearer],
    ) -> bool {
        let reported = |bearer: &BearerContext| !bearer.queue.bytes().is_zero();
        if self == Self::Reported && context.bearers.iter().any(reported) {
            return true;
        }
        bearers.iter().any(|bearer| bearer.rlc.has_demand(now, Direction::Down))
    }
}

impl DownlinkContext {
    /// Writes the bytes of each bearer according to the reports of RLC to `demands`.
    pub(super) fn reported(&mut self, now: Instant, bearers: &[Bearer], demands: &mut Vec<Bytes>) {
        demands.clear();
        demands.extend(self.bearers.iter_mut().zip(bearers).map(|(context, bearer)| {
            context.queue.on_slot(now, queue(bearer));
            context.queue.bytes()
        }));
    }
}

impl BearerContext {
    /// Reports the queue after the arrival of a packet.
    pub(super) fn on_packet(&mut self, bearer: &Bearer) {
        self.queue.on_packet(queue(bearer));
    }

    /// Records a granted share of a block. A PDU takes `used` bytes of it.
    pub(super) fn on_share(&mut self, now: Instant, bearer: &Bearer, share: Bytes, used: Bytes) {
        self.queue.on_share(share);
        if !used.is_zero() {
            self.queue.on_pdu(now, queue(bearer).bytes);
        }
    }
}

#[inline]
fn queue(bearer: &Bearer) -> Queue {
    let buffer = bearer.rlc.buffer(Direction::Down);
    Queue { bytes: buffer.bytes(), sdus: buffer.elements() }
}
