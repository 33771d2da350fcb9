//! Access to the files that a scenario names, and to the runtime of the programs among them.
//!
//! In: the name of a file. Out: its text; for a program, the maker of its objects.

use super::super::error::ScenarioError;
use crate::app::{conversation, program};
use crate::tcp::{Maker, Own};

/// Files and programs next to a scenario. A closure that reads files implements it, without
/// programs.
pub trait Beside {
    /// Returns the text of a file.
    ///
    /// # Errors
    /// A description of the file that was found instead, such as `no file a.toml`.
    fn read(&self, name: &str) -> Result<String, String>;

    /// Returns the text of a program, which may be in another place than data.
    ///
    /// # Errors
    /// A description of the file that was found instead.
    fn read_program(&self, name: &str) -> Result<String, String> {
        self.read(name)
    }

    /// Returns the maker of a program's controllers. The program does not run before the run
    /// starts.
    ///
    /// # Errors
    /// `place` with `found`, for a program that cannot be used.
    fn control(&self, own: &Own, place: ScenarioError) -> Result<Maker, ScenarioError> {
        Err(nobody(&own.file, place))
    }

    /// Returns the maker of a program's conversations. The program does not run before the run
    /// starts.
    ///
    /// # Errors
    /// `place` with `found`, for a program that cannot be used.
    fn application(
        &self,
        own: &program::Own,
        place: ScenarioError,
    ) -> Result<conversation::Maker, ScenarioError> {
        Err(nobody(&own.file, place))
    }
}

/// Access to the files and programs next to a scenario.
pub type Reader<'a> = &'a dyn Beside;

fn nobody(file: &str, place: ScenarioError) -> ScenarioError {
    ScenarioError { found: format!("\"{file}\", and nobody here who runs it"), ..place }
}

impl<F: Fn(&str) -> Result<String, String>> Beside for F {
    fn read(&self, name: &str) -> Result<String, String> {
        self(name)
    }
}
