use super::control::CongestionControl;
use super::controller::{AckSample, Burst, Controller, Start};

use crate::tcp::profile::{Growth, IdleRestart, InitialWindow, Profile};
use crate::unit::{Bytes, Limit};

const MSS: u64 = 1000;

/// The section of a profile with this growth.
fn config(growth: Growth) -> Profile {
    Profile { growth, ..Profile::rfc() }
}

/// A controller that begins with four segments of 1000 bytes.
fn start(config: &Profile) -> Box<dyn Controller> {
    let begin = Start {
        mss: MSS,
        rtt: None,
        initial_window: InitialWindow::Segments(4),
        initial_ssthresh: config.initial_ssthresh.get().map(|bytes| bytes.0),
        max_window: config.max_window.get().map(|bytes| bytes.0),
        counts_marks: false,
    };
    super::start(&begin, config)
}

/// Acknowledges `acked` bytes while the window is the limit, and returns the growth.
fn ack(controller: &mut dyn Controller, acked: u64) -> u64 {
    let before = controller.cwnd();
    controller.on_burst(&Burst { limited: true, ..Burst::default() });
    controller.on_ack(&sample(acked));
    controller.cwnd() - before
}

fn sample(acked: u64) -> AckSample {
    AckSample { advanced: true, acked, delivered: acked, ..AckSample::default() }
}

/// RFC 3465 §2.2 and §2.3, RFC 5681 §3.1: growth by an ACK of three and a half segments.
#[test]
fn stretched_acknowledgements_grow_by_the_rule() {
    let grown = |growth| ack(&mut *start(&config(growth)), 3500);
    assert_eq!(grown(Growth::PerAck), 1000);
    assert_eq!(grown(Growth::Abc1), 1000);
    assert_eq!(grown(Growth::Abc2), 2000);
    assert_eq!(grown(Growth::PerByte), 3500);
}

/// RFC 3465 §2.3: after a timeout an acknowledgement may cover data of an earlier transmission.
#[test]
fn byte_counting_after_timeout_is_one_segment() {
    let mut controller = start(&config(Growth::Abc2));
    controller.on_recovery_window(20 * MSS);
    controller.on_timeout(20 * MSS, false);
    assert_eq!(controller.ssthresh(), Some(10 * MSS), "slow start has room");
    assert_eq!(ack(&mut *controller, 2000), 1000);
}

/// RFC 5681 §3.1, equation 3, and RFC 3465 §2.1: four acknowledgements of a window of four segments
/// add about one.
#[test]
fn congestion_avoidance_adds_one_segment_a_round_trip() {
    for (growth, expected) in [(Growth::PerAck, 919), (Growth::Abc2, 1000)] {
        let avoiding = Profile { initial_ssthresh: Limit::of(Bytes(4 * MSS)), ..config(growth) };
        let mut controller = start(&avoiding);
        let grown: u64 = (0..4).map(|_| ack(&mut *controller, 1000)).sum();
        assert_eq!(grown, expected, "{growth:?}");
    }
}

/// RFC 5681 §3.1, equation 4; a repeated timeout of one segment keeps the threshold.
#[test]
fn timeout_leaves_one_segment_and_half_the_flight() {
    let mut controller = start(&config(Growth::PerAck));
    controller.on_recovery_window(20 * MSS);
    controller.on_timeout(20 * MSS, false);
    assert_eq!((controller.cwnd(), controller.ssthresh()), (MSS, Some(10 * MSS)));
    controller.on_timeout(MSS, true);
    assert_eq!(controller.ssthresh(), Some(10 * MSS));
    controller.on_timeout(3 * MSS, false);
    assert_eq!(controller.ssthresh(), Some(2 * MSS));
}

fn controlled(control: CongestionControl) -> Profile {
    Profile { congestion_control: control.into(), ..config(Growth::PerAck) }
}

/// RFC 5681 §3.2: data beyond the window, sent by limited transmit or confirmed by SACK behind a
/// hole, does not raise the threshold. Else each loss of a long recovery would.
#[test]
fn flight_beyond_window_does_not_raise_threshold() {
    for &control in CongestionControl::ALL {
        let mut controller = start(&controlled(control));
        controller.on_recovery_window(10 * MSS);
        controller.on_recovery_begin(40 * MSS);
        assert!(controller.ssthresh() <= Some(7 * MSS), "{control:?}");
    }
}

/// RFC 7661 §4.4: a window that is not used does not grow.
#[test]
fn an_unused_window_does_not_grow() {
    for (grow_only_when_limited, window) in [(true, 4 * MSS), (false, 5 * MSS)] {
        let mut controller = start(&Profile { grow_only_when_limited, ..config(Growth::PerAck) });
        controller.on_ack(&sample(1000));
        assert_eq!(controller.cwnd(), window);
    }
}

#[test]
fn window_stays_between_a_segment_and_maximum() {
    let max_window = Limit::of(Bytes(5500));
    let mut controller = start(&Profile { max_window, ..config(Growth::PerAck) });
    for _ in 0..5 {
        ack(&mut *controller, 1000);
    }
    assert_eq!(controller.cwnd(), 5500);
    controller.on_recovery_window(0);
    assert_eq!(controller.cwnd(), MSS);
}

/// The bytes of an acknowledgement that remain when slow start ends count for congestion avoidance.
#[test]
fn slow_start_ends_at_the_threshold() {
    let mut config = config(Growth::PerByte);
    config.initial_ssthresh = Limit::of(Bytes(5 * MSS));
    let mut controller = start(&config);
    assert_eq!(ack(&mut *controller, 3000), 1000);
    assert_eq!(ack(&mut *controller, 3000), 1000);
}

/// RFC 5681 §4.1
#[test]
fn a_restart_never_opens_the_window() {
    let mut controller = start(&config(Growth::PerAck));
    for (window, expected) in [(2 * MSS, 2 * MSS), (20 * MSS, 4 * MSS)] {
        controller.on_recovery_window(window);
        controller.on_idle_restart(1);
        assert_eq!(controller.cwnd(), expected);
    }
}

/// RFC 2861 §3: one timeout halves the window, of which the threshold remembers three quarters.
#[test]
fn idle_sender_keeps_three_quarters_as_threshold() {
    let initial_ssthresh = Limit::of(Bytes(4 * MSS));
    let restart_after_idle = IdleRestart::Rfc2861;
    let mut controller =
        start(&Profile { restart_after_idle, initial_ssthresh, ..config(Growth::PerAck) });
    controller.on_recovery_window(16 * MSS);
    controller.on_idle_restart(1);
    assert_eq!((controller.cwnd(), controller.ssthresh()), (8 * MSS, Some(12 * MSS)));
}

/// RFC 5681 §3.1: an acknowledgement opens the window by a segment, whose size may have changed.
#[test]
fn window_grows_by_the_present_segment_size() {
    let mut controller = start(&config(Growth::PerAck));
    controller.on_mss(MSS / 2);
    assert_eq!(ack(&mut *controller, MSS), MSS / 2);
}

/// RFC 6582 §3.2, RFC 6675 §5: within a recovery the window is what the recovery proposes.
#[test]
fn acknowledgement_in_recovery_opens_no_window() {
    for &control in CongestionControl::ALL {
        let mut controller = start(&controlled(control));
        controller.on_ack(&AckSample { recovering: true, delivered: 0, ..sample(1000) });
        assert_eq!(controller.cwnd(), 4 * MSS, "{control:?}");
    }
}

/// RFC 4015 §3.2, RFC 9438 §4.9: a timeout without a loss leaves window, threshold and curve as
/// they were.
#[test]
fn a_spurious_timeout_is_undone() {
    for &control in CongestionControl::ALL {
        let mut controller = start(&controlled(control));
        controller.on_recovery_window(20 * MSS);
        let before = controller.cwnd();
        controller.on_timeout(20 * MSS, false);
        assert_eq!(controller.cwnd(), MSS);
        controller.on_spurious_reduction();
        assert_eq!((controller.cwnd(), controller.ssthresh()), (before, None), "{control:?}");
    }
}
