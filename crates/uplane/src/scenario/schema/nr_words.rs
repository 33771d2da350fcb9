//! What the section of an NR cell says in words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ran::nr::slot_format;
use crate::unit::Duration;
use crate::unit::text::{Written, word_or, written};

/// How long PDCP waits for a missing packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reordering {
    /// For ever.
    Infinity,
    /// So long.
    Time(Duration),
}

word_or! {
    Reordering "PdcpReordering" "a time such as \"100 ms\", or \"infinity\""
        { "infinity" => Infinity, _ => Time(Duration) }
}

/// Which schemes blocks have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "NrModulation")]
pub enum Modulation {
    /// Six bits a symbol at most (TS 38.214 Table 5.1.3.1-1).
    #[serde(rename = "64QAM")]
    Qam64,
    /// Eight bits a symbol at most (TS 38.214 Table 5.1.3.1-2).
    #[serde(rename = "256QAM")]
    Qam256,
    /// Six bits a symbol at most, and low spectral efficiency (`qam64LowSE`, TS 38.214
    /// Table 5.1.3.1-3): for a `bler_target` of 1e-5, at which its CQI aim (Table 5.2.2.1-4).
    #[serde(rename = "64QAM_low_efficiency")]
    LowEfficiency,
}

/// A processing time of the base station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GnbTime {
    /// Half of what the UE takes for an uplink block.
    AsUe,
    /// So many slots.
    Slots(u32),
}

word_or! {
    GnbTime "GnbTime" "a whole number of slots from 0 to 64, or \"as_ue\""
        { "as_ue" => AsUe, _ => Slots(u32) }
}

/// From one occasion of a configured grant to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantPeriod {
    /// An occasion wherever a block may begin.
    EveryStart,
    /// So many slots.
    Slots(u32),
}

word_or! {
    GrantPeriod "GrantPeriod" "a whole number of slots from 1 to 5120, or \"every_start\""
        { "every_start" => EveryStart, _ => Slots(u32) }
}

/// FDD, or the slots of a TDD pattern.
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

    fn write(&self) -> Value {
        self.0.write().into()
    }
}

written!(Duplex);
