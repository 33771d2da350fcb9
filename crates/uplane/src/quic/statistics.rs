//! What a connection reports about itself.

use crate::net::waits::Shares;
use crate::record::columns;
use crate::unit::{Bytes, Duration, Instant};

columns! {
    /// One end of a connection, at one instant.
    #[derive(Clone, Debug, Default)]
    pub Statistics {
        /// What it counted.
        counters: Counters,
        /// Bytes of this end's application that are acknowledged.
        acked as acked_bytes: Bytes,
        /// Congestion window.
        cwnd as cwnd_bytes: Bytes,
        /// Smoothed round-trip time; missing before the handshake's end.
        srtt as srtt_ms: Option<Duration>,
        /// The longest UDP payload that the path is known to take.
        udp_payload as udp_payload_bytes: Bytes,
        /// Why this end was not sending, since the connection opened.
        shares: Shares,
    } besides {
        /// Slow-start threshold; `None` while unlimited, and for BBR.
        ssthresh: Option<Bytes>,
        /// Bytes of packets that ask for an acknowledgement and are neither acknowledged nor lost.
        flight: Bytes,
        /// Bytes of the peer's application that came at least once.
        received: Bytes,
        /// When the first datagram with data came.
        first_arrival: Option<Instant>,
        /// When the last datagram with data came.
        last_arrival: Option<Instant>,
        /// The name of what keeps it from sending now: a field of [`Shares`].
        limit: &'static str,
    }
}

/// Something that an end did, for its log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEvent {
    /// When.
    pub at: Instant,
    /// Category and name, as in `transport:packet_sent`.
    pub name: &'static str,
    /// Its data, as JSON.
    pub data: String,
}

columns! {
    /// What an end counts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub Counters {
        /// UDP datagrams sent.
        datagrams: u64,
        /// Those of them that carried data of applications.
        data_datagrams: u64,
        /// Their UDP payload, all together.
        sent as sent_bytes: Bytes,
        /// Bytes of applications that were sent again.
        retransmitted as retransmitted_bytes: Bytes,
        /// QUIC packets that the sender took for lost (RFC 9002 §6.1), without probes of the path
        /// MTU.
        lost as lost_packets: u64,
        /// Reductions of the window for losses or marks (RFC 9002 §7.3.2).
        congestion_events: u64,
        /// Probes of the path MTU (RFC 9000 §14.3).
        mtu_probes: u64,
    } besides {
        /// Those of them that were lost.
        lost_probes: u64,
    }
}
