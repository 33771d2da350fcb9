//! A run of a scenario's text, and what its tables say.

#![allow(dead_code, reason = "not every test asks for all of it")]

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

/// A run of a scenario that has to be accepted.
pub(crate) fn run(text: &str, seed: u64) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, seed)
}

/// One of its tables.
pub(crate) fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

/// The values of a column, with the missing ones.
pub(crate) fn values(outcome: &Outcome, name: &str, column: &str) -> Vec<Option<f64>> {
    match table(outcome, name).column(column).expect("a column") {
        Data::F64(values) => values.clone(),
        Data::U64(values) => values.iter().map(|&value| Some(value as f64)).collect(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

/// The values of a column, without the missing ones.
pub(crate) fn numbers(outcome: &Outcome, name: &str, column: &str) -> Vec<f64> {
    values(outcome, name, column).into_iter().flatten().collect()
}

/// The values of a column of text.
pub(crate) fn texts(outcome: &Outcome, name: &str, column: &str) -> Vec<String> {
    match table(outcome, name).column(column).expect("a column") {
        Data::Text(values) => values.iter().map(str::to_owned).collect(),
        Data::F64(_) | Data::U64(_) => panic!("{column} is a number"),
    }
}
