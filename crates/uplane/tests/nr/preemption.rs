//! Urgent downlink blocks that take resources of others, against closed forms that were computed
//! independently of this code and written down before its first run.

mod tdd;

use crate::runs::{numbers, run, table};
use uplane::record::Data;
use uplane::scenario::Outcome;

/// FDD with 30 kHz and 40 MHz, of which 36 resource blocks are for control and 70 for data; at 40
/// dB nothing fails unless it loses its bits.
const CELL: &str = "[radio.nr]\nduplex = \"FDD\"\nbandwidth_mhz = 40\nphase = \"0 s\"\nlayers = 1\n\
    mcs = 20\nuplink_mcs = 10\nouter_loop = false\ndownlink_sinr_db = 40\nuplink_sinr_db = 40\n\
    rlc = \"um\"\nrlc_sn_length = 12\nbuffer = \"200 kB\"\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

const BEARERS: &str = "[[radio.nr.bearer]]\nname = \"default\"\n\
    [[radio.nr.bearer]]\nname = \"urgent\"\nfive_qi = 82\n\
    [[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 5000\n";

const UES: &str = "[[ue]]\nname = \"phone\"\n[[ue]]\nname = \"robot\"\n";

fn datagrams(name: &str, ue: &str, payload: u32, interval: &str, port: u16) -> String {
    format!(
        "[[voice]]\nname = \"{name}\"\nue = \"{ue}\"\ndirection = \"down\"\npayload = \"{payload} B\"\n\
         interval = \"{interval}\"\nport = {port}\n"
    )
}

/// A cell with these keys and urgent datagrams of `payload` bytes, alone or beside a stream that
/// has more data for each slot than fits.
fn cell(duration: &str, keys: &str, payload: u32, interval: &str, is_full: bool) -> Outcome {
    cell_of(CELL, duration, keys, payload, interval, is_full)
}

fn cell_of(
    cell: &str,
    duration: &str,
    keys: &str,
    payload: u32,
    interval: &str,
    is_full: bool,
) -> Outcome {
    let full =
        if is_full { datagrams("full", "phone", 1400, "80 us", 6000) } else { String::new() };
    let urgent = datagrams("urgent", "robot", payload, interval, 5000);
    run(&format!("duration = \"{duration}\"\n{cell}{keys}\n{BEARERS}{UES}{full}{urgent}"), 1)
}

const WHOLE: &str = "mini_slots = { symbols = 14, mapping = \"A\", control_prbs = 36 }";

/// Latencies in ms of the urgent datagrams that arrived.
fn latencies(outcome: &Outcome) -> Vec<f64> {
    let Some(Data::Text(apps)) = table(outcome, "datagrams").column("app") else { panic!("names") };
    let all = crate::runs::values(outcome, "datagrams", "latency_ms");
    let urgent = all.into_iter().zip(apps.iter()).filter(|(_, app)| *app == "urgent");
    urgent.filter_map(|(latency, _)| latency).collect()
}

/// The columns of the row of one direction in the table `blocks`.
fn blocks<const N: usize>(outcome: &Outcome, direction: &str, columns: [&str; N]) -> [f64; N] {
    let Some(Data::Text(rows)) = table(outcome, "blocks").column("direction") else {
        panic!("rows")
    };
    let row = rows.iter().position(|it| it == direction).expect("a row");
    columns.map(|column| numbers(outcome, "blocks", column)[row])
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// An urgent datagram takes as long in a full cell as in an empty one of mini-slots of two symbols,
/// packet by packet: a slot in the base station, the next of 13 starts a slot (0.571 symbols on
/// average), two symbols, half of `N1` (10 symbols of 2192 samples) and half of `d_1,1` (4 symbols)
/// in the UE: 0.842 ms. Without pre-emption it waits for the end of the slot: half a slot instead
/// of 0.571 symbols, 1.071 ms.
#[test]
fn urgent_datagrams_do_not_await_the_slots_end() {
    let of = |keys: &str, is_full| {
        let outcome = cell("3 s", keys, 8, "3.30902 ms", is_full);
        let came = latencies(&outcome);
        assert!(came.len() > 880, "{} of 906", came.len());
        came
    };
    let short = "mini_slots = { symbols = 2, mapping = \"B\", control_prbs = 36 }";
    let empty = of(short, false);
    assert!((mean(&empty) - 0.842).abs() < 0.002, "{}", mean(&empty));
    for preemption in ["unindicated", "indicated", "indicated_symbols"] {
        let keys = format!("{WHOLE}\nurgent = {{ preemption = \"{preemption}\" }}");
        assert_eq!(of(&keys, true), empty, "{preemption}");
    }
    let waiting = of(&format!("{WHOLE}\nurgent = {{ preemption = \"none\" }}"), true);
    assert!((mean(&waiting) - 1.071).abs() < 0.002, "{}", mean(&waiting));
    let free = of(&format!("{WHOLE}\nurgent = {{ preemption = \"none\" }}"), false);
    assert_eq!(free, empty, "where nobody else is");
}

/// Urgent blocks of all 70 resource blocks for two symbols: 410 bytes are 445 with their headers
/// and need more than 68 at 64QAM and 719/1024, the scheme of the highest CQI (TS 38.214 §5.1.3.2
/// by hand: 437 bytes, 453 on 70).
///
/// The others have 58 384 bits in 7 code blocks, each of two symbols. One that begins in an even
/// symbol takes a whole code block, in an odd one a half of two, whose code rate of 0.667 would
/// then be 1.33: neither decodes. Urgent blocks begin in symbols 1 to 12 alike (in symbol 0 no
/// other block is on the air): 1.5 code blocks on average. The retransmission for each pre-empted
/// block, as a share of it:
///
/// | | without groups | with 8 |
/// |---|---|---|
/// | the UE knows | 1 | 1.5/7 |
/// | it does not | 1 for an odd symbol, 2 for an even one: a code block that was noise takes away half of what it would have carried, and 1.5 − 0.75 times its bits are too few | 1.5/7: the first transmission is forgotten |
///
/// Retransmissions come 4 and 8 slots later, urgent blocks each 9.38 slots. 1096 blocks are
/// pre-empted; four standard deviations of the means are 0.060, and 0.0086 with groups.
#[test]
fn retransmission_contains_the_pre_empted_code_blocks() {
    let cases = [
        ("indicated", false, 1.0, 1e-9),
        ("indicated_symbols", false, 1.0, 1e-9),
        ("indicated", true, 1.5 / 7.0, 0.0086),
        ("indicated_symbols", true, 1.5 / 7.0, 0.0086),
        ("unindicated", false, 1.5, 0.060),
        ("unindicated", true, 1.5 / 7.0, 0.0086),
    ];
    for (preemption, has_groups, expected, within) in cases {
        let groups = if has_groups { "max_code_block_groups = 8" } else { "" };
        let keys = format!("{WHOLE}\nurgent = {{ preemption = \"{preemption}\" }}\n{groups}");
        let outcome = cell("6 s", &keys, 410, "4.69098 ms", true);
        let what = format!("{preemption} {groups}");
        let [urgent, lost] = blocks(&outcome, "urgent", ["blocks", "failures"]);
        assert!((1275.0..=1280.0).contains(&urgent) && lost == 0.0, "{what}: {urgent}, {lost}");
        let [preempted, first, bytes, share, units] = blocks(
            &outcome,
            "down",
            ["preempted", "first_failures", "bytes_resent", "preempted_share", "resource_units"],
        );
        // All except those that begin in symbol 0.
        assert!((preempted / urgent - 12.0 / 14.0).abs() < 0.01, "{what}: {preempted}");
        assert_eq!(numbers(&outcome, "control", "preemptions"), [preempted], "{what}");
        assert!((first - preempted).abs() < 1e-9, "{what}: {first} of {preempted} fail");
        assert!((share - preempted * 2.0 * 70.0 / (units * 14.0)).abs() < 1e-9, "{what}: {share}");
        let [named] = blocks(&outcome, "down", ["code_block_groups_resent"]);
        assert_eq!(named > 0.0, has_groups, "{what}: {named} groups are named");
        let again = bytes / (7298.0 * preempted);
        assert!((again - expected).abs() < within, "{what}: {again}, expected {expected}");
        assert!(spent(&outcome, "full") > 0.0, "{what}: it cost nobody anything");
        assert!(
            spent_on(&outcome, "full", "radio retransmission") == 0.0,
            "{what}: nothing else fails"
        );
    }
}

/// A code block of rate 0.667 that loses a few of its bits in a good channel decodes: pre-emption
/// of a few resource blocks costs nothing more. Urgent blocks of 8 bytes and their headers take 12
/// resource blocks at most, 0.171 of a code block, which leaves a rate of 0.80; if bits are noise
/// 0.257 are lost, a rate of 0.90.
#[test]
fn a_little_that_is_taken_costs_nothing_else() {
    for preemption in ["indicated", "unindicated"] {
        let keys = format!("{WHOLE}\nurgent = {{ preemption = \"{preemption}\" }}");
        let outcome = cell("3 s", &keys, 8, "3.30902 ms", true);
        let [preempted, failures, symbols] =
            blocks(&outcome, "down", ["preempted", "failures", "preempted_symbols"]);
        assert!(preempted > 700.0 && failures == 0.0, "{preemption}: {failures} of {preempted}");
        let each = symbols / preempted / 2.0;
        assert!((8.0..=12.0).contains(&each), "{preemption}: {each} resource blocks");
    }
    // But if all UEs count all resource blocks of two symbols as lost, each of these costs a block.
    let keys = format!("{WHOLE}\nurgent = {{ preemption = \"indicated_symbols\" }}");
    let outcome = cell("3 s", &keys, 8, "3.30902 ms", true);
    let [preempted, first] = blocks(&outcome, "down", ["preempted", "first_failures"]);
    assert!(first > 0.9 * preempted, "{first} of {preempted}");
}

/// TS 38.213 §11.2: the block of the lowest priority loses, though it is the smaller one. A stream
/// of 5QI 6 has 44 to 52 resource blocks of each slot, one of 5QI 9 the other 18 to 26, and urgent
/// datagrams take 12 at most for two symbols: enough to make code blocks of rate 0.926 fail.
#[test]
fn the_lowest_priority_loses() {
    let keys =
        format!("{WHOLE}\nurgent = {{ preemption = \"indicated\" }}\nscheduler = \"strict_qci\"");
    let bearers = "[[radio.nr.bearer]]\nname = \"default\"\n\
        [[radio.nr.bearer]]\nname = \"better\"\nfive_qi = 6\n\
        [[radio.nr.bearer.filter]]\nprecedence = 2\nserver_port = 7000\n\
        [[radio.nr.bearer]]\nname = \"urgent\"\nurgent = true\n\
        [[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 5000\n";
    let apps = [
        datagrams("better", "phone", 1200, "90 us", 7000),
        datagrams("full", "tablet", 1400, "80 us", 6000),
        datagrams("urgent", "robot", 8, "4.69098 ms", 5000),
    ];
    let cell = CELL.replace("\nmcs = 20", "\nmcs = 27");
    let ues = format!("{UES}[[ue]]\nname = \"tablet\"\n");
    let outcome =
        run(&format!("duration = \"4 s\"\n{cell}{keys}\n{bearers}{ues}{}", apps.concat()), 1);
    let (full, better) = (spent(&outcome, "full"), spent(&outcome, "better"));
    assert!(full > 0.0, "somebody pays");
    assert!(better == 0.0, "{better} ms");
}

/// The priority of a block is that of its most urgent bearer: a UE that has 5QI 6 and 9 in each
/// block loses nothing to one of 5QI 8, whose block is the smaller one.
#[test]
fn block_has_its_most_urgent_bearers_priority() {
    let keys =
        format!("{WHOLE}\nurgent = {{ preemption = \"indicated\" }}\nscheduler = \"strict_qci\"");
    let bearer = |name: &str, class: &str, place: u32, port: u32| {
        format!(
            "[[radio.nr.bearer]]\nname = \"{name}\"\n{class}\n\
             [[radio.nr.bearer.filter]]\nprecedence = {place}\nserver_port = {port}\n"
        )
    };
    let bearers = [
        "[[radio.nr.bearer]]\nname = \"default\"\n".to_owned(),
        bearer("better", "five_qi = 6", 2, 7000),
        bearer("good", "five_qi = 8", 3, 8000),
        bearer("urgent", "urgent = true", 1, 5000),
    ];
    // 44 to 52 resource blocks of each slot of both bearers, as in the test above of one.
    let apps = [
        datagrams("better", "phone", 600, "90 us", 7000),
        datagrams("calm", "phone", 560, "90 us", 6000),
        datagrams("good", "tablet", 1400, "80 us", 8000),
        datagrams("urgent", "robot", 8, "4.69098 ms", 5000),
    ];
    let cell = CELL.replace("\nmcs = 20", "\nmcs = 27");
    let ues = format!("{UES}[[ue]]\nname = \"tablet\"\n");
    let text =
        format!("duration = \"4 s\"\n{cell}{keys}\n{}{ues}{}", bearers.concat(), apps.concat());
    let outcome = run(&text, 1);
    assert!(spent(&outcome, "good") > 0.0, "somebody pays");
    for app in ["better", "calm"] {
        assert!(spent(&outcome, app) == 0.0, "{app}: {} ms", spent(&outcome, app));
    }
}

/// All UEs receive DCI format 2_1: a UE that lost nothing loses its block too, so that two blocks
/// fail for each pre-emption.
#[test]
fn an_indication_of_symbols_hits_all_ues() {
    let keys = format!(
        "{WHOLE}\nurgent = {{ preemption = \"indicated_symbols\" }}\nscheduler = \"strict_qci\""
    );
    let bearers = "[[radio.nr.bearer]]\nname = \"default\"\n\
        [[radio.nr.bearer]]\nname = \"better\"\nfive_qi = 6\n\
        [[radio.nr.bearer.filter]]\nprecedence = 2\nserver_port = 7000\n\
        [[radio.nr.bearer]]\nname = \"urgent\"\nurgent = true\n\
        [[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 5000\n";
    let apps = [
        datagrams("better", "phone", 1200, "90 us", 7000),
        datagrams("full", "tablet", 1400, "80 us", 6000),
        datagrams("urgent", "robot", 8, "4.69098 ms", 5000),
    ];
    let cell = CELL.replace("\nmcs = 20", "\nmcs = 27");
    let ues = format!("{UES}[[ue]]\nname = \"tablet\"\n");
    let outcome =
        run(&format!("duration = \"4 s\"\n{cell}{keys}\n{bearers}{ues}{}", apps.concat()), 1);
    let [preempted, first] = blocks(&outcome, "down", ["preempted", "first_failures"]);
    assert!(preempted > 600.0, "{preempted}");
    // A slot in which a retransmission has all resource blocks has only one block.
    assert!((1.8..=2.0).contains(&(first / preempted)), "{first} of {preempted}");
}

/// With groups the UE drops the bits that pre-emption spoilt (CBGFI), so that the retransmission
/// decodes the first time, also with a code rate of 0.926 without reserve.
#[test]
fn with_groups_nothing_is_sent_a_third_time() {
    let keys =
        format!("{WHOLE}\nurgent = {{ preemption = \"unindicated\" }}\nmax_code_block_groups = 8");
    let cell = CELL.replace("\nmcs = 20", "\nmcs = 27");
    let full = datagrams("full", "phone", 1400, "80 us", 6000);
    let urgent = datagrams("urgent", "robot", 410, "4.69098 ms", 5000);
    let outcome =
        run(&format!("duration = \"6 s\"\n{cell}{keys}\n{BEARERS}{UES}{full}{urgent}"), 1);
    let [first, all] = blocks(&outcome, "down", ["first_failures", "failures"]);
    assert!(first > 1000.0 && (all - first).abs() < 0.5, "{first} fail first, {all} at all");
}

/// Pre-emption proves nothing about the channel: with an outer loop that aims at 10⁻⁵ blocks are as
/// large beside urgent ones as without them, except in slots in which an urgent block has the first
/// two symbols. A block in ten fails, which would lower the loop by 10 dB at once.
#[test]
fn pre_emption_teaches_the_outer_loop_nothing() {
    let size = |urgent: bool| {
        let cell =
            CELL.replace("\nmcs = 20", "").replace("outer_loop = false", "outer_loop = true");
        let cell =
            cell.replace("downlink_sinr_db = 40", "downlink_sinr_db = 18\nbler_target = 1e-5");
        let keys = format!("{WHOLE}\nurgent = {{ preemption = \"indicated\" }}");
        let full = datagrams("full", "phone", 1400, "80 us", 6000);
        let urgent = if urgent {
            datagrams("urgent", "robot", 410, "4.69098 ms", 5000)
        } else {
            String::new()
        };
        let text = format!("duration = \"6 s\"\n{cell}{keys}\n{BEARERS}{UES}{full}{urgent}");
        let columns = ["sdu_bytes", "header_bytes", "padding_bytes", "blocks", "first_failures"];
        let [sdus, headers, padding, count, failures] = blocks(&run(&text, 1), "down", columns);
        ((sdus + headers + padding) / count, failures / count)
    };
    let ((without, _), (with, failures)) = (size(false), size(true));
    assert!(failures > 0.08, "{failures} fail");
    assert!(with / without > 0.97, "{with} bytes, {without} without urgent blocks");
}

/// Without urgent data, a channel error is no cause of pre-emption.
#[test]
fn channel_error_is_no_pre_emption() {
    let cell = CELL.replace("\nmcs = 20", "").replace("outer_loop = false", "outer_loop = true");
    let cell = cell.replace("downlink_sinr_db = 40", "downlink_sinr_db = 12.3");
    let keys = format!("{WHOLE}\nurgent = {{ preemption = \"indicated\" }}");
    let full = datagrams("full", "phone", 1400, "400 us", 6000);
    let outcome = run(&format!("duration = \"6 s\"\n{cell}{keys}\n{BEARERS}{UES}{full}"), 1);
    let [failures, preempted] = blocks(&outcome, "down", ["failures", "preempted"]);
    assert!(failures > 500.0 && preempted == 0.0, "{failures}, {preempted}");
    assert!(spent_on(&outcome, "full", "radio retransmission") > 0.0, "what failed");
    assert!(spent(&outcome, "full") == 0.0, "{} ms", spent(&outcome, "full"));
}

/// Mean time in ms that packets of an application spent on the cause `preemption`.
fn spent(outcome: &Outcome, app: &str) -> f64 {
    spent_on(outcome, app, "preemption")
}

fn spent_on(outcome: &Outcome, app: &str, cause: &str) -> f64 {
    let words = |column: &str| match table(outcome, "anatomy").column(column) {
        Some(Data::Text(words)) => words.iter().map(str::to_owned).collect::<Vec<String>>(),
        _ => panic!("{column} has words"),
    };
    let means = crate::runs::values(outcome, "anatomy", "mean_ms");
    let rows = words("app").into_iter().zip(words("cause")).zip(means);
    let own = rows.filter(|((its, of), _)| its == app && of == cause);
    own.filter_map(|(_, mean)| mean).sum()
}
