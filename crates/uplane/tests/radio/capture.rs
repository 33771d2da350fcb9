//! Captures of the radio (`record.radio`), against numbers worked by hand.
//!
//! The conversion of the rows into frames for Wireshark is tested with the program that writes
//! them.

use crate::runs::{numbers, run, table, values};
use std::collections::{BTreeMap, BTreeSet};
use uplane::record::Data;
use uplane::scenario::Outcome;

/// A stream of datagrams of 200 bytes to the only UE of a cell.
fn captured(cell: &str, interval: &str, count: u32) -> Outcome {
    let voice = format!(
        "[[voice]]\nname = \"v\"\npayload = \"200 B\"\ninterval = \"{interval}\"\ncount = {count}\n"
    );
    run(&format!("duration = \"10 s\"\nrecord.radio = true\n{cell}\n{voice}"), 1)
}

fn texts(outcome: &Outcome, name: &str, column: &str) -> Vec<String> {
    match table(outcome, name).column(column).expect("a column") {
        Data::Text(values) => values.iter().map(ToString::to_string).collect(),
        Data::F64(_) | Data::U64(_) => panic!("{column} is a number"),
    }
}

/// A column of the rows of which `keys` have these words.
fn of(outcome: &Outcome, name: &str, column: &str, keys: &[(&str, &str)]) -> Vec<Option<f64>> {
    let mut rows: Vec<bool> = values(outcome, name, column).iter().map(|_| true).collect();
    for (key, word) in keys {
        let own = texts(outcome, name, key);
        rows.iter_mut().zip(own).for_each(|(row, own)| *row &= own == *word);
    }
    values(outcome, name, column)
        .into_iter()
        .zip(rows)
        .filter_map(|(value, row)| row.then_some(value))
        .collect()
}

fn whole(values: Vec<Option<f64>>) -> Vec<u64> {
    values.into_iter().map(|value| value.expect("a value") as u64).collect()
}

const LTE: &str = "[radio.lte]\nbandwidth = \"20 MHz\"\nsr_period = 1\nmcs = 10\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";
const AM: &str = "[[radio.lte.bearer]]\nname = \"default\"\nrlc = \"am\"\n";
const NR: &str = "[radio.nr]\nduplex = \"FDD\"\nbandwidth_mhz = 20\nsr_period = 2\nmcs = 10\n\
    uplink_mcs = 10\nrlc = \"am\"\nrlc_sn_length = 12\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

/// A datagram of 200 bytes has 228 with UDP and IP, 230 with PDCP and 232 with RLC (TS 36.323
/// §6.2.3, TS 36.322 §6.2.1.4). Each has a PDU and a block for itself, which empties the buffer and
/// so asks for a report (TS 36.322 §5.2.2), and is sent twice, 8 TTIs apart (TS 36.213 §7).
#[test]
fn each_datagram_is_captured_with_its_numbers() {
    let outcome = captured(&format!("{LTE}bler = [1, 0]\n{AM}"), "20 ms", 50);
    let data = [("direction", "down"), ("kind", "data")];
    let pdu = |column: &str| whole(of(&outcome, "rlc_pdus", column, &data));
    let first: Vec<usize> = (pdu("retransmission").iter().enumerate())
        .filter_map(|(place, &again)| (again == 0).then_some(place))
        .collect();
    let pdus = |column: &str| first.iter().map(|&place| pdu(column)[place]).collect::<Vec<_>>();
    let numbers_from_0: Vec<u64> = (0..50).collect();
    assert_eq!(pdus("sn"), numbers_from_0);
    assert_eq!(pdus("from"), numbers_from_0.iter().map(|n| 230 * n).collect::<Vec<_>>());
    assert_eq!(pdus("to"), numbers_from_0.iter().map(|n| 230 * n + 230).collect::<Vec<_>>());
    for (column, value) in [("bytes", 232), ("header_bytes", 2), ("poll", 1), ("bearer", 0)] {
        assert_eq!(pdus(column), vec![value; 50], "{column}");
    }
    let sdu = |column: &str| whole(of(&outcome, "rlc_sdus", column, &[("direction", "down")]));
    assert_eq!((sdu("count"), sdu("from")), (numbers_from_0, pdus("from")));
    assert_eq!((sdu("bytes"), sdu("packet_bytes")), (vec![230; 50], vec![228; 50]));
    assert!(numbers(&outcome, "rlc_sdus", "fragment_offset").is_empty());

    let sent =
        |column: &str| whole(of(&outcome, "transmissions", column, &[("direction", "down")]));
    let of_block = |column: &str, block: u64| {
        let all = sent("block").into_iter().zip(sent(column));
        all.filter(|&(own, _)| own == block).map(|(_, value)| value).collect::<Vec<_>>()
    };
    let ttis: Vec<u64> =
        sent("frame").iter().zip(sent("slot")).map(|(frame, slot)| 10 * frame + slot).collect();
    let began = of(&outcome, "transmissions", "time_s", &[("direction", "down")]);
    let phase = |(tti, began): (&u64, &Option<f64>)| 1000.0 * began.expect("a time") - *tti as f64;
    let phases: Vec<f64> = ttis.iter().zip(&began).map(phase).collect();
    assert!(phases.iter().all(|phase| (phase - phases[0]).abs() < 1e-6), "{phases:?}");
    for block in pdus("block") {
        assert_eq!(of_block("transmission", block), [1, 2]);
        assert_eq!(of_block("decoded", block), [0, 1]);
        let processes = of_block("process", block);
        assert_eq!(processes[0], processes[1]);
        let places = sent("block").into_iter().zip(&ttis).filter(|&(own, _)| own == block);
        let places: Vec<u64> = places.map(|(_, &tti)| tti).collect();
        assert_eq!(places[1] - places[0], 8, "block {block}");
    }
}

/// TS 36.322 §5.2.3, TS 38.322 §5.3.4: a PDU that a STATUS PDU reports as missing was lost, and
/// nearly all lost PDUs are reported: the last ones before a report may be retransmitted by a poll.
/// Each block is sent once, and one of five is lost.
#[test]
fn pdus_captured_as_missing_were_lost() {
    for (cell, bearer) in [(LTE, AM), (NR, "")] {
        let keys = "harq_transmissions = 1\nbler = [0.2]\n";
        let outcome = captured(&format!("{cell}{keys}{bearer}"), "5 ms", 400);
        let data = [("direction", "down"), ("kind", "data")];
        let pdu = |column: &str| whole(of(&outcome, "rlc_pdus", column, &data));
        let sent =
            |column: &str| whole(of(&outcome, "transmissions", column, &[("direction", "down")]));
        let decoded: BTreeMap<u64, u64> = sent("block").into_iter().zip(sent("decoded")).collect();
        let mut lost = BTreeSet::new();
        for ((sn, block), again) in
            pdu("sn").into_iter().zip(pdu("block")).zip(pdu("retransmission"))
        {
            if again == 0 && decoded.get(&block) == Some(&0) {
                lost.insert(sn);
            }
        }
        assert!((60..100).contains(&lost.len()), "{} of 400", lost.len());
        let nacks = texts(&outcome, "rlc_pdus", "nacks");
        let missing: BTreeSet<u64> = nacks
            .iter()
            .flat_map(|nacks| nacks.split_whitespace())
            .map(|nack| nack.split(':').next().expect("a number").parse().expect("a number"))
            .collect();
        assert!(missing.is_subset(&lost), "{missing:?} of {lost:?}");
        assert!(missing.len() * 10 >= lost.len() * 8, "{} of {}", missing.len(), lost.len());
    }
}

/// A reader of the PDUs needs the length of sequence numbers: LTE has 10 bits in acknowledged mode
/// (TS 36.322 §6.2.3.3), this cell of NR has 12 (TS 38.322 §6.2.3.3).
#[test]
fn each_bearer_has_a_row_for_each_direction() {
    for (cell, generation, bits) in [(format!("{LTE}{AM}"), "lte", 10.0), (NR.into(), "nr", 12.0)] {
        let outcome = captured(&cell, "20 ms", 1);
        let column = |name| texts(&outcome, "radio_channels", name);
        assert_eq!(column("direction"), ["down", "up"], "{generation}");
        assert_eq!(column("generation"), [generation; 2]);
        assert_eq!(column("mode"), ["am"; 2], "{generation}");
        assert_eq!(numbers(&outcome, "radio_channels", "rlc_sn_bits"), [bits; 2]);
    }
}
