//! Frequency-selective scheduling of the downlink: the band is divided, group by group, among UEs
//! whose quality the eNB knows for each group.
//!
//! In: the ranking of a scheduler, waiting bytes, reports of subbands. Out: blocks, each on its own
//! groups.
//!
//! The scheduler's metric picks as many UEs as may share a slot. Then each group goes to the UE
//! with the highest metric on it: the metric of the band times the rate of the group relative to
//! the UE's mean group. A UE that has enough for all its data gets no more. So proportional fair
//! becomes `r(u, k) / R̄(u)`, and classes of a metric keep their order. With [`Groups::All`] a UE
//! gets each group on which it is the best, whatever its need, as with the schedulers of ns-3.
//!
//! Left out: the search for the groups that suit a UE with little data best; groups are assigned in
//! ascending order.

use super::room::Announced;
use super::{BaseStation, BaseTurn};
use crate::net::Direction;
use crate::ran::cell::carrier::Groups;
use crate::ran::cell::config::{Capacity, Config};
use crate::ran::cell::limits::Limit;
use crate::ran::cell::rbg::GroupSet;
use crate::ran::mac::scheduler::{Metric, Ranked};

/// A UE's share of a slot.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Share {
    ue: u32,
    /// Part of the ranking that is compared first: urgent or not, and the class of the metric.
    rank: u32,
    /// Metric per byte; 0 once the UE has enough.
    weight: f64,
    wanted: f64,
    /// Bytes of each group.
    bytes: [f64; 32],
    given: GroupSet,
    promised: f64,
}

impl BaseStation {
    /// Returns `true` if UEs are compared group by group.
    pub(super) fn shares_groups(&self, config: &Config) -> bool {
        let by_channel = !matches!(
            config.downlink.channel.metric,
            Metric::RoundRobin | Metric::BlindEqualThroughput
        );
        by_channel && self.allocation.as_ref().is_some_and(|it| it.shared.knows_subbands())
    }

    /// Assigns the free groups of a slot to at most `ues` UEs, best ranks first.
    pub(super) fn send_by_groups(&mut self, turn: &mut BaseTurn<'_>, ues: u32) {
        let Some(allocation) = &mut self.allocation else { return };
        let (free, alike) = (allocation.free, allocation.shared.alike());
        let mut shares = std::mem::take(&mut allocation.shares);
        while shares.len() < ues as usize
            && let Some(ranked) = self.down.scheduler.pick_ranked()
        {
            shares.extend(self.share(turn, &ranked));
        }
        assign(free, alike, &mut shares);
        self.note_limits_of_groups(&shares);
        for share in shares.iter().filter(|share| !share.given.is_empty()) {
            self.send_on_groups(turn, share.ue, share.given);
        }
        shares.clear();
        if let Some(allocation) = &mut self.allocation {
            allocation.shares = shares;
        }
    }

    /// Notes the limit if a UE has more data than it gets, or gets nothing.
    fn note_limits_of_groups(&mut self, shares: &[Share]) {
        let Some(allocation) = &self.allocation else { return };
        let left = shares.iter().fold(allocation.free, |free, share| free.without(share.given));
        let is_full = left.is_empty();
        let has_left = self.down.scheduler.has_left();
        let lacks = |share: &Share| share.wanted.is_finite() && share.promised < share.wanted;
        let met = &mut self.down.met;
        met.note_if(is_full && (has_left || shares.iter().any(lacks)), Limit::Units);
        met.note_if(!is_full && has_left, Limit::Ues);
    }

    fn share(&mut self, turn: &BaseTurn<'_>, ranked: &Ranked) -> Option<Share> {
        let &Ranked { ue, value, .. } = ranked;
        let wanted = self.wanted(turn, ue)?.0 as f64;
        let wanted = if gives_all(turn) { f64::INFINITY } else { wanted };
        let allocation = self.allocation.as_ref()?;
        let report = self.ues[ue as usize].down.cqi.as_ref()?;
        let weight = weight(value, allocation.bytes(report));
        let (rank, given) = (ranked.rank(), GroupSet::NONE);
        Some(Share { ue, rank, weight, wanted, bytes: report.bytes, given, promised: 0.0 })
    }

    fn send_on_groups(&mut self, turn: &mut BaseTurn<'_>, ue: u32, groups: GroupSet) {
        let capacity = &turn.setup.config.downlink.channel.capacity;
        let Some(allocation) = &self.allocation else { return };
        let units = allocation.shared.grid().prbs(groups);
        let context = &mut self.ues[ue as usize].down;
        let Some(report) = &context.cqi else { return };
        let reported = allocation.shared.reported(report, groups);
        let link = &mut context.link;
        link.on_report(reported, capacity, &mut self.caches.down);
        let on_air = turn.setup.timeline.downlink_on_air(turn.slot);
        let size = link.size(capacity, on_air, units);
        if size.is_zero() || !self.take_control(turn.air, Direction::Down, ue) {
            return;
        }
        if let Some(allocation) = &mut self.allocation {
            allocation.free = allocation.free.without(groups);
        }
        self.send_block(turn, ue, (units, size), groups, Announced::Now(None));
    }
}

/// Returns `true` if a UE keeps all groups that it wins, whatever its need.
fn gives_all(turn: &BaseTurn<'_>) -> bool {
    let capacity = &turn.setup.config.downlink.channel.capacity;
    matches!(capacity, Capacity::Carrier(carrier) if carrier.allocation == Groups::All)
}

/// Returns the metric per byte, for `bytes` of a band that have this metric together. A single
/// candidate has no metric, and needs none.
fn weight(metric: f64, bytes: f64) -> f64 {
    if metric > 0.0 { metric / bytes } else { 1.0 }
}

/// Assigns each free group to the best UE that still has data. The highest ranks go first. Groups
/// in `alike` have the same quality as the group before, for all UEs.
fn assign(mut free: GroupSet, alike: GroupSet, shares: &mut [Share]) {
    debug_assert!(shares.is_sorted_by(|one, other| one.rank >= other.rank), "as they are picked");
    for equals in shares.chunk_by_mut(|one, other| one.rank == other.rank) {
        free = assign_among(free, alike, equals);
    }
}

/// Assigns groups as [`assign`] does, among UEs of one rank. Returns the groups that are left.
fn assign_among(free: GroupSet, alike: GroupSet, shares: &mut [Share]) -> GroupSet {
    let mut left = free;
    // The UE with the group before this one, if both have the same quality.
    let (mut before, mut winner) = (usize::MAX, 0);
    for group in free.iter() {
        let again = before.wrapping_add(1) == group && alike.contains(group);
        if !again || shares[winner].weight <= 0.0 {
            let Some(best) = best_on(group, shares) else { continue };
            winner = best;
        }
        before = group;
        let share = &mut shares[winner];
        share.given = share.given.with(group);
        share.promised += share.bytes[group];
        if share.promised >= share.wanted {
            share.weight = 0.0;
        }
        left = left.without(share.given);
    }
    left
}

/// Returns the UE with the highest metric on a group.
fn best_on(group: usize, shares: &[Share]) -> Option<usize> {
    let (mut best, mut highest) = (None, 0.0);
    for (place, share) in shares.iter().enumerate() {
        let metric = share.weight * share.bytes[group];
        if metric > highest {
            (best, highest) = (Some(place), metric);
        }
    }
    best
}

#[cfg(test)]
mod tests;
