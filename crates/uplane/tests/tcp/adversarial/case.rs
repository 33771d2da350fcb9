//! Random cases: profiles, applications and the network.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use uplane::tcp::{
    AckPolicy, Acks, CongestionControl, CubicRule, EcnMode, EcnOption, FastOpen, Growth,
    IdleRestart, InitialWindow, Nagle, Profile, RateReduction, RtoRule, SackRecovery,
    SlowStartExit, ThresholdBase,
};
use uplane::unit::{Bitrate, Bytes, Duration, Limit};

/// A case of the adversarial tests.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Seed of the network's random decisions.
    pub(crate) seed: u64,
    pub(crate) opening: Opening,
    pub(crate) ends: [EndCase; 2],
    pub(crate) network: NetworkCase,
}

/// Opening of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The first end connects, the second listens.
    Normal,
    /// Simultaneous open by both ends.
    Simultaneous,
    /// Both are open from the start, with the first end's profile.
    Established,
}

/// Profile and application of one end.
#[derive(Clone, Debug)]
pub(crate) struct EndCase {
    pub(crate) profile: Profile,
    pub(crate) isn: u32,
    /// Time and size of each write.
    pub(crate) writes: Vec<(Duration, Bytes)>,
    /// Time of the close after the last write.
    pub(crate) close: Option<Duration>,
    /// The application reads slowly.
    pub(crate) reads: Option<Bitrate>,
    /// Cookie of the other end at the start, if the profile has Fast Open.
    pub(crate) cookie: CookieCase,
}

/// Cookie that an end has at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CookieCase {
    None,
    Valid,
    Wrong,
}

/// Behaviour of the network until it calms down; probabilities are in percent.
#[derive(Clone, Debug)]
pub(crate) struct NetworkCase {
    pub(crate) delay: Duration,
    pub(crate) jitter: Duration,
    pub(crate) loss: u64,
    /// Number of consecutive packets lost at a loss.
    pub(crate) burst: u64,
    pub(crate) duplicates: u64,
    /// Windows that are reduced in flight.
    pub(crate) squeezed: u64,
    /// Packets that are marked, if their sender has agreed on ECN.
    pub(crate) marks: u64,
    /// Times in which nothing gets through.
    pub(crate) outages: Vec<(Duration, Duration)>,
    /// Time at which a link with a smaller MTU appears, and that MTU.
    pub(crate) narrow: Option<(Duration, Bytes)>,
}

/// Any case with any profile.
pub(crate) fn hostile() -> impl Strategy<Value = Case> {
    case(end(profile()), network())
}

/// One end or both read slowly, with windows of minimum length or longer.
pub(crate) fn slow_readers() -> impl Strategy<Value = Case> {
    let rate = option::weighted(0.7, 100_000_u64..10_000_000);
    let reading = (end(profile()), rate).prop_map(|(mut end, rate)| {
        end.reads = rate.and_then(Bitrate::from_bps);
        end
    });
    case(reading, network())
}

/// Both ends use Fast Open if they can, with the right cookie, a wrong one or no cookie.
pub(crate) fn fast_opens() -> impl Strategy<Value = Case> {
    case(opening_fast(profile()), network())
}

/// Fast Open over a network without trouble.
pub(crate) fn perfect_fast_opens() -> impl Strategy<Value = Case> {
    case(opening_fast(patient()), smooth())
}

fn opening_fast(
    profile: impl Strategy<Value = Profile> + Clone,
) -> impl Strategy<Value = EndCase> + Clone {
    let cookie = prop_oneof![
        1 => Just(CookieCase::None),
        4 => Just(CookieCase::Valid),
        1 => Just(CookieCase::Wrong),
    ];
    // The first write is early, so that the SYN does not wait until the network is calm.
    let option =
        proptest::sample::select(&[EcnOption::Off, EcnOption::Full, EcnOption::Sparse][..]);
    let drawn = (end(profile), any::<bool>(), cookie, millis(0..100), option);
    drawn.prop_map(|(mut end, on, cookie, soon, option)| {
        end.profile.ecn_option = option;
        end.profile.fast_open = if on { FastOpen::Cold } else { FastOpen::Off };
        end.cookie = cookie;
        if let Some((first, _)) = end.writes.first_mut() {
            *first = soon.min(*first);
        }
        end
    })
}

/// Windows of a few bytes, and a network that closes them.
pub(crate) fn tiny_windows() -> impl Strategy<Value = Case> {
    let tiny = (profile(), 1_u64..300).prop_map(|(mut profile, buffer)| {
        profile.receive_buffer = Bytes(buffer);
        profile
    });
    let squeezing =
        (network(), 0_u64..60).prop_map(|(network, squeezed)| NetworkCase { squeezed, ..network });
    case(end(tiny), squeezing)
}

/// Nothing is lost, but much is duplicated and reordered: with timestamps on both ends each late
/// acknowledgement is older than the newest one.
pub(crate) fn disordered() -> impl Strategy<Value = Case> {
    let network =
        (millis(1..300), millis(0..600), 0_u64..45).prop_map(|(delay, jitter, duplicates)| {
            NetworkCase {
                delay,
                jitter,
                loss: 0,
                burst: 1,
                duplicates,
                squeezed: 0,
                marks: 0,
                outages: Vec::new(),
                narrow: None,
            }
        });
    let stamped = profile().prop_map(|mut profile| {
        profile.timestamps = true;
        profile
    });
    case(end(stamped), network)
}

/// No trouble, and no delay longer than the minimum timeout.
pub(crate) fn perfect() -> impl Strategy<Value = Case> {
    case(end(patient()), smooth())
}

/// A network without trouble.
fn smooth() -> impl Strategy<Value = NetworkCase> {
    millis(1..40).prop_map(|delay| NetworkCase {
        delay,
        jitter: Duration::ZERO,
        loss: 0,
        burst: 1,
        duplicates: 0,
        squeezed: 0,
        marks: 0,
        outages: Vec::new(),
        narrow: None,
    })
}

/// A delayed acknowledgement and the round trip stay below the minimum of a second.
fn patient() -> impl Strategy<Value = Profile> + Clone {
    profile().prop_map(|mut profile| {
        let Profile { min_rto, max_rto, initial_rto, rto_granularity, .. } = Profile::rfc();
        profile = Profile { min_rto, max_rto, initial_rto, rto_granularity, ..profile };
        profile.rto_share_weights = true;
        // A probe may arrive before a delayed acknowledgement.
        profile = Profile { rto_rule: RtoRule::Rfc6298, tail_loss_probe: false, ..profile };
        profile.acks = shorten(profile.acks);
        profile.handshake_ack_hold = Duration::ZERO;
        profile.receive_buffer = profile.receive_buffer.max(Bytes(4000));
        profile
    })
}

fn case(
    end: impl Strategy<Value = EndCase> + Clone,
    network: impl Strategy<Value = NetworkCase>,
) -> impl Strategy<Value = Case> {
    let opening = prop_oneof![
        6 => Just(Opening::Normal),
        1 => Just(Opening::Simultaneous),
        1 => Just(Opening::Established),
    ];
    (any::<u64>(), opening, end.clone(), end, network).prop_map(
        |(seed, opening, first, second, network)| Case {
            seed,
            opening,
            ends: [first, second],
            network,
        },
    )
}

fn end(profile: impl Strategy<Value = Profile> + Clone) -> impl Strategy<Value = EndCase> + Clone {
    let length = prop_oneof![3 => 1_u64..3000, 1 => 3000_u64..60_000];
    let write = (millis(0..5000), length.prop_map(Bytes));
    let close = option::weighted(0.8, millis(0..3000));
    // Numbers that soon wrap around.
    let isn = prop_oneof![any::<u32>(), u32::MAX - 5000..u32::MAX];
    (profile, isn, vec(write, 0..4), close).prop_map(|(profile, isn, mut writes, close)| {
        writes.sort_by_key(|&(at, _)| at);
        EndCase { profile, isn, writes, close, reads: None, cookie: CookieCase::None }
    })
}

fn network() -> impl Strategy<Value = NetworkCase> {
    let outage = (millis(0..20_000), millis(0..20_000));
    (
        millis(1..200),
        prop_oneof![2 => Just(Duration::ZERO), 1 => millis(0..300)],
        prop_oneof![1 => Just(0_u64), 3 => 0_u64..60],
        1_u64..8,
        prop_oneof![1 => Just(0_u64), 1 => 0_u64..30],
        prop_oneof![3 => Just(0_u64), 1 => 0_u64..30],
        prop_oneof![1 => Just(0_u64), 1 => 0_u64..100],
        vec(outage, 0..3),
        option::weighted(0.2, (millis(0..10_000), (120_u64..1500).prop_map(Bytes))),
    )
        .prop_map(
            |(delay, jitter, loss, burst, duplicates, squeezed, marks, outages, narrow)| {
                NetworkCase {
                    delay,
                    jitter,
                    loss,
                    burst,
                    duplicates,
                    squeezed,
                    marks,
                    outages,
                    narrow,
                }
            },
        )
}

fn profile() -> impl Strategy<Value = Profile> + Clone {
    (base(), segments(), options(), windows(), host(), repair(), policies()).prop_map(
        |(mut profile, (mss, announce_mss), options, windows, host, repair, policies)| {
            profile.mss = mss;
            profile.announce_mss = announce_mss;
            let (sack, timestamps, window_scaling) = options;
            profile = Profile { sack, timestamps, window_scaling, ..profile };
            let (control, hystart, growth, initial_window, receive_buffer, send_buffer) = windows;
            let (control, ecn, abe) = control;
            profile.congestion_control = control.into();
            (profile.ecn, profile.abe) = (ecn, abe);
            profile.hystart = hystart;
            profile.growth = growth;
            profile.initial_window = initial_window;
            profile.receive_buffer = receive_buffer;
            profile.send_buffer = send_buffer;
            let (whole_segments, receive_buffer_tuning, sending, timer_tick) = host;
            let (send_buffer_by_thirds, send_buffer_tuning, push_often) = sending;
            profile = Profile { send_buffer_by_thirds, send_buffer_tuning, push_often, ..profile };
            profile = Profile { whole_segments, receive_buffer_tuning, timer_tick, ..profile };
            let Repair { recovery, limited_transmit, prr, restart_after_idle, finds, rules } =
                repair;
            profile = Profile { limited_transmit, prr, restart_after_idle, ..profile };
            profile.sack_recovery = recovery.unwrap_or(profile.sack_recovery);
            let (tail_loss_probe, f_rto, undo_reductions) = finds;
            profile = Profile { tail_loss_probe, f_rto, undo_reductions, ..profile };
            let (threshold_base, rto_rule, cubic) = rules;
            profile = Profile { threshold_base, rto_rule, cubic, ..profile };
            let (nagle, acks, pacing, handshake_ack_hold) = policies;
            profile.nagle = nagle;
            profile.acks = acks;
            profile.pacing = pacing.is_some();
            profile.pacing_burst = pacing.unwrap_or(profile.pacing_burst);
            profile.handshake_ack_hold = handshake_ack_hold;
            profile
        },
    )
}

fn base() -> impl Strategy<Value = Profile> + Clone {
    prop_oneof![
        Just(built_in("rfc")),
        Just(built_in("linux")),
        Just(built_in("ns3-lena")),
        Just(built_in("ns3-2018")),
        Just(built_in("bare")),
    ]
}

fn built_in(name: &str) -> Profile {
    Profile::built_in(name).expect("it is built in")
}

fn segments() -> impl Strategy<Value = (Bytes, bool)> + Clone {
    ((50_u64..1461).prop_map(Bytes), any::<bool>())
}

fn options() -> impl Strategy<Value = (bool, bool, bool)> + Clone {
    (any::<bool>(), any::<bool>(), any::<bool>())
}

/// Whole segments, window tuning, thirds and tuning of the send buffer, frequent PSH, the tick of
/// the clock.
fn host() -> impl Strategy<Value = (bool, bool, (bool, bool, bool), Duration)> + Clone {
    let tick = prop_oneof![Just(Duration::ZERO), millis(1..20)];
    (any::<bool>(), any::<bool>(), any::<(bool, bool, bool)>(), tick)
}

type Windows = (Control, SlowStartExit, Growth, InitialWindow, Bytes, Limit<Bytes>);
/// The controller, ECN, and whether marks cost less.
type Control = (CongestionControl, EcnMode, bool);

fn control() -> impl Strategy<Value = Control> + Clone {
    (
        proptest::sample::select(CongestionControl::ALL),
        prop_oneof![
            Just(EcnMode::Off),
            Just(EcnMode::Passive),
            Just(EcnMode::Classic),
            Just(EcnMode::Accurate),
        ],
        any::<bool>(),
    )
}

fn windows() -> impl Strategy<Value = Windows> + Clone {
    (
        control(),
        prop_oneof![
            Just(SlowStartExit::Off),
            Just(SlowStartExit::Rfc9406),
            Just(SlowStartExit::Linux),
        ],
        prop_oneof![
            Just(Growth::PerAck),
            Just(Growth::Abc1),
            Just(Growth::Abc2),
            Just(Growth::PerByte),
        ],
        prop_oneof![
            (1_u32..12).prop_map(InitialWindow::Segments),
            Just(InitialWindow::Rfc3390),
            Just(InitialWindow::Rfc6928),
        ],
        prop_oneof![1_u64..3000, 3000_u64..200_000].prop_map(Bytes),
        option::weighted(0.3, (1_u64..20_000).prop_map(Bytes))
            .prop_map(|buffer| buffer.map_or(Limit::UNLIMITED, Limit::of)),
    )
}

/// Detection and repair of losses, and their cost.
#[derive(Clone, Debug)]
struct Repair {
    /// The recovery; `None` for that of the base.
    recovery: Option<SackRecovery>,
    limited_transmit: bool,
    prr: RateReduction,
    restart_after_idle: IdleRestart,
    /// Tail loss probes, F-RTO, and undoing.
    finds: (bool, bool, bool),
    rules: (ThresholdBase, RtoRule, CubicRule),
}

fn repair() -> impl Strategy<Value = Repair> + Clone {
    let recovery = prop_oneof![
        Just(SackRecovery::Rack),
        Just(SackRecovery::Rfc6675),
        Just(SackRecovery::NewReno),
        Just(SackRecovery::PartialResend),
        Just(SackRecovery::Ns3),
        Just(SackRecovery::Ns3Later),
    ];
    let prr = prop_oneof![
        Just(RateReduction::Off),
        Just(RateReduction::Rfc6937),
        Just(RateReduction::Rfc9937),
    ];
    let restart = prop_oneof![
        Just(IdleRestart::Off),
        Just(IdleRestart::Rfc5681),
        Just(IdleRestart::Rfc2861),
    ];
    let rules = (
        prop_oneof![Just(ThresholdBase::FlightSize), Just(ThresholdBase::Cwnd)],
        prop_oneof![Just(RtoRule::Rfc6298), Just(RtoRule::Linux)],
        prop_oneof![Just(CubicRule::Rfc9438), Just(CubicRule::Linux)],
    );
    let finds = (any::<bool>(), any::<bool>(), any::<bool>());
    (option::weighted(0.8, recovery), any::<bool>(), prr, restart, finds, rules).prop_map(
        |(recovery, limited_transmit, prr, restart_after_idle, finds, rules)| Repair {
            recovery,
            limited_transmit,
            prr,
            restart_after_idle,
            finds,
            rules,
        },
    )
}

/// The burst, where segments are paced, is the third.
type Policies = (Nagle, Acks, Option<Bytes>, Duration);

fn policies() -> impl Strategy<Value = Policies> + Clone {
    (
        prop_oneof![Just(Nagle::Off), Just(Nagle::Rfc), Just(Nagle::Minshall)],
        acks(),
        option::weighted(0.2, (500_u64..10_000).prop_map(Bytes)),
        prop_oneof![3 => Just(Duration::ZERO), 1 => millis(0..300)],
    )
}

fn acks() -> impl Strategy<Value = Acks> + Clone {
    let policy = prop_oneof![
        Just(AckPolicy::Delayed),
        Just(AckPolicy::Adaptive),
        Just(AckPolicy::Stretching),
        Just(AckPolicy::FixedDelay),
        Just(AckPolicy::Timed),
    ];
    let compressed = (any::<bool>(), prop_oneof![Just(0), 1_u32..50], millis(1..100), 1_u32..200);
    (policy, 1_u32..5, millis(1..500), millis(0..300), 0_u32..20, compressed).prop_map(
        |(policy, every, timer, more, quick, compressed)| Acks {
            policy,
            every,
            timer,
            longest: timer + more,
            quick,
            at_push: compressed.0,
            compressed_sacks: compressed.1,
            compressed_delay: compressed.2,
            compressed_percent: compressed.3,
        },
    )
}

/// Returns this policy with a delay of at most 200 ms.
fn shorten(acks: Acks) -> Acks {
    let most = Duration::from_millis(200);
    Acks { timer: acks.timer.min(most), longest: acks.longest.min(most), ..acks }
}

fn millis(range: std::ops::Range<u64>) -> impl Strategy<Value = Duration> + Clone {
    range.prop_map(Duration::from_millis)
}
