//! Compares the times of slots with numbers computed independently of this code.

use super::*;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::ran::nr::slot_format::Duplex;
use crate::unit::Instant;

/// Returns a fast base station, which takes one slot for each step.
fn reference(numerology: Numerology) -> Processing {
    let slot = numerology.slot();
    Processing {
        transmit: slot,
        receive: slot,
        feedback: slot,
        request: slot,
        least_k1: 0,
        least_k2: 0,
        capability: Capability::One,
        more_dmrs: false,
        answers_anywhere: false,
    }
}

fn times(text: &str, mu: usize, change: impl FnOnce(&mut Processing)) -> Timeline {
    let numerology = Numerology::ALL[mu];
    let format = Duplex::read(text).and_then(|duplex| duplex.slots(numerology)).expect("a pattern");
    let grid = SlotGrid { format: &format, numerology, control_symbols: 1 };
    let mut processing = reference(numerology);
    change(&mut processing);
    let times = grid.times(&processing).expect("a UE");
    let clock = Clock::new(Instant::ZERO, numerology.slot().as_nanos(), 1).expect("a slot");
    Timeline::with_slots(&Timing::standard(), &clock, times)
}

fn commercial(processing: &mut Processing) {
    let Processing { transmit, receive, feedback, request, .. } = processing;
    for delay in [transmit, receive, feedback, request] {
        *delay = *delay * 2;
    }
    (processing.least_k1, processing.least_k2) = (4, 4);
}

/// Returns the number of slots from each downlink slot of a period to the retransmission.
fn downlink_round_trips(timeline: &Timeline) -> Vec<u64> {
    let slots = (0..timeline.slots().len() as u64).filter(|&n| timeline.next_downlink(n) == n);
    slots.map(|slot| timeline.feedback_known(slot) - slot).collect()
}

/// Returns the number of slots from each uplink slot of a period to the retransmission.
fn uplink_round_trips(timeline: &Timeline) -> Vec<u64> {
    let turn = timeline.slots().len() as u64;
    let mut slots: Vec<u64> = (0..turn).flat_map(|slot| timeline.granted_in(slot)).collect();
    slots.sort_unstable();
    let again = |slot| timeline.first_granted_from(timeline.report_known(slot)).expect("a slot");
    slots.into_iter().map(|slot| again(slot) - slot).collect()
}

fn mean_ms(slots: &[u64], mu: usize) -> f64 {
    let sum: u64 = slots.iter().sum();
    sum as f64 / slots.len() as f64 * Numerology::ALL[mu].slot().as_millis_f64()
}

/// Returns `k1` of each downlink slot of a pattern, without any base station.
fn k1(text: &str) -> Vec<u64> {
    let numerology = Numerology::ALL[1];
    let format = Duplex::read(text).and_then(|duplex| duplex.slots(numerology)).expect("a pattern");
    let grid = SlotGrid { format: &format, numerology, control_symbols: 1 };
    let slots = (0..format.slots().len() as u64).filter(|&slot| grid.is_downlink(slot));
    let feedback = |slot| grid.feedback(slot, &grid, &reference(numerology)).expect("capability 1");
    slots.map(|slot| feedback(slot) - slot).collect()
}

/// TS 38.214 §5.3: the values of k1 that a pattern needs.
#[test]
fn feedback_comes_in_the_next_uplink_slot() {
    assert_eq!(k1("DDDSU 10:2:2"), [4, 3, 2, 1]);
    assert_eq!(k1("DDDDDDDSUU 6:4:4"), [8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(k1("FDD"), [1]);
}

#[test]
fn downlink_round_trips_are_those_of_the_pattern() {
    let of = |text, mu| downlink_round_trips(&times(text, mu, |_| ()));
    assert_eq!(of("FDD", 0), [4]);
    assert_eq!(of("DDDSU 10:2:2", 1), [7, 6, 5, 4]);
    assert_eq!(of("DDDDDDDSUU 6:4:4", 1), [11, 10, 9, 8, 7, 6, 5, 4]);
    let rows = [("FDD", 0, 4.0), ("FDD", 1, 2.0), ("asia_americas", 1, 2.75), ("europe", 1, 3.75)];
    for (text, mu, ms) in rows {
        assert!((mean_ms(&of(text, mu), mu) - ms).abs() < 1e-9, "{text}");
    }
    assert!((mean_ms(&of("china_two_patterns", 1), 1) - 2.64).abs() < 0.005);
}

#[test]
fn uplink_round_trips_are_those_of_the_pattern() {
    let of = |text, mu| uplink_round_trips(&times(text, mu, |_| ()));
    assert_eq!(of("FDD", 0), [3]);
    assert_eq!(of("DDDSU 10:2:2", 1), [5]);
    assert_eq!(of("DDDDDDDSUU 6:4:4", 1), [10, 9]);
    let rows = [("FDD", 0, 3.0), ("FDD", 1, 1.5), ("asia_americas", 1, 2.5), ("europe", 1, 4.75)];
    for (text, mu, ms) in rows {
        assert!((mean_ms(&of(text, mu), mu) - ms).abs() < 1e-9, "{text}");
    }
}

/// Two slots of processing, and `k1` of at least 4.
#[test]
fn a_slow_base_station_costs_whole_turns_of_the_pattern() {
    // FDD: feedback in slot 4, decoded in 7, retransmission in 9.
    assert_eq!(downlink_round_trips(&times("FDD", 0, commercial)), [9]);
    // DDDSU: feedback for slot 0 is in slot 4, decoded in 7, and 9 is an uplink slot: 10. The
    // others have their feedback in slot 9, and are retransmitted in 15.
    assert_eq!(downlink_round_trips(&times("DDDSU 10:2:2", 1, commercial)), [10, 14, 13, 12]);
    let quick = |processing: &mut Processing| {
        commercial(processing);
        processing.least_k1 = 0;
    };
    let mean = |text, mu| mean_ms(&downlink_round_trips(&times(text, mu, quick)), mu);
    for (text, mu, ms) in [("FDD", 0, 6.0), ("asia_americas", 1, 4.25), ("europe", 1, 4.75)] {
        assert!((mean(text, mu) - ms).abs() < 1e-9, "{text}: {} ms", mean(text, mu));
    }
}

/// Each uplink slot is granted exactly once, in time, and by the last possible slot.
#[test]
fn each_uplink_slot_has_one_slot_that_grants_it() {
    for (text, mu) in
        [("FDD", 3), ("DDDSU 10:2:2", 1), ("DSUUU 10:2:2", 1), ("DDDSUUDDDD 6:4:4", 1)]
    {
        let timeline = times(text, mu, |_| ());
        let turn = timeline.slots().len() as u64;
        let numerology = Numerology::ALL[mu];
        let format =
            Duplex::read(text).and_then(|duplex| duplex.slots(numerology)).expect("a pattern");
        let granted =
            (0..20 * turn).flat_map(|slot| timeline.granted_in(slot).map(move |it| (it, slot)));
        let mut granted: Vec<(u64, u64)> = granted.collect();
        granted.sort_unstable();
        assert!(granted.windows(2).all(|pair| pair[0].0 < pair[1].0), "{text}");
        for (slot, by) in granted {
            assert!(format.at(slot).up == 14 && format.at(by).down > 0 && by < slot, "{text}");
        }
    }
    // At 120 kHz, 321 us and a symbol of control are three slots of 125 us.
    let ahead: Vec<u64> = times("FDD", 3, |_| ()).granted_in(0).collect();
    assert_eq!(ahead, [3]);
    let both: Vec<u64> = times("DDDDDDDSUU 6:4:4", 1, |_| ()).granted_in(7).collect();
    assert_eq!(both, [8, 9]);
}

/// TS 38.214 §5.3: a block that ends within the first seven symbols leaves the UE less time.
#[test]
fn a_short_special_slot_has_late_reference_signals() {
    let numerology = Numerology::ALL[1];
    let format =
        Duplex::read("DSUUU 4:4:6").and_then(|it| it.slots(numerology)).expect("a pattern");
    let grid = SlotGrid { format: &format, numerology, control_symbols: 1 };
    let slow = Processing { more_dmrs: true, ..reference(numerology) };
    // Symbol 3 is the last one: 4 symbols more than 13.
    assert_eq!(grid.feedback(1, &grid, &slow), Some(2));
    let takes = numerology.pdsch_processing(Capability::One, true, 4).expect("capability 1");
    assert_eq!(takes, numerology.half_symbols(34));
}

/// Returns the number of slots from each downlink slot of a carrier to the retransmission, with
/// feedback on another carrier.
fn round_trips_beside((text, mu): (&str, usize), (first, first_mu): (&str, usize)) -> Vec<u64> {
    let format = |text: &str, mu: usize| {
        let duplex = Duplex::read(text).expect("a pattern");
        duplex.slots(Numerology::ALL[mu]).expect("a pattern")
    };
    let formats = [format(text, mu), format(first, first_mu)];
    let grid = |format, mu: usize| SlotGrid {
        format,
        numerology: Numerology::ALL[mu],
        control_symbols: 1,
    };
    let (own, pucch) = (grid(&formats[0], mu), grid(&formats[1], first_mu));
    let own_slot = own.numerology.slot();
    let feedback = pucch.numerology.slot();
    let processing = Processing { transmit: own_slot, feedback, ..reference(own.numerology) };
    let times = own.times_beside(&pucch, &processing).expect("a UE");
    let clock = Clock::new(Instant::ZERO, own_slot.as_nanos(), 1).expect("a slot");
    downlink_round_trips(&Timeline::with_slots(&Timing::standard(), &clock, times))
}

/// TS 38.213 §9: feedback uses the first carrier. Its U slots end every 2.5 ms, with the feedback
/// in the last 71 µs. A UE with a block of 15 kHz has its feedback ready 571 µs after the block.
/// Half a millisecond after the feedback it is decoded, and a slot of the secondary carrier later
/// the block is retransmitted.
#[test]
fn feedback_of_a_secondary_carrier_waits_for_the_uplink_of_the_first() {
    let trips = round_trips_beside(("FDD", 0), ("DDDSU 10:2:2", 1));
    assert_eq!(trips, [4, 6, 5, 4, 5]);
}

/// The opposite case: slots D, D, D and S of 0.5 ms, with feedback in each millisecond, decoded one
/// later. The UE is as slow as with 15 kHz: it misses the feedback at 4.857 ms after the block that
/// ends at 4.357 ms.
#[test]
fn a_slow_uplink_makes_a_fast_secondary_carrier_wait() {
    let trips = round_trips_beside(("DDDSU 10:2:2", 1), ("FDD", 0));
    assert_eq!(trips, [7, 6, 8, 7, 6, 7, 6, 7]);
}
