//! Segments that arrive at an open connection (RFC 9293 §3.10.7.4).
//!
//! From ESTABLISHED on, a retransmitted SYN is before the window and gets an ACK (first step); a
//! SYN inside the window is challenged (fourth step, RFC 5961 §4).
//!
//! Left out: the return to LISTEN for such a SYN in SYN-RECEIVED, where it is challenged too. Only
//! forged segments differ.

use super::super::effect::{CloseReason, Effect};
use super::super::receiver::RequiredAck;
use super::super::sender::Acknowledgement;
use super::super::state::State;
use super::super::timer::Timer;
use super::super::window_tuning::Trip;
use super::{Connection, header};
use crate::net::{Flags, Packet, Segment};
use crate::sim::Outbox;
use crate::unit::Instant;

impl Connection {
    /// Processes a segment in SYN-RECEIVED and all later states.
    pub(super) fn on_segment(
        &mut self,
        now: Instant,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        let segment = header(&packet);
        let (flags, field) = (segment.flags, packet.ecn());
        let seq = self.receiver.position(segment.seq);
        let ends_handshake = self.state == State::SynReceived;
        if ends_handshake && self.is_first_syn(segment) {
            self.on_syn_in_syn_received(now, segment, out);
        } else if !self.is_acceptable(now, seq, segment) {
            self.on_unacceptable(now, seq, segment);
        } else if flags.contains(Flags::RST) {
            self.on_reset(seq, out);
        } else if flags.contains(Flags::SYN) {
            // RFC 9293 §3.10.7.4, fourth step: a challenge to the sender of this SYN.
            self.challenge(now);
        } else if !flags.contains(Flags::ACK) {
            // Fifth step: such a segment is dropped.
        } else if self.is_established_by(now, segment, out) {
            let covers = self.receiver.covers_last_ack(seq);
            self.receiver.on_field(field, flags, segment.payload.0);
            if self.on_acknowledgement(now, (seq, ends_handshake), segment, out) {
                self.timestamps.on_segment(now, segment.timestamps, covers);
                self.on_text(now, seq, packet, out);
            }
        }
    }

    /// Processes an expiry of the retransmission timer.
    pub(super) fn on_retransmission_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        match self.state {
            State::SynSent | State::SynReceived => self.on_syn_timeout(now, out),
            _ if !self.sender.on_timeout(now) => self.end(CloseReason::TimedOut, out),
            _ => {} // `flush` sends again
        }
    }

    /// RFC 9293 §3.10.7.4 first step, RFC 7323 §5.3
    fn is_acceptable(&mut self, now: Instant, seq: u64, segment: &Segment) -> bool {
        let is_new = segment.flags.contains(Flags::RST)
            || self.timestamps.accepts(now, segment.timestamps)
            || self.is_late_acknowledgement(seq, segment);
        is_new && self.receiver.accepts(seq, segment.sequence_length())
    }

    /// Returns `true` for an acknowledgement without news that was overtaken on its way, which is
    /// not an old duplicate: PAWS is to protect data (RFC 7323 §5.2), and Linux also accepts it if
    /// it is late by no more than a retransmission timeout.
    fn is_late_acknowledgement(&mut self, seq: u64, segment: &Segment) -> bool {
        let window = u64::from(segment.window) << self.handshake.peer_shift();
        let position = segment.ack.expand(self.sender.una());
        seq == self.receiver.nxt()
            && segment.flags.contains(Flags::ACK)
            && self.is_duplicate(position, window, segment)
            && self.timestamps.late_by(segment.timestamps) <= self.sender.rto().timeout()
    }

    /// Answers an unexpected segment with an acknowledgement, not too often (RFC 5961 §7).
    fn challenge(&mut self, now: Instant) {
        if self.challenges.allows(now) {
            self.receiver.require_ack(RequiredAck::Pure);
        }
    }

    fn on_unacceptable(&mut self, now: Instant, seq: u64, segment: &Segment) {
        if segment.flags.contains(Flags::RST) {
            return;
        }
        // Segments that occupy sequence numbers are retransmitted until they are acknowledged; for
        // others a limited number of answers is enough.
        if segment.sequence_length() > 0 {
            let first = seq + u64::from(segment.flags.contains(Flags::SYN));
            self.receiver.on_unacceptable(now, first, segment.payload.0);
        } else {
            self.challenge(now);
        }
        if self.state == State::TimeWait && segment.flags.contains(Flags::FIN) {
            // RFC 9293 §3.10.7.4, eighth step: the peer has not received our ACK.
            self.wait_in_time_wait(now);
        }
    }

    /// Returns `false` if a connection in SYN-RECEIVED is not established by this acknowledgement.
    fn is_established_by(
        &mut self,
        now: Instant,
        segment: &Segment,
        out: &mut Outbox<Effect>,
    ) -> bool {
        if self.state != State::SynReceived {
            return true;
        }
        let acknowledged = self.acknowledges_syn(segment);
        if acknowledged {
            self.establish(now, segment, out);
        } else {
            self.refuse(now, segment, out);
        }
        acknowledged
    }

    /// RFC 9293 §3.10.7.4, fifth step. Returns `false` if the segment acknowledges data that was
    /// never sent.
    fn on_acknowledgement(
        &mut self,
        now: Instant,
        (seq, ends_handshake): (u64, bool),
        segment: &Segment,
        out: &mut Outbox<Effect>,
    ) -> bool {
        let position = segment.ack.expand(self.sender.una());
        if position > self.sender.sent_end() {
            self.challenge(now);
            return false;
        }
        let window = u64::from(segment.window) << self.handshake.peer_shift();
        if self.sender.is_unaffected(position, &segment.sack) {
            self.sender.on_window(now, seq, position, window);
            self.timers.stop(Timer::Retransmission);
            return true;
        }
        // Fast Open: the segment that ends the handshake may be the first to find data in flight.
        let is_first = ends_handshake && position == self.sender.una();
        let acked = self.sender.on_acknowledgement(
            now,
            &Acknowledgement {
                position,
                blocks: &segment.sack,
                duplicate: !is_first && self.is_duplicate(position, window, segment),
                echo: self.timestamps.sample(now, segment.timestamps),
                echoed: self.timestamps.echoed(now, segment.timestamps),
                flags: Some(segment.flags).filter(|_| !is_first),
                counters: segment.byte_counters.as_deref(),
            },
        );
        if position >= self.sender.una() {
            self.sender.on_window(now, seq, position, window);
        }
        if !self.sender.has_flight() {
            self.timers.stop(Timer::Retransmission);
        } else if acked.restarts_timer {
            self.restart_retransmission_timer(now);
        }
        if acked.advanced {
            out.emit(Effect::Acked { total: self.sender.acked() });
            self.on_fin_acknowledged(now, out);
        }
        true
    }

    /// RFC 5681 §2
    fn is_duplicate(&self, position: u64, window: u64, segment: &Segment) -> bool {
        position == self.sender.una()
            && segment.sequence_length() == 0
            && window == self.sender.window().size()
    }

    /// RFC 9293 §3.10.7.4, seventh and eighth step
    pub(super) fn on_text(
        &mut self,
        now: Instant,
        seq: u64,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        if !self.state.is_receiving() {
            return;
        }
        let segment = header(&packet);
        let length = segment.payload.0;
        if segment.flags.contains(Flags::FIN) {
            self.receiver.on_fin(seq + length);
        }
        if length > 0 {
            let (timestamps, stamp) = (&self.timestamps, segment.timestamps);
            let smoothed = self.sender.rto().mean();
            self.receiver.tune(length, smoothed, || Trip {
                rtt: timestamps.sample(now, stamp).or(smoothed),
                echoed: timestamps.echoed(now, stamp),
            });
            let push = segment.flags.contains(Flags::PSH);
            self.receiver.on_data(now, seq, length, packet, out);
            if push {
                self.receiver.on_push();
            }
        } else {
            drop(self.reuse(packet));
        }
        if self.receiver.take_fin(now) {
            self.on_fin_received(now, out);
        }
    }
}
