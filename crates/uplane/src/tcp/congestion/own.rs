//! A congestion control that is a program beside the scenario.
//!
//! In: its file and its text, and a [`Maker`] that can run it. Out: a [`Controller`] for each
//! connection.
//!
//! Left out: the language of the program. The core only passes it to the adapter that can run it,
//! and checks that the program does no more than any control may.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::controller::{Controller, Start};

/// Makes the controllers of a program.
pub type Maker = Arc<dyn Fn(&Start) -> Box<dyn Controller> + Send + Sync>;

/// A control as a program.
///
/// In a scenario it is one text: a line `# mine.py` with the name of its file, then the program.
#[derive(Clone)]
pub struct Own {
    /// The name of its file.
    pub file: String,
    /// What the file says.
    pub text: String,
    maker: Option<Maker>,
}

impl Own {
    /// A program as it stands in a scenario, see [`Own::program`].
    pub(super) fn of(program: &str) -> Self {
        let named = program.split_once('\n').and_then(|(first, text)| {
            let file = first.strip_prefix(NAMED)?.trim();
            Some((file.to_owned(), text.to_owned()))
        });
        let (file, text) = named.unwrap_or_else(|| (NAMELESS.to_owned(), program.to_owned()));
        Self { file, text, maker: None }
    }

    /// As it stands in a scenario.
    pub fn program(file: &str, text: &str) -> String {
        format!("{NAMED}{file}\n{text}")
    }

    /// Sets what makes its controllers.
    pub fn made_by(&mut self, maker: Maker) {
        self.maker = Some(maker);
    }

    /// The controller of a connection that is open.
    pub(super) fn start(&self, start: &Start) -> Box<dyn Controller> {
        let maker = self.maker.as_ref();
        maker.expect("a scenario is accepted with all its programs read")(start)
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        (&self.file, &self.text) == (&other.file, &other.text)
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Own").field(&self.file).finish()
    }
}

impl Serialize for Own {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_str(&Self::program(&self.file, &self.text))
    }
}

const NAMED: &str = "# ";
const NAMELESS: &str = "<program>";
