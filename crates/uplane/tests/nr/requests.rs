//! Several configurations of scheduling requests in an NR cell, against closed forms that were
//! computed independently of this code.
//!
//! FDD with 15 kHz: a datagram of the uplink takes 4.5 ms and half a period of its requests on
//! average, which is 5.00 ms with a request each slot and 14.5 ms with one each 20 (`end_to_end`
//! has the parts).

use crate::runs::{numbers, table};
use uplane::record::Data;
use uplane::scenario::Outcome;

/// A cell in which nothing fails, with a request each 20 slots, and each slot for the urgent
/// bearer. The answer to a request has room for the datagrams of both.
const CELL: &str = r#"
    [radio.nr]
    duplex = "FDD"
    subcarrier_spacing_khz = 15
    bandwidth_mhz = 20
    bler = "none"
    mcs = 10
    uplink_mcs = 10
    dmrs_symbols = 1
    sr_period = 20
    sr_grant = "400 B"
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }
"#;

const URGENT: &str = "[[radio.nr.scheduling_request]]\nname = \"each slot\"\nperiod = 1\n";

/// The default bearer and an urgent one, with these keys; the urgent one carries packets to port
/// 5000.
fn bearers(default: &str, urgent: &str) -> String {
    format!(
        "[[radio.nr.bearer]]\nname = \"default\"\nrlc = \"um\"\n{default}\n\
         [[radio.nr.bearer]]\nname = \"urgent\"\nrlc = \"um\"\nfive_qi = 85\n{urgent}\n\
         [[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 5000\n"
    )
}

/// Lone datagrams of the uplink, which arrive at any time of the cell's grid.
fn datagrams(name: &str, port: u16, start: &str) -> String {
    format!(
        "[[voice]]\nname = \"{name}\"\ndirection = \"up\"\npayload = \"40 B\"\nport = {port}\n\
         interval = \"101.0137 ms\"\ncount = 2500\nstart = \"{start}\"\n"
    )
}

/// Latencies in ms of the calm and of the urgent stream, which begins `later`.
fn latencies(cell: &str, bearers: &str, later: &str) -> [Vec<f64>; 2] {
    let streams = [datagrams("calm", 6000, "0 s"), datagrams("urgent", 5000, later)].concat();
    let outcome = crate::runs::run(
        &format!("duration = \"300 s\"\n{CELL}{cell}\n{URGENT}{bearers}{streams}"),
        1,
    );
    ["calm", "urgent"].map(|app| of_app(&outcome, app))
}

fn of_app(outcome: &Outcome, app: &str) -> Vec<f64> {
    let datagrams = table(outcome, "datagrams");
    let Some(Data::Text(apps)) = datagrams.column("app") else { panic!("they have names") };
    let latencies = numbers(outcome, "datagrams", "latency_ms");
    apps.iter().zip(latencies).filter(|(name, _)| *name == app).map(|(_, it)| it).collect()
}

fn mean(values: &[f64]) -> f64 {
    assert_eq!(values.len(), 2500);
    values.iter().sum::<f64>() / values.len() as f64
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= 0.02, "{what}: {found}, expected {expected}");
}

const NAMED: &str = "scheduling_request = \"each slot\"";

/// TS 38.321 §5.4.4: each bearer waits for the occasions of its own configuration.
#[test]
fn each_bearer_waits_for_its_own_requests() {
    let [calm, urgent] = latencies("", &bearers("", NAMED), "50 ms");
    close(mean(&calm), 14.5, "each 20 slots");
    close(mean(&urgent), 5.0, "each slot");
    let most = calm.iter().copied().fold(0.0, f64::max);
    assert!((23.5..24.5).contains(&most), "the longest wait is a period: {most}");
}

/// The urgent datagram arrives 1 ms after the calm one, and the grant that it asks for carries
/// both: the calm one takes 1 ms longer than an urgent one, unless (one time in twenty) its own
/// occasion was the first; then the urgent one, 1 ms later, is sent with it.
#[test]
fn grant_serves_all_bearers_whichever_requested() {
    let [calm, urgent] = latencies("", &bearers("", NAMED), "1 ms");
    close(mean(&calm), 0.95 * 6.0 + 0.05 * 5.0, "the calm one");
    close(mean(&urgent), 0.95 * 5.0 + 0.05 * 4.0, "the urgent one");
}

/// TS 38.321 §5.4.5: `logicalChannelSR-DelayTimer` delays the request.
#[test]
fn a_delayed_bearer_asks_after_its_timer() {
    let delayed = "sr_delay_timer_applied = true\nscheduling_request = \"each slot\"";
    let [calm, urgent] = latencies("sr_delay_timer = \"20 ms\"", &bearers(delayed, NAMED), "50 ms");
    close(mean(&calm), 25.0, "20 ms later");
    close(mean(&urgent), 5.0, "at once");
}

/// A regular report of another bearer stops the timer: the calm datagram is sent with the urgent
/// one, which arrives 5 ms later.
#[test]
fn another_bearer_stops_the_timer() {
    let delayed = "sr_delay_timer_applied = true\nscheduling_request = \"each slot\"";
    let [calm, _] = latencies("sr_delay_timer = \"20 ms\"", &bearers(delayed, NAMED), "5 ms");
    close(mean(&calm), 10.0, "with the urgent one");
}

/// TS 38.321 §5.4.5, `logicalChannelSR-Mask`. With a configured grant each 20 slots data that waits
/// for it takes 2.357 ms and half a period, 12.36 ms. Without the mask it asks too and uses the
/// first grant: of phases `x` of a slot and 20 occasions, for `x` up to 0.5 the block is that of
/// slot 1, 2 or (18 of 20 times) 3 after that of the arrival, up to 0.643 of slot 1, 2, 3 or 4, and
/// else of slot 2, 3 or 4, and ends 2 ms after its slot began. The mean is 4.83 ms.
#[test]
fn unmasked_data_requests_beside_its_configured_grant() {
    let grant = "configured_grant = { size = \"128 B\", period = 20 }";
    let [calm, urgent] =
        latencies(grant, &bearers("", &format!("{NAMED}\nsr_mask = false")), "50 ms");
    close(mean(&calm), 12.357, "masked");
    close(mean(&urgent), 4.829, "not masked");
}

/// A cell whose urgent bearer has this configuration of requests and whose default one has the
/// cell's, with a lone urgent datagram to each of `ues` UEs.
fn lone(cell: &str, request: &str, ues: u32) -> Outcome {
    let own = format!("[[radio.nr.scheduling_request]]\nname = \"each slot\"\n{request}\n");
    let stream = "[[voice]]\nname = \"urgent\"\nue = \"all\"\ndirection = \"up\"\npayload = \"40 B\"\n\
        port = 5000\ninterval = \"9 s\"\ncount = 1\nstart = \"19.9 ms\"\n";
    let ues = format!("[[ue]]\nname = \"u\"\ncount = {ues}\n");
    let cell = format!("{CELL}phase = \"0 s\"\n{cell}");
    crate::runs::run(
        &format!("duration = \"1 s\"\n{cell}\n{own}{}{ues}{stream}", bearers("", NAMED)),
        1,
    )
}

/// A UE out of reach, whose bearer has its own requests: `sr-ProhibitTimer` of these, 8 ms instead
/// of none, and `sr-TransMax` of these, 4 instead of 64.
#[test]
fn timers_and_counters_are_those_of_the_configuration() {
    let unheard = |request: &str| {
        let text = CELL.replace("sr_missed = 0", "sr_missed = 1");
        assert_ne!(text, CELL);
        let own = format!("[[radio.nr.scheduling_request]]\nname = \"each slot\"\n{request}\n");
        let stream = datagrams("urgent", 5000, "20.9 ms").replace("count = 2500", "count = 1");
        let access = "random_access = \"60 ms\"\nrandom_access_backoff = \"0 s\"\n";
        let text = format!("duration = \"1 s\"\n{text}{access}{own}{}{stream}", bearers("", NAMED));
        let outcome = crate::runs::run(&text, 1);
        ["sr_sent", "random_accesses"].map(|column| numbers(&outcome, "control", column)[0])
    };
    // A request each 8 ms, starting at 20 ms: 64 of them in 512 ms, 60 ms, and a second round: 64 +
    // 51.
    let [sent, accesses] = unheard("period = 1\nprohibit_timer = \"8 ms\"");
    assert!((113.0..=116.0).contains(&sent) && (accesses - 1.0).abs() < 0.5, "{sent}, {accesses}");
    // Four, a slot, 60 ms: 15 rounds of 64 slots and a rest.
    let [sent, accesses] = unheard("period = 1\ntrans_max = 4");
    assert!(
        (60.0..=64.0).contains(&sent) && (14.0..=16.0).contains(&accesses),
        "{sent}, {accesses}"
    );
}

/// `offset` belongs to the configuration: UEs follow each other by a slot in turn even if the cell
/// draws their offsets.
#[test]
fn offsets_are_those_of_the_configuration() {
    let outcome = lone("sr_offset = \"random\"", "period = 20\noffset = \"in_turn\"", 8);
    let mut latencies = of_app(&outcome, "urgent");
    latencies.sort_by(f64::total_cmp);
    assert_eq!(latencies.len(), 8);
    for pair in latencies.windows(2) {
        assert!((pair[1] - pair[0] - 1.0).abs() < 1e-6, "{latencies:?}");
    }
}

/// Six resource blocks of one symbol are one control channel element (TS 38.211 §7.3.2.2): if
/// errors do not depend on the SINR a message has two elements, but not more than exist.
#[test]
fn one_element_is_enough_for_a_message() {
    for bler in ["\"none\"", "[0.0]", "\"sinr\""] {
        let text = format!(
            "duration = \"1 s\"\n[radio.nr]\nduplex = \"FDD\"\ncontrol_symbols = 1\nbler = {bler}\n\
             mini_slots = {{ symbols = 4, mapping = \"B\", control_prbs = 6 }}\n\
             [[ping]]\nname = \"p\"\ncount = 3\ninterval = \"100 ms\"\n"
        );
        let outcome = crate::runs::run(&text, 1);
        assert_eq!(numbers(&outcome, "pings", "rtt_ms").len(), 3, "{bler}");
    }
}
