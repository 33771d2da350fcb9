//! What the base station grants, to whom, and why.
//!
//! In: requests and reports that reached it. Out: grants, each for one block in a later slot.
//!
//! Left out: how the base station learns which of its semi-persistent grants a UE will use. It
//! knows as soon as the data come, so unused grants cost nothing; who studies their cost can tell.
//! Errors on the PHICH: a UE that takes a NACK for an ACK would lose a block as in the downlink.

use std::collections::VecDeque;

use super::uplink_harq::Found;
use super::{BaseStation, BaseTurn};
use crate::net::Direction;
use crate::ran::bearer;
use crate::ran::cell::air::{Access, Bsr, Grant, GrantCause, Held, Sr, UplinkFate};
use crate::ran::cell::config::{Capacity, Config};
use crate::ran::cell::setup::Setup;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::mac::configured_grant::Start;
use crate::ran::mac::estimate::Estimate;
use crate::ran::mac::grant::Repeated;
use crate::ran::mac::report::Groups;
use crate::ran::mac::scheduler::{Candidate, Scheduler};
use crate::ran::tables::class::Characteristics;
use crate::unit::{Bytes, Duration, Probability};

/// What the uplink scheduler knows.
#[derive(Clone, Debug)]
pub(super) struct UplinkScheduler {
    scheduler: Scheduler,
    /// UEs to be granted something, in ascending order.
    ues_to_grant: Vec<u32>,
    /// Blocks to be sent again by a grant, oldest first.
    pub(super) retransmissions: VecDeque<UplinkFate>,
    candidates: Vec<Candidate>,
    /// The class of the default bearer, for a UE of which only a request is known.
    quality: Characteristics,
    /// That of the most urgent bearer of each group, where there are several bearers.
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
            candidates: Vec::with_capacity(ue_count as usize),
            quality: config.bearers[0].quality,
            classes: (config.bearers.len() > 1).then(|| Box::new(classes(config))),
            target: target(config),
        }
    }

    /// True when the next slot has something to grant.
    #[inline]
    pub(super) fn has_work(&self) -> bool {
        !self.ues_to_grant.is_empty() || !self.retransmissions.is_empty()
    }

    /// Nothing is granted to this UE.
    pub(super) fn forget(&mut self, ue: u32) {
        self.set_to_grant(ue, false);
        self.retransmissions.retain(|fate| fate.ue != ue);
    }

    fn set_to_grant(&mut self, ue: u32, wants: bool) {
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
    /// A request arrives. False when it is ignored, since an earlier grant answers it.
    pub(in crate::ran::cell) fn on_sr(&mut self, turn: &mut BaseTurn<'_>, sr: &Sr) -> bool {
        let context = &mut self.ues[sr.ue as usize].up;
        let answered = context.unanswered > 0
            || context.last_granted.is_some_and(|granted| granted > sr.slot)
                && !context.asks_beside_grant(turn.setup)
            || !context.estimate.bytes().is_zero();
        let to_come = context.unanswered > 0 || !context.estimate.bytes().is_zero();
        if turn.setup.config.uplink.grants.repeated == Repeated::Ignore && answered {
            turn.air.statistics.sr_ignored += 1;
            if to_come {
                self.ues[sr.ue as usize].on_request();
            }
            return false;
        }
        debug_assert!(sr.slot < turn.slot, "a request from the future");
        context.unanswered += 1;
        context.cause = GrantCause::Sr {
            sent: turn.setup.request_begins(sr.slot),
            held: sr
                .prohibited_from
                .map(|missed| Held::Prohibited(turn.setup.request_begins(missed))),
            duplex: turn.setup.slots(turn.setup.timeline.request_duplex(sr.slot)),
        };
        self.up.set_to_grant(sr.ue, true);
        self.ues[sr.ue as usize].on_request();
        true
    }

    /// A preamble is answered, or MsgA.
    pub(in crate::ran::cell) fn on_random_access(&mut self, access: &Access) {
        let Access { ue, began, answered, not_before } = *access;
        let context = &mut self.ues[ue as usize].up;
        context.unanswered = context.unanswered.max(1);
        context.not_before = not_before;
        let held = Some(Held::RandomAccess(began));
        context.cause = GrantCause::Sr { sent: answered, held, duplex: Duration::ZERO };
        self.up.set_to_grant(ue, true);
        self.ues[ue as usize].on_request();
    }

    /// A report arrives.
    pub(in crate::ran::cell) fn on_bsr(&mut self, turn: &BaseTurn<'_>, bsr: &Bsr) {
        let setup = turn.setup;
        let context = &mut self.ues[bsr.ue as usize].up;
        match bsr.groups {
            Some(groups) => context.estimate.on_report(bsr.slot, groups),
            // A full block without a report, and nothing under way: there may be more.
            None if context.last_granted.is_none_or(|last| last <= bsr.slot) => {
                context.unanswered = context.unanswered.max(1);
            }
            None => return,
        }
        if let Some(rates) = &mut context.rates {
            rates.on_estimate(turn.now, context.estimate.groups());
        }
        if context.unanswered == 0 || bsr.groups.is_none() {
            let duplex = setup.slots(setup.timeline.report_duplex(bsr.slot));
            context.cause = GrantCause::Bsr { sent: setup.clock.start(bsr.slot), duplex };
        }
        self.refresh_to_grant(setup, bsr.ue);
    }

    /// Grants of this slot.
    pub(in crate::ran::cell) fn schedule_uplink(&mut self, turn: &mut BaseTurn<'_>) {
        if !self.up.has_work() {
            return;
        }
        for target in turn.setup.timeline.granted_in(turn.slot) {
            self.schedule_uplink_slot(turn, target);
        }
    }

    /// Grants for transmissions in slot `target`.
    fn schedule_uplink_slot(&mut self, turn: &mut BaseTurn<'_>, target: u64) {
        let setup = turn.setup;
        let taken = turn.air.ring.most_uplink_units(target..target + setup.on_air);
        let mut units = setup.capacity.up.units(target).saturating_sub(taken);
        let mut ues = setup.config.uplink.channel.ues_per_slot;
        self.grant_retransmissions(turn, target, &mut units, &mut ues);
        self.collect_to_grant(turn, target, units);
        let UplinkScheduler { scheduler, candidates, .. } = &mut self.up;
        scheduler.rank(turn.slot, candidates);
        while units > 0
            && ues > 0
            && let Some(ue) = self.up.scheduler.pick()
        {
            let used = self.grant(turn, target, ue, units);
            units -= used;
            ues -= u32::from(used > 0);
        }
    }

    #[inline(always)]
    fn refresh_to_grant(&mut self, setup: &Setup, ue: u32) {
        let context = &self.ues[ue as usize].up;
        let on_report = setup.config.uplink.grants.on_report;
        let by_report = on_report && !context.estimate.bytes().is_zero();
        self.up.set_to_grant(ue, context.unanswered > 0 || context.proactive || by_report);
    }

    /// UEs that can be granted something in slot `target`.
    fn collect_to_grant(&mut self, turn: &mut BaseTurn<'_>, target: u64, units: u64) {
        let BaseTurn { setup, slot, .. } = *turn;
        let capacity = &setup.config.uplink.channel.capacity;
        let up = &mut self.up;
        let blank = Candidate {
            ue: 0,
            rate: 0.0,
            delay: Duration::ZERO,
            quality: up.quality,
            target: up.target,
            urgent: false,
        };
        up.candidates.clear();
        for &ue in &up.ues_to_grant {
            let context = &mut self.ues[ue as usize];
            if !context.is_awake(slot) {
                continue;
            }
            let context = &mut context.up;
            let harq = &context.harq;
            if target < context.not_before
                || context.has_sps(setup, target)
                || harq.has_transmission(target)
                || harq.free_process(target).is_none()
            {
                continue;
            }
            let link = &mut turn.air.links[ue as usize];
            let lossless = Probability::ZERO;
            if let Some(sinr) = link.measured(Direction::Up, slot, &setup.clock, lossless) {
                let cache = &mut self.caches.up;
                context.link.on_measured(Direction::Up, sinr, capacity, cache);
            }
            if let Some(environment) = &mut turn.air.environment
                && let Some(measured) = environment.uplink_measurement(link, slot, &setup.clock)
            {
                context.link.on_report(measured, capacity, &mut self.caches.up);
            }
            let units = context.link.within_power(capacity, target, units);
            let rate = context.link.size(capacity, target, units).0 as f64;
            let quality = up.classes.as_deref().and_then(|it| most_urgent(it, &context.estimate));
            let quality = quality.unwrap_or(blank.quality);
            let urgent = context.rates.as_mut().is_some_and(|rates| rates.in_danger(turn.now));
            up.candidates.push(Candidate { ue, rate, quality, urgent, ..blank });
        }
    }

    /// A grant for a transmission in `target`; returns the units it takes.
    fn grant(&mut self, turn: &mut BaseTurn<'_>, target: u64, ue: u32, units: u64) -> u64 {
        let setup = turn.setup;
        let Some((used, size)) = self.grant_size(turn, target, ue, units) else { return 0 };
        if !self.take_control(turn.air, ue) {
            return 0;
        }
        let data = size.map_or(Bytes(UNLIMITED), |size| setup.data_in(size));
        let context = &mut self.ues[ue as usize].up;
        let process = context.harq.free_process(target).expect("candidates have a free process");
        context.harq.take(process, target);
        context.last_granted = Some(target);
        let before = *context.estimate.groups();
        context.estimate.on_grant(target, data);
        if let Some(rates) = &mut context.rates {
            let after = context.estimate.groups();
            rates.on_grant(process, std::array::from_fn(|group| before[group] - after[group]));
            rates.on_estimate(turn.now, after);
        }
        let grant = Grant {
            ue,
            slot: target,
            process,
            size,
            units: used,
            answers_sr: context.unanswered > 0,
            cause: context.cause,
            received: setup.clock.end(setup.timeline.last_grant(target)),
        };
        context.unanswered = context.unanswered.saturating_sub(1);
        context.proactive = false;
        self.ues[ue as usize].on_grant(turn.slot);
        turn.air.send_grant(grant, self.ues[ue as usize].aggregation.cces());
        turn.air.ring.take_uplink(target..target + setup.on_air, used);
        self.up.scheduler.on_served(ue, turn.slot, size.unwrap_or_default());
        self.refresh_to_grant(setup, ue);
        used
    }

    /// How many units and bytes a UE gets in `target`; as many bytes as it needs for `None`.
    fn grant_size(
        &mut self,
        turn: &BaseTurn<'_>,
        target: u64,
        ue: u32,
        units: u64,
    ) -> Option<(u64, Option<Bytes>)> {
        let setup = turn.setup;
        let policy = &setup.config.uplink.grants;
        let capacity = &setup.config.uplink.channel.capacity;
        let context = &mut self.ues[ue as usize].up;
        let known = match &mut context.rates {
            _ if !policy.on_report => Bytes::ZERO,
            Some(rates) => rates.allowed(turn.now, context.estimate.groups()),
            None => context.estimate.bytes(),
        };
        let mut known = setup.block_for(known);
        if let Some(proactive) = policy.proactive.filter(|_| context.proactive) {
            known = known.max(proactive.bytes);
        }
        let wanted = match policy.on_request.size(setup.tti) {
            _ if context.unanswered == 0 => known,
            Some(first) => first.max(known),
            None if matches!(capacity, Capacity::Unlimited) => return Some((1, None)),
            None => Bytes(UNLIMITED),
        };
        if wanted.is_zero() {
            return None;
        }
        let used = context.link.units_for(capacity, target, wanted, units);
        let size = context.link.size(capacity, target, used);
        (!size.is_zero()).then_some((used, Some(size)))
    }

    /// Downlink data are sent to this UE: proactive grants begin, or continue.
    pub(super) fn plan_proactive(&mut self, turn: &mut BaseTurn<'_>, ue: u32) {
        let Some(proactive) = turn.setup.config.uplink.grants.proactive else { return };
        let context = &mut self.ues[ue as usize].up;
        context.proactive_until = turn.slot + proactive.inactivity;
        if !context.proactive_planned {
            context.proactive_planned = true;
            turn.air.ring.at(turn.slot + proactive.every).proactive.push(ue);
        }
    }

    /// The slot of a proactive grant has come.
    pub(in crate::ran::cell) fn on_proactive(&mut self, turn: &mut BaseTurn<'_>, ue: u32) {
        let Some(proactive) = turn.setup.config.uplink.grants.proactive else { return };
        let context = &mut self.ues[ue as usize].up;
        let next = turn.slot + proactive.every;
        context.proactive_planned = next <= context.proactive_until;
        if context.proactive_planned {
            turn.air.ring.at(next).proactive.push(ue);
        }
        if context.unanswered == 0 && context.estimate.bytes().is_zero() {
            context.cause = GrantCause::Proactive;
        }
        context.proactive = true;
        self.up.set_to_grant(ue, true);
    }

    /// The next semi-persistent grant of a UE with data, whose block can be built from slot `build`
    /// on; none when it has one, or no block.
    pub(in crate::ran::cell) fn grant_sps(
        &mut self,
        setup: &Setup,
        ue: u32,
        build: u64,
    ) -> Option<Grant> {
        let sps = setup.config.uplink.grants.sps.as_ref()?;
        let timeline = &setup.timeline;
        let mut first = timeline.transmission_of_fill(build);
        let context = &mut self.ues[ue as usize].up;
        if context.sps.is_some_and(|begun| begun.slot >= first) {
            return None;
        }
        let free = |begun: Start| sps.end_of(begun.occasion) + setup.on_air - 1;
        first = first.max(context.sps.map_or(0, free));
        let goes_up = |slot| timeline.next_uplink(slot) == slot;
        let mut start = sps.next_start(u64::from(ue), first, goes_up);
        // Where another grant, or a block that is sent again, was there before, or its process is
        // held, the next one is taken.
        let process = loop {
            if !context.harq.has_transmission(start.slot)
                && let Some(process) = context.harq.configured_process(sps, start)
            {
                break process;
            }
            start = sps.next_start(u64::from(ue), sps.end_of(start.occasion), goes_up);
        };
        let Start { occasion, slot } = start;
        let capacity = &setup.config.uplink.channel.capacity;
        let units = context.link.units_for(capacity, slot, sps.bytes, UNLIMITED);
        let size = context.link.size(capacity, slot, units);
        context.sps = Some(start);
        if size.is_zero() {
            return None;
        }
        context.last_granted = Some(slot);
        let received = setup.clock.start(timeline.fill_of_transmission(slot));
        let (size, cause) = (Some(size), GrantCause::Sps { occasion });
        Some(Grant { ue, slot, process, size, units, answers_sr: false, cause, received })
    }

    /// True when a UE sends a block on a grant of its own while that of this grant is on the air.
    pub(in crate::ran::cell) fn sends_meanwhile(&self, grant: &Grant) -> bool {
        self.ues[grant.ue as usize].up.harq.has_transmission(grant.slot)
    }

    /// A semi-persistent grant is used, if its process is free.
    pub(in crate::ran::cell) fn begin_sps(&mut self, grant: &Grant) -> Found {
        let found = self.find_configured(grant.ue, grant.process, grant.slot);
        if found != Found::Held {
            self.ues[grant.ue as usize].up.harq.begin_configured(grant.process);
        }
        found
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

    /// A block of the uplink came, with these bytes of each bearer.
    pub(in crate::ran::cell) fn on_uplink_content(
        &mut self,
        bearers: &[bearer::Config],
        (ue, process): (u32, usize),
        content: impl Iterator<Item = (usize, Bytes)>,
    ) {
        let Some(rates) = &mut self.ues[ue as usize].up.rates else { return };
        let mut served = Groups::default();
        for (position, bytes) in content {
            served[usize::from(bearers[position].logical_channel_group)] += bytes;
        }
        rates.on_block(process, &served);
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

/// The class of the most urgent bearer of each group.
fn classes(config: &Config) -> [Option<Characteristics>; 8] {
    let mut classes: [Option<Characteristics>; 8] = [None; 8];
    for bearer in &config.bearers {
        let class = &mut classes[usize::from(bearer.logical_channel_group)];
        if class.is_none_or(|class| bearer.quality.priority < class.priority) {
            *class = Some(bearer.quality);
        }
    }
    classes
}

/// The most urgent class of which data are believed to wait.
fn most_urgent(
    classes: &[Option<Characteristics>; 8],
    estimate: &Estimate,
) -> Option<Characteristics> {
    let waiting = classes.iter().zip(estimate.groups()).filter(|(_, bytes)| !bytes.is_zero());
    waiting.filter_map(|(class, _)| *class).min_by_key(|class| class.priority)
}

/// Bytes a slot of all guaranteed rates of a UE.
fn target(config: &Config) -> f64 {
    let slot = config.tti.length().as_secs_f64();
    let rates = config.bearers.iter().filter_map(|bearer| bearer.gbr.up);
    rates.map(|rate| rate.as_bps() as f64 / 8.0 * slot).sum()
}
