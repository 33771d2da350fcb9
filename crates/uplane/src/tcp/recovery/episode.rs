//! State of one repair of losses, common to all recoveries.
//!
//! In: events that the recovery has judged. Out: the phase, and whether a segment must leave at
//! once.

/// The phase of loss repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Phase {
    /// Nothing is known to be lost.
    Open,
    /// Fast recovery (RFC 6582 §3.2, RFC 6675 §5).
    Fast,
    /// Lost data is retransmitted as the window allows.
    Repair,
}

/// Progress of a repair of losses.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct Episode {
    phase: Phase,
    /// `recover` (RFC 6582 §3.2), `RecoveryPoint` (RFC 6675 §5): end of the data sent before the
    /// repair began.
    recover: u64,
    /// `DupAcks`
    duplicates: u32,
    /// Bytes sent by limited transmit since the last new acknowledgement.
    limited: u64,
    /// A lost segment leaves now, whatever the window is.
    urgent: bool,
    /// An acknowledgement within fast recovery has restarted the timer (RFC 6582 §3.2, step 3).
    partial: bool,
    /// Position of the oldest segment at the last timeout.
    timed_out: Option<u64>,
}

impl Episode {
    pub(super) fn new(una: u64) -> Self {
        Self {
            phase: Phase::Open,
            recover: una,
            duplicates: 0,
            limited: 0,
            urgent: false,
            partial: false,
            timed_out: None,
        }
    }

    pub(super) fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the position whose acknowledgement ends the repair.
    pub(super) fn recover(&self) -> u64 {
        self.recover
    }

    pub(super) fn duplicates(&self) -> u32 {
        self.duplicates
    }

    pub(super) fn limited(&self) -> u64 {
        self.limited
    }

    /// Returns `true` if a segment must leave now.
    pub(super) fn is_urgent(&self) -> bool {
        self.urgent
    }

    /// Forces the retransmission of the oldest lost segment, whatever the window.
    pub(super) fn force_retransmit(&mut self) {
        self.urgent = true;
    }

    /// Books `bytes` that left, new or retransmitted.
    pub(super) fn on_sent(&mut self, bytes: u64) {
        self.urgent = false;
        if self.phase == Phase::Open && self.duplicates > 0 {
            self.limited += bytes;
        }
    }

    /// Counts a duplicate acknowledgement.
    pub(super) fn on_duplicate(&mut self) {
        self.duplicates += 1;
    }

    /// Processes an advance of `SND.UNA`, possibly by a `duplicate`. Returns `true` if it completes
    /// the repair.
    pub(super) fn on_advance(&mut self, una: u64, duplicate: bool) -> bool {
        let complete = self.phase != Phase::Open && una >= self.recover;
        if complete || !duplicate {
            self.duplicates = 0;
        }
        self.limited = 0;
        self.urgent = false;
        if complete {
            self.phase = Phase::Open;
        }
        complete
    }

    /// Returns `true` for the first partial acknowledgement of a fast recovery, which alone
    /// restarts the timer (RFC 6582 §3.2, step 3): a recovery of many losses is meant to end in a
    /// timeout.
    pub(super) fn is_first_partial(&mut self) -> bool {
        !std::mem::replace(&mut self.partial, true)
    }

    /// RFC 6582 §3.2 step 2, RFC 6675 §5 step 4: begins fast recovery; `urgent` if a segment must
    /// leave at once.
    pub(super) fn begin_fast(&mut self, nxt: u64, urgent: bool) {
        self.phase = Phase::Fast;
        self.recover = nxt;
        self.urgent = urgent;
        self.partial = false;
    }

    /// Begins the retransmission of everything lost, oldest first.
    pub(super) fn begin_repair(&mut self, nxt: u64) {
        self.phase = Phase::Repair;
        self.recover = nxt;
        self.duplicates = 0;
        self.limited = 0;
    }

    /// Extends the repair until everything before `nxt` is acknowledged (RFC 5682 §3.1 step 2b).
    pub(super) fn extend(&mut self, nxt: u64) {
        self.recover = nxt;
    }

    /// Ends the repair: nothing was lost.
    pub(super) fn abandon(&mut self) {
        self.phase = Phase::Open;
        self.duplicates = 0;
        self.limited = 0;
        self.urgent = false;
    }

    /// Notes a timeout. Returns `true` if `una` had timed out before.
    pub(super) fn on_timeout(&mut self, una: u64) -> bool {
        self.timed_out.replace(una) == Some(una)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 5681 §3.2: consecutive duplicates are counted. With SACK, one that advances can be among
    /// them (RFC 6675 §2).
    #[test]
    fn progress_without_duplicate_resets_the_count() {
        let mut episode = Episode::new(0);
        episode.on_duplicate();
        episode.on_duplicate();
        assert!(!episode.on_advance(100, true));
        assert_eq!(episode.duplicates(), 2);
        assert!(!episode.on_advance(200, false));
        assert_eq!(episode.duplicates(), 0);
    }

    /// RFC 6675 §5: an acknowledgement of `RecoveryPoint` ends the recovery and resets the count.
    #[test]
    fn end_of_a_recovery_resets_the_count() {
        let mut episode = Episode::new(0);
        episode.begin_fast(500, true);
        episode.on_duplicate();
        assert!(!episode.on_advance(499, true));
        assert_eq!((episode.phase(), episode.duplicates()), (Phase::Fast, 1));
        assert!(episode.on_advance(500, true));
        assert_eq!((episode.phase(), episode.duplicates()), (Phase::Open, 0));
    }

    /// RFC 3042 §2 and RFC 5681 §3.2 step 2: only data sent on duplicates, before the recovery,
    /// counts.
    #[test]
    fn limited_transmit_counts_data_sent_on_duplicates() {
        let mut episode = Episode::new(0);
        episode.on_sent(100);
        assert_eq!(episode.limited(), 0);
        episode.on_duplicate();
        episode.on_sent(100);
        episode.on_sent(50);
        assert_eq!(episode.limited(), 150);
        episode.begin_fast(500, true);
        episode.on_sent(100);
        assert_eq!(episode.limited(), 150);
    }
}
