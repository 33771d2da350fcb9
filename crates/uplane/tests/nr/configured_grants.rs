//! Configured grants of type 2 and several grants of a UE, against closed forms that were computed
//! independently of this code.
//!
//! FDD with 15 kHz: a datagram of the uplink takes 4.5 ms and half a period of its requests, and
//! 2.357 ms and half a period of its configured grant (`end_to_end` has the parts). A block that a
//! report asks for is sent three slots after the block with the report. A message takes two
//! elements.

use crate::runs::{numbers, table};
use uplane::record::Data;
use uplane::scenario::Outcome;

const FDD: &str = "duplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 20";

/// A cell over FDD in which nothing fails, with these keys and datagrams.
fn run(cell: &str, datagrams: &str) -> Outcome {
    run_over(FDD, cell, datagrams)
}

fn run_over(band: &str, cell: &str, datagrams: &str) -> Outcome {
    crate::runs::run(
        &format!(
            "duration = \"1000 s\"\n[radio.nr]\n{band}\nmcs = 10\nuplink_mcs = 10\nrlc = \"um\"\nrlc_sn_length = 12\n\
             dmrs_symbols = 1\nsr_grant = \"400 B\"\nsr_prohibit_timer = \"10 ms\"\n\
             feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, \
             cqi_erased = 0 }}\n{cell}\n{datagrams}\n"
        ),
        1,
    )
}

/// A call of the uplink with these keys.
fn call(keys: &str) -> String {
    format!("[[voice]]\nname = \"v\"\ndirection = \"up\"\npayload = \"40 B\"\n{keys}\n")
}

/// A grant of type 2 each 20 ms, released after four occasions without a block.
fn type_2(bler: &str, more: &str) -> String {
    format!(
        "bler = {bler}\nsr_period = 1\nconfigured_grant = {{ type = 2, period = 20, \
         size = \"128 B\", release_after = 4{more} }}"
    )
}

const FLAWLESS: &str = "\"none\"";

/// Latencies in nanoseconds.
fn latencies(outcome: &Outcome) -> Vec<i64> {
    let all = numbers(outcome, "datagrams", "latency_ms");
    all.iter().map(|latency| (latency * 1e6).round() as i64).collect()
}

fn control(outcome: &Outcome, column: &str) -> u64 {
    numbers(outcome, "control", column)[0] as u64
}

/// Activations, releases and confirmations.
fn messages(outcome: &Outcome) -> [u64; 3] {
    ["activations", "releases", "confirmations"]
        .map(|what| control(outcome, &format!("configured_grant_{what}")))
}

/// New blocks and all transmissions of the uplink.
fn blocks(outcome: &Outcome) -> [u64; 2] {
    ["blocks", "transmissions"].map(|column| numbers(outcome, "blocks", column)[1] as u64)
}

fn of_app(outcome: &Outcome, app: &str) -> Vec<f64> {
    let datagrams = table(outcome, "datagrams");
    let Some(Data::Text(apps)) = datagrams.column("app") else { panic!("they have names") };
    let latencies = numbers(outcome, "datagrams", "latency_ms");
    apps.iter().zip(latencies).filter(|(name, _)| *name == app).map(|(_, it)| it).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= 0.02, "{what}: {found}, expected {expected}");
}

/// TS 38.321 §5.8.2: the first datagram of a call asks, and the answer is the grant of all others,
/// which arrive as long before their occasions as the first before its block.
#[test]
fn a_call_asks_once() {
    let keys = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let outcome = run(&type_2(FLAWLESS, ""), &call(keys));
    let alone = run("bler = \"none\"\nsr_period = 1", &call(keys));
    assert_eq!(latencies(&outcome), vec![latencies(&alone)[0]; 500]);
    assert_eq!(messages(&outcome), [1, 0, 1]);
    assert_eq!((control(&outcome, "sr_sent"), control(&outcome, "cces")), (1, 1));
    assert_eq!(blocks(&outcome), [500, 500]);
    assert_eq!((control(&alone, "sr_sent"), control(&alone, "cces")), (500, 500));
}

/// Datagrams at any time wait for the occasion, half a period on average and a whole one at most.
#[test]
fn datagrams_at_any_time_wait_for_the_occasion() {
    let outcome = run(&type_2(FLAWLESS, ""), &call("interval = \"33.0137 ms\"\ncount = 5000"));
    let all = numbers(&outcome, "datagrams", "latency_ms");
    close(mean(&all), 12.357, "half a period");
    assert!(all.iter().all(|&latency| latency < 22.4), "a period at most");
    assert_eq!(messages(&outcome), [1, 0, 1]);
    assert_eq!(control(&outcome, "cces"), 1);
}

/// Datagrams each 75 ms: from the slot of the first block on those of number `n` come `75 n` ms
/// later, and their occasion is at the next multiple of 20 ms. There is none without a block that
/// is the fourth in a row.
#[test]
fn a_grant_that_is_used_stays() {
    let keys = "start = \"13.4 ms\"\ninterval = \"75 ms\"\ncount = 200";
    let outcome = run(&type_2(FLAWLESS, ""), &call(keys));
    let all = latencies(&outcome);
    let first = all[0];
    let expected: Vec<i64> =
        (0..200_i64).map(|n| first + (-75 * n).rem_euclid(20) * 1_000_000).collect();
    assert_eq!(all, expected);
    assert_eq!(messages(&outcome), [1, 0, 1]);
}

/// Datagrams each 95 ms: the fourth empty occasion is 80 ms after a block, and the base station
/// releases the grant when it knows that. Until the UE has confirmed the release the grant exists:
/// the next datagram uses it with the confirmation, 100 ms after that block, and the one after that
/// asks.
#[test]
fn a_released_grant_carries_its_confirmation() {
    let keys = "start = \"13.4 ms\"\ninterval = \"95 ms\"\ncount = 100";
    let outcome = run(&type_2(FLAWLESS, ""), &call(keys));
    let all = latencies(&outcome);
    let expected: Vec<i64> = (0..100_i64).map(|n| all[0] + n % 2 * 5_000_000).collect();
    assert_eq!(all, expected);
    assert_eq!(messages(&outcome), [50, 50, 100]);
    assert_eq!((control(&outcome, "sr_sent"), control(&outcome, "cces")), (50, 100));
    assert_eq!(blocks(&outcome), [100, 100]);
}

/// Datagrams each 121 ms: the confirmation has a separate block, and each datagram asks.
#[test]
fn datagram_after_a_pause_sends_a_request() {
    let keys = "start = \"13.4 ms\"\ninterval = \"121 ms\"\ncount = 100";
    let outcome = run(&type_2(FLAWLESS, ""), &call(keys));
    let all = latencies(&outcome);
    assert_eq!(all, vec![all[0]; 100]);
    assert_eq!(messages(&outcome), [100, 99, 199]);
    assert_eq!((control(&outcome, "sr_sent"), control(&outcome, "cces")), (100, 199));
    assert_eq!(blocks(&outcome), [199, 199]);
}

/// TS 38.214 §6.1.2.3.1: the block of the activation is repeated like the others.
#[test]
fn bundles_begin_with_the_activation() {
    let keys = "start = \"13.4 ms\"\ninterval = \"75 ms\"\ncount = 200";
    let outcome = run(&type_2(FLAWLESS, ", repetitions = 4"), &call(keys));
    // The run ends when the last block is decoded, before the end of its bundle.
    let [blocks, transmissions] = blocks(&outcome);
    assert_eq!((blocks, transmissions.div_ceil(4)), (200, 200));
    assert_eq!(messages(&outcome), [1, 0, 1]);
}

/// A bundle of two slots finds both of `DDSUU`, starting with the fourth. With `k2` of four slots a
/// request of a fourth slot could be answered for the fifth of the next pattern, which would be one
/// of two: the message that activates waits.
#[test]
fn tdd_bundle_begins_where_it_has_most_slots() {
    let band = "duplex = \"DDSUU 10:2:2\"\nsubcarrier_spacing_khz = 30\nbandwidth_mhz = 20";
    let keys = "start = \"13.4 ms\"\ninterval = \"75 ms\"\ncount = 100";
    let cell = "bler = \"none\"\nleast_k2 = 4\nsr_period = 5\n\
                configured_grant = { type = 2, period = 40, size = \"128 B\", repetitions = 2 }";
    let outcome = run_over(band, cell, &call(keys));
    let [blocks, transmissions] = blocks(&outcome);
    assert_eq!((blocks, transmissions.div_ceil(2)), (100, 100));
    assert_eq!(messages(&outcome), [1, 0, 1]);
}

/// TS 38.321 §5.4.1: a block that failed is retransmitted by a grant for it, three slots later.
#[test]
fn retransmissions_have_grants_of_their_own() {
    let keys = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 100";
    let outcome = run(&type_2("[1, 0]", ""), &call(keys));
    let flawless = run(&type_2(FLAWLESS, ""), &call(keys));
    assert_eq!(latencies(&outcome), vec![latencies(&flawless)[0] + 3_000_000; 100]);
    assert_eq!((control(&outcome, "cces"), control(&outcome, "grants")), (101, 101));
}

/// Two bearers; the second carries packets to port 5000.
fn bearers(first: &str, second: &str) -> String {
    format!(
        "[[radio.nr.bearer]]\nname = \"default\"\nrlc = \"um\"\n{first}\n\
         [[radio.nr.bearer]]\nname = \"urgent\"\nrlc = \"um\"\nfive_qi = 85\n{second}\n\
         [[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 5000\n"
    )
}

fn stream(name: &str, port: u16, keys: &str) -> String {
    format!(
        "[[voice]]\nname = \"{name}\"\ndirection = \"up\"\npayload = \"40 B\"\nport = {port}\n{keys}\n"
    )
}

fn grant(name: &str, keys: &str) -> String {
    format!("[[radio.nr.configured_grant_config]]\nname = \"{name}\"\nsize = \"128 B\"\n{keys}\n")
}

/// The configuration of a request shows whether a grant of type 2 would be used: a request of a
/// bearer that may not use the grant activates nothing.
#[test]
fn the_request_of_another_bearer_activates_nothing() {
    let grants = grant("call", "type = 2\nperiod = 20");
    let each_slot = "[[radio.nr.scheduling_request]]\nname = \"each slot\"\nperiod = 1\n";
    let both = bearers("allowed_cg_list = []", "scheduling_request = \"each slot\"");
    let cell = format!("bler = \"none\"\nsr_period = 20\n{grants}{each_slot}{both}");
    let keys = "interval = \"101.0137 ms\"\ncount = 1000";
    let calm = run(&cell, &stream("calm", 6000, keys));
    assert_eq!(messages(&calm), [0; 3]);
    close(mean(&of_app(&calm, "calm")), 14.5, "half a period of its requests");
    let urgent = run(&cell, &stream("urgent", 5000, "interval = \"20 ms\"\ncount = 1000"));
    assert_eq!(messages(&urgent), [1, 0, 1]);
}

/// TS 38.321 §5.4.3.1.2, §5.4.5: a bearer uses the grants that it may use, which are 0 and 5 ms
/// after each 20 ms, and is reported in the other. With both it waits (5² + 15²) / 40 ms. With the
/// first alone it waits for 20 ms if it arrives after 5 ms, and else for a grant 8 ms after the
/// first, three slots after its report: (8·5 − 5²/2 + 15²/2) / 20 ms. With the second alone, whose
/// report is sent 15 ms after it: (18·15 − 15²/2 + 5²/2) / 20 ms.
#[test]
fn bearer_waits_for_its_permitted_grants() {
    let grants =
        [grant("even", "period = 20\noffset = 0"), grant("odd", "period = 20\noffset = 5")];
    let keys = "interval = \"101.0137 ms\"\ncount = 2500";
    let mean_with = |allowed: &str| {
        let own = bearers(allowed, "");
        let cell = format!("bler = \"none\"\n{}{own}", grants.concat());
        let outcome = run(&cell, &stream("calm", 6000, keys));
        assert_eq!(control(&outcome, "sr_sent"), 0);
        mean(&of_app(&outcome, "calm"))
    };
    close(mean_with(""), 2.357 + 6.25, "both");
    close(mean_with("allowed_cg_list = [\"even\"]"), 2.357 + 7.0, "the first");
    close(mean_with("allowed_cg_list = [\"odd\"]"), 2.357 + 8.5, "the second");
}

/// TS 38.321 §5.4.1, note 7: of two grants in one slot the UE uses the first in the list, whichever
/// was planned first. The data of the other is reported in its block, and sent by a grant three
/// slots later. Urgent datagrams arrive 1 ms before the calm ones.
#[test]
fn first_of_two_grants_in_a_slot_counts() {
    let keys = "interval = \"100 ms\"\ncount = 100";
    let streams = [
        stream("calm", 6000, &format!("{keys}\nstart = \"13.4 ms\"")),
        stream("urgent", 5000, &format!("{keys}\nstart = \"12.4 ms\"")),
    ];
    let own = bearers("allowed_cg_list = [\"slow\"]", "allowed_cg_list = [\"quick\"]");
    let differences = |order: [&str; 2]| {
        let grants = order.map(|name| grant(name, "period = 20\noffset = 0"));
        let outcome = run(&format!("bler = \"none\"\n{}{own}", grants.concat()), &streams.concat());
        assert_eq!(blocks(&outcome), [200, 200]);
        let all = ["calm", "urgent"].map(|app| of_app(&outcome, app));
        let later = |(calm, urgent): (&f64, &f64)| ((urgent - calm) * 1e6).round() as i64;
        all[0].iter().zip(&all[1]).map(later).collect::<Vec<i64>>()
    };
    assert_eq!(differences(["slow", "quick"]), vec![4_000_000; 100]);
    assert_eq!(differences(["quick", "slow"]), vec![-2_000_000; 100]);
}

/// The second grant was planned first: an early datagram of the urgent bearer, sent by a grant that
/// its report in slot 20 asks for, has made it plan its occasion in slot 40. A calm datagram
/// arrives 5 ms after slot 20, and an urgent one 2 ms later; they are sent in slots 40 and 43.
#[test]
fn first_listed_grant_is_used_though_planned_last() {
    let keys = |start: &str| format!("start = \"{start}\"\ninterval = \"200 ms\"\ncount = 50");
    let streams = [
        stream("early", 5000, &keys("203.4 ms")),
        stream("calm", 6000, &keys("225.4 ms")),
        stream("urgent", 5000, &keys("227.4 ms")),
    ];
    let grants =
        [grant("slow", "period = 20\noffset = 0"), grant("quick", "period = 40\noffset = 0")];
    let own = bearers("allowed_cg_list = [\"slow\"]", "allowed_cg_list = [\"quick\"]");
    let outcome = run(&format!("bler = \"none\"\n{}{own}", grants.concat()), &streams.concat());
    let [early, calm, urgent] = ["early", "calm", "urgent"].map(|app| of_app(&outcome, app));
    let later = |(one, other): (&f64, &f64)| ((one - other) * 1e6).round() as i64;
    let differences: Vec<i64> = urgent.iter().zip(&calm).map(later).collect();
    assert_eq!(differences, vec![1_000_000; 50]);
    // Slot 23 after 3.4 ms, and slot 40 after 25.4 ms.
    let differences: Vec<i64> = early.iter().zip(&calm).map(later).collect();
    assert_eq!(differences, vec![5_000_000; 50]);
}

/// A bundle of one grant blocks the other's occasion: its data waits for the next one. The first
/// has slots 0 to 3 of 20, the other slot 2 of 20, and both datagrams arrive before slot 0; the
/// report in the first block asks for a grant, in slot 3 of the bundle's at the earliest.
#[test]
fn a_bundle_that_has_begun_goes_on() {
    let keys = "start = \"13.4 ms\"\ninterval = \"100 ms\"\ncount = 100";
    let streams = [stream("calm", 6000, keys), stream("urgent", 5000, keys)].concat();
    let own = bearers("allowed_cg_list = [\"bundle\"]", "allowed_cg_list = [\"single\"]");
    let grants = [
        grant("bundle", "period = 20\noffset = 0\nrepetitions = 4"),
        grant("single", "period = 20\noffset = 2"),
    ];
    let outcome = run(&format!("bler = \"none\"\n{}{own}", grants.concat()), &streams);
    // Four transmissions of the first grant, and one of the other.
    assert_eq!(blocks(&outcome), [200, 500]);
    let [calm, urgent] = ["calm", "urgent"].map(|app| of_app(&outcome, app));
    let first = ((urgent[0] - calm[0]) * 1e6).round() as i64;
    assert_eq!(first, 4_000_000, "after the bundle, in slot 4");
}

/// TS 38.321 §5.4.1: the processes of a grant follow those of the grants before it.
#[test]
fn each_grant_has_processes_of_its_own() {
    let grants = [
        grant("a", "period = 20\nharq_processes = 3"),
        grant("b", "period = 20\nharq_processes = 2"),
    ];
    let own = bearers("allowed_cg_list = [\"a\"]", "allowed_cg_list = [\"b\"]");
    let processes = |stream: String| {
        let cell = format!("bler = \"none\"\n{}{own}", grants.concat());
        let outcome = run(&cell, &format!("{stream}[record]\nradio = true\n"));
        let mut found = numbers(&outcome, "transmissions", "process");
        found.sort_by(f64::total_cmp);
        found.dedup();
        found
    };
    let keys = "interval = \"20 ms\"\ncount = 12";
    assert_eq!(processes(stream("calm", 6000, keys)), [0.0, 1.0, 2.0]);
    assert_eq!(processes(stream("urgent", 5000, keys)), [3.0, 4.0]);
}

/// The answer to a preamble is the grant of Msg3, and the answer to a MsgA with a report that of
/// MsgB: they activate nothing.
#[test]
fn the_answer_to_a_preamble_activates_nothing() {
    for steps in [2, 4] {
        let rach = format!("rach = {{ scheduling_requests = false, steps = {steps} }}");
        let cell = format!("{}\n{rach}", type_2(FLAWLESS, ""));
        let outcome = run(&cell, &call("start = \"13.4 ms\"\ninterval = \"100 ms\"\ncount = 20"));
        assert_eq!(latencies(&outcome).len(), 20);
        assert_eq!(control(&outcome, "random_accesses"), 20);
        assert_eq!(messages(&outcome), [0; 3], "{steps} steps");
    }
}

/// TS 38.321 §6.1.3.7, §6.1.3.31: a confirmation takes one byte, or six if there is a list. Apart
/// from it all blocks carry equal amounts, and each of a hundred activations is confirmed, and its
/// release.
#[test]
fn a_confirmation_takes_bytes_of_its_block() {
    let datagrams = call("start = \"13.4 ms\"\ninterval = \"95 ms\"\ncount = 100");
    let headers = |grants: &str| {
        let outcome = run(&format!("bler = \"none\"\nsr_period = 1\n{grants}"), &datagrams);
        (messages(&outcome), numbers(&outcome, "blocks", "header_bytes")[1] as u64)
    };
    let keys = "type = 2, period = 20, size = \"128 B\", release_after = 4";
    let (all, lone) = headers(&format!("configured_grant = {{ {keys} }}"));
    assert_eq!(all, [50, 50, 100]);
    let (_, list) = headers(&format!("configured_grant_config = [{{ name = \"a\", {keys} }}]"));
    assert_eq!(list - lone, 5 * 100);
}

/// A request does not count as one that an occasion of another bearer's grant answers: the urgent
/// datagram asks while the calm one waits for an occasion that is far, and takes as long as alone.
#[test]
fn request_beside_another_bearers_grant_is_answered() {
    let grants = [
        grant("calm", "period = 100\noffset = 0"),
        grant("urgent", "type = 2\nperiod = 20\nrelease_after = 4"),
    ];
    let own = bearers("allowed_cg_list = [\"calm\"]", "allowed_cg_list = [\"urgent\"]");
    let cell = format!("bler = \"none\"\nsr_period = 1\n{}{own}", grants.concat());
    let urgent = stream("urgent", 5000, "start = \"23.4 ms\"\ninterval = \"200 ms\"\ncount = 50");
    let calm = stream("calm", 6000, "start = \"13.4 ms\"\ninterval = \"200 ms\"\ncount = 50");
    let alone = of_app(&run(&cell, &urgent), "urgent");
    let outcome = run(&cell, &[calm, urgent].concat());
    assert_eq!(of_app(&outcome, "urgent"), alone);
    assert_eq!(messages(&outcome)[0], 50);
    // The block of the activation reports the calm datagram, which is sent three slots later.
    let later = |(calm, urgent): (&f64, &f64)| ((calm - urgent) * 1e6).round() as i64;
    let differences: Vec<i64> = of_app(&outcome, "calm").iter().zip(&alone).map(later).collect();
    assert_eq!(differences, vec![13_000_000; 50]);
}
