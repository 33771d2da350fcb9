//! Feedback of marks by a receiver (RFC 3168 §6.1.3, RFC 9768 §3.2).
//!
//! In: segments that arrive, each with its ECN field. Out: the flags `AE`, `CWR` and `ECE` of every
//! acknowledgement, and whether one is due at once.

use super::field_bytes::FieldBytes;
use super::{Feedback, reflection};
use crate::net::{ByteCounters, Ecn, Flags};
use crate::tcp::profile::EcnOption;
use crate::unit::{Duration, Instant};

/// The marks that a receiver has seen.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct EcnReceiver {
    feedback: Feedback,
    /// Each acknowledgement has `ECE` until the sender sets `CWR`.
    echoes: bool,
    /// `r.cep`, of which the three lowest bits are sent.
    marked_packets: u8,
    /// Marked packets since the last acknowledgement.
    unreported: u8,
    /// The last data was marked.
    last_was_marked: bool,
    /// ECN field of the SYN-ACK, until it has been reflected.
    handshake: Option<Ecn>,
    /// Data segments that came marked.
    pub(in crate::tcp) marked: u64,
    /// Byte counters, if the AccECN option is sent.
    bytes: Option<Box<FieldBytes>>,
}

/// Urgency of the acknowledgement of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum AckUrgency {
    /// The acknowledgement is no more urgent than without ECN.
    None,
    /// Linux acknowledges this number of segments at once.
    Linux(u32),
    /// At once (RFC 9768 §3.2.2.5.1 and §3.2.3.3).
    Now,
}

impl EcnReceiver {
    pub(in crate::tcp) fn new(feedback: Feedback, syn: Ecn, is_opener: bool) -> Self {
        Self {
            feedback,
            echoes: false,
            marked_packets: FIRST + u8::from(is_opener && syn == Ecn::Ce),
            unreported: 0,
            last_was_marked: false,
            handshake: (is_opener && feedback == Feedback::Accurate).then_some(syn),
            marked: 0,
            bytes: None,
        }
    }

    /// Adds byte counters, which are reported by this rule.
    #[must_use]
    pub(in crate::tcp) fn with_option(self, rule: EcnOption) -> Self {
        let bytes = FieldBytes::new(rule).filter(|_| self.feedback == Feedback::Accurate);
        Self { bytes, ..self }
    }

    /// Returns the AccECN option of an acknowledgement that has `room` bytes for it.
    pub(in crate::tcp) fn option(
        &mut self,
        now: Instant,
        trip: Option<Duration>,
        room: u64,
    ) -> Option<ByteCounters> {
        self.bytes.as_mut()?.option(now, trip, room)
    }

    /// Processes the ECN field of a segment with `length` bytes of data.
    pub(in crate::tcp) fn on_segment(
        &mut self,
        field: Ecn,
        flags: Flags,
        length: u64,
    ) -> AckUrgency {
        let is_marked = field == Ecn::Ce;
        self.marked += u64::from(is_marked && length > 0);
        match self.feedback {
            Feedback::Classic => self.echo(is_marked && length > 0, flags, length),
            Feedback::Accurate => {
                let urgency = self.count(is_marked, length);
                let bytes = self.bytes.as_mut().filter(|_| length > 0);
                if bytes.is_some_and(|it| it.on_data(field, length)) {
                    AckUrgency::Now
                } else {
                    urgency
                }
            }
        }
    }

    /// RFC 3168 §6.1.3: a packet with `CWR` that is marked itself restarts the echo.
    fn echo(&mut self, is_marked: bool, flags: Flags, length: u64) -> AckUrgency {
        let before = self.echoes;
        let is_reduced = flags.contains(Flags::CWR) && length > 0;
        self.echoes = is_marked || (before && !is_reduced);
        match (is_marked && !before, is_reduced) {
            (true, _) => AckUrgency::Linux(2),
            (false, true) => AckUrgency::Linux(1),
            (false, false) => AckUrgency::None,
        }
    }

    /// RFC 9768 §3.2.2.5.1: an acknowledgement is due when marks begin, and with every second mark
    /// of data, or every third of packets without.
    fn count(&mut self, is_marked: bool, length: u64) -> AckUrgency {
        self.marked_packets = self.marked_packets.wrapping_add(u8::from(is_marked));
        self.unreported += u8::from(is_marked);
        let enough = if length > 0 { MARKS_OF_DATA } else { MARKS_WITHOUT_DATA };
        let begins = is_marked && length > 0 && !self.last_was_marked;
        if length > 0 {
            self.last_was_marked = is_marked;
        }
        let is_due = is_marked && (begins || self.unreported >= enough);
        if is_due { AckUrgency::Now } else { AckUrgency::None }
    }

    /// The flags of an acknowledgement, one without data if it is `pure`.
    pub(in crate::tcp) fn flags(&mut self, pure: bool) -> Flags {
        self.unreported = 0;
        match self.feedback {
            Feedback::Classic if self.echoes => Flags::ECE,
            Feedback::Classic => Flags::default(),
            // RFC 9768 §3.2.2.1: the handshake's last acknowledgement reflects the SYN-ACK.
            Feedback::Accurate => match self.handshake.take().filter(|_| pure) {
                Some(field) => Flags::of_ace(reflection(field)),
                None => Flags::of_ace(self.marked_packets),
            },
        }
    }

    /// Returns `true` while the handshake's last acknowledgement has to be a pure one.
    pub(in crate::tcp) fn awaits_pure_ack(&self) -> bool {
        self.handshake.is_some()
    }
}

/// First value of `r.cep` (RFC 9768 §3.2.1): no single misplaced flag makes it.
pub(super) const FIRST: u8 = 5;
/// RFC 9768 §3.2.2.5.1
const MARKS_OF_DATA: u8 = 2;
const MARKS_WITHOUT_DATA: u8 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn classic() -> EcnReceiver {
        EcnReceiver::new(Feedback::Classic, Ecn::NotEct, false)
    }

    fn accurate() -> EcnReceiver {
        EcnReceiver::new(Feedback::Accurate, Ecn::NotEct, false)
    }

    /// RFC 3168 §6.1.3
    #[test]
    fn mark_is_echoed_until_the_sender_reduces() {
        let mut receiver = classic();
        let mut echo = |field, flags| {
            receiver.on_segment(field, flags, 1000);
            receiver.flags(true).contains(Flags::ECE)
        };
        assert!(!echo(Ecn::Ect0, Flags::ACK));
        assert!(echo(Ecn::Ce, Flags::ACK));
        assert!(echo(Ecn::Ect0, Flags::ACK), "CWR has not come");
        assert!(!echo(Ecn::Ect0, Flags::CWR));
        assert!(echo(Ecn::Ce, Flags::CWR), "the packet that says CWR was marked itself");
    }

    /// RFC 3168 §6.1.4: an acknowledgement is not ECN-capable, so its field has no meaning.
    #[test]
    fn only_marks_of_data_are_echoed() {
        let mut receiver = classic();
        receiver.on_segment(Ecn::Ce, Flags::ACK, 0);
        assert_eq!((receiver.flags(true), receiver.marked), (Flags::default(), 0));
    }

    /// RFC 9768 §3.2.1: five at first, plus one for each marked packet, modulo eight.
    #[test]
    fn the_field_counts_marked_packets() {
        let mut receiver = accurate();
        let mut fields = Vec::new();
        for _ in 0..5 {
            fields.push(receiver.flags(true).ace());
            receiver.on_segment(Ecn::Ce, Flags::ACK, 1000);
        }
        receiver.on_segment(Ecn::Ect1, Flags::ACK, 1000);
        fields.push(receiver.flags(false).ace());
        assert_eq!(fields, [5, 6, 7, 0, 1, 2]);
    }

    /// RFC 9768 §3.2.2.5.1
    #[test]
    fn marks_make_the_acknowledgement_urgent() {
        let mut receiver = accurate();
        let mut urgency = |field| receiver.on_segment(field, Flags::ACK, 1000) == AckUrgency::Now;
        assert!(!urgency(Ecn::Ect1));
        assert!(urgency(Ecn::Ce), "marks begin");
        assert!(urgency(Ecn::Ce), "two marks since the last acknowledgement");
        receiver.flags(true);
        assert!(receiver.on_segment(Ecn::Ce, Flags::ACK, 1000) == AckUrgency::None);
        assert!(receiver.on_segment(Ecn::Ect1, Flags::ACK, 1000) == AckUrgency::None);
        assert!(receiver.on_segment(Ecn::Ce, Flags::ACK, 1000) == AckUrgency::Now);
    }

    /// RFC 9768 §3.2.2.1: once, and on an acknowledgement without data.
    #[test]
    fn first_acknowledgement_reflects_the_syn_ack() {
        for (field, ace) in
            [(Ecn::NotEct, 0b010), (Ecn::Ect1, 0b011), (Ecn::Ect0, 0b100), (Ecn::Ce, 0b110)]
        {
            let mut receiver = EcnReceiver::new(Feedback::Accurate, field, true);
            let first = FIRST + u8::from(field == Ecn::Ce);
            assert_eq!([receiver.flags(true).ace(), receiver.flags(true).ace()], [ace, first]);
        }
        let mut receiver = EcnReceiver::new(Feedback::Accurate, Ecn::NotEct, true);
        assert_eq!(receiver.flags(false).ace(), FIRST);
    }
}
