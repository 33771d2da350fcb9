//! Keys of an LTE or NR cell that nothing uses.
//!
//! In: the sections of the cells. Out: warnings. Left out: contradictions of keys, which are
//! refused where they are checked.

use super::super::bearer::logical_channel_group;
use super::super::nr::any_carrier_depends_on_sinr;
use super::{Checker, Unread};
use crate::net::Direction;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::scheduling_request;
use crate::ran::mac::sharing::Sharing;
use crate::ran::tables::qci::Qci;
use crate::record::{Warned, Warning};
use crate::scenario::schema::{Bearer, Drx, Lte, Nr, NrBearer, Rach};
use crate::unit::Probability;

impl Checker<'_> {
    /// Adds the warnings of all cells.
    pub(super) fn of_cells(&self, unread: &mut Unread) {
        self.fixed_access(unread);
        self.short_cycles(unread);
        self.missed_assignments(unread);
        self.uplink_ages(unread);
        self.uplink_sinrs(unread);
        if let Some(cell) = self.file.radio.lte() {
            priorities_of_admission(cell, unread);
            resource_blocks_of_a_rate(cell, unread);
        }
        self.unheld_maxima(unread);
        self.unkept_guarantees(unread);
        self.requests_of_nobody(unread);
    }

    /// Warns of the fixed time of random access beside a RACH, which determines the time.
    fn fixed_access(&self, unread: &mut Unread) {
        let radio = &self.file.radio;
        let lte = radio.lte().map(|it| ("radio.lte", it.random_access, it.rach.is_some()));
        let nr = radio.nr().map(|it| ("radio.nr", it.random_access, it.rach.is_some()));
        for (place, fixed, rach) in lte.into_iter().chain(nr) {
            let set = fixed != scheduling_request::Config::default().random_access;
            unread.add(rach && set, || format!("{place}.random_access"), "there is a \"rach\"");
        }
    }

    /// Warns of the number of short DRX cycles if there are none.
    fn short_cycles(&self, unread: &mut Unread) {
        let radio = &self.file.radio;
        let lte = radio.lte().and_then(|it| Some((it.drx?, "lte")));
        let nr = radio.nr().and_then(|it| Some((it.drx?, "nr")));
        for (drx, name) in lte.into_iter().chain(nr) {
            let set = drx.short_cycle_timer != Drx::USUAL_SHORT_CYCLE_TIMER;
            let key = || format!("radio.{name}.drx.short_cycle_timer");
            unread.add(set && drx.short_cycle.is_none(), key, "there is no \"short_cycle\"");
        }
    }

    /// Warns of `dtx_as_ack`, which concerns missed downlink assignments: UEs receive each one.
    fn missed_assignments(&self, unread: &mut Unread) {
        let radio = &self.file.radio;
        let lte = radio.lte().map(|it| (it.feedback, Lte::built_in(it.profile).feedback, "lte"));
        let nr = radio.nr().map(|it| (it.feedback, Nr::built_in(it.profile).feedback, "nr"));
        for (own, base, name) in lte.into_iter().chain(nr) {
            let set = ![Probability::ZERO, base.dtx_as_ack].contains(&own.dtx_as_ack);
            let key = || format!("radio.{name}.feedback.dtx_as_ack");
            unread.add(set, key, "UEs miss no downlink assignment");
        }
    }

    /// Warns of uplink schedulers that need the ages of packets: buffer status reports do not
    /// contain them.
    fn uplink_ages(&self, unread: &mut Unread) {
        let radio = &self.file.radio;
        let lte = radio.lte().map(|it| (it.uplink_scheduler, "lte"));
        let nr = radio.nr().map(|it| (it.uplink_scheduler, "nr"));
        for (metric, name) in lte.into_iter().chain(nr).filter(|(it, _)| it.needs_delays()) {
            let words = match metric {
                Metric::ExpPf => {
                    "acts as \"proportional_fair\", since the base station does not know the age of uplink packets: {place}"
                }
                _ => {
                    "acts as \"round_robin\", since the base station does not know the age of uplink packets: {place}"
                }
            };
            let place = format!("radio.{name}.uplink_scheduler");
            unread.0.push(Warning { place, ..Warning::new(Warned::Unread, words) });
        }
    }

    /// Warns of uplink SINRs of an NR cell that have no effect. An LTE cell refuses them.
    fn uplink_sinrs(&self, unread: &mut Unread) {
        let Some(cell) = self.file.radio.nr() else { return };
        if any_carrier_depends_on_sinr(cell, Direction::Up) {
            return;
        }
        let reason = "neither \"uplink_mcs\" nor \"bler\" depends on the SINR";
        let key = || "radio.nr.uplink_sinr_db".to_owned();
        unread.add(cell.uplink_sinr_db.is_some(), key, reason);
        for ue in &self.file.ue {
            let key = || format!("ue.{}.uplink_sinr_db", ue.name);
            unread.add(ue.uplink_sinr_db.is_some(), key, reason);
        }
    }

    /// Warns of maximum uplink rates without effect. A base station grants groups of bearers, and
    /// enforces such a rate only if all bearers of the group have one.
    fn unheld_maxima(&self, unread: &mut Unread) {
        let Some(cell) = self.file.radio.lte() else { return };
        let group = |position: usize| logical_channel_group(position, &cell.bearer[position]);
        for (position, own) in cell.bearer.iter().enumerate() {
            let unheld =
                |other: usize| group(other) == group(position) && cell.bearer[other].mbr.is_none();
            let idle = own.mbr.is_some() && (0..cell.bearer.len()).any(unheld);
            let reason = "a bearer of its logical channel group has no maximum rate";
            unread.add(idle, || format!("radio.lte.bearer.{position}.mbr.up"), reason);
        }
    }

    /// Warns of uplink rates that a UE keeps only with token buckets. By priority, a bearer that is
    /// at least as urgent may take what a guaranteed rate needs; by equal shares, any other may.
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

    /// Warns of the `sr_` keys of a cell whose UEs have no resources for requests, and of an NR
    /// cell whose bearers all name a configuration of their own.
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
}

/// Warns of `arp`: no bearer is refused or pre-empted.
fn priorities_of_admission(cell: &Lte, unread: &mut Unread) {
    for (position, own) in cell.bearer.iter().enumerate() {
        let key = || format!("radio.lte.bearer.{position}.arp");
        unread.add(own.arp != Bearer::USUAL_ARP, key, "there is no admission control");
    }
}

/// Warns of keys of resource blocks and MCSs in a cell with a rate, which has neither.
fn resource_blocks_of_a_rate(cell: &Lte, unread: &mut Unread) {
    if cell.rate.is_none() {
        return;
    }
    let base = Lte::built_in(cell.profile);
    for (key, differs) in [
        ("allocation", cell.allocation != base.allocation),
        ("mcs", cell.mcs != base.mcs),
        ("uplink_mcs", cell.uplink_mcs != base.uplink_mcs),
        ("uplink_modulation", cell.uplink_modulation != base.uplink_modulation),
        ("bler_target", cell.bler_target != base.bler_target),
        ("outer_loop", cell.outer_loop != base.outer_loop),
    ] {
        unread.add(differs, || format!("radio.lte.{key}"), "the cell has a rate");
    }
}

/// Warns of the keys of scheduling requests in an LTE cell whose UEs have none.
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
