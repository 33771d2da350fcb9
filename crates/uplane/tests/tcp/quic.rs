//! QUIC end to end: the handshake, files, pages, losses, radios, determinism.
#![cfg(feature = "quic")]

use std::process::Command;

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

fn scenario(text: &str) -> Scenario {
    Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn run(text: &str) -> Outcome {
    simulate(&scenario(text), 1)
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

fn numbers(outcome: &Outcome, name: &str, column: &str) -> Vec<f64> {
    match table(outcome, name).column(column).expect("a column") {
        Data::F64(values) => values.iter().map(|value| value.unwrap_or(f64::NAN)).collect(),
        Data::U64(values) => values.iter().map(|&value| value as f64).collect(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

/// The sum of a column of whole numbers.
fn total(outcome: &Outcome, name: &str, column: &str) -> u64 {
    numbers(outcome, name, column).iter().map(|&value| value as u64).sum()
}

fn texts(outcome: &Outcome, name: &str, column: &str) -> Vec<String> {
    match table(outcome, name).column(column).expect("a column") {
        Data::Text(texts) => texts.iter().map(str::to_owned).collect(),
        _ => panic!("{column} is no text"),
    }
}

/// One link between the server and a radio that takes no time.
fn path(link: &str, rest: &str) -> String {
    format!("[radio.fixed]\n[[link]]\nname = \"core\"\n{link}\n{rest}")
}

fn download(file: &str, keys: &str) -> String {
    format!("[[download]]\nname = \"file\"\nfile = \"{file}\"\n{keys}\n")
}

/// The time of the only transfer, which is complete.
fn seconds(outcome: &Outcome) -> f64 {
    let all = numbers(outcome, "transfers", "duration_s");
    assert_eq!(all.len(), 1);
    assert!(all[0] > 0.0, "complete");
    all[0]
}

/// RFC 9001 §4: one round trip at the client, half a round trip more at the server; another one if
/// the certificate exceeds three times the bytes that the client sent (RFC 9000 §8.1).
#[test]
fn the_handshake_takes_one_round_trip() {
    let opened = |certificate: u32| {
        let keys = format!("[quic.q]\nserver_handshake = \"{certificate} B\"\n");
        let text = path("delay = \"20 ms\"", &(download("1 kB", "quic = \"q\"") + &keys));
        numbers(&run(&text), "quic", "handshake_ms")
    };
    assert_eq!(opened(2156), [40.0, 60.0]);
    assert_eq!(opened(3200), [40.0, 60.0]);
    assert_eq!(opened(6000), [80.0, 100.0]);
}

/// 1452 B of UDP payload carry 1452 − 1 − 8 − 2 − 16 B of frames, less 6 B of the frame's header
/// (RFC 9000 §17.3.1, §19.8), in 1480 B of IP packet. The rest of 5 % is the ramp-up.
#[test]
fn a_file_fills_a_clean_link() {
    let link = "rate = \"10 Mbit/s\"\ndelay = \"20 ms\"\nqueue = \"unlimited\"";
    for control in ["cubic", "new_reno", "bbr"] {
        let keys = format!("[quic.q]\ncongestion_control = \"{control}\"\n");
        let outcome = run(&path(link, &(download("10 MB", "quic = \"q\"") + &keys)));
        let goodput = numbers(&outcome, "quic", "throughput_kbps")[1];
        let most = 10_000.0 * 1419.0 / 1480.0;
        assert!(goodput <= most && goodput > 0.95 * most, "{control}: {goodput} of {most}");
        assert_eq!(numbers(&outcome, "quic", "lost_packets"), [0.0, 0.0]);
    }
}

#[test]
fn every_byte_arrives_once_whatever_the_losses() {
    for control in ["cubic", "new_reno", "bbr"] {
        for (loss, seed) in [("0.01", 1), ("0.05", 2), ("0.2", 3)] {
            let link = format!("rate = \"10 Mbit/s\"\ndelay = \"10 ms\"\npacket_loss = {loss}");
            let keys = format!(
                "[quic.q]\ncongestion_control = \"{control}\"\n[record]\ndeliveries = true\n"
            );
            let text = path(&link, &(download("700 kB", "quic = \"q\"") + &keys));
            let outcome =
                simulate(&scenario(&("duration = \"1000 s\"\n".to_owned() + &text)), seed);
            assert!(seconds(&outcome) > 0.0, "{control} {loss}");
            assert_eq!(numbers(&outcome, "transfers", "received_bytes"), [700_000.0]);
            let delivered = total(&outcome, "deliveries", "bytes");
            assert_eq!(delivered, 700_000 + 60, "file and request");
            let lost = total(&outcome, "drops", "packets");
            let noticed = total(&outcome, "quic", "lost_packets");
            assert!(lost > 0 && noticed > 0, "{control} {loss}: {lost} lost, {noticed} noticed");
            let again = numbers(&outcome, "quic", "retransmitted_bytes")[1];
            assert!(again > 0.0, "{control} {loss}");
        }
    }
}

/// Bound set in advance: 5 %.
#[test]
fn cubic_takes_as_long_as_cubic_of_tcp() {
    for (rate, delay, file) in [
        ("5 Mbit/s", "20 ms", "5 MB"),
        ("20 Mbit/s", "10 ms", "10 MB"),
        ("20 Mbit/s", "30 ms", "20 MB"),
        ("50 Mbit/s", "20 ms", "40 MB"),
    ] {
        let link = format!("rate = \"{rate}\"\ndelay = \"{delay}\"\nqueue = \"100 packets\"");
        let over = |keys: &str| seconds(&run(&path(&link, &download(file, keys))));
        let ratio = over("quic = \"default\"") / over("tcp = \"linux\"");
        assert!((ratio - 1.0).abs() < 0.05, "{rate} {delay} {file}: {ratio:.3} of TCP's time");
    }
}

/// With losses at random the congestion control decides: CUBIC of the library is as fast as CUBIC
/// of TCP, within a quarter over twenty seeds (they scatter by a third); BBR is not.
#[test]
fn congestion_control_is_the_chosen_one() {
    let link = "rate = \"50 Mbit/s\"\ndelay = \"20 ms\"\nqueue = \"400 packets\"\ndown = { packet_loss = 0.001 }";
    let mean = |keys: &str| {
        let text = path(link, &download("20 MB", keys));
        let scenario = scenario(&("duration = \"1000 s\"\n".to_owned() + &text));
        let times = (1..=20).map(|seed| seconds(&simulate(&scenario, seed)));
        times.sum::<f64>() / 20.0
    };
    let tcp = mean("tcp = \"linux\"");
    let quic =
        |name: &str| mean(&format!("quic = \"q\"\n[quic.q]\ncongestion_control = \"{name}\""));
    let [cubic, reno, bbr] = ["cubic", "new_reno", "bbr"].map(quic);
    assert!((0.8..1.25).contains(&(cubic / tcp)), "CUBIC {cubic}, of TCP {tcp}");
    assert!(bbr < 0.6 * tcp && cubic < reno, "BBR {bbr}, CUBIC {cubic}, NewReno {reno}");
}

#[test]
fn page_has_one_handshake_and_several_streams() {
    let page = |keys: &str| {
        let web =
            "[[web]]\nname = \"page\"\nobjects = [\"20 kB\", \"30 kB\", \"1 B\", \"40 kB\"]\n";
        run(&path("delay = \"20 ms\"", &format!("{web}parallel = 2\n{keys}\n")))
    };
    let outcome = page("quic = \"default\"");
    assert_eq!(texts(&outcome, "quic", "sender"), ["ue", "server"], "one connection");
    assert_eq!(numbers(&outcome, "quic", "streams"), [4.0, 4.0]);
    let received = total(&outcome, "transfers", "received_bytes");
    assert_eq!(received, 2 * 90_001, "the objects, and the page");
    let pages =
        |outcome: &Outcome| *numbers(outcome, "transfers", "duration_s").last().expect("it");
    assert!(pages(&outcome) < pages(&page("")), "TCP opens a connection for each object");
    assert_eq!(
        numbers(&page("quic = \"default\"\npersistent = true"), "quic", "streams"),
        [2.0; 2]
    );
}

#[test]
fn files_arrive_over_every_radio() {
    for radio in [
        "[radio.lte]",
        "[radio.nr]",
        "[radio.geran]",
        "[radio.fixed]\nrtt = \"30 ms\"\ndown = \"2 Mbit/s\"",
    ] {
        for (kind, keys) in [
            ("download", "request = \"0 B\""),
            ("upload", "opens = \"server\"\ncompletion = \"last_ack\""),
        ] {
            let text = format!(
                "{radio}\n[[link]]\nname = \"core\"\ndelay = \"5 ms\"\n[[{kind}]]\nname = \"file\"\nfile = \"300 kB\"\nquic = \"default\"\n{keys}\n"
            );
            let outcome = run(&text);
            assert!(seconds(&outcome) > 0.0, "{radio} {kind}");
            assert_eq!(numbers(&outcome, "transfers", "received_bytes"), [300_000.0]);
        }
    }
}

/// A marking queue signals congestion without dropping (RFC 9000 §13.4, RFC 8289).
#[test]
fn marks_are_obeyed() {
    let outcome = |ecn: bool| {
        let link = "rate = \"10 Mbit/s\"\ndelay = \"20 ms\"\naqm = { codel = { ecn = true } }";
        let keys = format!("[quic.q]\necn = {ecn}\n");
        run(&path(link, &(download("5 MB", "quic = \"q\"") + &keys)))
    };
    let (marked, dropped) = (outcome(true), outcome(false));
    assert_eq!(total(&marked, "drops", "packets"), 0);
    assert!(total(&marked, "quic", "congestion_events") > 0);
    assert!(total(&dropped, "drops", "packets") > 0);
}

#[test]
fn absent_peer_is_abandoned() {
    let keys = download("1 kB", "quic = \"default\"\n[record]\nqlog = true");
    let text = path("packet_loss = 0.999999999", &keys);
    let outcome = run(&text);
    assert_eq!(texts(&outcome, "quic", "ended"), ["timed_out", "run_end"]);
    assert_eq!(numbers(&outcome, "run", "simulated_s"), [30.0], "RFC 9000 §10.1");
    // RFC 9002 §6.2.2: probes after 333 ms + 4 · 166.5 ms, and twice as long each time.
    let events = texts(&outcome, "qlog", "event").into_iter();
    let sent = events.zip(numbers(&outcome, "qlog", "time_s"));
    let sent = sent.filter(|(event, _)| event == "transport:packet_sent").map(|(_, time)| time);
    let twice = [0.999, 2.997, 6.993, 14.985].map(|time| [time; 2]);
    assert_eq!(sent.collect::<Vec<_>>(), [&[0.0], twice.as_flattened()].concat());
    assert!(numbers(&outcome, "quic", "handshake_ms").iter().all(|time| time.is_nan()));
    let warned = texts(&outcome, "warnings", "text");
    assert!(warned.iter().any(|text| text.contains("never opened")), "{warned:?}");
}

#[test]
fn unsupported_keys_are_refused() {
    for (keys, found) in [
        ("quic = \"default\"\ntcp = \"rfc\"", "not valid together with `tcp`"),
        ("quic = \"default\"\nhandshake = false", "QUIC without a handshake is not modelled"),
        ("quic = \"fast\"", "a section of [quic], or \"default\""),
        (
            "quic = \"q\"\n[quic.q]\ninitial_window = \"2400 B\"\ninitial_udp_payload = \"1300 B\"",
            "at least two datagrams",
        ),
        (
            "quic = \"q\"\n[quic.q]\nmax_udp_payload = \"1200 B\"\ninitial_udp_payload = \"1300 B\"",
            "at least initial_udp_payload",
        ),
        ("quic = \"q\"\n[quic.q]\ncongestion_control = \"vegas\"", "cubic"),
    ] {
        let text = path("", &download("1 kB", keys));
        let error = Scenario::from_toml(&text, "test", &[]).expect_err("it is refused").to_string();
        assert!(error.contains(found), "{keys}: {error}");
    }
}

/// All random and hashed state of the library, for each congestion control: losses, a cell, two
/// parallel streams.
fn fingerprint() -> String {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for control in ["cubic", "new_reno", "bbr"] {
        let text = format!(
            "[radio.lte]\n[[link]]\nname = \"core\"\nrate = \"15 Mbit/s\"\ndelay = \"20 ms\"\nqueue = \"60 packets\"\npacket_loss = 0.002\n[[download]]\nname = \"file\"\nfile = \"9 MB\"\nquic = \"q\"\n[[web]]\nname = \"page\"\nobjects = [\"90 kB\", \"50 kB\", \"900 kB\"]\nparallel = 3\nquic = \"q\"\n[quic.q]\ncongestion_control = \"{control}\"\nstream_receive_window = \"60 kB\"\n[record]\npackets = true\ncritical_path = true\nseries = \"50 ms\"\n"
        );
        let outcome = run(&text);
        for byte in format!("{:?}", outcome.tables).bytes() {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("fingerprint {sum:016x}")
}

#[test]
#[expect(clippy::print_stdout, reason = "it is how a process tells another")]
fn two_processes_have_the_same_tables() {
    if std::env::var_os(CHILD).is_some() {
        println!("{}", fingerprint());
        return;
    }
    let own = fingerprint();
    assert_eq!(own, fingerprint(), "twice in one process");
    for _ in 0..3 {
        let program = std::env::current_exe().expect("a program");
        let test = ["quic::two_processes_have_the_same_tables", "--exact", "--nocapture"];
        let output = Command::new(program).args(test).env(CHILD, "1").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(&own), "{own}, and in another process {said}");
    }
}

const CHILD: &str = "UPLANE_QUIC_TEST_CHILD";

/// RFC 9000 §10.1: after a pause longer than the idle timeout there is a new connection, and a
/// warning names the old one, which was open.
#[test]
fn page_with_a_long_pause_reconnects() {
    let web = "[[web]]\nname = \"page\"\nobjects = [\"20 kB\", \"20 kB\"]\nthink = \"40 s\"\n";
    let text = format!("duration = \"200 s\"\n{}", path("delay = \"20 ms\"", web));
    let outcome = run(&format!("{text}quic = \"default\"\n"));
    assert_eq!(numbers(&outcome, "quic", "streams"), [1.0; 4]);
    assert_eq!(total(&outcome, "transfers", "received_bytes"), 2 * 40_000);
    let warned = texts(&outcome, "warnings", "text");
    let told = "page on ue: its QUIC connection was given up: nothing came for the idle timeout";
    assert!(warned.iter().any(|text| text == told), "{warned:?}");
}
