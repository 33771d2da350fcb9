//! Tables of several QUIC connections in one run: each row belongs to its own end.
#![cfg(feature = "quic")]

use crate::runs::{numbers, run, texts, values};

/// Two files down and one up, one after the other, over a link that loses nothing.
const THREE: &str = r#"
    [radio.fixed]
    [[link]]
    name = "core"
    rate = "10 Mbit/s"
    delay = "20 ms"
    queue = "unlimited"
    [[download]]
    name = "one"
    file = "100 kB"
    quic = "q"
    [[upload]]
    name = "two"
    file = "50 kB"
    start = "2 s"
    quic = "q"
    [[download]]
    name = "three"
    file = "200 kB"
    start = "4 s"
    quic = "q"
    [quic.q]
    congestion_control = "new_reno"
    [record]
    qlog = true
    series = "5 ms"
"#;

/// Sender of each flow's data.
const SENDERS: [&str; 3] = ["server", "ue", "server"];

/// An application that has its file closes its own connection (RFC 9000 §10.2), and both ends know;
/// but the run ends with the last one, before its peer is informed.
#[test]
fn each_application_closes_its_own_connection() {
    let outcome = run(THREE, 1);
    assert_eq!(numbers(&outcome, "quic", "flow"), [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]);
    let ended = texts(&outcome, "quic", "ended");
    assert_eq!(ended[..5], ["finished"; 5]);
    assert_eq!(ended[5], "run_end");
}

/// The series of a sender counts the bytes that its peer has: at the end the file of its flow.
/// Without a loss nothing has set a slow-start threshold.
#[test]
fn series_of_each_sender_ends_with_its_file() {
    let outcome = run(THREE, 1);
    let delivered = numbers(&outcome, "series", "delivered_bytes");
    for (flow, size) in [100_000.0, 50_000.0].into_iter().enumerate() {
        let owners = texts(&outcome, "series", "sender").into_iter();
        let own = owners
            .zip(numbers(&outcome, "series", "flow"))
            .zip(&delivered)
            .filter(|((sender, at), _)| sender == SENDERS[flow] && (at - flow as f64).abs() < 0.5)
            .map(|(_, &delivered)| delivered);
        let own: Vec<f64> = own.collect();
        assert!(own.is_sorted(), "flow {flow}");
        assert_eq!(own.last(), Some(&size), "flow {flow}");
    }
    assert!(values(&outcome, "series", "ssthresh_bytes").iter().all(Option::is_none));
}

/// RFC 9000 §1.2: the client opens the connection; here this is the UE.
#[test]
fn log_distinguishes_client_and_server() {
    let outcome = run(THREE, 1);
    let (senders, roles) = (texts(&outcome, "qlog", "sender"), texts(&outcome, "qlog", "role"));
    assert!(senders.len() > 100);
    for (sender, role) in senders.iter().zip(&roles) {
        assert_eq!(role, if sender == "ue" { "client" } else { "server" });
    }
}

/// RFC 9000 §3.1: a sender marks its last byte as the end of the stream.
#[test]
fn a_file_ends_with_fin() {
    let outcome = run(THREE, 1);
    let events: Vec<[String; 2]> = texts(&outcome, "qlog", "event")
        .into_iter()
        .zip(texts(&outcome, "qlog", "sender"))
        .map(|(event, sender)| [event, sender])
        .collect();
    let data = texts(&outcome, "qlog", "data");
    for (flow, sender) in SENDERS.into_iter().enumerate() {
        let ends = numbers(&outcome, "qlog", "flow")
            .into_iter()
            .zip(&events)
            .zip(&data)
            .filter(|((at, event), _)| {
                (at - flow as f64).abs() < 0.5 && *event == &["transport:packet_sent", sender]
            })
            .filter(|(_, data)| data.contains("\"fin\":true"))
            .count();
        assert_eq!(ends, 1, "flow {flow}");
    }
}

/// No wait is for an application: the cost of a lost packet is recovery, also on the critical path,
/// whichever end lost it.
#[test]
fn quic_timeout_on_critical_path_is_recovery() {
    let text = r#"
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
        quic = "default"
        [record]
        critical_path = true
    "#;
    let outcome = run(text, 1);
    let causes = texts(&outcome, "critical_path", "cause").into_iter();
    let rows: Vec<(String, f64)> =
        causes.zip(numbers(&outcome, "critical_path", "time_ms")).collect();
    let of = |cause: &str| rows.iter().filter(|row| row.0 == cause).map(|row| row.1).sum::<f64>();
    // A third of the handshakes and requests alone lose a packet, and a probe waits for three times
    // the initial round trip of 333 ms (RFC 9002 §6.2.2) as long as there is no sample.
    assert!(of("loss recovery") > 5000.0, "{}", of("loss recovery"));
    assert!(of("application wait") < 1e-6, "{}", of("application wait"));
}

/// A failed connection is reported for its application.
#[test]
fn warning_of_a_failed_connection_names_application() {
    let text = "[radio.fixed]\n[[link]]\nname = \"core\"\npacket_loss = 0.999999999\n\
                [[ue]]\nname = \"phone\"\n\
                [[download]]\nname = \"file\"\nue = \"phone\"\nfile = \"1 kB\"\nquic = \"default\"\n";
    let outcome = run(text, 1);
    let found = texts(&outcome, "warnings", "text").into_iter().position(|it| it.contains("QUIC"));
    let row = found.expect("a warning");
    assert_eq!(texts(&outcome, "warnings", "app")[row], "file");
    assert_eq!(texts(&outcome, "warnings", "ue")[row], "phone");
}
