//! Waits of the segments in flight before their first transmission.
//!
//! In: segments as they leave, in stream order, each with its account of waits. Out: the account of
//! one segment, for its retransmission.
//!
//! Segments that leave at one instant mostly have equal accounts: one is kept for all of them. Most
//! segments are never retransmitted, and an acknowledgement does not read their accounts.

use std::collections::VecDeque;

use crate::net::waits::Waits;

/// Accounts of waits, each with the first position for which it holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Waited(VecDeque<(u64, Waits)>);

impl Waited {
    /// Stores the account of a segment that begins at `start` and leaves for the first time.
    #[inline(always)]
    pub(super) fn push(&mut self, start: u64, waits: Waits) {
        if self.0.back().is_none_or(|(_, last)| *last != waits) {
            self.0.push_back((start, waits));
        }
    }

    /// Returns the account of the segment at `position`.
    pub(super) fn at(&self, position: u64) -> Waits {
        let behind = self.0.partition_point(|&(start, _)| start <= position);
        self.0[behind - 1].1
    }

    /// Drops the accounts of segments before `una`.
    #[inline]
    pub(super) fn acknowledge(&mut self, una: u64) {
        while self.0.get(1).is_some_and(|&(start, _)| start <= una) {
            self.0.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::waits::LimitAccount;
    use crate::unit::Instant;

    #[test]
    fn each_segment_keeps_its_account_until_acknowledged() {
        let account = LimitAccount::start(Instant::ZERO);
        let waits = |nanos| account.waits_at(Instant::from_nanos(nanos));
        let mut waited = Waited::default();
        let accounts = [3, 3, 3, 5, 3].map(waits);
        for (start, account) in (0..).step_by(100).zip(accounts) {
            waited.push(start, account);
        }
        assert_eq!(waited.0.len(), 3, "the same is kept once");
        for una in (0..500).step_by(50) {
            waited.acknowledge(una);
            for (start, account) in
                (0..).step_by(100).zip(accounts).filter(|(it, _)| it + 100 > una)
            {
                assert_eq!(waited.at(start), account, "{start} after {una}");
                assert_eq!(waited.at(start + 99), account, "a part of {start} after {una}");
            }
        }
        assert_eq!(waited.0.len(), 1, "what is acknowledged is forgotten");
    }
}
