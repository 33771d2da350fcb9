//! The downlink in one slot: feedback, retransmissions, new blocks.
//!
//! In: buffers at the eNB, HARQ feedback. Out: blocks on the air, arrivals at the UEs.
//!
//! Left out: assignments that a UE misses (1 % by the choice of aggregation levels), and retransmissions on
//! other resources than the first time: a block keeps its size and its number of resource blocks.

use std::collections::VecDeque;

use crate::net::{Cause, Direction};
use crate::ran::cell::base_station::link_adaptation::{self, Sent};
use crate::ran::cell::block::Draft;
use crate::ran::cell::config;
use crate::ran::cell::rbg::GroupSet;
use crate::ran::cell::slot_ring::Feedback;
use crate::ran::cell::ue::{Bearer, Ue};
use crate::ran::cell::{Arrival, Cell, Effect};
use crate::ran::mac::harq::Verdict;
use crate::ran::mac::header::{self, Packing};
use crate::ran::mac::scheduler::{Candidate, Scheduler};
use crate::ran::phy::LinkModel;
use crate::ran::tables::qci::{CORE_NETWORK_DELAY, Characteristics};
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

/// What the eNB's downlink scheduler knows.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct DownlinkState {
    pub(in crate::ran::cell) scheduler: Scheduler,
    /// UEs with data, in ascending order.
    waiting: Vec<u32>,
    is_waiting: Vec<bool>,
    /// Blocks to be sent again, oldest first.
    again: VecDeque<(u32, usize)>,
    /// The last slot in which a UE was sent anything.
    served: Vec<u64>,
    pub(in crate::ran::cell) candidates: Vec<Candidate>,
    /// Blocks sent in this slot.
    on_air: Vec<(u32, usize)>,
}

impl DownlinkState {
    pub(in crate::ran::cell) fn new(config: &config::Downlink, ue_count: u32) -> Self {
        let channel = &config.channel;
        Self {
            scheduler: Scheduler::new(channel.metric, ue_count, channel.averaging_slots),
            waiting: Vec::with_capacity(ue_count as usize),
            is_waiting: vec![false; ue_count as usize],
            again: VecDeque::new(),
            served: vec![u64::MAX; ue_count as usize],
            candidates: Vec::with_capacity(ue_count as usize),
            on_air: Vec::new(),
        }
    }

    /// Data waits for this UE, or no longer does.
    #[inline(always)]
    pub(in crate::ran::cell) fn set_waiting(&mut self, ue: u32, waits: bool) {
        if std::mem::replace(&mut self.is_waiting[ue as usize], waits) == waits {
            return;
        }
        let place = self.waiting.partition_point(|&other| other < ue);
        if waits {
            self.waiting.insert(place, ue);
        } else {
            self.waiting.remove(place);
        }
    }

    /// True when the next slot may have something to send.
    pub(in crate::ran::cell) fn has_work(&self) -> bool {
        !self.waiting.is_empty() || !self.again.is_empty()
    }
}

impl Cell {
    /// Feedback reaches the scheduler, perhaps misread.
    pub(in crate::ran::cell) fn downlink_feedback(
        &mut self,
        slot: u64,
        feedback: &[Feedback],
        out: &mut Outbox<Effect>,
    ) {
        let now = self.clock.start(slot);
        for &Feedback { ue, process, acknowledged } in feedback {
            let errors = &self.config.feedback;
            let misread = if acknowledged { errors.ack_as_nack } else { errors.nack_as_ack };
            let state = &mut self.ues[ue as usize];
            let wrong = !misread.is_zero() && state.feedback_errors.chance(misread);
            let read = acknowledged != wrong;
            if state.down.harq.transmissions(process) == 1 {
                let (capacity, tti) = (&self.config.downlink.channel.capacity, self.tti);
                state.down.link.on_first(capacity, tti, &mut self.schemes.down, read);
            }
            let verdict = state.down.harq.on_feedback(process, read);
            if verdict == Verdict::Again {
                self.down.again.push_back((ue, process));
            } else if !state.down.harq.block(process).arrived {
                self.statistics.downlink.lost += 1;
                self.open(now, Direction::Down, ue, process, true);
                self.settle(now, ue, out);
            }
        }
    }

    /// All that is sent in this slot.
    pub(in crate::ran::cell) fn schedule_downlink(
        &mut self,
        slot: u64,
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        if !self.down.has_work() {
            return;
        }
        let mut units = self.supply.down.units(slot);
        let mut ues = self.config.downlink.channel.ues_per_slot;
        self.send_again(slot, &mut units, &mut ues);
        if units == 0 || ues == 0 || self.down.waiting.is_empty() {
            return;
        }
        self.discard_late(now, out);
        self.collect_candidates(slot, now);
        let DownlinkState { scheduler, candidates, .. } = &mut self.down;
        scheduler.rank(slot, candidates);
        if self.shares_groups() {
            self.send_by_groups(slot, now, ues);
            return;
        }
        while units > 0
            && ues > 0
            && let Some(ue) = self.down.scheduler.pick()
        {
            let used = self.send_new(slot, now, ue, units);
            units -= used;
            ues -= u32::from(used > 0);
        }
    }

    /// Retransmissions go first, oldest first, on as many resources as before.
    fn send_again(&mut self, slot: u64, units: &mut u64, ues: &mut u32) {
        for _ in 0..self.down.again.len() {
            let (ue, process) = self.down.again.pop_front().expect("counted");
            let state = &mut self.ues[ue as usize];
            let needed = state.down.harq.block(process).units;
            let fits = *ues > 0 && needed <= *units && self.down.served[ue as usize] != slot;
            if !fits || !self.take_control(ue) {
                self.down.again.push_back((ue, process));
                continue;
            }
            *units -= needed;
            *ues -= 1;
            if let Some(air) = &mut self.air {
                self.ues[ue as usize].down.harq.block(process).groups = air.take(slot, needed);
                *units = air.free_prbs();
            }
            self.ues[ue as usize].down.harq.send_again(process);
            self.transmit_downlink(slot, ue, process);
        }
    }

    /// UEs with data and a free process.
    fn collect_candidates(&mut self, slot: u64, now: Instant) {
        let config::Channel { capacity, .. } = &self.config.downlink.channel;
        let band = self.supply.down.units(slot);
        let needs_delays = self.down.scheduler.needs_delays();
        let down = &mut self.down;
        down.candidates.clear();
        for &ue in &down.waiting {
            let state = &mut self.ues[ue as usize];
            if !state.down.harq.has_free() || down.served[ue as usize] == slot {
                continue;
            }
            if let Some(air) = &mut self.air {
                let erased = self.config.feedback.cqi_erased;
                air.refresh_downlink(state, slot, &self.clock, erased, |link, reported| {
                    link.on_report(reported, capacity, self.tti, &mut self.schemes.down);
                });
            }
            let rate = match &self.air {
                Some(air) if air.shared.knows_subbands() => air.bytes(state),
                _ => state.down.link.size(capacity, self.tti, band).0 as f64,
            };
            if rate > 0.0 {
                let (quality, delay, urgent) = state.most_urgent(now, needs_delays);
                let target = state.target;
                down.candidates.push(Candidate { ue, rate, delay, quality, target, urgent });
            }
        }
    }

    /// A new block for a UE; returns the units it took.
    fn send_new(&mut self, slot: u64, now: Instant, ue: u32, units: u64) -> u64 {
        let channel = &self.config.downlink.channel;
        let state = &mut self.ues[ue as usize];
        let demand = state.allowed_downlink(now, &mut self.scratch);
        if demand.is_zero() {
            let waits = state.has_data(now, Direction::Down);
            self.down.set_waiting(ue, waits);
            return 0;
        }
        let bare = self.config.bare_blocks;
        let wanted = demand + if bare { Bytes::ZERO } else { header::ALLOWANCE };
        let used = state.down.link.units_for(&channel.capacity, self.tti, wanted, units);
        let size = state.down.link.size(&channel.capacity, self.tti, used);
        if used == 0 || size.is_zero() || !self.take_control(ue) {
            return 0;
        }
        let groups = self.air.as_mut().map(|air| air.take(slot, used)).unwrap_or_default();
        self.send_block(slot, now, ue, used, size, groups);
        used
    }

    /// A new block of `size` bytes goes out on `units`.
    pub(in crate::ran::cell) fn send_block(
        &mut self,
        slot: u64,
        now: Instant,
        ue: u32,
        units: u64,
        size: Bytes,
        groups: GroupSet,
    ) {
        let process = self.build_downlink(slot, now, ue, units, size);
        let state = &mut self.ues[ue as usize];
        state.counted.on_block(size, state.down.link.mcs());
        state.down.harq.block(process).groups = groups;
        self.transmit_downlink(slot, ue, process);
        self.plan_advance(slot, ue);
        let served = self.ues[ue as usize].down.harq.block(process).size;
        self.down.scheduler.on_served(ue, slot, served);
        let waits = self.ues[ue as usize].has_data(now, Direction::Down);
        self.down.set_waiting(ue, waits);
    }

    fn build_downlink(
        &mut self,
        slot: u64,
        now: Instant,
        ue: u32,
        units: u64,
        size: Bytes,
    ) -> usize {
        let channel = &self.config.downlink.channel;
        let air = slot + self.slots.block_to_air;
        let (started, clock, tti) = (self.clock.start(air), self.clock, self.tti);
        let state = &mut self.ues[ue as usize];
        let process = state.down.harq.any_free().expect("candidates have a free process");
        let parts = std::mem::take(&mut state.down.harq.block(process).parts);
        let packing = Packing::new(size).bare(self.config.bare_blocks);
        let mut draft = Draft { direction: Direction::Down, now, packing, parts };
        state.fill(&mut draft, channel.sharing, &mut self.scratch, |ledger| {
            // It was ready in the middle of a slot; what is longer than that was waiting for others.
            let ready = ledger.booked();
            if ready + tti < now {
                ledger.charge(Cause::RadioAlignment, clock.start(clock.at_or_after(ready)));
                ledger.charge(Cause::RadioQueue, now);
            } else {
                ledger.charge(Cause::RadioAlignment, now);
            }
            ledger.charge(Cause::RadioProcessing, started);
        });
        if matches!(channel.capacity, config::Capacity::Unlimited) {
            draft.packing.shrink();
        }
        self.statistics.downlink.on_block(draft.packing.finish());
        let modulation = state.down.link.modulation();
        let block = state.down.harq.block(process);
        block.begin(draft, &clock, air, units, modulation);
        if channel.link != LinkModel::Ideal {
            link_adaptation::start(&mut block.soft, block.size);
        }
        state.down.harq.send_new(process);
        process
    }

    /// A block is on the air.
    fn transmit_downlink(&mut self, slot: u64, ue: u32, process: usize) {
        self.down.served[ue as usize] = slot;
        self.down.on_air.push((ue, process));
    }

    /// The fates of all blocks of this slot, in the order in which they were sent. By now it is known
    /// what the other cells of a network send.
    pub(in crate::ran::cell) fn receive(&mut self, slot: u64) {
        self.statistics.cces += u64::from(self.control.used());
        let blocks = std::mem::take(&mut self.down.on_air);
        for &(ue, process) in &blocks {
            self.receive_downlink(slot, ue, process);
        }
        self.down.on_air = blocks;
        self.down.on_air.clear();
    }

    fn receive_downlink(&mut self, slot: u64, ue: u32, process: usize) {
        let channel = &self.config.downlink.channel;
        let air_slot = slot + self.slots.block_to_air;
        let Ue { down: half, path, counted, .. } = &mut self.ues[ue as usize];
        let number = half.harq.transmissions(process);
        let block = half.harq.block(process);
        if let (Some(air), Some(path)) = (&mut self.air, path)
            && let Some(sinr) =
                air.hear_downlink(path, self.clock.start(air_slot), block.groups, block.modulation)
        {
            half.link.hear(sinr);
        }
        let sent = Sent { modulation: block.modulation, units: block.units, number };
        let decodes = block.arrived
            || half.link.decodes(
                &channel.capacity,
                &channel.link,
                self.tti,
                sent,
                &mut block.soft,
                &mut half.errors,
            );
        self.statistics.downlink.on_transmission(block.units, number == 1, decodes);
        counted.on_transmission(number == 1, decodes);
        self.tallies.down.wire += block.size;
        if decodes && !block.arrived {
            block.arrived = true;
            block.decoded = self.clock.end(air_slot);
            let at = self.clock.after(air_slot + 1, self.config.timing.ue_processing);
            let arrival = Arrival { at, ue, process, lost: false };
            self.arrivals.down.push_back(arrival);
        } else if !block.arrived {
            block.decoded = self.clock.end(air_slot);
        }
        let known = slot + self.slots.downlink_feedback;
        let feedback = Feedback { ue, process, acknowledged: decodes };
        self.ring.at(known).feedback.push(feedback);
    }

    /// Room for one control message to a UE.
    pub(in crate::ran::cell) fn take_control(&mut self, ue: u32) -> bool {
        let fits = self.control.take(self.ues[ue as usize].aggregation);
        self.statistics.control_blocked += u64::from(!fits);
        fits
    }

    /// PDCP drops what waited too long.
    fn discard_late(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if !self.config.bearers.iter().any(|bearer| bearer.pdcp[0].discard_timer.is_some()) {
            return;
        }
        for place in 0..self.down.waiting.len() {
            let ue = self.down.waiting[place];
            for bearer in &mut self.ues[ue as usize].bearers {
                bearer.pdcp.down.discard(now, Direction::Down, &mut bearer.rlc, &mut self.effects);
            }
            self.carry_out(now, ue, out);
        }
    }
}

impl Ue {
    /// Class and age of the oldest packet of the most urgent downlink bearer with data; and whether a
    /// guaranteed rate is in danger.
    fn most_urgent(&mut self, now: Instant, with_delay: bool) -> (Characteristics, Duration, bool) {
        let (mut best, mut urgent) = (0, false);
        if self.bearers.len() > 1 || self.target > 0.0 {
            let mut first = None;
            for (position, bearer) in self.bearers.iter_mut().enumerate() {
                if !bearer.rlc.has_demand(now, Direction::Down) {
                    continue;
                }
                let budget = bearer.quality.delay_budget.saturating_sub(CORE_NETWORK_DELAY);
                let delay = bearer.delay(now);
                urgent |= bearer.rates.in_danger(now, delay, budget);
                let priority = bearer.quality.priority;
                if first.is_none_or(|other| priority < other) {
                    (first, best) = (Some(priority), position);
                }
            }
        }
        let bearer = &self.bearers[best];
        let delay = if with_delay { bearer.delay(now) } else { Duration::ZERO };
        (bearer.quality, delay, urgent)
    }
}

impl Bearer {
    /// How long the oldest packet of which nothing was sent has waited.
    fn delay(&self, now: Instant) -> Duration {
        let oldest = self.rlc.buffer(Direction::Down).queue().front();
        oldest.map_or(Duration::ZERO, |sdu| now.saturating_since(sdu.arrived))
    }
}
