//! A UE is one MAC entity whatever its carriers (TS 38.321 §4.2.2): its timers, requests, rates and
//! resets, if blocks use a secondary carrier. Each fact was written down before.
//!
//! Slots of 1 ms, and blocks of 2754 bytes, as in `uplink_carriers.rs`.

use crate::runs::numbers;
use crate::serving_cells::{bearers, latencies, voice};
use crate::uplink_carriers::{FDD, FLAWLESS, cell, run, with_uplink};
use uplane::scenario::Outcome;

const UM: &str = "rlc = \"um\"\nrlc_sn_length = 12\n";

/// A bearer that may use these carriers alone.
fn bearer(keys: &str) -> String {
    format!("[[radio.nr.bearer]]\nname = \"b\"\n{keys}\n")
}

/// A cell with two like carriers.
fn two(keys: &str) -> String {
    cell(&format!("{FLAWLESS}{FDD}{UM}sr_period = 1\n{keys}"), &[&with_uplink(FDD)])
}

fn total(outcome: &Outcome, column: &str) -> f64 {
    numbers(outcome, "control", column).iter().sum()
}

/// TS 38.321 §5.12: a handover flushes the HARQ buffers of all carriers, including blocks that wait
/// for another transmission: new ones use their processes afterwards.
#[test]
fn a_handover_resets_the_processes_of_all_carriers() {
    let handover = "handover = { interruption = \"10 ms\", first = \"50 ms\", every = \"103 ms\", forwarding = \"10 ms\" }\n";
    let keys = format!(
        "bler = [0.6, 0.6, 0.6, 0]\nmcs = 10\nuplink_mcs = 10\nsr_period = 1\n{handover}{FDD}"
    );
    let radio = cell(&keys, &[&with_uplink(FDD)]);
    let bulk = "[[bulk]]\nname = \"b\"\ndirection = \"up\"\n";
    let sent = |seconds: u32| {
        let outcome = run(&format!("duration = \"{seconds} s\"\n{radio}{bulk}"));
        numbers(&outcome, "carriers", "up_blocks")
    };
    let (two_seconds, four) = (sent(2), sent(4));
    assert!(two_seconds.iter().zip(four).all(|(before, after)| after > before + 300.0));
}

/// TS 38.321 §5.4.5: any grant restarts `retxBSR-Timer`. 50 packets of 1431 bytes take 28 slots of
/// the second carrier; the timer has ten, and the one report that they need is in the answer to the
/// request.
#[test]
fn secondary_carrier_grant_restarts_retx_bsr_timer() {
    let keys = "periodic_bsr_timer = \"2560 ms\"\nretx_bsr_timer = \"10 ms\"\n";
    let burst = voice("v", "payload = \"1403 B\"\ninterval = \"1 us\"\ncount = 50");
    let text = format!(
        "duration = \"1 s\"\n{}{}{burst}",
        two(keys),
        bearer("allowed_serving_cells = [1]")
    );
    let outcome = run(&text);
    assert_eq!(latencies(&outcome, "v").iter().flatten().count(), 50);
    assert!(numbers(&outcome, "carriers", "up_blocks")[1] > 28.0);
    assert!((total(&outcome, "bsr_sent") - 1.0).abs() < 0.5, "{}", total(&outcome, "bsr_sent"));
}

/// TS 23.501 §5.7.2.5: a maximum rate that is not reached delays nothing. Each packet of 1200
/// bytes, less than 1220 with headers of RLC, is reported with up to 1446 (TS 38.321 Table
/// 6.1.3.1-1), and granted that; the unused rest is returned to the token bucket. 1220 bytes each
/// 10 ms are 0.98 Mbit/s, and 1446 would be 1.16.
#[test]
fn secondary_carrier_returns_tokens_of_unused_grants() {
    let sent = |keys: &str| {
        let apps = voice("v", "payload = \"1169 B\"\ninterval = \"10.037 ms\"\ncount = 1000");
        let own = bearer(&format!("allowed_serving_cells = [1]\n{keys}"));
        run(&format!("duration = \"20 s\"\n{}{own}{apps}", two("")))
    };
    let (free, held) = (sent(""), sent("uplink_mfbr = \"1.05 Mbit/s\""));
    assert_eq!(latencies(&free, "v"), latencies(&held, "v"));
    assert_eq!(latencies(&free, "v").iter().flatten().count(), 1000);
}

/// An upload that is limited to one carrier and has a block in each of its slots, and urgent
/// packets that are limited to the other one, starting at `start`.
fn beside_upload((upload, urgent): (u32, u32), start: &str, interval: &str) -> Outcome {
    let many = "payload = \"1400 B\"\nport = 6000\ninterval = \"200 us\"\ncount = 100000";
    let some = format!(
        "payload = \"40 B\"\nport = 4000\nstart = \"{start}\"\ninterval = \"{interval}\"\ncount = 100"
    );
    let bearers = bearers(
        &format!("allowed_serving_cells = [{upload}]"),
        &format!("allowed_serving_cells = [{urgent}]"),
    );
    let radio = two("periodic_bsr_timer = \"1 ms\"\nbuffer = \"200 kB\"\n");
    let apps = voice("slow", many) + &voice("quick", &some);
    run(&format!("duration = \"2 s\"\n{radio}{bearers}{apps}"))
}

/// TS 38.321 §5.4.4: a UE whose block has a report sends no request, even if that block is on a
/// secondary carrier and begins with the slot of the request. Requests begin after 12 of 14 symbols
/// of a slot: a packet that is ready in one of these asks at once, and a packet of the two others
/// is reported by the block of the next slot. The few other requests are those of the upload's
/// beginning.
#[test]
fn report_on_a_secondary_carrier_replaces_a_request() {
    let asked = (0..14).map(|symbol| {
        let start = format!("{} ns", 100_000_000 + symbol * 71_429 + 30_000);
        let outcome = beside_upload((1, 0), &start, "10 ms");
        assert_eq!(latencies(&outcome, "quick").iter().flatten().count(), 100);
        total(&outcome, "sr_sent")
    });
    let asked: Vec<f64> = asked.collect();
    let quiet = asked.iter().filter(|&&asked| asked < 6.0).count();
    let loud = asked.iter().filter(|&&asked| asked >= 100.0).count();
    assert!((2..=3).contains(&quiet) && quiet + loud == 14, "{asked:?}");
}

/// A report on a secondary carrier is known before the first one grants: the latency of an urgent
/// packet does not depend on the carrier that reports it, or that carries it.
#[test]
fn a_report_is_as_quick_on_any_carrier() {
    let of = |carriers| latencies(&beside_upload(carriers, "100 ms", "10.137 ms"), "quick");
    let (by_second, by_first) = (of((1, 0)), of((0, 1)));
    assert_eq!(by_second.iter().flatten().count(), 100);
    assert_eq!(by_second, by_first);
}

/// A UE counts as active when a packet enters its queue, and when a block reaches it. Each packet
/// enters in an uplink slot of the first carrier, 1.8 ms after its arrival, and the UE has it from
/// the second one after a slot and its processing, 0.285 ms: with 99.5 ms until the release the
/// next one, 100 ms behind it, finds the UE connected.
#[test]
fn a_block_of_a_secondary_carrier_is_activity() {
    let first = "bandwidth_mhz = 20\nduplex = \"DSUUU 10:2:2\"\nsubcarrier_spacing_khz = 15\n";
    let states = "rach = {}\nrrc = { inactivity = \"99.5 ms\" }\nsr_period = 10\n";
    let radio = cell(&format!("{FLAWLESS}{first}{UM}{states}"), &[FDD]);
    let apps = "[[voice]]\nname = \"v\"\ndirection = \"down\"\npayload = \"40 B\"\n\
                start = \"5.2 ms\"\ninterval = \"100 ms\"\ncount = 50\n";
    let outcome = run(&format!("duration = \"6 s\"\n{radio}{apps}"));
    let latencies: Vec<f64> = latencies(&outcome, "v").into_iter().flatten().collect();
    assert_eq!(latencies.len(), 50);
    assert!(latencies.iter().all(|&latency| (latency - 3.085).abs() < 0.01), "{latencies:?}");
    assert!(total(&outcome, "rrc_resumes") + total(&outcome, "rrc_setups") < 0.5);
}
