//! The reordering window of RACK (RFC 8985 §6.2 steps 3 and 4): the time by which a segment may be
//! late.
//!
//! In: deliveries by acknowledgements, and duplicates that they report. Out: the window.

use crate::tcp::flight::{Flight, NewlyDelivered};
use crate::tcp::ranges::Range;
use crate::unit::Duration;

/// Reordering that the path has shown.
#[derive(Clone, Debug)]
pub(super) struct ReorderingWindow {
    dup_thresh: u32,
    /// `RACK.reordering_seen`
    seen: bool,
    /// The path has reordered by more than `DupThresh` segments.
    wide: bool,
    /// `RACK.fack`
    forward: u64,
    /// `RACK.reo_wnd_mult`
    steps: u64,
    /// `RACK.reo_wnd_persist`
    persists: u32,
    /// `RACK.dsack_round`
    round: Option<u64>,
}

impl ReorderingWindow {
    pub(super) fn new(dup_thresh: u32) -> Self {
        let (seen, wide, forward, steps) = (false, false, 0, 1);
        Self { dup_thresh, seen, wide, forward, steps, persists: PERSISTS, round: None }
    }

    /// `RACK_detect_reordering`: a segment that was sent once is delivered below data delivered
    /// before.
    ///
    /// Linux counts the distance (`tcp_check_sack_reordering`) up to the last segment reported by
    /// SACK, while there are `holes`; else up to `SND.UNA`.
    #[inline]
    pub(super) fn on_delivered(&mut self, delivered: &NewlyDelivered, mss: u64, holes: bool) {
        let late = delivered.lowest_original().filter(|&end| end < self.forward);
        self.forward = self.forward.max(delivered.highest());
        let Some(end) = late else { return };
        self.seen = true;
        let distance = self.forward - end + if holes { 0 } else { mss };
        self.wide |= distance > u64::from(self.dup_thresh) * mss;
    }

    /// Processes the late original of a retransmitted segment: it has arrived after segments that
    /// left later (RFC 3522 §3.2 step 5), so the path reorders.
    pub(super) fn on_late_original(&mut self) {
        self.seen = true;
        self.wide = true;
    }

    /// Processes a timeout with `sacked` segments received out of order: many are no sign of
    /// reordering (`tcp_enter_loss`).
    pub(super) fn on_timeout(&mut self, sacked: u32) {
        self.wide &= sacked < self.dup_thresh;
    }

    /// Returns `true` if the path is known to reorder by more than `DupThresh` segments.
    pub(super) fn is_wide(&self) -> bool {
        self.wide
    }

    /// RFC 8985 §6.2 step 4: a round trip with a duplicate widens the window by a step.
    #[inline]
    pub(super) fn on_report(&mut self, duplicate: Option<Range>, una: u64, nxt: u64) {
        if self.round.is_some_and(|round| una >= round) {
            self.round = None;
        }
        if duplicate.is_some() && self.round.is_none() {
            self.round = Some(nxt);
            self.steps += 1;
            self.persists = PERSISTS;
        }
    }

    /// Processes the end of a recovery: after sixteen without a duplicate the window is short
    /// again.
    pub(super) fn on_recovery_end(&mut self) {
        self.persists = self.persists.saturating_sub(1);
        if self.persists == 0 {
            self.steps = 1;
        }
    }

    /// `RACK.reo_wnd`
    pub(super) fn length(&self, recovering: bool, flight: &Flight, srtt: Duration) -> Duration {
        let is_sure = recovering || flight.sacked_segments() >= self.dup_thresh;
        if !self.seen && is_sure {
            return Duration::ZERO;
        }
        let minimum = flight.minimum_rtt().unwrap_or(srtt);
        (minimum.saturating_mul(self.steps) / 4).min(srtt)
    }
}

/// RFC 8985 §6.2 step 4: number of recoveries for which a longer window persists.
const PERSISTS: u32 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::flight::Transmission;
    use crate::unit::Instant;

    const TWICE: Option<Range> = Some(Range { left: 0, right: 1 });

    /// Returns an acknowledgement of a segment up to `end` that was sent once.
    fn once(end: u64) -> NewlyDelivered {
        let mut delivered = NewlyDelivered::default();
        delivered.begin(Instant::ZERO, None, None);
        delivered.on_acknowledged(Transmission { sent: Instant::ZERO, end }, false);
        delivered
    }

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Returns the window of an empty flight with a smoothed round-trip time of 100 ms.
    fn length(window: &ReorderingWindow, recovering: bool) -> Duration {
        window.length(recovering, &Flight::default(), ms(100))
    }

    /// RFC 8985 §6.2 step 4: a quarter of the shortest round trip; none in a recovery of a path
    /// that keeps the order.
    #[test]
    fn without_reordering_a_recovery_does_not_wait() {
        let mut window = ReorderingWindow::new(3);
        assert_eq!((length(&window, false), length(&window, true)), (ms(25), ms(0)));
        window.seen = true;
        assert_eq!(length(&window, true), ms(25));
    }

    /// RFC 8985 §6.2 step 4: one step a round trip with duplicates, at most the smoothed round
    /// trip.
    #[test]
    fn each_round_with_a_duplicate_lengthens_the_window() {
        let mut window = ReorderingWindow::new(3);
        window.on_report(TWICE, 0, 1000);
        window.on_report(TWICE, 999, 2000);
        assert_eq!(length(&window, false), ms(50));
        window.on_report(TWICE, 1000, 3000);
        assert_eq!(length(&window, false), ms(75));
        for una in [3000, 4000, 5000] {
            window.on_report(TWICE, una, una + 1000);
        }
        assert_eq!(length(&window, false), ms(100));
    }

    /// Linux counts from the start of the late segment to the cumulative acknowledgement, or to the
    /// start of the last segment reported by SACK: three segments are no news for a `DupThresh` of
    /// three.
    #[test]
    fn reordering_counts_beyond_the_threshold() {
        for (end, holes, wide) in
            [(1000, false, true), (2000, false, false), (1000, true, false), (500, true, true)]
        {
            let mut window = ReorderingWindow::new(3);
            window.forward = 4000;
            window.on_delivered(&once(end), 1000, holes);
            assert!(window.seen);
            assert_eq!(window.is_wide(), wide, "{end} {holes}");
            window.on_timeout(2);
            assert_eq!(window.is_wide(), wide, "few arrived out of order");
            window.on_timeout(3);
            assert!(!window.is_wide());
        }
    }

    /// RFC 8985 §6.2 step 4: a longer window persists for sixteen recoveries.
    #[test]
    fn reordering_window_shrinks_after_sixteen_recoveries() {
        let mut window = ReorderingWindow::new(3);
        window.on_report(TWICE, 0, 1000);
        (0..15).for_each(|_| window.on_recovery_end());
        assert_eq!(length(&window, false), ms(50));
        window.on_recovery_end();
        assert_eq!(length(&window, false), ms(25));
    }
}
