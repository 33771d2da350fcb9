//! Carrier aggregation of an NR cell, from end to end, against closed forms that were computed
//! independently of this code.
//!
//! A carrier of 100 MHz with slots DDDSU carries 1724.06 Mbit/s of transport blocks with four
//! layers and the highest scheme, one of 20 MHz over FDD 450.98 and one of 100 MHz in FR2 1639.85;
//! of these 95.82 % are payload (1400 of 1461 bytes).

use crate::runs::numbers;
use uplane::scenario::Outcome;

fn run(text: &str) -> Outcome {
    crate::runs::run(text, 1)
}

/// A cell in which nothing fails, with these keys and these additional carriers.
fn cell(keys: &str, carriers: &[&str]) -> String {
    let sections = carriers.iter().map(|keys| format!("[[radio.nr.secondary_carrier]]\n{keys}\n"));
    let sections: String = sections.collect();
    format!(
        "[radio.nr]\nuplink_mcs = 28\nuplink_prbs = \"all\"\nfeedback = {{ ack_as_nack = 0, \
         nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }}\n{keys}\n{sections}"
    )
}

const FLAWLESS: &str = "bler = \"none\"\nmcs = 27\nlayers = 4\n";
const WIDE: &str = "bandwidth_mhz = 100";
const FDD: &str = "bandwidth_mhz = 20\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15";
const FR2: &str = "bandwidth_mhz = 100\nsubcarrier_spacing_khz = 120";

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub(crate) fn close(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= share, "{what}: {found}, expected {expected}");
}

fn download(radio: &str, seconds: u32) -> Outcome {
    greedy("down", radio, seconds)
}

/// A greedy sender until `seconds`.
pub(crate) fn greedy(direction: &str, radio: &str, seconds: u32) -> Outcome {
    // IP packets of 1452 bytes with 1400 bytes of payload.
    let tcp = "[tcp.default]\nmss = \"1412 B\"\nreceive_buffer = \"64 MiB\"\n";
    let bulk = format!("[[bulk]]\nname = \"b\"\ndirection = \"{direction}\"\n");
    let link = "[[link]]\nname = \"core\"\ndelay = \"10 ms\"\n";
    run(&format!("duration = \"{seconds} s\"\n{radio}{link}{tcp}{bulk}"))
}

pub(crate) fn acked(outcome: &Outcome) -> f64 {
    numbers(outcome, "connections", "acked_bytes").into_iter().fold(0.0, f64::max)
}

/// Payload in Mbit/s from the second to the third second.
fn steady_mbps(radio: &str) -> f64 {
    (acked(&download(radio, 3)) - acked(&download(radio, 2))) * 8e-6
}

/// The rate of a UE is the sum over its carriers.
#[test]
fn rates_of_carriers_add_up() {
    for (carriers, blocks) in [
        (&[WIDE][..], 2.0 * 1724.06),
        (&[FDD], 1724.06 + 450.98),
        (&[FDD, FR2], 1724.06 + 450.98 + 1639.85),
    ] {
        let found = steady_mbps(&cell(&format!("{FLAWLESS}harq_processes = 32"), carriers));
        close(found, blocks * 1400.0 / 1461.0, 0.003, &format!("{carriers:?}"));
    }
}

/// Feedback that is sent each 2.5 ms is too late for 16 processes of 0.125 ms: at 3.125 ms of each
/// such period the blocks of the slots until 2.071 ms are known. Of 16 downlink slots in between,
/// 16 and 9 are used in turn, 19 slots D and 6 S in 5 ms.
#[test]
fn fast_carrier_with_few_processes_awaits_feedback() {
    let blocks = 1724.06 + 450.98 + 1285.64;
    let found = steady_mbps(&cell(FLAWLESS, &[FDD, FR2]));
    close(found, blocks * 1400.0 / 1461.0, 0.003, "16 processes");
}

/// One-way latencies in ms of lone datagrams of the downlink.
fn latencies(keys: &str, carriers: &[&str]) -> Vec<f64> {
    let radio = cell(&format!("{FLAWLESS}{keys}"), carriers);
    let voice = "payload = \"40 B\"\ndirection = \"down\"\ninterval = \"101.0137 ms\"\n";
    let voice = format!("[[voice]]\nname = \"v\"\n{voice}count = 2500\n");
    numbers(&run(&format!("duration = \"1000 s\"\n{radio}{voice}")), "datagrams", "latency_ms")
}

/// A packet uses the first carrier that has a slot for it. It is ready after 0.5 ms, waits `Σ
/// g²/(2P)`, and takes the slot and half of `T_proc,1`: 0.678 ms in a slot D, 0.536 in S, 1.285 in
/// one of 15 kHz.
#[test]
fn packet_uses_the_first_carrier_available() {
    let same = "bandwidth_mhz = 20\nduplex = \"FDD\"";
    // D and S of five slots, or a slot of the other carrier each 0.5 ms.
    let heavy = "duplex = \"DSUUU 10:2:2\"\n";
    let alone = 0.5 + 0.85 + 0.8 * 0.6784 + 0.2 * 0.5355;
    close(mean(&latencies(heavy, &[])), alone, 0.005, "alone");
    let beside = 0.5 + 0.25 + 0.8 * 0.6784 + 0.2 * 0.5355;
    close(mean(&latencies(heavy, &[same])), beside, 0.005, "beside FDD of 30 kHz");
    // Of ten slots DDDSU DDDSU the fifth begins with one of 15 kHz, the tenth with none; ready at
    // any time of 5 ms, a packet finds eight starts after 0.5 ms, and one after 1 ms.
    let wait = (8.0 * 0.25 + 1.0) / 10.0;
    let takes = 0.7 * 0.6784 + 0.2 * 0.5355 + 0.1 * 1.2854;
    close(mean(&latencies("", &[FDD])), 0.5 + wait + takes, 0.003, "beside FDD of 15 kHz");
    // Ready after 1 ms, half of the packets before a slot of both, half before one of 30 kHz alone.
    let takes = 0.5 * 1.2854 + 0.5 * 0.6784;
    let slow = format!("{FDD}\nsr_period = 20\n");
    let quick = format!("{same}\nsubcarrier_spacing_khz = 30");
    close(mean(&latencies(&slow, &[&quick])), 1.0 + 0.25 + takes, 0.005, "15 beside 30 kHz");
}

/// A carrier that is active too late for lone packets changes nothing, and one that is active at
/// once carries as much as one that always is.
#[test]
fn a_carrier_carries_nothing_before_it_is_active() {
    let activation = |delay: &str| {
        format!(
            "bandwidth_mhz = 20\nduplex = \"FDD\"\n\
             activation = {{ delay = \"{delay}\", deactivation_timer = \"20 ms\" }}"
        )
    };
    let heavy = "duplex = \"DSUUU 10:2:2\"\n";
    assert_eq!(latencies(heavy, &[&activation("50 ms")]), latencies(heavy, &[]));
    let prompt = latencies(heavy, &[&activation("0 s")]);
    assert_eq!(prompt, latencies(heavy, &["bandwidth_mhz = 20\nduplex = \"FDD\""]));
}

/// A download finds a carrier active a constant time after its first packet.
#[test]
fn a_download_has_its_carriers_after_the_delay() {
    let first_block = |delay: &str| {
        let activation = format!("{{ delay = \"{delay}\", deactivation_timer = \"20 ms\" }}");
        let carrier = format!("{WIDE}\nactivation = {activation}");
        let outcome = download(&cell(&format!("{FLAWLESS}phase = \"0 s\""), &[&carrier]), 1);
        numbers(&outcome, "carriers", "blocks")
    };
    let [soon, late, never] = ["0 s", "200 ms", "1 s"].map(first_block);
    assert!(never[1] == 0.0 && late[1] > 0.0 && soon[1] > late[1], "{soon:?} {late:?} {never:?}");
    // The first packet follows the handshake, 10 ms of the core and less than 10 of the cell after
    // the start; from then on the carrier has four blocks each 2.5 ms while it is used.
    assert!(late[1] <= 800.0 / 2.5 * 4.0 - 10.0 / 2.5 * 4.0, "{late:?}");
}

/// TS 38.321 §5.9: a carrier on which nothing is assigned to a UE for `sCellDeactivationTimer` is
/// deactivated though data wait for it, and carries them again only the delay after. Both carriers
/// are FDD with 15 kHz and have a block each slot while a UE may have one.
///
/// | from | the second carrier |
/// |---|---|
/// | 0 s | the tablet's data activate it |
/// | 1 s | is the tablet's |
/// | 1.5 s | the phone, whose class goes first, has more than fits: the first carrier is its own |
/// | 2.5 s | is active for the phone, too: nothing is the tablet's any more |
/// | 2.52 s | is deactivated for the tablet, whose data activate it anew |
/// | 2.8 s | the phone has no more data, but for 20 kB: five slots |
/// | 3.52 s | is the tablet's again |
#[test]
fn starved_carrier_is_deactivated_and_returns_late() {
    let blocks_until = |ms: u32| {
        let activation =
            "bandwidth_mhz = 20\nactivation = { delay = \"1 s\", deactivation_timer = \"20 ms\" }";
        let radio = cell(
            "bler = \"none\"\nmcs = 4\nlayers = 1\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\n\
             bandwidth_mhz = 20\nscheduler = \"strict_qci\"\nbuffer = \"20 kB\"\nrlc = \"um\"\nrlc_sn_length = 12",
            &[activation],
        );
        let bearers = "[[radio.nr.bearer]]\nname = \"default\"\n\
            [[radio.nr.bearer]]\nname = \"better\"\nfive_qi = 6\n\
            [[radio.nr.bearer.filter]]\nprecedence = 2\nserver_port = 7000\n";
        let ues = "[[ue]]\nname = \"phone\"\n[[ue]]\nname = \"tablet\"\n";
        let stream = |name: &str, ue: &str, port: u32, start: &str, every: &str, count: u32| {
            format!(
                "[[voice]]\nname = \"{name}\"\nue = \"{ue}\"\ndirection = \"down\"\nport = {port}\n\
                 payload = \"1400 B\"\nstart = \"{start}\"\ninterval = \"{every}\"\ncount = {count}\n"
            )
        };
        let calm = stream("calm", "tablet", 6000, "0 s", "250 us", 100_000);
        let burst = if ms > 1500 {
            stream("burst", "phone", 7000, "1500 ms", "100 us", 13_000)
        } else {
            String::new()
        };
        let text = format!("duration = \"{ms} ms\"\n{radio}{bearers}{ues}{calm}{burst}");
        numbers(&run(&text), "carriers", "blocks")[1]
    };
    let [at_rest, active, starved, still, back] = [995, 1490, 2900, 3500, 3600].map(blocks_until);
    assert!(at_rest == 0.0, "{at_rest} blocks before the delay");
    assert!((active - 490.0).abs() <= 5.0, "{active} blocks from 1 s to 1.49 s");
    assert!((starved - 1805.0).abs() <= 12.0, "{starved} blocks from 1 s to 2.8 s");
    assert!((still - starved).abs() < 0.5, "{still} blocks: none between 2.9 s and 3.5 s");
    assert!((back - still - 80.0).abs() <= 5.0, "{} blocks from 3.52 s on", back - still);
}

/// HARQ makes blocks of two carriers overtake each other; RLC and PDCP restore the order: TCP
/// retransmits nothing.
#[test]
fn carriers_with_independent_errors_lose_nothing() {
    for rlc in ["rlc = \"am\"", "rlc = \"um\"\nrlc_sn_length = 12"] {
        let radio = cell(&format!("bler = [0.3, 0]\nmcs = 10\n{rlc}"), &[FDD, WIDE]);
        let outcome = download(&radio, 2);
        let failures = numbers(&outcome, "carriers", "first_failures");
        let blocks = numbers(&outcome, "carriers", "blocks");
        for (failures, blocks) in failures.iter().zip(&blocks) {
            // Binomial: four standard deviations.
            let spread = 4.0 * (0.21 / blocks).sqrt();
            assert!((failures / blocks - 0.3).abs() < spread, "{failures} of {blocks}");
        }
        for column in ["retransmissions", "duplicate_acks"] {
            let counted = numbers(&outcome, "connections", column);
            assert!(counted.iter().all(|&count| count == 0.0), "{rlc}: {column} {counted:?}");
        }
        assert!(acked(&outcome) > 10e6);
    }
}

/// The maximum rate of a bearer belongs to the UE, whatever the carriers.
#[test]
fn a_maximum_rate_holds_over_all_carriers() {
    let bearer = "[[radio.nr.bearer]]\nname = \"b\"\nmfbr = \"50 Mbit/s\"\n";
    let rate = |carriers: &[&str]| steady_mbps(&format!("{}{bearer}", cell(FLAWLESS, carriers)));
    close(rate(&[WIDE]), rate(&[]), 0.01, "two carriers against one");
    close(rate(&[FDD, FR2]), rate(&[]), 0.01, "three carriers against one");
}

/// A carrier with an offset has the schemes of a cell with that SINR.
#[test]
fn a_carrier_has_radio_conditions_of_its_own() {
    let sinr = |db: f64| format!("downlink_sinr_db = {db}\nbler = \"sinr\"\nlayers = 1");
    let alone = |db: f64| steady_mbps(&cell(&sinr(db), &[]));
    let carrier = format!("{WIDE}\nsinr_offset_db = -12");
    let both = steady_mbps(&cell(&sinr(20.0), &[&carrier]));
    // Outer loops vary around their targets.
    close(both, alone(20.0) + alone(8.0), 0.02, "20 and 8 dB");
}

/// A UE between two cells gets nothing on any carrier, and has all of them afterwards.
#[test]
fn carriers_return_after_a_handover() {
    let handover = "handover = { interruption = \"40 ms\", first = \"500 ms\", every = \"300 ms\", \
                    forwarding = \"10 ms\" }\nduplex = \"DSUUU 10:2:2\"\nphase = \"0 s\"";
    let radio = cell(&format!("{FLAWLESS}{handover}"), &["bandwidth_mhz = 20\nduplex = \"FDD\""]);
    let voice = "payload = \"40 B\"\ndirection = \"down\"\ninterval = \"0.7 ms\"\ncount = 2000\n";
    let text = format!("duration = \"2 s\"\n{radio}[[voice]]\nname = \"v\"\n{voice}");
    let latencies = numbers(&run(&text), "datagrams", "latency_ms");
    assert_eq!(latencies.len(), 2000);
    let arrivals = (0..).zip(&latencies).map(|(number, latency)| f64::from(number) * 0.7 + latency);
    // After 800 ms of a handover, 260 ms until the next.
    let away = arrivals.filter(|at| *at > 500.0 && (at - 500.0) % 300.0 < 39.9).count();
    assert_eq!(away, 0);
    let last = numbers(&run(&text), "carriers", "blocks")[1];
    // Two slots of five begin on the first carrier; a packet comes each 1.4 slots.
    assert!(last > 500.0, "{last}");
    // Less than 0.5 ms until the next slot of the other carrier, outside of interruptions.
    let quick = latencies[800..1100].iter().filter(|latency| **latency < 2.0).count();
    assert_eq!(quick, 300, "from 560 to 770 ms, behind the first handover");
}

/// Blocks that failed before a handover are not retransmitted while the UE is away.
#[test]
fn nothing_is_sent_to_an_absent_ue() {
    let handover =
        "handover = { interruption = \"40 ms\", first = \"500 ms\", forwarding = \"10 ms\" }";
    let radio = cell(&format!("mcs = 10\nbler = [0.6, 0.6, 0.6, 0]\n{handover}"), &[FDD]);
    let sent = |milliseconds: u32| {
        let bulk = "[[bulk]]\nname = \"b\"\ndirection = \"down\"\n";
        let outcome = run(&format!("duration = \"{milliseconds} ms\"\n{radio}{bulk}"));
        numbers(&outcome, "carriers", "transmissions")
    };
    assert_eq!(sent(501), sent(539));
    assert!(sent(539).iter().zip(sent(560)).all(|(before, after)| after > before + 10.0));
}

/// A number below `end`, the next of a sequence.
fn draw(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % end
}

/// Draws one of the words.
fn any<'a>(state: &mut u64, words: &[&'a str]) -> &'a str {
    words[draw(state, words.len())]
}

/// A carrier of any numerology and pattern.
fn drawn_carrier(state: &mut u64) -> String {
    let (spacing, mhz, patterns) = [
        (15, 20, &["FDD", "DDDSU 10:2:2"][..]),
        (30, 20, &["FDD", "europe", "DDDSU DDSUU 10:2:2", "DSUUU 10:2:2"]),
        (60, 40, &["FDD", "DDDSU 10:2:2"]),
        (120, 50, &["DDDSU 10:2:2", "DDSU 10:2:2"]),
    ][draw(state, 4)];
    let duplex = any(state, patterns);
    let activation =
        any(state, &["", "", "activation = { delay = \"7 ms\", deactivation_timer = \"20 ms\" }"]);
    format!(
        "bandwidth_mhz = {mhz}\nsubcarrier_spacing_khz = {spacing}\nduplex = \"{duplex}\"\n{activation}"
    )
}

/// Whatever the carriers and their errors, acknowledged mode delivers each packet once, in order
/// and before PDCP would have given it up, and a file completely.
#[test]
fn drawn_carriers_bring_everything_once_and_in_order() {
    let mut state = 38;
    for number in 0..60 {
        let sections: Vec<String> =
            (0..=draw(&mut state, 3)).map(|_| drawn_carrier(&mut state)).collect();
        let (first, others) = sections.split_first().expect("one at least");
        let first = first.lines().filter(|line| !line.starts_with("activation"));
        let first: Vec<&str> = first.collect();
        let profile = any(&mut state, &["reference", "commercial", "lena_nr"]);
        let bler = any(&mut state, &["\"none\"", "[0.4, 0.1, 0]", "[0.3, 0.3, 0.3, 0.3]"]);
        let keys = format!(
            "{}\nprofile = \"{profile}\"\nbler = {bler}\nmcs = 9\nuplink_mcs = 9\nsr_period = 20\n",
            first.join("\n")
        );
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let radio = cell(&keys, &others).replacen("uplink_mcs = 28\n", "", 1);
        let apps = "[[download]]\nname = \"file\"\nfile = \"300 kB\"\n\
                    [[voice]]\nname = \"v\"\npayload = \"300 B\"\ndirection = \"down\"\n\
                    interval = \"3 ms\"\ncount = 150\n";
        let text = format!("duration = \"5 s\"\n{radio}{apps}");
        let outcome = crate::runs::run(&text, number);
        assert_eq!(numbers(&outcome, "transfers", "completed_s").len(), 1, "{text}");
        let latencies = numbers(&outcome, "datagrams", "latency_ms");
        assert_eq!(latencies.len(), 150, "{text}");
        for pair in latencies.windows(2) {
            assert!(pair[1] + 3.0 >= pair[0] - 1e-9, "{pair:?}: {text}");
        }
        assert!(latencies.iter().all(|&latency| latency < 220.0), "{text}");
    }
}
