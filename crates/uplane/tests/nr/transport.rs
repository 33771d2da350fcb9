//! Whole transports over an NR cell: TCP's ramp-up, a hundred calls, losses under PDCP's
//! reordering. Expected values are closed forms or bounds from the cell's specification, written
//! before it could be run.

use uplane::record::Data;
use uplane::scenario::Outcome;

use crate::runs::{run, table, values};

fn texts<'a>(outcome: &'a Outcome, name: &str, column: &str) -> Vec<&'a str> {
    let Some(Data::Text(values)) = table(outcome, name).column(column) else {
        panic!("{column} has words")
    };
    values.iter().collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn close(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= share, "{what}: {found}, expected {expected}");
}

/// No errors of the control channel, and schemes that stay.
const STEADY: &str = "mcs = 20\nuplink_mcs = 20\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

/// Time from the first delivery to the start of the first 25 ms at 90 % of 100 Mbit/s, in ms; the
/// mean of 20 phases of the grid.
fn ramp_up(keys: &str) -> f64 {
    let text = format!(
        "duration = \"2 s\"\n[radio.nr]\nbler = \"none\"\n{STEADY}{keys}\
         [[link]]\nname = \"core\"\ndelay = \"10 ms\"\nrate = \"100 Mbit/s\"\nqueue = \"2 MB\"\n\
         [tcp.default]\ninitial_window = 10\nreceive_buffer = \"16 MB\"\n\
         [[bulk]]\nname = \"b\"\ndirection = \"down\"\n[record]\ndeliveries = true\n"
    );
    let time = |seed| {
        let outcome = run(&text, seed);
        let times = values(&outcome, "deliveries", "time_s");
        let bytes = values(&outcome, "deliveries", "bytes");
        let deliveries: Vec<(f64, f64)> =
            times.into_iter().flatten().zip(bytes.into_iter().flatten()).collect();
        let within = |from: f64| {
            let ahead = deliveries.iter().filter(|(at, _)| (from..from + 0.025).contains(at));
            ahead.map(|(_, bytes)| bytes * 8.0).sum::<f64>()
        };
        let full = deliveries.iter().find(|(at, _)| within(*at) >= 0.9 * 100e6 * 0.025);
        (full.expect("it ramps up").0 - deliveries[0].0) * 1e3
    };
    mean(&(1..=20).map(time).collect::<Vec<f64>>())
}

/// Requests each 10 ms make a round trip of 19.5 ms; configured grants make one of 13.6. The
/// ramp-up is rounds of slow start, in which some acknowledgements find the uplink granted: it is
/// slower with requests, and here by no more than the ratio of the lone round trips. Other periods
/// and cores are not within it: rounds lock to the grid of requests (study 006).
#[test]
fn requests_slow_ramp_up_by_their_round_trip() {
    let requests = ramp_up("sr_period = 20\n");
    let granted = ramp_up("configured_grant = { period = 5, size = \"1500 B\" }\n");
    let ratio = requests / granted;
    assert!((1.0..=19.5 / 13.6).contains(&ratio), "{requests} / {granted} = {ratio}");
}

/// Calls over a bearer of 5QI 1 beside a greedy download, in `direction`.
fn calls(count: u32, voice: &str, cell: &str) -> Outcome {
    let download = "[[ue]]\nname = \"greedy\"\n\
        [[bulk]]\nname = \"b\"\nue = \"greedy\"\ndirection = \"down\"\n";
    let (greedy, duration) = if count > 1 { (download, 5) } else { ("", 40) };
    run(
        &format!(
            "duration = \"{duration} s\"\n[radio.nr]\nprofile = \"commercial\"\nbandwidth_mhz = 20\n\
             rlc = \"um\"\nrlc_sn_length = 12\nt_reordering = \"50 ms\"\ncontrol_symbols = 3\n\
             ues_per_slot = 32\nsr_grant = \"64 B\"\nsr_period = 40\ndownlink_sinr_db = 30\n\
             uplink_sinr_db = 30\n{STEADY}{cell}\
             [[radio.nr.bearer]]\nname = \"default\"\n\
             [[radio.nr.bearer]]\nname = \"voice\"\nfive_qi = 1\nrohc = {{ tcp = \"8 B\", udp = \"4 B\" }}\n\
             [[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 5060\n\
             [[ue]]\nname = \"caller\"\ncount = {count}\n{greedy}\
             [[voice]]\nname = \"call\"\nue = \"caller\"\npayload = \"40 B\"\nport = 5060\n{voice}"
        ),
        1,
    )
}

const REQUESTS: &str = "";
const CONFIGURED: &str = "configured_grant = { period = 40, size = \"64 B\" }\n";

/// TS 23.501 Table 5.7.4-1: 5QI 1 has 100 ms, of which 20 are the core's, and a loss of one packet
/// in a hundred at most. A tenth of all transmissions fails.
#[test]
fn hundred_calls_keep_their_delay_budget() {
    for access in [REQUESTS, CONFIGURED] {
        for direction in ["up", "down"] {
            let voice = format!(
                "direction = \"{direction}\"\ninterval = \"20 ms\"\ncount = 200\nstart = \"0.5 s\"\n"
            );
            let cell = format!("bler = [0.1, 0.1, 0.1, 0.1]\n{access}");
            let outcome = calls(100, &voice, &cell);
            let latencies = values(&outcome, "datagrams", "latency_ms");
            assert_eq!(latencies.len(), 20_000);
            let lost = latencies.iter().filter(|latency| latency.is_none()).count();
            assert!(lost < 200, "{access}{direction}: {lost} of 20000 lost");
            let late = latencies.iter().flatten().filter(|&&latency| latency > 80.0).count();
            assert!(late + lost < 200, "{access}{direction}: {late} of 20000 late");
        }
    }
}

/// Mean latency in ms of a lone call in the uplink without errors.
fn lone_call(interval: &str, start: &str, access: &str) -> (f64, f64) {
    let voice = format!(
        "direction = \"up\"\ninterval = \"{interval}\"\ncount = 500\nstart = \"{start}\"\n"
    );
    let cell = format!("phase = \"0 s\"\nbler = \"none\"\n{access}");
    let outcome = calls(1, &voice, &cell);
    let latencies: Vec<f64> =
        values(&outcome, "datagrams", "latency_ms").into_iter().flatten().collect();
    assert_eq!(latencies.len(), 500);
    let grants = values(&outcome, "uplinks", "grants").into_iter().flatten().sum();
    (mean(&latencies), grants)
}

/// Half a period of 20 ms to the occasion, and the chain behind it: 16.3 ms with requests, 11.7 ms
/// with configured grants, and 3.0 ms at most if the grant's offset is that of the call.
#[test]
fn call_waits_half_a_period_for_its_occasion() {
    // All phases of 20 ms are equally frequent, and no packet finds the request of the one before.
    let any = "61.854102 ms";
    let (requests, _) = lone_call(any, "0.5 s", REQUESTS);
    close(requests, 16.3, 0.03, "requests");
    let (granted, grants) = lone_call(any, "0.5 s", CONFIGURED);
    close(granted, 11.7, 0.03, "configured grants");
    assert!(grants.abs() < 1e-9, "{grants} grants by the control channel");
    // The first UE has the first uplink slot, 2 ms after the pattern begins.
    let (chosen, _) = lone_call("20 ms", "501.5 ms", CONFIGURED);
    assert!(chosen <= 3.0, "{chosen}");
}

/// A download whose blocks are lost once in a thousand times: the longest wait of a packet in a
/// cause, in ms, packets that the radio lost, and duplicate acknowledgements.
fn with_losses(keys: &str, cause: &str) -> (f64, f64, f64) {
    let outcome = run(
        &format!(
            "duration = \"10 s\"\n[radio.nr]\nbler = [0.001]\nharq_transmissions = 1\n{STEADY}{keys}\
             configured_grant = {{ period = 5, size = \"1500 B\" }}\n\
             [[link]]\nname = \"core\"\ndelay = \"10 ms\"\nrate = \"20 Mbit/s\"\n\
             [[bulk]]\nname = \"b\"\ndirection = \"down\"\n[record]\npackets = true\n"
        ),
        1,
    );
    let down: Vec<bool> =
        texts(&outcome, "packets", "direction").iter().map(|way| *way == "down").collect();
    let causes = texts(&outcome, "packets", "cause");
    let times = values(&outcome, "packets", "time_ms");
    let waits =
        down.iter().zip(&causes).zip(&times).filter(|((down, own), _)| **down && **own == cause);
    let longest = waits.filter_map(|(_, time)| *time).fold(0.0, f64::max);
    let hops = texts(&outcome, "drops", "cause");
    let packets = values(&outcome, "drops", "packets");
    let lost = hops.iter().zip(&packets).filter(|(cause, _)| **cause == "loss");
    let lost = lost.filter_map(|(_, packets)| *packets).sum();
    let duplicates = values(&outcome, "connections", "duplicate_acks").into_iter().flatten().sum();
    (longest, lost, duplicates)
}

/// TS 38.323 §5.2.2: packets behind a loss wait for `t-Reordering` and no longer. With a timer of
/// zero they are delivered at once, and the receiver answers with duplicates.
#[test]
fn packets_behind_a_loss_await_t_reordering_exactly() {
    for timer in [0.0, 50.0, 100.0] {
        let keys = format!("rlc = \"um\"\nrlc_sn_length = 12\nt_reordering = \"{timer} ms\"\n");
        let (longest, lost, duplicates) = with_losses(&keys, "pdcp reordering");
        assert!((longest - timer).abs() < 1e-6, "{timer} ms: {longest}");
        assert!(lost > 0.0, "{timer} ms: nothing was lost");
        assert!(duplicates > 0.0, "{timer} ms: no duplicates");
    }
}

/// In acknowledged mode nothing is lost, and a loss of HARQ is a stall: `t-Reassembly` of 35 ms,
/// STATUS in the uplink, and the retransmission, 45 ms together.
#[test]
fn harq_loss_is_a_stall_in_acknowledged_mode() {
    let (longest, lost, duplicates) = with_losses("t_reordering = \"220 ms\"\n", "pdcp reordering");
    close(longest, 45.0, 0.2, "the longest stall");
    assert!(lost.abs() < 1e-9 && duplicates.abs() < 1e-9, "{lost} lost, {duplicates} duplicates");
}
