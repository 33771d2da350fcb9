//! Asynchronous HARQ of an uplink (TS 38.321 §5.4.2): a grant names the process, and a
//! retransmission has a grant of its own.
//!
//! In: grants, the results of blocks once the scheduler knows them. Out: free processes; blocks to
//! be granted again, oldest first, on as many resources as before.
//!
//! The first processes are those of configured grants, where a UE has them; new blocks by grants
//! take the others.
//!
//! Left out: grants that a UE misses, and retransmissions on another number of resource blocks.

use super::UplinkHarq;
use crate::net::Direction;
use crate::ran::cell::air::{Sending, Transmission, UplinkFate};
use crate::ran::cell::base_station::room::Room;
use crate::ran::cell::base_station::{BaseStation, BaseTurn};
use crate::ran::cell::setup::Setup;
use crate::ran::mac::harq::Verdict;

/// Which processes have a block, from its grant until the scheduler knows that it arrived or is
/// given up.
#[derive(Clone, Debug)]
pub(in crate::ran::cell::base_station) struct Granted {
    busy: Vec<bool>,
    /// The last slot for which the UE has a grant: it sends one block at a time.
    last: Option<u64>,
    /// For how many slots a block is on the air.
    on_air: u64,
    /// `configuredGrantTimer` of each process of configured grants: the first slot in which it does
    /// not run.
    held_until: Vec<u64>,
}

/// What a configured grant finds in its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ran::cell) enum Found {
    /// Room for a new block.
    Room,
    /// A block that failed and waits for a grant, which its UE takes for received.
    Forgotten,
    /// The timer, or a block that is under way.
    Held,
}

impl Granted {
    pub(super) fn new(setup: &Setup) -> Self {
        let configured = setup.config.uplink.grants.configured();
        let own: u32 = configured.map(|(_, configured)| configured.processes).sum();
        Self {
            busy: vec![false; setup.uplink_processes() as usize],
            last: None,
            on_air: setup.on_air,
            held_until: vec![0; own as usize],
        }
    }

    pub(super) fn has_transmission(&self, slot: u64) -> bool {
        self.last.is_some_and(|last| last < slot + self.on_air && slot < last + self.on_air)
    }

    pub(super) fn free_process(&self) -> Option<usize> {
        let others = &self.busy[self.held_until.len()..];
        others.iter().position(|busy| !busy).map(|place| place + self.held_until.len())
    }

    /// True while no configured grant may use its process for a new block in `slot`.
    pub(super) fn is_held(&self, process: usize, slot: u64) -> bool {
        self.held_until[process] > slot
    }

    /// True when a process has no block.
    pub(super) fn is_free(&self, process: usize) -> bool {
        !self.busy[process]
    }

    /// A configured grant takes a free process.
    pub(super) fn begin(&mut self, process: usize) {
        self.busy[process] = true;
    }

    /// A block of this process is sent first, or again, in `slot`: `configuredGrantTimer` starts.
    pub(super) fn on_sent(&mut self, setup: &Setup, process: usize, slot: u64) {
        if let Some(held) = self.held_until.get_mut(process)
            && let Some(timer) = setup.config.uplink.grants.timer_of(process)
        {
            *held = slot + timer;
        }
    }

    pub(super) fn take(&mut self, process: usize, slot: u64) {
        self.busy[process] = true;
        self.last = Some(slot);
    }

    pub(super) fn release(&mut self, process: usize) {
        assert!(self.busy[process], "uplink process {process} released twice");
        self.busy[process] = false;
    }

    /// The scheduler makes use of it some slots later.
    pub(super) fn on_fate(turn: &mut BaseTurn<'_>, fate: UplinkFate) {
        let known = turn.setup.timeline.report_known(turn.slot);
        turn.air.ring.at(known).fates.push(fate);
    }
}

impl BaseStation {
    /// What the configured grant of a UE finds in its process in `slot`; a block that is forgotten
    /// is no longer granted again.
    pub(in crate::ran::cell::base_station) fn find_configured(
        &mut self,
        ue: u32,
        process: usize,
        slot: u64,
    ) -> Found {
        let UplinkHarq::Granted(processes) = &mut self.ues[ue as usize].up.harq else {
            return Found::Room;
        };
        if processes.is_held(process, slot) {
            return Found::Held;
        }
        if !processes.busy[process] {
            return Found::Room;
        }
        let waiting = &mut self.up.retransmissions;
        match waiting.iter().position(|fate| fate.ue == ue && fate.process == process) {
            Some(place) => {
                waiting.remove(place);
                Found::Forgotten
            }
            None => Found::Held,
        }
    }

    /// The scheduler learns the result of a block.
    pub(in crate::ran::cell) fn on_uplink_fate(&mut self, slot: u64, fate: UplinkFate) {
        match fate.verdict {
            Verdict::Retransmit => {
                self.ues[fate.ue as usize].on_failure(slot);
                self.up.retransmissions.push_back(fate);
            }
            Verdict::Delivered | Verdict::GivenUp => {
                self.ues[fate.ue as usize].up.harq.release(fate.process);
            }
        }
    }

    /// Grants for blocks that are sent again in `target`, before new ones; takes what they need of
    /// `units` and of the `ues` that may share the slot.
    pub(in crate::ran::cell::base_station) fn grant_retransmissions(
        &mut self,
        turn: &mut BaseTurn<'_>,
        target: u64,
        units: &mut u64,
        ues: &mut u32,
    ) {
        for _ in 0..self.up.retransmissions.len() {
            let fate = self.up.retransmissions.pop_front().expect("counted");
            let UplinkFate { ue, process, units: needed, .. } = fate;
            let setup = turn.setup;
            let up = &self.ues[ue as usize].up;
            // One in the slot itself gives way; one that may have begun does not.
            let has_another =
                up.harq.has_transmission(target) || setup.on_air > 1 && up.has_sps(setup, target);
            let room = Room { units: *units, ues: *ues };
            let has_room = room.fits(needed);
            self.up.met.note_if(!has_room && !has_another, room.limit_for(needed));
            let fits = has_room && !has_another && self.is_awake(ue, turn.slot);
            if !fits || !self.take_control(turn.air, Direction::Up, ue) {
                self.up.retransmissions.push_back(fate);
                continue;
            }
            *units -= needed;
            *ues -= 1;
            let context = &mut self.ues[ue as usize];
            context.up.harq.take(process, target);
            turn.air.count_grant(ue, context.aggregation.cces());
            let kind = Sending::Retransmission;
            let due = turn.air.ring.at(target);
            due.transmissions.push(Transmission { ue, process, kind });
            turn.air.ring.take_uplink(target..target + setup.on_air, needed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that begins in slot 10 is on the air in so many slots, and so is another one: they
    /// meet where neither has ended when the other begins.
    #[test]
    fn blocks_meet_while_both_are_on_the_air() {
        let meets = |on_air| {
            let granted = Granted { busy: Vec::new(), last: Some(10), on_air, held_until: vec![] };
            (0..20).filter(|&slot| granted.has_transmission(slot)).collect::<Vec<_>>()
        };
        assert_eq!(meets(1), [10]);
        assert_eq!(meets(3), [8, 9, 10, 11, 12]);
    }
}
