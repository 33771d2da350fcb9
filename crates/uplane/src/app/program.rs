//! An application that is a program beside the scenario.
//!
//! In: a [`Program`], and a [`Maker`] that can run it. Out: the behaviour of a conversation.
//!
//! Left out: a program without a connection or datagrams of its own, and one with several.

use serde_json::Value;

use super::conversation::Maker;
use crate::unit::program::{PATTERN, Program};
use crate::unit::text::{Written, written};

/// An application as a program.
pub type Own = Program<Maker>;

/// The name of a file; a scenario in effect shows the program too.
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
