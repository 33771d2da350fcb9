//! A UE of a cell: its state, and its actions in a slot.
//!
//! In: its own buffers, grants, occasions for requests. Out: requests, reports, uplink blocks.
//!
//! | file | contents |
//! |---|---|
//! | [`access`] | strategies by which it informs the base station of its data |
//! | [`uplink`] | filling of a granted block |
//! | [`configured`] | configured grants that it may use, and its data for them |
//! | [`ack_filtering`] | packets that it removes from its queues |
//! | [`second_channels`] | logical channels of second RLC entities, for PDCP duplication |
//!
//! The UE's knowledge of the base station comes only from grants: no file here uses a file of the
//! base station.

mod access;
mod ack_filtering;
mod configured;
mod second_channels;
mod uplink;

pub(super) use access::Needs;
pub(super) use uplink::UeTurn;

use access::UplinkAccess;
use configured::confirmations;
use second_channels::others;

use super::air::{Grant, GrantCause, Held};
use super::bearer::Bearer;
use super::block::Block;
use super::capture::Waiting;
use super::config::Config;
use super::setup::Setup;
use crate::net::Direction;
use crate::ran::ack_filter::{self, AckFilter};
use crate::ran::bearer;
use crate::ran::mac::buffer_status::{Groups, Reporting, Urgency};
use crate::ran::mac::configured_grant::{Confirmations, Confirmed, GrantSet};
use crate::ran::mac::harq::{self, Processes};
use crate::ran::mac::prioritisation::{Buckets, Channel, Payment};
use crate::ran::mac::random_access;
use crate::ran::mac::scheduling_request::{self, SchedulingRequest, Step};
use crate::ran::mac::serving_cells::ServingCells;
use crate::ran::mac::sr_configurations::Requests;
use crate::ran::sdap::DerivedRules;
use crate::sim::{Stream, Streams};
use crate::unit::{Bytes, Duration, Instant, UeId};

/// State of one UE.
#[derive(Clone, Debug)]
pub(super) struct Ue {
    /// HARQ processes of its uplink.
    pub(super) harq: Processes<Block>,
    channels: Vec<LogicalChannel>,
    /// Some of its channels may not use all carriers.
    keeps_to_carriers: bool,
    /// Channels of second RLC entities, each with the position of its bearer. While a block of a
    /// secondary carrier is filled, they are swapped with the first channels.
    others: Vec<(usize, LogicalChannel)>,
    buckets: Buckets,
    /// Order of the groups in a truncated report.
    urgency: Urgency,
    access: UplinkAccess,
    requests: Requests,
    reporting: Reporting,
    random_access: Stream,
    /// The occasion that is in the ring. Any other occasion there is obsolete.
    planned_occasion: Option<u64>,
    /// Slot until which requests are suspended for random access; [`BARRED`] while random access is
    /// under way.
    barred_until: u64,
    /// The last request that was answered.
    answered: Option<AnsweredSr>,
    /// The UE is in RRC_INACTIVE, and may not use the configured grants of RRC_CONNECTED.
    is_inactive: bool,
    /// Its configured grants, if some are of type 2.
    configured: Option<Box<Confirmations>>,
    /// Uplink rules that it has derived by reflective QoS.
    pub(super) rules: DerivedRules,
}

/// Uplink channel of one bearer.
#[derive(Clone, Debug)]
struct LogicalChannel {
    group: usize,
    priority: u16,
    /// Semi-persistent and configured grants that the channel may use.
    grants: GrantSet,
    /// Carriers that the channel may use.
    serving_cells: ServingCells,
    /// Parameters of its scheduling requests.
    request: bearer::Request,
    /// Waiting bytes at the last update.
    known: Bytes,
    /// ACK filter of its queue.
    filter: Option<Box<AckFilter>>,
}

/// A scheduling request that has been answered.
#[derive(Clone, Copy, Debug)]
struct AnsweredSr {
    /// Start of the request's slot.
    sent: Instant,
    /// Cause and start of its delay.
    held: Option<Held>,
    /// Time at which the UE received the grant.
    received: Instant,
    /// Part of the wait for the answer that exists because the band alternates between both
    /// directions.
    duplex: Duration,
}

impl Ue {
    /// Creates UE number `number` of the cell, with number `id` in the scenario.
    pub(super) fn new(setup: &Setup, number: u32, id: UeId, streams: Streams) -> Self {
        let Setup { config, clock, .. } = setup;
        let uplink = &config.uplink;
        let entity = format!("radio/ue/{}", id.0);
        let filters = &config.ack_filters;
        let filter = filters.get(id.index()).or(filters.first());
        let channels = config.bearers.iter().map(|bearer| bearer.channel(Direction::Up));
        let channels: Vec<Channel> = channels.collect();
        let groups = |bearer: &bearer::Config| {
            let priority = bearer.quality.priority.0;
            bearer.groups().map(move |(group, _)| (group.into(), priority)).collect::<Vec<_>>()
        };
        let urgency = Urgency::of(config.bearers.iter().flat_map(groups));
        let others = others(&config.bearers);
        let mut buckets = Buckets::new(&channels, Payment::ForPrioritised);
        for &(position, _) in &others {
            buckets.add_other(position);
        }
        Self {
            harq: Processes::new(harq::Config {
                processes: setup.uplink_processes(),
                ..uplink.channel.harq
            }),
            channels: config.bearers.iter().map(|it| LogicalChannel::new(it, filter)).collect(),
            keeps_to_carriers: config
                .bearers
                .iter()
                .any(|bearer| bearer.serving_cells != ServingCells::ALL),
            others,
            buckets,
            urgency,
            access: UplinkAccess::new(setup),
            requests: requests(setup, number, &entity, streams),
            reporting: Reporting::new(&uplink.report, |span| clock.slots_in(span)),
            random_access: streams.open(&entity, "random access"),
            planned_occasion: None,
            barred_until: 0,
            answered: None,
            is_inactive: false,
            configured: confirmations(&uplink.grants),
            rules: DerivedRules::default(),
        }
    }

    /// Handles a possible change of its uplink buffers.
    #[inline]
    pub(super) fn on_data(&mut self, setup: &Setup, now: Instant, bearers: &[Bearer]) -> Needs {
        let mut changed = false;
        for (position, bearer) in bearers.iter().enumerate() {
            let bytes = bearer.rlc.available(now, Direction::Up);
            let LogicalChannel { known, priority, grants, request, .. } = self.channels[position];
            if bytes == known {
                continue;
            }
            changed = true;
            if bytes > known && self.reporting.on_data(priority, self.highest_waiting()) {
                self.request_grant(setup, now, grants, request);
            }
            self.channels[position].known = bytes;
        }
        if !self.others.is_empty() {
            changed |= self.on_data_of_others(setup, now, bearers);
        }
        self.access.on_data(changed)
    }

    /// Triggers a scheduling request after a regular report of a channel that may use these
    /// `grants`, unless its data wait for a semi-persistent or configured grant (TS 36.321 §5.4.5,
    /// TS 38.321 §5.4.5).
    fn request_grant(
        &mut self,
        setup: &Setup,
        now: Instant,
        grants: GrantSet,
        request: bearer::Request,
    ) {
        if !self.access.triggers_request(request.masked && grants.meets(self.active_grants())) {
            return;
        }
        self.trigger(setup, now, request);
    }

    /// Triggers a request, at once or after `logicalChannelSR-DelayTimer`.
    fn trigger(&mut self, setup: &Setup, now: Instant, request: bearer::Request) {
        if request.delayed {
            let expires = setup.first_request_from(now + setup.config.uplink.request_delay);
            self.requests.trigger_late(request.configuration, expires);
        } else {
            self.requests.trigger(request.configuration);
        }
    }

    /// Handles the time at which `retxBSR-Timer` expires, unless it was restarted.
    pub(super) fn on_retx_bsr(&mut self, setup: &Setup, now: Instant) {
        let slot = setup.clock.at_or_after(now);
        if self.reporting.on_slot(slot, !self.waiting().is_zero()) {
            // The most urgent channel with data counts as the trigger.
            let waiting = self.all_channels().filter(|channel| !channel.known.is_zero());
            let first = waiting.min_by_key(|channel| channel.priority);
            if let Some(&LogicalChannel { grants, request, .. }) = first {
                self.request_grant(setup, now, grants, request);
            }
        }
    }

    /// Returns the slot in which `retxBSR-Timer` expires; `None` while no data wait.
    #[inline]
    pub(super) fn retx_bsr_expires(&self) -> Option<u64> {
        if self.waiting().is_zero() { None } else { self.reporting.next_regular() }
    }

    /// Returns the next occasion for a request at or after `first`, if the UE wants one and none as
    /// early is planned.
    #[inline]
    pub(super) fn plan_occasion(&mut self, first: u64) -> Option<u64> {
        if !self.requests.are_several() && self.planned_occasion.is_some() || !self.wants_request()
        {
            return None;
        }
        let next = self.requests.next_occasion(first.max(self.barred_until));
        if self.planned_occasion.is_some_and(|planned| planned <= next) {
            return None;
        }
        self.planned_occasion = Some(next);
        Some(next)
    }

    /// Returns `true` if the UE wants to send a request, and random access is not under way.
    #[inline]
    pub(super) fn wants_request(&self) -> bool {
        self.access.wants_request(&self.requests, || self.waiting()) && self.barred_until != BARRED
    }

    /// Handles the occasion that was planned.
    pub(super) fn on_occasion(&mut self, slot: u64) -> Step {
        if self.planned_occasion.take_if(|planned| *planned == slot).is_none() {
            return Step::Nothing;
        }
        let waiting = self.waiting();
        self.access.on_occasion(&mut self.requests, slot, waiting)
    }

    /// Handles a request that the base station will receive.
    pub(super) fn on_request_received(&mut self) {
        self.access.on_request_received();
    }

    /// Handles a request that the base station ignores, as an earlier grant answers it.
    pub(super) fn on_request_ignored(&mut self) {
        self.access.on_request_ignored();
    }

    /// Starts random access of fixed duration after requests without an answer (TS 36.321 §5.1).
    /// Then the UE may send requests again.
    pub(super) fn access_randomly(&mut self, setup: &Setup, slot: u64) {
        let request = &setup.config.uplink.request;
        let back_off = request.back_off.mul_f64(self.random_access.uniform());
        self.barred_until = slot + setup.clock.slots_in(request.random_access + back_off);
    }

    /// Resets the MAC when the UE leaves its cell (TS 36.321 §5.9), and suspends its requests.
    pub(super) fn leave_cell(&mut self, setup: &Setup, now: Instant) {
        let uplink = &setup.config.uplink;
        let processes = setup.uplink_processes();
        self.harq = Processes::new(harq::Config { processes, ..uplink.channel.harq });
        self.access = UplinkAccess::new(setup);
        self.reporting = Reporting::new(&uplink.report, |span| setup.clock.slots_in(span));
        self.requests.reset();
        self.buckets.reset(now);
        let others = self.others.iter_mut().map(|(_, channel)| channel);
        self.channels.iter_mut().chain(others).for_each(|channel| channel.known = Bytes::ZERO);
        (self.planned_occasion, self.answered) = (None, None);
        self.configured = confirmations(&uplink.grants);
        self.bar();
    }

    /// Sets whether the UE is in RRC_INACTIVE, where small data flow, or in RRC_CONNECTED.
    pub(super) fn set_inactive(&mut self, is_inactive: bool) {
        self.is_inactive = is_inactive;
    }

    /// Suspends requests while random access is under way.
    pub(super) fn bar(&mut self) {
        self.barred_until = BARRED;
    }

    /// Resumes requests after random access.
    pub(super) fn unbar(&mut self) {
        self.barred_until = 0;
    }

    /// Draws a preamble, and whether it is too weak.
    pub(super) fn draw_preamble(&mut self, config: &random_access::Config) -> (u64, bool) {
        let preamble = self.random_access.below(config.preambles);
        let missed = config.preamble_missed;
        (preamble, !missed.is_zero() && self.random_access.chance(missed))
    }

    /// Draws a back-off of at most `most`.
    pub(super) fn draw_back_off(&mut self, most: Duration) -> Duration {
        most.mul_f64(self.random_access.uniform())
    }

    /// Returns the report in MsgA, sent in `slot`.
    pub(super) fn report_in_msg_a(
        &mut self,
        setup: &Setup,
        slot: u64,
        now: Instant,
        bearers: &[Bearer],
    ) -> Groups {
        self.requests.cancel();
        self.reporting.on_sent(slot);
        setup.config.uplink.report.reported_whole(&self.groups(now, bearers))
    }

    /// Handles a grant that was sent in `slot`.
    pub(super) fn on_grant(&mut self, slot: u64, grant: &Grant) {
        self.reporting.on_grant(slot);
        self.access.on_grant(grant);
        if let (Some(number), Some(configured)) = (grant.activates, &mut self.configured) {
            configured.on_activation(number.into(), grant.slot);
        }
        if let GrantCause::Sr { sent, held, duplex } = grant.cause {
            let received = grant.received;
            self.answered = Some(AnsweredSr { sent, held, received, duplex });
        }
    }

    /// Returns an ideal report of its buffers, at no cost and without delay.
    pub(super) fn report_ideally(
        &mut self,
        setup: &Setup,
        now: Instant,
        bearers: &[Bearer],
    ) -> Groups {
        self.access.on_ideal_report();
        setup.config.uplink.report.reported_whole(&self.groups(now, bearers))
    }

    /// Returns the bytes that wait, without headers.
    pub(super) fn waiting(&self) -> Bytes {
        let own = self.channels.iter().map(|channel| channel.known).sum();
        if self.others.is_empty() {
            return own;
        }
        own + self.others.iter().map(|(_, channel)| channel.known).sum()
    }

    /// Returns the configuration of the last request sent.
    pub(super) fn last_configuration(&self) -> usize {
        self.requests.last_sent()
    }

    /// Returns the number of its request occasions before `slot`; `None` if it never sends
    /// requests.
    pub(super) fn occasions_before(&self, slot: u64) -> Option<u64> {
        self.access.reports_in_blocks().then(|| self.requests.occasions_before(slot))
    }

    /// Returns the data for its reports after it has filled a block, for a capture.
    pub(super) fn waiting_groups(
        &self,
        now: Instant,
        bearers: &[Bearer],
        confirmed: Confirmed,
    ) -> Waiting {
        let groups = self.groups(now, bearers);
        Waiting { groups, urgency: self.urgency, confirmed: confirmed.all }
    }

    /// Returns the buffers that a report would have now.
    #[inline]
    fn groups(&self, now: Instant, bearers: &[Bearer]) -> Groups {
        let mut groups = Groups::default();
        for (channel, bearer) in self.channels.iter().zip(bearers) {
            groups[channel.group] += bearer.rlc.available(now, Direction::Up);
        }
        for (position, channel) in &self.others {
            let rlc = &bearers[*position].rlc;
            groups[channel.group] += rlc.available_beside(now, Direction::Up);
        }
        groups
    }

    /// Returns the priority of the most urgent channel that had data at the last update.
    fn highest_waiting(&self) -> Option<u16> {
        let waiting = self.all_channels().filter(|channel| !channel.known.is_zero());
        waiting.map(|channel| channel.priority).min()
    }
}

/// Value of `barred_until` while random access is under way.
const BARRED: u64 = u64::MAX;

/// Returns the requests of UE number `number`, by the configurations of its cell.
fn requests(setup: &Setup, number: u32, entity: &str, streams: Streams) -> Requests {
    let Config { bearers, uplink, .. } = &setup.config;
    let request = |place: usize, config: &scheduling_request::Config| {
        let offset = config.offset_of(u64::from(number), |places| {
            let purpose = match place {
                0 => "scheduling request offset".to_owned(),
                _ => format!("scheduling request offset {place}"),
            };
            streams.open(entity, &purpose).below(places)
        });
        SchedulingRequest::new(config, offset)
    };
    let all = std::iter::once(&uplink.request).chain(&uplink.more_requests);
    let each = all.enumerate().map(|(place, config)| request(place, config)).collect();
    let mut order: Vec<&bearer::Config> = bearers.iter().collect();
    order.sort_by_key(|bearer| bearer.quality.priority);
    let mut places: Vec<usize> = Vec::new();
    for place in order.iter().map(|bearer| bearer.request.configuration) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Requests::new(each, places)
}

impl LogicalChannel {
    fn new(config: &bearer::Config, filter: Option<&ack_filter::Config>) -> Self {
        Self {
            group: usize::from(config.logical_channel_group),
            priority: config.quality.priority.0,
            grants: config.configured_grants,
            serving_cells: config.serving_cells,
            request: config.request,
            known: Bytes::ZERO,
            filter: filter.map(|filter| Box::new(AckFilter::new(filter.rule, filter.scope))),
        }
    }
}

#[cfg(test)]
mod tests;
