//! HARQ of the downlink: blocks on the air, their feedback, retransmissions.
//!
//! In: blocks of the slot, HARQ feedback. Out: retransmissions, arrivals at the UEs.
//!
//! Left out: retransmissions on another number of resource blocks. A block keeps its size and this
//! number, or with code block groups the share of the groups that are retransmitted.

use super::room::Room;
use super::{BaseStation, BaseTurn};
use crate::net::Direction;
use crate::ran::cell::air::HarqFeedback;
use crate::ran::cell::limits::Met;
use crate::ran::mac::harq::Verdict;

impl BaseStation {
    /// Handles feedback. Returns `true` if the feedback ends a block that its UE never decoded.
    #[inline(always)]
    pub(in crate::ran::cell) fn on_feedback(
        &mut self,
        turn: &mut BaseTurn<'_>,
        feedback: HarqFeedback,
    ) -> bool {
        if let Some(urgent) = &mut self.urgent
            && let Some(lost) = urgent.on_feedback(turn, feedback)
        {
            return lost;
        }
        let HarqFeedback { ue, process, .. } = feedback;
        let context = &mut self.ues[ue as usize].down;
        let acknowledged = match &mut context.harq.block(process).group_harq {
            None => turn.air.read_feedback(turn.setup, feedback),
            Some(harq) => {
                let groups = harq.buffer.groups();
                let failed = turn.air.read_group_feedback(turn.setup, feedback, groups);
                harq.on_acknowledged(failed);
                failed.is_none()
            }
        };
        // Losses by pre-emption carry no information about the channel.
        let is_informative = !context.harq.block(process).lost_some();
        if context.harq.transmissions(process) == 1 && is_informative {
            let capacity = &turn.setup.config.downlink.channel.capacity;
            let cache = &mut self.caches.down;
            context.link.on_first(capacity, cache, acknowledged);
        }
        let verdict = context.harq.on_feedback(process, acknowledged);
        if verdict == Verdict::Retransmit {
            self.ues[ue as usize].on_failure(turn.slot);
            self.down.retransmissions.push_back((ue, process));
            return false;
        }
        let lost = !context.harq.block(process).arrived;
        turn.air.statistics.downlink.lost += u64::from(lost);
        lost
    }

    /// Sends retransmissions first, oldest first, on as many resources as before. Returns the rest
    /// of the slot for new blocks, if there are any.
    #[inline(always)]
    pub(in crate::ran::cell) fn send_retransmissions(
        &mut self,
        turn: &mut BaseTurn<'_>,
    ) -> Option<Room> {
        if !self.down.has_work() {
            return None;
        }
        let ues = turn.setup.config.downlink.channel.ues_per_slot;
        let on_air = turn.setup.timeline.downlink_on_air(turn.slot);
        let taken = self.down.still_taken(on_air);
        let units = turn.setup.capacity.down.units(on_air).saturating_sub(taken);
        let capacity = &turn.setup.config.downlink.channel.capacity;
        let mut room = Room { units, ues };
        self.down.met = Met::default();
        self.send_semi_persistent(turn, &mut room);
        for _ in 0..self.down.retransmissions.len() {
            let (ue, process) = self.down.retransmissions.pop_front().expect("counted");
            let context = &mut self.ues[ue as usize].down;
            let needed = context.harq.block(process).retransmission_units(capacity);
            let is_served = context.is_served(turn.slot, turn.setup.on_air);
            let has_room = room.fits(needed);
            self.down.met.note_if(!has_room && !is_served, room.limit_for(needed));
            let fits = has_room && !is_served;
            if !fits
                || !self.is_awake(ue, turn.slot)
                || !self.take_control(turn.air, Direction::Down, ue)
            {
                self.down.retransmissions.push_back((ue, process));
                continue;
            }
            room.units -= needed;
            room.ues -= 1;
            let context = &mut self.ues[ue as usize].down;
            context.served = turn.slot;
            context.harq.retransmit(process);
            let block = context.harq.block(process);
            block.start_retransmission(capacity);
            if let Some(allocation) = &mut self.allocation {
                block.groups = allocation.take(turn.slot, needed);
                room.units = allocation.free_prbs();
            }
            self.down.transmit(turn, ue, process, block.units);
        }
        if self.down.backlogged.is_empty() || !room.has_any() {
            self.note_backlog(turn, room);
            self.count_downlink_limits(turn);
            return None;
        }
        Some(room)
    }

    /// Retransmissions took the whole slot: notes the limit if a UE could have had a new block.
    fn note_backlog(&mut self, turn: &BaseTurn<'_>, room: Room) {
        let mut backlogged = self.down.backlogged.iter();
        let (slot, on_air) = (turn.slot, turn.setup.on_air);
        let holds = backlogged.any(|&ue| self.ues[ue as usize].can_be_served(slot, on_air));
        if holds {
            self.down.met.note_unpicked(room.units);
        }
    }

    /// Counts the limits of the slot, if it has resources for the downlink.
    pub(super) fn count_downlink_limits(&self, turn: &mut BaseTurn<'_>) {
        let on_air = turn.setup.timeline.downlink_on_air(turn.slot);
        if turn.setup.capacity.down.units(on_air) > 0 {
            let served = !self.down.on_air.is_empty();
            turn.air.statistics.down_limits.count(served, self.down.met);
        }
    }

    /// Calls `what` for each UE with a block in this slot.
    pub(in crate::ran::cell) fn each_on_air(&self, mut what: impl FnMut(u32)) {
        self.down.on_air.iter().for_each(|&(ue, _)| what(ue));
    }

    /// Transmits all blocks of this slot, in the order in which they were scheduled. By now the
    /// transmissions of the other cells of a network are known.
    #[inline(always)]
    pub(in crate::ran::cell) fn finish_slot(&mut self, turn: &mut BaseTurn<'_>) {
        turn.air.statistics.cces += u64::from(self.control.used());
        if self.urgent.is_some() {
            self.keep_open(turn);
            self.finish_urgent(turn);
            return;
        }
        for place in 0..self.down.on_air.len() {
            let (ue, process) = self.down.on_air[place];
            self.finish_block(turn, turn.slot, ue, process);
        }
        self.down.on_air.clear();
    }

    /// Transmits a block that was built in slot `slot`, and sends its feedback.
    #[inline(always)]
    pub(super) fn finish_block(
        &mut self,
        turn: &mut BaseTurn<'_>,
        slot: u64,
        ue: u32,
        process: usize,
    ) {
        let direction = Direction::Down;
        let harq = &mut self.ues[ue as usize].down.harq;
        let number = harq.transmissions(process);
        let block = harq.block(process);
        let on_air = turn.setup.timeline.downlink_on_air(slot);
        let decodes = turn.air.receive(turn.setup, direction, on_air, ue, number, block);
        let place = (direction, ue, process);
        turn.air.capture_transmission(turn.setup, place, (on_air, number), block.units, decodes);
        if decodes && !block.arrived {
            block.arrived = true;
            turn.air.hand_over(turn.setup, direction, on_air, ue, process, false);
        }
        let failed = block.failed_groups();
        let feedback = HarqFeedback { ue, process, acknowledged: decodes, failed };
        turn.air.send_feedback(turn.setup, slot, feedback);
    }
}
