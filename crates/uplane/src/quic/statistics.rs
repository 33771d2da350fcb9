//! The statistics of a connection.

use crate::net::waits::Shares;
use crate::record::columns;
use crate::unit::{Bytes, Duration, Instant};

columns! {
    /// State and counters of one end of a QUIC connection, at one instant.
    #[derive(Clone, Debug, Default)]
    pub Statistics {
        /// Counters of the sender.
        counters: Counters,
        /// Application bytes sent by this end and acknowledged.
        acked as acked_bytes: Bytes,
        /// Congestion window of this endpoint at the end of the run or connection, in bytes.
        cwnd as cwnd_bytes: Bytes,
        /// Last smoothed round-trip time of this endpoint, in ms; missing before the handshake is
        /// complete.
        srtt as srtt_ms: Option<Duration>,
        /// Maximum UDP payload that this end has found the path to carry, in bytes.
        udp_payload as udp_payload_bytes: Bytes,
        /// Reasons why this end was not sending, since the connection opened.
        shares: Shares,
    } besides {
        /// Slow-start threshold; `None` while unlimited, and for BBR.
        ssthresh: Option<Bytes>,
        /// Bytes of ack-eliciting packets that are neither acknowledged nor lost.
        flight: Bytes,
        /// Application bytes of the peer that arrived at least once.
        received: Bytes,
        /// Arrival of the first datagram with data.
        first_arrival: Option<Instant>,
        /// Arrival of the last datagram with data.
        last_arrival: Option<Instant>,
        /// Current reason why this end is not sending: a field of [`Shares`].
        limit: &'static str,
    }
}

/// Event at one end of a connection, for its log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEvent {
    /// Time at which the event happened.
    pub at: Instant,
    /// Category and name, for example `transport:packet_sent`.
    pub name: &'static str,
    /// Data of the event, as JSON.
    pub data: String,
}

columns! {
    /// Counters of one end of a QUIC connection.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub Counters {
        /// Number of UDP datagrams sent by this end.
        datagrams: u64,
        /// Number of datagrams sent by this end that carried application data.
        data_datagrams: u64,
        /// UDP payload of all datagrams sent by this end, in bytes.
        sent as sent_bytes: Bytes,
        /// Application bytes retransmitted by this end.
        retransmitted as retransmitted_bytes: Bytes,
        /// Number of QUIC packets that this end declared lost (RFC 9002 §6.1), without path MTU
        /// probes.
        lost as lost_packets: u64,
        /// Number of reductions of this end's congestion window because of losses or marks (RFC
        /// 9002 §7.3.2).
        congestion_events: u64,
        /// Number of path MTU probes sent by this end (RFC 9000 §14.3).
        mtu_probes: u64,
    } besides {
        /// Number of path MTU probes that were lost.
        lost_probes: u64,
    }
}
