//! What a connection tells about itself.

use crate::net::waits::Shares;
use crate::record::{columns, named};
use crate::unit::{Bytes, Duration, Instant};

named! {
    /// What became of Fast Open at one end.
    pub FastOpenOutcome {
        /// It was not tried.
        None = "none",
        /// The SYN asked for a cookie.
        Asked = "asked",
        /// The SYN's cookie was taken, and its data acknowledged by the SYN-ACK.
        Accepted = "accepted",
        /// The SYN's cookie was not taken, so that its data went again.
        Refused = "refused",
        /// The SYN went again, without data and cookie.
        Fallback = "fallback",
    }
}

columns! {
    /// One end of a connection, at one instant.
    #[derive(Clone, Debug, PartialEq)]
    pub Statistics {
        /// The state (RFC 9293 §3.3.2).
        state: &'static str,
        /// What its sender counted.
        counters: Counters,
        /// Bytes of this end's application that are acknowledged.
        acked as acked_bytes: Bytes,
        /// Congestion window.
        cwnd as cwnd_bytes: Bytes,
        /// Smoothed round-trip time; missing without a sample.
        srtt as srtt_ms: Option<Duration>,
        /// Why this end was not sending, since the connection opened.
        shares: Shares,
        /// What explicit congestion notification told this end.
        marks: Marks,
        /// What became of Fast Open.
        fast_open: FastOpenOutcome,
    } besides {
        /// Segments sent without data, SYN, FIN or RST.
        pure_acks: u64,
        /// Slow-start threshold; `None` while unlimited.
        ssthresh: Option<Bytes>,
        /// Bytes sent and not acknowledged.
        flight: Bytes,
        /// The retransmission timeout, backed off.
        rto: Duration,
        /// Bytes of the peer's application that came at least once.
        received: Bytes,
        /// When the first data segment came.
        first_arrival: Option<Instant>,
        /// When the last data segment came.
        last_arrival: Option<Instant>,
        /// Bytes of the peer's application handed over in order.
        delivered: Bytes,
        /// The name of what keeps it from sending now: a field of [`Shares`].
        limit: &'static str,
    }
}

columns! {
    /// What a sender counts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub Counters {
        /// Data segments sent, with retransmissions.
        segments: u64,
        /// Data segments sent again.
        retransmissions: u64,
        /// Retransmission timeouts of data.
        timeouts: u64,
        /// Fast recoveries entered.
        recoveries: u64,
        /// Acknowledgements that came and were duplicates by all five criteria of RFC 5681 §2,
        /// whether or not SACK was in use.
        duplicate_acks: u64,
    }
}

columns! {
    /// Explicit congestion notification (RFC 3168, RFC 9768) at one end: all zero without it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub Marks {
        /// Data segments that came marked.
        received as marks_received: u64,
        /// Acknowledgements that told of marks.
        echoes as mark_echoes: u64,
        /// Reductions of the congestion window for a mark.
        reductions as mark_reductions: u64,
    }
}
