//! Everything that distinguishes one TCP from another.
//!
//! A profile is plain data: take one of the named ones (in `profile/named`) and change fields. Each
//! section belongs to the entity that reads it.

mod named;

use super::congestion::CongestionControl;
pub use super::recovery::SackRecovery;
pub use super::rto::RtoParameters;
use crate::net::IpVersion;
use crate::unit::{Bytes, Duration};

/// The parameters of one connection end.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The IP header that the host adds; path MTU discovery counts it.
    pub ip: IpVersion,
    /// How long segments are.
    pub segments: SegmentConfig,
    /// What the SYN offers.
    pub options: OptionConfig,
    /// How the congestion window moves.
    pub congestion: CongestionConfig,
    /// How losses are noticed and repaired.
    pub recovery: RecoveryConfig,
    /// When data leaves that the windows allow.
    pub sender: SenderConfig,
    /// How long to wait, and how often.
    pub timers: TimerConfig,
    /// What is offered to the peer, and when it is acknowledged.
    pub receiver: ReceiverConfig,
}

/// Segment sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentConfig {
    /// The largest segment this end takes, and would send (RFC 9293 §3.7.1): without TCP and IP header.
    pub mss: Bytes,
    /// Whether the SYN announces it. Without, a SYN without other options is a bare header.
    pub announce_mss: bool,
    /// What to assume of a peer that announces nothing (RFC 9293 §3.7.1: 536 bytes in IPv4).
    pub assumed_peer_mss: Bytes,
    /// Options take room from the payload (RFC 6691). ns-3 sends full payloads with options on top.
    pub options_count_in_mss: bool,
}

/// Options that take effect when both ends offer them.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionConfig {
    /// Selective acknowledgements (RFC 2018).
    pub sack: bool,
    /// Timestamps (RFC 7323 §3.2).
    pub timestamps: bool,
    /// Window scaling (RFC 7323 §2.2).
    pub window_scaling: bool,
}

/// Congestion control.
#[derive(Clone, Debug, PartialEq)]
pub struct CongestionConfig {
    /// Growth in congestion avoidance, and what a loss leaves.
    pub control: CongestionControl,
    /// Leave the first slow start when the round-trip time rises (RFC 9406).
    pub hystart: bool,
    /// What one acknowledgement is worth.
    pub growth: Growth,
    /// The congestion window to begin with.
    pub initial_window: InitialWindow,
    /// The slow-start threshold to begin with; `None`: unlimited (RFC 5681 §3.1).
    pub initial_ssthresh: Option<Bytes>,
    /// The congestion window never grows beyond this; `None`: unlimited.
    pub maximum_cwnd: Option<Bytes>,
    /// The congestion window grows only while it is what limits the sender (RFC 7661 §4.4).
    pub grow_only_when_limited: bool,
    /// After an idle timeout the window is the initial one again (RFC 5681 §4.1).
    pub restart_after_idle: bool,
}

/// Loss recovery.
#[derive(Clone, Debug, PartialEq)]
pub struct RecoveryConfig {
    /// How losses are repaired with SACK.
    pub sack: SackRecovery,
    /// How the window comes down to `ssthresh` in a recovery with SACK.
    pub reduction: Reduction,
    /// Send new data on the first two duplicate acknowledgements (RFC 3042).
    pub limited_transmit: bool,
    /// `DupThresh`: how many duplicates mean a loss (RFC 5681 §3.2: 3).
    pub duplicate_threshold: u32,
}

/// The sending half besides its windows.
#[derive(Clone, Debug, PartialEq)]
pub struct SenderConfig {
    /// Hold back small segments.
    pub nagle: Nagle,
    /// Space segments out; `None`: send as soon as the windows allow.
    pub pacing: Option<Pacing>,
    /// What the application may write ahead of the acknowledgements; `None`: everything.
    pub buffer: Option<Bytes>,
    /// A limited send buffer takes only whole writes of this size; `None`: to the byte.
    pub write_size: Option<Bytes>,
}

/// Timers.
#[derive(Clone, Debug, PartialEq)]
pub struct TimerConfig {
    /// The retransmission timeout.
    pub rto: RtoParameters,
    /// Give up after this many timeouts in a row without an answer (RFC 9293 §3.8.3, R2).
    pub maximum_retransmissions: u32,
    /// The same for the SYN.
    pub maximum_syn_retransmissions: u32,
    /// The opener holds the handshake's last acknowledgement this long, and sends it with the first
    /// data if there is some by then. Zero: at once.
    pub handshake_ack_hold: Duration,
    /// How long a closed connection stays to acknowledge a FIN again (RFC 9293 §3.6.1: two segment
    /// lifetimes, four minutes; nothing here reuses ports, so that it may be short).
    pub time_wait: Duration,
}

/// The receiving half.
#[derive(Clone, Debug, PartialEq)]
pub struct ReceiverConfig {
    /// The receive buffer, which is the window offered.
    pub buffer: Bytes,
    /// When to acknowledge.
    pub acks: AckPolicy,
}

/// How much one acknowledgement opens the congestion window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// One segment in slow start and `SMSS²/cwnd` after it, however much it acknowledges: so do ns-3 and
    /// stacks before RFC 3465. Fewer acknowledgements mean slower growth.
    PerAck,
    /// By the bytes it acknowledges (RFC 3465).
    PerByte {
        /// At most so many segments an acknowledgement in slow start: 1 is RFC 5681 §3.1, 2 the
        /// most that RFC 3465 §2.3 allows, `None` what Linux does.
        limit: Option<u32>,
    },
}

/// How the window comes down to `ssthresh` in a recovery with SACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// At once (RFC 6675 §5 step 4.2).
    AtOnce,
    /// In proportion to what is delivered (PRR of RFC 6937).
    Proportional,
}

/// The congestion window of a new connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialWindow {
    /// A fixed number of segments.
    Segments(u32),
    /// `min(4·MSS, max(2·MSS, 4380 bytes))` (RFC 3390 §1)
    Rfc3390,
    /// `min(10·MSS, max(2·MSS, 14600 bytes))` (RFC 6928 §2)
    Rfc6928,
}

/// Which small segments wait while others are in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nagle {
    /// None (`TCP_NODELAY`).
    Off,
    /// Any, while anything is unacknowledged (RFC 9293 §3.7.4).
    Classic,
    /// Any, while another small one is unacknowledged (RFC 9293 appendix A.3: Minshall's variant, as in
    /// Linux).
    Minshall,
}

/// How segments are spaced out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pacing {
    /// The rate in slow start, in windows a round trip.
    pub slow_start: f64,
    /// The rate after it.
    pub avoidance: f64,
    /// So much leaves at once.
    pub burst: Bytes,
}

/// When a receiver acknowledges data that came in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckPolicy {
    /// Every so many segments, and none later than `delay` (RFC 9293 §3.8.6.3).
    Every {
        /// Acknowledge this many together.
        segments: u32,
        /// But wait no longer than this.
        delay: Duration,
        /// The first so many segments are acknowledged one by one.
        quick: u32,
    },
    /// Like Linux: the first `quick` segments, also after a pause, one by one; then every second, and a
    /// lone one after a delay that follows the pace of arrivals.
    Adaptive {
        /// Segments acknowledged one by one.
        quick: u32,
        /// The shortest delay.
        shortest: Duration,
        /// The longest delay.
        longest: Duration,
    },
    /// Every second segment; after a streak without gaps, fewer acknowledgements.
    Stretching {
        /// The streak begins after so many segments.
        after: u32,
        /// Acknowledge this many together in it.
        segments: u32,
        /// But wait no longer than this.
        delay: Duration,
    },
    /// Every acknowledgement leaves `delay` after the segment that completed its group, or after a lone
    /// segment.
    FixedDelay {
        /// Segments of a group.
        segments: u32,
        /// How long each acknowledgement is held.
        delay: Duration,
    },
}

impl InitialWindow {
    /// The window in bytes for segments of `mss` bytes.
    pub(super) fn bytes(self, mss: u64) -> u64 {
        match self {
            Self::Segments(segments) => u64::from(segments) * mss,
            Self::Rfc3390 => (4 * mss).min((2 * mss).max(4380)),
            Self::Rfc6928 => (10 * mss).min((2 * mss).max(14_600)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3390 §1 and RFC 6928 §2
    #[test]
    fn initial_windows_depend_on_the_segment_size() {
        let windows = |mss| {
            [InitialWindow::Segments(3), InitialWindow::Rfc3390, InitialWindow::Rfc6928]
                .map(|window| window.bytes(mss))
        };
        assert_eq!(windows(536), [1608, 2144, 5360]);
        assert_eq!(windows(1460), [4380, 4380, 14_600]);
        assert_eq!(windows(8960), [26_880, 17_920, 17_920]);
    }
}
