//! Uplink access of the TTI study: a request at every opportunity while waiting bytes exceed
//! granted bytes.
//!
//! Left out: detection of requests that are lost or that the base station ignores. The UE knows
//! them, as in the model of the study; this matters for studies of the cost of lost requests.

use crate::ran::cell::air::Grant;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::mac::scheduling_request::Step;
use crate::unit::Bytes;

/// A UE that sends requests until all bytes that it needs are granted.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell::ue) struct EagerSr {
    /// Expected size of the grant for each request.
    pub(super) first_grant: Bytes,
    /// Bytes requested or granted, and not yet sent.
    pub(super) expected: Bytes,
}

impl EagerSr {
    pub(super) fn wants_request(self, waiting: Bytes) -> bool {
        waiting > self.expected
    }

    pub(super) fn on_occasion(self, waiting: Bytes) -> Step {
        if self.wants_request(waiting) { Step::Send { missed: None } } else { Step::Nothing }
    }

    pub(super) fn on_request_received(&mut self) {
        self.expected += self.first_grant;
    }

    pub(super) fn on_request_ignored(&mut self) {
        self.expected = self.expected.saturating_sub(self.first_grant);
    }

    /// Replaces the expected size of an answered request by the granted size.
    pub(super) fn on_grant(&mut self, grant: &Grant) {
        let counted = if grant.answers_sr { self.first_grant } else { Bytes::ZERO };
        self.expected += grant.size.unwrap_or(Bytes(UNLIMITED));
        self.expected = self.expected.saturating_sub(counted);
    }

    pub(super) fn on_block(&mut self, size: Bytes) {
        self.expected = self.expected.saturating_sub(size);
    }
}
