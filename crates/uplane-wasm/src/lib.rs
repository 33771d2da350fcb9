//! uplane for pages that run it themselves, as WebAssembly.
//!
//! In: a question in JSON: a scenario, overrides, seeds, names of tables. Out: an answer in JSON:
//! these tables of each run, or the error of the scenario.
//!
//! The host calls `room` to get memory for its question, writes the question there, and calls
//! `answer`, which returns the length of the answer. `place` returns its address.
//!
//! Left out: QUIC, whose library requires a clock, and base files beside a scenario, since a page
//! has no files. Both are refused with an error of the scenario.

#![cfg_attr(target_family = "wasm", allow(unsafe_code, reason = "an exported name is one"))]

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uplane::record::{Data, Table};
use uplane::scenario::{Scenario, ScenarioError, simulate};

/// A question of a page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Text of the scenario, in TOML.
    pub scenario: String,
    /// Overrides, as with `--set`: keys with values.
    #[serde(default)]
    pub set: Vec<(String, String)>,
    /// Seeds, with one run each.
    pub seeds: Vec<u64>,
    /// Names of the tables of each run that the answer contains.
    pub tables: Vec<String>,
}

/// The answer to a question.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Tables of each run by name, with columns by name.
    Runs(Vec<Map<String, Value>>),
    /// The scenario cannot be run.
    Wrong {
        /// The key, from the top; empty when the text as a whole is wrong.
        key: String,
        /// The whole message, one paragraph.
        message: String,
    },
}

impl Answer {
    /// Runs a question and returns its answer.
    pub fn to(question: &Question) -> Self {
        let Question { scenario, set, seeds, tables } = question;
        match Scenario::from_toml(scenario, "the scenario", set) {
            Ok(scenario) => {
                let run = |&seed: &u64| chosen(&simulate(&scenario, seed).tables, tables);
                Self::Runs(seeds.iter().map(run).collect())
            }
            Err(error) => Self::wrong(&error),
        }
    }

    fn wrong(error: &ScenarioError) -> Self {
        Self::Wrong { key: error.key.clone(), message: error.to_string() }
    }
}

/// Returns the tables of these names, each as columns by name.
fn chosen(tables: &[Table], names: &[String]) -> Map<String, Value> {
    let wanted = tables.iter().filter(|table| names.iter().any(|name| name == table.name));
    let columns = |table: &Table| {
        let values = |column: &uplane::record::Column| (column.name.clone(), listed(&column.data));
        Value::Object(table.columns.iter().map(values).collect())
    };
    wanted.map(|table| (table.name.to_owned(), columns(table))).collect()
}

fn listed(data: &Data) -> Value {
    match data {
        Data::U64(values) => values.iter().copied().map(Value::from).collect(),
        Data::F64(values) => values.iter().copied().map(Value::from).collect(),
        Data::Text(values) => values.iter().map(Value::from).collect(),
    }
}

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns the place where the host writes a question of this number of bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    QUESTION.set(vec![0; bytes]);
    QUESTION.with_borrow_mut(Vec::as_mut_ptr)
}

/// Answers the question that was put there; gives the length of the answer in bytes.
///
/// # Panics
/// A question is none of these, or the simulator has a defect: the host sees a trap.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer() -> usize {
    let question = serde_json::from_slice(&QUESTION.take()).expect("a question");
    let answer = serde_json::to_vec(&Answer::to(&question)).expect("only JSON types");
    ANSWER.set(answer);
    ANSWER.with_borrow(Vec::len)
}

/// Returns the address of the answer.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn place() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PING: &str = r#"
        [radio.geran]
        profile = "edge"
        [[ping]]
        name = "echo"
        count = 3
    "#;

    fn question(set: &[(&str, &str)]) -> Question {
        Question {
            scenario: PING.to_owned(),
            set: set.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect(),
            seeds: vec![1, 2],
            tables: vec!["pings".to_owned()],
        }
    }

    #[test]
    fn an_answer_has_the_tables_that_were_asked_for_of_each_seed() {
        let Answer::Runs(runs) = Answer::to(&question(&[])) else { panic!("it can be run") };
        let scenario = Scenario::from_toml(PING, "ping", &[]).expect("it can be run");
        assert_eq!(runs.len(), 2);
        for (run, seed) in runs.iter().zip([1, 2]) {
            let tables = simulate(&scenario, seed).tables;
            let pings = tables.iter().find(|table| table.name == "pings").expect("a table");
            let rtt = pings.columns.iter().find(|column| column.name == "rtt_ms").expect("rtt");
            assert_eq!(run.keys().collect::<Vec<_>>(), ["pings"]);
            assert_eq!(run["pings"]["rtt_ms"], listed(&rtt.data));
            assert_eq!(run["pings"]["rtt_ms"].as_array().map(Vec::len), Some(3));
        }
        assert_ne!(runs[0], runs[1], "two seeds");
    }

    #[test]
    fn what_is_laid_over_counts_and_a_wrong_key_is_named() {
        let Answer::Runs(runs) = Answer::to(&question(&[("ping.echo.count", "5")])) else {
            panic!("it can be run")
        };
        assert_eq!(runs[0]["pings"]["rtt_ms"].as_array().map(Vec::len), Some(5));
        let Answer::Wrong { key, message } = Answer::to(&question(&[("ping.echo.cuont", "5")]))
        else {
            panic!("there is no such key")
        };
        assert_eq!(key, "ping.echo.cuont");
        assert!(message.contains("did you mean"), "{message}");
    }

    #[test]
    fn a_question_goes_in_as_bytes_and_an_answer_comes_out() {
        let asked = br#"{"scenario": "", "seeds": [], "tables": []}"#;
        assert!(!room(asked.len()).is_null());
        QUESTION.with_borrow_mut(|bytes| bytes.copy_from_slice(asked));
        let length = answer();
        assert!(!place().is_null());
        let told: Value = ANSWER.with_borrow(|it| serde_json::from_slice(it)).expect("JSON");
        assert_eq!(length, ANSWER.with_borrow(Vec::len));
        assert!(told["wrong"]["message"].as_str().is_some_and(|it| it.contains("radio")));
    }
}
