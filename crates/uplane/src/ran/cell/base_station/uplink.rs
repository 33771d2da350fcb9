//! What the eNB grants, to whom, and why.
//!
//! In: requests and reports that reached it. Out: grants, each for one block in a later slot.

use crate::ran::cell::Cell;
use crate::ran::cell::base_station::UplinkSchedule;
use crate::ran::cell::config::{Access, Capacity};
use crate::ran::cell::slot_capacity::{Supply, UNLIMITED};
use crate::ran::cell::slot_ring::{Answered, Asked, Grant, Reported, Requested};
use crate::ran::cell::ue::Ue;
use crate::ran::mac::grant::{Repeated, SemiPersistent};
use crate::ran::mac::scheduler::Candidate;
use crate::unit::{Bytes, Duration, Instant};

impl Cell {
    pub(in crate::ran::cell) fn on_request(&mut self, slot: u64, request: &Requested) {
        let first_grant = self.first_grant();
        let policy = &self.config.uplink.grants;
        let uplink = &mut self.ues[request.ue as usize].uplink;
        let answered = uplink.unanswered > 0
            || uplink.last_granted.is_some_and(|granted| granted > request.slot)
            || !uplink.estimate.bytes().is_zero();
        if policy.repeated == Repeated::Ignore && answered {
            self.statistics.requests_ignored += 1;
            uplink.expected = uplink.expected.saturating_sub(first_grant);
            return;
        }
        debug_assert!(request.slot < slot, "a request from the future");
        uplink.unanswered += 1;
        uplink.asked = Asked::Request {
            sent: self.clock.start(request.slot),
            held: request.missed.map(|missed| self.clock.start(missed)),
        };
        self.up.set_wanting(request.ue, true);
    }

    pub(in crate::ran::cell) fn on_report(&mut self, report: &Reported) {
        let ideal = self.config.uplink.access == Access::IdealReports;
        let uplink = &mut self.ues[report.ue as usize].uplink;
        let sent = Asked::Report { sent: self.clock.start(report.slot) };
        match report.groups {
            Some(groups) if ideal => uplink.estimate.replace(groups),
            Some(groups) => uplink.estimate.on_report(report.slot, groups),
            // A full block without a report, and nothing under way: there may be more.
            None if uplink.last_granted.is_none_or(|last| last <= report.slot) => {
                uplink.unanswered = uplink.unanswered.max(1);
            }
            None => return,
        }
        if uplink.unanswered == 0 || report.groups.is_none() {
            uplink.asked = sent;
        }
        self.refresh_wanting(report.ue);
    }

    /// Grants of this slot.
    pub(in crate::ran::cell) fn schedule_uplink(&mut self, slot: u64) {
        if self.up.wanting.is_empty() {
            return;
        }
        let target = slot + self.slots.grant_to_uplink;
        let channel = &self.config.uplink.channel;
        let taken = self.ring.uplink_units(target);
        let mut units = self.supply.up.units(target).saturating_sub(taken);
        let mut ues = channel.ues_per_slot;
        self.collect_wanting(slot, target, units);
        let UplinkSchedule { scheduler, candidates, .. } = &mut self.up;
        scheduler.rank(slot, candidates);
        while units > 0
            && ues > 0
            && let Some(ue) = self.up.scheduler.pick()
        {
            let used = self.grant(slot, target, ue, units);
            units -= used;
            ues -= u32::from(used > 0);
        }
    }

    #[inline(always)]
    pub(in crate::ran::cell) fn refresh_wanting(&mut self, ue: u32) {
        let uplink = &self.ues[ue as usize].uplink;
        let by_report = self.config.uplink.grants.on_report && !uplink.estimate.bytes().is_zero();
        self.up.set_wanting(ue, uplink.unanswered > 0 || uplink.in_advance || by_report);
    }

    /// UEs that can be granted something in slot `target`.
    pub(in crate::ran::cell) fn collect_wanting(&mut self, slot: u64, target: u64, units: u64) {
        let up = &mut self.up;
        let blank = Candidate {
            ue: 0,
            rate: 0.0,
            delay: Duration::ZERO,
            quality: self.quality,
            target: 0.0,
            urgent: false,
        };
        up.candidates.clear();
        for &ue in &up.wanting {
            let state = &mut self.ues[ue as usize];
            let process = state.up.harq.of_slot(target);
            let has_standing = state.uplink.standing == Some(target);
            let taken = state.uplink.taken[process] == target;
            if has_standing || taken || !state.up.harq.is_free(process) {
                continue;
            }
            let capacity = &self.config.uplink.channel.capacity;
            if let Some(air) = &mut self.air {
                air.refresh_uplink(state, slot, &self.clock, |link, measured| {
                    link.on_report(measured, capacity, self.tti, &mut self.schemes.up);
                });
            }
            let units = state.up.link.within_power(capacity, self.tti, units);
            let rate = state.up.link.size(capacity, self.tti, units).0 as f64;
            up.candidates.push(Candidate { ue, rate, ..blank });
        }
    }

    /// A grant in `slot` for a transmission in `target`; returns the units it takes.
    pub(in crate::ran::cell) fn grant(
        &mut self,
        slot: u64,
        target: u64,
        ue: u32,
        units: u64,
    ) -> u64 {
        let Some((used, size)) = self.grant_size(ue, units) else { return 0 };
        if !self.take_control(ue) {
            return 0;
        }
        self.statistics.grants += 1;
        let first_grant = self.first_grant();
        let bare = self.config.bare_blocks;
        let data =
            size.map_or(Bytes(UNLIMITED), |size| self.config.uplink.grants.data_in(size, bare));
        let state = &mut self.ues[ue as usize];
        let process = state.up.harq.of_slot(target);
        state.counted.uplink.grants += 1;
        state.counted.uplink.cces += u64::from(state.aggregation.cces());
        let uplink = &mut state.uplink;
        uplink.taken[process] = target;
        uplink.last_granted = Some(target);
        uplink.estimate.on_grant(target, data);
        uplink.reporting.on_grant(slot);
        // An eager UE has counted on its first grant since it asked.
        let counted = if uplink.unanswered > 0 { first_grant } else { Bytes::ZERO };
        uplink.expected += size.unwrap_or(Bytes(UNLIMITED));
        uplink.expected = uplink.expected.saturating_sub(counted);
        uplink.unanswered = uplink.unanswered.saturating_sub(1);
        uplink.in_advance = false;
        let (asked, received) = (uplink.asked, self.clock.end(slot));
        if let Asked::Request { sent, held } = asked {
            uplink.answered = Some(Answered { sent, held, received });
        }
        let build = target - self.slots.fill_to_uplink;
        let grant = Grant { ue, slot: target, size, units: used, asked, received };
        self.ring.at(build).builds.push(grant);
        self.ring.at(target).uplink_units += used;
        self.up.scheduler.on_served(ue, slot, size.unwrap_or_default());
        self.refresh_wanting(ue);
        used
    }

    /// How many units and bytes a UE gets; as many bytes as it needs for `None`.
    pub(in crate::ran::cell) fn grant_size(
        &self,
        ue: u32,
        units: u64,
    ) -> Option<(u64, Option<Bytes>)> {
        let policy = &self.config.uplink.grants;
        let capacity = &self.config.uplink.channel.capacity;
        let state = &self.ues[ue as usize];
        let known = if policy.on_report { state.uplink.estimate.bytes() } else { Bytes::ZERO };
        let mut known = policy.block_for(known, self.config.bare_blocks);
        if let Some(advance) = policy.advance.filter(|_| state.uplink.in_advance) {
            known = known.max(advance.bytes);
        }
        let wanted = match policy.on_request.size(self.tti) {
            _ if state.uplink.unanswered == 0 => known,
            Some(first) => first.max(known),
            None if matches!(capacity, Capacity::Unlimited) => return Some((1, None)),
            None => Bytes(UNLIMITED),
        };
        let used = state.up.link.units_for(capacity, self.tti, wanted, units);
        let size = state.up.link.size(capacity, self.tti, used);
        (used > 0 && !size.is_zero()).then_some((used, Some(size)))
    }

    /// The size of the grant that answers a request.
    pub(in crate::ran::cell) fn first_grant(&self) -> Bytes {
        self.config.uplink.grants.on_request.size(self.tti).unwrap_or(Bytes(UNLIMITED))
    }

    /// Downlink data goes to this UE: grants in advance begin, or go on.
    pub(in crate::ran::cell) fn plan_advance(&mut self, slot: u64, ue: u32) {
        let Some(advance) = self.config.uplink.grants.advance else { return };
        let uplink = &mut self.ues[ue as usize].uplink;
        uplink.advance_until = slot + advance.linger;
        if !uplink.advance_planned {
            uplink.advance_planned = true;
            self.ring.at(slot + advance.every).advances.push(ue);
        }
    }

    /// A grant that nobody asked for.
    pub(in crate::ran::cell) fn grant_in_advance(&mut self, slot: u64, ue: u32) {
        let Some(advance) = self.config.uplink.grants.advance else { return };
        let uplink = &mut self.ues[ue as usize].uplink;
        uplink.advance_planned = slot + advance.every <= uplink.advance_until;
        if uplink.advance_planned {
            self.ring.at(slot + advance.every).advances.push(ue);
        }
        if uplink.unanswered == 0 && uplink.estimate.bytes().is_zero() {
            uplink.asked = Asked::Nothing;
        }
        uplink.in_advance = true;
        self.up.set_wanting(ue, true);
    }

    /// The next standing grant of a UE with data is planned. One without data leaves it unused, at no
    /// cost to others.
    pub(in crate::ran::cell) fn plan_standing(
        &mut self,
        now: Instant,
        ue: u32,
        standing: SemiPersistent,
    ) {
        let fill = self.slots.fill_to_uplink;
        let first = self.next_start(now) + fill;
        let capacity = &self.config.uplink.channel.capacity;
        let state = &mut self.ues[ue as usize];
        if state.waiting().is_zero() || state.uplink.standing.is_some_and(|slot| slot >= first) {
            return;
        }
        let offset = u64::from(ue) % standing.period;
        let mut slot =
            first + (offset + standing.period - first % standing.period) % standing.period;
        // Where another grant, or a block that is sent again, was there before, the next one is taken.
        while state.uplink.taken[state.up.harq.of_slot(slot)] == slot {
            slot += standing.period;
        }
        let units = state.up.link.units_for(capacity, self.tti, standing.bytes, UNLIMITED);
        let size = state.up.link.size(capacity, self.tti, units);
        state.uplink.standing = Some(slot);
        if size.is_zero() {
            return;
        }
        state.uplink.last_granted = Some(slot);
        let received = self.clock.start(slot - fill);
        let grant = Grant { ue, slot, size: Some(size), units, asked: Asked::Standing, received };
        self.ring.advance(first - fill);
        self.ring.at(slot - fill).builds.push(grant);
        self.planned = Some(self.planned.map_or(slot - fill, |other| other.min(slot - fill)));
        self.ring.at(slot).uplink_units += units;
    }

    /// The standing grant in this slot went to something else; what waits for it waits for the next one.
    pub(in crate::ran::cell) fn wait_for_next_standing(&mut self, slot: u64, ue: u32) {
        if let Some(standing) = self.config.uplink.grants.semi_persistent {
            self.plan_standing(self.clock.start(slot), ue, standing);
        }
    }
}

impl Ue {
    /// True when the block of this grant can be built. A standing grant gives way to whatever was planned without knowing
    /// of it: a block that is sent again in its process, or others that take the whole slot, `taken` units of `supply`
    /// with its own.
    pub(in crate::ran::cell) fn may_use(&self, grant: &Grant, taken: u64, supply: Supply) -> bool {
        let standing = matches!(grant.asked, Asked::Standing);
        !standing
            || self.up.harq.is_free(self.up.harq.of_slot(grant.slot))
                && taken <= supply.units(grant.slot)
    }
}
