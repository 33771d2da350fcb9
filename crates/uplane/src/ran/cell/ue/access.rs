//! When a UE asks for uplink resources.
//!
//! In: data that came into its buffers, occasions. Out: requests on their way to the eNB; reports that cost
//! nothing, in cells that have such.

use crate::ran::cell::Cell;
use crate::ran::cell::config::Access;
use crate::ran::cell::slot_ring::{Reported, Requested};
use crate::ran::mac::header::ReportFormat;
use crate::ran::mac::report;
use crate::ran::mac::request::Step;
use crate::unit::Instant;

impl Cell {
    /// The uplink buffers of a UE may have changed.
    pub(in crate::ran::cell) fn on_uplink_data(&mut self, now: Instant, ue: u32) {
        let access = self.config.uplink.access;
        let state = &mut self.ues[ue as usize];
        let triggered = state.look(now);
        match access {
            Access::IdealReports => {
                if state.uplink.changed && !self.up.changed.contains(&ue) {
                    self.up.changed.push(ue);
                }
            }
            Access::EagerRequests => self.plan_occasion(now, ue),
            Access::Standard => {
                let standing = self.config.uplink.grants.semi_persistent;
                // A UE with a standing grant waits for it (TS 36.321 §5.4.5, SR masking).
                if triggered && standing.is_none() {
                    state.uplink.request.trigger();
                }
                if let Some(standing) = standing {
                    self.plan_standing(now, ue, standing);
                }
                self.plan_occasion(now, ue);
                self.plan_reminder(now, ue);
            }
        }
    }

    /// `retxBSR-Timer` has expired, or would have, had it not been started again.
    pub(in crate::ran::cell) fn on_reminder(&mut self, now: Instant, ue: u32) {
        let slot = self.clock.at_or_after(now);
        let state = &mut self.ues[ue as usize];
        let waits = !state.waiting().is_zero();
        if state.uplink.reporting.on_slot(slot, waits) {
            state.uplink.request.trigger();
        }
        self.plan_occasion(now, ue);
        self.plan_reminder(now, ue);
    }

    /// Puts the next occasion for a request into the ring, when one is wanted.
    #[inline]
    pub(in crate::ran::cell) fn plan_occasion(&mut self, now: Instant, ue: u32) {
        let access = self.config.uplink.access;
        let first = self.next_start(now);
        let state = &mut self.ues[ue as usize];
        if state.uplink.occasion_planned || !state.uplink.wants_to_ask(access, state.waiting()) {
            return;
        }
        state.uplink.occasion_planned = true;
        let slot = state.uplink.request.next_occasion(first.max(state.uplink.barred_until));
        self.ring.advance(first);
        self.ring.at(slot).occasions.push(ue);
        self.planned = Some(self.planned.map_or(slot, |other| other.min(slot)));
    }

    /// Arms the timer after which a forgotten UE asks again.
    #[inline(always)]
    pub(in crate::ran::cell) fn plan_reminder(&mut self, now: Instant, ue: u32) {
        let timer = self.reminder_slots[ue as usize];
        let state = &self.ues[ue as usize];
        if state.waiting().is_zero() || self.timers.due(timer).is_some() {
            return;
        }
        if let Some(slot) = state.uplink.reporting.next_regular() {
            self.timers.arm(timer, self.clock.start(slot).max(now));
        }
    }

    pub(in crate::ran::cell) fn on_occasion(&mut self, slot: u64, ue: u32) {
        let now = self.clock.start(slot);
        let access = self.config.uplink.access;
        let state = &mut self.ues[ue as usize];
        state.uplink.occasion_planned = false;
        let waiting = state.waiting();
        let wants = state.uplink.wants_to_ask(access, waiting);
        let step = match access {
            Access::EagerRequests if wants => Step::Send { missed: None },
            Access::Standard => state.uplink.request.on_occasion(slot),
            _ => Step::Nothing,
        };
        match step {
            Step::Nothing => {}
            Step::Send { missed } => self.send_request(slot, ue, missed),
            Step::RandomAccess => self.access_randomly(slot, ue),
        }
        self.plan_occasion(now, ue);
    }

    pub(in crate::ran::cell) fn send_request(&mut self, slot: u64, ue: u32, missed: Option<u64>) {
        self.statistics.requests += 1;
        let first_grant = self.first_grant();
        let state = &mut self.ues[ue as usize];
        state.counted.uplink.requests += 1;
        let lost = self.config.feedback.scheduling_request_missed;
        if !lost.is_zero() && state.feedback_errors.chance(lost) {
            self.statistics.requests_missed += 1;
            return;
        }
        state.uplink.expected += first_grant;
        let known = slot + self.slots.request_to_grant;
        self.ring.at(known).requests.push(Requested { ue, slot, missed });
    }

    /// Requests had no answer: the UE is heard again after random access (TS 36.321 §5.1).
    pub(in crate::ran::cell) fn access_randomly(&mut self, slot: u64, ue: u32) {
        self.statistics.random_accesses += 1;
        let request = &self.config.uplink.request;
        let uplink = &mut self.ues[ue as usize].uplink;
        let back_off = request.back_off.mul_f64(uplink.random_access.uniform());
        uplink.barred_until = slot + self.clock.slots_in(request.random_access + back_off);
    }

    /// Reports that cost nothing: of each UE whose buffers changed.
    pub(in crate::ran::cell) fn report_ideally(&mut self, slot: u64) {
        let now = self.clock.start(slot);
        let known = slot + self.slots.report_to_grant;
        // It knows of all blocks built until now.
        let knows = slot + self.slots.fill_to_uplink;
        while let Some(ue) = self.up.changed.pop() {
            let state = &mut self.ues[ue as usize];
            state.uplink.changed = false;
            let exact = self.config.uplink.report.exact;
            let groups = report::reported(&state.groups(now), ReportFormat::Long, exact);
            let report = Reported { ue, slot: knows, groups: Some(groups) };
            self.ring.at(known).reports.push(report);
            self.statistics.reports += 1;
        }
    }
}
