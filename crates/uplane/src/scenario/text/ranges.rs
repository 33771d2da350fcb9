//! Whether numbers and quantities are in the ranges that the schema declares for their keys.
//!
//! In: the tree of a scenario that has the right types. Out: the first value out of its range, and
//! what was expected.

use serde_json::Value as Json;
use toml::Value;

use super::super::schema::{member, resolved, root};
use super::join;
use super::tree::shown;
use crate::unit::text::magnitude;

/// A value out of its range: its path, what it is, and what it may be.
pub(super) type Outside = (String, String, String);

/// The first value of a scenario that is out of its range.
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
    let (value, keys) = match value {
        Value::Integer(number) => (*number as f64, ["minimum", "maximum"]),
        Value::Float(number) => (*number, ["minimum", "maximum"]),
        // What is no quantity has no range.
        Value::String(text) => match magnitude(text) {
            Some(value) => (value, ["x-minimum", "x-maximum"]),
            None => return true,
        },
        _ => return true,
    };
    let [least, most] = keys.map(|key| bound(node, key));
    let one_of = node["x-one-of"].as_array().filter(|_| keys[0] == "minimum");
    let is_one = |values: &Vec<Json>| {
        let same = |one: &Json| one.as_f64().is_some_and(|one| one.total_cmp(&value).is_eq());
        values.iter().any(same)
    };
    least.is_none_or(|least| value >= least)
        && most.is_none_or(|most| value <= most)
        && one_of.is_none_or(is_one)
}

fn bound(node: &Json, key: &str) -> Option<f64> {
    node[key].as_f64().or_else(|| magnitude(node[key].as_str()?))
}

/// The range in words.
fn expected(node: &Json) -> String {
    let [least, most] = [["minimum", "x-minimum"], ["maximum", "x-maximum"]].map(|keys| {
        let found = keys.into_iter().find_map(|key| node.get(key))?;
        Some(found.as_str().map_or_else(|| found.to_string(), str::to_owned))
    });
    let one_of = node["x-one-of"].as_array().map(|values| {
        let words: Vec<String> = values.iter().map(ToString::to_string).collect();
        let (last, others) = words.split_last().expect("there is a choice");
        format!("{} or {last}", others.join(", "))
    });
    let range = match (least, most) {
        _ if one_of.is_some() => one_of.unwrap_or_default(),
        (Some(least), Some(most)) => format!("from {least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => String::new(),
    };
    let unit = node["x-unit"].as_str().map(|unit| format!(" {unit}"));
    range + &unit.unwrap_or_default()
}
