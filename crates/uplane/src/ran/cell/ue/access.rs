//! Strategies by which a UE informs the base station of its data, one per file.
//!
//! In: changes of buffers, occasions, grants, blocks built. Out: the UE's needs, requests.
//!
//! | strategy | requests | reports |
//! |---|---|---|
//! | [`standard`] | pending until a report was sent | in blocks |
//! | [`eager_sr`] | at every occasion while data exceeds grants | in blocks |
//! | [`ideal_bsr`] | none | at no cost |

mod eager_sr;
mod ideal_bsr;
mod standard;

use eager_sr::EagerSr;
use ideal_bsr::IdealBsr;
use standard::Standard;

use crate::ran::cell::air::Grant;
use crate::ran::cell::config::Access;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::scheduling_request::Step;
use crate::ran::mac::sr_configurations::Requests;
use crate::unit::Bytes;

/// The uplink access strategy of a UE.
#[derive(Clone, Copy, Debug)]
pub(super) enum UplinkAccess {
    Standard(Standard),
    EagerSr(EagerSr),
    IdealBsr(IdealBsr),
}

/// Events that a UE needs after its buffers changed.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ran::cell) struct Needs {
    /// The next semi-persistent grant is to be planned.
    pub(in crate::ran::cell) sps: bool,
    /// An occasion for a request is to be planned, if the UE wants one.
    pub(in crate::ran::cell) occasion: bool,
    /// `retxBSR-Timer` is to be planned.
    pub(in crate::ran::cell) retx_bsr: bool,
    /// A report at no cost is to be made, for the first change since the last one.
    pub(in crate::ran::cell) report: bool,
}

impl UplinkAccess {
    pub(super) fn new(setup: &Setup) -> Self {
        let uplink = &setup.config.uplink;
        match uplink.access {
            Access::Standard => Self::Standard(Standard { sps: !uplink.grants.sps.is_empty() }),
            Access::EagerRequests => {
                let first_grant = setup.first_grant();
                Self::EagerSr(EagerSr { first_grant, expected: Bytes::ZERO })
            }
            Access::IdealReports => Self::IdealBsr(IdealBsr::default()),
        }
    }

    /// Returns `true` if a regular report triggers a request. `waits` is `true` if its channel lets
    /// data wait for semi-persistent or configured grants.
    pub(super) const fn triggers_request(&self, waits: bool) -> bool {
        match self {
            Self::Standard(standard) => !(standard.sps && waits),
            Self::EagerSr(_) | Self::IdealBsr(_) => false,
        }
    }

    /// Handles an update of the buffers: `true` if any `changed`.
    pub(super) fn on_data(&mut self, changed: bool) -> Needs {
        match self {
            Self::Standard(standard) => standard.on_data(),
            Self::EagerSr(_) => Needs { occasion: true, ..Needs::default() },
            Self::IdealBsr(ideal) => ideal.on_data(changed),
        }
    }

    /// Returns `true` while the UE wants the next occasion, with `waiting` bytes in its buffers.
    #[inline(always)]
    pub(super) fn wants_request(
        &self,
        requests: &Requests,
        waiting: impl FnOnce() -> Bytes,
    ) -> bool {
        match self {
            Self::Standard(_) => requests.is_pending(),
            Self::EagerSr(eager) => eager.wants_request(waiting()),
            Self::IdealBsr(_) => false,
        }
    }

    pub(super) fn on_occasion(&self, requests: &mut Requests, slot: u64, waiting: Bytes) -> Step {
        match self {
            Self::Standard(_) => requests.on_occasion(slot),
            Self::EagerSr(eager) => eager.on_occasion(waiting),
            Self::IdealBsr(_) => Step::Nothing,
        }
    }

    /// Handles a request that the base station will receive.
    pub(super) fn on_request_received(&mut self) {
        if let Self::EagerSr(eager) = self {
            eager.on_request_received();
        }
    }

    /// Handles a request that the base station ignores, as an earlier grant answers it.
    pub(super) fn on_request_ignored(&mut self) {
        if let Self::EagerSr(eager) = self {
            eager.on_request_ignored();
        }
    }

    pub(super) fn on_grant(&mut self, grant: &Grant) {
        if let Self::EagerSr(eager) = self {
            eager.on_grant(grant);
        }
    }

    /// Handles a block of this size that was built.
    pub(super) fn on_block(&mut self, size: Bytes) {
        if let Self::EagerSr(eager) = self {
            eager.on_block(size);
        }
    }

    /// Handles a report at no cost that was made.
    pub(super) fn on_ideal_report(&mut self) {
        if let Self::IdealBsr(ideal) = self {
            ideal.changed = false;
        }
    }

    /// Returns `true` if blocks carry reports.
    pub(super) const fn reports_in_blocks(&self) -> bool {
        !matches!(self, Self::IdealBsr(_))
    }

    /// Returns `true` if a full block without a report means that there may be more data.
    pub(super) const fn full_block_implies_more(&self) -> bool {
        matches!(self, Self::Standard(_))
    }
}
