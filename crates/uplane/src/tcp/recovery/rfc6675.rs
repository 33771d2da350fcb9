//! Loss recovery by SACK (RFC 6675).
//!
//! In: SACK blocks. Out: the lost segments, the data on its way, and the next segment (`NextSeg`).
//!
//! A recovery begins on any acknowledgement that shows a loss, not only on the third duplicate, so
//! that lost acknowledgements do not cost a timeout.

use super::prr::Prr;
use super::{Ack, Episode, LossRecovery, RecoveryContext, Report, Resend};
use crate::tcp::congestion::controller::AckSample;
use crate::tcp::flight::Flight;
use crate::tcp::profile::{Profile, RateReduction};
use crate::tcp::scoreboard::{SackUpdate, Scoreboard};

/// RFC 6675
#[derive(Clone, Debug)]
pub(super) struct Rfc6675 {
    dup_thresh: u32,
    limited_transmit: bool,
    reduction: RateReduction,
    scoreboard: Scoreboard,
    /// `HighRxt` (RFC 6675 §2)
    high_rxt: u64,
    /// `RescueRxt` (RFC 6675 §2)
    rescued: Option<u64>,
    /// `RecoveryPoint` (RFC 6675 §5)
    recovery_point: u64,
    prr: Option<Prr>,
}

impl Rfc6675 {
    pub(super) fn new(profile: &Profile) -> Self {
        let &Profile { dup_thresh, limited_transmit, prr, .. } = profile;
        Self {
            dup_thresh,
            limited_transmit,
            reduction: prr,
            scoreboard: Scoreboard::new(dup_thresh),
            high_rxt: 0,
            rescued: None,
            recovery_point: 0,
            prr: None,
        }
    }

    /// RFC 6675 §5, step 1
    pub(super) fn is_counted_out(&self, episode: &Episode) -> bool {
        episode.duplicates() >= self.dup_thresh
    }

    /// RFC 6675 §5 step 4: reduces the window, with `flight_size` bytes in flight when the loss was
    /// detected.
    pub(super) fn reduce(&mut self, context: &mut RecoveryContext<'_>, flight_size: u64) {
        context.reduce(flight_size);
        let threshold = context.threshold();
        context.controller.on_recovery_window(threshold);
        self.prr = Prr::begin(self.reduction, context.flight.bytes());
        self.recovery_point = context.nxt;
        self.high_rxt = context.una;
        self.rescued = None;
    }

    /// RFC 9937 §6: sets the window after an acknowledgement, with `pipe` bytes on their way.
    pub(super) fn proportion(
        &mut self,
        context: &mut RecoveryContext<'_>,
        sample: &AckSample,
        pipe: u64,
    ) {
        if let Some(prr) = &mut self.prr {
            let allowed = prr.on_ack(sample, pipe, context.threshold(), context.mss);
            context.controller.on_recovery_window(pipe + allowed);
        }
    }

    /// RFC 6675 §4, `NextSeg` rule 4: one rescue a recovery, until more is acknowledged.
    pub(super) fn may_rescue(&self, una: u64) -> bool {
        self.rescued.is_none_or(|position| una > position)
    }

    /// RFC 6675 §4, `NextSeg` rule 3
    pub(super) fn presumed_lost(&self, una: u64, flight: &Flight) -> Option<Resend> {
        let sacked_end = self.scoreboard.end().unwrap_or(una);
        flight.first_outstanding(self.high_rxt, sacked_end).map(Resend::Retransmission)
    }
}

impl LossRecovery for Rfc6675 {
    /// RFC 6675 §4, `Update` and `IsLost`
    fn on_blocks(&mut self, report: &Report<'_>, flight: &mut Flight) -> SackUpdate {
        if report.blocks.is_empty() && self.scoreboard.is_empty() {
            return SackUpdate::default();
        }
        let update = self.scoreboard.update(report.blocks, report.una, report.nxt, flight);
        self.scoreboard.detect_losses(report.mss, flight);
        update
    }

    /// RFC 6675 §2
    fn is_duplicate(&self, ack: &Ack) -> bool {
        !ack.advanced && ack.update.arrived > 0
    }

    /// RFC 6675 §5, steps 1 and 2
    fn begins(&self, episode: &Episode, _: u64, flight: &Flight, _: bool) -> bool {
        self.is_counted_out(episode) || flight.first_is_lost()
    }

    /// RFC 6675 §5, step 4
    fn begin(&mut self, episode: &Episode, context: &mut RecoveryContext<'_>, sample: &AckSample) {
        context.flight.mark_first_lost();
        self.reduce(context, self.flight_size(context.flight, episode.limited()));
        self.proportion(context, sample, context.flight.outstanding());
    }

    /// RFC 6675 §5, steps A to C
    fn on_ack(
        &mut self,
        _: &mut Episode,
        context: &mut RecoveryContext<'_>,
        sample: &AckSample,
        _: bool,
    ) -> bool {
        self.proportion(context, sample, context.flight.outstanding());
        sample.advanced
    }

    /// RFC 6675 §5, step A
    fn end(&mut self, context: &mut RecoveryContext<'_>) {
        self.prr = None;
        let threshold = context.threshold();
        context.controller.on_recovery_window(threshold);
    }

    /// RFC 3042 §2: data that arrived out of order makes room.
    fn limited_transmit(&self, _: &Episode, flight: &Flight, _: u64) -> u64 {
        if self.limited_transmit { flight.sacked() } else { 0 }
    }

    /// RFC 6675 §4, `NextSeg` rules 3 and 4
    fn last_resort(&self, una: u64, _: u64, flight: &Flight) -> Option<Resend> {
        if let Some(resend) = self.presumed_lost(una, flight) {
            return Some(resend);
        }
        // A retransmission, or data newer than the recovery, will be acknowledged or not: a rescue
        // would ask twice.
        let index = flight.last_only_sent_before(self.recovery_point)?;
        self.may_rescue(una).then_some(Resend::Rescue(index))
    }

    fn on_sent(&mut self, bytes: u64) {
        if let Some(prr) = &mut self.prr {
            prr.on_sent(bytes);
        }
    }

    fn on_resent(&mut self, end: u64) {
        self.high_rxt = self.high_rxt.max(end);
    }

    fn on_rescue(&mut self, recover: u64) {
        self.rescued = Some(recover);
    }

    fn on_reneging(&mut self, flight: &mut Flight) {
        if flight.first_is_sacked() {
            self.scoreboard.reset(flight);
        }
    }

    fn settle_window(&self, context: &mut RecoveryContext<'_>) {
        if let Some(prr) = &self.prr {
            context.controller.on_recovery_window(prr.recover_flight());
        }
    }

    fn on_repair(&mut self) {
        self.prr = None;
    }
}
