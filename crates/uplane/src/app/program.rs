//! An application defined by a program beside the scenario.
//!
//! In: a [`Program`], and a [`Maker`] that can run it. Out: the behaviour of a conversation.
//!
//! Left out: a program with several connections, and one without a connection and without
//! datagrams.

use schemars::{Schema, json_schema};
use serde_json::Value;

use super::conversation::Maker;
use crate::unit::program::Program;
use crate::unit::text::{Written, written};

/// A program that defines an application.
pub type Own = Program<Maker>;

/// Reads the name of a file, or the program itself.
impl Written for Own {
    const NAME: &'static str = "OwnApplication";
    const EXPECTED: &'static str = "the name of a Python file beside the scenario with a class of `uplane.application.Application`, \
         \"mine.py\"; or such a program";
    const PATTERN: &'static str = r"^# (.|\n)*\bApplication\b";

    fn other_schema() -> Option<Schema> {
        let description = "A Python file beside the scenario.";
        Some(json_schema!({
            "type": "string", "format": "path", "pattern": r"\.py$", "description": description,
        }))
    }

    fn read(text: &str) -> Option<Self> {
        text.contains('\n').then(|| Self::of(text))
    }

    fn write(&self) -> Value {
        self.to_text().into()
    }
}

written!(Own);

#[cfg(test)]
mod tests {
    use super::*;

    /// A written program is read as the same program, as in a scenario that is written to a file.
    #[test]
    fn what_is_written_is_read_again() {
        let text = "# mine.py\nclass Mine(Application):\n    pass\n";
        let own = Own::read(text).expect("a program");
        let written = own.write();
        let again = Own::read(written.as_str().expect("a text")).expect("a program");
        assert_eq!(again.to_text(), own.to_text());
        assert!(Own::read("mine.py").is_none(), "a name alone is no program");
    }
}
