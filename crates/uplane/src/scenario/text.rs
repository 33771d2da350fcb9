//! From TOML text to the schema's types.
//!
//! In: the text of a file, and overrides `path=value`. Out: a [`File`], or an error that names the
//! line.
//!
//! The text is read twice: once into a tree of values, to which the overrides are applied and from
//! which the types are read ([`tree`]); and, for an error, into a tree with positions, in which the
//! line of a path is looked up.

mod bases;
mod beside;
mod controls;
mod overrides;
mod ranges;
mod traces;
mod tree;

use serde::Deserialize as _;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::error::{ScenarioError, listed, nearest, printable, quoted};
use super::schema::{File, expected_at};
use bases::{Bases, Origin, lay_bases};
use overrides::{by_position, lay_over};
use tree::{Expected, Misfit, Tree, What};

pub use beside::{Beside, Reader};

/// The text of a scenario and where it came from, for error messages.
pub(super) struct Source<'a> {
    text: &'a str,
    name: &'a str,
    /// What was set from outside: the path as it was written, and with positions for names.
    overrides: Vec<(String, String)>,
    /// The bases of the sections of the text.
    bases: Vec<Bases>,
}

/// Reads the text with its overrides and the bases of its sections.
pub(super) fn read<'a>(
    text: &'a str,
    name: &'a str,
    set: &[(String, String)],
    reader: Reader<'_>,
) -> Result<(File, Source<'a>), ScenarioError> {
    let mut source = Source { text, name, overrides: Vec::new(), bases: Vec::new() };
    let mut table: Table = toml::from_str(text).map_err(|error| source.syntax(&error))?;
    for (path, value) in set {
        source.overrides.push((path.clone(), path.clone()));
        if path.split('.').any(str::is_empty) {
            return Err(source.error(path, &quoted(path), "a key, such as `radio.geran.bler`"));
        }
        lay_over(&mut table, path, value).map_err(|(found, expected, near)| ScenarioError {
            nearest: near,
            ..source.error(path, &found, &expected)
        })?;
        source.overrides.pop();
        source.overrides.push((path.clone(), by_position(&table, path)));
    }
    source.bases = lay_bases(&mut table, &source, reader)?;
    traces::read_all(&mut table, &source, reader)?;
    controls::read_all(&mut table, &source, reader)?;
    let tree = Value::Table(table);
    let outside = ranges::outside(&tree);
    let mut file = File::deserialize(Tree(tree)).map_err(|it| source.misfit(&it))?;
    if let Some((path, found, expected)) = outside {
        return Err(source.error(&path, &found, &expected));
    }
    controls::prepare(&mut file, &source, reader)?;
    Ok((file, source))
}

impl Source<'_> {
    /// An error at `path`, with its line; where a base gives the value, at the key of the base.
    pub(super) fn error(&self, path: &str, found: &str, expected: &str) -> ScenarioError {
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

    fn syntax(&self, error: &toml::de::Error) -> ScenarioError {
        syntax_in(self.name, self.text, error)
    }

    /// An error for what does not fit.
    fn misfit(&self, misfit: &Misfit) -> ScenarioError {
        let path = misfit.path();
        match &misfit.what {
            What::UnknownKey(key, known) => ScenarioError {
                nearest: nearest(key, known.iter().copied()),
                ..self.error(
                    &join(&path, key),
                    "an unknown key",
                    &format!("a key of {}", known.join(", ")),
                )
            },
            What::UnknownWord(word, known) => ScenarioError {
                nearest: nearest(word, known.iter().copied().filter(|it| same_digits(word, it))),
                ..self.error(&path, &quoted(word), &format!("one of {}", listed(word, known)))
            },
            What::Missing(key) => {
                let path = join(&path, key);
                self.error(&path, "nothing", &expected_at(&path))
            }
            What::NotOne(found, known) => {
                let mut slips = found.iter().filter(|key| !known.contains(&key.as_str()));
                let sections: Vec<String> =
                    found.iter().map(|kind| format!("`[{}]`", join(&path, kind))).collect();
                let found =
                    if sections.is_empty() { "none".into() } else { sections.join(" and ") };
                let expected = format!("one section of {}", known.join(", "));
                ScenarioError {
                    nearest: slips.find_map(|slip| nearest(slip, known.iter().copied())),
                    ..self.error(&path, &found, &expected)
                }
            }
            What::Unfit(found, expected) => self.error(&path, found, &in_words(expected, &path)),
        }
    }
}

/// An error at a key of another file than the scenario.
fn error_in(name: &str, text: &str, key: &str, found: &str, expected: &str) -> ScenarioError {
    located(name, line_of(text, key), key, found, expected)
}

/// An error for a text that is no TOML.
fn syntax_in(name: &str, text: &str, error: &toml::de::Error) -> ScenarioError {
    // What has no position is wrong from the beginning on, such as a key of too many parts.
    let line = error.span().map_or(1, |span| line_at(text, span.start));
    let found = text.lines().nth(line - 1).map(str::trim);
    let found = found.map_or_else(|| "the end of the text".to_owned(), quoted);
    ScenarioError {
        line: Some(line),
        reason: printable(&first_line(error.message()), LONGEST_EXPECTED),
        ..located(name, None, "", &found, "TOML")
    }
}

/// An error with all that is said of it cut to a length that can be read.
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

/// True for a key inside of `top`.
fn below(path: &str, top: &str) -> bool {
    path.strip_prefix(top).is_some_and(|it| it.starts_with('.'))
}

/// The line of the key at `path`, or of the deepest part of it that the text has.
fn line_of(text: &str, path: &str) -> Option<usize> {
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
        let Some((span, inner)) = found else { break };
        line = line_at(text, span.start);
        value = inner;
    }
    Some(line)
}

fn line_at(text: &str, offset: usize) -> usize {
    let end = offset.min(text.len());
    1 + text.get(..end).unwrap_or(text).matches('\n').count()
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

fn in_words(expected: &Expected, path: &str) -> String {
    match expected {
        Expected::Words(words) => words.clone(),
        Expected::Section(keys) => format!("a section with the keys {}", keys.join(", ")),
        Expected::OneSection(kinds) => format!("one section of {}", kinds.join(", ")),
        Expected::Number => match unit_of(path) {
            Some(unit) => format!("a number of {unit}, without the unit"),
            None => "a number without a unit".to_owned(),
        },
    }
}

/// The unit of a number, which stands last in its key.
fn unit_of(path: &str) -> Option<&'static str> {
    let (_, last) = path.rsplit_once('_')?;
    Some(match last {
        "db" => "dB",
        "m" => "metres",
        "kmh" => "km/h",
        "ghz" => "GHz",
        _ => return None,
    })
}

/// Another number is another value, and no slip of the pen.
fn same_digits(a: &str, b: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(a) == digits(b)
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

/// Characters of a key, of what was found, and of what was expected.
const LONGEST_KEY: usize = 120;
const LONGEST_FOUND: usize = 120;
const LONGEST_EXPECTED: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Duration;

    fn no_file(_: &str) -> Result<String, String> {
        Err("no such file".to_owned())
    }

    /// The file is not to blame, which has no such key.
    #[test]
    fn an_override_of_a_nameless_key_is_refused_as_such() {
        for path in ["", ".t", "radio.", "radio..bler"] {
            let set = [(path.to_owned(), "1".to_owned())];
            let error = read("", "file.toml", &set, &no_file).err().expect("no such key");
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
        match read(text, "test.toml", &set, &no_file) {
            Ok(_) => panic!("accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_good_text_is_read() {
        let (file, _) = read(GOOD, "test.toml", &[], &no_file).unwrap();
        assert_eq!(
            (file.title.as_str(), file.link.len(), file.ue[0].name.as_str()),
            ("a test", 1, "ue")
        );
    }

    #[test]
    fn an_override_reaches_into_a_named_section() {
        let set =
            [("link.s1.delay".to_owned(), "7 ms".to_owned()), ("seed".to_owned(), "9".to_owned())];
        let (file, _) = read(GOOD, "test.toml", &set, &no_file).unwrap();
        assert_eq!((file.link[0].delay, file.seed), (Duration::from_millis(7), 9));
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
                "test.toml:8: link.0.delay: found 10, expected a time",
            ),
            (
                GOOD.replace("radio.geran", "radio.gera"),
                "test.toml:3: radio: found \"gera\", expected one of fixed, geran",
            ),
            (
                GOOD.replace("[radio.geran]\nrlc_rtt = \"50 ms\"", ""),
                "test.toml: radio: found nothing, expected one section: [radio.fixed]",
            ),
            (
                GOOD.replace("[[link]]", "[radio.lt]\n[[link]]"),
                "test.toml:3: radio: found `[radio.geran]` and `[radio.lt]`, expected one section of fixed, geran, lte, nr (did you mean `lte`?)",
            ),
            (
                GOOD.replace("[radio.geran]\nrlc_rtt = \"50 ms\"", "[radio]"),
                "test.toml:3: radio: found none, expected one section of fixed, geran, lte, nr",
            ),
            (
                GOOD.replace("\"echo\"", "\"echo\"\nport = 70000"),
                "test.toml:12: ping.0.port: found 70000, expected a whole number from 0 to 65535",
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
                .starts_with("--set: upload.photo.file: found no section [[upload]]")
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
}
