//! Semi-persistent scheduling of an NR cell's downlink, against closed forms that were computed
//! independently of this code.
//!
//! FDD with 15 kHz: a datagram of the downlink takes 2.79 ms on average, of which half a slot is
//! the wait for the next one (`end_to_end` has the parts). At 2 dB a message takes two elements.

use crate::runs::{numbers, table};
use uplane::record::Data;
use uplane::scenario::Outcome;

/// A cell with these keys and a call with these, for the only UE or for the first of two.
fn text(cell: &str, voice: &str, ues: u32) -> String {
    let ues = if ues == 2 { "[[ue]]\nname = \"a\"\n[[ue]]\nname = \"b\"\n" } else { "" };
    format!(
        "duration = \"1000 s\"\n[radio.nr]\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\n\
         bandwidth_mhz = 20\nmcs = 10\nrlc = \"um\"\nrlc_sn_length = 12\ndmrs_symbols = 1\n\
         downlink_sinr_db = 2\n\
         feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, \
         cqi_erased = 0 }}\n{cell}\n{ues}[[voice]]\nname = \"v\"\n{voice}\n"
    )
}

/// Datagrams to one UE in a cell in which nothing fails, with these keys.
fn run(cell: &str, voice: &str) -> Outcome {
    crate::runs::run(&text(cell, &format!("payload = \"40 B\"\n{voice}"), 0), 1)
}

const SPS: &str = "bler = \"none\"\ndownlink_sps = { period = 20, size = \"100 B\" }";
const DYNAMIC: &str = "bler = \"none\"";

fn latencies(outcome: &Outcome) -> Vec<f64> {
    numbers(outcome, "datagrams", "latency_ms")
}

/// Latencies of one application.
fn of_app(outcome: &Outcome, app: &str) -> Vec<f64> {
    let Some(Data::Text(apps)) = table(outcome, "datagrams").column("app") else {
        panic!("they have names")
    };
    let all = apps.iter().zip(latencies(outcome));
    all.filter(|(name, _)| *name == app).map(|(_, latency)| latency).collect()
}

fn cces(outcome: &Outcome) -> u64 {
    numbers(outcome, "control", "cces")[0] as u64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// TS 38.321 §5.8.1: one message announces all blocks, which are sent at the times that they would
/// have without SPS.
#[test]
fn call_takes_one_message_and_no_more_time() {
    let call = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let (dynamic, sps) = (run(DYNAMIC, call), run(SPS, call));
    assert_eq!(latencies(&sps), latencies(&dynamic));
    assert_eq!((cces(&dynamic), cces(&sps)), (1000, 2));
}

/// Datagrams that arrive at any time wait for the occasion, half a period instead of half a slot:
/// 2.79 − 0.5 + 10 ms.
#[test]
fn data_at_any_time_wait_half_a_period() {
    let sps = run(SPS, "interval = \"33.0137 ms\"\ncount = 5000");
    let found = mean(&latencies(&sps));
    assert!((found / 12.29 - 1.0).abs() < 0.02, "{found}");
    assert_eq!(cces(&sps), 2);
}

/// After eight occasions without data SPS is released, and the next datagram is sent at once, by a
/// message that activates it.
#[test]
fn block_after_a_pause_has_a_message() {
    let sps = run(SPS, "interval = \"201.0137 ms\"\ncount = 1000");
    let found = mean(&latencies(&sps));
    assert!((found / 2.79 - 1.0).abs() < 0.02, "{found}");
    assert_eq!(cces(&sps), 2000);
}

/// TS 38.321 §5.8.1: a block that failed is retransmitted by a message; each datagram fails once.
#[test]
fn retransmissions_have_messages() {
    let fails = SPS.replace("\"none\"", "[1, 0]");
    let call = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let sps = run(&fails, call);
    assert_eq!(cces(&sps), 2 + 1000);
    let alone = run("bler = [1, 0]", call);
    assert_eq!(latencies(&sps), latencies(&alone));
}

/// Data beyond the size of a block is sent by messages, as without SPS.
#[test]
fn more_than_an_occasion_carries_does_not_wait() {
    let large = SPS.replace("100 B", "60 B");
    let call = "interval = \"33.0137 ms\"\ncount = 500";
    assert_eq!(latencies(&run(&large, call)), latencies(&run(DYNAMIC, call)));
}

/// The column of the row `down` of the table `blocks`.
fn blocks(outcome: &Outcome, column: &str) -> f64 {
    numbers(outcome, "blocks", column)[0]
}

/// The mean time in ms that a packet spends in this cause.
fn in_cause(outcome: &Outcome, cause: &str) -> f64 {
    let Some(Data::Text(causes)) = table(outcome, "anatomy").column("cause") else {
        panic!("causes have names")
    };
    let means = numbers(outcome, "anatomy", "mean_ms");
    causes.iter().zip(&means).filter(|(own, _)| **own == *cause).map(|(_, mean)| mean).sum()
}

/// All blocks have the size of the section, including that of the activation: as many resource
/// blocks as those of datagrams that need just that size, which is two groups of them and not one.
/// A datagram of 1160 bytes has 1194 with IP, PDCP, RLC and MAC, for which a base station grants up
/// to 9 more; one of 40 bytes has 74, which 71 do not carry.
#[test]
fn blocks_have_the_size_of_the_section() {
    let call = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let narrow = |keys: &str| format!("{keys}\nlayers = 1");
    let sps = run(&narrow(&SPS.replace("100 B", "1200 B")), call);
    let as_large = format!("{call}\npayload = \"1160 B\"");
    let dynamic = crate::runs::run(&text(&narrow(DYNAMIC), &as_large, 0), 1);
    for column in ["blocks", "resource_units"] {
        let (found, expected) = (blocks(&sps, column), blocks(&dynamic, column));
        assert!((found - expected).abs() < 0.5, "{column}: {found}, {expected}");
    }
    for (size, messages) in [("100 B", 1), ("71 B", 500)] {
        assert_eq!(cces(&run(&SPS.replace("100 B", size), call)), 2 * messages, "{size}");
    }
}

/// A block of just the size that the base station wants for a datagram is enough, and one byte less
/// is not: 68 bytes of IP, 3 of PDCP, 4 of RLC and MAC, and 8 for a report. A warning names a size
/// that is too small for every datagram of a call.
#[test]
fn a_block_of_just_the_size_is_enough() {
    let call = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let told = |outcome: &Outcome| {
        let Some(Data::Text(texts)) = table(outcome, "warnings").column("text") else {
            panic!("warnings are texts")
        };
        texts.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let enough = run(&SPS.replace("100 B", "83 B"), call);
    assert_eq!((cces(&enough), told(&enough)), (2, Vec::new()));
    let less = run(&SPS.replace("100 B", "82 B"), call);
    let words = "a datagram of v needs a block of 83 B, more than the 82 B of \
                 radio.nr.downlink_sps.size: control messages announce its block, as without SPS";
    assert_eq!((cces(&less), told(&less)), (1000, vec![words.to_owned()]));
}

/// TS 38.321 §5.7: an occasion needs no message, so a UE that sleeps has it, and it does not start
/// the inactivity timer, which a message does. Of cycles of 80 ms with the first 4 awake and 10
/// more after a message, a call is activated in the first, and is sent each 20 ms as without DRX. A
/// datagram that is too large for an occasion, and arrives 43.4 ms after the start of a cycle, just
/// behind an occasion, is sent at the start of the next one. Without DRX it would be sent at most
/// two slots after its arrival, so it is from 34.6 to 36.6 ms later.
#[test]
fn occasion_reaches_a_sleeping_ue_without_waking_it() {
    let drx =
        "drx = { long_cycle = \"80 ms\", on_duration = \"4 ms\", inactivity_timer = \"10 ms\" }";
    let large = "[[voice]]\nname = \"large\"\npayload = \"1000 B\"\ninterval = \"800 ms\"\n\
        start = \"2043.4 ms\"\ncount = 5\n";
    let call = "payload = \"40 B\"\nstart = \"80.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let with = |keys: &str| crate::runs::run(&format!("{}{large}", text(keys, call, 0)), 1);
    let (awake, sleeping) = (with(SPS), with(&format!("{SPS}\n{drx}")));
    // Until the first of the large datagrams.
    assert_eq!(of_app(&sleeping, "v")[..95], of_app(&awake, "v")[..95]);
    for (late, home) in of_app(&sleeping, "large").iter().zip(of_app(&awake, "large")) {
        assert!((34.5..=36.7).contains(&(late - home)), "{late} ms, {home} without DRX");
    }
}

/// The wait for an occasion, except the half slot in which a packet is aligned, is that of a
/// configured grant in the latency anatomy.
#[test]
fn ledger_books_the_wait_for_an_occasion() {
    let sps = run(SPS, "interval = \"33.0137 ms\"\ncount = 5000");
    let found = in_cause(&sps, "configured grant wait");
    assert!((found / 9.5 - 1.0).abs() < 0.02, "{found}");
    assert!(in_cause(&sps, "radio queue") < 0.01, "nothing else is in its way");
}

/// With 30 kHz a period of 20 slots is 10 ms.
#[test]
fn periods_are_in_slots() {
    let call = "start = \"13.4 ms\"\ninterval = \"10 ms\"\ncount = 500";
    let at = |keys: &str| {
        let text = text(keys, &format!("payload = \"40 B\"\n{call}"), 0);
        crate::runs::run(&text.replace("spacing_khz = 15", "spacing_khz = 30"), 1)
    };
    let (dynamic, sps) = (at(DYNAMIC), at(SPS));
    assert_eq!(latencies(&sps), latencies(&dynamic));
    assert_eq!(cces(&sps), 2);
}

/// `release_after`: after two occasions without data the third does not exist.
#[test]
fn sps_is_released_after_occasions_without_data() {
    let keys = SPS.replace("size", "release_after = 2, size");
    let late = run(&keys, "interval = \"61.0137 ms\"\ncount = 500");
    assert_eq!(cces(&late), 1000);
    let found = mean(&latencies(&late));
    assert!((found / 2.79 - 1.0).abs() < 0.02, "{found}");
    let sooner = run(&keys, "start = \"13.4 ms\"\ninterval = \"40 ms\"\ncount = 500");
    assert_eq!(cces(&sooner), 2, "the second occasion is one");
}

/// TS 38.321 §5.3.1: a process is free when its feedback has arrived, after four slots. With one
/// process, of occasions each two slots every second one carries two datagrams, of which the first
/// has waited 2 ms; with two all of them carry one.
#[test]
fn an_occasion_needs_its_process() {
    let call = "start = \"13.4 ms\"\ninterval = \"2 ms\"\ncount = 2000";
    let dynamic = mean(&latencies(&run(DYNAMIC, call)));
    for (processes, wait) in [(1, 1.0), (2, 0.0)] {
        let keys = SPS.replace("period = 20, size = \"100 B\"", "period = 2, size = \"160 B\"");
        let sps =
            run(&keys.replace("period", &format!("harq_processes = {processes}, period")), call);
        let found = mean(&latencies(&sps)) - dynamic;
        assert!((found - wait).abs() < 0.01, "{processes}: {found}");
        assert_eq!(cces(&sps), 2);
    }
}

/// A block that cannot activate SPS, since the process of the slot is not free, is sent as without
/// SPS.
#[test]
fn a_busy_process_holds_nothing_back() {
    let call = "start = \"13.4 ms\"\ninterval = \"3 ms\"\ncount = 500";
    let keys = "bler = \"none\"\n\
        downlink_sps = { period = 1, size = \"100 B\", harq_processes = 1, release_after = 1 }";
    assert_eq!(latencies(&run(keys, call)), latencies(&run(DYNAMIC, call)));
}

/// SPS has its own processes: beside a stream that has more for each slot than fits, of which all
/// blocks have messages, one block of each period has none.
#[test]
fn other_blocks_use_the_other_processes() {
    let full = "[[voice]]\nname = \"full\"\npayload = \"1400 B\"\ninterval = \"200 us\"\n\
        start = \"1 s\"\ncount = 45000\n";
    let call = "payload = \"40 B\"\nstart = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let text = text(SPS, call, 0).replace("duration = \"1000 s\"", "duration = \"10 s\"");
    let sps = crate::runs::run(&format!("{text}{full}"), 1);
    let without = blocks(&sps, "transmissions") - cces(&sps) as f64 / 2.0;
    // 500 periods; the first block has the message.
    assert!((without - 499.0).abs() <= 1.0, "{without} blocks without a message");
}

/// The resource blocks of an occasion are not available to other blocks: beside a UE that has all
/// resource blocks of each slot the 499 occasions of a call take theirs from it.
#[test]
fn an_occasion_takes_resource_blocks() {
    let full =
        "[[voice]]\nname = \"full\"\nue = \"b\"\npayload = \"1400 B\"\ninterval = \"100 us\"\n";
    let call =
        "payload = \"40 B\"\nue = \"a\"\nstart = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let text = text(SPS, call, 2).replace("duration = \"1000 s\"", "duration = \"10 s\"");
    let units = blocks(&crate::runs::run(&format!("{text}{full}"), 1), "resource_units");
    assert!(units <= 106.0 * 10_000.0, "{units} of 106 a slot");
    assert!(units > 106.0 * 9_980.0, "{units}: the cell is full");
}

/// A block that a message announces in between does not move the occasions.
#[test]
fn a_larger_block_does_not_move_the_occasions() {
    let call = "payload = \"40 B\"\nstart = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let large = "[[voice]]\nname = \"large\"\npayload = \"1000 B\"\ninterval = \"1 s\"\n\
        start = \"1020 ms\"\ncount = 5\n";
    let alone = crate::runs::run(&text(SPS, call, 0), 1);
    let beside = crate::runs::run(&format!("{}{large}", text(SPS, call, 0)), 1);
    assert_eq!(cces(&beside), cces(&alone) + 10);
    assert_eq!(of_app(&beside, "v"), of_app(&alone, "v"));
}

/// TS 38.321 §5.12: a reset of the MAC at a handover releases SPS, and the next data activates it.
#[test]
fn a_handover_releases_it() {
    let call = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let handover = "handover = { first = \"5 s\", interruption = \"10 ms\" }";
    let sps = run(&format!("{SPS}\n{handover}"), call);
    assert_eq!(latencies(&sps).len(), 500);
    let dynamic = run(&format!("{DYNAMIC}\n{handover}"), call);
    // There each of the 500 has a message, here only two.
    assert_eq!(cces(&dynamic) - cces(&sps), 2 * 498);
}

/// A block in an occasion counts towards the maximum number of UEs per slot.
#[test]
fn occasion_counts_among_ues_of_a_slot() {
    let call =
        "payload = \"40 B\"\nue = \"a\"\nstart = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let other = "[[voice]]\nname = \"other\"\nue = \"b\"\npayload = \"400 B\"\n\
        start = \"1013.4 ms\"\ninterval = \"1 s\"\ncount = 5\n";
    let own = |ues: u32| {
        let text = text(&format!("{SPS}\nues_per_slot = {ues}"), call, 2);
        of_app(&crate::runs::run(&format!("{text}{other}"), 1), "other")
    };
    for (one, two) in own(1).iter().zip(own(2)) {
        assert!((one - two - 1.0).abs() < 1e-6, "{one} ms, {two} with two UEs a slot");
    }
}

/// A hundred calls whose datagrams arrive within 20 ms, in 10 MHz with 15 kHz and one symbol for
/// control: 8 elements, of which 80 % can be used, are three messages a slot. A block takes all
/// data that waits for its UE, so that each has one in 33.3 ms, and a datagram takes 2.29 ms and
/// half of that: 18.96 ms. With SPS there is a message for each call only once: five arrive in a
/// slot and three are activated, the last after 13.3 ms, which stays the wait of that call: 2.79 ms
/// and 6.67 ms.
#[test]
fn hundred_calls_fit_a_small_control_channel() {
    let crowd = |sps: &str| {
        crate::runs::run(
            &format!(
                "duration = \"2 s\"\n[radio.nr]\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\n\
                 bandwidth_mhz = 10\nmcs = 20\nlayers = 2\nbler = \"none\"\ncontrol_symbols = 1\n\
                 downlink_sinr_db = 2\n\
                 rlc = \"um\"\nrlc_sn_length = 12\nues_per_slot = 100\n{sps}\n\
                 [[ue]]\nname = \"ue\"\ncount = 100\n[[voice]]\nname = \"v\"\nue = \"all\"\n\
                 payload = \"40 B\"\ninterval = \"20 ms\"\nspread = \"20 ms\"\n"
            ),
            1,
        )
    };
    let near = |found: f64, expected: f64, share: f64| {
        assert!((found / expected - 1.0).abs() <= share, "{found}, expected {expected}");
    };
    let dynamic = crowd("");
    near(mean(&latencies(&dynamic)), 18.96, 0.1);
    let sps = crowd("downlink_sps = { period = 20, size = \"100 B\" }");
    near(mean(&latencies(&sps)), 9.46, 0.15);
    // Two a call, and more for calls that have two datagrams before they are served. This bound is
    // younger than the first run, which used 386 elements and not 280 at most.
    assert!(cces(&sps) >= 200 && 10 * cces(&sps) < cces(&dynamic), "{}", cces(&sps));
}

/// Two UEs have common occasions, since the second is activated where the first has nothing; then
/// both have a datagram for each. If a slot is for one UE the first has it. The second waits until
/// two datagrams are more than an occasion carries, and sends them by a message in the slot behind
/// the next occasion: 21 ms late and 1 ms late in turn.
#[test]
fn occasions_obey_the_ues_of_a_slot() {
    let call = |ue: &str, name: &str, start: &str, count: u32| {
        format!(
            "[[voice]]\nname = \"{name}\"\nue = \"{ue}\"\npayload = \"40 B\"\n\
             interval = \"20 ms\"\nstart = \"{start} ms\"\ncount = {count}\n"
        )
    };
    let outcome = |ues_per_slot: u32| {
        let keys = format!("{SPS}\nues_per_slot = {ues_per_slot}");
        let first = "payload = \"40 B\"\nue = \"a\"\ninterval = \"20 ms\"\n\
                     start = \"13.4 ms\"\ncount = 5";
        let more = call("a", "again", "133.4", 10) + &call("b", "second", "113.4", 5);
        crate::runs::run(&(text(&keys, first, 2) + &more), 1)
    };
    let (one, two) = (outcome(1), outcome(2));
    for app in ["v", "again"] {
        assert_eq!(of_app(&one, app), of_app(&two, app), "{app}");
    }
    let home = of_app(&two, "second");
    assert_eq!(home, vec![home[0]; 5]);
    let late: Vec<f64> = of_app(&one, "second").iter().map(|it| (it - home[0]).round()).collect();
    assert_eq!(late, [0.0, 21.0, 1.0, 21.0, 1.0]);
}
