//! The semi-persistent and configured grants that a UE may use, and its data for them.
//!
//! In: messages that release grants, buffers. Out: whether a grant would carry anything.

use super::{LogicalChannel, Ue};
use crate::ran::cell::air::Release;
use crate::ran::mac::buffer_status::Trigger;
use crate::ran::mac::configured_grant::{Confirmations, GrantSet, Kind};
use crate::ran::mac::grant::Policy;

impl Ue {
    /// Returns `true` if a semi-persistent or configured grant would carry something in `slot`, or
    /// in any slot for `None`: data that may use it, a regular report of data that may not, or a
    /// confirmation (TS 38.321 §5.4.3.1.3).
    pub(in crate::ran::cell) fn has_for_sps(&self, number: usize, slot: Option<u64>) -> bool {
        if !self.active_grants().contains(number) {
            return false;
        }
        let confirms = |configured: &Confirmations| match slot {
            Some(slot) => configured.length_in(slot).is_some(),
            None => configured.are_triggered(),
        };
        self.has_data_for_sps(number)
            || self.reporting.pending() == Some(Trigger::Regular) && !self.waiting().is_zero()
            || self.configured.as_deref().is_some_and(confirms)
    }

    /// Returns `true` if the UE has data that may use this grant.
    pub(in crate::ran::cell) fn has_data_for_sps(&self, number: usize) -> bool {
        let served =
            |channel: &LogicalChannel| channel.grants.contains(number) && !channel.known.is_zero();
        self.channels.iter().any(served)
    }

    /// Handles the release of a configured grant.
    pub(in crate::ran::cell) fn on_release(&mut self, release: &Release) {
        if let Some(configured) = &mut self.configured {
            configured.on_release(release.number, release.not_before);
        }
    }

    /// Returns the semi-persistent and configured grants that the UE may use now.
    pub(super) fn active_grants(&self) -> GrantSet {
        if self.is_inactive {
            return GrantSet::NONE;
        }
        self.configured.as_deref().map_or(GrantSet::ALL, Confirmations::active)
    }
}

/// Returns the initial state of a UE's configured grants when it comes into the cell; `None` if all
/// are of type 1.
pub(super) fn confirmations(policy: &Policy) -> Option<Box<Confirmations>> {
    let of_type_1 = policy.configured().filter(|(_, it)| it.kind == Kind::Type1);
    let type_1: GrantSet = of_type_1.map(|(number, _)| number).collect();
    let lacks_one = policy.configured().any(|(number, _)| !type_1.contains(number));
    lacks_one.then(|| Box::new(Confirmations::new(type_1, policy.in_a_list)))
}
