//! The response of a sender to reported marks (RFC 3168 §6.1.2), unless its control answers them
//! itself.
//!
//! In: acknowledgements that report marks. Out: one reduction for all marks and losses of a window
//! of data, at once or proportionally (RFC 9937), and no growth until that window is acknowledged.
//!
//! A window of one segment cannot be reduced. A mark on it delays the next new segment by a
//! retransmission timeout (RFC 3168 §6.1.2). If a mark leaves at least two segments
//! (`ecn_min_window`), as in Linux, there is no such delay.

use super::prr::Prr;
use super::{Recovery, RecoveryContext};
use crate::tcp::congestion::controller::AckSample;
use crate::tcp::profile::{Profile, RateReduction};
use crate::unit::Instant;

/// State of the response to marks.
#[derive(Debug)]
pub(super) struct MarkResponse {
    rule: RateReduction,
    /// The last reduction covers all data sent before this position.
    until: u64,
    /// The last reduction was for a mark.
    by_mark: bool,
    /// The window of the last reduction is not acknowledged yet, and no loss was detected since.
    reducing: bool,
    /// The window that the last mark left.
    target: u64,
    /// Time until which new data waits.
    hold: Option<Instant>,
    prr: Option<Box<Prr>>,
}

impl MarkResponse {
    pub(super) fn new(rule: RateReduction, una: u64) -> Self {
        let (by_mark, reducing, target) = (false, false, u64::MAX);
        Self { rule, until: una, by_mark, reducing, target, hold: None, prr: None }
    }

    /// Returns `true` while the window must not grow.
    #[inline]
    pub(super) fn is_reducing(&self) -> bool {
        self.reducing
    }

    /// Returns `true` if lost data at `una` was sent before the last reduction for a mark.
    pub(super) fn covers(&self, una: u64) -> bool {
        self.by_mark && una < self.until
    }

    /// Processes an acknowledgement while no loss is known, which reports marks if `congested`.
    /// Returns `true` if the window is reduced for them.
    ///
    /// The reduction ends with an acknowledgement above its window: only then has the peer seen the
    /// reduction.
    pub(super) fn on_ack(
        &mut self,
        context: &mut RecoveryContext<'_>,
        congested: bool,
        sample: &AckSample,
    ) -> bool {
        let is_over = context.una > self.until;
        if self.reducing && is_over {
            self.reducing = false;
            if self.prr.take().is_some() {
                context.controller.on_recovery_window(self.target);
            }
        }
        let begins = congested && is_over && !context.controller.answers_marks();
        if begins {
            let window = context.controller.cwnd();
            self.target = context.controller.on_congestion(sample.flight);
            // RFC 3168 §6.1.2: the timer reduces the rate of a window that cannot be reduced.
            let cannot_shrink = window.max(self.target) <= context.mss;
            self.hold = cannot_shrink.then(|| context.now + sample.rto);
            self.prr = Prr::begin(self.rule, sample.flight).map(Box::new);
            if self.prr.is_none() {
                context.controller.on_recovery_window(self.target);
            }
            (self.until, self.by_mark, self.reducing) = (context.nxt, true, true);
        }
        begins
    }

    /// Sets the window to the part that this acknowledgement leaves (RFC 9937 §6).
    #[inline]
    pub(super) fn proportion(&mut self, context: &mut RecoveryContext<'_>, sample: &AckSample) {
        if let Some(prr) = &mut self.prr {
            let pipe = context.flight.bytes();
            let mut allowed = prr.on_ack(sample, pipe, self.target, context.mss);
            if prr.is_first() {
                allowed = allowed.max(context.mss);
            }
            context.controller.on_recovery_window(pipe + allowed);
        }
    }

    /// Books `bytes` that left.
    #[inline]
    pub(super) fn on_sent(&mut self, bytes: u64) {
        if let Some(prr) = &mut self.prr {
            prr.on_sent(bytes);
        }
    }

    /// Ends the reduction: the repair of a loss begins, with everything before `nxt` sent.
    pub(super) fn on_loss(&mut self, nxt: u64) {
        (self.until, self.by_mark, self.reducing, self.prr) = (nxt, false, false, None);
    }
}

impl Recovery {
    /// Starts the response to marks, which both ends agreed on; nothing before `una` was ever sent.
    pub(in crate::tcp) fn enable_mark_response(&mut self, profile: &Profile, una: u64) {
        self.marks = Some(Box::new(MarkResponse::new(profile.prr, una)));
    }

    /// Returns the time at which new data may leave after a mark on a window of one segment.
    #[inline]
    pub(in crate::tcp) fn hold(&self) -> Option<Instant> {
        self.marks.as_ref().and_then(|marks| marks.hold)
    }

    /// Returns `true` if lost data at `una` was sent before the last reduction for a mark.
    pub(super) fn marks_cover(&self, una: u64) -> bool {
        self.marks.as_ref().is_some_and(|marks| marks.covers(una))
    }

    pub(super) fn end_mark_reduction(&mut self, nxt: u64) {
        if let Some(marks) = &mut self.marks {
            marks.on_loss(nxt);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3168 §6.1.2: one reduction for a window of data. It does not cover data sent later.
    #[test]
    fn mark_covers_data_sent_before_it() {
        let new = MarkResponse::new(RateReduction::Off, 0);
        let response = MarkResponse { until: 3000, by_mark: true, ..new };
        assert_eq!([2999, 3000].map(|una| response.covers(una)), [true, false]);
    }
}
