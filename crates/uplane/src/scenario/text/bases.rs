//! Base files under the sections of a scenario.
//!
//! In: the tree of a scenario, and whoever reads a file that a section names as its base. Out: the
//! tree with every value of its TCP parameter sets; and, for an error, where a value comes from
//! that the scenario does not say.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::super::error::{ScenarioError, listed, nearest, quoted};
use super::{Source, error_in, syntax_in};
use crate::tcp::PROFILES;
use crate::unit::Bytes;
use crate::unit::base::{BaseFiles, lay_under};
use crate::unit::text::Written as _;

/// Reads the file of a name, beside the scenario; or says what was found instead.
pub type Reader<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Where a value comes from that a section does not say.
pub(super) enum Origin {
    /// Another key of the scenario.
    Key(String),
    /// A key of a file.
    File { name: String, text: String, key: String },
    /// The built-in base file of this name.
    BuiltIn(String),
}

/// What has values for a section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    /// The section itself, or another one.
    Section(String),
    File(String),
    BuiltIn(String),
}

/// The sections of one kind, `[tcp.NAME]`, and what lies under each.
#[derive(Default)]
pub(super) struct Bases {
    /// As the scenario has them.
    sections: Table,
    /// The files that they name, with their texts.
    files: BTreeMap<String, (String, Table)>,
    /// What lies directly under each.
    below: BTreeMap<Layer, Layer>,
}

/// Lays the bases of all TCP parameter sets under them.
pub(super) fn lay_bases(
    scenario: &mut Table,
    source: &Source,
    reader: Reader<'_>,
) -> Result<Bases, ScenarioError> {
    let mut bases = Bases::default();
    match scenario.remove(SECTIONS) {
        Some(Value::Table(sections)) => bases.sections = sections,
        Some(other) => {
            scenario.insert(SECTIONS.to_owned(), other);
            return Ok(bases);
        }
        None => {}
    }
    add_sets_in_use(scenario, &mut bases.sections);
    let mut whole = Table::new();
    for name in bases.sections.keys().cloned().collect::<Vec<_>>() {
        bases.lay(name, &mut whole, source, reader)?;
    }
    if !whole.is_empty() {
        scenario.insert(SECTIONS.to_owned(), Value::Table(whole));
    }
    Ok(bases)
}

/// Built-in sets that applications name, and the one of those that name none, are sections too.
fn add_sets_in_use(scenario: &Table, sections: &mut Table) {
    for kind in ["download", "upload", "bulk", "web"] {
        let apps = scenario.get(kind).and_then(Value::as_array).into_iter().flatten();
        for app in apps.filter_map(Value::as_table) {
            let name = match app.get("tcp") {
                None if sections.contains_key("default") => continue,
                None => PROFILES.usual,
                Some(name) => name.as_str().unwrap_or_default(),
            };
            if PROFILES.text(name).is_some() && !sections.contains_key(name) {
                sections.insert(name.to_owned(), Value::Table(Table::new()));
            }
        }
    }
}

impl Bases {
    /// Where the value at `path` comes from; `None` when it is the section's own.
    pub(super) fn origin(&self, path: &str) -> Option<Origin> {
        let (name, key) = path.strip_prefix(SECTIONS)?.strip_prefix('.')?.split_once('.')?;
        let mut layer = &Layer::Section(name.to_owned());
        loop {
            if let Layer::BuiltIn(name) = layer {
                return Some(Origin::BuiltIn(name.clone()));
            }
            let values = self.values(layer)?;
            let key = if key == MSS && values.contains_key(MTU) { MTU } else { key };
            if says(values, key) {
                return match layer {
                    Layer::File(name) => {
                        let (name, text) = (name.clone(), self.files[name].0.clone());
                        Some(Origin::File { name, text, key: key.to_owned() })
                    }
                    _ => Some(format!("{SECTIONS}.{}.{key}", layer.name()))
                        .filter(|found| found != path)
                        .map(Origin::Key),
                };
            }
            layer = self.below.get(layer)?;
        }
    }

    /// Puts the section `name` into `whole`, with all values; before it those that lie under it.
    fn lay(
        &mut self,
        name: String,
        whole: &mut Table,
        source: &Source,
        reader: Reader<'_>,
    ) -> Result<(), ScenarioError> {
        let mut chain = vec![Layer::Section(name)];
        let mut seen = BTreeSet::new();
        let (mut values, mut base) = loop {
            let top = chain[chain.len() - 1].clone();
            match &top {
                Layer::Section(name) if whole.contains_key(name) => {
                    break (whole[name].as_table().cloned().unwrap_or_default(), name.clone());
                }
                Layer::BuiltIn(name) => {
                    break (FILES.values(name).expect("it was found before"), name.clone());
                }
                _ => {}
            }
            let next = self.find_base(&top, source, reader)?;
            if !seen.insert(top.clone()) || seen.contains(&next) {
                let names = chain.iter().chain([&next]).map(Layer::name);
                let found = format!("the circle {}", names.collect::<Vec<_>>().join(" → "));
                let expected = "bases that end at a built-in profile";
                return Err(self.error(source, &top, FILES.key, &found, expected));
            }
            self.below.insert(top, next.clone());
            chain.push(next);
        };
        chain.pop();
        for layer in chain.iter().rev() {
            values = self.laid_over(layer, values, source)?;
            if let Layer::Section(name) = layer {
                let base = std::mem::replace(&mut base, name.clone());
                values.entry(FILES.key).or_insert_with(|| base.into());
                let own = &self.sections[name];
                let set = if own.is_table() { Value::Table(values.clone()) } else { own.clone() };
                whole.insert(name.clone(), set);
            }
        }
        Ok(())
    }

    /// The values of a layer over those of what lies under it.
    fn laid_over(
        &self,
        layer: &Layer,
        mut below: Table,
        source: &Source,
    ) -> Result<Table, ScenarioError> {
        let mut values = self.values(layer).cloned().unwrap_or_default();
        if values.contains_key(MSS) && values.contains_key(MTU) {
            let expected = "one of them: the MTU is the MSS and 40 B of headers";
            return Err(self.error(source, layer, MTU, "both mss and mtu", expected));
        }
        // What is no text is refused as the value of the key.
        if values.get(FILES.key).is_none_or(Value::is_str) {
            values.remove(FILES.key);
        }
        below.remove(FILES.key);
        lay_under(&mut values, below);
        take_mtu(&mut values);
        Ok(values)
    }

    /// What lies directly under a layer.
    fn find_base(
        &mut self,
        layer: &Layer,
        source: &Source,
        reader: Reader<'_>,
    ) -> Result<Layer, ScenarioError> {
        let base = match self.values(layer).and_then(|it| it.get(FILES.key)) {
            Some(Value::String(base)) => base.clone(),
            // A section may refine the built-in profile of its own name.
            _ if FILES.text(layer.name()).is_some() => layer.name().to_owned(),
            _ => FILES.usual.to_owned(),
        };
        let names_itself = base == layer.name() && FILES.text(&base).is_some();
        let may_be_section = matches!(layer, Layer::Section(_)) && !names_itself;
        if may_be_section && self.sections.contains_key(&base) {
            return Ok(Layer::Section(base));
        }
        if FILES.text(&base).is_some() {
            return Ok(Layer::BuiltIn(base));
        }
        if base.strip_suffix(".toml").is_none() {
            return Err(self.unknown(source, layer, &base));
        }
        let name = match layer {
            Layer::File(other) => beside(other, &base),
            _ => base,
        };
        if !self.files.contains_key(&name) {
            let text = reader(&name).map_err(|found| {
                self.error(source, layer, FILES.key, &found, "a base file that can be read")
            })?;
            let values: Table =
                toml::from_str(&text).map_err(|error| syntax_in(&name, &text, &error))?;
            self.files.insert(name.clone(), (text, values));
        }
        Ok(Layer::File(name))
    }

    /// What a section or a file says itself.
    fn values(&self, layer: &Layer) -> Option<&Table> {
        match layer {
            Layer::Section(name) => self.sections.get(name)?.as_table(),
            Layer::File(name) => Some(&self.files[name].1),
            Layer::BuiltIn(_) => None,
        }
    }

    /// An error at a key of a layer.
    fn error(
        &self,
        source: &Source,
        layer: &Layer,
        key: &str,
        found: &str,
        expected: &str,
    ) -> ScenarioError {
        match layer {
            Layer::File(name) => error_in(name, &self.files[name].0, key, found, expected),
            _ => source.error(&format!("{SECTIONS}.{}.{key}", layer.name()), found, expected),
        }
    }

    fn unknown(&self, source: &Source, layer: &Layer, base: &str) -> ScenarioError {
        let mut names: Vec<&str> = FILES.names().collect();
        names.extend(self.sections.keys().map(String::as_str));
        let known = listed(base, &names);
        let expected = format!(
            "a built-in profile or a section of [{SECTIONS}]: {known}; or a file \"NAME.toml\""
        );
        ScenarioError {
            nearest: nearest(base, names.iter().copied()),
            ..self.error(source, layer, FILES.key, &quoted(base), &expected)
        }
    }
}

impl Layer {
    fn name(&self) -> &str {
        match self {
            Self::Section(name) | Self::File(name) | Self::BuiltIn(name) => name,
        }
    }
}

/// True when the value at `key`, or one around it that is no section, stands in `values`.
fn says(values: &Table, key: &str) -> bool {
    let (head, rest) = key.split_once('.').unwrap_or((key, ""));
    match values.get(head) {
        Some(Value::Table(inner)) if !rest.is_empty() => says(inner, rest),
        found => found.is_some(),
    }
}

/// The file `name` as another file means it that names it.
fn beside(other: &str, name: &str) -> String {
    match other.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}

/// An MTU is another way to say the MSS. One that is none stays, and is refused.
fn take_mtu(set: &mut Table) {
    let mtu = set.get(MTU).and_then(Value::as_str).and_then(Bytes::read);
    let Some(mtu) = mtu.filter(|mtu| (LEAST_MTU..=LARGEST_MTU).contains(mtu)) else { return };
    set.remove(MTU);
    set.insert(MSS.to_owned(), (mtu - IP_AND_TCP_HEADERS).to_string().into());
}

/// The key of the sections.
const SECTIONS: &str = "tcp";
const FILES: BaseFiles = PROFILES;
const MSS: &str = "mss";
const MTU: &str = "mtu";
const IP_AND_TCP_HEADERS: Bytes = Bytes(40);
/// RFC 791 §3.2
const LEAST_MTU: Bytes = Bytes(68);
const LARGEST_MTU: Bytes = Bytes(65_535);
