//! Several data radio bearers of a UE in an NR cell, against closed forms that were computed
//! independently of this code.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, 1)
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

fn numbers(table: &Table, column: &str) -> Vec<Option<f64>> {
    match table.column(column).expect("a column") {
        Data::F64(values) => values.clone(),
        Data::U64(values) => values.iter().map(|&value| Some(value as f64)).collect(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

/// Time of departure of each datagram of an application, and its latency in ms if it arrived.
fn datagrams(outcome: &Outcome, app: &str) -> Vec<(f64, Option<f64>)> {
    let table = table(outcome, "datagrams");
    let Some(Data::Text(apps)) = table.column("app") else { panic!("applications have names") };
    let sent = numbers(table, "sent_s").into_iter().map(|sent| sent.expect("a time"));
    let rows = sent.zip(numbers(table, "latency_ms")).zip(apps.iter());
    rows.filter(|(_, name)| *name == app).map(|(row, _)| row).collect()
}

/// Rate of arrivals in bytes per second, of datagrams of 1000 bytes, from `first` to `last`
/// seconds.
fn rate(outcome: &Outcome, app: &str, first: f64, last: f64) -> f64 {
    let came = datagrams(outcome, app).into_iter();
    let came = came.filter_map(|(sent, latency)| Some(sent + latency? / 1e3));
    let count = came.filter(|at| (first..last).contains(at)).count();
    1000.0 * count as f64 / (last - first)
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.into_iter().collect();
    assert!(!values.is_empty());
    values.iter().sum::<f64>() / values.len() as f64
}

fn close(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= share, "{what}: {found}, expected {expected}");
}

/// A cell in which nothing fails.
const FLAWLESS: &str = r#"
    bler = "none"
    mcs = 10
    uplink_mcs = 10
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }
"#;

const NARROW: &str = "duplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 20\n";

/// A stream of datagrams of 1000 bytes with 28 of headers.
fn stream(name: &str, direction: &str, port: u16, every_us: u64, start: &str) -> String {
    format!(
        "[[voice]]\nname = \"{name}\"\ndirection = \"{direction}\"\npayload = \"1000 B\"\n\
         interval = \"{every_us} us\"\nport = {port}\nstart = \"{start}\"\n"
    )
}

/// A bearer in unacknowledged mode with these keys, for packets to this port.
fn bearer(name: &str, port: Option<u16>, keys: &str) -> String {
    let bearer = format!("[[radio.nr.bearer]]\nname = \"{name}\"\nrlc = \"um\"\n{keys}\n");
    let filter = port.map(|port| {
        format!("[[radio.nr.bearer.filter]]\nprecedence = {}\nserver_port = {port}\n", port % 256)
    });
    bearer + &filter.unwrap_or_default()
}

fn scenario(duration: &str, cell: &str, rest: &[String]) -> String {
    format!("duration = \"{duration}\"\n[radio.nr]\n{FLAWLESS}{cell}\n{}", rest.concat())
}

/// Two streams of the uplink, each with more data than the cell carries: 2.6 MB/s with all headers.
fn two_streams(keys: &str, fast_from: &str) -> Outcome {
    run(&scenario(
        "3 s",
        NARROW,
        &[
            bearer("default", None, keys),
            bearer("urgent", Some(5000), "five_qi = 7"),
            stream("slow", "up", 6000, 300, "0 s"),
            stream("fast", "up", 5000, 300, fast_from),
        ],
    ))
}

/// TS 38.321 §5.4.3.1: data up to the prioritised bit rates is sent first, in the order of
/// priority, then priority alone decides. So the less urgent stream gets its rate and no more, and
/// nothing without one; also if it had the cell for itself before, since only data sent for tokens
/// takes tokens.
///
/// `Bj` counts RLC PDUs. With a share of `s` bytes a block, 1031 bytes of a PDCP PDU are in
/// `1031/s + 1` segments on average, with headers of 2 bytes for the first and 4 for the others.
#[test]
fn less_urgent_bearer_gets_only_its_prioritised_rate() {
    let alone = rate(&two_streams("", "2.99 s"), "slow", 1.0, 2.99);
    for (mbps, share) in [(8, 1000.0), (2, 250.0)] {
        for fast_from in ["0 s", "1 s"] {
            let outcome =
                two_streams(&format!("prioritised_bit_rate = \"{mbps} Mbit/s\""), fast_from);
            let slow = rate(&outcome, "slow", 1.5, 3.0);
            let expected = share * 1e3 * 1000.0 / (1031.0 + 2.0 + 4.0 * 1031.0 / share);
            close(slow, expected, 0.01, &format!("{mbps} Mbit/s, {fast_from}"));
            // More headers take 1 % at most.
            let both = slow + rate(&outcome, "fast", 1.5, 3.0);
            assert!((0.98 * alone..1.003 * alone).contains(&both), "{both} of {alone}");
        }
    }
    let strict = two_streams("", "0 s");
    assert!(rate(&strict, "slow", 1.0, 3.0) < 1e3, "priority alone");
}

/// Pings at any time of the grid beside a stream that fills the downlink, whose bearer holds
/// 200 kB.
fn ping_beside(bearers: &str) -> Outcome {
    let cell = "sr_period = 5\nbuffer = \"200 kB\"\nuplink_prbs = \"all\"\nbandwidth_mhz = 20\n";
    let ping = "[[ping]]\nname = \"p\"\npacket = \"84 B\"\ninterval = \"51.0137 ms\"\n\
                start = \"1 s\"\ncount = 1000\n";
    let full = stream("full", "down", 6000, 100, "0 s");
    run(&scenario("60 s", cell, &[bearers.to_owned(), full, ping.to_owned()]))
}

fn rtt(outcome: &Outcome) -> f64 {
    let rtts: Vec<f64> = numbers(table(outcome, "pings"), "rtt_ms").into_iter().flatten().collect();
    assert!(rtts.len() > 500, "{} answers", rtts.len());
    mean(rtts)
}

/// A ping has the round-trip time of an empty cell (5.71 ms, as in `end_to_end.rs`) if it has a
/// more urgent bearer. In a common bearer, it also waits for the buffer in front of it: 200 kB of
/// PDUs of 1031 bytes at the rate of the stream.
#[test]
fn ping_on_its_own_bearer_overtakes_a_download() {
    let icmp = "[[radio.nr.bearer]]\nname = \"ping\"\nrlc = \"um\"\nfive_qi = 80\n\
                [[radio.nr.bearer.filter]]\nprecedence = 1\nprotocol = \"icmp\"\n";
    let default = bearer("default", None, "");
    let own = ping_beside(&format!("{default}{icmp}"));
    close(rtt(&own), 5.71, 0.02, "its own bearer");
    let same = ping_beside(&default);
    let queue = 200e3 / 1.031 / rate(&same, "full", 1.0, 50.0) * 1e3;
    assert!(queue > 20.0, "{queue} ms");
    close(rtt(&same), 5.71 + queue, 0.02, "the same bearer");
}

/// One-way latencies in ms of lone datagrams of the uplink in a cell with configured grants of
/// this period.
fn lone(period: u32, keys: &str) -> f64 {
    let cell = format!(
        "sr_period = 640\nuplink_prbs = \"all\"\n\
         configured_grant = {{ size = \"128 B\", period = {period} }}\n"
    );
    let lone = "[[voice]]\nname = \"v\"\npayload = \"40 B\"\ndirection = \"up\"\n\
                interval = \"101.0137 ms\"\ncount = 1000\n";
    let outcome = run(&scenario("200 s", &cell, &[bearer("d", None, keys), lone.to_owned()]));
    let came = datagrams(&outcome, "v").into_iter().filter_map(|(_, latency)| latency);
    mean(came)
}

/// TS 38.321 §5.4.3.1.2, §5.4.5: data that may not use a configured grant is reported in one, and
/// then gets a grant. Its latency is that by a request in each pattern (4.54 ms, as in
/// `end_to_end.rs`) and the 12 of 14 symbols by which a block begins before a request.
#[test]
fn configured_grant_reports_data_barred_from_it() {
    let not_allowed = lone(5, "configured_grant_allowed = false");
    close(not_allowed, 4.54 + 0.5 * 12.0 / 14.0, 0.02, "a report");
    // As above without a request: 1.25 ms on average to the slot, and all processing.
    let allowed = lone(5, "");
    assert!((2.0..2.6).contains(&allowed), "{allowed}");
}

/// Returns the mean number of PDCP PDUs of `sdu` bytes in a block of `size` bytes, by the lengths
/// of TS 38.321 §6.1.2 and TS 38.322 §6.2.2.3 with 12 bits: sub-headers of two bytes, RLC headers
/// of one, of two for a first segment and of four for a later one.
fn packed(size: u64, sdu: u64) -> f64 {
    let (mut rest, mut whole) = (0, 0);
    for _ in 0..BLOCKS {
        let mut left = size;
        loop {
            let (data, header) = if rest > 0 { (rest, 2 + 4) } else { (sdu, 2 + 1) };
            if data + header <= left {
                (left, rest, whole) = (left - data - header, 0, whole + 1);
                continue;
            }
            let header = if rest > 0 { 2 + 4 } else { 2 + 2 };
            rest = if left > header { data - (left - header) } else { rest };
            break;
        }
    }
    f64::from(whole) / BLOCKS as f64
}

const BLOCKS: u64 = 10_000;

/// TS 37.324 §6.2.2: the header is a byte in front of each packet. Packets of 40 bytes, with 3 of
/// PDCP, fill the downlink of 1000 slots a second.
#[test]
fn sdap_header_is_a_byte_of_each_packet() {
    let arrived = |keys: &str, sdu: u64| {
        let cell = "duplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 5\nlayers = 1\n";
        let small = "[[voice]]\nname = \"v\"\npayload = \"12 B\"\ninterval = \"10 us\"\n";
        let rest = [bearer("default", None, keys), small.to_owned()];
        let outcome = run(&scenario("1200 ms", cell, &rest));
        let blocks = table(&outcome, "blocks");
        let down = |column: &str| numbers(blocks, column)[0].expect("a count");
        let bytes = ["sdu_bytes", "header_bytes", "padding_bytes"].map(down).iter().sum::<f64>();
        // All blocks are alike except the first, which finds a few packets.
        let size = (bytes / down("blocks")).ceil();
        assert!(size * down("blocks") - bytes < size, "{size}");
        let expected = packed(size as u64, sdu) * 1000.0;
        close(rate(&outcome, "v", 0.2, 1.2) / 1000.0, expected, 0.001, keys);
    };
    arrived("", 43);
    arrived("sdap_header = \"down\"", 44);
    arrived("sdap_header = \"up\"", 43);
}

/// Mean time in ms of the acknowledgements of a download with a dedicated bearer, with these keys
/// and filter, beside a stream that fills the uplink of the default bearer.
fn back(keys: &str, filter: &str) -> f64 {
    let own = format!(
        "[[radio.nr.bearer]]\nname = \"own\"\nfive_qi = 7\n{keys}\n\
         [[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 443\n{filter}\n"
    );
    let download = "[[download]]\nname = \"d\"\nport = 443\nfile = \"2 MB\"\nstart = \"500 ms\"\n\
                    [[link]]\nname = \"core\"\ndelay = \"10 ms\"\n";
    let cell = format!("{NARROW}buffer = \"100 kB\"\nsr_period = 5\n");
    let rest = [
        bearer("default", None, ""),
        own,
        stream("full", "up", 6000, 300, "0 s"),
        download.to_owned(),
    ];
    let outcome = run(&scenario("5 s", &cell, &rest));
    let anatomy = table(&outcome, "anatomy");
    let words = |column: &str| match anatomy.column(column) {
        Some(Data::Text(words)) => words.iter().map(str::to_owned).collect::<Vec<String>>(),
        _ => panic!("{column} has words"),
    };
    let (apps, ways, classes) = (words("app"), words("direction"), words("class"));
    let means = numbers(anatomy, "mean_ms");
    let is_back = |row: &usize| apps[*row] == "d" && ways[*row] == "up" && classes[*row] == "ack";
    (0..means.len()).filter(is_back).filter_map(|row| means[row]).sum()
}

/// TS 23.501 §5.7.5: a filter claims a download's packets to the UE only. Its acknowledgements wait
/// with a stream of the default bearer, for 100 kB at 2.5 MB/s, unless the UE derives that they use
/// the bearer of the data: starting with the first downlink packet, the answer to its SYN.
#[test]
fn reflective_qos_returns_packets_on_their_bearer() {
    let both = back("", "");
    let apart = back("", "direction = \"down\"");
    let reflective = back("sdap_header = \"down\"\nreflective = true", "direction = \"down\"");
    assert!(apart > both + 30.0, "{apart} apart, {both} together");
    close(reflective, both, 0.05, "reflective");
}
