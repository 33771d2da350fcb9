//! What the schema says of one key, for messages.
//!
//! In: the path of a key. Out: words. The JSON Schema is made once.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::File;

/// True where each variant is a section, false where it is a word.
pub(in super::super) fn is_choice_of_sections(definition: &str) -> bool {
    matches!(definition, "Radio" | "Aqm")
}

/// True for a section that stands beside others of its choice, and is about them.
pub(in super::super) fn takes_others(key: &str) -> bool {
    key == "en_dc"
}

/// True for the keys of the file that hold a list of sections.
pub(in super::super) fn is_list(key: &str) -> bool {
    root()["properties"][key]["type"] == "array"
}

/// True for a key of the file.
pub(in super::super) fn is_key(key: &str) -> bool {
    member(root(), root(), key).is_some()
}

/// True if the file may have sections of this kind with names, and they this key, if any.
pub(in super::super) fn is_key_of_sections(kind: &str, key: Option<&str>) -> bool {
    let root = root();
    let section = member(root, root, kind).and_then(|sections| member(root, sections, "0"));
    section.is_some_and(|it| key.is_none_or(|key| member(root, it, key).is_some()))
}

/// The sections of the list `key` when the file has none, each with the keys that have a value.
pub(in super::super) fn default_sections(key: &str) -> Vec<Map<String, Value>> {
    let root = root();
    let sections = root["properties"][key]["default"].as_array();
    let sections = sections.into_iter().flatten().filter_map(Value::as_object).cloned();
    let given = |keys: Map<_, _>| keys.into_iter().filter(|(_, value)| !value.is_null()).collect();
    sections.map(given).collect()
}

/// What the key at `path` shall be, in words.
pub(in super::super) fn expected_at(path: &str) -> String {
    let root = root();
    let found = path.split('.').try_fold(root, |node, part| member(root, node, part));
    let Some(node) = found.map(|node| resolved(root, node)) else { return "this key".to_owned() };
    // One of the words of another definition, a text of one kind, or else one of another.
    let is_either = node["anyOf"].is_array();
    let node = if is_either { resolved(root, node) } else { node };
    let words = |key: &str| node[key].as_array().into_iter().flatten();
    let sections: Vec<String> = words("oneOf")
        .filter_map(|choice| choice["properties"].as_object()?.keys().next())
        .map(|kind| format!("[{path}.{kind}]"))
        .collect();
    if let Some((last, others)) = sections.split_last() {
        return format!("one section: {} or {last}", others.join(", "));
    }
    let constants = words("oneOf").filter_map(|choice| choice["const"].as_str());
    let constants: Vec<&str> = words("enum").filter_map(Value::as_str).chain(constants).collect();
    if !constants.is_empty() {
        return format!("this key: one of {}", constants.join(", "));
    }
    let kind = match node["type"].as_str() {
        // A quantity describes how it is written.
        Some("string") if node["pattern"].is_string() => {
            node["description"].as_str().unwrap_or("a text")
        }
        Some("string") => "a text in quotation marks",
        Some("array") => "a list",
        Some("integer") => "a whole number",
        _ => return "this key".to_owned(),
    };
    format!("this key: {kind}")
}

/// The JSON Schema of scenario files.
pub(in super::super) fn root() -> &'static Value {
    static ROOT: OnceLock<Value> = OnceLock::new();
    ROOT.get_or_init(|| schemars::schema_for!(File).to_value())
}

/// The definition that a node refers to, or the node; of what may be missing, what it else is.
pub(in super::super) fn resolved<'a>(root: &'a Value, node: &'a Value) -> &'a Value {
    let node = node["anyOf"].get(0).unwrap_or(node);
    let named = node["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    named.map_or(node, |name| &root["$defs"][name])
}

/// What stands at `part` below `node`: a key, the section of a kind, an item of a list, a set of
/// any name.
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
        let times = expected_at("link.0.delay");
        assert!(times.starts_with("this key: a time such as"), "{times}");
        assert_eq!(expected_at("gtpu.links"), "this key: a list");
        let file = expected_at("replay.0.file");
        assert!(file.starts_with("this key: the name of a file beside the scenario"), "{file}");
        let controls = "this key: one of new_reno, cubic, bbr, prague";
        assert_eq!(expected_at("tcp.mine.congestion_control"), controls);
        assert_eq!(expected_at("ue.0.name"), "this key: a text in quotation marks");
    }
}
