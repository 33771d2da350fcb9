//! One UE in an NR cell, from end to end, against closed forms that were computed independently of
//! this code.
//!
//! Latencies are sums of constants, and of waits of arrivals at any time: the mean wait for the
//! next of starts with gaps `g` in a period of `P` is `Σ g²/(2P)`.

use crate::runs::{numbers, table};
use uplane::record::Data;
use uplane::scenario::Outcome;

fn run(text: &str) -> Outcome {
    crate::runs::run(text, 1)
}

/// A cell in which nothing fails.
const FLAWLESS: &str = r#"
    bler = "none"
    mcs = 10
    uplink_mcs = 10
    uplink_prbs = "all"
    dmrs_symbols = 1
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }
"#;

/// A cell with these keys, the later ones before the earlier.
fn cell(keys: &[&str]) -> String {
    let mut found: Vec<&str> = Vec::new();
    let mut lines = Vec::new();
    for line in keys.iter().rev().flat_map(|keys| keys.lines()).map(str::trim) {
        let key = line.split('=').next().unwrap_or_default().trim();
        if !key.is_empty() && !found.contains(&key) {
            found.push(key);
            lines.push(line);
        }
    }
    format!("[radio.nr]\n{}\n", lines.join("\n"))
}

/// Round-trip times in ms of `count` pings, each in an empty cell.
fn pings_each(interval: &str, keys: &str, count: u32) -> Vec<f64> {
    let cell = cell(&[FLAWLESS, keys]);
    let ping = format!("packet = \"84 B\"\ninterval = \"{interval}\"\ncount = {count}\n");
    let outcome = run(&format!("duration = \"100000 s\"\n{cell}[[ping]]\nname = \"p\"\n{ping}"));
    let rtts = numbers(&outcome, "pings", "rtt_ms");
    assert_eq!(rtts.len(), count as usize);
    rtts
}

/// Round-trip times in ms of pings at any time of the cell's grid.
fn pings(keys: &str, count: u32) -> Vec<f64> {
    pings_each("101.0137 ms", keys, count)
}

/// One-way latencies in ms of lone datagrams in the uplink.
fn uplink(keys: &str, count: u32) -> Vec<f64> {
    let cell = cell(&[FLAWLESS, keys]);
    let voice = format!(
        "payload = \"40 B\"\ndirection = \"up\"\ninterval = \"101.0137 ms\"\ncount = {count}\n"
    );
    let outcome = run(&format!("duration = \"100000 s\"\n{cell}[[voice]]\nname = \"v\"\n{voice}"));
    numbers(&outcome, "datagrams", "latency_ms")
}

/// Mean time in ms that a lone datagram of the uplink spends in a cause.
fn uplink_cause(keys: &str, cause: &str) -> f64 {
    let cell = cell(&[FLAWLESS, keys]);
    let voice =
        "payload = \"40 B\"\ndirection = \"up\"\ninterval = \"101.0137 ms\"\ncount = 2500\n";
    let outcome = run(&format!("duration = \"100000 s\"\n{cell}[[voice]]\nname = \"v\"\n{voice}"));
    let anatomy = table(&outcome, "anatomy");
    let Some(Data::Text(causes)) = anatomy.column("cause") else { panic!("causes have names") };
    let named = |row: &usize| causes.iter().nth(*row) == Some(cause);
    let means = numbers(&outcome, "anatomy", "mean_ms");
    (0..means.len()).filter(named).map(|row| means[row]).sum()
}

/// Payload of a greedy transfer in Mbit/s, from the second to the fourth second: in the second one
/// acknowledgements of slow start still catch up (1663 Mbit/s were seen there, more than the slots
/// carry), so the interval was moved, not the tolerance.
fn steady_mbps(keys: &str, direction: &str) -> f64 {
    let acked = |seconds: &str| {
        let cell = cell(&[FLAWLESS, keys]);
        // IP packets of 1452 bytes with 1400 bytes of payload.
        let tcp = "[tcp.default]\nmss = \"1412 B\"\nreceive_buffer = \"64 MiB\"\n";
        let bulk = format!("[[bulk]]\nname = \"b\"\ndirection = \"{direction}\"\n");
        let link = "[[link]]\nname = \"core\"\ndelay = \"10 ms\"\n";
        let outcome = run(&format!("duration = \"{seconds}\"\n{cell}{link}{tcp}{bulk}"));
        numbers(&outcome, "connections", "acked_bytes").into_iter().fold(0.0, f64::max)
    };
    (acked("4 s") - acked("2 s")) / 2.0 * 8e-6
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn spread(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    most - values.iter().copied().fold(f64::MAX, f64::min)
}

fn close(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= share, "{what}: {found}, expected {expected}");
}

const FDD: &str = "duplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 20\n";
const CG: &str = "configured_grant = { size = \"128 B\", period = ";

/// A ping over FDD with 15 kHz.
#[test]
fn a_ping_over_fdd_waits_for_its_request() {
    for (keys, expected) in
        [("sr_period = 1", 7.29), ("sr_period = 10", 11.79), (&format!("{CG}1 }}"), 5.14)]
    {
        let rtts = pings(&format!("{FDD}{keys}"), 2500);
        close(mean(&rtts), expected, 0.02, keys);
    }
}

/// Over TDD the wait for an uplink slot is added, and the spread is the period of the requests.
#[test]
fn ping_over_tdd_also_waits_for_the_uplink() {
    for (keys, expected, between) in [
        ("sr_period = 5", 5.71, 2.5),
        ("sr_period = 20", 9.46, 10.0),
        (&format!("{CG}5 }}"), 3.64, 2.5),
    ] {
        let rtts = pings(keys, 2500);
        close(mean(&rtts), expected, 0.02, keys);
        assert!((spread(&rtts) - between).abs() <= 0.5, "{keys}: {}", spread(&rtts));
    }
}

/// A slower base station costs a whole period of the pattern in the uplink.
#[test]
fn slow_base_station_costs_a_pattern_period() {
    let commercial = "profile = \"commercial\"\nsr_period = 5";
    close(mean(&pings(commercial, 2500)), 9.71, 0.02, "commercial, DDDSU");
    let europe = "duplex = \"europe\"\nsr_period = 10";
    close(mean(&pings(europe, 2500)), 9.46, 0.02, "reference, DDDDDDDSUU");
    let commercial = format!("profile = \"commercial\"\n{europe}");
    close(mean(&pings(&commercial, 2500)), 10.46, 0.02, "commercial, DDDDDDDSUU");
}

#[test]
fn slow_base_station_costs_more_than_its_slots() {
    let latencies = uplink("sr_period = 5", 2500);
    close(mean(&latencies), 4.54, 0.02, "reference, one way");
    let commercial = uplink("profile = \"commercial\"\nsr_period = 5", 2500);
    close(mean(&commercial), 7.54, 0.02, "commercial, one way");
}

/// A ping whose interval is a millisecond more than a multiple of the period of requests finds each
/// occasion a millisecond nearer, until it misses one.
#[test]
fn a_regular_ping_walks_down_a_sawtooth() {
    let keys = "profile = \"commercial\"\nduplex = \"public_gnb\"\nsr_period = 40";
    let rtts = pings_each("101 ms", keys, 200);
    for pair in rtts.windows(2) {
        let step = pair[1] - pair[0];
        assert!((step + 1.0).abs() < 1e-6 || (step - 19.0).abs() < 1e-6, "{pair:?}");
    }
    let [low, high] = [7.96, 27.97];
    assert!(rtts.iter().all(|rtt| (low..=high).contains(rtt)), "{rtts:?}");
    assert!((spread(&rtts) - 19.0).abs() < 1e-6 && (mean(&rtts) - 17.96).abs() <= 0.5);
}

/// A round trip more for each block that fails: 4 ms down, 3 ms up.
#[test]
fn each_failed_block_costs_a_harq_round_trip() {
    let keys = format!("{FDD}{CG}1 }}\nbler = [0.1, 0]");
    close(mean(&pings(&keys, 8000)), 5.84, 0.03, "one block in ten fails");
}

/// The sum of the blocks of a turn, less 61 of 1461 bytes of headers.
#[test]
fn a_download_fills_the_slots_of_the_pattern() {
    let keys = "layers = 4\nmcs = 27\nuplink_mcs = 28\nmodulation = \"256QAM\"";
    let found = steady_mbps(keys, "down");
    close(found, 1652.0, 0.003, "download");
}

#[test]
fn an_upload_fills_the_uplink_slots() {
    let found = steady_mbps("uplink_mcs = 28", "up");
    close(found, 91.1, 0.005, "upload");
}

/// The cost of TDD is one wait: the uplink over FDD, with a request or an occasion in each slot,
/// takes exactly that much less, whatever the pattern and however slow the base station is.
#[test]
fn pattern_costs_the_wait_for_its_direction() {
    let wide = "subcarrier_spacing_khz = 30\nbandwidth_mhz = 40\nphase = \"0 s\"\n";
    for (pattern, slots) in [("DDDSU 10:2:2", 5), ("europe", 10), ("DSUUU 10:2:2", 5)] {
        for profile in ["reference", "commercial", "lena_nr"] {
            let keys = |duplex: &str, access: &str| {
                format!("{wide}profile = \"{profile}\"\nduplex = \"{duplex}\"\n{access}")
            };
            let request = |slots| format!("sr_period = {slots}");
            let configured = |slots| format!("{CG}{slots} }}");
            for access in [request as fn(u32) -> String, configured as fn(u32) -> String] {
                let tdd = keys(pattern, &access(slots));
                let own = uplink_cause(&tdd, "duplex wait");
                let more =
                    mean(&uplink(&tdd, 2500)) - mean(&uplink(&keys("FDD", &access(1)), 2500));
                // A UE has one of the uplink slots of a pattern, and waits for it if another slot
                // is earlier.
                let others = uplink_cause(&tdd, "configured grant wait")
                    + uplink_cause(&tdd, "scheduling request wait")
                    - uplink_cause(&keys("FDD", &access(1)), "scheduling request wait");
                assert!((own + others - more).abs() < 0.02, "{tdd}: {own} + {others}, {more}");
                assert!(own > 0.2 && others > -0.01, "{tdd}: {own}, {others}");
            }
        }
    }
}

/// The wait for an occasion: half a slot for its beginning, and half a period less for the period.
#[test]
fn a_configured_grant_is_waited_for() {
    let keys = format!("{FDD}{CG}20 }}");
    close(uplink_cause(&keys, "configured grant wait"), 9.5, 0.02, "a period of 20 slots");
    close(uplink_cause(&keys, "radio alignment"), 0.5, 0.02, "a slot");
    assert!(uplink_cause(&keys, "duplex wait").abs() < 1e-9);
}

/// New blocks of the uplink, first transmissions that failed, all transmissions, blocks lost.
fn uplink_blocks(keys: &str, interval: &str) -> [u64; 4] {
    let cell = cell(&[FLAWLESS, "rlc = \"um\"\nrlc_sn_length = 12", keys]);
    let voice = format!(
        "payload = \"40 B\"\ndirection = \"up\"\ninterval = \"{interval}\"\ncount = 5000\n"
    );
    let outcome = run(&format!("duration = \"1000 s\"\n{cell}[[voice]]\nname = \"v\"\n{voice}"));
    ["blocks", "first_failures", "transmissions", "lost"]
        .map(|column| numbers(&outcome, "blocks", column)[1] as u64)
}

/// TS 38.321 §5.4.1: if the timer expires before a block can be retransmitted, the UE assumes that
/// the block was received, and puts the next one into its process.
#[test]
fn a_block_is_forgotten_when_its_timer_expires() {
    let each = |own: &str| {
        let grant = format!("configured_grant = {{ size = \"128 B\", period = 1, {own} }}");
        uplink_blocks(&format!("{FDD}{grant}\nbler = [0.2, 0]"), "1 ms")
    };
    // A block is retransmitted three slots later at the earliest.
    let [blocks, failures, transmissions, lost] =
        each("harq_processes = 2, configured_grant_timer = 2");
    assert!(blocks == 5000 && (900..1100).contains(&failures), "{failures} of {blocks}");
    // No block takes the process of the last two.
    assert!(failures - lost <= 2 && transmissions - blocks == failures - lost);
    let [blocks, failures, transmissions, lost] =
        each("harq_processes = 4, configured_grant_timer = 4");
    // A retransmission takes the slot of a configured grant, whose packet is sent with the next
    // one.
    assert!(failures > blocks / 6 && lost == 0, "{lost} of {failures}");
    assert_eq!(transmissions, blocks + failures);
}

/// Of three packets in consecutive slots the third finds both processes held, for four slots since
/// the first.
#[test]
fn processes_that_are_held_make_occasions_pass() {
    let latencies = |timer: u32| {
        let own = format!("harq_processes = 2, configured_grant_timer = {timer}");
        let grant = format!("configured_grant = {{ size = \"128 B\", period = 1, {own} }}");
        let cell = cell(&[FLAWLESS, FDD, &grant]);
        let voice = "payload = \"40 B\"\ndirection = \"up\"\ninterval = \"1 ms\"\ncount = 3\n";
        let outcome = run(&format!("duration = \"1 s\"\n{cell}[[voice]]\nname = \"v\"\n{voice}"));
        let all = numbers(&outcome, "datagrams", "latency_ms");
        [all[1] - all[0], all[2] - all[0]].map(|later| (later * 1e6).round() as i64)
    };
    assert_eq!(latencies(2), [0, 0]);
    assert_eq!(latencies(4), [0, 2_000_000]);
}

/// TS 38.214 §6.1.2.3.1: a block is sent in all slots of its bundle, and lost if all fail.
#[test]
fn a_bundle_is_sent_whatever_becomes_of_it() {
    let each = |own: &str, bler: &str| {
        let grant = format!("configured_grant = {{ size = \"128 B\", period = 8, {own} }}");
        let keys = format!("{FDD}{grant}\nbler = {bler}\nharq_transmissions = 1");
        uplink_blocks(&keys, "20 ms")
    };
    let [blocks, _, transmissions, lost] = each("repetitions = 4", "\"none\"");
    // The run ends with the last packet, which the first transmission of its bundle carries.
    assert_eq!((blocks, lost), (5000, 0));
    assert!((19_997..=20_000).contains(&transmissions), "{transmissions}");
    let [blocks, failures, transmissions, lost] = each("repetitions = 2", "[0.5, 0.5]");
    assert!(blocks == 5000 && (9_999..=10_000).contains(&transmissions), "{transmissions}");
    // Binomial: four standard deviations are 141 and 122.
    assert!((2359..2641).contains(&failures) && (1128..1372).contains(&lost), "{failures}, {lost}");
}

/// Bulk data of five UEs in transmissions of some symbols: the used share of the band, relative to
/// all that fit into its slots one after the other, and blocks per slot.
fn filled(direction: &str, mapping: &str, symbols: u32, in_a_slot: u32) -> (f64, f64) {
    let keys = format!(
        "duplex = \"FDD\"\nbandwidth_mhz = 40\nphase = \"0 s\"\n\
         mini_slots = {{ symbols = {symbols}, mapping = \"{mapping}\", control_prbs = 36 }}"
    );
    let ues = "[[ue]]\nname = \"ue\"\ncount = 5\n";
    let app = format!("[[bulk]]\nname = \"b\"\nue = \"ue\"\ndirection = \"{direction}\"\n");
    let outcome = run(&format!("duration = \"1 s\"\n{}{ues}{app}", cell(&[FLAWLESS, &keys])));
    // 36 resource blocks of the downlink are for control.
    let (row, prbs) = if direction == "down" { (0, 70.0) } else { (1, 106.0) };
    let [units, blocks] =
        ["resource_units", "blocks"].map(|column| numbers(&outcome, "blocks", column)[row]);
    let slots = 2000.0;
    (units / (prbs * f64::from(in_a_slot) * slots), blocks / slots)
}

/// TS 38.214 §5.1: transmissions share the band one after the other. Two of 7 symbols fit into a
/// slot, three of 4, seven of 2, and one of mapping type A.
#[test]
fn no_resource_block_carries_two_transmissions_at_once() {
    for (mapping, symbols, in_a_slot) in
        [("A", 14, 1), ("A", 7, 1), ("A", 4, 1), ("B", 7, 2), ("B", 4, 3), ("B", 2, 7)]
    {
        for direction in ["down", "up"] {
            let (share, blocks) = filled(direction, mapping, symbols, in_a_slot);
            let what = format!("{direction} {mapping} {symbols}: {share}, {blocks} a slot");
            assert!((0.8..=1.0).contains(&share), "{what}");
        }
    }
}
