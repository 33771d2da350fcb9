//! What is wrong with a scenario, and what to write instead.
//!
//! In: what a parser or a check found. Out: file, line, key, what was found, what was expected, and
//! the nearest valid word.

use std::fmt;

use super::synonyms;

/// A scenario that cannot be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioError {
    /// The file, or whatever the text came from.
    pub file: String,
    /// The line of the key, counted from 1; `None` for a key that is missing or came from
    /// elsewhere.
    pub line: Option<usize>,
    /// The key, from the top: `link.s1.rate`. Empty when the text as a whole is wrong.
    pub key: String,
    /// What was found there.
    pub found: String,
    /// What would be right.
    pub expected: String,
    /// The valid word nearest to what was found.
    pub nearest: Option<String>,
    /// Why it matters, where that is not plain; may be empty.
    pub reason: String,
}

/// What a check gives, or the first error.
pub(super) type Checked<T> = Result<T, ScenarioError>;

impl std::error::Error for ScenarioError {}

/// One paragraph: `file:line: key: found …, expected … (did you mean …?)`.
impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        write!(f, ": found {}, expected {}", self.found, self.expected)?;
        if let Some(nearest) = &self.nearest {
            write!(f, " (did you mean `{nearest}`?)")?;
        }
        if !self.reason.is_empty() {
            write!(f, "; {}", self.reason)?;
        }
        Ok(())
    }
}

/// A text of a file in quotation marks: its first characters, and nothing that a terminal would
/// obey.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text, LONGEST_ECHO))
}

/// At most so many characters of a text, with `…` for the rest and escapes for unprintable
/// characters.
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

/// False for control characters, those that change the direction of writing (UAX #9), and invisible
/// ones that join.
fn is_printed(character: char) -> bool {
    let hidden = matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    !character.is_control() && !hidden
}

/// The names that could have been meant: all, or if they are many, those nearest to `word` and how
/// many more there are.
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

/// The candidate that `word` stands for, or the nearest one if it is near enough to be a typing
/// error.
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

/// Levenshtein's edit distance: insertions, deletions and replacements.
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

/// Characters of what was found that a message repeats.
const LONGEST_ECHO: usize = 60;
/// Names that a message lists, two of them for saying that there are more.
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
            nearest: Some("Mbit/s".into()),
            reason: String::new(),
        };
        assert_eq!(
            error.to_string(),
            "a.toml:3: link.s1.rate: found \"5 Mbps\", expected a rate such as \"5 Mbit/s\" (did you mean `Mbit/s`?)"
        );
    }
}
