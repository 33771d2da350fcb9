//! Scenarios at the edge of the accepted: they run and end, or are refused with the key that is
//! wrong.

use crate::runs::{numbers, table};
use uplane::record::Data;
use uplane::scenario::{Outcome, Scenario};

fn run(text: &str) -> Outcome {
    crate::runs::run(text, 1)
}

/// Returns the reason for a refusal; `None` if the scenario is accepted.
fn refusal(text: &str) -> Option<String> {
    Scenario::from_toml(text, "test", &[]).err().map(|error| error.to_string())
}

/// RFC 791 §3.2: any host reassembles fragments, also a server with an address.
#[test]
fn server_with_an_address_reassembles_fragments() {
    let outcome = run(r#"
        [radio.fixed]
        rtt = "20 ms"
        [[link]]
        name = "narrow"
        mtu = "576 B"
        [[ping]]
        name = "one"
        packet = "1000 B"
        count = 2
        server_address = "198.51.100.7"
        [[ping]]
        name = "other"
        packet = "1400 B"
        count = 2
        server_address = "198.51.100.8"
    "#);
    assert_eq!(numbers(&outcome, "pings", "rtt_ms"), [20.0; 4]);
}

/// Of five datagrams, one each 20 ms over a link of 30 ms, the second is lost, and the last is
/// still on its way when the run ends after 99 ms. Of the echoes, which wait 60 ms for their
/// answer, one request and one answer are lost, and two are open.
#[test]
fn packets_in_flight_at_end_are_not_lost() {
    let outcome = run(r#"
        duration = "99 ms"
        [radio.fixed]
        rtt = "0 ms"
        [[link]]
        name = "lossy"
        delay = "30 ms"
        down.lost_packets = [2]
        [[voice]]
        name = "call"
        direction = "down"
        payload = "100 B"
        interval = "20 ms"
    "#);
    assert_eq!(texts(&outcome, "datagrams", "fate"), ["came", "came", "came", "lost", "open"]);
    assert_eq!(numbers(&outcome, "datagrams", "number"), [0.0, 2.0, 3.0, 1.0, 4.0]);
    let outcome = run(r#"
        duration = "99 ms"
        [radio.fixed]
        rtt = "0 ms"
        [[link]]
        name = "lossy"
        delay = "30 ms"
        down.lost_packets = [1]
        up.lost_packets = [3]
        [[ping]]
        name = "echo"
        interval = "15 ms"
        count = 6
    "#);
    assert_eq!(numbers(&outcome, "pings", "number"), [1.0, 0.0, 2.0, 3.0, 4.0, 5.0]);
    let fates = texts(&outcome, "pings", "fate");
    assert_eq!(fates, ["came", "lost", "lost", "open", "open", "open"]);
}

/// A datagram of 1228 bytes needs three fragments on a link of 576 bytes, of which the next link
/// loses three in ten: 0.657 of the datagrams lack at least one. The standard deviation of the
/// share of 2000 is 0.0106.
#[test]
fn a_datagram_whose_fragment_is_lost_is_lost() {
    let outcome = run(r#"
        duration = "100 s"
        [radio.fixed]
        rtt = "0 ms"
        [[link]]
        name = "lossy"
        frame_loss = 0.3
        [[link]]
        name = "narrow"
        mtu = "576 B"
        [[voice]]
        name = "call"
        direction = "up"
        payload = "1200 B"
        interval = "50 ms"
        count = 2000
    "#);
    let fates = texts(&outcome, "datagrams", "fate");
    let count = |fate: &str| fates.iter().filter(|it| *it == fate).count();
    assert_eq!((fates.len(), count("open")), (2000, 0));
    let lost = count("lost") as f64 / 2000.0;
    assert!((lost - 0.657).abs() < 4.0 * 0.0106, "{lost}");
}

fn texts(outcome: &Outcome, name: &str, column: &str) -> Vec<String> {
    let Some(Data::Text(words)) = table(outcome, name).column(column) else { panic!("words") };
    words.iter().map(str::to_owned).collect()
}

const EDGE: &str = r#"
    [radio.fixed]
    rtt = "20 ms"
    [[link]]
    name = "internet"
    delay = "30 ms"
    [[link]]
    name = "core"
    delay = "5 ms"
    [[link]]
    name = "backhaul"
    delay = "1 ms"
"#;

const PINGS: &str = r#"
    [[ping]]
    name = "far"
    count = 2
    [[ping]]
    name = "near"
    count = 2
    server_link = "core"
    [[ping]]
    name = "at the edge"
    count = 2
    server_link = "backhaul"
"#;

/// A packet passes the links between its server and the base station, in both directions, and no
/// other; links of a tunnel may be among them.
#[test]
fn server_may_be_at_any_link_outside_tunnels() {
    for tunnel in ["", "[gtpu]\nlinks = [\"backhaul\"]\n"] {
        let outcome = run(&format!("{EDGE}{tunnel}{PINGS}"));
        let rtts = numbers(&outcome, "pings", "rtt_ms");
        assert_eq!(rtts, [22.0, 32.0, 92.0, 22.0, 32.0, 92.0], "with {tunnel:?}");
        // Internet, core, backhaul: down, then up.
        let entered = numbers(&outcome, "hops", "packets_in");
        assert_eq!(&entered[..6], [2.0, 4.0, 6.0, 2.0, 4.0, 6.0], "with {tunnel:?}");
    }
}

#[test]
fn server_inside_a_tunnel_or_unlinked_is_refused() {
    let tunnel = "[gtpu]\nlinks = [\"core\", \"backhaul\"]\n";
    let inside = refusal(&format!("{EDGE}{tunnel}{PINGS}")).expect("refused");
    assert!(inside.contains("ping.2.server_link: found \"backhaul\""), "{inside}");
    let nowhere = refusal(&format!("{EDGE}{PINGS}").replace("link = \"core\"", "link = \"cor\""));
    let nowhere = nowhere.expect("refused");
    assert!(nowhere.contains("ping.1.server_link: found \"cor\""), "{nowhere}");
    assert!(nowhere.contains("did you mean"), "{nowhere}");
}

/// The bound of a greedy sender has to be on its path: a rate, rates over time or a trace.
#[test]
fn greedy_sender_needs_a_bound_on_its_path() {
    let with = |bound: &str, server: &str| {
        let radio = "[radio.fixed]\nrtt = \"20 ms\"\n";
        let links = format!("[[link]]\nname = \"far\"\n{bound}\n[[link]]\nname = \"near\"\n");
        refusal(&format!("{radio}{links}[[bulk]]\nname = \"all\"\nserver_link = \"{server}\"\n"))
    };
    let rates = "rates = [{ at = \"0 s\", rate = \"1 Mbit/s\" }]";
    for bound in ["rate = \"1 Mbit/s\"", rates, "trace = \"1 2\"", &format!("down.{rates}")] {
        assert_eq!(with(bound, "far"), None, "{bound}");
        let message = with(bound, "near").expect("refused");
        assert!(message.contains("bulk.0: found a greedy sender"), "{message}");
    }
    assert!(with("up.rate = \"1 Mbit/s\"", "far").is_some(), "it bounds no download");
}

/// Events at one instant have to end, also for a server that is nearer than the slow links.
#[test]
fn endless_instant_of_a_file_is_refused() {
    let with = |server: &str| {
        let links = "[[link]]\nname = \"far\"\ndelay = \"1 ms\"\n[[link]]\nname = \"near\"\n";
        let app = "[[download]]\nname = \"f\"\nfile = \"1000 GB\"\n";
        refusal(&format!("[radio.fixed]\n{links}{app}server_link = \"{server}\"\n"))
    };
    assert_eq!(with("far"), None);
    assert!(with("near").expect("refused").contains("download.0.file"));
}

/// Links without delay hand a packet on within one instant, however many there are.
#[test]
fn many_links_need_only_a_small_stack() {
    let links: Vec<String> =
        (0..6000).map(|link| format!("[[link]]\nname = \"l{link}\"\n")).collect();
    let links = links.concat();
    let text =
        format!("[radio.fixed]\nrtt = \"20 ms\"\n{links}[[ping]]\nname = \"p\"\ncount = 1\n");
    let rtt = std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || numbers(&run(&text), "pings", "rtt_ms"))
        .expect("a thread")
        .join();
    assert_eq!(rtt.expect("no panic"), [20.0]);
}

/// A duration takes no memory: 11 days of random access are one entry in the future.
#[test]
fn a_long_random_access_takes_no_memory() {
    for text in ["random_access = \"1000000 s\"", "random_access = \"100000 s\"\nsr_period = 80"] {
        let ping = "[[ping]]\nname = \"p\"\ncount = 1";
        let outcome = run(&format!("[radio.lte]\n{text}\n{ping}\n"));
        assert_eq!(numbers(&outcome, "pings", "sent_s"), [0.0]);
    }
}

/// The causes sum to the time from start to completion, also when the user thinks before each
/// object.
#[test]
fn critical_path_of_a_page_sums_to_duration() {
    for connections in [1, 2, 3] {
        let outcome = run(&format!(
            r#"
            [radio.fixed]
            rtt = "50 ms"
            down = "1 Mbit/s"
            up = "1 Mbit/s"
            [[web]]
            name = "w"
            objects = ["10 kB", "20 kB", "5 kB"]
            think = "100 ms"
            parallel = {connections}
            [record]
            critical_path = true
            "#
        ));
        let durations = numbers(&outcome, "transfers", "duration_s");
        let page = durations.iter().copied().fold(0.0, f64::max) * 1e3;
        let path: f64 = numbers(&outcome, "critical_path", "time_ms").iter().sum();
        assert!((page - path).abs() < 1e-6, "{path} ms of {page} ms, {connections} connections");
    }
}

/// If all places are at the antennas' feet, a place near a site hears another site better.
#[test]
fn network_whose_sites_have_no_places_is_refused() {
    let network = |distance: u32, more: &str| {
        refusal(&format!(
            "[radio.lte.network]\ninter_site_distance_m = {distance}\n{more}\n[[ping]]\nname = \"a\"\n"
        ))
    };
    let refused = network(100, "shadowing = false").expect("no place of site 0 is its own");
    for words in ["test:2", "radio.lte.network.inter_site_distance_m", "100", "position"] {
        assert!(refused.contains(words), "{refused}");
    }
    for (distance, more) in [(100, ""), (140, "shadowing = false"), (500, "shadowing = false")] {
        assert_eq!(network(distance, more), None, "{distance} m {more}");
    }
    assert!(network(100, "shadowing = false\nequal_per_cell = true").is_some());
    assert_eq!(network(100, "shadowing = false\nedge = \"wrapped\""), None);
}

/// RFC 5795 §5.2.1: every packet of ROHC has at least one byte, which names its context.
#[test]
fn a_compressed_header_has_a_byte_at_least() {
    for (name, other) in [("tcp", "udp"), ("udp", "tcp")] {
        let bearer = |size: &str| {
            refusal(&format!(
                "[radio.lte]\nprofile = \"tti_study\"\nrate = \"21 Mbit/s\"\n[[radio.lte.bearer]]\nname = \"b\"\nrohc = {{ {name} = \"{size}\", {other} = \"3 B\", initial = 5 }}\n[[ping]]\nname = \"p\"\n"
            ))
        };
        let refused = bearer("0 B").expect("no header of no bytes");
        assert!(refused.contains(&format!("rohc.{name}")), "{refused}");
        assert_eq!(bearer("1 B"), None);
    }
}

/// If nothing takes time, everything happens at one instant, which no duration ends.
#[test]
fn path_without_delay_carries_no_endless_file() {
    let path = |radio: &str, link: &str, app: &str| {
        refusal(&format!("[radio.fixed]\n{radio}\n[[link]]\nname = \"l\"\n{link}\n{app}\n"))
    };
    let large = "[[download]]\nname = \"d\"\nfile = \"100 GB\"";
    let refused = path("", "", large).expect("an endless instant");
    assert!(refused.contains("radio.fixed") && refused.contains("without any delay"), "{refused}");
    assert_eq!(path("", "", "[[download]]\nname = \"d\"\nfile = \"1 MB\""), None);
    assert_eq!(path("", "", "[[ping]]\nname = \"p\""), None);
    for (radio, link) in [
        ("rtt = \"1 ms\"", ""),
        ("up = \"1 Gbit/s\"", ""),
        ("", "rate = \"1 Gbit/s\""),
        ("", "delay = \"1 us\""),
    ] {
        assert_eq!(path(radio, link, large), None, "{radio} {link}");
    }
}

/// Also in a network, whose noise depends on the spacing.
#[test]
fn absurd_subcarrier_spacing_is_refused_before_its_use() {
    let text = r#"
        [radio.lte]
        subcarrier_spacing_khz = 4294967295
        [radio.lte.network]
        [[ping]]
        name = "echo"
    "#;
    let why = refusal(text).expect("no such spacing");
    assert!(why.contains("found 4294967295, expected 15, 30, 60 or 120 kHz"), "{why}");
}
