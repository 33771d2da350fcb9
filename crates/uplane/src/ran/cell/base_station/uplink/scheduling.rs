//! The grants of a slot, each for one block in a later slot.
//!
//! In: UEs that need a grant, the room of a slot. Out: grants; those of retransmissions come first.

use super::UplinkScheduler;
use super::type_2::{Choice, Chosen};
use crate::net::Direction;
use crate::ran::cell::air::Grant;
use crate::ran::cell::base_station::uplink_demand::UplinkDemand;
use crate::ran::cell::base_station::{BaseStation, BaseTurn};
use crate::ran::cell::config::Capacity;
use crate::ran::cell::limits::Met;
use crate::ran::cell::setup::Setup;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::mac::estimate::Estimate;
use crate::ran::mac::scheduler::Candidate;
use crate::ran::tables::class::Characteristics;
use crate::unit::{Bytes, Duration, Probability};

impl BaseStation {
    /// Sends the grants of this slot.
    #[inline(always)]
    pub(in crate::ran::cell) fn schedule_uplink(&mut self, turn: &mut BaseTurn<'_>) {
        if self.up.has_work() {
            self.schedule_uplink_slots(turn);
        }
    }

    fn schedule_uplink_slots(&mut self, turn: &mut BaseTurn<'_>) {
        for target in turn.setup.timeline.granted_in(turn.slot) {
            self.schedule_uplink_slot(turn, target);
        }
        if !self.up.releases.is_empty() {
            self.send_releases(turn);
        }
    }

    /// Grants transmissions in slot `target`.
    fn schedule_uplink_slot(&mut self, turn: &mut BaseTurn<'_>, target: u64) {
        let setup = turn.setup;
        let taken = turn.air.ring.most_uplink_units(target..target + setup.on_air);
        let all_units = setup.capacity.up.units(target);
        let all_ues = setup.config.uplink.channel.ues_per_slot;
        let (mut units, mut ues) = (all_units.saturating_sub(taken), all_ues);
        self.up.met = Met::default();
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
        if self.up.scheduler.has_left() {
            self.up.met.note_unpicked(units);
        }
        if all_units > 0 {
            turn.air.statistics.up_limits.count(ues < all_ues, self.up.met);
        }
    }

    /// Collects UEs that can get a grant for slot `target` as candidates.
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
            let quality = up
                .classes
                .as_deref()
                .and_then(|it| most_urgent(it, setup, &context.demand.estimate));
            let quality = quality.unwrap_or(blank.quality);
            let urgent = context
                .demand
                .rates
                .as_mut()
                .is_some_and(|rates| rates.in_danger(turn.now, setup.served_groups));
            up.candidates.push(Candidate { ue, rate, quality, urgent, ..blank });
        }
    }

    /// Grants a transmission in `target`, and returns the units it takes.
    fn grant(&mut self, turn: &mut BaseTurn<'_>, target: u64, ue: u32, units: u64) -> u64 {
        let setup = turn.setup;
        let Some(chosen) = self.choose(turn, target, ue, units) else { return 0 };
        let Chosen { used, size, process, activates } = chosen;
        if !self.take_control(turn.air, Direction::Up, ue) {
            return 0;
        }
        if let Some(number) = activates {
            self.activate(turn, target, (ue, number.into()), used);
        }
        let data = size.map_or(Bytes(UNLIMITED), |size| setup.data_in(size));
        let context = &mut self.ues[ue as usize].up;
        context.harq.take(process, target);
        let demand = &mut context.demand;
        demand.on_granted(setup.place, target);
        let before = demand.rates.is_some().then(|| *demand.estimate.groups());
        demand.estimate.on_grant(setup.place.turn(target), data, setup.served_groups);
        if let (Some(rates), Some(before)) = (&mut demand.rates, before) {
            let after = demand.estimate.groups();
            let served = std::array::from_fn(|group| before[group] - after[group]);
            rates.on_grant(setup.process_of_ue(process), served);
            rates.on_estimate(turn.now, after);
        }
        let grant = Grant {
            ue,
            slot: target,
            process,
            size,
            units: used,
            answers_sr: demand.unanswered > 0,
            activates,
            cause: demand.cause_on(setup),
            received: setup.clock.end(setup.timeline.last_grant(target)),
        };
        demand.unanswered = demand.unanswered.saturating_sub(1);
        demand.accesses = false;
        context.proactive = false;
        if let Some(configured) = &mut context.configured {
            configured.request_configuration = None;
        }
        self.ues[ue as usize].on_grant(turn.slot);
        turn.air.send_grant(grant, self.ues[ue as usize].aggregation.cces());
        turn.air.ring.take_uplink(target..target + setup.on_air, used);
        self.up.scheduler.on_served(ue, turn.slot, size.unwrap_or_default());
        self.refresh_to_grant(setup, ue);
        used
    }

    /// Chooses the block of a UE in `target`, of whose units `units` are free.
    fn choose(&mut self, turn: &BaseTurn<'_>, target: u64, ue: u32, units: u64) -> Option<Chosen> {
        if self.ues[ue as usize].up.configured.is_some() {
            match self.choose_type_2(turn.setup, target, ue, units) {
                Choice::Activate(chosen) => return Some(chosen),
                Choice::Wait => return None,
                Choice::Ordinary => {}
            }
        }
        let (used, size) = self.grant_size(turn, target, ue, units)?;
        let harq = &self.ues[ue as usize].up.harq;
        let process = harq.free_process(target).expect("candidates have a free process");
        Some(Chosen { used, size, process, activates: None })
    }

    /// Returns the units and bytes of a UE's block in `target`; `None` for bytes lets the UE send
    /// as many as it needs.
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
        let unanswered = context.demand.unanswered_on(setup.place);
        let UplinkDemand { estimate, rates, .. } = &mut context.demand;
        let served = setup.served_groups;
        let known = match rates {
            _ if !policy.on_report => Bytes::ZERO,
            Some(rates) => rates.allowed(turn.now, &served.of(estimate.groups())),
            None => served.bytes(estimate.groups()),
        };
        let mut known = setup.block_for(known);
        let reported = known;
        if let Some(proactive) = policy.proactive.filter(|_| context.proactive) {
            known = known.max(proactive.bytes);
        }
        let wanted = match policy.on_request.size(setup.tti) {
            _ if unanswered == 0 => known,
            Some(first) => first.max(known),
            None if matches!(capacity, Capacity::Unlimited) => return Some((1, None)),
            None => Bytes(UNLIMITED),
        };
        if wanted.is_zero() {
            return None;
        }
        let used = context.link.units_for(capacity, target, wanted, units);
        let size = context.link.size(capacity, target, used);
        self.up.met.note_if(size < reported, context.link.limit_within(units));
        (!size.is_zero()).then_some((used, Some(size)))
    }
}

/// Returns the most urgent class with waiting data that this carrier may carry.
fn most_urgent(
    classes: &[Option<Characteristics>; 8],
    setup: &Setup,
    estimate: &Estimate,
) -> Option<Characteristics> {
    let groups = setup.served_groups.of(estimate.groups());
    let waiting = classes.iter().zip(groups).filter(|(_, bytes)| !bytes.is_zero());
    waiting.filter_map(|(class, _)| *class).min_by_key(|class| class.priority)
}
