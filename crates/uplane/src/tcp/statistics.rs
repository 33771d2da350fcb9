//! What a connection tells about itself.

use crate::unit::{Bytes, Duration, Instant};

/// One end of a connection, at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The state's name in RFC 9293 §3.3.2.
    pub state: &'static str,
    /// Data segments sent, with retransmissions.
    pub segments: u64,
    /// Data segments sent again.
    pub retransmissions: u64,
    /// Retransmission timeouts of data.
    pub timeouts: u64,
    /// Fast recoveries begun.
    pub recoveries: u64,
    /// Acknowledgements that came and were duplicates by all five criteria of RFC 5681 §2, whether or not
    /// SACK was in use.
    pub duplicate_acks: u64,
    /// Bytes of this end's application that are acknowledged.
    pub acked: Bytes,
    /// Segments sent without data, SYN, FIN or RST.
    pub pure_acks: u64,
    /// Congestion window.
    pub cwnd: Bytes,
    /// Slow-start threshold; `None` while unlimited.
    pub ssthresh: Option<Bytes>,
    /// Bytes sent and not acknowledged.
    pub flight: Bytes,
    /// Smoothed round-trip time; `None` without a sample.
    pub srtt: Option<Duration>,
    /// The retransmission timeout, backed off.
    pub rto: Duration,
    /// Bytes of the peer's application that came at least once.
    pub received: Bytes,
    /// When the first data segment came.
    pub first_arrival: Option<Instant>,
    /// When the last data segment came.
    pub last_arrival: Option<Instant>,
    /// Bytes of the peer's application handed over in order.
    pub delivered: Bytes,
    /// Why this end was not sending, since the connection opened.
    pub shares: Shares,
    /// The name of what keeps it from sending now: a field of [`Shares`].
    pub limit: &'static str,
}

/// Shares of the time since the connection opened: they sum to one, or are all zero before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// The congestion window was full.
    pub cwnd: f64,
    /// The receiver's window was full.
    pub rwnd: f64,
    /// The application had no more data, or the send buffer was full, while some was in flight.
    pub application: f64,
    /// Losses were being repaired.
    pub recovery: f64,
    /// The next segment waited for its turn.
    pub pacing: f64,
    /// Nothing to send and nothing in flight.
    pub idle: f64,
}
