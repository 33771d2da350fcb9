//! The downlink band shared group by group, among UEs of which the eNB knows what each group is worth.
//!
//! In: the ranking of a scheduler, bytes that wait, reports of subbands. Out: blocks, each on groups of its own.
//!
//! The scheduler's metric picks as many UEs as may share a slot. Then each group goes to the UE with the
//! highest metric on it: the metric of the band times what the group is worth to the UE compared with
//! its mean group. A UE that has enough for all its data gets no more. So proportional fair becomes
//! `r(u, k) / R̄(u)`, and classes of a metric stay above each other.
//!
//! Left out: the search for the groups that suit a UE with little data best; they are given in ascending order.

use crate::net::Direction;
use crate::ran::cell::Cell;
use crate::ran::cell::rbg::GroupSet;
use crate::ran::mac::header;
use crate::ran::mac::scheduler::{Metric, Ranked};
use crate::unit::{Bytes, Instant};

/// What one UE gets of a slot.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Share {
    ue: u32,
    /// Compared first: urgent or not, and the class of the metric.
    rank: u32,
    /// Metric per byte; 0 once it has enough.
    weight: f64,
    wanted: f64,
    /// By group.
    bytes: [f64; 32],
    given: GroupSet,
    promised: f64,
}

impl Cell {
    /// True when UEs are compared group by group.
    pub(in crate::ran::cell) fn shares_groups(&self) -> bool {
        let by_channel = !matches!(
            self.config.downlink.channel.metric,
            Metric::RoundRobin | Metric::BlindEqualThroughput
        );
        by_channel && self.air.as_ref().is_some_and(|air| air.shared.knows_subbands())
    }

    /// Gives the free groups of a slot to at most `ues` UEs of those ranked.
    pub(in crate::ran::cell) fn send_by_groups(&mut self, slot: u64, now: Instant, ues: u32) {
        let Some(air) = &mut self.air else { return };
        let (free, mut shares) = (air.free, std::mem::take(&mut air.shares));
        while shares.len() < ues as usize
            && let Some(ranked) = self.down.scheduler.pick_ranked()
        {
            shares.extend(self.share(now, &ranked));
        }
        let alike = self.air.as_ref().map_or(GroupSet::NONE, |air| air.shared.alike());
        assign(free, alike, &mut shares);
        for share in shares.iter().filter(|share| !share.given.is_empty()) {
            self.send_on_groups(slot, now, share.ue, share.given);
        }
        shares.clear();
        if let Some(air) = &mut self.air {
            air.shares = shares;
        }
    }

    fn share(&mut self, now: Instant, ranked: &Ranked) -> Option<Share> {
        let &Ranked { ue, value, .. } = ranked;
        let state = &mut self.ues[ue as usize];
        let demand = state.allowed_downlink(now, &mut self.scratch);
        if demand.is_zero() {
            let waits = !state.demand(now, Direction::Down).is_zero();
            self.down.set_waiting(ue, waits);
            return None;
        }
        let bare = self.config.bare_blocks;
        let wanted = demand + if bare { Bytes::ZERO } else { header::ALLOWANCE };
        let air = self.air.as_ref()?;
        let bytes = state.path.as_ref()?.bytes;
        let mean = air.bytes(state) / f64::from(air.free.0.count_ones().max(1));
        // A single candidate has no value, and needs none.
        let weight = if value > 0.0 { value / mean } else { 1.0 };
        let (rank, given, wanted) = (ranked.rank(), GroupSet::NONE, wanted.0 as f64);
        Some(Share { ue, rank, weight, wanted, bytes, given, promised: 0.0 })
    }

    fn send_on_groups(&mut self, slot: u64, now: Instant, ue: u32, groups: GroupSet) {
        let capacity = &self.config.downlink.channel.capacity;
        let Some(air) = &self.air else { return };
        let units = air.shared.grid().prbs(groups);
        let believed = air.believed(&self.ues[ue as usize], groups);
        let link = &mut self.ues[ue as usize].down.link;
        link.on_report(believed, capacity, self.tti, &mut self.schemes.down);
        let size = link.size(capacity, self.tti, units);
        if size.is_zero() || !self.take_control(ue) {
            return;
        }
        if let Some(air) = &mut self.air {
            air.free = air.free.without(groups);
        }
        self.send_block(slot, now, ue, units, size, groups);
    }
}

/// Gives each free group to the best UE that still wants something. The highest ranks come first.
/// Groups in `alike` are worth to everybody what the group before is.
fn assign(mut free: GroupSet, alike: GroupSet, shares: &mut [Share]) {
    debug_assert!(shares.is_sorted_by(|one, other| one.rank >= other.rank), "as they are picked");
    for equals in shares.chunk_by_mut(|one, other| one.rank == other.rank) {
        free = assign_among(free, alike, equals);
    }
}

/// The same among UEs of one rank; returns the groups that are left.
fn assign_among(free: GroupSet, alike: GroupSet, shares: &mut [Share]) -> GroupSet {
    let mut left = free;
    // Who got the group before this one, when it is worth the same.
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

/// Who has the highest metric on a group.
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
