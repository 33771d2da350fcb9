//! Checks numbers and quantities against the ranges that the schema declares for their keys.
//!
//! In: the tree of a scenario that has the right types. Out: the first value out of its range, and
//! the range in words.

use serde_json::Value as Json;
use toml::Value;

use super::super::schema::{member, resolved, root};
use super::tree::{join, shown};
use crate::unit::Probability;
use crate::unit::text::{Written as _, magnitude};

/// A value out of its range: path, value, and range in words.
pub(super) type Outside = (String, String, String);

/// Returns the first value of a scenario that is out of its range.
pub(super) fn outside(scenario: &Value) -> Option<Outside> {
    visit(root(), scenario, "")
}

fn visit(node: &Json, value: &Value, path: &str) -> Option<Outside> {
    match value {
        Value::Table(table) => table
            .iter()
            .find_map(|(key, value)| visit(member(root(), node, key)?, value, &join(path, key))),
        Value::Array(items) => items.iter().enumerate().find_map(|(position, value)| {
            let position = position.to_string();
            visit(member(root(), node, &position)?, value, &join(path, &position))
        }),
        leaf => {
            let is_within = |node: &Json| is_within(node, leaf);
            let own = resolved(root(), node);
            let range = [node, own].into_iter().find(|node| !is_within(node))?;
            Some((path.to_owned(), shown(leaf), expected(range)))
        }
    }
}

fn is_within(node: &Json, value: &Value) -> bool {
    let number = match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        // A share in per cent is a number.
        Value::String(text) => Probability::read(text).map(Probability::value),
        _ => return true,
    };
    let (value, [least, most]) = match number {
        Some(number) => (number, ["minimum", "maximum"]),
        // What is no quantity has no range.
        None => match value.as_str().and_then(magnitude) {
            Some(amount) => (amount, ["x-minimum", "x-maximum"]),
            None => return true,
        },
    };
    let bound = |key: &str| node[key].as_f64().or_else(|| magnitude(node[key].as_str()?));
    let one_of = node["x-one-of"].as_array().filter(|_| number.is_some());
    let is_one = |values: &Vec<Json>| {
        let same = |one: &Json| one.as_f64().is_some_and(|one| one.total_cmp(&value).is_eq());
        values.iter().any(same)
    };
    bound(least).is_none_or(|least| value >= least)
        && bound(most).is_none_or(|most| value <= most)
        && node["exclusiveMinimum"].as_f64().is_none_or(|limit| value > limit)
        && node["exclusiveMaximum"].as_f64().is_none_or(|limit| value < limit)
        && one_of.is_none_or(is_one)
}

/// Returns the range of a key in words.
fn expected(node: &Json) -> String {
    let unit = node["x-unit"].as_str().map(|unit| format!(" {unit}")).unwrap_or_default();
    if let Some(values) = node["x-one-of"].as_array() {
        let words: Vec<String> = values.iter().map(ToString::to_string).collect();
        let (last, others) = words.split_last().expect("there is a choice");
        return format!("{} or {last}{unit}", others.join(", "));
    }
    let said = |keys: &[&str]| {
        let found = keys.iter().find_map(|key| node.get(key))?;
        Some(found.as_str().map_or_else(|| found.to_string(), str::to_owned))
    };
    let (least, most) = (said(&["minimum", "x-minimum"]), said(&["maximum", "x-maximum"]));
    if let (Some(least), Some(most)) = (&least, &most) {
        return format!("from {least} to {most}{unit}");
    }
    let parts = [
        ("at least", least),
        ("above", said(&["exclusiveMinimum"])),
        ("at most", most),
        ("below", said(&["exclusiveMaximum"])),
    ];
    let parts = parts.into_iter().filter_map(|(word, limit)| Some(format!("{word} {}", limit?)));
    parts.collect::<Vec<_>>().join(", ") + &unit
}
