//! The end of a connection: FIN, RST and TIME-WAIT (RFC 9293 §3.6, RFC 9293 §3.10.7.4).

use super::super::effect::{CloseReason, Effect};
use super::super::receiver::RequiredAck;
use super::super::state::State;
use super::super::timer::Timer;
use super::Connection;
use crate::net::{Flags, Segment, SequenceNumber, Stock};
use crate::sim::Outbox;
use crate::unit::Instant;

impl Connection {
    /// RFC 9293 §3.10.7.1
    pub(super) fn on_segment_when_closed(
        &mut self,
        now: Instant,
        segment: &Segment,
        out: &mut Outbox<Effect>,
    ) {
        if !segment.flags.contains(Flags::RST) {
            self.refuse(now, segment, out);
        }
    }

    /// Processes an acknowledgement of everything sent, if that includes our FIN.
    pub(super) fn on_fin_acknowledged(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if self.sender.is_finished() {
            let state = self.state.after_fin_acknowledged();
            self.enter(now, state, out);
        }
    }

    /// Processes the peer's FIN in order.
    pub(super) fn on_fin_received(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if self.receiver.passes_fin() {
            out.emit(Effect::PeerClosed);
        }
        let state = self.state.after_fin_received();
        self.enter(now, state, out);
    }

    /// Processes a RST in the window (RFC 9293 §3.10.7.4, second step): only one at the left edge
    /// is accepted, any other is answered with a challenge. In TIME-WAIT nothing is lost by it.
    pub(super) fn on_reset(&mut self, seq: u64, out: &mut Outbox<Effect>) {
        if seq == self.receiver.nxt() {
            let is_over = self.state == State::TimeWait;
            self.end(if is_over { CloseReason::Finished } else { CloseReason::Reset }, out);
        } else {
            self.receiver.require_ack(RequiredAck::Pure);
        }
    }

    /// Stays in TIME-WAIT to acknowledge a retransmitted FIN.
    pub(super) fn wait_in_time_wait(&mut self, now: Instant) {
        self.timers.stop_all();
        self.timers.set(Timer::TimeWait, now + self.profile.time_wait);
    }

    /// Closes the connection and reports the reason.
    pub(super) fn end(&mut self, reason: CloseReason, out: &mut Outbox<Effect>) {
        self.state = State::Closed;
        self.timers.stop_all();
        self.stock = Stock::default();
        out.emit(Effect::Closed(reason));
    }

    /// Sends a RST that aborts the connection.
    pub(super) fn transmit_reset(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let segment = Segment {
            seq: SequenceNumber::from_offset(self.sender.nxt()),
            ack: SequenceNumber::from_offset(self.receiver.nxt()),
            flags: Flags::RST.with(Flags::ACK),
            // RFC 7323 §3.2
            timestamps: self.timestamps.stamp(now),
            ..Segment::default()
        };
        self.emit(now, segment, out);
    }

    fn enter(&mut self, now: Instant, state: State, out: &mut Outbox<Effect>) {
        self.state = state;
        if matches!(state, State::Closed | State::TimeWait) {
            // Both ends have closed: an application that reads slowly takes the rest at once.
            self.on_read(now, true, out);
        }
        match state {
            State::Closed => self.end(CloseReason::Finished, out),
            State::TimeWait => self.wait_in_time_wait(now),
            _ => {}
        }
    }

    /// Answers a segment that belongs to no connection with a RST (RFC 9293 §3.10.7.1).
    pub(super) fn refuse(&mut self, now: Instant, segment: &Segment, out: &mut Outbox<Effect>) {
        let answer = if segment.flags.contains(Flags::ACK) {
            Segment { seq: segment.ack, flags: Flags::RST, ..Segment::default() }
        } else {
            let end = segment.seq.0.wrapping_add(segment.sequence_length() as u32);
            let flags = Flags::RST.with(Flags::ACK);
            Segment { ack: SequenceNumber(end), flags, ..Segment::default() }
        };
        self.emit(now, answer, out);
    }
}
