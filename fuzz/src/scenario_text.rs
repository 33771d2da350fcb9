//! Any text as a scenario.
//!
//! In: a file; behind a zero byte overrides, as keys and values that a zero byte separates. Out:
//! nothing. What is accepted has values for all keys, and with these as a file it is the same
//! scenario; what is refused says where, and not at length.

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

/// The values with all defaults filled in are a scenario, and the same one.
fn check_values(scenario: &Scenario) {
    let values = scenario.effective();
    let file = toml::to_string(&without_nulls(values.clone())).expect("values that TOML can hold");
    let again = Scenario::from_toml(&file, "again.toml", &[]).unwrap_or_else(|error| {
        panic!("the values of an accepted scenario are refused: {error}\n{file}")
    });
    assert_eq!(again.effective(), values, "the values of a scenario give another one");
}

/// It says where, what was found and what was expected, in a text not much longer than the input.
fn check_error(error: &ScenarioError, given: usize) {
    // TOML has the empty key as well.
    let is_at_a_key = !error.key.is_empty() || error.line.is_some() || error.file == "--set";
    let has_place = is_at_a_key || error.expected == "TOML" || error.found == NO_APPLICATION;
    assert!(has_place, "no key: {error}");
    assert!(!error.found.is_empty() && !error.expected.is_empty(), "{error:?}");
    let length = error.to_string().len();
    assert!(length <= LONGEST + 2 * given, "{length} bytes: {error}");
}

/// What TOML has no word for is what lacks.
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
