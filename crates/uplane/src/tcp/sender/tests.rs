//! The sender alone: the tests state the peer's acknowledgements.

use super::*;
use crate::tcp::congestion::control::CongestionControl;
use crate::tcp::profile::IdleRestart;

const MSS: u64 = 1000;

/// Returns an open sender after a handshake with a round trip of 100 ms, which has sent four
/// segments at once.
fn with_four_segments(profile: &Profile) -> (Sender, Instant) {
    let mut sender = Sender::new(profile, 0);
    sender.on_syn_sent();
    let now = Instant::ZERO + Duration::from_millis(100);
    sender.open(&Terms {
        mss: MSS,
        sack: true,
        lost_syns: 0,
        syn_was_retransmitted: false,
        sample: Some(Duration::from_millis(100)),
        feedback: None,
        reflected: None,
        acked: 0,
        now,
    });
    sender.write(Bytes(20 * MSS));
    for _ in 0..4 {
        sender.send_new(now, MSS);
    }
    (sender, now)
}

/// A profile's pacing spaces new data: a retransmission neither waits nor makes others wait. A
/// control with its own pacing rate paces all departures (draft-ietf-ccwg-bbr §5.6.2).
#[test]
fn only_the_controls_rate_paces_retransmissions() {
    for (control, paced) in [(CongestionControl::NewReno, false), (CongestionControl::Bbr, true)] {
        let profile = Profile {
            congestion_control: control.into(),
            pacing: true,
            pacing_burst: Bytes(MSS),
            ..Profile::rfc()
        };
        let (mut sender, now) = with_four_segments(&profile);
        let before = sender.pacer.release().expect("four segments are paced");
        // BBR lets two leave at once.
        for index in 0..2 {
            sender.retransmit(now, index);
        }
        let after = sender.pacer.release().expect("they still are");
        assert_eq!(after > before, paced, "{control:?}");
        assert_eq!(sender.pacer.holds_again(now), paced, "{control:?}");
    }
}

/// A control that needs losses gets a report of each: all four segments after a timeout, and none
/// twice.
#[test]
fn control_that_needs_losses_gets_each() {
    let control = CongestionControl::Bbr.into();
    let profile = Profile { congestion_control: control, ..Profile::rfc() };
    let (mut sender, now) = with_four_segments(&profile);
    sender.window.update(0, 0, 65_535);
    assert!(sender.on_timeout(now + Duration::from_secs(1)));
    assert_eq!(sender.flight.marked_lost(), 4 * MSS);
    assert!(sender.flight.losses().is_some_and(|losses| losses.is_empty()));
}

/// A segment counts each time it leaves.
#[test]
fn retransmission_also_counts_as_a_segment() {
    let (mut sender, now) = with_four_segments(&Profile::rfc());
    sender.retransmit(now, 0);
    let counted = sender.counters();
    assert_eq!((counted.segments, counted.retransmissions), (5, 1));
}

/// RFC 2861 §3: the window is halved for each timeout since data left; a timeout counts once it is
/// exceeded, as in Linux.
#[test]
fn idle_sender_halves_its_window_per_timeout() {
    let profile = Profile { restart_after_idle: IdleRestart::Rfc2861, ..Profile::rfc() };
    let after = |timeouts: u64, more: u64| {
        let (mut sender, now) = with_four_segments(&profile);
        sender.flight.acknowledge(sender.nxt);
        sender.congestion.on_recovery_window(128 * MSS);
        let idle = sender.rto.timeout() * timeouts + Duration::from_nanos(more);
        sender.send_new(now + idle, MSS);
        sender.congestion.cwnd() / MSS
    };
    assert_eq!([after(1, 0), after(1, 1), after(2, 0), after(2, 1)], [128, 64, 64, 32]);
}
