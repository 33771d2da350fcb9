//! Uplink access of the TTI study: a request at every opportunity while waiting bytes exceed
//! granted bytes.
//!
//! Left out: how the UE learns that its request was lost or that the base station ignores it. It
//! knows, as in the model of the study; who studies the cost of lost requests can tell.

use crate::ran::cell::air::Grant;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::mac::scheduling_request::Step;
use crate::unit::Bytes;

/// A UE that asks until it has been granted all that it needs.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell::ue) struct EagerSr {
    /// What each request will be answered with.
    pub(super) first_grant: Bytes,
    /// Bytes asked for or granted and not yet sent.
    pub(super) expected: Bytes,
}

impl EagerSr {
    pub(super) fn wants_to_ask(self, waiting: Bytes) -> bool {
        waiting > self.expected
    }

    pub(super) fn on_occasion(self, waiting: Bytes) -> Step {
        if self.wants_to_ask(waiting) { Step::Send { missed: None } } else { Step::Nothing }
    }

    pub(super) fn on_request_received(&mut self) {
        self.expected += self.first_grant;
    }

    pub(super) fn on_request_ignored(&mut self) {
        self.expected = self.expected.saturating_sub(self.first_grant);
    }

    /// What a request was counted with gives way to what is granted.
    pub(super) fn on_grant(&mut self, grant: &Grant) {
        let counted = if grant.answers_sr { self.first_grant } else { Bytes::ZERO };
        self.expected += grant.size.unwrap_or(Bytes(UNLIMITED));
        self.expected = self.expected.saturating_sub(counted);
    }

    pub(super) fn on_block(&mut self, size: Bytes) {
        self.expected = self.expected.saturating_sub(size);
    }
}
