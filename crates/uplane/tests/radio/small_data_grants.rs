//! Small data on a configured grant in RRC_INACTIVE (CG-SDT, TS 38.321 §5.8.2, §5.27) from end to
//! end, against closed forms in nanoseconds that were computed independently of this code.
//!
//! NR, FDD, 15 kHz: slot `n` begins at `n` ms. A packet is in the buffer of its UE half of
//! `T_proc,2` after its arrival, its block uses the first occasion from then on, takes its slot,
//! and the base station a slot more. Occasions are in slots 4, 14, 24, …: a packet that arrives at
//! 1000 ms is sent in slot 1004 and arrives at 1006 ms. By random access it arrives at 1009 ms
//! (slot 1001, and 8), and by a resume 16 ms later (13 for RRC; a grant, its block, the base
//! station); by MsgA a resume arrives at 1020 ms (slot 1001, 3, 13, 3).

use std::collections::{BTreeMap, BTreeSet};

use uplane::record::Data;
use uplane::scenario::Outcome;
use uplane::sim::{Stream, Streams};

use crate::cases::cases;
use crate::runs::{numbers, run, table, values};

const NR: &str = "[radio.nr]\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 20\nphase = \"0 s\"\n\
    bler = \"none\"\nmcs = 10\nuplink_mcs = 10\n\
    feedback = { ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }\n";

/// A PRACH occasion in each slot, and no preamble that is missed.
const FOUR_STEPS: &str = "rach = { prach_period = 1, preamble_missed = 0 }\n";
const TWO_STEPS: &str = "rach = { prach_period = 1, preamble_missed = 0, steps = 2 }\n";

/// A cell in this mode of RLC, which releases UEs after 50 ms, with small data of `most` bytes and
/// these keys of its grant, if it has one.
fn cell(mode: &str, access: &str, most: u32, grant: Option<&str>) -> String {
    let sn = if mode == "um" { "rlc_sn_length = 12\n" } else { "" };
    let grant = grant.map_or(String::new(), |keys| format!(", configured_grant = {{ {keys} }}"));
    format!(
        "{NR}rlc = \"{mode}\"\n{sn}{access}rrc = {{ inactivity = \"50 ms\", paging_cycle = 32 }}\n\
         rrc_inactive = {{ small_data = {{ most = \"{most} B\", inactivity = \"20 ms\"{grant} }} }}\n"
    )
}

/// Occasions in slots 4, 14, 24, ….
const TEN: &str = "period = 10, offset = 4";

/// One datagram of 40 bytes and 28 of headers, or several.
fn voice(name: &str, direction: &str, payload: u32, start: &str, count: u32) -> String {
    format!(
        "[[voice]]\nname = \"{name}\"\npayload = \"{payload} B\"\ndirection = \"{direction}\"\n\
         interval = \"1 s\"\ncount = {count}\nstart = \"{start}\"\n"
    )
}

fn play(cell: &str, voices: &[String]) -> Outcome {
    run(&format!("duration = \"20 s\"\n{cell}{}", voices.concat()), 1)
}

fn counted<const N: usize>(outcome: &Outcome, columns: [&str; N]) -> [u32; N] {
    columns.map(|column| numbers(outcome, "control", column)[0] as u32)
}

fn texts<'a>(outcome: &'a Outcome, name: &str, column: &str) -> Vec<&'a str> {
    match table(outcome, name).column(column) {
        Some(Data::Text(texts)) => texts.iter().collect(),
        _ => panic!("{column} is text"),
    }
}

/// Latencies in ns of the datagrams of an application that arrived, by number.
fn latencies(outcome: &Outcome, app: &str) -> Vec<u64> {
    let all = values(outcome, "datagrams", "latency_ms");
    let own =
        texts(outcome, "datagrams", "app").into_iter().zip(all).filter(|(name, _)| *name == app);
    own.filter_map(|(_, latency)| Some((latency? * 1e6).round() as u64)).collect()
}

/// Latency in ns of a lone uplink datagram of 40 bytes at 1000 ms.
fn lone(cell: &str) -> u64 {
    let outcome = play(cell, &[voice("v", "up", 40, "1 s", 1)]);
    let found = latencies(&outcome, "v");
    assert_eq!(found.len(), 1, "it comes");
    found[0]
}

const MS: u64 = 1_000_000;
/// By a resume after random access in four steps, and in two.
const RESUME: [u64; 2] = [25 * MS, 20 * MS];

/// TS 38.321 §5.27.1: on its grant a lone packet waits for its occasion, 3 ms sooner than by random
/// access, and 14 ms sooner than by a resume with two steps, where MsgA has no room for data.
#[test]
fn a_lone_packet_waits_for_its_occasion() {
    for mode in ["am", "um"] {
        assert_eq!(lone(&cell(mode, FOUR_STEPS, 200, Some(TEN))), 6 * MS, "{mode}, a grant");
        assert_eq!(
            lone(&cell(mode, TWO_STEPS, 200, Some(TEN))),
            6 * MS,
            "{mode}, a grant, two steps"
        );
        assert_eq!(lone(&cell(mode, FOUR_STEPS, 200, None)), 9 * MS, "{mode}, random access");
    }
    // Without small data: the threshold is below the packet.
    assert_eq!(lone(&cell("am", FOUR_STEPS, 67, None)), RESUME[0], "a resume");
}

/// `sdt-DataVolumeThreshold` is the maximum of small data: 68 bytes are at a threshold of 68, and
/// one more than a threshold of 67, which is a resume whatever the steps.
#[test]
fn one_byte_above_the_threshold_is_a_resume() {
    for (access, resume) in [FOUR_STEPS, TWO_STEPS].into_iter().zip(RESUME) {
        let outcome =
            |most| play(&cell("am", access, most, Some(TEN)), &[voice("v", "up", 40, "1 s", 1)]);
        let columns = ["small_data_grants", "small_data_transmissions", "rrc_resumes"];
        let (at, above) = (outcome(68), outcome(67));
        assert_eq!((latencies(&at, "v"), counted(&at, columns)), (vec![6 * MS], [1, 0, 0]));
        assert_eq!((latencies(&above, "v"), counted(&above, columns)), (vec![resume], [0, 0, 1]));
    }
}

/// TS 38.321 §5.2, §5.27.2: the timer starts with the release, at 50 ms, and has to run when the
/// occasion in slot 1004 begins. It runs with 954 ms and a nanosecond, and has just ended with 954
/// ms: then random access carries the data, or if it cannot a resume does.
#[test]
fn alignment_timer_must_outlast_the_occasions_start() {
    for (access, fallback) in [(FOUR_STEPS, 9 * MS), (TWO_STEPS, RESUME[1])] {
        let with = |timer: &str| {
            let keys = format!("{TEN}, time_alignment_timer = \"{timer}\"");
            lone(&cell("am", access, 200, Some(&keys)))
        };
        assert_eq!(with("954000001 ns"), 6 * MS, "it runs");
        assert_eq!(with("954 ms"), fallback, "it has ended");
        assert_eq!(with("900 ms"), fallback, "it has ended before the packet came");
        assert_eq!(with("unlimited"), 6 * MS, "it never ends");
    }
}

/// A small data transmission ends with another release, which restarts the timer: packets at 1000
/// and 2000 ms; the second is 1954 ms behind the first release.
#[test]
fn each_release_restarts_the_alignment() {
    let keys = format!("{TEN}, time_alignment_timer = \"1100 ms\"");
    let own = cell("um", FOUR_STEPS, 200, Some(&keys));
    let outcome = play(&own, &[voice("v", "up", 40, "1 s", 2)]);
    assert_eq!(latencies(&outcome, "v"), [6 * MS, 6 * MS]);
    // At 1200 ms, with nothing before, the timer has ended.
    let outcome = play(&own, &[voice("v", "up", 40, "1200 ms", 1)]);
    assert_eq!(latencies(&outcome, "v"), [9 * MS]);
}

/// TS 38.321 §5.8.2: the first message that fails is repeated after the number of periods in
/// `cg-SDT-RetransmissionTimer`, as often as it takes, and not only as often as HARQ allows, which
/// is once here.
#[test]
fn lost_first_message_is_repeated_after_its_timer() {
    for (timer, period_slots) in
        [("", 10), (", retransmission_timer = 1", 10), (", retransmission_timer = 3", 30)]
    {
        for lost in [1, 2, 7] {
            let own = cell("um", FOUR_STEPS, 200, Some(&format!("{TEN}{timer}")));
            let fails = vec!["1"; lost as usize].join(", ");
            let own = own.replace(
                "bler = \"none\"",
                &format!("bler = [{fails}, 0]\nharq_transmissions = 1"),
            );
            let outcome = play(&own, &[voice("v", "up", 40, "1 s", 1)]);
            let case = format!("{lost} lost{timer}");
            assert_eq!(latencies(&outcome, "v"), [(6 + lost * period_slots) * MS], "{case}");
            let columns = ["small_data_retransmissions", "small_data_grants", "preambles_sent"];
            assert_eq!(counted(&outcome, columns), [lost as u32, 1, 0], "{case}");
        }
    }
}

/// TS 38.331 §5.3.13.5, TS 38.321 §5.2: without an answer the UE is in RRC_IDLE when the first of
/// its timers ends, and loses its data. With a period of 40 slots and 100 ms of `t319a`, starting
/// at 1000.357 ms, three occasions (1004, 1044, 1084); with an alignment until 1060 ms, two. The
/// next packet sets up a connection, as from RRC_IDLE, with which five transmissions of a block are
/// enough.
#[test]
fn unanswered_first_message_ends_in_rrc_idle() {
    for (timer, again) in [("t319a = \"100 ms\"", 2), ("time_alignment_timer = \"1010 ms\"", 1)] {
        for mode in ["am", "um"] {
            let own =
                cell(mode, FOUR_STEPS, 200, Some(&format!("period = 40, offset = 4, {timer}")));
            let own =
                own.replace("bler = \"none\"", "bler = [1, 1, 1, 1, 0]\nharq_transmissions = 5");
            let outcome = play(&own, &[voice("v", "up", 40, "1 s", 2)]);
            let case = format!("{mode} {timer}");
            let columns = [
                "small_data_grants",
                "small_data_retransmissions",
                "small_data_failures",
                "rrc_setups",
                "rrc_resumes",
            ];
            assert_eq!(counted(&outcome, columns), [1, again, 1, 1, 0], "{case}");
            let came: Vec<f64> = numbers(&outcome, "datagrams", "number")
                .into_iter()
                .zip(values(&outcome, "datagrams", "latency_ms"))
                .filter_map(|(number, latency)| latency.map(|_| number))
                .collect();
            assert_eq!(came, [1.0], "the second alone comes, {case}");
            assert!(
                in_cause(&outcome, "pdcp reordering") < 1e-6,
                "nobody waits for the first, {case}"
            );
            let causes = texts(&outcome, "drops", "cause");
            let packets = numbers(&outcome, "drops", "packets");
            let lost: f64 = causes
                .iter()
                .zip(&packets)
                .filter(|(cause, _)| **cause == "loss")
                .map(|(_, count)| count)
                .sum();
            assert!((lost - 1.0).abs() < 0.1, "the first is lost, {case}");
        }
    }
}

/// Each of 400 packets at all phases of the period is compared on its own; the mean wait is half a
/// period. Half of `T_proc,2` is 10 · 2192 / 30.72 MHz / 2.
#[test]
fn each_packet_takes_its_own_wait() {
    let own = cell("um", FOUR_STEPS, 200, Some(TEN));
    let text = format!(
        "duration = \"1000 s\"\n{own}[[voice]]\nname = \"v\"\npayload = \"40 B\"\ndirection = \"up\"\n\
         interval = \"701.0137 ms\"\ncount = 400\nstart = \"1 s\"\n"
    );
    let outcome = run(&text, 1);
    assert_eq!(counted(&outcome, ["small_data_grants", "preambles_sent"]), [400, 0]);
    let sent = numbers(&outcome, "datagrams", "number");
    let found = numbers(&outcome, "datagrams", "latency_ms");
    assert_eq!(found.len(), 400);
    let mut sum = 0.0;
    for (number, latency) in sent.iter().zip(&found) {
        let at = 1000.0 + number * 701.013_7;
        let ready = at + 10.0 * 2192.0 / 30_720.0 / 2.0;
        let occasion = ((ready - 4.0) / 10.0).ceil() * 10.0 + 4.0;
        assert!((latency - (occasion + 2.0 - at)).abs() < 2e-6, "{number}: {latency}");
        sum += latency;
    }
    assert!((sum / 400.0 - (0.357 + 5.0 + 2.0)).abs() < 0.05, "{}", sum / 400.0);
}

/// The mean time in ms that a packet spends in this cause, of all applications together.
fn in_cause(outcome: &Outcome, cause: &str) -> f64 {
    let causes = texts(outcome, "anatomy", "cause");
    let means = numbers(outcome, "anatomy", "mean_ms");
    causes.iter().zip(&means).filter(|(own, _)| **own == cause).map(|(_, mean)| mean).sum()
}

/// The wait has the cause of configured grants, except the alignment to a slot: 1001 to 1004 ms. A
/// downlink packet that arrives meanwhile, at 1002 ms after a slot of processing, waits with that
/// cause until 1006 ms.
#[test]
fn ledger_books_the_wait_for_an_occasion() {
    let own = cell("am", FOUR_STEPS, 200, Some(TEN));
    let up = voice("up", "up", 40, "1 s", 1);
    let alone = play(&own, std::slice::from_ref(&up));
    let both = play(&own, &[up, voice("down", "down", 40, "1001 ms", 1)]);
    for (outcome, wait) in [(alone, 3.0), (both, 3.0 + 4.0)] {
        assert!((in_cause(&outcome, "configured grant wait") - wait).abs() < 1e-6, "{wait} ms");
        assert!(in_cause(&outcome, "random access") < 1e-6);
        assert!(in_cause(&outcome, "rrc resume") < 1e-6);
    }
}

/// UEs have the uplink slots of a period in turn: in slots 1004, 1005 and 1006. With DDDSU and 30
/// kHz these are slots 4 and 9 of ten, and slot 2004 begins at 1002 ms: the packet arrives a
/// millisecond later.
#[test]
fn ues_have_the_uplink_slots_in_turn() {
    let three = "[[ue]]\nname = \"u\"\ncount = 3\n";
    let all = "ue = \"u\"\n";
    let found = |cell: &str| {
        let outcome = play(cell, &[voice("v", "up", 40, "1 s", 1) + all, three.to_owned()]);
        let mut found = latencies(&outcome, "v");
        found.sort_unstable();
        found
    };
    assert_eq!(found(&cell("um", FOUR_STEPS, 200, Some(TEN))), [6 * MS, 7 * MS, 8 * MS]);
    let tdd =
        cell("um", "rach = { prach_period = 5, preamble_missed = 0 }\n", 200, Some("period = 10"));
    let tdd =
        tdd.replace("\"FDD\"", "\"DDDSU 10:2:2\"").replace("spacing_khz = 15", "spacing_khz = 30");
    // Slots 2004 and 2009, and the first UE's resource blocks beside the third's in slot 2004.
    assert_eq!(found(&tdd), [3 * MS, 3 * MS, 5 * MS + MS / 2]);
}

/// A downlink packet that arrives meanwhile waits until the message is received, at 1006 ms, and is
/// sent in that very slot; it arrives after half of `T_proc,1`, 8 · 2192 / 30.72 MHz / 2. Its wait
/// has the cause of configured grants.
#[test]
fn an_answer_waits_until_the_message_is_heard() {
    let own = cell("am", FOUR_STEPS, 200, Some(TEN));
    let voices = [voice("up", "up", 40, "1 s", 1), voice("down", "down", 40, "1001 ms", 1)];
    let outcome = play(&own, &voices);
    assert_eq!(latencies(&outcome, "up"), [6 * MS]);
    let expected = 6.0 + 8.0 * 2192.0 / 30_720.0 / 2.0;
    let found = latencies(&outcome, "down")[0] as f64 / 1e6;
    assert!((found - expected).abs() < 2e-6, "{found}, expected {expected}");
    assert_eq!(counted(&outcome, ["pages", "small_data_grants"]), [0, 1]);
}

/// A larger packet behind a small one that is not received yet makes a connection as soon as the
/// small one is received, and downlink packets that arrived meanwhile also continue then. If the
/// first transmission is lost, that is a period later.
#[test]
fn larger_data_resumes_when_the_message_is_received() {
    for (bler, later) in [("\"none\"", 0), ("[1, 0]", 10)] {
        let own = cell("am", FOUR_STEPS, 200, Some(TEN));
        let own = own.replace("bler = \"none\"", &format!("bler = {bler}"));
        let voices = [
            voice("small", "up", 40, "1 s", 1),
            voice("down", "down", 40, "1001 ms", 1),
            voice("large", "up", 1000, "1002 ms", 1),
        ];
        let outcome = play(&own, &voices);
        let columns = ["small_data_grants", "rrc_resumes", "pages", "small_data_failures"];
        assert_eq!(counted(&outcome, columns), [1, 1, 0, 0], "{bler}");
        assert_eq!(latencies(&outcome, "small"), [(6 + later) * MS], "{bler}");
        let down = latencies(&outcome, "down")[0];
        // Two transmissions if the first is lost: five slots in all cells of this profile.
        assert!((6 + later..=7 + 2 * later).contains(&(down / MS)), "{down}, {bler}");
        let large = latencies(&outcome, "large")[0];
        assert!(large < (30 + 3 * later) * MS, "{large}, {bler}");
    }
}

/// Packets that wait for a UE during random access with small data continue when a larger packet
/// makes a connection meanwhile; that packet is in its buffer at 1005.357 ms, and the next slot is
/// 1006.
#[test]
fn waiting_packets_continue_with_a_connection() {
    let own = cell("am", FOUR_STEPS, 200, None);
    let voices = [
        voice("small", "up", 40, "1 s", 1),
        voice("down", "down", 40, "1002 ms", 1),
        voice("large", "up", 1000, "1005 ms", 1),
    ];
    let outcome = play(&own, &voices);
    assert_eq!(counted(&outcome, ["small_data_transmissions", "rrc_resumes", "pages"]), [1, 1, 0]);
    let down = latencies(&outcome, "down")[0];
    assert!(down < 6 * MS, "{down}");
}

/// TS 38.300 §18.0: the grant belongs to the cell in which the UE was released. A UE that selects
/// another at 600 ms uses random access there, and has a grant with its next release.
#[test]
fn a_ue_in_another_cell_has_no_grant() {
    let own = cell("um", FOUR_STEPS, 200, Some(TEN));
    let own = format!("{own}handover = {{ first = \"600 ms\", interruption = \"45 ms\" }}\n");
    let outcome = play(&own, &[voice("v", "up", 40, "1 s", 2)]);
    assert_eq!(latencies(&outcome, "v"), [9 * MS, 6 * MS]);
    assert_eq!(counted(&outcome, ["small_data_transmissions", "small_data_grants"]), [1, 1]);
}

/// A UE that selects another cell between a message that failed and its repetition has no cell to
/// repeat it in, and is in RRC_IDLE at once; one whose message was received stays.
#[test]
fn ue_reselecting_a_cell_abandons_unreceived_data() {
    for (first, failures, came) in [("1008 ms", 1, 1), ("1015 ms", 0, 2), ("1016 ms", 0, 2)] {
        let own = cell("um", FOUR_STEPS, 200, Some(TEN));
        let own = own.replace("bler = \"none\"", "bler = [1, 0]");
        let own = format!("{own}handover = {{ first = \"{first}\", interruption = \"45 ms\" }}\n");
        let outcome = play(&own, &[voice("v", "up", 40, "1 s", 2)]);
        assert_eq!(
            counted(&outcome, ["small_data_failures", "rrc_setups"]),
            [failures; 2],
            "{first}"
        );
        assert_eq!(latencies(&outcome, "v").len(), came, "{first}");
    }
}

/// Two packets within one period share one message, and three that are more than it has room for
/// are followed by grants: all arrive, in order, without random access.
#[test]
fn packets_of_one_period_go_together() {
    let own = cell("am", FOUR_STEPS, 80, Some("period = 40, offset = 4"));
    let voices: Vec<String> = (0..5)
        .map(|n| voice(&format!("v{n}"), "up", 40, &format!("{} ms", 1006 + 4 * n), 1))
        .collect();
    let outcome = play(&own, &voices);
    assert_eq!(
        counted(&outcome, ["small_data_grants", "preambles_sent", "rrc_resumes"]),
        [1, 0, 0]
    );
    // Occasion 1044; the first packet arrives two slots later.
    assert_eq!(latencies(&outcome, "v0"), [40 * MS]);
    let arrivals: Vec<u64> =
        (0..5).map(|n| latencies(&outcome, &format!("v{n}"))[0] + (1006 + 4 * n) * MS).collect();
    assert!(arrivals.is_sorted() && arrivals[4] < 1060 * MS, "{arrivals:?}");
}

/// A downlink packet for a UE whose message was not received finds it in RRC_IDLE: the UE is paged,
/// and sets up a connection.
#[test]
fn failed_message_leads_to_a_page() {
    let own = cell("am", FOUR_STEPS, 200, Some("period = 40, offset = 4, t319a = \"100 ms\""));
    let own = own.replace("bler = \"none\"", "bler = [1, 1, 1, 1, 0]\nharq_transmissions = 5");
    let voices = [voice("up", "up", 40, "1 s", 1), voice("down", "down", 40, "1050 ms", 1)];
    let outcome = play(&own, &voices);
    assert_eq!(counted(&outcome, ["small_data_failures", "pages", "rrc_setups"]), [1, 1, 1]);
    assert_eq!(latencies(&outcome, "down").len(), 1);
}

/// A packet that arrives while the message is on its way, at 1004.357 ms, is requested as soon as
/// that is received, at 1006 ms: with a request in each slot it arrives within 10 ms, in
/// unacknowledged mode too.
#[test]
fn packet_behind_the_message_requests_after_its_reception() {
    for mode in ["am", "um"] {
        let own = cell(mode, FOUR_STEPS, 200, Some(TEN)) + "sr_period = 1\n";
        let voices = [voice("v", "up", 40, "1 s", 1), voice("next", "up", 40, "1004 ms", 1)];
        let outcome = play(&own, &voices);
        assert_eq!(counted(&outcome, ["small_data_grants", "preambles_sent"]), [1, 0]);
        let next = latencies(&outcome, "next")[0];
        assert!((6 * MS..10 * MS).contains(&next), "{next}, {mode}");
    }
}

/// After its message a UE reads the control channel as after a grant, whatever its DRX: the answer
/// takes as long as without DRX, although the next on-duration is far away.
#[test]
fn drx_does_not_delay_an_answer() {
    let voices = [voice("up", "up", 40, "1 s", 1), voice("down", "down", 40, "1001 ms", 1)];
    let own = cell("um", FOUR_STEPS, 200, Some(TEN));
    let drx =
        "drx = { long_cycle = \"320 ms\", on_duration = \"4 ms\", inactivity_timer = \"10 ms\" }\n";
    let plain = latencies(&play(&own, &voices), "down");
    assert_eq!(latencies(&play(&(own + drx), &voices), "down"), plain);
}

/// A packet at the threshold fits into one message with all headers and a report, whatever its
/// size: it arrives two slots behind its occasion.
#[test]
fn an_occasion_is_large_enough_for_the_threshold() {
    for payload in (4..400).step_by(7) {
        for mode in ["am", "um"] {
            let own = cell(mode, FOUR_STEPS, payload + 28, Some(TEN));
            let outcome = play(&own, &[voice("v", "up", payload, "1 s", 1)]);
            assert_eq!(latencies(&outcome, "v"), [6 * MS], "{payload} B, {mode}");
        }
    }
}

/// Two messages that do not fit into one slot, since they take more than half of it, use one
/// occasion each; and an occasion that is reserved for a repeated message, 1011, is not available
/// to others.
#[test]
fn full_slot_defers_a_message_to_next_occasion() {
    let grant = "period = 1, retransmission_timer = 10";
    let own = cell("um", FOUR_STEPS, 1600, Some(grant));
    let two = "[[ue]]\nname = \"a\"\n[[ue]]\nname = \"b\"\n";
    let of = |ue: &str, start: &str| voice(ue, "up", 1500, start, 1) + &format!("ue = \"{ue}\"\n");
    let both = |cell: &str, start: &str| {
        let outcome = play(cell, &[of("a", "1 s"), of("b", start), two.to_owned()]);
        [latencies(&outcome, "a")[0], latencies(&outcome, "b")[0]]
    };
    assert_eq!(both(&own, "1 s"), [3 * MS, 4 * MS]);
    let lossy = own.replace("bler = \"none\"", "bler = [1, 0]");
    assert_eq!(both(&lossy, "1010 ms"), [13 * MS, 14 * MS]);
}

/// A drawn cell with a configured grant for small data.
fn drawn_cell(random: &mut Stream, mode: &str) -> String {
    let any =
        |random: &mut Stream, of: &[&str]| of[random.below(of.len() as u64) as usize].to_owned();
    let timers = any(
        random,
        &[
            "",
            ", time_alignment_timer = \"300 ms\"",
            ", time_alignment_timer = \"unlimited\", t319a = \"4 s\"",
            ", t319a = \"100 ms\"",
        ],
    );
    let more = any(random, &["", ", retransmission_timer = 2"]);
    let keys = format!("period = {}{timers}{more}", 10 * (1 + random.below(6)));
    let access = any(
        random,
        &[
            "rach = { prach_period = 10, preambles = 4 }\n",
            "rach = { prach_period = 10, steps = 2 }\n",
            "rach = { prach_period = 10, scheduling_requests = false }\n",
        ],
    );
    let own = cell(mode, &access, 120 + random.below(200) as u32, Some(&keys));
    let own = own.replace("\"50 ms\"", &format!("\"{} us\"", 20_000 + random.below(100_000)));
    let own = own.replace(
        "bler = \"none\"",
        &any(random, &["bler = \"none\"", "bler = [0.4, 0.2, 0]", "bler = [0.8, 0.5, 0]"]),
    );
    let duplex = any(random, &["FDD", "DDDSU 10:2:2", "DSUUU 6:4:4"]);
    let own = if duplex == "FDD" {
        own
    } else {
        own.replace("\"FDD\"", &format!("\"{duplex}\""))
            .replace("spacing_khz = 15", "spacing_khz = 30")
    };
    own + &any(
        random,
        &[
            "",
            "handover = { every = \"300 ms\", interruption = \"45 ms\" }\n",
            "drx = { long_cycle = \"40 ms\", on_duration = \"4 ms\", inactivity_timer = \"10 ms\" }\n",
            "ack_filter = { rule = \"granted\" }\n",
        ],
    )
}

/// Whatever the grant, its timers and other keys of a cell: each packet of three UEs arrives once
/// or is counted as lost, nothing is held at the end, and in acknowledged mode nothing is lost
/// except with a first message that failed, and none overtakes another of its application.
#[test]
fn packets_arrive_once_with_any_grant() {
    let mut random = Streams::new(23).open("test", "small data grants");
    let seen_columns = [
        "small_data_grants",
        "small_data_retransmissions",
        "small_data_transmissions",
        "small_data_failures",
        "rrc_resumes",
        "rrc_setups",
        "pages",
    ];
    let mut seen = [0; 7];
    for round in 0..cases(120) {
        let mode = if random.below(2) == 0 { "am" } else { "um" };
        let cell = drawn_cell(&mut random, mode);
        let mut intervals = BTreeMap::new();
        let mut apps = Vec::new();
        for (name, direction, most) in
            [("down", "down", 300), ("little", "up", 90), ("much", "up", 900)]
        {
            let interval = 3 + random.below(if name == "much" { 1500 } else { 400 });
            intervals.insert(name, interval as f64);
            apps.push(format!(
                "[[voice]]\nname = \"{name}\"\nue = \"u\"\npayload = \"{} B\"\ncount = 60\ndirection = \"{direction}\"\n\
                 interval = \"{interval} ms\"\nstart = \"{} us\"\n",
                20 + random.below(most),
                random.below(900_000)
            ));
        }
        let text = format!(
            "duration = \"200 s\"\n{cell}[[ue]]\nname = \"u\"\ncount = 3\n{}",
            apps.concat()
        );
        let outcome = run(&text, u64::from(round));
        let counts = counted(&outcome, seen_columns);
        seen.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        once(&outcome, mode, counts[3], &intervals, &format!("{round}: {text}"));
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}: the cases are there");
}

/// 3 UEs with 60 datagrams of each of three applications.
fn once(outcome: &Outcome, mode: &str, failures: u32, intervals: &BTreeMap<&str, f64>, case: &str) {
    let dropped: f64 = numbers(outcome, "drops", "packets").iter().sum();
    let held: f64 = numbers(outcome, "hops", "packets_held").iter().sum();
    assert!(held < 0.5, "{held} are still there, {case}");
    let sent = numbers(outcome, "datagrams", "number");
    let found = values(outcome, "datagrams", "latency_ms");
    let (apps, ues) = (texts(outcome, "datagrams", "app"), texts(outcome, "datagrams", "ue"));
    let mut unique = BTreeSet::new();
    let mut arrivals: BTreeMap<(&str, &str), BTreeMap<u64, f64>> = BTreeMap::new();
    for (((number, latency), app), ue) in sent.iter().zip(&found).zip(apps).zip(ues) {
        let Some(latency) = latency else { continue };
        assert!(unique.insert((app, ue, *number as u64)), "{app} {ue} {number} twice, {case}");
        let arrival = number * intervals[app] + latency;
        arrivals.entry((app, ue)).or_default().insert(*number as u64, arrival);
    }
    let come = unique.len() as f64;
    assert!((come + dropped - 540.0).abs() < 0.5, "{come} came, {dropped} dropped, {case}");
    if mode == "um" {
        return;
    }
    assert!(failures > 0 || dropped < 0.5, "{dropped} dropped, {case}");
    for ((app, ue), arrivals) in arrivals {
        let in_order = arrivals
            .values()
            .zip(arrivals.values().skip(1))
            .all(|(one, next)| next >= &(one - 1e-6));
        assert!(in_order, "one overtook another of {app} {ue}, {case}");
    }
}

/// TS 38.321 §5.2: the alignment has to run when an occasion begins, also for a repeated first
/// message. From the release at 50 ms on, 1034 ms end as slot 1084 begins, the third of occasions
/// each 40 slots; with a nanosecond more it is an occasion.
#[test]
fn expired_alignment_leaves_no_occasion_to_repeat() {
    for (timer, again) in [("1034 ms", 1), ("1034000001 ns", 2)] {
        let keys = format!("period = 40, offset = 4, time_alignment_timer = \"{timer}\"");
        let own = cell("um", FOUR_STEPS, 200, Some(&keys));
        let own = own.replace("bler = \"none\"", "bler = [1, 1, 1, 0]\nharq_transmissions = 4");
        let outcome = play(&own, &[voice("v", "up", 40, "1 s", 1)]);
        let columns = ["small_data_retransmissions", "small_data_failures"];
        assert_eq!(counted(&outcome, columns), [again, 1], "{timer}");
    }
}

/// A first message may have all resource blocks of an occasion: one for 96 kB has no more in a
/// slot, and is sent like one for 200 bytes.
#[test]
fn a_first_message_may_take_a_whole_slot() {
    assert_eq!(lone(&cell("am", FOUR_STEPS, 96_000, Some(TEN))), 6 * MS);
}
