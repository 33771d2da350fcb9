//! Semi-persistent and configured grants of a cell: planned for UEs with data, used or not, and
//! sent in bundles.
//!
//! In: UEs whose buffers changed, grants that are due. Out: blocks to be built, transmissions in
//! the slots of a bundle.
//!
//! Left out: a check of repetitions against blocks that are planned after the bundle began; those
//! blocks give way.

use super::air::{Due, Grant, GrantCause, Sending, Transmission};
use super::base_station::Found;
use super::block::Bundle;
use super::{Cell, Effect};
use crate::net::Direction;
use crate::ran::mac::grant::Sps;
use crate::sim::Outbox;
use crate::unit::Instant;

impl Cell {
    fn sps(&self) -> &Sps {
        self.setup.config.uplink.grants.sps.as_ref().expect("a cell with such grants")
    }

    /// The slots of a bundle from that of its grant on, without those that go down.
    fn bundle(&self, grant: &Grant) -> std::ops::Range<u64> {
        let end = match grant.cause {
            GrantCause::Sps { occasion } => self.sps().end_of(occasion),
            _ => grant.slot + 1,
        };
        grant.slot..end
    }

    fn goes_up(&self, slot: u64) -> bool {
        self.setup.timeline.next_uplink(slot) == slot
    }

    /// Plans the next semi-persistent grant of a UE with data. A UE without data leaves its grants
    /// unused, at no cost to others.
    pub(super) fn plan_sps(&mut self, now: Instant, ue: u32) {
        if !self.ues[ue as usize].has_for_sps() {
            return;
        }
        let build = self.wakes.next_start(&self.setup.clock, now);
        let Some(grant) = self.base.grant_sps(&self.setup, ue, build) else { return };
        let slot = self.setup.timeline.fill_of_transmission(grant.slot);
        self.air.ring.advance(build);
        self.air.ring.at(slot).builds.push(grant);
        self.wakes.plan(slot);
        self.air.ring.take_uplink(grant.slot..grant.slot + self.setup.on_air, grant.units);
        for slot in self.bundle(&grant).skip(1) {
            if self.goes_up(slot) {
                self.air.ring.at(slot).uplink_units += grant.units;
            }
        }
    }

    /// A semi-persistent grant is due, in a slot of whose units `taken` are taken: true when the UE
    /// builds a block. It gives way to whatever was planned without knowing of it: a block that is
    /// sent again in its process, one that a grant has in its slot, or others that take the whole
    /// slot.
    pub(super) fn begin_sps(
        &mut self,
        slot: u64,
        due: &Due,
        grant: &Grant,
        taken: u64,
        out: &mut Outbox<Effect>,
    ) -> bool {
        let sps = self.sps();
        let ue = &self.ues[grant.ue as usize];
        let fits = taken <= self.setup.capacity.up.units(grant.slot);
        if !fits || sps.skips && !ue.has_for_sps() {
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
            Found::Room => true,
            Found::Held => false,
            Found::Forgotten => {
                self.forget(self.setup.clock.start(slot), grant, out);
                true
            }
        }
    }

    /// A UE takes a block for received that was not, as `configuredGrantTimer` has expired.
    fn forget(&mut self, now: Instant, grant: &Grant, out: &mut Outbox<Effect>) {
        self.air.statistics.uplink.lost += 1;
        self.ues[grant.ue as usize].harq.give_up(grant.process);
        self.open(now, Direction::Up, grant.ue, grant.process, true);
        self.settle(now, grant.ue, out);
    }

    /// A semi-persistent grant is not used: the next one is planned.
    pub(super) fn pass_sps(&mut self, slot: u64, grant: &Grant) {
        for later in self.bundle(grant).skip(1) {
            if self.goes_up(later) {
                self.air.ring.at(later).uplink_units -= grant.units;
            }
        }
        self.plan_sps(self.setup.clock.start(slot), grant.ue);
    }

    /// The block of a grant is built, and sent in the whole bundle.
    pub(super) fn plan_repetitions(&mut self, grant: &Grant) {
        let GrantCause::Sps { occasion } = grant.cause else { return };
        let Some(sequence) = self.sps().configured.as_ref().map(|it| it.sequence) else { return };
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
    /// True when a UE sends a block that it was granted.
    fn has_granted_block(&self, ue: u32) -> bool {
        let granted = |grant: &Grant| !matches!(grant.cause, GrantCause::Sps { .. });
        self.builds.iter().any(|grant| grant.ue == ue && granted(grant))
            || self.transmissions.iter().any(|sent| sent.ue == ue)
    }
}
