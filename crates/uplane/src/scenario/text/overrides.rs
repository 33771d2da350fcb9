//! Overrides of values in the tree of a file: `link.s1.rate=5 Mbit/s`.
//!
//! In: the tree, a path and a value. Out: the changed tree, or why the path leads nowhere.

use serde::Deserialize as _;
use toml::{Table, Value};

use super::super::error::{listed, nearest, quoted};
use super::super::schema::{default_sections, is_key, is_key_of_sections, is_list};
use super::tree::{join, shown};

/// Why an override cannot be applied: found, expected, nearest.
pub(super) type Misfit = (String, String, Option<String>);

/// Sets `path` of a file's tree to `value`.
pub(super) fn lay_over(file: &mut Table, path: &str, value: &str) -> Result<(), Misfit> {
    if path.split('.').nth(MOST_PARTS).is_some() {
        let expected = format!("a key of at most {MOST_PARTS} parts");
        return Err(("a key of more parts".to_owned(), expected, None));
    }
    if let Some((head, rest)) = path.split_once('.')
        && !file.contains_key(head)
        && is_list(head)
    {
        let name = rest.split('.').next().unwrap_or_default();
        let sections = Value::try_from(default_sections(head)).expect("sections without null");
        if sections.as_array().is_none_or(Vec::is_empty) {
            let name = quoted(name);
            let rule = format!("no section [[{head}]]; add one with name = {name} to the file");
            return Err((String::new(), rule, None));
        }
        file.insert(head.to_owned(), sections);
    }
    if let Some(misfit) = name_for_section(file, path) {
        return Err(misfit);
    }
    apply(file, path, value)
}

/// Returns the error of a path that begins with the name of a section, such as `file.start`: its
/// kind must precede it.
fn name_for_section(file: &Table, path: &str) -> Option<Misfit> {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    if is_key(name) {
        return None;
    }
    let (kind, _) = file.iter().find(|(kind, sections)| match sections {
        Value::Table(sets) => sets.contains_key(name) && is_key_of_sections(kind, None),
        list => position(list, name).is_some() && name.parse::<usize>().is_err(),
    })?;
    let section = format!("{kind}.{name}");
    let key = rest.split('.').next();
    let meant = if is_key_of_sections(kind, key) { join(&section, rest) } else { section.clone() };
    let found = format!("the name of a section of `{kind}`");
    Some((found, format!("a key that begins with its kind, `{section}.`"), Some(meant)))
}

/// Sets `path` to `value`. Adds missing tables, so that the schema finds a wrong key.
fn apply(table: &mut Table, path: &str, value: &str) -> Result<(), Misfit> {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let Some(rest) = rest else {
        table.insert(head.to_owned(), literal(value));
        return Ok(());
    };
    let next = table.entry(head).or_insert_with(|| Value::Table(Table::new()));
    match next {
        Value::Table(next) => apply(next, rest, value),
        list @ Value::Array(_) => apply_in_array(list, rest, value),
        other => Err((shown(other), "a section".to_owned(), None)),
    }
}

fn apply_in_array(list: &mut Value, path: &str, value: &str) -> Result<(), Misfit> {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let found = position(list, head);
    let items = list.as_array_mut().expect("called for a list");
    let Some(item) = found.filter(|&found| found < items.len()) else {
        let names = items.iter().filter_map(|item| item.get("name")?.as_str());
        let names: Vec<&str> = names.collect();
        let near = nearest(head, names.iter().copied());
        let positions = match items.len() {
            0 => return Err((String::new(), "the list is empty".to_owned(), None)),
            1 => "position 0, the only one".to_owned(),
            count => format!("a position from 0 to {}", count - 1),
        };
        let expected = if names.is_empty() {
            positions
        } else {
            format!("one of the names {}, or {positions}", listed(head, &names))
        };
        return Err((quoted(head), expected, near));
    };
    match (&mut items[item], rest) {
        (Value::Table(item), Some(rest)) => apply(item, rest, value),
        (item, None) => {
            *item = literal(value);
            Ok(())
        }
        (item, Some(_)) => Err((shown(item), "a section".to_owned(), None)),
    }
}

/// Returns `link.s1.rate` as `link.0.rate`.
pub(super) fn by_position(table: &Table, path: &str) -> String {
    let mut parts = path.split('.');
    let head = parts.next().unwrap_or_default();
    let mut place = head.to_owned();
    let mut value = table.get(head);
    for part in parts {
        let position = value.and_then(|value| position(value, part));
        value = match value {
            Some(Value::Array(items)) => position.and_then(|position| items.get(position)),
            other => other.and_then(|value| value.get(part)),
        };
        place = join(
            &place,
            &position.map_or_else(|| part.to_owned(), |position| position.to_string()),
        );
    }
    place
}

/// Returns the position in a list that `part` denotes: the number itself, or that of the item with
/// this name.
fn position(value: &Value, part: &str) -> Option<usize> {
    let items = value.as_array()?;
    let named = |item: &Value| item.get("name").and_then(Value::as_str) == Some(part);
    part.parse().ok().or_else(|| items.iter().position(named))
}

/// Reads a TOML value, or else takes the text itself: `5`, `true`, `[1, 2]`, `5 ms`.
fn literal(text: &str) -> Value {
    let value = toml::de::ValueDeserializer::parse(text).and_then(Value::deserialize);
    value.unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// The deepest key of the schema has five.
const MOST_PARTS: usize = 20;
