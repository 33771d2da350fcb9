//! Trace files, which links name.
//!
//! In: the tree of a scenario, and a [`Reader`] of files. Out: the same tree with the numbers of
//! the files, each in one line. So all that a run depends on is in the scenario, even if the file
//! changes.

use toml::{Table, Value};

use super::super::error::{ScenarioError, quoted};
use super::beside::Reader;
use super::source::Source;
use crate::net::link::Trace;
use crate::unit::text::Written as _;

/// Puts the numbers of each trace in the place of the name of its file.
pub(super) fn read_all(
    scenario: &mut Table,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    let links = scenario.get_mut("link").and_then(Value::as_array_mut);
    for (position, link) in links.into_iter().flatten().enumerate() {
        let Value::Table(link) = link else { continue };
        let key = |way: &str| format!("link.{position}.{way}trace");
        read_one(link, &key(""), source, reader)?;
        for way in ["down", "up"] {
            if let Some(Value::Table(own)) = link.get_mut(way) {
                read_one(own, &key(&format!("{way}.")), source, reader)?;
            }
        }
    }
    Ok(())
}

fn read_one(
    section: &mut Table,
    key: &str,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    let Some(Value::String(trace)) = section.get_mut("trace") else { return Ok(()) };
    let is_name = trace.contains(|letter: char| !letter.is_ascii_digit() && letter != ' ');
    if !is_name {
        return Ok(());
    }
    let text = reader.read(trace).map_err(|found| source.error(key, &found, Trace::EXPECTED))?;
    let Some(read) = Trace::read(&text) else {
        let found = format!("{}, whose lines are no such numbers", quoted(trace));
        return Err(source.error(key, &found, Trace::EXPECTED));
    };
    section.insert("trace".to_owned(), Value::String(read.to_text()));
    Ok(())
}
