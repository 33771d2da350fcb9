//! Small data with random access in RRC_INACTIVE (RA-SDT, TS 38.300 §18), beside configured grants
//! of RRC_CONNECTED, and without an answer.

use crate::runs::numbers;
use crate::serving_cells::{latencies, voice};
use crate::uplink_carriers::{FDD, FLAWLESS, cell, run};
use uplane::scenario::Outcome;

fn total(outcome: &Outcome, column: &str) -> f64 {
    numbers(outcome, "control", column).iter().sum()
}

/// A cell with small data, which releases UEs after 100 ms.
fn states(keys: &str, rach: &str) -> String {
    let states = format!(
        "rach = {{ {rach} }}\nrrc = {{ inactivity = \"100 ms\" }}\n\
         rrc_inactive = {{ small_data = {{ most = \"100 B\", inactivity = \"100 ms\" }} }}\n"
    );
    cell(&format!("{FLAWLESS}{FDD}sr_period = 10\n{keys}{states}"), &[])
}

/// TS 38.321 §5.8.2: configured grants of RRC_CONNECTED do not exist in RRC_INACTIVE, and nothing
/// waits for them: each packet takes as long as in a cell without them. The first of two in each
/// second is sent with the random access, the other one 30 ms later while data flows.
#[test]
fn small_data_uses_no_grant_of_rrc_connected() {
    let grant = "configured_grant = { size = \"128 B\", period = 5 }\n";
    let small = |keys: &str| {
        let pair = |name: &str, start: u32| {
            let keys = "payload = \"40 B\"\ninterval = \"1000.137 ms\"\ncount = 50";
            voice(name, &format!("{keys}\nstart = \"{start} ms\""))
        };
        let apps = pair("first", 500) + &pair("second", 530);
        run(&format!("duration = \"60 s\"\n{}{apps}", states(keys, "")))
    };
    let (without, beside) = (small(""), small(grant));
    for name in ["first", "second"] {
        assert_eq!(latencies(&without, name).iter().flatten().count(), 50);
        assert_eq!(latencies(&without, name), latencies(&beside, name), "{name}");
    }
    assert!((total(&beside, "small_data_transmissions") - 50.0).abs() < 0.5);
}

/// TS 38.331 §5.3.13.5: a UE whose random access for small data has no answer is in RRC_IDLE, and
/// loses its data. The next packet asks for a connection, also without an answer.
#[test]
fn unanswered_small_data_is_lost_in_rrc_idle() {
    let radio = states("", "preamble_missed = 1, preamble_trans_max = 3");
    let apps = voice("v", "payload = \"40 B\"\nstart = \"500 ms\"\ninterval = \"2 s\"\ncount = 2");
    let outcome = run(&format!("duration = \"5 s\"\n{radio}{apps}"));
    let found = latencies(&outcome, "v");
    assert!(found.iter().all(Option::is_none), "{found:?}");
    let lost: f64 = numbers(&outcome, "drops", "packets").iter().sum();
    assert!((lost - 1.0).abs() < 0.5, "{lost}");
    for (column, count) in [("small_data_transmissions", 1.0), ("small_data_failures", 1.0)] {
        assert!((total(&outcome, column) - count).abs() < 0.5, "{column}");
    }
    assert!(total(&outcome, "random_access_problems") > 1.5, "it asks again from RRC_IDLE");
}
