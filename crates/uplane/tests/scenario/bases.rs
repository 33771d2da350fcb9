//! A TCP parameter set has its own values, over those of its bases: built-in ones, other sets, and
//! files.

use uplane::scenario::{Scenario, ScenarioError};
use uplane::tcp::{PROFILES, Profile};

const TCP: &str = "\
[radio.fixed]
rtt = \"10 ms\"
[[upload]]
name = \"u\"
file = \"1 kB\"
tcp = \"mine\"
";

/// A folder with files, by name.
type Folder<'a> = &'a [(&'a str, &'a str)];

fn read(set: &str, folder: Folder<'_>) -> Result<Scenario, ScenarioError> {
    let reader = |name: &str| {
        let found = folder.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("no file {name}"))
    };
    Scenario::with_bases(&format!("{TCP}{set}"), "test.toml", &[], &reader)
}

fn values(set: &str, folder: Folder<'_>) -> serde_json::Value {
    let scenario = read(set, folder).unwrap_or_else(|error| panic!("{error}"));
    scenario.effective()["tcp"]["mine"].clone()
}

fn refused(set: &str, folder: Folder<'_>) -> String {
    match read(set, folder) {
        Ok(_) => panic!("accepted: {set}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn set_overrides_only_its_own_keys() {
    for name in PROFILES.names() {
        let own = values(&format!("[tcp.mine]\nbase = \"{name}\"\nacks.timer = \"7 ms\"\n"), &[]);
        let mut base = Profile::built_in(name).expect("it is built in");
        base.acks.timer = uplane::unit::Duration::from_millis(7);
        assert_eq!(own, serde_json::to_value(base).expect("JSON"), "{name}");
    }
}

#[test]
fn nearest_layer_with_a_value_counts() {
    let folder: Folder<'_> = &[
        ("a/one.toml", "base = \"two.toml\"\nmss = \"1001 B\"\nacks.every = 3\n"),
        ("a/two.toml", "base = \"linux\"\nmss = \"1002 B\"\nacks.timer = \"9 ms\"\nsack = false\n"),
    ];
    let set = "[tcp.mine]\nbase = \"other\"\nsack = true\n\
               [tcp.other]\nbase = \"a/one.toml\"\nmin_rto = \"3 s\"\n";
    let mine = values(set, folder);
    for (key, expected) in [
        ("/sack", "true"),
        ("/min_rto", "\"3 s\""),
        ("/mss", "\"1001 B\""),
        ("/acks/every", "3"),
        ("/acks/timer", "\"9 ms\""),
        ("/acks/policy", "\"adaptive\""),
        ("/congestion_control", "\"cubic\""),
        ("/base", "\"other\""),
    ] {
        assert_eq!(mine.pointer(key).map(ToString::to_string).as_deref(), Some(expected), "{key}");
    }
}

/// The values of a manifest are complete: read without the files, they give an equal scenario.
#[test]
fn the_values_in_effect_need_no_base() {
    let folder: Folder<'_> = &[("mine.toml", "base = \"ns3-2018\"\nmtu = \"1400 B\"\n")];
    let scenario = read("[tcp.mine]\nbase = \"mine.toml\"\n", folder).expect("a scenario");
    let text = toml::to_string(&without_null(scenario.effective())).expect("TOML");
    let again = Scenario::from_toml(&text, "again.toml", &[]).unwrap_or_else(|it| panic!("{it}"));
    assert_eq!(again.effective(), scenario.effective());
    assert_eq!(again.effective()["tcp"]["mine"]["mss"], "1360 B");
}

fn without_null(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(keys) => {
            let given = keys.into_iter().filter(|(_, value)| !value.is_null());
            given.map(|(key, value)| (key, without_null(value))).collect()
        }
        serde_json::Value::Array(items) => items.into_iter().map(without_null).collect(),
        value => value,
    }
}

#[test]
fn unnamed_tcp_set_is_reported() {
    let text = TCP.replace("tcp = \"mine\"\n", "");
    let scenario = Scenario::from_toml(&text, "test.toml", &[]).expect("a scenario");
    assert_eq!(scenario.effective()["tcp"]["rfc"]["min_rto"], "1 s");
}

#[test]
fn named_built_in_tcp_set_is_reported() {
    let text = TCP.replace("mine", "rfc");
    let scenario =
        Scenario::with_bases(&text, "test.toml", &[], &|_: &str| -> Result<String, String> {
            Err("no files".into())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let told = &scenario.effective()["tcp"]["rfc"];
    let rfc = Profile::built_in("rfc").expect("it is built in");
    assert_eq!(*told, serde_json::to_value(rfc).expect("JSON"));
}

/// The later of `mss` and `mtu` counts, in whichever layer it stands.
#[test]
fn mtu_and_mss_of_a_base_follow_overrides() {
    let folder: Folder<'_> =
        &[("mtu.toml", "mtu = \"1428 B\"\n"), ("mss.toml", "mss = \"900 B\"\n")];
    let mss = |set: &str| values(&format!("[tcp.mine]\n{set}"), folder)["mss"].clone();
    assert_eq!(mss("mtu = \"1428 B\"\n"), "1388 B");
    assert_eq!(mss("base = \"mtu.toml\"\n"), "1388 B");
    assert_eq!(mss("base = \"mtu.toml\"\nmss = \"700 B\"\n"), "700 B");
    assert_eq!(mss("base = \"mss.toml\"\nmtu = \"1428 B\"\n"), "1388 B");
}

/// An error names the place to fix it: the file, the set, or the name of a built-in base.
#[test]
fn an_error_in_a_base_names_the_base() {
    let folder: Folder<'_> = &[
        ("range.toml", "# A comment.\nbase = \"linux\"\ninitial_window = 0\n"),
        ("type.toml", "acks.every = \"two\"\n"),
        ("key.toml", "\n\ntimestmaps = true\n"),
        ("syntax.toml", "sack = true\nmss =\n"),
        ("small.toml", "receive_buffer = \"10 B\"\n"),
        ("loop.toml", "base = \"loop.toml\"\n"),
        ("lost.toml", "base = \"no-such\"\n"),
    ];
    for (base, expected) in [
        ("range.toml", "range.toml:3: initial_window: found 0, expected from 1 to 1000 segments"),
        ("type.toml", "type.toml:1: acks.every: found \"two\", expected a whole number"),
        ("key.toml", "key.toml:3: timestmaps: found an unknown key"),
        ("syntax.toml", "syntax.toml:2: found \"mss =\", expected TOML"),
        ("small.toml", "small.toml:1: receive_buffer: found 10 B, expected from one segment"),
        ("loop.toml", "loop.toml:1: base: found the circle mine → loop.toml → loop.toml"),
        ("lost.toml", "lost.toml:1: base: found \"no-such\", expected a built-in profile"),
        ("none.toml", "test.toml:8: tcp.mine.base: found no file none.toml, expected a base file"),
    ] {
        let message = refused(&format!("[tcp.mine]\nbase = \"{base}\"\n"), folder);
        assert!(message.starts_with(expected), "{message}\n{expected}");
    }
    let message = refused("[tcp.mine]\nbase = \"b\"\n[tcp.b]\ninitial_window = 0\n", &[]);
    assert!(message.starts_with("test.toml:10: tcp.b.initial_window: found 0"), "{message}");
    let message = refused("[tcp.mine]\nbase = \"linux\"\nwindow_scaling = false\n", &[]);
    assert!(message.contains("tcp.mine.receive_buffer: found 6291456 B"), "{message}");
    assert!(message.ends_with("; the value comes from the base \"linux\""), "{message}");
}

/// The core does not run programs: it says so, with the key.
#[test]
fn program_that_the_core_cannot_run_is_refused() {
    let refused = |control: &str| {
        let set = format!("[tcp.mine]\ncongestion_control = \"{control}\"\n");
        read(&set, &[("mine.py", "a program")]).expect_err("it cannot be run")
    };
    let error = refused("mine.py");
    assert_eq!(error.key, "tcp.mine.congestion_control");
    assert_eq!(error.found, "\"mine.py\", and nobody here who runs it");
    assert_eq!(refused("yours.py").found, "no file yours.py");
    assert_eq!(refused("cubik").nearest.as_deref(), Some("cubic"));
    for code in ["# mine.py\\nclass Mine(CongestionControl): ...", "mine.py\\n", "\\nmine.py"] {
        assert!(refused(code).expected.starts_with("one of new_reno"), "{code}");
    }
    let program = |file: &str| format!("[[program]]\nname = \"own\"\nfile = \"{file}\"\n");
    for (file, found) in [
        ("mine.py", "\"mine.py\", and nobody here who runs it"),
        ("yours.py", "no file yours.py"),
        ("# mine.py\\na program\\n", "\"# mine.py\\na program\\n\""),
        ("mine.py\\n", "\"mine.py\\n\""),
    ] {
        let error =
            read(&program(file), &[("mine.py", "a program")]).expect_err("it cannot be run");
        assert_eq!((error.key.as_str(), error.found.as_str()), ("program.0.file", found));
        assert!(error.expected.contains("`uplane.application.Application`"), "{error}");
    }
}
