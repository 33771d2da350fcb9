//! Proactive grants (pre-scheduling): without a request, while downlink data flow to a UE.
//!
//! In: downlink blocks, the slots of such grants. Out: UEs that need a grant.

use crate::ran::cell::air::GrantCause;
use crate::ran::cell::base_station::{BaseStation, BaseTurn};

impl BaseStation {
    /// Starts or continues proactive grants, as downlink data are sent to this UE.
    pub(in crate::ran::cell::base_station) fn plan_proactive(
        &mut self,
        turn: &mut BaseTurn<'_>,
        ue: u32,
    ) {
        let Some(proactive) = turn.setup.config.uplink.grants.proactive else { return };
        let context = &mut self.ues[ue as usize].up;
        context.proactive_until = turn.slot + proactive.inactivity;
        if !context.proactive_planned {
            context.proactive_planned = true;
            turn.air.ring.at(turn.slot + proactive.every).proactive.push(ue);
        }
    }

    /// Handles the slot of a proactive grant.
    pub(in crate::ran::cell) fn on_proactive(&mut self, turn: &mut BaseTurn<'_>, ue: u32) {
        let Some(proactive) = turn.setup.config.uplink.grants.proactive else { return };
        let context = &mut self.ues[ue as usize].up;
        let next = turn.slot + proactive.every;
        context.proactive_planned = next <= context.proactive_until;
        if context.proactive_planned {
            turn.air.ring.at(next).proactive.push(ue);
        }
        let demand = &mut context.demand;
        if demand.unanswered == 0 && demand.estimate.bytes().is_zero() {
            demand.cause = GrantCause::Proactive;
        }
        context.proactive = true;
        self.up.set_to_grant(ue, true);
    }
}
