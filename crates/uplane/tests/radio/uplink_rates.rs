//! Guaranteed and maximum rates of the uplink, and its order by class, against closed forms that
//! were computed independently of this code.
//!
//! Rates count packets of IP, without headers of the radio (TS 36.413 §9.2.1.19, TS 38.413
//! §9.3.1.4): a datagram of 1000 bytes is 1028 bytes.

use crate::runs::table;
use uplane::record::Data;
use uplane::scenario::Outcome;

const NR: &str = "[radio.nr]\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 20\n\
    bler = \"none\"\nmcs = 10\nuplink_mcs = 10\nrlc = \"um\"\nrlc_sn_length = 12\n";
const LTE: &str = "[radio.lte]\nprofile = \"system_level\"\nbandwidth = \"5 MHz\"\n";

/// A default bearer and one of a class with guaranteed rates, with these keys, for port 5000.
fn bearers(radio: &str, class: &str, keys: &str) -> String {
    format!(
        "[[radio.{radio}.bearer]]\nname = \"default\"\nrlc = \"um\"\n\
         [[radio.{radio}.bearer]]\nname = \"video\"\nrlc = \"um\"\n{class}\n{keys}\n\
         [[radio.{radio}.bearer.filter]]\nprecedence = 1\nserver_port = 5000\n"
    )
}

/// Runs `others` + 1 UEs with more uplink data than the cell carries, and a video of 1 MB/s from
/// the first.
fn run(cell: &str, bearers: &str, others: u32) -> Outcome {
    let ues = (0..=others).map(|number| format!("[[ue]]\nname = \"ue-{number}\"\n"));
    let ues: Vec<String> = ues.collect();
    let mut text = format!("duration = \"6 s\"\n{cell}{bearers}{}", ues.concat());
    let stream = |name: &str, ue: u32, port: u16, every_us: u32| {
        format!(
            "[[voice]]\nname = \"{name}\"\nue = \"ue-{ue}\"\ndirection = \"up\"\nport = {port}\n\
             payload = \"1000 B\"\ninterval = \"{every_us} us\"\n"
        )
    };
    text += &stream("video", 0, 5000, 1000);
    for ue in 1..=others {
        text += &stream(&format!("other-{ue}"), ue, 6000, 300);
    }
    crate::runs::run(&text, 1)
}

/// Payload of the video in bytes a second, after its full bucket is empty.
fn video(outcome: &Outcome) -> f64 {
    let datagrams = table(outcome, "datagrams");
    let Some(Data::Text(apps)) = datagrams.column("app") else { panic!("they have names") };
    let sent = crate::runs::values(outcome, "datagrams", "sent_s");
    let latency = crate::runs::values(outcome, "datagrams", "latency_ms");
    let came = apps
        .iter()
        .zip(sent.into_iter().zip(latency))
        .filter_map(|(name, (sent, latency))| (name == "video").then_some(sent? + latency? / 1e3));
    1000.0 * came.filter(|at| (2.0..6.0).contains(at)).count() as f64 / 4.0
}

fn close(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= share, "{what}: {found}, expected {expected}");
}

/// TS 23.501 §5.7.2.5: nine others leave the video a tenth of the cell, and its guarantee gives it
/// 4 Mbit/s.
#[test]
fn a_guaranteed_rate_is_met_whatever_others_send() {
    let class = "five_qi = 4";
    let without = video(&run(NR, &bearers("nr", class, ""), 9));
    assert!(without < 300e3, "{without}");
    let with = video(&run(NR, &bearers("nr", class, "uplink_gfbr = \"4 Mbit/s\""), 9));
    close(with, 500e3 * 1000.0 / 1028.0, 0.02, "guaranteed");
}

/// TS 23.501 §5.7.2.5: a UE that has the cell for itself is granted no more than its maximum.
#[test]
fn a_maximum_rate_is_not_exceeded() {
    let keys = "uplink_mfbr = \"2 Mbit/s\"";
    let found = video(&run(NR, &bearers("nr", "five_qi = 4", keys), 0));
    close(found, 250e3 * 1000.0 / 1028.0, 0.02, "maximum");
}

/// TS 23.401 §4.7.3: LTE has both.
#[test]
fn lte_keeps_the_rates_of_its_uplink() {
    let class = "qci = 4";
    let most = "mbr = { down = \"2 Mbit/s\", up = \"2 Mbit/s\" }";
    let found = video(&run(LTE, &bearers("lte", class, most), 0));
    close(found, 250e3 * 1000.0 / 1028.0, 0.02, "maximum");
    let without = video(&run(LTE, &bearers("lte", class, ""), 19));
    let least = "gbr = { down = \"2 Mbit/s\", up = \"2 Mbit/s\" }";
    let with = video(&run(LTE, &bearers("lte", class, least), 19));
    assert!(without < 150e3, "{without}");
    close(with, 250e3 * 1000.0 / 1028.0, 0.03, "guaranteed");
}

/// The class of a UE is that of the data in its reports: with strict priority all of the video
/// arrives, though its default bearer is like the others'. A tenth of the cell would carry a
/// quarter of it.
#[test]
fn reports_set_the_class_of_a_ue() {
    let strict = format!("{NR}uplink_scheduler = \"strict_qci\"\n");
    let outcome = run(&strict, &bearers("nr", "five_qi = 4", ""), 9);
    let datagrams = table(&outcome, "datagrams");
    let Some(Data::Text(apps)) = datagrams.column("app") else { panic!("they have names") };
    let latency = crate::runs::values(&outcome, "datagrams", "latency_ms");
    let sent = crate::runs::values(&outcome, "datagrams", "sent_s");
    let rows = apps.iter().zip(sent.into_iter().zip(latency));
    let early =
        rows.filter(|(name, (sent, _))| *name == "video" && sent.is_some_and(|at| at < 5.0));
    let (sent, came) = early.fold((0, 0), |(sent, came), (_, (_, latency))| {
        (sent + 1, came + u32::from(latency.is_some()))
    });
    assert_eq!((sent, came), (5000, 5000));
}
