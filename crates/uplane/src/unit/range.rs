//! The range of a key: declared at its field, written to the JSON Schema.
//!
//! In: the minimum and the maximum value, and the unit of a plain number. Out: `minimum`,
//! `maximum`, `exclusiveMinimum`, `exclusiveMaximum` of a number; `x-minimum` and `x-maximum` of a
//! text with a unit; `x-one-of`, `x-unit`. The reader of a scenario checks its values against
//! these.
//!
//! A quantity without its own range has that of its type ([`super::text`]).

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::Value;

/// The range of a key, as keywords of the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Range {
    keywords: Vec<(&'static str, Value)>,
    /// The range applies to each item of a list.
    of_items: bool,
}

/// Returns the range from `least` to `most`.
pub(crate) fn within(least: impl Into<Value>, most: impl Into<Value>) -> Range {
    at_least(least).and("maximum", most)
}

/// Returns the range with the minimum `least`.
pub(crate) fn at_least(least: impl Into<Value>) -> Range {
    Range::default().and("minimum", least)
}

/// Returns the range above `least`, with the maximum `most`.
pub(crate) fn above(least: impl Into<Value>, most: impl Into<Value>) -> Range {
    Range::default().and("exclusiveMinimum", least).and("maximum", most)
}

/// Returns the range below `limit`.
pub(crate) fn below(limit: impl Into<Value>) -> Range {
    Range::default().and("exclusiveMaximum", limit)
}

/// Returns the range of these values.
pub(crate) fn one_of(values: &[u32]) -> Range {
    Range::default().and("x-one-of", values.to_vec())
}

impl Range {
    /// Sets the unit of a plain number.
    pub(crate) fn unit(self, unit: &'static str) -> Self {
        self.and("x-unit", unit)
    }

    /// Applies the range to each item of a list.
    pub(crate) fn each(self) -> Self {
        Self { of_items: true, ..self }
    }

    /// Adds a keyword. A text with a unit has our own keywords, since those of JSON Schema are for
    /// numbers.
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
