//! Random access of the UEs of a cell: the state of each UE in the procedure, and its events in
//! later slots.
//!
//! In: UEs that want a grant, occasions, blocks that were granted. Out: grants for Msg3, reports of
//! MsgA, further attempts, radio link failures.
//!
//! Msg3 is an uplink block on an ordinary grant, which the scheduler gives with the RAR, for a slot
//! that is late enough. So Msg3 shares the band with other blocks, and carries a report and all
//! data that fit. The report then triggers the grant by C-RNTI that resolves contention; a UE whose
//! data all fitted into Msg3 needs none.

use std::collections::{BTreeMap, BTreeSet};

use super::air::{Access, Bsr};
use super::setup::Setup;
use super::{Cell, Effect};
use crate::net::Direction;
use crate::ran::mac::random_access::{Config, Detection, Preamble, Steps, detect};
use crate::sim::Outbox;
use crate::unit::Instant;

/// The procedures that are under way.
#[derive(Clone, Debug)]
pub(super) struct RandomAccess {
    config: Config,
    due: BTreeSet<(u64, u32)>,
    attempts: BTreeMap<u32, Attempt>,
    preambles: Vec<Preamble>,
}

/// The procedure of one UE.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    /// Start of the procedure.
    began: Instant,
    /// `PREAMBLE_TRANSMISSION_COUNTER`, starting at 0.
    sent: u32,
    next: Step,
}

/// Next step of the procedure.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The UE sends a preamble.
    Preamble,
    /// The UE sends the report of MsgA.
    Report,
    /// The base station answers, with grants for this slot or later.
    Answer(u64),
    /// The last attempt has failed.
    Problem,
    /// Only the grant is missing, which is under way.
    Nothing,
}

impl RandomAccess {
    pub(super) fn new(config: &Config) -> Self {
        let (due, attempts) = (BTreeSet::new(), BTreeMap::new());
        Self { config: config.clone(), due, attempts, preambles: Vec::new() }
    }

    /// Returns the next slot with an event.
    pub(super) fn next(&self) -> Option<u64> {
        self.due.first().map(|&(slot, _)| slot)
    }

    /// Returns `true` if UEs have resources for scheduling requests.
    pub(super) const fn has_requests(&self) -> bool {
        self.config.requests
    }

    /// Starts the procedure of a UE, with its first preamble in slot `first` or later. Returns the
    /// slot of this preamble.
    fn begin(&mut self, now: Instant, first: u64, ue: u32) -> u64 {
        let slot = self.config.next_occasion(first);
        self.attempts.insert(ue, Attempt { began: now, sent: 0, next: Step::Preamble });
        self.due.insert((slot, ue));
        slot
    }

    /// Ends the random access of a UE that has a block. Returns `true` if the procedure was under
    /// way.
    pub(super) fn finish(&mut self, ue: u32) -> bool {
        if self.attempts.remove(&ue).is_none() {
            return false;
        }
        self.due.retain(|&(_, other)| other != ue);
        true
    }

    fn set(&mut self, slot: u64, ue: u32, next: Step) {
        self.attempts.get_mut(&ue).expect("a UE in the procedure").next = next;
        self.due.insert((slot, ue));
    }

    /// Plans the next attempt after a failure in `slot`, with the drawn back-off.
    fn retry(&mut self, slot: u64, back_off: u64, ue: u32) {
        if self.attempts[&ue].sent >= self.config.preamble_trans_max {
            self.set(slot, ue, Step::Problem);
        } else {
            self.set(self.config.next_occasion(slot + back_off), ue, Step::Preamble);
        }
    }
}

/// Slots of the events after a preamble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AccessSlots {
    /// Slot of the RAR, or of MsgA's payload.
    first: u64,
    /// Slot of Msg3, or of the answer to MsgA.
    second: u64,
    /// End of the window for an answer.
    window_ends: u64,
    /// Slot in which the UE knows that its preamble collided.
    unresolved: u64,
}

impl AccessSlots {
    /// Returns the slots of the events after a preamble in `slot`.
    fn of(config: &Config, setup: &Setup, slot: u64) -> Self {
        let (clock, timeline) = (&setup.clock, &setup.timeline);
        let answered = config.answered(timeline, slot);
        let window_ends = config.listens_from(timeline, slot) + config.response_window;
        match config.steps {
            Steps::Four => {
                let ready = setup.ended(Direction::Down, answered) + config.msg3_delay;
                let msg3 = timeline.next_uplink(clock.at_or_after(ready));
                let unresolved = setup.ended(Direction::Up, msg3) + config.contention_resolution;
                let unresolved = clock.at_or_after(unresolved);
                Self { first: answered, second: msg3, window_ends, unresolved }
            }
            Steps::Two => {
                let first = Config::payload(timeline, slot);
                Self { first, second: answered, window_ends, unresolved: window_ends }
            }
        }
    }
}

impl Cell {
    /// Returns `true` if UEs have no resources for scheduling requests, only random access.
    pub(super) fn has_no_requests(&self) -> bool {
        self.random_access.as_ref().is_some_and(|access| !access.has_requests())
    }

    /// Starts random access of a UE, with its first preamble in slot `first` or later.
    pub(super) fn begin_access(&mut self, now: Instant, first: u64, ue: u32) {
        let access = self.random_access.as_mut().expect("a cell with random access");
        let slot = access.begin(now, first, ue);
        self.ues[ue as usize].bar();
        self.air.statistics.random_accesses += 1;
        self.wakes.plan(slot);
    }

    /// Handles the events of random access in `slot`.
    pub(super) fn access_randomly(&mut self, slot: u64, now: Instant, out: &mut Outbox<Effect>) {
        let Some(mut access) = self.random_access.take() else { return };
        access.preambles.clear();
        let mut problems = Vec::new();
        while let Some(&(due, ue)) = access.due.first()
            && due <= slot
        {
            access.due.pop_first();
            let attempt = access.attempts.get_mut(&ue).expect("a UE in the procedure");
            match attempt.next {
                Step::Preamble => {
                    attempt.sent += 1;
                    let (index, missed) = self.ues[ue as usize].draw_preamble(&access.config);
                    access.preambles.push(Preamble { ue, index, missed });
                }
                Step::Report => {
                    self.send_msg_a(slot, now, ue);
                    let known = self.setup.timeline.report_known(slot);
                    access.set(known, ue, Step::Answer(known));
                }
                Step::Answer(_) if self.answers_request(access.config.steps, now, ue) => {
                    attempt.next = Step::Nothing;
                }
                Step::Answer(not_before) => {
                    let began = attempt.began;
                    attempt.next = Step::Nothing;
                    let answered = self.answered(slot, not_before);
                    let access = Access { ue, began, answered, not_before };
                    self.base.on_random_access(slot, &access);
                    self.expect_small_data(slot, ue);
                }
                Step::Problem => problems.push(ue),
                Step::Nothing => {}
            }
        }
        self.send_preambles(&mut access, slot);
        self.random_access = Some(access);
        for ue in problems {
            self.on_access_problem(now, ue, out);
        }
    }

    /// Returns `true` if MsgA was the request of a UE that is not connected: its answer is the
    /// connection, not a grant.
    fn answers_request(&mut self, steps: Steps, now: Instant, ue: u32) -> bool {
        steps == Steps::Two && self.on_request_in_msg_a(now, ue)
    }

    /// Returns the time at which a UE has a grant that is sent in `slot` at the earliest, for slot
    /// `not_before` or later.
    fn answered(&self, slot: u64, not_before: u64) -> Instant {
        let Setup { clock, timeline, .. } = &self.setup;
        let target = timeline.next_uplink(not_before);
        clock.end(timeline.last_grant(target).max(slot)).max(clock.start(slot))
    }

    /// Sends the preambles of an occasion. Each is detected, collides, or is missed.
    fn send_preambles(&mut self, access: &mut RandomAccess, slot: u64) {
        if access.preambles.is_empty() {
            return;
        }
        let slots = AccessSlots::of(&access.config, &self.setup, slot);
        let preambles = std::mem::take(&mut access.preambles);
        self.air.statistics.preambles_sent += preambles.len() as u64;
        for (ue, detection) in detect(&preambles) {
            match (detection, access.config.steps) {
                (Detection::Alone, Steps::Four) => {
                    access.set(slots.first, ue, Step::Answer(slots.second));
                }
                (Detection::Alone, Steps::Two) => access.set(slots.first, ue, Step::Report),
                (Detection::Collided | Detection::Missed, _) => {
                    let collided = detection == Detection::Collided;
                    self.air.statistics.preambles_collided += u64::from(collided);
                    let failed = if collided { slots.unresolved } else { slots.window_ends };
                    let back_off = self.ues[ue as usize].draw_back_off(access.config.back_off);
                    let back_off = self.setup.clock.slots_in(back_off);
                    access.retry(failed, back_off, ue);
                }
            }
        }
        access.preambles = preambles;
    }

    /// Sends the payload of MsgA: the UE's identity, and its buffers.
    fn send_msg_a(&mut self, slot: u64, now: Instant, ue: u32) {
        let Self { setup, air, ues, bearers, .. } = self;
        let groups = ues[ue as usize].report_in_msg_a(setup, slot, now, &bearers[ue as usize]);
        air.send_bsr(setup, slot, Bsr { ue, slot, groups: Some(groups) });
        air.statistics.bsr_sent += 1;
    }

    /// Handles `preambleTransMax` preambles without an answer: the radio link has failed (TS 38.321
    /// §5.1.4, TS 38.331 §5.3.10.3), and RLC is re-established. The request is still pending, so
    /// the UE restarts random access.
    fn on_access_problem(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        self.air.statistics.random_access_problems += 1;
        self.random_access.as_mut().expect("a cell with random access").finish(ue);
        self.ues[ue as usize].unbar();
        if self.on_request_problem(now, ue) || self.on_small_data_problem(now, ue, out) {
            return;
        }
        self.reestablish(now, ue, out);
        self.settle(now, ue, out);
        self.on_uplink_data(now, ue);
    }
}
