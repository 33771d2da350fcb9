//! HARQ of the uplink as the base station runs it: which process a block has, and how it is sent
//! again.
//!
//! In: grants, the results of blocks. Out: processes, transmissions in later slots.
//!
//! | discipline | process | retransmission |
//! |---|---|---|
//! | [`synchronous`] | named by the slot | one round trip later, on the same resources, without a grant |
//! | [`granted`] | any that is free | by a grant, when the scheduler has room |

mod granted;
mod synchronous;

pub(in crate::ran::cell) use granted::Found;
use granted::Granted;
use synchronous::Synchronous;

use super::BaseTurn;
use crate::ran::cell::air::UplinkFate;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::configured_grant::Start;
use crate::ran::mac::grant::Sps;
use crate::ran::mac::harq::Discipline;

/// The processes of one UE.
#[derive(Clone, Debug)]
pub(super) enum UplinkHarq {
    Synchronous(Synchronous),
    Granted(Granted),
}

impl UplinkHarq {
    pub(super) fn new(setup: &Setup) -> Self {
        match setup.config.uplink.discipline {
            Discipline::Synchronous => Self::Synchronous(Synchronous::new(setup)),
            Discipline::Granted => Self::Granted(Granted::new(setup)),
        }
    }

    /// True when the UE has something to send in `slot`.
    #[inline]
    pub(super) fn has_transmission(&self, slot: u64) -> bool {
        match self {
            Self::Synchronous(processes) => processes.has_transmission(slot),
            Self::Granted(processes) => processes.has_transmission(slot),
        }
    }

    /// The process of a new block in `slot`; none when all are busy.
    #[inline]
    pub(super) fn free_process(&self, slot: u64) -> Option<usize> {
        match self {
            Self::Synchronous(processes) => Some(processes.process_of(slot)),
            Self::Granted(processes) => processes.free_process(),
        }
    }

    /// A block is sent in `slot`.
    #[inline]
    pub(super) fn take(&mut self, process: usize, slot: u64) {
        match self {
            Self::Synchronous(processes) => processes.take(process, slot),
            Self::Granted(processes) => processes.take(process, slot),
        }
    }

    /// The process of a semi-persistent grant that begins at `start`; none while it is held.
    pub(super) fn configured_process(&self, sps: &Sps, start: Start) -> Option<usize> {
        match (self, &sps.configured) {
            (Self::Granted(processes), Some(configured)) => {
                let process = configured.process_of(start.occasion, sps.period);
                (!processes.is_held(process, start.slot)).then_some(process)
            }
            _ => self.free_process(start.slot),
        }
    }

    /// True when a process has no block.
    pub(super) fn is_free(&self, process: usize) -> bool {
        match self {
            Self::Synchronous(_) => true,
            Self::Granted(processes) => processes.is_free(process),
        }
    }

    /// A new block is built for a configured grant.
    pub(super) fn begin_configured(&mut self, process: usize) {
        if let Self::Granted(processes) = self {
            processes.begin(process);
        }
    }

    /// A block is on the air in `slot`, the first time or again.
    #[inline]
    pub(super) fn on_sent(&mut self, setup: &Setup, process: usize, slot: u64) {
        if let Self::Granted(processes) = self {
            processes.on_sent(setup, process, slot);
        }
    }

    /// The base station has received a block in `turn`'s slot.
    #[inline]
    pub(super) fn on_fate(&mut self, turn: &mut BaseTurn<'_>, fate: UplinkFate) {
        match self {
            Self::Synchronous(processes) => processes.on_fate(turn, fate),
            Self::Granted(_) => Granted::on_fate(turn, fate),
        }
    }

    /// A process may take a new block.
    pub(super) fn release(&mut self, process: usize) {
        match self {
            Self::Synchronous(_) => {}
            Self::Granted(processes) => processes.release(process),
        }
    }
}
