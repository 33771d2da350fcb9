//! The text of a scenario and the places of its keys, for errors.
//!
//! In: a key's path. Out: an error with the file and line of that key, or of the key of a base that
//! sets its value.

use toml::de::{DeTable, DeValue};

use super::super::error::{ScenarioError, printable, quoted};

/// The text of a scenario and its source.
pub(in crate::scenario) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) name: &'a str,
    /// Overrides: the path as the user wrote it, and with positions instead of names.
    pub(super) overrides: Vec<(String, String)>,
    /// The bases of the sections of the text.
    pub(super) bases: Vec<Box<dyn Origins>>,
}

/// Origins of the values that sections take from their bases.
pub(super) trait Origins {
    /// Returns the origin of the value at `path`. `None` if the section sets it itself.
    fn origin(&self, path: &str) -> Option<Origin>;
}

/// The origin of a value that a section does not set.
pub(super) enum Origin {
    /// Another key of the scenario.
    Key(String),
    /// A key of a base file.
    File { name: String, text: String, key: String },
    /// The built-in base file of this name.
    BuiltIn(String),
}

impl Source<'_> {
    /// Returns an error at `path`, or at the key of the base that sets the value.
    pub(in crate::scenario) fn error(
        &self,
        path: &str,
        found: &str,
        expected: &str,
    ) -> ScenarioError {
        match self.bases.iter().find_map(|bases| bases.origin(path)) {
            None => self.error_here(path, found, expected),
            Some(Origin::Key(key)) => self.error_here(&key, found, expected),
            Some(Origin::File { name, text, key }) => error_in(&name, &text, &key, found, expected),
            Some(Origin::BuiltIn(name)) => ScenarioError {
                reason: format!("the value comes from the base \"{name}\""),
                ..self.error_here(path, found, expected)
            },
        }
    }

    /// Returns the error of a required key that is missing. Built-in bases are complete, so none of
    /// them is blamed. An override that adds the section is blamed.
    pub(in crate::scenario) fn missing(&self, path: &str, rule: &str) -> ScenarioError {
        let section = path.rsplit_once('.').map_or("", |(section, _)| section);
        let added_by = self.overrides.iter().rev().find(|(_, set)| below(set, section));
        let is_own = place_of(self.text, section).is_some_and(|place| place.is_whole);
        match added_by.filter(|_| !is_own) {
            None => self.error_here(path, "", rule),
            Some((written, _)) => {
                let values = rule.strip_prefix("required").unwrap_or_default();
                let rule = format!("also requires `{path}`{values}");
                located("--set", None, written, "", &rule)
            }
        }
    }

    fn error_here(&self, path: &str, found: &str, expected: &str) -> ScenarioError {
        let latest = || self.overrides.iter().rev();
        let overridden = latest().find(|(_, set)| set == path || below(path, set)).or_else(|| {
            // A section that is not in the text was made by an override of a key in it.
            let made = latest().find(|(_, set)| below(set, path));
            made.filter(|_| line_of(self.text, path).is_none())
        });
        let (file, line, key) = match overridden {
            Some((written, set)) if below(path, set) => {
                ("--set", None, format!("{written}{}", &path[set.len()..]))
            }
            Some((written, _)) => ("--set", None, written.clone()),
            None => (self.name, line_of(self.text, path), path.to_owned()),
        };
        located(file, line, &key, found, expected)
    }

    pub(super) fn syntax(&self, error: &toml::de::Error) -> ScenarioError {
        syntax_in(self.name, self.text, error)
    }
}

/// Returns an error at a key of another file than the scenario.
pub(super) fn error_in(
    name: &str,
    text: &str,
    key: &str,
    found: &str,
    expected: &str,
) -> ScenarioError {
    located(name, line_of(text, key), key, found, expected)
}

/// Returns an error in a line of the file that the key `key` names.
pub(super) fn error_in_line(
    name: &str,
    line: usize,
    key: &str,
    found: &str,
    expected: &str,
) -> ScenarioError {
    located(name, Some(line), key, found, expected)
}

/// Returns the error of a text that is no TOML.
pub(super) fn syntax_in(name: &str, text: &str, error: &toml::de::Error) -> ScenarioError {
    // An error without a position, such as a key of too many parts, is placed at line 1.
    let line = error.span().map_or(1, |span| line_at(text, span.start));
    let found = text.lines().nth(line - 1).map(str::trim);
    let found = found.map_or_else(|| "the end of the text".to_owned(), quoted);
    ScenarioError {
        line: Some(line),
        reason: printable(&first_line(error.message()), LONGEST_EXPECTED),
        ..located(name, None, "", &found, "TOML")
    }
}

/// Returns an error with texts of bounded length.
fn located(
    file: &str,
    line: Option<usize>,
    key: &str,
    found: &str,
    expected: &str,
) -> ScenarioError {
    ScenarioError {
        file: printable(file, usize::MAX),
        line,
        key: printable(key, LONGEST_KEY),
        found: printable(found, LONGEST_FOUND),
        expected: printable(expected, LONGEST_EXPECTED),
        ..ScenarioError::default()
    }
}

/// Returns whether `path` is a key inside of `top`.
fn below(path: &str, top: &str) -> bool {
    path.strip_prefix(top).is_some_and(|it| it.starts_with('.'))
}

/// The place of a key in a text.
struct Place {
    /// Line of the key, or of the deepest part of its path that the text has.
    line: usize,
    /// The text has the key itself.
    is_whole: bool,
}

/// Returns the line of the key at `path`, or of the deepest part of it that the text has.
fn line_of(text: &str, path: &str) -> Option<usize> {
    place_of(text, path).map(|place| place.line)
}

fn place_of(text: &str, path: &str) -> Option<Place> {
    let root = DeTable::parse(text).ok()?;
    let mut parts = path.split('.');
    let (key, mut value) = member(root.get_ref(), parts.next()?)?;
    let mut line = line_at(text, key.span().start);
    for part in parts {
        let found = match value.get_ref() {
            DeValue::Table(keys) => member(keys, part).map(|(key, value)| (key.span(), value)),
            DeValue::Array(items) => element(items, part).map(|item| (item.span(), item)),
            _ => None,
        };
        let Some((span, inner)) = found else { return Some(Place { line, is_whole: false }) };
        line = line_at(text, span.start);
        value = inner;
    }
    Some(Place { line, is_whole: true })
}

fn line_at(text: &str, offset: usize) -> usize {
    let end = offset.min(text.len());
    1 + text.get(..end).unwrap_or(text).matches('\n').count()
}

type Keyed<'a, 'b> = (&'a toml::Spanned<toml::de::DeString<'b>>, &'a toml::Spanned<DeValue<'b>>);

fn member<'a, 'b>(keys: &'a DeTable<'b>, name: &str) -> Option<Keyed<'a, 'b>> {
    keys.iter().find(|(key, _)| key.get_ref() == name)
}

/// Returns the item of an array with the position or the `name` `part`.
fn element<'a, 'b>(
    items: &'a toml::de::DeArray<'b>,
    part: &str,
) -> Option<&'a toml::Spanned<DeValue<'b>>> {
    if let Ok(position) = part.parse::<usize>() {
        return items.get(position);
    }
    items.iter().find(|item| match item.get_ref() {
        DeValue::Table(keys) => (keys.iter())
            .any(|(key, value)| key.get_ref() == "name" && value.get_ref().as_str() == Some(part)),
        _ => false,
    })
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

/// Maximum numbers of characters of a key, a value found, and an expectation.
const LONGEST_KEY: usize = 120;
const LONGEST_FOUND: usize = 120;
const LONGEST_EXPECTED: usize = 2000;
