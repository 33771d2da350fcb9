//! Values of NR keys that are words or combine a word with a number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ran::nr::slot_format;
use crate::unit::Duration;
use crate::unit::text::{Written, word_or, written};

/// Time that a PDCP receiver waits for a missing packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reordering {
    /// No limit.
    Infinity,
    /// Duration of the wait.
    Time(Duration),
}

word_or! {
    Reordering "PdcpReordering" "a time such as \"100 ms\", or \"infinity\""
        { "infinity" => Infinity, _ => Time(Duration) }
}

/// Highest modulation, which selects the MCS table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "NrModulation")]
pub enum Modulation {
    /// 64QAM: up to six bits per symbol (TS 38.214 Table 5.1.3.1-1).
    #[serde(rename = "64QAM")]
    Qam64,
    /// 256QAM: up to eight bits per symbol (TS 38.214 Table 5.1.3.1-2).
    #[serde(rename = "256QAM")]
    Qam256,
    /// 64QAM with low spectral efficiency (`qam64LowSE`, TS 38.214 Table 5.1.3.1-3): up to six bits
    /// per symbol, and lower code rates for a `bler_target` of 1e-5, the target of its CQI (Table
    /// 5.2.2.1-4).
    #[serde(rename = "64QAM_low_efficiency")]
    LowEfficiency,
}

/// Processing time of the base station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GnbTime {
    /// Half of the corresponding processing time of the UE.
    AsUe,
    /// Number of slots.
    Slots(u32),
}

word_or! {
    GnbTime "GnbTime" "a whole number of slots from 0 to 64, or \"as_ue\""
        { "as_ue" => AsUe, _ => Slots(u32) }
}

/// Distance between two occasions of a configured grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantPeriod {
    /// An occasion wherever an uplink block may begin.
    EveryStart,
    /// Number of slots.
    Slots(u32),
}

word_or! {
    GrantPeriod "GrantPeriod" "a whole number of slots from 1 to 5120, or \"every_start\""
        { "every_start" => EveryStart, _ => Slots(u32) }
}

/// Duplex mode: FDD, or the slots of a TDD pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplex(pub slot_format::Duplex);

impl Written for Duplex {
    const NAME: &'static str = "Duplex";
    const EXPECTED: &'static str = "\"FDD\", slots D, S and U with the symbols of the special slot such as \
        \"DDDSU 10:2:2\", or the name of a pattern such as \"europe\"";
    const PATTERN: &'static str = "^(FDD|asia_americas|europe|china_two_patterns|beside_lte|low_latency\
        |uplink_heavy|public_gnb|[DSU ]+ [0-9]+:[0-9]+:[0-9]+)$";

    fn read(text: &str) -> Option<Self> {
        slot_format::Duplex::read(text).ok().map(Self)
    }

    /// A text in capitals is an attempt at a pattern, other texts are names.
    fn broken_rule(text: &str) -> Option<String> {
        let is_pattern = text.starts_with(['D', 'S', 'U']) && !text.contains(char::is_lowercase);
        slot_format::Duplex::read(text).err().filter(|_| is_pattern)
    }

    fn write(&self) -> Value {
        self.0.write().into()
    }
}

written!(Duplex);
