use super::*;
use crate::tcp::congestion::controller::Controller;
use crate::tcp::profile::{InitialWindow, Profile};

const MSS: u64 = 1000;
const RTT: Duration = Duration::from_millis(50);

/// A controller with a window of 20 segments, and a clock.
struct Path {
    controller: LossBased<Prague>,
    now: Instant,
    rtt: Duration,
}

impl Path {
    fn new(counts_marks: bool, rtt: Duration) -> Self {
        let profile = Profile { grow_only_when_limited: false, ..Profile::rfc() };
        let initial_window = InitialWindow::Segments(20);
        let start = Start {
            mss: MSS,
            rtt: Some(rtt),
            initial_window,
            initial_ssthresh: None,
            max_window: None,
            counts_marks,
        };
        Self { controller: new(&start, &profile), now: Instant::ZERO + rtt, rtt }
    }

    /// Returns a controller after its first mark.
    fn marked(rtt: Duration) -> Self {
        let mut path = Self::new(true, rtt);
        path.ack(1, 1);
        path
    }

    /// Delivers an acknowledgement of `segments` segments, of which `marked` were marked.
    fn ack(&mut self, segments: u64, marked: u64) {
        let bytes = segments * MSS;
        self.controller.on_ack(&AckSample {
            now: self.now,
            advanced: true,
            acked: bytes,
            delivered: bytes,
            marked: marked * MSS,
            srtt: Some(self.rtt),
            ..AckSample::default()
        });
    }

    /// Runs a round trip with a window of acknowledgements, of which `marked` report a mark.
    fn round(&mut self, marked: u64) {
        self.now += self.rtt;
        let segments = self.window().round() as u64;
        for segment in 0..segments {
            self.ack(1, u64::from(segment < marked));
        }
    }

    fn window(&self) -> f64 {
        self.controller.cwnd() as f64 / MSS as f64
    }

    fn alpha(&self) -> f64 {
        self.controller.avoidance().alpha.expect("a mark came")
    }
}

/// The draft, §2.4.2: `alpha` is one at the first mark, and moves by a sixteenth a round trip
/// towards the share of marked packets.
#[test]
fn share_of_marks_is_averaged_over_rounds() {
    let mut path = Path::marked(RTT);
    assert!((path.alpha() - 1.0).abs() < 1e-9);
    // Nothing is marked from then on: each round trip leaves fifteen sixteenths.
    let mut expected = 1.0;
    for rounds in 1..=3 {
        path.round(0);
        expected *= 15.0 / 16.0;
        assert!((path.alpha() - expected).abs() < 1e-9, "{rounds}: {}", path.alpha());
    }
}

/// With a quarter of marks for ever, `alpha` is a quarter.
#[test]
fn average_converges_to_the_share_of_marks() {
    let mut path = Path::marked(RTT);
    for _ in 0..200 {
        path.now += RTT;
        for segment in 0..8 {
            path.ack(1, u64::from(segment % 4 == 0));
        }
    }
    assert!((path.alpha() - 0.25).abs() < 0.01, "{}", path.alpha());
}

/// §2.4.2: the first mark ends slow start with half of the window.
#[test]
fn slow_start_ends_with_the_first_mark() {
    let mut path = Path::new(true, RTT);
    path.ack(4, 0);
    assert!(path.controller.is_in_slow_start() && path.window() > 20.0);
    let before = path.window();
    path.ack(1, 1);
    assert!(!path.controller.is_in_slow_start() && path.controller.has_reduced_for_marks());
    // The acknowledgement that reported the mark opens nothing.
    assert!((path.window() - before / 2.0).abs() < 1e-9, "{}", path.window());
}

/// §2.4.2: `alpha / 2` of the window, once a round trip, however many marks come.
#[test]
fn a_round_trip_costs_once() {
    let mut path = Path::marked(RTT);
    let first = path.window();
    path.now += RTT / 2;
    path.ack(1, 1);
    assert!(!path.controller.has_reduced_for_marks() && path.window() >= first);
    for _ in 0..12 {
        path.round(0);
    }
    let (before, alpha) = (path.window(), path.alpha());
    path.now += RTT;
    path.ack(1, 1);
    let alpha_then = path.alpha();
    let less = before - path.window();
    assert!((less - before * alpha_then / 2.0).abs() < 0.01, "{less} {alpha} {alpha_then}");
    path.ack(1, 1);
    assert!(!path.controller.has_reduced_for_marks());
}

/// §2.4.4: a segment a round trip of 25 ms or more, also while marks come; a twenty-fifth of it
/// with one of 5 ms, but only after 500 round trips.
#[test]
fn growth_depends_less_on_short_round_trips() {
    for (millis, early, late) in [(50, 1.0, 1.0), (25, 1.0, 1.0), (5, 1.0, 0.04)] {
        let mut path = Path::marked(Duration::from_millis(millis));
        let grown = |path: &mut Path| {
            let before = path.window() + path.controller.avoidance().carry / MSS as f64;
            path.round(0);
            path.window() + path.controller.avoidance().carry / MSS as f64 - before
        };
        let first = grown(&mut path);
        assert!((first - early).abs() < 0.06, "{millis} ms: {first}");
        path.controller.avoidance_mut().rounds = TRANSITION;
        let then = grown(&mut path);
        assert!((then - late).abs() < 0.06 * late, "{millis} ms: {then}");
    }
}

/// The closed form: with a share `p` of random marks the window settles where a round trip adds `1
/// − p` and takes `p / 2 · W`. A round trip without a mark, `(1 − p)^W`, takes nothing: with 40
/// segments and a twentieth, this is one of eight.
#[test]
fn window_settles_at_twice_the_reciprocal_share() {
    let mut path = Path::marked(RTT);
    let (mut count, mut sum) = (0_u64, 0.0);
    for round in 0..2000 {
        path.now += RTT;
        for _ in 0..path.window() as u64 {
            count += 1;
            path.ack(1, u64::from(count % 20 == 0));
        }
        if round >= 500 {
            sum += path.window() / 1500.0;
        }
    }
    // 2·(1 − p)/p = 38; the window just before and just after a reduction differ by a segment.
    assert!((sum - 38.0).abs() < 2.0, "{sum}");
}

/// RFC 9331 §4.3: a loss halves the window, including the reduction for a mark in the same round
/// trip.
#[test]
fn a_loss_after_a_mark_makes_half_together() {
    let mut path = Path::new(true, RTT);
    path.controller.on_recovery_begin(20 * MSS);
    assert_eq!(path.controller.ssthresh(), Some(10 * MSS));
    let mut path = Path::marked(RTT);
    assert!((path.window() - 10.0).abs() < 1e-9);
    path.controller.on_recovery_begin(10 * MSS);
    assert_eq!(path.controller.ssthresh(), Some(10 * MSS), "the mark took half already");
    // And no mark takes more in the round trip of a loss.
    path.ack(1, 1);
    assert!(!path.controller.has_reduced_for_marks());
}

/// RFC 5681 §3.1, equation 4: whatever was in flight, the threshold is two segments.
#[test]
fn a_loss_leaves_two_segments() {
    let mut path = Path::new(true, RTT);
    path.controller.on_recovery_begin(MSS);
    assert_eq!(path.controller.ssthresh(), Some(2 * MSS));
}

/// RFC 9331 §4.3: without counted marks it is a classic control: ECT(0), its marks answered as
/// losses, the profile's pace.
#[test]
fn without_counted_marks_it_is_new_reno() {
    let mut path = Path::new(false, RTT);
    let controller = &mut path.controller;
    assert_eq!((controller.field(), controller.answers_marks()), (Ecn::Ect0, false));
    assert_eq!(controller.pacing_rate(), None);
    controller.on_congestion(20 * MSS);
    assert_eq!(controller.ssthresh(), Some(10 * MSS));
}

/// The window per round trip: 20 segments of 1000 bytes in 50 ms are 3.2 Mbit/s, twice that in slow
/// start; 250 µs of it are less than a segment.
#[test]
fn it_paces_by_the_window() {
    let mut path = Path::new(true, RTT);
    let pace = |path: &Path| path.controller.pacing_rate().expect("it paces");
    assert_eq!(pace(&path).rate.as_bps(), 6_400_000);
    assert_eq!(pace(&path).quantum, Bytes(MSS));
    path.ack(1, 1);
    assert_eq!(pace(&path).rate.as_bps(), 1_600_000);
}
