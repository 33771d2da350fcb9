//! The range of a key, declared at its field, said in the JSON Schema.
//!
//! In: the least and the greatest value, and the unit of a plain number. Out: `minimum`, `maximum`,
//! `exclusiveMinimum`, `enum` of a number; `x-minimum` and `x-maximum` of a text with a unit;
//! `x-unit`. Whoever reads a scenario holds its values against these.

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::Value;

/// What a key may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Range {
    keywords: Vec<(&'static str, Value)>,
}

/// From `least` to `most`.
pub(crate) fn within(least: impl Into<Value>, most: impl Into<Value>) -> Range {
    at_least(least).and("maximum", most)
}

/// From `least` on.
pub(crate) fn at_least(least: impl Into<Value>) -> Range {
    Range::default().and("minimum", least)
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
        for (keyword, value) in &self.keywords {
            schema.insert((*keyword).to_owned(), value.clone());
        }
    }
}
