//! What the section of an LTE cell says in words where others say a number.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

use crate::unit::Probability;
use crate::unit::text::word_or;

/// Processing times of eNB and UE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimingRule {
    /// TR 36.912 annex B.2: four TTIs from grant to transmission, eight a retransmission.
    #[serde(rename = "tr_36_912")]
    Tr36912,
    /// TR 36.881 §5.2.1: the same, with three TTIs of processing at each end.
    #[serde(rename = "tr_36_881")]
    Tr36881,
    /// The constants of the LTE module of ns-3 (2018).
    Ns3Lena,
}

/// Modulations of the uplink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum UplinkModulation {
    /// A UE without 64QAM (TS 36.213 §8.6.1).
    #[serde(rename = "16QAM")]
    Qam16,
    /// The table of the downlink (TS 36.213 Table 7.1.7.1-1), as ns-3 has it.
    #[serde(rename = "64QAM")]
    Qam64,
}

/// What the schedulers give out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Allocation {
    /// Resource block groups (TS 36.213 §7.1.6.1); in the uplink products of 2, 3 and 5 (TS 36.211
    /// §5.3.3).
    Groups,
    /// All at once, for one UE; each group for the UE that is the best on it, whatever it needs,
    /// where a network knows of groups (`cqi = "subband"`).
    WholeBand,
}

/// Whether blocks fail.
#[derive(Clone, Debug, PartialEq)]
pub enum Bler {
    /// The radio conditions decide.
    Sinr,
    /// Nothing fails.
    None,
    /// With these probabilities, transmission by transmission.
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
            "description": "Whether blocks fail: \"sinr\", \"none\", or probabilities.",
            "anyOf": [
                { "enum": ["sinr", "none"] },
                { "type": "array", "items": generator.subschema_for::<Probability>() },
            ]
        })
    }
}

/// From one occasion for a scheduling request to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SrPeriod {
    /// The shortest for which there is space.
    #[default]
    Auto,
    /// So many TTIs.
    Of(u32),
}

word_or! {
    SrPeriod "SrPeriod" "a whole number without a unit, or \"auto\""
        { "auto" => Auto, _ => Of(u32) }
}

/// Symbols of the control channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlSymbols {
    /// One, and any number of grants.
    Unlimited,
    /// So many.
    Of(u32),
}

word_or! {
    ControlSymbols "ControlSymbols" "1, 2 or 3, or \"unlimited\""
        { "unlimited" => Unlimited, _ => Of(u32) }
}

/// Resource blocks of the uplink for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UplinkPrbs {
    /// All but those of the control channel.
    Auto,
    /// All.
    All,
    /// So many.
    Of(u32),
}

word_or! {
    UplinkPrbs "UplinkPrbs" "a whole number, \"auto\" or \"all\""
        { "auto" => Auto, "all" => All, _ => Of(u32) }
}

/// A modulation and coding scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McsChoice {
    /// By the radio conditions.
    Adaptive,
    /// The highest of the modulation's table.
    Highest,
    /// The one with this index.
    Of(u32),
}

word_or! {
    McsChoice "McsChoice" "a whole number from 0 to 28, \"adaptive\" or \"highest\""
        { "adaptive" => Adaptive, "highest" => Highest, _ => Of(u32) }
}

/// Transmissions of an uplink block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UplinkTransmissions {
    /// As many as in the downlink.
    #[default]
    Same,
    /// So many.
    Of(u32),
}

word_or! {
    UplinkTransmissions "UplinkTransmissions" "a whole number, or \"same\""
        { "same" => Same, _ => Of(u32) }
}
