//! Synchronous HARQ of LTE's uplink (TS 36.321 §5.4.2, TS 36.213 §8): the slot names the process.
//!
//! In: slots of transmissions. Out: whether another block occupies a slot; the slot of a
//! retransmission.
//!
//! Left out: adaptive retransmissions, where a grant moves a block to other resources.

use crate::ran::cell::air::{Sending, Transmission, UplinkResult};
use crate::ran::cell::base_station::BaseTurn;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::harq::Verdict;

/// The slot for which each process is taken.
#[derive(Clone, Debug)]
pub(in crate::ran::cell::base_station) struct Synchronous(Vec<u64>);

impl Synchronous {
    pub(super) fn new(setup: &Setup) -> Self {
        Self(vec![u64::MAX; setup.uplink_processes() as usize])
    }

    #[inline]
    pub(super) fn has_transmission(&self, slot: u64) -> bool {
        self.0[self.process_of(slot)] == slot
    }

    #[inline]
    pub(super) fn process_of(&self, slot: u64) -> usize {
        (slot % self.0.len() as u64) as usize
    }

    #[inline]
    pub(super) fn take(&mut self, process: usize, slot: u64) {
        self.0[process] = slot;
    }

    /// Plans the retransmission of a failed block one round trip later, on as many resources.
    #[inline]
    pub(super) fn on_result(&mut self, turn: &mut BaseTurn<'_>, result: UplinkResult) {
        let UplinkResult { ue, process, units, verdict } = result;
        if verdict != Verdict::Retransmit {
            return;
        }
        let next = turn.setup.timeline.uplink_retransmission(turn.slot);
        self.take(process, next);
        let kind = Sending::Retransmission;
        let due = turn.air.ring.at(next);
        due.transmissions.push(Transmission { ue, process, kind });
        due.uplink_units += units;
    }
}
