//! Asynchronous HARQ of an uplink (TS 38.321 §5.4.2): a grant names the process, and a
//! retransmission has a grant of its own.
//!
//! In: grants, the fates of blocks once the scheduler knows them. Out: free processes; blocks to be
//! granted again, oldest first, on as many resources as before.
//!
//! Left out: grants that a UE misses, and retransmissions on another number of resource blocks.

use crate::ran::cell::air::{Transmission, UplinkFate};
use crate::ran::cell::base_station::{BaseStation, BaseTurn};
use crate::ran::cell::setup::Setup;
use crate::ran::mac::harq::Verdict;

/// Which processes have a block, from its grant until the scheduler knows that it arrived or is
/// given up.
#[derive(Clone, Debug)]
pub(in crate::ran::cell::base_station) struct Granted {
    busy: Vec<bool>,
    /// The last slot for which the UE has a grant: it sends one block in a slot.
    last: Option<u64>,
}

impl Granted {
    pub(super) fn new(setup: &Setup) -> Self {
        Self { busy: vec![false; setup.uplink_processes() as usize], last: None }
    }

    pub(super) fn has_transmission(&self, slot: u64) -> bool {
        self.last == Some(slot)
    }

    pub(super) fn free_process(&self) -> Option<usize> {
        self.busy.iter().position(|busy| !busy)
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
    /// The scheduler knows what became of a block.
    pub(in crate::ran::cell) fn on_uplink_fate(&mut self, fate: UplinkFate) {
        match fate.verdict {
            Verdict::Retransmit => self.up.retransmissions.push_back(fate),
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
            let has_another = self.ues[ue as usize].up.harq.has_transmission(target);
            let fits = *ues > 0 && needed <= *units && !has_another;
            if !fits || !self.take_control(turn.air, ue) {
                self.up.retransmissions.push_back(fate);
                continue;
            }
            *units -= needed;
            *ues -= 1;
            let context = &mut self.ues[ue as usize];
            context.up.harq.take(process, target);
            turn.air.count_grant(ue, context.aggregation.cces());
            let due = turn.air.ring.at(target);
            due.transmissions.push(Transmission { ue, process, retransmission: true });
            due.uplink_units += needed;
        }
    }
}
