//! Values of a profile that are words: rules instead of numbers.

use schemars::{JsonSchema, Schema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::unit::Bytes;
use crate::unit::text::{Written, word_or, written};

/// Loss detection and recovery with SACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SackRecovery {
    /// RACK: by the time since a segment was sent (RFC 8985).
    Rack,
    /// By the number of segments acknowledged beyond a gap (RFC 6675).
    Rfc6675,
    /// NewReno without use of SACK (RFC 6582).
    NewReno,
    /// RFC 6675 with two habits of ns-3. Each partial acknowledgement retransmits the oldest
    /// segment at once, even if it was retransmitted before. Retransmitted data counts as in flight
    /// until it is acknowledged.
    PartialResend,
    /// Recovery of ns-3 in 2018, which differs from RFC 6675 in eight points.
    #[serde(rename = "ns3_2018")]
    Ns3,
    /// Recovery of ns-3 3.37: RFC 6675, but the slow-start threshold after a loss is half of the
    /// data in flight.
    #[serde(rename = "ns3_3_37")]
    Ns3Later,
}

/// Counting of acknowledged data when the congestion window grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// One segment for each ACK in slow start and `SMSS²/cwnd` after it, however much an ACK
    /// acknowledges: as ns-3 and stacks before RFC 3465. Fewer ACKs mean slower growth.
    PerAck,
    /// The acknowledged bytes, at most one segment for each ACK (RFC 5681 §3.1; RFC 3465 with L =
    /// 1).
    Abc1,
    /// The acknowledged bytes, at most two segments for each ACK (RFC 3465 §2.3 with L = 2).
    Abc2,
    /// The newly delivered bytes without a limit, as in Linux. Bytes that SACK has already reported
    /// do not count again.
    PerByte,
}

/// Policy of a receiver's ACKs for data that arrives in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AckPolicy {
    /// An ACK after `every` segments, at the latest `timer` after the first of them (RFC 9293
    /// §3.8.6.3, RFC 5681 §4.2).
    Delayed,
    /// As Linux: the first `quick` segments, also after a pause, are acknowledged one by one. Then
    /// every second segment is, and a single one after `timer` to `longest`, depending on the rate
    /// of arrivals.
    Adaptive,
    /// An ACK for every second segment; after `quick` segments without a gap, one for every `every`
    /// segments.
    Stretching,
    /// An ACK exactly `timer` after the segment that completed its group of `every` segments.
    FixedDelay,
    /// One ACK every `timer` while data arrives in order, for any number of segments.
    Timed,
}

/// Initial congestion window of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialWindow {
    /// This number of segments.
    Segments(u32),
    /// `min(4·MSS, max(2·MSS, 4380 bytes))` (RFC 3390 §1)
    Rfc3390,
    /// `min(10·MSS, max(2·MSS, 14600 bytes))` (RFC 6928 §2)
    Rfc6928,
}

impl InitialWindow {
    /// Returns the window in bytes for segments of `mss` bytes.
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

/// Nagle's algorithm of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nagle {
    /// Off (`TCP_NODELAY`): small segments never wait.
    Off,
    /// Small segments wait while any data is unacknowledged (RFC 9293 §3.7.4).
    Rfc,
    /// Small segments wait while another small one is unacknowledged (RFC 9293 appendix A.3:
    /// Minshall's variant, as in Linux).
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

/// Estimator of the retransmission timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RtoRule {
    /// Estimator of RFC 6298 §2.
    Rfc6298,
    /// Estimator of Linux: the variation is the maximum of a round trip, decreases once per round
    /// trip, and is at least `min_rto`.
    Linux,
}

/// Quantity that determines the slow-start threshold after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ThresholdBase {
    /// Data in flight, at most the window (RFC 5681 §3.1, equation 4).
    FlightSize,
    /// Congestion window, as RFC 9438 §4.6 allows.
    Cwnd,
}

/// Mode of explicit congestion notification (`tcp_ecn` of Linux).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EcnMode {
    /// Neither requests nor accepts ECN (`tcp_ecn = 0`).
    Off,
    /// Accepts ECN of RFC 3168 from a peer that requests it, and does not request it (`tcp_ecn =
    /// 2`).
    Passive,
    /// Requests and accepts ECN of RFC 3168 (`tcp_ecn = 1`).
    Classic,
    /// Requests accurate ECN (RFC 9768), and falls back to ECN of RFC 3168 (`tcp_ecn = 3`).
    Accurate,
}

impl EcnMode {
    /// Returns the word in a scenario.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Passive => "passive",
            Self::Classic => "classic",
            Self::Accurate => "accurate",
        }
    }
}

/// AccECN option of a receiver with accurate ECN (`tcp_ecn_option` of Linux).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcnOption {
    /// No ACK carries the option.
    Off,
    /// In each ACK that has space for it.
    Full,
    /// In the ACKs for which RFC 9768 §3.2.3.3 requires it.
    Sparse,
}

/// Variant of CUBIC's window growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CubicRule {
    /// CUBIC of RFC 9438.
    Rfc9438,
    /// CUBIC of Linux. Before the first loss, the window grows by at least a twentieth per round
    /// trip. The target is one minimum round trip ahead, and the Reno-friendly growth is the same
    /// below and above the old window.
    Linux,
}

/// Exit from slow start before a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowStartExit {
    /// None: slow start ends with a loss or mark.
    Off,
    /// HyStart++ (RFC 9406).
    Rfc9406,
    /// HyStart of Linux: immediate exit when the delay rises or an ACK train gets long.
    Linux,
}

/// Proportional rate reduction in fast recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateReduction {
    /// None: the window falls at once.
    Off,
    /// RFC 6937, with its slow-start reduction bound.
    Rfc6937,
    /// RFC 9937.
    Rfc9937,
}

/// Reduction of the congestion window after an idle period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleRestart {
    /// The window stays unchanged.
    Off,
    /// Reset to the initial window after an idle retransmission timeout (RFC 5681 §4.1).
    Rfc5681,
    /// Halved for each idle retransmission timeout, and reduced while it is not fully used (RFC
    /// 2861 §3).
    Rfc2861,
}

/// TCP Fast Open (RFC 7413), and the cookie that a UE has at the start of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastOpen {
    /// No Fast Open, and no cookie.
    Off,
    /// No cookie at the start.
    Cold,
    /// A valid cookie at the start.
    Warm,
    /// A cookie at the start that the server rejects.
    Stale,
}

/// A rule with a name; `false` switches it off, `true` selects the first name.
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

/// MSS of a peer that announces none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssumedMss {
    /// The `mss` of this end's profile.
    Own,
    /// This MSS, in bytes.
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

    /// The schema allows every legal value: true and false beside words.
    #[test]
    fn the_schema_of_nagle_allows_a_flag() {
        assert_eq!(Nagle::read_flag(false), Some(Nagle::Off));
        let schema = Nagle::other_schema().expect("more than words");
        assert_eq!(schema.as_value()["type"], "boolean");
    }
}
