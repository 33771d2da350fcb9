//! Semi-persistent and configured grants of a cell: planned for UEs with data, used or not, and
//! sent in bundles.
//!
//! In: UEs whose buffers changed, grants that are due. Out: blocks to build, transmissions in the
//! slots of a bundle.
//!
//! Left out: a check of repetitions against blocks that are planned after the bundle began; those
//! blocks give way.

use super::air::{Due, Grant, GrantCause, Sending, Transmission};
use super::base_station::ProcessState;
use super::block::Bundle;
use super::{Cell, Effect};
use crate::net::Direction;
use crate::ran::mac::configured_grant::GrantSet;
use crate::ran::mac::grant::Sps;
use crate::sim::Outbox;
use crate::unit::Instant;

impl Cell {
    fn sps(&self, number: usize) -> &Sps {
        &self.setup.config.uplink.grants.sps[number]
    }

    /// Returns the slots of a bundle, starting with the slot of its grant. They include downlink
    /// slots.
    fn bundle(&self, grant: &Grant) -> std::ops::Range<u64> {
        let configured = grant.configured();
        let end = |(number, occasion)| self.sps(number).end_of(occasion);
        grant.slot..configured.map_or(grant.slot + 1, end)
    }

    fn goes_up(&self, slot: u64) -> bool {
        self.setup.timeline.next_uplink(slot) == slot
    }

    /// Plans the next block of each semi-persistent or configured grant of a UE that has something
    /// for it. A UE without data leaves its grants unused, at no cost to others.
    pub(super) fn plan_sps(&mut self, now: Instant, ue: u32) {
        let build = self.wakes.next_start(&self.setup.clock, now);
        for number in 0..self.setup.config.uplink.grants.sps.len() {
            self.plan_sps_from(build, build, ue, number);
        }
    }

    /// Plans the next block of one grant, built in slot `first` or later; `next` is the next slot
    /// of the cell.
    fn plan_sps_from(&mut self, next: u64, first: u64, ue: u32, number: usize) {
        if !self.ues[ue as usize].has_for_sps(number, None) {
            return;
        }
        let Some(grant) = self.base.grant_sps(&self.setup, (ue, number), first) else { return };
        let slot = self.setup.timeline.fill_of_transmission(grant.slot);
        self.air.ring.advance(next);
        // Among the blocks of one UE in one slot, that of the first grant is built first.
        let builds = &mut self.air.ring.at(slot).builds;
        let is_later = |other: &Grant| {
            let of_another = |(number, _)| grant.configured().is_some_and(|(own, _)| own < number);
            other.ue == ue && other.configured().is_some_and(of_another)
        };
        let place = builds.iter().position(is_later).unwrap_or(builds.len());
        builds.insert(place, grant);
        self.wakes.plan(slot);
        self.air.ring.take_uplink(grant.slot..grant.slot + self.setup.on_air, grant.units);
        for slot in self.bundle(&grant).skip(1) {
            if self.goes_up(slot) {
                self.air.ring.at(slot).uplink_units += grant.units;
            }
        }
    }

    /// Frees the resource blocks that are planned for the semi-persistent and configured grants of
    /// a UE that leaves.
    pub(super) fn free_sps(&mut self, ue: u32) {
        for grant in self.air.ring.planned_sps(ue) {
            self.air.ring.free_uplink(grant.slot..grant.slot + self.setup.on_air, grant.units);
            for later in self.bundle(&grant).skip(1) {
                if self.goes_up(later) {
                    self.air.ring.at(later).uplink_units -= grant.units;
                }
            }
        }
    }

    /// Lets UEs read the releases of configured grants, and plans the blocks that confirm them.
    pub(super) fn read_releases(&mut self, now: Instant) {
        let next = self.wakes.next_start(&self.setup.clock, now);
        while let Some(release) = self.air.releases.pop() {
            self.ues[release.ue as usize].on_release(&release);
            let first = self.setup.timeline.fill_of_transmission(release.not_before);
            self.plan_sps_from(next, first.max(next), release.ue, release.number);
        }
    }

    /// Handles a block that confirmed the release of these grants.
    pub(super) fn on_confirmed(&mut self, ue: u32, cleared: GrantSet) {
        if !cleared.is_empty() {
            self.base.on_confirmed(ue, cleared);
        }
    }

    /// Begins a semi-persistent grant that is due, in a slot with `taken` units in use. Returns
    /// `true` if the UE builds a block. The grant gives way to everything planned independently of
    /// it: a retransmission in its process, a block of an ordinary grant in its slot, or blocks of
    /// others that fill the slot.
    pub(super) fn begin_sps(
        &mut self,
        slot: u64,
        due: &Due,
        grant: &Grant,
        taken: u64,
        out: &mut Outbox<Effect>,
    ) -> bool {
        let Some((number, _)) = grant.configured() else { return true };
        let sps = self.sps(number);
        let ue = &self.ues[grant.ue as usize];
        let fits = taken <= self.setup.capacity.up.units(grant.slot);
        if !fits || sps.skips && !ue.has_for_sps(number, Some(grant.slot)) {
            return false;
        }
        if self.another_has_data(due, grant, number) {
            return false;
        }
        if sps.configured.is_none() {
            return ue.has_process_for(grant);
        }
        let meanwhile = self.setup.on_air > 1 && self.base.sends_meanwhile(grant);
        if due.has_granted_block(grant.ue) || meanwhile {
            return false;
        }
        match self.base.begin_sps(grant) {
            ProcessState::Free => true,
            ProcessState::Held => false,
            ProcessState::Forgotten => {
                self.forget(self.setup.clock.start(slot), grant, out);
                true
            }
        }
    }

    /// Returns `true` if this grant would carry at most a report or a confirmation, while another
    /// grant of the UE carries data in this slot.
    fn another_has_data(&self, due: &Due, grant: &Grant, number: usize) -> bool {
        let ue = &self.ues[grant.ue as usize];
        let serves = |other: &Grant| {
            let others = |(other, _)| other != number && ue.has_data_for_sps(other);
            (other.ue, other.slot) == (grant.ue, grant.slot)
                && other.configured().is_some_and(others)
        };
        !ue.has_data_for_sps(number) && due.builds.iter().any(serves)
    }

    /// Makes a UE take a lost block for received, as `configuredGrantTimer` has expired.
    fn forget(&mut self, now: Instant, grant: &Grant, out: &mut Outbox<Effect>) {
        self.air.statistics.uplink.lost += 1;
        self.ues[grant.ue as usize].harq.abandon(grant.process);
        self.lose(now, Direction::Up, grant.ue, grant.process, out);
    }

    /// Leaves a semi-persistent grant unused, and plans the next one.
    pub(super) fn pass_sps(&mut self, slot: u64, grant: &Grant) {
        for later in self.bundle(grant).skip(1) {
            if self.goes_up(later) {
                self.air.ring.at(later).uplink_units -= grant.units;
            }
        }
        self.plan_sps(self.setup.clock.start(slot), grant.ue);
    }

    /// Plans the repetitions of a block in its whole bundle.
    pub(super) fn plan_repetitions(&mut self, grant: &Grant) {
        let Some((number, occasion)) = grant.configured() else { return };
        let configured = self.sps(number).configured.as_ref();
        let Some(sequence) = configured.map(|it| it.sequence) else { return };
        let (ue, process, mut left) = (grant.ue, grant.process, 0);
        for slot in self.bundle(grant).skip(1) {
            if !self.goes_up(slot) {
                continue;
            }
            let room = self.setup.capacity.up.units(slot);
            let due = self.air.ring.at(slot);
            if due.uplink_units > room || due.has_granted_block(ue) {
                due.uplink_units -= grant.units;
                continue;
            }
            let kind = Sending::Repetition;
            due.transmissions.push(Transmission { ue, process, kind });
            left += 1;
        }
        let block = self.ues[ue as usize].harq.block(process);
        block.bundle = Some(Bundle { occasion, sequence, left });
    }
}

impl Due {
    /// Returns `true` if a UE sends a block of an ordinary grant.
    fn has_granted_block(&self, ue: u32) -> bool {
        let granted = |grant: &Grant| !matches!(grant.cause, GrantCause::Sps { .. });
        self.builds.iter().any(|grant| grant.ue == ue && granted(grant))
            || self.transmissions.iter().any(|sent| sent.ue == ue)
    }
}
