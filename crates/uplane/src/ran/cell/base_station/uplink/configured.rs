//! Semi-persistent and configured grants of a UE, as its base station knows them.
//!
//! In: a UE with data, grants that are due. Out: the next such grant, and whether its process is
//! free.

use crate::ran::cell::air::{Grant, GrantCause};
use crate::ran::cell::base_station::BaseStation;
use crate::ran::cell::base_station::uplink_harq::Found;
use crate::ran::cell::setup::Setup;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::mac::configured_grant::Start;

impl BaseStation {
    /// The next semi-persistent grant of a UE with data, whose block can be built from slot `build`
    /// on; none when it has one, or no block.
    pub(in crate::ran::cell) fn grant_sps(
        &mut self,
        setup: &Setup,
        ue: u32,
        build: u64,
    ) -> Option<Grant> {
        let sps = setup.config.uplink.grants.sps.as_ref()?;
        let timeline = &setup.timeline;
        let mut first = timeline.transmission_of_fill(build);
        let context = &mut self.ues[ue as usize].up;
        if context.sps.is_some_and(|begun| begun.slot >= first) {
            return None;
        }
        let free = |begun: Start| sps.end_of(begun.occasion) + setup.on_air - 1;
        first = first.max(context.sps.map_or(0, free));
        let goes_up = |slot| timeline.next_uplink(slot) == slot;
        let mut start = sps.next_start(u64::from(ue), first, goes_up);
        // Where another grant, or a block that is sent again, was there before, or its process is
        // held, the next one is taken.
        let process = loop {
            if !context.harq.has_transmission(start.slot)
                && let Some(process) = context.harq.configured_process(sps, start)
            {
                break process;
            }
            start = sps.next_start(u64::from(ue), sps.end_of(start.occasion), goes_up);
        };
        let Start { occasion, slot } = start;
        let capacity = &setup.config.uplink.channel.capacity;
        let units = context.link.units_for(capacity, slot, sps.bytes, UNLIMITED);
        let size = context.link.size(capacity, slot, units);
        context.sps = Some(start);
        if size.is_zero() {
            return None;
        }
        context.last_granted = Some(slot);
        let received = setup.clock.start(timeline.fill_of_transmission(slot));
        let (size, cause) = (Some(size), GrantCause::Sps { occasion });
        Some(Grant { ue, slot, process, size, units, answers_sr: false, cause, received })
    }

    /// True when a UE sends a block on a grant of its own while that of this grant is on the air.
    pub(in crate::ran::cell) fn sends_meanwhile(&self, grant: &Grant) -> bool {
        self.ues[grant.ue as usize].up.harq.has_transmission(grant.slot)
    }

    /// A semi-persistent grant is used, if its process is free.
    pub(in crate::ran::cell) fn begin_sps(&mut self, grant: &Grant) -> Found {
        let found = self.find_configured(grant.ue, grant.process, grant.slot);
        if found != Found::Held {
            self.ues[grant.ue as usize].up.harq.begin_configured(grant.process);
        }
        found
    }
}
