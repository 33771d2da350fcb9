//! All parameters that distinguish one TCP from another: the section `[tcp.NAME]` of a scenario.
//!
//! In: base files in TOML with these keys (`profile/*.toml`), and the keys of a user's section,
//! which override one. Out: plain parameters; each entity takes those that it needs.
//!
//! One struct has all keys of the section: a new key is added here and, with its value, in
//! `profile/rfc.toml`, the base of all other base files.

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

/// One TCP parameter set, of both ends of a connection. A key that is not set takes its value from
/// `base`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Tcp", transform = usual_values)]
pub struct Profile {
    /// Base of this set: a built-in profile such as "rfc" or "linux" (`uplane profile` lists them),
    /// or the name of another set. A file with the same keys next to the scenario is possible too,
    /// for example `"mine.toml"`. A key that is set here overrides the value of the base.
    pub base: String,
    /// Version of the IP header that the host adds; path MTU discovery counts it.
    #[serde(skip)]
    pub ip: IpVersion,
    /// Maximum segment size (MSS): maximum TCP payload of a segment, in bytes, before options
    /// reduce it (see `options_count_in_mss`; RFC 9293 §3.7.1).
    #[schemars(transform = within("8 B", "65495 B"))]
    pub mss: Bytes,
    /// Maximum length of an IP packet (RFC 791 §3.2). Sets `mss` to this length minus the IP and
    /// TCP headers without options.
    #[serde(default, skip_serializing)]
    #[schemars(transform = within("68 B", "65535 B"))]
    pub mtu: Option<Bytes>,
    /// Sends the MSS option in the SYN. If false, and without other options, a SYN is a bare header
    /// of 20 bytes.
    pub announce_mss: bool,
    /// MSS of a peer that announces none (RFC 9293 §3.7.1: 536 B). `"own"`: the value of `mss`.
    #[schemars(transform = within("8 B", "65495 B"))]
    pub assumed_peer_mss: AssumedMss,
    /// TCP options reduce the payload of a segment, so that payload and options stay within the MSS
    /// (RFC 6691). If false, options come on top of a full payload, as in ns-3.
    pub options_count_in_mss: bool,
    /// Initial congestion window: a number of segments, `"rfc3390"` or `"rfc6928"`.
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub initial_window: InitialWindow,
    /// Congestion control of the sender: `"new_reno"`, `"cubic"`, `"bbr"` or `"prague"`, or a
    /// Python file of your own next to the scenario, for example `"mine.py"`. `"prague"` requires
    /// `ecn = "accurate"`.
    pub congestion_control: Control,
    /// Counting of acknowledged data when the congestion window grows: `"per_ack"`, `"abc1"`,
    /// `"abc2"` or `"per_byte"`.
    pub growth: Growth,
    /// Selective acknowledgements (SACK, RFC 2018), if both ends have them.
    pub sack: bool,
    /// Loss detection and recovery with SACK: `"rack"`, `"rfc6675"`, `"new_reno"`, or a variant of
    /// ns-3. Without SACK, the sender uses NewReno recovery (RFC 6582).
    pub sack_recovery: SackRecovery,
    /// Timestamps option (RFC 7323 §3), if both ends have it: 12 bytes in each segment.
    pub timestamps: bool,
    /// Window scale option (RFC 7323 §2). Without it at either end, the receive window is at most
    /// 65535 B.
    pub window_scaling: bool,
    /// Limited transmit (RFC 3042): before a recovery, the sender sends new data beyond the
    /// congestion window. With SACK, its amount is that of the SACKed data. Without SACK, it is one
    /// segment for each of the first two duplicate ACKs.
    pub limited_transmit: bool,
    /// Number of duplicate ACKs after which the sender assumes a loss (`DupThresh`, RFC 5681 §3.2:
    /// 3).
    #[schemars(transform = within(1, 300).unit("duplicates"))]
    pub dup_thresh: u32,
    /// Tail loss probes (TLP, RFC 8985 §7) of the sender. Requires SACK.
    pub tail_loss_probe: bool,
    /// Additional wait of a tail loss probe if only one segment is in flight, for the peer's
    /// delayed ACK (RFC 8985 §7.2, `TLP.max_ack_delay`).
    #[schemars(transform = within("0 s", "10 s"))]
    pub max_ack_delay: Duration,
    /// Detection of spurious retransmission timeouts (F-RTO, RFC 5682 §3.1) in the sender. Requires
    /// SACK.
    pub f_rto: bool,
    /// Restores the congestion window (RFC 4015) when timestamps (Eifel, RFC 3522) or DSACK reports
    /// (RFC 3708) show that a retransmission was spurious.
    pub undo_reductions: bool,
    /// Proportional rate reduction (PRR) in fast recovery: `"rfc9937"` (or true), `"rfc6937"`, or
    /// false. If false, the window falls at once (RFC 6675 §5 step 4.2).
    pub prr: RateReduction,
    /// Quantity that determines the slow-start threshold after a loss: `"flight_size"` or `"cwnd"`.
    /// The threshold is the congestion control's fraction of it.
    pub threshold_base: ThresholdBase,
    /// Exit from slow start before a loss: `"rfc9406"` (or true), HyStart++; `"linux"`, HyStart of
    /// Linux; or false.
    pub hystart: SlowStartExit,
    /// Explicit congestion notification (ECN): mode that the opener requests and the other end
    /// accepts. `"off"`, `"passive"` (accepts only), `"classic"` (RFC 3168) or `"accurate"` (RFC
    /// 9768).
    pub ecn: EcnMode,
    /// AccECN option (RFC 9768 §3.2.3) in ACKs, which counts the bytes of each ECN field. `"full"`
    /// (or true): in each ACK with space for it. `"sparse"`: when the ECN field changes, after
    /// marks, and three times a round trip. False: never. Requires `ecn = "accurate"`.
    pub ecn_option: EcnOption,
    /// Minimum congestion window of NewReno and CUBIC after an ECN mark, in segments; after a loss
    /// it is two segments. With 1, a mark on a window of one segment also delays the next segment
    /// by a retransmission timeout. (RFC 3168 §6.1.2, RFC 9438 §4.6: 1; Linux: 2)
    #[schemars(transform = within(1, 2).unit("segments"))]
    pub ecn_min_window: u32,
    /// Alternative back-off with ECN (RFC 8511): after an ECN mark, 0.8 (NewReno) or 0.85 (CUBIC)
    /// of the quantity in `threshold_base` remains, more than after a loss.
    pub abe: bool,
    /// Variant of CUBIC's window growth: `"rfc9438"` or `"linux"`.
    pub cubic: CubicRule,
    /// Reduction of the congestion window after an idle period of the sender: `"rfc5681"` (or
    /// true), `"rfc2861"`, or false for none.
    pub restart_after_idle: IdleRestart,
    /// Number of lost SYNs beyond which the initial window is one segment (RFC 5681 §3.1: 0).
    #[schemars(transform = within(0, 1000).unit("SYNs"))]
    pub syns_lost_before_one_segment: u32,
    /// Lets the congestion window grow only while it limits the sender (RFC 7661 §4.4). If false,
    /// it also grows when the application or the receive window limits.
    pub grow_only_when_limited: bool,
    /// Nagle's algorithm, by which small segments wait while others are in flight: `"rfc"` (or
    /// true, RFC 9293 §3.7.4), `"minshall"` (its appendix A.3), or false.
    pub nagle: Nagle,
    /// Maximum time for which the opener delays the last ACK of the handshake, in order to send it
    /// with its first data.
    #[schemars(transform = within("0 s", "60 s"))]
    pub handshake_ack_hold: Duration,
    /// TCP Fast Open (RFC 7413) at both ends. `"cold"` (or true): a UE's first connection to a
    /// server requests a cookie, later SYNs carry it and data. `"warm"`: the UE has a valid cookie
    /// from the start. `"stale"`: the UE has a cookie that the server rejects and replaces
    /// (§4.1.2). False: no Fast Open.
    pub fast_open: FastOpen,
    /// Length of the cookies that a server issues, an even number of bytes (RFC 7413 §4.1.1).
    #[schemars(transform = within("4 B", "16 B"))]
    pub fast_open_cookie: Bytes,
    /// Paces new segments over the round trip, as Linux does: at 2 times the congestion window per
    /// smoothed round trip in slow start, 1.2 times after it. Controls with a pacing rate of their
    /// own (`bbr`, `prague`) pace anyway.
    pub pacing: bool,
    /// Amount of data that a paced sender sends at once.
    #[schemars(transform = within("1 B", "1 GB"))]
    pub pacing_burst: Bytes,
    /// Schedule of the receiver's ACKs.
    pub acks: Acks,
    /// Receive buffer: maximum receive window, in bytes. At least one segment, and at most 65535 B
    /// without window scaling (RFC 7323 §2.3).
    #[schemars(transform = within("1 B", "1073741824 B"))]
    pub receive_buffer: Bytes,
    /// Receive buffer auto-tuning of Linux: the window starts at 64 kB and grows with the received
    /// data, up to 160/256 of `receive_buffer`. Each segment that opens the window is acknowledged
    /// at once.
    pub receive_buffer_tuning: bool,
    /// Send buffer: maximum amount of written data that is not yet acknowledged. What does not fit
    /// waits in the application.
    #[schemars(transform = at_least("1 B"))]
    pub send_buffer: Limit<Bytes>,
    /// An application that is blocked on a limited send buffer resumes when a third of it is free,
    /// as on Linux. If false, it resumes at once.
    pub send_buffer_by_thirds: bool,
    /// Send buffer auto-tuning of Linux: a limited send buffer holds twice the congestion window,
    /// from 21 segments up to `send_buffer`. Without effect if `send_buffer` is `"unlimited"`.
    pub send_buffer_tuning: bool,
    /// Sets PSH also on the last segment written before the application blocks, and once for each
    /// half of the peer's maximum window, as on Linux. If false, only the last segment of all
    /// written data has it (RFC 9293 §3.9.1.2).
    pub push_often: bool,
    /// Block size of a limited send buffer: it takes only whole writes of this size, as in ns-3.
    /// With 1 B, it takes what fits.
    #[schemars(transform = at_least("1 B"))]
    pub write_size: Bytes,
    /// Maximum congestion window, in bytes.
    #[schemars(transform = at_least("1 B"))]
    pub max_window: Limit<Bytes>,
    /// Initial slow-start threshold, in bytes (RFC 5681 §3.1).
    #[schemars(transform = at_least("1 B"))]
    pub initial_ssthresh: Limit<Bytes>,
    /// Minimum retransmission timeout (RTO; RFC 6298 §2.4: 1 s).
    #[schemars(transform = within("1 us", "60 s"))]
    pub min_rto: Duration,
    /// Maximum retransmission timeout (RTO), which limits its exponential back-off (RFC 6298 §2.5:
    /// at least 60 s).
    #[schemars(transform = within("1 us", "1000 s"))]
    pub max_rto: Duration,
    /// Retransmission timeout (RTO) before the first round-trip sample, also of the SYN (RFC 6298
    /// §2.1).
    #[schemars(transform = within("1 us", "60 s"))]
    pub initial_rto: Duration,
    /// Clock granularity `G` of the retransmission timeout (RFC 6298 §2.3): minimum of the
    /// variation term that is added to the smoothed round-trip time.
    #[schemars(transform = within("1 us", "60 s"))]
    pub rto_granularity: Duration,
    /// Tick of the host's clock. TCP timers last their time in whole ticks, rounded up and counted
    /// from the next tick. `"0 s"`: no ticks.
    #[schemars(transform = within("0 s", "1 s"))]
    pub timer_tick: Duration,
    /// Additional wait of reordering timers (RACK) and tail loss probes.
    #[schemars(transform = within("0 s", "1 s"))]
    pub timer_margin: Duration,
    /// Counts the congestion window and its growth in whole segments, as Linux does. If false, they
    /// are in bytes.
    pub whole_segments: bool,
    /// Estimator of the retransmission timeout from round-trip samples: `"rfc6298"` or `"linux"`.
    pub rto_rule: RtoRule,
    /// Divides the weight of a round-trip sample by the number of samples in a round trip (RFC 7323
    /// appendix G). If false, each sample has its full weight. With `rto_rule = "rfc6298"`.
    pub rto_share_weights: bool,
    /// Maximum number of consecutive retransmission timeouts without an answer; the next timeout
    /// aborts the connection (RFC 9293 §3.8.3, R2; `tcp_retries2`).
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub retries: u32,
    /// Maximum number of retransmissions of a SYN or a SYN-ACK, besides those of
    /// `syn_linear_timeouts`; the next timeout aborts the connection (RFC 9293 §3.8.3;
    /// `tcp_syn_retries`).
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub syn_retries: u32,
    /// Number of SYN retransmissions at equal intervals, before each timeout doubles the next one.
    /// They are in addition to `syn_retries`. A SYN-ACK has none. (RFC 6298 §5.5: 0;
    /// `tcp_syn_linear_timeouts` of Linux: 4)
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub syn_linear_timeouts: u32,
    /// Time for which a closed connection stays in TIME-WAIT, to acknowledge a retransmitted FIN
    /// (RFC 9293 §3.6.1: two segment lifetimes, four minutes). It may be short, because ports are
    /// not reused here.
    #[schemars(transform = within("0 s", "1000 s"))]
    pub time_wait: Duration,
    /// Path MTU discovery (RFC 1191): sets "don't fragment" and reduces segments after ICMP
    /// messages. If false, routers may fragment.
    pub path_mtu_discovery: bool,
}

/// Schedule of the receiver's ACKs for data that arrives in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = BaseFiles::say_nothing_is_required)]
pub struct Acks {
    /// Policy of the ACKs: `"delayed"`, `"adaptive"`, `"stretching"`, `"fixed_delay"` or `"timed"`.
    /// It determines which of the other keys have an effect.
    pub policy: AckPolicy,
    /// Number of segments that one ACK acknowledges. Without effect with `adaptive` and `timed`.
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub every: u32,
    /// Maximum delay of an ACK after the first segment that it acknowledges. With `adaptive`, the
    /// minimum of a delay that follows the arrivals; with `fixed_delay`, the delay of each ACK;
    /// with `timed`, the distance of ACKs.
    #[schemars(transform = within("1 us", "10 s"))]
    pub timer: Duration,
    /// Policy `adaptive` only: maximum delay of an ACK, or `timer` if that is longer.
    #[schemars(transform = within("0 s", "1000 s"))]
    pub longest: Duration,
    /// Number of first segments that are acknowledged one by one. With `stretching`: number of
    /// segments without a gap after which an ACK acknowledges `every` segments. Without effect with
    /// `fixed_delay`.
    #[schemars(transform = within(0, u32::MAX).unit("segments"))]
    pub quick: u32,
    /// Acknowledges an in-order segment with PSH at once, as Linux does if the application waits
    /// for data.
    pub at_push: bool,
    /// Maximum number of ACKs for out-of-order data that one ACK may replace, after the first three
    /// of a gap (`tcp_comp_sack_nr`). 0: each leaves at once (RFC 5681 §4.2). Requires SACK.
    #[schemars(transform = within(0, 255).unit("acknowledgements"))]
    pub compressed_sacks: u32,
    /// Maximum delay of an ACK that replaces others (`tcp_comp_sack_delay_ns`). Without effect if
    /// `compressed_sacks` is 0.
    #[schemars(transform = within("1 us", "1 s"))]
    pub compressed_delay: Duration,
    /// Maximum delay of an ACK that replaces others, in percent of the round-trip time: the shorter
    /// of the estimates of this end's receiver and sender (`tcp_comp_sack_rtt_percent`). Without
    /// effect if `compressed_sacks` is 0.
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
    /// Returns the profile of the current specifications, with their recommended values.
    pub fn rfc() -> Self {
        Self::built_in(PROFILES.usual).expect("the usual profile is built in")
    }

    /// Returns the built-in profile of this name.
    pub fn built_in(name: &str) -> Option<Self> {
        let mut values = PROFILES.values(name)?;
        values.insert(PROFILES.key.to_owned(), name.into());
        Some(Self::deserialize(values).expect("a built-in profile has every key"))
    }
}

/// Marks all keys as optional: a key that is not set takes its value from a base, at last from
/// the usual one.
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

    /// The older studies have acknowledgements and SYNs of 40 bytes.
    #[test]
    fn the_bare_profile_sends_bare_headers() {
        let bare = Profile::built_in("bare").expect("it is built in");
        assert!(!bare.announce_mss && !bare.sack && !bare.timestamps && !bare.window_scaling);
        assert_eq!(crate::net::Segment::default().header_length(), Bytes(20));
    }
}
