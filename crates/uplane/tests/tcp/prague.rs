//! Prague end to end, over a link of 40 Mbit/s with DualPI2 (RFC 9332).
//!
//! The bounds were set before the first run.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

/// Common part of all scenarios: the duration, the link with DualPI2, and two sets of parameters.
fn common(seconds: u64, delay: &str) -> String {
    format!(
        "duration = \"{seconds} s\"\n[radio.fixed]\n\
         [[link]]\nname = \"far\"\ndelay = \"15 ms\"\n\
         [[link]]\nname = \"path\"\ndelay = \"{delay}\"\n\
         down = {{ rate = \"40 Mbit/s\", queue = \"4 MB\" }}\naqm.dualpi2 = {{}}\n\
         [tcp.prague]\nbase = \"linux\"\necn = \"accurate\"\ncongestion_control = \"prague\"\n\
         [tcp.cubic]\nbase = \"linux\"\n"
    )
}

/// A greedy download with these parameters, from this server.
fn bulk(name: &str, tcp: &str, link: &str) -> String {
    format!("[[bulk]]\nname = \"{name}\"\ntcp = \"{tcp}\"\nserver_link = \"{link}\"\n")
}

fn play(text: &str) -> Outcome {
    let scenario = Scenario::from_toml(text, "prague", &[]).unwrap_or_else(|it| panic!("{it}"));
    simulate(&scenario, 1)
}

fn column<'a>(outcome: &'a Outcome, name: &str, column: &str) -> &'a Data {
    let found = outcome.tables.iter().find(|table: &&Table| table.name == name);
    found.expect("a table of every run").column(column).expect("a column")
}

fn numbers(outcome: &Outcome, table: &str, name: &str) -> Vec<f64> {
    match column(outcome, table, name) {
        Data::F64(values) => values.iter().map(|it| it.unwrap_or(0.0)).collect(),
        Data::U64(values) => values.iter().map(|&value| value as f64).collect(),
        Data::Text(_) => panic!("{name} is text"),
    }
}

fn words(outcome: &Outcome, table: &str, name: &str) -> Vec<String> {
    match column(outcome, table, name) {
        Data::Text(values) => values.iter().map(str::to_owned).collect(),
        _ => panic!("{name} is no text"),
    }
}

/// Rate of an application from `since` on, in Mbit/s, in a run of `seconds`.
fn rate(outcome: &Outcome, app: &str, since: f64, seconds: f64) -> f64 {
    let (times, bytes) =
        (numbers(outcome, "deliveries", "time_s"), numbers(outcome, "deliveries", "bytes"));
    let apps = words(outcome, "deliveries", "app");
    let got: f64 = (0..times.len())
        .filter(|&row| apps[row] == app && times[row] >= since)
        .map(|row| bytes[row])
        .sum();
    got * 8.0 / (seconds - since) / 1e6
}

/// Returns the times that data packets waited in the link's queue, in ms, shortest first.
fn waits(outcome: &Outcome) -> Vec<f64> {
    let (classes, causes) =
        (words(outcome, "packets", "class"), words(outcome, "packets", "cause"));
    let times = numbers(outcome, "packets", "time_ms");
    let of = |cause: &str| -> Vec<f64> {
        (0..times.len())
            .filter(|&row| classes[row] == "data" && causes[row] == cause)
            .map(|row| times[row])
            .collect()
    };
    let mut waits = of("core queue");
    // A packet that did not wait has no row.
    waits.resize(of("propagation").len().max(waits.len()), 0.0);
    waits.sort_by(f64::total_cmp);
    waits
}

/// RFC 9330 §1: a full link and a queue of a millisecond or two.
#[test]
fn prague_alone_keeps_a_millisecond_queue() {
    let text = common(20, "10 ms") + &bulk("one", "prague", "path");
    let outcome = play(&(text + "[record]\npackets = true\ndeliveries = true\n"));
    let waits = waits(&outcome);
    let percentile = |share: f64| waits[(waits.len() as f64 * share) as usize];
    // 1448 of 1500 bytes are payload.
    let used = rate(&outcome, "one", 0.0, 20.0) / 40.0 * 1500.0 / 1448.0;
    assert!(waits.len() > 50_000, "{}", waits.len());
    let (middle, high) = (percentile(0.5), percentile(0.99));
    assert!(used > 0.9 && high < 2.0, "{used}, median {middle} ms, 99 % {high} ms");
    let of = |name| numbers(&outcome, "connections", name).iter().sum::<f64>();
    assert!(of("retransmissions") == 0.0 && of("mark_reductions") > 100.0);
}

/// RFC 9332 §2.1: the coupled law gives both kinds alike. The closed form: with `p'` Prague has `2
/// / (2 p' · RTT_virt)` segments a second and a classic flow `1.22 / (p' · RTT)`, where the classic
/// queue adds its 15 ms: 0.82, 1.15 and 1.13 for these round trips.
#[test]
fn prague_beside_cubic_gets_an_equal_share() {
    for (delay, rtt) in [("5 ms", 10.0), ("10 ms", 20.0), ("20 ms", 40.0)] {
        let text = common(60, delay) + &bulk("l4s", "prague", "path");
        let text = text + &bulk("classic", "cubic", "path") + "[record]\ndeliveries = true\n";
        let outcome = play(&text);
        let of = |app| rate(&outcome, app, 20.0, 60.0);
        let ratio = of("l4s") / of("classic");
        let law = (rtt + 15.0) / 1.22 / f64::max(rtt, 25.0);
        assert!((0.5..=2.0).contains(&ratio), "{delay}: {ratio}, by the law {law}");
        let used = (of("l4s") + of("classic")) / 40.0 * 1500.0 / 1448.0;
        assert!(used > 0.9, "{delay}: {used}");
    }
}

/// The draft, §2.4.4: a round trip of 10 ms counts as one of 25 ms, so the near flow has 40/25 of
/// the rate of one with 40 ms, and not four times it.
#[test]
fn a_short_round_trip_is_little_advantage() {
    let text = common(60, "5 ms") + &bulk("near", "prague", "path");
    let outcome = play(&(text + &bulk("far", "prague", "far") + "[record]\ndeliveries = true\n"));
    let of = |app| rate(&outcome, app, 20.0, 60.0);
    let ratio = of("near") / of("far");
    assert!((0.8..=2.5).contains(&ratio), "{ratio}, by the law 1.6");
}

/// Feedback that does not count marks gives no share of marks.
#[test]
fn without_accurate_feedback_it_is_refused() {
    for ecn in ["", "ecn = \"classic\"\n"] {
        let text = format!(
            "duration = \"1 s\"\n[radio.fixed]\n[tcp.mine]\n{ecn}congestion_control = \"prague\"\n\
             [[bulk]]\nname = \"one\"\ntcp = \"mine\"\n"
        );
        let error = Scenario::from_toml(&text, "prague", &[]).expect_err("it counts no marks");
        let told = error.to_string();
        assert!(told.contains("tcp.mine.ecn") && told.contains("\"accurate\""), "{told}");
    }
}
