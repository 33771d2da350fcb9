//! Urgent blocks of the downlink: short ones that begin within a slot, while blocks of a whole slot
//! are on the air (TS 38.213 §11.2, TS 38.214 §5.1.2.1).
//!
//! In: what such blocks are like. Out: their slots, and when they have ended.
//!
//! The slots of the cell's clock are symbols. An urgent block takes resource blocks that nobody
//! has, and those of blocks on the air as far as [`super::preemption`] allows.

use super::block::OnAir;
use super::config::Urgent;
use super::slot_capacity::SlotCapacity;
use super::tti::Tti;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::{Clock, Timing};
use crate::unit::Instant;

/// Urgent blocks as a cell needs them.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) timeline: Timeline,
    pub(super) capacity: SlotCapacity,
    pub(super) config: Urgent,
}

impl Grid {
    pub(super) fn new(config: &Urgent, timing: &Timing, clock: &Clock, tti: Tti) -> Self {
        Self {
            timeline: Timeline::with_slots(timing, clock, config.times.clone()),
            capacity: SlotCapacity::new(&config.channel.capacity, tti),
            config: config.clone(),
        }
    }

    /// When a block is on the air that begins in `slot`.
    pub(super) fn times_of_block(&self, clock: &Clock, slot: u64) -> OnAir {
        OnAir { slot, started: clock.start(slot), ended: self.ended(clock, slot) }
    }

    /// When it has ended.
    pub(super) fn ended(&self, clock: &Clock, slot: u64) -> Instant {
        clock.start(slot + self.config.on_air)
    }

    /// When its UE has processed it.
    pub(super) fn processed(&self, clock: &Clock, timing: &Timing, slot: u64) -> Instant {
        let late = self.config.late[(slot % self.config.late.len() as u64) as usize];
        clock.after(slot + self.config.on_air, timing.ue_processing) + late
    }
}
