//! NewReno: loss recovery without SACK (RFC 5681 §3.2, RFC 6582 §3.2).
//!
//! In: duplicate and partial acknowledgements. Out: the oldest segment, once a round trip, and a
//! window that each duplicate inflates by the segment that has left the network.

use super::{Ack, Episode, LossRecovery, RecoveryContext};
use crate::tcp::congestion::controller::AckSample;
use crate::tcp::flight::Flight;
use crate::tcp::profile::{Growth, Profile};

/// NewReno recovery (RFC 6582).
#[derive(Clone, Debug)]
pub(super) struct NewReno {
    dup_thresh: u32,
    limited_transmit: bool,
    /// Duplicates count as delivered segments, as in Linux.
    counts_duplicates: bool,
}

impl NewReno {
    pub(super) fn new(profile: &Profile) -> Self {
        let &Profile { dup_thresh, limited_transmit, growth, .. } = profile;
        Self { dup_thresh, limited_transmit, counts_duplicates: growth == Growth::PerByte }
    }
}

impl LossRecovery for NewReno {
    /// RFC 5681 §2
    fn is_duplicate(&self, ack: &Ack) -> bool {
        !ack.advanced && ack.looks_duplicate
    }

    /// `DeliveredData` without SACK (RFC 6937): each duplicate delivers a segment, which the next
    /// advance does not deliver again. Linux counts at least one segment of an advance as new
    /// (`tcp_add_reno_sack`, `tcp_remove_reno_sacks`).
    fn delivered(&self, sample: &AckSample, duplicate: bool, before: u32, mss: u64) -> u64 {
        if !self.counts_duplicates {
            sample.delivered
        } else if duplicate {
            mss
        } else {
            let known = u64::from(before) * mss;
            sample.acked.saturating_sub(known).max(sample.acked.min(mss))
        }
    }

    /// RFC 6582 §3.2 step 1
    fn begins(&self, episode: &Episode, una: u64, _: &Flight, _: bool) -> bool {
        episode.duplicates() >= self.dup_thresh && una > episode.recover()
    }

    /// RFC 6582 §3.2 step 2
    fn begin(&mut self, episode: &Episode, context: &mut RecoveryContext<'_>, _: &AckSample) {
        context.flight.mark_first_lost();
        context.reduce(self.flight_size(context.flight, episode.limited()));
        let threshold = context.threshold();
        context.controller.on_recovery_window(threshold);
        let inflated = context.controller.cwnd() + u64::from(episode.duplicates()) * context.mss;
        context.controller.on_recovery_window(inflated);
    }

    /// RFC 6582 §3.2 step 3; for duplicates RFC 5681 §3.2 step 4
    fn on_ack(
        &mut self,
        episode: &mut Episode,
        context: &mut RecoveryContext<'_>,
        sample: &AckSample,
        duplicate: bool,
    ) -> bool {
        let (cwnd, mss) = (context.controller.cwnd(), context.mss);
        if sample.advanced {
            let inflated = if sample.acked >= mss { mss } else { 0 };
            context.controller.on_recovery_window(cwnd.saturating_sub(sample.acked) + inflated);
            context.flight.mark_first_lost();
            episode.force_retransmit();
        } else if duplicate {
            context.controller.on_recovery_window(cwnd + mss);
        }
        sample.advanced && episode.is_first_partial()
    }

    /// RFC 6582 §3.2, step 3, option 1: no burst of the data that the recovery held back.
    fn end(&mut self, context: &mut RecoveryContext<'_>) {
        let (mss, flight) = (context.mss, context.flight.bytes());
        let window = context.threshold().min(flight.max(mss) + mss);
        context.controller.on_recovery_window(window);
    }

    /// RFC 3042 §2: each of the first two duplicates lets one new segment leave.
    fn limited_transmit(&self, episode: &Episode, _: &Flight, mss: u64) -> u64 {
        if self.limited_transmit { u64::from(episode.duplicates().min(2)) * mss } else { 0 }
    }
}
