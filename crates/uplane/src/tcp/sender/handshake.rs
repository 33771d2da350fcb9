//! Changes of a sender by the handshake (RFC 9293 §3.5).
//!
//! In: the SYN with its data (RFC 7413), and the options that both SYNs agreed on. Out: a sender
//! that may send.

use super::super::congestion::{self, controller::Start};
use super::super::ecn::{EcnSender, Feedback};
use super::super::profile::InitialWindow;
use super::super::recovery::Recovery;
use super::super::rto::Round;
use super::{Sender, unknown};
use crate::net::Flags;
use crate::unit::{Duration, Instant};

/// Results of the handshake for a sender.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Terms {
    /// Maximum payload of a segment.
    pub(in crate::tcp) mss: u64,
    /// Both ends agreed on SACK.
    pub(in crate::tcp) sack: bool,
    /// Number of SYNs that count as lost.
    pub(in crate::tcp) lost_syns: u32,
    /// The SYN was sent more than once.
    pub(in crate::tcp) syn_was_retransmitted: bool,
    /// The round-trip time of the handshake, if it is unambiguous.
    pub(in crate::tcp) sample: Option<Duration>,
    /// Feedback of marks, if both ends agreed on ECN.
    pub(in crate::tcp) feedback: Option<Feedback>,
    /// Flags of the segment that completed the handshake, if they reflect the ECN field of our SYN.
    pub(in crate::tcp) reflected: Option<Flags>,
    /// Bytes of our SYN's data that the peer acknowledged (RFC 7413).
    pub(in crate::tcp) acked: u64,
    /// Time of the end of the handshake.
    pub(in crate::tcp) now: Instant,
}

impl Sender {
    /// Books the departure of the SYN.
    pub(in crate::tcp) fn on_syn_sent(&mut self) {
        self.nxt = self.nxt.max(self.start);
    }

    /// Books a SYN with as much written data as fits in `room`, and returns the amount.
    pub(in crate::tcp) fn send_in_syn(&mut self, room: u64) -> u64 {
        let length = (self.writes.end() - self.start).min(room);
        self.in_syn = length as u32;
        self.nxt = self.start + length;
        self.counters.segments += u64::from(length > 0);
        length
    }

    /// Returns the bytes of data that the SYN carried.
    #[inline]
    pub(in crate::tcp) fn sent_in_syn(&self) -> u64 {
        u64::from(self.in_syn)
    }

    /// Completes the handshake.
    pub(in crate::tcp) fn open(&mut self, terms: &Terms) {
        // Data of a SYN that was not acknowledged is sent as new data (RFC 7413 §4.2.2).
        self.una = self.start + terms.acked;
        self.nxt = self.una;
        (self.last_sent, self.empty_since) = (terms.now, terms.now);
        if terms.acked > 0 {
            let waits = self.limits.waits();
            self.writes.refill(self.una, waits);
        }
        if terms.syn_was_retransmitted {
            // The sample below replaces this timeout.
            self.rto.on_syn_lost();
        }
        // RFC 5681 §3.1: after a lost SYN the window is one segment.
        let is_one = terms.lost_syns > self.profile.syns_lost_before_one_segment;
        let initial = self.profile.initial_window;
        let initial = if is_one { InitialWindow::Segments(1) } else { initial };
        self.mss = terms.mss;
        let counts_marks = terms.feedback == Some(Feedback::Accurate);
        let begin = Start {
            mss: terms.mss,
            rtt: terms.sample,
            initial_window: initial,
            counts_marks,
            ..unknown(&self.profile)
        };
        self.congestion = congestion::start(&begin, &self.profile);
        if self.congestion.wants_losses() {
            self.flight.note_losses();
        }
        if self.congestion.pacing_rate().is_some() {
            self.pacer.pace_all();
        }
        self.recovery = Recovery::new(&self.profile, terms.sack, self.start - 1);
        if terms.feedback.is_some() {
            self.recovery.enable_mark_response(&self.profile, self.start - 1);
        }
        self.ecn = terms.feedback.map(|feedback| {
            let mut ecn = EcnSender::new(feedback, self.congestion.field());
            if let Some(flags) = terms.reflected {
                ecn.on_reflection(flags);
            }
            Box::new(ecn)
        });
        if let Some(sample) = terms.sample {
            self.on_handshake_sample(sample);
        }
    }

    fn on_handshake_sample(&mut self, sample: Duration) {
        let (una, nxt) = (self.una, self.nxt);
        self.flight.on_handshake(sample);
        self.rto.on_sample(sample, Round { expected: 1, una, nxt });
    }

    /// Holds the FIN until the handshake ends, though this end is open (RFC 7413).
    pub(in crate::tcp) fn hold_fin(&mut self) {
        self.holds_fin = true;
    }

    /// Completes the handshake of an end that was open before. `sample` is its round trip, if
    /// known; `timed_out` if the SYN-ACK timed out.
    pub(in crate::tcp) fn on_handshake_over(&mut self, sample: Option<Duration>, timed_out: bool) {
        self.holds_fin = false;
        self.recovery.cancel_probe();
        if timed_out {
            self.rto.on_syn_lost();
        }
        if let Some(sample) = sample {
            self.on_handshake_sample(sample);
        }
    }

    /// Processes flags that reflect the ECN field of our SYN-ACK.
    pub(in crate::tcp) fn on_reflection(&mut self, flags: Flags) {
        if let Some(ecn) = &mut self.ecn {
            ecn.on_reflection(flags);
        }
    }

    /// Stops the response to marks: the peer has sent a SYN that does not request feedback (RFC
    /// 3168 §6.1.1).
    pub(in crate::tcp) fn disable_ecn(&mut self) {
        self.ecn = None;
    }
}
