//! Guaranteed and maximum rates: the bytes that they count, and guarantees in every mode in which
//! the bearers of a UE share a block.

use crate::runs::{numbers, run, texts, values};

const NR: &str = "[radio.nr]\nduplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 20\n\
    bler = \"none\"\nmcs = 10\nuplink_mcs = 10\nrlc = \"um\"\nrlc_sn_length = 12\n\
    buffer = \"100 kB\"\n";
const LTE: &str = "[radio.lte]\nprofile = \"system_level\"\nbandwidth = \"5 MHz\"\n\
    um_buffer = \"100 kB\"\n";

/// A bearer besides the default one, which claims a port at the server.
fn bearer(radio: &str, name: &str, port: u16, keys: &str) -> String {
    let precedence = port % 100;
    format!(
        "[[radio.{radio}.bearer]]\nname = \"{name}\"\nrlc = \"um\"\n{keys}\n\
         [[radio.{radio}.bearer.filter]]\nprecedence = {precedence}\nserver_port = {port}\n"
    )
}

fn default_bearer(radio: &str) -> String {
    format!("[[radio.{radio}.bearer]]\nname = \"default\"\nrlc = \"um\"\n")
}

/// Datagrams in one direction.
fn stream(name: &str, direction: &str, port: u16, (payload, every_us): (u32, u32)) -> String {
    format!(
        "[[voice]]\nname = \"{name}\"\ndirection = \"{direction}\"\nport = {port}\n\
         payload = \"{payload} B\"\ninterval = \"{every_us} us\"\n"
    )
}

/// Datagrams of the stream `name` that arrive in a second, after the first two seconds of six.
fn rate_of(name: &str, text: &str) -> f64 {
    let outcome = run(&format!("duration = \"6 s\"\n{text}"), 1);
    let sent = values(&outcome, "datagrams", "sent_s");
    let latency = values(&outcome, "datagrams", "latency_ms");
    let apps = texts(&outcome, "datagrams", "app");
    let came = apps
        .iter()
        .zip(sent.into_iter().zip(latency))
        .filter_map(|(app, (sent, latency))| (app == name).then_some(sent? + latency? / 1e3));
    came.filter(|at| (2.0..6.0).contains(at)).count() as f64 / 4.0
}

fn close(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= share, "{what}: {found}, expected {expected}");
}

/// TS 36.413 §9.2.1.19, TS 38.413 §9.3.1.4: a rate counts packets as they enter the radio access
/// network and leave it. A datagram of 40 bytes is a packet of 68, whatever PDCP and RLC add (5 to
/// 7 bytes, a tenth) and however header compression shortens it (to 44): 1 Mbit/s are 1838 packets
/// a second.
#[test]
fn maximum_rates_count_packets_without_radio_headers() {
    let small = (40, 300);
    for rohc in ["", "rohc = { tcp = \"8 B\", udp = \"4 B\" }"] {
        for (direction, nr, lte) in [
            ("down", "mfbr = \"1 Mbit/s\"", "mbr = { down = \"1 Mbit/s\", up = \"9 Mbit/s\" }"),
            (
                "up",
                "uplink_mfbr = \"1 Mbit/s\"",
                "mbr = { down = \"9 Mbit/s\", up = \"1 Mbit/s\" }",
            ),
        ] {
            let cells =
                [("nr", NR, format!("five_qi = 4\n{nr}")), ("lte", LTE, format!("qci = 4\n{lte}"))];
            for (radio, cell, keys) in cells {
                let dedicated = bearer(radio, "small", 5000, &format!("{keys}\n{rohc}"));
                let text = format!(
                    "{cell}{}{dedicated}{}",
                    default_bearer(radio),
                    stream("small", direction, 5000, small)
                );
                let found = rate_of("small", &text);
                close(found, 1e6 / 8.0 / 68.0, 0.01, &format!("{radio} {direction} {rohc}"));
            }
        }
    }
}

/// TS 23.501 §5.7.2.6: the aggregate rate of all bearers of a UE counts packets alike, each way.
#[test]
fn aggregate_rates_count_packets_without_radio_headers() {
    for (direction, key) in [("down", "ue_ambr"), ("up", "uplink_ue_ambr")] {
        for (radio, cell) in [("nr", NR), ("lte", LTE)] {
            let text = format!(
                "{cell}{key} = \"1 Mbit/s\"\n{}{}",
                default_bearer(radio),
                stream("small", direction, 5000, (40, 300))
            );
            let found = rate_of("small", &text);
            close(found, 1e6 / 8.0 / 68.0, 0.01, &format!("{radio} {direction}"));
        }
    }
}

/// TS 23.501 §5.7.2.6: the aggregate of the uplink covers two bearers together, and excludes a
/// bearer of a class with guaranteed rates.
#[test]
fn an_aggregate_of_the_uplink_spares_guaranteed_classes() {
    let text = format!(
        "{NR}uplink_ue_ambr = \"2 Mbit/s\"\n{}{}{}{}{}{}",
        default_bearer("nr"),
        bearer("nr", "video", 5000, "five_qi = 4"),
        bearer("nr", "other", 5001, "five_qi = 8"),
        stream("video", "up", 5000, (1000, 2000)),
        stream("other", "up", 5001, (1000, 2000)),
        stream("rest", "up", 7000, (1000, 2000)),
    );
    close(rate_of("video", &text), 500.0, 0.01, "video");
    let both = rate_of("other", &text) + rate_of("rest", &text);
    close(both, 2e6 / 8.0 / 1028.0, 0.01, "the others");
}

/// TS 23.501 §5.7.2.5: a guarantee holds against a more urgent bearer of the UE that has more data
/// than the cell carries, in each mode of sharing. The video sends 1.96 Mbit/s of the 2 that it is
/// guaranteed, in cells of 2.6 and 3.7 Mbit/s: by priority alone none of it would arrive, and by
/// equal shares a third of a block.
#[test]
fn a_guarantee_holds_in_every_mode_of_sharing() {
    let (video, flood) = ((1000, 4200), (1000, 200));
    for mode in ["priority", "buckets", "equal"] {
        for (radio, cell, class, urgent) in [
            ("nr", NR, "five_qi = 4\ngfbr = \"2 Mbit/s\"", "five_qi = 5"),
            ("lte", LTE, "qci = 4\ngbr = { down = \"2 Mbit/s\", up = \"1 kbit/s\" }", "qci = 5"),
        ] {
            let small = if radio == "nr" {
                cell.replace("mcs = 10", "mcs = 1").replace("= 20", "= 5")
            } else {
                cell.replace("5 MHz", "1.4 MHz")
            };
            let text = format!(
                "{small}sharing = \"{mode}\"\n{}{}{}{}{}{}",
                default_bearer(radio),
                bearer(radio, "video", 5000, class),
                bearer(radio, "urgent", 5001, urgent),
                stream("video", "down", 5000, video),
                stream("urgent", "down", 5001, flood),
                stream("rest", "down", 7000, flood),
            );
            close(rate_of("video", &text), 1e6 / 4200.0, 0.01, &format!("{radio} {mode}"));
        }
    }
}

/// TS 38.321 §5.4.3.1: in the uplink of NR the UE keeps the guarantee by the prioritised bit rate
/// that the base station derives from it.
#[test]
fn uplink_guarantee_sets_the_prioritised_rate() {
    let video = bearer("nr", "video", 5000, "five_qi = 4\nuplink_gfbr = \"2 Mbit/s\"");
    let urgent = bearer("nr", "urgent", 5001, "five_qi = 5");
    let text = format!(
        "{NR}{}{video}{urgent}{}{}",
        default_bearer("nr"),
        stream("video", "up", 5000, (1000, 4200)),
        stream("urgent", "up", 5001, (1000, 100)),
    );
    close(rate_of("video", &text), 1e6 / 4200.0, 0.01, "video");
}

/// UEs of LTE keep a guarantee only by token buckets; with another rule a warning says so.
#[test]
fn guarantee_that_no_rule_keeps_warns() {
    let warnings = |sharing: &str, urgent: &str| {
        let keys = "qci = 4\ngbr = { down = \"2 Mbit/s\", up = \"2 Mbit/s\" }";
        let text = format!(
            "duration = \"0.1 s\"\n{LTE}uplink_sharing = \"{sharing}\"\n{}{}{}{}",
            default_bearer("lte"),
            bearer("lte", "video", 5000, keys),
            bearer("lte", "urgent", 5001, urgent),
            stream("video", "up", 5000, (1000, 4200)),
        );
        let outcome = run(&text, 1);
        assert!(!numbers(&outcome, "datagrams", "number").is_empty());
        let said = texts(&outcome, "warnings", "text");
        said.iter().filter(|text| text.contains("radio.lte.bearer.1.gbr.up")).count()
    };
    assert_eq!(warnings("priority", "qci = 5"), 1);
    assert_eq!(warnings("equal", "qci = 8"), 1);
    assert_eq!(warnings("priority", "qci = 8"), 0, "the video is the most urgent");
    assert_eq!(warnings("buckets", "qci = 5"), 0);
}
