//! A program beside a scenario, which says what an entity does.
//!
//! In: the name of its file; then its text, and what can run it. Out: the same, for who needs an
//! object of it.
//!
//! A scenario names the file and never contains the program: text that somebody sends as a value
//! is no code. A scenario that was read writes the name and the text, for manifests and digests.
//!
//! Left out: the language of the program. The core only passes it to the adapter that can run it.

use std::fmt;

/// A program, and what makes its objects, an `M`.
#[derive(Clone)]
pub struct Program<M> {
    /// The name of its file.
    pub file: String,
    /// What the file says.
    pub text: String,
    maker: Option<M>,
}

impl<M> Program<M> {
    /// Names the file of a program that is not read yet; `None` if this is no name of one.
    pub fn named(file: &str) -> Option<Self> {
        let is_name = file.ends_with(ENDING) && !file.contains(char::is_control);
        is_name.then(|| Self { file: file.to_owned(), text: String::new(), maker: None })
    }

    /// The program as a scenario in effect shows it: a line with the name of its file, then its
    /// text.
    pub fn to_text(&self) -> String {
        format!("# {}\n{}", self.file, self.text)
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

const ENDING: &str = ".py";
/// The pattern of the name of a file, for the schema.
pub const PATTERN: &str = r"^[^\x00-\x1f]*\.py$";
