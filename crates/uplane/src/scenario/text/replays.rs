//! Files of messages, which replays name.
//!
//! In: the tree of a scenario, and a [`Reader`] of files. Out: the same tree with what the files
//! say. So all that a run depends on is in the scenario, even if a file changes.

use toml::{Table, Value};

use super::super::error::{ScenarioError, printable};
use super::beside::Reader;
use super::source::{Source, error_in_line};
use crate::app::replay::{Misfit, Writes};
use crate::unit::text::Written as _;

/// Puts the messages of each replay in the place of the name of its file.
pub(super) fn read_all(
    scenario: &mut Table,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    let replays = scenario.get_mut("replay").and_then(Value::as_array_mut);
    for (position, replay) in replays.into_iter().flatten().enumerate() {
        let key = format!("replay.{position}.file");
        let Some(Value::String(file)) = replay.get_mut("file") else { continue };
        *file = read_one(file, &key, source, reader)?.to_text();
    }
    Ok(())
}

/// Reads a replay. A text of several lines is the content of a file, any other text its name.
fn read_one(
    file: &str,
    key: &str,
    source: &Source,
    reader: Reader<'_>,
) -> Result<Writes, ScenarioError> {
    if file.contains('\n') {
        return Writes::parse(file).map_err(|Misfit { line, found, expected }| {
            source.error(key, &format!("in line {line} of the text {found}"), &expected)
        });
    }
    let text = reader.read(file).map_err(|found| source.error(key, &found, Writes::EXPECTED))?;
    Writes::parse(&text).map_err(|Misfit { line, found, expected }| {
        error_in_line(file, line, key, &printable(&found, LONGEST), &expected)
    })
}

/// Characters of a row that a message repeats.
const LONGEST: usize = 80;
