//! The state of a link over time.
//!
//! In: the times of samples. Out: the queue at that time, and counts since the previous sample. A
//! link that is not sampled keeps no state for this.

use super::Link;
use crate::net::Tally;
use crate::record::{Activity, columns, rate_kbps};
use crate::unit::{Bytes, Duration, Instant};

columns! {
    /// Sample of one direction of a link.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) LinkSample {
        /// Number of packets (or fragments) in the queue of the link at the time of the sample.
        queue_packets: u64,
        /// Bytes of packets (or fragments) in the queue of the link at the time of the sample.
        queue_bytes: Bytes,
        /// Bytes of IP packets that arrived at the far end of the link since the previous sample.
        out_bytes: Bytes,
        /// Rate of IP packets that arrived at the far end of the link since the previous sample, in
        /// kbit/s.
        rate_kbps: f64,
        /// Number of packets dropped since the previous sample, for any reason.
        dropped_packets: u64,
        /// Number of packets marked by active queue management (CE, RFC 3168) since the previous
        /// sample.
        marked_packets: u64,
    }
}

/// Counters at the previous sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sampled {
    tally: Tally,
    activity: Activity,
}

impl Link {
    /// Returns the sample of this link, with counts since the previous one, a `period` ago. `None`
    /// for an idle link.
    pub(crate) fn sample(&mut self, now: Instant, period: Duration) -> Option<LinkSample> {
        let waiting = self.queued(now);
        let sampled = self.sampled.get_or_insert_default();
        let news = self.tally.since(&sampled.tally);
        sampled.tally = self.tally;
        let counts = [waiting, news.entered, news.left, news.dropped()];
        let is_active = counts.iter().any(|count| count.packets > 0);
        sampled.activity.has_row(is_active).then(|| LinkSample {
            queue_packets: waiting.packets,
            queue_bytes: waiting.bytes,
            out_bytes: news.left.bytes,
            rate_kbps: rate_kbps(news.left.bytes, period),
            dropped_packets: news.dropped().packets,
            marked_packets: news.marked.packets,
        })
    }
}
