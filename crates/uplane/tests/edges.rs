//! Scenarios at the edge of what is accepted: they run and end, or are refused with the key to blame.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, 1)
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

fn numbers(outcome: &Outcome, name: &str, column: &str) -> Vec<f64> {
    match table(outcome, name).column(column).expect("a column") {
        Data::F64(values) => values.iter().flatten().copied().collect(),
        Data::U64(values) => values.iter().map(|&value| value as f64).collect(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

/// RFC 791 §3.2: any host puts fragments together, also a server with an address of its own.
#[test]
fn a_server_with_an_address_takes_packets_in_fragments() {
    let outcome = run(r#"
        [radio.fixed]
        rtt = "20 ms"
        [[link]]
        name = "narrow"
        mtu = "576 B"
        [[ping]]
        name = "one"
        packet = "1000 B"
        count = 2
        server_address = "198.51.100.7"
        [[ping]]
        name = "other"
        packet = "1400 B"
        count = 2
        server_address = "198.51.100.8"
    "#);
    assert_eq!(numbers(&outcome, "pings", "rtt_ms"), [20.0; 4]);
}

/// Links without delay hand a packet on within one instant, however many there are.
#[test]
fn a_packet_passes_any_number_of_links_on_a_small_stack() {
    let links: String = (0..6000).map(|link| format!("[[link]]\nname = \"l{link}\"\n")).collect();
    let text = format!("[radio.fixed]\nrtt = \"20 ms\"\n{links}[[ping]]\nname = \"p\"\ncount = 1\n");
    let rtt = std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || numbers(&run(&text), "pings", "rtt_ms"))
        .expect("a thread")
        .join();
    assert_eq!(rtt.expect("no panic"), [20.0]);
}
