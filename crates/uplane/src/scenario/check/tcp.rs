//! Checks of TCP parameter sets: values that contradict each other, and which sets are used.

use std::collections::{BTreeMap, BTreeSet};

use super::super::error::{ScenarioError, nearest, quoted};
use super::{Checked, Checker};
use crate::record::{Warned, Warning};
use crate::tcp::{CongestionControl, EcnMode, EcnOption, FastOpen, PROFILES, Profile};
use crate::unit::Bytes;

/// The parameter sets that applications use.
#[derive(Default)]
pub(super) struct Profiles {
    used: Vec<Profile>,
    /// The position in `used` of each name in use.
    positions: BTreeMap<String, usize>,
}

impl Profiles {
    /// Returns the position of the set that an application names, or of `default`.
    pub(super) fn select(
        &mut self,
        checker: &Checker,
        app: &str,
        name: Option<&str>,
    ) -> Checked<usize> {
        let sets = &checker.file.tcp;
        let usual = if sets.contains_key(DEFAULT) { DEFAULT } else { PROFILES.usual };
        let name = name.unwrap_or(usual);
        if let Some(&position) = self.positions.get(name) {
            return Ok(position);
        }
        let Some(profile) = sets.get(name) else {
            let mut names: Vec<&str> = PROFILES.names().collect();
            names.extend(sets.keys().map(String::as_str));
            let expected = "a built-in profile or a section of [tcp]";
            return Err(checker.unknown(&format!("{app}.tcp"), name, &names, expected));
        };
        self.used.push(profile.clone());
        self.positions.insert(name.to_owned(), self.used.len() - 1);
        Ok(self.used.len() - 1)
    }

    /// Returns `true` if connections with this set use TCP Fast Open.
    pub(super) fn opens_fast(&self, position: usize) -> bool {
        self.used[position].fast_open != FastOpen::Off
    }

    /// Returns `true` if ACKs with this set contain a counter of marks, provided that the peer's do
    /// (RFC 9768).
    pub(super) fn counts_marks(&self, position: usize) -> bool {
        self.used[position].ecn == EcnMode::Accurate
    }

    /// Returns `true` if senders with this set use Prague.
    pub(super) fn is_prague(&self, position: usize) -> bool {
        self.used[position].congestion_control == CongestionControl::Prague
    }

    /// Returns an upper bound of a sender's data in flight.
    pub(super) fn largest_flight(&self, position: usize) -> Bytes {
        let profile = &self.used[position];
        let most = profile.max_window.get().unwrap_or(profile.receive_buffer);
        most.min(profile.receive_buffer)
    }

    /// Returns the sets in use, by their positions.
    pub(super) fn into_used(self) -> Vec<Profile> {
        self.used
    }
}

impl Checker<'_> {
    /// Checks all sections of [tcp], used and unused.
    pub(super) fn tcp_sets(&self) -> Checked<()> {
        for (name, profile) in &self.file.tcp {
            let key = format!("tcp.{name}");
            self.name(&key, name)?;
            self.segments(&key, profile)?;
            self.windows(&key, profile)?;
            self.marks(&key, profile)?;
            self.cookies(&key, profile)?;
        }
        Ok(())
    }

    /// Warns of sets that no application uses. A name that resembles `default` is an error.
    pub(super) fn unused_sets(&self, profiles: &Profiles) -> Checked<Vec<Warning>> {
        let sets = &self.file.tcp;
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for name in profiles.positions.keys() {
            let mut next = Some(name.as_str());
            while let Some(name) = next.filter(|name| used.insert(name)) {
                next = sets.get(name).map(|set| set.base.as_str());
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

    /// Returns the base of the set `name`.
    pub(super) fn base_of(&self, name: &str, set: &Profile) -> Profile {
        let base = self.file.tcp.get(&set.base).filter(|_| set.base != name).cloned();
        base.or_else(|| Profile::built_in(&set.base)).expect("every chain of bases was followed")
    }

    fn segments(&self, key: &str, profile: &Profile) -> Checked<()> {
        let takes_room = profile.timestamps && profile.options_count_in_mss;
        let options = if takes_room { TIMESTAMPS } else { Bytes::ZERO };
        let expected = "more than the 12 B of timestamps in each segment";
        self.demand(profile.mss > options, &format!("{key}.mss"), profile.mss, expected)
    }

    /// Checks that Prague has `ecn = "accurate"`: it responds to the share of marks, so its peer
    /// must count them.
    fn marks(&self, key: &str, profile: &Profile) -> Checked<()> {
        let needs = profile.congestion_control == CongestionControl::Prague;
        let valid = !needs || profile.ecn == EcnMode::Accurate;
        let expected = "\"accurate\", which `congestion_control = \"prague\"` requires";
        self.demand(valid, &format!("{key}.ecn"), quoted(profile.ecn.name()), expected)?;
        let valid = profile.ecn_option == EcnOption::Off || profile.ecn == EcnMode::Accurate;
        let rule = "requires `ecn = \"accurate\"` (RFC 9768 §3.2.3)";
        self.require(valid, &format!("{key}.ecn_option"), rule)
    }

    /// Checks that the length of a cookie is even (RFC 7413 §4.1.1).
    fn cookies(&self, key: &str, profile: &Profile) -> Checked<()> {
        let length = profile.fast_open_cookie;
        let even = length.0.is_multiple_of(2);
        let expected = "an even number of bytes from 4 B to 16 B (RFC 7413 §4.1.1)";
        self.demand(even, &format!("{key}.fast_open_cookie"), length, expected)
    }

    /// Checks that windows and buffers hold a segment.
    fn windows(&self, key: &str, profile: &Profile) -> Checked<()> {
        let (mss, buffer) = (profile.mss, profile.receive_buffer);
        let most = if profile.window_scaling { LARGEST_WINDOW } else { LARGEST_UNSCALED_WINDOW };
        let expected =
            format!("from one segment ({mss}) to {most}, the largest window that can be announced");
        let valid = (mss..=most).contains(&buffer);
        self.demand(valid, &format!("{key}.receive_buffer"), buffer, &expected)?;
        let expected = format!("at least one segment ({mss})");
        for (name, limit) in [
            ("send_buffer", profile.send_buffer),
            ("max_window", profile.max_window),
            ("initial_ssthresh", profile.initial_ssthresh),
        ] {
            let limit = limit.get().unwrap_or(mss);
            self.demand(limit >= mss, &format!("{key}.{name}"), limit, &expected)?;
        }
        let Some(buffer) = profile.send_buffer.get() else { return Ok(()) };
        let write = profile.write_size;
        let expected = format!("from 1 B to the send buffer ({buffer})");
        self.demand(write <= buffer, &format!("{key}.write_size"), write, &expected)
    }
}

/// The set of applications that name none.
const DEFAULT: &str = "default";
/// RFC 7323 §3.2, with padding.
const TIMESTAMPS: Bytes = Bytes(12);
/// RFC 7323 §2.3: a scale of 14.
const LARGEST_WINDOW: Bytes = Bytes(1 << 30);
const LARGEST_UNSCALED_WINDOW: Bytes = Bytes(65_535);
