//! New blocks of the downlink: the UEs that get resources of a slot, and their numbers of units.
//!
//! In: queues at the base station, the rest of a slot. Out: blocks on the air.
//!
//! Left out: assignments that a UE misses (1 % by the choice of aggregation levels).

use std::collections::VecDeque;

use super::buffer_view::BufferView;
use super::downlink_fill::{FillRule, head_of_line_delay};
use super::link_adaptation::WholeSlot;
use super::room::{Announced, Room};
use super::semi_persistent::Rule;
use super::ue_context::UeContext;
use super::{BaseStation, BaseTurn};
use crate::net::{Cause, Direction, Ledger};
use crate::ran::cell::bearer::Bearer;
use crate::ran::cell::config::{Capacity, Config};
use crate::ran::cell::draft::{Draft, Scratch};
use crate::ran::cell::limits::Met;
use crate::ran::cell::rbg::GroupSet;
use crate::ran::cell::starts::Starts;
use crate::ran::mac::header::Packing;
use crate::ran::mac::scheduler::{Candidate, Scheduler};
use crate::ran::phy::LinkModel;
use crate::ran::tables::class::Characteristics;
use crate::unit::{Bytes, Duration, Instant};

/// State of the downlink scheduler.
#[derive(Clone, Debug)]
pub(super) struct DownlinkScheduler {
    pub(super) scheduler: Scheduler,
    pub(super) fill: FillRule,
    /// UEs with data, in ascending order.
    pub(super) backlogged: Vec<u32>,
    is_backlogged: Vec<bool>,
    /// Blocks to retransmit, oldest first: the UE and the process.
    pub(super) retransmissions: VecDeque<(u32, usize)>,
    /// Sum of the guaranteed rates of a UE, in bytes per slot.
    target: f64,
    /// `true` if the most urgent bearer of a UE is needed: the metric uses it, or guaranteed rates
    /// may be in danger.
    ranks_bearers: bool,
    candidates: Vec<Candidate>,
    /// Blocks sent in this slot: the UE and the process of each.
    pub(super) on_air: Vec<(u32, usize)>,
    /// Limits that this slot has met.
    pub(super) met: Met,
    /// Blocks of earlier slots that are still on the air: the first slot after each block, and its
    /// units.
    still_on_air: VecDeque<(u64, u64)>,
}

impl DownlinkScheduler {
    pub(super) fn new(config: &Config, ue_count: u32) -> Self {
        let channel = &config.downlink.channel;
        let slot = config.tti.length().as_secs_f64();
        let guarantees = config.bearers.iter().any(|bearer| bearer.gbr.down.is_some());
        Self {
            ranks_bearers: guarantees || channel.metric.needs_most_urgent(),
            scheduler: Scheduler::new(channel.metric, ue_count, channel.averaging_slots),
            fill: FillRule {
                view: BufferView::new(config),
                sharing: channel.sharing,
                limited: config.aggregate_maximum.is_some()
                    || config.bearers.iter().any(|bearer| bearer.mbr.down.is_some()),
                promises: guarantees,
                urgent: config.downlink.urgent.is_some().then_some(false),
            },
            backlogged: Vec::with_capacity(ue_count as usize),
            is_backlogged: vec![false; ue_count as usize],
            retransmissions: VecDeque::new(),
            target: (config.bearers.iter())
                .filter_map(|bearer| bearer.gbr.down)
                .map(|rate| rate.as_bps() as f64 / 8.0 * slot)
                .sum(),
            candidates: Vec::with_capacity(ue_count as usize),
            on_air: Vec::new(),
            met: Met::default(),
            still_on_air: VecDeque::new(),
        }
    }

    /// Returns the units of `slot` that blocks of earlier slots occupy.
    #[inline]
    pub(super) fn still_taken(&mut self, slot: u64) -> u64 {
        while self.still_on_air.front().is_some_and(|&(end, _)| end <= slot) {
            self.still_on_air.pop_front();
        }
        // Urgent blocks end before others that began earlier.
        self.still_on_air.iter().filter(|&&(end, _)| end > slot).map(|&(_, units)| units).sum()
    }

    /// Occupies units for a block until slot `end` begins.
    #[inline]
    pub(super) fn take_until(&mut self, end: u64, units: u64) {
        self.still_on_air.push_back((end, units));
    }

    /// Records whether data wait for this UE.
    #[inline(always)]
    pub(super) fn set_backlogged(&mut self, ue: u32, waits: bool) {
        if std::mem::replace(&mut self.is_backlogged[ue as usize], waits) == waits {
            return;
        }
        let place = self.backlogged.partition_point(|&other| other < ue);
        if waits {
            self.backlogged.insert(place, ue);
        } else {
            self.backlogged.remove(place);
        }
    }

    /// Removes a UE, to which nothing more is sent.
    pub(super) fn forget(&mut self, ue: u32) {
        self.set_backlogged(ue, false);
        self.retransmissions.retain(|&(other, _)| other != ue);
        debug_assert!(self.on_air.is_empty(), "a UE leaves between slots");
    }

    /// Puts a block of `units` units on the air.
    #[inline(always)]
    pub(super) fn transmit(&mut self, turn: &BaseTurn<'_>, ue: u32, process: usize, units: u64) {
        self.on_air.push((ue, process));
        let on_air = turn.setup.on_air;
        if on_air > 1 {
            self.take_until(turn.setup.timeline.downlink_on_air(turn.slot) + on_air, units);
        }
    }

    /// Returns `true` if the next slot may have something to send.
    #[inline]
    pub(super) fn has_work(&self) -> bool {
        !self.backlogged.is_empty() || !self.retransmissions.is_empty()
    }
}

impl BaseStation {
    /// Returns the UEs with data, in ascending order.
    pub(in crate::ran::cell) fn backlogged(&self) -> &[u32] {
        &self.down.backlogged
    }

    /// Keeps this UE out of scheduling: its data wait for something else than resources.
    pub(in crate::ran::cell) fn hold_back(&mut self, ue: u32) {
        self.down.set_backlogged(ue, false);
    }

    /// Handles the arrival of a packet at the queue of a bearer, whether it is queued or dropped.
    #[inline(always)]
    pub(in crate::ran::cell) fn on_packet(
        &mut self,
        ue: u32,
        position: usize,
        bearer: &Bearer,
        queued: bool,
    ) {
        if self.down.fill.view == BufferView::Reported {
            self.ues[ue as usize].down.bearers[position].on_packet(bearer);
        }
        match &mut self.urgent {
            Some(urgent) if queued && bearer.urgent => urgent.set_backlogged(ue, true),
            _ if queued => self.down.set_backlogged(ue, true),
            _ => {}
        }
    }

    /// Handles a possible change of a UE's queues.
    #[inline(always)]
    pub(in crate::ran::cell) fn on_queues(&mut self, now: Instant, ue: u32, bearers: &[Bearer]) {
        let waits = self.down.fill.has_data(now, &self.ues[ue as usize].down, bearers);
        self.down.set_backlogged(ue, waits);
        if self.urgent.is_some() {
            self.on_urgent_queues(now, ue, bearers);
        }
    }

    /// Sends new blocks on the remaining resources.
    #[inline(always)]
    pub(in crate::ran::cell) fn send_new_blocks(
        &mut self,
        turn: &mut BaseTurn<'_>,
        mut room: Room,
    ) {
        self.collect_candidates(turn);
        let DownlinkScheduler { scheduler, candidates, .. } = &mut self.down;
        scheduler.rank(turn.slot, candidates);
        if self.shares_groups(&turn.setup.config) {
            self.send_by_groups(turn, room.ues);
            self.count_downlink_limits(turn);
            return;
        }
        while room.units > 0
            && room.ues > 0
            && let Some(ue) = self.down.scheduler.pick()
        {
            let used = self.send_new(turn, ue, room.units);
            room.units -= used;
            room.ues -= u32::from(used > 0);
        }
        if self.down.scheduler.has_left() {
            self.down.met.note_unpicked(room.units);
        }
        self.count_downlink_limits(turn);
    }

    /// Collects UEs with data and a free process as candidates.
    fn collect_candidates(&mut self, turn: &mut BaseTurn<'_>) {
        let BaseTurn { setup, slot, now, .. } = *turn;
        let capacity = &setup.config.downlink.channel.capacity;
        let on_air = setup.timeline.downlink_on_air(slot);
        let whole = WholeSlot::new(capacity, on_air, setup.capacity.down.units(on_air));
        let erased = setup.config.feedback.cqi_erased;
        let down = &mut self.down;
        let needs_delays = down.scheduler.needs_delays();
        down.candidates.clear();
        for &ue in &down.backlogged {
            let context = &mut self.ues[ue as usize];
            if !context.down.harq.has_free()
                || context.down.is_served(slot, setup.on_air)
                || !context.is_awake(slot)
            {
                continue;
            }
            if let Some(sinr) =
                turn.air.links[ue as usize].measured(Direction::Down, slot, &setup.clock, erased)
            {
                context.on_measured(&setup.config, sinr, &mut self.caches.down);
            }
            let link = &mut context.down.link;
            if let (Some(environment), Some(cqi)) =
                (&mut turn.air.environment, &mut context.down.cqi)
                && let Some(reported) = environment.downlink_report(
                    &mut turn.air.links[ue as usize],
                    slot,
                    &setup.clock,
                    erased,
                    cqi,
                )
            {
                link.on_report(reported, capacity, &mut self.caches.down);
            }
            let rate = match (&self.allocation, &context.down.cqi) {
                (Some(allocation), Some(cqi)) if allocation.shared.knows_subbands() => {
                    allocation.bytes(cqi)
                }
                _ => link.size_of_whole(&whole).0 as f64,
            };
            if rate > 0.0 {
                let bearers = &turn.bearers[ue as usize];
                let target = down.target;
                let (quality, delay, urgent) = if down.ranks_bearers {
                    context.most_urgent(now, bearers, needs_delays)
                } else {
                    (bearers[0].quality, Duration::ZERO, false)
                };
                down.candidates.push(Candidate { ue, rate, delay, quality, target, urgent });
            }
        }
    }

    /// Returns the bytes that a UE could get in a new block, with headers. If there are none,
    /// returns `None` and updates whether the UE is backlogged.
    #[inline]
    pub(super) fn wanted(&mut self, turn: &BaseTurn<'_>, ue: u32) -> Option<Bytes> {
        let bearers = &turn.bearers[ue as usize];
        let context = &mut self.ues[ue as usize].down;
        let demand = self.down.fill.allowed(turn.now, ue, context, bearers, &mut self.scratch);
        if demand.is_zero() {
            self.on_queues(turn.now, ue, bearers);
            return None;
        }
        Some(demand + turn.setup.config.sub_headers.allowance())
    }

    /// Sends a new block to a UE, and returns the units that it takes.
    fn send_new(&mut self, turn: &mut BaseTurn<'_>, ue: u32, units: u64) -> u64 {
        let Some(mut wanted) = self.wanted(turn, ue) else { return 0 };
        let rule = self.semi_persistent_rule(turn, ue, wanted);
        let mut process = None;
        match rule {
            Rule::Dynamic => {}
            Rule::Waits => return 0,
            Rule::Activates(size, named) => (wanted, process) = (size, Some(named)),
        }
        let capacity = &turn.setup.config.downlink.channel.capacity;
        let on_air = turn.setup.timeline.downlink_on_air(turn.slot);
        let link = &self.ues[ue as usize].down.link;
        let used = link.units_for(capacity, on_air, wanted, units);
        let size = link.size(capacity, on_air, used);
        self.down.met.note_if(size < wanted, link.limit_within(units));
        if size.is_zero() || !self.take_control(turn.air, Direction::Down, ue) {
            return 0;
        }
        let taken = self.allocation.as_mut().map(|allocation| allocation.take(turn.slot, used));
        if process.is_some() {
            self.activate_semi_persistent(turn.slot, ue);
        }
        let announced = Announced::Now(process);
        self.send_block(turn, ue, (used, size), taken.unwrap_or_default(), announced);
        used
    }

    /// Sends a new block of `units` units and `size` bytes.
    pub(super) fn send_block(
        &mut self,
        turn: &mut BaseTurn<'_>,
        ue: u32,
        (units, size): (u64, Bytes),
        groups: GroupSet,
        announced: Announced,
    ) {
        let Self { ues, down, scratch, .. } = self;
        let context = &mut ues[ue as usize];
        let process = context.build((down.fill, scratch), turn, ue, (units, size), announced);
        let context = &mut context.down;
        context.served = turn.slot;
        turn.air.links[ue as usize].counted.on_block(size, context.link.mcs());
        let block = context.harq.block(process);
        block.groups = groups;
        let place = (Direction::Down, ue, process);
        let bearers = &turn.bearers[ue as usize];
        turn.air.capture_block(turn.setup, place, block, bearers, None);
        down.transmit(turn, ue, process, block.units);
        down.scheduler.on_served(ue, turn.slot, block.size);
        self.plan_proactive(turn, ue);
        self.on_queues(turn.now, ue, &turn.bearers[ue as usize]);
    }
}

impl UeContext {
    /// Builds a block of `units` units and `size` bytes, and returns its process.
    #[inline(always)]
    fn build(
        &mut self,
        (fill, scratch): (FillRule, &mut Scratch),
        turn: &mut BaseTurn<'_>,
        ue: u32,
        (units, size): (u64, Bytes),
        announced: Announced,
    ) -> usize {
        let BaseTurn { setup, slot, now, .. } = *turn;
        let channel = &setup.config.downlink.channel;
        let air = setup.timeline.downlink_on_air(slot);
        let times = setup.times_of_block(Direction::Down, air);
        let started = times.started;
        let (woke, named, wait) = match announced {
            Announced::Now(named) => (self.on_assignment(slot), named, Cause::RadioQueue),
            Announced::Before(named) => (None, Some(named), Cause::ConfiguredGrantWait),
        };
        let context = &mut self.down;
        let process = named.or_else(|| context.harq.any_free());
        let process = process.expect("candidates have a free process");
        let parts = std::mem::take(&mut context.harq.block(process).parts);
        let packing = Packing::new(size, setup.config.sub_headers);
        let mut draft = Draft {
            direction: Direction::Down,
            now,
            packing,
            parts,
            status_pdus: channel.status_pdus,
        };
        let bearers = &mut turn.bearers[ue as usize];
        let starts = Starts::new(&setup.clock, &setup.timeline);
        let charge = |ledger: &mut Ledger| {
            setup.charge_start(ledger, (&starts, wait), now, woke);
            ledger.charge(Cause::RadioProcessing, started);
        };
        let knows_demands = scratch.demanded.take() == Some((ue, now));
        fill.fill(&mut draft, context, bearers, (scratch, knows_demands), &charge);
        if matches!(channel.capacity, Capacity::Unlimited) {
            draft.packing.shrink();
        }
        turn.air.statistics.downlink.on_block(draft.packing.finish());
        let scheme = context.link.scheme();
        let block = context.harq.send_new(process);
        block.begin(draft, times, units, scheme.modulation);
        if channel.link != LinkModel::Ideal {
            block.start_decoding(channel, channel.capacity.code_blocks(block.size, scheme.mcs));
        }
        process
    }

    /// Returns the class and the age of the oldest packet of the most urgent downlink bearer with
    /// data, and whether a guaranteed rate is in danger.
    pub(super) fn most_urgent(
        &mut self,
        now: Instant,
        bearers: &[Bearer],
        with_delay: bool,
    ) -> (Characteristics, Duration, bool) {
        let (mut best, mut urgent) = (0, false);
        if bearers.len() > 1 {
            let mut first = None;
            for (position, bearer) in bearers.iter().enumerate() {
                if bearer.urgent || !bearer.rlc.has_demand(now, Direction::Down) {
                    continue;
                }
                let budget = bearer.quality.radio_budget();
                let delay = head_of_line_delay(bearer, now);
                urgent |= self.down.bearers[position].rates.in_danger(now, delay, budget);
                let priority = bearer.quality.priority;
                if first.is_none_or(|other| priority < other) {
                    (first, best) = (Some(priority), position);
                }
            }
        }
        let bearer = &bearers[best];
        let delay = if with_delay { head_of_line_delay(bearer, now) } else { Duration::ZERO };
        (bearer.quality, delay, urgent)
    }
}
