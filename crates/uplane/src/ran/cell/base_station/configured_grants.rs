//! The semi-persistent and configured grants of one UE, as its base station knows them.
//!
//! In: grants that are planned, used, activated or released. Out: their occasions, and their slots.

use crate::ran::bearer;
use crate::ran::cell::air::Grant;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::configured_grant::{Activation, GrantSet, Kind, Start};
use crate::ran::mac::grant::Sps;

/// The configured grants of one UE.
#[derive(Clone, Debug)]
pub(super) struct ConfiguredGrants {
    each: Vec<ConfiguredGrant>,
    /// Configuration of the scheduling request that waits for an answer.
    pub(super) request_configuration: Option<usize>,
}

/// State of one configured grant.
#[derive(Clone, Copy, Debug)]
struct ConfiguredGrant {
    /// The last planned block of the grant.
    planned: Option<Start>,
    /// Slot of the last block that began.
    begun: Option<u64>,
    /// Activation of a grant of type 2; `None` if the grant always has its occasions.
    activation: Option<Activation>,
}

impl ConfiguredGrants {
    /// Creates the grants of a UE that comes into the cell; `None` if the cell has no such grants.
    pub(super) fn new(setup: &Setup) -> Option<Box<Self>> {
        let all = &setup.config.uplink.grants.sps;
        let each: Vec<ConfiguredGrant> = all.iter().map(ConfiguredGrant::new).collect();
        (!each.is_empty()).then(|| Box::new(Self { each, request_configuration: None }))
    }

    /// Returns the place of a grant's occasions in its period; `None` while it is not active.
    pub(super) fn offset(&self, ue: u32, number: usize, sps: &Sps) -> Option<u64> {
        match self.each[number].activation {
            None => Some(sps.offset_of(u64::from(ue))),
            Some(activation) => activation.offset(sps.period),
        }
    }

    /// Returns the grants that are active.
    pub(super) fn active(&self) -> GrantSet {
        let is_active = |(_, grant): &(usize, &ConfiguredGrant)| {
            !matches!(grant.activation, Some(Activation::Inactive))
        };
        self.each.iter().enumerate().filter(is_active).map(|(number, _)| number).collect()
    }

    /// Returns the last block of a grant that is planned.
    pub(super) fn planned(&self, number: usize) -> Option<Start> {
        self.each[number].planned
    }

    /// Records the next planned block of a grant.
    pub(super) fn plan(&mut self, number: usize, start: Start) {
        self.each[number].planned = Some(start);
    }

    /// Returns `true` if a planned block occupies `slot`.
    pub(super) fn has(&self, setup: &Setup, slot: u64) -> bool {
        let more = setup.on_air - 1;
        self.each.iter().zip(&setup.config.uplink.grants.sps).any(|(grant, sps)| {
            grant.planned.is_some_and(|planned| {
                planned.slot <= slot + more && slot < sps.end_of(planned.occasion) + more
            })
        })
    }

    /// Returns `true` if a planned block begins in the slot of this `turn`.
    pub(super) fn begins_in(&self, setup: &Setup, turn: u64) -> bool {
        let begins = |planned: Start| setup.place.turn(planned.slot) == turn;
        self.each.iter().any(|grant| grant.planned.is_some_and(begins))
    }

    /// Returns `true` if some bearer does not wait for one of the active grants.
    pub(super) fn are_not_for_all(&self, bearers: &[bearer::Config]) -> bool {
        let active = self.active();
        let waits = |bearer: &bearer::Config| {
            bearer.request.masked && bearer.configured_grants.meets(active)
        };
        !bearers.iter().all(waits)
    }

    /// Returns `true` if another grant of the UE has begun a block in the slot of this one. The UE
    /// chooses which of two it uses (TS 38.321 §5.4.1, note 7): the first for which it has data.
    pub(super) fn gives_way(&self, grant: &Grant) -> bool {
        self.each.iter().any(|other| other.begun == Some(grant.slot))
    }

    /// Records a block of the grant that begins in `slot`.
    pub(super) fn on_block(&mut self, number: usize, Start { occasion, slot }: Start) {
        let own = &mut self.each[number];
        own.begun = Some(slot);
        if let Some(activation) = &mut own.activation {
            activation.on_block(occasion);
        }
    }

    /// Activates a grant with a block in `slot`.
    pub(super) fn activate(&mut self, number: usize, slot: u64) {
        let planned = Some(Start { occasion: slot, slot });
        let activation = Some(Activation::new(slot));
        self.each[number] = ConfiguredGrant { planned, begun: Some(slot), activation };
    }

    /// Returns the occasion after which a grant of type 2 is released, if none before has a block.
    pub(super) fn idle_with(&self, number: usize, sps: &Sps) -> Option<u64> {
        let Kind::Type2 { release_after } = sps.configured.as_ref()?.kind else { return None };
        self.each[number].activation?.idle_with(sps.period, release_after)
    }

    /// Records that a grant is released.
    pub(super) fn release(&mut self, number: usize) {
        if let Some(activation) = &mut self.each[number].activation {
            activation.release();
        }
    }

    /// Deactivates grants whose release the UE has confirmed.
    pub(super) fn clear(&mut self, cleared: GrantSet) {
        for (number, grant) in self.each.iter_mut().enumerate() {
            if cleared.contains(number) {
                grant.activation = Some(Activation::Inactive);
            }
        }
    }
}

impl ConfiguredGrant {
    fn new(sps: &Sps) -> Self {
        let of_type_2 = sps.configured.as_ref().is_some_and(|it| it.kind != Kind::Type1);
        let activation = of_type_2.then_some(Activation::Inactive);
        Self { planned: None, begun: None, activation }
    }
}
