//! Messages of a UE that wants to send: requests, random access, reports.
//!
//! In: each message, in the slot in which it is known. Out: UEs that need a grant, and the cause.

use crate::ran::bearer;
use crate::ran::cell::air::{Access, Bsr, GrantCause, Held, Sr};
use crate::ran::cell::base_station::uplink_demand::UplinkDemand;
use crate::ran::cell::base_station::{BaseStation, BaseTurn};
use crate::ran::cell::setup::Setup;
use crate::ran::mac::grant::Repeated;
use crate::ran::mac::serving_cells::ServingCells;
use crate::unit::Duration;

impl BaseStation {
    /// Handles a request. Returns `false` if the request is ignored, since an earlier grant answers
    /// it.
    pub(in crate::ran::cell) fn on_sr(&mut self, turn: &mut BaseTurn<'_>, sr: &Sr) -> bool {
        let context = &mut self.ues[sr.ue as usize].up;
        let begins = turn.setup.config.uplink.request.begins;
        let sent = turn.setup.place.last_turn(sr.slot, begins);
        let UplinkDemand { estimate, unanswered, last_granted, .. } = &context.demand;
        let to_come = *unanswered > 0 || !estimate.bytes().is_zero();
        let answered = to_come
            || last_granted.is_some_and(|granted| granted > sent)
                && !context.requests_beside_grant(turn.setup);
        if turn.setup.config.uplink.grants.repeated == Repeated::Ignore && answered {
            turn.air.statistics.sr_ignored += 1;
            if to_come {
                self.ues[sr.ue as usize].on_request(turn.slot);
            }
            return false;
        }
        debug_assert!(sr.slot < turn.slot, "a request from the future");
        let demand = &mut context.demand;
        demand.on_request(carriers_of_request(turn.setup, sr.configuration));
        if let Some(configured) = &mut context.configured {
            configured.request_configuration = Some(sr.configuration);
        }
        demand.known = turn.now;
        demand.cause = GrantCause::Sr {
            sent: turn.setup.request_begins(sr.slot),
            held: sr
                .prohibited_from
                .map(|missed| Held::Prohibited(turn.setup.request_begins(missed))),
            duplex: turn.setup.slots(turn.setup.timeline.request_duplex(sr.slot)),
        };
        self.up.set_to_grant(sr.ue, true);
        self.ues[sr.ue as usize].on_request(turn.slot);
        true
    }

    /// Handles a preamble or MsgA that is answered.
    pub(in crate::ran::cell) fn on_random_access(&mut self, slot: u64, access: &Access) {
        let Access { ue, began, answered, not_before } = *access;
        let context = &mut self.ues[ue as usize].up;
        let demand = &mut context.demand;
        demand.unanswered = demand.unanswered.max(1);
        demand.answering = ServingCells::ALL;
        demand.accesses = true;
        demand.known = answered;
        context.not_before = not_before;
        if let Some(configured) = &mut context.configured {
            configured.request_configuration = None;
        }
        let held = Some(Held::RandomAccess(began));
        demand.cause = GrantCause::Sr { sent: answered, held, duplex: Duration::ZERO };
        self.up.set_to_grant(ue, true);
        self.ues[ue as usize].on_request(slot);
    }

    /// Handles a buffer status report.
    pub(in crate::ran::cell) fn on_bsr(&mut self, turn: &BaseTurn<'_>, bsr: &Bsr) {
        let setup = turn.setup;
        let demand = &mut self.ues[bsr.ue as usize].up.demand;
        let built = setup.place.turn(bsr.slot);
        match bsr.groups {
            Some(groups) => demand.estimate.on_report(built, groups),
            // A full block without a report, and nothing under way: there may be more.
            None if demand.last_granted.is_none_or(|last| last <= built) => {
                if demand.unanswered == 0 {
                    demand.on_request(carriers_of_block(setup));
                }
            }
            None => return,
        }
        if let Some(rates) = &mut demand.rates {
            rates.on_estimate(turn.now, demand.estimate.groups());
        }
        if demand.unanswered == 0 || bsr.groups.is_none() {
            let duplex = setup.slots(setup.timeline.report_duplex(bsr.slot));
            demand.known = turn.now;
            demand.cause = GrantCause::Bsr { sent: setup.clock.start(bsr.slot), duplex };
        }
        self.refresh_to_grant(setup, bsr.ue);
    }
}

/// Returns the carriers of all bearers with this SR configuration: the data of the request may need
/// one of them.
fn carriers_of_request(setup: &Setup, configuration: usize) -> ServingCells {
    carriers_of(setup, |bearer| bearer.request.configuration == configuration)
}

/// Returns the carriers of all bearers that may have filled a block of this carrier.
fn carriers_of_block(setup: &Setup) -> ServingCells {
    let number = setup.place.number();
    let may = |bearer: &bearer::Config| bearer.groups().any(|(_, it)| it.contains(number));
    carriers_of(setup, may)
}

fn carriers_of(setup: &Setup, are_meant: impl Fn(&bearer::Config) -> bool) -> ServingCells {
    let bearers = setup.config.bearers.iter().filter(|bearer| are_meant(bearer));
    let carriers = bearers.flat_map(bearer::Config::groups).map(|(_, carriers)| carriers);
    let carriers = carriers.reduce(ServingCells::or);
    carriers.unwrap_or(ServingCells::ALL)
}
