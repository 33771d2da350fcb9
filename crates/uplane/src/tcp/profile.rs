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
    /// Maximum length of an IP packet (RFC 791 §3.2): another way to set `mss`, which becomes this
    /// length minus 40 bytes of IP and TCP headers.
    #[serde(default, skip_serializing)]
    #[schemars(transform = within("68 B", "65535 B"))]
    pub mtu: Option<Bytes>,
    /// MSS option in the SYN. If false, the peer assumes `assumed_peer_mss`; a SYN without other
    /// options is then a bare header of 20 bytes.
    pub announce_mss: bool,
    /// MSS of a peer that announces none (RFC 9293 §3.7.1: 536 B). `"own"`: the value of `mss`.
    #[schemars(transform = within("8 B", "65495 B"))]
    pub assumed_peer_mss: AssumedMss,
    /// TCP options reduce the payload of a segment, so that payload and options stay within the MSS
    /// (RFC 6691). If false, options come on top of a full payload, as in ns-3.
    pub options_count_in_mss: bool,
    /// Initial congestion window: a number of segments, or the window of an RFC. `"rfc3390"`: 4
    /// segments, at most the larger of 4380 B and 2 segments. `"rfc6928"`: 10 segments, at most the
    /// larger of 14600 B and 2 segments.
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub initial_window: InitialWindow,
    /// Congestion control of the sender: `"new_reno"`, `"cubic"`, `"bbr"` or `"prague"`, or a
    /// Python file of your own next to the scenario, for example `"mine.py"`. `"prague"` requires
    /// `ecn = "accurate"`.
    pub congestion_control: Control,
    /// Counting of acknowledged data when the congestion window grows. `"per_ack"`: one segment for
    /// each ACK. `"abc1"`, `"abc2"`: the acknowledged bytes, at most one or two segments for each
    /// ACK. `"per_byte"`: all newly delivered bytes.
    pub growth: Growth,
    /// Selective acknowledgements (SACK, RFC 2018) at both ends of the connection: ACKs list the
    /// data received beyond a gap. If false, the sender uses NewReno recovery (RFC 6582).
    pub sack: bool,
    /// Loss detection and recovery with SACK: `"rack"`, `"rfc6675"`, `"new_reno"`, or a variant of
    /// ns-3. Without SACK, the sender uses NewReno recovery (RFC 6582).
    pub sack_recovery: SackRecovery,
    /// Timestamps option (RFC 7323 §3) at both ends of the connection: 12 bytes in each segment,
    /// and a round-trip sample with each ACK. If false, segments have no such option.
    pub timestamps: bool,
    /// Window scale option (RFC 7323 §2) at both ends of the connection. If false, the receive
    /// window is at most 65535 B.
    pub window_scaling: bool,
    /// Limited transmit (RFC 3042): before a recovery, the sender sends new data beyond the
    /// congestion window. With SACK, at most as much as SACK blocks have reported; without SACK,
    /// one segment for each of the first two duplicate ACKs.
    pub limited_transmit: bool,
    /// Number of duplicate ACKs after which the sender assumes a loss and retransmits (`DupThresh`,
    /// RFC 5681 §3.2: 3). A larger value tolerates more reordering, and detects losses later.
    #[schemars(transform = within(1, 300).unit("duplicates"))]
    pub dup_thresh: u32,
    /// Tail loss probes (TLP, RFC 8985 §7): after about two round trips without an ACK, the sender
    /// sends one segment. A loss at the end of data then needs no retransmission timeout. Requires
    /// SACK.
    pub tail_loss_probe: bool,
    /// Time by which a tail loss probe waits longer if only one segment is in flight, because the
    /// peer may delay its ACK (RFC 8985 §7.2, `TLP.max_ack_delay`). Without effect if
    /// `tail_loss_probe` is false.
    #[schemars(transform = within("0 s", "10 s"))]
    pub max_ack_delay: Duration,
    /// Detection of spurious retransmission timeouts in the sender (F-RTO, RFC 5682 §3.1): if later
    /// ACKs show that the original segments arrived, the sender restores the congestion window.
    /// Requires SACK.
    pub f_rto: bool,
    /// Restores the congestion window (RFC 4015) when timestamps (Eifel, RFC 3522) or DSACK reports
    /// (RFC 3708) show that a retransmission was spurious.
    pub undo_reductions: bool,
    /// Proportional rate reduction (PRR) in fast recovery, which spreads the reduction of the
    /// window over a round trip: `"rfc9937"` (or true), `"rfc6937"`, or false. If false, the window
    /// falls at once (RFC 6675 §5 step 4.2).
    pub prr: RateReduction,
    /// Quantity that determines the slow-start threshold after a loss: `"flight_size"` (data in
    /// flight) or `"cwnd"` (congestion window). The congestion control sets the threshold to its
    /// fraction of this quantity.
    pub threshold_base: ThresholdBase,
    /// Exit from slow start before a loss: `"rfc9406"` (or true), HyStart++, when round-trip times
    /// grow; `"linux"`, HyStart of Linux, when they grow or a train of ACKs is long; or false, only
    /// at a loss or mark.
    pub hystart: SlowStartExit,
    /// Explicit congestion notification (ECN), which the end that opens the connection requests and
    /// the other end accepts. `"off"`, `"passive"` (accepts, but does not request), `"classic"`
    /// (RFC 3168) or `"accurate"` (RFC 9768).
    pub ecn: EcnMode,
    /// AccECN option (RFC 9768 §3.2.3) in ACKs, which counts the received bytes of each ECN
    /// codepoint. `"full"` (or true): in each ACK with space for it. `"sparse"`: when the codepoint
    /// changes, after marks, and three times a round trip. False: never. `"full"` and `"sparse"`
    /// require `ecn = "accurate"`.
    pub ecn_option: EcnOption,
    /// Minimum congestion window of NewReno and CUBIC after an ECN mark, in segments; after a loss,
    /// the minimum is two segments. With 1, a mark on a window of one segment also delays the next
    /// segment by a retransmission timeout. (RFC 3168 §6.1.2, RFC 9438 §4.6: 1; Linux: 2)
    #[schemars(transform = within(1, 2).unit("segments"))]
    pub ecn_min_window: u32,
    /// Alternative back-off with ECN (RFC 8511): an ECN mark reduces the window less than a loss,
    /// to 0.8 (NewReno) or 0.85 (CUBIC) of the quantity in `threshold_base`. If false, a mark
    /// counts like a loss.
    pub abe: bool,
    /// Variant of CUBIC's window growth: `"rfc9438"` or `"linux"`.
    pub cubic: CubicRule,
    /// Reduction of the congestion window when the sender was idle for longer than a retransmission
    /// timeout (RTO). `"rfc5681"` (or true): to the initial window. `"rfc2861"`: halved for each
    /// idle RTO, and reduced while it is not fully used. False: none.
    pub restart_after_idle: IdleRestart,
    /// Number of lost SYNs that still leaves the initial window unchanged. With more lost SYNs, it
    /// is one segment; with 0, one lost SYN suffices (RFC 5681 §3.1: 0).
    #[schemars(transform = within(0, 1000).unit("SYNs"))]
    pub syns_lost_before_one_segment: u32,
    /// Growth of the congestion window only while it limits the sender (RFC 7661 §4.4). If false,
    /// it also grows when the application or the receive window limits the sender.
    pub grow_only_when_limited: bool,
    /// Nagle's algorithm, which delays small segments: `"rfc"` (or true) while any data is
    /// unacknowledged (RFC 9293 §3.7.4); `"minshall"` while another small segment is unacknowledged
    /// (RFC 9293 appendix A.3); or false, never.
    pub nagle: Nagle,
    /// Maximum time for which the end that opens the connection delays the last ACK of the
    /// handshake, to send it with its first data. `"0 s"`: it sends the ACK at once.
    #[schemars(transform = within("0 s", "60 s"))]
    pub handshake_ack_hold: Duration,
    /// TCP Fast Open (RFC 7413) at both ends. `"cold"` (or true): a UE's first connection to a
    /// server requests a cookie; later SYNs carry the cookie and data. `"warm"`: the UE has a valid
    /// cookie from the start. `"stale"`: the UE has a cookie that the server rejects and replaces
    /// (RFC 7413 §4.1.2). False: no Fast Open.
    pub fast_open: FastOpen,
    /// Length of the TCP Fast Open cookies that a server issues, an even number of bytes (RFC 7413
    /// §4.1.1). SYNs that carry the cookie are longer by it. Without effect if `fast_open` is
    /// false.
    #[schemars(transform = within("4 B", "16 B"))]
    pub fast_open_cookie: Bytes,
    /// Pacing of new segments over the round trip, as in Linux: at 2 times the congestion window
    /// per smoothed round trip in slow start, at 1.2 times after slow start. If false, segments
    /// leave as soon as the window allows. Congestion controls with their own pacing rate (`bbr`,
    /// `prague`) always pace.
    pub pacing: bool,
    /// Amount of data that a sender with `pacing` sends at once before it waits. Larger bursts give
    /// longer queues. Without effect if `pacing` is false or the congestion control has its own
    /// pacing rate.
    #[schemars(transform = within("1 B", "1 GB"))]
    pub pacing_burst: Bytes,
    /// Schedule of the receiver's ACKs: how many segments an ACK acknowledges, and how long it may
    /// wait.
    pub acks: Acks,
    /// Receive buffer, in bytes: maximum receive window that the receiver announces, and so the
    /// maximum data in flight. At least one segment, and at most 65535 B without window scaling
    /// (RFC 7323 §2.3).
    #[schemars(transform = within("1 B", "1073741824 B"))]
    pub receive_buffer: Bytes,
    /// Receive buffer auto-tuning of Linux: the window starts at 64 kB and grows with the received
    /// data, up to 160/256 of `receive_buffer`. Each segment that opens the window is acknowledged
    /// at once. If false, the maximum window is `receive_buffer` from the start.
    pub receive_buffer_tuning: bool,
    /// Send buffer: maximum amount of data that the application has written and the peer has not
    /// acknowledged. Data that does not fit waits in the application.
    #[schemars(transform = at_least("1 B"))]
    pub send_buffer: Limit<Bytes>,
    /// Resumes an application that is blocked on a limited `send_buffer` when a third of the buffer
    /// is free, as on Linux. If false, the application resumes as soon as any part is free.
    pub send_buffer_by_thirds: bool,
    /// Send buffer auto-tuning of Linux: a limited send buffer holds twice the congestion window,
    /// from 21 segments up to `send_buffer`. Without effect if `send_buffer` is `"unlimited"`.
    pub send_buffer_tuning: bool,
    /// PSH flag also on the last segment written before the application blocks, and once for each
    /// half of the peer's maximum window, as on Linux. If false, only the last segment of all
    /// written data has the flag (RFC 9293 §3.9.1.2).
    pub push_often: bool,
    /// Block size of a limited `send_buffer`: the buffer accepts only whole writes of this size, as
    /// in ns-3. With 1 B, the buffer accepts all data that fits.
    #[schemars(transform = at_least("1 B"))]
    pub write_size: Bytes,
    /// Maximum congestion window, in bytes: the window does not grow beyond it.
    #[schemars(transform = at_least("1 B"))]
    pub max_window: Limit<Bytes>,
    /// Initial slow-start threshold, in bytes (RFC 5681 §3.1): at this congestion window, the first
    /// slow start ends. `"unlimited"`: it ends only at a loss, a mark, or by `hystart`.
    #[schemars(transform = at_least("1 B"))]
    pub initial_ssthresh: Limit<Bytes>,
    /// Minimum retransmission timeout (RTO), whatever the round-trip time (RFC 6298 §2.4: 1 s).
    #[schemars(transform = within("1 us", "60 s"))]
    pub min_rto: Duration,
    /// Maximum retransmission timeout (RTO), which limits its exponential back-off (RFC 6298 §2.5:
    /// at least 60 s).
    #[schemars(transform = within("1 us", "1000 s"))]
    pub max_rto: Duration,
    /// Retransmission timeout (RTO) before the first round-trip sample, for SYNs and the first data
    /// (RFC 6298 §2.1).
    #[schemars(transform = within("1 us", "60 s"))]
    pub initial_rto: Duration,
    /// Clock granularity `G` of the retransmission timeout (RFC 6298 §2.3): minimum of the
    /// variation term, `4 · RTTVAR`, that is added to the smoothed round-trip time.
    #[schemars(transform = within("1 us", "60 s"))]
    pub rto_granularity: Duration,
    /// Tick of the host's clock. A TCP timer lasts a whole number of ticks: its time is rounded up
    /// and counted from the next tick. `"0 s"`: timers expire exactly at their time.
    #[schemars(transform = within("0 s", "1 s"))]
    pub timer_tick: Duration,
    /// Time by which two timers of the sender wait longer: the reordering timer of RACK, and tail
    /// loss probes with more than one segment in flight. `"0 s"`: no longer.
    #[schemars(transform = within("0 s", "1 s"))]
    pub timer_margin: Duration,
    /// Congestion window and its growth in whole segments, as in Linux. If false, they are in
    /// bytes.
    pub whole_segments: bool,
    /// Estimator of the retransmission timeout from round-trip samples: `"rfc6298"` or `"linux"`.
    pub rto_rule: RtoRule,
    /// Weight of a round-trip sample divided by the number of samples in a round trip (RFC 7323
    /// appendix G): many samples then do not shorten the memory. If false, each sample has its full
    /// weight. Without effect if `rto_rule` is not `"rfc6298"`.
    pub rto_share_weights: bool,
    /// Maximum number of consecutive retransmission timeouts or window probes without an answer
    /// (RFC 9293 §3.8.3, R2; `tcp_retries2`). The next timeout aborts the connection; with 0, the
    /// first one does.
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub retries: u32,
    /// Maximum number of retransmissions of a SYN or a SYN-ACK, in addition to those of
    /// `syn_linear_timeouts` (RFC 9293 §3.8.3; `tcp_syn_retries`). The next timeout aborts the
    /// connection. If both keys are 0, the first timeout aborts it.
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub syn_retries: u32,
    /// Number of SYN retransmissions at equal intervals, before each further timeout doubles the
    /// next one. They are in addition to `syn_retries`. SYN-ACKs have none. With 0, the first
    /// timeout already doubles the next one. (RFC 6298 §5.5: 0; `tcp_syn_linear_timeouts` of Linux:
    /// 4)
    #[schemars(transform = within(0, 1000).unit("timeouts"))]
    pub syn_linear_timeouts: u32,
    /// Time for which a closed connection stays in TIME-WAIT, to acknowledge a retransmitted FIN
    /// (RFC 9293 §3.6.1: two segment lifetimes, four minutes). A short time is harmless, because
    /// ports are not reused.
    #[schemars(transform = within("0 s", "1000 s"))]
    pub time_wait: Duration,
    /// Path MTU discovery (RFC 1191): sets "don't fragment" in IP headers, and reduces the segment
    /// size after an ICMP "packet too big" message. If false, routers may fragment packets.
    pub path_mtu_discovery: bool,
}

/// Schedule of the receiver's ACKs for data that arrives in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = BaseFiles::say_nothing_is_required)]
pub struct Acks {
    /// Policy of the ACKs. `"delayed"`: after `every` segments or `timer`. `"adaptive"`: as in
    /// Linux. `"stretching"`: `every` segments once data flows without gaps. `"fixed_delay"`: each
    /// ACK is late by `timer`. `"timed"`: one ACK every `timer`. The policy determines which other
    /// keys have an effect.
    pub policy: AckPolicy,
    /// Number of segments that one ACK acknowledges: 1 acknowledges each segment. Without effect
    /// with the policies `adaptive` and `timed`.
    #[schemars(transform = within(1, 1000).unit("segments"))]
    pub every: u32,
    /// Maximum delay of an ACK after the first segment that it acknowledges. With the policy
    /// `adaptive`, the minimum of the delay, which follows the arrivals. With `fixed_delay`, the
    /// delay of each ACK. With `timed`, the time between two ACKs.
    #[schemars(transform = within("1 us", "10 s"))]
    pub timer: Duration,
    /// Maximum delay of an ACK with the policy `adaptive`, or `timer` if that is longer. Without
    /// effect with all other policies.
    #[schemars(transform = within("0 s", "1000 s"))]
    pub longest: Duration,
    /// Number of first segments of a connection that are acknowledged one by one; 0 for none. With
    /// the policy `stretching`: number of segments without a gap after which an ACK acknowledges
    /// `every` segments, instead of two. Without effect with `fixed_delay`.
    #[schemars(transform = within(0, u32::MAX).unit("segments"))]
    pub quick: u32,
    /// Immediate ACK of an in-order segment with PSH, as in Linux if the application waits for
    /// data. If false, PSH does not matter.
    pub at_push: bool,
    /// Maximum number of ACKs for out-of-order data that one ACK may replace, after the first three
    /// of a gap (`tcp_comp_sack_nr`). 0: each leaves at once (RFC 5681 §4.2). Requires SACK.
    #[schemars(transform = within(0, 255).unit("acknowledgements"))]
    pub compressed_sacks: u32,
    /// Maximum delay of an ACK that replaces others (`tcp_comp_sack_delay_ns`). Without effect if
    /// `compressed_sacks` is 0.
    #[schemars(transform = within("1 us", "1 s"))]
    pub compressed_delay: Duration,
    /// Maximum delay of an ACK that replaces others, in percent of the round-trip time
    /// (`tcp_comp_sack_rtt_percent`). Uses the shorter of two estimates: that of the receiver and
    /// that of the sender of the same host. Without effect if `compressed_sacks` is 0.
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
