//! Explicit congestion notification of one end (RFC 3168 §6.1, RFC 9768): the negotiation of
//! feedback.
//!
//! In: the flags of the two SYNs. Out: the feedback of marks that both ends agreed on. The feedback
//! itself is in [`receiver`], the response to it in [`sender`].
//!
//! Only new data is ECT: neither SYNs nor acknowledgements nor retransmissions nor window probes
//! (RFC 3168 §6.1.1, §6.1.4 to §6.1.6). Retransmissions of an L4S sender are ECT(1) too (RFC 8311
//! §4.3): otherwise they would wait in the other queue.
//!
//! Byte counters beside the packet counter, the AccECN option, are in [`field_bytes`].
//!
//! Left out: tests for middleboxes that change the fields or strip the option (RFC 9768 §3.2.2,
//! §3.2.3.2): none here does. ECT on SYNs and acknowledgements (RFC 8311 §4.3), which matters only
//! for their losses.

mod field_bytes;
mod receiver;
mod sender;

pub(super) use self::receiver::{AckUrgency, EcnReceiver};
pub(super) use self::sender::{EcnSender, MarkCounts};
use super::profile::EcnMode;
use crate::net::{Ecn, Flags};

/// Feedback of marks by a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feedback {
    /// `ECE` until `CWR` (RFC 3168 §6.1.3).
    Classic,
    /// A counter of marked packets (RFC 9768).
    Accurate,
}

impl Feedback {
    /// Returns the feedback that our SYN asks for in the `attempt`th transmission, counted from
    /// zero.
    ///
    /// The flags may be the reason for the loss of a SYN: RFC 3168 §6.1.1.1 asks once, RFC 9768
    /// §3.1.4.1 twice.
    pub(super) fn asked(mode: EcnMode, attempt: u32) -> Option<Self> {
        match mode {
            EcnMode::Classic if attempt == 0 => Some(Self::Classic),
            EcnMode::Accurate if attempt <= 1 => Some(Self::Accurate),
            _ => None,
        }
    }

    /// Returns the flags of a SYN that asks for this feedback (RFC 3168 §6.1.1, RFC 9768 §3.1.1).
    pub(super) fn request(self) -> Flags {
        match self {
            Self::Classic => Flags::ECE.with(Flags::CWR),
            Self::Accurate => Flags::of_ace(0b111),
        }
    }

    /// Returns the feedback that a SYN with these flags asks for, as far as `mode` grants it.
    pub(super) fn granted(mode: EcnMode, flags: Flags) -> Option<Self> {
        match (mode, flags.ace()) {
            (EcnMode::Accurate, 0b111) => Some(Self::Accurate),
            (EcnMode::Passive | EcnMode::Classic | EcnMode::Accurate, 0b011 | 0b111) => {
                Some(Self::Classic)
            }
            _ => None,
        }
    }

    /// Returns the flags of the SYN-ACK that grants this feedback to a SYN that arrived with
    /// `field` (RFC 9768 §3.1.2, table 2).
    pub(super) fn answer(self, field: Ecn) -> Flags {
        match self {
            Self::Classic => Flags::ECE,
            Self::Accurate => Flags::of_ace(reflection(field)),
        }
    }

    /// Returns the feedback that a SYN-ACK with these flags grants, if our SYN asked for this one.
    pub(super) fn answered(self, flags: Flags) -> Option<Self> {
        match (self, flags.ace()) {
            (Self::Accurate, 0b010 | 0b011 | 0b100 | 0b110) => Some(Self::Accurate),
            (Self::Accurate, 0b001 | 0b101) => Some(Self::Classic),
            (Self::Classic, ace) if ace & 0b011 == 0b001 => Some(Self::Classic),
            _ => None,
        }
    }
}

/// Returns the reflection of the ECN field of a handshake packet (RFC 9768 §3.1.2 and §3.2.2.1).
pub(super) fn reflection(field: Ecn) -> u8 {
    match field {
        Ecn::NotEct => 0b010,
        Ecn::Ect1 => 0b011,
        Ecn::Ect0 => 0b100,
        Ecn::Ce => 0b110,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [EcnMode; 4] = [EcnMode::Off, EcnMode::Passive, EcnMode::Classic, EcnMode::Accurate];

    /// Returns the feedback that an opener of mode `ours` and a listener of mode `theirs` agree on.
    fn agreed(ours: EcnMode, theirs: EcnMode) -> Option<Feedback> {
        let asked = Feedback::asked(ours, 0);
        let request = asked.map_or(Flags::default(), Feedback::request);
        let granted = Feedback::granted(theirs, request);
        let answer = granted.map_or(Flags::default(), |it| it.answer(Ecn::NotEct));
        let opener = asked.and_then(|it| it.answered(answer));
        assert_eq!(opener, granted, "{ours:?} {theirs:?}: both ends know the same");
        granted
    }

    /// RFC 3168 §6.1.1; RFC 9768 §3.1.2, table 2: the simpler of both modes decides.
    #[test]
    fn two_ends_agree_on_the_simpler_mode() {
        use Feedback::{Accurate, Classic};
        for theirs in ALL {
            assert_eq!(agreed(EcnMode::Off, theirs), None);
            assert_eq!(agreed(EcnMode::Passive, theirs), None, "it does not ask");
        }
        let classic = ALL.map(|theirs| agreed(EcnMode::Classic, theirs));
        assert_eq!(classic, [None, Some(Classic), Some(Classic), Some(Classic)]);
        let accurate = ALL.map(|theirs| agreed(EcnMode::Accurate, theirs));
        assert_eq!(accurate, [None, Some(Classic), Some(Classic), Some(Accurate)]);
    }

    /// RFC 3168 §6.1.1: only both flags of a SYN ask, only `ECE` alone of a SYN-ACK grants. RFC
    /// 9768 §3.1.2: a peer that returns all flags unchanged is broken.
    #[test]
    fn other_flags_agree_on_nothing() {
        for flags in [Flags::default(), Flags::ECE, Flags::CWR, Flags::AE] {
            assert_eq!(Feedback::granted(EcnMode::Accurate, flags), None, "{flags:?}");
        }
        for ace in [0b000, 0b010, 0b011, 0b111] {
            assert_eq!(Feedback::Classic.answered(Flags::of_ace(ace)), None, "{ace:03b}");
        }
        for ace in [0b000, 0b111] {
            assert_eq!(Feedback::Accurate.answered(Flags::of_ace(ace)), None, "{ace:03b}");
        }
    }

    /// RFC 3168 §6.1.1.1, RFC 9768 §3.1.4.1
    #[test]
    fn unanswered_syn_requests_no_more_feedback() {
        let asks = |mode| [0, 1, 2].map(|attempt| Feedback::asked(mode, attempt).is_some());
        assert_eq!(asks(EcnMode::Classic), [true, false, false]);
        assert_eq!(asks(EcnMode::Accurate), [true, true, false]);
    }
}
