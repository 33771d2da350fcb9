//! Changes of a sender by departures and timeouts (RFC 6298 §5, RFC 5681 §3.1 and §4.1).

use super::super::flight::Sent;
use super::super::limits::{Limit, Waits};
use super::super::profile::IdleRestart;
use super::{Fin, Sender};
use crate::net::{Cause, Ecn, Flags, Ledger};
use crate::unit::{Duration, Instant};

/// A segment that leaves: its position, its length, and the waits of its data.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct Departure {
    pub(in crate::tcp) start: u64,
    pub(in crate::tcp) length: u32,
    pub(in crate::tcp) fin: bool,
    /// Nothing follows the segment for now (RFC 9293 §3.9.1.2, `PSH`).
    pub(in crate::tcp) push: bool,
    /// The retransmission timer restarts.
    pub(in crate::tcp) restarts_timer: bool,
    /// ECN field, and `CWR` or not. `None` without ECN, for a window probe, for a FIN sent alone,
    /// and for a retransmission unless the sender is L4S.
    pub(in crate::tcp) mark: Option<(Ecn, Flags)>,
    first_sent: Instant,
    waits: Waits,
}

impl Departure {
    /// Returns the time at which the application wrote the first byte.
    pub(in crate::tcp) fn written(&self) -> Instant {
        self.first_sent - self.waits.total()
    }

    /// Books the waits from the write until the first transmission; after it, until `now`, the
    /// repair of a loss.
    pub(in crate::tcp) fn charge(&self, ledger: &mut Ledger, now: Instant) {
        self.waits.charge(ledger, self.first_sent);
        ledger.charge(Cause::LossRecovery, now);
    }
}

impl Sender {
    /// Sends the next `length` bytes.
    pub(in crate::tcp) fn send_new(&mut self, now: Instant, length: u64) -> Departure {
        let departure = self.extend(now, length);
        let mark = self.ecn.as_mut().map(|ecn| ecn.on_new_data());
        Departure { mark, ..departure }
    }

    /// Returns `true` if Linux sets PSH here although there is more to send.
    fn is_pushed_between(&self) -> bool {
        self.profile.push_often
            && (self.writes.is_end_of_write(self.nxt)
                || self.nxt - self.pushed > self.window.largest() / 2)
    }

    fn extend(&mut self, now: Instant, length: u64) -> Departure {
        if self.flight.is_empty() {
            self.resume(now);
        }
        let start = self.nxt;
        let written = self.writes.written(start);
        let waits = self.limits.waits().since(&written);
        self.nxt += length;
        let all = self.nxt == self.writes.end() && !self.writes.has_backlog();
        let push = all || self.is_pushed_between();
        let fin = all && self.may_finish();
        let flight = self.flight.bytes();
        self.flight.push(now, start, length as u32, fin, waits);
        let was_in_syn = start < self.start + self.sent_in_syn();
        // RFC 9293 appendix A.3: the SYN has sent this data, so this is a retransmission.
        if length < self.mss && !was_in_syn {
            self.small_end = self.nxt;
        }
        if push {
            self.pushed = self.nxt;
        }
        if all {
            self.flight.on_application_limit();
        }
        if fin {
            self.on_fin_sent();
        }
        self.counters.retransmissions += u64::from(was_in_syn);
        self.on_data_sent(now, length, flight);
        self.schedule_tail_probe(now);
        let (length, restarts_timer) = (length as u32, false);
        Departure { start, length, fin, push, restarts_timer, mark: None, first_sent: now, waits }
    }

    /// Sends a probe of a window that is too small. Returns `None` if the peer has not answered for
    /// too long (RFC 9293 §3.8.6.1, §3.8.3).
    ///
    /// In a small window, the probe is the data that fits, which is in flight like other data. In a
    /// closed window, it is a byte that the peer need not accept. This byte is not in flight, so
    /// `SND.NXT` stays and no rule for lost data applies.
    pub(in crate::tcp) fn send_window_probe(&mut self, now: Instant) -> Option<Departure> {
        if self.receive_room() > 0 {
            return Some(self.extend(now, self.small_segment()));
        }
        self.unanswered += 1;
        if self.unanswered > self.profile.retries {
            return None;
        }
        let (start, length) = (self.nxt, 1);
        self.window_probes += 1;
        self.counters.segments += 1;
        let written = self.writes.written(start);
        let waits = self.limits.waits().since(&written);
        let (length, fin, push) = (length as u32, false, false);
        let (restarts_timer, mark, first_sent) = (false, None, now);
        Some(Departure { start, length, fin, push, restarts_timer, mark, first_sent, waits })
    }

    /// Returns the time to wait before the window is probed, while `limit` keeps the sender from
    /// sending. Returns `None` if no probe is needed. The intervals double (RFC 9293 §3.8.6.1).
    pub(in crate::tcp) fn window_probe_interval(&mut self, limit: Limit) -> Option<Duration> {
        if self.needs_probe(limit) {
            return Some(self.rto.timeout_after(self.window_probes));
        }
        self.window_probes = 0;
        None
    }

    /// Retransmits the segment at `index`.
    pub(in crate::tcp) fn retransmit(&mut self, now: Instant, index: usize) -> Departure {
        let end = self.flight.segment(index).end();
        let restarts_timer = self.recovery.on_resent(now, end, index == 0);
        let sent = self.flight.resend(now, index).clone();
        Departure { restarts_timer, ..self.resend(now, &sent) }
    }

    /// Returns the time at which a tail loss probe is due.
    pub(in crate::tcp) fn probe_due(&self) -> Option<Instant> {
        self.recovery.probe_due()
    }

    /// Schedules the tail loss probe after new data has left or more is acknowledged (RFC 8985
    /// §7.2). No probe follows data beyond the peer's window, which the peer has not asked for.
    pub(super) fn schedule_tail_probe(&mut self, now: Instant) {
        if self.is_beyond_window() {
            self.recovery.cancel_probe();
        } else {
            self.recovery.schedule_probe(now, self.rto.mean(), &self.flight);
        }
    }

    /// Cancels the tail loss probe.
    pub(in crate::tcp) fn cancel_probe(&mut self) {
        self.recovery.cancel_probe();
    }

    /// Sends a tail loss probe (RFC 8985 §7.3): new data if there is any and the peer's window has
    /// room, whatever the congestion window is, else the last segment. Returns `None` while a probe
    /// is under way.
    pub(in crate::tcp) fn send_tail_probe(&mut self, now: Instant) -> Option<Departure> {
        if !self.recovery.may_probe() {
            return None;
        }
        let new = self.new_segment();
        let last = self.flight.last_missing();
        let departure = if new > 0 { self.send_new(now, new) } else { self.retransmit(now, last?) };
        self.recovery.on_probe_sent(self.nxt, new == 0);
        Some(Departure { restarts_timer: true, ..departure })
    }

    /// Retransmits the segment at `index` as the one rescue of a recovery, which does not move
    /// `HighRxt`.
    pub(in crate::tcp) fn send_rescue(&mut self, now: Instant, index: usize) -> Departure {
        self.recovery.on_rescue();
        let sent = self.flight.rescue(now, index).clone();
        self.resend(now, &sent)
    }

    /// Sends the FIN without data.
    pub(in crate::tcp) fn send_fin(&mut self, now: Instant) -> Departure {
        let start = self.nxt;
        self.flight.push(now, start, 0, true, Waits::default());
        self.on_fin_sent();
        self.schedule_tail_probe(now);
        let (waits, restarts_timer) = (Waits::default(), false);
        let (push, mark, first_sent) = (false, None, now);
        Departure { start, length: 0, fin: true, push, restarts_timer, mark, first_sent, waits }
    }

    /// Processes an expiry of the retransmission timer. Returns `false` if the connection is to be
    /// aborted (RFC 9293 §3.8.3, R2).
    pub(in crate::tcp) fn on_timeout(&mut self, now: Instant) -> bool {
        self.unanswered += 1;
        if self.unanswered > self.profile.retries {
            return false;
        }
        self.rto.back_off();
        self.recovery.force_retransmit();
        if self.window.size() == 0 {
            // RFC 9293 §3.8.6.1: the peer is full, not the network.
            self.beyond_window = true;
            self.flight.mark_first_lost();
            return true;
        }
        self.count_flight_as_lost(now);
        true
    }

    /// Processes a timeout of the SYN-ACK after which all data sent counts as lost (RFC 5681 §3.1,
    /// RFC 7413 §4.2.2).
    pub(in crate::tcp) fn on_syn_timeout(&mut self, now: Instant) {
        if self.has_flight() {
            self.recovery.force_retransmit();
            self.count_flight_as_lost(now);
        }
    }

    fn count_flight_as_lost(&mut self, now: Instant) {
        self.counters.timeouts += 1;
        let (recovery, mut context) = self.recovery_context(now);
        recovery.on_timeout(&mut context);
        self.report_losses(now);
        self.on_reduction(false);
    }

    fn resend(&mut self, now: Instant, sent: &Sent) -> Departure {
        let &Sent { start, length, fin, first_sent, .. } = sent;
        let waits = self.flight.waits(sent);
        let push = length > 0 && sent.end() >= self.writes.end();
        if length > 0 {
            self.counters.segments += 1;
            self.counters.retransmissions += 1;
        }
        self.recovery.on_sent(u64::from(length));
        self.congestion.on_sent(now, u64::from(length), self.flight.bytes());
        if self.pacer.paces_all() {
            self.pacer.on_sent(now, u64::from(length), &*self.congestion, self.rto.mean());
        }
        self.last_sent = now;
        let (restarts_timer, none) = (false, Flags::default());
        let field = self.ecn.as_ref().and_then(|ecn| ecn.on_old_data());
        let mark = field.map(|field| (field, none));
        Departure { start, length, fin, push, restarts_timer, mark, first_sent, waits }
    }

    fn on_fin_sent(&mut self) {
        self.fin = Fin::Sent;
        self.nxt += 1;
    }

    fn on_data_sent(&mut self, now: Instant, length: u64, flight: u64) {
        self.bursts = true;
        self.counters.segments += 1;
        self.last_sent = now;
        self.recovery.on_sent(length);
        self.congestion.on_sent(now, length, flight);
        self.pacer.on_sent(now, length, &*self.congestion, self.rto.mean());
    }

    /// Processes the first data after a time with nothing in flight.
    fn resume(&mut self, now: Instant) {
        if self.counters.segments == 0 {
            return;
        }
        self.congestion.on_pause(now.saturating_since(self.empty_since));
        // RFC 5681 §4.1
        let (idle, rto) = (now.saturating_since(self.last_sent), self.rto.timeout());
        if self.profile.restart_after_idle != IdleRestart::Off && idle > rto {
            let timeouts = (idle.as_nanos() - 1) / rto.as_nanos().max(1);
            self.congestion.on_idle_restart(timeouts);
        }
    }
}
