//! Changes of a sender by an acknowledgement (RFC 9293 §3.10.7.4, fifth step), and its reports to
//! recovery and congestion control.

use super::super::congestion::controller::AckSample;
use super::super::flight::Acknowledged;
use super::super::recovery::{Ack, Phase, Report};
use super::super::rto::Round;
use super::{Sender, tuned_buffer};
use crate::net::{ByteCounters, Flags, SackBlocks};
use crate::unit::{Duration, Instant};

/// An acceptable acknowledgement.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Acknowledgement<'a> {
    /// `SEG.ACK` as a position.
    pub(in crate::tcp) position: u64,
    pub(in crate::tcp) blocks: &'a SackBlocks,
    /// The acknowledgement looks like a duplicate (RFC 5681 §2): no data, no FIN, no new window,
    /// nothing new acknowledged.
    pub(in crate::tcp) duplicate: bool,
    /// Round-trip sample of the timestamp echo.
    pub(in crate::tcp) echo: Option<Duration>,
    /// Time of the echoed timestamp.
    pub(in crate::tcp) echoed: Option<Instant>,
    /// ECN flags; `None` if they refer to the handshake, not to data.
    pub(in crate::tcp) flags: Option<Flags>,
    /// The AccECN option of the segment.
    pub(in crate::tcp) counters: Option<&'a ByteCounters>,
}

/// Result of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) struct Acked {
    /// `SND.UNA` has advanced.
    pub(in crate::tcp) advanced: bool,
    /// The retransmission timer restarts (RFC 6298 §5.3).
    pub(in crate::tcp) restarts_timer: bool,
}

impl Sender {
    /// Processes an acknowledgement between `una` and `nxt`, or an older one.
    pub(in crate::tcp) fn on_acknowledgement(
        &mut self,
        now: Instant,
        ack: &Acknowledgement<'_>,
    ) -> Acked {
        self.counters.duplicate_acks += u64::from(ack.duplicate && self.has_flight());
        let (mut facts, mut sample) = self.judge(now, ack);
        if let Some(ecn) = &mut self.ecn
            && let Some(flags) = ack.flags
            && ack.position >= self.una
        {
            let segments = sample.delivered.div_ceil(self.mss);
            let echo = ecn.on_acknowledgement(flags, ack.counters.copied(), segments, self.mss);
            facts.congested = echo.congested;
            sample.marked = echo.bytes;
        }
        self.report_losses(now);
        let (recovery, mut context) = self.recovery_context(now);
        let outcome = recovery.on_ack(&mut context, &facts, &mut sample);
        self.counters.recoveries += u64::from(outcome.begun);
        if outcome.begun || outcome.by_mark {
            self.on_reduction(outcome.by_mark);
        }
        if facts.advanced {
            self.schedule_tail_probe(now);
        }
        Acked { advanced: facts.advanced, restarts_timer: outcome.restarts_timer }
    }

    /// Returns `true` if an acknowledgement of everything before `position` changes nothing: the
    /// frequent case of a peer that only sends.
    #[inline]
    pub(in crate::tcp) fn is_unaffected(&self, position: u64, blocks: &SackBlocks) -> bool {
        let is_calm = self.recovery.phase() == Phase::Open && !self.recovery.is_probing();
        position == self.una && is_calm && !self.has_flight() && blocks.is_empty()
    }

    /// Processes the window of a segment `seq` that acknowledges `ack`. Returns `true` if it
    /// changed.
    pub(in crate::tcp) fn on_window(
        &mut self,
        now: Instant,
        seq: u64,
        ack: u64,
        size: u64,
    ) -> bool {
        let changed = self.window.update(seq, ack, size);
        if self.beyond_window || self.window_probes > 0 {
            // RFC 9293 §3.8.6.1: while the peer answers probes, the connection stays open.
            self.unanswered = 0;
        }
        if self.beyond_window && changed && size > 0 {
            // The data that the peer has dropped at its closed window can be retransmitted now.
            self.beyond_window = false;
            if self.has_flight() {
                let (recovery, mut context) = self.recovery_context(now);
                recovery.on_window_opened(&mut context);
            }
        }
        changed
    }

    /// Returns the reports of the acknowledgement to recovery and to congestion control.
    fn judge(&mut self, now: Instant, ack: &Acknowledgement<'_>) -> (Ack, AckSample) {
        let (flight, delivered) = (self.flight.bytes(), self.flight.delivered());
        self.flight.begin_acknowledgement(now, ack.echoed);
        let advanced = ack.position > self.una;
        let acked =
            if advanced { self.advance(now, ack.position) } else { Acknowledged::default() };
        let rtt = self.sample(now, flight, &acked, ack.echo);
        let Self { una, nxt, .. } = *self;
        let report = self.report(now, ack.blocks);
        let update = self.recovery.on_blocks(&report, &mut self.flight);
        let news = self.flight.end_acknowledgement();
        if rtt.is_none()
            && let Some(rtt) = news.sacked_rtt().filter(|_| self.rto.takes_sacked())
        {
            self.rto.on_sample(rtt, Round { expected: 1, una, nxt });
        }
        let lost_before = std::mem::replace(&mut self.lost_before, self.flight.marked_lost());
        let sample = AckSample {
            now,
            advanced,
            reordered: update.arrived > 0 && self.recovery.reorders(),
            acked: acked.bytes,
            delivered: self.flight.delivered() - delivered,
            lost: self.lost_before - lost_before,
            marked: 0,
            flight,
            pipe: self.recovery.pipe(&self.flight),
            recovering: false,
            limited: self.limits.current().is_window(),
            una,
            nxt,
            rtt,
            latest_rtt: news.latest_rtt(),
            srtt: self.rto.mean(),
            rto: self.rto.timeout(),
            rate: self.flight.rate_sample(rtt),
        };
        let (looks_duplicate, echoed) = (ack.duplicate, ack.echoed);
        (Ack { advanced, looks_duplicate, update, echoed, congested: false }, sample)
    }

    /// Returns the data for judging losses at `now`.
    fn report<'a>(&self, now: Instant, blocks: &'a SackBlocks) -> Report<'a> {
        let &Self { una, nxt, mss, .. } = self;
        let srtt = self.rto.mean().unwrap_or_else(|| self.rto.timeout());
        let recovering = self.recovery.continues(una);
        let probed = self.recovery.probed();
        Report { now, blocks, una, nxt, mss, srtt, recovering, probed }
    }

    /// Returns the time of the next check for late segments (RFC 8985 §6.2 step 5).
    pub(in crate::tcp) fn reordering_due(&self) -> Option<Instant> {
        self.recovery.reordering_due()
    }

    /// Checks for late segments.
    pub(in crate::tcp) fn on_reordering_timer(&mut self, now: Instant) {
        let blocks = SackBlocks::default();
        let report = self.report(now, &blocks);
        let (recovery, mut context) = self.recovery_context(now);
        let begun = recovery.on_reordering_timer(&report, &mut context);
        self.counters.recoveries += u64::from(begun);
        self.report_losses(now);
        if begun {
            self.on_reduction(false);
        }
    }

    fn advance(&mut self, now: Instant, una: u64) -> Acknowledged {
        self.una = una;
        self.nxt = self.nxt.max(una);
        self.unanswered = 0;
        self.beyond_window = false;
        let acked = self.flight.acknowledge(una);
        if self.flight.is_empty() {
            self.empty_since = now;
        }
        if self.profile.send_buffer_tuning {
            let most = self.profile.send_buffer.get().map(|bytes| bytes.0);
            self.writes.grow(tuned_buffer(self.congestion.cwnd(), self.mss), most);
        }
        self.writes.refill(una, self.limits.waits());
        acked
    }

    /// RFC 6298 §3: only an echo gives a sample of segments that were sent twice.
    fn sample(
        &mut self,
        now: Instant,
        flight: u64,
        acked: &Acknowledged,
        echo: Option<Duration>,
    ) -> Option<Duration> {
        let sent = acked.sent.map(|sent| now.saturating_since(sent));
        let sample = sent.or(echo.filter(|_| acked.ambiguous))?;
        // RFC 7323 appendix G: with delayed acknowledgements every second segment gives a sample.
        let expected = flight.div_ceil(2 * self.mss);
        self.rto.on_sample(sample, Round { expected, una: self.una, nxt: self.nxt });
        Some(sample)
    }
}
