//! Dual connectivity with LTE and NR cells, against the cells alone and against closed forms.
//!
//! All expectations follow from a cell alone: a leg is that cell, and X2 is a constant time.

use crate::runs::{numbers, table, values};
use uplane::record::Data;
use uplane::scenario::Outcome;

/// An LTE cell in which nothing fails and nothing is drawn, with these keys.
fn lte(keys: &str) -> String {
    format!(
        "[radio.lte]\nprofile = \"system_level\"\nbandwidth = \"10 MHz\"\nmcs = 20\nuplink_mcs = 15\n\
         bler = \"none\"\nphase = \"0 s\"\ncontrol_symbols = 2\n\
         feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }}\n\
         {keys}\n"
    )
}

/// An NR cell in which nothing fails and nothing is drawn, with these keys.
fn nr(keys: &str) -> String {
    let usual = [("duplex", "\"FDD\""), ("bler", "\"none\"")];
    let usual = usual.iter().filter(|(key, _)| !keys.contains(key));
    let usual: Vec<String> = usual.map(|(key, value)| format!("{key} = {value}")).collect();
    format!(
        "[radio.nr]\nbandwidth_mhz = 20\nsubcarrier_spacing_khz = 30\nlayers = 1\nmcs = 15\n\
         uplink_mcs = 10\nphase = \"0 s\"\n\
         feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }}\n\
         {}\n{keys}\n",
        usual.join("\n")
    )
}

/// Both, with these keys of dual connectivity.
fn both(lte_keys: &str, nr_keys: &str, keys: &str) -> String {
    format!("{}{}[radio.en_dc]\n{keys}\n", lte(lte_keys), nr(nr_keys))
}

/// Datagrams in one direction over a radio.
fn calls(radio: &str, direction: &str, payload: u32, interval: &str, count: u32) -> Outcome {
    let text = format!(
        "duration = \"100000 s\"\n{radio}[record]\npackets = true\n\
         [[voice]]\nname = \"v\"\ndirection = \"{direction}\"\n\
         payload = \"{payload} B\"\ninterval = \"{interval}\"\ncount = {count}\n"
    );
    crate::runs::run(&text, 1)
}

fn latencies(outcome: &Outcome) -> Vec<f64> {
    numbers(outcome, "datagrams", "latency_ms")
}

/// The rows of a text column.
fn texts<'a>(outcome: &'a Outcome, name: &str, column: &str) -> Vec<&'a str> {
    match table(outcome, name).column(column).expect("a column") {
        Data::Text(values) => values.iter().collect(),
        Data::F64(_) | Data::U64(_) => panic!("{column} is a number"),
    }
}

/// A column of the table `legs` of a lone UE: of the LTE leg and of the NR leg.
fn legs(outcome: &Outcome, direction: &str, column: &str) -> [f64; 2] {
    let found = texts(outcome, "legs", "direction").into_iter().zip(texts(outcome, "legs", "leg"));
    let rows: Vec<f64> = found
        .zip(numbers(outcome, "legs", column))
        .filter(|&((way, _), _)| way == direction)
        .map(|(_, value)| value)
        .collect();
    assert_eq!(&texts(outcome, "legs", "leg")[..2], ["lte", "nr"]);
    rows.try_into().expect("two legs")
}

fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} ms, expected {expected}: {what}");
    }
}

fn shifted(times: &[f64], by: f64) -> Vec<f64> {
    times.iter().map(|time| time + by).collect()
}

const APART: &str = "101.0137 ms";

/// The leg of the node with PDCP equals its cell alone; over the other leg everything takes longer
/// by X2, which here is a whole number of slots of both cells (TS 37.340 §4.2.2).
#[test]
fn lone_packet_takes_the_cells_latency_and_x2() {
    for (lte_keys, nr_keys) in [("", ""), ("", "rlc = \"um\"\nrlc_sn_length = 12")] {
        let acknowledged = nr_keys.is_empty();
        let mode = if acknowledged { "rlc = \"am\"" } else { "" };
        let lte_alone = lte(&format!("{lte_keys}\n[[radio.lte.bearer]]\nname = \"b\"\n{mode}"));
        for direction in ["down", "up"] {
            let alone = |radio: &str| {
                let outcome = calls(radio, direction, 40, APART, 200);
                (latencies(&outcome), sdu_bytes(&outcome))
            };
            let ((lte_alone, lte_bytes), (nr_alone, nr_bytes)) =
                (alone(&lte_alone), alone(&nr(nr_keys)));
            // NR's PDCP has a header of 3 B, LTE's has one of 2 B.
            let lte_bytes = lte_bytes + 200.0;
            for (bearer, terminated, expected, bytes) in [
                ("scg", "sn", nr_alone.clone(), nr_bytes),
                ("mcg", "sn", shifted(&lte_alone, 3.0), lte_bytes),
                ("scg", "mn", shifted(&nr_alone, 3.0), nr_bytes),
                ("mcg", "mn", lte_alone, lte_bytes),
            ] {
                let keys = format!(
                    "bearer = \"{bearer}\"\nterminated = \"{terminated}\"\nx2_delay = \"3 ms\""
                );
                let radio = both(lte_keys, nr_keys, &keys);
                let outcome = calls(&radio, direction, 40, APART, 200);
                let what = format!("{direction} {keys} {nr_keys}");
                assert_near(&latencies(&outcome), &expected, &what);
                // If the run ends later a STATUS PDU of the last packet is sent too.
                let more = sdu_bytes(&outcome) - bytes;
                assert!(
                    (0.0..=if acknowledged { 3.0 } else { 0.0 }).contains(&more),
                    "{more} B: {what}"
                );
                let crosses = (bearer == "mcg") == (terminated == "sn");
                let x2 = charged(&outcome, "propagation");
                assert_near(&[x2], &[if crosses { 3.0 } else { 0.0 }], &what);
            }
        }
    }
}

/// A UE has occasions for scheduling requests in both cells; its row counts them all.
#[test]
fn occasions_of_both_legs_are_counted() {
    let occasions = |radio: &str| {
        let text = format!(
            "duration = \"1 s\"\n{radio}[[voice]]\nname = \"v\"\ndirection = \"up\"\n\
             interval = \"20 ms\"\ncount = 1000\n"
        );
        numbers(&crate::runs::run(&text, 1), "uplinks", "sr_occasions")
    };
    let (lte_alone, nr_alone) = (occasions(&lte("")), occasions(&nr("")));
    assert!(lte_alone[0] > 0.0 && nr_alone[0] > 0.0);
    let sum = lte_alone[0] + nr_alone[0];
    assert_near(&occasions(&both("", "", "")), &[sum], "occasions");
}

/// The row of a UE states the share of acknowledgements in its uplink over both cells: nearly all
/// for a download, whichever leg carries it.
#[test]
fn share_of_acknowledgements_counts_both_legs() {
    for bearer in ["mcg", "scg"] {
        let radio = both("", "", &format!("bearer = \"{bearer}\""));
        let text =
            format!("duration = \"60 s\"\n{radio}[[download]]\nname = \"file\"\nfile = \"2 MB\"\n");
        let outcome = crate::runs::run(&text, 1);
        let [bytes, acks, share] =
            ["bytes", "ack_bytes", "ack_share"].map(|column| numbers(&outcome, "uplinks", column));
        assert!(acks[0] > 0.9 * bytes[0], "{acks:?} of {bytes:?} bytes");
        assert_near(&share, &[acks[0] / bytes[0]], bearer);
    }
}

/// Bytes of all RLC PDUs in new blocks.
fn sdu_bytes(outcome: &Outcome) -> f64 {
    numbers(outcome, "blocks", "sdu_bytes").iter().sum()
}

/// The mean time of a cause in ms.
fn charged(outcome: &Outcome, cause: &str) -> f64 {
    let causes = texts(outcome, "anatomy", "cause").into_iter();
    let found = causes.zip(numbers(outcome, "anatomy", "mean_ms")).find(|&(name, _)| name == cause);
    found.map_or(0.0, |(_, mean)| mean)
}

/// Payload that arrived from 1 s to 4 s, in Mbit/s, of datagrams each 50 us.
fn rate_mbps(outcome: &Outcome) -> f64 {
    let sent = numbers(outcome, "datagrams", "sent_s");
    let latencies = values(outcome, "datagrams", "latency_ms");
    let came = sent.iter().zip(latencies).filter_map(|(sent, ms)| Some(sent + ms? / 1e3));
    came.filter(|came| (1.0..4.0).contains(came)).count() as f64 * 1400.0 * 8.0 / 3e6
}

/// With full queues a split bearer has the rates of both cells, in order, and without duplicates.
#[test]
fn full_queues_have_the_sum_of_the_rates() {
    let offered = |radio: &str, direction| calls(radio, direction, 1400, "50 us", 80_000);
    let um = "rlc = \"um\"\nrlc_sn_length = 12";
    for (nr_keys, x2) in [("", 2), (um, 1), ("duplex = \"europe\"", 5)] {
        for direction in ["down", "up"] {
            let radio = |keys: &str| both("", nr_keys, &format!("{keys}\nx2_delay = \"{x2} ms\""));
            let alone = |bearer: &str| {
                rate_mbps(&offered(&radio(&format!("bearer = \"{bearer}\"")), direction))
            };
            let sum = alone("mcg") + alone("scg");
            let outcome = offered(&radio("ul_data_split_threshold = \"0 B\""), direction);
            let split = rate_mbps(&outcome);
            let what = format!("{direction}, {nr_keys}, X2 {x2} ms");
            assert!((split / sum - 1.0).abs() < 0.02, "{split} of {sum} Mbit/s: {what}");
            let sent = numbers(&outcome, "datagrams", "sent_s");
            let arrived: Vec<f64> = sent
                .iter()
                .zip(latencies(&outcome))
                .map(|(sent, latency)| sent + latency / 1e3)
                .collect();
            assert_eq!(arrived.len(), 80_000, "{what}");
            assert!(arrived.windows(2).all(|pair| pair[1] > pair[0] - 1e-9), "{what}");
            let [lte, nr] = legs(&outcome, direction, "first");
            assert!((lte + nr - 80_000.0).abs() < 0.5, "{lte} and {nr}: {what}");
        }
    }
}

/// Ten packets at once: three for each leg, which have no rate yet (4500 B), and the rest for the
/// faster one. With an X2 delay for which `t-Reordering` expires, packets behind the gap wait for
/// exactly that time, and those of the gap, which arrive after it, are dropped (TS 38.323 §5.2.2.2,
/// §5.2.2.1).
#[test]
fn skew_beyond_t_reordering_drops_late_packets() {
    let keys = "x2_delay = \"60 ms\"\ndesired_buffer = \"200 ms\"";
    let burst = |timer: u32| {
        let radio = both("", &format!("t_reordering = \"{timer} ms\""), keys);
        calls(&radio, "down", 1472, "1 us", 10)
    };
    let outcome = burst(20);
    assert_near(&legs(&outcome, "down", "packets"), &[3.0, 7.0], "packets");
    assert_near(&legs(&outcome, "down", "first"), &[3.0, 7.0], "first");
    assert_near(&legs(&outcome, "down", "late"), &[3.0, 0.0], "late");
    let causes = texts(&outcome, "packets", "cause").into_iter();
    let waits: Vec<f64> = causes
        .zip(numbers(&outcome, "packets", "time_ms"))
        .filter(|&(cause, _)| cause == "pdcp reordering")
        .map(|(_, wait)| wait)
        .collect();
    assert_eq!(waits.len(), 4, "the packets behind the gap: {waits:?}");
    assert_near(&[waits.iter().copied().fold(0.0, f64::max)], &[20.0], "t-Reordering");
    let all = by_number(&outcome);
    let late: Vec<usize> = (0..10).filter(|&number| all[number].is_none()).collect();
    assert_eq!(late, [3, 4, 5]);
    let last: Vec<f64> = (6..10).map(|it| all[it].expect("it came") + it as f64 / 1e3).collect();
    assert_near(&last, &[last[0]; 4], "what was behind the gap comes at once");

    let outcome = burst(200);
    assert_near(&legs(&outcome, "down", "late"), &[0.0, 0.0], "late");
    assert_eq!(latencies(&outcome).len(), 10);
    let all: Vec<f64> = by_number(&outcome).into_iter().flatten().collect();
    assert!(all[6] > all[5] - 0.01 && all[5] > 60.0, "they wait for those over X2: {all:?}");
}

/// A run may end while PDUs wait in PDCP for earlier ones, and others cross X2: of the ten packets
/// of that burst three have been delivered after 40 ms, those before the gap, and seven are counted
/// as held.
#[test]
fn packets_behind_a_gap_at_the_end_count() {
    let keys = "x2_delay = \"60 ms\"\ndesired_buffer = \"200 ms\"";
    let radio = both("", "t_reordering = \"200 ms\"", keys);
    let text = format!(
        "duration = \"40 ms\"\n{radio}[[voice]]\nname = \"v\"\ndirection = \"down\"\n\
         payload = \"1472 B\"\ninterval = \"1 us\"\ncount = 10\n"
    );
    let outcome = crate::runs::run(&text, 1);
    assert_eq!(latencies(&outcome).len(), 3);
    let held: f64 = numbers(&outcome, "hops", "packets_held").iter().sum();
    assert_near(&[held], &[7.0], "held");
}

/// Latencies in the order in which the datagrams were sent.
fn by_number(outcome: &Outcome) -> Vec<Option<f64>> {
    let numbers = numbers(outcome, "datagrams", "number").into_iter();
    let mut rows: Vec<_> = numbers.zip(values(outcome, "datagrams", "latency_ms")).collect();
    rows.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    rows.into_iter().map(|(_, latency)| latency).collect()
}

/// Two legs lose independently of each other: a packet is lost with both copies. A first grant has
/// room for a packet, so that none waits for a report that was lost, and PDCP waits for longer than
/// RLC of LTE, whose t-Reordering of 35 ms holds packets behind a loss.
#[test]
fn duplication_loses_the_product_of_leg_losses() {
    let lte_keys =
        "bler = [0.2]\nsr_grant = \"200 B\"\nharq_transmissions = 1\nuplink_harq_transmissions = 1";
    let lossy = lte(lte_keys).replace("bler = \"none\"\n", "");
    let nr_keys = "rlc = \"um\"\nrlc_sn_length = 12\nt_reordering = \"100 ms\"\n\
                   bler = [0.1]\nharq_transmissions = 1";
    let count = 20_000;
    for direction in ["down", "up"] {
        for (keys, loss) in
            [("bearer = \"scg\"", 0.1), ("bearer = \"mcg\"", 0.2), ("duplication = \"both\"", 0.02)]
        {
            let radio = format!("{lossy}{}[radio.en_dc]\n{keys}\n", nr(nr_keys));
            let outcome = calls(&radio, direction, 40, "20 ms", count);
            let lost = f64::from(count) - latencies(&outcome).len() as f64;
            // Binomial: four standard deviations.
            let spread = 4.0 * (loss * (1.0 - loss) / f64::from(count)).sqrt();
            let share = lost / f64::from(count);
            assert!((share - loss).abs() < spread, "{share}, {direction}, {keys}");
            counts_its_losses(&outcome, direction, keys, lost);
        }
    }
}

/// Each leg counts the PDUs that it has lost: a lone leg the packets that did not arrive, except
/// one that may be on its way at the run's end; with duplication each its share, within four
/// standard deviations.
fn counts_its_losses(outcome: &Outcome, direction: &str, keys: &str, lost: f64) {
    let [lte, nr] = legs(outcome, direction, "lost");
    if keys.contains("mcg") || keys.contains("scg") {
        let (own, other) = if keys.contains("mcg") { (lte, nr) } else { (nr, lte) };
        assert!(
            (own - lost).abs() < 1.5 && other < 0.5,
            "{own}, {other} of {lost}, {direction}, {keys}"
        );
        return;
    }
    let given = legs(outcome, direction, "packets");
    for ((own, given), loss) in [lte, nr].into_iter().zip(given).zip([0.2, 0.1_f64]) {
        let spread = 4.0 * (loss * (1.0 - loss) / given).sqrt();
        assert!((own / given - loss).abs() < spread, "{own} of {given}, {direction}, {keys}");
    }
}

/// In acknowledged mode nothing is lost, each packet is delivered once, and none later than over
/// the leg that is quicker for it.
#[test]
fn duplication_in_acknowledged_mode_takes_the_quicker_copy() {
    let lossy = |keys: &str| {
        let lte_keys = "bler = [0.3, 0.3, 0.3, 0]";
        let nr_keys = "bler = [0.6, 0.6, 0.6, 0]";
        let lte = lte(lte_keys).replace("bler = \"none\"\n", "");
        format!("{lte}{}[radio.en_dc]\n{keys}\n", nr(nr_keys))
    };
    for direction in ["down", "up"] {
        let of = |keys: &str| latencies(&calls(&lossy(keys), direction, 40, APART, 1000));
        let (lte, nr) = (of("bearer = \"mcg\""), of("bearer = \"scg\""));
        let quicker: Vec<f64> = lte.iter().zip(&nr).map(|(lte, nr)| lte.min(*nr)).collect();
        let outcome = calls(&lossy("duplication = \"both\""), direction, 40, APART, 1000);
        assert_near(&latencies(&outcome), &quicker, direction);
        assert_near(&legs(&outcome, direction, "packets"), &[1000.0, 1000.0], "copies");
        let duplicates: f64 = legs(&outcome, direction, "duplicates").iter().sum();
        // The run ends with the last packet, whose second copy may be on its way.
        assert!((999.0..=1000.0).contains(&duplicates), "{duplicates} second copies");
    }
}

/// TS 38.323 §5.2.1: with less data than `ul-DataSplitThreshold` only the primary path is used.
#[test]
fn an_uplink_below_the_threshold_has_one_path() {
    let of = |keys: &str, interval: &str, count| {
        let outcome = calls(&both("", "", keys), "up", 1000, interval, count);
        assert_eq!(latencies(&outcome).len(), count as usize);
        let packets = legs(&outcome, "up", "packets");
        assert_near(&legs(&outcome, "up", "bytes"), &packets.map(|count| count * 1031.0), "bytes");
        packets
    };
    for (primary, one_path) in [("nr", [0.0, 300.0]), ("lte", [300.0, 0.0])] {
        let keys = |threshold: &str| {
            format!("primary_path = \"{primary}\"\nul_data_split_threshold = \"{threshold}\"")
        };
        // PDUs of 1031 B, one at a time.
        assert_near(&of(&keys("1032 B"), APART, 300), &one_path, "below");
        // All at once, with a threshold above all of them, or none.
        assert_near(&of(&keys("400 kB"), "1 us", 300), &one_path, "below");
        assert_near(&of(&keys("infinity"), "1 us", 300), &one_path, "infinity");
        let [lte, nr] = of(&keys("100 kB"), "1 us", 300);
        assert!((lte + nr - 300.0).abs() < 0.5 && lte > 0.0 && nr > 0.0, "{lte} and {nr}");
    }
}

/// PDCP of NR waits long enough for any delay of the other leg.
const PATIENT: &str = "t_reordering = \"1 s\"";

/// A bearer over the NR leg alone equals that cell, also in its queue over time and in the
/// resources of its blocks: the LTE cell sends nothing. No sample is at the beginning of a slot.
#[test]
fn bearer_over_one_leg_equals_its_cell() {
    let um = "rlc = \"um\"\nrlc_sn_length = 12";
    for direction in ["down", "up"] {
        let of = |radio: &str| {
            let text = format!(
                "duration = \"2 s\"\n{radio}[record]\nseries = \"1.013 ms\"\n\
                 [[voice]]\nname = \"v\"\ndirection = \"{direction}\"\n\
                 payload = \"1400 B\"\ninterval = \"1 us\"\ncount = 300\n"
            );
            crate::runs::run(&text, 1)
        };
        let dual = of(&both("", um, "bearer = \"scg\"\nterminated = \"sn\""));
        let alone = of(&nr(um));
        for column in ["time_s", "queue_packets"] {
            let queue = numbers(&alone, "bearer_series", column);
            assert!(queue.len() > 20, "{}", queue.len());
            assert_near(&numbers(&dual, "bearer_series", column), &queue, column);
        }
        let wire = |outcome: &Outcome| numbers(outcome, "hops", "wire_bytes").iter().sum::<f64>();
        assert!(wire(&alone) > 300.0 * 1400.0);
        assert_near(&[wire(&dual)], &[wire(&alone)], direction);
    }
}

/// The node of the remote leg continues its reports while data waits: all of a burst has arrived
/// when both cells together can have sent it. Without reports the leg would get its desired buffer
/// only once.
#[test]
fn whole_burst_is_spread_over_both_legs() {
    let count = 8000;
    let burst = |bearer: &str| {
        let radio = both("", PATIENT, &format!("{bearer}\nx2_delay = \"2 ms\""));
        let outcome = calls(&radio, "down", 1400, "1 us", count);
        assert_eq!(latencies(&outcome).len(), count as usize);
        latencies(&outcome).into_iter().fold(0.0, f64::max)
    };
    let (lte, nr) = (burst("bearer = \"mcg\""), burst("bearer = \"scg\""));
    let split = burst("bearer = \"split\"");
    // Rates add up. Bound set in advance: 5 %.
    let together = 1.0 / (1.0 / lte + 1.0 / nr);
    assert!((split / together - 1.0).abs() < 0.05, "{split} ms, expected {together}");
}

/// X2 is a constant time, and nothing else is propagation: not the wait of a packet in PDCP before.
#[test]
fn wait_before_x2_is_no_propagation() {
    let radio = both("", PATIENT, "x2_delay = \"3 ms\"");
    let outcome = calls(&radio, "down", 1400, "100 us", 2000);
    let causes = texts(&outcome, "packets", "cause").into_iter();
    let crossed: Vec<f64> = causes
        .zip(numbers(&outcome, "packets", "time_ms"))
        .filter(|&(cause, _)| cause == "propagation")
        .map(|(_, time)| time)
        .collect();
    assert!(crossed.len() > 100, "{}", crossed.len());
    assert_near(&crossed, &vec![3.0; crossed.len()], "X2");
}

/// RFC 791 §3.2: fragments of a packet have its identification, and PDCP carries each of them over
/// any leg.
#[test]
fn pieces_of_a_packet_go_over_both_legs() {
    let radio = both("", PATIENT, "") + "[[link]]\nname = \"narrow\"\nmtu = \"576 B\"\n";
    let outcome = calls(&radio, "down", 1400, "100 us", 500);
    assert_eq!(latencies(&outcome).len(), 500);
    // 1408 bytes behind the IP header, in fragments of 552, 552 and 304.
    let packets = legs(&outcome, "down", "packets");
    assert_near(&[packets.iter().sum()], &[1500.0], "pieces");
    assert!(packets.iter().all(|&count| count > 0.0), "{packets:?}");
}
