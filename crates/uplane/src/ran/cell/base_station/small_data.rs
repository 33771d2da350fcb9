//! The base station's part of small data transmission (SDT, TS 38.300 §18): the answer to a
//! preamble, and configured grants.
//!
//! In: the UE of a preamble that is answered; a UE with an occasion of its configured grant. Out:
//! an estimate of its data, so that the grant for Msg3 is large enough; the grant of the occasion,
//! of the same size.
//!
//! Such preambles are a separate part of a RACH (TS 38.321 §5.1.1b). Here a UE draws among all
//! preambles, and the base station knows its intent: this matters for studies of the number of
//! preambles in a cell.

use super::BaseStation;
use super::ue_context::UplinkContext;
use crate::ran::cell::air::{Grant, GrantCause};
use crate::ran::cell::setup::Setup;
use crate::ran::mac::buffer_status::Groups;
use crate::unit::Bytes;

impl BaseStation {
    /// Records that the UE of a preamble answered in `slot` has at most `most` bytes.
    pub(in crate::ran::cell) fn on_small_data_preamble(
        &mut self,
        setup: &Setup,
        slot: u64,
        ue: u32,
        most: Bytes,
    ) {
        let mut groups = Groups::default();
        let bearer = &setup.config.bearers[0];
        groups[usize::from(bearer.logical_channel_group)] = most + HEADERS;
        let estimate = &mut self.ues[ue as usize].up.demand.estimate;
        estimate.on_report(setup.place.turn(slot), groups);
    }

    /// Returns the configured grant in RRC_INACTIVE for an occasion in `slot`, of a UE with at most
    /// `most` bytes; `None` if the grant could carry nothing.
    pub(in crate::ran::cell) fn small_data_grant(
        &self,
        setup: &Setup,
        (ue, slot): (u32, u64),
        most: Bytes,
    ) -> Option<Grant> {
        let UplinkContext { harq, link, .. } = &self.ues[ue as usize].up;
        let capacity = &setup.config.uplink.channel.capacity;
        let wanted = setup.block_for(most + HEADERS);
        let units = link.units_for(capacity, slot, wanted, setup.capacity.up.units(slot));
        let size = link.size(capacity, slot, units);
        if size.is_zero() {
            return None;
        }
        let process = harq.free_process(slot).expect("nothing of a UE that was released is sent");
        Some(Grant {
            ue,
            slot,
            process,
            size: Some(size),
            units,
            answers_sr: false,
            activates: None,
            cause: GrantCause::SmallData,
            received: setup.clock.start(setup.timeline.fill_of_transmission(slot)),
        })
    }

    /// Records that a UE will use the grant.
    pub(in crate::ran::cell) fn begin_small_data(&mut self, setup: &Setup, grant: &Grant) {
        let context = &mut self.ues[grant.ue as usize].up;
        context.harq.take(grant.process, grant.slot);
        context.demand.on_granted(setup.place, grant.slot);
    }
}

/// Bytes for the headers of a packet in MAC, RLC and PDCP, and for a report.
const HEADERS: Bytes = Bytes(24);
