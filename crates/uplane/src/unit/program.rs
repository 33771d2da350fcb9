//! A program beside a scenario, which says what an entity does.
//!
//! In: its file and its text; then what can run it. Out: the same, for who needs an object of it.
//!
//! Left out: the language of the program. The core only passes it to the adapter that can run it.

use std::fmt;

/// A program, and what makes its objects, an `M`.
///
/// In a scenario it is one text: a line `# mine.py` with the name of its file, then the program.
#[derive(Clone)]
pub struct Program<M> {
    /// The name of its file.
    pub file: String,
    /// What the file says.
    pub text: String,
    maker: Option<M>,
}

impl<M> Program<M> {
    /// A program as it stands in a scenario, see [`Program::written`].
    pub fn of(program: &str) -> Self {
        let named = program.split_once('\n').and_then(|(first, text)| {
            let file = first.strip_prefix(NAMED)?.trim();
            Some((file.to_owned(), text.to_owned()))
        });
        let (file, text) = named.unwrap_or_else(|| (NAMELESS.to_owned(), program.to_owned()));
        Self { file, text, maker: None }
    }

    /// The text of a file as it stands in a scenario.
    pub fn written(file: &str, text: &str) -> String {
        format!("{NAMED}{file}\n{text}")
    }

    /// The same of this program.
    pub fn to_text(&self) -> String {
        Self::written(&self.file, &self.text)
    }

    /// Sets what makes its objects.
    pub fn made_by(&mut self, maker: M) {
        self.maker = Some(maker);
    }

    /// What makes its objects.
    pub fn maker(&self) -> &M {
        self.maker.as_ref().expect("a scenario is accepted with all its programs read")
    }
}

impl<M> PartialEq for Program<M> {
    fn eq(&self, other: &Self) -> bool {
        (&self.file, &self.text) == (&other.file, &other.text)
    }
}

impl<M> fmt::Debug for Program<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Program").field(&self.file).finish()
    }
}

const NAMED: &str = "# ";
const NAMELESS: &str = "<program>";
