//! Effects of changes of RRC states in a cell: release, page, request, resume.
//!
//! In: packets, timers, requests of UEs. Out: resets of the MAC on both sides; random access;
//! packets that waited.
//!
//! The release resets the MAC (TS 38.331 §5.3.8.3, TS 36.331 §5.3.12) and suspends PDCP (TS 38.323
//! §5.1.4), and the resume re-establishes RLC. Nothing is under way between the two, so all of this
//! is done at the release. The request is sent in Msg3 or MsgA by random access like that of a UE
//! in RRC_CONNECTED. `RRCResumeComplete` has its own block, on a grant without a request, together
//! with the UE's data.
//!
//! Left out: a Msg3 of the request's own length; RRC timers for the whole procedure (T300, T319),
//! which expire only after more random access attempts than there are.

use super::{Change, SmallData, State, Step, Waiting};
use crate::net::{Direction, Packet};
use crate::ran::Effect;
use crate::ran::cell::Cell;
use crate::ran::cell::air::Access;
use crate::ran::rrc::Released;
use crate::sim::Outbox;
use crate::unit::Instant;

impl Cell {
    /// Returns `true` while a UE is in RRC_INACTIVE or RRC_IDLE, and no data flow.
    #[inline(always)]
    pub(in crate::ran::cell) fn is_suspended(&self, ue: u32) -> bool {
        self.rrc.as_ref().is_some_and(|rrc| rrc.is_suspended(ue))
    }

    /// Returns a packet that may enter the queue of its bearer; `None` if it waits for its UE.
    #[inline(always)]
    pub(in crate::ran::cell) fn while_connected(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: u32,
        bearer: usize,
        packet: Box<Packet>,
    ) -> Option<Box<Packet>> {
        if self.rrc.is_none() {
            return Some(packet);
        }
        self.in_rrc_state(now, ue, Waiting { direction, bearer, packet })
    }

    #[cold]
    fn in_rrc_state(&mut self, now: Instant, ue: u32, waiting: Waiting) -> Option<Box<Packet>> {
        let begins = self.begin_small_data(now, ue, &waiting);
        let rrc = self.rrc.as_mut().expect("a cell with states");
        let (change, packet) = rrc.on_packet(now, ue, waiting, begins);
        match change {
            Change::Stays => {}
            Change::Paged => self.plan_rrc(now, ue),
            Change::Resumes => {
                self.air.statistics.rrc_resumes += 1;
                self.plan_rrc(now, ue);
            }
            Change::Accesses => self.access_for_request(now, ue),
            Change::AccessesWithData => {
                self.air.statistics.small_data_transmissions += 1;
                self.access_for_request(now, ue);
            }
            Change::SendsOnGrant => {
                self.air.statistics.small_data_grants += 1;
                self.plan_rrc(now, ue);
            }
        }
        packet
    }

    /// Plans the first changes of all UEs.
    pub(in crate::ran::cell) fn plan_rrc_states(&mut self) {
        if self.rrc.is_some() {
            (0..self.ues.len() as u32).for_each(|ue| self.plan_rrc(Instant::ZERO, ue));
            self.wakes.begin_timers();
        }
    }

    pub(super) fn plan_rrc(&mut self, now: Instant, ue: u32) {
        let due = self.rrc.as_ref().and_then(|rrc| rrc.due(ue));
        self.wakes.set_rrc(now, ue, due);
    }

    fn access_for_request(&mut self, now: Instant, ue: u32) {
        self.plan_rrc(now, ue);
        let first = self.wakes.next_start(&self.setup.clock, now);
        self.begin_access(now, first, ue);
    }

    /// Notifies RRC of a block of a UE that was delivered or lost.
    #[inline(always)]
    pub(in crate::ran::cell) fn notify_rrc(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: u32,
        lost: bool,
    ) {
        if self.rrc.is_some() {
            self.on_block_of(now, direction, ue, lost);
        }
    }

    #[cold]
    fn on_block_of(&mut self, now: Instant, direction: Direction, ue: u32, lost: bool) {
        let rrc = self.rrc.as_mut().expect("a cell with states");
        let was = rrc.ues[ue as usize].state;
        if rrc.on_block(now, direction, ue, lost) {
            self.access_for_request(now, ue);
        } else if rrc.ues[ue as usize].state != was {
            self.plan_rrc(now, ue);
            if matches!(was, State::SmallData(SmallData::OnGrant { .. })) {
                self.on_first_received(now, ue);
            }
        }
    }

    /// Handles MsgA with the request of a UE. Returns `false` if it was not such a request.
    pub(in crate::ran::cell) fn on_request_in_msg_a(&mut self, now: Instant, ue: u32) -> bool {
        if !self.is_suspended(ue) {
            return false;
        }
        self.rrc.as_mut().expect("a cell with states").on_request(now, ue);
        self.plan_rrc(now, ue);
        true
    }

    /// Handles failed random access of a returning UE, which then starts from RRC_IDLE. Returns
    /// `false` for any other UE.
    pub(in crate::ran::cell) fn on_request_problem(&mut self, now: Instant, ue: u32) -> bool {
        let returns = self.rrc.as_mut().is_some_and(|rrc| rrc.on_access_problem(now, ue));
        if returns {
            self.access_for_request(now, ue);
        }
        returns
    }

    /// Handles failed random access for small data: the UE enters RRC_IDLE, and the data are lost.
    /// Returns `false` for any other random access.
    pub(in crate::ran::cell) fn on_small_data_problem(
        &mut self,
        now: Instant,
        ue: u32,
        out: &mut Outbox<Effect>,
    ) -> bool {
        let accesses = self.rrc.as_ref().is_some_and(|rrc| rrc.small_data_expected(ue).is_some());
        if accesses {
            self.fail_small_data(now, ue, out);
            self.plan_rrc(now, ue);
        }
        accesses
    }

    /// Handles the preamble of a UE with small data: the base station grants enough for them.
    pub(in crate::ran::cell) fn expect_small_data(&mut self, slot: u64, ue: u32) {
        let most = self.rrc.as_ref().and_then(|rrc| rrc.small_data_expected(ue));
        if let Some(most) = most {
            self.base.on_small_data_preamble(&self.setup, slot, ue, most);
        }
    }

    /// Handles the time at which a UE's state may change.
    pub(in crate::ran::cell) fn on_rrc(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        let Some(rrc) = &mut self.rrc else { return };
        if rrc.due(ue).is_none_or(|due| due > now) {
            // The UE has been active since this was planned.
            self.plan_rrc(now, ue);
            return;
        }
        let state = rrc.ues[ue as usize].state;
        match state {
            State::Connected | State::SmallData(SmallData::Received)
                if !rrc.ues[ue as usize].waiting.is_empty() =>
            {
                self.queue_waiting(now, ue, Step::Access { began: now }, out);
            }
            State::SmallData(SmallData::OnGrant { .. }) => self.fail_small_data(now, ue, out),
            State::Connected | State::SmallData(_) => self.release_if_quiet(now, ue, out),
            State::Released { .. } => {
                let state = State::Released { state: Released::Idle, idle: None };
                rrc.ues[ue as usize].enter(now, state);
            }
            State::Returning { from, step: Step::CorePage(_) } => self.page(now, ue, from),
            State::Returning { from, step: Step::Page(_) } => {
                let step = Step::Access { began: now };
                rrc.ues[ue as usize].enter(now, State::Returning { from, step });
                self.air.statistics.pages += 1;
                self.access_for_request(now, ue);
            }
            State::Returning { from, step } => self.connect(now, ue, from, step, out),
        }
        self.plan_rrc(now, ue);
    }

    /// TS 38.304 §7.1
    fn page(&mut self, now: Instant, ue: u32, from: Released) {
        let rrc = self.rrc.as_mut().expect("a cell with states");
        let (origin, own) = (self.setup.clock.start(0), &mut rrc.ues[ue as usize]);
        let occasion = rrc.config.paging.next(origin, own.paging_offset, now);
        let slot = self.setup.timeline.next_downlink(self.setup.clock.at_or_after(occasion));
        let ends = self.setup.clock.end(slot);
        own.enter(now, State::Returning { from, step: Step::Page(ends) });
    }

    /// Releases a UE without data for long, unless some of its data are still under way.
    fn release_if_quiet(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        let is_quiet = self.is_quiet(ue);
        let rrc = self.rrc.as_mut().expect("a cell with states");
        let (state, idle) = rrc.config.release(now);
        let own = &mut rrc.ues[ue as usize];
        if !is_quiet {
            own.active = now;
            return;
        }
        self.air.statistics.rrc_releases += u64::from(own.state == State::Connected);
        own.enter(now, State::Released { state, idle });
        own.inactivity = rrc.config.inactivity_of_stay(&mut own.timers);
        if let Some(grant) = &rrc.config.configured_grant {
            own.aligned_until = grant.aligned_until(now);
        }
        self.leave_cell(now, ue, true, out);
    }

    /// Returns `true` if the cell holds no packet of a UE.
    fn is_quiet(&self, ue: u32) -> bool {
        let empty = |direction| {
            let mut bearers = self.bearers[ue as usize].iter();
            bearers.all(|bearer| bearer.rlc.held(direction).packets == 0)
        };
        Direction::BOTH.into_iter().all(empty)
            && self.handovers.as_ref().is_none_or(|handovers| !handovers.is_under_way(ue))
    }

    /// Moves a UE to RRC_CONNECTED.
    fn connect(
        &mut self,
        now: Instant,
        ue: u32,
        from: Released,
        step: Step,
        out: &mut Outbox<Effect>,
    ) {
        match from {
            Released::Inactive => self.air.statistics.rrc_resumes += 1,
            Released::Idle => self.air.statistics.rrc_setups += 1,
        }
        let rrc = self.rrc.as_mut().expect("a cell with states");
        rrc.ues[ue as usize].enter(now, State::Connected);
        self.queue_waiting(now, ue, step, out);
        // RRCResumeComplete or RRCSetupComplete.
        let access = Access { ue, began: now, answered: now, not_before: 0 };
        self.base.on_random_access(self.setup.clock.at_or_after(now), &access);
    }

    /// Queues the packets that waited for a UE.
    fn queue_waiting(&mut self, now: Instant, ue: u32, since: Step, out: &mut Outbox<Effect>) {
        let rrc = self.rrc.as_mut().expect("a cell with states");
        rrc.ues[ue as usize].active = now;
        while let Some(waiting) = self.rrc.as_mut().and_then(|rrc| rrc.next_waiting(now, ue, since))
        {
            let Waiting { direction, bearer, packet } = waiting;
            self.enqueue(now, direction, ue, bearer, packet, out);
        }
    }
}
