//! What a profile says in words: rules that are no numbers.

use schemars::{JsonSchema, Schema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::unit::Bytes;
use crate::unit::text::{Written, word_or, written};

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
    /// What was acknowledged, without a limit, as Linux does.
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
    pub(in crate::tcp) fn bytes(self, mss: u64) -> u64 {
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
}
