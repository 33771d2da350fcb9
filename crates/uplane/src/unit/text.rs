//! Quantities in written form: a number and a unit in a string.
//!
//! In: `"5 ms"`, `"100 kB"`, `"14.4 Mbit/s"`, `"unlimited"`, `"10 %"`. Out: exact typed quantities,
//! or `None` if the text does not have that form. Prefixes are decimal, as in the standards: 1 kB =
//! 1000 B and 1 Mbit = 10^6 bit.
//!
//! Each type reads itself, writes itself in a form that can be read back, and describes itself in a
//! JSON Schema.

mod number;
mod quantities;

use std::fmt;
use std::marker::PhantomData;

use schemars::{Schema, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde_json::Value;

pub(crate) use number::{digits, exact};
pub use quantities::Limit;
pub(crate) use quantities::{RATE_UNITS, TIME_UNITS, UNLIMITED, magnitude};

/// A value that is written as text, or as a number or a truth value where that is clear.
pub(crate) trait Written: Sized {
    /// The name in the JSON Schema.
    const NAME: &'static str;
    /// Description of the text, for error messages and the schema.
    const EXPECTED: &'static str;
    /// Pattern of the text, for editors. Empty if only words are valid.
    const PATTERN: &'static str = "";
    /// The valid words, if only words are valid.
    const WORDS: &'static [&'static str] = &[];
    /// The minimum and the maximum quantity.
    const RANGE: Option<(&'static str, &'static str)> = None;

    /// Reads the text. Returns `None` if it does not have this form or is out of range.
    fn read(text: &str) -> Option<Self>;
    /// Returns the rule that a text breaks which has nearly this form.
    fn broken_rule(_text: &str) -> Option<String> {
        None
    }
    /// Reads a plain number, if that is valid.
    fn read_number(_number: f64) -> Option<Self> {
        None
    }
    /// Reads a truth value, if that is valid.
    fn read_flag(_flag: bool) -> Option<Self> {
        None
    }
    /// Returns the schema of valid values other than text.
    fn other_schema() -> Option<Schema> {
        None
    }
    /// Writes the value in a form that [`Written::read`] and the other readers accept.
    fn write(&self) -> Value;
}

/// Reads a [`Written`] value from a text, a number or a truth value.
pub(crate) struct Reader<T>(pub(crate) PhantomData<T>);

impl<T: Written> Visitor<'_> for Reader<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::read(text).ok_or_else(|| match T::broken_rule(text) {
            Some(rule) => E::custom(rule),
            None => E::invalid_value(Unexpected::Str(text), &self),
        })
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        T::read_number(number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        T::read_number(number as f64)
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<T, E> {
        T::read_flag(flag).ok_or_else(|| E::invalid_value(Unexpected::Bool(flag), &self))
    }
}

/// Implements reading, writing and the schema of written values.
macro_rules! written {
    ($($name:ty),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
                source.deserialize_any($crate::unit::text::Reader(std::marker::PhantomData))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                $crate::unit::text::Written::write(self).serialize(target)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                <Self as $crate::unit::text::Written>::NAME.into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::unit::text::schema::<Self>()
            }
        }
    )+};
}
pub(crate) use written;

/// Returns the schema of this type, with words and range.
pub(crate) fn schema<T: Written>() -> Schema {
    let text = if T::WORDS.is_empty() {
        plain_schema::<T>()
    } else {
        json_schema!({ "description": T::EXPECTED, "enum": T::WORDS })
    };
    let mut schema = match T::other_schema() {
        Some(other) => json_schema!({ "anyOf": [text, other] }),
        None => text,
    };
    if let Some((least, most)) = T::RANGE {
        schema.insert("x-minimum".to_owned(), least.into());
        schema.insert("x-maximum".to_owned(), most.into());
    }
    schema
}

/// Returns the schema of this type, without words and range.
pub(crate) fn plain_schema<T: Written>() -> Schema {
    match T::other_schema() {
        Some(number) if T::PATTERN.is_empty() => number,
        _ => {
            json_schema!({ "type": "string", "description": T::EXPECTED, "pattern": T::PATTERN })
        }
    }
}

/// Implements [`Written`] for an enum of words and of one variant for a quantity or a number.
macro_rules! word_or {
    ($name:ident $title:literal $expected:literal
        { $($word:literal => $variant:ident,)+ _ => $of:ident($other:ty) }) => {
        impl $crate::unit::text::Written for $name {
            const NAME: &'static str = $title;
            const EXPECTED: &'static str = $expected;
            const WORDS: &'static [&'static str] = &[$($word),+];
            const RANGE: Option<(&'static str, &'static str)> =
                <$other as $crate::unit::text::Written>::RANGE;

            fn read(text: &str) -> Option<Self> {
                match text {
                    $($word => Some(Self::$variant),)+
                    _ => $crate::unit::text::Written::read(text).map(Self::$of),
                }
            }

            fn read_number(number: f64) -> Option<Self> {
                $crate::unit::text::Written::read_number(number).map(Self::$of)
            }

            fn other_schema() -> Option<schemars::Schema> {
                Some($crate::unit::text::plain_schema::<$other>())
            }

            fn write(&self) -> serde_json::Value {
                match self {
                    $(Self::$variant => $word.into(),)+
                    Self::$of(other) => $crate::unit::text::Written::write(other),
                }
            }
        }

        $crate::unit::text::written!($name);
    };
}
pub(crate) use word_or;

/// A whole number, beside which a word may be valid, too.
impl Written for u32 {
    const NAME: &'static str = "uint32";
    const EXPECTED: &'static str = "a whole number";

    fn read(_text: &str) -> Option<Self> {
        None
    }

    fn read_number(number: f64) -> Option<Self> {
        let whole = number as Self;
        f64::from(whole).total_cmp(&number).is_eq().then_some(whole)
    }

    fn other_schema() -> Option<Schema> {
        Some(json_schema!({ "type": "integer" }))
    }

    fn write(&self) -> Value {
        (*self).into()
    }
}
