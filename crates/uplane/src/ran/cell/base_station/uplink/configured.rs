//! The base station's use of a UE's semi-persistent and configured grants.
//!
//! In: a UE with data, grants that are due. Out: the next such grant, and whether its process is
//! free.

use crate::ran::cell::air::{Grant, GrantCause};
use crate::ran::cell::base_station::BaseStation;
use crate::ran::cell::base_station::ue_context::UplinkContext;
use crate::ran::cell::base_station::uplink_harq::ProcessState;
use crate::ran::cell::setup::Setup;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::mac::configured_grant::Start;

impl BaseStation {
    /// Returns the next block of a semi-persistent or configured grant of a UE with data, built in
    /// slot `build` at the earliest. `None` if a block is planned already, or if the grant has no
    /// block.
    pub(in crate::ran::cell) fn grant_sps(
        &mut self,
        setup: &Setup,
        (ue, number): (u32, usize),
        build: u64,
    ) -> Option<Grant> {
        let sps = &setup.config.uplink.grants.sps[number];
        let timeline = &setup.timeline;
        let mut first = timeline.transmission_of_fill(build);
        let UplinkContext { configured, harq, link, demand, .. } = &mut self.ues[ue as usize].up;
        let configured = configured.as_mut()?;
        let offset = configured.offset(ue, number, sps)?;
        let planned = configured.planned(number);
        if planned.is_some_and(|planned| planned.slot >= first) {
            return None;
        }
        let free = |planned: Start| sps.end_of(planned.occasion) + setup.on_air - 1;
        first = first.max(planned.map_or(0, free));
        let goes_up = |slot| timeline.next_uplink(slot) == slot;
        let mut start = sps.next_start(offset, first, goes_up);
        // If another grant or a retransmission occupies the slot, or the process is held, the next
        // occasion is used.
        let process = loop {
            if !harq.has_transmission(start.slot)
                && let Some(process) = harq.configured_process(sps, start)
            {
                break process;
            }
            start = sps.next_start(offset, sps.end_of(start.occasion), goes_up);
        };
        let Start { occasion, slot } = start;
        let capacity = &setup.config.uplink.channel.capacity;
        let units = link.units_for(capacity, slot, sps.bytes, UNLIMITED);
        let size = link.size(capacity, slot, units);
        configured.plan(number, start);
        if size.is_zero() {
            return None;
        }
        demand.on_granted(setup.place, slot);
        let received = setup.clock.start(timeline.fill_of_transmission(slot));
        let cause = GrantCause::Sps { number: number as u8, occasion };
        let size = Some(size);
        let (answers_sr, activates) = (false, None);
        Some(Grant { ue, slot, process, size, units, answers_sr, activates, cause, received })
    }

    /// Returns `true` if the UE sends another block in the slot of this grant.
    pub(in crate::ran::cell) fn sends_meanwhile(&self, grant: &Grant) -> bool {
        self.ues[grant.ue as usize].up.harq.has_transmission(grant.slot)
    }

    /// Uses a configured grant, if its process is free and no other grant of the UE has begun in
    /// the same slot.
    pub(in crate::ran::cell) fn begin_sps(&mut self, grant: &Grant) -> ProcessState {
        let context = &self.ues[grant.ue as usize].up;
        if context.configured.as_ref().is_some_and(|configured| configured.gives_way(grant)) {
            return ProcessState::Held;
        }
        let found = self.find_configured(grant.ue, grant.process, grant.slot);
        if found != ProcessState::Held {
            let UplinkContext { configured, harq, .. } = &mut self.ues[grant.ue as usize].up;
            harq.begin_configured(grant.process);
            if let (Some(configured), Some((number, occasion))) = (configured, grant.configured()) {
                configured.on_block(number, Start { occasion, slot: grant.slot });
            }
        }
        found
    }
}
