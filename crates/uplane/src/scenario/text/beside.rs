//! What is beside a scenario: the files that it names, and what runs the programs among them.
//!
//! In: the name of a file. Out: its text; for a program, what makes its objects.

use super::super::error::ScenarioError;
use crate::app::{conversation, program};
use crate::tcp::{Maker, Own};

/// What is beside a scenario. A closure that reads files is one, without programs.
pub trait Beside {
    /// The text of the file of this name; or what was found instead.
    fn read(&self, name: &str) -> Result<String, String>;

    /// The text of the program of this name, which may have to lie elsewhere than data; or what was
    /// found instead.
    fn read_program(&self, name: &str) -> Result<String, String> {
        self.read(name)
    }

    /// What makes the controllers of a program. Nothing of it runs before a run begins: what is
    /// wrong with it then is an error at `place`, which says all but what was found.
    fn control(&self, own: &Own, place: ScenarioError) -> Result<Maker, ScenarioError> {
        Err(nobody(&own.file, place))
    }

    /// What makes the conversations of a program; as for a control.
    fn application(
        &self,
        own: &program::Own,
        place: ScenarioError,
    ) -> Result<conversation::Maker, ScenarioError> {
        Err(nobody(&own.file, place))
    }
}

/// Access to what is beside a scenario.
pub type Reader<'a> = &'a dyn Beside;

fn nobody(file: &str, place: ScenarioError) -> ScenarioError {
    ScenarioError { found: format!("\"{file}\", and nobody here who runs it"), ..place }
}

impl<F: Fn(&str) -> Result<String, String>> Beside for F {
    fn read(&self, name: &str) -> Result<String, String> {
        self(name)
    }
}
