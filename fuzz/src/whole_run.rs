//! Whole scenarios, drawn over all keys of the schema.
//!
//! In: decisions. Out: nothing. An accepted scenario runs without a bug, and twice with equal
//! tables. All numbers are finite, shares are between 0 and 1, and at each hop the packets received
//! are those forwarded, dropped and held.

use std::sync::LazyLock;

use serde_json::Value;
use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

use crate::Input;
use crate::draw::Draw;

/// Draws a scenario and plays it twice.
pub fn run(data: &[u8]) {
    let text = scenario(data);
    let Ok(scenario) = Scenario::from_toml(&text, "drawn.toml", &[]) else { return };
    let outcome = simulate(&scenario, scenario.seed());
    check(&outcome);
    let again = simulate(&scenario, scenario.seed());
    assert_eq!(outcome.events, again.events, "a second run takes other events");
    for (one, other) in outcome.tables.iter().zip(&again.tables) {
        assert!(one == other, "the table {} differs in a second run", one.name);
    }
}

/// Returns the scenario file of an input.
pub fn scenario(data: &[u8]) -> String {
    let file = Draw { schema: &SCHEMA, input: &mut Input::new(data) }.file();
    toml::to_string(&file).expect("values that TOML can hold")
}

fn check(outcome: &Outcome) {
    assert!(outcome.events < MOST_EVENTS, "{} events", outcome.events);
    for table in &outcome.tables {
        check_numbers(table);
        if table.name == "hops" {
            check_places(table);
        }
        if table.name == "connections" {
            let ends = ["limited_cwnd", "limited_rwnd", "limited_app", "limited_sndbuf"];
            let others = ["limited_recovery", "limited_pacing", "idle"];
            check_sums(table, &[&ends[..], &others].concat());
        }
    }
}

fn check_numbers(table: &Table) {
    for column in &table.columns {
        if let Data::F64(values) = &column.data {
            let is_whole = values.iter().flatten().all(|value| value.is_finite());
            assert!(is_whole, "{}.{}: {values:?}", table.name, column.name);
        }
    }
}

/// Checks packets and bytes of each hop: in = out + dropped + held.
fn check_places(table: &Table) {
    for row in 0..table.rows() {
        let count = |name: &str| whole(table, name, row);
        for of in ["packets", "bytes"] {
            let parts = ["out", "dropped", "held"].map(|part| count(&format!("{of}_{part}")));
            let entered = count(&format!("{of}_in"));
            assert_eq!(entered, parts.iter().sum::<u64>(), "conservation of {of} at place {row}");
        }
    }
}

/// Shares are all zero or sum to one.
fn check_sums(table: &Table, shares: &[&str]) {
    for row in 0..table.rows() {
        let sum: f64 = shares.iter().map(|name| number(table, name, row)).sum();
        assert!(sum.abs() < 1e-9 || (sum - 1.0).abs() < 1e-9, "shares of row {row}: {sum}");
    }
}

fn whole(table: &Table, name: &str, row: usize) -> u64 {
    match table.column(name) {
        Some(Data::U64(values)) => values[row],
        other => panic!("{}.{name} is {other:?}", table.name),
    }
}

fn number(table: &Table, name: &str, row: usize) -> f64 {
    match table.column(name) {
        Some(Data::F64(values)) => values[row].expect("a share"),
        other => panic!("{}.{name} is {other:?}", table.name),
    }
}

static SCHEMA: LazyLock<Value> = LazyLock::new(Scenario::json_schema);
/// No run of ten seconds at these rates needs more.
const MOST_EVENTS: u64 = 20_000_000;
