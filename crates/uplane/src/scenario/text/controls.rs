//! Congestion controls that are programs beside a scenario.
//!
//! In: the tree of a scenario, and a [`Reader`] of files. Out: the same tree with the text of the
//! programs, so that all that a run depends on is in the scenario; and in its types, what makes
//! their controllers.

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
    let Some(Value::Table(sets)) = scenario.get_mut("tcp") else { return Ok(()) };
    for (name, set) in sets {
        let Some(Value::String(file)) = set.get(KEY) else { continue };
        if file.rsplit_once('.').is_none_or(|(_, ending)| ending != "py") {
            continue;
        }
        let key = format!("tcp.{name}.{KEY}");
        let text = reader.read(file).map_err(|found| source.error(&key, &found, PROGRAM))?;
        set[KEY] = Value::String(Own::program(file, &text));
    }
    Ok(())
}

/// Gets what makes the controllers of each program.
pub(super) fn prepare(
    file: &mut File,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    for (name, set) in &mut file.tcp {
        let Control::Own(own) = &mut set.congestion_control else { continue };
        let key = format!("tcp.{name}.{KEY}");
        let maker = reader.control(own).map_err(|found| source.error(&key, &found, PROGRAM))?;
        own.made_by(maker);
    }
    Ok(())
}

const KEY: &str = "congestion_control";
const PROGRAM: &str = "a Python file with a class of `uplane.control.CongestionControl`";
