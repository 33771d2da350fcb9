//! A TCP profile, from decisions: a named one, of which some fields are others.

use uplane::tcp::{
    AckPolicy, CongestionControl, Growth, InitialWindow, Nagle, Pacing, Profile, Reduction,
};
use uplane::unit::{Bytes, Duration};

use crate::Input;

/// Any profile that a scenario could ask for, and some beyond.
pub(crate) fn profile(input: &mut Input<'_>) -> Profile {
    let mut profile = base(input);
    for _ in 0..input.below(8) {
        change(&mut profile, input);
    }
    profile
}

fn base(input: &mut Input<'_>) -> Profile {
    let named = [
        Profile::rfc,
        Profile::linux,
        Profile::ns3_lena,
        Profile::ns3_2018,
        Profile::study_004_plain,
    ];
    input.pick(&named)()
}

fn change(profile: &mut Profile, input: &mut Input<'_>) {
    match input.below(22) {
        0 => profile.segments.mss = Bytes(input.range(50, 1460)),
        1 => profile.segments.announce_mss ^= true,
        2 => profile.options.sack ^= true,
        3 => profile.options.timestamps ^= true,
        4 => profile.options.window_scaling ^= true,
        5 => {
            profile.congestion.control =
                input.pick(&[CongestionControl::NewReno, CongestionControl::Cubic]);
        }
        6 => profile.congestion.hystart ^= true,
        7 => profile.congestion.growth = growth(input),
        8 => profile.congestion.initial_window = initial_window(input),
        9 => profile.receiver.buffer = Bytes(1 + input.magnitude(1 << 20)),
        10 => profile.sender.buffer = Some(Bytes(1 + input.magnitude(1 << 16))),
        11 => profile.recovery.limited_transmit ^= true,
        12 => {
            profile.recovery.reduction = input.pick(&[Reduction::AtOnce, Reduction::Proportional]);
        }
        13 => profile.congestion.restart_after_idle ^= true,
        14 => profile.sender.nagle = input.pick(&[Nagle::Off, Nagle::Classic, Nagle::Minshall]),
        15 => profile.receiver.acks = ack_policy(input),
        16 => profile.sender.pacing = pacing(input),
        17 => profile.timers.handshake_ack_hold = millis(input, 0, 300),
        18 => profile.congestion.maximum_cwnd = Some(Bytes(1500 + input.magnitude(1 << 18))),
        19 => profile.congestion.initial_ssthresh = Some(Bytes(1 + input.magnitude(1 << 18))),
        20 => profile.timers.rto.minimum = millis(input, 1, 1000),
        _ => profile.congestion.grow_only_when_limited ^= true,
    }
}

fn growth(input: &mut Input<'_>) -> Growth {
    input.pick(&[
        Growth::PerAck,
        Growth::PerByte { limit: None },
        Growth::PerByte { limit: Some(1) },
        Growth::PerByte { limit: Some(2) },
    ])
}

fn initial_window(input: &mut Input<'_>) -> InitialWindow {
    match input.below(3) {
        0 => InitialWindow::Segments(input.range(1, 12) as u32),
        1 => InitialWindow::Rfc3390,
        _ => InitialWindow::Rfc6928,
    }
}

fn ack_policy(input: &mut Input<'_>) -> AckPolicy {
    let (kind, count, quick) = (input.below(4), input.range(1, 5) as u32, input.below(20) as u32);
    let delay = millis(input, 1, 500);
    match kind {
        0 => AckPolicy::Every { segments: count, delay, quick },
        1 => AckPolicy::Adaptive { quick, shortest: delay, longest: delay + millis(input, 0, 300) },
        2 => AckPolicy::Stretching { after: quick, segments: count, delay },
        _ => AckPolicy::FixedDelay { segments: count, delay },
    }
}

fn pacing(input: &mut Input<'_>) -> Option<Pacing> {
    let burst = Bytes(input.range(500, 10_000));
    input.flag().then_some(Pacing { slow_start: 2.0, avoidance: 1.2, burst })
}

/// Milliseconds, from the least to the most.
pub(crate) fn millis(input: &mut Input<'_>, least: u64, most: u64) -> Duration {
    Duration::from_millis(input.range(least, most))
}
