//! Everything that distinguishes one TCP from another: the section `[tcp.NAME]` of a scenario.
//!
//! In: base files in TOML with these keys (`profile/*.toml`), and what a user lays over one. Out:
//! plain parameters; each entity takes those that it obeys.
//!
//! One struct has all keys, as the section has: a key is added here and, with its value, in
//! `profile/rfc.toml`, on which all other base files lie.

pub(super) mod words;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::congestion::control::Control;
use crate::net::IpVersion;
use crate::unit::base::BaseFiles;
use crate::unit::range::{at_least, within};
use crate::unit::{Bytes, Duration, Limit};
pub use words::{
    AckPolicy, AssumedMss, CubicRule, EcnMode, EcnOption, FastOpen, Growth, IdleRestart,
    InitialWindow, Nagle, RateReduction, RtoRule, SackRecovery, SlowStartExit, ThresholdBase,
};

/// One TCP parameter set; what it does not say is taken from its base.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Tcp", transform = usual_values)]
pub struct Profile {
    /// The base of this set: a built-in profile such as "rfc" or "linux" (`uplane profile` lists
    /// them), the name of another set, or a file with the same keys, `"mine.toml"`, beside the
    /// scenario.
    pub base: String,
    /// The IP header that the host adds; path MTU discovery counts it.
    #[serde(skip)]
    pub ip: IpVersion,
    /// Longest payload of a segment (RFC 9293 §3.7.1).
    #[schemars(transform = within("8 B", "65495 B"))]
    pub mss: Bytes,
    /// Longest IP packet: sets the MSS to this less the IP and TCP headers (RFC 791 §3.2).
    #[serde(default, skip_serializing)]
    #[schemars(transform = within("68 B", "65535 B"))]
    pub mtu: Option<Bytes>,
    /// The SYN announces the MSS; a SYN without any option is a bare header.
    pub announce_mss: bool,
    /// The MSS of a peer that announces none (RFC 9293 §3.7.1: 536 B); "own" for the own MSS.
    #[schemars(transform = within("8 B", "65495 B"))]
    pub assumed_peer_mss: AssumedMss,
    /// Options shorten the payload (RFC 6691); ns-3 sends full payloads with options on top.
    pub options_count_in_mss: bool,
    /// Initial congestion window: a number of segments, or the rule of an RFC.
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub initial_window: InitialWindow,
    /// Congestion control: the name of a built-in one, or the file of your own in Python,
    /// `"mine.py"`, beside the scenario.
    pub congestion_control: Control,
    /// How slow start counts.
    pub growth: Growth,
    /// Selective acknowledgements (RFC 2018).
    pub sack: bool,
    /// How losses are repaired with selective acknowledgements.
    pub sack_recovery: SackRecovery,
    /// Timestamps (RFC 7323 §3): 12 bytes in each segment.
    pub timestamps: bool,
    /// Window scaling (RFC 7323 §2).
    pub window_scaling: bool,
    /// Limited transmit (RFC 3042).
    pub limited_transmit: bool,
    /// How many duplicate acknowledgements mean a loss (`DupThresh`, RFC 5681 §3.2: 3).
    #[schemars(transform = within(1, 300).unit("duplicates"))]
    pub dup_thresh: u32,
    /// Tail loss probes (RFC 8985 §7), with selective acknowledgements.
    pub tail_loss_probe: bool,
    /// How much longer a tail loss probe of a lone segment waits, for a delayed acknowledgement
    /// (RFC 8985 §7.2, `TLP.max_ack_delay`).
    #[schemars(transform = within("0 s", "10 s"))]
    pub max_ack_delay: Duration,
    /// Finds out whether a timeout was spurious (F-RTO, RFC 5682 §3.1), with selective
    /// acknowledgements.
    pub f_rto: bool,
    /// Takes a reduction of the window back when timestamps (RFC 3522) or reports of duplicates
    /// (RFC 3708) show that nothing was lost (RFC 4015).
    pub undo_reductions: bool,
    /// Proportional rate reduction; without, the window falls at once (RFC 6675 §5 step 4.2).
    pub prr: RateReduction,
    /// What the threshold after a loss is a share of.
    pub threshold_base: ThresholdBase,
    /// How slow start ends before a loss.
    pub hystart: SlowStartExit,
    /// Explicit congestion notification: what a SYN asks for, and what is granted to one that asks.
    pub ecn: EcnMode,
    /// With accurate ECN acknowledgements count the bytes of each ECN field in the AccECN option
    /// (RFC 9768 §3.2.3): "full": each in which it fits; "sparse": when another field comes than
    /// before, after marks, and three times a round trip.
    pub ecn_option: EcnOption,
    /// Minimum congestion window of NewReno and CUBIC after a mark, where a loss leaves two segments.
    /// With 1 a mark on a window of one segment also holds the next one for a retransmission timeout.
    /// (RFC 3168 §6.1.2, RFC 9438 §4.6: 1; Linux: 2)
    #[schemars(transform = within(1, 2).unit("segments"))]
    pub ecn_min_window: u32,
    /// A mark costs less than a loss: 0.8 of what was in flight remains with NewReno, 0.85 with
    /// CUBIC (RFC 8511).
    pub abe: bool,
    /// How CUBIC grows.
    pub cubic: CubicRule,
    /// What an idle time leaves of the congestion window.
    pub restart_after_idle: IdleRestart,
    /// After more lost SYNs than this the window is one segment (RFC 5681 §3.1: 0).
    #[schemars(transform = within(0, 1000).unit("SYNs"))]
    pub syns_lost_before_one_segment: u32,
    /// The congestion window grows only while it limits the sender (RFC 7661 §4.4).
    pub grow_only_when_limited: bool,
    /// Which small segments wait while others are in flight.
    pub nagle: Nagle,
    /// The opener holds the handshake's last acknowledgement this long, to send it with first data.
    #[schemars(transform = within("0 s", "60 s"))]
    pub handshake_ack_hold: Duration,
    /// TCP Fast Open (RFC 7413) at both ends: the opener's SYN asks for a cookie, later ones carry
    /// it and data. "cold": the first connection of a UE to a server asks for it; "warm": the
    /// cookie is known before the run; "stale": the same, but the server does not take it any more
    /// (§4.1.2), and gives another.
    pub fast_open: FastOpen,
    /// Length of the cookies that a server gives (RFC 7413 §4.1.1: an even number of bytes).
    #[schemars(transform = within("4 B", "16 B"))]
    pub fast_open_cookie: Bytes,
    /// Spaces segments out over the round trip, as Linux does: twice the window a round trip in
    /// slow start, 1.2 times after it.
    pub pacing: bool,
    /// How much leaves at once when segments are paced.
    #[schemars(transform = within("1 B", "1 GB"))]
    pub pacing_burst: Bytes,
    /// When the receiver acknowledges.
    pub acks: Acks,
    /// Receive buffer: the largest window that is offered; 65535 B at most without window scaling
    /// (RFC 7323 §2.3).
    #[schemars(transform = within("1 B", "1073741824 B"))]
    pub receive_buffer: Bytes,
    /// The window begins at 64 kB and grows with what comes in, as Linux does, up to the share of
    /// the receive buffer that holds data (160/256); each segment that opens it is acknowledged at
    /// once.
    pub receive_buffer_tuning: bool,
    /// Send buffer: how much may be written ahead of the acknowledgements.
    #[schemars(transform = at_least("1 B"))]
    pub send_buffer: Limit<Bytes>,
    /// An application that waits for a limited send buffer goes on when a third of it is free, as
    /// on Linux, and not at once.
    pub send_buffer_by_thirds: bool,
    /// A limited send buffer grows with the congestion window, of which it holds two, from 21
    /// segments up to `send_buffer`, as on Linux.
    pub send_buffer_tuning: bool,
    /// PSH is also set on the last segment that an application wrote before it had to wait, and on
    /// one for each half of the largest window of the peer, as on Linux; otherwise only on the last
    /// one of all that was written (RFC 9293 §3.9.1.2).
    pub push_often: bool,
    /// A limited send buffer takes only whole writes of this size, as that of ns-3 does; with 1 B,
    /// what fits.
    #[schemars(transform = at_least("1 B"))]
    pub write_size: Bytes,
    /// Largest congestion window.
    #[schemars(transform = at_least("1 B"))]
    pub max_window: Limit<Bytes>,
    /// Initial slow-start threshold (RFC 5681 §3.1).
    #[schemars(transform = at_least("1 B"))]
    pub initial_ssthresh: Limit<Bytes>,
    /// Shortest retransmission timeout (RFC 6298 §2.4: 1 s).
    #[schemars(transform = within("1 us", "60 s"))]
    pub min_rto: Duration,
    /// Longest retransmission timeout (RFC 6298 §2.5: at least 60 s).
    #[schemars(transform = within("1 us", "1000 s"))]
    pub max_rto: Duration,
    /// Retransmission timeout before the first sample (RFC 6298 §2.1).
    #[schemars(transform = within("1 us", "60 s"))]
    pub initial_rto: Duration,
    /// Clock granularity `G` (RFC 6298 §2.3), the least distance of the timeout to the mean round
    /// trip.
    #[schemars(transform = within("1 us", "60 s"))]
    pub rto_granularity: Duration,
    /// The tick of the host's clock: timers expire with the tick after their time; "0 s" without
    /// ticks.
    #[schemars(transform = within("0 s", "1 s"))]
    pub timer_tick: Duration,
    /// A reordering timer and a tail loss probe wait this much longer.
    #[schemars(transform = within("0 s", "1 s"))]
    pub timer_margin: Duration,
    /// The congestion window and what it grows by are whole segments.
    pub whole_segments: bool,
    /// How round-trip samples make the timeout.
    pub rto_rule: RtoRule,
    /// With several samples a round trip, each has the weight of its share (RFC 7323 appendix G).
    pub rto_share_weights: bool,
    /// A connection is given up after so many timeouts in a row without an answer (RFC 9293 §3.8.3,
    /// R2; `tcp_retries2`).
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub retries: u32,
    /// The same for the SYN (`tcp_syn_retries`).
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub syn_retries: u32,
    /// Number of SYN retransmissions at equal intervals, before each timeout doubles the next one.
    /// They are in addition to `syn_retries`. A SYN-ACK has none. (RFC 6298 §5.5: 0;
    /// `tcp_syn_linear_timeouts` of Linux: 4)
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub syn_linear_timeouts: u32,
    /// How long a closed connection stays to acknowledge a FIN again (RFC 9293 §3.6.1: two segment
    /// lifetimes, four minutes; ports are not used again here, so it may be short).
    #[schemars(transform = within("0 s", "1000 s"))]
    pub time_wait: Duration,
    /// Sets "don't fragment" and follows the path MTU (RFC 1191).
    pub path_mtu_discovery: bool,
}

/// When the receiver acknowledges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = BaseFiles::say_nothing_is_required)]
pub struct Acks {
    /// The rule.
    pub policy: AckPolicy,
    /// Segments of a group; not of `adaptive` and `timed`.
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub every: u32,
    /// Acknowledges a lone segment after this time; the shortest time of `adaptive`.
    #[schemars(transform = within("1 us", "10 s"))]
    pub timer: Duration,
    /// The longest time of `adaptive`; `timer` when that is longer.
    #[schemars(transform = within("0 s", "1000 s"))]
    pub longest: Duration,
    /// Acknowledges each of so many first segments at once; with `stretching`, the streak begins
    /// after so many; not of `fixed_delay`.
    #[schemars(transform = within(0, u32::MAX).unit("segments"))]
    pub quick: u32,
    /// Acknowledges a segment in order with PSH at once, as Linux does where the application waits
    /// for data.
    pub at_push: bool,
    /// How many acknowledgements of data out of order one may replace, after the first three of a
    /// gap (`tcp_comp_sack_nr`); 0: each leaves at once (RFC 5681 §4.2). With SACK.
    #[schemars(transform = within(0, 255).unit("acknowledgements"))]
    pub compressed_sacks: u32,
    /// No longer than this (`tcp_comp_sack_delay_ns`).
    #[schemars(transform = within("1 us", "1 s"))]
    pub compressed_delay: Duration,
    /// And no longer than this share of the round trip: the shorter one of that of the receive
    /// window and that of what this end has sent (`tcp_comp_sack_rtt_percent`).
    #[schemars(transform = within(1, 1000).unit("%"))]
    pub compressed_percent: u32,
}

/// The built-in profiles: the specifications, two stacks, and a TCP without options.
pub const PROFILES: BaseFiles = BaseFiles {
    key: "base",
    usual: "rfc",
    files: &[
        ("rfc", include_str!("profile/rfc.toml")),
        ("linux", include_str!("profile/linux.toml")),
        ("ns3-2018", include_str!("profile/ns3-2018.toml")),
        ("ns3-lena", include_str!("profile/ns3-lena.toml")),
        ("bare", include_str!("profile/bare.toml")),
    ],
};

impl Profile {
    /// The current specifications, with their recommended values.
    pub fn rfc() -> Self {
        Self::built_in(PROFILES.usual).expect("the usual profile is built in")
    }

    /// The built-in profile of this name.
    pub fn built_in(name: &str) -> Option<Self> {
        let mut values = PROFILES.values(name)?;
        values.insert(PROFILES.key.to_owned(), name.into());
        Some(Self::deserialize(values).expect("a built-in profile has every key"))
    }
}

/// No key has to be given: what is not comes from a base, at last from the usual one.
fn usual_values(schema: &mut Schema) {
    PROFILES.say_usual_values(schema);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_profile_has_every_key() {
        for name in PROFILES.names() {
            assert_eq!(Profile::built_in(name).map(|it| it.base).as_deref(), Some(name));
        }
    }

    /// The older studies: acknowledgements and SYNs of 40 bytes.
    #[test]
    fn the_bare_profile_sends_bare_headers() {
        let bare = Profile::built_in("bare").expect("it is built in");
        assert!(!bare.announce_mss && !bare.sack && !bare.timestamps && !bare.window_scaling);
        assert_eq!(crate::net::Segment::default().header_length(), Bytes(20));
    }
}
