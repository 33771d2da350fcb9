//! Compares the times of symbols with numbers computed by hand from TS 38.214 and TR 37.910.

use super::*;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::ran::nr::slot_format::Duplex;
use crate::unit::Instant;
use Capability::{One, Two};

fn format(text: &str, numerology: Numerology) -> SlotFormat {
    Duplex::read(text).and_then(|duplex| duplex.slots(numerology)).expect("a pattern")
}

fn mini(mapping: Mapping, symbols: u32) -> MiniSlots {
    MiniSlots { symbols, mapping }
}

/// Returns a base station as fast as a UE (TR 37.910 §5.7.1.1.1).
fn as_ue(numerology: Numerology, capability: Capability) -> Processing {
    let half =
        |time: Option<Duration>| Duration::from_nanos(time.expect("a capability").as_nanos() / 2);
    let transmit = half(numerology.pusch_processing(capability));
    Processing {
        transmit,
        receive: half(numerology.pdsch_processing(capability, false, 0)),
        feedback: transmit,
        request: transmit,
        least_k1: 0,
        least_k2: 0,
        capability,
        more_dmrs: false,
        answers_anywhere: false,
    }
}

fn timeline(text: &str, mu: usize, mini: MiniSlots, capability: Capability) -> Timeline {
    let numerology = Numerology::ALL[mu];
    let format = format(text, numerology);
    let grid = SymbolGrid { format: &format, numerology, control_symbols: 1, mini };
    let times = grid.times(&as_ue(numerology, capability)).expect("a UE");
    let clock = Clock::new(Instant::ZERO, numerology.slot().as_nanos(), SYMBOLS.into());
    Timeline::with_slots(&Timing::standard(), &clock.expect("a symbol"), times)
}

/// Returns the symbols of the first `slots` slots for which `holds`.
fn symbols(slots: u64, holds: impl Fn(u64) -> bool) -> Vec<u64> {
    (0..14 * slots).filter(|&symbol| holds(symbol)).collect()
}

/// TS 38.214 Tables 5.1.2.1-1, 6.1.2.1-1: `"DDDSU 10:2:2"` has 10 downlink symbols in slot 3.
#[test]
fn transmissions_begin_where_their_mapping_allows() {
    let begins = |text, mini| {
        let timeline = timeline(text, 1, mini, One);
        let down = symbols(5, |symbol| timeline.next_downlink(symbol) == symbol);
        let up = symbols(5, |symbol| timeline.next_uplink(symbol) == symbol);
        (down, up)
    };
    let (down, up) = begins("DDDSU 10:2:2", mini(Mapping::A, 7));
    assert_eq!(down, [0, 1, 2, 3, 14, 15, 16, 17, 28, 29, 30, 31, 42, 43, 44, 45]);
    assert_eq!(up, [56]);
    let (down, up) = begins("DDDSU 10:2:2", mini(Mapping::A, 14));
    assert_eq!((down, up), (vec![0, 14, 28], vec![56]));
    let (down, up) = begins("DDDSU 10:2:2", mini(Mapping::B, 4));
    assert_eq!(down.iter().filter(|&&symbol| symbol >= 42).count(), 7, "symbols 0 to 6 of the S");
    assert_eq!(up, (56..=66).collect::<Vec<u64>>());
    let (down, _) = begins("FDD", mini(Mapping::B, 2));
    assert_eq!(down[..14], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]);
}

/// TS 38.214 §5.3
#[test]
fn a_short_block_leaves_its_ue_less_time() {
    let late = |mapping, symbols, start, control, capability| {
        mini(mapping, symbols).late(start, control, capability)
    };
    assert_eq!([0, 1, 2, 3].map(|start| late(Mapping::A, 4, start, 1, One)), [4, 3, 2, 1]);
    assert_eq!([0, 1].map(|start| late(Mapping::A, 7, start, 1, Two)), [1, 0]);
    assert_eq!(late(Mapping::A, 14, 0, 1, One), 0);
    assert_eq!([2, 4, 7].map(|symbols| late(Mapping::B, symbols, 5, 1, One)), [4, 3, 0]);
    assert_eq!([2, 4, 7].map(|symbols| late(Mapping::B, symbols, 5, 1, Two)), [1, 1, 0]);
    assert_eq!(late(Mapping::B, 2, 5, 2, One), 5);
    assert_eq!([2, 3].map(|control| late(Mapping::B, 2, 5, control, Two)), [2, 3]);
}

/// Symbols from a block to its retransmission, 15 kHz. Type A, 14 symbols, capability 1: 14 to its
/// end, 8 of the UE, 1 of feedback, 5 and 5 of the base station: 33, and the next slot begins at
/// 42. Type B, 2 symbols starting at symbol 3: 2, 8 + 4, 1, 10: 25.
#[test]
fn a_retransmission_follows_processing_on_both_sides() {
    let again = |mapping, symbols, capability, from: u64| {
        let timeline = timeline("FDD", 0, mini(mapping, symbols), capability);
        timeline.feedback_known(from) - from
    };
    assert_eq!(again(Mapping::A, 14, One, 0), 42);
    assert_eq!(again(Mapping::A, 14, Two, 0), 28);
    assert_eq!([0, 1, 2, 3].map(|from| again(Mapping::A, 4, One, from)), [28, 27, 26, 25]);
    assert_eq!(again(Mapping::B, 2, One, 3), 25);
    // Symbol 27, the last of slot 1, is no start.
    assert_eq!(again(Mapping::B, 2, One, 2), 26);
    // 7, 3 and 1, then 5.
    assert_eq!(again(Mapping::B, 7, Two, 0), 16);
}

/// In TDD feedback waits for the uplink slot: from symbol 0 of `DDDSU` at 30 kHz to symbol 56, then
/// 1 symbol, and 12 of the base station: 69. The next start is that of slot 5.
#[test]
fn feedback_waits_for_an_uplink_slot() {
    let timeline = timeline("DDDSU 10:2:2", 1, mini(Mapping::B, 2), One);
    assert_eq!(timeline.feedback_known(0), 70);
    assert_eq!(timeline.feedback_known(30), 70);
    assert!(timeline.goes_in_turn());
}

/// TS 38.214 §6.4: a control symbol and 10 symbols of `N2`. A block of 4 symbols begins in symbol
/// 10 of a slot at the latest, so symbols 14 to 16 grant nothing.
#[test]
fn a_grant_is_in_time_for_its_transmission() {
    let timeline = timeline("FDD", 0, mini(Mapping::B, 4), One);
    let granted = |symbol| timeline.granted_in(symbol).collect::<Vec<u64>>();
    assert_eq!([3, 13, 14, 16, 17].map(granted), [vec![14], vec![], vec![], vec![], vec![28]]);
    assert!(!timeline.goes_in_turn());
}

/// Each start of an uplink transmission is granted exactly once, and in time.
#[test]
fn each_uplink_start_has_one_symbol_that_grants_it() {
    for (text, mu, mini) in [
        ("FDD", 3, mini(Mapping::B, 2)),
        ("DDDSU 10:2:2", 1, mini(Mapping::B, 7)),
        ("DSUUU 10:2:2", 1, mini(Mapping::B, 4)),
        ("DDDSU DDSUU 10:2:2", 2, mini(Mapping::A, 4)),
    ] {
        let timeline = timeline(text, mu, mini, One);
        let turn = timeline.slots().len() as u64;
        let mut granted: Vec<u64> =
            (0..9 * turn).flat_map(|symbol| timeline.granted_in(symbol)).collect();
        granted.sort_unstable();
        assert!(granted.windows(2).all(|pair| pair[0] < pair[1]), "{text}: granted twice");
        let starts = (6 * turn..8 * turn).filter(|&symbol| timeline.next_uplink(symbol) == symbol);
        assert!(starts.into_iter().all(|symbol| granted.binary_search(&symbol).is_ok()), "{text}");
    }
}

/// A pattern without a suitable slot has no transmissions.
#[test]
fn a_block_too_long_for_slots_has_no_times() {
    let numerology = Numerology::ALL[1];
    let format = format("SU 6:4:4", numerology);
    let mini = mini(Mapping::B, 7);
    let grid = SymbolGrid { format: &format, numerology, control_symbols: 1, mini };
    assert!(grid.times(&as_ue(numerology, One)).is_none());
}
