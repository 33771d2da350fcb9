//! What a profile says in words: rules that are no numbers.

use schemars::{JsonSchema, Schema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::unit::Bytes;
use crate::unit::text::{Written, word_or, written};

/// How losses are repaired with SACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SackRecovery {
    /// By time (RFC 8985).
    Rack,
    /// RFC 6675.
    Rfc6675,
    /// Without regard to SACK (RFC 6582).
    NewReno,
    /// RFC 6675 with two habits of ns-3: each partial acknowledgement sends the oldest segment at
    /// once, also when it was sent again before, and what was sent again counts as on its way until
    /// it is acknowledged.
    PartialResend,
    /// As ns-3 did in 2018, which differs in eight points.
    #[serde(rename = "ns3_2018")]
    Ns3,
    /// As ns-3 3.37 does: RFC 6675, but the threshold after a loss is half of what is on its way.
    #[serde(rename = "ns3_3_37")]
    Ns3Later,
}

/// How much one acknowledgement opens the congestion window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// One segment in slow start and `SMSS²/cwnd` after it, however much it acknowledges: so do
    /// ns-3 and stacks before RFC 3465. Fewer acknowledgements mean slower growth.
    PerAck,
    /// What was acknowledged, at most one segment (RFC 5681 §3.1; RFC 3465 with L = 1).
    Abc1,
    /// What was acknowledged, at most two segments (RFC 3465 §2.3 with L = 2).
    Abc2,
    /// What was delivered, without a limit, as Linux does: bytes that SACK has reported before do
    /// not count again.
    PerByte,
}

/// When a receiver acknowledges data that came in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AckPolicy {
    /// At once after `every` segments, at the latest after `timer` (RFC 9293 §3.8.6.3, RFC 5681
    /// §4.2).
    Delayed,
    /// Like Linux: the first `quick` segments, also after a pause, one by one; then every second,
    /// and a lone one after `timer` to `longest`, as the pace of arrivals has it.
    Adaptive,
    /// Every second segment; after `quick` segments without a gap, every `every` segments.
    Stretching,
    /// Each acknowledgement leaves `timer` after the segment that completed its group of `every`.
    FixedDelay,
    /// One acknowledgement each `timer` while data come in order, however many they are.
    Timed,
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

impl InitialWindow {
    /// The window in bytes for segments of `mss` bytes.
    pub fn bytes(self, mss: u64) -> u64 {
        match self {
            Self::Segments(segments) => u64::from(segments) * mss,
            Self::Rfc3390 => (4 * mss).min((2 * mss).max(4380)),
            Self::Rfc6928 => (10 * mss).min((2 * mss).max(14_600)),
        }
    }
}

word_or! {
    InitialWindow "InitialWindow" "a number of segments, \"rfc3390\" or \"rfc6928\""
        { "rfc3390" => Rfc3390, "rfc6928" => Rfc6928, _ => Segments(u32) }
}

/// Which small segments wait while others are in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nagle {
    /// None (`TCP_NODELAY`).
    Off,
    /// Any, while anything is unacknowledged (RFC 9293 §3.7.4).
    Rfc,
    /// Any, while another small one is unacknowledged (RFC 9293 appendix A.3: Minshall's variant,
    /// as in Linux).
    Minshall,
}

impl Written for Nagle {
    const NAME: &'static str = "Nagle";
    const EXPECTED: &'static str =
        "\"rfc\" or true (RFC 9293 §3.7.4), \"minshall\" (its appendix A.3), or false";
    const WORDS: &'static [&'static str] = &["rfc", "minshall"];

    fn read(text: &str) -> Option<Self> {
        match text {
            "rfc" => Some(Self::Rfc),
            "minshall" => Some(Self::Minshall),
            _ => None,
        }
    }

    fn read_flag(flag: bool) -> Option<Self> {
        Some(if flag { Self::Rfc } else { Self::Off })
    }

    fn other_schema() -> Option<Schema> {
        Some(json_schema!({ "type": "boolean" }))
    }

    fn write(&self) -> Value {
        match self {
            Self::Off => false.into(),
            Self::Rfc => "rfc".into(),
            Self::Minshall => "minshall".into(),
        }
    }
}

written!(Nagle);

/// How a round trip makes the retransmission timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RtoRule {
    /// RFC 6298 §2.
    Rfc6298,
    /// As Linux does: the variation is the largest of a round trip, falls once a round trip, and is
    /// at least `min_rto`.
    Linux,
}

/// What the slow-start threshold after a loss is a share of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ThresholdBase {
    /// What is in flight, at most the window (RFC 5681 §3.1, equation 4).
    FlightSize,
    /// The window, as RFC 9438 §4.6 allows.
    Cwnd,
}

/// Explicit congestion notification (`tcp_ecn` of Linux).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EcnMode {
    /// Neither asks for it nor grants it (`tcp_ecn = 0`).
    Off,
    /// Grants that of RFC 3168 to a peer that asks, and does not ask itself (`tcp_ecn = 2`).
    Passive,
    /// Asks for that of RFC 3168 (`tcp_ecn = 1`).
    Classic,
    /// Asks for accurate feedback (RFC 9768), and takes that of RFC 3168 (`tcp_ecn = 3`).
    Accurate,
}

impl EcnMode {
    /// The word in a scenario.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Passive => "passive",
            Self::Classic => "classic",
            Self::Accurate => "accurate",
        }
    }
}

/// When a receiver with accurate ECN sends its counters of bytes (`tcp_ecn_option` of Linux).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcnOption {
    /// Never.
    Off,
    /// With each acknowledgement that has room for it.
    Full,
    /// With those that RFC 9768 §3.2.3.3 asks for.
    Sparse,
}

/// How CUBIC grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CubicRule {
    /// RFC 9438.
    Rfc9438,
    /// The same, but before the first loss at least a twentieth a round trip, the target one
    /// shortest round trip ahead, and Reno's growth the same before and after the old window.
    Linux,
}

/// How slow start ends before a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowStartExit {
    /// It does not.
    Off,
    /// HyStart++ (RFC 9406).
    Rfc9406,
    /// HyStart of Linux: at once when the delay rises or a train of acknowledgements gets long.
    Linux,
}

/// Proportional rate reduction in a fast recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateReduction {
    /// The window falls at once.
    Off,
    /// RFC 6937, with its slow-start reduction bound.
    Rfc6937,
    /// RFC 9937.
    Rfc9937,
}

/// What an idle time leaves of the congestion window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleRestart {
    /// All of it.
    Off,
    /// The initial window, after a retransmission timeout (RFC 5681 §4.1).
    Rfc5681,
    /// Half of it for each retransmission timeout, and less when it is not used (RFC 2861 §3).
    Rfc2861,
}

/// TCP Fast Open (RFC 7413), and what a client has of a server from before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastOpen {
    /// Neither asks for cookies nor gives any.
    Off,
    /// No cookie.
    Cold,
    /// The server's cookie.
    Warm,
    /// A cookie that the server does not take any more.
    Stale,
}

/// A rule with a name, that a flag switches off, or on as the first name.
macro_rules! switchable {
    ($name:ident $text:literal $expected:literal
        { $first:literal => $usual:ident, $($second:literal => $other:ident),+ }) => {
        impl Written for $name {
            const NAME: &'static str = $text;
            const EXPECTED: &'static str = $expected;
            const WORDS: &'static [&'static str] = &[$first, $($second),+];

            fn read(text: &str) -> Option<Self> {
                match text {
                    $first => Some(Self::$usual),
                    $($second => Some(Self::$other),)+
                    _ => None,
                }
            }

            fn read_flag(flag: bool) -> Option<Self> {
                Some(if flag { Self::$usual } else { Self::Off })
            }

            fn other_schema() -> Option<Schema> {
                Some(json_schema!({ "type": "boolean" }))
            }

            fn write(&self) -> Value {
                match self {
                    Self::Off => false.into(),
                    Self::$usual => $first.into(),
                    $(Self::$other => $second.into(),)+
                }
            }
        }

        written!($name);
    };
}

switchable! {
    SlowStartExit "SlowStartExit" "\"rfc9406\" or true (HyStart++), \"linux\", or false"
        { "rfc9406" => Rfc9406, "linux" => Linux }
}

switchable! {
    RateReduction "RateReduction" "\"rfc9937\" or true, \"rfc6937\", or false"
        { "rfc9937" => Rfc9937, "rfc6937" => Rfc6937 }
}

switchable! {
    IdleRestart "IdleRestart" "\"rfc5681\" or true (§4.1), \"rfc2861\" (§3), or false"
        { "rfc5681" => Rfc5681, "rfc2861" => Rfc2861 }
}

switchable! {
    EcnOption "EcnOption" "\"full\" or true, \"sparse\" (RFC 9768 §3.2.3.3), or false"
        { "full" => Full, "sparse" => Sparse }
}

switchable! {
    FastOpen "FastOpen" "\"cold\" or true (cookies are learnt), \"warm\", \"stale\", or false"
        { "cold" => Cold, "warm" => Warm, "stale" => Stale }
}

/// The MSS of a peer that announces none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssumedMss {
    /// As long as the own one.
    Own,
    /// This.
    Of(Bytes),
}

word_or! {
    AssumedMss "AssumedMss" "an amount such as \"536 B\", or \"own\"" { "own" => Own, _ => Of(Bytes) }
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

    #[test]
    fn a_number_of_segments_is_whole() {
        assert_eq!(InitialWindow::read_number(3.0), Some(InitialWindow::Segments(3)));
        for number in [-1.0, 0.5, 1e12, f64::NAN] {
            assert_eq!(InitialWindow::read_number(number), None, "{number}");
        }
    }

    /// The schema allows what is read: true and false beside words.
    #[test]
    fn the_schema_of_nagle_allows_a_flag() {
        assert_eq!(Nagle::read_flag(false), Some(Nagle::Off));
        let schema = Nagle::other_schema().expect("more than words");
        assert_eq!(schema.as_value()["type"], "boolean");
    }
}
