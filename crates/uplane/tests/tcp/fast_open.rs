//! TCP Fast Open (RFC 7413), end to end: over a path of 50 ms and no rate, times are whole round
//! trips, so that the gain by a SYN with data is exact to the nanosecond.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

/// Round-trip time of the path, in s.
const TRIP: f64 = 0.05;

/// The path, and a TCP with this base and this mode of Fast Open.
fn path(base: &str, fast_open: &str) -> String {
    format!(
        "duration = \"60 s\"\n[radio.fixed]\ndown = \"unlimited\"\nup = \"unlimited\"\n\
         rtt = \"0 s\"\n[[link]]\nname = \"path\"\ndelay = \"25 ms\"\n\
         [record]\nheaders = true\ncritical_path = true\n\
         [tcp.default]\nbase = \"{base}\"\nnagle = false\nfast_open = {fast_open}\n"
    )
}

const WAYS: [&str; 4] = ["false", "\"cold\"", "\"warm\"", "\"stale\""];

fn play(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "fast", &[]).unwrap_or_else(|it| panic!("{it}"));
    simulate(&scenario, 1)
}

fn refusal(text: &str) -> String {
    Scenario::from_toml(text, "fast", &[]).expect_err("it is refused").to_string()
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

fn numbers(table: &Table, name: &str) -> Vec<f64> {
    match table.column(name).expect("a column") {
        Data::F64(values) => values.iter().map(|it| it.unwrap_or(-1.0)).collect(),
        Data::U64(values) => values.iter().map(|&value| value as f64).collect(),
        Data::Text(_) => panic!("{name} is text"),
    }
}

fn words(table: &Table, name: &str) -> Vec<String> {
    let Some(Data::Text(words)) = table.column(name) else { panic!("{name} is text") };
    (0..table.rows()).map(|row| words[row].to_owned()).collect()
}

/// Whole numbers, zero for a missing one.
fn integers(table: &Table, name: &str) -> Vec<u64> {
    numbers(table, name).into_iter().map(|value| value as u64).collect()
}

/// Outcome of Fast Open at openers, for each connection.
fn outcomes(outcome: &Outcome, opener: &str) -> Vec<String> {
    let connections = table(outcome, "connections");
    let rows = words(connections, "fast_open").into_iter().zip(words(connections, "sender"));
    rows.filter(|(_, sender)| sender == opener).map(|(word, _)| word).collect()
}

/// Round trips of the first transfer for each of `WAYS`.
fn trips(base: &str, app: &str) -> Vec<f64> {
    let trips = WAYS.map(|way| {
        let outcome = play(&(path(base, way) + app));
        let trips = numbers(table(&outcome, "transfers"), "duration_s")[0] / TRIP;
        assert!((trips - (trips * 2.0).round() / 2.0).abs() < 1e-6, "{base} {way}: {trips} trips");
        (trips * 2.0).round() / 2.0
    });
    trips.to_vec()
}

/// The request is in the SYN, ten segments of the file behind the SYN-ACK, the rest a round trip
/// later: two round trips instead of three.
#[test]
fn download_with_known_cookie_saves_a_round_trip() {
    let download = "[[download]]\nname = \"file\"\nfile = \"20 kB\"\n";
    for base in ["rfc", "linux"] {
        assert_eq!(trips(base, download), [3.0, 3.0, 2.0, 3.0], "{base}");
    }
}

/// Any first write of the opener may be in the SYN: here the file of an upload, as far as it fits.
#[test]
fn a_short_upload_arrives_with_the_syn() {
    let upload = |file| format!("[[upload]]\nname = \"file\"\nfile = \"{file}\"\n");
    assert_eq!(trips("linux", &upload("1420 B")), [1.5, 1.5, 0.5, 1.5]);
    assert_eq!(trips("linux", &upload("1421 B")), [1.5, 1.5, 1.5, 1.5]);
}

/// An opener without data shows its cookie, and the server may begin.
#[test]
fn a_server_that_begins_begins_with_the_syn() {
    let download = "[[download]]\nname = \"file\"\nfile = \"1 kB\"\nrequest = \"0 B\"\n";
    assert_eq!(trips("linux", download), [2.0, 2.0, 1.0, 2.0]);
    let pushed = format!("{download}opens = \"server\"\n");
    assert_eq!(trips("linux", &pushed), [1.5, 1.5, 0.5, 1.5]);
}

/// The first connection of a page learns the cookie, and each later one saves a round trip.
#[test]
fn a_page_of_short_connections_asks_once() {
    let page = "[[web]]\nname = \"page\"\nobjects = [\"1 kB\", \"1 kB\", \"1 kB\", \"1 kB\"]\n\
                parallel = 1\npersistent = false\n";
    let mut took = Vec::new();
    for (way, first, others) in [
        ("false", "none", "none"),
        ("\"cold\"", "asked", "accepted"),
        ("\"warm\"", "accepted", "accepted"),
        ("\"stale\"", "refused", "accepted"),
    ] {
        let outcome = play(&(path("linux", way) + page));
        assert_eq!(outcomes(&outcome, "ue"), [first, others, others, others], "{way}");
        let transfers = table(&outcome, "transfers");
        let kinds = words(transfers, "kind");
        let page = kinds.iter().position(|kind| kind == "page").expect("a page");
        took.push((numbers(transfers, "duration_s")[page] / TRIP * 1e6).round() / 1e6);
    }
    assert_eq!(took, [8.0, 5.0, 4.0, 5.0]);
}

/// RFC 7413 §4.1.3: each UE has its own cache of cookies.
#[test]
fn each_ue_has_a_cookie_of_its_own() {
    let apps = "[[ue]]\nname = \"one\"\n[[ue]]\nname = \"two\"\n\
                [[download]]\nname = \"a\"\nue = \"one\"\nfile = \"1 kB\"\n\
                [[download]]\nname = \"b\"\nue = \"two\"\nfile = \"1 kB\"\nstart = \"1 s\"\n\
                [[download]]\nname = \"c\"\nue = \"one\"\nfile = \"1 kB\"\nstart = \"2 s\"\n";
    let outcome = play(&(path("linux", "\"cold\"") + apps));
    assert_eq!(outcomes(&outcome, "ue"), ["asked", "asked", "accepted"]);
    let headers = table(&outcome, "headers");
    let mut cookies: Vec<String> = words(headers, "fast_open");
    cookies.retain(|word| !word.is_empty() && word != "request");
    cookies.sort();
    cookies.dedup();
    assert_eq!(cookies.len(), 2, "{cookies:?}");
}

/// RFC 7413 §4.1.1: 20 B of IP, 20 of TCP, 20 of the SYN's other options, and the option in whole
/// words; then the data.
#[test]
fn syn_bytes_include_option_and_data() {
    for (length, option) in [(4, 8), (8, 12), (16, 20)] {
        let text = path("linux", "true")
            + &format!("fast_open_cookie = \"{length} B\"\n")
            + "[[web]]\nname = \"page\"\nobjects = [\"1 kB\", \"1 kB\"]\nrequest = \"300 B\"\n\
               parallel = 1\npersistent = false\n";
        let outcome = play(&text);
        let headers = table(&outcome, "headers");
        let [flags, bytes, payload] =
            ["flags", "bytes", "payload_bytes"].map(|name| integers(headers, name));
        let is_sent = words(headers, "event");
        let syns = |wanted: u64| -> Vec<(u64, u64)> {
            (0..headers.rows())
                .filter(|&row| flags[row] == wanted && is_sent[row] == "sent")
                .map(|row| (bytes[row], payload[row]))
                .collect()
        };
        assert_eq!(syns(2), [(64, 0), (360 + option, 300)], "{length}");
        assert_eq!(syns(18), [(60 + option, 0), (60, 0)], "{length}");
    }
}

/// RFC 7413 §4.1.3: a SYN may carry the segment size that the server's SYN-ACKs announced on this
/// path.
#[test]
fn known_segment_size_is_that_of_the_path() {
    let clamped = |clamp: &str, app: &str| {
        let text = path("linux", "\"warm\"")
            + &format!("[gtpu]\nlinks = [\"path\"]\nmss_clamp = \"{clamp}\"\n")
            + &format!("[[{app}]]\nname = \"file\"\nfile = \"3 kB\"\n");
        let text =
            if app == "upload" { text } else { text + "opens = \"server\"\nrequest = \"0 B\"\n" };
        let outcome = play(&text);
        let headers = table(&outcome, "headers");
        let (flags, payload) = (integers(headers, "flags"), integers(headers, "payload_bytes"));
        let syn = flags.iter().position(|&flags| flags == 2).expect("a SYN");
        assert_eq!(outcomes(&outcome, if app == "upload" { "ue" } else { "server" }), ["accepted"]);
        payload[syn]
    };
    for app in ["upload", "download"] {
        assert_eq!(clamped("1200 B", app), 1160, "{app}");
        assert_eq!(clamped("9000 B", app), 1420, "{app}");
    }
}

/// The causes of a transfer sum to all its time, with or without a handshake before.
#[test]
fn the_critical_path_is_the_whole_time() {
    for way in WAYS {
        let download = "[[download]]\nname = \"file\"\nfile = \"20 kB\"\n";
        let outcome = play(&(path("linux", way) + download));
        let parts = numbers(table(&outcome, "critical_path"), "time_ms");
        let took = numbers(table(&outcome, "transfers"), "duration_s")[0];
        assert!((parts.iter().sum::<f64>() / 1000.0 - took).abs() < 1e-9, "{way}: {parts:?}");
    }
}

#[test]
fn impossible_combinations_are_refused() {
    let download = "[[download]]\nname = \"file\"\nfile = \"1 kB\"\n";
    let open = path("rfc", "true") + download + "handshake = false\n";
    let told = refusal(&open);
    assert!(told.contains("download.0.handshake") && told.contains("fast_open"), "{told}");
    let odd = path("rfc", "true") + "fast_open_cookie = \"7 B\"\n" + download;
    let told = refusal(&odd);
    assert!(told.contains("tcp.default.fast_open_cookie") && told.contains("even"), "{told}");
    let long = path("rfc", "true") + "fast_open_cookie = \"18 B\"\n" + download;
    assert!(refusal(&long).contains("16 B"));
    let quic = path("rfc", "false") + "[quic.fast]\nfast_open = true\n" + download;
    assert!(refusal(&quic).contains("quic.fast.fast_open"));
    let unknown = path("rfc", "\"hot\"") + download;
    assert!(refusal(&unknown).contains("warm"));
}
