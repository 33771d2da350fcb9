//! Marks end to end: a download over a link whose queue marks instead of dropping.
//!
//! The bounds were set before the first run.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

/// A download of 20 MB over 20 Mbit/s and 40 ms with CoDel.
fn download(ecn: &str, control: &str) -> Outcome {
    let text = format!(
        "duration = \"60 s\"\n[radio.fixed]\n[[link]]\nname = \"path\"\ndelay = \"20 ms\"\n\
         down = {{ rate = \"20 Mbit/s\", queue = \"400 kB\" }}\naqm.codel = {{ ecn = true }}\n\
         [tcp.default]\nbase = \"linux\"\necn = \"{ecn}\"\ncongestion_control = \"{control}\"\n\
         [[download]]\nname = \"file\"\nfile = \"20 MB\"\n"
    );
    let scenario = Scenario::from_toml(&text, "ecn", &[]).unwrap_or_else(|it| panic!("{it}"));
    simulate(&scenario, 1)
}

fn total(outcome: &Outcome, name: &str, column: &str) -> f64 {
    let found = outcome.tables.iter().find(|table: &&Table| table.name == name);
    match found.expect("a table of every run").column(column).expect("a column") {
        Data::F64(values) => values.iter().flatten().sum(),
        Data::U64(values) => values.iter().map(|&value| value as f64).sum(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

/// RFC 3168, RFC 9768: no segment goes again, in the same time to 3 %.
#[test]
fn marks_take_the_place_of_losses_at_the_same_rate() {
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
