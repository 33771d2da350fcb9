//! From TOML text to the schema's types.
//!
//! In: the text of a file, and overrides `path=value`. Out: a [`File`], or an error that names the line.
//!
//! The text is read twice: once into the types, by serde, which knows the path of whatever is wrong; and
//! once into a tree with positions, in which the line of a path is looked up.

use std::collections::BTreeSet;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::error::{ScenarioError, nearest};
use super::schema::{File, known_keys};

/// The text of a scenario and where it came from, for error messages.
pub(super) struct Source<'a> {
    text: &'a str,
    name: &'a str,
    /// What was set from outside: the path as it was written, and with positions for names.
    overrides: Vec<(String, String)>,
}

/// Reads the text with its overrides.
pub(super) fn read<'a>(
    text: &'a str,
    name: &'a str,
    set: &[(String, String)],
) -> Result<(File, Source<'a>), ScenarioError> {
    let mut source = Source { text, name, overrides: Vec::new() };
    let mut table: Table = toml::from_str(text).map_err(|error| source.syntax(&error))?;
    for (path, value) in set {
        source.overrides.push((path.clone(), path.clone()));
        if path.split('.').any(str::is_empty) {
            return Err(source.error(path, &quoted(path), "a key, such as `radio.geran.bler`"));
        }
        apply(&mut table, path, value).map_err(|(found, expected, near)| ScenarioError {
            nearest: near,
            ..source.error(path, &found, &expected)
        })?;
        source.overrides.pop();
        source.overrides.push((path.clone(), by_position(&table, path)));
    }
    let file = serde_path_to_error::deserialize(Value::Table(table)).map_err(|error| {
        let path = readable(error.path());
        source.schema(&path, error.inner().message())
    })?;
    Ok((file, source))
}

impl Source<'_> {
    /// An error at `path`, with its line.
    pub(super) fn error(&self, path: &str, found: &str, expected: &str) -> ScenarioError {
        let overridden = self.overrides.iter().find(|(_, set)| set == path).or_else(|| {
            // A section that stands in no text was made by what was set inside it.
            let inside = |set: &str| set.strip_prefix(path).is_some_and(|key| key.starts_with('.'));
            let made = self.overrides.iter().find(|(_, set)| inside(set));
            made.filter(|_| self.line(path).is_none())
        });
        let (file, line, key) = match overridden {
            Some((written, _)) => ("--set", None, written.as_str()),
            None => (self.name, self.line(path), path),
        };
        ScenarioError {
            file: file.to_owned(),
            line,
            key: key.to_owned(),
            found: found.to_owned(),
            expected: expected.to_owned(),
            ..ScenarioError::default()
        }
    }

    fn syntax(&self, error: &toml::de::Error) -> ScenarioError {
        let line = error.span().map(|span| self.line_at(span.start));
        let found = line.and_then(|line| self.text.lines().nth(line - 1)).unwrap_or("nothing");
        ScenarioError {
            file: self.name.to_owned(),
            line,
            found: quoted(found.trim()),
            expected: "TOML".to_owned(),
            reason: first_line(error.message()),
            ..ScenarioError::default()
        }
    }

    /// Turns serde's message at `path` into found and expected.
    fn schema(&self, path: &str, message: &str) -> ScenarioError {
        let words = backticked(message);
        let error = |found: &str, expected: &str| self.error(path, found, expected);
        if let Some(rest) = message.strip_prefix("unknown field ") {
            let (found, candidates) = words.split_first().expect("serde names the field");
            let path = if path.ends_with(found) { path.to_owned() } else { join(path, found) };
            return ScenarioError {
                nearest: nearest(found, candidates.iter().copied()),
                ..self.error(&path, "an unknown key", &alternatives(rest, candidates, "a key"))
            };
        }
        if let Some(rest) = message.strip_prefix("unknown variant ") {
            let (found, candidates) = words.split_first().expect("serde names the variant");
            return ScenarioError {
                nearest: nearest(found, candidates.iter().copied()),
                ..error(&quoted(found), &alternatives(rest, candidates, "one"))
            };
        }
        if message.starts_with("missing field ") {
            let field = words.first().copied().unwrap_or("a key");
            return self.error(&join(path, field), "nothing", "this key");
        }
        for prefix in ["invalid type: ", "invalid value: ", "invalid length "] {
            if let Some((found, expected)) =
                message.strip_prefix(prefix).and_then(|rest| rest.split_once(", expected "))
            {
                let found = found.replace("string \"", "\"").replace("floating point ", "");
                return error(in_toml_words(&found), &expectation(&first_line(expected)));
            }
        }
        if message.starts_with("wanted exactly 1 element") {
            return self.not_one_kind(path);
        }
        error("something else", &first_line(message))
    }

    /// Several sections, or none, where one section says by its name what is meant.
    fn not_one_kind(&self, path: &str) -> ScenarioError {
        let kinds = known_keys("Radio");
        let known = || kinds.iter().map(String::as_str);
        let found = self.keys(path);
        let mut slips = found.iter().filter(|key| !kinds.contains(key));
        let sections: Vec<String> =
            found.iter().map(|kind| format!("`[{}]`", join(path, kind))).collect();
        let found = if sections.is_empty() { "none".to_owned() } else { sections.join(" and ") };
        ScenarioError {
            nearest: slips.find_map(|slip| nearest(slip, known())),
            ..self.error(path, &found, &format!("one section of {}", kinds.join(", ")))
        }
    }

    /// The keys of the section at `path`, of the text and of what was set.
    fn keys(&self, path: &str) -> Vec<String> {
        let text = Value::Table(toml::from_str(self.text).unwrap_or_default());
        let section = path.split('.').try_fold(&text, |value, key| value.get(key));
        let written = section.and_then(Value::as_table).into_iter().flat_map(Table::keys).cloned();
        let set = self.overrides.iter().filter_map(|(_, set)| {
            let rest = set.strip_prefix(path)?.strip_prefix('.')?;
            rest.split('.').next().map(str::to_owned)
        });
        written.chain(set).collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// The line of the key at `path`, or of the deepest part of it that the text has.
    fn line(&self, path: &str) -> Option<usize> {
        let root = DeTable::parse(self.text).ok()?;
        let mut parts = path.split('.');
        let (key, mut value) = member(root.get_ref(), parts.next()?)?;
        let mut line = self.line_at(key.span().start);
        for part in parts {
            let found = match value.get_ref() {
                DeValue::Table(keys) => member(keys, part).map(|(key, value)| (key.span(), value)),
                DeValue::Array(items) => element(items, part).map(|item| (item.span(), item)),
                _ => None,
            };
            let Some((span, inner)) = found else { break };
            line = self.line_at(span.start);
            value = inner;
        }
        Some(line)
    }

    fn line_at(&self, offset: usize) -> usize {
        let end = offset.min(self.text.len());
        1 + self.text.get(..end).unwrap_or(self.text).matches('\n').count()
    }
}

type Keyed<'a, 'b> = (&'a toml::Spanned<toml::de::DeString<'b>>, &'a toml::Spanned<DeValue<'b>>);

fn member<'a, 'b>(keys: &'a DeTable<'b>, name: &str) -> Option<Keyed<'a, 'b>> {
    keys.iter().find(|(key, _)| key.get_ref() == name)
}

/// The item of an array called `part`: its position, or its `name`.
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

/// Why an override cannot be applied: found, expected, nearest.
type Misfit = (String, String, Option<String>);

/// Sets `path` to `value` in the tree; tables that lack on the way are made, so that a wrong key is found by the schema.
fn apply(table: &mut Table, path: &str, value: &str) -> Result<(), Misfit> {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let Some(rest) = rest else {
        table.insert(head.to_owned(), literal(value));
        return Ok(());
    };
    let next = table.entry(head).or_insert_with(|| Value::Table(Table::new()));
    match next {
        Value::Table(next) => apply(next, rest, value),
        Value::Array(items) => apply_in_array(items, rest, value),
        other => Err((format!("`{head}` is {}", other.type_str()), "a section".to_owned(), None)),
    }
}

fn apply_in_array(items: &mut [Value], path: &str, value: &str) -> Result<(), Misfit> {
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    let names: Vec<String> =
        items.iter().filter_map(|item| item.get("name")?.as_str().map(str::to_owned)).collect();
    let position = head.parse().ok().or_else(|| names.iter().position(|name| name == head));
    let item = position.and_then(|position: usize| items.get_mut(position)).ok_or_else(|| {
        let near = nearest(head, names.iter().map(String::as_str));
        (quoted(head), format!("a position, or one of the names {}", names.join(", ")), near)
    })?;
    match (item, rest) {
        (Value::Table(item), Some(rest)) => apply(item, rest, value),
        (item, None) => {
            *item = literal(value);
            Ok(())
        }
        (item, Some(_)) => {
            Err((format!("`{head}` is {}", item.type_str()), "a section".to_owned(), None))
        }
    }
}

/// `link.s1.rate` as `link.0.rate`.
fn by_position(table: &Table, path: &str) -> String {
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

/// The position in a list that `part` means: the number itself, or that of the item of this name.
fn position(value: &Value, part: &str) -> Option<usize> {
    let items = value.as_array()?;
    let named = |item: &Value| item.get("name").and_then(Value::as_str) == Some(part);
    part.parse().ok().or_else(|| items.iter().position(named))
}

/// serde's names of types as a person who writes TOML knows them.
fn in_toml_words(words: &str) -> &str {
    match words {
        "map" => "a section",
        "a map" => "a section `[…]`",
        "sequence" => "a list",
        "a sequence" => "a list: `[…]`, or sections `[[…]]`",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" | "u64" => "a whole number without a unit, not negative",
        other => other,
    }
}

/// What serde expects, as a person who writes TOML knows it.
fn expectation(expected: &str) -> String {
    match expected.strip_prefix("struct ") {
        Some(section) => format!("a section with the keys {}", known_keys(section).join(", ")),
        None => in_toml_words(expected).to_owned(),
    }
}

/// A TOML value, or else the text itself: `5`, `true`, `[1, 2]`, `5 ms`.
fn literal(text: &str) -> Value {
    let value = toml::de::ValueDeserializer::parse(text).and_then(Value::deserialize);
    value.unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// `link[0].rate` as `link.0.rate`.
fn readable(path: &serde_path_to_error::Path) -> String {
    let parts = path.iter().filter_map(|segment| match segment {
        serde_path_to_error::Segment::Seq { index } => Some(index.to_string()),
        serde_path_to_error::Segment::Map { key } => Some(key.clone()),
        serde_path_to_error::Segment::Enum { variant } => Some(variant.clone()),
        serde_path_to_error::Segment::Unknown => None,
    });
    parts.collect::<Vec<_>>().join(".")
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn alternatives(rest: &str, candidates: &[&str], what: &str) -> String {
    if candidates.is_empty() {
        return first_line(rest.split_once(", ").map_or(rest, |(_, after)| after));
    }
    format!("{what} of {}", candidates.join(", "))
}

fn backticked(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file is not to blame, which has no such key.
    #[test]
    fn an_override_of_a_nameless_key_is_refused_as_such() {
        for path in ["", ".t", "radio.", "radio..bler"] {
            let set = [(path.to_owned(), "1".to_owned())];
            let error = read("", "file.toml", &set).err().expect("no such key");
            assert_eq!((error.file.as_str(), error.key.as_str()), ("--set", path));
        }
    }

    const GOOD: &str = "\
title = \"a test\"

[radio.geran]
rlc_rtt = \"50 ms\"

[[link]]
name = \"s1\"
delay = \"10 ms\"

[[ping]]
name = \"echo\"
";

    fn refused(text: &str, set: &[(&str, &str)]) -> String {
        let set: Vec<_> = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        match read(text, "test.toml", &set) {
            Ok(_) => panic!("accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_good_text_is_read() {
        let (file, _) = read(GOOD, "test.toml", &[]).unwrap();
        assert_eq!(
            (file.title.as_str(), file.link.len(), file.ue[0].name.as_str()),
            ("a test", 1, "ue")
        );
    }

    #[test]
    fn an_override_reaches_into_a_named_section() {
        let set =
            [("link.s1.delay".to_owned(), "7 ms".to_owned()), ("seed".to_owned(), "9".to_owned())];
        let (file, _) = read(GOOD, "test.toml", &set).unwrap();
        assert_eq!((file.link[0].delay, file.seed), (Span::millis(7), 9));
    }

    /// Each message names the line, the key, what was found and what was expected.
    #[test]
    fn errors_name_line_key_found_and_expected() {
        let cases = [
            (
                GOOD.replace("rlc_rtt", "rlc_rt"),
                "test.toml:4: radio.geran.rlc_rt: found an unknown key",
            ),
            (
                GOOD.replace("50 ms", "50"),
                "test.toml:4: radio.geran.rlc_rtt: found \"50\", expected a time",
            ),
            (
                GOOD.replace("\"10 ms\"", "10"),
                "test.toml:8: link.0.delay: found integer `10`, expected a time",
            ),
            (
                GOOD.replace("radio.geran", "radio.gera"),
                "test.toml:3: radio: found \"gera\", expected one of fixed, geran",
            ),
            (
                GOOD.replace("[radio.geran]\nrlc_rtt = \"50 ms\"", ""),
                "test.toml: radio: found nothing, expected this key",
            ),
            (
                GOOD.replace("[[link]]", "[radio.lt]\n[[link]]"),
                "test.toml:3: radio: found `[radio.geran]` and `[radio.lt]`, expected one section of fixed, geran, lte (did you mean `lte`?)",
            ),
            (
                GOOD.replace("[radio.geran]\nrlc_rtt = \"50 ms\"", "[radio]"),
                "test.toml:3: radio: found none, expected one section of fixed, geran, lte",
            ),
            (
                GOOD.replace("\"echo\"", "\"echo\"\nport = 70000"),
                "test.toml:12: ping.0.port: found integer `70000`, expected a whole number from 0 to 65535",
            ),
            (
                GOOD.replace("\"echo\"", "\"echo\"\ncount = \"9 s\""),
                "test.toml:12: ping.0.count: found \"9 s\", expected a whole number without a unit",
            ),
            (GOOD.replace("[[link]]", "[[link]"), "test.toml:6: found \"[[link]\", expected TOML"),
            (
                GOOD.replace("name = \"echo\"", "nam = \"echo\""),
                "test.toml:11: ping.0.nam: found an unknown key",
            ),
        ];
        for (text, expected) in cases {
            let message = refused(&text, &[]);
            assert!(message.starts_with(expected), "{message}\n{expected}");
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_recognised() {
        assert!(
            refused(&GOOD.replace("rlc_rtt", "rlc_rt"), &[]).contains("did you mean `rlc_rtt`?")
        );
        assert!(refused(GOOD, &[("link.s2.delay", "1 ms")]).contains("did you mean `s1`?"));
        assert!(
            refused(GOOD, &[("radio.fixed.rtt", "1 ms")])
                .starts_with("test.toml:3: radio: found `[radio.fixed]` and `[radio.geran]`")
        );
        assert!(
            refused(GOOD, &[("upload.photo.file", "5 kB")])
                .starts_with("--set: upload.photo.file: found a section, expected a list")
        );
        assert!(
            refused(GOOD, &[("radio.geran.down", "5")])
                .ends_with("expected a section with the keys pdus, pdu, bler")
        );
        assert!(
            refused(GOOD, &[("radio.geran.bler", "2")])
                .starts_with("--set: radio.geran.bler: found")
        );
        assert!(
            refused(GOOD, &[("ping.echo.count", "x")]).starts_with("--set: ping.echo.count: found")
        );
    }

    use super::super::quantity::Span;
}
