//! The error of a scenario that cannot be run: its place, the value found, and the remedy.
//!
//! In: findings of parsers and checks. Out: file, line, key, found, expected, nearest valid word.

use std::fmt;

use super::synonyms;

/// A scenario that cannot be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioError {
    /// Name of the file, or of another source of the text.
    pub file: String,
    /// Line of the key, counted from 1. `None` for a key that is missing or not in the file.
    pub line: Option<usize>,
    /// Path of the key: `link.s1.rate`. Empty if the text as a whole is wrong.
    pub key: String,
    /// The value found. Empty if `expected` is a rule about the key.
    pub found: String,
    /// The valid values, or a rule about the key: "requires …".
    pub expected: String,
    /// The valid word nearest to the value found.
    pub nearest: Option<String>,
    /// Reason of the rule. Empty if the rule needs none.
    pub reason: String,
}

/// The result of a check, or the first error.
pub(super) type Checked<T> = Result<T, ScenarioError>;

impl std::error::Error for ScenarioError {}

/// One paragraph in one of three forms:
///
/// - `file:line: key: found …, expected …`
/// - `file:line: key: found …; did you mean …? (expected …)`, without a long list of words
/// - `file:line: key: rule`
impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        match &self.nearest {
            _ if self.found.is_empty() => write!(f, ": {}", self.expected)?,
            None => write!(f, ": found {}, expected {}", self.found, self.expected)?,
            Some(nearest) => {
                write!(f, ": found {}; did you mean `{nearest}`?", self.found)?;
                if self.expected.chars().count() <= SHORT_LIST {
                    write!(f, " (expected {})", self.expected)?;
                }
            }
        }
        if !self.reason.is_empty() {
            write!(f, "; {}", self.reason)?;
        }
        Ok(())
    }
}

/// Quotes the first characters of a text, without control characters for a terminal.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text, LONGEST_ECHO))
}

/// Returns the first `most` characters of a text, with `…` for the rest and escapes for
/// unprintable characters.
pub(super) fn printable(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for (position, character) in text.chars().enumerate() {
        if position == most {
            shown.push('…');
            break;
        }
        if is_printed(character) {
            shown.push(character);
        } else {
            shown.extend(character.escape_default());
        }
    }
    shown
}

/// Returns `false` for control characters, characters that change the direction of writing (UAX
/// #9), and invisible joiners.
fn is_printed(character: char) -> bool {
    let hidden = matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    !character.is_control() && !hidden
}

/// Lists `names`: all, or of many those nearest to `word` and the number of the others.
pub(super) fn listed(word: &str, names: &[&str]) -> String {
    if names.len() <= MOST_NAMES {
        return names.join(", ");
    }
    let mut nearest_first = names.to_vec();
    // Nothing is near to a word longer than any name.
    if word.len() <= LONGEST_WORD {
        nearest_first.sort_by_cached_key(|name| distance(word, name));
    }
    nearest_first.truncate(MOST_NAMES - 2);
    let more = names.len() - nearest_first.len();
    format!("{} and {more} more", nearest_first.join(", "))
}

/// Returns the candidate that `word` is a synonym of, or the nearest one if `word` may be a typing
/// error of it.
pub(super) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(meant) = synonyms::meant(word, &candidates) {
        return Some(meant.to_owned());
    }
    let limit = 1 + word.chars().count() / 3;
    (candidates.into_iter())
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|&(far, candidate)| far <= limit || (word.len() > 2 && candidate.starts_with(word)))
        .min_by_key(|&(far, _)| far)
        .map(|(_, candidate)| candidate.to_owned())
}

/// Computes Levenshtein's edit distance: insertions, deletions and replacements.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

/// Maximum number of characters of a value that a message repeats.
const LONGEST_ECHO: usize = 60;
/// Maximum number of characters of valid words that follow a suggestion.
const SHORT_LIST: usize = 60;
/// Maximum number of names that are listed in full. Of more names, a message lists two fewer than
/// this, and states the number of the others.
const MOST_NAMES: usize = 12;
/// Bytes of a word that may be a typing error: a name has 64 characters at most.
const LONGEST_WORD: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_bounded_and_harmless() {
        assert_eq!(printable("abc", 3), "abc");
        assert_eq!(printable("abcd", 3), "abc…");
        assert_eq!(printable("\u{1b}[2J\u{202e}é\n", 60), "\\u{1b}[2J\\u{202e}é\\n");
    }

    #[test]
    fn the_nearest_word_is_a_slip_of_the_pen_away() {
        let keys = ["rate", "delay", "queue"];
        assert_eq!(nearest("delai", keys).as_deref(), Some("delay"));
        assert_eq!(nearest("Rate", keys).as_deref(), Some("rate"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("bandwidth", keys).as_deref(), Some("rate"));
    }

    #[test]
    fn the_message_names_file_line_key_found_and_expected() {
        let error = ScenarioError {
            file: "a.toml".into(),
            line: Some(3),
            key: "link.s1.rate".into(),
            found: "\"5 Mbps\"".into(),
            expected: "a rate such as \"5 Mbit/s\"".into(),
            nearest: None,
            reason: String::new(),
        };
        assert_eq!(
            error.to_string(),
            "a.toml:3: link.s1.rate: found \"5 Mbps\", expected a rate such as \"5 Mbit/s\""
        );
    }

    fn suggestion(expected: &str) -> String {
        let error = ScenarioError {
            file: "a.toml".into(),
            found: "\"gera\"".into(),
            expected: expected.into(),
            nearest: Some("geran".into()),
            ..ScenarioError::default()
        };
        error.to_string()
    }

    #[test]
    fn suggestion_precedes_a_short_list() {
        let short = "a.toml: found \"gera\"; did you mean `geran`? (expected one of fixed, geran)";
        assert_eq!(suggestion("one of fixed, geran"), short);
    }

    #[test]
    fn suggestion_replaces_a_long_list() {
        let long = format!("one of {}", ["word"; 20].join(", "));
        assert_eq!(suggestion(&long), "a.toml: found \"gera\"; did you mean `geran`?");
    }

    #[test]
    fn rule_stands_alone() {
        let error = ScenarioError {
            file: "a.toml".into(),
            key: "radio.lte.sps".into(),
            expected: "requires `sr_rule = \"standard\"`".into(),
            ..ScenarioError::default()
        };
        assert_eq!(error.to_string(), "a.toml: radio.lte.sps: requires `sr_rule = \"standard\"`");
    }
}
