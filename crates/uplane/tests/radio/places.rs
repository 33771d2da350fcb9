//! The series of places: samples of queues and radio links agree with counters.

use crate::runs::table;
use uplane::record::Data;
use uplane::scenario::Outcome;

fn run(text: &str) -> Outcome {
    crate::runs::run(text, 1)
}

/// The values of a column, of the rows in which other columns have these texts; missing ones are
/// left out.
fn numbers(outcome: &Outcome, name: &str, column: &str, of: &[(&str, &str)]) -> Vec<f64> {
    let table = table(outcome, name);
    let is_meant = |at: usize| {
        of.iter().all(|(column, text)| match table.column(column).expect("a column") {
            Data::Text(texts) => &texts[at] == *text,
            _ => panic!("{column} is no text"),
        })
    };
    let meant = (0..table.rows()).filter(|&at| is_meant(at));
    match table.column(column).unwrap_or_else(|| panic!("no column {column}")) {
        Data::U64(values) => meant.map(|at| values[at] as f64).collect(),
        Data::F64(values) => meant.filter_map(|at| values[at]).collect(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

fn sum(outcome: &Outcome, name: &str, column: &str, of: &[(&str, &str)]) -> f64 {
    numbers(outcome, name, column, of).iter().sum()
}

fn assert_same(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{what}: {found}, not {expected}");
}

const DOWN: (&str, &str) = ("direction", "down");
const UP: (&str, &str) = ("direction", "up");

/// A file that fills a queue of ten packets at 2 Mbit/s, and is done long before the end.
const NARROW: &str = r#"
duration = "8 s"
[[link]]
name = "narrow"
rate = "2 Mbit/s"
delay = "20 ms"
queue = "10 packets"
[[download]]
name = "file"
file = "400 kB"
[[voice]]
name = "late"
start = "6 s"
count = 1
[record]
series = "10 ms"
"#;

#[test]
fn samples_of_a_link_sum_to_its_traffic() {
    let outcome = run(&format!("{NARROW}[radio.fixed]\n"));
    let of = [("hop", "link narrow"), DOWN];
    let rates = numbers(&outcome, "link_series", "rate_kbps", &of);
    let bytes = numbers(&outcome, "link_series", "out_bytes", &of);
    for (rate, bytes) in rates.iter().zip(&bytes).rev().skip(1) {
        assert_same(*rate, bytes * 8.0 / 10.0, "a rate");
    }
    assert_same(bytes.iter().sum(), sum(&outcome, "hops", "bytes_out", &of), "bytes that crossed");
    let queues = numbers(&outcome, "link_series", "queue_packets", &of);
    assert_same(queues.iter().copied().fold(0.0, f64::max), 10.0, "the longest queue");
    let bytes = numbers(&outcome, "link_series", "queue_bytes", &of);
    let longest = sum(&outcome, "hops", "queue_max_bytes", &of);
    assert_same(bytes.iter().copied().fold(0.0, f64::max), longest, "its bytes");
    let dropped = sum(&outcome, "link_series", "dropped_packets", &of);
    assert!(dropped > 0.0, "nothing overflowed");
    assert_same(dropped, sum(&outcome, "hops", "packets_dropped", &of), "drops");
    // After five samples with a queue, data arrives at the link's rate, within a packet a sample.
    let rates = rates.windows(5).map(|samples| samples[4]);
    let busy = queues.windows(5).zip(rates).filter(|(queues, _)| queues.iter().all(|&it| it > 1.0));
    let busy: Vec<f64> = busy.map(|(_, rate)| rate).collect();
    assert!(busy.len() > 20, "{busy:?}");
    assert!(busy.iter().all(|rate| (800.0..=3200.0).contains(rate)), "{busy:?}");
}

#[test]
fn idle_ues_have_no_rows() {
    let of_three = |radio: &str| {
        let text = format!("{NARROW}[radio.{radio}]\n[[ue]]\nname = \"ue\"\ncount = 3\n")
            .replace("name = \"file\"", "name = \"file\"\nue = \"ue-1\"")
            .replace("name = \"late\"", "name = \"late\"\nue = \"ue-1\"");
        run(&text)
    };
    let outcome = of_three("fixed");
    let times = numbers(&outcome, "link_series", "time_s", &[("hop", "link narrow"), DOWN]);
    let gap = times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    assert!(gap > 1.0, "rows while nothing happens: {times:?}");
    let last = numbers(&outcome, "link_series", "queue_bytes", &[("hop", "link narrow"), DOWN]);
    assert_same(*last.last().expect("a row"), 0.0, "the queue at the end");
    let cell = of_three("lte");
    let rows = |outcome, series, name| numbers(outcome, series, "time_s", &[("ue", name)]).len();
    assert!(rows(&cell, "radio_series", "ue-1") > 10);
    for name in ["ue-2", "ue-3"] {
        assert_eq!(rows(&outcome, "bearer_series", name), 0);
        assert_eq!(rows(&cell, "bearer_series", name), 0);
        assert_eq!(rows(&cell, "radio_series", name), 0);
    }
}

/// A packet waits for the fixed radio of 1 Mbit/s until its last byte has left: while a file is
/// sent the queue of the radio is limited by its buffer.
#[test]
fn a_radio_without_cells_has_its_queue() {
    let radio = "[radio.fixed]\ndown = \"1 Mbit/s\"\nbuffer = \"30 kB\"\n";
    let outcome = run(&format!("{NARROW}{radio}"));
    let queue = numbers(&outcome, "bearer_series", "queue_bytes", &[DOWN]);
    let longest = queue.iter().copied().fold(0.0, f64::max);
    let of = [("hop", "radio"), DOWN];
    assert!(longest > 20_000.0, "{longest}");
    assert!(longest <= sum(&outcome, "hops", "queue_max_bytes", &of), "{longest}");
    assert_eq!(table(&outcome, "radio_series").rows(), 0);
    let geran = run(&format!("{NARROW}[radio.geran]\n"));
    assert!(numbers(&geran, "bearer_series", "queue_packets", &[DOWN]).len() > 100);
}

/// Sums over samples equal the counters at the end, for each of two UEs and each direction.
fn assert_a_cell_adds_up(radio: &str) {
    let outcome = run(&format!(
        r#"
        duration = "6 s"
        [radio.{radio}]
        [[ue]]
        name = "ue"
        count = 2
        [[download]]
        name = "file"
        ue = "all"
        file = "1 MB"
        [[upload]]
        name = "photo"
        ue = "all"
        file = "200 kB"
        [record]
        series = "5 ms"
        "#
    ));
    let series = |column, of: &[_]| sum(&outcome, "radio_series", column, of);
    for direction in [DOWN, UP] {
        for (column, counted) in [
            ("blocks", "blocks"),
            ("transmissions", "transmissions"),
            ("failures", "failures"),
            ("resource_units", "resource_units"),
        ] {
            let expected = sum(&outcome, "blocks", counted, &[direction]);
            assert_same(series(column, &[direction]), expected, column);
        }
        let bytes: f64 = ["sdu_bytes", "header_bytes", "padding_bytes"]
            .iter()
            .map(|column| sum(&outcome, "blocks", column, &[direction]))
            .sum();
        assert_same(series("block_bytes", &[direction]), bytes, "bytes of new blocks");
    }
    for name in ["ue-1", "ue-2"] {
        let of = [("ue", name)];
        for column in ["grants", "sr_sent"] {
            assert_same(series(column, &of), sum(&outcome, "uplinks", column, &of), column);
        }
        for direction in [DOWN, UP] {
            let queue = numbers(&outcome, "bearer_series", "queue_bytes", &[of[0], direction]);
            let longest = queue.iter().copied().fold(0.0, f64::max);
            assert!(longest > 10_000.0, "{name} {direction:?}: {longest}");
            let packets = numbers(&outcome, "bearer_series", "queue_packets", &[of[0], direction]);
            for (bytes, packets) in queue.iter().zip(&packets) {
                assert!(*bytes <= 1510.0 * packets && (*packets > 0.0) == (*bytes > 0.0));
            }
        }
    }
}

#[test]
fn the_samples_of_an_lte_cell_add_up() {
    assert_a_cell_adds_up(
        "lte]\nbandwidth = \"5 MHz\"\ndownlink_sinr_db = 14\nuplink_sinr_db = 8\n#",
    );
}

#[test]
fn the_samples_of_an_nr_cell_add_up() {
    assert_a_cell_adds_up("nr]\n#");
}

/// With one scheme for all blocks every mean is that scheme, and a UE's SINR is that of the
/// scenario.
#[test]
fn schemes_and_sinrs_are_those_of_the_scenario() {
    for radio in ["lte]\nbandwidth = \"5 MHz\"\n", "nr]\nbandwidth_mhz = 20\n"] {
        let outcome = run(&format!(
            "duration = \"3 s\"\n[radio.{radio}mcs = 9\nuplink_mcs = 7\nbler = \"sinr\"\n\
             downlink_sinr_db = 14\nuplink_sinr_db = 12\n[[download]]\nname = \"file\"\n\
             file = \"500 kB\"\n[record]\nseries = \"5 ms\"\n"
        ));
        for (way, scheme, sinr) in [(DOWN, 9.0, 14.0), (UP, 7.0, 12.0)] {
            let schemes = numbers(&outcome, "radio_series", "mean_mcs", &[way]);
            assert!(schemes.len() > 20, "{radio}");
            for mcs in schemes {
                assert_same(mcs, scheme, "a scheme");
            }
            let sinrs = numbers(&outcome, "radio_series", "sinr_db", &[way]);
            assert!(sinrs.iter().all(|it| (it - sinr).abs() < 0.5), "{radio}: {sinrs:?}");
        }
    }
}

/// Reports are of the downlink; about equally many arrive between any two samples, so that the mean
/// of all samples is that of the UE's row at the end.
#[test]
fn channel_quality_is_that_of_the_reports() {
    for (name, keys) in [("lte", ""), ("nr", "layers = 1\n")] {
        let outcome = run(&format!(
            "duration = \"2 s\"\n[radio.{name}]\n{keys}[radio.{name}.network]\n\
             fading = \"epa\"\n[[bulk]]\nname = \"file\"\n[record]\nseries = \"20 ms\"\n"
        ));
        assert_eq!(numbers(&outcome, "radio_series", "mean_cqi", &[UP]), [0.0; 0]);
        let reported = numbers(&outcome, "radio_series", "mean_cqi", &[DOWN]);
        assert!(reported.len() > 50, "{name}: {}", reported.len());
        let whole = sum(&outcome, "ues", "mean_cqi", &[]);
        let mean = reported.iter().sum::<f64>() / reported.len() as f64;
        assert!((mean - whole).abs() < 0.1, "{name}: {mean}, {whole}");
    }
}
