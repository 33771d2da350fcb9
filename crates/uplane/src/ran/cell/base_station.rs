//! The base station of a cell: its state of each UE, and its actions in a slot.
//!
//! In: downlink packets, requests, reports, feedback. Out: grants, downlink blocks.
//!
//! | file | contents |
//! |---|---|
//! | [`ue_context`] | state of one UE |
//! | [`downlink`], [`downlink_fill`] | new downlink blocks, and the bearers in them |
//! | [`downlink_harq`] | blocks on the air, feedback, retransmissions |
//! | [`semi_persistent`] | downlink blocks without control messages |
//! | [`urgent`], [`on_air`] | short blocks of urgent bearers, and the blocks whose resources they take |
//! | [`uplink`], [`uplink_harq`] | grants; processes of the uplink and retransmissions |
//! | [`uplink_demand`] | uplink demand of a UE, over all carriers |
//! | [`small_data`] | UEs in RRC_INACTIVE: data announced by a preamble, configured grants |
//! | [`buffer_view`] | its view of its own downlink queues |
//! | [`link_adaptation`] | modulation, coding and sizes of blocks |
//! | [`rbg_allocation`], [`frequency_selective`] | parts of the band, and the UEs that get them |
//!
//! The base station's knowledge of a UE comes only from messages: no file here uses a file of the
//! UE.

mod buffer_view;
mod configured_grants;
mod downlink;
mod downlink_fill;
mod downlink_harq;
mod frequency_selective;
mod link_adaptation;
mod on_air;
mod rbg_allocation;
mod room;
mod semi_persistent;
mod small_data;
mod ue_context;
mod uplink;
mod uplink_demand;
mod uplink_harq;
mod urgent;

pub(super) use rbg_allocation::RbgAllocation;

use downlink::DownlinkScheduler;
pub(super) use ue_context::UeContext;
use uplink::UplinkScheduler;
pub(super) use uplink_harq::ProcessState;
use urgent::UrgentDownlink;

use super::air::Air;
use super::bearer::Bearer;
use super::block::Block;
use super::config::Conditions;
use super::draft::Scratch;
use super::limits::Limit;
use super::mcs_cache::McsCache;
use super::setup::Setup;
use crate::net::{Direction, PerDirection};
use crate::ran::mac::control_channel::ControlChannel;
use crate::ran::phy::Scheme;
use crate::unit::Instant;

/// The base station with its state of all UEs.
#[derive(Clone, Debug)]
pub(super) struct BaseStation {
    pub(super) ues: Vec<UeContext>,
    down: DownlinkScheduler,
    /// State of urgent blocks, if bearers are urgent.
    urgent: Option<Box<UrgentDownlink>>,
    up: UplinkScheduler,
    control: ControlChannel,
    caches: PerDirection<McsCache>,
    /// Assignment of the groups of the band to UEs, in a network.
    pub(super) allocation: Option<RbgAllocation>,
    scratch: Scratch,
}

/// Parameters of a UE at attach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attachment {
    pub(super) conditions: Conditions,
    /// Maximum number of resource blocks, by the UE's power; no limit for `None`.
    pub(super) most_prbs: Option<u64>,
    /// The UE reports channel quality.
    pub(super) reports_cqi: bool,
    /// Slot in which its DRX cycles begin.
    pub(super) drx_offset: u64,
}

/// Inputs of a base station in a slot.
#[derive(Debug)]
pub(super) struct BaseTurn<'a> {
    pub(super) setup: &'a Setup,
    pub(super) slot: u64,
    pub(super) now: Instant,
    pub(super) air: &'a mut Air,
    /// Bearers of each UE, for their downlink ends.
    pub(super) bearers: &'a mut [Vec<Bearer>],
}

impl BaseStation {
    pub(super) fn new(
        setup: &Setup,
        attachments: &[Attachment],
        allocation: Option<RbgAllocation>,
    ) -> Self {
        let mut caches = PerDirection::default();
        let ues = attachments.iter().map(|ue| UeContext::new(setup, ue, &mut caches)).collect();
        let config = &setup.config;
        Self {
            ues,
            down: DownlinkScheduler::new(config, attachments.len() as u32),
            urgent: UrgentDownlink::new(setup, attachments),
            up: UplinkScheduler::new(config, attachments.len() as u32),
            control: ControlChannel::new(config.control_channel),
            caches,
            allocation,
            scratch: Scratch::default(),
        }
    }

    /// Starts slot `slot`, in which all resources are free.
    pub(super) fn begin(&mut self, slot: u64) {
        self.control.begin(slot);
        if let Some(allocation) = &mut self.allocation {
            allocation.clear();
        }
    }

    /// Returns `true` if the next slot may have something to send or to grant.
    #[inline]
    pub(super) fn has_work(&self) -> bool {
        let urgent = || self.urgent.as_ref().is_some_and(|urgent| urgent.has_work());
        self.down.has_work() || self.up.has_work() || urgent()
    }

    /// Returns the block of a downlink process.
    pub(super) fn block(&mut self, ue: u32, process: usize) -> &mut Block {
        if let Some(urgent) = &mut self.urgent
            && let Some(block) = urgent.block(ue, process)
        {
            return block;
        }
        self.ues[ue as usize].down.harq.block(process)
    }

    /// Returns the modulation and coding scheme of new uplink blocks.
    pub(super) fn uplink_scheme(&self, ue: u32) -> Scheme {
        self.ues[ue as usize].up.link.scheme()
    }

    /// Swaps the rate state of these UEs with another carrier's, for its turn. Call it twice to
    /// restore the original.
    pub(super) fn lend_rates(&mut self, other: &mut Self, ues: &[u32]) {
        for &ue in ues {
            let (own, others) = (&mut self.ues[ue as usize], &mut other.ues[ue as usize]);
            own.down.lend_rates(&mut others.down);
        }
    }

    /// Swaps this UE's uplink demand with another carrier's, for its turn. Call it twice to restore
    /// the original.
    pub(super) fn lend_demand(&mut self, other: &mut Self, ue: u32) {
        let (own, others) = (&mut self.ues[ue as usize].up, &mut other.ues[ue as usize].up);
        std::mem::swap(&mut own.demand, &mut others.demand);
    }

    /// Takes this UE's uplink demand back from another carrier, which then has nothing to grant.
    pub(super) fn take_back_demand(&mut self, setup: &Setup, other: &mut Self, ue: u32) {
        self.lend_demand(other, ue);
        other.up.set_to_grant(ue, false);
        self.refresh_to_grant(setup, ue);
    }

    /// Returns `true` if a UE has demand that this carrier may grant.
    pub(super) fn has_demand(&self, carrier: &Setup, ue: u32) -> bool {
        self.ues[ue as usize].up.demand.is_for(carrier)
    }

    /// Returns the UEs that need a grant.
    pub(super) fn to_grant(&self) -> &[u32] {
        self.up.to_grant()
    }

    /// Marks a UE as needing a grant, on a carrier that has its demand.
    pub(super) fn wants_grant(&mut self, ue: u32) {
        self.up.set_to_grant(ue, true);
    }

    /// Removes a UE that has left the cell: nothing is sent or granted to it, and the MAC is reset.
    pub(super) fn forget(&mut self, setup: &Setup, ue: u32) {
        self.down.forget(ue);
        self.up.forget(ue);
        self.ues[ue as usize].reset(setup);
    }

    /// Restarts DRX for a UE that has come into the cell, after random access that ended before
    /// `slot`.
    pub(super) fn restart_drx(&mut self, slot: u64, ue: u32) {
        self.ues[ue as usize].restart_drx(slot);
    }

    /// Stops the DRX cycles of a UE that leaves RRC_CONNECTED or the cell in `slot`.
    pub(super) fn stop_drx(&mut self, slot: u64, ue: u32) {
        self.ues[ue as usize].stop_drx(slot);
    }

    /// Returns `true` if a UE reads the control channel.
    #[inline(always)]
    fn is_awake(&mut self, ue: u32, slot: u64) -> bool {
        self.ues[ue as usize].is_awake(slot)
    }

    /// Takes the control channel elements of one message to a UE: a downlink assignment or an
    /// uplink grant. Returns `false` if there is no room.
    fn take_control(&mut self, air: &mut Air, direction: Direction, ue: u32) -> bool {
        let fits = self.control.take(ue, self.ues[ue as usize].aggregation);
        air.statistics.pdcch_blocked += u64::from(!fits);
        let met = match direction {
            Direction::Down => &mut self.down.met,
            Direction::Up => &mut self.up.met,
        };
        met.note_if(!fits, Limit::Cces);
        fits
    }
}

#[cfg(test)]
mod tests;
