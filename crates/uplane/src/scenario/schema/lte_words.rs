//! Values of LTE keys that are words or combine a word with a number.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

use crate::unit::Probability;
use crate::unit::text::word_or;

/// Rule for the processing times of eNB and UE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimingRule {
    /// TR 36.912 annex B.2: four TTIs from grant to uplink transmission, eight TTIs from a
    /// transmission to its retransmission. The eNB processes a packet for one TTI before its
    /// transmission, and a receiver for 1.5 TTIs after it.
    #[serde(rename = "tr_36_912")]
    Tr36912,
    /// TR 36.881 §5.2.1: like `tr_36_912`, but the eNB processes a packet for three TTIs before its
    /// transmission, and a receiver for three TTIs after it.
    #[serde(rename = "tr_36_881")]
    Tr36881,
    /// Constants of ns-3's LTE module (2018): a downlink block is built two TTIs before its
    /// transmission, an uplink block is sent six TTIs after the scheduling decision.
    Ns3Lena,
}

/// Highest modulation in the uplink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum UplinkModulation {
    /// 16QAM: a UE that does not support 64QAM (TS 36.213 §8.6.1).
    #[serde(rename = "16QAM")]
    Qam16,
    /// 64QAM, with the MCS table of the downlink (TS 36.213 Table 7.1.7.1-1), as in ns-3.
    #[serde(rename = "64QAM")]
    Qam64,
}

/// Unit of resource allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Allocation {
    /// In the downlink, resource block groups (TS 36.213 §7.1.6.1). In the uplink, numbers of
    /// resource blocks whose only prime factors are 2, 3 and 5 (TS 36.211 §5.3.3).
    Groups,
    /// The whole band for one UE in each TTI and direction, however little it needs. In a network
    /// with subband CQI (`cqi = "subband"`), each resource block group of the downlink goes to the
    /// UE with the best channel on it, regardless of demand.
    WholeBand,
}

/// Block error model.
#[derive(Clone, Debug, PartialEq)]
pub enum Bler {
    /// The radio conditions determine the block error probability.
    Sinr,
    /// No transmission fails.
    None,
    /// Fixed error probability for each transmission of a block: first, second, …
    Fixed(Vec<Probability>),
}

impl Serialize for Bler {
    fn serialize<S: serde::Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Sinr => target.serialize_str("sinr"),
            Self::None => target.serialize_str("none"),
            Self::Fixed(each) => each.serialize(target),
        }
    }
}

impl<'de> Deserialize<'de> for Bler {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct WordOrList;

        impl<'de> Visitor<'de> for WordOrList {
            type Value = Bler;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of probabilities, \"sinr\" or \"none\"")
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Bler, E> {
                match word {
                    "sinr" => Ok(Bler::Sinr),
                    "none" => Ok(Bler::None),
                    _ => Err(E::unknown_variant(word, &["sinr", "none"])),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Bler, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(Bler::Fixed)
            }
        }

        source.deserialize_any(WordOrList)
    }
}

impl JsonSchema for Bler {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bler".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Block errors: \"sinr\", \"none\", or a list of probabilities.",
            "anyOf": [
                { "enum": ["sinr", "none"] },
                { "type": "array", "items": generator.subschema_for::<Probability>() },
            ]
        })
    }
}

/// SR period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SrPeriod {
    /// Shortest period that fits into the PUCCH.
    #[default]
    Auto,
    /// Period in TTIs.
    Of(u32),
}

word_or! {
    SrPeriod "SrPeriod" "a whole number without a unit, or \"auto\""
        { "auto" => Auto, _ => Of(u32) }
}

/// Number of OFDM symbols of the control channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlSymbols {
    /// One symbol and any number of grants.
    Unlimited,
    /// Number of symbols.
    Of(u32),
}

word_or! {
    ControlSymbols "ControlSymbols" "1, 2 or 3, or \"unlimited\""
        { "unlimited" => Unlimited, _ => Of(u32) }
}

/// Number of uplink resource blocks that carry data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UplinkPrbs {
    /// All resource blocks except those of the control channel.
    Auto,
    /// All resource blocks.
    All,
    /// Number of resource blocks.
    Of(u32),
}

word_or! {
    UplinkPrbs "UplinkPrbs" "a whole number, \"auto\" or \"all\""
        { "auto" => Auto, "all" => All, _ => Of(u32) }
}

/// Modulation and coding scheme (MCS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McsChoice {
    /// MCS that follows the radio conditions.
    Adaptive,
    /// Highest MCS of the table.
    Highest,
    /// MCS index.
    Of(u32),
}

word_or! {
    McsChoice "McsChoice" "a whole number from 0 to 28, \"adaptive\" or \"highest\""
        { "adaptive" => Adaptive, "highest" => Highest, _ => Of(u32) }
}

/// Maximum number of HARQ transmissions of an uplink block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UplinkTransmissions {
    /// Same number as in the downlink.
    #[default]
    Same,
    /// Number of transmissions.
    Of(u32),
}

word_or! {
    UplinkTransmissions "UplinkTransmissions" "a whole number, or \"same\""
        { "same" => Same, _ => Of(u32) }
}
