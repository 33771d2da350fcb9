//! Loss recovery: the state of a sender that repairs losses.
//!
//! In: acknowledgements, timeouts, departures. Out: the segments to retransmit, the room in the
//! window, and the reports to the congestion control.
//!
//! Three phases. *Open*: nothing is known to be lost. *Fast*: duplicate acknowledgements or SACK
//! showed a loss. *Repair*: everything in flight, or everything that was too long for the path, is
//! retransmitted as the window allows (RFC 5681 §3.1 after a timeout, RFC 1191 §6.4).
//!
//! This file has the common part of all recoveries; each [`LossRecovery`] (`loss_recovery`) has a
//! file: `new_reno` (RFC 6582) if SACK is not agreed on, else one of
//! [`SackRecovery`](super::profile::SackRecovery).
//!
//! In addition: `tail_probe` probes for unacknowledged data (RFC 8985 §7), `undo` and `f_rto`
//! detect that nothing was lost (RFC 3522, RFC 3708, RFC 5682).

mod episode;
mod f_rto;
mod loss_recovery;
mod mark_response;
mod new_reno;
mod ns3_2018;
mod ns3_later;
mod partial_resend;
mod prr;
mod rack;
mod reordering;
mod rfc6675;
mod tail_probe;
mod undo;

pub(super) use self::episode::{Episode, Phase};
use self::f_rto::{FRto, Verdict};
pub(super) use self::loss_recovery::{Ack, LossRecovery, Outcome, RecoveryContext, Report, Resend};
use self::mark_response::MarkResponse;
use self::new_reno::NewReno;
use self::tail_probe::{Answer, TailProbe};
use self::undo::Undo;
use super::congestion::controller::AckSample;
use super::flight::{Flight, UnansweredRetransmissions};
use super::profile::Profile;
use super::scoreboard::SackUpdate;
use crate::unit::{Duration, Instant};

/// State of loss recovery.
#[derive(Debug)]
pub(super) struct Recovery {
    episode: Episode,
    strategy: Box<dyn LossRecovery>,
    /// Tail loss probes (RFC 8985 §7), if the profile has them and SACK is agreed on.
    probe: Option<Box<TailProbe>>,
    /// The profile detects spurious reductions (RFC 3522, RFC 3708).
    may_undo: bool,
    undo: Option<Box<Undo>>,
    /// The profile has F-RTO (RFC 5682).
    has_f_rto: bool,
    f_rto: Option<Box<FRto>>,
    /// Response to marks (RFC 3168 §6.1.2), if both ends agreed on ECN.
    marks: Option<Box<MarkResponse>>,
}

impl Recovery {
    /// Returns the state without a loss; nothing before `una` was ever sent.
    pub(super) fn new(profile: &Profile, sack: bool, una: u64) -> Self {
        let strategy: Box<dyn LossRecovery> = if sack {
            profile.sack_recovery.start(profile)
        } else {
            Box::new(NewReno::new(profile))
        };
        let has_probe = sack && profile.tail_loss_probe;
        Self {
            episode: Episode::new(una),
            strategy,
            probe: has_probe.then(|| Box::new(TailProbe::new(profile))),
            may_undo: profile.undo_reductions,
            undo: None,
            has_f_rto: profile.f_rto && sack,
            f_rto: None,
            marks: None,
        }
    }

    #[inline]
    pub(super) fn phase(&self) -> Phase {
        self.episode.phase()
    }

    /// Returns `true` if a segment must leave now.
    pub(super) fn is_urgent(&self) -> bool {
        self.episode.is_urgent()
    }

    /// Forces the retransmission of the oldest lost segment, whatever the window.
    pub(super) fn force_retransmit(&mut self) {
        self.episode.force_retransmit();
    }

    /// Returns `true` during a recovery that an acknowledgement of everything before `una` does not
    /// end.
    pub(super) fn continues(&self, una: u64) -> bool {
        self.episode.phase() != Phase::Open && una < self.episode.recover()
    }

    pub(super) fn on_blocks(&mut self, report: &Report<'_>, flight: &mut Flight) -> SackUpdate {
        let update = self.strategy.on_blocks(report, flight);
        if let Some(twice) = update.duplicate.filter(|_| self.may_undo) {
            flight.on_report(twice);
        }
        update
    }

    #[inline]
    pub(super) fn pipe(&self, flight: &Flight) -> u64 {
        self.strategy.pipe(flight)
    }

    /// Returns `true` if the path is known to reorder by more than `DupThresh` segments.
    pub(super) fn reorders(&self) -> bool {
        self.strategy.reorders()
    }

    /// Processes an acknowledgement, and reports it to the congestion control.
    pub(super) fn on_ack(
        &mut self,
        context: &mut RecoveryContext<'_>,
        ack: &Ack,
        sample: &mut AckSample,
    ) -> Outcome {
        self.on_answer_to_probe(context, ack, sample.flight);
        if self.is_spurious(context, ack) {
            self.undo_reduction(context);
        }
        let duplicate = self.strategy.is_duplicate(ack) && !context.flight.is_empty();
        let before = self.episode.phase();
        self.count(context, duplicate, sample);
        let complete = ack.advanced && self.episode.on_advance(context.una, duplicate);
        let marks = self.marks.as_mut().filter(|_| before == Phase::Open);
        let by_mark = marks.is_some_and(|marks| marks.on_ack(context, ack.congested, sample));
        sample.recovering = match before {
            Phase::Open => self.marks.as_ref().is_some_and(|marks| marks.is_reducing()),
            Phase::Fast => true,
            Phase::Repair => complete && !self.grows_at_end_of_repair(context),
        };
        context.controller.on_ack(sample);
        let mut by_mark = by_mark;
        if let Some(marks) = &mut self.marks {
            marks.proportion(context, sample);
            by_mark |= context.controller.has_reduced_for_marks();
        }
        let mut restarts_timer = ack.advanced;
        match before {
            Phase::Open if duplicate => self.episode.on_duplicate(),
            Phase::Fast if complete => {
                self.strategy.end(context);
                context.controller.on_recovery_end();
            }
            Phase::Fast => {
                restarts_timer =
                    self.strategy.on_ack(&mut self.episode, context, sample, duplicate);
            }
            Phase::Open | Phase::Repair => {}
        }
        let begun = self.begins(context, complete);
        if begun {
            self.begin(context, sample);
        }
        Outcome { restarts_timer, begun, by_mark }
    }

    /// Counts the bytes that an acknowledgement delivers. An acknowledgement by SACK alone that
    /// begins a recovery opens no window.
    fn count(&self, context: &RecoveryContext<'_>, duplicate: bool, sample: &mut AckSample) {
        let is_open = self.episode.phase() == Phase::Open;
        let duplicates = self.episode.duplicates();
        sample.delivered =
            self.strategy.delivered(sample, duplicate && is_open, duplicates, context.mss);
        sample.reordered &= !(is_open && context.flight.has_known_loss());
    }

    fn grows_at_end_of_repair(&self, context: &RecoveryContext<'_>) -> bool {
        self.strategy.grows_at_end_of_repair(context.una, self.episode.recover(), context.mss)
    }

    fn begins(&self, context: &RecoveryContext<'_>, complete: bool) -> bool {
        self.episode.phase() == Phase::Open
            && !context.flight.is_empty()
            && self.strategy.begins(&self.episode, context.una, context.flight, complete)
    }

    fn begin(&mut self, context: &mut RecoveryContext<'_>, sample: &AckSample) {
        context.has_reduced = self.marks_cover(context.una);
        self.strategy.begin(&self.episode, context, sample);
        self.end_mark_reduction(context.nxt);
        self.episode.begin_fast(context.nxt, self.strategy.has_urgent(context.flight));
        self.begin_undo(context.una, context.flight.unanswered_retransmissions());
        self.reset_probe();
    }

    fn begin_undo(&mut self, una: u64, before: UnansweredRetransmissions) {
        self.undo = self.may_undo.then(|| Box::new(Undo::begin(una, before)));
        self.f_rto = None;
    }

    fn reset_probe(&mut self) {
        if let Some(probe) = &mut self.probe {
            probe.reset();
        }
    }

    /// RFC 8985 §7.4: a loss that a probe repaired counts as a loss.
    fn on_answer_to_probe(&mut self, context: &mut RecoveryContext<'_>, ack: &Ack, flight: u64) {
        let Some(probe) = &mut self.probe else { return };
        let answer = Answer {
            una: context.una,
            news: ack.advanced || ack.update.arrived > 0,
            duplicate: ack.looks_duplicate,
            twice: ack.update.duplicate,
        };
        if probe.repaired(&answer) && self.episode.phase() == Phase::Open {
            context.reduce(flight);
            let threshold = context.threshold();
            context.controller.on_recovery_window(threshold);
            context.controller.on_recovery_end();
        }
    }

    /// Returns `true` if this acknowledgement shows that the last reduction was spurious.
    fn is_spurious(&mut self, context: &RecoveryContext<'_>, ack: &Ack) -> bool {
        let phase = self.episode.phase();
        if let Some(f_rto) = &mut self.f_rto {
            let delivered = context.flight.newly_delivered();
            let has_data =
                f_rto.judge(ack.advanced, ack.update.arrived > 0, &delivered, context.una);
            match has_data {
                Verdict::Spurious => return true,
                Verdict::Lost => self.f_rto = None,
                Verdict::Undecided => self.episode.extend(context.nxt),
            }
        }
        let Some(undo) = &mut self.undo else { return false };
        undo.on_report(ack.update.duplicate);
        let older = ack.advanced && undo.is_older(ack.echoed);
        if older && phase == Phase::Fast {
            self.strategy.on_late_original();
        }
        match phase {
            Phase::Open => undo.all_came_twice(),
            Phase::Fast => undo.all_came_twice() || (older && !context.flight.has_resent()),
            Phase::Repair => ack.advanced && (older || undo.all_came_twice()),
        }
    }

    /// RFC 4015 §3: undoes the reduction, since nothing was lost.
    fn undo_reduction(&mut self, context: &mut RecoveryContext<'_>) {
        context.flight.unmark_lost();
        if self.episode.phase() == Phase::Fast {
            context.controller.on_recovery_end();
        }
        context.controller.on_spurious_reduction();
        self.episode.abandon();
        self.strategy.on_repair();
        self.undo = None;
        self.f_rto = None;
    }

    /// Processes an expiry of the retransmission timer (RFC 5681 §3.1, RFC 6298 §5.4).
    pub(super) fn on_timeout(&mut self, context: &mut RecoveryContext<'_>) {
        self.strategy.on_reneging(context.flight);
        let phase = self.episode.phase();
        let repeated = self.episode.on_timeout(context.una);
        let is_same = self.strategy.is_same_loss(phase, repeated)
            || (phase == Phase::Open && self.marks_cover(context.una));
        if phase == Phase::Fast && !is_same {
            // The temporary window of a recovery is no measure of the path.
            self.strategy.settle_window(context);
        }
        let flight = self.strategy.flight_size(context.flight, 0);
        let before = context.flight.unanswered_retransmissions();
        context.controller.on_timeout(flight, is_same);
        self.strategy.mark_all_lost(context.now, context.flight);
        let window = self.strategy.window_after_timeout(context.flight, context.mss);
        if window > context.mss {
            context.controller.on_recovery_window(window);
        }
        self.begin_repair(context.nxt);
        self.end_mark_reduction(context.nxt);
        if !is_same {
            self.begin_undo(context.una, before);
        }
        let is_new = phase == Phase::Open || repeated;
        self.f_rto =
            (self.has_f_rto && is_new).then(|| Box::new(FRto::new(context.una, context.nxt)));
    }

    /// Retransmits everything in flight, which was dropped at a closed window. That is no sign of
    /// congestion.
    pub(super) fn on_window_opened(&mut self, context: &mut RecoveryContext<'_>) {
        context.flight.mark_all_lost();
        self.repair_without_reduction(context);
    }

    /// Retransmits all segments marked as lost, without a reduction.
    pub(super) fn repair_without_reduction(&mut self, context: &mut RecoveryContext<'_>) {
        if self.episode.phase() == Phase::Fast {
            let threshold = context.threshold();
            context.controller.on_recovery_window(threshold);
            context.controller.on_recovery_end();
        }
        self.undo = None;
        self.f_rto = None;
        self.begin_repair(context.nxt);
    }

    fn begin_repair(&mut self, nxt: u64) {
        self.episode.begin_repair(nxt);
        self.strategy.on_repair();
        self.reset_probe();
    }

    /// Returns the time of the next check for late segments.
    #[inline]
    pub(super) fn reordering_due(&self) -> Option<Instant> {
        self.strategy.reordering_due()
    }

    /// Checks for late segments. Returns `true` if a fast recovery begins.
    pub(super) fn on_reordering_timer(
        &mut self,
        report: &Report<'_>,
        context: &mut RecoveryContext<'_>,
    ) -> bool {
        self.strategy.on_reordering_timer(report, context.flight);
        let begun = self.begins(context, false);
        if begun {
            // A timer delivers nothing; the first retransmission leaves in any case.
            let sample = AckSample { now: report.now, ..AckSample::default() };
            self.begin(context, &sample);
        }
        begun
    }

    /// Returns the time at which a tail loss probe is due.
    #[inline]
    pub(super) fn probe_due(&self) -> Option<Instant> {
        self.probe.as_ref().and_then(|probe| probe.due())
    }

    /// RFC 8985 §7.2: schedules a probe after new data has left or more was acknowledged.
    #[inline]
    pub(super) fn schedule_probe(&mut self, now: Instant, srtt: Option<Duration>, flight: &Flight) {
        let Some(probe) = &mut self.probe else { return };
        let is_calm = self.episode.phase() == Phase::Open && flight.sacked_segments() == 0;
        if is_calm && !flight.is_empty() {
            probe.schedule(now, srtt, flight.segments());
        } else {
            probe.cancel();
        }
    }

    /// Cancels the scheduled probe.
    pub(super) fn cancel_probe(&mut self) {
        if let Some(probe) = &mut self.probe {
            probe.cancel();
        }
    }

    /// Processes a due probe. Returns `true` if it may leave.
    pub(super) fn may_probe(&mut self) -> bool {
        let Some(probe) = &mut self.probe else { return false };
        probe.cancel();
        probe.may_leave() && self.episode.phase() == Phase::Open
    }

    /// Notes the departure of a probe: new data, or a segment `retransmitted`.
    pub(super) fn on_probe_sent(&mut self, nxt: u64, retransmitted: bool) {
        if let Some(probe) = &mut self.probe {
            probe.on_sent(nxt, retransmitted);
        }
    }

    /// Returns the end of the last segment that a probe retransmitted.
    #[inline]
    pub(super) fn probed(&self) -> Option<u64> {
        self.probe.as_ref().and_then(|probe| probe.retransmitted())
    }

    /// Returns `true` while a probe is unanswered.
    #[inline]
    pub(super) fn is_probing(&self) -> bool {
        self.probe.as_ref().is_some_and(|probe| !probe.may_leave())
    }

    /// Returns `true` while new data is sent before lost data is retransmitted (RFC 5682 §3.1 step
    /// 2b).
    #[inline]
    pub(super) fn prefers_new(&self) -> bool {
        self.f_rto.as_ref().is_some_and(|f_rto| f_rto.prefers_new())
    }

    /// Returns the bytes that may leave with a congestion window of `cwnd`.
    #[inline]
    pub(super) fn room(&self, cwnd: u64, flight: &Flight, mss: u64) -> u64 {
        self.strategy.room(cwnd, &self.episode, flight, mss)
    }

    /// Returns the segment that leaves whatever the window is. `None`: a new segment, possible only
    /// if new data may leave (`is_new`).
    pub(super) fn urgent(&self, flight: &mut Flight, is_new: bool) -> Option<usize> {
        self.strategy.urgent(flight, is_new)
    }

    /// RFC 6675 §4, `NextSeg` rule 1
    #[inline]
    pub(super) fn next_lost(&self, flight: &mut Flight) -> Option<usize> {
        self.strategy.next_lost(&self.episode, flight)
    }

    /// RFC 6675 §4, `NextSeg` rules 3 and 4
    pub(super) fn last_resort(&self, una: u64, nxt: u64, flight: &Flight) -> Option<Resend> {
        self.strategy.last_resort(una, nxt, flight)
    }

    /// Books `bytes` that left, new or retransmitted.
    #[inline]
    pub(super) fn on_sent(&mut self, bytes: u64) {
        self.episode.on_sent(bytes);
        self.strategy.on_sent(bytes);
        if let Some(marks) = &mut self.marks {
            marks.on_sent(bytes);
        }
    }

    /// Books a retransmission up to `end`. Returns `true` if the timer restarts, provided that the
    /// segment is the `oldest`.
    pub(super) fn on_resent(&mut self, now: Instant, end: u64, oldest: bool) -> bool {
        self.strategy.on_resent(end);
        if let Some(undo) = &mut self.undo {
            undo.on_resent(now);
        }
        oldest && self.strategy.restarts_timer_with_the_oldest()
    }

    /// Books the departure of the rescue retransmission.
    pub(super) fn on_rescue(&mut self) {
        self.strategy.on_rescue(self.episode.recover());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::{
        self,
        controller::{Burst, Controller, Start},
    };
    use crate::tcp::limits::Waits;
    use crate::tcp::profile::{InitialWindow, SackRecovery};
    use crate::tcp::ranges::{Range, RangeSet};

    /// The controller of a sender with segments of 1000 bytes.
    fn controller(profile: &Profile) -> Box<dyn Controller> {
        let start = Start {
            mss: 1000,
            rtt: None,
            initial_window: InitialWindow::Segments(4),
            initial_ssthresh: None,
            max_window: None,
            counts_marks: false,
        };
        congestion::start(&start, profile)
    }

    fn context<'a>(
        una: u64,
        nxt: u64,
        flight: &'a mut Flight,
        controller: &'a mut dyn Controller,
    ) -> RecoveryContext<'a> {
        let now = Instant::ZERO;
        RecoveryContext { now, una, nxt, mss: 1000, flight, controller, has_reduced: false }
    }

    /// RFC 2018 §8, RFC 6675 §5.1: if SACK has reported the first segment and the timer expires,
    /// the receiver has reneged, and all SACK reports are dropped. This holds for each recovery
    /// with a scoreboard.
    #[test]
    fn reneging_drops_all_sack_reports() {
        for sack_recovery in [
            SackRecovery::Rfc6675,
            SackRecovery::PartialResend,
            SackRecovery::Ns3,
            SackRecovery::Ns3Later,
            SackRecovery::Rack,
        ] {
            let mut flight = Flight::default();
            for start in [0, 1000, 2000] {
                flight.push(Instant::ZERO, start, 1000, false, Waits::default());
            }
            let first = Range { left: 0, right: 1000 };
            let mut set = RangeSet::default();
            set.insert(first);
            flight.mark_sacked(first, &set);
            assert!(flight.first_is_sacked());
            let profile = Profile { sack_recovery, ..Profile::rfc() };
            profile.sack_recovery.start(&profile).on_reneging(&mut flight);
            assert!(!flight.first_is_sacked(), "{sack_recovery:?}");
        }
    }

    /// RFC 8985 §7.1: `TLP.end_seq` is reset when a recovery begins, also after a timeout. The
    /// recovery repairs what the probe would have repaired.
    #[test]
    fn repair_resets_the_tail_probe() {
        let profile = Profile { tail_loss_probe: true, ..Profile::rfc() };
        for begins in [
            (|recovery, context| recovery.on_timeout(context))
                as fn(&mut Recovery, &mut RecoveryContext<'_>),
            |recovery, context| recovery.begin(context, &AckSample::default()),
        ] {
            let mut recovery = Recovery::new(&profile, true, 0);
            let mut flight = Flight::default();
            flight.push(Instant::ZERO, 0, 1000, false, Waits::default());
            recovery.on_probe_sent(1000, true);
            assert!(recovery.is_probing());
            let mut controller = controller(&profile);
            begins(&mut recovery, &mut context(0, 1000, &mut flight, &mut *controller));
            assert!(!recovery.is_probing());
        }
    }

    /// RFC 5681 §3.1: the acknowledgement that ends the repair after a timeout opens the window
    /// like any other; in ns-3 of 2018 only with a segment behind it (point 8 of `ns3_2018`).
    #[test]
    fn end_of_a_repair_may_open_the_window() {
        for (sack_recovery, una, window) in [
            (SackRecovery::Rfc6675, 2000, 2000),
            (SackRecovery::Ns3, 2000, 1000),
            (SackRecovery::Ns3, 3000, 2000),
        ] {
            let profile = Profile { sack_recovery, ..Profile::rfc() };
            let mut recovery = Recovery::new(&profile, true, 0);
            let mut flight = Flight::default();
            for start in [0, 1000] {
                flight.push(Instant::ZERO, start, 1000, false, Waits::default());
            }
            let mut controller = controller(&profile);
            recovery.on_timeout(&mut context(0, 2000, &mut flight, &mut *controller));
            flight.push(Instant::ZERO, 2000, 1000, false, Waits::default());
            flight.acknowledge(una);
            let ack = Ack {
                advanced: true,
                looks_duplicate: false,
                update: SackUpdate::default(),
                echoed: None,
                congested: false,
            };
            let mut sample = AckSample { advanced: true, acked: 1000, una, ..Default::default() };
            controller.on_burst(&Burst { limited: true, ..Burst::default() });
            let mut context = context(una, 3000, &mut flight, &mut *controller);
            recovery.on_ack(&mut context, &ack, &mut sample);
            assert_eq!(recovery.phase(), Phase::Open);
            assert_eq!(controller.cwnd(), window, "{sack_recovery:?} {una}");
        }
    }
}
