//! Bearers limited to some carriers in the uplink (`allowedServingCells`, TS 38.321 §5.4.3.1.2),
//! from end to end, against closed forms that were written down in advance.
//!
//! Slots of 1 ms, and blocks of 2754 bytes, as in `uplink_carriers.rs`.

use crate::carriers::close;
use crate::runs::{numbers, table, values};
use crate::uplink_carriers::{FDD, FLAWLESS, any, cell, draw, drawn_carriers, run, with_uplink};
use uplane::record::Data;
use uplane::scenario::Outcome;

/// Unacknowledged mode, without room in grants for headers.
const QUICK: &str = "rlc = \"um\"\nrlc_sn_length = 12\nsr_period = 1\n";

/// A default bearer, and an urgent one for packets to port 4000, each with these keys.
pub(crate) fn bearers(default: &str, urgent: &str) -> String {
    format!(
        "[[radio.nr.bearer]]\nname = \"default\"\n{default}\n\
         [[radio.nr.bearer]]\nname = \"urgent\"\nfive_qi = 3\n{urgent}\n\
         filter = [{{ server_port = 4000, precedence = 1 }}]\n"
    )
}

/// Datagrams of the uplink.
pub(crate) fn voice(name: &str, keys: &str) -> String {
    format!("[[voice]]\nname = \"{name}\"\ndirection = \"up\"\n{keys}\n")
}

/// Latencies of the datagrams of one sender; `None` for one that did not arrive.
pub(crate) fn latencies(outcome: &Outcome, name: &str) -> Vec<Option<f64>> {
    let Some(Data::Text(apps)) = table(outcome, "datagrams").column("app") else {
        panic!("they have names")
    };
    let all = apps.iter().zip(values(outcome, "datagrams", "latency_ms"));
    all.filter(|(app, _)| *app == name).map(|(_, latency)| latency).collect()
}

/// Payload that arrived in the second second, in Mbit/s, for each of two senders that have more
/// than two carriers carry.
fn greedy(keys: &str, bearers: &str) -> [f64; 2] {
    let many = "payload = \"1400 B\"\ninterval = \"200 us\"\ncount = 100000";
    let apps = voice("slow", &format!("{many}\nport = 6000"))
        + &voice("quick", &format!("{many}\nport = 4000"));
    let radio =
        cell(&format!("{FLAWLESS}{FDD}{QUICK}buffer = \"200 kB\"\n{keys}"), &[&with_uplink(FDD)]);
    let mbps = |name: &str| {
        let arrived = |seconds: u32| {
            let outcome = run(&format!("duration = \"{seconds} s\"\n{radio}{bearers}{apps}"));
            latencies(&outcome, name).iter().flatten().count() as f64
        };
        (arrived(2) - arrived(1)) * 1400.0 * 8e-6
    };
    ["slow", "quick"].map(mbps)
}

/// Two carriers, a bearer on each: both have the rate of one, while by priority alone the urgent
/// one has all of both.
#[test]
fn each_bearer_has_the_rate_of_its_carriers() {
    let carrier = 2754.0 * 8e-3 * 1400.0 / 1436.0;
    let report = "periodic_bsr_timer = \"1 ms\"\n";
    let [slow, quick] = greedy(report, &bearers("", ""));
    close(quick, 2.0 * carrier, 0.01, "the urgent one on both");
    assert!(slow < 0.01 * carrier, "{slow}");
    let [slow, quick] =
        greedy(report, &bearers("allowed_serving_cells = [0]", "allowed_serving_cells = [1]"));
    close(quick, carrier, 0.01, "the urgent one on its carrier");
    close(slow, carrier, 0.01, "the other one on its own");
    let [slow, quick] = greedy(report, &bearers("", "allowed_serving_cells = [0]"));
    close(quick, carrier, 0.01, "the urgent one on the first");
    close(slow, carrier, 0.01, "the other one on what is left");
}

/// A bearer that may use only the second carrier is granted nothing on the first one: its
/// configuration of requests identifies it.
#[test]
fn restricted_bearer_gets_no_grant_on_other_carriers() {
    let radio = cell(&format!("{FLAWLESS}{FDD}{QUICK}"), &[&with_uplink(FDD)]);
    let bearer = "[[radio.nr.bearer]]\nname = \"b\"\nallowed_serving_cells = [1]\n";
    let apps = voice("v", "payload = \"1400 B\"\ninterval = \"0.7 ms\"\ncount = 5000");
    let outcome = run(&format!("duration = \"9 s\"\n{radio}{bearer}{apps}"));
    assert_eq!(latencies(&outcome, "v").iter().flatten().count(), 5000);
    let blocks = numbers(&outcome, "carriers", "up_blocks");
    assert!(blocks[0] == 0.0 && blocks[1] > 2000.0, "{blocks:?}");
}

/// Lone datagrams of a bearer with these keys, beside one that may use both carriers. A sixteenth
/// of 101.0137 ms is no multiple of a slot: they arrive at any time.
fn lone(urgent: &str, more: &str) -> Outcome {
    let radio = cell(&format!("{FLAWLESS}{FDD}{QUICK}"), &[&with_uplink(FDD)]);
    let apps =
        voice("quick", "port = 4000\npayload = \"40 B\"\ninterval = \"101.0137 ms\"\ncount = 500");
    run(&format!("duration = \"60 s\"\n{radio}{more}{}{apps}", bearers("", urgent)))
}

/// TS 38.321 §5.4.3.1.2: the answer to a request on the first carrier has no room for a bearer of
/// the second one, but carries its report: this is known two slots after its block, and the grant
/// is for the slot after that: 3 ms more. With its own requests the second carrier answers at once.
#[test]
fn report_uses_any_carrier_data_only_permitted_ones() {
    let free = lone("", "");
    let tied = lone("allowed_serving_cells = [1]", "");
    let own = lone(
        "allowed_serving_cells = [1]\nscheduling_request = \"own\"",
        "[[radio.nr.scheduling_request]]\nname = \"own\"\nperiod = 1\n",
    );
    let of = |outcome: &Outcome| latencies(outcome, "quick").into_iter().flatten().collect();
    let [free_ms, tied_ms, own_ms]: [Vec<f64>; 3] = [of(&free), of(&tied), of(&own)];
    assert_eq!([free_ms.len(), tied_ms.len(), own_ms.len()], [500; 3]);
    for ((free, tied), own) in free_ms.iter().zip(&tied_ms).zip(&own_ms) {
        assert!((tied - free - 3.0).abs() < 1e-6, "{tied} and {free}");
        assert!((own - free).abs() < 1e-6, "{own} and {free}");
    }
    let blocks = |outcome: &Outcome| numbers(outcome, "carriers", "up_blocks");
    assert_eq!([&free, &tied, &own].map(blocks), [[500.0, 0.0], [500.0, 500.0], [0.0, 500.0]]);
    assert!(numbers(&tied, "carriers", "up_sdu_bytes")[0] == 0.0);
}

/// Configured grants are on the first carrier: a bearer that may not use it does not wait for them.
/// Its report may use one, if that precedes the request and its answer: at most 3 ms later then, as
/// above.
#[test]
fn bearer_of_second_carrier_awaits_no_configured_grant() {
    let own = "allowed_serving_cells = [1]\nscheduling_request = \"own\"";
    let more = "[[radio.nr.scheduling_request]]\nname = \"own\"\nperiod = 1\n";
    let grant = "[radio.nr.configured_grant]\nsize = \"90 B\"\nperiod = 40\n";
    let of = |more: &str| -> Vec<f64> {
        latencies(&lone(own, more), "quick").into_iter().flatten().collect()
    };
    let (without, beside) = (of(more), of(&format!("{more}{grant}")));
    assert_eq!([without.len(), beside.len()], [500; 2]);
    for (without, beside) in without.iter().zip(&beside) {
        assert!(beside - without < 3.0 + 1e-6, "{beside} and {without}");
    }
}

/// A carrier is not activated for data that may not use it: a bearer that may use it waits for the
/// delay, although another one has had data all the time.
#[test]
fn a_carrier_is_activated_for_its_own_bearers() {
    let activation = "activation = { delay = \"100 ms\", deactivation_timer = \"160 ms\" }\n";
    let carrier = format!("{}{activation}", with_uplink(FDD));
    let radio = cell(&format!("{FLAWLESS}{FDD}{QUICK}"), &[&carrier]);
    let wait = |slow: &str| {
        let apps = voice(
            "slow",
            "port = 6000\npayload = \"1000 B\"\ninterval = \"0.9 ms\"\ncount = 1000",
        ) + &voice(
            "quick",
            "port = 4000\npayload = \"40 B\"\ninterval = \"1 s\"\ncount = 1\nstart = \"500 ms\"",
        );
        let bearers = bearers(slow, "allowed_serving_cells = [1]");
        let outcome = run(&format!("duration = \"1 s\"\n{radio}{bearers}{apps}"));
        latencies(&outcome, "quick")[0].expect("it comes")
    };
    let (tied, free) = (wait("allowed_serving_cells = [0]"), wait(""));
    // Request, report and grant take at most as long as for a lone one: 5.5 and 3 ms.
    assert!((100.0..109.0).contains(&tied), "{tied}");
    assert!(free < 9.0, "{free}");
}

/// A maximum rate of a bearer on one carrier: grants there are for the data that it may send, not
/// for data that waits for the other carrier, so that no block has padding.
#[test]
fn maximum_rate_holds_on_its_bearers_carriers() {
    let radio = cell(
        &format!("{FLAWLESS}{FDD}{QUICK}buffer = \"200 kB\"\nperiodic_bsr_timer = \"1 ms\"\n"),
        &[&with_uplink(FDD)],
    );
    let bearers = bearers(
        "allowed_serving_cells = [0]",
        "allowed_serving_cells = [1]\nuplink_mfbr = \"5 Mbit/s\"",
    );
    let many = "payload = \"1400 B\"\ninterval = \"200 us\"\ncount = 100000";
    let apps = voice("slow", &format!("{many}\nport = 6000"))
        + &voice("quick", &format!("{many}\nport = 4000"));
    let sdu_bytes = |seconds: u32| {
        let outcome = run(&format!("duration = \"{seconds} s\"\n{radio}{bearers}{apps}"));
        let padding = numbers(&outcome, "carriers", "up_padding_bytes");
        let sdu = numbers(&outcome, "carriers", "up_sdu_bytes");
        assert!(
            padding.iter().zip(&sdu).all(|(padding, sdu)| *padding < 0.02 * sdu),
            "{padding:?} {sdu:?}"
        );
        sdu
    };
    let (first, second) = (sdu_bytes(1), sdu_bytes(3));
    close((second[1] - first[1]) * 4e-6, 5.0, 0.02, "what has a maximum");
    close((second[0] - first[0]) * 4e-6, 2754.0 * 8e-3, 0.01, "the other");
}

/// Whatever the carriers, their errors and their permitted bearers: acknowledged mode delivers each
/// packet of two bearers once, in order.
#[test]
fn drawn_restrictions_bring_everything_once_and_in_order() {
    let mut state = 4711;
    for number in 0..40 {
        let (first, others) = drawn_carriers(&mut state);
        let with_uplink: Vec<usize> = std::iter::once(0)
            .chain((1..).zip(&others).filter(|(_, it)| it.contains("uplink")).map(|(it, _)| it))
            .collect();
        let mut list = || {
            let some: Vec<usize> =
                with_uplink.iter().copied().filter(|_| draw(&mut state, 2) == 0).collect();
            if some.is_empty() {
                String::new()
            } else {
                format!("allowed_serving_cells = {some:?}")
            }
        };
        let bearers = bearers(&list(), &list());
        let bler = any(&mut state, &["\"none\"", "[0.4, 0.1, 0]", "[0.3, 0.3, 0.3, 0.3]"]);
        let grants = any(
            &mut state,
            &[
                "",
                "configured_grant = { size = \"64 B\", period = 20 }",
                "rach = {}",
                "rach = {}\nrrc = { inactivity = \"60 ms\" }",
            ],
        );
        let keys =
            format!("{first}bler = {bler}\nmcs = 9\nuplink_mcs = 9\nsr_period = 20\n{grants}\n");
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let radio = cell(&keys, &others);
        let apps = [6000, 4000].map(|port| {
            let keys = "payload = \"300 B\"\ninterval = \"2.3 ms\"\ncount = 150";
            voice(&format!("v{port}"), &format!("port = {port}\n{keys}"))
        });
        let text = format!("duration = \"8 s\"\n{radio}{bearers}{}", apps.concat());
        let outcome = crate::runs::run(&text, number);
        for name in ["v6000", "v4000"] {
            let latencies: Vec<f64> = latencies(&outcome, name).into_iter().flatten().collect();
            assert_eq!(latencies.len(), 150, "{name} of {text}");
            for pair in latencies.windows(2) {
                assert!(pair[1] + 2.3 >= pair[0] - 1e-9, "{pair:?}: {text}");
            }
        }
    }
}
