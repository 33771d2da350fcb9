//! Uplink blocks on secondary carriers of an NR cell, from end to end, against closed forms that
//! were computed independently of this code.
//!
//! With scheme 10 and one layer a block of 106 PRBs, 20 MHz with 15 kHz, has 2754 bytes (TS 38.214
//! §5.1.3.2), one of 51 PRBs, 20 MHz with 30 kHz, 1313, and one of 66 PRBs, 100 MHz with 120 kHz,
//! 1697. Of the bytes carried, 1400 of 1461 are payload.

use crate::carriers::{acked, close, greedy};
use crate::runs::{numbers, table};
use uplane::record::Data;
use uplane::scenario::Outcome;

pub(crate) fn run(text: &str) -> Outcome {
    crate::runs::run(text, 1)
}

/// A cell in which nothing fails, with these keys and these additional carriers.
pub(crate) fn cell(keys: &str, carriers: &[&str]) -> String {
    let sections = carriers.iter().map(|keys| format!("[[radio.nr.secondary_carrier]]\n{keys}\n"));
    let sections: String = sections.collect();
    format!(
        "[radio.nr]\nuplink_prbs = \"all\"\nphase = \"0 s\"\nfeedback = {{ ack_as_nack = 0, \
         nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }}\n{keys}\n{sections}"
    )
}

pub(crate) const FLAWLESS: &str = "bler = \"none\"\nmcs = 10\nuplink_mcs = 10\n";
pub(crate) const FDD: &str = "bandwidth_mhz = 20\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\n";
const TDD: &str = "bandwidth_mhz = 20\nduplex = \"DDDSU 10:2:2\"\nsubcarrier_spacing_khz = 30\n";
const FR2: &str = "bandwidth_mhz = 100\nduplex = \"DDDSU 10:2:2\"\nsubcarrier_spacing_khz = 120\n";
pub(crate) const UP: &str = "uplink = {}\n";

/// Returns the carrier with an uplink.
pub(crate) fn with_uplink(carrier: &str) -> String {
    format!("{carrier}{UP}")
}

fn upload(radio: &str, seconds: u32) -> Outcome {
    greedy("up", radio, seconds)
}

/// Payload in Mbit/s from the second to the fourth second.
fn steady_mbps(radio: &str) -> f64 {
    (acked(&upload(radio, 4)) - acked(&upload(radio, 2))) * 4e-6
}

/// The rate of a UE is the sum over its carriers; blocks cost up to 0.6 % of it for segments.
#[test]
fn rates_of_uplink_carriers_add_up() {
    let payload = |bytes_each_ms: f64| bytes_each_ms * 8e-3 * 1400.0 / 1461.0;
    let [fdd, tdd, fr2] = [2754.0, 1313.0 / 2.5, 1697.0 / 0.625].map(payload);
    let rate = |first: &str, others: &[&str]| {
        let others: Vec<String> = others.iter().map(|it| with_uplink(it)).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        steady_mbps(&cell(&format!("{FLAWLESS}{first}sr_period = 20"), &others))
    };
    let alone = rate(FDD, &[]);
    close(alone, fdd, 0.01, "one carrier");
    close(rate(FDD, &[FDD]), 2.0 * alone, 0.005, "two like ones");
    close(rate(FDD, &[TDD]), fdd + tdd, 0.01, "15 kHz beside 30 kHz");
    close(rate(TDD, &[FDD]), fdd + tdd, 0.01, "30 kHz beside 15 kHz");
    close(rate(FDD, &[TDD, FR2]), fdd + tdd + fr2, 0.01, "three");
}

/// A carrier without the key carries only the downlink. One with it has all its resource blocks for
/// data, whatever the control channel on the cell's own carrier takes.
#[test]
fn a_carrier_without_an_uplink_carries_none() {
    let radio = |carrier: &str| {
        let cell = cell(&format!("{FLAWLESS}{FDD}sr_period = 20"), &[carrier]);
        cell.replacen("uplink_prbs = \"all\"", "uplink_prbs = 50", 1)
    };
    let up = with_uplink(FDD);
    let counted =
        |column: &str, carrier: &str| numbers(&upload(&radio(carrier), 1), "carriers", column);
    let blocks = |carrier: &str| counted("up_blocks", carrier);
    assert!(blocks(FDD)[1] == 0.0 && blocks(FDD)[0] > 500.0);
    assert!(blocks(&up)[1] > 500.0);
    let (units, blocks) = (counted("up_resource_units", &up), blocks(&up));
    let [own, other] = [0, 1].map(|carrier| units[carrier] / blocks[carrier]);
    assert!(own <= 50.0 && other > 95.0 && other <= 106.0, "{own} and {other} in a block");
}

/// 50 packets of 1431 bytes with headers at one time, with slots that are all alike.
fn burst(periodic_bsr_timer: &str, carriers: &[&str]) -> Outcome {
    let keys = format!(
        "rlc = \"um\"\nrlc_sn_length = 12\nsr_period = 1\ngrant_header_share = 0\n\
         periodic_bsr_timer = \"{periodic_bsr_timer}\"\n"
    );
    // The second datagram of the downlink keeps the run going.
    let voice = "[[voice]]\nname = \"v\"\ndirection = \"up\"\npayload = \"1403 B\"\n\
                 interval = \"1 us\"\ncount = 50\n[[voice]]\nname = \"later\"\n\
                 direction = \"down\"\npayload = \"40 B\"\ninterval = \"500 ms\"\ncount = 2\n";
    let radio = cell(&format!("{FLAWLESS}{FDD}{keys}"), carriers);
    let outcome = run(&format!("duration = \"1 s\"\n{radio}{voice}"));
    assert_eq!(numbers(&outcome, "datagrams", "latency_ms").len(), 52);
    outcome
}

/// Bytes of all blocks of the uplink: of RLC, of MAC, and padding.
fn bytes(outcome: &Outcome) -> [f64; 3] {
    ["sdu", "header", "padding"]
        .map(|part| numbers(outcome, "carriers", &format!("up_{part}_bytes")).iter().sum::<f64>())
}

/// The answer to the request, 129 bytes on five PRBs, reports less than 71.7 kB, which is the level
/// of 77 284 bytes (TS 38.321 Table 6.1.3.1-1). Whole slots have 2746 bytes for that, beside 8 for
/// headers: 28 of them and the last 396 bytes on 16 PRBs, as many over two carriers as over one,
/// taken in turn: 77 662 bytes.
///
/// Packed by hand, none of the first 26 blocks has a byte to spare, which a report would take; the
/// 27th has 2380, and the last two are of 2754 and 421 bytes of padding, each with a report of two
/// bytes and the sub-header of padding.
#[test]
fn a_burst_is_granted_once_over_all_carriers() {
    let up = with_uplink(FDD);
    for (carriers, blocks) in [(&[FDD][..], [30.0, 0.0]), (&[&up], [16.0, 14.0])] {
        let outcome = burst("2560 ms", carriers);
        assert_eq!(numbers(&outcome, "carriers", "up_blocks"), blocks);
        assert_eq!(numbers(&outcome, "carriers", "up_grants"), blocks);
        let bytes = bytes(&outcome);
        assert!((bytes.iter().sum::<f64>() - 77_662.0).abs() < 0.5, "{bytes:?}");
        assert!((bytes[2] - (2377.0 + 2751.0 + 418.0)).abs() < 0.5, "{bytes:?}");
        let units: f64 = numbers(&outcome, "carriers", "up_resource_units").iter().sum();
        assert!((units - 2989.0).abs() < 0.5, "{units}");
    }
}

/// A report in each block: it is known two slots after its block, and has that age. Blocks of the
/// slot on the other carrier, and blocks granted meanwhile, are not granted twice. A model of some
/// lines, in which the levels of reports are the only error, has 28 blocks over one carrier, and 29
/// over two.
#[test]
fn report_covers_blocks_built_before_it() {
    let up = with_uplink(FDD);
    for (carriers, blocks, all) in
        [(&[FDD][..], [28.0, 0.0], 73_845.0), (&[&up], [15.0, 14.0], 75_495.0)]
    {
        let outcome = burst("every_block", carriers);
        assert_eq!(numbers(&outcome, "carriers", "up_blocks"), blocks);
        let bytes = bytes(&outcome);
        assert!((bytes.iter().sum::<f64>() - all).abs() < 0.5, "{bytes:?}");
    }
}

/// The maximum uplink rate of a bearer belongs to the UE, whatever the carriers.
#[test]
fn maximum_uplink_rate_holds_over_all_carriers() {
    let bearer = "[[radio.nr.bearer]]\nname = \"b\"\nuplink_mfbr = \"10 Mbit/s\"\n";
    let up = [FDD, TDD].map(with_uplink);
    let up: Vec<&str> = up.iter().map(String::as_str).collect();
    let radio = |carriers: &[&str]| {
        format!("{}{bearer}", cell(&format!("{FLAWLESS}{FDD}sr_period = 20"), carriers))
    };
    // Full buckets at the beginning are of 100 ms at most.
    let alone = steady_mbps(&radio(&[]));
    close(alone, 10.0 * 1400.0 / 1452.0, 0.02, "one carrier");
    close(steady_mbps(&radio(&up)), alone, 0.01, "three carriers against one");
}

/// A carrier with an offset has the schemes of a cell with that SINR.
#[test]
fn uplink_carrier_has_its_own_radio_conditions() {
    let keys = |db: f64| {
        format!(
            "uplink_sinr_db = {db}\nbler = \"sinr\"\n{FDD}sr_period = 20\nperiodic_bsr_timer = \"1 ms\""
        )
    };
    let alone = |db: f64| steady_mbps(&cell(&keys(db), &[]));
    let carrier = format!("{FDD}uplink = {{ sinr_offset_db = -12 }}\n");
    let both = steady_mbps(&cell(&keys(20.0), &[&carrier]));
    // Outer loops vary around their targets.
    close(both, alone(20.0) + alone(8.0), 0.02, "20 and 8 dB");
}

/// TS 38.321 §5.9: a carrier becomes active one delay after its UE is known to have data. In slots
/// of 1 ms: a request in slot 0 is known in slot 2, and its answer, in slot 3, in slot 5. With that
/// the carrier is wanted, and grants 400 ms later, or in the next slot, a block of the slot after:
/// one in each from there to slot 999.
#[test]
fn uplink_carrier_carries_nothing_before_activation() {
    let blocks = |delay: &str| {
        let activation =
            format!("activation = {{ delay = \"{delay}\", deactivation_timer = \"20 ms\" }}\n");
        let keys = "rlc = \"um\"\nrlc_sn_length = 12\nsr_period = 1\nbuffer = \"100 kB\"\n";
        let carrier = format!("{FDD}{UP}{activation}");
        let radio = cell(&format!("{FLAWLESS}{FDD}{keys}"), &[&carrier]);
        // More data than both carriers carry.
        let voice = "[[voice]]\nname = \"v\"\ndirection = \"up\"\npayload = \"1400 B\"\n\
                     interval = \"50 us\"\ncount = 100000\n";
        let outcome = run(&format!("duration = \"1 s\"\n{radio}{voice}"));
        numbers(&outcome, "carriers", "up_blocks")[1]
    };
    let [soon, late, never] = ["0 s", "400 ms", "1 s"].map(blocks);
    assert!(never == 0.0, "{never}");
    assert!((late - 594.0).abs() <= 2.0, "{late}");
    assert!((soon - 993.0).abs() <= 2.0, "{soon}");
}

/// A UE between two cells sends nothing on any carrier, and has all of them afterwards.
#[test]
fn uplink_carriers_return_after_a_handover() {
    let handover =
        "handover = { interruption = \"40 ms\", first = \"500 ms\", forwarding = \"10 ms\" }\n";
    let keys =
        format!("bler = [0.6, 0.6, 0.6, 0]\nmcs = 10\nuplink_mcs = 10\nsr_period = 20\n{handover}");
    let radio = cell(&format!("{keys}{FDD}"), &[&with_uplink(TDD)]);
    let sent = |milliseconds: u32| {
        let bulk = "[[bulk]]\nname = \"b\"\ndirection = \"up\"\n";
        let outcome = run(&format!("duration = \"{milliseconds} ms\"\n{radio}{bulk}"));
        numbers(&outcome, "carriers", "up_transmissions")
    };
    assert_eq!(sent(501), sent(539));
    assert!(sent(539).iter().zip(sent(620)).all(|(before, after)| after > before + 10.0));
}

/// HARQ makes blocks of two carriers overtake each other, and so do slots of different length; RLC
/// and PDCP restore the order: TCP retransmits nothing.
#[test]
fn uplink_carriers_with_independent_errors_lose_nothing() {
    for rlc in ["rlc = \"am\"", "rlc = \"um\"\nrlc_sn_length = 12"] {
        let keys =
            format!("bler = [0.3, 0]\nmcs = 10\nuplink_mcs = 10\nsr_period = 20\n{rlc}\n{FDD}");
        let outcome = upload(&cell(&keys, &[&with_uplink(TDD), &with_uplink(FR2)]), 3);
        let failures = numbers(&outcome, "carriers", "up_first_failures");
        let blocks = numbers(&outcome, "carriers", "up_blocks");
        for (failures, blocks) in failures.iter().zip(&blocks) {
            // Binomial: four standard deviations.
            let spread = 4.0 * (0.21 / blocks).sqrt();
            assert!((failures / blocks - 0.3).abs() < spread, "{failures} of {blocks}");
        }
        for column in ["retransmissions", "duplicate_acks"] {
            let counted = numbers(&outcome, "connections", column);
            assert!(counted.iter().all(|&count| count == 0.0), "{rlc}: {column} {counted:?}");
        }
        assert!(acked(&outcome) > 5e6);
        let of_all = numbers(&outcome, "blocks", "blocks")[1];
        assert!((blocks.iter().sum::<f64>() - of_all).abs() < 0.5, "{blocks:?} of {of_all}");
        for (column, own) in [("grants", "up_grants"), ("transmissions", "up_transmissions")] {
            let all: f64 = numbers(&outcome, "carriers", own).iter().sum();
            let of_ue = numbers(&outcome, "uplinks", column)[0];
            assert!((all - of_ue).abs() < 0.5 && all > 1000.0, "{column}: {all} of {of_ue}");
        }
    }
}

/// Lone datagrams of the uplink, at any time of the grid.
fn lone(keys: &str, carriers: &[&str]) -> Outcome {
    let voice = "[[voice]]\nname = \"v\"\ndirection = \"up\"\npayload = \"40 B\"\n\
                 interval = \"101.0137 ms\"\ncount = 2500\n";
    run(&format!("duration = \"1000 s\"\n{}{voice}", cell(&format!("{FLAWLESS}{keys}"), carriers)))
}

fn mean_ms(outcome: &Outcome) -> f64 {
    let latencies = numbers(outcome, "datagrams", "latency_ms");
    assert_eq!(latencies.len(), 2500);
    latencies.iter().sum::<f64>() / 2500.0
}

/// Mean time in ms in a cause.
fn cause_ms(outcome: &Outcome, cause: &str) -> f64 {
    let Some(Data::Text(causes)) = table(outcome, "anatomy").column("cause") else {
        panic!("causes have names")
    };
    let means = numbers(outcome, "anatomy", "mean_ms");
    causes.iter().zip(means).filter(|(name, _)| *name == cause).map(|(_, mean)| mean).sum()
}

/// Beside FDD a pattern costs only the wait of the request: the answer uses the carrier that need
/// not wait. This wait is all that a packet takes longer than over FDD.
#[test]
fn duplex_wait_is_that_of_the_answering_carrier() {
    let quick = "bandwidth_mhz = 20\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 30\n";
    let fdd = mean_ms(&lone(&format!("{quick}sr_period = 1"), &[]));
    for pattern in ["DDDSU 10:2:2", "DSUUU 10:2:2"] {
        let keys = format!("{}sr_period = 5", quick.replace("FDD", pattern));
        let (alone, beside) = (lone(&keys, &[]), lone(&keys, &[&with_uplink(quick)]));
        let waits = |outcome: &Outcome| {
            cause_ms(outcome, "duplex wait") + cause_ms(outcome, "scheduling request wait")
        };
        let of_fdd =
            cause_ms(&lone(&format!("{quick}sr_period = 1"), &[]), "scheduling request wait");
        for (outcome, what) in [(&alone, "alone"), (&beside, "beside")] {
            let longer = mean_ms(outcome) - fdd;
            let waited = waits(outcome) - of_fdd;
            assert!((longer - waited).abs() < 0.02, "{pattern} {what}: {longer} {waited}");
        }
        assert!(mean_ms(&alone) > mean_ms(&beside) + 0.2, "{pattern}");
    }
}

/// A block takes as long as the slots of its carrier, which all lone packets use here: requests are
/// known 3 ms and 5.5 ms after the beginning of ten slots DDDSU DDDSU, and the first carrier has
/// its next grants 4 ms and 6.5 ms after it.
#[test]
fn block_lasts_a_slot_of_its_carrier() {
    let keys = format!("{TDD}sr_period = 5");
    let transmission = |carriers: &[&str]| cause_ms(&lone(&keys, carriers), "radio transmission");
    assert!((transmission(&[]) - 0.5).abs() < 1e-6);
    assert!((transmission(&[&with_uplink(FDD)]) - 1.0).abs() < 1e-6);
}

/// TS 38.300 §18: a UE in RRC_INACTIVE has no secondary carriers.
#[test]
fn small_data_uses_the_first_carrier() {
    let quick = with_uplink("bandwidth_mhz = 20\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 30\n");
    let states = "rach = {}\nrrc = { inactivity = \"100 ms\" }\n\
                  rrc_inactive = { small_data = { most = \"100 B\" } }\nsr_period = 5\n";
    let voice = "[[voice]]\nname = \"v\"\ndirection = \"up\"\npayload = \"40 B\"\n\
                 start = \"500 ms\"\ninterval = \"20.0137 ms\"\ncount = 500\n";
    let small = |carriers: &[&str]| {
        let radio = cell(&format!("{FLAWLESS}{TDD}{states}"), carriers);
        run(&format!("duration = \"20 s\"\n{radio}{voice}"))
    };
    let latencies = |outcome: &Outcome| numbers(outcome, "datagrams", "latency_ms");
    let (alone, beside) = (small(&[]), small(&[&quick]));
    assert_eq!(latencies(&alone).len(), 500);
    assert_eq!(latencies(&alone), latencies(&beside));
    assert!(numbers(&beside, "carriers", "up_blocks")[1] == 0.0);
    assert!(numbers(&beside, "control", "rrc_resumes")[0] == 0.0);
}

/// TS 38.321 §5.1: random access belongs to the first carrier, and so does the grant for Msg3.
#[test]
fn random_access_is_answered_on_the_first_carrier() {
    let quick = "bandwidth_mhz = 20\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 30\n";
    let keys = format!("{TDD}rach = {{ scheduling_requests = false }}\n");
    let (alone, beside) = (lone(&keys, &[]), lone(&keys, &[&with_uplink(quick)]));
    let latencies = |outcome: &Outcome| numbers(outcome, "datagrams", "latency_ms");
    assert_eq!(latencies(&alone), latencies(&beside));
    assert_eq!(numbers(&beside, "carriers", "up_blocks"), [2500.0, 0.0]);
}

/// A number below `end`, the next of a sequence.
pub(crate) fn draw(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % end
}

/// Draws one of the words.
pub(crate) fn any<'a>(state: &mut u64, words: &[&'a str]) -> &'a str {
    words[draw(state, words.len())]
}

/// A carrier of any numerology and pattern; most secondary ones have an uplink.
fn drawn_carrier(state: &mut u64, beside: bool) -> String {
    let (spacing, mhz, patterns) = [
        (15, 20, &["FDD", "DDDSU 10:2:2"][..]),
        (30, 20, &["FDD", "europe", "DDDSU DDSUU 10:2:2", "DSUUU 10:2:2"]),
        (60, 40, &["FDD", "DDDSU 10:2:2"]),
        (120, 50, &["DDDSU 10:2:2", "DDSU 10:2:2"]),
    ][draw(state, 4)];
    let duplex = any(state, patterns);
    let uplink = any(state, &["", "uplink = {}", "uplink = {}", "uplink = { mcs = 3, prbs = 20 }"]);
    let activation =
        any(state, &["", "", "activation = { delay = \"7 ms\", deactivation_timer = \"20 ms\" }"]);
    let own = if beside { format!("{uplink}\n{activation}\n") } else { String::new() };
    format!(
        "bandwidth_mhz = {mhz}\nsubcarrier_spacing_khz = {spacing}\nduplex = \"{duplex}\"\n{own}"
    )
}

/// A carrier, and one to three secondary ones of which at least one has an uplink.
pub(crate) fn drawn_carriers(state: &mut u64) -> (String, Vec<String>) {
    let first = drawn_carrier(state, false);
    let mut others: Vec<String> =
        (0..=draw(state, 2)).map(|_| drawn_carrier(state, true)).collect();
    if !others.iter().any(|it| it.contains("uplink")) {
        others[0] += "uplink = {}\n";
    }
    (first, others)
}

/// Whatever the carriers and their errors, acknowledged mode delivers each packet once, in order
/// and before PDCP would have given it up, and a file completely.
#[test]
fn drawn_uplink_carriers_deliver_everything_once_in_order() {
    let mut state = 77;
    for number in 0..80 {
        let first = drawn_carrier(&mut state, false);
        let others: Vec<String> =
            (0..=draw(&mut state, 2)).map(|_| drawn_carrier(&mut state, true)).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let profile = any(&mut state, &["reference", "commercial", "lena_nr"]);
        let bler = any(&mut state, &["\"none\"", "[0.4, 0.1, 0]", "[0.3, 0.3, 0.3, 0.3]"]);
        let grants = any(
            &mut state,
            &[
                "",
                "",
                "configured_grant = { size = \"64 B\", period = 20 }",
                "configured_grant = { size = \"64 B\", period = 20, type = 2 }",
                "rach = {}",
                "rach = {}\nrrc = { inactivity = \"60 ms\" }",
            ],
        );
        let keys = format!(
            "{first}profile = \"{profile}\"\nbler = {bler}\nmcs = 9\nuplink_mcs = 9\n\
             sr_period = 20\n{grants}\n"
        );
        let radio = cell(&keys, &others);
        let apps = "[[upload]]\nname = \"file\"\nfile = \"300 kB\"\n\
                    [[voice]]\nname = \"v\"\npayload = \"300 B\"\ndirection = \"up\"\n\
                    interval = \"3 ms\"\ncount = 150\n";
        let text = format!("duration = \"8 s\"\n{radio}{apps}");
        let outcome = crate::runs::run(&text, number);
        assert_eq!(numbers(&outcome, "transfers", "completed_s").len(), 1, "{text}");
        let latencies = numbers(&outcome, "datagrams", "latency_ms");
        assert_eq!(latencies.len(), 150, "{text}");
        for pair in latencies.windows(2) {
            assert!(pair[1] + 3.0 >= pair[0] - 1e-9, "{pair:?}: {text}");
        }
        assert!(latencies.iter().all(|&latency| latency < 400.0), "{text}");
    }
}
