//! Whole runs from text agree with closed forms.

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, Simulation, simulate};

pub(crate) fn run(text: &str, seed: u64) -> Outcome {
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, seed)
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
    outcome.tables.iter().find(|table| table.name == name).expect("a table of every run")
}

fn numbers(outcome: &Outcome, name: &str, column: &str) -> Vec<Option<f64>> {
    match table(outcome, name).column(column).expect("a column") {
        Data::F64(values) => values.clone(),
        Data::U64(values) => values.iter().map(|&value| Some(value as f64)).collect(),
        Data::Text(_) => panic!("{column} is text"),
    }
}

fn only(outcome: &Outcome, name: &str, column: &str) -> f64 {
    let values = numbers(outcome, name, column);
    assert_eq!(values.len(), 1, "{name}.{column} has one row");
    values[0].expect("a value")
}

fn texts(outcome: &Outcome, name: &str, column: &str) -> Vec<String> {
    match table(outcome, name).column(column).expect("a column") {
        Data::Text(values) => values.iter().map(str::to_owned).collect(),
        _ => panic!("{column} is no text"),
    }
}

pub(crate) fn warnings(outcome: &Outcome) -> Vec<String> {
    texts(outcome, "warnings", "text")
}

fn sum(outcome: &Outcome, name: &str, column: &str) -> f64 {
    numbers(outcome, name, column).into_iter().map(|value| value.expect("a value")).sum()
}

/// 84 B at 8 kbit/s take 84 ms each way; 10 ms of delay on the link and 10 ms on the radio each
/// way.
#[test]
fn ping_takes_serialisation_and_propagation() {
    let outcome = run(
        r#"
        [radio.fixed]
        down = "8 kbit/s"
        up = "8 kbit/s"
        rtt = "20 ms"
        [[link]]
        name = "core"
        delay = "10 ms"
        [[ping]]
        name = "echo"
        count = 3
        "#,
        1,
    );
    assert_eq!(numbers(&outcome, "pings", "rtt_ms"), vec![Some(208.0); 3]);
}

/// The oracle of the GERAN study: mean 64 B ping = 2L + 3·TTI without errors.
#[test]
fn geran_ping_without_errors_takes_three_ttis() {
    let means: Vec<f64> = (0..200)
        .map(|seed| {
            let text = r#"
                duration = "200 s"
                [radio.geran]
                profile = "edge"
                rlc_rtt = "50 ms"
                bler = 0
                [[link]]
                name = "server"
                delay = "10 ms"
                [[ping]]
                name = "echo"
                packet = "64 B"
                interval = "2.002 s"
                count = 50
                "#;
            let outcome = run(text, seed);
            sum(&outcome, "pings", "rtt_ms") / 50.0
        })
        .collect();
    let mean = means.iter().sum::<f64>() / 200.0;
    // Each run's mean is uniform over ±10 ms by its grid phases: the standard error is 0.41 ms.
    assert!((mean - 80.0).abs() < 4.0 * 0.41, "{mean}");
}

/// One scenario and seed always give equal tables; another seed gives others.
#[test]
fn the_same_seed_gives_the_same_tables() {
    let text = include_str!("../../../../examples/edge-download.toml");
    assert_eq!(run(text, 7).tables, run(text, 7).tables);
    assert_ne!(run(text, 7).tables, run(text, 8).tables);
}

/// Every place returns all packets: in = out + dropped + held.
#[test]
fn every_example_conserves_packets_and_bytes() {
    for text in EXAMPLES {
        let outcome = run(text, 3);
        for row in 0..table(&outcome, "hops").rows() {
            let value = |name: &str| numbers(&outcome, "hops", name)[row].expect("a count");
            for of in ["packets", "bytes"] {
                let parts = ["out", "dropped", "held"].map(|part| value(&format!("{of}_{part}")));
                assert!(
                    (value(&format!("{of}_in")) - parts.iter().sum::<f64>()).abs() < 0.5,
                    "row {row}"
                );
            }
        }
    }
}

/// The shares of time by limit of a sender sum to one.
#[test]
fn limits_of_a_sender_share_the_whole_time() {
    for text in EXAMPLES {
        let outcome = run(text, 3);
        let rows = table(&outcome, "connections").rows();
        for row in 0..rows {
            let shares: f64 = LIMITS
                .iter()
                .map(|name| numbers(&outcome, "connections", name)[row].expect("a share"))
                .sum();
            assert!((shares - 1.0).abs() < 1e-9, "row {row}: {shares}");
        }
    }
}

/// The ledger of every delivered packet sums to its latency.
#[test]
fn causes_of_each_packet_sum_to_its_latency() {
    for text in EXAMPLES {
        let scenario =
            Scenario::from_toml(text, "example", &[("record.packets".into(), "true".into())]);
        let outcome = simulate(&scenario.unwrap_or_else(|error| panic!("{error}")), 5);
        let column = |name: &str| numbers(&outcome, "packets", name);
        let (ids, starts, ends, times) =
            (column("packet"), column("started_s"), column("delivered_s"), column("time_ms"));
        let mut row = 0;
        while row < ids.len() {
            let first = row;
            let mut total = 0.0;
            while row < ids.len()
                && ids[row] == ids[first]
                && starts[row] == starts[first]
                && ends[row] == ends[first]
            {
                total += times[row].expect("a time");
                row += 1;
            }
            let latency = (ends[first].expect("a time") - starts[first].expect("a time")) * 1e3;
            assert!(
                (total - latency).abs() < 1e-3,
                "packet {:?}: {total} of {latency} ms",
                ids[first]
            );
        }
    }
}

/// Causes of a transfer's critical path, with their times in ms.
fn critical_path(outcome: &Outcome) -> Vec<(String, f64)> {
    let Some(Data::Text(causes)) = table(outcome, "critical_path").column("cause") else {
        panic!("causes are text")
    };
    let times = numbers(outcome, "critical_path", "time_ms");
    causes.iter().map(str::to_owned).zip(times.into_iter().flatten()).collect()
}

/// A handshake and a request with its answer of four segments: two round trips, and three packets
/// more at 12 Mbit/s (the last of them is the critical one; 1500 B take 1 ms).
#[test]
fn critical_path_sums_round_trips_and_transmissions() {
    let outcome = run(
        r#"
        [radio.fixed]
        rtt = "100 ms"
        [[link]]
        name = "core"
        rate = "12 Mbit/s"
        up = { rate = "1 Gbit/s" }
        [tcp.default]
        initial_window = 10
        timestamps = false
        [[download]]
        name = "file"
        file = "5840 B"
        request = "1 B"
        [record]
        critical_path = true
        "#,
        1,
    );
    let path = critical_path(&outcome);
    let time =
        |cause: &str| path.iter().filter(|(name, _)| name == cause).map(|row| row.1).sum::<f64>();
    assert!((time("propagation") - 200.0).abs() < 1e-9, "{path:?}");
    assert!((time("core queue") - 3.0).abs() < 1e-3, "three segments before the last: {path:?}");
    // The last segment, the SYN-ACK, and little for three small packets at 1 Gbit/s.
    assert!((time("serialisation") - 1.0).abs() < 0.04, "{path:?}");
    assert!(
        (path.iter().map(|row| row.1).sum::<f64>()
            - 1e3 * only(&outcome, "transfers", "duration_s"))
        .abs()
            < 1e-6
    );
}

/// A run may be cut anywhere: its results do not change, and its time continues.
#[test]
fn a_run_may_be_made_in_parts() {
    let text = include_str!("../../../../examples/web-page.toml");
    let scenario = Scenario::from_toml(text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
    let whole = simulate(&scenario, 3);
    let mut parts = Simulation::new(&scenario, 3);
    let mut times = vec![parts.now()];
    while !parts.advance(97) {
        times.push(parts.now());
    }
    let end = parts.now();
    let outcome = parts.finish();
    assert_eq!((&outcome.tables, outcome.events), (&whole.tables, whole.events));
    assert!(times.len() as u64 == outcome.events.div_ceil(97) && times.is_sorted());
    assert!((only(&whole, "run", "simulated_s") - end.as_secs_f64()).abs() < 1e-9);
    assert!(times[times.len() / 2] > times[0]);
}

/// RFC 1191 §3: a router reports a packet that is too long and must not be fragmented; the sender
/// then keeps to the reported length, so that nothing is fragmented. An answer to a UE crosses the
/// radio.
#[test]
fn sender_obeys_the_mtu_of_a_router() {
    for (app, way) in [("download", "down"), ("upload", "up")] {
        let text = format!(
            r#"
            [radio.fixed]
            rtt = "20 ms"
            [[link]]
            name = "narrow"
            mtu = "1000 B"
            [tcp.default]
            path_mtu_discovery = true
            [[{app}]]
            name = "file"
            file = "100 kB"
            "#
        );
        let outcome = run(&text, 1);
        assert!(numbers(&outcome, "transfers", "completed_s")[0].is_some(), "{app}");
        assert_eq!(texts(&outcome, "drops", "cause"), ["too big"]);
        assert_eq!(texts(&outcome, "drops", "direction"), [way]);
        let refused = only(&outcome, "drops", "packets");
        let hops =
            texts(&outcome, "hops", "hop").into_iter().zip(texts(&outcome, "hops", "direction"));
        let places: Vec<_> = hops.collect();
        let of = |hop: &str, direction: &str, column: &str| {
            let row = places.iter().position(|it| (&*it.0, &*it.1) == (hop, direction));
            numbers(&outcome, "hops", column)[row.expect("a hop")].expect("a count")
        };
        assert!(
            of("link narrow", way, "bytes_out") / of("link narrow", way, "packets_out") < 1000.0
        );
        if way == "up" {
            let answers =
                of("radio", "down", "packets_in") - of("link narrow", "down", "packets_out");
            assert!((answers - refused).abs() < 0.5, "{answers} answers to {refused} packets");
        }
    }
}

/// The processor of a tunnel's end takes 2 ms for a fragment and no time for a packet: a short
/// packet behind a long one in two fragments leaves with it, after 4 ms.
#[test]
fn packets_leave_a_tunnel_together() {
    let text = r#"
        [radio.fixed]
        rtt = "20 ms"
        [[link]]
        name = "backhaul"
        mtu = "1400 B"
        [gtpu]
        links = ["backhaul"]
        per_fragment = "2 ms"
        [[voice]]
        name = "long"
        payload = "1400 B"
        count = 1
        [[voice]]
        name = "short"
        payload = "100 B"
        count = 1
        [record]
        deliveries = true
    "#;
    let outcome = run(text, 1);
    assert_eq!(numbers(&outcome, "deliveries", "time_s"), [Some(0.014); 2]);
}

/// While the user thinks, the receiver's timer for its acknowledgement expires; the request that
/// follows waited for the user nevertheless.
#[test]
fn think_time_is_no_wait_of_the_transport() {
    let outcome = run(
        r#"
        [radio.fixed]
        rtt = "50 ms"
        [[web]]
        name = "w"
        objects = ["1 kB", "1 kB", "1 kB"]
        persistent = true
        think = "300 ms"
        [record]
        critical_path = true
        "#,
        1,
    );
    let path = critical_path(&outcome);
    // A handshake and three requests.
    let expected = [("application wait", 900.0), ("propagation", 200.0)];
    assert_eq!(path, expected.map(|(cause, ms)| (cause.to_owned(), ms)));
    let shares: f64 = numbers(&outcome, "critical_path", "share").into_iter().flatten().sum();
    let times: f64 = path.iter().map(|row| row.1).sum();
    assert!((shares - 1.0).abs() < 1e-9);
    let share = numbers(&outcome, "critical_path", "share")[0].expect("a share");
    assert!((share - path[0].1 / times).abs() < 1e-9);
}

/// The last packets of a connection that closes meanwhile do not delay the user.
#[test]
fn think_time_is_no_wait_for_a_close() {
    let page = "[radio.fixed]\nrtt = \"50 ms\"\n[[web]]\nname = \"w\"\nobjects = [\"1 kB\", \"1 kB\", \"1 kB\"]\nthink = \"300 ms\"\n[record]\ncritical_path = true\n";
    // Three handshakes and three requests.
    let expected = [("application wait", 900.0), ("propagation", 300.0)];
    assert_eq!(critical_path(&run(page, 1)), expected.map(|(cause, ms)| (cause.to_owned(), ms)));
}

/// A sender that waits for its timer recovers from a loss; this is no wait for an application.
#[test]
fn timeout_on_the_critical_path_is_loss_recovery() {
    let outcome = run(
        r#"
        [radio.fixed]
        rtt = "50 ms"
        [[link]]
        name = "lossy"
        packet_loss = 0.2
        [[ue]]
        name = "ue"
        count = 50
        [[download]]
        name = "d"
        ue = "ue"
        file = "1 kB"
        [record]
        critical_path = true
        "#,
        1,
    );
    let path = critical_path(&outcome);
    let of = |cause: &str| path.iter().filter(|row| row.0 == cause).map(|row| row.1).sum::<f64>();
    // A third of the handshakes and requests alone lose a packet, each for a second at least.
    assert!(of("loss recovery") > 15_000.0, "{}", of("loss recovery"));
    assert!(of("application wait") < 1e-6, "{}", of("application wait"));
}

/// In every example the causes of a transfer sum to the time from its start to its completion.
#[test]
fn causes_of_a_critical_path_sum_to_duration() {
    let mut transfers = 0;
    for text in EXAMPLES {
        let set = [("record.critical_path".into(), "true".into())];
        let scenario = Scenario::from_toml(text, "example", &set);
        let outcome = simulate(&scenario.unwrap_or_else(|error| panic!("{error}")), 5);
        let column = |name: &str| numbers(&outcome, "transfers", name);
        let Some(Data::Text(kinds)) = table(&outcome, "transfers").column("kind") else {
            panic!("kinds are text")
        };
        let spans = column("started_s").into_iter().zip(column("completed_s")).zip(kinds.iter());
        let expected: f64 = spans
            .filter(|(_, kind)| *kind != "object")
            .filter_map(|((started, completed), _)| {
                transfers += 1;
                Some(completed? - started?)
            })
            .sum();
        let booked: f64 = critical_path(&outcome).iter().map(|row| row.1 / 1e3).sum();
        assert!((booked - expected).abs() < 1e-6, "{booked} s of {expected} s in\n{text}");
    }
    assert!(transfers > 3, "the examples have transfers");
}

/// With a window larger than the path, a long transfer has the channel's rate.
#[test]
fn a_greedy_flow_fills_the_channel() {
    let text = r#"
        duration = "20 s"
        [radio.fixed]
        down = "21 Mbit/s"
        rtt = "20 ms"
        buffer = "200 kB"
        [[bulk]]
        name = "greedy"
        "#;
    let outcome = run(text, 1);
    // 1448 B of payload in 1500 B of IP packet.
    let most = 21_000.0 * 1448.0 / 1500.0;
    let rate = only(&outcome, "transfers", "rate_kbps");
    assert!(rate > 0.97 * most && rate <= most, "{rate} of {most} kbit/s");
}

/// The user's 1500 B do not fit through the tunnel: each full packet crosses the backhaul in two
/// pieces, and costs 1632 B of Ethernet for 1460 B.
#[test]
fn long_packet_crosses_the_tunnel_in_two_fragments() {
    let scenario = |mtu: &str| {
        let text = include_str!("../../../../examples/backhaul-mtu.toml");
        // Without drops: a full queue would take the short second piece of a packet whose first it
        // refused.
        let set = [
            ("tcp.default.mtu", mtu),
            ("tcp.default.base", "bare"),
            ("tcp.default.window_scaling", "true"),
            ("tcp.default.receive_buffer", "1073741824 B"),
            ("link.backhaul.queue", "unlimited"),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()));
        let scenario =
            Scenario::from_toml(text, "example", &set).unwrap_or_else(|error| panic!("{error}"));
        simulate(&scenario, 1)
    };
    let backhaul = |outcome: &Outcome, column: &str| {
        let hops = table(outcome, "hops");
        let (Some(Data::Text(names)), Some(Data::Text(ways))) =
            (hops.column("hop"), hops.column("direction"))
        else {
            panic!("places have names");
        };
        let row =
            (0..hops.rows()).find(|&row| &names[row] == "link backhaul" && &ways[row] == "down");
        numbers(outcome, "hops", column)[row.expect("the backhaul")].expect("a count")
    };
    let (long, short) = (scenario("1500 B"), scenario("1464 B"));
    let segments = |mss: f64| (20e6 / mss).ceil();
    assert!(backhaul(&long, "packets_in") >= 2.0 * segments(1460.0));
    assert!(backhaul(&short, "packets_in") < 1.1 * segments(1424.0));
    let per_packet = backhaul(&long, "wire_bytes") / backhaul(&long, "packets_out");
    assert!((per_packet - 816.0).abs() < 2.0, "{per_packet}");
}

/// A call with a dedicated bearer does not wait in the radio behind a download; in the default
/// bearer, it waits behind up to 10 240 bytes at 4.4 Mbit/s, which are 18.6 ms.
#[test]
fn call_on_its_own_bearer_avoids_the_queue() {
    let queue_ms = |port: &str| radio_queue_of_call_ms(BEARERS, &[("voice.call.port", port)]);
    let (own, shared) = (queue_ms("5004"), queue_ms("5006"));
    assert!(own < 0.01 && (5.0..18.6).contains(&shared), "{own} ms beside {shared} ms");
}

/// 20 ms each way: the server can send after one round trip when it opens the connection itself,
/// and after one and a half when the UE does (RFC 9293 §3.5).
#[test]
fn server_that_opens_saves_half_a_round_trip() {
    let first_sent = |opens: &str| {
        let text = format!(
            "[radio.fixed]\nrtt = \"20 ms\"\n[[link]]\nname = \"core\"\ndelay = \"10 ms\"\n[[download]]\nname = \"push\"\nfile = \"1 kB\"\nrequest = \"0 B\"\nopens = \"{opens}\"\n"
        );
        only(&run(&text, 1), "transfers", "first_sent_s")
    };
    assert!((first_sent("server") - 0.040).abs() < 1e-9);
    assert!((first_sent("ue") - 0.060).abs() < 1e-9);
}

/// TS 24.008 §10.5.6.12: a filter may name the remote address and its mask, or the local one.
#[test]
fn filter_by_address_claims_only_that_flow() {
    for (filter, key, [claimed, other]) in [
        ("server_address", "voice.call.server_address", ["203.0.113.9", "198.51.100.9"]),
        ("ue_address", "ue.0.address", ["203.0.113.200", "10.45.0.1"]),
    ] {
        let wanted = format!("{filter} = \"203.0.113.0/24\"");
        let text = BEARERS.replace("server_port = 5004", &wanted) + "\n[[ue]]\nname = \"ue\"\n";
        let [own, shared] = [claimed, other].map(|it| radio_queue_of_call_ms(&text, &[(key, it)]));
        assert!(own < 0.01 && (5.0..18.6).contains(&shared), "{filter}: {own}, {shared} ms");
    }
}

/// TS 36.213 §10.1.5: with a period of 40 TTIs an upload waits up to 40 ms for its first occasion.
/// With occasions in turn, that of the first UE is at the beginning of each run.
#[test]
fn the_occasion_of_a_request_may_be_drawn() {
    let completed = |offset: &str, seed| {
        let text = format!(
            "[radio.lte]\nbler = [0]\nsr_period = 40\nsr_offset = \"{offset}\"\nfeedback = {{ sr_missed = 0 }}\n[[upload]]\nname = \"photo\"\nfile = \"1 kB\"\nhandshake = false\n"
        );
        only(&run(&text, seed), "transfers", "completed_s")
    };
    let spread = |offset: &str| {
        let times: Vec<f64> = (1..=40).map(|seed| completed(offset, seed)).collect();
        let [least, most] = [f64::min, f64::max].map(|of| times.iter().copied().reduce(of));
        most.expect("forty") - least.expect("forty")
    };
    assert!(spread("random") > 0.030);
    // The grid of slots is drawn too.
    assert!(spread("in_turn") <= 0.001);
}

/// TS 24.008 §10.5.6.12: a filter may name a range of ports, and both ends of it belong to it.
#[test]
fn filter_by_port_range_claims_both_ends() {
    let text = BEARERS.replace("server_port = 5004", "server_port = \"5000-5100\"");
    let queue_ms = |port| radio_queue_of_call_ms(&text, &[("voice.call.port", port)]);
    for inside in ["5000", "5100"] {
        assert!(queue_ms(inside) < 0.01, "port {inside}");
    }
    for outside in ["4999", "5101"] {
        assert!((5.0..18.6).contains(&queue_ms(outside)), "port {outside}");
    }
}

/// A bearer that no packet uses leaves no trace in a table, so a warning says so.
#[test]
fn filter_that_claims_no_packet_warns() {
    let of_filters = |text: &str, set: &[(&str, &str)]| {
        let given = warnings(&run_with(text, set));
        given.into_iter().filter(|text| text.starts_with("bearer")).collect::<Vec<_>>()
    };
    assert_eq!(of_filters(BEARERS, &[]), [""; 0]);
    let expected = "bearer low-latency: its filter of precedence 1 (UDP, server port 5004) has claimed no packet";
    assert_eq!(of_filters(BEARERS, &[("voice.call.port", "5006")]), [expected]);
    let nobody = BEARERS.replace("server_port = 5004", "ue_address = \"192.0.2.0/24\"");
    let expected = "bearer low-latency: its filter of precedence 1 (UDP, UE 192.0.2.0/24) has claimed no packet";
    assert_eq!(of_filters(&nobody, &[]), [expected]);
}

/// Below the lowest channel quality there is no block, and a warning says so: otherwise a user
/// would see only a handshake that timed out.
#[test]
fn a_ue_out_of_coverage_is_warned_of() {
    let cell = "duration = \"30 s\"\n[radio.lte]\n[[download]]\nname = \"file\"\nfile = \"1 kB\"\n";
    let of_coverage = |key, sinr| {
        let ended = run_with(cell, &[(key, sinr)]);
        let given = warnings(&ended).into_iter().filter(|text| text.contains("packets wait"));
        (given.collect::<Vec<_>>(), sum(&ended, "hops", "packets_held"))
    };
    let (given, held) = of_coverage("radio.lte.downlink_sinr_db", "-11");
    let down =
        format!("ue: {held} packets wait for the downlink, whose SINR allows no transport block");
    assert_eq!(given, [down]);
    assert_eq!(of_coverage("radio.lte.downlink_sinr_db", "-5").0, [""; 0]);
    // An eNB grants the lowest scheme to each request, and hears nothing.
    assert_eq!(of_coverage("radio.lte.uplink_sinr_db", "-5").0, [""; 0]);
    let ended = run_with(cell, &[("radio.lte.uplink_sinr_db", "-15")]);
    let sent = sum(&ended, "uplinks", "transmissions");
    let up = format!("ue: none of {sent} uplink transmissions decoded");
    assert!(warnings(&ended).contains(&up), "{:?}", warnings(&ended));
}

/// A run that ends before the first block proves nothing about coverage.
#[test]
fn run_without_blocks_is_not_out_of_coverage() {
    let mut held = 0.0;
    for end in 1..=20 {
        let text = format!(
            "duration = \"{end} ms\"\n[radio.lte]\n[[upload]]\nname = \"file\"\nfile = \"1 kB\"\n"
        );
        let outcome = run(&text, 1);
        held += sum(&outcome, "hops", "packets_held");
        let given = warnings(&outcome);
        assert!(!given.iter().any(|text| text.contains("SINR")), "{end} ms: {given:?}");
    }
    assert!(held > 0.0, "packets waited");
}

/// If a UE gets all of the band or nothing, a UE with power for a part of it gets all of it too.
#[test]
fn low_power_ue_spreads_over_the_whole_band() {
    let network = "duration = \"2 s\"\n[radio.lte]\nallocation = \"whole_band\"\n[radio.lte.network]\n[[ue]]\nname = \"ue\"\ncount = 20\n[[ping]]\nname = \"echo\"\nue = \"all\"\n";
    let sent = numbers(&run_with(network, &[]), "uplinks", "transmissions");
    assert!(sent.iter().all(|sent| sent.is_some_and(|it| it > 0.0)), "{sent:?}");
}

/// A request at the last moment of a run has used the occasion of that moment: a UE whose blocks
/// are all lost asks at each.
#[test]
fn an_occasion_at_the_very_end_counts() {
    let cell = "[radio.lte]\nphase = \"10 ms\"\nsr_rule = \"eager\"\nsr_period = 10\nuplink_sinr_db = -28\n[[ping]]\nname = \"echo\"\ninterval = \"5 ms\"\n";
    for end in 490..=510 {
        let ended = run_with(&format!("duration = \"{end} ms\"\n{cell}"), &[]);
        let counted = ["sr_sent", "sr_occasions"].map(|column| sum(&ended, "uplinks", column));
        assert!((counted[0] - counted[1]).abs() < 0.5, "{end} ms: {counted:?}");
    }
}

/// Filters of a network are those of all its cells: a call in any of them matches.
#[test]
fn filter_counts_the_claims_of_all_cells() {
    let network = BEARERS
        .replace("profile = \"ns3_lena\"", "network.rings = 0")
        .replace("[[voice]]", "[[ue]]\nname = \"ue\"\ncount = 3\n\n[[voice]]\nue = \"ue\"");
    for (port, expected) in [("5004", 0), ("5006", 1)] {
        let given = warnings(&run_with(&network, &[("voice.call.port", port)]));
        let of_filters = given.iter().filter(|text| text.starts_with("bearer")).count();
        assert_eq!(of_filters, expected, "port {port}: {given:?}");
    }
}

/// Runs the text with these values.
fn run_with(text: &str, set: &[(&str, &str)]) -> Outcome {
    let set: Vec<_> = set.iter().map(|&(key, it)| (key.to_owned(), it.to_owned())).collect();
    let scenario =
        Scenario::from_toml(text, "example", &set).unwrap_or_else(|error| panic!("{error}"));
    simulate(&scenario, 1)
}

/// Waiting time of the call in the radio, in the example with bearers.
fn radio_queue_of_call_ms(text: &str, set: &[(&str, &str)]) -> f64 {
    let outcome = run_with(text, set);
    let anatomy = table(&outcome, "anatomy");
    let (Some(Data::Text(apps)), Some(Data::Text(causes))) =
        (anatomy.column("app"), anatomy.column("cause"))
    else {
        panic!("the anatomy has names");
    };
    let means = numbers(&outcome, "anatomy", "mean_ms");
    let rows =
        (0..anatomy.rows()).filter(|&row| &apps[row] == "call" && &causes[row] == "radio queue");
    rows.map(|row| means[row].expect("a mean")).sum::<f64>()
}

const BEARERS: &str = include_str!("../../../../examples/lte-bearers.toml");

const EXAMPLES: &[&str] = &[
    include_str!("../../../../examples/edge-download.toml"),
    include_str!("../../../../examples/voice-beside-download.toml"),
    include_str!("../../../../examples/web-page.toml"),
    BEARERS,
    include_str!("../../../../examples/lte-download.toml"),
];
const LIMITS: &[&str] = &[
    "limited_cwnd",
    "limited_rwnd",
    "limited_app",
    "limited_sndbuf",
    "limited_recovery",
    "limited_pacing",
    "idle",
];

/// A start with a spread is drawn for each run, within the spread; with a spread of zero, it is
/// exact.
#[test]
fn an_application_may_start_at_a_random_time() {
    let start = |spread: &str, seed| {
        let text = format!(
            "[radio.fixed]\nrtt = \"20 ms\"\n[[ping]]\nname = \"echo\"\ncount = 1\nstart = \"1 s\"\nspread = \"{spread}\"\n"
        );
        only(&run(&text, seed), "pings", "sent_s")
    };
    assert!((start("0 s", 1) - 1.0).abs() < 1e-12);
    let starts: Vec<f64> = (1..=50).map(|seed| start("100 ms", seed)).collect();
    assert!(starts.iter().all(|start| (1.0..1.1).contains(start)));
    let (early, late) = (starts.iter().filter(|start| **start < 1.05).count(), 50);
    assert!((10..=40).contains(&early), "{early} of {late} start in the first half");
}

/// An upload over EDGE whose handshake times out before any answer can come.
const HOPELESS: &str = r#"
[radio.geran]
[tcp.default]
initial_rto = "1 ms"
syn_retries = 2
[[upload]]
name = "a"
file = "300 kB"
"#;

/// A connection that never opened is a fact of the run: a row with its outcome, and a warning.
#[test]
fn connection_that_never_opened_is_reported() {
    let outcome = run(HOPELESS, 12);
    assert_eq!(texts(&outcome, "connections", "sender"), ["ue", "server"]);
    assert_eq!(texts(&outcome, "connections", "ended"), ["timed_out", "run_end"]);
    assert!(sum(&outcome, "connections", "segments") < 0.5);
    assert_eq!(
        warnings(&outcome),
        [
            "a on ue: 1 of 1 connections never opened: the handshake timed out",
            "a on ue: 1 of 1 transfers were not completed",
        ]
    );
}

/// A connection that one end gave up is a fact of the run, too, although the other end may not know
/// of it.
#[test]
fn aborted_connection_is_reported() {
    let text = "[radio.fixed]\nrtt = \"20 ms\"\n[[link]]\nname = \"l\"\nrate = \"1 Mbit/s\"\n[[download]]\nname = \"d\"\nfile = \"300 kB\"\n";
    let lossy = text
        .replace("rate =", "packet_loss = 0.95\nrate =")
        .replace("[radio", "duration = \"10000 s\"\n[radio");
    let mut reasons = Vec::new();
    for seed in 1..=20 {
        let outcome = run(&lossy, seed);
        let ended = texts(&outcome, "connections", "ended");
        let failed = ended.iter().any(|it| it == "timed_out" || it == "reset");
        assert_eq!(
            failed,
            warnings(&outcome)[0].contains(" of 1 connections "),
            "{:?}",
            warnings(&outcome)
        );
        reasons.extend(ended);
    }
    assert!(reasons.iter().any(|reason| reason == "timed_out"), "{reasons:?}");
    let whole = run(text, 1);
    assert_eq!(texts(&whole, "connections", "ended"), ["run_end", "run_end"]);
    assert_eq!(warnings(&whole), [""; 0]);
}

/// The run may end before a handshake has ended, or before a transfer is complete.
#[test]
fn warning_names_connections_cut_by_the_end() {
    let text = "[radio.fixed]\nrtt = \"2 s\"\ndown = \"10 Mbit/s\"\n[[download]]\nname = \"d\"\nfile = \"300 kB\"\n";
    let early = run(&format!("duration = \"1 s\"\n{text}"), 1);
    assert_eq!(texts(&early, "connections", "state"), ["SYN-SENT"]);
    assert_eq!(texts(&early, "connections", "ended"), ["run_end"]);
    assert_eq!(
        warnings(&early),
        [
            "d on ue: 1 of 1 connections not open when the run ended",
            "d on ue: 1 of 1 transfers were not completed",
        ]
    );
    let later = run(&format!("duration = \"5 s\"\n{text}"), 1);
    assert_eq!(warnings(&later), ["d on ue: 1 of 1 transfers were not completed"]);
}

/// With the timing of ns-3 a block is on the air two TTIs after the base station has decided on it:
/// of a datagram each TTI the last two are not transmitted when the run ends.
#[test]
fn transmissions_after_the_end_are_not_captured() {
    let text = "duration = \"100 ms\"\nrecord.radio = true\n[radio.lte]\ntiming = \"ns3_lena\"\n\
        bler = \"none\"\nfeedback = { ack_as_nack = 0 }\n[[voice]]\nname = \"v\"\npayload = \"100 B\"\ninterval = \"1 ms\"\n";
    let outcome = run(text, 1);
    let began: Vec<f64> =
        numbers(&outcome, "transmissions", "time_s").into_iter().flatten().collect();
    assert!(began.iter().all(|&began| began <= 0.1), "{:?}", began.last());
    let blocks = numbers(&outcome, "transport_blocks", "block").len();
    assert_eq!(blocks - began.len(), 2, "of {blocks}");
}
