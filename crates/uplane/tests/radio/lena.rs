//! The cell `ns3_lena` against the LTE module of ns-3.
//!
//! Measured with ns-3.44 (the package `ns3` of PyPI): one UE 10 m from the eNB, a proportional
//! fair scheduler, no errors of data or control, datagrams of 1000 bytes that fill one direction
//! of the cell, and others of 100 bytes in the other one. Mbit/s of delivered payload. The bounds,
//! 0.5 % in unacknowledged mode and 1 % in acknowledged mode, were set before the comparison.

use uplane::record::Data;
use uplane::scenario::{Outcome, Scenario, simulate};

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, 1)
}

/// Datagrams with a payload of `bytes` each, at this interval, in one direction.
fn datagrams(name: &str, direction: &str, bytes: u32, interval: &str) -> String {
    format!(
        "[[voice]]\nname = \"{name}\"\ndirection = \"{direction}\"\npayload = \"{bytes} B\"\n\
         interval = \"{interval}\"\nstart = \"200 ms\"\n"
    )
}

/// Mbit/s of payload of an application that begins after 0.2 s and lasts 4 s.
fn mbps(outcome: &Outcome, app: &str, bytes: u32) -> f64 {
    let datagrams = outcome.tables.iter().find(|table| table.name == "datagrams");
    let column = |name| datagrams.and_then(|table| table.column(name));
    let (Some(Data::Text(apps)), Some(Data::F64(latencies))) =
        (column("app"), column("latency_ms"))
    else {
        panic!("datagrams are of an application and have a latency")
    };
    // A dropped datagram has no latency.
    let delivered = |(name, latency): &(&str, &Option<f64>)| *name == app && latency.is_some();
    let delivered = apps.iter().zip(latencies).filter(delivered).count();
    delivered as f64 * f64::from(8 * bytes) / 4e6
}

/// About 60 Mbit/s, which fill a direction.
const FULL: &str = "133 us";

/// RLC of ns-3.44: a poll with each PDU, 10 ms between reports.
const AM: &str =
    "rlc = \"am\"\npoll_pdu = 1\npoll_byte = \"50 B\"\nt_status_prohibit = \"10 ms\"\n";

fn cell(bandwidth: &str, more: &str, rlc: &str) -> String {
    format!(
        "duration = \"4.2 s\"\n[radio.lte]\nprofile = \"ns3_lena\"\nbandwidth = \"{bandwidth}\"\n{more}\
         [[radio.lte.bearer]]\nname = \"default\"\nbuffer = \"200000 B\"\n{rlc}"
    )
}

fn within(found: f64, measured: f64, share: f64, what: &str) {
    assert!((found / measured - 1.0).abs() < share, "{what}: {found} for {measured}");
}

/// 24 of 25 resource blocks and 48 of 50 in the downlink, all of them in the uplink.
#[test]
fn full_cell_carries_as_much_as_ns3() {
    for (bandwidth, down, up) in [("5 MHz", 17.013, 17.760), ("10 MHz", 34.072, 35.556)] {
        for (direction, measured) in [("down", down), ("up", up)] {
            let text = cell(bandwidth, "", "") + &datagrams("flood", direction, 1000, FULL);
            let found = mbps(&run(&text), "flood", 1000);
            within(found, measured, 0.005, &format!("{bandwidth} {direction}"));
        }
    }
}

/// Each report of the eNB costs the downlink a TTI, up to one in ten; of a UE's reports only those
/// that `t-StatusProhibit` had held back cost the uplink one.
#[test]
fn status_reports_cost_as_much_as_in_ns3() {
    let exact = "downlink_queues = \"exact\"\n";
    for (full, other, interval, measured) in [
        ("down", "up", "20 ms", 16.15),
        ("down", "up", "12.5 ms", 15.64),
        ("down", "up", "5 ms", 15.30),
        ("down", "up", "1 ms", 15.30),
        ("up", "down", "20 ms", 17.668),
        ("up", "down", "8 ms", 15.97),
        ("up", "down", "2.5 ms", 15.97),
        ("up", "down", "1 ms", 15.97),
    ] {
        let text = cell("5 MHz", exact, AM)
            + &datagrams("flood", full, 1000, FULL)
            + &datagrams("polls", other, 100, interval);
        let found = mbps(&run(&text), "flood", 1000);
        within(found, measured, 0.01, &format!("{full}, the others each {interval}"));
    }
}

/// Two UEs with an SINR each, served in turn: each has half of its rate alone.
#[test]
fn ues_with_different_sinr_halve_their_rates() {
    let ues = [("near", 20), ("far", 3)];
    let alone = ues.map(|(name, sinr)| {
        let text = cell("5 MHz", &format!("mcs = \"adaptive\"\ndownlink_sinr_db = {sinr}\n"), "")
            + &datagrams(name, "down", 1000, FULL);
        mbps(&run(&text), name, 1000)
    });
    assert!(alone[0] > 3.0 * alone[1], "{alone:?}");
    let together = ues.map(|(name, sinr)| {
        let ue = format!("[[ue]]\nname = \"{name}\"\ndownlink_sinr_db = {sinr}\n");
        ue + &datagrams(name, "down", 1000, FULL) + &format!("ue = \"{name}\"\n")
    });
    let text = cell("5 MHz", "mcs = \"adaptive\"\n", "") + &together.concat();
    let outcome = run(&text);
    for ((name, _), alone) in ues.into_iter().zip(alone) {
        within(mbps(&outcome, name, 1000), alone / 2.0, 0.01, name);
    }
}
