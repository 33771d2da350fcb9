//! The sending half of a connection.
//!
//! In: what the application writes, and what the peer acknowledges. Out: which segment to send
//! next, or why none.
//!
//! Five files: this one holds the state, `handshake` the changes by the handshake,
//! `acknowledgement` those by an acknowledgement, `selection` the choice of the next segment,
//! `departure` the changes by departures and timeouts.
//!
//! Positions are 64-bit stream positions: the SYN has the position `1·2^32 + ISN`, the first byte
//! of data the next one. They never wrap, and their lower 32 bits are the sequence numbers.

mod acknowledgement;
mod departure;
mod handshake;
mod selection;
#[cfg(test)]
mod tests;

pub(super) use self::acknowledgement::Acknowledgement;
pub(super) use self::departure::Departure;
pub(super) use self::handshake::Terms;
pub(super) use self::selection::Next;
use super::congestion::{
    self,
    controller::{Burst, Controller, Start},
};
use super::ecn::{EcnSender, MarkCounts};
use super::flight::Flight;
use super::limits::{Limit, LimitAccount};
use super::pacer::Pacer;
use super::profile::{InitialWindow, Profile};
use super::recovery::{Phase, Recovery, RecoveryContext};
use super::rto::{RtoEstimator, RtoParameters};
use super::send_window::SendWindow;
use super::statistics::Counters;
use super::writes::Writes;
use crate::unit::{Bytes, Duration, Instant};

/// The sending half of a connection.
#[derive(Debug)]
pub(super) struct Sender {
    /// `SND.UNA`
    una: u64,
    /// `SND.NXT`
    nxt: u64,
    /// The position of the first byte of data.
    start: u64,
    fin: Fin,
    /// The FIN waits for the end of the handshake.
    holds_fin: bool,
    /// Bytes of data that the SYN carried (RFC 7413).
    in_syn: u32,
    writes: Writes,
    flight: Flight,
    /// `SMSS`
    mss: u64,
    congestion: Box<dyn Controller>,
    recovery: Recovery,
    window: SendWindow,
    rto: RtoEstimator,
    pacer: Pacer,
    limits: LimitAccount,
    profile: Box<Profile>,
    /// Position after the last segment that was not full-sized.
    small_end: u64,
    /// New data has left since the last report to the control.
    bursts: bool,
    /// All payload that had been marked as lost when the last acknowledgement was processed.
    lost_before: u64,
    /// Position after the last new segment with PSH.
    pushed: u64,
    /// Time of the last departure of data.
    last_sent: Instant,
    /// Time since which nothing has been in flight.
    empty_since: Instant,
    /// Number of timeouts since the peer last answered.
    unanswered: u32,
    /// The data in flight lies beyond a window that the peer has closed.
    beyond_window: bool,
    /// Number of probes since the window closed. Each probe was the next byte, and is not in
    /// flight: the peer need not accept it.
    window_probes: u32,
    counters: Counters,
    /// Response to marks, if both ends agreed on ECN.
    ecn: Option<Box<EcnSender>>,
}

/// Returns the initial size of the send buffer.
fn first_buffer(profile: &Profile) -> Option<u64> {
    let most = profile.send_buffer.get()?.0;
    let first = tuned_buffer(INITIAL_WINDOW * profile.mss.0, profile.mss.0);
    Some(if profile.send_buffer_tuning { first.min(most) } else { most })
}

/// Returns the send buffer of Linux with a window of `cwnd` bytes: space for two windows, at 2304 B
/// for a segment, which takes 2280 B; the last segment need not fit. At a window of 15 segments it
/// holds 31, and a kernel sets PSH on each eleventh: a third of the buffer and one more.
fn tuned_buffer(cwnd: u64, mss: u64) -> u64 {
    (2 * cwnd * 2304 / 2280 / mss + 1) * mss
}

/// RFC 6928 §2, in segments.
const INITIAL_WINDOW: u64 = 10;

/// State of closing this direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fin {
    /// The application may still write.
    Open,
    /// The application has closed; the FIN follows the last byte.
    Asked,
    /// The FIN has left, alone or with data.
    Sent,
}

impl Sender {
    /// Returns a sender whose SYN has the position `syn`.
    pub(super) fn new(profile: &Profile, syn: u64) -> Self {
        let start = syn + 1;
        Self {
            una: syn,
            nxt: syn,
            start,
            fin: Fin::Open,
            holds_fin: false,
            in_syn: 0,
            writes: Writes::new(
                start,
                first_buffer(profile),
                profile.write_size.0,
                profile.send_buffer_by_thirds,
            ),
            flight: Flight::default(),
            mss: profile.mss.0,
            congestion: congestion::before_handshake(&unknown(profile), profile),
            recovery: Recovery::new(profile, false, syn),
            window: SendWindow::default(),
            rto: RtoEstimator::new(RtoParameters::of(profile)),
            pacer: Pacer::new(profile.pacing.then_some(profile.pacing_burst)),
            limits: LimitAccount::start(Instant::ZERO),
            profile: Box::new(profile.clone()),
            small_end: 0,
            bursts: false,
            lost_before: 0,
            pushed: start,
            last_sent: Instant::ZERO,
            empty_since: Instant::ZERO,
            unanswered: 0,
            beyond_window: false,
            window_probes: 0,
            counters: Counters::default(),
            ecn: None,
        }
    }

    /// Writes `length` bytes of the application; nothing after it has closed.
    pub(super) fn write(&mut self, length: Bytes) {
        if self.fin == Fin::Open {
            let waits = self.limits.waits();
            self.writes.write(length.0, self.una, waits);
        }
    }

    /// Closes the stream: the FIN follows the last byte.
    pub(super) fn close(&mut self) {
        if self.fin == Fin::Open {
            self.fin = Fin::Asked;
        }
    }

    /// `SND.UNA`
    pub(super) fn una(&self) -> u64 {
        self.una
    }

    /// `SND.NXT`
    pub(super) fn nxt(&self) -> u64 {
        self.nxt
    }

    /// Returns the position after the last byte that has left, window probes included.
    #[inline]
    pub(super) fn sent_end(&self) -> u64 {
        self.nxt + u64::from(self.window_probes > 0)
    }

    /// Returns `true` while data or a FIN is in flight.
    pub(super) fn has_flight(&self) -> bool {
        !self.flight.is_empty()
    }

    /// Returns `true` if written data is in the send buffer and not sent.
    pub(super) fn has_unsent(&self) -> bool {
        self.writes.end() > self.nxt
    }

    /// Returns `true` if the application has written anything.
    pub(super) fn has_written(&self) -> bool {
        self.writes.end() > self.start || self.writes.has_backlog()
    }

    /// Returns `true` once everything is acknowledged, the FIN included.
    pub(super) fn is_finished(&self) -> bool {
        self.fin == Fin::Sent && self.una == self.nxt
    }

    /// Returns the application's bytes that are acknowledged.
    pub(super) fn acked(&self) -> Bytes {
        Bytes(self.una.min(self.writes.end()).saturating_sub(self.start))
    }

    /// Returns the peer's receive window.
    pub(super) fn window(&self) -> &SendWindow {
        &self.window
    }

    /// Sets the peer's first window.
    pub(super) fn open_window(&mut self, seq: u64, ack: u64, size: u64) {
        self.window.open(seq, ack, size);
    }

    /// Returns the estimator of the retransmission timeout.
    pub(super) fn rto(&mut self) -> &mut RtoEstimator {
        &mut self.rto
    }

    /// Returns the account of the sender's limits over time.
    pub(super) fn limits(&mut self) -> &mut LimitAccount {
        &mut self.limits
    }

    /// Returns the limit before the connection is open, or after it is closed.
    pub(super) fn limit_while_not_open(&self) -> Limit {
        if self.has_unsent() { Limit::Application } else { Limit::Idle }
    }

    /// Books the time after `now` as a wait for `limit`; during a repair all waiting is recovery.
    pub(super) fn wait_for(&mut self, now: Instant, limit: Limit) {
        let calm = self.recovery.phase() == Phase::Open;
        let limit = if calm { limit } else { Limit::Recovery };
        self.limits.enter(now, limit);
        let limited = limit.is_window();
        if limited || self.bursts {
            self.bursts = false;
            let (flight, rto) = (self.flight.bytes(), self.rto.timeout());
            let Self { una, nxt, .. } = *self;
            self.congestion.on_burst(&Burst { now, flight, limited, calm, una, nxt, rto });
        }
    }

    /// Returns the time at which the pacer, or a mark on a window of one segment, releases the next
    /// new segment.
    pub(super) fn release(&self) -> Option<Instant> {
        self.pacer.release().max(self.recovery.hold())
    }

    /// Lowers the segment size to `payload` bytes: cuts longer segments in flight and retransmits
    /// them (RFC 1191 §6.4).
    pub(super) fn lower_mss(&mut self, now: Instant, payload: u64) {
        self.mss = payload;
        self.congestion.on_mss(payload);
        self.flight.cut(payload as u32);
        if self.flight.next_lost().is_some() {
            let (recovery, mut context) = self.recovery_context(now);
            recovery.repair_without_reduction(&mut context);
        }
    }

    /// Reports to the control the losses detected since the last report.
    #[inline]
    fn report_losses(&mut self, now: Instant) {
        let Some(losses) = self.flight.losses() else { return };
        for lost in losses.drain(..) {
            self.congestion.on_lost(now, &lost);
        }
    }

    /// Returns the recovery and its context.
    fn recovery_context(&mut self, now: Instant) -> (&mut Recovery, RecoveryContext<'_>) {
        let context = RecoveryContext {
            now,
            una: self.una,
            nxt: self.nxt,
            mss: self.mss,
            flight: &mut self.flight,
            controller: &mut *self.congestion,
            has_reduced: false,
        };
        (&mut self.recovery, context)
    }

    /// Returns the sender's counters.
    pub(super) fn counters(&self) -> Counters {
        self.counters
    }

    /// Returns the counts of marks.
    pub(super) fn mark_counts(&self) -> MarkCounts {
        self.ecn.as_ref().map_or(MarkCounts::default(), |ecn| ecn.counts)
    }

    /// Notes a reduction of the window, for a mark or a loss.
    fn on_reduction(&mut self, by_mark: bool) {
        if let Some(ecn) = &mut self.ecn {
            ecn.on_reduction(by_mark);
        }
    }

    /// Returns the state of the sender for statistics.
    pub(super) fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            congestion: &*self.congestion,
            limits: &self.limits,
            flight: Bytes(self.flight.bytes()),
            srtt: self.rto.mean(),
            rto: self.rto.timeout(),
        }
    }
}

/// State of a sender for statistics.
pub(super) struct Snapshot<'a> {
    pub(super) congestion: &'a dyn Controller,
    pub(super) limits: &'a LimitAccount,
    pub(super) flight: Bytes,
    pub(super) srtt: Option<Duration>,
    pub(super) rto: Duration,
}

/// Returns the parameters of the controller during the handshake.
fn unknown(profile: &Profile) -> Start {
    Start {
        mss: profile.mss.0,
        rtt: None,
        initial_window: InitialWindow::Segments(1),
        initial_ssthresh: profile.initial_ssthresh.get().map(|bytes| bytes.0),
        max_window: profile.max_window.get().map(|bytes| bytes.0),
        counts_marks: false,
    }
}
