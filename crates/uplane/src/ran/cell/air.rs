//! The air between the UEs of a cell and its base station.
//!
//! In: messages and blocks of either side. Out: the same in the slot in which the other side
//! receives them, unless they are lost; counts of all that crossed.
//!
//! | file | what |
//! |---|---|
//! | [`messages`] | what the two sides tell each other |
//! | [`slot_ring`] | when it arrives |
//! | [`reception`] | whether a block decodes |
//! | [`link`] | the link of one UE |
//! | [`environment`], [`propagation`] | what is around one cell of a network, and what all have in common |
//! | [`radio_link`], [`mean_gain`] | one UE and the cells around it, and how the mean of its link changes |
//! | [`varying_sinr`] | one UE whose SINR is a list, where there is no network |
//! | [`neighbours`] | what the other cells do |
//! | [`cqi_report`] | what a UE has said of the channel |
//! | [`config`] | what a scenario says |

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
    Transmission, UplinkFate,
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

/// Everything between the sides.
#[derive(Clone, Debug)]
pub(super) struct Air {
    pub(super) links: Vec<UeLink>,
    /// What is around the cell, in a network.
    pub(super) environment: Option<Environment>,
    /// Messages that are under way.
    pub(super) ring: SlotRing,
    /// Grants of the slot that its UEs have not read yet.
    pub(super) grants: Vec<Grant>,
    /// The same of messages that release configured grants.
    pub(super) releases: Vec<Release>,
    /// Blocks that have been decoded or given up, and are processed by their receiver.
    pub(super) arrivals: PerDirection<VecDeque<Arrival>>,
    /// Bytes of all blocks sent.
    pub(super) sent: PerDirection<Bytes>,
    pub(super) statistics: CellStatistics,
    /// What is captured, where somebody asks for it.
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

    /// A slot begins: nothing has been sent in it.
    pub(super) fn clear(&mut self) {
        self.statistics.slots += 1;
        if let Some(environment) = &mut self.environment {
            environment.clear();
        }
    }

    /// A UE sends a request. True when the base station will get it.
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

    /// A report goes up with what is sent in `slot`.
    pub(super) fn send_bsr(&mut self, setup: &Setup, slot: u64, bsr: Bsr) {
        self.ring.at(setup.timeline.report_known(slot)).reports.push(bsr);
    }

    /// The base station sends a grant on the control channel.
    pub(super) fn send_grant(&mut self, grant: Grant, cces: u32) {
        self.count_grant(grant.ue, cces);
        self.grants.push(grant);
    }

    /// The base station releases a configured grant on the control channel.
    pub(super) fn send_release(&mut self, release: Release, cces: u32) {
        self.statistics.configured_grant_releases += 1;
        self.links[release.ue as usize].counted.uplink.cces += u64::from(cces);
        self.releases.push(release);
    }

    /// The base station sends a grant that a UE needs not think about.
    pub(super) fn count_grant(&mut self, ue: u32, cces: u32) {
        self.statistics.grants += 1;
        let counted = &mut self.links[ue as usize].counted.uplink;
        counted.grants += 1;
        counted.cces += u64::from(cces);
    }

    /// The UE sends feedback for a block that was built in `slot`.
    #[inline]
    pub(super) fn send_feedback(&mut self, setup: &Setup, slot: u64, feedback: HarqFeedback) {
        self.ring.at(setup.timeline.feedback_known(slot)).feedback.push(feedback);
    }

    /// What the base station reads from feedback.
    #[inline]
    pub(super) fn read_feedback(&mut self, setup: &Setup, feedback: HarqFeedback) -> bool {
        self.read_bit(setup, feedback.ue, feedback.acknowledged)
    }

    /// Which of `groups` it reads as failed, from a bit of each.
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

    /// What is read where `sent` was sent, true for an acknowledgement.
    #[inline]
    fn read_bit(&mut self, setup: &Setup, ue: u32, sent: bool) -> bool {
        let errors = &setup.config.feedback;
        let misread = if sent { errors.ack_as_nack } else { errors.nack_as_ack };
        sent != self.links[ue as usize].goes_wrong(misread)
    }

    /// A block was built: it is captured, where somebody asks for it.
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

    /// The same of a transmission of a block in `slot`, its `number`th.
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

    /// A block whose last transmission was in `slot` reaches its receiver's RLC, well or lost.
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

    /// An arrival in its turn: urgent blocks and others overtake each other.
    fn insert(&mut self, direction: Direction, arrival: Arrival) {
        let arrivals = &mut self.arrivals[direction];
        let place = arrivals.partition_point(|earlier| earlier.at <= arrival.at);
        arrivals.insert(place, arrival);
    }

    /// The same for an urgent block that began in `slot`.
    pub(super) fn hand_over_urgent(&mut self, setup: &Setup, slot: u64, ue: u32, process: usize) {
        let grid = setup.urgent.as_ref().expect("a cell with urgent blocks");
        let at = grid.processed(&setup.clock, &setup.config.timing, slot);
        self.insert(Direction::Down, Arrival { at, ue, process, lost: false });
    }

    /// The UE sends feedback for an urgent block that began in `slot`.
    pub(super) fn send_urgent_feedback(
        &mut self,
        setup: &Setup,
        slot: u64,
        feedback: HarqFeedback,
    ) {
        let grid = setup.urgent.as_ref().expect("a cell with urgent blocks");
        self.ring.at(grid.timeline.feedback_known(slot)).feedback.push(feedback);
    }

    /// Nothing arrives that is under way to or from this UE.
    pub(super) fn forget(&mut self, ue: u32) {
        self.ring.forget(ue);
        for direction in Direction::BOTH {
            self.arrivals[direction].retain(|arrival| arrival.ue != ue);
        }
    }

    /// When the next block reaches its receiver.
    #[inline]
    pub(super) fn next_arrival(&self) -> Option<Instant> {
        let next = |direction| Some(self.arrivals[direction].front()?.at);
        Instant::sooner(next(Direction::Down), next(Direction::Up))
    }
}

#[cfg(test)]
mod tests;
