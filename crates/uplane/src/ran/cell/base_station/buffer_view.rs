//! What the downlink scheduler knows of its queues.
//!
//! In: packets that come, shares of blocks that are granted. Out: what each bearer is assumed to
//! have.
//!
//! It sees the queues as they are, since they are in the same base station; or, like the schedulers
//! of ns-3, it uses reports of RLC ([`crate::ran::mac::queue_report`]).

use super::ue_context::{BearerContext, DownlinkContext};
use crate::net::Direction;
use crate::ran::cell::bearer::Bearer;
use crate::ran::cell::config::{Config, DownlinkQueueView};
use crate::ran::mac::queue_report::Queue;
use crate::unit::{Bytes, Instant};

/// How it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BufferView {
    /// As they are.
    Exact,
    /// By reports.
    Reported,
}

impl BufferView {
    pub(super) const fn new(config: &Config) -> Self {
        match config.downlink.queue_view {
            DownlinkQueueView::Exact => Self::Exact,
            DownlinkQueueView::Reports => Self::Reported,
        }
    }

    /// True when anything waits for a UE, as far as the scheduler knows.
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
    /// What each bearer has, by the reports of RLC.
    pub(super) fn reported(&mut self, now: Instant, bearers: &[Bearer], demands: &mut Vec<Bytes>) {
        demands.clear();
        demands.extend(self.bearers.iter_mut().zip(bearers).map(|(context, bearer)| {
            context.queue.on_slot(now, queue(bearer));
            context.queue.bytes()
        }));
    }
}

impl BearerContext {
    /// A packet came to the queue.
    pub(super) fn on_packet(&mut self, bearer: &Bearer) {
        self.queue.on_packet(queue(bearer));
    }

    /// A share of a block was granted, of which `used` bytes carry a PDU.
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
