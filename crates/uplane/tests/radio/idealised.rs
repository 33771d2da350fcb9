//! A switch that idealises a part of a cell never takes capacity away and never adds delay: errors
//! that cannot happen, feedback that is always read, a control channel without limit, headers that
//! cost nothing, nodes that take no time.
//!
//! Each switch is compared with an equal cell, UEs, traffic and seed without it. Traffic is UDP, so
//! that no transport reacts. Not included, because they idealise nothing or not alone:
//!
//! - fading, which lets a scheduler choose the UEs whose channel is good;
//! - larger grants for requests, which other UEs lack;
//! - more UEs in a slot: their downlink messages take the control channel before grants do;
//! - adaptive schemes beside `bler = "none"`: an outer loop finds schemes beyond the coarse report,
//!   up to 5 % more rate than its errors cost, and without errors nothing moves it.

use crate::runs::{run, texts, values};

/// Capacity that a switch may cost and delay that it may add, since grants and blocks end
/// elsewhere.
const TOLERANCE: f64 = 0.01;
const SEEDS: [u64; 2] = [1, 2];

const NR: &str = "[radio.nr]\nduplex = \"DDDSU 10:2:2\"\nsubcarrier_spacing_khz = 30\n\
    bandwidth_mhz = 40\nrlc = \"um\"\nrlc_sn_length = 12\nbuffer = \"200 kB\"\n";
const NR_FDD: &str = "[radio.nr]\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\n\
    bandwidth_mhz = 10\nrlc = \"um\"\nrlc_sn_length = 12\nbuffer = \"200 kB\"\n";
const LTE: &str = "[radio.lte]\nbandwidth = \"10 MHz\"\num_buffer = \"200 kB\"\n";

/// Fixed schemes, so that only the switch differs.
const STEADY: &str = "mcs = 15\nuplink_mcs = 12\n";
const ALL_READ: &str = "feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

/// Keys of a cell before and after a switch.
type Switch = (&'static str, &'static str);
const OF_BOTH: [Switch; 4] = [
    ("bler = \"sinr\"\n", "bler = \"none\"\n"),
    ("bler = [0.1, 0.01]\n", "bler = \"none\"\n"),
    ("", ALL_READ),
    ("drx = { long_cycle = \"20 ms\", on_duration = \"4 ms\", inactivity_timer = \"8 ms\" }\n", ""),
];
const OF_NR: [Switch; 2] = [
    (
        "gnb_tx_slots = 2\ngnb_rx_slots = 2\ngnb_sr_slots = 2\n",
        "gnb_tx_slots = 0\ngnb_rx_slots = 0\ngnb_sr_slots = 0\n",
    ),
    ("x_overhead = 18\n", "x_overhead = 0\n"),
];
const OF_LTE: [Switch; 4] = [
    ("control_symbols = 1\n", "control_symbols = \"unlimited\"\n"),
    ("bsr_delay = 8\n", "bsr_delay = 1\n"),
    ("mac_headers = true\n", "mac_headers = false\n"),
    ("rlc_headers = true\n", "rlc_headers = false\n"),
];

/// `ues` UEs with this SINR of the downlink and 20 dB in the uplink, each with a stream of
/// datagrams each way.
fn traffic(ues: u32, sinr_db: f64, [down_us, up_us]: [u32; 2]) -> String {
    let stream = |way: &str, every_us: u32, start: &str| {
        format!(
            "[[voice]]\nname = \"{way}\"\nue = \"ue\"\ndirection = \"{way}\"\npayload = \"1200 B\"\n\
             interval = \"{every_us} us\"\nstart = \"{start}\"\n"
        )
    };
    format!(
        "[[ue]]\nname = \"ue\"\ncount = {ues}\ndownlink_sinr_db = {sinr_db}\n{}{}",
        stream("down", down_us, "10 ms"),
        stream("up", up_us, "13 ms")
    )
}

/// Number of datagrams that arrived down and up, with their mean latency in ms.
fn came(text: &str) -> [(f64, f64); 2] {
    let mut latencies = [Vec::new(), Vec::new()];
    for seed in SEEDS {
        let outcome = run(text, seed);
        let apps = texts(&outcome, "datagrams", "app");
        for (app, latency) in apps.iter().zip(values(&outcome, "datagrams", "latency_ms")) {
            latencies[usize::from(app == "up")].extend(latency);
        }
    }
    latencies.map(|all| (all.len() as f64, all.iter().sum::<f64>() / all.len() as f64))
}

/// Faults of a switch in a cell with this traffic, in words.
fn faults(cell: &str, traffic: &str, (before, after): Switch, saturated: bool) -> Vec<String> {
    let of = |keys: &str| came(&format!("duration = \"0.4 s\"\n{traffic}{cell}{keys}"));
    let both = of(before).into_iter().zip(of(after)).zip(["down", "up"]);
    let worse = both.filter(|((was, is), _)| {
        if saturated {
            is.0 < was.0 * (1.0 - TOLERANCE)
        } else {
            is.0 < was.0 || is.1 > was.1 * (1.0 + TOLERANCE)
        }
    });
    worse
        .map(|((was, is), way)| format!("{before:?} → {after:?}, {way}: {was:?} → {is:?}"))
        .collect()
}

fn all_faults(traffic: impl Fn(f64) -> String, saturated: bool) -> Vec<String> {
    let mut found = Vec::new();
    for (cell, own, sinr_db) in
        [(NR, &OF_NR[..], 25.0), (NR_FDD, &OF_NR[..], 12.0), (LTE, &OF_LTE[..], 25.0)]
    {
        for &switch in OF_BOTH.iter().chain(own) {
            let of_switch =
                faults(&format!("{cell}{STEADY}"), &traffic(sinr_db), switch, saturated);
            found.extend(of_switch.into_iter().map(|it| format!("{it} in\n{cell}")));
        }
    }
    found
}

/// Forty UEs with more data than the cell carries.
#[test]
fn idealised_cells_carry_no_less() {
    let found = all_faults(|sinr_db| traffic(40, sinr_db, [2500, 8000]), true);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Ten UEs with occasional datagrams.
#[test]
fn idealised_cells_are_no_slower() {
    let found = all_faults(|sinr_db| traffic(10, sinr_db, [41_003, 53_009]), false);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The cell of 60 UEs in which assignments waited for the control channel with `bler = "none"`.
#[test]
fn cell_without_errors_has_room_for_its_assignments() {
    let blocked = |bler: &str| {
        let text = format!(
            "duration = \"0.4 s\"\n{}{NR}mcs = 27\nbler = {bler}\n",
            traffic(60, 35.0, [2500, 50_000])
        );
        crate::runs::numbers(&run(&text, 1), "control", "pdcch_blocked")[0]
    };
    let (with, without) = (blocked("\"sinr\""), blocked("\"none\""));
    assert!(without <= with, "{without} assignments and grants waited, {with} with errors");
}
