//! From a tree of TOML values to the schema's types, through serde.
//!
//! In: a [`toml::Value`]. Out: the type, or a [`Misfit`]: path, value found and valid values, each
//! as a value of its own, so that no code parses a message.
//!
//! Stricter than `toml`'s own deserializer: a list of values never counts as a section, and a
//! section never counts as the word of a choice.

use std::fmt::{self, Display};

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use toml::{Table, Value};

use super::super::error::quoted;
use super::super::schema;

/// A value that does not fit the schema, with its path.
#[derive(Debug)]
pub(super) struct Misfit {
    /// Keys and positions, innermost first.
    path: Vec<String>,
    pub(super) what: What,
}

/// The kind of a misfit.
#[derive(Debug)]
pub(super) enum What {
    /// An unknown key, and the keys of the section.
    UnknownKey(String, &'static [&'static str]),
    /// An unknown word, and the valid words.
    UnknownWord(String, &'static [&'static str]),
    /// A required key is missing.
    Missing(&'static str),
    /// The sections found, where exactly one of the valid ones is required.
    NotOne(Vec<String>, &'static [&'static str]),
    /// A value of another form, and the valid values.
    Unfit(String, Expected),
}

/// The valid values of a key.
#[derive(Debug)]
pub(super) enum Expected {
    /// Values described in words.
    Words(String),
    /// A number with or without a fraction.
    Number,
    /// A section with these keys.
    Section(&'static [&'static str]),
    /// Exactly one of these sections.
    OneSection(&'static [&'static str]),
}

type Fitted<T> = Result<T, Misfit>;

impl Misfit {
    /// Returns the path of the key: `link.0.rate`.
    pub(super) fn path(&self) -> String {
        self.path.iter().rev().map(String::as_str).collect::<Vec<_>>().join(".")
    }

    fn under(mut self, key: impl Into<String>) -> Self {
        self.path.push(key.into());
        self
    }

    fn unfit(found: impl Into<String>, expected: Expected) -> Self {
        What::Unfit(found.into(), expected).into()
    }
}

impl From<What> for Misfit {
    fn from(what: What) -> Self {
        Self { path: Vec::new(), what }
    }
}

impl std::error::Error for Misfit {}

impl Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.path(), self.what)
    }
}

impl de::Error for Misfit {
    /// A message of a type is a rule about the key.
    fn custom<T: Display>(message: T) -> Self {
        Self::unfit("", Expected::Words(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_value(found, expected)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = match found {
            Unexpected::Str(text) => quoted(text),
            Unexpected::Bool(value) => value.to_string(),
            Unexpected::Unsigned(value) => value.to_string(),
            Unexpected::Signed(value) => value.to_string(),
            Unexpected::Float(value) => format!("{value:?}"),
            Unexpected::Seq => "a list".to_owned(),
            Unexpected::Map => "a section".to_owned(),
            other => other.to_string(),
        };
        Self::unfit(found, Expected::Words(expected.to_string()))
    }

    fn unknown_variant(word: &str, known: &'static [&'static str]) -> Self {
        What::UnknownWord(word.to_owned(), known).into()
    }

    fn unknown_field(key: &str, known: &'static [&'static str]) -> Self {
        What::UnknownKey(key.to_owned(), known).into()
    }

    fn missing_field(key: &'static str) -> Self {
        What::Missing(key).into()
    }
}

/// A value of the tree, as a deserializer.
pub(super) struct Tree(pub(super) Value);

impl Tree {
    /// Returns the error that this value does not fit.
    fn unfit<T>(&self, expected: Expected) -> Fitted<T> {
        Err(Misfit::unfit(shown(&self.0), expected))
    }

    fn words<T>(&self, expected: &str) -> Fitted<T> {
        self.unfit(Expected::Words(expected.to_owned()))
    }

    /// Returns a whole number from 0 to `most`.
    fn whole(&self, most: u64) -> Fitted<u64> {
        match self.0 {
            Value::Integer(number) => match u64::try_from(number) {
                Ok(number) if number <= most => Ok(number),
                _ => self.words(&whole(most)),
            },
            _ => self.words(&whole(most)),
        }
    }
}

/// Whole numbers of one width.
macro_rules! whole {
    ($($deserialize:ident $visit:ident $number:ty),+) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
            visitor.$visit(self.whole(<$number>::MAX.into())? as $number)
        }
    )+};
}

impl<'de> Deserializer<'de> for Tree {
    type Error = Misfit;

    /// Passes the value unchanged: types of quantities accept several forms.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            Value::Integer(number) => visitor.visit_i64(number),
            Value::Float(number) => visitor.visit_f64(number),
            Value::Boolean(value) => visitor.visit_bool(value),
            Value::Array(items) => visitor.visit_seq(Items(items.into_iter().enumerate())),
            Value::Table(table) => visitor.visit_map(Keys::of(table)),
            Value::Datetime(_) => {
                let expected = (&visitor as &dyn de::Expected).to_string();
                Self(self.0).words(&expected)
            }
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        match self.0 {
            Value::Boolean(value) => visitor.visit_bool(value),
            _ => self.words("true or false"),
        }
    }

    whole!(deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16);
    whole!(deserialize_u32 visit_u32 u32);

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        visitor.visit_u64(self.whole(u64::MAX)?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        match self.0 {
            Value::Float(number) => visitor.visit_f64(number),
            Value::Integer(number) => visitor.visit_f64(number as f64),
            _ => self.unfit(Expected::Number),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            _ => self.words("a text in quotation marks"),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        self.deserialize_str(visitor)
    }

    /// A key that is there has a value: TOML knows no null.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Fitted<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items(items.into_iter().enumerate())),
            _ => self.words("a list: `[…]`, or sections `[[…]]`"),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Fitted<V::Value> {
        match self.0 {
            Value::Table(table) => visitor.visit_map(Keys::of(table)),
            _ => self.words("a section for each name: `[….NAME]`"),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Fitted<V::Value> {
        match self.0 {
            Value::Table(table) => visitor.visit_map(Keys::of(table)),
            _ => self.unfit(Expected::Section(keys)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Fitted<V::Value> {
        let sections = schema::is_choice_of_sections(name);
        match self.0 {
            Value::String(word) if !sections => visitor.visit_enum(Choice::word(word)),
            Value::Table(table) if sections => visitor.visit_enum(Choice::of(table, words)?),
            _ if sections => self.unfit(Expected::OneSection(words)),
            _ => self.words(&format!("one of {}", words.join(", "))),
        }
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct
        ignored_any
    }
}

/// Iterator over the items of a list.
struct Items(std::iter::Enumerate<std::vec::IntoIter<Value>>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Fitted<Option<T::Value>> {
        let Some((position, item)) = self.0.next() else { return Ok(None) };
        let item = seed.deserialize(Tree(item)).map_err(|it| it.under(position.to_string()));
        item.map(Some)
    }
}

/// Iterator over the keys of a section.
struct Keys {
    rest: <Table as IntoIterator>::IntoIter,
    value: Option<(String, Value)>,
}

impl Keys {
    fn of(table: Table) -> Self {
        Self { rest: table.into_iter(), value: None }
    }
}

impl<'de> MapAccess<'de> for Keys {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Fitted<Option<K::Value>> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        let found: Fitted<K::Value> =
            seed.deserialize(IntoDeserializer::<Misfit>::into_deserializer(key.as_str()));
        self.value = Some((key, value));
        found.map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Fitted<V::Value> {
        let (key, value) = self.value.take().expect("serde asks for the key first");
        seed.deserialize(Tree(value)).map_err(|misfit| misfit.under(key))
    }
}

/// One of several words, or one of several sections.
struct Choice {
    word: String,
    section: Option<Value>,
    /// The section spans several choices, such as `en_dc`, and has the path of the choice itself.
    takes_others: bool,
}

impl Choice {
    const fn word(word: String) -> Self {
        Self { word, section: None, takes_others: false }
    }

    fn of(table: Table, known: &'static [&'static str]) -> Fitted<Self> {
        if let Some(word) = table.keys().find(|key| schema::takes_others(key)) {
            let word = word.clone();
            return Ok(Self { word, section: Some(Value::Table(table)), takes_others: true });
        }
        if table.len() != 1 {
            let mut found: Vec<String> = table.keys().cloned().collect();
            found.sort_unstable();
            return Err(What::NotOne(found, known).into());
        }
        let (word, section) = table.into_iter().next().expect("just counted");
        Ok(Self { word, section: Some(section), takes_others: false })
    }
}

impl<'de> EnumAccess<'de> for Choice {
    type Error = Misfit;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Fitted<(V::Value, Self)> {
        let word: StrDeserializer<'_, Misfit> = self.word.as_str().into_deserializer();
        Ok((seed.deserialize(word)?, self))
    }
}

impl<'de> VariantAccess<'de> for Choice {
    type Error = Misfit;

    fn unit_variant(self) -> Fitted<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Fitted<T::Value> {
        let section = self.section.expect("a choice of sections has one");
        let found = seed.deserialize(Tree(section));
        found.map_err(|it| if self.takes_others { it } else { it.under(self.word) })
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Fitted<V::Value> {
        unreachable!("the schema has words and sections only")
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Fitted<V::Value> {
        unreachable!("the schema has words and sections only")
    }
}

/// Returns a value in the form of messages.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Float(number) => format!("{number:?}"),
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a section".to_owned(),
        Value::Integer(_) | Value::Boolean(_) | Value::Datetime(_) => value.to_string(),
    }
}

fn whole(most: u64) -> String {
    match most {
        u64::MAX => "a whole number without a unit, not negative".to_owned(),
        most => format!("a whole number from 0 to {most}"),
    }
}

/// Returns the path of a key below another.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
