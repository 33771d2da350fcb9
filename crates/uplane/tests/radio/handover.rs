//! Handovers from end to end, over LTE and NR, against closed forms (TS 36.300 §10.1.2, TS 38.300
//! §9.2.3).
//!
//! A packet that arrives `t` before the end of an interruption waits `t` longer than one that
//! arrives at its end. In acknowledged mode with forwarding nothing is lost and all is in order; in
//! unacknowledged mode data in the air is lost, and without forwarding data that arrives meanwhile.

use std::collections::BTreeMap;

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};
use uplane::sim::Streams;

const LTE: &str = "[radio.lte]\nbandwidth = \"20 MHz\"\nsr_period = 1\nbler = \"none\"\nmcs = 10\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";
const NR: &str = "[radio.nr]\nduplex = \"FDD\"\nbandwidth_mhz = 20\nsr_period = 2\nbler = \"none\"\nmcs = 10\nuplink_mcs = 10\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, 1)
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

/// The values of a column; `None` for a missing value.
fn numbers(outcome: &Outcome, name: &str, column: &str) -> Vec<Option<f64>> {
    match table(outcome, name).column(column).unwrap_or_else(|| panic!("{name}.{column}")) {
        Data::F64(values) => values.clone(),
        Data::U64(values) => values.iter().map(|&value| Some(value as f64)).collect(),
        Data::Text(_) => panic!("{column} is another kind"),
    }
}

fn texts(outcome: &Outcome, name: &str, column: &str) -> Vec<String> {
    match table(outcome, name).column(column).expect("a column") {
        Data::Text(values) => values.iter().map(ToString::to_string).collect(),
        Data::F64(_) | Data::U64(_) => panic!("{column} is another kind"),
    }
}

/// A cell whose only bearer has this mode, with handovers where there are keys.
fn cell(generation: &str, mode: &str, keys: &str) -> String {
    let handover =
        if keys.is_empty() { String::new() } else { format!("handover = {{ {keys} }}\n") };
    if generation == NR {
        format!("{NR}rlc = \"{mode}\"\nrlc_sn_length = 12\n{handover}")
    } else {
        format!("{LTE}{handover}[[radio.lte.bearer]]\nname = \"default\"\nrlc = \"{mode}\"\n")
    }
}

/// Runs 1000 datagrams of one flow, one each `interval` ms; returns one-way latencies in ms, `None`
/// for lost datagrams.
fn datagrams(cell: &str, direction: &str, interval: u32) -> (Outcome, Vec<Option<f64>>) {
    let voice =
        format!("direction = \"{direction}\"\ninterval = \"{interval} ms\"\npayload = \"200 B\"\n");
    let text =
        format!("duration = \"100 s\"\n{cell}[[voice]]\nname = \"v\"\ncount = 1000\n{voice}");
    let outcome = run(&text);
    let numbers_sent = numbers(&outcome, "datagrams", "number");
    let latencies = numbers(&outcome, "datagrams", "latency_ms");
    let mut found = vec![None; 1000];
    for (number, latency) in numbers_sent.into_iter().zip(latencies) {
        found[number.expect("a number") as usize] = latency;
    }
    (outcome, found)
}

/// Milliseconds in this cause, of all datagrams together.
fn in_cause(outcome: &Outcome, cause: &str) -> f64 {
    let sums = numbers(outcome, "anatomy", "mean_ms");
    let counts = numbers(outcome, "anatomy", "packets");
    texts(outcome, "anatomy", "cause")
        .iter()
        .zip(sums.iter().zip(&counts))
        .filter(|(own, _)| *own == cause)
        .map(|(_, (mean, count))| mean.unwrap_or(0.0) * count.unwrap_or(0.0))
        .sum()
}

/// Packets that the radio dropped for this reason.
fn dropped(outcome: &Outcome, cause: &str) -> f64 {
    let packets = numbers(outcome, "drops", "packets");
    let causes = texts(outcome, "drops", "cause");
    let own = causes.iter().zip(&packets).filter(|(own, _)| *own == cause);
    own.map(|(_, count)| count.unwrap_or(0.0)).sum()
}

/// The UE is away from 1001 ms to 1051 ms.
const AWAY: &str = "first = \"1001 ms\", interruption = \"50 ms\"";

/// Lone datagrams arrive each 20 ms. Those of the interruption, at 1020 and 1040 ms, wait for its
/// end; one that arrives in its last 5 ms would wait for its forwarding from the source. The
/// base station's processing continues meanwhile, and the grid of slots does not move.
#[test]
fn packet_waits_for_the_end_of_the_interruption() {
    for (generation, slack) in [(LTE, 2.0), (NR, 1.0)] {
        for (mode, direction) in [("am", "down"), ("am", "up"), ("um", "down"), ("um", "up")] {
            let at_home = datagrams(&cell(generation, mode, ""), direction, 20).1;
            let ordinary = at_home[60].expect("nothing is lost");
            let (outcome, found) = datagrams(&cell(generation, mode, AWAY), direction, 20);
            assert!(found[..50] == at_home[..50], "before the handover nothing changes");
            // In acknowledged mode STATUS PDUs may precede other packets than without a handover.
            let mean = |all: &[Option<f64>]| {
                all[60..].iter().flatten().sum::<f64>() / all[60..].iter().flatten().count() as f64
            };
            let after = mean(&found) - mean(&at_home);
            let same = if mode == "um" { found[56..] == at_home[56..] } else { after.abs() < 0.2 };
            assert!(same, "{mode} {direction}: {after} ms in the mean");
            let mut sum = 0.0;
            for (number, sent) in [(51, 1020.0), (52, 1040.0)] {
                let late = found[number].expect("it is forwarded") - ordinary;
                assert!((late - (1051.0 - sent)).abs() <= slack, "{mode} {direction} {late} ms");
                sum += 1051.0 - sent;
            }
            // The packet of 1000 ms is retransmitted, or was still in the queue, or is lost.
            let waited = in_cause(&outcome, "handover");
            let first = if found[50].is_some() && found[50] != at_home[50] { 51.0 } else { 0.0 };
            let most = sum + first;
            assert!((sum - 2.0 * slack..=most).contains(&waited), "{waited} of {most} ms");
        }
    }
}

/// Away from 972 ms to 1022 ms: the packet of 1020 ms takes 5 ms from the source to the target, and
/// an uplink packet waits for 2 ms.
#[test]
fn packet_late_in_the_interruption_takes_forwarding_delay() {
    let away = "first = \"972 ms\", interruption = \"50 ms\", forwarding = \"5 ms\"";
    for (generation, slack) in [(LTE, 2.0), (NR, 1.0)] {
        for (direction, expected) in [("down", 5.0), ("up", 2.0)] {
            let at_home = datagrams(&cell(generation, "um", ""), direction, 20).1;
            let found = datagrams(&cell(generation, "um", away), direction, 20).1;
            let late = found[51].expect("it comes") - at_home[51].expect("it comes");
            assert!((late - expected).abs() <= slack, "{direction}: {late} ms");
        }
    }
}

/// A lone packet: one that arrives as the first while the UE is away, and one that is in the air
/// when the UE leaves, which acknowledged mode retransmits at the end and not before.
#[test]
fn lone_packet_is_sent_when_the_ue_arrives() {
    let alone = |cell: &str, direction: &str, start: &str| {
        let voice = format!("direction = \"{direction}\"\nstart = \"{start}\"\ncount = 1\n");
        let voice =
            format!("[[voice]]\nname = \"v\"\ninterval = \"20 ms\"\npayload = \"200 B\"\n{voice}");
        let outcome = run(&format!("duration = \"10 s\"\n{cell}{voice}"));
        numbers(&outcome, "datagrams", "latency_ms")[0].expect("it comes")
    };
    for (generation, slack) in [(LTE, 2.0), (NR, 1.0)] {
        for direction in ["down", "up"] {
            let ordinary = alone(&cell(generation, "am", ""), direction, "1010 ms");
            let late = alone(&cell(generation, "am", AWAY), direction, "1010 ms") - ordinary;
            assert!((late - 41.0).abs() <= slack, "{direction}: {late} ms");
            let leaves = 1010.0 + ordinary - 0.4;
            let keys = format!("first = \"{leaves:.3} ms\", interruption = \"50 ms\"");
            let again = alone(&cell(generation, "am", &keys), direction, "1010 ms");
            let (least, most) = (leaves - 1010.0 + 50.0, 2.0 * ordinary + 50.0 + slack);
            assert!((least..=most).contains(&again), "{direction}: {again} ms, {least} to {most}");
        }
    }
}

/// A run may end while the UE is away: packets between two cells are counted, or the run panics.
#[test]
fn packets_between_two_cells_are_counted() {
    for generation in [LTE, NR] {
        let voice = "direction = \"down\"\ninterval = \"4 ms\"\npayload = \"200 B\"\n";
        let cell = cell(generation, "am", AWAY);
        let text = format!("duration = \"1030 ms\"\n{cell}[[voice]]\nname = \"v\"\n{voice}");
        let outcome = run(&text);
        let held: f64 = numbers(&outcome, "hops", "packets_held").iter().flatten().sum();
        // From 1004 to 1028 ms, and one that was in the air.
        assert!((7.0..=8.0).contains(&held), "{held} packets");
    }
}

/// Exactly once and in order, however often the UE changes its cell.
#[test]
fn nothing_is_lost_in_acknowledged_mode() {
    for generation in [LTE, NR] {
        for direction in ["down", "up"] {
            let often = "every = \"100 ms\", interruption = \"30 ms\"";
            let (outcome, found) = datagrams(&cell(generation, "am", often), direction, 4);
            assert!(found.iter().all(Option::is_some), "{direction}: one is missing");
            assert!(dropped(&outcome, "handover") < 0.5);
            let arrivals = found
                .iter()
                .zip(0..)
                .map(|(latency, number)| 4.0 * f64::from(number) + latency.expect("it has come"));
            let nanos = arrivals.map(|it: f64| (it * 1e6).round());
            assert!(nanos.is_sorted(), "{direction}: one overtook another");
            // The UE is away for 30 of 100 ms, and packets that arrive meanwhile wait 15 ms on
            // average; packets in the cell when the UE leaves wait 30 ms at most, in addition to their
            // wait for the air.
            let at_home = datagrams(&cell(generation, "am", ""), direction, 4).1;
            let longest = at_home.iter().flatten().copied().fold(0.0, f64::max);
            let most = 0.3 * 15.0 * 1100.0 + 40.0 * (longest / 4.0 + 1.0) * (30.0 + longest);
            let waited = in_cause(&outcome, "handover");
            assert!((0.3 * 15.0 * 900.0..most).contains(&waited), "{direction} {waited} {most}");
        }
    }
}

/// Without forwarding each packet is lost that arrives while the UE is away: 50 ms of one each 4 ms
/// are 12 or 13, and packets in the air or in the queue, which are two at most. This holds in
/// acknowledged and in unacknowledged mode.
#[test]
fn without_forwarding_packets_of_the_interruption_are_lost() {
    for generation in [LTE, NR] {
        for mode in ["am", "um"] {
            let keys = format!("{AWAY}, forwarding = \"none\"");
            let (outcome, found) = datagrams(&cell(generation, mode, &keys), "down", 4);
            let lost = dropped(&outcome, "handover");
            assert!((12.0..=15.0).contains(&lost), "{lost}");
            let missing: Vec<usize> = (0..1000).filter(|&number| found[number].is_none()).collect();
            assert!((missing.len() as f64 - lost).abs() < 0.5);
            assert!(missing.iter().all(|&number| (249..263).contains(&number)), "{missing:?}");
            // No packet waits for a lost one.
            assert!(in_cause(&outcome, "pdcp reordering") < 1.0);
        }
    }
}

/// A queue of a second is lost too: 40 Mbit/s arrive at a cell of LTE that carries half of it, and
/// five times as much at one of NR with four layers.
#[test]
fn without_forwarding_the_source_queue_is_lost() {
    for (generation, micros) in [(LTE, 250), (NR, 50)] {
        let count = 1_000_000 / micros;
        let voice = format!(
            "direction = \"down\"\ninterval = \"{micros} us\"\npayload = \"1222 B\"\n\
             count = {count}\n"
        );
        let keys = format!("{AWAY}, forwarding = \"none\"");
        let buffer = if generation == NR { "buffer = \"100 MB\"\n" } else { "" };
        let cell =
            cell(generation, "am", &keys).replace("handover = ", &format!("{buffer}handover = "));
        let text = format!("duration = \"10 s\"\n{cell}[[voice]]\nname = \"v\"\n{voice}");
        let lost = dropped(&run(&text), "handover");
        assert!((1000.0..f64::from(count)).contains(&lost), "{lost} packets");
    }
}

/// In unacknowledged mode forwarding saves waiting packets; packets in the air are lost: some
/// blocks of a stream that takes most of the cell, and no more.
#[test]
fn unacknowledged_mode_loses_blocks_in_the_air() {
    for generation in [LTE, NR] {
        let lost_in = |mode: &str, keys: &str| {
            let voice = "direction = \"down\"\ninterval = \"0.5 ms\"\npayload = \"600 B\"\n";
            let cell = cell(generation, mode, keys);
            let text = format!(
                "duration = \"10 s\"\n{cell}[[voice]]\nname = \"v\"\ncount = 4000\n{voice}"
            );
            dropped(&run(&text), "handover")
        };
        let lost = lost_in("um", AWAY);
        // A block or two of each millisecond of transmission and decoding, with two packets each.
        assert!((1.0..=20.0).contains(&lost), "{lost}");
        assert!(lost_in("am", AWAY) < 0.5);
    }
}

/// TS 36.322 §5.4: in unacknowledged mode a complete packet is not lost, whatever is missing before
/// it. Of datagrams each 3 ms, so that none waits for another's repetition, those are lost that
/// have been begun and not been decoded: as many as without errors, and if half of the blocks are
/// sent twice, 8 TTIs later (TS 36.213 §7), those of 4 ms more. With all packets behind a gap it
/// would be 5.5 ms: half of the datagrams are decoded at once, and 5 ms before the one that arrived
/// 3 ms earlier if that is sent twice, or else 2 ms before the one of 6 ms earlier.
#[test]
fn unacknowledged_mode_loses_only_blocks_in_the_air() {
    let voice = "[[voice]]\nname = \"v\"\ndirection = \"down\"\ninterval = \"3 ms\"\n\
        payload = \"200 B\"\n";
    // At any time within three milliseconds.
    let keys = "every = \"100.137 ms\", interruption = \"30 ms\"";
    let lost_ms = |errors: &str| {
        let cell = cell(LTE, "um", keys).replace("bler = \"none\"", errors);
        let outcome = run(&format!("duration = \"150 s\"\n{cell}{voice}"));
        3.0 * dropped(&outcome, "handover") / (150_000.0 / 100.137)
    };
    let more = lost_ms("bler = [0.5, 0]") - lost_ms("bler = \"none\"");
    assert!((more - 4.0).abs() < 0.3, "{more} ms");
}

fn download(generation: &str, interruption: &str) -> BTreeMap<String, f64> {
    let keys = format!("first = \"2 s\", interruption = \"{interruption}\"");
    let cell = cell(generation, "am", &keys);
    let link = "[[link]]\nname = \"core\"\ndelay = \"20 ms\"\n";
    // So little under way that no queue builds.
    let tcp = "[tcp.default]\nbase = \"linux\"\nreceive_buffer = \"40 kB\"\n";
    let text = format!(
        "duration = \"30 s\"\n{cell}{link}{tcp}[[download]]\nname = \"f\"\nfile = \"20 MB\"\n"
    );
    let outcome = run(&text);
    let columns = ["timeouts", "retransmissions"];
    columns
        .iter()
        .map(|&column| {
            let values = numbers(&outcome, "connections", column);
            (column.to_owned(), values.iter().flatten().sum())
        })
        .collect()
}

/// With a round trip of 65 ms, and the TCP of Linux: packets that are 50 ms late are just late;
/// those that are 150 ms late arrive behind a loss probe after two round trips (RFC 8985 §7.2), and
/// those that are 500 ms late behind a timeout of at least 200 ms beyond its round trip (RFC 6298
/// §2.4), which is spurious.
#[test]
fn a_long_interruption_is_a_timeout_for_nothing() {
    for generation in [LTE, NR] {
        let late = download(generation, "50 ms");
        assert!(late["timeouts"] < 0.5 && late["retransmissions"] < 0.5, "{late:?}");
        let probed = download(generation, "150 ms");
        assert!(probed["timeouts"] < 0.5 && probed["retransmissions"] < 1.5, "{probed:?}");
        let long = download(generation, "500 ms");
        assert!(long["timeouts"] > 0.5 && long["retransmissions"] > 0.5, "{long:?}");
    }
}

/// A handover of a UE without traffic changes nothing.
#[test]
fn a_handover_in_silence_changes_nothing() {
    for generation in [LTE, NR] {
        let at_home = datagrams(&cell(generation, "am", ""), "down", 4).1;
        let late = "first = \"6 s\", interruption = \"50 ms\"";
        assert_eq!(datagrams(&cell(generation, "am", late), "down", 4).1, at_home);
    }
}

/// TS 38.323 §5.2.2.2: if `t-Reordering` is shorter than the interruption, PDCP stops waiting for
/// packets that the air lost before it, and drops them when they arrive after the interruption.
/// With a longer one nothing is dropped.
#[test]
fn nr_drops_packets_after_t_reordering() {
    let late = |t_reordering: &str| {
        // Each second block fails the first time, so that there are gaps when the UE leaves.
        let errors = "bler = [0.5, 0]";
        let keys = "every = \"100 ms\", interruption = \"40 ms\"";
        let cell = cell(NR, "am", keys).replace("bler = \"none\"", errors);
        let cell = format!("{cell}t_reordering = \"{t_reordering}\"\n");
        let (outcome, found) = datagrams(&cell, "down", 1);
        let lost = found.iter().filter(|latency| latency.is_none()).count() as f64;
        assert!((lost - dropped(&outcome, "late")).abs() < 0.5, "{lost} lost");
        lost
    };
    assert!(late("20 ms") > 0.5);
    assert!(late("100 ms") < 0.5);
}

/// Whatever the times, the mode and the forwarding: each packet arrives once or is counted as lost,
/// in acknowledged mode with forwarding all arrive, and none overtakes another.
#[test]
fn whatever_the_handovers_nothing_vanishes_or_overtakes() {
    let mut random = Streams::new(7).open("test", "handovers");
    for round in 0..60 {
        let generation = if random.below(2) == 0 { LTE } else { NR };
        let mode = if random.below(2) == 0 { "am" } else { "um" };
        let direction = if random.below(2) == 0 { "down" } else { "up" };
        let interruption = 1000 + random.below(120_000);
        let every = 100_000.max(2 * interruption) + random.below(200_000);
        let forwarding = match random.below(3) {
            0 => "none".to_owned(),
            _ => format!("{} us", random.below(interruption)),
        };
        let keys = format!(
            "every = \"{every} us\", interruption = \"{interruption} us\", \
             forwarding = \"{forwarding}\""
        );
        let interval = 1 + random.below(9) as u32;
        // Blocks that are retransmitted, and none that is abandoned.
        let errors = if random.below(2) == 0 { "bler = [0.4, 0.2, 0]" } else { "bler = \"none\"" };
        let more = match random.below(4) {
            0 => "rach = {}\n",
            1 => {
                "drx = { long_cycle = \"40 ms\", on_duration = \"4 ms\", inactivity_timer = \"10 ms\" }\n"
            }
            2 => "ack_filter = { rule = \"granted\" }\n",
            _ => "",
        };
        let cell = cell(generation, mode, &keys).replace("bler = \"none\"", errors);
        let cell = cell.replace("handover = ", &format!("{more}handover = "));
        let (outcome, found) = datagrams(&cell, direction, interval);
        let lost = found.iter().filter(|latency| latency.is_none()).count() as f64;
        let case = format!("{round}: {mode} {direction} each {interval} ms, {keys}");
        assert!((lost - dropped(&outcome, "handover")).abs() < 0.5, "{lost} lost, {case}");
        if mode == "am" && (forwarding != "none" || direction == "up") {
            assert!(lost < 0.5, "{lost} lost, {case}");
        }
        let arrivals = found.iter().enumerate().filter_map(|(number, latency)| {
            latency.map(|it| ((number as f64 * f64::from(interval) + it) * 1e6).round())
        });
        assert!(arrivals.is_sorted(), "one overtook another, {case}");
    }
}

/// Two configured grants may be planned in one slot with more than it has; the one that is built
/// second gives way. If their UE leaves before, the resources of both are free: the cell checks in
/// each slot that no more is sent than exists.
#[test]
fn departing_ue_frees_its_configured_grants() {
    for first in ["1 ms", "2 ms", "3.6 ms", "20 ms"] {
        let text = format!(
            "duration = \"20 s\"\n[radio.nr]\nbandwidth_mhz = 5\nphase = \"0 s\"\n\
             handover = {{ interruption = \"72 ms\", first = \"{first}\" }}\n\
             [[radio.nr.configured_grant_config]]\nname = \"a\"\nperiod = 5\nsize = \"720 B\"\n\
             [[radio.nr.configured_grant_config]]\nname = \"b\"\nperiod = 5\nsize = \"80 B\"\n\
             [[download]]\nname = \"d\"\nfile = \"73 kB\"\n"
        );
        let outcome = run(&text);
        assert!(numbers(&outcome, "transfers", "completed_s")[0].is_some(), "{first}");
    }
}
