//! Runs of a scenario's text, and access to their tables.

#![allow(dead_code, reason = "not every test asks for all of it")]

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

/// Runs a scenario that has to be accepted.
pub(crate) fn run(text: &str, seed: u64) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, seed)
}

/// Returns the table of this name.
pub(crate) fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

/// Returns the values of a column, including missing ones.
pub(crate) fn values(outcome: &Outcome, name: &str, column: &str) -> Vec<Option<f64>> {
    match table(outcome, name).column(column).expect("a column") {
        Data::F64(values) => values.clone(),
        Data::U64(values) => values.iter().map(|&value| Some(value as f64)).collect(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

/// Returns the values of a column, without missing ones.
pub(crate) fn numbers(outcome: &Outcome, name: &str, column: &str) -> Vec<f64> {
    values(outcome, name, column).into_iter().flatten().collect()
}

/// Returns the values of a text column.
pub(crate) fn texts(outcome: &Outcome, name: &str, column: &str) -> Vec<String> {
    match table(outcome, name).column(column).expect("a column") {
        Data::Text(values) => values.iter().map(str::to_owned).collect(),
        Data::F64(_) | Data::U64(_) => panic!("{column} is a number"),
    }
}
