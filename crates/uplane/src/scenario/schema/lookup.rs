//! Properties of a key in the schema, for messages.
//!
//! In: the path of a key. Out: words. The JSON Schema is made once.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::File;

/// Returns `true` if each variant is a section, `false` if it is a word.
pub(in super::super) fn is_choice_of_sections(definition: &str) -> bool {
    matches!(definition, "Radio" | "Aqm")
}

/// Returns `true` for a section that spans other sections of its choice.
pub(in super::super) fn takes_others(key: &str) -> bool {
    key == "en_dc"
}

/// Returns `true` for the keys of the file that contain a list of sections.
pub(in super::super) fn is_list(key: &str) -> bool {
    root()["properties"][key]["type"] == "array"
}

/// Returns `true` for a key of the file.
pub(in super::super) fn is_key(key: &str) -> bool {
    member(root(), root(), key).is_some()
}

/// Returns `true` if the file may have sections of this kind with names, and they may have `key`.
pub(in super::super) fn is_key_of_sections(kind: &str, key: Option<&str>) -> bool {
    let root = root();
    let section = member(root, root, kind).and_then(|sections| member(root, sections, "0"));
    section.is_some_and(|it| key.is_none_or(|key| member(root, it, key).is_some()))
}

/// Returns the default sections of the list `key`, each with the keys that have a value.
pub(in super::super) fn default_sections(key: &str) -> Vec<Map<String, Value>> {
    let root = root();
    let sections = root["properties"][key]["default"].as_array();
    let sections = sections.into_iter().flatten().filter_map(Value::as_object).cloned();
    let given = |keys: Map<_, _>| keys.into_iter().filter(|(_, value)| !value.is_null()).collect();
    sections.map(given).collect()
}

/// Returns the unit of the whole number at `path`, such as `slots`.
pub(in super::super) fn counted_unit(path: &str) -> Option<&'static str> {
    let root = root();
    let node = path.split('.').try_fold(root, |node, part| member(root, node, part))?;
    node["x-unit"].as_str()
}

/// Returns the rule about the required key at `path`: its valid values.
pub(in super::super) fn rule_of_missing(path: &str) -> String {
    let root = root();
    let found = path.split('.').try_fold(root, |node, part| member(root, node, part));
    let Some(node) = found.map(|node| resolved(root, node)) else { return "required".to_owned() };
    // One of the words of another definition, a text of one kind, or else one of another.
    let is_either = node["anyOf"].is_array();
    let node = if is_either { resolved(root, node) } else { node };
    let words = |key: &str| node[key].as_array().into_iter().flatten();
    let sections: Vec<String> = words("oneOf")
        .filter_map(|choice| choice["properties"].as_object()?.keys().next())
        .map(|kind| if path == "radio" { format!("`[radio.{kind}]`") } else { format!("`{kind}`") })
        .collect();
    if let Some((last, others)) = sections.split_last() {
        let rule =
            if path == "radio" { "no radio section; add one of" } else { "required: one of" };
        return format!("{rule} {} or {last}", others.join(", "));
    }
    let constants = words("oneOf").filter_map(|choice| choice["const"].as_str());
    let constants: Vec<&str> = words("enum").filter_map(Value::as_str).chain(constants).collect();
    if !constants.is_empty() {
        return format!("required: one of {}", constants.join(", "));
    }
    let kind = match node["type"].as_str() {
        // A quantity describes how it is written.
        Some("string") if node["pattern"].is_string() => {
            node["description"].as_str().unwrap_or("a text")
        }
        Some("string") => "a text in quotation marks",
        Some("array") => "a list",
        Some("integer") => "a whole number",
        _ => return "required".to_owned(),
    };
    format!("required: {kind}")
}

/// Returns the JSON Schema of scenario files.
pub(in super::super) fn root() -> &'static Value {
    static ROOT: OnceLock<Value> = OnceLock::new();
    ROOT.get_or_init(|| schemars::schema_for!(File).to_value())
}

/// Returns the definition that a node refers to, or the node itself. Of an optional value, returns
/// that of the value.
pub(in super::super) fn resolved<'a>(root: &'a Value, node: &'a Value) -> &'a Value {
    let node = node["anyOf"].get(0).unwrap_or(node);
    let named = node["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    named.map_or(node, |name| &root["$defs"][name])
}

/// Returns the node at `part` below `node`: a key, the section of a kind, an item of a list, or a
/// set of any name.
pub(in super::super) fn member<'a>(
    root: &'a Value,
    node: &'a Value,
    part: &str,
) -> Option<&'a Value> {
    let node = resolved(root, node);
    let choices = node["oneOf"].as_array().into_iter().chain(node["anyOf"].as_array()).flatten();
    let items = [&node["items"], &node["additionalProperties"]];
    let found = node["properties"].get(part);
    found
        .or_else(|| choices.clone().find_map(|choice| member(root, choice, part)))
        .or_else(|| items.into_iter().find(|items| items.is_object()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name is known where a file is read, long before anything is looked up.
    #[test]
    fn the_choices_of_sections_are_those_of_the_schema() {
        let root = root();
        for (name, definition) in root["$defs"].as_object().expect("definitions") {
            let choices = definition["oneOf"].as_array();
            let sections = choices.is_some_and(|them| them[0]["properties"].is_object());
            assert_eq!(is_choice_of_sections(name), sections, "{name}");
        }
    }

    #[test]
    fn a_key_is_described_by_its_type() {
        let times = rule_of_missing("link.0.delay");
        assert!(times.starts_with("required: a time such as"), "{times}");
        assert_eq!(rule_of_missing("gtpu.links"), "required: a list");
        let file = rule_of_missing("replay.0.file");
        assert!(file.starts_with("required: the name of a file beside the scenario"), "{file}");
        let controls = "required: one of new_reno, cubic, bbr, prague";
        assert_eq!(rule_of_missing("tcp.mine.congestion_control"), controls);
        assert_eq!(rule_of_missing("ue.0.name"), "required: a text in quotation marks");
    }
}
