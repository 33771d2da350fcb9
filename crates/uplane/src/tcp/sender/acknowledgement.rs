//! What an acknowledgement changes (RFC 5681 §3.2, RFC 6582 §3.2, RFC 6675 §5).

use super::super::congestion::Progress;
use super::super::flight::Acknowledged;
use super::super::limits::Limit;
use super::super::profile::{Reduction, SackRecovery};
use super::super::recovery::{Phase, Prr};
use super::super::scoreboard::News;
use super::Sender;
use crate::net::SackBlocks;
use crate::unit::{Duration, Instant};

/// An acceptable acknowledgement.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Acknowledgement<'a> {
    /// `SEG.ACK` as a position.
    pub(in crate::tcp) position: u64,
    pub(in crate::tcp) blocks: &'a SackBlocks,
    /// It looks like a duplicate (RFC 5681 §2): no data, no FIN, no new window, nothing new
    /// acknowledged.
    pub(in crate::tcp) duplicate: bool,
    /// What the timestamp echo says about the round trip.
    pub(in crate::tcp) echo: Option<Duration>,
}

/// What an acknowledgement did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) struct Acked {
    /// More is acknowledged than before.
    pub(in crate::tcp) advanced: bool,
    /// The retransmission timer begins anew (RFC 6298 §5.3).
    pub(in crate::tcp) restarts_timer: bool,
}

/// One acknowledgement, judged.
struct Judged {
    advanced: bool,
    acked: u64,
    /// RFC 6937 §3, `DeliveredData`
    delivered: u64,
    duplicate: bool,
    progress: Progress,
}

impl Sender {
    /// Takes an acknowledgement of something between `una` and `nxt`, or an older one.
    pub(in crate::tcp) fn on_acknowledgement(
        &mut self,
        now: Instant,
        ack: &Acknowledgement<'_>,
    ) -> Acked {
        if ack.position == self.una && !self.has_flight() && self.recovery.phase() == Phase::Open {
            // The frequent case of a peer that only receives.
            return Acked { advanced: false, restarts_timer: false };
        }
        self.counters.duplicate_acks += u64::from(ack.duplicate && self.has_flight());
        let judged = self.judge(now, ack);
        let before = self.recovery.phase();
        let complete = judged.advanced && self.recovery.on_advance(self.una, judged.duplicate);
        let mut restarts_timer = judged.advanced;
        match before {
            Phase::Open => self.on_ack_when_open(&judged),
            Phase::Repair if complete && self.repairs_like_ns3() => {
                self.on_end_of_repair_of_ns3(&judged);
            }
            Phase::Repair => self.on_ack_in_repair(&judged),
            Phase::Fast if complete => self.leave_fast_recovery(),
            Phase::Fast if self.repairs_like_ns3() => {
                restarts_timer = judged.advanced && self.recovery.is_first_partial();
                self.on_ack_in_recovery_of_ns3(&judged);
            }
            Phase::Fast if self.rules.sack => self.on_ack_in_sack_recovery(&judged),
            Phase::Fast => {
                restarts_timer = judged.advanced && self.recovery.is_first_partial();
                self.on_ack_in_new_reno_recovery(&judged);
            }
        }
        let may_begin = !(complete && self.repairs_like_ns3());
        if self.recovery.phase() == Phase::Open && self.detects_loss() && may_begin {
            self.begin_fast_recovery(judged.delivered);
        }
        Acked { advanced: judged.advanced, restarts_timer }
    }

    /// The peer's window changed to the one of a segment `seq` that acknowledges `ack`.
    pub(in crate::tcp) fn on_window(&mut self, seq: u64, ack: u64, size: u64) -> bool {
        let changed = self.window.update(seq, ack, size);
        if self.probing && self.window.size() == 0 {
            // RFC 9293 §3.8.6.1: while the peer answers probes, the connection stays open.
            self.unanswered = 0;
        } else if self.probing && changed {
            // The probes went against a closed window; what was dropped then can go now.
            self.probing = false;
            if self.has_flight() {
                self.flight.mark_all_lost();
                self.repair_without_blame();
            }
        }
        changed
    }

    fn judge(&mut self, now: Instant, ack: &Acknowledgement<'_>) -> Judged {
        let flight = self.flight.bytes();
        let advanced = ack.position > self.una;
        let acked =
            if advanced { self.advance(now, ack.position) } else { Acknowledged::default() };
        let sample = self.sample(now, flight, &acked, ack.echo);
        let news = if self.rules.sack {
            self.scoreboard.update(ack.blocks, self.una, self.nxt, &mut self.flight)
        } else {
            News::default()
        };
        let limits = [Limit::CongestionWindow, Limit::Pacing, Limit::Recovery];
        let duplicate = match (self.rules.sack, self.rules.sack_recovery) {
            (false, _) => !advanced && ack.duplicate,
            (true, SackRecovery::Rfc6675 | SackRecovery::PartialResend) => {
                !advanced && news.arrived > 0
            }
            (true, SackRecovery::Ns3) => news.told,
        };
        Judged {
            advanced,
            acked: acked.bytes,
            delivered: acked.bytes - acked.known + news.arrived,
            duplicate: duplicate && self.has_flight(),
            progress: Progress {
                now,
                acked: acked.bytes,
                flight,
                limited: limits.contains(&self.limits.current()),
                una: self.una,
                nxt: self.nxt,
                sample,
                srtt: self.rto.mean(),
            },
        }
    }

    fn advance(&mut self, now: Instant, una: u64) -> Acknowledged {
        self.una = una;
        self.unanswered = 0;
        self.probing = false;
        let acked = self.flight.acknowledge(una);
        if self.flight.is_empty() {
            self.empty_since = now;
        }
        let waits = self.limits.waits();
        self.writes.refill(una, waits);
        acked
    }

    /// RFC 6298 §3: of segments that were sent twice, only an echo gives a sample.
    fn sample(
        &mut self,
        now: Instant,
        flight: u64,
        acked: &Acknowledged,
        echo: Option<Duration>,
    ) -> Option<Duration> {
        let sent = acked.sent.map(|sent| now.saturating_since(sent));
        let sample = sent.or(echo.filter(|_| acked.ambiguous))?;
        // RFC 7323 appendix G: with delayed acknowledgements every second segment gives one.
        self.rto.on_sample(sample, flight.div_ceil(2 * self.congestion.mss()));
        Some(sample)
    }

    fn on_ack_when_open(&mut self, judged: &Judged) {
        if judged.advanced {
            self.congestion.on_ack(&judged.progress);
        }
        if judged.duplicate {
            self.recovery.on_duplicate();
        }
    }

    fn on_ack_in_repair(&mut self, judged: &Judged) {
        if judged.advanced {
            self.congestion.on_ack(&judged.progress);
        }
        if self.rules.sack {
            self.scoreboard.detect_losses(self.congestion.mss(), &mut self.flight);
        }
    }

    /// ns-3 counts only whole segments behind the repaired ones.
    fn on_end_of_repair_of_ns3(&mut self, judged: &Judged) {
        if self.una >= self.recovery.recover() + self.congestion.mss() {
            self.congestion.on_ack(&judged.progress);
        }
        self.scoreboard.detect_losses(self.congestion.mss(), &mut self.flight);
    }

    fn on_ack_in_sack_recovery(&mut self, judged: &Judged) {
        self.scoreboard.detect_losses(self.congestion.mss(), &mut self.flight);
        if judged.advanced && self.rules.sack_recovery == SackRecovery::PartialResend {
            self.flight.mark_first_lost();
            self.recovery.urge();
        }
        self.reduce_proportionally(judged.delivered);
    }

    /// [`SackRecovery::Ns3`]: with each partial acknowledgement a segment goes, and the oldest one if it was lost before.
    fn on_ack_in_recovery_of_ns3(&mut self, judged: &Judged) {
        self.scoreboard.detect_losses(self.congestion.mss(), &mut self.flight);
        if judged.advanced {
            if self.flight.first_was_lost() {
                self.flight.mark_first_lost();
            }
            self.recovery.urge();
        }
    }

    /// RFC 6582 §3.2 step 3; for duplicates RFC 5681 §3.2 step 4
    fn on_ack_in_new_reno_recovery(&mut self, judged: &Judged) {
        let (cwnd, mss) = (self.congestion.cwnd(), self.congestion.mss());
        if judged.advanced {
            let inflated = if judged.acked >= mss { mss } else { 0 };
            self.congestion.set_cwnd(cwnd.saturating_sub(judged.acked) + inflated);
            self.flight.mark_first_lost();
            self.recovery.urge();
        } else if judged.duplicate {
            self.congestion.set_cwnd(cwnd + mss);
        }
    }

    fn leave_fast_recovery(&mut self) {
        if self.rules.sack {
            self.congestion.set_cwnd_to_threshold();
        } else {
            // RFC 6582 §3.2, step 3, option 1: no burst of what the recovery held back.
            let (mss, flight) = (self.congestion.mss(), self.flight.bytes());
            let threshold = self.congestion.ssthresh().unwrap_or(u64::MAX);
            self.congestion.set_cwnd(threshold.min(flight.max(mss) + mss));
        }
    }

    /// RFC 5681 §3.2 step 2, RFC 6582 §3.2 step 2, RFC 6675 §5.
    ///
    /// With SACK the test is made on every acknowledgement and not only on the third duplicate, so that
    /// acknowledgements lost on their way do not cost a timeout.
    fn detects_loss(&mut self) -> bool {
        if !self.has_flight() {
            return false;
        }
        let counted = self.recovery.duplicates() >= self.rules.duplicate_threshold;
        if !self.rules.sack {
            return counted && self.una > self.recovery.recover();
        }
        self.scoreboard.detect_losses(self.congestion.mss(), &mut self.flight);
        let seen = match self.rules.sack_recovery {
            SackRecovery::Rfc6675 | SackRecovery::PartialResend => self.flight.first_is_lost(),
            SackRecovery::Ns3 => self.flight.second_was_lost(),
        };
        counted || seen
    }

    /// Both ends have agreed on SACK, and this one repairs as ns-3 did.
    pub(super) fn repairs_like_ns3(&self) -> bool {
        self.rules.sack && self.rules.sack_recovery == SackRecovery::Ns3
    }

    /// What the slow-start threshold is half of after a loss: `FlightSize` (RFC 5681 §3.1); in ns-3 what is on its way as
    /// far as one knows.
    pub(super) fn flight_at_loss(&self) -> u64 {
        if self.repairs_like_ns3() { self.flight.outstanding() } else { self.flight.bytes() }
    }

    /// RFC 6582 §3.2 step 2, RFC 6675 §5 step 4
    fn begin_fast_recovery(&mut self, delivered: u64) {
        self.counters.recoveries += 1;
        let flight = self.flight.bytes();
        if !(self.repairs_like_ns3() && self.flight.first_was_lost()) {
            self.flight.mark_first_lost();
        }
        // RFC 5681 §3.2 step 2: what limited transmit sent does not count.
        let limited = if self.repairs_like_ns3() { 0 } else { self.recovery.limited() };
        self.congestion.on_loss(self.flight_at_loss().saturating_sub(limited));
        let proportional = self.rules.sack && self.rules.reduction == Reduction::Proportional;
        let prr = proportional.then(|| Prr::begin(flight));
        self.recovery.begin_fast(self.una, self.nxt, prr);
        self.congestion.set_cwnd_to_threshold();
        if !self.rules.sack {
            let inflation = u64::from(self.recovery.duplicates()) * self.congestion.mss();
            self.congestion.set_cwnd(self.congestion.cwnd() + inflation);
        }
        self.reduce_proportionally(delivered);
    }

    /// RFC 6937 §3
    fn reduce_proportionally(&mut self, delivered: u64) {
        let pipe = self.flight.outstanding();
        let threshold = self.congestion.ssthresh().unwrap_or(u64::MAX);
        let mss = self.congestion.mss();
        if let Some(prr) = self.recovery.prr() {
            let allowed = prr.on_ack(delivered, pipe, threshold, mss);
            self.congestion.set_cwnd(pipe + allowed);
        }
    }
}
