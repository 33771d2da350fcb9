//! The transmissions that one acknowledgement delivers.
//!
//! In: the segments that the acknowledgement delivers, each with its last transmission. Out: the
//! transmission that left last (RFC 8985 §6.2 step 2), the lowest end of segments that were sent
//! once (step 4, RFC 5682 §3.1), and round-trip times.

use crate::tcp::timestamps::is_echo_before;
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

/// Account of the transmissions that one acknowledgement delivers.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct NewlyDelivered {
    now: Instant,
    /// The timestamp that the acknowledgement echoes (`ACK.ts_option.echo_reply`); in the far
    /// future if it echoes none.
    echoed: Instant,
    /// `RACK.min_RTT` before the acknowledgement.
    minimum_rtt: Duration,
    /// The delivered transmission that left last.
    newest: Option<Transmission>,
    /// The lowest end of a segment that was sent once; `u64::MAX` without any.
    lowest_original: u64,
    /// The highest end of a delivered segment.
    highest: u64,
    /// Time at which the last segment left, among those that were sent once.
    latest_sent: Option<Instant>,
    /// Time of the first transmission among the segments that were sent once and that SACK reports;
    /// in the far future if there are none.
    first_sacked: Instant,
}

impl NewlyDelivered {
    /// Starts the account of an acknowledgement that arrives at `now` and echoes the timestamp of
    /// `echoed`; no round trip before was shorter than `minimum_rtt`.
    #[inline]
    pub(in crate::tcp) fn begin(
        &mut self,
        now: Instant,
        echoed: Option<Instant>,
        minimum_rtt: Option<Duration>,
    ) {
        let minimum_rtt = minimum_rtt.unwrap_or(Duration::ZERO);
        let echoed = echoed.unwrap_or(Instant::FAR_FUTURE);
        let (lowest_original, first_sacked) = (u64::MAX, Instant::FAR_FUTURE);
        *self = Self { now, echoed, minimum_rtt, lowest_original, first_sacked, ..Self::default() };
    }

    /// Books a segment that is acknowledged cumulatively; it was sent once or `retransmitted`.
    ///
    /// RFC 8985 §6.2 step 2: an echo from before the last transmission names an earlier
    /// transmission.
    #[inline]
    pub(in crate::tcp) fn on_acknowledged(
        &mut self,
        transmission: Transmission,
        retransmitted: bool,
    ) {
        let is_earlier = retransmitted && is_echo_before(self.echoed, transmission.sent);
        self.on_delivered(transmission, retransmitted, is_earlier);
    }

    /// Books a segment that SACK reports.
    ///
    /// The echo is that of the last segment in order (RFC 7323 §4.3), so it proves nothing about a
    /// segment out of order: only the shortest round trip decides.
    #[inline]
    pub(super) fn on_sacked(&mut self, transmission: Transmission, retransmitted: bool) {
        if !retransmitted {
            self.first_sacked = self.first_sacked.min(transmission.sent);
        }
        self.on_delivered(transmission, retransmitted, false);
    }

    #[inline]
    fn on_delivered(&mut self, transmission: Transmission, retransmitted: bool, is_earlier: bool) {
        self.highest = self.highest.max(transmission.end);
        if !retransmitted {
            self.lowest_original = self.lowest_original.min(transmission.end);
            self.latest_sent = Some(transmission.sent);
        } else if is_earlier || self.now.saturating_since(transmission.sent) < self.minimum_rtt {
            // RFC 8985 §6.2 step 2: an earlier transmission has arrived, not the last one.
            return;
        }
        self.newest = self.newest.max(Some(transmission));
    }

    /// Returns the delivered transmission that left last, and its round-trip time.
    pub(in crate::tcp) fn newest(&self) -> Option<(Transmission, Duration)> {
        let newest = self.newest?;
        Some((newest, self.now.saturating_since(newest.sent)))
    }

    /// Returns the lowest end of the delivered segments that were sent once.
    pub(in crate::tcp) fn lowest_original(&self) -> Option<u64> {
        Some(self.lowest_original).filter(|&end| end != u64::MAX)
    }

    /// Returns the highest end of all delivered segments.
    pub(in crate::tcp) fn highest(&self) -> u64 {
        self.highest
    }

    /// Returns the round-trip time of the last segment that was sent once: it contains no delay of
    /// an acknowledgement.
    #[inline]
    pub(in crate::tcp) fn latest_rtt(&self) -> Option<Duration> {
        self.latest_sent.map(|sent| self.now.saturating_since(sent))
    }

    /// Returns the round-trip time of the first segment that SACK reports.
    pub(in crate::tcp) fn sacked_rtt(&self) -> Option<Duration> {
        let sent = Some(self.first_sacked).filter(|&sent| sent != Instant::FAR_FUTURE)?;
        Some(self.now.saturating_since(sent))
    }
}
