//! No file imports another that imports it directly or indirectly: a reader never has to read a
//! file twice to understand its foundations.
//!
//! In: the `use` lines of all sources. Out: the first circle, if there is one.
//!
//! A file is a part of the files above it in its path, and may use them; that is no import. Left
//! out: paths that are written out where they are used, and tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module, as the parts of its path: `["tcp", "congestion"]`.
type Module = Vec<String>;

/// The `use` lines of each module.
fn modules() -> BTreeMap<Module, String> {
    fn walk(folder: &Path, above: &[String], found: &mut BTreeMap<Module, String>) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("a readable folder").path();
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let module: Module = above.iter().cloned().chain([stem.clone()]).collect();
            if path.is_dir() {
                walk(&path, &module, found);
            } else if path.extension().is_some_and(|it| it == "rs") && stem != "tests" {
                let module = if stem == "lib" { Vec::new() } else { module };
                found.insert(module, fs::read_to_string(&path).expect("a readable source"));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &[], &mut found);
    found.retain(|module, _| !module.iter().any(|part| part == "tests"));
    found
}

/// The paths that a text imports, one for each name.
fn imports(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let joined = lines.collect::<Vec<_>>().join(" ");
    let statements = joined.split(';').filter_map(|statement| {
        let (before, tree) = statement.rsplit_once("use ")?;
        let starts = before.trim_end();
        let is_use = starts.is_empty()
            || starts.ends_with([';', '}', ')', ']', '{'])
            || starts.ends_with("pub");
        is_use.then(|| tree.trim().to_owned())
    });
    statements.flat_map(|tree| branches(&tree)).collect()
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d` and `a::c::e`.
fn branches(tree: &str) -> Vec<String> {
    let Some((stem, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let inside = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in inside.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().expect("there is one").push(letter);
        }
    }
    let named = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    named.flat_map(branches).map(|part| format!("{}{part}", stem.trim())).collect()
}

/// The module that contains the item `path`, seen from `module`.
fn target(path: &str, module: &Module, known: &BTreeSet<Module>) -> Option<Module> {
    let mut parts = path.split("::").map(str::trim).peekable();
    let mut at: Module = match *parts.peek()? {
        "crate" => Vec::new(),
        "self" | "super" => module.clone(),
        child => {
            let below: Module = module.iter().cloned().chain([child.to_owned()]).collect();
            known.contains(&below).then_some(())?;
            module.clone()
        }
    };
    for part in parts {
        match part {
            "crate" | "self" => {}
            "super" => drop(at.pop()),
            name => {
                at.push(name.to_owned());
                if !known.contains(&at) {
                    at.pop();
                    break;
                }
            }
        }
    }
    Some(at)
}

/// Imports of each module, except the modules that contain it.
fn arrows(texts: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let known: BTreeSet<Module> = texts.keys().cloned().collect();
    let of = |module: &Module, text: &String| {
        let paths = imports(text);
        let targets = paths.iter().filter_map(|path| target(path, module, &known));
        targets.filter(|target| !module.starts_with(target)).collect::<BTreeSet<_>>()
    };
    texts.iter().map(|(module, text)| (module.clone(), of(module, text))).collect()
}

/// Returns a path from a module back to itself, if there is one.
fn circle(arrows: &BTreeMap<Module, BTreeSet<Module>>) -> Option<String> {
    fn follow<'a>(
        module: &'a Module,
        arrows: &'a BTreeMap<Module, BTreeSet<Module>>,
        way: &mut Vec<&'a Module>,
        done: &mut BTreeSet<&'a Module>,
    ) -> Option<String> {
        if let Some(start) = way.iter().position(|other| *other == module) {
            let round = way[start..].iter().chain([&module]);
            return Some(round.map(|it| it.join("::")).collect::<Vec<_>>().join(" -> "));
        }
        if !done.insert(module) {
            return None;
        }
        way.push(module);
        let found = arrows[module].iter().find_map(|next| follow(next, arrows, way, done));
        way.pop();
        found
    }
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|module| follow(module, arrows, &mut Vec::new(), &mut done))
}

#[test]
fn no_file_imports_itself_by_way_of_others() {
    let arrows = arrows(&modules());
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 500, "imports are found");
    assert_eq!(circle(&arrows), None);
}

#[test]
fn a_planted_circle_is_found() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let texts = |third: &str| {
        let texts = [
            ("", "pub mod a;\npub mod b;"),
            ("a", "mod part;\nmod other;\npub use part::{Part, self as _};"),
            ("a::part", "use super::other::{\n    One, // two\n    inner::{Two, Three},\n};"),
            ("a::other", third),
            ("b", "use crate::a::{Part, other::Two};"),
        ];
        let named = texts.map(|(path, text)| {
            let path = if path.is_empty() { Vec::new() } else { module(path) };
            (path, text.to_owned())
        });
        arrows(&named.into_iter().collect())
    };
    assert_eq!(circle(&texts("use std::fmt;\nuse super::Parent;")), None, "its own house");
    let found = circle(&texts("pub(super) use crate::b::{self, Some};"));
    assert_eq!(found.as_deref(), Some("a -> a::part -> a::other -> b -> a"));
    let found = circle(&texts("fn f() {}\n\nuse super::part::Part;"));
    assert_eq!(found.as_deref(), Some("a::part -> a::other -> a::part"));
    assert_eq!(circle(&texts("#[cfg(test)]\nuse super::part::Part;")), None, "tests");
}
