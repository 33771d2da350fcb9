//! Small data on a configured grant in a cell (CG-SDT, TS 38.321 §5.27): the first message and its
//! repetitions, until the base station has received it.
//!
//! In: a small packet of a UE in RRC_INACTIVE; the result of its first message. Out: the grant of
//! its occasion, further transmissions; data that flow, or a UE in RRC_IDLE.
//!
//! ```text
//!  packet ─► occasion: RRCResumeRequest, data ─► received: data flow both ways ─► RRCRelease
//!               │      ▲
//!               └──────┘ after `cg-SDT-RetransmissionTimer`, in the next occasion
//! ```
//!
//! The UE uses the first available method for small data (TS 38.321 §5.27.1): its configured grant,
//! if its time alignment holds in the next occasion; then random access; if that cannot carry data,
//! it resumes. An occasion that others have filled is skipped, and one without data costs others
//! nothing, as with all configured grants here.
//!
//! A first message without an answer is repeated, with the same redundancy version. If the time
//! alignment or `t319a` ends before an answer, the UE enters RRC_IDLE, and its connection is lost
//! with its data (TS 38.321 §5.2, TS 38.331 §5.3.13.5, §5.3.11). A UE that has selected another
//! cell meanwhile has no such grant there (TS 38.300 §18.0).
//!
//! Left out: the length of the request; an answer after the alignment's end, when nobody waits for
//! it any more; timing advance commands, which keep the alignment while data flow; occasions for
//! later data, which get grants as after random access. This matters for studies of bursts of small
//! packets.

use super::{SmallData, State, Step, Waiting};
use crate::net::Direction;
use crate::ran::Effect;
use crate::ran::cell::Cell;
use crate::ran::cell::air::{Grant, Sending, Transmission};
use crate::ran::rrc::Released;
use crate::sim::Outbox;
use crate::unit::Instant;

impl Cell {
    /// Returns the method by which a UE starts to send this packet as small data from RRC_INACTIVE;
    /// `None` if it cannot.
    pub(super) fn begin_small_data(
        &mut self,
        now: Instant,
        ue: u32,
        waiting: &Waiting,
    ) -> Option<SmallData> {
        let rrc = self.rrc.as_ref().filter(|rrc| rrc.is_small_data(ue, waiting))?;
        let small = rrc.config.small_data?;
        let aligned_until = rrc.ues[ue as usize].aligned_until;
        if let Some(configured) = &rrc.config.configured_grant {
            let fails = configured.fails(now, aligned_until);
            if let Some(grant) = self.next_grant(now, ue)
                && self.setup.clock.start(grant.slot) < fails
            {
                self.use_grant(now, grant);
                return Some(SmallData::OnGrant { fails, resumes: false });
            }
        }
        small.by_access.then_some(SmallData::Accesses)
    }

    /// Returns the grant of a UE's next occasion that has room.
    fn next_grant(&self, now: Instant, ue: u32) -> Option<Grant> {
        let first = self.wakes.next_start(&self.setup.clock, now);
        let slot = self.occasion_with_room(ue, self.setup.timeline.transmission_of_fill(first), 1);
        let most = self.rrc.as_ref()?.config.small_data?.most;
        let grant = self.base.small_data_grant(&self.setup, (ue, slot), most)?;
        let slot = self.occasion_with_room(ue, slot, grant.units);
        self.base.small_data_grant(&self.setup, (ue, slot), most)
    }

    /// Returns the first occasion of a UE at or after slot `first` in which `units` units are free.
    fn occasion_with_room(&self, ue: u32, first: u64, units: u64) -> u64 {
        let rrc = self.rrc.as_ref().expect("a cell with states");
        let grant = rrc.config.configured_grant.as_ref().expect("a UE with a configured grant");
        let mut slot = grant.next_occasion(ue, first);
        while self.air.ring.uplink_units(slot) + units > self.setup.capacity.up.units(slot) {
            slot += grant.period;
        }
        slot
    }

    /// Lets the UE build its first message in the occasion of this grant.
    fn use_grant(&mut self, now: Instant, grant: Grant) {
        let next = self.wakes.next_start(&self.setup.clock, now);
        let fill = self.setup.timeline.fill_of_transmission(grant.slot);
        self.base.begin_small_data(&self.setup, &grant);
        self.air.ring.advance(next);
        self.air.ring.take_uplink(grant.slot..grant.slot + 1, grant.units);
        self.air.ring.at(fill).builds.push(grant);
        self.wakes.plan(fill);
    }

    /// Handles a first message that was sent in `slot`: it `decodes`, or its repetition is planned.
    #[cold]
    pub(in crate::ran::cell) fn on_first_message(
        &mut self,
        slot: u64,
        ue: u32,
        process: usize,
        decodes: bool,
    ) {
        let rrc = self.rrc.as_mut().expect("a cell with states");
        let State::SmallData(SmallData::OnGrant { fails, resumes }) = rrc.ues[ue as usize].state
        else {
            return;
        };
        if decodes {
            // The answer is under way.
            let small = SmallData::OnGrant { fails: Instant::FAR_FUTURE, resumes };
            rrc.ues[ue as usize].state = State::SmallData(small);
            self.plan_rrc(self.setup.clock.start(slot), ue);
            return;
        }
        let timer = rrc.config.configured_grant.as_ref().map_or(0, |grant| grant.retransmission);
        let units = self.ues[ue as usize].harq.block(process).units;
        let next = self.occasion_with_room(ue, slot + timer, units);
        if self.setup.clock.start(next) < fails {
            self.air.statistics.small_data_retransmissions += 1;
            let kind = Sending::Repetition;
            self.air.ring.take_uplink(next..next + 1, units);
            self.air.ring.at(next).transmissions.push(Transmission { ue, process, kind });
        }
    }

    /// Handles a first message that the base station has received. Its UE may ask for more grants
    /// from now on.
    pub(super) fn on_first_received(&mut self, now: Instant, ue: u32) {
        let rrc = self.rrc.as_ref().expect("a cell with states");
        self.air.statistics.rrc_resumes += u64::from(rrc.is_connected(ue));
        self.base.restart_drx(self.setup.clock.at_or_after(now), ue);
        self.ues[ue as usize].unbar();
        self.on_uplink_data(now, ue);
    }

    /// Handles a first message, or a preamble for small data, without an answer in time: the uplink
    /// data are lost (TS 38.331 §5.3.13.5, §5.3.11).
    pub(super) fn fail_small_data(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        let rrc = self.rrc.as_mut().expect("a cell with states");
        let core = now + rrc.config.core_paging;
        let own = &mut rrc.ues[ue as usize];
        let state = if own.waiting.is_empty() {
            State::Released { state: Released::Idle, idle: None }
        } else {
            State::Returning { from: Released::Idle, step: Step::CorePage(core) }
        };
        own.enter(now, state);
        self.air.statistics.small_data_failures += 1;
        for (position, bearer) in self.bearers[ue as usize].iter_mut().enumerate() {
            bearer.rlc.abandon(now, Direction::Up, &mut self.effects);
            self.ues[ue as usize].notify_abandoned(position, bearer);
        }
        self.leave_cell(now, ue, true, out);
    }

    /// Handles the selection of another cell by a UE that is not connected: it has no grant there.
    pub(in crate::ran::cell) fn on_reselection(&mut self, now: Instant, ue: u32) {
        let Some(rrc) = &mut self.rrc else { return };
        let own = &mut rrc.ues[ue as usize];
        own.aligned_until = Instant::ZERO;
        if let State::SmallData(SmallData::OnGrant { fails, .. }) = &mut own.state
            && *fails < Instant::FAR_FUTURE
        {
            *fails = now;
            self.plan_rrc(now, ue);
        }
    }
}
