//! The range of a key: declared at its field, written to the JSON Schema.
//!
//! In: the least and the greatest value, and the unit of a plain number. Out: `minimum`, `maximum`,
//! `exclusiveMinimum`, `exclusiveMaximum` of a number; `x-minimum` and `x-maximum` of a text with a
//! unit; `x-one-of`, `x-unit`. The reader of a scenario checks its values against these.
//!
//! A quantity without a range of its own has that of its type ([`super::text`]).

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::Value;

/// What a key may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Range {
    keywords: Vec<(&'static str, Value)>,
    /// The range is that of each item of a list.
    of_items: bool,
}

/// From `least` to `most`.
pub(crate) fn within(least: impl Into<Value>, most: impl Into<Value>) -> Range {
    at_least(least).and("maximum", most)
}

/// From `least` on.
pub(crate) fn at_least(least: impl Into<Value>) -> Range {
    Range::default().and("minimum", least)
}

/// More than `least`, at most `most`.
pub(crate) fn above(least: impl Into<Value>, most: impl Into<Value>) -> Range {
    Range::default().and("exclusiveMinimum", least).and("maximum", most)
}

/// Less than `limit`.
pub(crate) fn below(limit: impl Into<Value>) -> Range {
    Range::default().and("exclusiveMaximum", limit)
}

/// One of these.
pub(crate) fn one_of(values: &[u32]) -> Range {
    Range::default().and("x-one-of", values.to_vec())
}

impl Range {
    /// A plain number counts these.
    pub(crate) fn unit(self, unit: &'static str) -> Self {
        self.and("x-unit", unit)
    }

    /// This is the range of each item of a list.
    pub(crate) fn each(self) -> Self {
        Self { of_items: true, ..self }
    }

    /// A text with a unit has keywords of our own: those of JSON Schema are for numbers.
    fn and(mut self, keyword: &'static str, value: impl Into<Value>) -> Self {
        let value = value.into();
        let keyword = match (keyword, value.is_string()) {
            ("minimum", true) => "x-minimum",
            ("maximum", true) => "x-maximum",
            (keyword, _) => keyword,
        };
        self.keywords.push((keyword, value));
        self
    }
}

impl Transform for Range {
    fn transform(&mut self, schema: &mut Schema) {
        let keys = schema.ensure_object();
        let items = keys.get_mut("items").filter(|_| self.of_items);
        let keys = match items.and_then(Value::as_object_mut) {
            Some(items) => items,
            None => schema.ensure_object(),
        };
        for (keyword, value) in &self.keywords {
            keys.insert((*keyword).to_owned(), value.clone());
        }
    }
}
