//! A UE's demand for uplink as the base station knows it, and the grants so far. All carriers of a
//! UE share it: they are one MAC entity (TS 38.321 §4.2.2).
//!
//! In: requests, reports, grants. Out: the demand, for the carrier that has its turn.

use crate::ran::bearer;
use crate::ran::cell::air::GrantCause;
use crate::ran::cell::carrier_place::CarrierPlace;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::estimate::Estimate;
use crate::ran::mac::group_rates::{GroupRates, Promise};
use crate::ran::mac::serving_cells::ServingCells;
use crate::unit::{Bitrate, Instant};

/// Uplink demand of one UE.
#[derive(Clone, Debug)]
pub(super) struct UplinkDemand {
    pub(super) estimate: Estimate,
    /// Number of requests without an answer.
    pub(super) unanswered: u32,
    /// Carriers that may answer them: those of the bearers with the configuration of the last
    /// request.
    pub(super) answering: ServingCells,
    /// The requests came by random access, so the first carrier answers them.
    pub(super) accesses: bool,
    /// Cause of the next grant.
    pub(super) cause: GrantCause,
    /// Time since which the cause is known.
    pub(super) known: Instant,
    /// Turn of the last granted block.
    pub(super) last_granted: Option<u64>,
    /// Guaranteed and maximum rates, if any bearer has one.
    pub(super) rates: Option<Box<GroupRates>>,
}

impl UplinkDemand {
    /// Creates the demand of a UE before its first message.
    pub(super) fn new(setup: &Setup) -> Self {
        let reading = setup.config.uplink.access.reading();
        Self {
            estimate: Estimate::new(reading, setup.place.count()),
            unanswered: 0,
            answering: ServingCells::ALL,
            accesses: false,
            cause: GrantCause::Proactive,
            known: Instant::ZERO,
            last_granted: None,
            rates: rates(setup),
        }
    }

    /// Records a granted block.
    #[inline(always)]
    pub(super) fn on_granted(&mut self, place: CarrierPlace, slot: u64) {
        self.last_granted = place.last_of(self.last_granted, place.turn(slot));
    }

    /// Records a request of bearers that may use these carriers.
    pub(super) fn on_request(&mut self, carriers: ServingCells) {
        self.answering = carriers;
        self.unanswered += 1;
    }

    /// Returns the number of requests that this carrier may answer. Any grant answers them, as its
    /// block has a report.
    #[inline(always)]
    pub(super) const fn unanswered_on(&self, place: CarrierPlace) -> u32 {
        if self.answering.contains(place.number()) { self.unanswered } else { 0 }
    }

    /// Returns `true` if there is demand that this carrier, other than the first, may grant.
    pub(super) fn is_for(&self, carrier: &Setup) -> bool {
        let known = || carrier.served_groups.bytes(self.estimate.groups());
        !self.accesses && (self.unanswered_on(carrier.place) > 0 || !known().is_zero())
    }

    /// Returns the cause of a grant of a carrier. The delay by a band that alternates between both
    /// directions depends on the carrier.
    #[inline(always)]
    pub(super) fn cause_on(&self, setup: &Setup) -> GrantCause {
        if setup.place.is_alone() || self.accesses {
            return self.cause;
        }
        let known = setup.clock.at_or_after(self.known);
        let late = setup.slots(setup.timeline.grant_duplex(known));
        match self.cause {
            GrantCause::Sr { sent, held, .. } => GrantCause::Sr { sent, held, duplex: late },
            GrantCause::Bsr { sent, .. } => GrantCause::Bsr { sent, duplex: late },
            other => other,
        }
    }
}

/// Returns the rates of a UE's uplink by group; `None` if no bearer has any.
fn rates(setup: &Setup) -> Option<Box<GroupRates>> {
    let bearers = &setup.config.bearers;
    let aggregate = setup.config.uplink_aggregate_maximum;
    let none = |bearer: &bearer::Config| bearer.gbr.up.is_none() && bearer.mbr.up.is_none();
    if aggregate.is_none() && bearers.iter().all(none) {
        return None;
    }
    let promises = [0, 1, 2, 3, 4, 5, 6, 7].map(|group| promise(bearers, group));
    let processes = setup.uplink_processes() * setup.place.count() as u32;
    Some(Box::new(GroupRates::new(&promises, aggregate, processes)))
}

/// Returns the combined rates of the bearers of one logical channel group.
fn promise(bearers: &[bearer::Config], group: u8) -> Promise {
    let members = bearers.iter().filter(|it| it.logical_channel_group == group);
    let sum = |rates: Vec<Bitrate>| Bitrate::from_bps(rates.iter().map(|rate| rate.as_bps()).sum());
    let guaranteed = members.clone().filter(|it| it.gbr.up.is_some());
    let aggregated = members.clone().any(|it| !it.quality.guaranteed);
    let most: Option<Vec<Bitrate>> = members.map(|it| it.mbr.up).collect();
    Promise {
        guaranteed: sum(guaranteed.clone().filter_map(|it| it.gbr.up).collect()),
        maximum: most.and_then(sum),
        budget: guaranteed.map(|it| it.quality.radio_budget()).min().unwrap_or_default(),
        aggregated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::PerDirection;
    use crate::ran::tables::qci::Qci;
    use crate::unit::Duration;

    /// Returns a bearer of this class in group 1 with these uplink rates in kbit/s. Its downlink
    /// rates differ.
    fn bearer(qci: u8, guaranteed: Option<u64>, most: Option<u64>) -> bearer::Config {
        let rate = |kbps: u64| Bitrate::from_bps(kbps * 1000);
        let both = |up: Option<u64>| PerDirection { down: rate(77), up: up.and_then(rate) };
        let qci = Qci::new(qci).expect("a class");
        let dedicated = bearer::Config::dedicated(qci, Vec::new());
        bearer::Config { gbr: both(guaranteed), mbr: both(most), ..dedicated }
    }

    /// TS 23.401 §4.7.3: a group has the sum of the guaranteed rates of its bearers, and of their
    /// maximum rates if all have one. Its budget is the shortest radio budget of bearers with a
    /// guaranteed rate: 100 and 300 ms less 20 for the core.
    #[test]
    fn a_group_has_the_sum_of_bearer_rates() {
        let rate = |kbps: u64| Bitrate::from_bps(kbps * 1000);
        let (call, video) = (bearer(1, Some(100), Some(150)), bearer(4, Some(2000), Some(3000)));
        let other = bearer::Config { logical_channel_group: 2, ..bearer(3, Some(50), Some(60)) };
        let mut bearers = vec![video, other];
        let found = promise(&bearers, 1);
        assert_eq!((found.guaranteed, found.maximum), (rate(2000), rate(3000)));
        assert_eq!(found.budget, Duration::from_millis(280));
        bearers.push(call);
        let found = promise(&bearers, 1);
        assert_eq!((found.guaranteed, found.maximum), (rate(2100), rate(3150)));
        assert_eq!(found.budget, Duration::from_millis(80));
        bearers.push(bearer(3, None, None));
        let found = promise(&bearers, 1);
        assert_eq!((found.guaranteed, found.maximum), (rate(2100), None), "one has no maximum");
        assert_eq!(found.budget, Duration::from_millis(80), "and no guarantee");
        assert_eq!(promise(&bearers, 0), Promise::default());
    }
}
