//! The uplink in one slot: requests, reports, grants, blocks.
//!
//! In: buffers of the UEs. Out: blocks on the air, arrivals at the network.
//!
//! Left out: errors on the PHICH. A UE that takes a NACK for an ACK loses a block as in the downlink; one
//! direction with such errors is enough to study them.

use super::block::{Block, fill};
use super::config::{self, Access, Capacity};
use super::link::{self, Sent, UNLIMITED};
use super::ring::{Asked, Due, Grant, Reported, Requested, Transmission};
use super::{Arrival, Cell, Effect};
use crate::net::{Cause, Direction, Ledger};
use crate::ran::mac::grant::Repeated;
use crate::ran::mac::harq::Verdict;
use crate::ran::mac::header::{Packing, ReportFormat};
use crate::ran::mac::report::{self, Groups};
use crate::ran::mac::request::Step;
use crate::ran::mac::scheduler::{Candidate, Scheduler};
use crate::ran::mac::timing::Clock;
use crate::ran::phy::LinkModel;
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

/// What the eNB's uplink scheduler knows, and which UEs have ideal reports to make.
#[derive(Clone, Debug)]
pub(super) struct UplinkSchedule {
    scheduler: Scheduler,
    /// UEs to be granted something, in ascending order.
    wanting: Vec<u32>,
    /// UEs whose buffers changed, for ideal reports.
    changed: Vec<u32>,
    candidates: Vec<Candidate>,
}

impl UplinkSchedule {
    pub(super) fn new(config: &config::Uplink, ue_count: u32) -> Self {
        let channel = &config.channel;
        Self {
            scheduler: Scheduler::new(channel.metric, ue_count, channel.averaging_slots),
            wanting: Vec::with_capacity(ue_count as usize),
            changed: Vec::with_capacity(ue_count as usize),
            candidates: Vec::with_capacity(ue_count as usize),
        }
    }

    /// True when the next slot has something to do.
    pub(super) fn has_work(&self) -> bool {
        !self.wanting.is_empty() || !self.changed.is_empty()
    }

    fn set_wanting(&mut self, ue: u32, wants: bool) {
        match (self.wanting.binary_search(&ue), wants) {
            (Err(place), true) => self.wanting.insert(place, ue),
            (Ok(place), false) => {
                self.wanting.remove(place);
            }
            _ => {}
        }
    }
}

impl Cell {
    /// The uplink buffers of a UE may have changed.
    pub(super) fn on_uplink_data(&mut self, now: Instant, ue: u32) {
        let access = self.config.uplink.access;
        let state = &mut self.ues[ue as usize];
        let triggered = state.look(now);
        match access {
            Access::IdealReports => {
                if state.uplink.changed && !self.up.changed.contains(&ue) {
                    self.up.changed.push(ue);
                }
            }
            Access::EagerRequests => self.plan_occasion(now, ue),
            Access::Standard => {
                if triggered {
                    state.uplink.request.trigger();
                }
                self.plan_occasion(now, ue);
                self.plan_reminder(now, ue);
            }
        }
    }

    /// `retxBSR-Timer` has expired, or would have, had it not been started again.
    pub(super) fn on_reminder(&mut self, now: Instant, ue: u32) {
        let slot = self.clock.at_or_after(now);
        let state = &mut self.ues[ue as usize];
        let waits = !state.waiting().is_zero();
        if state.uplink.reporting.on_slot(slot, waits) {
            state.uplink.request.trigger();
        }
        self.plan_occasion(now, ue);
        self.plan_reminder(now, ue);
    }

    /// Requests and reports reach the scheduler.
    pub(super) fn uplink_news(&mut self, slot: u64, due: &Due) {
        for request in &due.requests {
            self.on_request(slot, request);
        }
        for report in &due.reports {
            self.on_report(report);
        }
    }

    /// Blocks are built, blocks are on the air, requests are sent.
    pub(super) fn uplink_blocks(&mut self, slot: u64, due: &Due, out: &mut Outbox<Effect>) {
        for grant in &due.builds {
            let process = self.build_uplink(slot, grant, out);
            let transmission = Transmission { ue: grant.ue, process, again: false };
            if grant.slot == slot {
                self.transmit_uplink(slot, transmission);
            } else {
                self.ring.at(grant.slot).transmissions.push(transmission);
            }
        }
        for &transmission in &due.transmissions {
            self.transmit_uplink(slot, transmission);
        }
        for &ue in &due.occasions {
            self.on_occasion(slot, ue);
        }
        self.report_ideally(slot);
    }

    /// Grants of this slot.
    pub(super) fn schedule_uplink(&mut self, slot: u64) {
        if self.up.wanting.is_empty() {
            return;
        }
        let target = slot + self.slots.grant_to_uplink;
        let channel = &self.config.uplink.channel;
        let taken = self.ring.uplink_units(target);
        let mut units = channel.capacity.units(&self.clock, target).saturating_sub(taken);
        let mut ues = channel.ues_per_slot;
        self.collect_wanting(target, units);
        let candidates = std::mem::take(&mut self.up.candidates);
        self.up.scheduler.rank(slot, &candidates);
        self.up.candidates = candidates;
        while units > 0
            && ues > 0
            && let Some(ue) = self.up.scheduler.next()
        {
            let used = self.grant(slot, target, ue, units);
            units -= used;
            ues -= u32::from(used > 0);
        }
    }

    /// Puts the next occasion for a request into the ring, when one is wanted.
    fn plan_occasion(&mut self, now: Instant, ue: u32) {
        let access = self.config.uplink.access;
        let state = &mut self.ues[ue as usize];
        let wants = state.uplink.wants_to_ask(access, state.waiting());
        if !wants || state.uplink.occasion_planned {
            return;
        }
        let first = self.clock.at_or_after(now).max(self.next_slot);
        let slot = state.uplink.request.next_occasion(first.max(state.uplink.barred_until));
        state.uplink.occasion_planned = true;
        self.ring.advance(first);
        self.ring.at(slot).occasions.push(ue);
    }

    /// Arms the timer after which a forgotten UE asks again.
    fn plan_reminder(&mut self, now: Instant, ue: u32) {
        let timer = self.reminder_slots[ue as usize];
        let state = &self.ues[ue as usize];
        if state.waiting().is_zero() || self.timers.due(timer).is_some() {
            return;
        }
        if let Some(slot) = state.uplink.reporting.next_regular() {
            self.timers.arm(timer, self.clock.start(slot).max(now));
        }
    }

    fn on_occasion(&mut self, slot: u64, ue: u32) {
        let now = self.clock.start(slot);
        let access = self.config.uplink.access;
        let state = &mut self.ues[ue as usize];
        state.uplink.occasion_planned = false;
        let waiting = state.waiting();
        let wants = state.uplink.wants_to_ask(access, waiting);
        let step = match access {
            Access::EagerRequests if wants => Step::Send { missed: None },
            Access::Standard => state.uplink.request.on_occasion(slot),
            _ => Step::Nothing,
        };
        match step {
            Step::Nothing => {}
            Step::Send { missed } => self.send_request(slot, ue, missed),
            Step::RandomAccess => self.access_randomly(slot, ue),
        }
        self.plan_occasion(now, ue);
    }

    fn send_request(&mut self, slot: u64, ue: u32, missed: Option<u64>) {
        self.statistics.requests += 1;
        let first_grant = self.first_grant();
        let state = &mut self.ues[ue as usize];
        let lost = self.config.feedback.scheduling_request_missed;
        if !lost.is_zero() && state.feedback_errors.chance(lost) {
            self.statistics.requests_missed += 1;
            return;
        }
        state.uplink.expected += first_grant;
        let known = slot + self.slots.request_to_grant;
        self.ring.at(known).requests.push(Requested { ue, slot, missed });
    }

    /// Requests had no answer: the UE is heard again after random access (TS 36.321 §5.1).
    fn access_randomly(&mut self, slot: u64, ue: u32) {
        self.statistics.random_accesses += 1;
        let request = &self.config.uplink.request;
        let uplink = &mut self.ues[ue as usize].uplink;
        let back_off = request.back_off.mul_f64(uplink.random_access.uniform());
        uplink.barred_until = slot + self.clock.slots_in(request.random_access + back_off);
    }

    fn on_request(&mut self, slot: u64, request: &Requested) {
        let first_grant = self.first_grant();
        let policy = &self.config.uplink.grants;
        let uplink = &mut self.ues[request.ue as usize].uplink;
        let answered = uplink.unanswered > 0
            || uplink.last_granted.is_some_and(|granted| granted > request.slot)
            || !uplink.estimate.bytes().is_zero();
        if policy.repeated == Repeated::Ignore && answered {
            self.statistics.requests_ignored += 1;
            uplink.expected = uplink.expected.saturating_sub(first_grant);
            return;
        }
        debug_assert!(request.slot < slot, "a request from the future");
        uplink.unanswered += 1;
        uplink.asked = Asked::Request {
            sent: self.clock.start(request.slot),
            held: request.missed.map(|missed| self.clock.start(missed)),
        };
        self.up.set_wanting(request.ue, true);
    }

    fn on_report(&mut self, report: &Reported) {
        let uplink = &mut self.ues[report.ue as usize].uplink;
        let sent = Asked::Report { sent: self.clock.start(report.slot) };
        match report.groups {
            Some(groups) => uplink.estimate.on_report(report.slot, groups),
            // A full block without a report, and nothing under way: there may be more.
            None if uplink.last_granted.is_none_or(|last| last <= report.slot) => {
                uplink.unanswered = uplink.unanswered.max(1);
            }
            None => return,
        }
        if uplink.unanswered == 0 || report.groups.is_none() {
            uplink.asked = sent;
        }
        self.refresh_wanting(report.ue);
    }

    fn refresh_wanting(&mut self, ue: u32) {
        let uplink = &self.ues[ue as usize].uplink;
        let by_report = self.config.uplink.grants.on_report && !uplink.estimate.bytes().is_zero();
        self.up.set_wanting(ue, uplink.unanswered > 0 || by_report);
    }

    /// UEs that can be granted something in slot `target`.
    fn collect_wanting(&mut self, target: u64, units: u64) {
        let up = &mut self.up;
        let quality = self.config.bearers[0].qci.characteristics();
        up.candidates.clear();
        for &ue in &up.wanting {
            let state = &self.ues[ue as usize];
            let process = state.up.harq.of_slot(target);
            if state.uplink.taken[process] == target || !state.up.harq.is_free(process) {
                continue;
            }
            let capacity = &self.config.uplink.channel.capacity;
            let rate = state.up.link.size(capacity, self.tti, units).0 as f64;
            up.candidates.push(Candidate { ue, rate, delay: Duration::ZERO, quality, target: 0.0 });
        }
    }

    /// A grant in `slot` for a transmission in `target`; returns the units it takes.
    fn grant(&mut self, slot: u64, target: u64, ue: u32, units: u64) -> u64 {
        let Some((used, size)) = self.grant_size(ue, units) else { return 0 };
        if !self.take_control(ue) {
            return 0;
        }
        self.statistics.grants += 1;
        let first_grant = self.first_grant();
        let bare = self.config.bare_blocks;
        let data =
            size.map_or(Bytes(UNLIMITED), |size| self.config.uplink.grants.data_in(size, bare));
        let state = &mut self.ues[ue as usize];
        let process = state.up.harq.of_slot(target);
        let uplink = &mut state.uplink;
        uplink.taken[process] = target;
        uplink.last_granted = Some(target);
        uplink.estimate.on_grant(target, data);
        uplink.reporting.on_grant(slot);
        // An eager UE has counted on its first grant since it asked.
        let counted = if uplink.unanswered > 0 { first_grant } else { Bytes::ZERO };
        uplink.expected += size.unwrap_or(Bytes(UNLIMITED)).saturating_sub(counted);
        uplink.unanswered = uplink.unanswered.saturating_sub(1);
        let (asked, received) = (uplink.asked, self.clock.end(slot));
        let build = target - self.slots.fill_to_uplink;
        let grant = Grant { ue, slot: target, size, units: used, asked, received };
        self.ring.at(build).builds.push(grant);
        self.ring.at(target).uplink_units += used;
        self.up.scheduler.on_served(ue, slot, size.unwrap_or_default());
        self.refresh_wanting(ue);
        used
    }

    /// How many units and bytes a UE gets; as many bytes as it needs for `None`.
    fn grant_size(&self, ue: u32, units: u64) -> Option<(u64, Option<Bytes>)> {
        let policy = &self.config.uplink.grants;
        let capacity = &self.config.uplink.channel.capacity;
        let state = &self.ues[ue as usize];
        let known = policy.block_for(state.uplink.estimate.bytes(), self.config.bare_blocks);
        let wanted = match policy.on_request.size(self.tti) {
            _ if state.uplink.unanswered == 0 => known,
            Some(first) => first.max(known),
            None if matches!(capacity, Capacity::Unlimited) => return Some((1, None)),
            None => Bytes(UNLIMITED),
        };
        let used = state.up.link.units_for(capacity, self.tti, wanted, units);
        let size = state.up.link.size(capacity, self.tti, used);
        (used > 0 && !size.is_zero()).then_some((used, Some(size)))
    }

    /// The UE fills the block of a grant; returns its process.
    fn build_uplink(&mut self, slot: u64, grant: &Grant, out: &mut Outbox<Effect>) -> usize {
        let now = self.clock.start(slot);
        let ue = grant.ue;
        self.discard_late_uplink(now, ue, out);
        let bare = self.config.bare_blocks;
        let mut packing = Packing::new(grant.size.unwrap_or(Bytes(UNLIMITED))).bare(bare);
        let reserved = self.reserve_report(slot, now, ue, &mut packing);
        let state = &mut self.ues[ue as usize];
        let process = state.up.harq.of_slot(grant.slot);
        let mut parts = std::mem::take(&mut state.up.harq.block(process).parts);
        let (sharing, clock) = (self.config.uplink.channel.sharing, self.clock);
        let scratch = &mut self.scratch;
        fill(state, Direction::Up, now, sharing, &mut packing, &mut parts, scratch, |ledger| {
            charge(ledger, grant, &clock);
        });
        let report = self.finish_report(slot, now, ue, &mut packing, reserved);
        if grant.size.is_none() {
            packing.shrink();
        }
        let division = packing.finish();
        self.statistics.uplink.on_block(division);
        let state = &mut self.ues[ue as usize];
        let size = grant.size.unwrap_or(Bytes(UNLIMITED));
        state.uplink.expected = state.uplink.expected.saturating_sub(size);
        let modulation = state.up.link.modulation();
        let block = state.up.harq.block(process);
        *block = Block {
            parts,
            size: packing.size(),
            units: grant.units,
            modulation,
            slot: grant.slot,
            started: clock.start(grant.slot),
            transmitted: clock.end(grant.slot),
            decoded: clock.end(grant.slot),
            arrived: false,
            full: division.padding.is_zero() && grant.size.is_some(),
            report,
            soft: std::mem::replace(&mut block.soft, Block::default().soft),
        };
        if self.config.uplink.channel.link != LinkModel::Ideal {
            link::start(&mut block.soft, block.size);
        }
        state.up.harq.send_new(process);
        self.on_uplink_data(now, ue);
        process
    }

    /// Keeps room for a regular or periodic report, unless the grant takes all data but not the
    /// report too (TS 36.321 §5.4.5).
    fn reserve_report(
        &mut self,
        slot: u64,
        now: Instant,
        ue: u32,
        packing: &mut Packing,
    ) -> Option<ReportFormat> {
        if self.config.uplink.access == Access::IdealReports {
            return None;
        }
        let bare = self.config.bare_blocks;
        let state = &mut self.ues[ue as usize];
        let waits = !state.waiting().is_zero();
        state.uplink.reporting.on_slot(slot, waits);
        if !state.uplink.reporting.wanted() {
            return None;
        }
        let format = report::format(&state.groups(now));
        let all = state.demand(now, Direction::Up) + Bytes(1);
        let size = packing.size();
        if !bare && all <= size && all + format.length() > size {
            state.uplink.reporting.cancel();
            return None;
        }
        packing.add_report(format).then_some(format)
    }

    /// What the block reports, after it was filled: in the room kept, or in the place of padding.
    fn finish_report(
        &mut self,
        slot: u64,
        now: Instant,
        ue: u32,
        packing: &mut Packing,
        reserved: Option<ReportFormat>,
    ) -> Option<Groups> {
        if self.config.uplink.access == Access::IdealReports {
            return None;
        }
        let state = &mut self.ues[ue as usize];
        let groups = state.groups(now);
        let all_sent = groups.iter().all(|bytes| bytes.is_zero());
        let format = reserved.or_else(|| {
            let format = report::padding_format(packing, &groups)?;
            packing.add_report(format).then_some(format)
        });
        if format.is_some() || all_sent {
            state.uplink.request.cancel();
        }
        let format = format?;
        let counter = match reserved {
            Some(_) => &mut self.statistics.reports,
            None => &mut self.statistics.padding_reports,
        };
        *counter += 1;
        state.uplink.reporting.on_sent(slot);
        Some(report::reported(&groups, format, self.config.uplink.report.exact))
    }

    fn transmit_uplink(&mut self, slot: u64, transmission: Transmission) {
        let Transmission { ue, process, again } = transmission;
        let channel = &self.config.uplink.channel;
        let half = &mut self.ues[ue as usize].up;
        if again {
            half.harq.send_again(process);
        }
        let number = half.harq.transmissions(process);
        let block = half.harq.block(process);
        let sent = Sent { modulation: block.modulation, units: block.units, number };
        let decodes = half.link.decodes(
            &channel.capacity,
            &channel.link,
            self.tti,
            sent,
            &mut block.soft,
            &mut half.errors,
        );
        block.decoded = self.clock.end(slot);
        let (units, size) = (block.units, block.size);
        self.tallies[Direction::Up as usize].wire += size;
        self.statistics.uplink.on_transmission(units, number == 1, decodes);
        if number == 1 {
            half.link.on_first(&channel.capacity, self.tti, decodes);
        }
        match half.harq.on_feedback(process, decodes) {
            Verdict::Delivered => {
                self.plan_report(slot, ue, process);
                self.end_uplink(slot, ue, process, false);
            }
            Verdict::GivenUp => {
                self.statistics.uplink.lost += 1;
                self.end_uplink(slot, ue, process, true);
            }
            Verdict::Again => {
                let next = slot + self.slots.uplink_round_trip;
                self.ues[ue as usize].uplink.taken[process] = next;
                let due = self.ring.at(next);
                due.transmissions.push(Transmission { ue, process, again: true });
                due.uplink_units += units;
            }
        }
    }

    /// The fate of a block is known when it has been decoded.
    fn end_uplink(&mut self, slot: u64, ue: u32, process: usize, lost: bool) {
        let at = self.clock.after(slot + 1, self.config.timing.uplink_decoding);
        self.arrivals[Direction::Up as usize].push_back(Arrival { at, ue, process, lost });
    }

    /// The report in a block will reach the scheduler.
    fn plan_report(&mut self, slot: u64, ue: u32, process: usize) {
        let block = self.ues[ue as usize].up.harq.block(process);
        let (groups, full, built_for) = (block.report, block.full, block.slot);
        let standard = self.config.uplink.access == Access::Standard;
        if groups.is_some() || (full && standard) {
            let known = slot + self.slots.report_to_grant;
            self.ring.at(known).reports.push(Reported { ue, slot: built_for, groups });
        }
    }

    /// Reports that cost nothing: of each UE whose buffers changed.
    fn report_ideally(&mut self, slot: u64) {
        let now = self.clock.start(slot);
        let known = slot + self.slots.report_to_grant;
        // It knows of all blocks built until now.
        let knows = slot + self.slots.fill_to_uplink;
        while let Some(ue) = self.up.changed.pop() {
            let state = &mut self.ues[ue as usize];
            state.uplink.changed = false;
            let exact = self.config.uplink.report.exact;
            let groups = report::reported(&state.groups(now), ReportFormat::Long, exact);
            let report = Reported { ue, slot: knows, groups: Some(groups) };
            self.ring.at(known).reports.push(report);
            self.statistics.reports += 1;
        }
    }

    /// The size of the grant that answers a request.
    fn first_grant(&self) -> Bytes {
        self.config.uplink.grants.on_request.size(self.tti).unwrap_or(Bytes(UNLIMITED))
    }

    /// PDCP drops what waited too long.
    fn discard_late_uplink(&mut self, now: Instant, ue: u32, out: &mut Outbox<Effect>) {
        let state = &mut self.ues[ue as usize];
        let mut any = false;
        for bearer in &mut state.bearers {
            let [_, pdcp] = &bearer.pdcp;
            if bearer.discards[1] {
                any = true;
                pdcp.discard(now, Direction::Up, &mut bearer.rlc, &mut self.effects);
            }
        }
        if any {
            self.carry_out(now, ue, out);
        }
    }
}

/// Books the wait of a packet that begins in the block of this grant.
fn charge(ledger: &mut Ledger, grant: &Grant, clock: &Clock) {
    match grant.asked {
        Asked::Request { sent, held } => {
            ledger.charge(Cause::SchedulingRequestWait, held.unwrap_or(sent));
            ledger.charge(Cause::SchedulingRequestProhibit, sent);
        }
        Asked::Report { sent } => ledger.charge(Cause::RadioQueue, sent),
        Asked::Nothing => {}
    }
    ledger.charge(Cause::GrantWait, grant.received);
    ledger.charge(Cause::RadioProcessing, clock.start(grant.slot));
}
