//! Any text as a scenario.
//!
//! In: a file; after a zero byte, overrides as keys and values separated by zero bytes. Out:
//! nothing. An accepted scenario has values for all keys, and a file of these values is the same
//! scenario. An error has a place and a text of bounded length.

use serde_json::Value;
use uplane::scenario::{Scenario, ScenarioError};

/// Reads the input as a file with overrides.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut parts = text.split('\0');
    let file = parts.next().unwrap_or_default();
    let mut set = Vec::new();
    while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
        set.push((key.to_owned(), value.to_owned()));
    }
    match Scenario::from_toml(file, "fuzz.toml", &set) {
        Ok(scenario) => check_values(&scenario),
        Err(error) => check_error(&error, text.len()),
    }
}

/// Checks that the values with all defaults are a scenario, and an equal one.
fn check_values(scenario: &Scenario) {
    let values = scenario.effective();
    let file = toml::to_string(&without_nulls(values.clone())).expect("values that TOML can hold");
    let again = Scenario::from_toml(&file, "again.toml", &[]).unwrap_or_else(|error| {
        panic!("the values of an accepted scenario are refused: {error}\n{file}")
    });
    assert_eq!(again.effective(), values, "the values of a scenario give another one");
}

/// Checks that an error has a place, and a text of bounded length.
fn check_error(error: &ScenarioError, given: usize) {
    // TOML has the empty key as well.
    let is_at_a_key = !error.key.is_empty() || error.line.is_some() || error.file == "--set";
    let has_place = is_at_a_key || error.expected == "TOML" || error.found == NO_APPLICATION;
    assert!(has_place, "no key: {error}");
    assert!(!error.expected.is_empty(), "{error:?}");
    let length = error.to_string().len();
    assert!(length <= LONGEST + 2 * given, "{length} bytes: {error}");
}

/// Removes nulls: TOML has none, and a missing key means the same.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let present = keys.into_iter().filter(|(_, value)| !value.is_null());
            present.map(|(key, value)| (key, without_nulls(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// The only fault that has no place in the file.
const NO_APPLICATION: &str = "no application";
/// The longest list of valid keys is that of `radio.lte`; it takes less than half of this.
const LONGEST: usize = 3000;
