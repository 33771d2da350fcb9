//! F-RTO (RFC 5682 §3.1, the algorithm enhanced by SACK): detection of spurious timeouts.
//!
//! In: the acknowledgements after a timeout. Out: *spurious*, since a segment sent before the
//! timeout and not retransmitted is acknowledged; *lost*; or *undecided* until new data decides.
//!
//! Left out: the basic algorithm for connections without SACK (RFC 5682 §2.1), which continue as
//! after any timeout. This matters on a path that stalls.

use crate::tcp::flight::NewlyDelivered;

/// State after one timeout.
#[derive(Clone, Debug)]
pub(super) struct FRto {
    /// `RecoveryPoint`: end of the data sent before the timeout.
    recover: u64,
    /// Position of the oldest segment, which was retransmitted at once.
    oldest: u64,
    /// Step 2b: new data was sent as a test.
    asks: bool,
}

/// Verdict of an acknowledgement on a timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The timeout was spurious.
    Spurious,
    /// Something was lost, or the acknowledgement cannot decide.
    Lost,
    /// New data will decide the question.
    Undecided,
}

impl FRto {
    /// Step 1: the timer has expired, and the segment at `una` is retransmitted; all data sent ends
    /// at `nxt`.
    pub(super) fn new(una: u64, nxt: u64) -> Self {
        Self { recover: nxt, oldest: una, asks: false }
    }

    /// Returns `true` while new data is sent before data that counts as lost is retransmitted.
    pub(super) fn prefers_new(&self) -> bool {
        self.asks
    }

    /// Steps 2 and 3, for an acknowledgement up to `una` that `advanced` or not; `sacked` if it
    /// reports segments that arrived out of order.
    pub(super) fn judge(
        &mut self,
        advanced: bool,
        sacked: bool,
        delivered: &NewlyDelivered,
        una: u64,
    ) -> Verdict {
        let originals = delivered.lowest_original().is_some_and(|end| end <= self.recover);
        if originals {
            // Step 3b: a segment that was never retransmitted has arrived.
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

    /// RFC 5682 §3.1, step 2: new data is sent after an acknowledgement that advances, unless it
    /// covers all data sent: then the retransmission may have filled the only hole.
    #[test]
    fn new_data_follows_a_partial_acknowledgement() {
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
