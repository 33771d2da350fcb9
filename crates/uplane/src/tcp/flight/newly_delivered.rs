//! What one acknowledgement tells of single transmissions.
//!
//! In: the segments that it delivers, each with its last transmission. Out: the transmission that
//! left last (RFC 8985 §6.2 step 2), how low it delivers what was sent once (step 4, RFC 5682
//! §3.1), and round-trip times.

use crate::unit::{Duration, Instant};

/// One transmission of a segment. Of two that left at the same instant, the higher one left later
/// (`RACK_sent_after`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tcp) struct Transmission {
    /// `Segment.xmit_ts`
    pub(in crate::tcp) sent: Instant,
    /// `Segment.end_seq`
    pub(in crate::tcp) end: u64,
}

/// What one acknowledgement tells of the transmissions that it delivers.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct NewlyDelivered {
    now: Instant,
    /// `RACK.min_RTT` before it.
    minimum_rtt: Duration,
    /// The one that left last.
    newest: Option<Transmission>,
    /// The lowest end of a segment that was sent once; `u64::MAX` without any.
    lowest_original: u64,
    /// The highest end.
    highest: u64,
    /// When the last segment left of those that were sent once.
    latest_sent: Option<Instant>,
    /// When the first one left of those that SACK told of.
    first_sacked: Option<Instant>,
}

impl NewlyDelivered {
    /// An acknowledgement comes at `now`; no round trip before was shorter than `minimum_rtt`.
    #[inline]
    pub(in crate::tcp) fn begin(&mut self, now: Instant, minimum_rtt: Option<Duration>) {
        let minimum_rtt = minimum_rtt.unwrap_or(Duration::ZERO);
        *self = Self { now, minimum_rtt, lowest_original: u64::MAX, ..Self::default() };
    }

    /// It delivers a segment, which was sent once or `retransmitted`.
    #[inline]
    pub(super) fn on_delivered(&mut self, transmission: Transmission, retransmitted: bool) {
        self.highest = self.highest.max(transmission.end);
        if !retransmitted {
            self.lowest_original = self.lowest_original.min(transmission.end);
            self.latest_sent = Some(transmission.sent);
        } else if self.now.saturating_since(transmission.sent) < self.minimum_rtt {
            // RFC 8985 §6.2 step 2: only the first transmission can have arrived so early.
            return;
        }
        self.newest = self.newest.max(Some(transmission));
    }

    /// The same, told by SACK.
    #[inline]
    pub(super) fn on_sacked(&mut self, transmission: Transmission, retransmitted: bool) {
        if !retransmitted {
            let first = self.first_sacked.unwrap_or(Instant::FAR_FUTURE);
            self.first_sacked = Some(first.min(transmission.sent));
        }
        self.on_delivered(transmission, retransmitted);
    }

    /// The delivered transmission that left last, and its round-trip time.
    pub(in crate::tcp) fn newest(&self) -> Option<(Transmission, Duration)> {
        let newest = self.newest?;
        Some((newest, self.now.saturating_since(newest.sent)))
    }

    /// The lowest end of the segments that were sent once.
    pub(in crate::tcp) fn lowest_original(&self) -> Option<u64> {
        Some(self.lowest_original).filter(|&end| end != u64::MAX)
    }

    /// The highest end of all.
    pub(in crate::tcp) fn highest(&self) -> u64 {
        self.highest
    }

    /// The round-trip time of the last segment that was sent once: no delayed acknowledgement is in
    /// it.
    #[inline]
    pub(in crate::tcp) fn latest_rtt(&self) -> Option<Duration> {
        self.latest_sent.map(|sent| self.now.saturating_since(sent))
    }

    /// The round-trip time of the first segment that SACK tells of.
    pub(in crate::tcp) fn sacked_rtt(&self) -> Option<Duration> {
        self.first_sacked.map(|sent| self.now.saturating_since(sent))
    }
}
