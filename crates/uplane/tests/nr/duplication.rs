//! PDCP duplication over two carriers of an NR cell, against closed forms.

use crate::runs::{numbers, values};
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

/// Where one transmission in ten fails and none is repeated, one packet in ten is lost, and with
/// two copies one in a hundred; each packet costs two blocks then.
#[test]
fn what_two_copies_lose_is_the_square_of_what_one_loses() {
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

/// Copies overtake each other and packets before them: each goes up once, in order.
#[test]
fn each_packet_goes_up_once_and_in_order() {
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
