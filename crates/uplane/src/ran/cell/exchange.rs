//! The exchange between the two sides of a cell in a slot: each function passes the output of one
//! side to the other.
//!
//! In: the events of a slot, the sides. Out: the sides, after each has received the messages and
//! blocks of the other.

use super::air::{Bsr, Due, Grant, GrantCause, Sending, Sr, Transmission};
use super::base_station::{BaseStation, BaseTurn};
use super::transmission::transmit;
use super::ue::UeTurn;
use super::{Cell, Effect};
use crate::net::Direction;
use crate::ran::mac::configured_grant::Confirmed;
use crate::ran::mac::scheduling_request::Step;
use crate::sim::Outbox;
use crate::unit::Instant;

impl Cell {
    /// Returns the base station, and its inputs in a slot.
    pub(super) fn base_turn(
        &mut self,
        slot: u64,
        now: Instant,
    ) -> (&mut BaseStation, BaseTurn<'_>) {
        let Self { setup, air, base, bearers, .. } = self;
        (base, BaseTurn { setup, slot, now, air, bearers })
    }

    /// Delivers feedback, requests and reports to the base station.
    #[inline(always)]
    pub(super) fn receive_uplink_control(
        &mut self,
        slot: u64,
        now: Instant,
        due: &Due,
        out: &mut Outbox<Effect>,
    ) {
        for &feedback in &due.feedback {
            let (base, mut turn) = self.base_turn(slot, now);
            if base.on_feedback(&mut turn, feedback) {
                self.lose(now, Direction::Down, feedback.ue, feedback.process, out);
            }
        }
        for sr in &due.requests {
            let (base, mut turn) = self.base_turn(slot, now);
            if !base.on_sr(&mut turn, sr) {
                self.ues[sr.ue as usize].on_request_ignored();
            }
        }
        for bsr in &due.reports {
            let (base, turn) = self.base_turn(slot, now);
            base.on_bsr(&turn, bsr);
        }
        for &result in &due.results {
            self.base.on_uplink_result(slot, result);
        }
        for &(ue, number) in &due.idle_grants {
            let (base, mut turn) = self.base_turn(slot, now);
            base.on_idle_check(&mut turn, ue, number);
        }
        for &ue in &due.proactive {
            let (base, mut turn) = self.base_turn(slot, now);
            base.on_proactive(&mut turn, ue);
        }
    }

    /// Lets UEs build and send their blocks, and send scheduling requests.
    #[inline(always)]
    pub(super) fn receive_grants(
        &mut self,
        slot: u64,
        now: Instant,
        due: &Due,
        out: &mut Outbox<Effect>,
    ) {
        // A UE reports at the start of a slot; it reads a grant of that slot a little later.
        self.report_ideally(slot, now);
        let mut units_now = due.uplink_units;
        for grant in &due.builds {
            if matches!(grant.cause, GrantCause::Sps { .. }) {
                let is_now = grant.slot == slot;
                let later = &mut self.air.ring;
                let mut rest = grant.slot..grant.slot + self.setup.on_air;
                rest.start += u64::from(is_now);
                let taken = later.most_uplink_units(rest.clone());
                let taken = if is_now { taken.max(units_now) } else { taken };
                if !self.begin_sps(slot, due, grant, taken, out) {
                    units_now -= if is_now { grant.units } else { 0 };
                    self.air.ring.free_uplink(rest, grant.units);
                    self.pass_sps(slot, grant);
                    continue;
                }
            }
            self.build_uplink(slot, now, grant, out);
        }
        for &transmission in &due.transmissions {
            self.transmit_uplink(slot, now, transmission);
        }
        debug_assert!(
            units_now <= self.setup.capacity.up.units(slot),
            "slot {slot} has {} uplink units and sends {units_now}",
            self.setup.capacity.up.units(slot)
        );
        // A UE whose block has a report sends no request (TS 38.321 §5.4.4).
        if !self.secondaries.is_empty() {
            self.build_on_secondaries(now, out);
        }
        for &ue in &due.occasions {
            self.on_occasion(slot, now, ue);
        }
    }

    /// Schedules the uplink, and delivers the grants to the UEs.
    #[inline(always)]
    pub(super) fn schedule_uplink(&mut self, slot: u64, now: Instant) {
        let (base, mut turn) = self.base_turn(slot, now);
        base.schedule_uplink(&mut turn);
        if !self.air.grants.is_empty() {
            self.hand_over_grants(slot);
        }
        if !self.air.releases.is_empty() {
            self.read_releases(now);
        }
    }

    fn hand_over_grants(&mut self, slot: u64) {
        for grant in self.air.grants.drain(..) {
            self.ues[grant.ue as usize].on_grant(slot, &grant);
            let fill = self.setup.timeline.fill_of_transmission(grant.slot);
            self.air.ring.at(fill).builds.push(grant);
        }
    }

    /// Schedules the downlink. The blocks are on the air until [`Cell::receive`].
    #[inline(always)]
    pub(super) fn schedule_downlink(&mut self, slot: u64, now: Instant, out: &mut Outbox<Effect>) {
        if self.setup.urgent.is_some() {
            self.send_urgent(slot, now, out);
        }
        let (base, mut turn) = self.base_turn(slot, now);
        if let Some(room) = base.send_retransmissions(&mut turn) {
            self.discard_late(BaseStation::backlogged, now, out);
            let (base, mut turn) = self.base_turn(slot, now);
            base.send_new_blocks(&mut turn, room);
            self.settle_managed(out);
        }
    }

    #[cold]
    fn send_urgent(&mut self, slot: u64, now: Instant, out: &mut Outbox<Effect>) {
        self.discard_late(BaseStation::urgently_backlogged, now, out);
        let (base, mut turn) = self.base_turn(slot, now);
        base.send_urgent(&mut turn);
        self.settle_managed(out);
    }

    /// Receives the downlink blocks of this slot.
    #[inline(always)]
    pub(super) fn receive(&mut self, slot: u64, now: Instant) {
        let (base, mut turn) = self.base_turn(slot, now);
        base.finish_slot(&mut turn);
    }

    /// Handles a possible change of a UE's uplink buffers.
    pub(super) fn on_uplink_data(&mut self, now: Instant, ue: u32) {
        if self.is_away(ue) {
            return;
        }
        if let Some(rrc) = &self.rrc {
            self.ues[ue as usize].set_inactive(!rrc.is_connected(ue));
        }
        let needs = self.ues[ue as usize].on_data(&self.setup, now, &self.bearers[ue as usize]);
        if needs.report {
            self.reporting.push(ue);
        }
        if needs.sps {
            self.plan_sps(now, ue);
        }
        if needs.occasion && self.ues[ue as usize].wants_request() {
            self.plan_occasion(now, ue);
        }
        if needs.retx_bsr {
            self.plan_retx_bsr(now, ue);
        }
    }

    /// Handles the expiry of a UE's `retxBSR-Timer`.
    pub(super) fn on_retx_bsr(&mut self, now: Instant, ue: u32) {
        self.ues[ue as usize].on_retx_bsr(&self.setup, now);
        self.plan_occasion(now, ue);
        self.plan_retx_bsr(now, ue);
    }

    /// Plans the next occasion for a scheduling request in the ring, if the UE wants one.
    #[inline]
    fn plan_occasion(&mut self, now: Instant, ue: u32) {
        let next = self.wakes.next_start(&self.setup.clock, now);
        let begins = self.setup.config.uplink.request.begins;
        let first =
            if begins.is_zero() { next } else { self.setup.first_request_from(now).min(next) };
        self.plan_occasion_from(now, first, next, ue);
    }

    /// Plans the next occasion at or after slot `first`. The slot before `next` may be under way,
    /// with its requests still to be sent.
    #[inline]
    fn plan_occasion_from(&mut self, now: Instant, first: u64, next: u64, ue: u32) {
        if self.has_no_requests() {
            if self.ues[ue as usize].wants_request() {
                self.begin_access(now, next, ue);
            }
            return;
        }
        let Some(slot) = self.ues[ue as usize].plan_occasion(first) else { return };
        self.air.ring.advance(next);
        if slot < next {
            self.on_occasion(slot, now, ue);
            return;
        }
        self.air.ring.at(slot).occasions.push(ue);
        self.wakes.plan(slot);
    }

    /// Arms the timer after which a UE without a grant sends another request.
    #[inline(always)]
    fn plan_retx_bsr(&mut self, now: Instant, ue: u32) {
        if !self.wakes.has_retx_bsr(ue)
            && let Some(slot) = self.ues[ue as usize].retx_bsr_expires()
        {
            self.wakes.arm_retx_bsr(ue, self.setup.clock.start(slot).max(now));
        }
    }

    fn on_occasion(&mut self, slot: u64, now: Instant, ue: u32) {
        let state = &mut self.ues[ue as usize];
        match state.on_occasion(slot) {
            Step::Nothing => {}
            Step::Send { missed } => {
                let configuration = state.last_configuration();
                let sr = Sr { ue, slot, configuration, prohibited_from: missed };
                if self.air.send_sr(&self.setup, sr) {
                    state.on_request_received();
                    self.wakes.plan(self.setup.timeline.request_known(slot));
                }
            }
            Step::RandomAccess if self.random_access.is_some() => {
                self.begin_access(now, slot + 1, ue);
            }
            Step::RandomAccess => {
                self.air.statistics.random_accesses += 1;
                state.access_randomly(&self.setup, slot);
            }
        }
        self.plan_occasion_from(now, slot + 1, slot + 1, ue);
    }

    /// Sends free reports of all UEs whose buffers changed.
    fn report_ideally(&mut self, slot: u64, now: Instant) {
        let Self { setup, air, ues, bearers, .. } = self;
        while let Some(ue) = self.reporting.pop() {
            let groups = ues[ue as usize].report_ideally(setup, now, &bearers[ue as usize]);
            // The report covers all blocks built until now.
            let knows = setup.timeline.transmission_of_fill(slot);
            air.send_bsr(setup, slot, Bsr { ue, slot: knows, groups: Some(groups) });
            air.statistics.bsr_sent += 1;
        }
    }

    /// Fills the block of a grant, which is on the air now or soon.
    fn build_uplink(&mut self, slot: u64, now: Instant, grant: &Grant, out: &mut Outbox<Effect>) {
        let ue = grant.ue;
        let scheme = self.base.uplink_scheme(ue);
        let mut turn = UeTurn {
            setup: &self.setup,
            carrier: &self.setup,
            slot,
            now,
            bearers: &mut self.bearers[ue as usize],
            statistics: &mut self.air.statistics,
            effects: &mut self.effects,
            scratch: &mut self.scratch,
        };
        let state = &mut self.ues[ue as usize];
        let confirmed = state.build(&mut turn, grant, scheme);
        let (bearers, place) = (&self.bearers[ue as usize], (Direction::Up, ue, grant.process));
        let captured = self.air.capture.is_some();
        let waiting = captured.then(|| state.waiting_groups(now, bearers, confirmed));
        let block = state.harq.block(grant.process);
        self.air.capture_block(&self.setup, place, block, bearers, waiting);
        let size = block.size;
        self.air.links[ue as usize].counted.uplink.on_block(size, scheme.mcs);
        self.after_build(now, ue, confirmed, out);
        self.plan_repetitions(grant);
        if matches!(grant.cause, GrantCause::SmallData) {
            self.ues[ue as usize].harq.block(grant.process).until_received = true;
        }
        let transmission = Transmission { ue, process: grant.process, kind: Sending::New };
        if grant.slot == slot {
            self.transmit_uplink(slot, now, transmission);
        } else {
            self.air.ring.at(grant.slot).transmissions.push(transmission);
        }
    }

    /// Updates random access, packets and buffers after a UE has built a block.
    #[inline(always)]
    pub(super) fn after_build(
        &mut self,
        now: Instant,
        ue: u32,
        confirmed: Confirmed,
        out: &mut Outbox<Effect>,
    ) {
        if !self.is_suspended(ue)
            && let Some(access) = &mut self.random_access
            && access.finish(ue)
        {
            self.ues[ue as usize].unbar();
        }
        if !self.effects.is_empty() {
            self.carry_out(now, ue, out);
        }
        self.on_confirmed(ue, confirmed.cleared);
        self.on_uplink_data(now, ue);
    }

    /// Transmits an uplink block.
    fn transmit_uplink(&mut self, slot: u64, now: Instant, transmission: Transmission) {
        let Self { setup, air, base, ues, bearers, .. } = self;
        let Transmission { ue, process, .. } = transmission;
        let harq = &mut ues[ue as usize].harq;
        let mut turn = BaseTurn { setup, slot, now, air, bearers };
        let decodes = transmit(base, &mut turn, harq, transmission);
        if harq.block(process).until_received {
            self.on_first_message(slot, ue, process, decodes);
        }
    }

    /// Emits packets that managed downlink queues dropped, and counts marks.
    #[inline(always)]
    pub(super) fn settle_managed(&mut self, out: &mut Outbox<Effect>) {
        if self.setup.managed {
            self.settle_queues(out);
        }
    }

    #[cold]
    fn settle_queues(&mut self, out: &mut Outbox<Effect>) {
        for ue in 0..self.bearers.len() {
            for position in 0..self.bearers[ue].len() {
                self.settle_queue(ue as u32, position, out);
            }
        }
    }

    /// Emits packets that the managed queue of one bearer dropped, and counts its marks.
    pub(super) fn settle_queue(&mut self, ue: u32, position: usize, out: &mut Outbox<Effect>) {
        let rlc = &mut self.bearers[ue as usize][position].rlc;
        self.tallies[Direction::Down].marked += rlc.take_marked(Direction::Down);
        while let Some((packet, cause)) =
            self.bearers[ue as usize][position].rlc.take_dropped(Direction::Down)
        {
            self.drop(Direction::Down, ue, packet, cause, out);
        }
    }

    /// Discards packets of these UEs whose PDCP discard timer has expired.
    #[inline(always)]
    pub(super) fn discard_late(
        &mut self,
        backlogged: fn(&BaseStation) -> &[u32],
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        if self.setup.discards {
            self.discard_late_of(backlogged, now, out);
        }
    }

    #[cold]
    fn discard_late_of(
        &mut self,
        backlogged: fn(&BaseStation) -> &[u32],
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        for place in 0..backlogged(&self.base).len() {
            let ue = backlogged(&self.base)[place];
            for bearer in &mut self.bearers[ue as usize] {
                bearer.pdcp.down.discard(now, Direction::Down, &mut bearer.rlc, &mut self.effects);
            }
            self.carry_out(now, ue, out);
        }
    }
}
