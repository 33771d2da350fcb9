//! A TCP profile, from decisions: a named one, of which some fields are others.

use uplane::tcp::{
    AckPolicy, Acks, CongestionControl, CubicRule, Growth, IdleRestart, InitialWindow, Nagle,
    PROFILES, Profile, RateReduction, RtoRule, SackRecovery, SlowStartExit, ThresholdBase,
};
use uplane::unit::{Bytes, Duration, Limit};

use crate::Input;

/// Draws any profile that a scenario can have, and some others.
pub(crate) fn profile(input: &mut Input<'_>) -> Profile {
    let mut profile = base(input);
    for _ in 0..input.below(8) {
        change(&mut profile, input);
    }
    profile
}

fn base(input: &mut Input<'_>) -> Profile {
    let names: Vec<&str> = PROFILES.names().collect();
    let mut profile = Profile::built_in(input.pick(&names)).expect("it is built in");
    if !profile.window_scaling {
        profile.receive_buffer = Bytes(65_535);
    }
    profile
}

fn change(profile: &mut Profile, input: &mut Input<'_>) {
    match input.below(32) {
        0 => profile.mss = Bytes(input.range(50, 1460)),
        1 => profile.announce_mss ^= true,
        2 => profile.sack ^= true,
        3 => profile.timestamps ^= true,
        4 => profile.window_scaling ^= true,
        5 => {
            profile.congestion_control =
                input.pick(&[CongestionControl::NewReno, CongestionControl::Cubic]).into();
        }
        6 => profile.hystart = input.pick(&[SlowStartExit::Off, SlowStartExit::Rfc9406]),
        7 => profile.growth = growth(input),
        8 => profile.initial_window = initial_window(input),
        9 => profile.receive_buffer = Bytes(1 + input.magnitude(1 << 20)),
        10 => profile.send_buffer = Limit::of(Bytes(1 + input.magnitude(1 << 16))),
        11 => profile.limited_transmit ^= true,
        12 => profile.prr = input.pick(&[RateReduction::Off, RateReduction::Rfc6937]),
        13 => profile.restart_after_idle = input.pick(&[IdleRestart::Off, IdleRestart::Rfc5681]),
        14 => profile.nagle = input.pick(&[Nagle::Off, Nagle::Rfc, Nagle::Minshall]),
        15 => profile.acks = acks(input),
        16 => {
            profile.pacing ^= true;
            profile.pacing_burst = Bytes(input.range(500, 10_000));
        }
        17 => profile.handshake_ack_hold = millis(input, 0, 300),
        18 => profile.max_window = Limit::of(Bytes(1500 + input.magnitude(1 << 18))),
        19 => profile.initial_ssthresh = Limit::of(Bytes(1 + input.magnitude(1 << 18))),
        20 => profile.min_rto = millis(input, 1, 1000),
        21 => profile.grow_only_when_limited ^= true,
        other => change_of_linux(profile, other - 22, input),
    }
}

/// Changes one parameter in which Linux differs from the base.
fn change_of_linux(profile: &mut Profile, number: u64, input: &mut Input<'_>) {
    match number {
        0 => profile.sack_recovery = recovery(input),
        1 => profile.tail_loss_probe ^= true,
        2 => profile.f_rto ^= true,
        3 => profile.undo_reductions ^= true,
        4 => profile.prr = RateReduction::Rfc9937,
        5 => profile.threshold_base = ThresholdBase::Cwnd,
        6 => {
            profile.hystart = SlowStartExit::Linux;
            profile.cubic = CubicRule::Linux;
        }
        7 => {
            profile.restart_after_idle = IdleRestart::Rfc2861;
            profile.rto_rule = RtoRule::Linux;
        }
        8 => {
            profile.receive_buffer_tuning ^= true;
            profile.send_buffer_by_thirds ^= true;
        }
        _ => {
            profile.timer_tick = millis(input, 0, 20);
            profile.whole_segments ^= true;
        }
    }
}

fn recovery(input: &mut Input<'_>) -> SackRecovery {
    input.pick(&[
        SackRecovery::Rack,
        SackRecovery::Rfc6675,
        SackRecovery::NewReno,
        SackRecovery::PartialResend,
        SackRecovery::Ns3,
        SackRecovery::Ns3Later,
    ])
}

fn growth(input: &mut Input<'_>) -> Growth {
    input.pick(&[Growth::PerAck, Growth::PerByte, Growth::Abc1, Growth::Abc2])
}

fn initial_window(input: &mut Input<'_>) -> InitialWindow {
    match input.below(3) {
        0 => InitialWindow::Segments(input.range(1, 12) as u32),
        1 => InitialWindow::Rfc3390,
        _ => InitialWindow::Rfc6928,
    }
}

fn acks(input: &mut Input<'_>) -> Acks {
    let policy = input.pick(&[
        AckPolicy::Delayed,
        AckPolicy::Adaptive,
        AckPolicy::Stretching,
        AckPolicy::FixedDelay,
        AckPolicy::Timed,
    ]);
    let (every, quick) = (input.range(1, 5) as u32, input.below(20) as u32);
    let timer = millis(input, 1, 500);
    // Without a draw of its own, so that kept inputs mean what they meant.
    let compressed_sacks = if quick % 2 == 1 { 44 } else { 0 };
    let usual = Acks { compressed_sacks, ..Profile::rfc().acks };
    Acks { policy, every, timer, longest: timer + millis(input, 0, 300), quick, ..usual }
}

/// Draws a duration between two numbers of milliseconds.
pub(crate) fn millis(input: &mut Input<'_>, least: u64, most: u64) -> Duration {
    Duration::from_millis(input.range(least, most))
}
