//! Agreement of the tables of a run about packets, blocks and bytes.

use std::collections::{BTreeMap, BTreeSet};

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

fn run(text: &str, set: &[(&str, &str)]) -> Outcome {
    let set: Vec<_> = set.iter().map(|&(key, value)| (key.into(), value.into())).collect();
    let scenario =
        Scenario::from_toml(text, "test", &set).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, 1)
}

/// A row as text and numbers, by column.
struct Row<'a> {
    table: &'a Table,
    at: usize,
}

impl Row<'_> {
    fn number(&self, column: &str) -> f64 {
        self.maybe(column).unwrap_or_else(|| panic!("no {column} in row {}", self.at))
    }

    fn maybe(&self, column: &str) -> Option<f64> {
        match self.table.column(column).unwrap_or_else(|| panic!("no column {column}")) {
            Data::F64(values) => values[self.at],
            Data::U64(values) => Some(values[self.at] as f64),
            Data::Text(_) => panic!("{column} is text"),
        }
    }

    fn texts<const N: usize>(&self, columns: [&str; N]) -> [String; N] {
        columns.map(|column| match self.table.column(column).expect("a column") {
            Data::Text(values) => values[self.at].to_owned(),
            _ => panic!("{column} is no text"),
        })
    }
}

/// The rows of a table, which must not be empty.
fn rows<'a>(outcome: &'a Outcome, name: &str) -> Vec<Row<'a>> {
    let table = outcome.tables.iter().find(|table| table.name == name).expect("a table");
    assert!(table.rows() > 0, "{name} is empty");
    (0..table.rows()).map(|at| Row { table, at }).collect()
}

/// The sum of a column over rows with the same texts.
fn sums<const N: usize>(
    rows: &[Row<'_>],
    key: [&str; N],
    column: &str,
) -> BTreeMap<[String; N], f64> {
    let mut sums = BTreeMap::new();
    for row in rows {
        *sums.entry(row.texts(key)).or_insert(0.0) += row.number(column);
    }
    sums
}

fn warnings(outcome: &Outcome) -> Vec<String> {
    let table = outcome.tables.iter().find(|table| table.name == "warnings").expect("a table");
    (0..table.rows()).flat_map(|at| Row { table, at }.texts(["text"])).collect()
}

fn sum(rows: &[Row<'_>], column: &str) -> f64 {
    rows.iter().map(|row| row.number(column)).sum()
}

fn assert_same(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-6, "{what}: {found} instead of {expected}");
}

/// A file beside a call, over a link that loses and a queue that overflows.
const CONGESTED: &str = r#"
duration = "8 s"
[radio.fixed]
rtt = "20 ms"
[[link]]
name = "far"
delay = "5 ms"
packet_loss = 0.02
[[link]]
name = "narrow"
rate = "2 Mbit/s"
queue = "10 packets"
[[bulk]]
name = "bulk"
[[voice]]
name = "call"
count = 100
[record]
packets = true
deliveries = true
series = "500 ms"
"#;

/// Each dropped packet belongs to an application, and to a cause.
#[test]
fn drops_of_applications_are_those_of_hops() {
    let outcome = run(CONGESTED, &[]);
    let drops = rows(&outcome, "drops");
    let [packets, bytes] =
        ["packets", "bytes"].map(|column| sums(&drops, ["hop", "direction"], column));
    for hop in rows(&outcome, "hops") {
        let key = hop.texts(["hop", "direction"]);
        for (column, counted) in [("packets_dropped", &packets), ("bytes_dropped", &bytes)] {
            let counted = counted.get(&key).copied().unwrap_or_default();
            assert_same(hop.number(column), counted, column);
        }
    }
    let causes = sums(&drops, ["app", "hop", "cause"], "packets");
    for key in [
        ["bulk", "link far", "loss"],
        ["bulk", "link narrow", "queue"],
        ["call", "link far", "loss"],
        ["call", "link narrow", "queue"],
    ] {
        assert!(causes[&key.map(str::to_owned)] > 0.0, "{key:?}");
    }
    assert_eq!(causes.len(), 4, "{causes:?}");
}

/// For each cause, mean times packets is the sum over packets; shares are of the whole latency.
#[test]
fn the_anatomy_is_the_mean_of_its_packets() {
    let outcome = run(CONGESTED, &[]);
    let key = ["app", "ue", "direction", "class", "cause"];
    let each = sums(&rows(&outcome, "packets"), key, "time_ms");
    let whole = sums(&rows(&outcome, "packets"), ["app", "direction", "class"], "time_ms");
    let anatomy = rows(&outcome, "anatomy");
    assert_eq!(anatomy.len(), each.len());
    for row in anatomy {
        let spent = row.number("mean_ms") * row.number("packets");
        assert!((spent - each[&row.texts(key)]).abs() < 1e-3, "{:?}", row.texts(key));
        let share = spent / whole[&row.texts(["app", "direction", "class"])];
        assert!((row.number("share") - share).abs() < 1e-6);
    }
}

/// Data of downloads and calls is downlink traffic, and its acknowledgements are uplink traffic.
/// Every packet has a unique number.
#[test]
fn acknowledgements_go_against_the_data() {
    let outcome = run(CONGESTED, &[]);
    let (mut classes, mut numbers) = (BTreeSet::new(), BTreeMap::new());
    for row in rows(&outcome, "packets") {
        let [app, direction, class] = row.texts(["app", "direction", "class"]);
        if row.number("delivered_s") > 1.0 {
            assert_eq!(class == "ack", row.number("bytes") < 100.0, "{app}: {class}");
            classes.insert(format!("{app} {direction} {class}"));
        }
        let identity = format!("{app} {direction} {}", row.number("started_s"));
        let known = numbers.entry(row.number("packet") as u64).or_insert_with(|| identity.clone());
        assert_eq!(*known, identity);
    }
    assert!(classes.contains("bulk down data") && classes.contains("bulk up ack"), "{classes:?}");
    let [run] = &rows(&outcome, "run")[..] else { panic!("one row") };
    assert!(numbers.keys().all(|&number| number < run.number("packets") as u64));
    let hops = rows(&outcome, "hops");
    for hop in &hops {
        let [direction] = hop.texts(["direction"]);
        let acks = hop.number("acks_in") / hop.number("packets_in");
        assert_eq!(
            acks > 0.5,
            direction == "up",
            "{acks} of what goes {direction} are bare segments"
        );
        assert!(hop.number("ack_bytes_in") >= 40.0 * hop.number("acks_in"));
    }
}

/// A sender's delivered bytes are the bytes received; they never decrease between two samples.
#[test]
fn series_of_a_sender_equals_its_deliveries() {
    let outcome = run(CONGESTED, &[]);
    let deliveries = rows(&outcome, "deliveries");
    let series = rows(&outcome, "series");
    assert_eq!(series.len(), 16, "every half a second to the end");
    for row in &series {
        let [app, sender] = row.texts(["app", "sender"]);
        assert_eq!([app.as_str(), sender.as_str()], ["bulk", "server"]);
        let until = row.number("time_s");
        let before = deliveries.iter().filter(|row| row.number("time_s") < until - 1e-9);
        let bulk = before.filter(|row| row.texts(["app"]) == ["bulk"]);
        let delivered: f64 = bulk.map(|row| row.number("bytes")).sum();
        // What arrived out of order is delivered to the host, and not yet to its application.
        let most = row.number("cwnd_bytes").max(row.number("flight_bytes"));
        let shown = row.number("delivered_bytes");
        assert!(shown <= delivered && delivered <= shown + most + 60_000.0, "{shown} {delivered}");
    }
}

/// A connection is active from the first to the last arrival at its receiver.
#[test]
fn throughput_of_a_connection_is_bytes_over_time() {
    let text = r#"
        duration = "20 s"
        [radio.fixed]
        down = "8 Mbit/s"
        rtt = "20 ms"
        [[download]]
        name = "file"
        start = "3 s"
        file = "1 MB"
        [record]
        deliveries = true
    "#;
    let outcome = run(text, &[]);
    let connections = rows(&outcome, "connections");
    let connection = connections.iter().find(|row| row.texts(["sender"]) == ["server"]);
    let connection = connection.expect("the server sends");
    let [transfer] = &rows(&outcome, "transfers")[..] else { panic!("one file") };
    let deliveries = rows(&outcome, "deliveries");
    let bytes = sums(&deliveries, ["direction"], "bytes");
    assert_same(bytes[&["down".to_owned()]], 1e6, "bytes");
    let last = deliveries.last().expect("a delivery").number("time_s");
    assert_same(last, transfer.number("completed_s"), "end");
    let under_way = 1e6 - connection.number("acked_bytes");
    assert!((0.0..2.0 * 1460.0).contains(&under_way), "the run ends before the last ACK comes");
    let short = run(text, &[("download.file.file", "1 kB")]);
    for row in rows(&short, "connections") {
        assert_eq!(row.maybe("throughput_kbps"), None, "a single segment takes no time");
    }
    let active = connection.number("active_s");
    let rate = connection.number("throughput_kbps");
    assert!((rate * active - 8e3).abs() < 1e-6, "{rate} kbit/s for {active} s");
    assert!((7000.0..8000.0).contains(&rate), "{rate} kbit/s of 8000");
}

/// If a window or a queue limits, a warning says which, with the number of drops of the queue.
#[test]
fn warning_names_the_limit_of_a_sender() {
    let told = |set: &[(&str, &str)]| run(CONGESTED, set);
    let outcome = told(&[("link.far.packet_loss", "0")]);
    let [warning] = &warnings(&outcome)[..] else { panic!("{:?}", warnings(&outcome)) };
    let drops = rows(&outcome, "drops");
    let bulk = drops.iter().find(|row| row.texts(["app", "direction"]) == ["bulk", "down"]);
    let packets = bulk.expect("a queue of ten packets").number("packets");
    let words = format!("queue of the link narrow ({packets} packets dropped)");
    assert!(warning.starts_with("bulk on ue") && warning.contains(&words), "{warning}");
    let connections = rows(&outcome, "connections");
    let sender = connections.iter().find(|row| row.texts(["sender"]) == ["server"]);
    let limited = |column: &str| sender.expect("it sends").number(column);
    let [row] = &rows(&outcome, "warnings")[..] else { panic!("one row") };
    assert_eq!(row.texts(["kind", "place"]), ["queue", "link narrow"]);
    assert_same(row.number("amount"), packets, "amount");
    let share = limited("limited_cwnd") + limited("limited_recovery");
    assert_same(row.number("share"), share, "share of the time");
    let window = [("link.far.packet_loss", "0"), ("link.narrow.queue", "unlimited")];
    let large = told(&[&window[..], &[("tcp.default.receive_buffer", "2 MB")]].concat());
    assert_eq!(warnings(&large), [""; 0]);
    let small = told(&[&window[..], &[("tcp.default.receive_buffer", "6 kB")]].concat());
    let [warning] = &warnings(&small)[..] else { panic!("{:?}", warnings(&small)) };
    assert!(warning.starts_with("bulk on ue: limited by the receive window"), "{warning}");
    let [row] = &rows(&small, "warnings")[..] else { panic!("one row") };
    let connections = rows(&small, "connections");
    assert_same(row.number("share"), connections[0].number("limited_rwnd"), "share of the time");
}

/// Losses of other applications in the queue, and losses elsewhere, are not counted as drops of
/// this queue.
#[test]
fn warning_of_a_full_queue_counts_own_packets() {
    let set = [
        ("link.far.packet_loss", "0.2"),
        ("link.narrow.queue", "3 packets"),
        ("voice.call.interval", "2 ms"),
        ("voice.call.count", "4000"),
    ];
    let outcome = run(CONGESTED, &set);
    let dropped = sums(&rows(&outcome, "drops"), ["app", "direction", "hop", "cause"], "packets");
    let of =
        |app: &str, hop: &str, cause: &str| dropped[&[app, "down", hop, cause].map(str::to_owned)];
    let own = of("bulk", "link narrow", "queue");
    let (others, elsewhere) = (of("call", "link narrow", "queue"), of("bulk", "link far", "loss"));
    assert!(others > own && elsewhere > own, "{own} of {others} and {elsewhere}");
    let told = warnings(&outcome);
    let words = format!("queue of the link narrow ({own} packets dropped)");
    assert!(told.iter().any(|text| text.starts_with("bulk") && text.contains(&words)), "{told:?}");
}

/// A table that a scenario does not request is not recorded; a requested table is not empty.
#[test]
fn optional_tables_have_rows_on_request() {
    let file = CONGESTED.replace("[[bulk]]", "[[download]]\nfile = \"500 kB\"");
    let (silent, _) = file.split_once("[record]").expect("a record");
    let set = [("duration", "20 s")];
    for (name, value) in [
        ("packets", "true"),
        ("deliveries", "true"),
        ("series", "\"1 s\""),
        ("critical_path", "true"),
    ] {
        let rows = |outcome: &Outcome| {
            let table = outcome.tables.iter().find(|table| table.name == name);
            table.expect("a table").rows()
        };
        assert_eq!(rows(&run(silent, &set)), 0, "{name}");
        assert!(rows(&run(&format!("{silent}[record]\n{name} = {value}\n"), &set)) > 0, "{name}");
    }
    for row in rows(&run(CONGESTED, &[]), "deliveries") {
        assert!(row.number("bytes") > 0.0, "a delivery of nothing");
    }
}

/// Queues are sampled only on request, also at the end; and once at an instant, also if the run
/// ends with a sample.
#[test]
fn queues_are_sampled_once_an_instant_on_request() {
    let (silent, _) = CONGESTED.split_once("[record]").expect("a record");
    let set = [("duration", "2 s")];
    let quiet = run(silent, &set);
    for name in ["link_series", "bearer_series"] {
        let table = quiet.tables.iter().find(|table| table.name == name).expect("a table");
        assert_eq!(table.rows(), 0, "{name}");
    }
    let sampled = run(&format!("{silent}[record]\nseries = \"100 ms\"\n"), &set);
    let mut seen = BTreeSet::new();
    for row in rows(&sampled, "link_series") {
        let nanos = (row.number("time_s") * 1e9).round() as u64;
        assert!(seen.insert((nanos, row.texts(["hop", "direction"]))), "{nanos} ns, twice");
    }
    assert_eq!(seen.last().map(|it| it.0), Some(2_000_000_000), "the end is a sample");
}

/// RFC 1122 §3.2.2.6: an echo is answered with a separate packet: at once, of equal length, in the
/// other direction. 984 bytes with headers take 7.872 ms down at 1 Mbit/s.
#[test]
fn an_answer_is_a_packet_of_its_own() {
    let text = r#"
        [radio.fixed]
        rtt = "20 ms"
        down = "1 Mbit/s"
        [[ping]]
        name = "p"
        packet = "984 B"
        count = 5
        [record]
        packets = true
    "#;
    let outcome = run(text, &[]);
    let packets = rows(&outcome, "packets");
    let numbers: BTreeSet<u64> = packets.iter().map(|row| row.number("packet") as u64).collect();
    assert_eq!(numbers, (0..10).collect());
    let spent = sums(&packets, ["direction"], "time_ms");
    assert_same(spent[&["up".to_owned()]], 5.0 * 10.0, "up");
    assert_same(spent[&["down".to_owned()]], 5.0 * 17.872, "down");
    for hop in rows(&outcome, "hops") {
        let counts = ["packets_in", "bytes_in"].map(|column| hop.number(column) as u64);
        assert_eq!(counts, [5, 5 * 984], "{:?}", hop.texts(["hop", "direction"]));
    }
}

/// RFC 768, RFC 791: 28 bytes of headers.
#[test]
fn a_datagram_has_its_headers() {
    let text =
        "[radio.fixed]\nrtt = \"20 ms\"\n[[voice]]\nname = \"v\"\npayload = \"172 B\"\ncount = 5\n";
    let outcome = run(text, &[]);
    let hops = rows(&outcome, "hops");
    let down = hops.iter().find(|hop| hop.texts(["direction"]) == ["down"]).expect("a radio");
    assert_same(down.number("bytes_in"), 5.0 * 200.0, "bytes");
}

/// Buffer status reports that cost nothing are counted, too.
#[test]
fn a_cell_counts_its_reports_and_grants() {
    for profile in ["system_level", "ns3_lena"] {
        let text = format!(
            "duration = \"2 s\"\n[radio.lte]\nprofile = \"{profile}\"\n[[upload]]\nname = \"u\"\nfile = \"100 kB\"\n"
        );
        let outcome = run(&text, &[]);
        let [control] = &rows(&outcome, "control")[..] else { panic!("one row") };
        assert!(control.number("bsr_sent") > 0.0 && control.number("grants") > 0.0, "{profile}");
    }
}

const NETWORK: &str = include_str!("../../../../examples/lte-network.toml");

/// One cell serves a UE, and the counts of a cell are those of its UEs.
#[test]
fn cells_sum_to_their_ues() {
    let outcome = run(NETWORK, &[("duration", "3 s"), ("download.file.file", "300 kB")]);
    let (cells, ues) = (rows(&outcome, "cells"), rows(&outcome, "ues"));
    assert_eq!(cells.len(), 3, "the sectors of the site in the centre");
    for cell in &cells {
        assert_same(cell.number("site"), (cell.number("cell") / 3.0).floor(), "site");
        let mine = |ue: &&Row<'_>| ue.number("cell") as u64 == cell.number("cell") as u64;
        let mine: Vec<_> = ues.iter().filter(mine).collect();
        assert_same(cell.number("ues"), mine.len() as f64, "UEs");
        let blocks: f64 = mine.iter().map(|ue| ue.number("blocks")).sum();
        assert_same(cell.number("down_blocks"), blocks, "blocks");
        let failures =
            |ue: &&Row<'_>| ue.maybe("first_bler").unwrap_or_default() * ue.number("blocks");
        let failures: f64 = mine.iter().map(failures).sum();
        assert!((cell.number("down_first_failures") - failures).abs() < 1e-6);
    }
    for ue in &ues {
        let cell = &cells[ue.number("cell") as usize];
        assert_same(ue.number("site"), cell.number("site"), "site");
        assert_eq!(ue.maybe("first_bler").is_some(), ue.number("blocks") > 0.0);
        assert!((0.0..=28.0).contains(&ue.number("mean_mcs")));
        assert!((0.0..=15.0).contains(&ue.number("mean_cqi")));
    }
    let blocks = rows(&outcome, "blocks");
    for (block, prefix) in blocks.iter().zip(["down", "up"]) {
        assert_eq!(block.texts(["direction"]), [prefix]);
        for (column, part) in [
            ("blocks", "blocks"),
            ("first_failures", "first_failures"),
            ("resource_units", "resource_blocks"),
        ] {
            let cells = sum(&cells, &format!("{prefix}_{part}"));
            assert_same(block.number(column), cells, column);
        }
        let bytes = ["sdu_bytes", "header_bytes", "padding_bytes"];
        let all: f64 = bytes.iter().map(|column| block.number(column)).sum();
        assert!((block.number("padding_share") - block.number("padding_bytes") / all).abs() < 1e-9);
    }
    let [control] = &rows(&outcome, "control")[..] else { panic!("one row") };
    for column in ["busy_slots", "cces", "pdcch_blocked"] {
        assert_same(control.number(column), sum(&cells, column), column);
    }
}

/// A UE closer to the mast hears it better, reports a higher CQI, and gets denser blocks.
#[test]
fn a_better_channel_is_reported_and_used() {
    let set = [("duration", "3 s"), ("download.file.file", "300 kB")];
    let outcome = run(NETWORK, &set);
    let mut ues = rows(&outcome, "ues");
    ues.sort_by(|one, other| one.number("geometry_db").total_cmp(&other.number("geometry_db")));
    let (worst, best) = (&ues[0], &ues[ues.len() - 1]);
    for column in ["mean_cqi", "mean_mcs"] {
        assert!(worst.number(column) < best.number(column), "{column}");
    }
    // All antennas are alike, so UEs receive equal power less their coupling loss.
    let power = |ue: &Row<'_>| ue.number("snr_db") + ue.number("coupling_loss_db");
    for ue in &ues {
        assert_same(power(ue), power(best), "SNR and coupling loss");
    }
}

/// Sums over the UEs' uplinks equal the radio's uplink, and all UEs that sent have a row.
#[test]
fn uplinks_of_ues_sum_to_the_radio() {
    let outcome = run(NETWORK, &[("duration", "3 s"), ("download.file.file", "300 kB")]);
    let uplinks = rows(&outcome, "uplinks");
    assert_eq!(uplinks.len(), 10);
    let hops = rows(&outcome, "hops");
    let radio = hops.iter().find(|row| row.texts(["hop", "direction"]) == ["radio", "up"]);
    let radio = radio.expect("a radio");
    assert_same(sum(&uplinks, "packets"), radio.number("packets_out"), "packets");
    assert_same(sum(&uplinks, "bytes"), radio.number("bytes_out"), "bytes");
    let [control] = &rows(&outcome, "control")[..] else { panic!("one row") };
    assert_same(sum(&uplinks, "sr_sent"), control.number("sr_sent"), "requests");
    assert_same(sum(&uplinks, "grants"), control.number("grants"), "grants");
    for uplink in &uplinks {
        let share = uplink.number("ack_bytes") / uplink.number("bytes");
        assert!((uplink.number("ack_share") - share).abs() < 1e-9);
        assert!(share > 0.9, "a download sends up nothing but acknowledgements and a request");
        assert!(uplink.number("sr_sent") <= uplink.number("sr_occasions"));
    }
}
