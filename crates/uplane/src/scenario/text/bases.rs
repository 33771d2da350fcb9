//! The base files of the sections of a scenario.
//!
//! In: the tree of a scenario, and a [`Reader`] of the files that sections name as their base. Out:
//! the tree with every value of its TCP parameter sets; and, for an error, the origin of a value
//! that the scenario does not set.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::super::apps::CONNECTED;
use super::super::error::{ScenarioError, listed, nearest, quoted};
use super::beside::Reader;
use super::source::{Origin, Origins, Source, error_in, syntax_in};
use crate::ran::{geran, lte, nr};
use crate::tcp;
use crate::unit::Bytes;
use crate::unit::base::{BaseFiles, lay_under};
use crate::unit::text::Written as _;

/// A source of values for a section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    /// The section itself, or another one.
    Section(String),
    File(String),
    BuiltIn(String),
}

/// The sections of one kind, such as `[tcp.NAME]`, and the base of each.
struct Bases {
    /// Key that contains the sections: `tcp` or `radio`.
    around: &'static str,
    built_in: &'static BaseFiles,
    /// Replaces a shorthand key by the keys that it stands for.
    shorthand: fn(&mut Table),
    /// Valid bases other than files, in words.
    expected: &'static str,
    /// Sections of the scenario, before their bases are applied.
    sections: Table,
    /// Base files by name, with their texts.
    files: BTreeMap<String, (String, Table)>,
    /// Direct base of each layer.
    below: BTreeMap<Layer, Layer>,
}

/// Completes all TCP parameter sets and cells with the values of their bases.
pub(super) fn lay_bases(
    scenario: &mut Table,
    source: &Source,
    reader: Reader<'_>,
) -> Result<Vec<Box<dyn Origins>>, ScenarioError> {
    let mut sets = sections(scenario, TCP, |_| true);
    add_sets_in_use(scenario, &mut sets);
    let mut tcp = Bases {
        around: TCP,
        built_in: &tcp::PROFILES,
        shorthand: take_mtu,
        expected: "a built-in profile or a section of [tcp]:",
        sections: sets,
        files: BTreeMap::new(),
        below: BTreeMap::new(),
    };
    tcp.lay_all(scenario, source, reader)?;
    let mut all: Vec<Box<dyn Origins>> = vec![Box::new(tcp)];
    let nothing: fn(&mut Table) = |_| ();
    for (kind, built_in, shorthand) in [
        ("lte", &lte::PROFILES, nothing),
        ("nr", &nr::PROFILES, nothing),
        ("geran", &geran::PROFILES, take_bler),
    ] {
        let mut radio = Bases {
            around: RADIO,
            built_in,
            shorthand,
            expected: "one of",
            sections: sections(scenario, RADIO, |name| name == kind),
            files: BTreeMap::new(),
            below: BTreeMap::new(),
        };
        radio.lay_all(scenario, source, reader)?;
        all.push(Box::new(radio));
    }
    Ok(all)
}

/// Removes the sections of one kind from the scenario and returns them.
fn sections(scenario: &mut Table, around: &str, is_one: impl Fn(&str) -> bool) -> Table {
    let mut found = Table::new();
    if let Some(Value::Table(all)) = scenario.get_mut(around) {
        let names: Vec<String> = all.keys().filter(|name| is_one(name)).cloned().collect();
        for name in names {
            if let Some(section) = all.remove(&name) {
                found.insert(name, section);
            }
        }
    }
    found
}

/// Adds sections for the built-in sets that applications use, by name or by default.
fn add_sets_in_use(scenario: &Table, sections: &mut Table) {
    for kind in CONNECTED {
        let apps = scenario.get(kind).and_then(Value::as_array).into_iter().flatten();
        for app in apps.filter_map(Value::as_table) {
            let name = match app.get("tcp") {
                None if sections.contains_key("default") || app.contains_key("quic") => continue,
                None if app.get("datagrams") == Some(&Value::Boolean(true)) => continue,
                None => tcp::PROFILES.usual,
                Some(name) => name.as_str().unwrap_or_default(),
            };
            if tcp::PROFILES.text(name).is_some() && !sections.contains_key(name) {
                sections.insert(name.to_owned(), Value::Table(Table::new()));
            }
        }
    }
}

impl Origins for Bases {
    fn origin(&self, path: &str) -> Option<Origin> {
        let (name, key) = path.strip_prefix(self.around)?.strip_prefix('.')?.split_once('.')?;
        let mut layer = &Layer::Section(name.to_owned());
        loop {
            if let Layer::BuiltIn(name) = layer {
                return Some(Origin::BuiltIn(name.clone()));
            }
            let values = self.values(layer)?;
            let key = written_as(values, key);
            if says(values, key) {
                return match layer {
                    Layer::File(name) => {
                        let (name, text) = (name.clone(), self.files[name].0.clone());
                        Some(Origin::File { name, text, key: key.to_owned() })
                    }
                    _ => Some(format!("{}.{}.{key}", self.around, layer.name()))
                        .filter(|found| found != path)
                        .map(Origin::Key),
                };
            }
            layer = self.below.get(layer)?;
        }
    }
}

impl Bases {
    /// Puts all sections back into the scenario, completed.
    fn lay_all(
        &mut self,
        scenario: &mut Table,
        source: &Source,
        reader: Reader<'_>,
    ) -> Result<(), ScenarioError> {
        let mut whole = Table::new();
        for name in self.sections.keys().cloned().collect::<Vec<_>>() {
            self.lay(name, &mut whole, source, reader)?;
        }
        if whole.is_empty() {
            return Ok(());
        }
        let around = scenario.entry(self.around).or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(around) = around {
            around.extend(whole);
        }
        Ok(())
    }

    /// Puts the section `name` into `whole`, completed, after its bases.
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
                    break (self.built_in.values(name).expect("it was found before"), name.clone());
                }
                _ => {}
            }
            let next = self.find_base(&top, source, reader)?;
            if !seen.insert(top.clone()) || seen.contains(&next) {
                let names = chain.iter().chain([&next]).map(Layer::name);
                let found = format!("the circle {}", names.collect::<Vec<_>>().join(" → "));
                let expected = "bases that end at a built-in profile";
                return Err(self.error(source, &top, self.built_in.key, &found, expected));
            }
            self.below.insert(top, next.clone());
            chain.push(next);
        };
        chain.pop();
        for layer in chain.iter().rev() {
            values = self.laid_over(layer, values, source)?;
            if let Layer::Section(name) = layer {
                let base = std::mem::replace(&mut base, name.clone());
                values.entry(self.built_in.key).or_insert_with(|| base.into());
                let own = &self.sections[name];
                let set = if own.is_table() { Value::Table(values.clone()) } else { own.clone() };
                whole.insert(name.clone(), set);
            }
        }
        Ok(())
    }

    /// Returns the values of a layer, completed by those of its base.
    fn laid_over(
        &self,
        layer: &Layer,
        mut below: Table,
        source: &Source,
    ) -> Result<Table, ScenarioError> {
        let mut values = self.values(layer).cloned().unwrap_or_default();
        if values.contains_key(MSS) && values.contains_key(MTU) {
            let rule = "not valid together with `mss`, which is the MTU minus 40 B of headers; \
                        remove one of them";
            return Err(self.error(source, layer, MTU, "", rule));
        }
        if values.contains_key(BLER)
            && WAYS.iter().all(|way| says(&values, &format!("{way}.{BLER}")))
        {
            let rule = "has no effect beside down.bler and up.bler; remove it";
            return Err(self.error(source, layer, BLER, "", rule));
        }
        // What is no text is refused as the value of the key.
        if values.get(self.built_in.key).is_none_or(Value::is_str) {
            values.remove(self.built_in.key);
        }
        below.remove(self.built_in.key);
        (self.shorthand)(&mut values);
        lay_under(&mut values, below);
        Ok(values)
    }

    /// Returns the direct base of a layer.
    fn find_base(
        &mut self,
        layer: &Layer,
        source: &Source,
        reader: Reader<'_>,
    ) -> Result<Layer, ScenarioError> {
        let base = match self.values(layer).and_then(|it| it.get(self.built_in.key)) {
            Some(Value::String(base)) => base.clone(),
            // A section may refine the built-in profile of its own name.
            _ if self.built_in.text(layer.name()).is_some() => layer.name().to_owned(),
            _ => self.built_in.usual.to_owned(),
        };
        let names_itself = base == layer.name() && self.built_in.text(&base).is_some();
        let may_be_section = matches!(layer, Layer::Section(_)) && !names_itself;
        if may_be_section && self.sections.contains_key(&base) {
            return Ok(Layer::Section(base));
        }
        if self.built_in.text(&base).is_some() {
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
            let text = reader.read(&name).map_err(|found| {
                self.error(source, layer, self.built_in.key, &found, "a base file that can be read")
            })?;
            let values: Table =
                toml::from_str(&text).map_err(|error| syntax_in(&name, &text, &error))?;
            self.files.insert(name.clone(), (text, values));
        }
        Ok(Layer::File(name))
    }

    /// Returns the values that a section or a file sets itself.
    fn values(&self, layer: &Layer) -> Option<&Table> {
        match layer {
            Layer::Section(name) => self.sections.get(name)?.as_table(),
            Layer::File(name) => Some(&self.files[name].1),
            Layer::BuiltIn(_) => None,
        }
    }

    /// Returns an error at a key of a layer.
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
            _ => source.error(&format!("{}.{}.{key}", self.around, layer.name()), found, expected),
        }
    }

    fn unknown(&self, source: &Source, layer: &Layer, base: &str) -> ScenarioError {
        let mut names: Vec<&str> = self.built_in.names().collect();
        if self.around == TCP {
            names.extend(self.sections.keys().map(String::as_str));
        }
        let known = listed(base, &names);
        let expected = format!("{} {known}; or a file \"NAME.toml\"", self.expected);
        ScenarioError {
            nearest: nearest(base, names.iter().copied()),
            ..self.error(source, layer, self.built_in.key, &quoted(base), &expected)
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

/// Returns whether `values` has a value at `key`, or a value other than a section at a part of it.
fn says(values: &Table, key: &str) -> bool {
    let (head, rest) = key.split_once('.').unwrap_or((key, ""));
    match values.get(head) {
        Some(Value::Table(inner)) if !rest.is_empty() => says(inner, rest),
        found => found.is_some(),
    }
}

/// Returns the path of the file `name`, relative to the folder of the file that names it.
fn beside(other: &str, name: &str) -> String {
    match other.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}

/// Replaces an MTU by its MSS. An invalid MTU stays, so that it is refused later.
fn take_mtu(set: &mut Table) {
    let mtu = set.get(MTU).and_then(Value::as_str).and_then(Bytes::read);
    let Some(mtu) = mtu.filter(|mtu| (LEAST_MTU..=LARGEST_MTU).contains(mtu)) else { return };
    set.remove(MTU);
    set.insert(MSS.to_owned(), (mtu - IP_AND_TCP_HEADERS).to_string().into());
}

/// Replaces an error rate by that of each direction.
fn take_bler(radio: &mut Table) {
    let Some(bler) = radio.remove(BLER) else { return };
    for way in WAYS {
        let own = radio.entry(way).or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(own) = own {
            own.entry(BLER).or_insert_with(|| bler.clone());
        }
    }
}

/// Returns the key of `values` that sets `key`: itself or its shorthand.
fn written_as<'a>(values: &Table, key: &'a str) -> &'a str {
    match key {
        MSS if values.contains_key(MTU) => MTU,
        "down.bler" | "up.bler" if !says(values, key) => BLER,
        _ => key,
    }
}

const TCP: &str = "tcp";
const RADIO: &str = "radio";
const MSS: &str = "mss";
const MTU: &str = "mtu";
const BLER: &str = "bler";
const WAYS: [&str; 2] = ["down", "up"];
const IP_AND_TCP_HEADERS: Bytes = Bytes(40);
/// RFC 791 §3.2
const LEAST_MTU: Bytes = Bytes(68);
const LARGEST_MTU: Bytes = Bytes(65_535);
