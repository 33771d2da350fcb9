//! What the downlink's scheduler knows of the queues, where it knows them by reports.
//!
//! In: packets that come, shares of blocks that are granted. Out: what each bearer is believed to have.
//!
//! Left out: other rules of sharing, acknowledged mode and limits, with which the scheduler sees queues as they are.

use crate::net::Direction;
use crate::ran::cell::config::{Config, Downlink, Knowledge};
use crate::ran::cell::ue::{Bearer, Ue};
use crate::ran::mac::queue_report::Queue;
use crate::ran::mac::sharing::Sharing;
use crate::ran::rlc;
use crate::unit::{Bytes, Instant};

/// [`Knowledge::Reports`] holds only where the downlink is as in ns-3.
pub(in crate::ran::cell) fn knows_by_reports(config: &Config) -> bool {
    let Downlink { channel, knowledge, .. } = &config.downlink;
    let limited = config.aggregate_maximum.is_some();
    *knowledge == Knowledge::Reports
        && channel.sharing == Sharing::Equal
        && !limited
        && config
            .bearers
            .iter()
            .all(|bearer| bearer.maximum.is_none() && matches!(bearer.rlc[0], rlc::Config::Um(_)))
}

impl Ue {
    /// What each bearer has, by the reports of RLC.
    pub(in crate::ran::cell) fn reported(&mut self, now: Instant, demands: &mut Vec<Bytes>) {
        demands.clear();
        demands.extend(self.bearers.iter_mut().map(|bearer| bearer.reported(now)));
    }
}

impl Bearer {
    /// A packet came to the queue.
    pub(in crate::ran::cell) fn report_packet(&mut self) {
        self.report.on_packet(self.queue());
    }

    /// What the scheduler of this slot believes to wait.
    pub(in crate::ran::cell) fn reported(&mut self, now: Instant) -> Bytes {
        self.report.on_slot(now, self.queue());
        self.report.bytes()
    }

    /// A share of a block was granted, of which `used` bytes carry a PDU.
    pub(in crate::ran::cell) fn on_share(&mut self, now: Instant, share: Bytes, used: Bytes) {
        self.report.on_share(share);
        if !used.is_zero() {
            self.report.on_pdu(now, self.queue().bytes);
        }
    }

    fn queue(&self) -> Queue {
        let buffer = self.rlc.buffer(Direction::Down);
        Queue { bytes: buffer.bytes(), sdus: buffer.elements() }
    }
}
