//! Loss recovery by time: RACK (RFC 8985 §6). Its probes are in `tail_probe`.
//!
//! In: SACK blocks, and the departure time of each segment. Out: lost segments, which left before a
//! segment that has arrived, by more than the reordering window; and the time of the next check.
//!
//! The window of a recovery is that of proportional rate reduction (`prr`). Only segments known to
//! be lost are retransmitted, so there is no rescue and no third rule of `NextSeg` (RFC 6675 §4).
//!
//! Left out: the retransmission of a segment that was lost before a second round-trip sample could
//! distinguish it from the first one; it makes no difference, since a retransmission within the
//! shortest round trip proves nothing (§6.2 step 2).

use super::prr::Prr;
use super::reordering::ReorderingWindow;
use super::{Ack, Episode, LossRecovery, Phase, RecoveryContext, Report};
use crate::tcp::congestion::controller::AckSample;
use crate::tcp::flight::{Flight, Transmission};
use crate::tcp::profile::{Profile, RateReduction};
use crate::tcp::scoreboard::{SackUpdate, Scoreboard};
use crate::tcp::timer::Clock;
use crate::unit::{Duration, Instant};

/// Loss recovery of RFC 8985.
#[derive(Clone, Debug)]
pub(super) struct Rack {
    reduction: RateReduction,
    limited_transmit: bool,
    scoreboard: Scoreboard,
    reordering: ReorderingWindow,
    /// `RACK.xmit_ts` and `RACK.end_seq`
    newest: Option<Transmission>,
    /// `RACK.rtt`
    rtt: Duration,
    /// Time at which segments that are late now will be late by the reordering window.
    deadline: Option<Instant>,
    clock: Clock,
    margin: Duration,
    prr: Option<Prr>,
}

impl Rack {
    pub(super) fn new(profile: &Profile) -> Self {
        let &Profile { dup_thresh, limited_transmit, prr, .. } = profile;
        Self {
            reduction: prr,
            limited_transmit,
            scoreboard: Scoreboard::new(dup_thresh),
            reordering: ReorderingWindow::new(dup_thresh),
            newest: None,
            rtt: Duration::ZERO,
            deadline: None,
            clock: Clock::new(profile.timer_tick),
            margin: profile.timer_margin,
            prr: None,
        }
    }

    /// `RACK_detect_loss_and_arm_timer`
    fn detect(&mut self, now: Instant, recovering: bool, srtt: Duration, flight: &mut Flight) {
        let Some(newest) = self.newest else { return };
        let window = self.reordering.length(recovering, flight, srtt);
        let late = flight.mark_overtaken(now, newest, self.rtt + window);
        self.deadline = late.map(|end| self.clock.at(now, end + self.margin));
    }

    fn proportion(&mut self, context: &mut RecoveryContext<'_>, sample: &AckSample) {
        let pipe = context.flight.outstanding();
        let Some(prr) = &mut self.prr else { return };
        let mut allowed = prr.on_ack(sample, pipe, context.threshold(), context.mss);
        if prr.is_first() {
            allowed = allowed.max(context.mss);
        }
        context.controller.on_recovery_window(pipe + allowed);
    }
}

impl LossRecovery for Rack {
    /// RFC 8985 §6.2
    fn on_blocks(&mut self, report: &Report<'_>, flight: &mut Flight) -> SackUpdate {
        let update = if report.blocks.is_empty() && self.scoreboard.is_empty() {
            SackUpdate::default()
        } else {
            self.scoreboard.update(report.blocks, report.una, report.nxt, flight)
        };
        let news = flight.end_acknowledgement();
        self.reordering.on_delivered(&news, report.mss, flight.sacked_segments() > 0);
        // The timer asked for a probe (RFC 8985 §7.2), not the reordering window.
        let twice = update.duplicate.filter(|range| Some(range.right) != report.probed);
        self.reordering.on_report(twice, report.una, report.nxt);
        if let Some((transmission, rtt)) = news.newest() {
            self.rtt = rtt;
            self.newest = self.newest.max(Some(transmission));
            self.detect(report.now, report.recovering, report.srtt, flight);
        }
        update
    }

    fn is_duplicate(&self, ack: &Ack) -> bool {
        !ack.advanced && ack.update.arrived > 0
    }

    /// Any loss begins a recovery, even if the recovery that ends now has repaired it in passing:
    /// data sent after its beginning was lost in a later episode.
    fn begins(&self, _: &Episode, _: u64, flight: &Flight, _: bool) -> bool {
        flight.has_known_loss()
    }

    fn has_urgent(&self, flight: &Flight) -> bool {
        flight.has_lost()
    }

    /// RFC 9937 §6
    fn begin(&mut self, _: &Episode, context: &mut RecoveryContext<'_>, sample: &AckSample) {
        let flight_size = context.flight.bytes();
        // Data that arrived before this acknowledgement is not delivered by the recovery.
        let arrived = context.flight.sacked();
        let recover_flight = flight_size + sample.delivered - arrived.min(flight_size);
        context.reduce(flight_size);
        let threshold = context.threshold();
        context.controller.on_recovery_window(threshold);
        self.prr = Prr::begin(self.reduction, recover_flight);
        self.proportion(context, sample);
    }

    fn on_ack(
        &mut self,
        _: &mut Episode,
        context: &mut RecoveryContext<'_>,
        sample: &AckSample,
        _: bool,
    ) -> bool {
        self.proportion(context, sample);
        sample.advanced
    }

    fn end(&mut self, context: &mut RecoveryContext<'_>) {
        self.prr = None;
        self.reordering.on_recovery_end();
        let threshold = context.threshold();
        context.controller.on_recovery_window(threshold);
    }

    /// RFC 3042 §2: data that arrived out of order makes room.
    fn limited_transmit(&self, _: &Episode, flight: &Flight, _: u64) -> u64 {
        if self.limited_transmit { flight.sacked() } else { 0 }
    }

    /// RFC 8985 §6.3
    fn mark_all_lost(&mut self, now: Instant, flight: &mut Flight) {
        flight.mark_timed_out(now, self.rtt);
        self.deadline = None;
        if self.prr.is_none() {
            self.reordering.on_timeout(flight.sacked_segments());
        }
    }

    fn reordering_due(&self) -> Option<Instant> {
        self.deadline
    }

    fn on_reordering_timer(&mut self, report: &Report<'_>, flight: &mut Flight) {
        self.deadline = None;
        self.detect(report.now, report.recovering, report.srtt, flight);
    }

    fn on_late_original(&mut self) {
        self.reordering.on_late_original();
    }

    fn reorders(&self) -> bool {
        self.reordering.is_wide()
    }

    fn on_sent(&mut self, bytes: u64) {
        if let Some(prr) = &mut self.prr {
            prr.on_sent(bytes);
        }
    }

    fn on_reneging(&mut self, flight: &mut Flight) {
        if flight.first_is_sacked() {
            self.scoreboard.reset(flight);
        }
    }

    fn on_repair(&mut self) {
        self.prr = None;
    }

    /// One reduction for an episode: a segment that times out within a recovery was lost in that
    /// episode.
    fn is_same_loss(&self, phase: Phase, repeated: bool) -> bool {
        repeated || phase == Phase::Fast
    }

    /// Segments that are not marked as lost are still on their way.
    fn window_after_timeout(&self, flight: &Flight, mss: u64) -> u64 {
        flight.outstanding() + mss
    }

    /// A retransmission of the oldest segment restarts the whole timeout.
    fn restarts_timer_with_the_oldest(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6675 §2: an acknowledgement is a duplicate if it reports new data by SACK and does not
    /// advance.
    #[test]
    fn duplicate_reports_new_data_without_advancing() {
        let rack = Rack::new(&Profile::rfc());
        let is_duplicate = |advanced, arrived| {
            let update = SackUpdate { arrived, ..SackUpdate::default() };
            rack.is_duplicate(&Ack {
                advanced,
                looks_duplicate: true,
                update,
                echoed: None,
                congested: false,
            })
        };
        assert!(is_duplicate(false, 1000));
        assert!(!is_duplicate(true, 1000));
        assert!(!is_duplicate(false, 0));
    }
}
