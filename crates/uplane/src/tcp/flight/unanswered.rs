//! Retransmissions that the peer may still answer.
//!
//! In: marks of segments in flight, and reported duplicates. Out: the number of retransmissions
//! that are under way, and the time of the earliest.

use super::{Flight, Marks, Sent};
use crate::tcp::ranges::Range;
use crate::unit::Instant;

/// Retransmissions that may still be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tcp) struct UnansweredRetransmissions {
    /// Number of segments with such a retransmission.
    pub(in crate::tcp) segments: u32,
    /// Time of the earliest retransmission among them.
    pub(in crate::tcp) first: Option<Instant>,
}

impl Flight {
    /// Returns the retransmissions that may still be answered: those of segments that have not
    /// arrived, and of segments whose original has arrived.
    pub(in crate::tcp) fn unanswered_retransmissions(&self) -> UnansweredRetransmissions {
        let segments = MAY_BE_ANSWERED.iter().map(|marks| self.segments[marks.index()]).sum();
        if segments == 0 {
            return UnansweredRetransmissions::default();
        }
        let again = |sent: &&Sent| MAY_BE_ANSWERED.contains(&sent.marks);
        let first = self.queue.iter().filter(again).map(|sent| sent.stamp.sent).min();
        UnansweredRetransmissions { segments, first }
    }

    /// Books a reported duplicate (RFC 2883 §4): both copies of a segment have arrived.
    pub(in crate::tcp) fn on_report(&mut self, twice: Range) {
        let mut index = self.queue.partition_point(|sent| sent.start < twice.left);
        while let Some(sent) = self.queue.get(index)
            && sent.end() <= twice.right
        {
            if sent.marks == Marks::SACKED_DOUBLED {
                self.mark(index, Marks::SACKED);
            }
            index += 1;
        }
    }
}

const MAY_BE_ANSWERED: [Marks; 3] = [Marks::DOUBLED, Marks::RESENT, Marks::SACKED_DOUBLED];
