//! A program beside a scenario, which defines the behaviour of an entity.
//!
//! In: the name of its file; then its text, and the maker that can run it. Out: the maker, for
//! callers that need an object of the program.
//!
//! A scenario names the file and never contains the program: a text that somebody sends as a value
//! is not code. After a scenario is read, it writes the name and the text, for manifests and
//! digests.
//!
//! Left out: the language of the program. The core only passes it to the adapter that can run it.

use std::fmt;

/// A program, and the maker `M` of its objects.
#[derive(Clone)]
pub struct Program<M> {
    /// Name of the program's file.
    pub file: String,
    /// Content of the program's file.
    pub text: String,
    maker: Option<M>,
}

impl<M> Program<M> {
    /// Creates a program from the name of its file, which is not read yet. Returns `None` if this
    /// is not the name of a program file.
    pub fn named(file: &str) -> Option<Self> {
        let is_name = file.ends_with(ENDING) && !file.contains(char::is_control);
        is_name.then(|| Self { file: file.to_owned(), text: String::new(), maker: None })
    }

    /// Returns the program as a scenario in effect shows it: a line with the name of its file, then
    /// its text.
    pub fn to_text(&self) -> String {
        format!("# {}\n{}", self.file, self.text)
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

const ENDING: &str = ".py";
/// The pattern of the name of a file, for the schema.
pub const PATTERN: &str = r"^[^\x00-\x1f]*\.py$";
