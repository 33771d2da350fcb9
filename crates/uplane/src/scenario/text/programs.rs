//! Congestion controls and applications that are programs beside a scenario.
//!
//! In: the types of a scenario with the names of programs, and a [`Reader`] of files. Out: the same
//! with their texts, so that all that a run depends on is in the scenario, and what makes their
//! objects. Nothing of a program runs here.

use super::super::error::ScenarioError;
use super::super::schema::File;
use super::beside::Reader;
use super::source::Source;
use crate::tcp::Control;
use crate::unit::program::Program;

/// Reads each program, and gets what makes its objects.
pub(super) fn read_all(
    file: &mut File,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    for (name, set) in &mut file.tcp {
        let Control::Own(own) = &mut set.congestion_control else { continue };
        let place = source.error(&format!("tcp.{name}.congestion_control"), "", OF_CONTROL);
        read_one(own, &place, reader)?;
        own.made_by(reader.control(own, place)?);
    }
    for (position, program) in file.program.iter_mut().enumerate() {
        let place = source.error(&format!("program.{position}.file"), "", OF_APPLICATION);
        read_one(&mut program.file, &place, reader)?;
        let maker = reader.application(&program.file, place)?;
        program.file.made_by(maker);
    }
    Ok(())
}

fn read_one<M>(
    own: &mut Program<M>,
    place: &ScenarioError,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    own.text =
        reader.read_program(&own.file).map_err(|found| ScenarioError { found, ..place.clone() })?;
    Ok(())
}

const OF_CONTROL: &str = "a Python file with a class of `uplane.control.CongestionControl`";
const OF_APPLICATION: &str = "a Python file with a class of `uplane.application.Application`";
