//! Semi-persistent scheduling of an NR cell's downlink, against closed forms that were computed
//! apart from this code.
//!
//! FDD with 15 kHz: a datagram of the downlink takes 2.79 ms on average, of which half a slot is
//! the wait for the next one (`nr_end_to_end` has the parts). A message takes two elements.

#[path = "shared/runs.rs"]
mod runs;

use runs::numbers;
use uplane::scenario::Outcome;

/// Datagrams to one UE in a cell in which nothing fails, with these keys.
fn run(cell: &str, voice: &str) -> Outcome {
    runs::run(
        &format!(
            "duration = \"1000 s\"\n[radio.nr]\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\n\
             bandwidth_mhz = 20\nmcs = 10\nrlc = \"um\"\nrlc_sn_length = 12\ndmrs_symbols = 1\n\
             feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, \
             cqi_erased = 0 }}\n{cell}\n[[voice]]\nname = \"v\"\npayload = \"40 B\"\n{voice}\n"
        ),
        1,
    )
}

const SPS: &str = "bler = \"none\"\ndownlink_sps = { period = 20, size = \"100 B\" }";
const DYNAMIC: &str = "bler = \"none\"";

fn latencies(outcome: &Outcome) -> Vec<f64> {
    numbers(outcome, "datagrams", "latency_ms")
}

fn cces(outcome: &Outcome) -> u64 {
    numbers(outcome, "control", "cces")[0] as u64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// TS 38.321 §5.8.1: one message announces all blocks, which go when they would have gone.
#[test]
fn a_call_takes_one_message_and_as_long_as_without_it() {
    let call = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let (dynamic, sps) = (run(DYNAMIC, call), run(SPS, call));
    assert_eq!(latencies(&sps), latencies(&dynamic));
    assert_eq!((cces(&dynamic), cces(&sps)), (1000, 2));
}

/// Datagrams that come at any time wait for the occasion, half a period in the place of half a
/// slot: 2.79 − 0.5 + 10 ms.
#[test]
fn data_at_any_time_wait_half_a_period() {
    let sps = run(SPS, "interval = \"33.0137 ms\"\ncount = 5000");
    let found = mean(&latencies(&sps));
    assert!((found / 12.29 - 1.0).abs() < 0.02, "{found}");
    assert_eq!(cces(&sps), 2);
}

/// After eight occasions without data it is released, and the next datagram goes at once, by a
/// message that activates it anew.
#[test]
fn after_a_pause_the_next_block_has_a_message_again() {
    let sps = run(SPS, "interval = \"201.0137 ms\"\ncount = 1000");
    let found = mean(&latencies(&sps));
    assert!((found / 2.79 - 1.0).abs() < 0.02, "{found}");
    assert_eq!(cces(&sps), 2000);
}

/// TS 38.321 §5.8.1: a block that failed is sent again by a message; each datagram fails once.
#[test]
fn retransmissions_have_messages() {
    let fails = SPS.replace("\"none\"", "[1, 0]");
    let call = "start = \"13.4 ms\"\ninterval = \"20 ms\"\ncount = 500";
    let sps = run(&fails, call);
    assert_eq!(cces(&sps), 2 + 1000);
    let alone = run("bler = [1, 0]", call);
    assert_eq!(latencies(&sps), latencies(&alone));
}

/// More than a block carries goes by messages, as without it.
#[test]
fn more_than_an_occasion_carries_does_not_wait() {
    let large = SPS.replace("100 B", "60 B");
    let call = "interval = \"33.0137 ms\"\ncount = 500";
    assert_eq!(latencies(&run(&large, call)), latencies(&run(DYNAMIC, call)));
}

/// A hundred calls whose datagrams come within 20 ms, in 10 MHz with 15 kHz and one symbol for
/// control: 8 elements, of which 80 % can be used, are three messages a slot. A block takes all that
/// waits for its UE, so that each has one in 33.3 ms, and a datagram takes 2.29 ms and half of that:
/// 18.96 ms. With SPS there is a message for each call only once: five come a slot and three are
/// activated, the last after 13.3 ms, which stays the wait of that call: 2.79 ms and 6.67 ms.
#[test]
fn a_hundred_calls_fit_a_control_channel_that_is_too_small_for_their_messages() {
    let crowd = |sps: &str| {
        runs::run(
            &format!(
                "duration = \"2 s\"\n[radio.nr]\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\n\
                 bandwidth_mhz = 10\nmcs = 20\nlayers = 2\nbler = \"none\"\ncontrol_symbols = 1\n\
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
    // Two a call, and more for those that have two datagrams before it is their turn.
    // This bound is younger than the first run, which used 386 elements and not 280 at most.
    assert!(cces(&sps) >= 200 && 10 * cces(&sps) < cces(&dynamic), "{}", cces(&sps));
}
