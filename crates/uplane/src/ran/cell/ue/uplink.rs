//! Filling of a granted block by its UE.
//!
//! In: a grant, buffers. Out: a block in its HARQ process, with the report that it carries.

use super::{AnsweredSr, LogicalChannel, Ue};
use crate::net::{Cause, Direction, Ledger};
use crate::ran::cell::air::{Grant, GrantCause, Held};
use crate::ran::cell::bearer::Bearer;
use crate::ran::cell::draft::{Draft, SUB_HEADER, Scratch, Shares};
use crate::ran::cell::setup::Setup;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::cell::statistics::CellStatistics;
use crate::ran::mac::buffer_status::{Report, ReportFormat};
use crate::ran::mac::configured_grant::Confirmed;
use crate::ran::mac::header::Packing;
use crate::ran::mac::sharing::Sharing;
use crate::ran::phy::{LinkModel, Scheme};
use crate::ran::rlc;
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

/// Inputs and outputs of a UE that fills a block.
#[derive(Debug)]
pub(in crate::ran::cell) struct UeTurn<'a> {
    pub(in crate::ran::cell) setup: &'a Setup,
    /// The carrier of the grant.
    pub(in crate::ran::cell) carrier: &'a Setup,
    /// Slot of the first carrier.
    pub(in crate::ran::cell) slot: u64,
    pub(in crate::ran::cell) now: Instant,
    pub(in crate::ran::cell) bearers: &'a mut [Bearer],
    pub(in crate::ran::cell) statistics: &'a mut CellStatistics,
    /// Receives the packets that the UE drops.
    pub(in crate::ran::cell) effects: &'a mut Outbox<rlc::Effect>,
    pub(in crate::ran::cell) scratch: &'a mut Scratch,
}

/// Sharing of a block among the bearers of a UE.
#[derive(Clone, Copy, Debug)]
struct FillRule {
    sharing: Sharing,
    /// Restrictions of the grant, if some bearer may not use it.
    restricted: Option<Mapping>,
}

/// Properties of a grant that restrict logical channels (TS 38.321 §5.4.3.1.2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Mapping {
    /// Number of the configured grant, if it is one.
    configured: Option<usize>,
    /// Number of the grant's carrier.
    carrier: u64,
}

impl Ue {
    /// Returns `true` if the process of a grant can take a new block.
    pub(in crate::ran::cell) fn has_process_for(&self, grant: &Grant) -> bool {
        self.harq.is_free(grant.process)
    }

    /// Fills the block of a grant, and returns the configured grants that it confirms.
    pub(in crate::ran::cell) fn build(
        &mut self,
        turn: &mut UeTurn<'_>,
        grant: &Grant,
        scheme: Scheme,
    ) -> Confirmed {
        let config = &turn.setup.config;
        self.discard_late(turn);
        let size = grant.size.unwrap_or(Bytes(UNLIMITED));
        let parts = std::mem::take(&mut self.harq.block(grant.process).parts);
        let packing = Packing::new(size, config.sub_headers);
        let mut draft = Draft {
            direction: Direction::Up,
            now: turn.now,
            packing,
            parts,
            status_pdus: config.uplink.channel.status_pdus,
        };
        let restricted = self.restricts(turn.carrier, grant);
        let confirmed = self.confirm(turn, &mut draft.packing);
        let leaves_data = restricted.is_some() || !self.others.is_empty();
        let reserved = self.reserve_report(turn, &mut draft.packing, leaves_data);
        self.filter_at_grant(turn, draft.packing.room(), restricted);
        let (answered, setups) = (self.answered, (turn.setup, turn.carrier));
        let charge = |ledger: &mut Ledger| charge(ledger, grant, answered, setups);
        let rule = FillRule { sharing: config.uplink.channel.sharing, restricted };
        self.fill(&mut draft, turn.bearers, rule, turn.scratch, &charge);
        self.notify_begun(turn.bearers);
        let report = self.finish_report(turn, &mut draft.packing, reserved);
        self.seal(turn, grant, scheme, draft, report);
        confirmed
    }

    /// Returns the restrictions of this grant; `None` if all channels may use it.
    fn restricts(&self, carrier: &Setup, grant: &Grant) -> Option<Mapping> {
        let configured = grant.configured().map(|(number, _)| number);
        if configured.is_none() && !self.keeps_to_carriers {
            return None;
        }
        let mapping = Mapping { configured, carrier: carrier.place.number() };
        self.channels.iter().any(|channel| !channel.may_use(mapping)).then_some(mapping)
    }

    /// Adds the pending confirmation to the block, before anything else (TS 38.321 §5.4.3.1.3).
    fn confirm(&mut self, turn: &mut UeTurn<'_>, packing: &mut Packing) -> Confirmed {
        let Some(configured) = &mut self.configured else { return Confirmed::NOTHING };
        let length = configured.length_in(turn.slot);
        if !length.is_some_and(|length| packing.add_element(length)) {
            return Confirmed::NOTHING;
        }
        turn.statistics.configured_grant_confirmations += 1;
        configured.confirm()
    }

    fn fill(
        &mut self,
        draft: &mut Draft,
        bearers: &mut [Bearer],
        FillRule { sharing, restricted }: FillRule,
        scratch: &mut Scratch,
        charge: &impl Fn(&mut Ledger),
    ) {
        draft.parts.clear();
        if bearers.len() == 1 && restricted.is_none() {
            draft.fill_from(bearers, 0, charge);
            return;
        }
        if sharing != Sharing::Buckets
            && restricted.is_none()
            && let Some(only) = draft.only_bearer_with_data(bearers)
        {
            let used = draft.fill_from(bearers, only, charge);
            self.buckets.on_sent(only, used);
            return;
        }
        scratch.promised.clear();
        scratch.demands.clear();
        scratch.demands.extend(self.channels.iter().zip(bearers.iter()).map(
            |(channel, bearer)| {
                if restricted.is_some_and(|mapping| !channel.may_use(mapping)) {
                    return Bytes::ZERO;
                }
                let demand = bearer.rlc.buffer_status(draft.now, Direction::Up).demand();
                if demand.is_zero() { demand } else { demand + SUB_HEADER }
            },
        ));
        let buckets = &mut self.buckets;
        let mut shares = Shares { sharing, buckets, scratch, capped: false };
        draft.fill_by_shares(bearers, &mut shares, charge, |_, _, _, _| ());
    }

    /// Completes the block, and puts it into its HARQ process.
    fn seal(
        &mut self,
        turn: &mut UeTurn<'_>,
        grant: &Grant,
        scheme: Scheme,
        mut draft: Draft,
        report: Option<Report>,
    ) {
        if grant.size.is_none() {
            draft.packing.shrink();
        }
        let division = draft.packing.finish();
        turn.statistics.uplink.on_block(division);
        self.access.on_block(grant.size.unwrap_or(Bytes(UNLIMITED)));
        let block = self.harq.block(grant.process);
        let air = turn.carrier.times_of_block(Direction::Up, grant.slot);
        block.begin(draft, air, grant.units, scheme.modulation);
        // One or two bytes of padding, which are sub-headers, do not mean that all data were sent:
        // no PDU fits into them.
        let full = division.padding.is_zero() && grant.size.is_some();
        block.full = full && self.access.full_block_implies_more();
        block.report = report;
        let channel = &turn.carrier.config.uplink.channel;
        if channel.link != LinkModel::Ideal {
            block.start_decoding(channel, channel.capacity.code_blocks(block.size, scheme.mcs));
        }
        self.harq.send_new(grant.process);
    }

    /// Reserves space for a regular or periodic report, unless all data fit into the grant but not
    /// the report too (TS 36.321 §5.4.5).
    fn reserve_report(
        &mut self,
        turn: &UeTurn<'_>,
        packing: &mut Packing,
        restricted: bool,
    ) -> Option<ReportFormat> {
        if !self.access.reports_in_blocks() {
            return None;
        }
        self.reporting.on_slot(turn.slot, !self.waiting().is_zero());
        if !self.reporting.wanted() {
            return None;
        }
        let groups = self.groups(turn.now, turn.bearers);
        let format = turn.setup.config.uplink.report.format(&groups);
        let length = format.length(&groups);
        let demand = |bearer: &Bearer| bearer.rlc.buffer_status(turn.now, Direction::Up).demand();
        let sub_headers = turn.setup.config.sub_headers;
        let all = turn.bearers.iter().map(demand).sum::<Bytes>() + sub_headers.of_last();
        let size = packing.unused();
        if !restricted && all <= size && all + sub_headers.of_report(length) > size {
            self.reporting.cancel();
            return None;
        }
        packing.add_element(length).then_some(format)
    }

    /// Returns the report in the block, after the block was filled: in the reserved space, or
    /// instead of padding.
    fn finish_report(
        &mut self,
        turn: &mut UeTurn<'_>,
        packing: &mut Packing,
        reserved: Option<ReportFormat>,
    ) -> Option<Report> {
        if !self.access.reports_in_blocks() {
            return None;
        }
        let groups = self.groups(turn.now, turn.bearers);
        let reports = &turn.setup.config.uplink.report;
        let all_sent = groups.iter().all(|bytes| bytes.is_zero());
        let format = reserved.or_else(|| {
            let format = reports.padding_format(packing, &groups)?;
            packing.add_element(format.length(&groups)).then_some(format)
        });
        if format.is_some() || all_sent {
            self.requests.cancel();
        }
        let format = format?;
        let counter = match reserved {
            Some(_) => &mut turn.statistics.bsr_sent,
            None => &mut turn.statistics.padding_bsr_sent,
        };
        *counter += 1;
        self.reporting.on_sent(turn.setup.clock.at_or_after(turn.now));
        Some(Report { groups: reports.reported(&groups, format, self.urgency), format })
    }

    /// Discards packets whose PDCP discard timer has expired.
    fn discard_late(&mut self, turn: &mut UeTurn<'_>) {
        for (bearer, channel) in turn.bearers.iter_mut().zip(&mut self.channels) {
            if bearer.discards.up {
                let Bearer { pdcp, rlc, .. } = bearer;
                pdcp.up.discard(turn.now, Direction::Up, rlc, turn.effects);
                channel.notify_expired(bearer);
            }
        }
    }

    /// Synchronises the filters after a block was filled.
    fn notify_begun(&mut self, bearers: &[Bearer]) {
        for (channel, bearer) in self.channels.iter_mut().zip(bearers) {
            LogicalChannel::notify_begun(channel, bearer);
        }
    }
}

impl LogicalChannel {
    /// Returns `true` if its data may use a grant with these properties.
    pub(super) fn may_use(&self, mapping: Mapping) -> bool {
        self.serving_cells.contains(mapping.carrier)
            && mapping.configured.is_none_or(|number| self.grants.contains(number))
    }
}

/// Charges the wait of a packet that begins in the block of this grant. A packet that arrived
/// before the UE's request has waited for the request and its answer, whether it was first in the
/// queue or behind others. Requests use the slots of the first carrier, the block those of its own
/// carrier.
fn charge(
    ledger: &mut Ledger,
    grant: &Grant,
    answered: Option<AnsweredSr>,
    (setup, carrier): (&Setup, &Setup),
) {
    match (grant.cause, answered) {
        (GrantCause::Sr { sent, held, duplex }, _) => {
            charge_request(ledger, sent, held, setup);
            charge_grant(ledger, grant.received, duplex);
        }
        (GrantCause::Bsr { sent, duplex }, Some(request))
            if ledger.booked() <= request.sent && request.received <= sent =>
        {
            charge_request(ledger, request.sent, request.held, setup);
            charge_grant(ledger, request.received, request.duplex);
            ledger.charge(Cause::RadioQueue, sent);
            charge_grant(ledger, grant.received, duplex);
        }
        (GrantCause::Bsr { sent, duplex }, _) => {
            ledger.charge(Cause::RadioQueue, sent);
            charge_grant(ledger, grant.received, duplex);
        }
        (GrantCause::Sps { number, .. }, _) => {
            let sps = &setup.config.uplink.grants.sps[usize::from(number)];
            charge_occasion(ledger, grant.received, sps.wait(), setup);
        }
        (GrantCause::SmallData, _) => {
            charge_occasion(ledger, grant.received, Cause::ConfiguredGrantWait, setup);
        }
        (GrantCause::Proactive, _) => ledger.charge(Cause::GrantWait, grant.received),
    }
    ledger.charge(Cause::RadioProcessing, carrier.clock.start(grant.slot));
}

/// Charges the wait for an occasion at `sent`, or for random access instead: up to the first slot
/// in which a UE with occasions in all slots could send a request, then for the band to turn, then
/// for its own occasion.
fn charge_request(ledger: &mut Ledger, sent: Instant, held: Option<Held>, setup: &Setup) {
    let prohibited_from = match held {
        Some(Held::RandomAccess(began)) => {
            ledger.charge(Cause::SchedulingRequestWait, began.min(sent));
            ledger.charge(Cause::RandomAccess, sent);
            return;
        }
        Some(Held::Prohibited(from)) => Some(from),
        None => None,
    };
    if setup.timeline.goes_in_turn() && ledger.booked() < sent {
        let first = setup.first_request_from(ledger.booked());
        let turned = setup.timeline.next_uplink(first);
        ledger.charge(Cause::SchedulingRequestWait, setup.request_begins(first).min(sent));
        ledger.charge(Cause::DuplexWait, setup.request_begins(turned).min(sent));
    }
    ledger.charge(Cause::SchedulingRequestWait, prohibited_from.unwrap_or(sent));
    ledger.charge(Cause::SchedulingRequestProhibit, sent);
}

/// Charges the wait for a grant. The part `duplex` comes from slots of the other direction.
fn charge_grant(ledger: &mut Ledger, received: Instant, duplex: Duration) {
    ledger.charge(Cause::GrantWait, received - duplex);
    ledger.charge(Cause::DuplexWait, received);
}

/// Charges the `wait` for an occasion of a configured grant at `begins`.
fn charge_occasion(ledger: &mut Ledger, begins: Instant, wait: Cause, setup: &Setup) {
    if ledger.booked() < begins {
        let aligned = setup.clock.at_or_after(ledger.booked());
        let turned = setup.timeline.next_uplink(aligned);
        let aligned = setup.timeline.uplink_start(aligned);
        ledger.charge(Cause::RadioAlignment, setup.clock.start(aligned).min(begins));
        ledger.charge(Cause::DuplexWait, setup.clock.start(turned).min(begins));
    }
    ledger.charge(wait, begins);
}
