//! Urgent blocks in a TDD cell, against closed forms that were written down before their first run.
//!
//! In a period of DDDSU 10:2:2, 70 symbols, blocks of a whole slot begin in symbols 0, 14 and 28,
//! and none fits into the special slot. Urgent blocks of two symbols begin in symbols 0 to 12 of
//! the three downlink slots, and 0 to 8 of the special one.

use super::{CELL, UES, WHOLE, blocks, cell_of, datagrams, latencies, mean, spent};
use crate::runs::{numbers, run};
use uplane::scenario::Outcome;

fn tdd() -> String {
    CELL.replace("\"FDD\"", "\"DDDSU 10:2:2\"")
}

/// As in FDD, an urgent datagram takes as long in a full cell as in an empty one of mini-slots of
/// two symbols, packet by packet.
///
/// The gaps between starts are 44 times 1 symbol, 3 times 2 (over the end of a slot), and 20 over
/// the uplink: half of their squares over 70 is a wait of 3.257 symbols instead of 0.571, and 0.842
/// ms become 0.938. Without pre-emption urgent blocks begin in symbol 0 of the three slots or in
/// the special one: the gaps are 3 times 14, 8 times 1 and once 20 symbols, a wait of 7.114 symbols
/// and 1.076 ms.
#[test]
fn urgent_datagrams_wait_only_for_the_downlink() {
    let of = |keys: &str, is_full| {
        let came = latencies(&cell_of(&tdd(), "3 s", keys, 8, "3.30902 ms", is_full));
        assert!(came.len() > 880, "{} of 906", came.len());
        came
    };
    let empty = of("mini_slots = { symbols = 2, mapping = \"B\", control_prbs = 36 }", false);
    assert!((mean(&empty) - 0.938).abs() < 0.003, "{}", mean(&empty));
    for preemption in ["unindicated", "indicated", "indicated_symbols"] {
        let keys = format!("{WHOLE}\nurgent = {{ preemption = \"{preemption}\" }}");
        assert_eq!(of(&keys, true), empty, "{preemption}");
    }
    let waiting = of(&format!("{WHOLE}\nurgent = {{ preemption = \"none\" }}"), true);
    assert!((mean(&waiting) - 1.076).abs() < 0.003, "{}", mean(&waiting));
}

/// Of 70 symbols in which a datagram can arrive, 36 lead to a start in symbols 1 to 12 of a
/// downlink slot, where another block is on the air. Of each block that loses two symbols 1.5 of 7
/// code blocks are retransmitted, as in FDD; of 657 blocks four standard deviations are 0.0111.
#[test]
fn special_slot_has_no_block_to_pre_empt() {
    for preemption in ["indicated", "indicated_symbols", "unindicated"] {
        let keys = format!(
            "{WHOLE}\nurgent = {{ preemption = \"{preemption}\" }}\nmax_code_block_groups = 8"
        );
        let outcome = cell_of(&tdd(), "6 s", &keys, 410, "4.69098 ms", true);
        let [urgent, lost] = blocks(&outcome, "urgent", ["blocks", "failures"]);
        assert!((1275.0..=1280.0).contains(&urgent) && lost == 0.0, "{urgent}, {lost}");
        let columns = ["preempted", "first_failures", "failures", "bytes_resent"];
        let [preempted, first, failures, bytes] = blocks(&outcome, "down", columns);
        assert!((preempted / urgent - 36.0 / 70.0).abs() < 0.01, "{preemption}: {preempted}");
        assert_eq!(numbers(&outcome, "control", "preemptions"), [preempted], "{preemption}");
        assert!((first - preempted).abs() < 1e-9, "{preemption}: {first} of {preempted} fail");
        assert!((failures - first).abs() < 1e-9, "{preemption}: {failures} fail, {first} first");
        let again = bytes / (7298.0 * preempted);
        assert!((again - 1.5 / 7.0).abs() < 0.0111, "{preemption}: {again}");
        assert!(spent(&outcome, "full") > 0.0, "{preemption}: it cost nobody anything");
    }
}

/// An uplink block of a whole slot is as large as in FDD: the pattern determines the number of
/// blocks, not the data of a resource block. A UE at 20 dB whose errors are not drawn has all
/// resource blocks.
#[test]
fn uplink_block_is_as_dense_as_in_fdd() {
    let density = |duplex: &str, length: &str| {
        let cell = CELL.replace("\"FDD\"", duplex).replace("\nuplink_mcs = 10", "");
        let cell = cell.replace("uplink_sinr_db = 40", "uplink_sinr_db = 20\nbler = \"none\"");
        let keys = format!("mini_slots = {{ {length}, control_prbs = 36 }}");
        let full = datagrams("full", "phone", 1400, "100 us", 6000).replace("down", "up");
        let outcome = run(&format!("duration = \"1 s\"\n{cell}{keys}\n{UES}{full}"), 1);
        bytes_per_prb(&outcome)
    };
    let fdd = "\"FDD\"";
    for length in ["symbols = 14, mapping = \"A\"", "symbols = 7, mapping = \"B\""] {
        let expected = density(fdd, length);
        for pattern in ["\"DDDSU 10:2:2\"", "\"DSUUU 10:2:2\"", "\"DDSU 10:2:2\""] {
            let found = density(pattern, length);
            assert!(
                (found / expected - 1.0).abs() < 1e-3,
                "{pattern} {length}: {found}, {expected}"
            );
        }
    }
}

fn bytes_per_prb(outcome: &Outcome) -> f64 {
    let columns = ["sdu_bytes", "header_bytes", "padding_bytes", "resource_units"];
    let [sdus, headers, padding, prbs] = blocks(outcome, "up", columns);
    assert!(prbs > 0.0, "nothing was sent");
    (sdus + headers + padding) / prbs
}
