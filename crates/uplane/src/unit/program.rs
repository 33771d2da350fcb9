//! A program beside a scenario, which defines the behaviour of an entity.
//!
//! In: the name and text of its file; then the maker that can run it. Out: the maker, for callers
//! that need an object of the program.
//!
//! Left out: the language of the program. The core only passes it to the adapter that can run it.

use std::fmt;

/// A program, and the maker `M` of its objects.
///
/// In a scenario it is one text: a line `# mine.py` with the name of its file, then the program.
#[derive(Clone)]
pub struct Program<M> {
    /// Name of the program's file.
    pub file: String,
    /// Content of the program's file.
    pub text: String,
    maker: Option<M>,
}

impl<M> Program<M> {
    /// Reads a program from its form in a scenario, see [`Program::written`].
    pub fn of(program: &str) -> Self {
        let named = program.split_once('\n').and_then(|(first, text)| {
            let file = first.strip_prefix(NAMED)?.trim();
            Some((file.to_owned(), text.to_owned()))
        });
        let (file, text) = named.unwrap_or_else(|| (NAMELESS.to_owned(), program.to_owned()));
        Self { file, text, maker: None }
    }

    /// Returns the form in a scenario of a file with this text.
    pub fn written(file: &str, text: &str) -> String {
        format!("{NAMED}{file}\n{text}")
    }

    /// Returns the form in a scenario of this program.
    pub fn to_text(&self) -> String {
        Self::written(&self.file, &self.text)
    }

    /// Sets the maker of the program's objects.
    pub fn made_by(&mut self, maker: M) {
        self.maker = Some(maker);
    }

    /// Returns the maker of the program's objects.
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
