//! Memory of runs: the forecast of the plan, and the count of a run.

use uplane::scenario::{Footprint, Scenario, Simulation};

fn scenario(text: &str) -> Scenario {
    Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The footprint before the end of the run, the rows of the finished tables, and their bytes.
fn played(scenario: &Scenario) -> (Footprint, u64, u64) {
    let mut run = Simulation::new(scenario, 1);
    while !run.advance(1000) {}
    let footprint = run.footprint();
    let tables = run.finish().tables;
    let rows = tables.iter().map(|table| table.rows() as u64).sum();
    (footprint, rows, tables.iter().map(uplane::record::Table::bytes).sum())
}

const RECORDED: &str = "[record]\npackets = true\ndeliveries = true\nheaders = true\n\
                        series = \"10 ms\"\n";

/// The rows reported at the end of a run are few, compared with the rows recorded.
#[test]
fn footprint_counts_the_recorded_rows() {
    let radios = ["[radio.fixed]\ndown = \"5 Mbit/s\"\n", "[radio.lte]\n", "[radio.nr]\n"];
    for radio in radios {
        let download = "[[download]]\nname = \"d\"\nfile = \"2 MB\"\n";
        let (found, rows, bytes) = played(&scenario(&format!("{radio}{download}{RECORDED}")));
        assert!(found.rows <= rows && found.rows > rows * 9 / 10, "{radio}: {found:?} of {rows}");
        assert!(found.bytes > bytes * 9 / 10, "{radio}: {found:?} of {bytes}");
        let largest = found.largest.map(|(table, _)| table);
        assert!(matches!(largest, Some("packets" | "headers")), "{radio}: {largest:?}");
    }
}

/// The forecast of rows is an upper bound, at most 20 times the number of rows.
#[test]
fn forecast_is_above_the_recorded_rows() {
    let apps = [
        "[[download]]\nname = \"d\"\nfile = \"2 MB\"\n",
        "[[bulk]]\nname = \"b\"\n",
        "[[voice]]\nname = \"v\"\n[[ping]]\nname = \"p\"\n",
    ];
    for app in apps {
        let text = format!(
            "duration = \"10 s\"\n[radio.fixed]\ndown = \"5 Mbit/s\"\nup = \"5 Mbit/s\"\n\
             {app}{RECORDED}"
        );
        let scenario = scenario(&text);
        let (_, rows, _) = played(&scenario);
        let most = scenario.foretold();
        assert!(most.rows >= rows, "{app}: {rows} rows, and {most:?}");
        assert!(most.rows <= rows * 20, "{app}: {rows} rows, and {most:?}");
        assert!(most.bytes > most.rows, "{app}: {most:?}");
    }
}

#[test]
fn packets_in_a_queue_without_limit_count() {
    let text = "duration = \"10 s\"\n[radio.fixed]\n[[link]]\nname = \"l\"\nrate = \"1 Mbit/s\"\n\
                [[voice]]\nname = \"v\"\ninterval = \"100 us\"\npayload = \"1000 B\"\n";
    let scenario = scenario(text);
    let mut run = Simulation::new(&scenario, 1);
    while run.now().as_secs_f64() < 9.0 {
        run.advance(100);
    }
    // Of 90 000 datagrams 1100 have crossed the link.
    assert!(run.footprint().bytes > 88_000 * 248, "{:?}", run.footprint());
}

#[test]
fn wired_memory_grows_with_ues_and_carriers() {
    let bytes = |count: u32, radio: &str| {
        let text = format!(
            "{radio}\n[[ue]]\nname = \"u\"\ncount = {count}\n[[ping]]\nname = \"p\"\nue = \"u-1\"\n"
        );
        scenario(&text).wired_bytes()
    };
    let [fixed, nr] = ["[radio.fixed]", "[radio.nr]"].map(|it| bytes(2001, it) - bytes(1001, it));
    assert!(fixed < 1_000_000 && nr > 10_000_000, "{fixed} and {nr} bytes for 1000 UEs");
}
