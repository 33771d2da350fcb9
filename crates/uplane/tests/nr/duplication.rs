//! PDCP duplication over two carriers of an NR cell, against closed forms.

use crate::runs::{numbers, values};
use crate::serving_cells::latencies;
use crate::uplink_carriers::{FDD, FLAWLESS, any, cell, draw, drawn_carriers, with_uplink};
use uplane::scenario::Outcome;

/// Calls to a UE over two like carriers with these keys.
fn calls(keys: &str, duplication: bool, interval: &str, count: u32) -> Outcome {
    let text = format!(
        "duration = \"100000 s\"\n\
         [radio.nr]\nduplex = \"FDD\"\nbandwidth_mhz = 20\nmcs = 10\nrlc = \"um\"\nrlc_sn_length = 12\n\
         t_reordering = \"20 ms\"\n\
         feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }}\n\
         {keys}\n[[radio.nr.secondary_carrier]]\nbandwidth_mhz = 20\n\
         [[radio.nr.bearer]]\nname = \"b\"\nduplication = {duplication}\n\
         [[voice]]\nname = \"v\"\npayload = \"40 B\"\ndirection = \"down\"\n\
         interval = \"{interval}\"\ncount = {count}\n"
    );
    crate::runs::run(&text, 1)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// If one transmission in ten fails and none is repeated, one packet in ten is lost, and with two
/// copies one in a hundred; each packet then costs two blocks.
#[test]
fn loss_of_two_copies_is_the_square() {
    let once = "bler = [0.1]\nharq_transmissions = 1";
    for (duplication, loss, blocks) in
        [(false, 0.1, [20_000.0, 0.0]), (true, 0.01, [20_000.0, 20_000.0])]
    {
        let outcome = calls(once, duplication, "1 ms", 20_000);
        let latencies = values(&outcome, "datagrams", "latency_ms");
        assert_eq!(latencies.len(), 20_000);
        let lost = latencies.iter().filter(|latency| latency.is_none()).count() as f64;
        // Binomial: four standard deviations.
        let spread = 4.0 * (loss * (1.0 - loss) / 20_000.0_f64).sqrt();
        assert!((lost / 20_000.0 - loss).abs() < spread, "{lost} lost, {duplication}");
        assert!((numbers(&outcome, "drops", "packets").iter().sum::<f64>() - lost).abs() < 0.5);
        assert_eq!(numbers(&outcome, "carriers", "blocks"), blocks);
    }
}

/// A packet waits for a round trip of HARQ, 2 ms, only where both copies fail.
#[test]
fn the_first_copy_wins() {
    let latency = |bler: &str, duplication| {
        mean(&numbers(&calls(bler, duplication, "101.0137 ms", 2500), "datagrams", "latency_ms"))
    };
    let clean = latency("bler = \"none\"", true);
    assert!((clean - latency("bler = \"none\"", false)).abs() < 1e-9);
    for (duplication, again) in [(false, 0.5), (true, 0.25)] {
        let more = latency("bler = [0.5, 0]", duplication) - clean;
        let spread = 4.0 * 2.0 * (again * (1.0 - again) / 2500.0_f64).sqrt();
        assert!((more - 2.0 * again).abs() < spread, "{more} ms, {duplication}");
    }
}

/// Copies overtake each other and packets before them: each is delivered once, in order.
#[test]
fn each_packet_is_delivered_once_in_order() {
    for bler in ["[0.4, 0.1, 0]", "[0.6, 0.6, 0.6, 0]", "[0.3, 0]"] {
        for phase in ["0 s", "0.2 ms"] {
            let keys = format!("bler = {bler}\nphase = \"{phase}\"");
            let outcome = calls(&keys, true, "0.3 ms", 3000);
            let latencies = numbers(&outcome, "datagrams", "latency_ms");
            assert_eq!(latencies.len(), 3000, "{keys}");
            for pair in latencies.windows(2) {
                assert!(pair[1] + 0.3 >= pair[0] - 1e-9, "{pair:?}: {keys}");
            }
        }
    }
}

/// Traffic in one direction over a carrier and another one like it, with these keys.
fn one_way(direction: &str, keys: &str, carrier: &str, bearer: &str, voice: &str) -> Outcome {
    let radio = cell(&format!("{FDD}sr_period = 1\n{keys}"), &[carrier]);
    let bearer = format!("[[radio.nr.bearer]]\nname = \"b\"\n{bearer}\n");
    let voice = format!("[[voice]]\nname = \"v\"\ndirection = \"{direction}\"\n{voice}\n");
    crate::runs::run(&format!("duration = \"100000 s\"\n{radio}{bearer}{voice}"), 1)
}

/// The key that duplicates a direction.
fn twice(direction: &str) -> &'static str {
    if direction == "up" { "uplink_duplication = true" } else { "duplication = true" }
}

const LONE: &str = "payload = \"40 B\"\ninterval = \"1001.0137 ms\"\ncount = 2500";

/// In acknowledged mode a packet waits for a retransmission of RLC only where both copies fail.
#[test]
fn acknowledged_mode_retransmits_if_both_copies_fail() {
    let keys = "mcs = 10\nuplink_mcs = 10\nbler = [0.3]\nharq_transmissions = 1\n";
    for (bearer, again) in [("", 0.3), ("duplication = true", 0.09)] {
        let outcome = one_way("down", keys, FDD, bearer, LONE);
        let latencies = numbers(&outcome, "datagrams", "latency_ms");
        assert_eq!(latencies.len(), 2500, "nothing is lost");
        // Without errors a packet takes less than 4 ms; a retransmission waits for a report.
        let late = latencies.iter().filter(|&&latency| latency > 5.0).count() as f64 / 2500.0;
        let spread = 4.0 * (again * (1.0 - again) / 2500.0_f64).sqrt();
        assert!((late - again).abs() < spread, "{late}, {bearer}");
    }
}

/// A carrier that never carries anything costs the copies of the other one nothing, and does not
/// fail the radio link.
#[test]
fn a_dead_carrier_hides_behind_the_other_one() {
    let keys = format!("{FLAWLESS}harq_transmissions = 1\n");
    let dead = format!("{FDD}bler = [1]\n");
    let voice = LONE.replace("2500", "60");
    let outcome = one_way("down", &keys, &dead, "duplication = true", &voice);
    let clean = one_way("down", &keys, FDD, "", &voice);
    let latencies = |outcome: &Outcome| numbers(outcome, "datagrams", "latency_ms");
    assert_eq!(latencies(&outcome).len(), 60);
    assert_eq!(latencies(&outcome), latencies(&clean));
    let counted = numbers(&outcome, "carriers", "blocks");
    assert!(counted[1] > 10.0 * counted[0], "it is tried again and again: {counted:?}");
}

/// In unacknowledged mode each copy of the uplink goes once, by its own carrier: one in ten is
/// lost, and of packets one in a hundred.
#[test]
fn uplink_loss_of_two_copies_is_the_square() {
    let keys = "mcs = 10\nuplink_mcs = 10\nbler = [0.1]\nharq_transmissions = 1\nrlc = \"um\"\n\
                rlc_sn_length = 12\nt_reordering = \"200 ms\"\nretx_bsr_timer = \"10 ms\"\n";
    let voice = "payload = \"40 B\"\ninterval = \"20.0137 ms\"\ncount = 20000";
    for (bearer, loss) in [("", 0.1), (twice("up"), 0.01)] {
        let outcome = one_way("up", keys, &with_uplink(FDD), bearer, voice);
        let latencies = values(&outcome, "datagrams", "latency_ms");
        let lost = latencies.iter().filter(|latency| latency.is_none()).count() as f64;
        let spread = 4.0 * (loss * (1.0 - loss) / 20_000.0_f64).sqrt();
        assert!((lost / 20_000.0 - loss).abs() < spread, "{lost} lost, {bearer}");
        assert!((numbers(&outcome, "drops", "packets").iter().sum::<f64>() - lost).abs() < 0.5);
    }
}

/// A second copy is unknown to the base station if the block with the first copy and the report was
/// lost. It is reported when `retxBSR-Timer` expires, not with the next packet a second later. A
/// try takes about 16 ms, of which three in ten fail.
#[test]
fn a_second_copy_asks_for_itself() {
    let keys = "mcs = 10\nuplink_mcs = 10\nbler = [0.3]\nharq_transmissions = 1\nrlc = \"um\"\n\
                rlc_sn_length = 12\nt_reordering = \"1 ms\"\nretx_bsr_timer = \"10 ms\"\n";
    let voice = LONE.replace("2500", "500");
    let outcome = one_way("up", keys, &with_uplink(FDD), twice("up"), &voice);
    let latencies = numbers(&outcome, "datagrams", "latency_ms");
    assert!(latencies.len() > 400 && latencies.iter().all(|&latency| latency < 400.0));
    assert!(latencies.iter().filter(|&&latency| latency > 10.0).count() > 50);
}

/// Each carrier carries each packet once: 40 bytes with 28 of UDP and IP, three of PDCP and one of
/// RLC. The first carrier answers the request, and its block reports the other copy.
#[test]
fn copies_of_the_uplink_never_share_a_carrier() {
    let keys = format!("{FLAWLESS}rlc = \"um\"\nrlc_sn_length = 12\n");
    // The second datagram of the downlink keeps the run going.
    let later = "[[voice]]\nname = \"later\"\ndirection = \"down\"\npayload = \"40 B\"\n\
                 interval = \"301 s\"\ncount = 2";
    let voice = format!("{}\n{later}", LONE.replace("2500", "300"));
    let up = with_uplink(FDD);
    let outcome = one_way("up", &keys, &up, twice("up"), &voice);
    let clean = one_way("up", &keys, &up, "", &voice);
    let latencies = |outcome: &Outcome| numbers(outcome, "datagrams", "latency_ms");
    assert_eq!(latencies(&outcome), latencies(&clean));
    let bytes = 300.0 * f64::from(40 + 28 + 3 + 1);
    assert_eq!(numbers(&outcome, "carriers", "up_sdu_bytes"), [bytes, bytes]);
    assert_eq!(numbers(&outcome, "carriers", "up_blocks"), [300.0, 300.0]);
}

/// TS 38.323 §5.11.2: a slow carrier is not behind for long, since packets delivered by the other
/// one are discarded there: a quarter of a second after the last packet it is silent. In
/// unacknowledged mode it sends all its queue.
#[test]
fn slow_carrier_does_not_send_delivered_packets() {
    let slow = "bandwidth_mhz = 5\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nmcs = 0\n\
                uplink = { mcs = 0 }\n";
    let voice =
        "[[voice]]\nname = \"v\"\npayload = \"1000 B\"\ninterval = \"1 ms\"\ncount = 1000\n";
    // The second datagram, in the other direction, keeps the run going.
    let later =
        "[[voice]]\nname = \"later\"\npayload = \"40 B\"\ninterval = \"2900 ms\"\ncount = 2\n";
    for (direction, other) in [("down", "up"), ("up", "down")] {
        let blocks = |rlc: &str, until: &str| {
            let radio = cell(&format!("{FLAWLESS}{FDD}sr_period = 1\n{rlc}\n"), &[slow]);
            let bearer = format!("[[radio.nr.bearer]]\nname = \"b\"\n{}\n", twice(direction));
            let text = format!(
                "duration = \"{until}\"\n{radio}{bearer}{voice}direction = \"{direction}\"\n{later}direction = \"{other}\"\n"
            );
            let outcome = crate::runs::run(&text, 1);
            assert_eq!(latencies(&outcome, "v").iter().flatten().count(), 1000);
            let column = if direction == "up" { "up_blocks" } else { "blocks" };
            numbers(&outcome, "carriers", column)[1]
        };
        let (soon, late) = (blocks("rlc = \"am\"", "1250 ms"), blocks("rlc = \"am\"", "3 s"));
        assert!(soon > 500.0, "{direction}: the slow carrier is busy: {soon}");
        assert!((late - soon).abs() < 0.5, "{direction}: {soon} and {late}");
        let um = "rlc = \"um\"\nrlc_sn_length = 12";
        assert!(blocks(um, "3 s") > blocks(um, "1250 ms") + 500.0, "{direction}");
    }
}

/// Whatever the carriers, their errors, the mode and the directions: each packet of acknowledged
/// mode is delivered once, in order; of unacknowledged mode, too, if HARQ loses nothing.
#[test]
fn drawn_duplicates_go_up_once_and_in_order() {
    let mut state = 2027;
    for number in 0..60 {
        let (first, others) = drawn_carriers(&mut state);
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let directions = [
            "duplication = true",
            "uplink_duplication = true",
            "duplication = true\nuplink_duplication = true",
        ];
        let bearer = any(&mut state, &directions);
        let acknowledged = draw(&mut state, 3) > 0;
        let (rlc, blers): (_, &[&str]) = if acknowledged {
            ("rlc = \"am\"", &["\"none\"", "[0.4, 0.1, 0]", "[0.3, 0.3]"])
        } else {
            ("rlc = \"um\"\nrlc_sn_length = 12", &["\"none\"", "[0.4, 0.1, 0]", "[0.3, 0]"])
        };
        let bler = any(&mut state, blers);
        let more = any(
            &mut state,
            &[
                "",
                "configured_grant = { size = \"64 B\", period = 20 }",
                "rach = {}",
                "rach = {}\nrrc = { inactivity = \"60 ms\" }",
            ],
        );
        let keys = format!(
            "{first}bler = {bler}\nmcs = 9\nuplink_mcs = 9\nsr_period = 20\nt_reordering = \"500 ms\"\n{rlc}\n{more}\n"
        );
        let bearers = format!("[[radio.nr.bearer]]\nname = \"b\"\n{bearer}\n");
        let apps = ["up", "down"].map(|way| {
            format!(
                "[[voice]]\nname = \"{way}\"\ndirection = \"{way}\"\npayload = \"300 B\"\n\
                     interval = \"2.3 ms\"\ncount = 150\n"
            )
        });
        let text =
            format!("duration = \"12 s\"\n{}{bearers}{}", cell(&keys, &others), apps.concat());
        let outcome = crate::runs::run(&text, number);
        for way in ["up", "down"] {
            let latencies: Vec<f64> = latencies(&outcome, way).into_iter().flatten().collect();
            assert_eq!(latencies.len(), 150, "{way} of {text}");
            for pair in latencies.windows(2) {
                assert!(pair[1] + 2.3 >= pair[0] - 1e-9, "{pair:?}: {text}");
            }
        }
    }
}
