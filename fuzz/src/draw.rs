//! A scenario over the keys of the JSON Schema, from decisions.
//!
//! In: the schema, an input. Out: a file of which most are accepted: values of the right kind,
//! small enough that a run is short, names that exist.

use serde_json::{Map, Value, json};
use uplane::scenario::tcp_profiles;

use crate::Input;

/// Draws sections and values.
pub(crate) struct Draw<'a, 'b> {
    pub(crate) schema: &'a Value,
    pub(crate) input: &'a mut Input<'b>,
}

impl Draw<'_, '_> {
    /// Draws a whole file.
    pub(crate) fn file(&mut self) -> Value {
        let mut file = Map::new();
        file.insert("duration".to_owned(), self.text(&["1 s", "100 ms", "300 ms", "3 s", "10 s"]));
        file.insert("radio".to_owned(), self.section("Radio"));
        for (list, most) in [("ue", 2), ("link", 3)] {
            let count = self.input.below(most + 1);
            self.list(&mut file, list, count);
        }
        if file.contains_key("link") && self.input.percent(40) {
            file.insert("gtpu".to_owned(), self.section("Gtpu"));
        }
        if self.input.percent(60) {
            let names = ["default", "other"];
            let set = names.map(|name| (name.to_owned(), self.section("Tcp")));
            file.insert("tcp".to_owned(), set.into_iter().collect());
        }
        for _ in 0..self.input.range(1, 3) {
            let list = self.input.pick(&APPLICATIONS);
            let count = self.input.range(1, 2);
            self.list(&mut file, list, count);
        }
        if self.input.flag() {
            file.insert("record".to_owned(), self.section("Record"));
        }
        Value::Object(file)
    }

    /// Draws `count` sections `[[list]]` with the names list0, list1, ….
    fn list(&mut self, file: &mut Map<String, Value>, list: &str, count: u64) {
        let schema = &self.schema["properties"][list]["items"];
        let sections: Vec<Value> = (0..count)
            .map(|number| {
                let mut section = self.value(schema, list);
                section["name"] = json!(format!("{list}{number}"));
                section
            })
            .collect();
        if !sections.is_empty() {
            file.insert(list.to_owned(), Value::Array(sections));
        }
    }

    fn section(&mut self, definition: &str) -> Value {
        let schema = &self.schema["$defs"][definition];
        self.value(schema, definition)
    }

    /// Draws a value for `key`.
    fn value(&mut self, schema: &Value, key: &str) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.trim_start_matches("#/$defs/");
            return self.quantity(name, key).unwrap_or_else(|| self.section(name));
        }
        for choice in ["anyOf", "oneOf"] {
            if let Some(all) = schema[choice].as_array() {
                let all: Vec<&Value> = all.iter().filter(|one| one["type"] != "null").collect();
                let one = all[self.input.below(all.len() as u64) as usize];
                return self.value(one, key);
            }
        }
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(words) = schema["enum"].as_array() {
            return words[self.input.below(words.len() as u64) as usize].clone();
        }
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
        match kind.expect("the schema says which type") {
            "object" => self.object(schema),
            "array" => {
                let count = self.input.below(4);
                (0..count).map(|_| self.value(&schema["items"], key)).collect()
            }
            "boolean" => json!(self.input.flag()),
            "integer" => self.whole_number(key),
            "number" => self.number(key),
            _ => self.word(key),
        }
    }

    /// Draws a section: all required keys, and some of the others.
    fn object(&mut self, schema: &Value) -> Value {
        let Some(keys) = schema["properties"].as_object() else { return json!({}) };
        let required =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut chosen: Vec<&str> = required.collect();
        for _ in 0..self.input.below(8) {
            let place = self.input.below(keys.len() as u64) as usize;
            chosen.extend(keys.keys().nth(place).map(String::as_str));
        }
        let drawn = chosen.into_iter().map(|key| (key.to_owned(), self.value(&keys[key], key)));
        drawn.collect()
    }

    /// Draws a quantity with its unit, if `definition` is one.
    fn quantity(&mut self, definition: &str, key: &str) -> Option<Value> {
        Some(match (definition, key) {
            ("Span", "tti" | "interval" | "series" | "every") => self.text(&INTERVALS),
            ("Span", _) => self.text(&SPANS),
            ("SlotLength", _) => {
                self.text(&["1 ms", "1/7 ms", "0.5 ms", "2 ms", "0.25 ms", "10 ms"])
            }
            ("Size", "file" | "objects") => {
                self.text(&["10 kB", "1 B", "1500 B", "60 kB", "300 kB"])
            }
            ("Size", "mtu") => self.text(&["1500 B", "576 B", "1280 B", "9000 B", "296 B", "68 B"]),
            ("Size", "mss") => self.text(&["1460 B", "536 B", "1 B", "100 B", "8960 B"]),
            ("Size", _) => self.text(&SIZES),
            ("Rate", _) => self.text(&RATES),
            ("Chance", _) => json!(self.input.pick(&[0.0, 0.1, 0.01, 0.5, 0.9, 0.001, 1.0])),
            ("QueueLimit", _) => {
                self.text(&["unlimited", "100 packets", "1 packet", "10 kB", "0 B"])
            }
            ("Address", _) => {
                self.text(&["198.51.100.7", "203.0.113.1", "10.45.0.9", "2001:db8::1"])
            }
            ("Prefix", _) => {
                self.text(&["198.51.100.0/24", "0.0.0.0/0", "10.45.0.0/16", "2001:db8::/32"])
            }
            ("Ports", _) => self.text(&["5004", "1-65535", "5000-5100", "80"]),
            _ => return None,
        })
    }

    fn word(&mut self, key: &str) -> Value {
        match key {
            "base" => self.text(&tcp_profiles()),
            "ue" => self.text(&["all", "ue0", "ue1", "ue"]),
            "tcp" => self.text(&["default", "other"]),
            "links" => self.text(&["link0", "link1", "link2"]),
            _ => self.text(&["a", "b", "c", "default"]),
        }
    }

    fn whole_number(&mut self, key: &str) -> Value {
        match key {
            "count" => json!(self.input.range(1, 8)),
            "rings" => json!(self.input.below(2)),
            "subcarrier_spacing_khz" => json!(self.input.pick(&[15, 30, 60, 120])),
            "layers" | "parallel" => json!(self.input.range(1, 4)),
            _ => {
                json!(self.input.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 10, 16, 20, 40, 64, 80, 100, 255]))
            }
        }
    }

    fn number(&mut self, key: &str) -> Value {
        if key.ends_with("_m") {
            return json!(self.input.pick(&[500.0, 100.0, 150.0, 200.0, 1732.0, 1.5, 10.0]));
        }
        json!(self.input.pick(&[10.0, 0.0, -5.0, 3.0, 20.0, 30.0, 60.0, 120.0, 0.5, 1.0]))
    }

    fn text(&mut self, of: &[&str]) -> Value {
        json!(self.input.pick(of))
    }
}

const APPLICATIONS: [&str; 6] = ["ping", "download", "upload", "web", "voice", "bulk"];
const INTERVALS: [&str; 6] = ["20 ms", "1 ms", "2 ms", "10 ms", "100 ms", "1 s"];
const SPANS: [&str; 12] = [
    "10 ms", "0 s", "1 ns", "1 us", "100 us", "1 ms", "5 ms", "20 ms", "50 ms", "200 ms", "1 s",
    "60 s",
];
const SIZES: [&str; 13] = [
    "100 B", "0 B", "1 B", "2 B", "3 B", "40 B", "60 B", "576 B", "1000 B", "1500 B", "3 kB",
    "10 kB", "100 kB",
];
const RATES: [&str; 8] = [
    "1 Mbit/s",
    "unlimited",
    "1 kbit/s",
    "64 kbit/s",
    "300 kbit/s",
    "5 Mbit/s",
    "20 Mbit/s",
    "100 Mbit/s",
];
