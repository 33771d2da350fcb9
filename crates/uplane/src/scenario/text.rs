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
mod counted;
pub(super) mod measurements;
mod overrides;
mod programs;
mod ranges;
mod replays;
pub(super) mod source;
mod traces;
mod tree;

use serde::Deserialize as _;
use toml::{Table, Value};

use super::error::{ScenarioError, listed, nearest, quoted};
use super::schema::{File, rule_of_missing};
use super::synonyms;
use bases::lay_bases;
use counted::Clocks;
use overrides::{by_position, lay_over};
use tree::{Expected, Misfit, Tree, What, join};

pub use beside::{Beside, Reader};
use source::Source;

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
    measurements::read_all(&mut table, &source, reader)?;
    replays::read_all(&mut table, &source, reader)?;
    let tree = Value::Table(table);
    let outside = ranges::outside(&tree);
    let clocks = Clocks::of(&tree);
    let mut file = File::deserialize(Tree(tree)).map_err(|it| error_of(&source, &clocks, &it))?;
    if let Some((path, found, expected)) = outside {
        return Err(source.error(&path, &found, &expected));
    }
    programs::read_all(&mut file, &source, reader)?;
    Ok((file, source))
}

/// Returns the error of a value that does not fit.
fn error_of(source: &Source, clocks: &Clocks, misfit: &Misfit) -> ScenarioError {
    let path = misfit.path();
    match &misfit.what {
        What::UnknownKey(key, known) => ScenarioError {
            nearest: nearest(key, known.iter().copied()),
            ..source.error(
                &join(&path, key),
                "an unknown key",
                &format!("one of the keys {}", known.join(", ")),
            )
        },
        What::UnknownWord(word, known) => unknown_word(source, &path, word, known),
        What::Missing(key) => {
            let path = join(&path, key);
            source.missing(&path, &rule_of_missing(&path))
        }
        What::NotOne(found, known) => not_one(source, &path, found, known),
        What::Unfit(found, expected) => {
            let words = in_words(expected, &path);
            let counted = clocks.expected(&path, found, &words);
            source.error(&path, found, &counted.unwrap_or(words))
        }
    }
}

/// Returns the error of a word that is not one of `known`, without a guess across a limit of the
/// model.
fn unknown_word(
    source: &Source,
    path: &str,
    word: &str,
    known: &'static [&'static str],
) -> ScenarioError {
    let similar = known.iter().copied().filter(|it| same_digits(word, it));
    let limit = synonyms::limit(path, word);
    let near = synonyms::meant(word, known).map(str::to_owned).or_else(|| nearest(word, similar));
    let near = near.filter(|_| limit.is_none());
    let reason = limit.or_else(|| near.as_deref().and_then(synonyms::version));
    ScenarioError {
        nearest: near,
        reason: reason.unwrap_or_default().to_owned(),
        ..source.error(path, &quoted(word), &format!("one of {}", listed(word, known)))
    }
}

/// Returns the error of a choice that requires exactly one section of `known`.
fn not_one(
    source: &Source,
    path: &str,
    found: &[String],
    known: &'static [&'static str],
) -> ScenarioError {
    let mut slips = found.iter().filter(|key| !known.contains(&key.as_str()));
    let are_both_cells = *found == ["lte", "nr"] && known.contains(&"en_dc");
    let sections: Vec<String> =
        found.iter().map(|kind| format!("`[{}]`", join(path, kind))).collect();
    let expected = if sections.is_empty() {
        return source.error(path, "", &rule_of_missing(path));
    } else if are_both_cells {
        "one of them, or `[radio.en_dc]` beside both".to_owned()
    } else {
        format!("one section of {}", known.join(", "))
    };
    ScenarioError {
        nearest: slips.find_map(|slip| nearest(slip, known.iter().copied())),
        ..source.error(path, &sections.join(" and "), &expected)
    }
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

/// Returns the unit of a number from the end of its key.
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

/// Returns whether two words have the same digits: `64QAM` is no misspelling of `16QAM`.
fn same_digits(a: &str, b: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(a) == digits(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Duration;

    fn no_file(_: &str) -> Result<String, String> {
        Err("no such file".to_owned())
    }

    /// The override names no key, so the error must not blame the file.
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

    #[test]
    fn errors_name_line_key_found_and_expected() {
        let cases = [
            (
                GOOD.replace("rlc_rtt", "rlc_rt"),
                "test.toml:4: radio.geran.rlc_rt: found an unknown key; did you mean `rlc_rtt`?",
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
                "test.toml:3: radio: found \"gera\"; did you mean `geran`? (expected one of fixed, geran",
            ),
            (
                GOOD.replace("[radio.geran]\nrlc_rtt = \"50 ms\"", ""),
                "test.toml: radio: no radio section; add one of `[radio.fixed]`, `[radio.geran]`",
            ),
            (
                GOOD.replace("[[link]]", "[radio.lt]\n[[link]]"),
                "test.toml:3: radio: found `[radio.geran]` and `[radio.lt]`; did you mean `lte`? (expected one section of fixed, geran, lte, nr, en_dc)",
            ),
            (
                GOOD.replace("[radio.geran]\nrlc_rtt = \"50 ms\"", "[radio]"),
                "test.toml:3: radio: no radio section; add one of `[radio.fixed]`, `[radio.geran]`",
            ),
            (
                GOOD.replace("delay = \"10 ms\"", "aqm = {}"),
                "test.toml:8: link.0.aqm: required: one of `codel`",
            ),
            (GOOD.replace("name = \"s1\"\n", ""), "test.toml:6: link.0.name: required: a text"),
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
                .starts_with("--set: upload.photo.file: no section [[upload]]; add one")
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

    #[test]
    fn position_beyond_a_list_names_the_positions() {
        let nr = "[radio.nr]\n[[radio.nr.secondary_carrier]]\nbandwidth_mhz = 20\n";
        for (carriers, expected) in [
            (1, "found \"5\", expected position 0, the only one"),
            (2, "found \"5\", expected a position from 0 to 1"),
        ] {
            let text = nr.to_owned() + &nr[nr.find("[[").unwrap()..].repeat(carriers - 1);
            let message = refused(&text, &[("radio.nr.secondary_carrier.5.bandwidth_mhz", "10")]);
            assert!(message.ends_with(expected), "{message}");
        }
        let message = refused("[radio.nr]\nbearer = []\n", &[("radio.nr.bearer.0.name", "a")]);
        assert!(message.ends_with("the list is empty"), "{message}");
    }

    #[test]
    fn missing_key_of_an_overriding_section_names_the_override() {
        let set = [("radio.nr.configured_grant.period", "5")];
        let message = refused("[radio.nr]\n", &set);
        let start = "--set: radio.nr.configured_grant.period: also requires `radio.nr.configured_grant.size`: an amount";
        assert!(message.starts_with(start), "{message}");
        assert!(!message.contains("base"), "{message}");
        let text = "[radio.nr]\n[radio.nr.configured_grant]\nperiod = 5\n";
        let message = refused(text, &[]);
        let place = "test.toml:2: radio.nr.configured_grant.size: required: an amount";
        assert!(message.starts_with(place), "{message}");
    }

    #[test]
    fn number_of_slots_is_computed_from_a_time() {
        for (text, time, expected) in [
            ("[radio.nr]\n", "10 ms", "a number of slots; 10 ms are 20 slots at 30 kHz"),
            (
                "[radio.nr]\nsubcarrier_spacing_khz = 120\n",
                "10 ms",
                "a number of slots; 10 ms are 80 slots at 120 kHz",
            ),
            ("[radio.nr]\n", "0.3 ms", "a number of slots; a slot at 30 kHz takes 500 us"),
            ("[radio.nr]\n", "often", "a number of slots"),
        ] {
            let message = refused(text, &[("radio.nr.sr_period", time)]);
            let whole = format!("--set: radio.nr.sr_period: found \"{time}\", expected {expected}");
            assert_eq!(message, whole);
        }
        let message = refused("[radio.lte]\n", &[("radio.lte.sr_period", "10 ms")]);
        assert!(message.contains("expected a number of TTIs, or \"auto\""), "{message}");
        assert!(message.ends_with("; 10 ms are 10 TTIs of 1 ms"), "{message}");
    }

    #[test]
    fn limit_of_the_model_gets_no_guess() {
        let text = "[radio.nr]\n[[radio.nr.bearer]]\nname = \"a\"\nrlc = \"tm\"\n";
        let message = refused(text, &[]);
        assert!(message.ends_with("; transparent mode of RLC is not modelled"), "{message}");
        assert!(!message.contains("did you mean"), "{message}");
    }

    /// A name that stands where its kind should, with a key of the section or without.
    #[test]
    fn a_name_without_its_kind_leads_to_its_section() {
        let text = format!("{GOOD}[tcp.mine]\nbase = \"rfc\"\n");
        for (path, kind, meant) in [
            ("echo.count", "ping", "ping.echo.count"),
            ("echo.size", "ping", "ping.echo"),
            ("echo", "ping", "ping.echo"),
            ("s1.delay", "link", "link.s1.delay"),
            ("mine.acks.policy", "tcp", "tcp.mine.acks.policy"),
        ] {
            let begins = format!("--set: {path}: found the name of a section of `{kind}`");
            let suggestion = format!("; did you mean `{meant}`?");
            let message = refused(&text, &[(path, "5")]);
            assert!(message.starts_with(&begins) && message.contains(&suggestion), "{message}");
        }
        for path in ["titel", "link", "0.delay"] {
            assert!(!refused(&text, &[(path, "5")]).contains("the name of"), "{path}");
        }
    }
}
