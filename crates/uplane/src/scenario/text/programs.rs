//! Congestion controls and applications that are programs beside a scenario.
//!
//! In: the tree of a scenario, and a [`Reader`] of files. Out: the same tree with the text of the
//! programs, so that all that a run depends on is in the scenario; and in its types, what makes
//! their objects.

use toml::{Table, Value};

use super::super::error::ScenarioError;
use super::super::schema::File;
use super::beside::Reader;
use super::source::Source;
use crate::tcp::{Control, Own};

/// Puts each program in the place of the name of its file.
pub(super) fn read_all(
    scenario: &mut Table,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    if let Some(Value::Table(sets)) = scenario.get_mut("tcp") {
        for (name, set) in sets {
            let Some(Value::String(file)) = set.get_mut(CONTROL) else { continue };
            if file.rsplit_once('.').is_some_and(|(_, ending)| ending == "py") {
                let key = format!("tcp.{name}.{CONTROL}");
                read_one(file, (&key, OF_CONTROL), source, reader)?;
            }
        }
    }
    let programs = scenario.get_mut("program").and_then(Value::as_array_mut);
    for (position, program) in programs.into_iter().flatten().enumerate() {
        let Some(Value::String(file)) = program.get_mut("file") else { continue };
        if !file.contains('\n') {
            let key = format!("program.{position}.file");
            read_one(file, (&key, OF_APPLICATION), source, reader)?;
        }
    }
    Ok(())
}

fn read_one(
    file: &mut String,
    (key, expected): (&str, &str),
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    let text = reader.read(file).map_err(|found| source.error(key, &found, expected))?;
    *file = Own::written(file, &text);
    Ok(())
}

/// Gets what makes the objects of each program.
pub(super) fn prepare(
    file: &mut File,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    for (name, set) in &mut file.tcp {
        let Control::Own(own) = &mut set.congestion_control else { continue };
        let key = format!("tcp.{name}.{CONTROL}");
        let maker = reader.control(own).map_err(|found| source.error(&key, &found, OF_CONTROL))?;
        own.made_by(maker);
    }
    for (position, program) in file.program.iter_mut().enumerate() {
        let key = format!("program.{position}.file");
        let maker = reader.application(&program.file);
        let maker = maker.map_err(|found| source.error(&key, &found, OF_APPLICATION))?;
        program.file.made_by(maker);
    }
    Ok(())
}

const CONTROL: &str = "congestion_control";
const OF_CONTROL: &str = "a Python file with a class of `uplane.control.CongestionControl`";
const OF_APPLICATION: &str = "a Python file with a class of `uplane.application.Application`";
