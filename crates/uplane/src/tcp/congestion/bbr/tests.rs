use super::*;
use crate::tcp::delivery_rate::RateSample;
use crate::tcp::profile::InitialWindow;

const MSS: u64 = 1000;
/// 1 MB/s, so that 100 ms hold 100 segments.
const RATE: f64 = 1e6;
const RTT: Duration = Duration::from_millis(100);

/// A controller and the acknowledgements of its path, one each round trip.
struct Path {
    bbr: Bbr,
    now: Instant,
    total: u64,
    /// Share of the data in flight that each round loses.
    loss: f64,
    rtt: Duration,
}

impl Path {
    fn new() -> Self {
        let start = Start {
            mss: MSS,
            rtt: Some(RTT),
            initial_window: InitialWindow::Segments(10),
            initial_ssthresh: None,
            max_window: None,
            counts_marks: false,
        };
        Self { bbr: new(&start), now: Instant::ZERO, total: 0, loss: 0.0, rtt: RTT }
    }

    /// Runs one round trip: the data in flight is delivered at `rate`, and `inflight` bytes remain.
    fn round(&mut self, rate: f64, inflight: u64) -> State {
        self.now += self.rtt;
        let delivered = (rate * self.rtt.as_secs_f64()) as u64;
        let prior_delivered = self.total;
        self.total += delivered;
        let lost = (self.loss * delivered as f64) as u64;
        let sample = AckSample {
            now: self.now,
            advanced: true,
            acked: delivered,
            delivered,
            pipe: inflight,
            latest_rtt: Some(self.rtt),
            srtt: Some(self.rtt),
            rate: Some(RateSample {
                delivered,
                interval: self.rtt,
                app_limited: false,
                round_start: true,
                prior_delivered,
                total: self.total,
                in_flight: delivered,
                lost,
            }),
            ..AckSample::default()
        };
        self.bbr.on_ack(&sample);
        self.bbr.state
    }

    /// Runs rounds at the full rate until the state changes, at most `most` rounds.
    fn rounds(&mut self, most: u32, inflight: u64) -> (u32, State) {
        let before = self.bbr.state;
        for round in 1..=most {
            if self.round(RATE, inflight) != before {
                return (round, self.bbr.state);
            }
        }
        (most, before)
    }

    /// In ProbeBW_DOWN, with a pipe of 100 segments.
    fn probing() -> Self {
        let mut path = Self::new();
        path.rounds(10, 250 * MSS);
        assert_eq!(path.bbr.state, State::Drain);
        path.rounds(10, 250 * MSS);
        assert_eq!(path.bbr.state, State::ProbeBwDown);
        path
    }

    fn refilling() -> Self {
        let mut path = Self::probing();
        while path.bbr.state != State::ProbeBwRefill {
            path.round(RATE, 90 * MSS);
            path.bbr.shortest.stamp = path.now;
        }
        path
    }
}

fn lost(in_flight: u64, since_sent: u64) -> Lost {
    Lost { start: 0, bytes: MSS, in_flight, since_sent, app_limited: false }
}

/// §5.3.1.2: the pipe is full after three rounds without a quarter more.
#[test]
fn startup_ends_after_three_rounds_without_growth() {
    let mut path = Path::new();
    for rate in [1e5, 2e5, 4e5, 8e5] {
        assert_eq!(path.round(rate, 0), State::Startup);
    }
    assert!((path.bbr.pacing_rate - STARTUP_PACING_GAIN * 8e5 * 0.99).abs() < 1.0);
    assert_eq!([9e5, 9e5, 9e5].map(|rate| path.round(rate, 200 * MSS)).last(), Some(&State::Drain));
    assert_eq!(path.bbr.rounds.count, 7);
}

/// §5.3.1.2: samples limited by the application prove nothing.
#[test]
fn startup_continues_while_application_limited() {
    let mut path = Path::new();
    let mut full = path.bbr.full.clone();
    path.round(RATE, 0);
    for _ in 0..10 {
        full.check(&Ack { rate: 1.0, app_limited: true, ..Ack::default() }, true);
    }
    assert!(!full.now && full.count == 0);
}

/// §5.3.1.3: a round of recovery with more than 2 % lost in six ranges.
#[test]
fn startup_ends_with_many_losses() {
    let enter = |ranges: u64, loss| {
        let mut path = Path::new();
        path.round(1e5, 0);
        path.bbr.on_recovery_begin(0);
        path.round(2e5, 0);
        for range in 0..ranges {
            path.bbr.on_lost(path.now, &Lost { start: range * 5000, ..lost(20_000, 1000) });
        }
        path.loss = loss;
        path.round(4e5, 0);
        path.round(8e5, 0);
        path.bbr.full.reached
    };
    assert!(enter(6, 0.03));
    assert!(!enter(5, 0.03), "too few ranges");
    assert!(!enter(6, 0.01), "too little");
}

/// §5.3.1.3: the round trip in which the recovery begins is not a whole one.
#[test]
fn startup_continues_in_the_round_of_a_loss() {
    let high = Ack { lost: 3 * MSS, tx_in_flight: 100 * MSS, ..Ack::default() };
    let ends_after = |rounds| {
        let mut bbr = Path::new().bbr;
        bbr.on_recovery_begin(0);
        bbr.rounds.count += rounds;
        bbr.model.loss_round_start = true;
        bbr.model.lost_ranges = STARTUP_FULL_LOSS_COUNT;
        bbr.check_startup_high_loss(&high);
        bbr.full.reached
    };
    assert_eq!([0, 1].map(ends_after), [false, true]);
}

/// §5.3.2: Drain ends when no more is in flight than the path holds, or after three rounds.
#[test]
fn drain_ends_with_the_queue() {
    let mut path = Path::new();
    path.rounds(10, 250 * MSS);
    assert_eq!(path.bbr.state, State::Drain);
    assert!((path.bbr.pacing_gain() - 0.5).abs() < 1e-12);
    assert_eq!(path.round(RATE, 101 * MSS), State::Drain);
    // ProbeBW_DOWN is over at once, since nothing is left to drain.
    assert_eq!(path.round(RATE, 100 * MSS), State::ProbeBwCruise);
    let mut path = Path::new();
    path.rounds(10, 250 * MSS);
    assert_eq!(path.rounds(10, 250 * MSS), (4, State::ProbeBwDown));
}

/// §5.3.3.1 and §5.3.3.2
#[test]
fn down_ends_when_the_queue_is_gone() {
    let mut path = Path::probing();
    assert_eq!(path.round(RATE, 101 * MSS), State::ProbeBwDown);
    assert_eq!(path.round(RATE, 100 * MSS), State::ProbeBwCruise);
    assert!((path.bbr.pacing_gain() - 1.0).abs() < 1e-12);
}

/// §5.3.3.5.3: a probe after 2 to 3 s.
#[test]
fn cruise_ends_after_two_to_three_seconds() {
    let mut path = Path::probing();
    let begin = path.now;
    while path.bbr.state != State::ProbeBwRefill {
        path.round(RATE, 90 * MSS);
        path.bbr.shortest.stamp = path.now;
    }
    let waited = path.now - begin;
    assert!(waited > Duration::from_secs(2) && waited < Duration::from_millis(3200), "{waited}");
}

/// §5.3.3.5.1: with a small window Reno would have probed before.
#[test]
fn cruise_ends_when_reno_would_have_grown() {
    let mut path = Path::probing();
    path.bbr.model.bw = 1e5;
    path.bbr.cycle.rounds_since_probe = 8;
    assert_eq!(path.round(RATE, 90 * MSS), State::ProbeBwCruise);
    path.bbr.model.bw = 1e5;
    assert_eq!(path.round(RATE, 90 * MSS), State::ProbeBwRefill);
}

/// §5.3.3.3: Refill lasts one round and resets the short-term model.
#[test]
fn refill_lasts_a_round_and_resets_short_term() {
    let mut path = Path::probing();
    for _ in 0..3 {
        path.bbr.on_lost(path.now, &lost(100 * MSS, MSS));
        path.round(5e5, 90 * MSS);
    }
    assert!(path.bbr.model.bw < RATE && path.bbr.model.inflight_shortterm < 200 * MSS);
    while path.bbr.state != State::ProbeBwRefill {
        path.round(5e5, 90 * MSS);
        path.bbr.shortest.stamp = path.now;
    }
    assert_eq!(path.bbr.model.inflight_shortterm, u64::MAX);
    assert_eq!(path.round(RATE, 90 * MSS), State::ProbeBwUp);
    assert!(path.bbr.cycle.probe_samples);
}

/// §5.3.3.4: up ends when the rate grows no more.
#[test]
fn up_ends_after_three_rounds_without_more() {
    let mut path = Path::refilling();
    assert_eq!(path.round(RATE, 90 * MSS), State::ProbeBwUp);
    assert!((path.bbr.pacing_gain() - 1.25).abs() < 1e-12);
    assert_eq!(path.round(1.3 * RATE, 90 * MSS), State::ProbeBwUp, "there was more");
    let (rounds, state) = (0..5).fold((0, State::ProbeBwUp), |(rounds, state), _| {
        if state == State::ProbeBwUp {
            (rounds + 1, path.round(1.3 * RATE, 90 * MSS))
        } else {
            (rounds, state)
        }
    });
    assert_eq!((rounds, state), (3, State::ProbeBwDown));
}

/// §5.5.10.2: a loss of more than 2 % sets the bound of data in flight to the amount at the loss.
/// Cruise stays 15 % below it, as headroom (§5.3.3.2).
#[test]
fn up_ends_with_losses_and_bounds_inflight() {
    let mut path = Path::refilling();
    path.round(RATE, 90 * MSS);
    path.bbr.on_lost(path.now, &lost(120 * MSS, 2 * MSS));
    assert_eq!(path.bbr.state, State::ProbeBwUp, "2 of 120 segments are less than 2 %");
    path.bbr.on_lost(path.now, &lost(120 * MSS, 3 * MSS));
    assert_eq!(path.bbr.state, State::ProbeBwDown);
    // 119 − 1 segments of loss budget: (0.02·119 − 2)/0.98 = 0.388 segments more.
    assert_eq!(path.bbr.model.inflight_longterm, 119_387);
    path.round(RATE, 90 * MSS);
    path.round(RATE, 90 * MSS);
    assert_eq!(path.bbr.state, State::ProbeBwCruise);
    assert_eq!(path.bbr.with_headroom(), 119_387 - 17_908);
    assert!(path.bbr.cwnd <= path.bbr.with_headroom());
}

/// §5.3.3.4: each round of a probe doubles the growth of the bound of data in flight.
#[test]
fn growth_of_a_probe_doubles_each_round() {
    let mut path = Path::refilling();
    path.bbr.model.inflight_longterm = 150 * MSS;
    assert_eq!(path.round(RATE, 150 * MSS), State::ProbeBwUp);
    let grown = [(); 3].map(|()| {
        let before = path.bbr.model.inflight_longterm;
        path.round(RATE, before);
        (path.bbr.model.inflight_longterm - before) as f64
    });
    assert!((1.7..2.3).contains(&(grown[2] / grown[1])), "{grown:?}");
}

/// §5.3.4: after 5 s without a shorter round trip, half of the bandwidth-delay product for 200 ms
/// and a round trip.
#[test]
fn min_rtt_is_measured_every_five_seconds() {
    let mut path = Path::probing();
    let begin = path.bbr.shortest.stamp;
    while path.bbr.state != State::ProbeRtt {
        path.round(RATE, 90 * MSS);
    }
    let waited = path.now - begin;
    assert!(waited > Duration::from_secs(5) && waited <= Duration::from_millis(5200), "{waited}");
    path.round(RATE, 90 * MSS);
    assert_eq!(path.bbr.cwnd, 50 * MSS);
    path.round(RATE, 50 * MSS);
    let entered = path.now;
    while path.bbr.state == State::ProbeRtt {
        path.round(RATE, 50 * MSS);
    }
    assert_eq!(path.bbr.state, State::ProbeBwCruise);
    assert_eq!(path.now - entered, Duration::from_millis(300), "more than 200 ms");
    assert!(path.bbr.cwnd >= 100 * MSS, "the window is as before");
}

/// §5.3.4.3: the oldest minimum counts for 10 s.
#[test]
fn longer_path_counts_after_ten_seconds() {
    let mut path = Path::probing();
    let begin = path.now;
    path.rtt = Duration::from_millis(200);
    while path.bbr.shortest.min_rtt == Some(RTT) {
        path.round(RATE, 90 * MSS);
    }
    let waited = path.now - begin;
    assert!(waited > Duration::from_secs(9) && waited < Duration::from_secs(16), "{waited}");
}

/// §5.5.10.3: losses outside a probe lower the short-term model by at most 30 %, once a round, and
/// never below the rate and the amount delivered.
#[test]
fn losses_outside_a_probe_lower_short_term_model() {
    let mut path = Path::probing();
    path.bbr.on_lost(path.now, &lost(100 * MSS, MSS));
    path.round(RATE, 90 * MSS);
    path.round(RATE, 90 * MSS);
    assert!((path.bbr.model.bw - RATE).abs() < 1.0, "it still delivers as much");
    let rates = [1.0, 0.7, 0.5, 0.5].map(|share| {
        path.bbr.on_lost(path.now, &lost(100 * MSS, MSS));
        path.round(5e5, 90 * MSS);
        (path.bbr.model.bw, share * RATE)
    });
    assert!(rates.iter().all(|(found, wanted)| (found - wanted).abs() < 1.0), "{rates:?}");
}

/// §5.6.4.4: after a timeout one segment leaves.
#[test]
fn a_timeout_leaves_a_segment() {
    let mut path = Path::probing();
    path.bbr.on_timeout(90 * MSS, false);
    assert_eq!(path.bbr.cwnd(), MSS);
}

/// §5.5.11.2
#[test]
fn a_loss_that_was_none_is_taken_back() {
    let mut path = Path::refilling();
    path.round(RATE, 90 * MSS);
    path.bbr.on_recovery_begin(90 * MSS);
    path.bbr.on_lost(path.now, &lost(100 * MSS, 5 * MSS));
    assert_eq!(path.bbr.state, State::ProbeBwDown);
    assert!(path.bbr.model.inflight_longterm < u64::MAX);
    path.bbr.on_spurious_reduction();
    assert_eq!((path.bbr.state, path.bbr.model.inflight_longterm), (State::ProbeBwUp, u64::MAX));
}

/// `C.is_cwnd_limited` of this round and of the one before: another segment had no room in the
/// window.
#[test]
fn window_with_room_is_not_cwnd_limited() {
    let update = |rounds: &mut Rounds, inflight| {
        let ack = Ack { inflight, newly_acked: MSS, ..Ack::default() };
        rounds.update(&ack, 10 * MSS, MSS);
        rounds.is_cwnd_limited()
    };
    let mut rounds = Rounds::default();
    assert!(!update(&mut rounds, 8 * MSS), "the tenth segment fits");
    assert!(update(&mut rounds, 8 * MSS + 1));
}

/// draft-ietf-ccwg-bbr §5.6.3: a millisecond of the pacing rate, at least two segments from 1.2
/// Mbit/s upwards and one below, at most 64 kB.
#[test]
fn send_quantum_is_a_millisecond_between_bounds() {
    let mut bbr = Path::new().bbr;
    let mut quantum = |bytes_per_second: f64| {
        bbr.pacing_rate = bytes_per_second;
        bbr.quantum()
    };
    assert_eq!(quantum(100_000.0), MSS);
    assert_eq!(quantum(149_999.0), MSS);
    assert_eq!(quantum(150_000.0), 2 * MSS);
    assert_eq!(quantum(12_500_000.0), 12_500);
    assert_eq!(quantum(1e9), 64_000);
}

/// Other parts of the sender ask for slow start, which is Startup here.
#[test]
fn startup_is_its_slow_start() {
    let mut path = Path::new();
    assert!(path.bbr.is_in_slow_start());
    while path.round(RATE, 0) == State::Startup {
        assert!(path.bbr.is_in_slow_start());
    }
    assert!(!path.bbr.is_in_slow_start());
}

/// draft-ietf-ccwg-bbr §5.6.1 and §5.3.4.3: the window is twice the bandwidth-delay product, 2.25
/// times in ProbeBW_UP, and half in ProbeRTT.
#[test]
fn probe_up_has_room_in_the_window() {
    let mut bbr = Path::probing().bbr;
    for (state, gain) in [
        (State::Startup, 2.0),
        (State::ProbeBwCruise, 2.0),
        (State::ProbeBwUp, 2.25),
        (State::ProbeRtt, 0.5),
    ] {
        bbr.state = state;
        assert!((bbr.cwnd_gain() - gain).abs() < 1e-12, "{state:?}");
    }
}
