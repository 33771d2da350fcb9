//! Response of a sender to the feedback of marks (RFC 3168 §6.1.2, RFC 9768 §3.2.2).
//!
//! In: the flags of acknowledgements. Out: the number of marked segments, the flag `CWR` of
//! departures, and the ECN field of data.

use super::Feedback;
use super::receiver::FIRST;
use crate::net::{ByteCounters, Ecn, Flags};

/// The marks that were reported to a sender.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct EcnSender {
    feedback: Feedback,
    /// ECN field of data: ECT(0), or ECT(1) for a scalable control.
    field: Ecn,
    /// `s.cep`, the three lowest bits.
    marked_packets: u8,
    /// `s.ceb`
    marked_bytes: u32,
    /// Bytes assumed to be marked since the last option with a counter of marked bytes.
    assumed: u64,
    /// The next new data has `CWR`.
    cwr_pending: bool,
    /// Average number of segments that an acknowledgement delivers, in units of `1 / PARTS`.
    usual: u64,
    pub(in crate::tcp) counts: MarkCounts,
}

/// Counts of marks at a sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tcp) struct MarkCounts {
    /// Acknowledgements that reported marks.
    pub(in crate::tcp) echoes: u64,
    /// Reductions of the window for a mark.
    pub(in crate::tcp) reductions: u64,
}

/// Marks reported by one acknowledgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tcp) struct Echo {
    /// The acknowledgement reports marks.
    pub(in crate::tcp) congested: bool,
    /// Bytes that were marked; zero where the feedback does not count.
    pub(in crate::tcp) bytes: u64,
}

impl EcnSender {
    pub(in crate::tcp) fn new(feedback: Feedback, field: Ecn) -> Self {
        Self {
            feedback,
            field,
            marked_packets: FIRST & 7,
            marked_bytes: 0,
            assumed: 0,
            cwr_pending: false,
            usual: 0,
            counts: MarkCounts::default(),
        }
    }

    /// Processes the ECN field that the peer saw on our packet of the handshake (RFC 9768
    /// §3.2.2.1): a mark is in its counter.
    pub(in crate::tcp) fn on_reflection(&mut self, flags: Flags) {
        if self.feedback == Feedback::Accurate && flags.ace() == 0b110 {
            self.marked_packets = (FIRST + 1) & 7;
        }
    }

    /// Processes an acknowledgement that is not older than another, of `delivered` segments of
    /// `mss` bytes.
    pub(in crate::tcp) fn on_acknowledgement(
        &mut self,
        flags: Flags,
        option: Option<ByteCounters>,
        delivered: u64,
        mss: u64,
    ) -> Echo {
        let echo = match self.feedback {
            Feedback::Classic => Echo { congested: flags.contains(Flags::ECE), bytes: 0 },
            Feedback::Accurate => {
                let more = u64::from(flags.ace().wrapping_sub(self.marked_packets) & 7);
                self.marked_packets = flags.ace();
                let packets = self.unwrap(more, delivered);
                let counted = option.and_then(|option| self.counted(option));
                let bytes = counted.unwrap_or_else(|| {
                    self.assumed += packets * mss;
                    packets * mss
                });
                Echo { congested: bytes > 0, bytes }
            }
        };
        self.counts.echoes += u64::from(echo.congested);
        echo
    }

    /// Returns the marked bytes that an option reports beyond the number assumed without one (RFC
    /// 9768 §3.2.3).
    fn counted(&mut self, option: ByteCounters) -> Option<u64> {
        let now = option.ce()?;
        let more = ByteCounters::advance(self.marked_bytes, now)?;
        self.marked_bytes = now;
        Some(more.saturating_sub(std::mem::take(&mut self.assumed)))
    }

    /// Processes a reduction of the window, for a mark or a loss (RFC 3168 §6.1.2).
    pub(in crate::tcp) fn on_reduction(&mut self, by_mark: bool) {
        self.counts.reductions += u64::from(by_mark);
        self.cwr_pending = self.feedback == Feedback::Classic;
    }

    /// Returns the ECN field of new data, and `CWR` once after a reduction.
    pub(in crate::tcp) fn on_new_data(&mut self) -> (Ecn, Flags) {
        let is_first = std::mem::take(&mut self.cwr_pending);
        (self.field, if is_first { Flags::CWR } else { Flags::default() })
    }

    /// Returns the ECN field of a retransmission: none, except ECT(1) of an L4S sender, which keeps
    /// it in the same queue (RFC 8311 §4.3).
    pub(in crate::tcp) fn on_old_data(&self) -> Option<Ecn> {
        (self.field == Ecn::Ect1).then_some(self.field)
    }

    /// Returns the number of marked packets when the counter advanced by `more`, modulo eight, with
    /// an acknowledgement of `delivered` segments (RFC 9768 §3.2.2.5.2).
    ///
    /// A receiver reports at least every seventh mark (§3.2.2.5.1). So the counter wraps only if
    /// acknowledgements were lost, which is assumed when one acknowledgement delivers eight
    /// segments or more and others usually do not.
    fn unwrap(&mut self, more: u64, delivered: u64) -> u64 {
        let stretches = self.usual > STRETCHED * PARTS;
        self.usual = self.usual - self.usual / 8 + delivered * PARTS / 8;
        if delivered <= 7 || stretches {
            return more;
        }
        delivered - ((delivered - more) & 7)
    }
}

/// Parts of a segment in which the average is kept.
const PARTS: u64 = 64;
/// A receiver with a higher average acknowledges several segments at once as a rule.
const STRETCHED: u64 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn accurate() -> EcnSender {
        EcnSender::new(Feedback::Accurate, Ecn::Ect1)
    }

    /// RFC 3168 §6.1.2: once after each reduction, whatever its reason.
    #[test]
    fn first_new_data_after_reduction_has_cwr() {
        let mut sender = EcnSender::new(Feedback::Classic, Ecn::Ect0);
        assert_eq!(sender.on_new_data(), (Ecn::Ect0, Flags::default()));
        sender.on_reduction(true);
        sender.on_reduction(false);
        assert_eq!(sender.on_new_data(), (Ecn::Ect0, Flags::CWR));
        assert_eq!(sender.on_new_data(), (Ecn::Ect0, Flags::default()));
        assert_eq!(sender.counts.reductions, 1);
    }

    /// RFC 9768 §3.2.1: with accurate feedback these bits are a counter.
    #[test]
    fn accurate_feedback_has_no_cwr() {
        let mut sender = accurate();
        sender.on_reduction(true);
        assert_eq!(sender.on_new_data(), (Ecn::Ect1, Flags::default()));
    }

    #[test]
    fn counter_gives_the_number_of_marks() {
        let mut sender = accurate();
        let echoes =
            [5, 6, 0, 0, 5].map(|ace| sender.on_acknowledgement(Flags::of_ace(ace), None, 2, 10));
        assert_eq!(echoes.map(|echo| echo.bytes), [0, 10, 20, 0, 50]);
        assert_eq!(sender.counts.echoes, 3);
    }

    /// RFC 9768 §3.2.2.1: `s.cep` begins with six when the packet of the handshake was marked.
    #[test]
    fn mark_of_the_handshake_marks_no_data() {
        let mut sender = accurate();
        sender.on_reflection(Flags::of_ace(0b110));
        assert!(!sender.on_acknowledgement(Flags::of_ace(6), None, 1, 10).congested);
    }

    /// RFC 9768 appendix A.2.1: 18 segments and a counter that is one ahead: 1, 9 or 17 marks.
    #[test]
    fn gap_in_acknowledgements_counts_maximum_marks() {
        let mut sender = accurate();
        assert_eq!(sender.on_acknowledgement(Flags::of_ace(6), None, 18, 10).bytes, 170);
        let mut stretched = accurate();
        for _ in 0..20 {
            stretched.on_acknowledgement(Flags::of_ace(5), None, 7, 10);
        }
        assert_eq!(stretched.on_acknowledgement(Flags::of_ace(6), None, 18, 10).bytes, 10);
    }

    /// RFC 9768 §3.2.3: 18 segments and a counter of packets that is one ahead; the counter of
    /// bytes shows that nine were marked.
    #[test]
    fn an_option_leaves_nothing_to_guess() {
        let mut sender = accurate();
        let option = Some(ByteCounters::all(1, 90, 91, true));
        assert_eq!(sender.on_acknowledgement(Flags::of_ace(6), option, 18, 10).bytes, 90);
        assert!(!sender.on_acknowledgement(Flags::of_ace(6), option, 2, 10).congested);
    }

    /// RFC 9768 §3.2.3.3: not every acknowledgement has the option. Bytes that were assumed are not
    /// counted twice.
    #[test]
    fn option_corrects_the_assumed_marks() {
        let mut sender = accurate();
        assert_eq!(sender.on_acknowledgement(Flags::of_ace(6), None, 1, 10).bytes, 10);
        let small = Some(ByteCounters::all(1, 7, 1, true));
        assert!(!sender.on_acknowledgement(Flags::of_ace(6), small, 1, 10).congested);
        let more = Some(ByteCounters::all(1, 12, 1, true));
        assert_eq!(sender.on_acknowledgement(Flags::of_ace(7), more, 1, 10).bytes, 5);
        // An option that was cut before the counter reports no marked bytes.
        let cut = Some(ByteCounters::all(1, 90, 1, true).shortened(1));
        assert_eq!(sender.on_acknowledgement(Flags::of_ace(0), cut, 1, 10).bytes, 10);
    }
}
