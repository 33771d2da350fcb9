//! Permitted dependencies between folders, and things that the core must not contain.
//!
//! `unit ← sim ← record ← net ← { tcp | quic | ran | app } ← scenario`: a folder uses only folders
//! before it.

use std::fs;
use std::path::{Path, PathBuf};

/// For each folder, the folders that it may use in addition to itself.
const MAY_USE: &[(&str, &[&str])] = &[
    ("unit", &[]),
    ("sim", &["unit"]),
    ("record", &["unit", "sim"]),
    ("net", &["unit", "sim", "record"]),
    ("tcp", &["unit", "sim", "record", "net"]),
    ("quic", &["unit", "sim", "record", "net"]),
    ("ran", &["unit", "sim", "record", "net"]),
    ("app", &["unit", "sim", "record", "net"]),
    ("scenario", &["unit", "sim", "record", "net", "tcp", "quic", "ran", "app"]),
];

/// Names that would make the core depend on a machine.
const FORBIDDEN: &[&str] = &[
    "std::time",
    "std::fs",
    "std::thread",
    "std::env",
    "std::net",
    "std::process",
    "HashMap",
    "HashSet",
];

/// The one file that may name a machine's types, which a library asks for, and these types.
const BOUNDARY: (&str, &[&str]) = ("src/quic/boundary.rs", &["std::time", "std::net"]);

/// The QUIC library, which no other folder may name.
const LIBRARY: (&str, &str) = ("quinn_proto", "src/quic/");

fn sources() -> Vec<PathBuf> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    files.sort();
    files
}

fn room_of(path: &Path) -> String {
    let inside =
        path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).expect("a source");
    let first = inside.components().next().expect("a file").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// `crate::a::b` and `crate::{a::b, c}` both name the folders `a` and `c`.
fn rooms_used(line: &str) -> Vec<&str> {
    let word = |text: &'static str| move |c: char| !(c.is_alphanumeric() || text.contains(c));
    line.match_indices("crate::")
        .filter_map(|(at, found)| {
            line[at + found.len()..].split(word("_")).find(|name| !name.is_empty())
        })
        .collect()
}

fn violations(path: &Path, text: &str) -> Vec<String> {
    let room = room_of(path);
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == room) else {
        return if room == "lib" {
            Vec::new()
        } else {
            vec![format!("{}: unknown room {room}", path.display())]
        };
    };
    let rooms: Vec<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.flat_map(|(number, line)| {
        let wrong = rooms_used(line)
            .into_iter()
            .filter(|used| rooms.contains(used) && *used != room && !allowed.contains(used))
            .map(|used| format!("{room} must not use {used}"));
        let may = |name: &str| path.ends_with(BOUNDARY.0) && BOUNDARY.1.contains(&name);
        let forbidden = FORBIDDEN.iter().filter(|name| line.contains(**name) && !may(name));
        let names_library = line.contains(LIBRARY.0) && !path.to_string_lossy().contains(LIBRARY.1);
        let forbidden = forbidden.chain(names_library.then_some(&LIBRARY.0));
        wrong
            .chain(forbidden.map(|name| format!("the core must not contain {name}")))
            .map(|what| format!("{}:{}: {what}", path.display(), number + 1))
            .collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn rooms_use_only_rooms_before_them() {
    let found: Vec<String> = sources()
        .iter()
        .flat_map(|path| violations(path, &fs::read_to_string(path).expect("a readable source")))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_planted_violation_is_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tcp/sender.rs");
    assert_eq!(violations(&path, "use crate::ran::phy;\nuse crate::net::Packet;").len(), 1);
    assert_eq!(violations(&path, "let x: std::collections::HashMap<u8, u8>;").len(), 1);
    assert_eq!(violations(&path, "use quinn_proto::Event;").len(), 1);
    assert_eq!(violations(&path, "use crate::quic::Profile;").len(), 1);
    let boundary = &Path::new(env!("CARGO_MANIFEST_DIR")).join("src/quic/boundary.rs");
    assert!(violations(boundary, "use std::time;").is_empty(), "the boundary");
    assert_eq!(violations(boundary, "use std::fs;").len(), 1);
    assert_eq!(violations(boundary, "use crate::tcp::Profile;").len(), 1);
}

/// The sides of a cell, and the names that their code must not contain: sides exchange messages.
const SIDES: &[(&str, &[&str])] = &[
    ("ran/cell/ue", &["base_station", "ran::lte", "ran::nr"]),
    ("ran/cell/base_station", &["cell::ue::", "super::ue::", "ran::lte", "ran::nr"]),
    ("ran/cell/air", &["base_station", "cell::ue::", "super::ue::", "ran::lte", "ran::nr"]),
    ("ran/cell", &["ran::lte", "super::lte", "ran::nr", "super::nr"]),
];

/// Lines of code, with their numbers, without comments and without the tests of presets, which
/// belong to LTE.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().take_while(|(_, line)| *line != "#[cfg(test)]");
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn leaks(path: &Path, text: &str) -> Vec<String> {
    let name = &*path.to_string_lossy();
    let side = SIDES.iter().find(|(folder, _)| {
        name.contains(&format!("src/{folder}/")) || name.ends_with(&format!("src/{folder}.rs"))
    });
    let Some((folder, foreign)) = side else { return Vec::new() };
    // Tests of a side may name `lte`, for the cells of a preset.
    let is_test = name.contains("tests");
    let foreign = foreign.iter().filter(|word| !is_test || !word.ends_with("lte"));
    foreign
        .flat_map(|word| {
            code(text).filter(move |(_, line)| line.contains(word)).map(move |(number, _)| {
                format!("{name}:{}: {folder} must not name {word}", number + 1)
            })
        })
        .collect()
}

#[test]
fn sides_of_a_cell_stay_separate() {
    let found: Vec<String> = sources()
        .iter()
        .filter(|path| !path.to_string_lossy().contains("src/ran/cell/tests"))
        .flat_map(|path| leaks(path, &fs::read_to_string(path).expect("a readable source")))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_planted_leak_is_found() {
    let path = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ran").join(name);
    let ue = "use crate::ran::cell::base_station::BaseStation;";
    assert_eq!(leaks(&path("cell/ue/uplink.rs"), ue).len(), 1);
    assert_eq!(leaks(&path("cell/ue/tests.rs"), ue).len(), 1);
    assert_eq!(leaks(&path("cell/base_station.rs"), "use super::ue::Ue;").len(), 1);
    assert_eq!(leaks(&path("cell/config.rs"), "use crate::ran::lte::preset;").len(), 1);
    assert!(leaks(&path("cell/exchange.rs"), ue).is_empty(), "it takes from both");
}

/// Folders of one generation, and the words that name them.
const GENERATIONS: &[&str] =
    &["ran/lte", "ran/nr", "ran/phy/lte", "ran/phy/nr", "ran/rlc/lte", "ran/rlc/nr"];
const NAMES: &[&str] = &["lte", "nr", "am", "um"];

/// Files in which the rest of `ran` asks a generation.
const SEAMS: &[&str] =
    &["ran/phy/sizing.rs", "ran/phy/pucch.rs", "ran/rlc/entity.rs", "ran/rlc.rs"];

/// Lines of the code shared by all generations that name one of them.
fn shortcuts(path: &Path, text: &str) -> Vec<String> {
    let name = &*path.to_string_lossy();
    let inside = |folder: &&str| {
        name.contains(&format!("src/{folder}/")) || name.ends_with(&format!("src/{folder}.rs"))
    };
    let is_shared = name.contains("src/ran/") && !GENERATIONS.iter().any(inside);
    if !is_shared || name.contains("tests") || SEAMS.iter().any(|seam| name.ends_with(seam)) {
        return Vec::new();
    }
    let names = |line: &str| {
        let is_path = line.contains("::") && !line.contains(" mod ");
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        is_path && words.any(|word| NAMES.contains(&word))
    };
    code(text)
        .filter(|(_, line)| names(line))
        .map(|(number, line)| format!("{name}:{}: {}", number + 1, line.trim()))
        .collect()
}

#[test]
fn shared_code_names_generations_only_at_seams() {
    let found: Vec<String> = sources()
        .iter()
        .flat_map(|path| shortcuts(path, &fs::read_to_string(path).expect("a readable source")))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    assert!(SEAMS.iter().all(|seam| root.join(seam).exists()), "a seam that is not there");
}

#[test]
fn a_planted_shortcut_is_found() {
    let path = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ran").join(name);
    for line in [
        "use crate::ran::phy::lte::McsTable;",
        "use super::lte;",
        "use super::{lte, Mcs};",
        "let size = lte::code_blocks(size);",
        "use crate::ran::rlc::am;",
    ] {
        assert_eq!(shortcuts(&path("cell/carrier.rs"), line).len(), 1, "{line}");
        assert_eq!(shortcuts(&path("phy/adaptation.rs"), line).len(), 1, "{line}");
        assert!(shortcuts(&path("phy/sizing.rs"), line).is_empty(), "a seam");
        assert!(shortcuts(&path("lte/preset.rs"), line).is_empty(), "its own");
    }
    assert!(shortcuts(&path("phy.rs"), "pub mod lte;").is_empty());
}

/// RFC and TS clauses are cited in one form.
#[test]
fn citations_have_one_form() {
    let wrong: Vec<String> = sources()
        .iter()
        .flat_map(|path| {
            let text = fs::read_to_string(path).expect("a readable source");
            let bad = |line: &str| {
                ["section ", "sec. ", "cl. "].iter().any(|word| {
                    ["RFC ", "TS 3", "TS 2", "TR 3"].iter().any(|document| {
                        line.find(document).is_some_and(|at| {
                            let after: String = line[at..].chars().take(24).collect();
                            after.contains(word)
                        })
                    })
                })
            };
            let lines: Vec<String> = text
                .lines()
                .enumerate()
                .filter(|(_, line)| bad(line))
                .map(|(number, line)| format!("{}:{}: {}", path.display(), number + 1, line.trim()))
                .collect();
            lines
        })
        .collect();
    assert!(wrong.is_empty(), "cite as `RFC 9438 §4.3`:\n{}", wrong.join("\n"));
}

/// Lines beyond the width of rustfmt, with their numbers, except those that cannot be cut: a string
/// literal, a row of a table in a comment, a row of numbers.
fn wide(text: &str) -> Vec<usize> {
    let is_row = |line: &str| {
        line.contains('"')
            || line.starts_with("//! |")
            || line.chars().all(|c| c.is_ascii_digit() || "-., ".contains(c))
    };
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.chars().count() > WIDTH);
    lines.filter(|(_, line)| !is_row(line.trim_start())).map(|(number, _)| number).collect()
}

/// `max_width` of rustfmt.toml, for comments too.
const WIDTH: usize = 100;

#[test]
fn no_line_is_wider_than_the_format_says() {
    let mut found = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a readable source");
        found.extend(wide(&text).iter().map(|line| format!("{}:{line}", path.display())));
    }
    assert!(found.is_empty(), "more than {WIDTH} columns:\n{}", found.join("\n"));
    let words = "word ".repeat(21);
    assert_eq!(wide(&format!("// {words}\n//! | {words} |\nlet a = {words};")), [1, 3]);
}
