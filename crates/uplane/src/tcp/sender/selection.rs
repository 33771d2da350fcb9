//! Choice of the next segment, or the reason to send none (RFC 9293 §3.8.6, RFC 6675 §4 `NextSeg`).

use super::super::limits::Limit;
use super::super::profile::Nagle;
use super::super::recovery::{Phase, Resend};
use super::{Fin, Sender};
use crate::unit::Instant;

/// Next action of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Next {
    /// Retransmit the segment at this index of the flight.
    Retransmission(usize),
    /// Retransmit the segment at this index as the one rescue of a recovery (RFC 6675 §4, `NextSeg`
    /// rule 4).
    Rescue(usize),
    /// Send this number of new bytes.
    New(u64),
    /// Send the FIN without data.
    Fin,
    /// Send nothing, for this reason.
    Nothing(Limit),
}

impl Sender {
    /// Returns the next action at `now`.
    pub(in crate::tcp) fn next(&mut self, now: Instant) -> Next {
        if self.is_idle() {
            return Next::Nothing(Limit::Idle);
        }
        if self.recovery.is_urgent() && self.has_flight() {
            return self.urgent();
        }
        // RFC 6675 §4, `NextSeg` rule 1
        let waits = self.recovery.prefers_new() && self.new_segment() > 0;
        if let Some(index) = self.recovery.next_lost(&mut self.flight).filter(|_| !waits) {
            let length = u64::from(self.flight.segment(index).length);
            let fits = length <= self.congestion_room();
            return if fits && self.pacer.holds_again(now) {
                Next::Nothing(Limit::Pacing)
            } else if fits {
                Next::Retransmission(index)
            } else {
                Next::Nothing(Limit::CongestionWindow)
            };
        }
        // Rule 2
        match self.new_data(now) {
            Ok(length) => Next::New(length),
            Err(_) if self.is_fin_due() => Next::Fin,
            Err(limit) => self.last_resort().unwrap_or(Next::Nothing(limit)),
        }
    }

    /// Returns `true` in the frequent case of an end that only receives.
    #[inline]
    fn is_idle(&self) -> bool {
        !self.has_flight()
            && self.unsent() == 0
            && !self.writes.has_backlog()
            && self.fin != Fin::Asked
            && self.recovery.phase() == Phase::Open
    }

    /// Returns the segment that leaves whatever the congestion window is.
    fn urgent(&mut self) -> Next {
        let new = self.probe_length();
        match self.recovery.urgent(&mut self.flight, new > 0) {
            Some(index) => Next::Retransmission(index),
            None => Next::New(new),
        }
    }

    /// Returns the bytes of a new segment, or 0 if the peer's window does not take it whole.
    pub(super) fn new_segment(&self) -> u64 {
        let length = self.unsent().min(self.mss);
        if length <= self.receive_room() { length } else { 0 }
    }

    /// Returns the new bytes of a segment that leaves whatever the congestion window is.
    pub(super) fn probe_length(&self) -> u64 {
        self.unsent().min(self.mss).min(self.receive_room())
    }

    /// Returns the bytes that a small window accepts (RFC 9293 §3.8.6.2.1: the timeout overrides
    /// the wait).
    pub(super) fn small_segment(&self) -> u64 {
        self.receive_room().min(self.mss).min(self.unsent())
    }

    /// Returns `true` if data is in flight beyond the peer's window.
    pub(super) fn is_beyond_window(&self) -> bool {
        self.nxt > self.una + self.window.size()
    }

    /// Returns `true` if only the peer's window keeps the sender from sending, and nothing is in
    /// flight whose acknowledgement would report a new window.
    pub(in crate::tcp) fn needs_probe(&self, limit: Limit) -> bool {
        limit == Limit::ReceiveWindow && !self.has_flight() && self.unsent() > 0
    }

    /// Returns the new bytes that may leave in one segment, or the limit.
    fn new_data(&self, now: Instant) -> Result<u64, Limit> {
        let unsent = self.unsent();
        if unsent == 0 {
            return Err(self.limit_without_data());
        }
        let wanted = unsent.min(self.mss);
        let (congestion_room, receive_room) = (self.congestion_room(), self.receive_room());
        let length = wanted.min(receive_room);
        if length < wanted && receive_room < congestion_room && self.is_silly(length) {
            return Err(Limit::ReceiveWindow);
        }
        if congestion_room < length || length == 0 {
            return Err(Limit::CongestionWindow);
        }
        if length == unsent && self.nagle_holds(length) {
            return Err(Limit::Application);
        }
        if self.release().is_some_and(|release| release > now) {
            return Err(Limit::Pacing);
        }
        Ok(length)
    }

    /// Returns the limit when everything in the buffer is sent. If data waits outside the buffer
    /// and a window has no room for a segment either, that window is the limit.
    fn limit_without_data(&self) -> Limit {
        if !self.writes.has_backlog() {
            return if self.has_flight() { Limit::Application } else { Limit::Idle };
        }
        let (receive_room, congestion_room) = (self.receive_room(), self.congestion_room());
        if receive_room.min(congestion_room) >= self.mss {
            Limit::SendBuffer
        } else if receive_room <= congestion_room {
            Limit::ReceiveWindow
        } else {
            Limit::CongestionWindow
        }
    }

    /// RFC 9293 §3.8.6.2.1: a window without room for a full segment is used only if it is at least
    /// half of the maximum that the peer ever offered.
    fn is_silly(&self, length: u64) -> bool {
        length == 0 || length < self.window.largest() / 2
    }

    /// RFC 9293 §3.7.4; no data waits once the application has closed.
    fn nagle_holds(&self, length: u64) -> bool {
        let small = length < self.mss && self.fin == Fin::Open;
        small
            && match self.profile.nagle {
                Nagle::Off => false,
                Nagle::Rfc => self.has_flight(),
                Nagle::Minshall => self.small_end > self.una,
            }
    }

    /// RFC 6675 §4, `NextSeg` rules 3 and 4
    fn last_resort(&self) -> Option<Next> {
        if self.recovery.phase() != Phase::Fast || self.congestion_room() < self.mss {
            return None;
        }
        Some(match self.recovery.last_resort(self.una, self.nxt, &self.flight)? {
            Resend::Retransmission(index) => Next::Retransmission(index),
            Resend::Rescue(index) => Next::Rescue(index),
        })
    }

    /// The FIN may leave with the last byte or after it.
    pub(super) fn may_finish(&self) -> bool {
        self.fin == Fin::Asked && !self.holds_fin
    }

    fn is_fin_due(&self) -> bool {
        self.may_finish() && self.unsent() == 0 && !self.writes.has_backlog()
    }

    fn unsent(&self) -> u64 {
        self.writes.end().saturating_sub(self.nxt)
    }

    pub(super) fn receive_room(&self) -> u64 {
        (self.una + self.window.size()).saturating_sub(self.nxt)
    }

    fn congestion_room(&self) -> u64 {
        self.recovery.room(self.congestion.cwnd(), &self.flight, self.mss)
    }
}
