//! A congestion control that is a program beside the scenario.
//!
//! In: its file and its text, and a [`Maker`] that can run it. Out: a [`Controller`] for each
//! connection.
//!
//! Left out: the language of the program. The core only passes it to the adapter that can run it,
//! and checks that the program does no more than any control may.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::StrDeserializer;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use super::{CongestionControl, Controller, Start};

/// How a connection is controlled.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Control {
    /// By one of the built-in controls.
    Named(CongestionControl),
    /// By a program.
    Own(Own),
}

impl Control {
    /// The controller of a connection that opens: a program is asked when it is open.
    pub(in crate::tcp) fn before_handshake(&self, start: &Start<'_>) -> Box<dyn Controller> {
        match self {
            Self::Named(control) => control.start(start),
            Self::Own(_) => CongestionControl::NewReno.start(start),
        }
    }

    /// The controller of a connection that is open.
    pub(in crate::tcp) fn start(&self, start: &Start<'_>) -> Box<dyn Controller> {
        match self {
            Self::Named(control) => control.start(start),
            Self::Own(own) => own.maker()(start),
        }
    }
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

/// Makes the controllers of a program.
pub type Maker = Arc<dyn Fn(&Start<'_>) -> Box<dyn Controller> + Send + Sync>;

/// A control as a program.
///
/// In a scenario it is one text: a line `# mine.py` with the name of its file, then the program.
#[derive(Clone)]
pub struct Own {
    /// The name of its file.
    pub file: String,
    /// What the file says.
    pub text: String,
    maker: Option<Maker>,
}

impl Own {
    fn of(program: &str) -> Self {
        let named = program.split_once('\n').and_then(|(first, text)| {
            let file = first.strip_prefix(NAMED)?.trim();
            Some((file.to_owned(), text.to_owned()))
        });
        let (file, text) = named.unwrap_or_else(|| (NAMELESS.to_owned(), program.to_owned()));
        Self { file, text, maker: None }
    }

    /// As it stands in a scenario.
    pub fn program(file: &str, text: &str) -> String {
        format!("{NAMED}{file}\n{text}")
    }

    /// Sets what makes its controllers.
    pub fn made_by(&mut self, maker: Maker) {
        self.maker = Some(maker);
    }

    fn maker(&self) -> &Maker {
        self.maker.as_ref().expect("a scenario is accepted with all its programs read")
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        (&self.file, &self.text) == (&other.file, &other.text)
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Own").field(&self.file).finish()
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
            "anyOf": [named, { "type": "string", "pattern": "\\.py$|\n" }],
        })
    }
}

impl Serialize for Own {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_str(&Self::program(&self.file, &self.text))
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
        if word.contains('\n') {
            return Ok(Control::Own(Own::of(word)));
        }
        CongestionControl::deserialize(StrDeserializer::new(word)).map(Control::Named)
    }
}

const NAMED: &str = "# ";
const NAMELESS: &str = "<program>";
