//! ACK filters in whole runs: every packet in leaves or is counted, and no sender is harmed.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

/// Three UEs, each with two downloads, so that uplink queues fill between grants.
fn cell(filter: &str, more: &str) -> String {
    format!(
        r#"
        duration = "20 s"
        [radio.lte]
        bandwidth = "5 MHz"
        sr_period = 20
        {filter}
        {more}
        [[radio.lte.bearer]]
        name = "default"
        buffer = "20 kB"
        [[ue]]
        name = "near"
        [[ue]]
        name = "far"
        count = 2
        downlink_sinr_db = 8.0
        [[link]]
        name = "core"
        delay = "10 ms"
        [tcp.default]
        mtu = "576 B"
        [[download]]
        name = "one"
        ue = "all"
        completion = "last_ack"
        file = "300 kB"
        [[download]]
        name = "two"
        ue = "all"
        completion = "last_ack"
        file = "300 kB"
        start = "0.2 s"
        "#
    )
}

/// Turns the scenario into an NR cell with one uplink slot of five.
fn in_nr(text: &str) -> String {
    let lte = "[radio.lte]\n        bandwidth = \"5 MHz\"\n        sr_period = 20";
    assert!(text.contains(lte));
    text.replace(lte, "[radio.nr]\nbandwidth_mhz = 20\nsr_period = 40").replace(".lte.", ".nr.")
}

/// A cell of each generation.
const GENERATIONS: [fn(&str) -> String; 2] = [|text| text.to_owned(), in_nr];

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, 1)
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

fn column(outcome: &Outcome, name: &str, column: &str) -> Vec<u64> {
    match table(outcome, name).column(column).expect("a column") {
        Data::U64(values) => values.clone(),
        Data::F64(_) | Data::Text(_) => panic!("{column} has no whole numbers"),
    }
}

fn sum(outcome: &Outcome, name: &str, of: &str) -> u64 {
    column(outcome, name, of).iter().sum()
}

fn taken_out(outcome: &Outcome) -> u64 {
    sum(outcome, "ack_filters", "discarded_active")
        + sum(outcome, "ack_filters", "discarded_passive")
}

const RULES: [&str; 9] = [
    "rule = 'basic'",
    "rule = 'passive', ratio = 0.5",
    "rule = 'granted'",
    "rule = 'active', threshold = 3",
    "rule = 'active', threshold = 3, scope = 'flow'",
    "rule = 'highest'",
    "rule = 'hybrid', threshold = 6",
    "rule = 'hybrid_opt', segment = '536 B'",
    "rule = 'hybrid_opt', segment = '536 B', whole_band = true",
];

/// UEs that take a part of the band would have had larger blocks on all of it, and never smaller
/// ones.
#[test]
fn whole_band_carries_more_acknowledgements_than_a_part() {
    let thresholds = |which: &str| {
        let outcome = filtered(&format!("rule = 'hybrid_opt', segment = '60 B', {which}"));
        match table(&outcome, "ack_filters").column("threshold").expect("a column") {
            Data::F64(values) => values.iter().map(|it| it.expect("blocks came")).collect(),
            Data::U64(_) | Data::Text(_) => panic!("a number or nothing"),
        }
    };
    let (sent, whole): (Vec<f64>, Vec<f64>) =
        (thresholds("whole_band = false"), thresholds("whole_band = true"));
    assert!(sent.iter().zip(&whole).all(|(sent, whole)| sent <= whole), "{sent:?} {whole:?}");
    assert!(sent.iter().sum::<f64>() < whole.iter().sum(), "{sent:?} {whole:?}");
}

/// Packets dropped for this reason.
fn dropped(outcome: &Outcome, reason: &str) -> u64 {
    let drops = table(outcome, "drops");
    let Some(Data::Text(causes)) = drops.column("cause") else { panic!("causes are words") };
    let packets = column(outcome, "drops", "packets");
    causes.iter().zip(packets).filter(|(cause, _)| *cause == reason).map(|(_, it)| it).sum()
}

fn filtered(rule: &str) -> Outcome {
    filtered_in(GENERATIONS[0], rule)
}

fn filtered_in(generation: fn(&str) -> String, rule: &str) -> Outcome {
    run(&generation(&cell(&format!("ack_filter = {{ {rule} }}"), "")))
}

/// Every rule in each generation.
fn each_rule() -> impl Iterator<Item = (&'static str, fn(&str) -> String)> {
    RULES.into_iter().flat_map(|rule| GENERATIONS.map(|generation| (rule, generation)))
}

/// Generated = discarded + expired + sent + held, in each UE; and the cell drops the packets that
/// filters take out.
#[test]
fn every_acknowledgement_is_accounted_for_under_every_rule() {
    for (rule, generation) in each_rule() {
        let outcome = filtered_in(generation, rule);
        let generated = column(&outcome, "ack_filters", "generated");
        assert_eq!(generated.len(), 3);
        assert!(generated.iter().all(|&count| count > 100), "{rule}: {generated:?}");
        let parts = ["discarded_active", "discarded_passive", "expired", "sent", "held"]
            .map(|part| column(&outcome, "ack_filters", part));
        for ue in 0..3 {
            let sum: u64 = parts.iter().map(|part| part[ue]).sum();
            assert_eq!(sum, generated[ue], "{rule}, UE {ue}");
        }
        assert_eq!(dropped(&outcome, "filtered"), taken_out(&outcome), "{rule}");
        assert_eq!(taken_out(&outcome) == 0, rule.contains("basic"), "{rule}");
    }
}

/// The newest acknowledgement of a flow is never taken out: every byte of every file is
/// acknowledged.
#[test]
fn newest_acknowledgement_of_each_flow_arrives() {
    for (rule, generation) in each_rule() {
        let outcome = filtered_in(generation, rule);
        let acked = column(&outcome, "connections", "acked_bytes");
        let files = acked.iter().filter(|&&bytes| bytes >= 300_000).count();
        assert_eq!(files, 6, "{rule}: {acked:?}");
    }
}

/// Packets waited for this reason.
fn waited(outcome: &Outcome, reason: &str) -> bool {
    let Some(Data::Text(causes)) = table(outcome, "anatomy").column("cause") else {
        panic!("causes are words")
    };
    causes.iter().any(|cause| cause == reason)
}

/// RFC 5681 §2 and §3.2: duplicates are signs of loss, and a filter makes none. Nothing is lost
/// here, so no duplicate reaches the server and nothing is retransmitted, whatever is taken out.
#[test]
fn no_rule_causes_duplicates_without_losses() {
    let strictest = GENERATIONS.map(|generation| ("rule = 'hybrid', threshold = 1", generation));
    for (rule, generation) in each_rule().chain(strictest) {
        let text = cell(&format!("ack_filter = {{ {rule} }}"), "bler = [0]");
        let outcome = run(&generation(&text.replace("buffer = \"20 kB\"", "")));
        for harm in ["duplicate_acks", "retransmissions", "timeouts", "recoveries"] {
            assert_eq!(sum(&outcome, "connections", harm), 0, "{rule}: {harm}");
        }
        // A packet taken out has no COUNT, so no other waits for it (TS 38.323 §5.2.2).
        assert!(!waited(&outcome, "pdcp reordering"), "{rule}");
        assert_eq!(taken_out(&outcome) == 0, rule.contains("basic"), "{rule}");
    }
}

/// RFC 5681 §3.2: losses cause duplicates, and the counter sees them.
#[test]
fn with_losses_duplicates_reach_the_server() {
    let outcome = filtered("rule = 'basic'");
    assert!(sum(&outcome, "connections", "recoveries") > 0);
    assert!(sum(&outcome, "connections", "duplicate_acks") > 0);
}

#[test]
fn a_rule_that_takes_out_nothing_changes_nothing() {
    for generation in GENERATIONS {
        let without = run(&generation(&cell("", "")));
        let basic = filtered_in(generation, "rule = 'basic'");
        for (without, basic) in without.tables.iter().zip(&basic.tables) {
            if without.name != "ack_filters" {
                assert_eq!(without, basic, "{}", without.name);
            }
        }
    }
}

/// TS 36.213 §7.2.3: a UE with better reception gets larger blocks, so its own conditions show in
/// its rate.
#[test]
fn ue_may_have_its_own_radio_conditions() {
    let outcome = run(&cell("", ""));
    let ended = match table(&outcome, "transfers").column("completed_s").expect("a column") {
        Data::F64(values) => values.clone(),
        Data::U64(_) | Data::Text(_) => panic!("times"),
    };
    let Data::Text(ues) = table(&outcome, "transfers").column("ue").expect("a column") else {
        panic!("names")
    };
    let last = |ue: &str| {
        let of = ues.iter().zip(&ended).filter(|(name, _)| *name == ue);
        of.map(|(_, at)| at.expect("complete")).fold(0.0, f64::max)
    };
    assert!(last("near") < last("far-1") && last("near") < last("far-2"), "{ended:?}");
}

/// UEs placed randomly in each run: link adaptation gives them larger blocks in some runs than in
/// others, and never smaller ones than at the lower end.
#[test]
fn conditions_may_be_drawn_for_each_run() {
    let mean_block = |ue: &str, seed| {
        let text = format!(
            "duration = '300 ms'\n[radio.lte]\n[[ue]]\nname = 'ue'\n{ue}\n\
             [[voice]]\nname = 'flood'\npayload = '1200 B'\ninterval = '0.2 ms'\n"
        );
        let scenario = Scenario::from_toml(&text, "test", &[]).expect("a scenario");
        let outcome = simulate(&scenario, seed);
        let [bytes, blocks] = ["sdu_bytes", "blocks"].map(|of| column(&outcome, "blocks", of)[0]);
        bytes as f64 / blocks as f64
    };
    let range = |ue: &str| {
        let means: Vec<f64> = (1..=6).map(|seed| mean_block(ue, seed)).collect();
        let least = means.iter().copied().fold(f64::INFINITY, f64::min);
        (least, means.iter().copied().fold(0.0, f64::max))
    };
    let (least, most) = range("downlink_sinr_db = 8.0");
    assert!(most < 1.05 * least, "{least} {most}");
    let (drawn_least, drawn_most) = range("downlink_sinr_db = 8.0\nsinr_spread_db = 10.0");
    assert!(drawn_most > 1.2 * drawn_least, "{drawn_least} {drawn_most}");
    assert!(drawn_least > 0.95 * least, "{drawn_least} {least}");
}
