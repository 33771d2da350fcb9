//! Columns that describe a connection.

use crate::net::waits::Shares;
use crate::record::{columns, named};
use crate::unit::{Bytes, Duration, Instant};

named! {
    /// Outcome of TCP Fast Open at one end.
    pub FastOpenOutcome {
        /// Fast Open was not tried.
        None = "none",
        /// The SYN requested a cookie.
        Asked = "asked",
        /// The SYN's cookie was accepted, and the SYN-ACK acknowledged its data.
        Accepted = "accepted",
        /// The SYN's cookie was rejected, and its data was retransmitted.
        Refused = "refused",
        /// The SYN was retransmitted without data and cookie.
        Fallback = "fallback",
    }
}

columns! {
    /// State and counters of one end of a connection, at one instant.
    #[derive(Clone, Debug, PartialEq)]
    pub Statistics {
        /// TCP state of this end (RFC 9293 §3.3.2).
        state: &'static str,
        /// Counters of the sender.
        counters: Counters,
        /// Application bytes sent by this end and acknowledged.
        acked as acked_bytes: Bytes,
        /// Congestion window of this endpoint at the end of the run or connection, in bytes.
        cwnd as cwnd_bytes: Bytes,
        /// Last smoothed round-trip time of this endpoint, in ms; missing without a sample.
        srtt as srtt_ms: Option<Duration>,
        /// Reasons why this end was not sending, since the connection opened.
        shares: Shares,
        /// Explicit congestion notification at this end.
        marks: Marks,
        /// Outcome of Fast Open.
        fast_open: FastOpenOutcome,
    } besides {
        /// Number of segments sent without data, SYN, FIN or RST.
        pure_acks: u64,
        /// Slow-start threshold; `None` while unlimited.
        ssthresh: Option<Bytes>,
        /// Bytes sent and not acknowledged.
        flight: Bytes,
        /// Retransmission timeout, with its back-off.
        rto: Duration,
        /// Application bytes of the peer that arrived at least once.
        received: Bytes,
        /// Arrival of the first data segment.
        first_arrival: Option<Instant>,
        /// Arrival of the last data segment.
        last_arrival: Option<Instant>,
        /// Application bytes of the peer delivered in order.
        delivered: Bytes,
        /// Current reason why this end is not sending: a field of [`Shares`].
        limit: &'static str,
    }
}

columns! {
    /// Counters of a TCP sender.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub Counters {
        /// Number of data segments sent by this end, retransmissions included.
        segments: u64,
        /// Number of data segments retransmitted by this end.
        retransmissions: u64,
        /// Number of retransmission timeouts of data at this end.
        timeouts: u64,
        /// Number of fast recoveries that this end entered.
        recoveries: u64,
        /// Number of duplicate ACKs received by this end, by all five criteria of RFC 5681 §2, with
        /// or without SACK.
        duplicate_acks: u64,
    }
}

columns! {
    /// Explicit congestion notification (RFC 3168, RFC 9768) at one end: all zero without it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub Marks {
        /// Number of data segments with a congestion mark (CE) received by this end.
        received as marks_received: u64,
        /// Number of ACKs with a congestion echo received by this end.
        echoes as mark_echoes: u64,
        /// Number of reductions of this end's congestion window because of marks.
        reductions as mark_reductions: u64,
    }
}
