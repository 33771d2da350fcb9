//! Messages for scenarios that cannot be run: each names the key, the value found and a legal
//! value, in words of TOML, in bounded length, and without raw control characters.

use uplane::scenario::{Scenario, ScenarioError};

const SMALL: &str = "\
[radio.geran]
profile = \"edge\"
[[link]]
name = \"s1\"
[[ping]]
name = \"echo\"
count = 1
";

fn error(text: &str, set: &[(&str, &str)]) -> ScenarioError {
    let set: Vec<_> = set.iter().map(|&(key, it)| (key.to_owned(), it.to_owned())).collect();
    match Scenario::from_toml(text, "test.toml", &set) {
        Ok(_) => panic!("accepted: {text} {set:?}"),
        Err(error) => error,
    }
}

/// The message for the small scenario with these values.
fn refused(set: &[(&str, &str)]) -> String {
    error(SMALL, set).to_string()
}

/// `[radio.lte]` with one more line.
fn refused_in_cell(line: &str) -> String {
    let text = format!("[radio.lte]\n{line}\n[[ping]]\nname = \"echo\"\n");
    error(&text, &[]).to_string()
}

#[test]
fn number_for_a_word_lists_the_words() {
    let message = refused_in_cell("sharing = 1");
    assert_eq!(
        message,
        "test.toml:2: radio.lte.sharing: found 1, expected one of priority, buckets, equal"
    );
    let message = refused(&[("radio", "5")]);
    assert_eq!(
        message,
        "--set: radio: found 5, expected one section of fixed, geran, lte, nr, en_dc"
    );
}

#[test]
fn text_for_a_number_names_the_unit() {
    let message = refused_in_cell("downlink_sinr_db = \"15 dB\"");
    assert_eq!(
        message,
        "test.toml:2: radio.lte.downlink_sinr_db: found \"15 dB\", expected a number of dB, without the unit"
    );
    let message = refused_in_cell("mcs = 300");
    assert_eq!(message, "test.toml:2: radio.lte.mcs: found 300, expected from 0 to 28");
    let message = refused_in_cell("layers = -1");
    assert!(message.ends_with("found -1, expected a whole number from 0 to 255"), "{message}");
}

/// A message contains no type of Rust and no phrase of a library.
#[test]
fn messages_speak_of_toml_only() {
    let values =
        ["1", "-1", "0.5", "true", "\"\\u0000\"", "[]", "[1]", "{}", "{ a = 1 }", "1979-05-27"];
    let keys = [
        "radio",
        "radio.lte",
        "radio.lte.sharing",
        "radio.lte.rate",
        "radio.lte.mcs",
        "radio.lte.downlink_sinr_db",
        "radio.lte.bler",
        "radio.lte.network",
        "radio.lte.feedback",
        "radio.lte.bearer",
        "title",
        "seed",
        "tcp",
        "tcp.default",
        "tcp.default.sack",
        "tcp.default.acks",
        "record",
        "record.packets",
        "ue",
        "link",
        "link.0.queue",
        "gtpu.links",
    ];
    let cell = SMALL.replace("[radio.geran]\nprofile = \"edge\"", "[radio.lte]");
    let leaks = [
        "unit variant",
        "f64",
        "u32",
        "struct",
        "string only",
        "expected map",
        "string",
        "keys  ",
        "boolean",
    ];
    let mut seen = 0;
    for key in keys {
        for value in values {
            let set = [(key.to_owned(), value.to_owned())];
            let Err(error) = Scenario::from_toml(&cell, "test.toml", &set) else { continue };
            seen += 1;
            let message = error.to_string();
            for leak in leaks {
                assert!(!message.contains(leak), "{key} = {value}: {message}");
            }
            assert!(!message.trim_end().ends_with("with the keys"), "{key} = {value}: {message}");
        }
    }
    assert!(seen > 100, "{seen} values were refused");
}

/// Keys stand for values, not positions: a new key in the middle would change the meaning of a
/// list.
#[test]
fn a_list_is_no_section() {
    for (text, key) in [
        ("ping = [[\"p\"]]\n[radio.fixed]\n", "ping.0"),
        (
            "radio = { fixed = [\"10 Mbit/s\", \"5 Mbit/s\", \"20 ms\"] }\nping = [{ name = \"p\" }]\n",
            "radio.fixed",
        ),
        ("record = [true, true, true]\n[radio.fixed]\n[[ping]]\nname = \"p\"\n", "record"),
        (
            "link = [[\"l\", \"1 Mbit/s\", \"5 ms\"]]\n[radio.fixed]\n[[ping]]\nname = \"p\"\n",
            "link.0",
        ),
        ("[radio.lte]\nsps = [10, \"80 B\"]\n[[ping]]\nname = \"p\"\n", "radio.lte.sps"),
        ("radio = [\"fixed\"]\nping = [{ name = \"p\" }]\n", "radio"),
    ] {
        let error = error(text, &[]);
        assert_eq!((error.key.as_str(), error.found.as_str()), (key, "a list"), "{error}");
    }
    let section = error("[radio.lte]\nallocation = { groups = {} }\n[[ping]]\nname = \"p\"\n", &[]);
    assert_eq!(
        section.to_string(),
        "test.toml:2: radio.lte.allocation: found a section, expected one of groups, whole_band"
    );
}

/// The names count-1, count-2, … of one section and the name of another appear in the same tables.
#[test]
fn no_two_ues_have_one_name() {
    for ues in [
        "[[ue]]\nname = \"a\"\ncount = 2\n[[ue]]\nname = \"a-1\"\n",
        "[[ue]]\nname = \"a-2\"\n[[ue]]\nname = \"a\"\ncount = 2\n",
    ] {
        let error = error(&format!("{SMALL}{ues}"), &[]);
        assert_eq!(error.key, "ue.1.name");
        assert!(error.expected.contains("no other UE"), "{error}");
    }
    let apart = "[[ue]]\nname = \"a\"\ncount = 2\n[[ue]]\nname = \"a-3\"\n";
    assert!(Scenario::from_toml(&format!("{SMALL}{apart}"), "test.toml", &[]).is_ok());
}

#[test]
fn found_value_is_escaped_and_bounded() {
    let long = "x".repeat(1_000_000);
    let nested = "[".repeat(100_000);
    let dotted = vec!["a"; 100_000].join(".");
    let texts = [
        SMALL.replace("\"edge\"", &format!("\"{long}\"")),
        SMALL.replace("\"echo\"", &format!("\"{long}\"")),
        format!("{long} = 1\n{SMALL}"),
        format!("{long}\n{SMALL}"),
        format!("[tcp.{long}]\n{SMALL}"),
        format!("a = {nested}\n{SMALL}"),
        format!("{dotted} = 1\n{SMALL}"),
        SMALL.replace("\"edge\"", "\"\\u001b]0;x\\u0007\""),
        SMALL.replace("\"edge\"", "\"a\u{9b}31m\u{202e}\""),
        SMALL.replace("\"edge\"", "\"a\0b\""),
        format!("\"\\u001b[2J\" = 1\n{SMALL}"),
        SMALL.replace("\"echo\"", "\"\\u001b[2J\""),
    ];
    for text in &texts {
        let message = error(text, &[]).to_string();
        assert!(message.chars().count() < 700, "{} characters", message.chars().count());
        let raw = |c: char| c.is_control() || c == '\u{202e}';
        assert!(!message.contains(raw), "{message:?}");
    }
    assert!(error(&texts[0], &[]).found.ends_with("x…\""));
    for text in &texts {
        assert!(error(text, &[]).line.is_some(), "{}", error(text, &[]));
    }
}

/// Of many names the nearest are shown, with the number of others.
#[test]
fn list_of_names_is_bounded_nearest_first() {
    let ues: Vec<String> = (1..=4000).map(|n| format!("[[ue]]\nname = \"site-{n}\"\n")).collect();
    let ues = ues.concat();
    let text = format!("{SMALL}ue = \"sit-1234\"\n{ues}");
    let error = error(&text, &[]);
    assert_eq!(error.nearest.as_deref(), Some("site-1234"));
    let names = error.expected.split_once(": ").expect("names").1;
    assert!(names.starts_with("site-1234, "), "{names}");
    assert!(names.ends_with(" and 3990 more"), "{names}");
}

#[test]
fn error_of_an_override_blames_the_override() {
    let message = refused(&[("ue", "[{ name = \"u\", count = 1000000000 }]")]);
    assert!(message.starts_with("--set: ue.0.count: found 1000000000, expected"), "{message}");
    let message = refused(&[("upload.photo.file", "5 kB")]);
    assert_eq!(
        message,
        "--set: upload.photo.file: no section [[upload]]; add one with name = \"photo\" to the file"
    );
}

/// Each scenario has a UE, whether the file says so or not.
#[test]
fn implicit_ue_can_be_overridden() {
    let set = [("ue.ue.count".to_owned(), "10".to_owned())];
    let scenario = Scenario::from_toml(SMALL, "test.toml", &set).expect("ten UEs");
    assert_eq!(scenario.effective()["ue"][0]["count"], 10);
}

#[test]
fn a_missing_key_is_described() {
    let message = error("[[ping]]\nname = \"p\"\n", &[]).to_string();
    assert_eq!(
        message,
        "test.toml: radio: no radio section; add one of `[radio.fixed]`, `[radio.geran]`, `[radio.lte]`, `[radio.nr]` or `[radio.en_dc]`"
    );
    let message = error(&format!("{SMALL}[[upload]]\nname = \"u\"\n"), &[]).to_string();
    assert!(
        message.starts_with("test.toml:8: upload.0.file: required: an amount such as"),
        "{message}"
    );
}

fn refused_in_nr(lines: &str) -> String {
    let text = format!("[radio.nr]\n{lines}\n[[ping]]\nname = \"echo\"\n");
    error(&text, &[]).to_string()
}

#[test]
fn nr_bandwidths_are_listed_for_the_spacing() {
    let message = refused_in_nr("subcarrier_spacing_khz = 120\nbandwidth_mhz = 40");
    assert_eq!(
        message,
        "test.toml:3: radio.nr.bandwidth_mhz: found 40 MHz, expected 50, 100, 200 or 400 MHz at 120 kHz"
    );
}

#[test]
fn tdd_pattern_is_checked_by_arithmetic() {
    for (pattern, rule) in [
        ("DDDSU 10:4:2", "10 + 4 + 2 = 16 symbols; a slot has 14 (try \"DDDSU 10:2:2\")"),
        ("DDDXU 10:2:2", "`X` is no slot; slots are D (downlink), S (special) and U (uplink)"),
    ] {
        let message = refused_in_nr(&format!("duplex = \"{pattern}\""));
        assert_eq!(message, format!("test.toml:2: radio.nr.duplex: {rule}"));
    }
    let message = refused_in_nr("duplex = \"europa\"");
    assert!(message.contains("found \"europa\", expected \"FDD\", slots D, S and U"), "{message}");
}

#[test]
fn limits_of_dual_connectivity_are_stated_as_rules() {
    let text = "[radio.lte]\n[radio.en_dc]\n[radio.nr]\nrach = {}\nrrc = {}\n";
    assert_eq!(
        error(text, &[]).to_string(),
        "test.toml:5: radio.nr.rrc: not modelled together with [radio.en_dc]; remove one of the two sections"
    );
}

#[test]
fn near_key_replaces_the_list_of_keys() {
    let message = refused_in_nr("bandwidth = 40");
    assert_eq!(
        message,
        "test.toml:2: radio.nr.bandwidth: found an unknown key; did you mean `bandwidth_mhz`?"
    );
    let message = refused_in_nr("zzzzzzzzzzzz = 40");
    assert!(message.contains("expected one of the keys profile, "), "{message}");
}

#[test]
fn bbr2_suggests_bbr() {
    let set = "[tcp.default]\ncongestion_control = \"bbr2\"\n";
    let error = error(&format!("{SMALL}{set}"), &[]);
    assert_eq!(error.nearest.as_deref(), Some("bbr"));
    assert_eq!(error.reason, "`bbr` is BBR version 3");
}

#[test]
fn missing_key_of_a_rule_blames_no_base() {
    let message = refused_in_nr("ack_filter = { rule = 'hybrid' }");
    assert!(
        message.starts_with("test.toml:2: radio.nr.ack_filter.threshold: required"),
        "{message}"
    );
    assert!(message.ends_with("acknowledgements that may wait"), "{message}");
}

/// A wrong guess is worse than no guess.
#[test]
fn another_value_is_no_slip_of_the_pen() {
    assert_eq!(error("[radio.lte]\nbandwidth = \"7 MHz\"\n", &[]).nearest, None);
    assert_eq!(error("[radio.lte]\nbandwidth = \"5MHz\"\n", &[]).nearest.as_deref(), Some("5 MHz"));
}

/// A set that no application uses is checked like any other; a slip in the name of the default set
/// makes such a set.
#[test]
fn an_unused_tcp_set_is_checked() {
    for (set, key) in [
        ("[tcp.spare]\nbase = \"nope\"\n", "tcp.spare.base"),
        ("[tcp.spare]\nmss = \"1 B\"\n", "tcp.spare.mss"),
        ("[tcp.a]\nbase = \"b\"\n[tcp.b]\nbase = \"a\"\n", "tcp.b.base"),
        ("[tcp.\"a/b\"]\n", "tcp.a/b"),
    ] {
        assert_eq!(error(&format!("{SMALL}{set}"), &[]).key, key);
    }
    let slip =
        error(&format!("{SMALL}[[upload]]\nname = \"u\"\nfile = \"1 kB\"\n[tcp.defualt]\n"), &[]);
    assert_eq!((slip.key.as_str(), slip.nearest.as_deref()), ("tcp.defualt", Some("default")));
}

/// Bases are followed without recursion, so that no chain is too long for the stack.
#[test]
fn a_long_chain_of_bases_is_followed() {
    let sets: Vec<String> =
        (1..20_000).map(|n| format!("[tcp.s{n}]\nbase = \"s{}\"\n", n - 1)).collect();
    let text = format!(
        "{SMALL}[tcp.s0]\nmss = \"1000 B\"\n{}[[upload]]\nname = \"u\"\nfile = \"1 kB\"\ntcp = \"s19999\"\n",
        sets.concat()
    );
    assert!(Scenario::from_toml(&text, "test.toml", &[]).is_ok());
}

/// Names are looked up in trees: with lists, 10^5 sections took minutes.
#[test]
fn a_hundred_thousand_sections_are_read() {
    let many = |section: &str| {
        let all: Vec<String> =
            (0..25_000).map(|n| format!("[[{section}]]\nname = \"{section}-{n}\"\n")).collect();
        all.concat()
    };
    let sets: Vec<String> = (0..25_000).map(|n| format!("[tcp.s{n}]\n")).collect();
    let apps: Vec<String> = (0..25_000)
        .map(|n| {
            format!("[[upload]]\nname = \"up-{n}\"\nfile = \"1 B\"\ntcp = \"s{n}\"\nue = \"ue-{n}\"\nserver_address = \"192.0.{}.{}\"\n", n / 250, n % 250)
        })
        .collect();
    let links = many("link");
    let inside: Vec<String> = (0..25_000).map(|n| format!("\"link-{n}\"")).collect();
    let text = format!(
        "[radio.fixed]\n{links}{}{}{}[gtpu]\nlinks = [{}]\n",
        many("ue"),
        sets.concat(),
        apps.concat(),
        inside.join(", ")
    );
    assert!(Scenario::from_toml(&text, "test.toml", &[]).is_ok());
}

/// The bounds in a message are the bounds that are checked.
#[test]
fn a_range_that_holds_zero_says_so() {
    let hold = |time: &str| {
        let text = format!(
            "{SMALL}[tcp.default]\nhandshake_ack_hold = \"{time}\"\n[[upload]]\nname = \"u\"\nfile = \"1 kB\"\n"
        );
        Scenario::from_toml(&text, "test.toml", &[])
    };
    assert!(hold("0 s").is_ok());
    let error = hold("61 s").expect_err("a minute is the longest");
    assert_eq!(error.expected, "from 0 s to 60 s");
}
