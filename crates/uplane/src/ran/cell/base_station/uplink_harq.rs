//! The base station's part of uplink HARQ: the process of a block, and its retransmissions.
//!
//! In: grants, the results of blocks. Out: processes, transmissions in later slots.
//!
//! | discipline | process | retransmission |
//! |---|---|---|
//! | [`synchronous`] | named by the slot | one round trip later, on the same resources, without a grant |
//! | [`granted`] | any free one | by a grant, when the scheduler has room |

mod granted;
mod synchronous;

use granted::Granted;
pub(in crate::ran::cell) use granted::ProcessState;
use synchronous::Synchronous;

use super::BaseTurn;
use crate::ran::cell::air::UplinkResult;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::configured_grant::Start;
use crate::ran::mac::grant::Sps;
use crate::ran::mac::harq::Discipline;

/// The HARQ processes of one UE.
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

    /// Returns `true` if the UE has a transmission in `slot`.
    #[inline]
    pub(super) fn has_transmission(&self, slot: u64) -> bool {
        match self {
            Self::Synchronous(processes) => processes.has_transmission(slot),
            Self::Granted(processes) => processes.has_transmission(slot),
        }
    }

    /// Returns the process of a new block in `slot`; `None` if all are busy.
    #[inline]
    pub(super) fn free_process(&self, slot: u64) -> Option<usize> {
        match self {
            Self::Synchronous(processes) => Some(processes.process_of(slot)),
            Self::Granted(processes) => processes.free_process(),
        }
    }

    /// Takes a process for a block in `slot`.
    #[inline]
    pub(super) fn take(&mut self, process: usize, slot: u64) {
        match self {
            Self::Synchronous(processes) => processes.take(process, slot),
            Self::Granted(processes) => processes.take(process, slot),
        }
    }

    /// Returns the process of a semi-persistent grant that begins at `start`; `None` while it is
    /// held.
    pub(super) fn configured_process(&self, sps: &Sps, start: Start) -> Option<usize> {
        match (self, &sps.configured) {
            (Self::Granted(processes), Some(configured)) => {
                let process = configured.process_of(start.occasion, sps.period);
                (!processes.is_held(process, start.slot)).then_some(process)
            }
            _ => self.free_process(start.slot),
        }
    }

    /// Returns `true` if a process has no block.
    pub(super) fn is_free(&self, process: usize) -> bool {
        match self {
            Self::Synchronous(_) => true,
            Self::Granted(processes) => processes.is_free(process),
        }
    }

    /// Takes a process for a new block of a configured grant.
    pub(super) fn begin_configured(&mut self, process: usize) {
        if let Self::Granted(processes) = self {
            processes.begin(process);
        }
    }

    /// Records a transmission or retransmission of a block in `slot`.
    #[inline]
    pub(super) fn on_sent(&mut self, setup: &Setup, process: usize, slot: u64) {
        if let Self::Granted(processes) = self {
            processes.on_sent(setup, process, slot);
        }
    }

    /// Handles the result of a block that the base station received in `turn`'s slot.
    #[inline]
    pub(super) fn on_result(&mut self, turn: &mut BaseTurn<'_>, result: UplinkResult) {
        match self {
            Self::Synchronous(processes) => processes.on_result(turn, result),
            Self::Granted(_) => Granted::on_result(turn, result),
        }
    }

    /// Releases a process, which may take a new block.
    pub(super) fn release(&mut self, process: usize) {
        match self {
            Self::Synchronous(_) => {}
            Self::Granted(processes) => processes.release(process),
        }
    }
}
