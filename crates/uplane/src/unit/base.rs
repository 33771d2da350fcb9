//! Base files: named sets of values in TOML with the keys of a section. They apply to keys that the
//! user's section does not set.
//!
//! In: the built-in files. Out: their texts, and the values of each, completed by those of its own
//! base.

use schemars::{Schema, json_schema};
use toml::{Table, Value};

/// The built-in base files of one kind of section.
#[derive(Debug)]
pub struct BaseFiles {
    /// The key with the name of the base of a section or of a base file.
    pub key: &'static str,
    /// The base of a section that names none.
    pub usual: &'static str,
    /// Names and texts of the files.
    pub files: &'static [(&'static str, &'static str)],
}

impl BaseFiles {
    /// Returns the names of the files.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.iter().map(|&(name, _)| name)
    }

    /// Returns the text of the file `name`.
    pub fn text(&self, name: &str) -> Option<&'static str> {
        self.files.iter().find(|&&(known, _)| known == name).map(|&(_, text)| text)
    }

    /// Returns the values of the file `name`, completed by those of its base. The result names no
    /// base.
    pub fn values(&self, name: &str) -> Option<Table> {
        let mut values = parsed(self.text(name)?);
        let mut top = name.to_owned();
        while let Some(Value::String(base)) = values.remove(self.key) {
            // A file that names itself has no base; the built-in file may be the base of its copy.
            if base == top {
                break;
            }
            let below = self.text(&base).expect("the base of a built-in file is built in");
            lay_under(&mut values, parsed(below));
            top = base;
        }
        Some(values)
    }

    /// Sets the defaults of a section's schema to the values of the usual base. No key is then
    /// required.
    pub(crate) fn say_usual_values(&self, schema: &mut Schema) {
        let mut usual = self.values(self.usual).expect("the usual base is built in");
        usual.insert(self.key.to_owned(), self.usual.into());
        Self::say_nothing_is_required(schema);
        let properties = schema.get_mut("properties").and_then(|keys| keys.as_object_mut());
        for (key, property) in properties.into_iter().flatten() {
            if let (Some(property), Some(value)) = (property.as_object_mut(), usual.get(key)) {
                let value = serde_json::to_value(value).expect("TOML is JSON but for its times");
                property.insert("default".to_owned(), value);
            }
        }
    }

    /// Returns the schema of the name of one of these files, or of a file beside the scenario.
    pub(crate) fn name_or_file(&self) -> Schema {
        let names: Vec<&str> = self.names().collect();
        json_schema!({
            "anyOf": [
                { "enum": names },
                { "type": "string", "format": "path", "pattern": "\\.toml$" },
            ]
        })
    }

    /// Marks all keys of a section within a section as optional.
    pub(crate) fn say_nothing_is_required(schema: &mut Schema) {
        schema.remove("required");
    }
}

fn parsed(text: &str) -> Table {
    toml::from_str(text).expect("a built-in file is TOML")
}

/// Adds to `upper` the keys that only `lower` has, also within sections.
pub fn lay_under(upper: &mut Table, lower: Table) {
    for (key, below) in lower {
        match (upper.get_mut(&key), below) {
            (Some(Value::Table(own)), Value::Table(below)) => {
                lay_under(own, below);
            }
            (Some(_), _) => {}
            (None, below) => {
                upper.insert(key, below);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: BaseFiles = BaseFiles {
        key: "base",
        usual: "root",
        files: &[
            ("root", "a = 1\nb = 2\nsection = { x = 1, y = 2 }"),
            ("leaf", "base = \"root\"\nb = 3\nsection.y = 4"),
        ],
    };

    #[test]
    fn a_value_comes_from_the_nearest_file_that_has_it() {
        let values = FILES.values("leaf").expect("a file");
        let expected: Table =
            toml::from_str("a = 1\nb = 3\nsection = { x = 1, y = 4 }").expect("TOML");
        assert_eq!(values, expected);
        assert_eq!(FILES.values("stem"), None);
    }
}
