//! Choice of the congestion control: the value of the key `congestion_control`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::StrDeserializer;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Deserialize as FromText, Serialize};

pub use super::own::{Maker, Own};
use crate::unit::program::PATTERN;

/// Congestion controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromText, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CongestionControl {
    /// NewReno (RFC 5681, RFC 6582).
    NewReno,
    /// CUBIC (RFC 9438).
    Cubic,
    /// BBR version 3 (draft-ietf-ccwg-bbr). Linux 6.18 has version 1, so `base = "linux"` with BBR
    /// is not Linux.
    Bbr,
    /// Prague, for queues that mark for L4S (draft-briscoe-iccrg-prague-congestion-control); with
    /// `ecn = "accurate"`.
    Prague,
}

impl CongestionControl {
    /// All built-in congestion controls.
    pub const ALL: &'static [Self] = &[Self::NewReno, Self::Cubic, Self::Bbr, Self::Prague];
}

/// Congestion control of a connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Control {
    /// By one of the built-in controls.
    Named(CongestionControl),
    /// By a program next to the scenario.
    Own(Own),
}

impl From<CongestionControl> for Control {
    fn from(named: CongestionControl) -> Self {
        Self::Named(named)
    }
}

impl PartialEq<CongestionControl> for Control {
    fn eq(&self, other: &CongestionControl) -> bool {
        matches!(self, Self::Named(named) if named == other)
    }
}

impl JsonSchema for Control {
    fn schema_name() -> Cow<'static, str> {
        "Control".into()
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        let named = schemas.subschema_for::<CongestionControl>();
        json_schema!({
            "description": "The name of a built-in control (CongestionControl), or the file of an own \
                            one in Python, `\"mine.py\"`, beside the scenario",
            "anyOf": [named, { "type": "string", "format": "path", "pattern": PATTERN }],
        })
    }
}

impl<'de> Deserialize<'de> for Control {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_any(WordOrProgram)
    }
}

struct WordOrProgram;

impl Visitor<'_> for WordOrProgram {
    type Value = Control;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a congestion control, or a file such as \"mine.py\"")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Control, E> {
        match Own::named(word) {
            Some(own) => Ok(Control::Own(own)),
            None => CongestionControl::deserialize(StrDeserializer::new(word)).map(Control::Named),
        }
    }
}
