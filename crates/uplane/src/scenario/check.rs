//! From the schema's types to a plan: impossible and contradictory values are found here.
//!
//! In: a [`File`]. Out: a [`Plan`], or the first error in the order of the file. Each check names
//! the key it blames; the line is looked up from the key.

mod ack_filter;
mod apps;
mod beams;
mod bearer;
mod capture;
mod coexistence;
mod drx;
mod en_dc;
mod filters;
mod handover;
mod hosts;
mod lte;
mod names;
mod network;
mod nr;
mod path;
mod pucch;
mod quic;
mod rach;
mod radio;
mod rrc;
mod sinr;
mod tcp;
mod too_small;
mod unused;

use std::collections::BTreeSet;
use std::fmt::Display;

use super::error::{Checked, quoted};
use super::plan::{Plan, RecordPlan};
use super::schema::{File, Ue};
use super::text::source::Source;
use crate::unit::Instant;
use hosts::Hosts;
use names::keyed;
use quic::QuicSets;
use tcp::Profiles;

/// The check of one scenario file.
pub(super) struct Checker<'a> {
    file: &'a File,
    source: &'a Source<'a>,
    hosts: Hosts,
}

/// Checks the file and resolves it.
pub(super) fn check(file: &File, source: &Source) -> Checked<Plan> {
    let mut checker = Checker { file, source, hosts: Hosts::default() };
    let ues = checker.ues()?;
    checker.hosts = checker.find_hosts()?;
    let radio = checker.radio()?;
    checker.capture()?;
    let links = checker.links()?;
    let tunnel = checker.tunnel()?;
    checker.servers_outside(tunnel.as_ref())?;
    checker.tcp_sets()?;
    let mut profiles = Profiles::default();
    checker.quic_sets()?;
    let mut quics = QuicSets::default();
    let apps = checker.apps(&ues, &mut profiles, &mut quics)?;
    let mut warnings = checker.unused_sets(&profiles)?;
    warnings.extend(checker.unused_quic_sets(&quics));
    warnings.extend(checker.without_effect(&apps, &profiles));
    warnings.extend(checker.coexistence(&apps, &profiles));
    warnings.extend(checker.too_small_blocks(&radio));
    Ok(Plan {
        end: Instant::ZERO + file.duration,
        ues,
        links,
        tunnel,
        server_links: checker.hosts.server_links(),
        addresses: checker.hosts.addresses(),
        radio,
        tcp_sets: profiles.into_used(),
        quic_sets: quics.into_used(),
        apps,
        record: checker.record(),
        warnings,
    })
}

impl Checker<'_> {
    /// Returns an error at `key`.
    fn wrong<T>(&self, key: &str, found: &str, expected: &str) -> Checked<T> {
        Err(self.source.error(key, found, expected))
    }

    /// Returns an error at `key` unless `right`.
    fn demand(&self, right: bool, key: &str, found: impl Display, expected: &str) -> Checked<()> {
        if right { Ok(()) } else { self.wrong(key, &format!("{found}"), expected) }
    }

    /// Returns the error of a missing key, with the rule that requires it.
    fn missing<T>(&self, key: &str, rule: &str) -> Checked<T> {
        Err(self.source.missing(key, rule))
    }

    /// Returns an error that states a rule about `key` unless `holds`.
    fn require(&self, holds: bool, key: &str, rule: &str) -> Checked<()> {
        if holds { Ok(()) } else { self.wrong(key, "", rule) }
    }

    fn ues(&self) -> Checked<Vec<String>> {
        let sections = &self.file.ue;
        self.names(keyed("ue", sections.iter().map(|ue| ue.name.as_str())))?;
        self.demand(!sections.is_empty(), "ue", "an empty list", "at least one UE")?;
        let mut ues = Vec::new();
        let mut known = BTreeSet::new();
        for (position, ue) in sections.iter().enumerate() {
            let key = format!("ue.{position}.name");
            self.demand(ue.name != ALL, &key, "\"all\"", "another name: \"all\" means every UE")?;
            self.count_of(position, ues.len())?;
            for name in names_of(ue) {
                let expected =
                    "a name that no other UE has; with `count`, UEs are called name-1, name-2, …";
                self.demand(known.insert(name.clone()), &key, quoted(&name), expected)?;
                ues.push(name);
            }
        }
        Ok(ues)
    }

    /// Checks the number of UEs of a section, after `others` UEs of earlier sections.
    fn count_of(&self, position: usize, others: usize) -> Checked<()> {
        let count = self.file.ue[position].count;
        let key = format!("ue.{position}.count");
        let all = others + count as usize;
        let expected = "at most 100000 UEs in all sections";
        self.demand(all <= MOST_UES as usize, &key, format!("{all} UEs"), expected)
    }

    fn record(&self) -> RecordPlan {
        let record = &self.file.record;
        RecordPlan {
            packets: record.packets,
            deliveries: record.deliveries,
            qlog: record.qlog,
            headers: record.headers,
            radio: record.radio,
            critical_path: record.critical_path,
            series: record.series,
        }
    }
}

/// Returns the names of the UEs of a section.
fn names_of(ue: &Ue) -> Vec<String> {
    match ue.count {
        1 => vec![ue.name.clone()],
        count => (1..=count).map(|number| format!("{}-{number}", ue.name)).collect(),
    }
}

/// The value of `ue` that means every UE.
const ALL: &str = "all";
const MOST_UES: u32 = 100_000;
