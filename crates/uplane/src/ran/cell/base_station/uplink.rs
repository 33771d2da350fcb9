//! The base station's part of the uplink: UEs that get grants, their sizes, and their causes.
//!
//! | file | contents |
//! |---|---|
//! | [`requests`] | messages of UEs: requests, random access, reports |
//! | [`scheduling`] | grants of a slot, each for one block in a later one |
//! | [`proactive`] | grants without a request, while downlink data flow |
//! | [`configured`] | semi-persistent and configured grants: the next occasion |
//! | [`type_2`] | configured grants that a message activates, and another releases |
//!
//! In: requests and reports, blocks on the air. Out: grants.
//!
//! Left out: detection of the semi-persistent grants that a UE uses. The base station knows as soon
//! as the data arrive, so unused grants cost nothing; this matters for studies of their cost.
//! Errors on the PHICH: a UE that takes a NACK for an ACK would lose a block as in the downlink.

mod configured;
mod proactive;
mod requests;
mod scheduling;
mod type_2;

use std::collections::VecDeque;

use super::uplink_demand::UplinkDemand;
use super::{BaseStation, BaseTurn};
use crate::ran::bearer;
use crate::ran::cell::air::UplinkResult;
use crate::ran::cell::config::Config;
use crate::ran::cell::limits::Met;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::buffer_status::Groups;
use crate::ran::mac::scheduler::{Candidate, Scheduler};
use crate::ran::tables::class::Characteristics;
use crate::unit::Bytes;

/// State of the uplink scheduler.
#[derive(Clone, Debug)]
pub(super) struct UplinkScheduler {
    scheduler: Scheduler,
    /// UEs that need a grant, in ascending order.
    ues_to_grant: Vec<u32>,
    /// Blocks that wait for a grant for their retransmission, oldest first.
    pub(super) retransmissions: VecDeque<UplinkResult>,
    /// Configured grants to release, by UE and number, oldest first.
    releases: VecDeque<(u32, usize)>,
    candidates: Vec<Candidate>,
    /// Limits that the slot to be granted has met.
    pub(super) met: Met,
    /// Class of the default bearer, for a UE with a request but no report.
    quality: Characteristics,
    /// Class of the most urgent bearer of each group. `None` with one group, or if the metric does
    /// not use it.
    classes: Option<Box<[Option<Characteristics>; 8]>>,
    /// Sum of the guaranteed rates of a UE, in bytes per slot.
    target: f64,
}

impl UplinkScheduler {
    pub(super) fn new(config: &Config, ue_count: u32) -> Self {
        let channel = &config.uplink.channel;
        Self {
            scheduler: Scheduler::new(channel.metric, ue_count, channel.averaging_slots),
            ues_to_grant: Vec::with_capacity(ue_count as usize),
            retransmissions: VecDeque::new(),
            releases: VecDeque::new(),
            candidates: Vec::with_capacity(ue_count as usize),
            met: Met::default(),
            quality: config.bearers[0].quality,
            classes: (channel.metric.needs_most_urgent() && has_several_groups(config))
                .then(|| Box::new(classes(config))),
            target: target(config),
        }
    }

    /// Returns `true` if the next slot has something to grant.
    #[inline]
    pub(super) fn has_work(&self) -> bool {
        !self.ues_to_grant.is_empty()
            || !self.retransmissions.is_empty()
            || !self.releases.is_empty()
    }

    /// Returns the UEs that need a grant.
    #[inline(always)]
    pub(super) fn to_grant(&self) -> &[u32] {
        &self.ues_to_grant
    }

    /// Removes a UE, to which nothing more is granted.
    pub(super) fn forget(&mut self, ue: u32) {
        self.set_to_grant(ue, false);
        self.retransmissions.retain(|result| result.ue != ue);
        self.releases.retain(|&(it, _)| it != ue);
    }

    pub(super) fn set_to_grant(&mut self, ue: u32, wants: bool) {
        match (self.ues_to_grant.binary_search(&ue), wants) {
            (Err(place), true) => self.ues_to_grant.insert(place, ue),
            (Ok(place), false) => {
                self.ues_to_grant.remove(place);
            }
            _ => {}
        }
    }
}

impl BaseStation {
    #[inline(always)]
    pub(super) fn refresh_to_grant(&mut self, setup: &Setup, ue: u32) {
        let context = &self.ues[ue as usize].up;
        let on_report = setup.config.uplink.grants.on_report;
        let UplinkDemand { estimate, unanswered, .. } = &context.demand;
        let by_report = on_report && !estimate.bytes().is_zero();
        self.up.set_to_grant(ue, *unanswered > 0 || context.proactive || by_report);
    }

    /// Handles an uplink block on the air in `turn`'s slot. `first` has the result of a first
    /// transmission.
    #[inline]
    pub(in crate::ran::cell) fn on_uplink_sent(
        &mut self,
        turn: &BaseTurn<'_>,
        ue: u32,
        process: usize,
        first: Option<bool>,
    ) {
        let context = &mut self.ues[ue as usize].up;
        context.harq.on_sent(turn.setup, process, turn.slot);
        if let Some(decodes) = first {
            let capacity = &turn.setup.config.uplink.channel.capacity;
            context.link.on_first(capacity, &mut self.caches.up, decodes);
        }
    }

    /// Counts an uplink block that arrived against rates, with the bytes of packets of each bearer
    /// in it.
    pub(in crate::ran::cell) fn on_uplink_content(
        &mut self,
        setup: &Setup,
        (ue, process): (u32, usize),
        content: impl Iterator<Item = (usize, Bytes)>,
    ) {
        let Some(rates) = &mut self.ues[ue as usize].up.demand.rates else { return };
        let bearers = &setup.config.bearers;
        let mut served = Groups::default();
        let carrier = setup.place.number();
        for (position, bytes) in content {
            served[usize::from(bearers[position].group_on(carrier))] += bytes;
        }
        rates.on_block(setup.process_of_ue(process), &served);
    }

    /// Handles the result of an uplink block.
    pub(in crate::ran::cell) fn on_uplink_block(
        &mut self,
        turn: &mut BaseTurn<'_>,
        result: UplinkResult,
    ) {
        self.ues[result.ue as usize].up.harq.on_result(turn, result);
    }
}

/// Returns `true` if a report may be about several groups.
fn has_several_groups(config: &Config) -> bool {
    config.bearers.len() > 1 || config.bearers[0].second_channel.is_some()
}

/// Returns the class of the most urgent bearer of each group.
fn classes(config: &Config) -> [Option<Characteristics>; 8] {
    let mut classes: [Option<Characteristics>; 8] = [None; 8];
    let groups = |bearer| bearer::Config::groups(bearer).map(move |(group, _)| (group, bearer));
    for (group, bearer) in config.bearers.iter().flat_map(groups) {
        let class = &mut classes[usize::from(group)];
        if class.is_none_or(|class| bearer.quality.priority < class.priority) {
            *class = Some(bearer.quality);
        }
    }
    classes
}

/// Returns the sum of all guaranteed rates of a UE, in bytes per slot.
fn target(config: &Config) -> f64 {
    let slot = config.tti.length().as_secs_f64();
    let rates = config.bearers.iter().filter_map(|bearer| bearer.gbr.up);
    rates.map(|rate| rate.as_bps() as f64 / 8.0 * slot).sum()
}

#[cfg(test)]
mod tests;
