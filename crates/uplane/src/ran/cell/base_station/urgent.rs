//! Urgent blocks of the downlink: their UEs, and their resource blocks.
//!
//! In: queues of urgent bearers, blocks of a slot that are on the air. Out: short blocks on the
//! air; losses of the other blocks.
//!
//! Retransmissions go first, then UEs in the order of their oldest packet. A block takes free
//! resource blocks. If they are too few, it takes those of the block with the lowest priority, the
//! largest among several, then of the next (pre-emption). Urgent blocks have their own HARQ
//! processes, numbered after the other processes in messages.
//!
//! Left out: an outer loop, for which one failure in 10⁵ blocks is too rare; reference signals of
//! the other blocks, which a base station spares; the rule that a UE with both kinds of data gets
//! one block at a time. This matters if a cell sends urgent and other data to one UE.

use std::collections::VecDeque;

use super::downlink_fill::FillRule;
use super::link_adaptation::LinkAdaptation;
use super::on_air::LongBlocks;
use super::{Attachment, BaseStation, BaseTurn};
use crate::net::{Cause, Direction, Ledger};
use crate::ran::cell::air::HarqFeedback;
use crate::ran::cell::bearer::Bearer;
use crate::ran::cell::block::Block;
use crate::ran::cell::draft::Draft;
use crate::ran::cell::mcs_cache::McsCache;
use crate::ran::cell::preemption::Preemption;
use crate::ran::cell::setup::Setup;
use crate::ran::cell::starts::Starts;
use crate::ran::cell::urgent::Grid;
use crate::ran::mac::harq::{Processes, Verdict};
use crate::ran::mac::header::Packing;
use crate::unit::{Bytes, Instant};

/// The base station's state of its urgent downlink.
#[derive(Clone, Debug)]
pub(super) struct UrgentDownlink {
    ues: Vec<Context>,
    /// UEs with data, in ascending order.
    backlogged: Vec<u32>,
    /// Blocks to retransmit, oldest first: the UE and the process of each.
    retransmissions: VecDeque<(u32, usize)>,
    /// Blocks sent in this slot of the clock: the UE and the process of each.
    on_air: Vec<(u32, usize)>,
    /// Blocks of whole slots that are on the air.
    pub(super) long: LongBlocks,
    /// The number of the first process.
    first_process: usize,
}

/// Urgent downlink state of one UE.
#[derive(Clone, Debug)]
struct Context {
    link: LinkAdaptation,
    harq: Processes<Block>,
    /// First slot after its last block.
    free_from: u64,
}

/// The rest of a slot for urgent blocks that begin now.
#[derive(Clone, Copy, Debug)]
struct Room {
    free: u64,
    ues: u32,
    /// First slot after these blocks.
    end: u64,
}

impl UrgentDownlink {
    pub(super) fn new(setup: &Setup, attachments: &[Attachment]) -> Option<Box<Self>> {
        let channel = &setup.urgent.as_ref()?.config.channel;
        let mut cache = McsCache::default();
        let mut context = |ue: &Attachment| {
            let sinr = ue.conditions.downlink.into();
            let capacity = &channel.capacity;
            let link = LinkAdaptation::new(capacity, Direction::Down, sinr, false, &mut cache);
            Context { link, harq: Processes::new(channel.harq), free_from: 0 }
        };
        Some(Box::new(Self {
            ues: attachments.iter().map(&mut context).collect(),
            backlogged: Vec::new(),
            retransmissions: VecDeque::new(),
            on_air: Vec::new(),
            long: LongBlocks::default(),
            first_process: setup.config.downlink.channel.harq.processes as usize,
        }))
    }

    /// Returns `true` if the next slot of the clock may have something to send.
    pub(super) fn has_work(&self) -> bool {
        !self.backlogged.is_empty() || !self.retransmissions.is_empty()
    }

    /// Returns the UEs with data, in ascending order.
    pub(super) fn backlogged(&self) -> &[u32] {
        &self.backlogged
    }

    /// Returns the block of a process, by its number in messages; `None` if the process is not an
    /// urgent one.
    pub(super) fn block(&mut self, ue: u32, process: usize) -> Option<&mut Block> {
        let own = process.checked_sub(self.first_process)?;
        Some(self.ues[ue as usize].harq.block(own))
    }

    /// Records whether data wait for this UE.
    pub(super) fn set_backlogged(&mut self, ue: u32, waits: bool) {
        match (self.backlogged.binary_search(&ue), waits) {
            (Err(place), true) => self.backlogged.insert(place, ue),
            (Ok(place), false) => {
                self.backlogged.remove(place);
            }
            _ => {}
        }
    }

    /// Handles feedback for an urgent block. Returns `true` if it ends a block that its UE never
    /// decoded; `None` for feedback of another block.
    pub(super) fn on_feedback(
        &mut self,
        turn: &mut BaseTurn<'_>,
        feedback: HarqFeedback,
    ) -> Option<bool> {
        let HarqFeedback { ue, process, .. } = feedback;
        let process = process.checked_sub(self.first_process)?;
        let acknowledged = turn.air.read_feedback(turn.setup, feedback);
        let harq = &mut self.ues[ue as usize].harq;
        if harq.on_feedback(process, acknowledged) == Verdict::Retransmit {
            self.retransmissions.push_back((ue, process));
            return Some(false);
        }
        let lost = !harq.block(process).arrived;
        turn.air.statistics.urgent.lost += u64::from(lost);
        Some(lost)
    }

    /// Sends the blocks that begin in `turn`'s slot.
    fn send(&mut self, base: &mut BaseStation, turn: &mut BaseTurn<'_>) {
        let setup = turn.setup;
        let grid = setup.urgent.as_ref().expect("a cell with urgent blocks");
        let band = grid.capacity.units(turn.slot);
        if band == 0 || !self.has_work() {
            return;
        }
        let mut room = Room {
            free: band.saturating_sub(base.down.still_taken(turn.slot)),
            ues: grid.config.channel.ues_per_slot,
            end: turn.slot + grid.config.on_air,
        };
        self.send_retransmissions(base, turn, grid, &mut room);
        for ue in self.in_order(turn.bearers) {
            if room.ues > 0 && self.send_new(base, turn, grid, ue, &mut room) {
                room.ues -= 1;
            }
        }
    }

    /// Returns the UEs with data, the longest waiting first.
    fn in_order(&self, bearers: &[Vec<Bearer>]) -> Vec<u32> {
        let oldest = |ue: &u32| {
            let urgent = bearers[*ue as usize].iter().filter(|bearer| bearer.urgent);
            urgent.filter_map(|bearer| bearer.rlc.buffer(Direction::Down).oldest()).min()
        };
        let mut ues = self.backlogged.clone();
        // A UE without a waiting packet has data of RLC itself, which have waited longer.
        ues.sort_by_key(|ue| oldest(ue).unwrap_or(Instant::ZERO));
        ues
    }

    /// Returns the resource blocks that a block could get now.
    fn available(&self, grid: &Grid, room: &Room, now: u64) -> u64 {
        match grid.config.preemption {
            Preemption::Never => room.free,
            _ => room.free + self.long.available(now),
        }
    }

    /// Sends retransmissions on as many resource blocks as before.
    fn send_retransmissions(
        &mut self,
        base: &mut BaseStation,
        turn: &mut BaseTurn<'_>,
        grid: &Grid,
        room: &mut Room,
    ) {
        for _ in 0..self.retransmissions.len() {
            let (ue, process) = self.retransmissions.pop_front().expect("counted");
            let available = self.available(grid, room, turn.slot);
            let context = &mut self.ues[ue as usize];
            let needed = context.harq.block(process).units;
            let fits = room.ues > 0 && needed <= available && context.free_from <= turn.slot;
            if !fits || !base.take_control(turn.air, Direction::Down, ue) {
                self.retransmissions.push_back((ue, process));
                continue;
            }
            room.ues -= 1;
            context.harq.retransmit(process);
            self.put_on_air(base, turn, grid, (ue, process), room);
        }
    }

    /// Sends a new block to a UE. Returns `false` if the UE gets none now.
    fn send_new(
        &mut self,
        base: &mut BaseStation,
        turn: &mut BaseTurn<'_>,
        grid: &Grid,
        ue: u32,
        room: &mut Room,
    ) -> bool {
        let available = self.available(grid, room, turn.slot);
        let context = &mut self.ues[ue as usize];
        if !context.harq.has_free() || context.free_from > turn.slot {
            return false;
        }
        let bearers = &turn.bearers[ue as usize];
        let down = &mut base.ues[ue as usize].down;
        let fill = FillRule { urgent: Some(true), ..base.down.fill };
        let demand = fill.allowed(turn.now, ue, down, bearers, &mut base.scratch);
        if demand.is_zero() {
            let waits = fill.has_data(turn.now, down, bearers);
            self.set_backlogged(ue, waits);
            return false;
        }
        let wanted = demand + turn.setup.config.sub_headers.allowance();
        let capacity = &grid.config.channel.capacity;
        let units = context.link.units_for(capacity, turn.slot, wanted, available);
        let size = context.link.size(capacity, turn.slot, units);
        if size.is_zero() || !base.take_control(turn.air, Direction::Down, ue) {
            return false;
        }
        let process = self.build(base, turn, grid, ue, (units, size));
        self.put_on_air(base, turn, grid, (ue, process), room);
        base.on_queues(turn.now, ue, &turn.bearers[ue as usize]);
        let waits =
            fill.has_data(turn.now, &base.ues[ue as usize].down, &turn.bearers[ue as usize]);
        self.set_backlogged(ue, waits);
        true
    }

    fn build(
        &mut self,
        base: &mut BaseStation,
        turn: &mut BaseTurn<'_>,
        grid: &Grid,
        ue: u32,
        (units, size): (u64, Bytes),
    ) -> usize {
        let BaseTurn { setup, slot, now, .. } = *turn;
        let channel = &grid.config.channel;
        let times = grid.times_of_block(&setup.clock, slot);
        let Context { link, harq, .. } = &mut self.ues[ue as usize];
        let process = harq.any_free().expect("looked for");
        let mut draft = Draft {
            direction: Direction::Down,
            now,
            packing: Packing::new(size, setup.config.sub_headers),
            parts: std::mem::take(&mut harq.block(process).parts),
            status_pdus: channel.status_pdus,
        };
        let starts = Starts::new(&setup.clock, &grid.timeline);
        let charge = |ledger: &mut Ledger| {
            setup.charge_start(ledger, (&starts, Cause::RadioQueue), now, None);
        };
        let knows_demands = base.scratch.demanded.take() == Some((ue, now));
        let fill = FillRule { urgent: Some(true), ..base.down.fill };
        let scratch = (&mut base.scratch, knows_demands);
        let down = &mut base.ues[ue as usize].down;
        fill.fill(&mut draft, down, &mut turn.bearers[ue as usize], scratch, &charge);
        turn.air.statistics.urgent.on_block(draft.packing.finish());
        let scheme = link.scheme();
        let block = harq.block(process);
        block.begin(draft, times, units, scheme.modulation);
        block.start_decoding(channel, channel.capacity.code_blocks(block.size, scheme.mcs));
        harq.send_new(process);
        process
    }

    /// Puts a block on the air, on free resource blocks and on those that it takes from other
    /// blocks.
    fn put_on_air(
        &mut self,
        base: &mut BaseStation,
        turn: &mut BaseTurn<'_>,
        grid: &Grid,
        (ue, process): (u32, usize),
        room: &mut Room,
    ) {
        let context = &mut self.ues[ue as usize];
        context.free_from = room.end;
        let units = context.harq.block(process).units;
        self.on_air.push((ue, process));
        let free = units.min(room.free);
        room.free -= free;
        if free > 0 {
            base.down.take_until(room.end, free);
        }
        if units > free {
            let statistics = &mut turn.air.statistics;
            statistics.preemptions += 1;
            let taken = self.long.take_units(turn.slot..room.end, units - free);
            for (loser, units) in taken {
                let harq = &mut base.ues[loser.ue as usize].down.harq;
                let block = harq.block(loser.process);
                let slots = turn.slot..room.end;
                let first = block.lose_symbols(loser.begins, slots, units, grid.config.preemption);
                let on_air = grid.config.on_air;
                statistics.downlink.on_preempted(units * on_air, first);
            }
            if grid.config.preemption == Preemption::Symbols {
                for &loser in self.long.all() {
                    let harq = &mut base.ues[loser.ue as usize].down.harq;
                    harq.block(loser.process).take_for_lost(loser.begins, turn.slot..room.end);
                }
            }
        }
    }

    /// Transmits the urgent blocks of this slot of the clock, in the order in which they were
    /// scheduled, and sends their feedback.
    fn finish(&mut self, turn: &mut BaseTurn<'_>) {
        for (ue, process) in self.on_air.drain(..) {
            let harq = &mut self.ues[ue as usize].harq;
            let number = harq.transmissions(process);
            let block = harq.block(process);
            let decodes = turn.air.receive_urgent(turn.setup, turn.slot, ue, number, block);
            let process = self.first_process + process;
            if decodes && !block.arrived {
                block.arrived = true;
                turn.air.hand_over_urgent(turn.setup, turn.slot, ue, process);
            }
            let failed = block.failed_groups();
            let feedback = HarqFeedback { ue, process, acknowledged: decodes, failed };
            turn.air.send_urgent_feedback(turn.setup, turn.slot, feedback);
        }
    }
}

impl BaseStation {
    /// Sends urgent blocks, if the cell has any.
    pub(in crate::ran::cell) fn send_urgent(&mut self, turn: &mut BaseTurn<'_>) {
        if let Some(mut urgent) = self.urgent.take() {
            urgent.send(self, turn);
            self.urgent = Some(urgent);
        }
    }

    /// Transmits the urgent blocks that began in this slot of the clock.
    pub(super) fn finish_urgent(&mut self, turn: &mut BaseTurn<'_>) {
        if let Some(urgent) = &mut self.urgent {
            urgent.finish(turn);
        }
    }

    /// Returns the UEs with waiting urgent data, in ascending order.
    pub(in crate::ran::cell) fn urgently_backlogged(&self) -> &[u32] {
        self.urgent.as_ref().map_or(&[], |urgent| urgent.backlogged())
    }

    /// Handles a possible change of a UE's urgent queues.
    pub(super) fn on_urgent_queues(&mut self, now: Instant, ue: u32, bearers: &[Bearer]) {
        let Some(urgent) = &mut self.urgent else { return };
        let fill = FillRule { urgent: Some(true), ..self.down.fill };
        let waits = fill.has_data(now, &self.ues[ue as usize].down, bearers);
        urgent.set_backlogged(ue, waits);
    }
}
