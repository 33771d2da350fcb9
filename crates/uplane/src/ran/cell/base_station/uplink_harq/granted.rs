//! Asynchronous HARQ of an uplink (TS 38.321 §5.4.2): a grant names the process, and a
//! retransmission has its own grant.
//!
//! In: grants, the results of blocks once the scheduler knows them. Out: free processes; blocks
//! that need a grant for a retransmission, oldest first, on as many resources as before.
//!
//! The first processes belong to configured grants, if a UE has any; new blocks of ordinary grants
//! take the others.
//!
//! Left out: grants that a UE misses, and retransmissions on another number of resource blocks.

use super::UplinkHarq;
use crate::net::Direction;
use crate::ran::cell::air::{Sending, Transmission, UplinkResult};
use crate::ran::cell::base_station::room::Room;
use crate::ran::cell::base_station::{BaseStation, BaseTurn};
use crate::ran::cell::setup::Setup;
use crate::ran::mac::harq::Verdict;

/// Processes with a block, from its grant until the scheduler knows that it arrived or was
/// abandoned.
#[derive(Clone, Debug)]
pub(in crate::ran::cell::base_station) struct Granted {
    busy: Vec<bool>,
    /// The last slot for which the UE has a grant. It sends one block at a time.
    last: Option<u64>,
    /// Number of slots that a block is on the air.
    on_air: u64,
    /// First slot in which `configuredGrantTimer` does not run, for each process of configured
    /// grants.
    held_until: Vec<u64>,
}

/// State of a configured grant's process at its occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ran::cell) enum ProcessState {
    /// Free for a new block.
    Free,
    /// A failed block that waits for a grant, and that its UE takes for received.
    Forgotten,
    /// Held by the timer, or by a block that is under way.
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

    /// Returns `true` while no configured grant may use its process for a new block in `slot`.
    pub(super) fn is_held(&self, process: usize, slot: u64) -> bool {
        self.held_until[process] > slot
    }

    /// Returns `true` if a process has no block.
    pub(super) fn is_free(&self, process: usize) -> bool {
        !self.busy[process]
    }

    /// Takes a free process for a configured grant.
    pub(super) fn begin(&mut self, process: usize) {
        self.busy[process] = true;
    }

    /// Starts `configuredGrantTimer` for a block of this process in `slot`, in its first
    /// transmission or a retransmission.
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

    /// Reports the result to the scheduler, which uses it some slots later.
    pub(super) fn on_result(turn: &mut BaseTurn<'_>, result: UplinkResult) {
        let known = turn.setup.timeline.report_known(turn.slot);
        turn.air.ring.at(known).results.push(result);
    }
}

impl BaseStation {
    /// Returns the state in `slot` of the process of a UE's configured grant. Removes a forgotten
    /// block from the retransmissions.
    pub(in crate::ran::cell::base_station) fn find_configured(
        &mut self,
        ue: u32,
        process: usize,
        slot: u64,
    ) -> ProcessState {
        let UplinkHarq::Granted(processes) = &mut self.ues[ue as usize].up.harq else {
            return ProcessState::Free;
        };
        if processes.is_held(process, slot) {
            return ProcessState::Held;
        }
        if !processes.busy[process] {
            return ProcessState::Free;
        }
        let waiting = &mut self.up.retransmissions;
        match waiting.iter().position(|result| result.ue == ue && result.process == process) {
            Some(place) => {
                waiting.remove(place);
                ProcessState::Forgotten
            }
            None => ProcessState::Held,
        }
    }

    /// Handles the result of a block in the scheduler.
    pub(in crate::ran::cell) fn on_uplink_result(&mut self, slot: u64, result: UplinkResult) {
        match result.verdict {
            Verdict::Retransmit => {
                self.ues[result.ue as usize].on_failure(slot);
                self.up.retransmissions.push_back(result);
            }
            Verdict::Delivered | Verdict::Abandoned => {
                self.ues[result.ue as usize].up.harq.release(result.process);
            }
        }
    }

    /// Grants retransmissions in `target`, before new blocks. Subtracts their needs from `units`
    /// and from `ues`, the number of UEs that may share the slot.
    pub(in crate::ran::cell::base_station) fn grant_retransmissions(
        &mut self,
        turn: &mut BaseTurn<'_>,
        target: u64,
        units: &mut u64,
        ues: &mut u32,
    ) {
        for _ in 0..self.up.retransmissions.len() {
            let result = self.up.retransmissions.pop_front().expect("counted");
            let UplinkResult { ue, process, units: needed, .. } = result;
            let setup = turn.setup;
            let up = &self.ues[ue as usize].up;
            // A configured grant in the slot itself gives way; one that may have begun does not.
            let has_another =
                up.harq.has_transmission(target) || setup.on_air > 1 && up.has_sps(setup, target);
            let room = Room { units: *units, ues: *ues };
            let has_room = room.fits(needed);
            self.up.met.note_if(!has_room && !has_another, room.limit_for(needed));
            let fits = has_room && !has_another && self.is_awake(ue, turn.slot);
            if !fits || !self.take_control(turn.air, Direction::Up, ue) {
                self.up.retransmissions.push_back(result);
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

    /// A block that begins in slot 10 and another block are on the air for `on_air` slots: they
    /// overlap if neither has ended when the other begins.
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
