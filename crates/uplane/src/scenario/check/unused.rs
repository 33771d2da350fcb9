//! Keys of a scenario that nothing uses: accepted with a warning, since a sweep may set keys that
//! only some of its runs use.
//!
//! In: the file and its applications. Out: warnings. Left out: keys of a radio that its profile
//! does not use; these are refused where they are checked.

mod cell;

use super::super::plan::{AppPlan, Transport};
use super::super::schema::{BearerType, LinkSection, OneWay, Radio};
use super::Checker;
use super::tcp::Profiles;
use crate::app::Application;
use crate::net::QueueLimit;
use crate::net::queue::Aqm;
use crate::record::{Warned, Warning};
use crate::tcp::{AckPolicy, Acks};

/// Warnings of keys that nothing uses.
#[derive(Default)]
struct Unread(Vec<Warning>);

impl Unread {
    fn add(&mut self, is_unread: bool, key: impl FnOnce() -> String, reason: &'static str) {
        if is_unread {
            let pattern = format!("without effect, since {reason}: {{place}}");
            self.0.push(Warning { place: key(), ..Warning::new(Warned::Unread, pattern) });
        }
    }
}

impl Checker<'_> {
    pub(super) fn without_effect(&self, apps: &[AppPlan], profiles: &Profiles) -> Vec<Warning> {
        let mut unread = Unread(self.idle_ues(apps));
        self.addresses(&mut unread);
        for (name, set) in &self.file.tcp {
            let base = self.base_of(name, set);
            let key = |key: &str| format!("tcp.{name}.acks.{key}");
            policy(set.acks, base.acks, key, &mut unread);
            let tuned = set.send_buffer_tuning && set.send_buffer.get().is_none();
            unread.add(
                tuned && !base.send_buffer_tuning,
                || format!("tcp.{name}.send_buffer_tuning"),
                "\"send_buffer\" is unlimited",
            );
            let held = set.acks.compressed_sacks != base.acks.compressed_sacks;
            unread.add(held && !set.sack, || key("compressed_sacks"), "\"sack\" is false");
        }
        for link in &self.file.link {
            shapeless(link, &mut unread);
        }
        self.tables(apps, &mut unread);
        self.filtered(apps, profiles, &mut unread);
        self.of_cells(&mut unread);
        self.unsplit(&mut unread);
        self.late_messages(&mut unread);
        unread.0
    }

    /// Warns of each section with UEs on which no application runs.
    fn idle_ues(&self, apps: &[AppPlan]) -> Vec<Warning> {
        let all: usize = self.file.ue.iter().map(|ue| ue.count as usize).sum();
        let mut busy = vec![false; all];
        for app in apps {
            busy[app.ue.index()] = true;
        }
        let mut rest = busy.as_slice();
        let mut warnings = Vec::new();
        for section in &self.file.ue {
            let (own, others) = rest.split_at(section.count as usize);
            rest = others;
            let idle = own.iter().filter(|busy| !**busy).count() as u64;
            if idle > 0 {
                let words = "no application runs on {amount} of {of} UEs ({place})";
                let (amount, of) = (Some(idle), Some(all as u64));
                let warning = Warning::new(Warned::Unused, words);
                warnings.push(Warning { place: section.name.clone(), amount, of, ..warning });
            }
        }
        warnings
    }

    /// Warns of an ACK filter without effect: it drops only pure acknowledgements, and none with a
    /// counter of marks in its flags is pure (RFC 9768 §3.2.2).
    fn filtered(&self, apps: &[AppPlan], profiles: &Profiles, unread: &mut Unread) {
        let (place, filters) = match &self.file.radio {
            Radio::Lte(cell) => ("radio.lte.ack_filter", cell.ack_filter.is_some()),
            Radio::Nr(cell) => ("radio.nr.ack_filter", cell.ack_filter.is_some()),
            Radio::Fixed(_) | Radio::Geran(_) | Radio::EnDc(_) => return,
        };
        let counts = |app: &AppPlan| match app.transport {
            Transport::Tcp(set) => profiles.counts_marks(set),
            Transport::Quic(_) | Transport::Absent => true,
        };
        let has_tcp = apps.iter().any(|app| matches!(app.transport, Transport::Tcp(_)));
        let reason = "no acknowledgement is pure with \"ecn\" = \"accurate\"";
        unread.add(filters && has_tcp && apps.iter().all(counts), || place.to_owned(), reason);
    }

    /// Warns of keys that only a split bearer uses.
    fn unsplit(&self, unread: &mut Unread) {
        let Radio::EnDc(sections) = &self.file.radio else { return };
        let own = &sections.en_dc;
        let unsplit = own.bearer != BearerType::Split;
        for (key, given) in [
            ("primary_path", own.primary_path.is_some()),
            ("ul_data_split_threshold", own.ul_data_split_threshold.is_some()),
            ("duplication", own.duplication.is_some()),
        ] {
            let reason = "the bearer is not split";
            unread.add(unsplit && given, || format!("radio.en_dc.{key}"), reason);
        }
    }

    /// Warns of messages of a replay that are due after the end of the run.
    fn late_messages(&self, unread: &mut Unread) {
        for replay in &self.file.replay {
            let all = replay.file.all();
            let late = all.iter().filter(|write| replay.start + write.at > self.file.duration);
            let late = late.count() as u64;
            if late > 0 {
                let words = "{amount} of {of} messages are due after the end of the run: {place}";
                let (amount, of) = (Some(late), Some(all.len() as u64));
                let place = format!("replay.{}.file", replay.name);
                let warning = Warning::new(Warned::Unread, words);
                unread.0.push(Warning { place, amount, of, ..warning });
            }
        }
    }

    /// Packet filters and the table of headers read addresses, ports and the type of service; so do
    /// queues that tell flows apart, and those that mark.
    fn addresses(&self, unread: &mut Unread) {
        let (has_filters, mut aqms) = match &self.file.radio {
            Radio::Lte(cell) => filters_and_aqms(&cell.bearer, |it| (it.filter.len(), it.aqm)),
            Radio::Nr(cell) => filters_and_aqms(&cell.bearer, |it| (it.filter.len(), it.aqm)),
            Radio::Fixed(_) | Radio::Geran(_) | Radio::EnDc(_) => (false, Vec::new()),
        };
        if has_filters || self.file.record.headers {
            return;
        }
        aqms.extend(self.file.link.iter().filter_map(|link| link.aqm));
        let reason = "only packet filters and \"record.headers\" read it";
        for ue in &self.file.ue {
            unread.add(ue.address.is_some(), || format!("ue.{}.address", ue.name), reason);
        }
        let by_flow = aqms.iter().any(|aqm| matches!(aqm, Aqm::FqCodel(_)));
        let reason = "only packet filters, \"fq_codel\" and \"record.headers\" read it";
        for app in self.file.applications().into_iter().filter(|_| !by_flow) {
            let key = |key: &str| format!("{}.{}.{key}", app.kind, app.name);
            unread.add(app.port.is_some(), || key("port"), reason);
            unread.add(app.server_address.is_some(), || key("server_address"), reason);
        }
        let reason = "only packet filters, an \"aqm\" and \"record.headers\" read it";
        for call in self.file.voice.iter().filter(|_| aqms.is_empty()) {
            unread.add(call.tos != 0, || format!("voice.{}.tos", call.name), reason);
        }
    }

    /// Warns of recorded tables that stay empty.
    fn tables(&self, apps: &[AppPlan], unread: &mut Unread) {
        let file = self.file;
        let key = |key: &str| format!("record.{key}");
        let has_transfers = |app: &AppPlan| {
            let is_conversation = matches!(app.application, Application::Conversation(_));
            app.transport != Transport::Absent && !is_conversation
        };
        let no_quic = !apps.iter().any(|app| matches!(app.transport, Transport::Quic(_)));
        unread.add(no_quic && file.record.qlog, || key("qlog"), "no application uses QUIC");
        let no_blocks = matches!(file.radio, Radio::Fixed(_) | Radio::Geran(_));
        let reason = "the radio is no LTE or NR cell";
        unread.add(no_blocks && file.record.radio, || key("radio"), reason);
        unread.add(
            file.record.critical_path && !apps.iter().any(has_transfers),
            || key("critical_path"),
            "no application has transfers",
        );
    }
}

/// Warns of keys of another acknowledgement policy, if they differ from the base.
fn policy(acks: Acks, base: Acks, key: impl Fn(&str) -> String, unread: &mut Unread) {
    let (own, reason): (&[&str], _) = match acks.policy {
        AckPolicy::Delayed => (&["every", "quick"], "the policy is \"delayed\""),
        AckPolicy::Adaptive => (&["longest", "quick"], "the policy is \"adaptive\""),
        AckPolicy::Stretching => (&["every", "quick"], "the policy is \"stretching\""),
        AckPolicy::FixedDelay => (&["every"], "the policy is \"fixed_delay\""),
        AckPolicy::Timed => (&["quick"], "the policy is \"timed\""),
    };
    for (name, differs) in [
        ("every", acks.every != base.every),
        ("longest", acks.longest != base.longest),
        ("quick", acks.quick != base.quick),
    ] {
        unread.add(differs && !own.contains(&name), || key(name), reason);
    }
    for (name, differs) in [
        ("compressed_delay", acks.compressed_delay != base.compressed_delay),
        ("compressed_percent", acks.compressed_percent != base.compressed_percent),
    ] {
        let none = acks.compressed_sacks == 0;
        unread.add(differs && none, || key(name), "\"compressed_sacks\" is 0");
    }
}

/// Warns of queues and AQMs of links without a rate, at which no packet waits.
fn shapeless(link: &LinkSection, unread: &mut Unread) {
    for (way, section) in [("down", &link.down), ("up", &link.up)] {
        let own = section.as_ref();
        let has_rate = has_rate(link, own);
        // A queue that equals that of both directions is reported once, below.
        let queue = own.and_then(|own| own.queue).filter(|queue| *queue != link.queue);
        let limited = queue.is_some_and(|queue| queue != QueueLimit::Unlimited);
        let key = || format!("link.{}.{way}.queue", link.name);
        unread.add(limited && !has_rate, key, "the link has no rate");
    }
    let ways = [&link.down, &link.up];
    let has_rate = ways.iter().any(|way| has_rate(link, way.as_ref()));
    let limited = link.queue != QueueLimit::Unlimited;
    let key = || format!("link.{}.queue", link.name);
    unread.add(limited && !has_rate, key, "the link has no rate");
    let key = || format!("link.{}.aqm", link.name);
    unread.add(link.aqm.is_some() && !has_rate, key, "the link has no rate");
}

fn has_rate(link: &LinkSection, own: Option<&OneWay>) -> bool {
    let own_rate = own.and_then(|own| own.rate);
    let varies = own.is_some_and(|own| own.rates.is_some() || own.trace.is_some());
    let both = || link.rate.get().is_some() || !link.rates.is_empty() || link.trace.is_some();
    varies || own_rate.map_or_else(both, |rate| rate.get().is_some())
}

/// Returns whether a bearer has packet filters, and the AQM of each bearer that has one.
fn filters_and_aqms<B>(bearers: &[B], of: impl Fn(&B) -> (usize, Option<Aqm>)) -> (bool, Vec<Aqm>) {
    let each = || bearers.iter().map(&of);
    (each().any(|(filters, _)| filters > 0), each().filter_map(|(_, aqm)| aqm).collect())
}
