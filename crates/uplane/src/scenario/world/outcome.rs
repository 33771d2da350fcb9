//! The end of a run, and samples during it: states become rows.
//!
//! In: the rooms at the end. Out: tables, and warnings about limits that decide the result and filters that do not.

use super::super::plan::FilterPlan;
use super::super::warning::Warning;
use super::recorder::Site;
use super::{Facts, World};
use crate::net::Direction;
use crate::ran::ack_filter::AckFilter;
use crate::ran::channel::layout::SECTORS;
use crate::ran::lte::{Cell, CellStatistics, Network, UplinkReport};
use crate::record::{
    AckFilterRow, AckFilters, BlockRow, Blocks, CellRow, Cells, Control, Controls, Run, Runs,
    SeriesRow, UeRow, Ues, UplinkRow, Uplinks,
};
use crate::sim::{Agenda, Slot};
use crate::unit::{Duration, Instant, UeId};

impl World<'_> {
    /// Writes one row for each sender that has sent data, and comes again.
    pub(super) fn sample(&mut self, now: Instant, slot: Slot, agenda: &mut Agenda) {
        for number in 0..self.ends.len() {
            let end = &self.ends[number];
            let statistics = end.connection.statistics(now);
            if statistics.segments == 0 {
                continue;
            }
            let flow = &self.flows[end.flow.index()];
            let ends = flow.ends.expect("an end belongs to a connection");
            let peer = ends[usize::from(ends[0] == number)];
            let (app, ue) = self.recorder.name(flow.conversation);
            self.recorder.series.push(SeriesRow {
                time_s: now.as_secs_f64(),
                app,
                ue,
                flow: u64::from(end.flow.0),
                sender: sender(end.host.is_server()),
                cwnd_bytes: statistics.cwnd.0,
                ssthresh_bytes: statistics.ssthresh.map(|bytes| bytes.0 as f64),
                flight_bytes: statistics.flight.0,
                srtt_ms: statistics.srtt.map(Duration::as_millis_f64),
                delivered_bytes: self.ends[peer].delivered.0,
                limit: statistics.limit,
            });
        }
        let interval = self.plan.record.series.expect("the sampler runs only with an interval");
        agenda.arm(slot, now + interval);
    }

    /// Ends the run at `now`.
    pub(super) fn finish(mut self, now: Instant, seed: u64, events: u64) -> Facts {
        self.check_conservation();
        self.finish_conversations();
        let mut warnings = Vec::new();
        self.connection_rows(now, &mut warnings);
        warnings.extend(self.recorder.incomplete());
        warnings.extend(self.idle_filters());
        self.hop_rows();
        let cell = self.radio.statistics();
        let (ues, cells) = network_rows(now, self.radio.network(), &self.plan.ues);
        let mut runs = Runs::default();
        runs.push(Run { seed, events, packets: self.packets, simulated_s: now.as_secs_f64() });
        let mut tables = vec![runs.into_table()];
        tables.extend(self.recorder.into_tables());
        let critical_paths = self.critical_paths.unwrap_or_default();
        tables.push(critical_paths.into_rows().into_table());
        let (blocks, control) = cell_rows(cell.as_ref(), self.radio.single_cell());
        let uplinks = uplink_rows(self.radio.uplinks(now), &self.plan.ues);
        let filters = filter_rows(&self.radio.ack_filters(), &self.plan.ues);
        tables.extend([blocks.into_table(), control.into_table(), filters.into_table()]);
        tables.push(uplinks.into_table());
        tables.extend([ues.into_table(), cells.into_table()]);
        Facts { tables, warnings, events }
    }

    /// Packet filters that nothing met: a bearer that a scenario asks for, and that makes no difference.
    fn idle_filters(&self) -> Vec<Warning> {
        let claimed = self.radio.claimed();
        let idle = self.plan.filters.iter().filter(|filter| !claimed.contains(&filter.precedence));
        let told = idle.cloned().map(|FilterPlan { bearer, precedence, claims }| {
            Warning::IdleFilter { bearer, precedence, claims }
        });
        told.collect()
    }

    fn hop_rows(&mut self) {
        let count = self.plan.links.len();
        for (number, link) in self.links.iter().enumerate() {
            let site = Site::Link(number % count);
            let (tally, held) = (link.room.tally(), link.room.held());
            self.recorder.on_hop(site, link.direction, tally, held, link.acks);
        }
        for end in &self.tunnel_ends {
            let (tally, held) = (end.room.tally(), end.room.held());
            self.recorder.on_hop(Site::Tunnel, end.direction, tally, held, end.acks);
        }
        for direction in [Direction::Down, Direction::Up] {
            let acks = self.radio_acks[direction as usize];
            let (tally, held) = (self.radio.tally(direction), self.radio.held(direction));
            self.recorder.on_hop(Site::Radio, direction, &tally, held, acks);
        }
    }
}

/// What a cell counted; no rows for a radio without one.
fn cell_rows(cell: Option<&CellStatistics>, single: Option<&Cell>) -> (Blocks, Controls) {
    let (mut blocks, mut control) = (Blocks::default(), Controls::default());
    let Some(cell) = cell else { return (blocks, control) };
    for (direction, counted) in [(Direction::Down, &cell.downlink), (Direction::Up, &cell.uplink)] {
        blocks.push(BlockRow {
            direction: direction.name(),
            blocks: counted.blocks,
            transmissions: counted.transmissions,
            failures: counted.failures,
            first_failures: counted.first_failures,
            lost: counted.lost,
            resource_units: counted.units,
            sdu_bytes: counted.sdu_bytes,
            header_bytes: counted.header_bytes,
            padding_bytes: counted.padding_bytes,
            padding_share: counted.padding_share(),
        });
    }
    control.push(Control {
        busy_slots: cell.slots,
        cces: cell.cces,
        pdcch_blocked: cell.pdcch_blocked,
        sr_sent: cell.sr_sent,
        sr_missed: cell.sr_missed,
        sr_ignored: cell.sr_ignored,
        random_accesses: cell.random_accesses,
        bsr_sent: cell.bsr_sent,
        padding_bsr_sent: cell.padding_bsr_sent,
        grants: cell.grants,
        sr_period: single.and_then(Cell::request_period).map(|ttis| ttis as f64),
        uplink_prbs: single.and_then(Cell::uplink_prbs).map(f64::from),
    });
    (blocks, control)
}

/// What the uplinks of UEs took; no rows for a radio without cells.
fn uplink_rows(uplinks: Vec<UplinkReport>, ues: &[String]) -> Uplinks {
    let mut rows = Uplinks::default();
    for report in uplinks {
        let counted = report.counted;
        rows.push(UplinkRow {
            ue: ues[report.ue.index()].clone(),
            packets: counted.packets.packets,
            bytes: counted.packets.bytes.0,
            acks: counted.acks.packets,
            ack_bytes: counted.acks.bytes.0,
            ack_share: counted.ack_share(),
            sr_occasions: report.occasions.map(|occasions| occasions as f64),
            sr_sent: counted.sr_sent,
            harq_acks: report.harq_acks,
            grants: counted.grants,
            grant_cces: counted.cces,
            transmissions: counted.transmissions,
            resource_units: counted.units,
        });
    }
    rows
}

/// What the ACK filters did; no rows without any.
fn filter_rows(filters: &[(UeId, usize, &AckFilter)], ues: &[String]) -> AckFilters {
    let mut rows = AckFilters::default();
    for &(ue, bearer, filter) in filters {
        let counts = filter.counts();
        rows.push(AckFilterRow {
            ue: ues[ue.index()].clone(),
            bearer: bearer as u64,
            generated: counts.generated,
            discarded_active: counts.discarded_active,
            discarded_passive: counts.discarded_passive,
            expired: counts.expired,
            sent: counts.sent,
            held: filter.held(),
            threshold: filter.threshold().map(|threshold| threshold.acknowledgements() as f64),
        });
    }
    rows
}

/// Where the UEs of a network are and what its cells did; no rows for another radio.
fn network_rows(now: Instant, network: Option<&Network>, names: &[String]) -> (Ues, Cells) {
    let (mut ues, mut cells) = (Ues::default(), Cells::default());
    let Some(network) = network else { return (ues, cells) };
    for ue in network.ues(now) {
        let counted = ue.counted;
        let mean = |sum: u64, of: u64| (of > 0).then(|| sum as f64 / of as f64);
        ues.push(UeRow {
            ue: names[ue.ue.index()].clone(),
            x_m: ue.position.x,
            y_m: ue.position.y,
            site: ue.site() as u64,
            cell: u64::from(ue.cell.0),
            coupling_loss_db: ue.coupling_loss.0,
            geometry_db: ue.geometry.0,
            snr_db: ue.snr.0,
            uplink_sinr_db: ue.uplink.0,
            line_of_sight_share: ue.clear_share,
            blocked_share: ue.blocked_share,
            mean_cqi: mean(counted.qualities, counted.cqi_reports),
            mean_mcs: mean(counted.schemes, counted.blocks),
            blocks: counted.blocks,
            bytes: counted.bytes,
            first_bler: mean(counted.first_failures, counted.blocks),
        });
    }
    for (id, served, cell) in network.cells() {
        let counted = cell.statistics();
        cells.push(CellRow {
            cell: u64::from(id.0),
            site: (id.index() / SECTORS) as u64,
            ues: served as u64,
            busy_slots: counted.slots,
            down_blocks: counted.downlink.blocks,
            down_first_failures: counted.downlink.first_failures,
            down_resource_blocks: counted.downlink.units,
            up_blocks: counted.uplink.blocks,
            up_first_failures: counted.uplink.first_failures,
            up_resource_blocks: counted.uplink.units,
            cces: counted.cces,
            pdcch_blocked: counted.pdcch_blocked,
            sr_period: cell.request_period().map(|ttis| ttis as f64),
            uplink_prbs: cell.uplink_prbs().map(f64::from),
        });
    }
    (ues, cells)
}

pub(super) fn sender(is_server: bool) -> &'static str {
    if is_server { "server" } else { "ue" }
}
