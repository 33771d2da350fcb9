//! Checks that all applications share, and the UEs on which each runs.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::Range;

use super::super::apps::{AT_LEAST_ONE, Common, Particular, Rest, Section, for_each_application};
use super::super::error::quoted;
use super::super::plan::{AppPlan, Transport};
use super::super::schema::Ue;
use super::names::Names;
use super::quic::QuicSets;
use super::radio::is_bounded;
use super::tcp::Profiles;
use super::{ALL, Checked, Checker};
use crate::net::Direction;
use crate::unit::{Bytes, Instant, UeId};

/// Collects the applications.
struct Collector<'a, 'b> {
    checker: &'a Checker<'b>,
    ues: &'a [String],
    profiles: &'a mut Profiles,
    quics: &'a mut QuicSets,
    apps: Vec<AppPlan>,
    names: BTreeSet<String>,
    /// The UEs of each name: one, or several equal ones.
    groups: Names<'a, (usize, usize)>,
}

impl Checker<'_> {
    pub(super) fn apps(
        &self,
        ues: &[String],
        profiles: &mut Profiles,
        quics: &mut QuicSets,
    ) -> Checked<Vec<AppPlan>> {
        let file = self.file;
        let mut collector = Collector {
            checker: self,
            ues,
            profiles,
            quics,
            apps: Vec::new(),
            names: BTreeSet::new(),
            groups: groups(&file.ue, ues),
        };
        for_each_application!(file, |position, section, kind| collector
            .add(&section.common(kind, position), section)?);
        self.demand(!collector.apps.is_empty(), "", "no application", AT_LEAST_ONE)?;
        Ok(collector.apps)
    }
}

impl Rest for Collector<'_, '_> {
    fn demand(&self, right: bool, key: &str, found: impl Display, expected: &str) -> Checked<()> {
        self.checker.demand(right, key, found, expected)
    }

    fn bounded(&self, common: &Common, direction: Direction) -> Checked<()> {
        let way = direction as usize;
        let first = self.checker.server_link(common)?;
        let limited =
            is_bounded(&self.checker.file.radio, way) || self.checker.links_bound(first, way);
        self.checker.demand(
            limited,
            &common.key,
            "a greedy sender",
            "a rate limit on its path: all rates there are unlimited",
        )
    }

    fn ends(&self, common: &Common, field: &str, size: Bytes) -> Checked<()> {
        let expected = format!(
            "at most {MOST_AT_ONCE} on a path without any delay; otherwise a rate or an rtt in radio.fixed, or a link with a rate or a delay"
        );
        let first = self.checker.server_link(common)?;
        let ends = size <= MOST_AT_ONCE || self.checker.takes_time(first);
        self.checker.demand(ends, &format!("{}.{field}", common.key), size, &expected)
    }

    fn takes_time(&self, common: &Common) -> Checked<()> {
        let first = self.checker.server_link(common)?;
        let expected = "a rate or an rtt in radio.fixed, or a link with a rate or a delay: without \
                        them requests and replies would never end";
        let found = "a path without rates and delays";
        self.checker.demand(self.checker.takes_time(first), &common.key, found, expected)
    }

    fn transport(
        &mut self,
        common: &Common,
        (tcp, quic): (Option<&str>, Option<&str>),
        handshake: bool,
    ) -> Checked<Transport> {
        let Some(quic) = quic else {
            let set = self.profiles.select(self.checker, &common.key, tcp)?;
            let expected = "true: this TCP parameter set has `fast_open`, which needs a handshake";
            let opens = handshake || !self.profiles.opens_fast(set);
            self.checker.demand(opens, &format!("{}.handshake", common.key), "false", expected)?;
            return Ok(Transport::Tcp(set));
        };
        let key = |key: &str| format!("{}.{key}", common.key);
        let rule = "not valid together with `tcp`; remove one of them";
        self.checker.require(tcp.is_none(), &key("quic"), rule)?;
        let expected = "true: QUIC without a handshake is not modelled";
        self.checker.demand(handshake, &key("handshake"), "false", expected)?;
        Ok(Transport::Quic(self.quics.select(self.checker, &common.key, quic)?))
    }

    fn largest_flight(&self, transport: Transport) -> Bytes {
        match transport {
            Transport::Absent => Bytes::ZERO,
            Transport::Tcp(set) => self.profiles.largest_flight(set),
            Transport::Quic(set) => self.quics.largest_flight(set),
        }
    }
}

impl Collector<'_, '_> {
    /// Adds the application on each of its UEs.
    fn add(&mut self, common: &Common, section: &impl Section) -> Checked<()> {
        let Particular { application, transport, opens, reads, tos } =
            section.check(common, self)?;
        let key = |field: &str| format!("{}.{field}", common.key);
        let checker = self.checker;
        checker.name(&key("name"), common.name)?;
        let is_new = self.names.insert(common.name.to_owned());
        let expected = "a name that no other application has";
        checker.demand(is_new, &key("name"), quoted(common.name), expected)?;
        let start = Instant::ZERO + common.start;
        let end = checker.file.duration;
        let before_end = "a time before the end of the run";
        checker.demand(common.start < end, &key("start"), common.start, before_end)?;
        let latest = common.start + common.spread;
        let expected = "a spread with which the latest start is before the end of the run";
        checker.demand(latest < end, &key("spread"), common.spread, expected)?;
        let link = checker.server_link(common)?;
        let server = checker.hosts.server(common.server_address, link);
        let ues = self.runs_on(&key("ue"), common.ue)?;
        let all = self.apps.len() + ues.len();
        let expected = "at most 2000000 applications, one for each UE that runs it";
        checker.demand(all <= MOST_APPS, &key("ue"), format!("{all} applications"), expected)?;
        self.apps.extend(ues.map(|ue| AppPlan {
            name: common.name.to_owned(),
            ue: UeId(ue as u32),
            start,
            spread: common.spread,
            application: application.clone(),
            transport,
            tos,
            server,
            opens,
            reads,
            port: common.port,
        }));
        Ok(())
    }

    /// Returns the range of UEs that an application runs on.
    fn runs_on(&self, key: &str, name: Option<&str>) -> Checked<Range<usize>> {
        let Some(name) = name else { return Ok(0..1) };
        if name == ALL {
            return Ok(0..self.ues.len());
        }
        let expected = "\"all\", or the name of a UE or of several equal ones";
        let (first, next) = self.checker.find(key, name, &self.groups, expected)?;
        Ok(first..next)
    }
}

/// Returns the range of UEs of each name: the name of a UE, or of a section of UEs.
fn groups<'a>(sections: &'a [Ue], ues: &'a [String]) -> Names<'a, (usize, usize)> {
    let alone = ues.iter().enumerate().map(|(at, name)| (name.as_str(), (at, at + 1)));
    let mut first = 0;
    let together = sections.iter().map(|group| {
        let next = first + group.count as usize;
        let range = (std::mem::replace(&mut first, next), next);
        (group.name.as_str(), range)
    });
    Names::of(alone.chain(together))
}

/// Maximum size of a transfer at one instant: it takes some seconds of computing.
const MOST_AT_ONCE: Bytes = Bytes(1_000_000_000);
/// Maximum number of applications: they take some gigabytes of memory.
const MOST_APPS: usize = 2_000_000;
