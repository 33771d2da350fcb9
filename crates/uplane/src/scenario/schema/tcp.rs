//! Sections of TCP parameter sets.
//!
//! A set starts from another one (`base`) and says what is different. Named bases that always exist are listed by
//! [`crate::scenario::tcp_profiles`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::quantity::{Size, Span};
use crate::tcp::CongestionControl;

/// One TCP parameter set; what is not said here is taken from its base.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// A built-in profile such as "rfc" or "linux", or the name of another set; "rfc" by default.
    pub base: Option<String>,
    /// Longest payload of a segment.
    pub mss: Option<Size>,
    /// Longest IP packet: sets the MSS to this less the IP and TCP headers.
    pub mtu: Option<Size>,
    /// Initial congestion window in segments.
    pub initial_window: Option<u32>,
    /// Congestion control.
    pub congestion_control: Option<CongestionControl>,
    /// How slow start counts.
    pub growth: Option<Growth>,
    /// Selective acknowledgements (RFC 2018, RFC 6675).
    pub sack: Option<bool>,
    /// Timestamps (RFC 7323 §3): 12 bytes in each segment.
    pub timestamps: Option<bool>,
    /// Window scaling (RFC 7323 §2).
    pub window_scaling: Option<bool>,
    /// Limited transmit (RFC 3042).
    pub limited_transmit: Option<bool>,
    /// Proportional rate reduction (RFC 6937).
    pub prr: Option<bool>,
    /// HyStart++ (RFC 9406).
    pub hystart: Option<bool>,
    /// Restart from the initial window after an idle time (RFC 5681 §4.1).
    pub restart_after_idle: Option<bool>,
    /// The congestion window grows only while it limits the sender (RFC 7661 §4.4).
    pub grow_only_when_limited: Option<bool>,
    /// Small segments wait while others are in flight (RFC 9293 §3.7.4).
    pub nagle: Option<bool>,
    /// The opener holds the handshake's last acknowledgement this long, to send it with first data.
    pub handshake_ack_hold: Option<Span>,
    /// Spaces segments out over the round trip, as Linux does.
    pub pacing: Option<bool>,
    /// When the receiver acknowledges.
    pub acks: Option<Acks>,
    /// Receive buffer: the largest window that is offered.
    pub receive_buffer: Option<Size>,
    /// Send buffer: how much may be written ahead.
    pub send_buffer: Option<Size>,
    /// A limited send buffer takes only whole writes of this size, as that of ns-3 does; without it, what fits.
    pub write_size: Option<Size>,
    /// Largest congestion window.
    pub max_window: Option<Size>,
    /// Initial slow-start threshold.
    pub initial_ssthresh: Option<Size>,
    /// Shortest retransmission timeout.
    pub min_rto: Option<Span>,
    /// Retransmission timeout before the first sample.
    pub initial_rto: Option<Span>,
    /// Clock granularity `G` (RFC 6298 §2).
    pub rto_granularity: Option<Span>,
    /// Sets "don't fragment" and follows the path MTU (RFC 1191).
    pub path_mtu_discovery: Option<bool>,
}

/// When the receiver acknowledges.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Acks {
    /// The rule.
    #[serde(default)]
    pub policy: AckPolicyKind,
    /// Segments of a group.
    pub every: Option<u32>,
    /// Acknowledges a lone segment after this time; the shortest time of `adaptive`.
    pub timer: Option<Span>,
    /// The longest time of `adaptive`.
    pub longest: Option<Span>,
    /// Acknowledges each of so many first segments at once; with `stretching`, the streak begins after so many.
    pub quick: Option<u32>,
}

/// Rules of acknowledgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AckPolicyKind {
    /// At once after `every` segments, at the latest after `timer` (RFC 9293 §3.8.6.3, RFC 5681 §4.2).
    #[default]
    Delayed,
    /// Like Linux: `quick` at first, then every second segment, a lone one after `timer` to `longest`.
    Adaptive,
    /// Every second segment; after `quick` segments without a gap, every `every` segments.
    Stretching,
    /// Each acknowledgement leaves `timer` after the segment that completed its group of `every`.
    FixedDelay,
    /// One acknowledgement each `timer` while data come in order, however many they are.
    Timed,
}

/// How slow start counts what an acknowledgement covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// One segment for each acknowledgement, however much it covers.
    PerAck,
    /// What was acknowledged, at most one segment (RFC 5681 §3.1; RFC 3465 with L = 1).
    Abc1,
    /// What was acknowledged, at most two segments (RFC 3465 with L = 2).
    Abc2,
    /// What was acknowledged, without a limit.
    PerByte,
}
