//! Checks of QUIC parameter sets: values that contradict each other, and which sets are used.

use std::collections::BTreeMap;

use super::{Checked, Checker};
use crate::quic::{self, Profile};
use crate::record::{Warned, Warning};
use crate::unit::Bytes;

/// The parameter sets that applications use.
#[derive(Default)]
pub(super) struct QuicSets {
    used: Vec<Profile>,
    /// The position in `used` of each name in use.
    positions: BTreeMap<String, usize>,
}

impl QuicSets {
    /// Returns the position of the set that an application names. `"default"` needs no section.
    pub(super) fn select(&mut self, checker: &Checker, app: &str, name: &str) -> Checked<usize> {
        let key = format!("{app}.quic");
        let rule = "requires a build of uplane with QUIC (cargo feature `quic`)";
        checker.require(quic::IS_BUILT, &key, rule)?;
        if let Some(&position) = self.positions.get(name) {
            return Ok(position);
        }
        let sets = &checker.file.quic;
        let usual = (name == DEFAULT).then(Profile::default);
        let Some(profile) = sets.get(name).cloned().or(usual) else {
            let names: Vec<&str> =
                sets.keys().map(String::as_str).filter(|&name| name != DEFAULT).collect();
            let names = [&[DEFAULT], &names[..]].concat();
            return Err(checker.unknown(&key, name, &names, "a section of [quic], or \"default\""));
        };
        self.used.push(profile);
        self.positions.insert(name.to_owned(), self.used.len() - 1);
        Ok(self.used.len() - 1)
    }

    /// Returns an upper bound of a sender's data in flight.
    pub(super) fn largest_flight(&self, position: usize) -> Bytes {
        let profile = &self.used[position];
        profile.stream_receive_window.min(profile.receive_window).min(profile.send_buffer)
    }

    /// Returns the sets in use, by their positions.
    pub(super) fn into_used(self) -> Vec<Profile> {
        self.used
    }
}

impl Checker<'_> {
    /// Checks all sections of [quic], used and unused.
    pub(super) fn quic_sets(&self) -> Checked<()> {
        for (name, profile) in &self.file.quic {
            let key = format!("quic.{name}");
            self.name(&key, name)?;
            let (first, most) = (profile.initial_udp_payload, profile.max_udp_payload);
            let expected = format!("at least initial_udp_payload ({first})");
            self.demand(most >= first, &format!("{key}.max_udp_payload"), most, &expected)?;
            let (first, window) = (profile.initial_udp_payload, profile.initial_window);
            let expected = format!("at least two datagrams of initial_udp_payload ({first})");
            let fits = window.0 >= 2 * first.0;
            self.demand(fits, &format!("{key}.initial_window"), window, &expected)?;
        }
        Ok(())
    }

    /// Warns of sets that no application uses.
    pub(super) fn unused_quic_sets(&self, used: &QuicSets) -> Vec<Warning> {
        let sets = self.file.quic.keys().filter(|name| !used.positions.contains_key(*name));
        let warning = |name: &String| {
            let warning = Warning::new(Warned::Unused, "no application uses {place}");
            Warning { place: format!("quic.{name}"), ..warning }
        };
        sets.map(warning).collect()
    }
}

/// The set with the library's own values, unless a section of this name says others.
const DEFAULT: &str = "default";
