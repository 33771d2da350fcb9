//! The air between the UEs of a cell and its base station.
//!
//! In: messages and blocks of either side. Out: these messages and blocks in the slot in which the
//! other side receives them, unless they are lost; counts of all transmissions.
//!
//! | file | contents |
//! |---|---|
//! | [`messages`] | messages between the two sides |
//! | [`slot_ring`] | the messages and plans of future slots |
//! | [`reception`] | whether a block decodes |
//! | [`link`] | the link of one UE |
//! | [`environment`], [`propagation`] | surroundings of one cell of a network, and common data of all cells |
//! | [`radio_link`], [`mean_gain`] | one UE and the cells around it, and changes of the mean gain of its link |
//! | [`varying_sinr`] | a UE with a list of SINRs, outside of a network |
//! | [`neighbours`] | activity of the other cells |
//! | [`cqi_report`] | a UE's newest channel quality report |
//! | [`config`] | parameters of a scenario |

pub mod config;
mod cqi_report;
mod environment;
mod link;
mod mean_gain;
mod messages;
mod neighbours;
mod propagation;
mod radio_link;
mod reception;
mod slot_ring;
pub(super) mod varying_sinr;

use std::collections::VecDeque;

pub use config::{Config, Fading, Interference, Reports, Surroundings};
pub(super) use cqi_report::CqiReport;
pub(super) use environment::Environment;
pub(super) use link::UeLink;
pub(super) use messages::{
    Access, Arrival, Bsr, Grant, GrantCause, HarqFeedback, Held, Release, Sending, Sr,
    Transmission, UplinkResult,
};
pub(super) use neighbours::Neighbours;
pub(super) use propagation::Propagation;
pub(super) use radio_link::{Neighbour, RadioLink};
pub(super) use slot_ring::{Due, SlotRing};
pub use varying_sinr::SinrStep;
pub(super) use varying_sinr::VaryingSinr;

use super::bearer::Bearer;
use super::block::Block;
use super::capture::{Capture, Place, Waiting};
use super::setup::Setup;
use super::statistics::CellStatistics;
use crate::net::{Direction, PerDirection};
use crate::ran::phy::{CodeBlockGroups, GroupBits};
use crate::unit::{Bytes, Instant};

/// The messages, links and counters between the two sides.
#[derive(Clone, Debug)]
pub(super) struct Air {
    pub(super) links: Vec<UeLink>,
    /// Radio environment of the cell, in a network.
    pub(super) environment: Option<Environment>,
    /// Messages that are under way.
    pub(super) ring: SlotRing,
    /// Grants of the slot that its UEs have not read yet.
    pub(super) grants: Vec<Grant>,
    /// Releases of configured grants in the slot that its UEs have not read yet.
    pub(super) releases: Vec<Release>,
    /// Blocks that have been decoded or abandoned, while their receiver processes them.
    pub(super) arrivals: PerDirection<VecDeque<Arrival>>,
    /// Bytes of all blocks sent.
    pub(super) sent: PerDirection<Bytes>,
    pub(super) statistics: CellStatistics,
    /// Capture of blocks, if the scenario asks for it.
    pub(super) capture: Option<Box<Capture>>,
}

impl Air {
    pub(super) fn new(links: Vec<UeLink>, environment: Option<Environment>) -> Self {
        Self {
            links,
            environment,
            ring: SlotRing::new(),
            grants: Vec::new(),
            releases: Vec::new(),
            arrivals: PerDirection::default(),
            sent: PerDirection::default(),
            statistics: CellStatistics::default(),
            capture: None,
        }
    }

    /// Starts a slot without transmissions.
    pub(super) fn clear(&mut self) {
        self.statistics.slots += 1;
        if let Some(environment) = &mut self.environment {
            environment.clear();
        }
    }

    /// Sends a scheduling request. Returns `true` if the base station will receive it.
    pub(super) fn send_sr(&mut self, setup: &Setup, sr: Sr) -> bool {
        self.statistics.sr_sent += 1;
        let link = &mut self.links[sr.ue as usize];
        link.counted.uplink.sr_sent += 1;
        if link.goes_wrong(setup.config.feedback.sr_missed) {
            self.statistics.sr_missed += 1;
            return false;
        }
        let known = setup.timeline.request_known(sr.slot);
        self.ring.at(known).requests.push(sr);
        true
    }

    /// Sends a report with the uplink block of `slot`.
    pub(super) fn send_bsr(&mut self, setup: &Setup, slot: u64, bsr: Bsr) {
        self.ring.at(setup.timeline.report_known(slot)).reports.push(bsr);
    }

    /// Sends a grant on the control channel.
    pub(super) fn send_grant(&mut self, grant: Grant, cces: u32) {
        self.count_grant(grant.ue, cces);
        self.grants.push(grant);
    }

    /// Sends a release of a configured grant on the control channel.
    pub(super) fn send_release(&mut self, release: Release, cces: u32) {
        self.statistics.configured_grant_releases += 1;
        self.links[release.ue as usize].counted.uplink.cces += u64::from(cces);
        self.releases.push(release);
    }

    /// Counts a grant that a UE does not need to process.
    pub(super) fn count_grant(&mut self, ue: u32, cces: u32) {
        self.statistics.grants += 1;
        let counted = &mut self.links[ue as usize].counted.uplink;
        counted.grants += 1;
        counted.cces += u64::from(cces);
    }

    /// Sends feedback of the UE for a block that was built in `slot`.
    #[inline]
    pub(super) fn send_feedback(&mut self, setup: &Setup, slot: u64, feedback: HarqFeedback) {
        self.ring.at(setup.timeline.feedback_known(slot)).feedback.push(feedback);
    }

    /// Returns the acknowledgement bit that the base station reads from feedback.
    #[inline]
    pub(super) fn read_feedback(&mut self, setup: &Setup, feedback: HarqFeedback) -> bool {
        self.read_bit(setup, feedback.ue, feedback.acknowledged)
    }

    /// Returns the groups that the base station reads as failed, from one bit per group.
    pub(super) fn read_group_feedback(
        &mut self,
        setup: &Setup,
        feedback: HarqFeedback,
        groups: CodeBlockGroups,
    ) -> GroupBits {
        let mut failed = GroupBits::NONE;
        for group in 0..groups.count() {
            let acknowledged = self.read_bit(setup, feedback.ue, !feedback.failed.has(group));
            failed.set(group, !acknowledged);
        }
        failed
    }

    /// Returns the bit that is read if `sent` was sent; `true` is an acknowledgement.
    #[inline]
    fn read_bit(&mut self, setup: &Setup, ue: u32, sent: bool) -> bool {
        let errors = &setup.config.feedback;
        let misread = if sent { errors.ack_as_nack } else { errors.nack_as_ack };
        sent != self.links[ue as usize].goes_wrong(misread)
    }

    /// Captures a block that was built, if the scenario asks for it.
    #[inline]
    pub(super) fn capture_block(
        &mut self,
        setup: &Setup,
        (direction, ue, process): (Direction, u32, usize),
        block: &Block,
        bearers: &[Bearer],
        waiting: Option<Waiting>,
    ) {
        if let Some(capture) = &mut self.capture {
            let place = Place { direction, ue: self.links[ue as usize].id, process };
            capture.on_block(setup, place, block, bearers, waiting);
        }
    }

    /// Captures transmission number `number` of a block, in `slot`, if the scenario asks for it.
    #[inline]
    pub(super) fn capture_transmission(
        &mut self,
        setup: &Setup,
        (direction, ue, process): (Direction, u32, usize),
        (slot, number): (u64, u32),
        units: u64,
        decoded: bool,
    ) {
        if let Some(capture) = &mut self.capture {
            let place = Place { direction, ue: self.links[ue as usize].id, process };
            capture.on_transmission(setup, place, (slot, number), units, decoded);
        }
    }

    /// Hands a block whose last transmission was in `slot` over to its receiver's RLC, decoded or
    /// lost.
    #[inline(always)]
    pub(super) fn hand_over(
        &mut self,
        setup: &Setup,
        direction: Direction,
        slot: u64,
        ue: u32,
        process: usize,
        lost: bool,
    ) {
        let at = setup.processed(direction, slot);
        let arrival = Arrival { at, ue, process, lost };
        if setup.urgent.is_some() {
            self.insert(direction, arrival);
        } else {
            self.arrivals[direction].push_back(arrival);
        }
    }

    /// Inserts an arrival in the order of time: urgent blocks and others overtake each other.
    fn insert(&mut self, direction: Direction, arrival: Arrival) {
        let arrivals = &mut self.arrivals[direction];
        let place = arrivals.partition_point(|earlier| earlier.at <= arrival.at);
        arrivals.insert(place, arrival);
    }

    /// Hands an urgent block that began in `slot` over to its receiver's RLC.
    pub(super) fn hand_over_urgent(&mut self, setup: &Setup, slot: u64, ue: u32, process: usize) {
        let grid = setup.urgent.as_ref().expect("a cell with urgent blocks");
        let at = grid.processed(&setup.clock, &setup.config.timing, slot);
        self.insert(Direction::Down, Arrival { at, ue, process, lost: false });
    }

    /// Sends feedback of the UE for an urgent block that began in `slot`.
    pub(super) fn send_urgent_feedback(
        &mut self,
        setup: &Setup,
        slot: u64,
        feedback: HarqFeedback,
    ) {
        let grid = setup.urgent.as_ref().expect("a cell with urgent blocks");
        self.ring.at(grid.timeline.feedback_known(slot)).feedback.push(feedback);
    }

    /// Removes all messages and blocks that are under way to or from this UE.
    pub(super) fn forget(&mut self, ue: u32) {
        self.ring.forget(ue);
        for direction in Direction::BOTH {
            self.arrivals[direction].retain(|arrival| arrival.ue != ue);
        }
    }

    /// Returns the time at which the next block reaches its receiver.
    #[inline]
    pub(super) fn next_arrival(&self) -> Option<Instant> {
        let next = |direction| Some(self.arrivals[direction].front()?.at);
        Instant::sooner(next(Direction::Down), next(Direction::Up))
    }
}

#[cfg(test)]
mod tests;
