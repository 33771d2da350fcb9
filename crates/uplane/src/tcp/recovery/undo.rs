//! Detection of spurious reductions of the window (RFC 4015, RFC 3522, RFC 3708).
//!
//! In: retransmissions, echoed timestamps, duplicates that the receiver reports. Out: the finding
//! that nothing was lost.
//!
//! There are two signs. An acknowledgement that echoes a timestamp from before the first
//! retransmission was caused by the original (Eifel, RFC 3522 §3.2 step 5). Reports of duplicates
//! for all retransmissions mean that all originals had arrived (RFC 3708 §3).
//!
//! Retransmissions from before the reduction count while the peer may still answer them: a tail
//! loss probe, or retransmissions of an earlier episode.

use crate::tcp::flight::UnansweredRetransmissions;
use crate::tcp::ranges::Range;
use crate::tcp::timestamps::is_echo_before;
use crate::unit::Instant;

/// Retransmissions that were under way at a reduction, or left since.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    /// `SND.UNA` at the reduction (`undo_marker`).
    from: u64,
    /// Number of retransmissions without a reported duplicate.
    unexplained: u32,
    /// A retransmission has left since the reduction.
    any: bool,
    /// Time of the first retransmission.
    first: Option<Instant>,
}

impl Undo {
    /// Returns the account at a reduction; everything before `una` is acknowledged.
    pub(super) fn begin(una: u64, before: UnansweredRetransmissions) -> Self {
        Self { from: una, unexplained: before.segments, any: false, first: before.first }
    }

    /// Books a retransmission.
    pub(super) fn on_resent(&mut self, now: Instant) {
        self.unexplained += 1;
        self.any = true;
        self.first.get_or_insert(now);
    }

    /// Books a reported duplicate (RFC 2883 §4).
    pub(super) fn on_report(&mut self, duplicate: Option<Range>) {
        if duplicate.is_some_and(|range| range.left >= self.from) {
            self.unexplained = self.unexplained.saturating_sub(1);
        }
    }

    /// Returns `true` if each retransmission was reported as a duplicate.
    pub(super) fn all_came_twice(&self) -> bool {
        self.any && self.unexplained == 0
    }

    /// Returns `true` if an echo of the timestamp `echoed` proves that the segment which caused it
    /// left before the first retransmission.
    pub(super) fn is_older(&self, echoed: Option<Instant>) -> bool {
        self.first.zip(echoed).is_some_and(|(first, echoed)| is_echo_before(echoed, first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Duration;

    fn at(millis: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(millis)
    }

    /// RFC 3522 §3.2: the echo decides, at the resolution of the timestamps.
    #[test]
    fn earlier_echo_proves_the_original_arrived() {
        let mut undo = Undo::begin(0, UnansweredRetransmissions::default());
        assert!(!undo.is_older(Some(at(0))));
        undo.on_resent(at(100));
        undo.on_resent(at(200));
        assert!(undo.is_older(Some(at(99))));
        assert!(!undo.is_older(Some(at(100))) && !undo.is_older(Some(at(150))));
        assert!(!undo.is_older(None));
    }

    /// RFC 3708 §3: a report for each retransmission, of this episode.
    #[test]
    fn duplicates_of_all_retransmissions_prove_no_loss() {
        let mut undo = Undo::begin(1000, UnansweredRetransmissions::default());
        assert!(!undo.all_came_twice());
        undo.on_resent(at(1));
        undo.on_resent(at(2));
        undo.on_report(Some(Range { left: 1000, right: 2000 }));
        undo.on_report(Some(Range { left: 0, right: 1000 }));
        assert!(!undo.all_came_twice());
        undo.on_report(Some(Range { left: 2000, right: 3000 }));
        assert!(undo.all_came_twice());
    }

    /// The peer may also report a probe that left before the reduction. This report explains none
    /// of the later retransmissions, and an echo of the probe is no echo of an original.
    #[test]
    fn retransmissions_of_the_time_before_count() {
        let before = UnansweredRetransmissions { segments: 1, first: Some(at(50)) };
        let mut undo = Undo::begin(1000, before);
        undo.on_resent(at(100));
        assert!(undo.is_older(Some(at(49))) && !undo.is_older(Some(at(50))));
        undo.on_report(Some(Range { left: 9000, right: 10_000 }));
        assert!(!undo.all_came_twice());
        undo.on_report(Some(Range { left: 1000, right: 2000 }));
        assert!(undo.all_came_twice());
    }
}
