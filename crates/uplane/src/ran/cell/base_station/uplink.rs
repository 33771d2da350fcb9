//! The uplink as the base station runs it: what it grants, to whom, and why.
//!
//! | file | what |
//! |---|---|
//! | [`requests`] | what reached it: requests, random access, reports |
//! | [`scheduling`] | grants of a slot, each for one block in a later one |
//! | [`proactive`] | grants without a request, while downlink data flow |
//! | [`configured`] | semi-persistent and configured grants: when the next one begins |
//! | [`type_2`] | configured grants that a message activates, and another releases |
//!
//! In: requests and reports that reached it, blocks on the air. Out: grants.
//!
//! Left out: how the base station learns which of its semi-persistent grants a UE will use. It
//! knows as soon as the data come, so unused grants cost nothing; who studies their cost can tell.
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
use crate::ran::cell::air::UplinkFate;
use crate::ran::cell::config::Config;
use crate::ran::cell::limits::Met;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::buffer_status::Groups;
use crate::ran::mac::scheduler::{Candidate, Scheduler};
use crate::ran::tables::class::Characteristics;
use crate::unit::Bytes;

/// What the uplink scheduler knows.
#[derive(Clone, Debug)]
pub(super) struct UplinkScheduler {
    scheduler: Scheduler,
    /// UEs to be granted something, in ascending order.
    ues_to_grant: Vec<u32>,
    /// Blocks to be sent again by a grant, oldest first.
    pub(super) retransmissions: VecDeque<UplinkFate>,
    /// Configured grants to be released, by UE and number, oldest first.
    releases: VecDeque<(u32, usize)>,
    candidates: Vec<Candidate>,
    /// Limits that the slot to be granted has met.
    pub(super) met: Met,
    /// The class of the default bearer, for a UE of which only a request is known.
    quality: Characteristics,
    /// That of the most urgent bearer of each group, where there are several bearers and the metric
    /// looks at it.
    classes: Option<Box<[Option<Characteristics>; 8]>>,
    /// Bytes a slot that the guaranteed rates of a UE add up to.
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

    /// True when the next slot has something to grant.
    #[inline]
    pub(super) fn has_work(&self) -> bool {
        !self.ues_to_grant.is_empty()
            || !self.retransmissions.is_empty()
            || !self.releases.is_empty()
    }

    /// UEs to be granted something.
    #[inline(always)]
    pub(super) fn to_grant(&self) -> &[u32] {
        &self.ues_to_grant
    }

    /// Nothing is granted to this UE.
    pub(super) fn forget(&mut self, ue: u32) {
        self.set_to_grant(ue, false);
        self.retransmissions.retain(|fate| fate.ue != ue);
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

    /// A block of the uplink is on the air in `turn`'s slot, with new content or again, and
    /// `decodes`; `is_first` when nothing of it was received before.
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

    /// A block of the uplink came, with these bytes of packets of each bearer.
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

    /// A block of the uplink was received.
    pub(in crate::ran::cell) fn on_uplink_block(
        &mut self,
        turn: &mut BaseTurn<'_>,
        fate: UplinkFate,
    ) {
        self.ues[fate.ue as usize].up.harq.on_fate(turn, fate);
    }
}

/// True where a report may be about several groups.
fn has_several_groups(config: &Config) -> bool {
    config.bearers.len() > 1 || config.bearers[0].second_channel.is_some()
}

/// The class of the most urgent bearer of each group.
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

/// Bytes a slot of all guaranteed rates of a UE.
fn target(config: &Config) -> f64 {
    let slot = config.tti.length().as_secs_f64();
    let rates = config.bearers.iter().filter_map(|bearer| bearer.gbr.up);
    rates.map(|rate| rate.as_bps() as f64 / 8.0 * slot).sum()
}

#[cfg(test)]
mod tests;
