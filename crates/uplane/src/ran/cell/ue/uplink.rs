//! Uplink blocks: built by the UE, decoded by the eNB.
//!
//! In: a grant, buffers. Out: a block on the air; what it carried at the network, its report at the scheduler.

use crate::net::{Cause, Direction, Ledger};
use crate::ran::cell::base_station::link_adaptation::{self, Sent};
use crate::ran::cell::block::Draft;
use crate::ran::cell::config::Access;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::cell::slot_ring::{Answered, Asked, Grant, Reported, Transmission};
use crate::ran::cell::ue::Bearer;
use crate::ran::cell::ue::Ue;
use crate::ran::cell::{Arrival, Cell, Effect};
use crate::ran::mac::harq::Verdict;
use crate::ran::mac::header::{Packing, ReportFormat};
use crate::ran::mac::report::{self, Groups};
use crate::ran::mac::timing::Clock;
use crate::ran::phy::LinkModel;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

impl Cell {
    /// The UE fills the block of a grant; returns its process.
    pub(in crate::ran::cell) fn build_uplink(
        &mut self,
        slot: u64,
        grant: &Grant,
        out: &mut Outbox<Effect>,
    ) -> usize {
        let now = self.clock.start(slot);
        let ue = grant.ue;
        self.discard_late_uplink(now, ue, out);
        let size = grant.size.unwrap_or(Bytes(UNLIMITED));
        let process = self.ues[ue as usize].up.harq.of_slot(grant.slot);
        let parts = std::mem::take(&mut self.ues[ue as usize].up.harq.block(process).parts);
        let packing = Packing::new(size).bare(self.config.bare_blocks);
        let mut draft = Draft { direction: Direction::Up, now, packing, parts };
        let reserved = self.reserve_report(slot, now, ue, &mut draft.packing);
        self.filter_at_grant(now, ue, draft.packing.room(), out);
        let (sharing, clock) = (self.config.uplink.channel.sharing, self.clock);
        let state = &mut self.ues[ue as usize];
        let answered = state.uplink.answered;
        state.fill(&mut draft, sharing, &mut self.scratch, |ledger| {
            charge(ledger, grant, answered, &clock);
        });
        state.bearers.iter_mut().for_each(Bearer::tell_begun);
        let report = self.finish_report(slot, now, ue, &mut draft.packing, reserved);
        self.seal_uplink(grant, process, draft, report);
        self.on_uplink_data(now, ue);
        process
    }

    /// The block is complete.
    fn seal_uplink(
        &mut self,
        grant: &Grant,
        process: usize,
        mut draft: Draft,
        report: Option<Groups>,
    ) {
        if grant.size.is_none() {
            draft.packing.shrink();
        }
        let division = draft.packing.finish();
        self.statistics.uplink.on_block(division);
        let spared = self.config.uplink_spared();
        let state = &mut self.ues[grant.ue as usize];
        let size = grant.size.unwrap_or(Bytes(UNLIMITED));
        state.uplink.expected = state.uplink.expected.saturating_sub(size);
        let modulation = state.up.link.modulation();
        let block = state.up.harq.block(process);
        block.begin(draft, &self.clock, grant.slot, grant.units, modulation);
        block.shorten(spared);
        block.full = division.padding.is_zero() && grant.size.is_some();
        block.report = report;
        if self.config.uplink.channel.link != LinkModel::Ideal {
            link_adaptation::start(&mut block.soft, block.size);
        }
        state.up.harq.send_new(process);
    }

    /// Keeps room for a regular or periodic report, unless the grant takes all data but not the
    /// report too (TS 36.321 §5.4.5).
    pub(in crate::ran::cell) fn reserve_report(
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
    pub(in crate::ran::cell) fn finish_report(
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

    pub(in crate::ran::cell) fn transmit_uplink(&mut self, slot: u64, transmission: Transmission) {
        let Transmission { ue, process, again } = transmission;
        let channel = &self.config.uplink.channel;
        let Ue { id, up: half, path, counted, .. } = &mut self.ues[ue as usize];
        if again {
            half.harq.send_again(process);
        }
        let number = half.harq.transmissions(process);
        let block = half.harq.block(process);
        if let Some(air) = &mut self.air {
            air.on_sent(ue, block.units);
        }
        if let (Some(air), Some(path)) = (&mut self.air, path)
            && let Some(sinr) =
                air.hear_uplink(path, *id, slot, self.clock.start(slot), block.units)
        {
            half.link.hear(sinr);
        }
        let sent = Sent { modulation: block.modulation, units: block.units, number };
        let decodes = half.link.decodes(
            &channel.capacity,
            &channel.link,
            self.tti,
            sent,
            &mut block.soft,
            &mut half.errors,
        );
        block.decoded = self.clock.end(slot) - self.config.uplink_spared();
        let (units, size) = (block.units, block.size);
        counted.uplink.transmissions += 1;
        counted.uplink.units += units;
        self.tallies.up.wire += size;
        self.statistics.uplink.on_transmission(units, number == 1, decodes);
        if number == 1 {
            half.link.on_first(&channel.capacity, self.tti, &mut self.schemes.up, decodes);
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
    pub(in crate::ran::cell) fn end_uplink(
        &mut self,
        slot: u64,
        ue: u32,
        process: usize,
        lost: bool,
    ) {
        let decoded = self.clock.after(slot + 1, self.config.timing.uplink_decoding);
        let at = decoded - self.config.uplink_spared();
        self.arrivals.up.push_back(Arrival { at, ue, process, lost });
    }

    /// The report in a block will reach the scheduler.
    pub(in crate::ran::cell) fn plan_report(&mut self, slot: u64, ue: u32, process: usize) {
        let block = self.ues[ue as usize].up.harq.block(process);
        let (groups, full, built_for) = (block.report, block.full, block.slot);
        let standard = self.config.uplink.access == Access::Standard;
        if groups.is_some() || (full && standard) {
            let known = slot + self.slots.report_to_grant;
            self.ring.at(known).reports.push(Reported { ue, slot: built_for, groups });
        }
    }

    /// PDCP drops what waited too long.
    pub(in crate::ran::cell) fn discard_late_uplink(
        &mut self,
        now: Instant,
        ue: u32,
        out: &mut Outbox<Effect>,
    ) {
        let state = &mut self.ues[ue as usize];
        let mut any = false;
        for bearer in &mut state.bearers {
            if bearer.discards.up {
                any = true;
                bearer.pdcp.up.discard(now, Direction::Up, &mut bearer.rlc, &mut self.effects);
                bearer.tell_expired();
            }
        }
        if any {
            self.carry_out(now, ue, out);
        }
    }
}

/// Books the wait of a packet that begins in the block of this grant. One that came before the UE had asked has waited for
/// the request and its answer, whether it was the first in the queue or behind others.
fn charge(ledger: &mut Ledger, grant: &Grant, answered: Option<Answered>, clock: &Clock) {
    match (grant.asked, answered) {
        (Asked::Request { sent, held }, _) => charge_request(ledger, sent, held),
        (Asked::Report { sent }, Some(request))
            if ledger.booked() <= request.sent && request.received <= sent =>
        {
            charge_request(ledger, request.sent, request.held);
            ledger.charge(Cause::GrantWait, request.received);
            ledger.charge(Cause::RadioQueue, sent);
        }
        (Asked::Report { sent }, _) => ledger.charge(Cause::RadioQueue, sent),
        (Asked::Standing, _) => ledger.charge(Cause::RadioAlignment, grant.received),
        (Asked::Nothing, _) => {}
    }
    ledger.charge(Cause::GrantWait, grant.received);
    ledger.charge(Cause::RadioProcessing, clock.start(grant.slot));
}

fn charge_request(ledger: &mut Ledger, sent: Instant, held: Option<Instant>) {
    ledger.charge(Cause::SchedulingRequestWait, held.unwrap_or(sent));
    ledger.charge(Cause::SchedulingRequestProhibit, sent);
}
