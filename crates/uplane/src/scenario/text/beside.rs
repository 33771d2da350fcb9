//! What is beside a scenario: the files that it names, and what runs the programs among them.
//!
//! In: the name of a file. Out: its text; for a program, what makes its objects.

use crate::app::{conversation, program};
use crate::tcp::{Maker, Own};

/// What is beside a scenario. A closure that reads files is one, without programs.
pub trait Beside {
    /// The text of the file of this name; or what was found instead.
    fn read(&self, name: &str) -> Result<String, String>;

    /// What makes the controllers of a program; or what was found in it instead.
    fn control(&self, own: &Own) -> Result<Maker, String> {
        Err(nobody(&own.file))
    }

    /// What makes the conversations of a program; or what was found in it instead.
    fn application(&self, own: &program::Own) -> Result<conversation::Maker, String> {
        Err(nobody(&own.file))
    }
}

/// Access to what is beside a scenario.
pub type Reader<'a> = &'a dyn Beside;

fn nobody(file: &str) -> String {
    format!("\"{file}\", and nobody here who runs it")
}

impl<F: Fn(&str) -> Result<String, String>> Beside for F {
    fn read(&self, name: &str) -> Result<String, String> {
        self(name)
    }
}
