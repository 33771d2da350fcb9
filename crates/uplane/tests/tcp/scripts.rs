//! TCP against its specifications, by scripts: `scripts/*.pkt`.
//!
//! A script is an exchange with one connection in virtual time, in a syntax close to packetdrill's
//! (`scripts/reader.rs` describes it). Its first comment names the clause that it proves. The
//! script must expect each segment of the connection, at that very nanosecond.

mod player;
mod reader;

use std::fs;
use std::path::PathBuf;

/// Name and text of all scripts.
fn scripts() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tcp/scripts");
    let entries = fs::read_dir(folder).expect("the folder of scripts exists");
    let mut scripts: Vec<(String, String)> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pkt"))
        .map(|path| {
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("a readable script"))
        })
        .collect();
    scripts.sort();
    scripts
}

/// Plays a script and returns the place of a failure.
fn verdict(text: &str) -> Result<(), String> {
    player::play(&reader::read(text)?)
}

#[test]
fn every_script_is_played_to_its_end() {
    let failures: Vec<String> = scripts()
        .iter()
        .filter_map(|(name, text)| {
            let message = verdict(text).err()?;
            Some(format!("{name}: {message}"))
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_script_names_the_clause_that_it_proves() {
    let scripts = scripts();
    assert!(scripts.len() >= 40, "only {} scripts were found", scripts.len());
    for (name, text) in scripts {
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("// RFC "), "{name} begins with: {first}");
    }
}

/// The message of a script that must fail.
fn complaint(text: &str) -> String {
    verdict(text).expect_err("the script is wrong")
}

#[test]
fn error_names_the_line_and_the_expectation() {
    for (text, message) in [
        ("0 dance", "line 1: `dance` is no action"),
        ("set mss big", "line 1: `big` is no number"),
        ("set speed 3", "line 1: there is no setting `speed`"),
        ("profile reno2", "line 1: there is no profile `reno2`"),
        ("0 connect\n+0 > S 0:5(0)", "line 2: 0:5 is not 0 bytes long"),
        ("0 connect\n+0 > Q 0:0(0)", "line 2: `Q` is no flag"),
        ("0 connect\n-1 close", "line 2: `-1` is no time"),
        ("1 listen\n0 close", "line 2: time runs backwards"),
        ("0 listen\n0 cwnd", "line 2: `cwnd` needs a value"),
        ("0 listen\n0 < S 0:0(0) <mss>", "line 2: `mss` needs a number"),
        ("0 listen\n0 < S 0:0(0) <colour 3>", "line 2: there is no option `colour`"),
    ] {
        let complaint = complaint(text);
        assert!(complaint.starts_with(message), "{complaint}");
    }
}

#[test]
fn missing_segment_fails_the_script() {
    let complaint = complaint("0 listen\n+1 > . 1:1(0) ack 1");
    assert_eq!(complaint, "line 2, at 1.000000000 s: expected `. 1:1(0) ack 1`, nothing was sent");
}

#[test]
fn unexpected_segment_fails_the_script() {
    let early = complaint("profile study_004_plain\n0 connect\n+1 close");
    assert_eq!(
        early,
        "line 3, at 1.000000000 s: nobody expected `S 0:0(0) win 65535` at 0.000000000 s"
    );
    let trailing = complaint("profile study_004_plain\n0 connect");
    assert!(trailing.starts_with("at the end: nobody expected `S 0:0(0)"), "{trailing}");
}

#[test]
fn different_or_mistimed_segment_fails_the_script() {
    let differs = complaint("0 established\n0 write 10\n0 > P. 1:12(11) ack 1");
    assert!(differs.contains("expected `P. 1:12(11) ack 1`, but `P. 1:11(10) ack 1"), "{differs}");
    let late = complaint("0 established\n0 write 10\n1 > P. 1:11(10) ack 1");
    assert!(late.contains("was sent at 0.000000000 s"), "{late}");
}

#[test]
fn a_wrong_fact_is_noticed() {
    let complaint = complaint("0 established\n0 cwnd 7");
    assert!(complaint.starts_with("line 2, at 0.000000000 s: cwnd is 14480, not 7"), "{complaint}");
}
