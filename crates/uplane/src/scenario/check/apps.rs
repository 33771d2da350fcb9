//! Checks of the applications, which are multiplied over the UEs they run on.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::error::quoted;
use super::super::plan::AppPlan;
use super::super::quantity::Address;
use super::super::schema::{Bulk, Download, Ping, Ue, Upload, Voice, Web};
use super::names::Names;
use super::radio::is_bounded;
use super::tcp::Profiles;
use super::{ALL, Checked, Checker};
use crate::app::ping::Beat;
use crate::app::{self, Application, bulk, constant_rate, ping, transfer, web};
use crate::net::Direction;
use crate::unit::{Bytes, Duration, Instant, UeId};

/// The keys that all application sections have.
struct Common<'a> {
    key: String,
    name: &'a str,
    ue: Option<&'a str>,
    start: Duration,
    spread: Duration,
    port: Option<u16>,
    server: Option<Address>,
    opens: app::End,
}

/// Collects the applications.
struct Collector<'a, 'b> {
    checker: &'a Checker<'b>,
    ues: &'a [String],
    profiles: &'a mut Profiles,
    apps: Vec<AppPlan>,
    names: BTreeSet<String>,
    /// The UEs of each name: one, or several equal ones.
    groups: Names<'a, (usize, usize)>,
}

impl Checker<'_> {
    pub(super) fn apps(&self, ues: &[String], profiles: &mut Profiles) -> Checked<Vec<AppPlan>> {
        let file = self.file;
        let mut collector = Collector {
            checker: self,
            ues,
            profiles,
            apps: Vec::new(),
            names: BTreeSet::new(),
            groups: groups(&file.ue, ues),
        };
        for (position, section) in file.download.iter().enumerate() {
            collector.download(position, section)?;
        }
        for (position, section) in file.upload.iter().enumerate() {
            collector.upload(position, section)?;
        }
        for (position, section) in file.bulk.iter().enumerate() {
            collector.bulk(position, section)?;
        }
        for (position, section) in file.web.iter().enumerate() {
            collector.web(position, section)?;
        }
        for (position, section) in file.ping.iter().enumerate() {
            collector.ping(position, section)?;
        }
        for (position, section) in file.voice.iter().enumerate() {
            collector.voice(position, section)?;
        }
        let expected = "at least one application: download, upload, bulk, web, ping or voice";
        self.demand(!collector.apps.is_empty(), "", "no application", expected)?;
        Ok(collector.apps)
    }
}

/// The common keys of one section.
macro_rules! common {
    ($section:ident, $kind:literal, $position:ident) => {
        Common {
            key: format!(concat!($kind, ".{}"), $position),
            name: &$section.name,
            ue: $section.ue.as_deref(),
            start: $section.start,
            spread: $section.spread,
            port: $section.port,
            server: $section.server_address,
            opens: app::End::Client,
        }
    };
}

impl Collector<'_, '_> {
    fn download(&mut self, position: usize, section: &Download) -> Checked<()> {
        let common = Common { opens: section.opens, ..common!(section, "download", position) };
        self.opened(&common, section.handshake)?;
        self.ends(&common, "file", section.file)?;
        let config = transfer::Config {
            direction: Direction::Down,
            request: section.request,
            file: section.file,
            clock: section.clock,
            completion: section.completion,
            handshake: section.handshake,
        };
        let app = Application::Transfer(transfer::FileTransfer::new(config));
        self.over_tcp(&common, section.tcp.as_deref(), &app)
    }

    fn upload(&mut self, position: usize, section: &Upload) -> Checked<()> {
        let common = Common { opens: section.opens, ..common!(section, "upload", position) };
        self.opened(&common, section.handshake)?;
        self.ends(&common, "file", section.file)?;
        let config = transfer::Config {
            direction: Direction::Up,
            request: Bytes::ZERO,
            file: section.file,
            clock: section.clock,
            completion: section.completion,
            handshake: section.handshake,
        };
        let app = Application::Transfer(transfer::FileTransfer::new(config));
        self.over_tcp(&common, section.tcp.as_deref(), &app)
    }

    /// Without a handshake nobody opens the connection.
    fn opened(&self, common: &Common, handshake: bool) -> Checked<()> {
        let valid = handshake || common.opens == app::End::Client;
        let expected = "no opener: without a handshake both ends are connected from the start";
        self.checker.demand(valid, &format!("{}.opens", common.key), "\"server\"", expected)
    }

    fn bulk(&mut self, position: usize, section: &Bulk) -> Checked<()> {
        let common = Common { opens: section.opens, ..common!(section, "bulk", position) };
        let direction = section.direction;
        self.bounded(&common, direction)?;
        if let Some(stop) = section.stop {
            let key = format!("{}.stop", common.key);
            self.checker.demand(
                stop > section.start + section.spread,
                &key,
                stop,
                "a time after the start",
            )?;
        }
        let profile = self.profiles.select(self.checker, &common.key, section.tcp.as_deref())?;
        let config = bulk::Config {
            direction,
            ahead: self.profiles.largest_flight(profile) + PIECE + PIECE,
            piece: PIECE,
            stop: section.stop.map(|stop| Instant::ZERO + stop),
            handshake: true,
        };
        self.add(&common, &Application::Bulk(bulk::Bulk::new(config)), profile, 0)
    }

    /// Without any rate on its way a greedy sender sends an endless amount in no time.
    fn bounded(&self, common: &Common, direction: Direction) -> Checked<()> {
        let way = direction as usize;
        let links = self.checker.file.link.iter();
        let limited = is_bounded(&self.checker.file.radio, way)
            || links
                .map(|link| {
                    [&link.down, &link.up][way].as_ref().and_then(|it| it.rate).unwrap_or(link.rate)
                })
                .any(|rate| rate.get().is_some());
        self.checker.demand(
            limited,
            &common.key,
            "a greedy sender",
            "a rate somewhere on its way: everything there is unlimited",
        )
    }

    fn web(&mut self, position: usize, section: &Web) -> Checked<()> {
        let common = common!(section, "web", position);
        let key = format!("{}.objects", common.key);
        self.checker.demand(
            !section.objects.is_empty(),
            &key,
            "an empty list",
            "at least one object",
        )?;
        for (number, object) in section.objects.iter().enumerate() {
            self.ends(&common, &format!("objects.{number}"), *object)?;
        }
        let config = web::Config {
            objects: section.objects.clone(),
            request: section.request,
            connections: section.parallel,
            persistent: section.persistent,
            clock: app::Clock::Open,
            completion: section.completion,
            per_object: section.think,
            handshake: true,
        };
        self.over_tcp(&common, section.tcp.as_deref(), &Application::Web(web::WebPage::new(config)))
    }

    fn ping(&mut self, position: usize, section: &Ping) -> Checked<()> {
        let common = common!(section, "ping", position);
        let beat = beat(section.interval, section.count);
        let config = ping::Config { length: section.packet, beat };
        self.add(&common, &Application::Ping(ping::PingSeries::new(config)), NO_PROFILE, 0)
    }

    fn voice(&mut self, position: usize, section: &Voice) -> Checked<()> {
        let common = common!(section, "voice", position);
        let config = constant_rate::Config {
            direction: section.direction,
            payload: section.payload,
            beat: beat(section.interval, section.count),
        };
        let app = Application::ConstantRate(constant_rate::ConstantRate::new(config));
        self.add(&common, &app, NO_PROFILE, section.tos)
    }

    /// What takes no time ends nevertheless.
    fn ends(&self, common: &Common, field: &str, size: Bytes) -> Checked<()> {
        let expected = format!(
            "at most {MOST_AT_ONCE}, since nothing on the path takes time: all happens at one instant, which no duration ends; or a rate or an rtt in radio.fixed, or a link with a rate or a delay"
        );
        let ends = size <= MOST_AT_ONCE || self.checker.takes_time();
        self.checker.demand(ends, &format!("{}.{field}", common.key), size, &expected)
    }

    fn over_tcp(&mut self, common: &Common, tcp: Option<&str>, app: &Application) -> Checked<()> {
        let profile = self.profiles.select(self.checker, &common.key, tcp)?;
        self.add(common, app, profile, 0)
    }

    /// Adds the application on each of its UEs.
    fn add(&mut self, common: &Common, app: &Application, profile: usize, tos: u8) -> Checked<()> {
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
        let expected = "a start before the end of the run, with the spread";
        checker.demand(latest < end, &key("spread"), common.spread, expected)?;
        let ues = self.runs_on(&key("ue"), common.ue)?;
        let all = self.apps.len() + ues.len();
        let expected = "at most 2000000 applications, one for each UE that runs it";
        checker.demand(all <= MOST_APPS, &key("ue"), format!("{all} applications"), expected)?;
        self.apps.extend(ues.map(|ue| AppPlan {
            name: common.name.to_owned(),
            ue: UeId(ue as u32),
            start,
            spread: common.spread,
            application: app.clone(),
            transport: profile,
            tos,
            server: checker.hosts.server(common.server),
            opens: common.opens,
            port: common.port,
        }));
        Ok(())
    }

    /// The UEs that an application runs on.
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

const fn beat(interval: Duration, count: Option<u64>) -> Beat {
    Beat { interval, count, stop: None }
}

/// Each UE by its name, and all of a section by the section's.
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

/// What is carried within one instant in some seconds of computing.
const MOST_AT_ONCE: Bytes = Bytes(1_000_000_000);
/// As many as fit into some gigabytes.
const MOST_APPS: usize = 2_000_000;
/// Applications without TCP never look at their parameter set.
const NO_PROFILE: usize = 0;
/// A greedy application writes as much at once as a host hands to its network interface (64 KiB).
const PIECE: Bytes = Bytes(65_536);
