//! Replays: each message of a file is written at its time, and its latency has a closed form for
//! the path.

use crate::runs::table;
use uplane::record::Data;
use uplane::scenario::{Outcome, Scenario};

/// A link with 1 µs a byte and a delay of 5 ms.
const PATH: &str = r#"
duration = "20 s"
[radio.fixed]
[[link]]
name = "way"
rate = "8 Mbit/s"
delay = "5 ms"
[tcp.plain]
base = "rfc"
nagle = false
"#;

fn text(keys: &str, rows: &[&str]) -> String {
    let file = format!("time,direction,bytes\n{}\n", rows.join("\n"));
    format!("{PATH}[[replay]]\nname = \"again\"\n{keys}\nfile = \"\"\"\n{file}\"\"\"\n")
}

fn run(keys: &str, rows: &[&str]) -> Outcome {
    crate::runs::run(&text(keys, rows), 1)
}

/// One row of the table `messages`; times in milliseconds.
#[derive(Debug)]
struct Message {
    direction: String,
    written: f64,
    bytes: f64,
    latency: Option<f64>,
}

/// The messages in the order in which they were written.
fn messages(outcome: &Outcome) -> Vec<Message> {
    let table = table(outcome, "messages");
    let number = |column: &str, at: usize| match table.column(column).expect("a column") {
        Data::U64(values) => Some(values[at] as f64),
        Data::F64(values) => values[at],
        Data::Text(_) => panic!("{column} is text"),
    };
    let text = |column: &str, at: usize| match table.column(column).expect("a column") {
        Data::Text(values) => values[at].to_owned(),
        _ => panic!("{column} is no text"),
    };
    let mut rows: Vec<usize> = (0..table.rows()).collect();
    rows.sort_by_key(|&at| number("number", at).map(|number| number as u64));
    let message = |at: usize| {
        let written = number("written_s", at).expect("all are written");
        let latency = number("latency_ms", at);
        let delivered = number("delivered_s", at);
        let same = delivered.zip(latency).is_none_or(|(delivered, latency)| {
            ((delivered - written) * 1e3 - latency).abs() < 1e-6
        });
        assert!(same && delivered.is_some() == latency.is_some(), "{delivered:?} {latency:?}");
        let bytes = number("bytes", at).expect("a length");
        Message { direction: text("direction", at), written: written * 1e3, bytes, latency }
    };
    rows.into_iter().map(message).collect()
}

fn latencies(outcome: &Outcome) -> Vec<f64> {
    messages(outcome).iter().map(|message| message.latency.expect("it was delivered")).collect()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
    assert!(near, "{found:?}, not {expected:?}");
}

/// A datagram of 972 bytes has 1000 with UDP and IP headers, and takes 1 ms onto the link and 5 ms
/// along it. Of two at one instant the second one waits for the first; the directions do not wait
/// for each other.
#[test]
fn a_datagram_takes_its_serialisation_and_the_delay() {
    let rows = ["0,down,972", "2 ms,up,472", "2 ms,down,972", "2 ms,down,72", "0.1,up,1"];
    let outcome = run("datagrams = true", &rows);
    assert_near(&latencies(&outcome), &[6.0, 5.5, 6.0, 6.1, 5.029]);
    let written: Vec<f64> = messages(&outcome).iter().map(|message| message.written).collect();
    assert_near(&written, &[0.0, 2.0, 2.0, 2.0, 100.0]);
    let ways: Vec<String> = messages(&outcome).into_iter().map(|it| it.direction).collect();
    assert_eq!(ways, ["down", "up", "down", "down", "up"]);
}

/// The times of the file count from the start of the application.
#[test]
fn times_count_from_the_start() {
    let outcome = run("datagrams = true\nstart = \"3 s\"", &["0,down,972", "1,down,972"]);
    let written: Vec<f64> = messages(&outcome).iter().map(|message| message.written).collect();
    assert_near(&written, &[3000.0, 4000.0]);
}

/// 1200 bytes as 500, 500 and 200, each with 28 bytes of headers: 528 + 528 + 228 µs and 5 ms.
#[test]
fn long_message_arrives_with_its_last_datagram() {
    let outcome = run("datagrams = true\npayload = \"500 B\"", &["0,down,1200", "1,down,500"]);
    assert_near(&latencies(&outcome), &[6.284, 5.528]);
}

/// The second packet is lost, and with it one message, no other.
#[test]
fn message_with_a_lost_datagram_is_not_delivered() {
    let rows = ["0,down,1000", "0.1,down,500"];
    let lossy = text("datagrams = true\npayload = \"500 B\"", &rows)
        .replace("delay = \"5 ms\"", "delay = \"5 ms\"\nlost_packets = [2]");
    let outcome = crate::runs::run(&lossy, 1);
    let delivered: Vec<bool> =
        messages(&outcome).iter().map(|message| message.latency.is_some()).collect();
    assert_eq!(delivered, [false, true]);
}

/// Over a connection that is open, with nothing under way: at least the bytes and the delay, at
/// most 60 bytes of headers more for each segment of 1400.
#[test]
fn message_over_tcp_takes_serialisation_and_delay() {
    let rows = ["0,down,1", "1,up,1000", "2,down,1400", "3,down,10000", "4,up,14000"];
    let outcome = run("tcp = \"plain\"\nhandshake = false", &rows);
    for message in messages(&outcome) {
        let latency = message.latency.expect("nothing is lost");
        let least = message.bytes / 1000.0 + 5.0;
        let most = least + (message.bytes / 1400.0).ceil() * 60.0 / 1000.0;
        assert!((least..=most).contains(&latency), "{latency} of {message:?}: {least} to {most}");
    }
}

/// The client's end is open a round trip after the SYN, the server's half a round trip later;
/// messages written before wait for that. SYN and acknowledgement have at most 80 bytes each.
#[test]
fn writes_before_the_connection_opens_wait() {
    let outcome = run("tcp = \"plain\"", &["0,up,1000", "0,down,1000"]);
    let found = latencies(&outcome);
    for (found, trips) in found.iter().zip([3.0, 4.0]) {
        let least = trips * 5.0 + 1.0;
        assert!((least..least + 0.4).contains(found), "{found}, not {least}");
    }
}

/// 25 000 bytes each 10 ms are 2.5 times the capacity of the link: message n arrives when n + 1 of
/// them have left, and was written n · 10 ms after the first, whatever became of those before.
#[test]
fn messages_do_not_wait_for_earlier_arrivals() {
    let rows: Vec<String> = (0..40).map(|n| format!("{} ms,down,25000", n * 10)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    for keys in ["datagrams = true\npayload = \"1250 B\"", "handshake = false"] {
        let outcome = run(keys, &rows);
        for (n, message) in messages(&outcome).iter().enumerate() {
            assert!((message.written - n as f64 * 10.0).abs() < 1e-6, "{message:?}");
            let latency = message.latency.expect("the run is long enough");
            let least = (n + 1) as f64 * 25.0 - n as f64 * 10.0 + 5.0;
            assert!(latency >= least, "{keys}: {latency} of message {n}, at least {least}");
        }
    }
}

/// QUIC's handshake takes a round trip (RFC 9001 §4.1), and its data use one stream in order.
#[test]
fn a_message_over_quic_is_delivered_in_order() {
    let outcome = run("quic = \"default\"", &["0,up,1000", "1,down,5000", "1,down,10"]);
    let found = latencies(&outcome);
    assert!(found[0] >= 15.0 + 1.0, "{found:?}");
    assert!((10.0..13.0).contains(&found[1]), "{found:?}");
    assert!(found[2] >= found[1], "{found:?}");
}

/// Once everything is delivered nothing keeps the run from ending.
#[test]
fn a_run_ends_with_its_last_message() {
    for keys in ["datagrams = true", "handshake = false"] {
        let outcome = run(keys, &["0,down,972", "50 ms,up,972"]);
        let ends = crate::runs::numbers(&outcome, "run", "simulated_s");
        assert!((0.055..0.2).contains(&ends[0]), "{keys}: {ends:?}");
    }
}

/// A message that the run's end cuts off has no latency.
#[test]
fn messages_under_way_at_the_end_are_undelivered() {
    let rows = ["0,down,1000000", "1,down,20000000", "30,down,5"];
    let outcome = run("handshake = false", &rows);
    let all = messages(&outcome);
    assert_eq!(all.len(), 2, "the third one is due after the end");
    assert!(all[0].latency.is_some() && all[1].latency.is_none(), "{all:?}");
}

fn refused(keys: &str, rows: &[&str]) -> String {
    match Scenario::from_toml(&text(keys, rows), "test", &[]) {
        Ok(_) => panic!("{keys} is accepted"),
        Err(error) => error.to_string(),
    }
}

/// A key that has no effect is refused.
#[test]
fn keys_that_contradict_each_other_are_refused() {
    let cases = [
        ("datagrams = true\ntcp = \"plain\"", "replay.0.tcp: not valid together with `datagrams`"),
        ("datagrams = true\nquic = \"default\"", "replay.0.quic: not valid together with"),
        ("datagrams = true\nhandshake = false", "replay.0.handshake: not valid together with"),
        ("payload = \"500 B\"", "replay.0.payload: requires `datagrams = true`"),
        ("datagrams = true\npayload = \"0 B\"", "replay.0.payload: found"),
        ("quic = \"default\"\ntcp = \"plain\"", "replay.0.quic: not valid together with `tcp`"),
        ("quic = \"default\"\nhandshake = false", "replay.0.handshake: found"),
    ];
    for (keys, expected) in cases {
        let message = refused(keys, &["0,up,1"]);
        assert!(message.contains(expected), "{message}");
    }
    let message = refused("datagrams = true\npayload = \"1 B\"", &["0,up,10001"]);
    assert!(message.contains("a message has at most 10000 datagrams"), "{message}");
    let message = refused("", &["0,up,1", "0,up,x"]);
    assert!(message.contains("replay.0.file: found in line 3 of the text \"x\""), "{message}");
}

/// As with any other application: nothing would ever end such an instant.
#[test]
fn endless_instant_of_a_replay_is_refused() {
    let text =
        text("", &["0,up,2000000000"]).replace("rate = \"8 Mbit/s\"\ndelay = \"5 ms\"\n", "");
    let message = Scenario::from_toml(&text, "test", &[]).expect_err("refused").to_string();
    assert!(message.contains("replay.0.file: found 2000000000 B"), "{message}");
}
