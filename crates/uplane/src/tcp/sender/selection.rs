//! What to send next, and if nothing, why (RFC 9293 §3.8.6, RFC 6675 §4 `NextSeg`).

use super::super::limits::Limit;
use super::super::profile::Nagle;
use super::super::recovery::Phase;
use super::{Fin, Sender};
use crate::unit::Instant;

/// What a sender would send now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Next {
    /// The segment at this index of the flight, again.
    Again(usize),
    /// The same, as the one rescue of a recovery (RFC 6675 §4, `NextSeg` rule 4).
    Rescue(usize),
    /// So many new bytes.
    Fresh(u64),
    /// The FIN alone.
    Fin,
    /// Nothing, for this reason.
    Nothing(Limit),
}

impl Sender {
    /// What to send at `now`.
    pub(in crate::tcp) fn next(&mut self, now: Instant) -> Next {
        if self.recovery.is_urgent() && self.has_flight() {
            return self.urgent();
        }
        if (self.recovery.phase() != Phase::Open || self.repairs_like_ns3())
            && let Some(index) = self.flight.next_lost()
        {
            let length = u64::from(self.flight.segment(index).length);
            let fits = length <= self.congestion_room();
            return if fits { Next::Again(index) } else { Next::Nothing(Limit::CongestionWindow) };
        }
        match self.fresh(now) {
            Ok(length) => Next::Fresh(length),
            Err(_) if self.is_fin_due() => Next::Fin,
            Err(limit) => self.last_resort().unwrap_or(Next::Nothing(limit)),
        }
    }

    /// What goes whatever the congestion window says: the oldest lost segment. When none is left, as only the recovery
    /// of ns-3 has it, a new one, and without that the oldest again.
    fn urgent(&mut self) -> Next {
        let fresh = self.unsent().min(self.congestion.mss()).min(self.receive_room());
        match self.flight.next_lost() {
            Some(index) => Next::Again(index),
            None if fresh > 0 => Next::Fresh(fresh),
            None => Next::Again(0),
        }
    }

    /// A probe of a window that is too small: what fits, and at least one byte (RFC 9293 §3.8.6.1).
    pub(in crate::tcp) fn probe(&self) -> u64 {
        self.receive_room().clamp(1, self.congestion.mss()).min(self.unsent())
    }

    /// True when only the peer's window keeps the sender from sending, and nothing is in flight that
    /// would be acknowledged with a new one.
    pub(in crate::tcp) fn needs_probe(&self, limit: Limit) -> bool {
        limit == Limit::ReceiveWindow && !self.has_flight()
    }

    /// How many new bytes may leave in one segment.
    fn fresh(&self, now: Instant) -> Result<u64, Limit> {
        let unsent = self.unsent();
        if unsent == 0 {
            return Err(self.limit_without_data());
        }
        let wanted = unsent.min(self.congestion.mss());
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

    /// Everything in the buffer is sent. If more waits outside of it, and a window would not take that
    /// either, then the window is what limits.
    fn limit_without_data(&self) -> Limit {
        if !self.writes.has_backlog() {
            return if self.has_flight() { Limit::Application } else { Limit::Idle };
        }
        let (receive_room, congestion_room) = (self.receive_room(), self.congestion_room());
        if receive_room.min(congestion_room) >= self.congestion.mss() {
            Limit::Application
        } else if receive_room <= congestion_room {
            Limit::ReceiveWindow
        } else {
            Limit::CongestionWindow
        }
    }

    /// RFC 9293 §3.8.6.2.1: a window that leaves no room for a full segment is used only when it is at
    /// least half of the largest the peer ever offered.
    fn is_silly(&self, length: u64) -> bool {
        length == 0 || length < self.window.largest() / 2
    }

    /// RFC 9293 §3.7.4; nothing is held back once the application has closed.
    fn nagle_holds(&self, length: u64) -> bool {
        let small = length < self.congestion.mss() && self.fin == Fin::Open;
        small
            && match self.rules.nagle {
                Nagle::Off => false,
                Nagle::Classic => self.has_flight(),
                Nagle::Minshall => self.small_end > self.una,
            }
    }

    /// RFC 6675 §4, `NextSeg` rules 3 and 4: nothing is lost for sure and there is nothing new, but
    /// there is room, so send again what may be lost.
    fn last_resort(&self) -> Option<Next> {
        let repairs = self.rules.sack && self.recovery.phase() == Phase::Fast;
        if !repairs || self.congestion_room() < self.congestion.mss() {
            return None;
        }
        if self.repairs_like_ns3() {
            // Rule 3 without (1.a) and (1.b), and no rule 4.
            return self.flight.first_outstanding(self.una, self.nxt).map(Next::Again);
        }
        let sacked_end = self.scoreboard.end().unwrap_or(self.una);
        if let Some(index) = self.flight.first_outstanding(self.recovery.high_rxt(), sacked_end) {
            return Some(Next::Again(index));
        }
        let index = self.flight.last_missing().filter(|_| self.recovery.may_rescue(self.una))?;
        Some(Next::Rescue(index))
    }

    fn is_fin_due(&self) -> bool {
        self.fin == Fin::Asked && self.unsent() == 0 && !self.writes.has_backlog()
    }

    fn unsent(&self) -> u64 {
        self.writes.end().saturating_sub(self.nxt)
    }

    fn receive_room(&self) -> u64 {
        (self.una + self.window.size()).saturating_sub(self.nxt)
    }

    fn congestion_room(&self) -> u64 {
        let cwnd = self.congestion.cwnd();
        if self.recovery.phase() != Phase::Open || self.repairs_like_ns3() {
            return cwnd.saturating_sub(self.flight.outstanding());
        }
        // RFC 3042 §2: the first two duplicates let one new segment go each. With SACK, what arrived
        // makes room.
        let limited_transmit = match (self.rules.limited_transmit, self.rules.sack) {
            (false, _) => 0,
            (true, true) => self.flight.sacked(),
            (true, false) => u64::from(self.recovery.duplicates().min(2)) * self.congestion.mss(),
        };
        (cwnd + limited_transmit).saturating_sub(self.flight.bytes())
    }
}
