use super::*;
use crate::unit::Bytes;

const MSS: u64 = 1000;

fn congestion(profile: &Profile) -> Congestion {
    let mut congestion = Congestion::new(profile);
    congestion.open(MSS, InitialWindow::Segments(4));
    congestion
}

/// A profile of segments of 1000 bytes.
fn profile(growth: Growth) -> Profile {
    let mut profile = Profile::rfc();
    profile.segments.mss = Bytes(MSS);
    profile.congestion.growth = growth;
    profile
}

/// An acknowledgement of `acked` bytes while the window was the limit.
fn ack(congestion: &mut Congestion, acked: u64) -> u64 {
    let before = congestion.cwnd();
    acknowledge(congestion, acked, true);
    congestion.cwnd() - before
}

fn acknowledge(congestion: &mut Congestion, acked: u64, limited: bool) {
    congestion.on_ack(&Progress {
        now: Instant::ZERO,
        acked,
        flight: 0,
        limited,
        una: 0,
        nxt: 0,
        sample: None,
        srtt: None,
    });
}

/// RFC 3465 §2.2 and §2.3, RFC 5681 §3.1: what an ACK of three and a half segments is worth.
#[test]
fn stretched_acknowledgements_are_worth_what_the_rule_says() {
    let grown = |growth| ack(&mut congestion(&profile(growth)), 3500);
    assert_eq!(grown(Growth::PerAck), 1000);
    assert_eq!(grown(Growth::PerByte { limit: Some(1) }), 1000);
    assert_eq!(grown(Growth::PerByte { limit: Some(2) }), 2000);
    assert_eq!(grown(Growth::PerByte { limit: None }), 3500);
}

/// RFC 3465 §2.3: after a timeout an acknowledgement may cover what an earlier sending brought.
#[test]
fn after_a_timeout_byte_counting_is_limited_to_one_segment() {
    let mut congestion = congestion(&profile(Growth::PerByte { limit: Some(2) }));
    congestion.on_timeout(20 * MSS, false);
    assert_eq!(ack(&mut congestion, 2000), 1000);
}

/// RFC 5681 §3.1, equation 3, and RFC 3465 §2.1: four acknowledgements of a window of four segments add about one.
#[test]
fn congestion_avoidance_adds_one_segment_a_round_trip() {
    for (growth, expected) in [(Growth::PerAck, 919), (Growth::PerByte { limit: Some(2) }, 1000)] {
        let mut congestion = congestion(&profile(growth));
        congestion.ssthresh = 4 * MSS;
        let grown: u64 = (0..4).map(|_| ack(&mut congestion, 1000)).sum();
        assert_eq!(grown, expected, "{growth:?}");
    }
}

/// RFC 5681 §3.1, equation 4; a repeated timeout of one segment keeps the threshold.
#[test]
fn a_timeout_leaves_one_segment_and_half_the_flight_as_threshold() {
    let mut congestion = congestion(&profile(Growth::PerAck));
    congestion.set_cwnd(20 * MSS);
    congestion.on_timeout(20 * MSS, false);
    assert_eq!((congestion.cwnd(), congestion.ssthresh()), (MSS, Some(10 * MSS)));
    congestion.on_timeout(MSS, true);
    assert_eq!(congestion.ssthresh(), Some(10 * MSS));
    congestion.on_timeout(3 * MSS, false);
    assert_eq!(congestion.ssthresh(), Some(2 * MSS));
}

/// RFC 5681 §3.2: data beyond the window, sent by limited transmit or confirmed by SACK behind a hole, does not raise the
/// threshold. Else each loss of a long recovery would.
#[test]
fn a_flight_beyond_the_window_does_not_raise_the_threshold() {
    for control in [CongestionControl::NewReno, CongestionControl::Cubic] {
        let mut profile = profile(Growth::PerAck);
        profile.congestion.control = control;
        let mut congestion = congestion(&profile);
        congestion.set_cwnd(10 * MSS);
        congestion.on_loss(40 * MSS);
        assert!(congestion.ssthresh() <= Some(7 * MSS), "{control:?}");
    }
}

/// RFC 7661 §4.4: a window that is not used does not grow.
#[test]
fn an_unused_window_does_not_grow() {
    let mut unused = congestion(&profile(Growth::PerAck));
    acknowledge(&mut unused, 1000, false);
    assert_eq!(unused.cwnd(), 4 * MSS);
    let mut blind = profile(Growth::PerAck);
    blind.congestion.grow_only_when_limited = false;
    let mut blind = congestion(&blind);
    acknowledge(&mut blind, 1000, false);
    assert_eq!(blind.cwnd(), 5 * MSS);
}

#[test]
fn the_window_never_exceeds_its_maximum_and_never_falls_below_a_segment() {
    let mut capped = profile(Growth::PerAck);
    capped.congestion.maximum_cwnd = Some(Bytes(5500));
    let mut congestion = congestion(&capped);
    for _ in 0..5 {
        ack(&mut congestion, 1000);
    }
    assert_eq!(congestion.cwnd(), 5500);
    congestion.set_cwnd(0);
    assert_eq!(congestion.cwnd(), MSS);
}

/// What an acknowledgement has left when slow start ends counts for congestion avoidance.
#[test]
fn slow_start_ends_at_the_threshold() {
    let mut congestion = congestion(&profile(Growth::PerByte { limit: None }));
    congestion.ssthresh = 5 * MSS;
    assert_eq!(ack(&mut congestion, 3000), 1000);
    assert_eq!(ack(&mut congestion, 3000), 1000);
}

/// RFC 5681 §4.1
#[test]
fn a_restart_never_opens_the_window() {
    let mut congestion = congestion(&profile(Growth::PerAck));
    congestion.restart(InitialWindow::Segments(10));
    assert_eq!(congestion.cwnd(), 4 * MSS);
    congestion.restart(InitialWindow::Segments(2));
    assert_eq!(congestion.cwnd(), 2 * MSS);
}
