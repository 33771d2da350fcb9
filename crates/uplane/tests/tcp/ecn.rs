//! Marks end to end: a download over a link whose queue marks instead of dropping.
//!
//! The bounds were set before the first run.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

/// A download of 20 MB over 20 Mbit/s and 40 ms with CoDel.
fn download(ecn: &str, control: &str) -> Outcome {
    let text = text(&format!("ecn = \"{ecn}\"\ncongestion_control = \"{control}\"\n"));
    let scenario = Scenario::from_toml(&text, "ecn", &[]).unwrap_or_else(|it| panic!("{it}"));
    simulate(&scenario, 1)
}

/// The scenario with these keys of a TCP.
fn text(keys: &str) -> String {
    format!(
        "duration = \"60 s\"\n[radio.fixed]\n[[link]]\nname = \"path\"\ndelay = \"20 ms\"\n\
         down = {{ rate = \"20 Mbit/s\", queue = \"400 kB\" }}\naqm.codel = {{ ecn = true }}\n\
         [tcp.default]\nbase = \"linux\"\n{keys}\
         [[download]]\nname = \"file\"\nfile = \"20 MB\"\n"
    )
}

fn total(outcome: &Outcome, name: &str, column: &str) -> f64 {
    let found = outcome.tables.iter().find(|table: &&Table| table.name == name);
    match found.expect("a table of every run").column(column).expect("a column") {
        Data::F64(values) => values.iter().flatten().sum(),
        Data::U64(values) => values.iter().map(|&value| value as f64).sum(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

/// RFC 3168, RFC 9768: no segment is retransmitted, with equal times to 3 %.
#[test]
fn marks_replace_losses_at_an_equal_rate() {
    for control in ["new_reno", "cubic"] {
        let dropped = download("passive", control);
        assert!(total(&dropped, "connections", "retransmissions") > 3.0, "{control}");
        assert!(
            total(&dropped, "connections", "marks_received") == 0.0,
            "{control}: it is not asked"
        );
        for ecn in ["classic", "accurate"] {
            let marked = download(ecn, control);
            let of = |column| total(&marked, "connections", column);
            let time = total(&marked, "transfers", "duration_s")
                / total(&dropped, "transfers", "duration_s");
            assert!(of("retransmissions") == 0.0, "{control} {ecn}: {}", of("retransmissions"));
            assert!((time - 1.0).abs() < 0.03, "{control} {ecn}: {time}");
            assert!(of("mark_reductions") > 3.0, "{control} {ecn}");
            assert!(of("mark_reductions") <= of("mark_echoes"), "{control} {ecn}");
        }
    }
}

/// RFC 9768 §3.2.3: the option makes each acknowledgement 12 bytes longer, and changes nothing if
/// the counter of packets is sufficient.
#[test]
fn accecn_option_takes_twelve_bytes_without_effect() {
    let plain = download("accurate", "new_reno");
    for (option, least, most) in [("full", 11.98, 12.0), ("sparse", 0.5, 8.0)] {
        let keys = format!("ecn = \"accurate\"\necn_option = \"{option}\"\n");
        let scenario =
            Scenario::from_toml(&text(&(keys + "congestion_control = \"new_reno\"\n")), "ecn", &[]);
        let counted = simulate(&scenario.unwrap_or_else(|it| panic!("{it}")), 1);
        let length =
            |outcome| total(outcome, "hops", "ack_bytes_in") / total(outcome, "hops", "acks_in");
        let longer = length(&counted) - length(&plain);
        assert!((least..=most).contains(&longer), "{option}: {longer} bytes");
        for column in ["retransmissions", "marks_received", "mark_reductions"] {
            let of = |outcome| total(outcome, "connections", column);
            assert!((of(&counted) - of(&plain)).abs() <= 1.0, "{option}: {column}");
        }
        let time = |outcome| total(outcome, "transfers", "duration_s");
        assert!((time(&counted) / time(&plain) - 1.0).abs() < 0.01, "{option}");
    }
}

#[test]
fn counters_of_bytes_without_accurate_feedback_are_refused() {
    for ecn in ["off", "passive", "classic"] {
        let keys = format!("ecn = \"{ecn}\"\necn_option = \"full\"\n");
        let error = Scenario::from_toml(&text(&keys), "ecn", &[]).expect_err("nobody counts bytes");
        let told = error.to_string();
        assert!(told.contains("tcp.default.ecn_option") && told.contains("accurate"), "{told}");
    }
}
