//! Order, time and resource blocks of several urgent downlink blocks, and the bearers that have
//! them. Expectations are those of TS 38.213 §11.2 and of a cell of mini-slots, written down before
//! the first run.

use crate::runs::{numbers, run, table, values};
use uplane::record::Data;
use uplane::scenario::Outcome;

/// FDD with 30 kHz and 40 MHz, of which 70 resource blocks are for data.
const CELL: &str = "[radio.nr]\nduplex = \"FDD\"\nbandwidth_mhz = 40\nphase = \"0 s\"\nlayers = 1\n\
    mcs = 20\nuplink_mcs = 10\nouter_loop = false\ndownlink_sinr_db = 40\nuplink_sinr_db = 40\n\
    rlc = \"um\"\nrlc_sn_length = 12\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

const URGENT: &str = "mini_slots = { symbols = 14, mapping = \"A\", control_prbs = 36 }\n\
    urgent = { preemption = \"none\" }\n";
const SHORT: &str = "mini_slots = { symbols = 2, mapping = \"B\", control_prbs = 36 }\n";
const FLAWLESS: &str = "bler = \"none\"\n";
/// Errors with which each block fails once.
const ONCE: &str = "bler = [1, 0]\n";

/// A symbol in ms, by the clock of a cell: 14 of one length in a slot.
const SYMBOL: f64 = 0.5 / 14.0;

/// The default bearer, and one with these keys for packets to port 5000.
fn bearers(urgent: &str) -> String {
    format!(
        "[[radio.nr.bearer]]\nname = \"default\"\n\
         [[radio.nr.bearer]]\nname = \"urgent\"\n{urgent}\n\
         [[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 5000\n"
    )
}

/// Urgent datagrams to one UE, the first at `start` µs.
fn datagrams(ue: &str, payload: u32, start: u32, interval: &str, count: u32) -> String {
    format!(
        "[[voice]]\nname = \"to-{ue}-{start}\"\nue = \"{ue}\"\ndirection = \"down\"\n\
         payload = \"{payload} B\"\nstart = \"{start} us\"\ninterval = \"{interval}\"\n\
         count = {count}\nport = 5000\n"
    )
}

/// One urgent datagram at `start` µs.
fn one(ue: &str, payload: u32, start: u32) -> String {
    datagrams(ue, payload, start, "1 s", 1)
}

/// A cell with these keys and three UEs, of which the first has the lowest number.
fn cell(keys: &str, apps: &[String]) -> Outcome {
    let ues = ["first", "second", "third"].map(|name| format!("[[ue]]\nname = \"{name}\"\n"));
    let (ues, apps) = (ues.concat(), apps.concat());
    run(&format!("duration = \"3 s\"\n{CELL}{keys}{}{ues}{apps}", bearers("five_qi = 82")), 1)
}

/// Latencies in ms of all datagrams, in the order of the applications.
fn latencies(outcome: &Outcome) -> Vec<f64> {
    numbers(outcome, "datagrams", "latency_ms")
}

/// Latency in ms of the only datagram sent `start` µs after the start of the run.
fn latency(outcome: &Outcome, start: u32) -> f64 {
    let sent = values(outcome, "datagrams", "sent_s").into_iter();
    let mut all = sent.zip(values(outcome, "datagrams", "latency_ms"));
    let its = all.find(|(sent, _)| (sent.expect("a time") * 1e6 - f64::from(start)).abs() < 0.5);
    its.and_then(|(_, latency)| latency).expect("it came")
}

/// The column of the row of one direction in the table `blocks`.
fn blocks(outcome: &Outcome, direction: &str, column: &str) -> f64 {
    let Some(Data::Text(rows)) = table(outcome, "blocks").column("direction") else {
        panic!("rows")
    };
    let row = rows.iter().position(|it| it == direction).expect("a row");
    numbers(outcome, "blocks", column)[row]
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 2e-6, "{what}: {found}, expected {expected}");
}

/// In the middle of symbol 4 of slot 200, and a symbol later: the base station takes a slot, so
/// that blocks begin in symbols 5 and 6 if nothing blocks them.
const EARLY: u32 = 100_161;
const LATE: u32 = 100_197;

/// A block that begins one symbol after another of two symbols waits one symbol for its end if it
/// is for that UE, which gets one block at a time, or if the other has all resource blocks: 410
/// bytes need all 70.
#[test]
fn block_waits_for_a_conflicting_earlier_one() {
    let alone = latency(&cell(&format!("{FLAWLESS}{URGENT}"), &[one("second", 8, LATE)]), LATE);
    for (ue, payload, wait) in
        [("first", 8, 0.0), ("second", 8, SYMBOL), ("first", 410, SYMBOL), ("third", 410, SYMBOL)]
    {
        let apps = [one(ue, payload, EARLY), one("second", 8, LATE)];
        let outcome = cell(&format!("{FLAWLESS}{URGENT}"), &apps);
        close(latency(&outcome, LATE), alone + wait, &format!("{payload} B to {ue}"));
    }
}

/// Two packets wait for the end of a block that has all resource blocks: if one UE is served at a
/// time, the packet that arrived a symbol earlier is first, whatever the UE's number, and the other
/// one a symbol later.
#[test]
fn oldest_packet_is_sent_first() {
    let alone = |ue: &str, start: u32| {
        latency(&cell(&format!("{FLAWLESS}{URGENT}"), &[one(ue, 8, start)]), start)
    };
    let (older, newer) = (alone("third", EARLY), alone("first", LATE));
    for (ues, wait) in [(1, SYMBOL), (2, 0.0)] {
        let keys = format!("{FLAWLESS}{URGENT}ues_per_slot = {ues}\n");
        // It begins in symbol 4, and the others may in symbol 6.
        let all = one("second", 410, EARLY - 36);
        let outcome = cell(&keys, &[all, one("third", 8, EARLY), one("first", 8, LATE)]);
        close(latency(&outcome, EARLY), older + SYMBOL, "the older one");
        close(latency(&outcome, LATE), newer + wait, &format!("{ues} at a time"));
    }
}

/// An urgent block that fails is retransmitted as often and as soon as one of a cell of such
/// mini-slots, and with as many elements of the control channel.
#[test]
fn failed_block_is_retransmitted_as_with_mini_slots() {
    let stream = [datagrams("second", 8, 0, "3.30902 ms", 900)];
    for errors in [FLAWLESS, ONCE, "bler = [1]\nharq_transmissions = 3\n"] {
        let urgent = cell(&format!("{errors}{URGENT}"), &stream);
        let short = cell(&format!("{errors}{SHORT}"), &stream);
        assert_eq!(latencies(&urgent), latencies(&short), "{errors}");
        assert_eq!(numbers(&urgent, "control", "cces"), numbers(&short, "control", "cces"));
        for column in ["blocks", "transmissions", "failures", "first_failures", "lost"] {
            let (found, expected) =
                (blocks(&urgent, "urgent", column), blocks(&short, "down", column));
            close(found, expected, &format!("{column}, {errors}"));
        }
        close(blocks(&urgent, "down", "blocks"), 0.0, "others");
    }
    let lost = cell(&format!("bler = [1]\n{URGENT}"), &stream);
    assert!(latencies(&lost).is_empty());
    close(blocks(&lost, "urgent", "lost"), 900.0, "all are lost");
}

/// Retransmissions precede new blocks: if one UE is served at a time and a new block would begin
/// with a retransmission, the new one waits.
#[test]
fn retransmission_precedes_a_new_block() {
    let keys = format!("{URGENT}ues_per_slot = 1\n");
    let first =
        |errors: &str| latency(&cell(&format!("{errors}{keys}"), &[one("third", 8, EARLY)]), EARLY);
    let (flawless, alone) = (first(FLAWLESS), first(ONCE));
    let round_trip = ((alone - flawless) * 1e3).round() as u32;
    assert!(round_trip > 500, "{round_trip} µs");
    let mut in_its_way = 0;
    for symbols in [-1, 0, 1] {
        let start = EARLY.saturating_add_signed(symbols * 36) + round_trip;
        let new = [one("first", 8, start)];
        let new_alone = latency(&cell(&format!("{ONCE}{keys}"), &new), start);
        let [new] = new;
        let outcome = cell(&format!("{ONCE}{keys}"), &[one("third", 8, EARLY), new]);
        close(latency(&outcome, EARLY), alone, "the retransmission");
        let wait = latency(&outcome, start) - new_alone;
        assert!(wait > -1e-6, "{wait} ms");
        in_its_way += u32::from(wait > 0.9 * SYMBOL);
    }
    assert_eq!(in_its_way, 1, "in one of three symbols they meet");
}

/// Urgent data wait for urgent blocks, also while no HARQ process is free for these.
#[test]
fn urgent_data_go_in_urgent_blocks_alone() {
    let stream = [datagrams("second", 8, 0, "100 us", 20_000)];
    let outcome = cell(&format!("{FLAWLESS}{URGENT}harq_processes = 2\n"), &stream);
    assert_eq!(latencies(&outcome).len(), 20_000);
    let urgent = blocks(&outcome, "urgent", "blocks");
    assert!(urgent > 500.0 && urgent < 10_000.0, "{urgent}: processes limit them");
    close(blocks(&outcome, "down", "blocks"), 0.0, "others");
}

/// Bearers of 5QI 82 to 90 are urgent unless a key says that they are not, and others if a key says
/// so.
#[test]
fn bearers_are_urgent_by_class_or_key() {
    let other = "[[radio.nr.bearer]]\nname = \"other\"\nurgent = true\n\
        [[radio.nr.bearer.filter]]\nprecedence = 2\nserver_port = 7000\n";
    for (keys, is_urgent) in [
        ("five_qi = 82", true),
        ("five_qi = 90", true),
        ("five_qi = 80", false),
        ("five_qi = 9\nurgent = true", true),
        ("five_qi = 82\nurgent = false", false),
    ] {
        let text = format!(
            "duration = \"3 s\"\n{CELL}{FLAWLESS}{URGENT}{}{other}[[ue]]\nname = \"robot\"\n{}",
            bearers(keys),
            datagrams("robot", 8, 0, "3.3 ms", 100)
        );
        let outcome = run(&text, 1);
        let found = ["urgent", "down"].map(|row| blocks(&outcome, row, "blocks"));
        let expected = if is_urgent { [100.0, 0.0] } else { [0.0, 100.0] };
        assert!(
            (found[0] - expected[0]).abs() + (found[1] - expected[1]).abs() < 0.5,
            "{keys}: {found:?}"
        );
    }
}

/// The mean time in ms that datagrams spend in this cause.
fn in_cause(outcome: &Outcome, cause: &str) -> f64 {
    let Some(Data::Text(causes)) = table(outcome, "anatomy").column("cause") else {
        panic!("causes have names")
    };
    let means = numbers(outcome, "anatomy", "mean_ms");
    causes.iter().zip(&means).filter(|(own, _)| **own == *cause).map(|(_, mean)| mean).sum()
}

/// If a block is retransmitted, all additional latency of its datagram is retransmission in the
/// latency anatomy.
#[test]
fn ledger_books_the_time_of_a_retransmission() {
    let play = |errors: &str| cell(&format!("{errors}{URGENT}"), &[one("second", 8, EARLY)]);
    let (flawless, again) = (play(FLAWLESS), play(ONCE));
    let longer = latency(&again, EARLY) - latency(&flawless, EARLY);
    assert!(longer > 0.5, "{longer} ms");
    close(in_cause(&again, "radio retransmission"), longer, "retransmission");
    let [once, twice] = [&flawless, &again].map(|it| in_cause(it, "radio processing"));
    close(twice, once, "processing");
}

/// TS 38.323 §5.3: PDCP discards data that has waited too long, urgent or not. The third UE is
/// offered more than the cell can carry: delivered data was begun after 10 ms at most, and then
/// takes as long as a lone datagram, and a slot at most while its pieces wait for blocks. Nothing
/// waits for discarded data.
#[test]
fn urgent_data_that_wait_too_long_are_discarded() {
    let ues = ["first", "second", "third"].map(|name| format!("[[ue]]\nname = \"{name}\"\n"));
    let keys = bearers("five_qi = 82\ndiscard_timer = \"10 ms\"\nt_reordering = \"0 ms\"");
    let cell = format!("duration = \"3 s\"\n{CELL}{FLAWLESS}{URGENT}{keys}{}", ues.concat());
    let lone = latencies(&run(&(cell.clone() + &one("third", 1400, EARLY)), 1))[0];
    let all = latencies(&run(&(cell + &datagrams("third", 1400, 0, "50 us", 4000)), 1));
    assert!((500..3000).contains(&all.len()), "{} came", all.len());
    let longest = all.iter().copied().fold(0.0, f64::max);
    assert!(longest > 10.0 && longest <= 10.5 + lone, "{longest} ms, {lone} ms alone");
}
