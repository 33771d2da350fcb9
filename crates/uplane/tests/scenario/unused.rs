//! Warnings of keys that are accepted and have no effect.

use uplane::record::Table;
use uplane::scenario::{Outcome, Scenario};

use crate::whole_runs::{run, warnings};

const PING: &str = "[[ping]]\nname = \"p\"\ncount = 1\n";

fn without_effect(reason: &str, key: &str) -> String {
    format!("without effect, since {reason}: {key}")
}

/// A section or key without effect is warned of by its name.
#[test]
fn key_without_effect_warns() {
    let base = "[radio.fixed]\nrtt = \"20 ms\"\n[[upload]]\nname = \"u\"\nfile = \"1 kB\"\n";
    let warned = |more: &str| warnings(&run(&format!("{base}{more}"), 1));
    assert_eq!(warned(""), [""; 0]);
    assert_eq!(warned("[tcp.default]\nbase = \"a\"\n[tcp.a]\n"), [""; 0]);
    for (more, expected) in [
        ("[tcp.spare]\n", "no application uses tcp.spare"),
        ("[[ue]]\nname = \"a\"\ncount = 3\n", "no application runs on 2 of 3 UEs (a)"),
        (
            "port = 8080\n",
            "without effect, since only packet filters, \"fq_codel\" and \"record.headers\" read it: upload.u.port",
        ),
        (
            "server_address = \"192.0.2.1\"\n",
            "without effect, since only packet filters, \"fq_codel\" and \"record.headers\" read it: upload.u.server_address",
        ),
        (
            "[[ue]]\nname = \"a\"\naddress = \"192.0.2.1\"\n",
            "without effect, since only packet filters and \"record.headers\" read it: ue.a.address",
        ),
        (
            "[tcp.default.acks]\npolicy = \"fixed_delay\"\nquick = 5\n",
            "without effect, since the policy is \"fixed_delay\": tcp.default.acks.quick",
        ),
        (
            "[[link]]\nname = \"l\"\nqueue = \"10 packets\"\n",
            "without effect, since the link has no rate: link.l.queue",
        ),
        (
            "[[link]]\nname = \"l\"\nrate = \"1 Mbit/s\"\nup = { rate = \"unlimited\", queue = \"10 packets\" }\n",
            "without effect, since the link has no rate: link.l.up.queue",
        ),
    ] {
        assert_eq!(warned(more), [expected]);
    }
    let ping = "[radio.fixed]\n[[ping]]\nname = \"p\"\ncount = 1\n[record]\ncritical_path = true\n";
    assert_eq!(
        warnings(&run(ping, 1)),
        ["without effect, since no application has transfers: record.critical_path"]
    );
}

/// No acknowledgement with a counter of marks is pure.
#[test]
fn ack_filter_beside_accurate_ecn_warns() {
    let filtered = |ecn: &str| {
        let apps = "[[upload]]\nname = \"u\"\nfile = \"1 kB\"\n[[ping]]\nname = \"p\"\n";
        let text = "[radio.lte]\n[radio.lte.ack_filter]\nrule = \"basic\"\n";
        warnings(&run(&format!("{text}[tcp.default]\necn = \"{ecn}\"\n{apps}"), 1))
    };
    assert_eq!(filtered("classic"), [""; 0]);
    assert_eq!(
        filtered("accurate"),
        [
            "without effect, since no acknowledgement is pure with \"ecn\" = \"accurate\": radio.lte.ack_filter"
        ]
    );
}

/// The scheduling requests of a cell, where each bearer has its own.
#[test]
fn unnamed_scheduling_requests_are_warned_of() {
    let requests = |second: &str| {
        let own = "[[radio.nr.scheduling_request]]\nname = \"own\"\nperiod = 5\n";
        let bearer =
            |name: &str, key: &str| format!("[[radio.nr.bearer]]\nname = \"{name}\"\n{key}\n");
        let named = "scheduling_request = \"own\"";
        let bearers = bearer("default", named) + &bearer("call", second);
        let filter = "[[radio.nr.bearer.filter]]\nprecedence = 1\nserver_port = 5000\n";
        let app = "[[voice]]\nname = \"v\"\ncount = 1\nport = 5000\n";
        let cell = "[radio.nr]\nprofile = \"commercial\"\nsr_period = 20\nsr_offset = \"in_turn\"\nsr_trans_max = 4\n";
        warnings(&run(&format!("{cell}{own}{bearers}{filter}{app}"), 1))
    };
    assert_eq!(requests(""), [""; 0]);
    assert_eq!(
        requests("scheduling_request = \"own\""),
        ["sr_period", "sr_trans_max"].map(|key| {
            format!(
                "without effect, since each bearer names a \"scheduling_request\": radio.nr.{key}"
            )
        })
    );
}

/// Keys of scheduling requests where UEs have no resources for them.
#[test]
fn keys_of_absent_scheduling_requests_warn() {
    let alone = |generation: &str, keys: &str, requests: bool| {
        let app = "[[ping]]\nname = \"p\"\ncount = 1\n";
        let rach = format!("[radio.{generation}.rach]\nscheduling_requests = {requests}\n");
        warnings(&run(&format!("[radio.{generation}]\n{keys}\n{rach}{app}"), 1))
    };
    for (generation, last) in [("nr", "sr_trans_max"), ("lte", "dsr_trans_max")] {
        let keys = format!("sr_period = 40\n{last} = 8");
        assert_eq!(alone(generation, &keys, true), [""; 0]);
        assert_eq!(
            alone(generation, &keys, false),
            ["sr_period", last].map(|key| format!(
                "without effect, since UEs ask by random access alone (\"scheduling_requests\" of \
                 \"rach\"): radio.{generation}.{key}"
            ))
        );
        assert_eq!(alone(generation, "", false), [""; 0]);
    }
}

/// UEs miss no assignment: a probability other than 0 and the profile's 0.01 has no effect.
#[test]
fn an_unread_silence_is_warned_of() {
    for cell in ["radio.lte", "radio.nr"] {
        let warned = |value: f64| {
            warnings(&run(&format!("[{cell}]\nfeedback.dtx_as_ack = {value}\n{PING}"), 1))
        };
        let key = format!("{cell}.feedback.dtx_as_ack");
        assert_eq!(warned(0.5), [without_effect("UEs miss no downlink assignment", &key)]);
        assert_eq!((warned(0.0), warned(0.01)), (Vec::new(), Vec::new()));
    }
}

#[test]
fn a_retention_priority_is_warned_of() {
    let warned = |arp: u8| {
        let bearer = format!("[[radio.lte.bearer]]\nname = \"b\"\narp = {arp}\n");
        warnings(&run(&format!("[radio.lte]\n{bearer}{PING}"), 1))
    };
    let expected = without_effect("there is no admission control", "radio.lte.bearer.0.arp");
    assert_eq!((warned(1), warned(8)), (vec![expected], Vec::new()));
}

/// Metrics of the age of packets act as other metrics in the uplink, and a warning names these.
#[test]
fn an_uplink_metric_of_ages_names_its_substitute() {
    let apps = "[[ue]]\nname = \"ue\"\ncount = 3\n[[upload]]\nname = \"u\"\nue = \"all\"\nfile = \"30 kB\"\n";
    for cell in ["radio.lte", "radio.nr"] {
        let with = |metric: &str| {
            run(
                &format!("duration = \"2 s\"\n[{cell}]\nuplink_scheduler = \"{metric}\"\n{apps}"),
                1,
            )
        };
        for (metric, other) in [
            ("m_lwdf", "round_robin"),
            ("channel_qos_aware", "round_robin"),
            ("exp_pf", "proportional_fair"),
        ] {
            let (found, same) = (with(metric), with(other));
            let warning = format!(
                "acts as \"{other}\", since the base station does not know the age of uplink packets: {cell}.uplink_scheduler"
            );
            assert_eq!((warnings(&found), warnings(&same)), (vec![warning], Vec::new()));
            assert_eq!(results(&found), results(&same), "{cell}: {metric}");
        }
    }
}

/// All tables except the warnings.
fn results(outcome: &Outcome) -> Vec<&Table> {
    outcome.tables.iter().filter(|table| table.name != "warnings").collect()
}

/// An uplink of a fixed MCS without errors by the SINR in any carrier.
#[test]
fn unread_uplink_sinr_of_nr_warns() {
    let warned = |keys: &str, carriers: &str| {
        let ue = "[[ue]]\nname = \"a\"\nuplink_sinr_db = 9\n";
        let cell = format!("[radio.nr]\nuplink_sinr_db = 9\n{keys}\n{carriers}");
        warnings(&run(&format!("{cell}{ue}{PING}"), 1))
    };
    let fixed = "uplink_mcs = 9\nbler = \"none\"";
    let expected = ["radio.nr.uplink_sinr_db", "ue.a.uplink_sinr_db"]
        .map(|key| without_effect("neither \"uplink_mcs\" nor \"bler\" depends on the SINR", key));
    assert_eq!(warned(fixed, ""), expected);
    assert_eq!(warned("bler = \"none\"", ""), [""; 0]);
    assert_eq!(warned("uplink_mcs = 9\nbler = \"sinr\"", ""), [""; 0]);
    let carrier = "[[radio.nr.secondary_carrier]]\nbandwidth_mhz = 20\n";
    assert_eq!(warned(fixed, carrier), expected);
    let adaptive = format!("{carrier}uplink = {{ mcs = \"adaptive\" }}\n");
    assert_eq!(warned(fixed, &adaptive), [""; 0]);
    // SINRs over time are refused where nothing depends on them.
    let steps = "uplink_sinrs = [{ at = \"0 s\", sinr_db = 9 }]\n";
    let over_time = |carriers: &str| {
        let text = format!("[radio.nr]\n{fixed}\n{carriers}[[ue]]\nname = \"a\"\n{steps}{PING}");
        Scenario::from_toml(&text, "test", &[]).is_ok()
    };
    assert!(!over_time(carrier) && over_time(&adaptive));
}

/// A cell with a rate has no resource blocks; `bandwidth` of the profile is no contradiction, so
/// that the values in effect can be read back.
#[test]
fn a_bandwidth_beside_a_rate_is_refused() {
    let text = |keys: &str| format!("[radio.lte]\nprofile = \"tti_study\"\n{keys}\n{PING}");
    for rate in ["", "rate = \"30 Mbit/s\""] {
        let keys = format!("bandwidth = \"5 MHz\"\n{rate}");
        let error = Scenario::from_toml(&text(&keys), "test", &[]).expect_err("a contradiction");
        assert_eq!(
            error.to_string(),
            "test:3: radio.lte.bandwidth: not valid in this profile, which has a constant rate \
             and no resource blocks; use the profile system_level"
        );
    }
    assert_eq!(warnings(&run(&text("bandwidth = \"10 MHz\""), 1)), [""; 0]);
    let keys = "uplink_mcs = 3\nmcs = \"highest\"\nouter_loop = true";
    let expected = ["mcs", "uplink_mcs", "outer_loop"]
        .map(|key| without_effect("the cell has a rate", &format!("radio.lte.{key}")));
    assert_eq!(warnings(&run(&text(keys), 1)), expected);
}

/// A dedicated bearer of QCI 9 has the logical channel group of the default bearer, 3; others have
/// group 1.
#[test]
fn unheld_maximum_is_of_a_channel_group() {
    let bearer = |(position, &(qci, has_maximum)): (usize, &(u8, bool))| {
        let name = format!("[[radio.lte.bearer]]\nname = \"b{position}\"\nqci = {qci}\n");
        let rates = "mbr = { down = \"1 Mbit/s\", up = \"1 Mbit/s\" }\n";
        let filter = format!("filter = [{{ precedence = {position}, server_port = 5000 }}]\n");
        let some =
            |is_there: bool, text: &str| if is_there { text.to_owned() } else { String::new() };
        name + &some(has_maximum, rates) + &some(position > 0, &filter)
    };
    let unheld = |bearers: &[(u8, bool)]| {
        let bearers: Vec<String> = bearers.iter().enumerate().map(bearer).collect();
        let text = format!("[radio.lte]\n{}", bearers.concat());
        let mut warned = warnings(&run(&format!("{text}{PING}"), 1));
        // A filter that claims no packet has its own warning.
        warned.retain(|it| it.starts_with("without effect"));
        warned
    };
    let warning = |position: usize| {
        let reason = "a bearer of its logical channel group has no maximum rate";
        without_effect(reason, &format!("radio.lte.bearer.{position}.mbr.up"))
    };
    assert_eq!(unheld(&[(9, true), (9, false)]), [warning(0)]);
    assert_eq!(unheld(&[(9, true), (9, true), (8, false)]), [""; 0]);
    assert_eq!(unheld(&[(9, false), (8, true), (7, false)]), [warning(1)]);
}

/// The table of headers has addresses, ports and the type of service; an AQM reads the ECN field of
/// the latter, and FQ-CoDel separates flows by ports and servers.
#[test]
fn addresses_that_are_read_are_not_warned_of() {
    let warned = |more: &str| {
        let text = "duration = \"1 s\"\n[radio.lte]\n[[ue]]\nname = \"a\"\naddress = \"192.0.2.9\"\n\
            [[voice]]\nname = \"v\"\ncount = 1\nport = 5000\nserver_address = \"192.0.2.1\"\ntos = 1\n";
        warnings(&run(&format!("{text}{more}"), 1))
    };
    let readers = |more: &str| format!("only packet filters{more} \"record.headers\" read it");
    let address = without_effect(&readers(" and"), "ue.a.address");
    let [port, server] = ["port", "server_address"]
        .map(|key| without_effect(&readers(", \"fq_codel\" and"), &format!("voice.v.{key}")));
    let tos = without_effect(&readers(", an \"aqm\" and"), "voice.v.tos");
    let link = |aqm: &str| {
        format!("[[link]]\nname = \"l\"\nrate = \"1 Mbit/s\"\naqm = {{ {aqm} = {{}} }}\n")
    };
    assert_eq!(warned(""), [&address, &port, &server, &tos].map(String::as_str));
    assert_eq!(warned("[record]\nheaders = true\n"), [""; 0]);
    assert_eq!(warned(&link("codel")), [&address, &port, &server].map(String::as_str));
    assert_eq!(warned(&link("fq_codel")), [address]);
}

#[test]
fn short_cycle_timer_without_short_cycles_warns() {
    for cell in ["radio.lte", "radio.nr"] {
        let warned = |keys: &str| {
            let drx = format!(
                "[{cell}.drx]\nlong_cycle = \"40 ms\"\non_duration = \"4 ms\"\n\
                 inactivity_timer = \"10 ms\"\n{keys}\n"
            );
            warnings(&run(&format!("[{cell}]\n{drx}{PING}"), 1))
        };
        let key = format!("{cell}.drx.short_cycle_timer");
        let expected = without_effect("there is no \"short_cycle\"", &key);
        assert_eq!(warned("short_cycle_timer = 3"), [expected]);
        assert_eq!(warned("short_cycle_timer = 3\nshort_cycle = \"10 ms\""), [""; 0]);
        assert_eq!(warned("short_cycle_timer = 2"), [""; 0]);
    }
}
