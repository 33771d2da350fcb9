//! F-RTO (RFC 5682 §3.1, the algorithm enhanced by SACK): whether a timeout was spurious.
//!
//! In: the acknowledgements after a timeout. Out: that it was, since something is acknowledged that
//! was sent before it and not again; that it was not; or that new data have to decide.
//!
//! Left out: the basic algorithm for connections without SACK (RFC 5682 §2.1): they continue as
//! after any timeout. Who turns SACK off on a path that stalls could tell.

use crate::tcp::flight::NewlyDelivered;

/// The acknowledgements after one timeout.
#[derive(Clone, Debug)]
pub(super) struct FRto {
    /// `RecoveryPoint`: all that was sent before the timeout.
    recover: u64,
    /// What was the oldest segment, which went again at once.
    oldest: u64,
    /// Step 2b: new data was let go to find out.
    asks: bool,
}

/// What an acknowledgement says of a timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It was spurious.
    Spurious,
    /// Something was lost, or it cannot be told.
    Lost,
    /// New data finds out.
    Undecided,
}

impl FRto {
    /// Step 1: the timer expired, and the segment at `una` goes again; all data sent ends at `nxt`.
    pub(super) fn new(una: u64, nxt: u64) -> Self {
        Self { recover: nxt, oldest: una, asks: false }
    }

    /// True while new data goes before what counts as lost.
    pub(super) fn prefers_new(&self) -> bool {
        self.asks
    }

    /// Steps 2 and 3, for an acknowledgement up to `una` that `advanced` or not, and `told` of
    /// segments that arrived out of order.
    pub(super) fn judge(
        &mut self,
        advanced: bool,
        sacked: bool,
        delivered: &NewlyDelivered,
        una: u64,
    ) -> Verdict {
        let originals = delivered.lowest_original().is_some_and(|end| end <= self.recover);
        if originals {
            // Step 3b: never sent again, and there.
            return Verdict::Spurious;
        }
        let progress = advanced && una > self.oldest && una < self.recover;
        if self.asks || !progress || sacked {
            // Steps 2a and 3a.
            return Verdict::Lost;
        }
        self.asks = true;
        Verdict::Undecided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Instant;

    /// RFC 5682 §3.1, step 2: new data finds out after an acknowledgement that advances, but not up
    /// to all that was sent, for then the retransmission may have brought it all.
    #[test]
    fn new_data_goes_after_an_acknowledgement_in_between() {
        let judge = |advanced, sacked, una| {
            let mut nothing = NewlyDelivered::default();
            nothing.begin(Instant::ZERO, None, None);
            FRto::new(10, 50).judge(advanced, sacked, &nothing, una)
        };
        assert_eq!(judge(true, false, 20), Verdict::Undecided);
        assert_eq!(judge(true, false, 50), Verdict::Lost);
        assert_eq!(judge(true, false, 60), Verdict::Lost);
        assert_eq!(judge(false, false, 10), Verdict::Lost);
        assert_eq!(judge(true, true, 20), Verdict::Lost);
    }
}
