//! The handshake (RFC 9293 §3.5), and the options that both SYNs agree on.

use super::super::ecn::{EcnReceiver, Feedback};
use super::super::effect::{CloseReason, Effect};
use super::super::profile::EcnOption;
use super::super::receiver::RequiredAck;
use super::super::segment_size::SegmentSize;
use super::super::sender::Terms;
use super::super::state::State;
use super::super::timer::Timer;
use super::{Connection, header};
use crate::net::{ByteCounters, Ecn, Flags, Packet, Segment, SequenceNumber};
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

/// State of the handshake.
#[derive(Clone, Debug)]
pub(super) struct Handshake {
    /// Stream position of our SYN.
    syn: u64,
    /// Time of the first transmission of our SYN.
    first_sent: Instant,
    /// Number of transmissions of our SYN.
    attempts: u32,
    /// Number of retransmissions by the timer. A SYN-ACK that answers a retransmitted SYN does not
    /// count, since the peer has been heard.
    timeouts: u32,
    peer: Offer,
    /// ECN feedback that a SYN of ours has asked for.
    asked: Option<Feedback>,
    /// A SYN of ours has not asked for feedback, so our data is not ECT (RFC 3168 §6.1.1). An
    /// answer to the SYN that asked may still come, and grant feedback of the peer's marks.
    sent_plain_syn: bool,
    /// The last acknowledgement of the handshake is being held.
    held: bool,
}

/// Results of a handshake, or of a SYN with a cookie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agreed {
    /// The round trip of our SYN, if it is unambiguous.
    pub(super) sample: Option<Duration>,
    /// Number of our SYNs that count as lost.
    pub(super) lost_syns: u32,
    /// The peer's sequence number and window.
    pub(super) first: (u64, u64),
    /// Flags of the segment that completes the handshake, if they reflect the ECN field of our SYN.
    pub(super) reflected: Option<Flags>,
    /// Bytes of our SYN's data that the segment acknowledges (RFC 7413).
    pub(super) acked: u64,
}

/// Options of the peer's SYN.
#[derive(Clone, Copy, Debug)]
struct Offer {
    mss: Option<Bytes>,
    window_scale: Option<u8>,
    sack: bool,
    timestamps: bool,
    /// Feedback of marks that both ends agreed on.
    feedback: Option<Feedback>,
    /// ECN field of the peer's SYN.
    field: Ecn,
}

impl Handshake {
    pub(super) fn new(syn: u64) -> Self {
        let peer = Offer {
            mss: None,
            window_scale: None,
            sack: false,
            timestamps: false,
            feedback: None,
            field: Ecn::NotEct,
        };
        let first_sent = Instant::ZERO;
        let (attempts, timeouts) = (0, 0);
        let (asked, sent_plain_syn, held) = (None, false, false);
        Self { syn, first_sent, attempts, timeouts, peer, asked, sent_plain_syn, held }
    }

    /// Returns `true` while nothing may leave because the handshake's last acknowledgement is held.
    pub(super) fn is_held(&self) -> bool {
        self.held
    }

    /// Releases the held acknowledgement.
    pub(super) fn release(&mut self) {
        self.held = false;
    }

    /// Returns `true` if our SYN has left more than once.
    pub(super) fn was_retransmitted(&self) -> bool {
        self.attempts > 1
    }

    /// Returns `true` if our SYN was not acknowledged in time.
    pub(super) fn has_timed_out(&self) -> bool {
        self.timeouts > 0
    }

    /// Returns the number of our SYNs that count as lost (RFC 5681 §3.1): none before the timer has
    /// expired, and none if the peer echoes the timestamp of the first SYN, which was only late.
    /// Linux decides in the same way (`tcp_try_undo_spurious_syn`).
    fn lost(&self, echoes_first: bool) -> u32 {
        if self.has_timed_out() && !echoes_first { self.attempts - 1 } else { 0 }
    }

    /// Returns `true` if both ends have offered SACK.
    pub(super) fn agreed_on_sack(&self) -> bool {
        self.peer.sack
    }

    /// Returns the shift of the peer's window fields (`Snd.Wind.Shift`).
    pub(super) fn peer_shift(&self) -> u8 {
        // RFC 7323 §2.3: a shift above 14 counts as 14.
        self.peer.window_scale.unwrap_or(0).min(14)
    }
}

impl Connection {
    /// RFC 9293 §3.10.7.2
    pub(super) fn on_segment_in_listen(
        &mut self,
        now: Instant,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        let segment = header(&packet);
        if segment.flags.contains(Flags::RST) {
            return;
        }
        if segment.flags.contains(Flags::ACK) {
            self.refuse(now, segment, out);
        } else if segment.flags.contains(Flags::SYN) {
            self.take_syn(now, segment, packet.ecn());
            self.state = State::SynReceived;
            self.on_fast_open_request(now, packet, out);
            self.transmit_syn(now, out);
        }
    }

    /// RFC 9293 §3.10.7.3
    pub(super) fn on_segment_in_syn_sent(
        &mut self,
        now: Instant,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        let segment = header(&packet);
        let has_ack = segment.flags.contains(Flags::ACK);
        let acknowledged = has_ack && self.acknowledges_syn(segment);
        if segment.flags.contains(Flags::RST) {
            if acknowledged {
                self.end(CloseReason::Reset, out);
            }
        } else if has_ack && !acknowledged {
            self.refuse(now, segment, out);
        } else if segment.flags.contains(Flags::SYN) {
            self.take_syn(now, segment, packet.ecn());
            if acknowledged {
                self.establish(now, segment, out);
                self.acknowledge_handshake(now);
                if segment.sequence_length() > 1 {
                    // RFC 7413 §4.2.2: the SYN-ACK may have data and a FIN.
                    let first = self.receiver.start();
                    self.on_text(now, first, packet, out);
                }
            } else {
                // Simultaneous open: both ends have sent a SYN.
                self.state = State::SynReceived;
                self.transmit_syn(now, out);
            }
        }
    }

    /// Processes a retransmitted SYN, or the other half of a simultaneous open.
    ///
    /// The SYN is before the window, so RFC 9293 §3.10.7.4 answers it with an ACK (first step). A
    /// peer in SYN-SENT drops an ACK without a SYN (§3.10.7.3), and would wait for our timer though
    /// its SYN shows that the SYN-ACK is missing. We retransmit the SYN-ACK, as hosts do; it
    /// contains the ACK.
    pub(super) fn on_syn_in_syn_received(
        &mut self,
        now: Instant,
        segment: &Segment,
        out: &mut Outbox<Effect>,
    ) {
        if segment.flags.contains(Flags::ACK) && self.acknowledges_syn(segment) {
            self.establish(now, segment, out);
        } else {
            // RFC 3168 §6.1.1: an end whose SYN does not ask for ECN does not answer marks.
            if Feedback::granted(self.profile.ecn, segment.flags).is_none() {
                self.handshake.peer.feedback = None;
                self.sender.disable_ecn();
                self.receiver.disable_ecn();
            }
            self.transmit_syn(now, out);
        }
    }

    /// Returns `true` if the segment acknowledges our SYN, and no data beyond the data sent.
    pub(super) fn acknowledges_syn(&self, segment: &Segment) -> bool {
        let nxt = self.sender.nxt();
        (self.handshake.syn + 1..=nxt).contains(&segment.ack.expand(nxt))
    }

    /// Returns `true` for the SYN that opened the connection.
    pub(super) fn is_first_syn(&self, segment: &Segment) -> bool {
        segment.flags.contains(Flags::SYN)
            && self.receiver.position(segment.seq) + 1 == self.receiver.start()
    }

    /// Completes the handshake: `segment` acknowledges our SYN.
    pub(super) fn establish(&mut self, now: Instant, segment: &Segment, out: &mut Outbox<Effect>) {
        // RFC 6298 §3: a retransmitted SYN gives a sample only by its timestamp, which names the
        // acknowledged transmission.
        let first_sent = self.handshake.first_sent;
        let lost_syns = self.handshake.lost(self.timestamps.echoes(first_sent, segment.timestamps));
        let sample = if self.handshake.attempts == 1 {
            Some(now.saturating_since(first_sent))
        } else {
            self.timestamps.sample(now, segment.timestamps)
        };
        // RFC 7323 §2.2: the window of a SYN is not scaled.
        let is_syn = segment.flags.contains(Flags::SYN);
        let shift = if is_syn { 0 } else { self.handshake.peer_shift() };
        let window = u64::from(segment.window) << shift;
        let seq = self.receiver.position(segment.seq);
        let is_plain = segment.payload.is_zero() && segment.sack.is_empty();
        let acked = segment.ack.expand(self.sender.nxt()) - (self.handshake.syn + 1);
        let is_plain = is_plain && (acked == 0 || !self.is_open_early());
        let reflected = (is_syn || is_plain).then_some(segment.flags);
        let agreed = Agreed { sample, lost_syns, first: (seq, window), reflected, acked };
        if self.is_open_early() {
            self.finish_early(now, &agreed, out);
            return;
        }
        self.open(now, agreed);
        self.timers.stop(Timer::Retransmission);
        out.emit(Effect::Connected);
        if is_syn {
            self.on_fast_open_answer(segment, acked, out);
        }
        if acked > 0 {
            out.emit(Effect::Acked { total: self.sender.acked() });
        }
    }

    /// Sets the state after a handshake with a peer of the same profile.
    pub(super) fn assume_handshake(&mut self, now: Instant) {
        let profile = &self.profile;
        let shift = self.receiver.shift();
        self.handshake.peer = Offer {
            mss: Some(profile.mss),
            window_scale: profile.window_scaling.then_some(shift),
            sack: profile.sack,
            timestamps: profile.timestamps,
            feedback: Feedback::asked(profile.ecn, 0),
            field: Ecn::NotEct,
        };
        self.timestamps.enabled = profile.timestamps;
        let window = u64::from(self.receiver.window_field()) << shift;
        self.receiver.on_syn(now, self.handshake.syn, profile.window_scaling);
        self.handshake.attempts = 1;
        let first = (self.receiver.nxt(), window);
        self.open(now, Agreed { sample: None, lost_syns: 0, first, reflected: None, acked: 0 });
    }

    /// Sends our SYN, with the acknowledgement of the peer's SYN if that has arrived.
    pub(super) fn transmit_syn(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let is_answer = self.state == State::SynReceived;
        let is_first = self.handshake.attempts == 0;
        let (fast_open, payload) =
            if is_first { self.fast_open_of_syn(is_answer) } else { (None, Bytes::ZERO) };
        let profile = &self.profile;
        let peer = &self.handshake.peer;
        let offers = |ours: bool, theirs: bool| ours && (theirs || !is_answer);
        let mut segment = Segment {
            seq: SequenceNumber::from_offset(self.handshake.syn),
            flags: Flags::SYN,
            window: self.receiver.syn_window_field(),
            mss: profile.announce_mss.then(|| u16::try_from(profile.mss.0).unwrap_or(u16::MAX)),
            window_scale: offers(profile.window_scaling, peer.window_scale.is_some())
                .then(|| self.receiver.shift()),
            sack_permitted: offers(profile.sack, peer.sack),
            timestamps: offers(profile.timestamps, peer.timestamps)
                .then(|| self.timestamps.offer(now)),
            fast_open,
            payload,
            ..Segment::default()
        };
        if is_answer {
            let granted = peer.feedback.map_or(Flags::default(), |it| it.answer(peer.field));
            segment.flags = Flags::SYN.with(Flags::ACK).with(granted);
            segment.ack = SequenceNumber::from_offset(self.receiver.nxt());
            if is_first && peer.feedback == Some(Feedback::Accurate) {
                let counters = first_counters(profile.ecn_option, &segment);
                segment.byte_counters = counters.map(Box::new);
            }
        } else if let Some(feedback) = Feedback::asked(profile.ecn, self.handshake.timeouts) {
            segment.flags = segment.flags.with(feedback.request());
            self.handshake.asked = Some(feedback);
        } else {
            self.handshake.sent_plain_syn = true;
        }
        if self.is_open_early() {
            self.receiver.on_ack_sent();
        }
        self.sender.on_syn_sent();
        self.handshake.attempts += 1;
        if is_first {
            self.handshake.first_sent = now;
        }
        self.restart_retransmission_timer(now);
        self.emit(now, segment, out);
    }

    /// RFC 6298 §5: retransmits a SYN that was not acknowledged in time.
    pub(super) fn on_syn_timeout(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let linear = self.linear_timeouts();
        if self.handshake.timeouts >= self.profile.syn_retries.saturating_add(linear) {
            self.end(CloseReason::TimedOut, out);
        } else {
            self.handshake.timeouts += 1;
            if self.handshake.timeouts > linear {
                // RFC 6298 §5.5
                self.sender.rto().back_off();
            }
            let too_often = self.profile.syns_lost_before_one_segment + 1;
            if self.is_open_early() && self.handshake.timeouts == too_often {
                self.sender.on_syn_timeout(now);
            }
            self.transmit_syn(now, out);
        }
    }

    /// Returns the number of timeouts that do not double the next one: none for a SYN-ACK, as in
    /// Linux.
    fn linear_timeouts(&self) -> u32 {
        if self.state == State::SynSent { self.profile.syn_linear_timeouts } else { 0 }
    }

    /// Stores the options of the peer's SYN.
    fn take_syn(&mut self, now: Instant, segment: &Segment, field: Ecn) {
        let profile = &self.profile;
        let feedback = if segment.flags.contains(Flags::ACK) {
            self.handshake.asked.and_then(|asked| asked.answered(segment.flags))
        } else {
            Feedback::granted(profile.ecn, segment.flags)
        };
        self.handshake.peer = Offer {
            mss: segment.mss.map(|mss| Bytes(u64::from(mss))),
            window_scale: segment.window_scale.filter(|_| profile.window_scaling),
            sack: profile.sack && segment.sack_permitted,
            timestamps: profile.timestamps && segment.timestamps.is_some(),
            feedback,
            field,
        };
        if let Some(stamp) = segment.timestamps.filter(|_| profile.timestamps) {
            self.timestamps.on_syn(now, stamp);
        }
        let syn = super::FIRST_ROUND + u64::from(segment.seq.0);
        self.receiver.on_syn(now, syn, self.handshake.peer.window_scale.is_some());
    }

    pub(super) fn open(&mut self, now: Instant, agreed: Agreed) {
        let Agreed { sample, lost_syns, first: (seq, window), reflected, acked } = agreed;
        let peer = self.handshake.peer;
        if let Some(feedback) = peer.feedback {
            let is_opener = self.state == State::SynSent;
            let receiver = EcnReceiver::new(feedback, peer.field, is_opener);
            self.receiver.enable_ecn(receiver.with_option(self.profile.ecn_option));
        }
        if peer.sack {
            self.receiver.on_sack_agreed();
        }
        self.size = SegmentSize::new(&self.profile, peer.mss, peer.timestamps);
        if let Some(mtu) = self.path_mtu_of_syn() {
            self.size.lower(mtu, self.profile.ip.header());
        }
        self.sender.open(&Terms {
            mss: self.size.payload(),
            sack: peer.sack,
            lost_syns,
            syn_was_retransmitted: self.handshake.was_retransmitted(),
            sample,
            feedback: peer.feedback.filter(|_| !self.handshake.sent_plain_syn),
            reflected,
            acked,
            now,
        });
        self.sender.open_window(seq, self.handshake.syn + 1, window);
        self.state = State::Established;
        self.opened = Some((now, self.sender.limits().waits()));
    }

    fn acknowledge_handshake(&mut self, now: Instant) {
        let hold = self.profile.handshake_ack_hold;
        if hold.is_zero() {
            let alone = self.receiver.awaits_pure_ack();
            self.receiver.require_ack(if alone { RequiredAck::Pure } else { RequiredAck::Any });
        } else {
            self.handshake.held = true;
            self.timers.set(Timer::HandshakeHold, now + hold);
        }
    }
}

/// Returns the AccECN option of a SYN-ACK, which announces the support of it (RFC 9768 §3.2.3.2).
fn first_counters(rule: EcnOption, syn_ack: &Segment) -> Option<ByteCounters> {
    let count = ByteCounters::fitting(syn_ack.room_for_options());
    let first = ByteCounters::all(1, 0, 1, false);
    (rule != EcnOption::Off && count > 0).then(|| first.shortened(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Cookie, Timestamps};
    use crate::tcp::Profile;

    /// RFC 9768 §3.2.3: an option with one counter takes eight bytes. A SYN-ACK with a cookie of 16
    /// bytes and all other options has no room for it, so it has no option, not an empty one.
    #[test]
    fn a_full_syn_ack_has_no_byte_counters() {
        let mut syn_ack = Segment {
            mss: Some(1460),
            window_scale: Some(7),
            sack_permitted: true,
            timestamps: Some(Timestamps::default()),
            ..Segment::default()
        };
        assert!(first_counters(EcnOption::Full, &syn_ack).is_some());
        assert!(first_counters(EcnOption::Off, &syn_ack).is_none());
        syn_ack.fast_open = Some(Cookie { value: 0, length: 16 });
        assert_eq!(syn_ack.room_for_options(), 0);
        assert!(first_counters(EcnOption::Full, &syn_ack).is_none());
    }

    /// RFC 9293 §3.10.7.3: `ISS < SEG.ACK =< SND.NXT`.
    #[test]
    fn sequence_number_of_a_syn_acknowledges_nothing() {
        let mut end = Connection::new(&Profile::rfc(), 7);
        end.connect(Instant::ZERO, &mut Outbox::default());
        let syn = end.handshake.syn;
        let acknowledges = |ack| {
            let ack = SequenceNumber::from_offset(ack);
            end.acknowledges_syn(&Segment { ack, ..Segment::default() })
        };
        assert_eq!([syn - 1, syn, syn + 1, syn + 2].map(acknowledges), [false, false, true, false]);
    }
}
