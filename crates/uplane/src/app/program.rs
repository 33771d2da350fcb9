//! An application defined by a program beside the scenario.
//!
//! In: a [`Program`], and a [`Maker`] that can run it. Out: the behaviour of a conversation.
//!
//! Left out: a program with several connections, and one without a connection and without
//! datagrams.

use serde_json::Value;

use super::conversation::Maker;
use crate::unit::program::{PATTERN, Program};
use crate::unit::text::{Written, written};

/// A program that defines an application.
pub type Own = Program<Maker>;

/// Reads the name of a file. Writes the program too, as a scenario in effect shows it.
impl Written for Own {
    const NAME: &'static str = "OwnApplication";
    const EXPECTED: &'static str = "the name of a Python file beside the scenario with a class of \
        `uplane.application.Application`, \"mine.py\"";
    const PATTERN: &'static str = PATTERN;

    fn read(text: &str) -> Option<Self> {
        Self::named(text)
    }

    fn write(&self) -> Value {
        self.to_text().into()
    }
}

written!(Own);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_name_is_a_program() {
        assert!(Own::read("mine.py").is_some());
        for code in ["# mine.py\nclass Mine(Application):\n    pass\n", "mine.py\n", "a\nb.py"] {
            assert!(Own::read(code).is_none(), "{code:?}");
        }
    }
}
