//! What both sides of a cell know from the start and what never changes: its parameters, its clock,
//! its slots.
//!
//! In: the parameters of a cell, the number of its UEs. Out: the same in slots and instants.

use super::config::Config;
use super::possible::CellPlan;
use super::slot_capacity::{SlotCapacity, UNLIMITED};
use crate::net::{Direction, PerDirection};
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::Clock;
use crate::ran::rlc;
use crate::sim::Streams;
use crate::unit::{Bytes, Duration, Instant};

/// The common knowledge of a cell.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) config: Config,
    pub(super) clock: Clock,
    pub(super) timeline: Timeline,
    /// Units of each slot.
    pub(super) capacity: PerDirection<SlotCapacity>,
    /// Length of a slot, to the nearest nanosecond.
    pub(super) tti: Duration,
    /// By how much an uplink transmission ends before its slot does.
    pub(super) uplink_spared: Duration,
    /// The same of downlink transmissions, slot by slot, again and again.
    downlink_spared: Box<[Duration]>,
    /// Some bearer is in acknowledged mode, whose STATUS PDUs change buffers.
    pub(super) acknowledged: bool,
}

impl Setup {
    /// For `ue_count` of the UEs of the plan.
    pub(super) fn new(plan: &CellPlan, ue_count: u32, streams: Streams) -> Self {
        debug_assert!(ue_count <= plan.ues(), "{ue_count} UEs of {}", plan.ues());
        let config = plan.config().for_ues(ue_count);
        let tti = config.tti.length();
        let phase = config.phase.offset(tti, &mut streams.open("radio", "grid phase"));
        let clock = Clock::new(Instant::ZERO + phase, config.tti.num, config.tti.den)
            .expect("a TTI takes time");
        let capacity = PerDirection::of(|direction: Direction| {
            SlotCapacity::new(&config.channel(direction).capacity, config.tti)
        });
        let uplink_spared = config.uplink_spared();
        let downlink_spared = match &config.slots {
            None => Box::new([Duration::ZERO]),
            Some(slots) => slots.downlink_spared.clone(),
        };
        let timeline = config.timeline(&clock);
        let acknowledged =
            config.bearers.iter().any(|bearer| bearer.rlc.iter().all(rlc::Config::is_acknowledged));
        Self {
            config,
            clock,
            timeline,
            capacity,
            tti,
            uplink_spared,
            downlink_spared,
            acknowledged,
        }
    }

    /// By how much a transmission ends before its slot does.
    #[inline(always)]
    pub(super) fn spared(&self, direction: Direction, slot: u64) -> Duration {
        match (direction, &*self.downlink_spared) {
            (Direction::Up, _) => self.uplink_spared,
            (Direction::Down, [alike]) => *alike,
            (Direction::Down, slots) => slots[(slot % slots.len() as u64) as usize],
        }
    }

    /// So many slots as a time, where slots differ.
    #[inline(always)]
    pub(super) fn slots(&self, slots: u64) -> Duration {
        Duration::from_nanos(slots * self.tti.as_nanos())
    }

    /// When a request is sent in `slot`.
    pub(super) fn request_begins(&self, slot: u64) -> Instant {
        self.clock.start(slot) + self.config.uplink.request.begins
    }

    /// The first slot whose requests are sent at `time` or later.
    pub(super) fn first_request_from(&self, time: Instant) -> u64 {
        let begins = self.config.uplink.request.begins;
        let since = time.saturating_since(Instant::ZERO).saturating_sub(begins);
        self.clock.at_or_after(Instant::ZERO + since)
    }

    /// HARQ processes of a UE's uplink: one for each slot of the round trip, where the slot names
    /// them.
    pub(super) fn uplink_processes(&self) -> u32 {
        match self.config.uplink.discipline {
            Discipline::Synchronous => self.timeline.uplink_round_trip() as u32,
            Discipline::Granted => self.config.uplink.channel.harq.processes,
        }
    }

    /// The size of the grant that answers a request.
    pub(super) fn first_grant(&self) -> Bytes {
        self.config.uplink.grants.on_request.size(self.tti).unwrap_or(Bytes(UNLIMITED))
    }

    /// The uplink block that should carry `data` bytes with their headers.
    pub(super) fn block_for(&self, data: Bytes) -> Bytes {
        self.config.uplink.grants.block_for(data, self.config.sub_headers)
    }

    /// The data that an uplink block of this size should carry.
    pub(super) fn data_in(&self, block: Bytes) -> Bytes {
        self.config.uplink.grants.data_in(block, self.config.sub_headers)
    }
}
