//! Resolution of TCP parameter sets: named bases, chains of bases, and what each set says differently.

use std::collections::{BTreeMap, BTreeSet};

use super::super::error::{ScenarioError, nearest};
use super::super::plan::Transport;
use super::super::quantity::{Size, Span};
use super::super::schema::{AckPolicyKind, Acks, Growth, Tcp};
use super::path::{LARGEST_MSS, LEAST_MSS};
use super::{Checked, Checker};
use crate::record::{Warned, Warning};
use crate::tcp::{self, AckPolicy, InitialWindow, Nagle, Pacing, Profile, Reduction};
use crate::unit::{Bytes, Duration};

/// A profile that always exists.
struct BuiltIn {
    name: &'static str,
    profile: fn() -> Profile,
    /// Linux discovers the path MTU by default; the studies and ns-3 leave their packets to be cut.
    path_mtu_discovery: bool,
}

impl BuiltIn {
    const fn of(name: &'static str, profile: fn() -> Profile) -> Self {
        Self { name, profile, path_mtu_discovery: false }
    }
}

const BUILT_IN: &[BuiltIn] = &[
    BuiltIn::of("rfc", Profile::rfc),
    BuiltIn { path_mtu_discovery: true, ..BuiltIn::of("linux", Profile::linux) },
    BuiltIn::of("ns3-2018", Profile::ns3_2018),
    BuiltIn::of("ns3-lena", Profile::ns3_lena),
    BuiltIn::of("study-000-literal", Profile::study_000_literal),
    BuiltIn::of("study-000-small-sr-grant", Profile::study_000_small_sr_grant),
    BuiltIn::of("study-002", Profile::study_002),
    BuiltIn::of("study-004-plain", Profile::study_004_plain),
    BuiltIn::of("study-004-held-handshake", Profile::study_004_held_handshake),
    BuiltIn::of("study-004-held-acks", Profile::study_004_held_acks),
];

/// The names of the built-in TCP profiles, usable as `base` and as `tcp`.
pub fn tcp_profiles() -> Vec<&'static str> {
    BUILT_IN.iter().map(|built_in| built_in.name).collect()
}

/// All parameter sets, and those that applications use.
pub(super) struct Profiles {
    /// The sections by name, resolved.
    sets: BTreeMap<String, Transport>,
    used: Vec<Transport>,
    /// The position in `used` of each name in use.
    positions: BTreeMap<String, usize>,
}

impl Profiles {
    /// The position of the set that an application names; `default` when it names none.
    pub(super) fn select(
        &mut self,
        checker: &Checker,
        app: &str,
        name: Option<&str>,
    ) -> Checked<usize> {
        let name = match name {
            None if !self.sets.contains_key(DEFAULT) => "rfc",
            name => name.unwrap_or(DEFAULT),
        };
        if let Some(&position) = self.positions.get(name) {
            return Ok(position);
        }
        let Some(transport) = self.sets.get(name).cloned().or_else(|| built_in(name)) else {
            return Err(checker.unknown_set(&format!("{app}.tcp"), name));
        };
        self.used.push(transport);
        self.positions.insert(name.to_owned(), self.used.len() - 1);
        Ok(self.used.len() - 1)
    }

    /// More than this a sender never has in flight.
    pub(super) fn largest_flight(&self, position: usize) -> Bytes {
        let profile = &self.used[position].profile;
        profile
            .congestion
            .maximum_cwnd
            .unwrap_or(profile.receiver.buffer)
            .min(profile.receiver.buffer)
    }

    /// The sets in use, by their positions.
    pub(super) fn into_used(self) -> Vec<Transport> {
        self.used
    }
}

impl Checker<'_> {
    /// All sections of [tcp], whether an application uses them or not.
    pub(super) fn tcp_sets(&self) -> Checked<Profiles> {
        let mut sets = BTreeMap::new();
        for name in self.file.tcp.keys() {
            self.name(&format!("tcp.{name}"), name)?;
        }
        for name in self.file.tcp.keys() {
            self.resolve(name, &mut sets)?;
        }
        Ok(Profiles { sets, used: Vec::new(), positions: BTreeMap::new() })
    }

    /// Resolves the section called `name` and the bases that it needs, from the last base on.
    fn resolve(&self, name: &str, sets: &mut BTreeMap<String, Transport>) -> Checked<()> {
        let mut chain = vec![name];
        let mut seen = BTreeSet::from([name]);
        let mut transport = loop {
            let name = chain[chain.len() - 1];
            if let Some(known) = sets.get(name) {
                chain.pop();
                break known.clone();
            }
            let Some(base) = self.file.tcp[name].base.as_deref() else {
                // A section may refine the built-in profile of its own name.
                break built_in(name).or_else(|| built_in("rfc")).expect("a built-in profile");
            };
            let own = base == name || !self.file.tcp.contains_key(base);
            if let Some(built_in) = built_in(base).filter(|_| own) {
                break built_in;
            }
            let key = format!("tcp.{name}.base");
            let Some((base, _)) = self.file.tcp.get_key_value(base) else {
                return Err(self.unknown_set(&key, base));
            };
            chain.push(base);
            let found = format!("the circle {}", chain.join(" → "));
            let expected = "bases that end at a built-in profile";
            self.demand(seen.insert(base), &key, found, expected)?;
        };
        for name in chain.into_iter().rev() {
            transport = self.refine(&format!("tcp.{name}"), &self.file.tcp[name], transport)?;
            sets.insert(name.to_owned(), transport.clone());
        }
        Ok(())
    }

    /// A set that no application uses has no effect: a warning, or an error where its name is a slip of the pen.
    pub(super) fn unused_sets(&self, profiles: &Profiles) -> Checked<Vec<Warning>> {
        let sets = &self.file.tcp;
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for name in profiles.positions.keys() {
            let mut next = Some(name.as_str());
            while let Some(name) = next.filter(|name| used.insert(name)) {
                next = sets.get(name).and_then(|set| set.base.as_deref());
            }
        }
        let mut unused = Vec::new();
        for name in sets.keys().filter(|name| !used.contains(name.as_str())) {
            let meant = nearest(name, [DEFAULT]);
            if meant.is_some() && !sets.contains_key(DEFAULT) {
                let expected = "a name that an application uses, or \"default\"";
                let key = format!("tcp.{name}");
                let error = self.source.error(&key, "a set that nothing uses", expected);
                return Err(ScenarioError { nearest: meant, ..error });
            }
            let warning = Warning::new(Warned::Unused, "no application uses {place}");
            unused.push(Warning { place: format!("tcp.{name}"), ..warning });
        }
        Ok(unused)
    }

    /// An error: no set is called `name`.
    fn unknown_set(&self, key: &str, name: &str) -> ScenarioError {
        let sets = self.file.tcp.keys().map(String::as_str);
        let names: Vec<&str> = tcp_profiles().into_iter().chain(sets).collect();
        self.unknown(key, name, &names, "a built-in profile or a section of [tcp]")
    }

    fn refine(&self, key: &str, section: &Tcp, base: Transport) -> Checked<Transport> {
        let Transport { mut profile, mut path_mtu_discovery } = base;
        switches(section, &mut profile);
        set(&mut path_mtu_discovery, section.path_mtu_discovery);
        self.segment_size(key, section, &mut profile)?;
        self.windows(key, section, &mut profile)?;
        self.timers(key, section, &mut profile)?;
        if let Some(acks) = &section.acks {
            profile.receiver.acks =
                self.acks(&format!("{key}.acks"), acks, profile.receiver.acks)?;
        }
        Ok(Transport { profile, path_mtu_discovery })
    }

    fn segment_size(&self, key: &str, section: &Tcp, profile: &mut Profile) -> Checked<()> {
        let mss = match (section.mss, section.mtu) {
            (Some(_), Some(_)) => {
                return self.wrong(
                    &format!("{key}.mtu"),
                    "both mss and mtu",
                    "one of them: the MTU is the MSS and 40 B of headers",
                );
            }
            (Some(mss), None) => mss.0,
            (None, Some(mtu)) => {
                let valid = (Bytes(68)..=Bytes(65_535)).contains(&mtu.0);
                self.demand(
                    valid,
                    &format!("{key}.mtu"),
                    mtu.0,
                    "from 68 B (RFC 791 §3.2) to 65535 B",
                )?;
                mtu.0 - IP_AND_TCP_HEADERS
            }
            (None, None) => return Ok(()),
        };
        let valid = (LEAST_MSS..=LARGEST_MSS).contains(&mss);
        self.demand(valid, &format!("{key}.mss"), mss, "from 8 B to 65495 B")?;
        let options = if profile.options.timestamps && profile.segments.options_count_in_mss {
            TIMESTAMPS
        } else {
            Bytes::ZERO
        };
        self.demand(
            mss > options,
            &format!("{key}.mss"),
            mss,
            "more than the 12 B of timestamps in each segment",
        )?;
        profile.segments.mss = mss;
        if !profile.segments.announce_mss {
            profile.segments.assumed_peer_mss = mss;
        }
        Ok(())
    }

    fn windows(&self, key: &str, section: &Tcp, profile: &mut Profile) -> Checked<()> {
        if let Some(segments) = section.initial_window {
            let valid = (1..=1000).contains(&segments);
            self.demand(
                valid,
                &format!("{key}.initial_window"),
                segments,
                "from 1 to 1000 segments",
            )?;
            profile.congestion.initial_window = InitialWindow::Segments(segments);
        }
        if let Some(buffer) = section.receive_buffer {
            profile.receiver.buffer = buffer.0;
        }
        let most =
            if profile.options.window_scaling { LARGEST_WINDOW } else { LARGEST_UNSCALED_WINDOW };
        let valid = (profile.segments.mss..=most).contains(&profile.receiver.buffer);
        let expected = format!(
            "from one segment ({}) to {most}, the largest window that can be announced",
            profile.segments.mss
        );
        self.demand(valid, &format!("{key}.receive_buffer"), profile.receiver.buffer, &expected)?;
        let segment = format!("at least one segment ({})", profile.segments.mss);
        for (name, size) in [
            ("send_buffer", section.send_buffer),
            ("max_window", section.max_window),
            ("initial_ssthresh", section.initial_ssthresh),
        ] {
            let valid = size.is_none_or(|size| size.0 >= profile.segments.mss);
            let found = size.map(|size| size.0.to_string()).unwrap_or_default();
            self.demand(valid, &format!("{key}.{name}"), found, &segment)?;
        }
        profile.sender.buffer = section.send_buffer.map(|size| size.0).or(profile.sender.buffer);
        self.writes(key, section, profile)?;
        profile.congestion.maximum_cwnd =
            section.max_window.map(|size| size.0).or(profile.congestion.maximum_cwnd);
        profile.congestion.initial_ssthresh =
            section.initial_ssthresh.map(|size| size.0).or(profile.congestion.initial_ssthresh);
        Ok(())
    }

    fn writes(&self, key: &str, section: &Tcp, profile: &mut Profile) -> Checked<()> {
        let Some(Size(write)) = section.write_size else { return Ok(()) };
        let most = profile.sender.buffer.unwrap_or(Bytes(u64::MAX));
        let expected = match profile.sender.buffer {
            Some(buffer) => format!("from 1 B to the send buffer ({buffer})"),
            None => "at least 1 B".to_owned(),
        };
        let valid = (Bytes(1)..=most).contains(&write);
        self.demand(valid, &format!("{key}.write_size"), write, &expected)?;
        profile.sender.write_size = Some(write);
        Ok(())
    }

    fn timers(&self, key: &str, section: &Tcp, profile: &mut Profile) -> Checked<()> {
        let rto = &mut profile.timers.rto;
        let tick = Duration::from_micros(1);
        for (name, span, target, least, expected) in [
            ("min_rto", section.min_rto, &mut rto.minimum, tick, A_TIMEOUT),
            ("initial_rto", section.initial_rto, &mut rto.initial, tick, A_TIMEOUT),
            ("rto_granularity", section.rto_granularity, &mut rto.granularity, tick, A_TIMEOUT),
            (
                "handshake_ack_hold",
                section.handshake_ack_hold,
                &mut profile.timers.handshake_ack_hold,
                Duration::ZERO,
                "from 0 s to 60 s",
            ),
        ] {
            let Some(Span(span)) = span else { continue };
            let valid = (least..=Duration::from_secs(60)).contains(&span);
            self.demand(valid, &format!("{key}.{name}"), span, expected)?;
            *target = span;
        }
        Ok(())
    }

    fn acks(&self, key: &str, acks: &Acks, base: AckPolicy) -> Checked<AckPolicy> {
        let (mut segments, mut delay, mut quick, mut longest) = known(base);
        set(&mut segments, acks.every);
        set(&mut delay, acks.timer.map(|span| span.0));
        set(&mut quick, acks.quick);
        set(&mut longest, acks.longest.map(|span| span.0));
        self.demand(
            (1..=1000).contains(&segments),
            &format!("{key}.every"),
            segments,
            "from 1 to 1000 segments",
        )?;
        let valid = (Duration::from_micros(1)..=Duration::from_secs(10)).contains(&delay);
        self.demand(valid, &format!("{key}.timer"), delay, "from 1 us to 10 s")?;
        longest = longest.max(delay);
        Ok(match acks.policy {
            AckPolicyKind::Delayed => AckPolicy::Every { segments, delay, quick },
            AckPolicyKind::Adaptive => AckPolicy::Adaptive { quick, shortest: delay, longest },
            AckPolicyKind::Stretching => AckPolicy::Stretching { after: quick, segments, delay },
            AckPolicyKind::FixedDelay => AckPolicy::FixedDelay { segments, delay },
            AckPolicyKind::Timed => AckPolicy::Every { segments: u32::MAX, delay, quick },
        })
    }
}

/// What a policy says of segments, delay, quick segments and longest delay; usual values for what it does not say.
fn known(policy: AckPolicy) -> (u32, Duration, u32, Duration) {
    let longest = Duration::from_millis(200);
    match policy {
        AckPolicy::Every { segments, delay, quick } => (segments, delay, quick, longest),
        AckPolicy::Adaptive { quick, shortest, longest } => (2, shortest, quick, longest),
        AckPolicy::Stretching { after, segments, delay } => (segments, delay, after, longest),
        AckPolicy::FixedDelay { segments, delay } => (segments, delay, 0, longest),
    }
}

fn switches(section: &Tcp, profile: &mut Profile) {
    set(&mut profile.options.sack, section.sack);
    set(&mut profile.options.timestamps, section.timestamps);
    set(&mut profile.options.window_scaling, section.window_scaling);
    set(&mut profile.recovery.limited_transmit, section.limited_transmit);
    set(
        &mut profile.recovery.reduction,
        section.prr.map(|on| if on { Reduction::Proportional } else { Reduction::AtOnce }),
    );
    set(&mut profile.congestion.hystart, section.hystart);
    set(&mut profile.congestion.restart_after_idle, section.restart_after_idle);
    set(&mut profile.congestion.grow_only_when_limited, section.grow_only_when_limited);
    set(
        &mut profile.sender.nagle,
        section.nagle.map(|on| if on { Nagle::Classic } else { Nagle::Off }),
    );
    set(&mut profile.congestion.control, section.congestion_control);
    set(
        &mut profile.congestion.growth,
        section.growth.map(|growth| match growth {
            Growth::PerAck => tcp::Growth::PerAck,
            Growth::Abc1 => tcp::Growth::PerByte { limit: Some(1) },
            Growth::Abc2 => tcp::Growth::PerByte { limit: Some(2) },
            Growth::PerByte => tcp::Growth::PerByte { limit: None },
        }),
    );
    if let Some(on) = section.pacing {
        profile.sender.pacing = on.then_some(PACED_LIKE_LINUX);
    }
}

fn set<T>(target: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *target = value;
    }
}

fn built_in(name: &str) -> Option<Transport> {
    let BuiltIn { profile, path_mtu_discovery, .. } =
        BUILT_IN.iter().find(|built_in| built_in.name == name)?;
    Some(Transport { profile: profile(), path_mtu_discovery: *path_mtu_discovery })
}

const A_TIMEOUT: &str = "from 1 us to 60 s";
/// The set of applications that name none.
const DEFAULT: &str = "default";
const IP_AND_TCP_HEADERS: Bytes = Bytes(40);
/// RFC 7323 §3.2, with padding.
const TIMESTAMPS: Bytes = Bytes(12);
/// RFC 7323 §2.3: a scale of 14.
const LARGEST_WINDOW: Bytes = Bytes(1 << 30);
const LARGEST_UNSCALED_WINDOW: Bytes = Bytes(65_535);
/// Twice the window a round trip in slow start, 1.2 times after it, ten segments at once: what Linux does with its
/// fair-queueing packet scheduler.
const PACED_LIKE_LINUX: Pacing = Pacing { slow_start: 2.0, avoidance: 1.2, burst: Bytes(14_600) };
