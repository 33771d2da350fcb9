//! From the schema's types to a plan: what is impossible or contradictory is found here.
//!
//! In: a [`File`]. Out: a [`Plan`], or the first error in the order of the file. Each check names the key it
//! blames; the line is looked up from the key.

mod ack_filter;
mod apps;
mod beams;
mod bearer;
mod filters;
mod hosts;
mod lte;
mod network;
mod path;
mod pucch;
mod radio;
mod request;
mod tcp;

use std::fmt::Display;

use super::error::{ScenarioError, nearest};
use super::plan::{Plan, RecordPlan};
use super::schema::File;
use super::text::Source;
use crate::unit::Instant;
use hosts::Hosts;

pub use tcp::TCP_PROFILES;

type Checked<T> = Result<T, ScenarioError>;

/// Checks one file.
pub(super) struct Checker<'a> {
    file: &'a File,
    source: &'a Source<'a>,
    hosts: Hosts,
}

/// Checks the file and resolves it.
pub(super) fn check(file: &File, source: &Source) -> Checked<Plan> {
    let mut checker = Checker { file, source, hosts: Hosts::default() };
    if file.duration.0.is_zero() {
        return checker.wrong("duration", "no time", "a duration above zero");
    }
    let ues = checker.ues()?;
    checker.hosts = checker.find_hosts()?;
    let radio = checker.radio()?;
    let links = checker.links()?;
    let tunnel = checker.tunnel()?;
    let mut profiles = tcp::Profiles::default();
    let apps = checker.apps(&ues, &mut profiles)?;
    Ok(Plan {
        end: Instant::ZERO + file.duration.0,
        ues,
        servers: checker.hosts.servers(),
        links,
        tunnel,
        radio,
        filters: checker.filters(),
        transports: profiles.used,
        apps,
        record: checker.record()?,
    })
}

impl Checker<'_> {
    /// An error at `key`.
    fn wrong<T>(&self, key: &str, found: &str, expected: &str) -> Checked<T> {
        Err(self.source.error(key, found, expected))
    }

    /// An error at `key`, unless `right`.
    fn demand(&self, right: bool, key: &str, found: impl Display, expected: &str) -> Checked<()> {
        if right { Ok(()) } else { self.wrong(key, &format!("{found}"), expected) }
    }

    /// The position of `name` among `names`.
    fn find(&self, key: &str, name: &str, names: &[&str], what: &str) -> Checked<usize> {
        names.iter().position(|candidate| *candidate == name).ok_or_else(|| ScenarioError {
            nearest: nearest(name, names.iter().copied()),
            ..self.source.error(
                key,
                &format!("\"{name}\""),
                &format!("{what}: {}", names.join(", ")),
            )
        })
    }

    /// A name is a word that can stand in a key and in a table, and no other has it.
    fn name<'n>(
        &self,
        key: &str,
        name: &str,
        mut others: impl Iterator<Item = &'n str>,
    ) -> Checked<()> {
        let word = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
        let valid = !name.trim().is_empty() && name.len() <= 64 && name.chars().all(word);
        let found = format!("\"{name}\"");
        self.demand(valid, key, &found, "a name of 1 to 64 letters, digits, spaces, `-` or `_`")?;
        self.demand(
            others.all(|other| other != name),
            key,
            &found,
            "a name that no other such section has",
        )
    }

    fn names(&self, section: &str, names: &[&str]) -> Checked<()> {
        for (position, name) in names.iter().enumerate() {
            let key = format!("{section}.{position}.name");
            self.name(&key, name, names[..position].iter().copied())?;
        }
        Ok(())
    }

    fn ues(&self) -> Checked<Vec<String>> {
        self.names("ue", &self.file.ue.iter().map(|ue| ue.name.as_str()).collect::<Vec<_>>())?;
        self.demand(!self.file.ue.is_empty(), "ue", "an empty list", "at least one UE")?;
        let mut ues = Vec::new();
        for (position, ue) in self.file.ue.iter().enumerate() {
            let key = format!("ue.{position}.count");
            self.demand((1..=MOST_UES).contains(&ue.count), &key, ue.count, "from 1 to 100000")?;
            self.demand(
                ue.name != ALL,
                &format!("ue.{position}.name"),
                "\"all\"",
                "another name: \"all\" means every UE",
            )?;
            match ue.count {
                1 => ues.push(ue.name.clone()),
                count => ues.extend((1..=count).map(|number| format!("{}-{number}", ue.name))),
            }
        }
        Ok(ues)
    }

    fn record(&self) -> Checked<RecordPlan> {
        let record = &self.file.record;
        let series = record.series.map(|span| span.0);
        let valid = series.is_none_or(|span| span.as_nanos() >= SHORTEST_SERIES_NANOS);
        let found = series.map(|span| span.to_string()).unwrap_or_default();
        self.demand(valid, "record.series", found, "an interval of at least 10 us")?;
        Ok(RecordPlan {
            packets: record.packets,
            deliveries: record.deliveries,
            critical_path: record.critical_path,
            series,
        })
    }
}

/// The word for every UE.
const ALL: &str = "all";
const MOST_UES: u32 = 100_000;
const SHORTEST_SERIES_NANOS: u64 = 10_000;
