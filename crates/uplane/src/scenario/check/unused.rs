//! Keys of a scenario that nothing uses: accepted with a warning, since a sweep may set keys that
//! only some of its runs use.
//!
//! In: the file and its applications. Out: warnings. Left out: keys of a radio that its profile
//! does not use; these are refused where they are checked.

use super::super::plan::{AppPlan, Transport};
use super::super::schema::{
    Bearer, BearerType, LinkSection, Lte, Nr, NrBearer, OneWay, Rach, Radio,
};
use super::Checker;
use super::tcp::Profiles;
use crate::app::Application;
use crate::net::QueueLimit;
use crate::ran::mac::scheduling_request;
use crate::ran::mac::sharing::Sharing;
use crate::ran::tables::qci::Qci;
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
        self.fixed_access(&mut unread);
        self.filtered(apps, profiles, &mut unread);
        self.unheld_maxima(&mut unread);
        self.unkept_guarantees(&mut unread);
        self.requests_of_nobody(&mut unread);
        self.unsplit(&mut unread);
        self.late_messages(&mut unread);
        unread.0
    }

    /// A warning for each section of UEs of which some have no application.
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

    /// With a RACH random access takes as long as it takes.
    fn fixed_access(&self, unread: &mut Unread) {
        let radio = &self.file.radio;
        let lte = radio.lte().map(|it| ("radio.lte", it.random_access, it.rach.is_some()));
        let nr = radio.nr().map(|it| ("radio.nr", it.random_access, it.rach.is_some()));
        for (place, fixed, rach) in lte.into_iter().chain(nr) {
            let set = fixed != scheduling_request::Config::default().random_access;
            unread.add(rach && set, || format!("{place}.random_access"), "there is a \"rach\"");
        }
    }

    /// An ACK filter drops pure acknowledgements alone, and none is pure with a counter of marks in
    /// its flags (RFC 9768 §3.2.2).
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

    /// A base station grants groups of bearers, and holds those to a maximum that all have one.
    fn unheld_maxima(&self, unread: &mut Unread) {
        let Some(cell) = self.file.radio.lte() else { return };
        // The default bearer has group 3, dedicated ones group 1.
        let group = |position: usize| {
            let usual = if position == 0 { 3 } else { 1 };
            cell.bearer[position].logical_channel_group.unwrap_or(usual)
        };
        for (position, own) in cell.bearer.iter().enumerate() {
            let unheld =
                |other: usize| group(other) == group(position) && cell.bearer[other].mbr.is_none();
            let idle = own.mbr.is_some() && (0..cell.bearer.len()).any(unheld);
            let reason = "a bearer of its logical channel group has no maximum rate";
            unread.add(idle, || format!("radio.lte.bearer.{position}.mbr.up"), reason);
        }
    }

    /// A UE keeps rates among its bearers by token buckets alone. By priority a bearer that is more
    /// urgent may take all that a guaranteed rate needs; by equal shares any other may.
    fn unkept_guarantees(&self, unread: &mut Unread) {
        let Some(cell) = self.file.radio.lte() else { return };
        if cell.uplink_sharing == Sharing::Buckets {
            return;
        }
        let key = |position: usize, key: &str| format!("radio.lte.bearer.{position}.{key}");
        let priority = |it: &Bearer| Qci::new(it.qci).map(|qci| qci.characteristics().priority);
        for (position, own) in cell.bearer.iter().enumerate() {
            let idle = own.prioritised_bit_rate.is_some() && cell.sharing != Sharing::Buckets;
            let reason = "neither \"sharing\" nor \"uplink_sharing\" is \"buckets\"";
            unread.add(idle, || key(position, "prioritised_bit_rate"), reason);
            let mut others = cell.bearer.iter().enumerate().filter(|(other, _)| *other != position);
            let is_before = |other| cell.uplink_sharing == Sharing::Equal || other <= priority(own);
            if own.gbr.is_some() && others.any(|(_, other)| is_before(priority(other))) {
                let words = "kept among UEs, and not among the bearers of a UE unless \"uplink_sharing\" is \"buckets\": {place}";
                let place = key(position, "gbr.up");
                unread.0.push(Warning { place, ..Warning::new(Warned::Unread, words) });
            }
        }
    }

    /// The `sr_` keys of a cell are for UEs that have resources for requests; those of an NR cell
    /// for bearers that name no configuration of their own.
    fn requests_of_nobody(&self, unread: &mut Unread) {
        let none = |rach: Option<&Rach>| rach.is_some_and(|rach| !rach.scheduling_requests);
        let without = "UEs ask by random access alone (\"scheduling_requests\" of \"rach\")";
        let radio = &self.file.radio;
        if let Some(cell) = radio.lte().filter(|cell| none(cell.rach.as_ref())) {
            lte_requests(cell, without, unread);
        }
        let Some(cell) = radio.nr() else { return };
        let named = |bearer: &NrBearer| bearer.scheduling_request.is_some();
        let reason = if none(cell.rach.as_ref()) {
            without
        } else if !cell.bearer.is_empty() && cell.bearer.iter().all(named) {
            "each bearer names a \"scheduling_request\""
        } else {
            return;
        };
        let base = Nr::built_in(cell.profile);
        for (key, differs) in [
            ("sr_period", cell.sr_period != base.sr_period),
            ("sr_offset", cell.sr_offset != base.sr_offset),
            ("sr_prohibit_timer", cell.sr_prohibit_timer != base.sr_prohibit_timer),
            ("sr_trans_max", cell.sr_trans_max != base.sr_trans_max),
        ] {
            unread.add(differs, || format!("radio.nr.{key}"), reason);
        }
    }

    /// What only a split bearer, or one whose PDUs wait in PDCP, makes use of.
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

    /// Messages of a replay that the end of the run forestalls.
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

    /// Addresses and ports serve packet filters alone.
    fn addresses(&self, unread: &mut Unread) {
        let has_filters = match &self.file.radio {
            Radio::Lte(cell) => cell.bearer.iter().any(|bearer| !bearer.filter.is_empty()),
            Radio::Nr(cell) => cell.bearer.iter().any(|bearer| !bearer.filter.is_empty()),
            Radio::Fixed(_) | Radio::Geran(_) | Radio::EnDc(_) => false,
        };
        if has_filters {
            return;
        }
        let reason = "there is no packet filter";
        for ue in &self.file.ue {
            unread.add(ue.address.is_some(), || format!("ue.{}.address", ue.name), reason);
        }
        for app in self.file.applications() {
            let key = |key: &str| format!("{}.{}.{key}", app.kind, app.name);
            unread.add(app.port.is_some(), || key("port"), reason);
            unread.add(app.server_address.is_some(), || key("server_address"), reason);
        }
        for call in &self.file.voice {
            unread.add(call.tos != 0, || format!("voice.{}.tos", call.name), reason);
        }
    }

    /// Tables that stay empty.
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

/// The keys of requests in an LTE cell whose UEs have none.
fn lte_requests(cell: &Lte, reason: &'static str, unread: &mut Unread) {
    let base = Lte::built_in(cell.profile);
    for (key, differs) in [
        ("sr_period", cell.sr_period != base.sr_period),
        ("sr_offset", cell.sr_offset != base.sr_offset),
        ("sr_prohibit_timer", cell.sr_prohibit_timer != base.sr_prohibit_timer),
        ("dsr_trans_max", cell.dsr_trans_max != base.dsr_trans_max),
    ] {
        unread.add(differs, || format!("radio.lte.{key}"), reason);
    }
}

/// Each acknowledgement policy has keys of its own; what is as in the base is not meant.
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

/// Without a rate nothing waits for a link, whatever its queue and its frames are.
fn shapeless(link: &LinkSection, unread: &mut Unread) {
    for (way, section) in [("down", &link.down), ("up", &link.up)] {
        let own = section.as_ref();
        let has_rate = has_rate(link, own);
        // What is as in both directions is told of these.
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
