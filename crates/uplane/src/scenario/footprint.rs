//! Memory of a run: what it takes now, and what the plan says in advance.
//!
//! In: a plan, or the counts of a run under way. Out: rows and bytes, as estimates: the core asks
//! neither the allocator nor the machine, so the same run gives the same numbers everywhere.
//!
//! Left out: rows of replays and programs, of which the plan does not know what they send, and
//! rates of links that change over time.

use super::plan::{Plan, RadioPlan, Transport};
use crate::app::Volume;
use crate::ran::cell::config::{Capacity, Config as CellConfig};
use crate::ran::dual_connectivity::Leg;
use crate::record::Tables;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// Estimated memory of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Number of rows of all tables.
    pub rows: u64,
    /// Estimated bytes of memory: UEs and connections, packets on their way, and tables.
    pub bytes: u64,
    /// The table that takes most of the memory, and its rows.
    pub largest: Option<(&'static str, u64)>,
}

/// Returns the memory of the UEs and applications before the first event, in bytes.
pub(super) fn wired(plan: &Plan) -> u64 {
    let carriers = |config: &CellConfig| 1 + config.secondaries.len() as u64;
    let ue = match &plan.radio {
        RadioPlan::Fixed(_) | RadioPlan::Geran(_) => DEDICATED_UE,
        RadioPlan::Cell(cell) => CELL_UE * carriers(cell.config()),
        RadioPlan::Network(network) => CELL_UE * carriers(network.config()),
        RadioPlan::EnDc(both) => {
            Leg::BOTH.iter().map(|&leg| CELL_UE * carriers(both.cells[leg].config())).sum()
        }
    };
    let app = |transport| if transport == Transport::Absent { PLAIN_APP } else { CONNECTION };
    let apps: u64 = plan.apps.iter().map(|it| app(it.transport)).sum();
    plan.ues.len() as u64 * ue + apps
}

/// Returns an upper bound of the memory of a run, as far as it follows from the plan.
pub(super) fn foretold(plan: &Plan, tables: &Tables) -> Footprint {
    let traffic = Traffic::of(plan);
    let mut all = Footprint { rows: 0, bytes: wired(plan), largest: None };
    let mut largest = 0;
    for table in tables.iter() {
        let rows = traffic.rows(table.name, plan);
        let bytes = rows.saturating_mul(table.row_bytes());
        all.rows = all.rows.saturating_add(rows);
        all.bytes = all.bytes.saturating_add(bytes);
        if bytes > largest {
            (largest, all.largest) = (bytes, Some((table.name, rows)));
        }
    }
    all
}

/// Upper bound of the traffic of a plan's applications.
struct Traffic {
    /// Number of packets with data.
    data: u64,
    /// Simulated time in which applications are active.
    active: Duration,
}

impl Traffic {
    fn of(plan: &Plan) -> Self {
        let end = plan.end - Instant::ZERO;
        let rate = rate(plan);
        let most = rate.map(|rate| bytes_in(rate, end));
        let mut sum = Volume::default();
        let mut is_endless = false;
        for app in &plan.apps {
            let Some(volume) = app.application.volume(end) else {
                is_endless = true;
                continue;
            };
            sum.packets = sum.packets.saturating_add(volume.packets);
            sum.bytes = Bytes(sum.bytes.0.saturating_add(volume.bytes.0));
            let until = (app.start - Instant::ZERO).as_nanos() + app.spread.as_nanos();
            sum.span =
                sum.span.max(Duration::from_nanos(until.saturating_add(volume.span.as_nanos())));
        }
        let bytes = match (is_endless, most) {
            (true, most) => most.unwrap_or(sum.bytes),
            (false, most) => sum.bytes.min(most.unwrap_or(Bytes(u64::MAX))),
        };
        let sending = rate.map_or(Duration::ZERO, |rate| {
            let bits = u128::from(bytes.0) * 8 * 1_000_000_000 * u128::from(SLOWER);
            let nanos = bits / u128::from(rate.as_bps());
            Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
        });
        let span = Duration::from_nanos(sum.span.as_nanos().saturating_add(sending.as_nanos()));
        let active = if is_endless { end } else { span.min(end) };
        Self { data: sum.packets.saturating_add(bytes.0 / SEGMENT), active }
    }

    /// Returns the number of rows of the table with this name.
    fn rows(&self, table: &str, plan: &Plan) -> u64 {
        let record = &plan.record;
        let packets = self.data.saturating_add(self.data / 2);
        let of_packets = |is_recorded: bool, each: u64| {
            if is_recorded { packets.saturating_mul(each) } else { 0 }
        };
        let samples = |places: usize| {
            let every = record.series.map_or(u64::MAX, |interval| interval.as_nanos().max(1));
            (self.active.as_nanos() / every).saturating_mul(places as u64)
        };
        match table {
            "packets" => of_packets(record.packets, CAUSES),
            "deliveries" => of_packets(record.deliveries, 1),
            "headers" => of_packets(record.headers, 2),
            "series" => samples(plan.apps.len()),
            "link_series" => samples(2 * plan.links.len()),
            "bearer_series" | "radio_series" => samples(plan.ues.len()),
            _ => 0,
        }
    }
}

/// Returns the lower rate of links and radio. `None` if neither has a rate.
fn rate(plan: &Plan) -> Option<Bitrate> {
    let links =
        plan.links.iter().filter_map(|link| link.ways.iter().filter_map(|way| way.rate).max());
    let radio = match &plan.radio {
        RadioPlan::Fixed(config) => config.down.rate.into_iter().chain(config.up.rate).max(),
        RadioPlan::Geran(_) => None,
        RadioPlan::Cell(cell) => capacity(cell.config()),
        RadioPlan::Network(network) => capacity(network.config()),
        RadioPlan::EnDc(both) => {
            Leg::BOTH.iter().filter_map(|&leg| capacity(both.cells[leg].config())).max()
        }
    };
    links.chain(radio).min()
}

/// Returns the downlink rate of a cell with its highest MCS.
fn capacity(config: &CellConfig) -> Option<Bitrate> {
    match &config.downlink.channel.capacity {
        Capacity::Unlimited => None,
        Capacity::Rate(rate) => Some(*rate),
        Capacity::Carrier(carrier) => {
            let tti = config.tti.length();
            let bits = u128::from(carrier.largest_block(tti).bits()) * 1_000_000_000;
            let carriers = 1 + config.secondaries.len() as u128;
            let bps = bits * carriers / u128::from(tti.as_nanos().max(1));
            Bitrate::from_bps(u64::try_from(bps).ok()?)
        }
    }
}

fn bytes_in(rate: Bitrate, time: Duration) -> Bytes {
    let bits = u128::from(rate.as_bps()) * u128::from(time.as_nanos()) / 1_000_000_000;
    Bytes(u64::try_from(bits / 8).unwrap_or(u64::MAX))
}

/// Bytes of a UE where each has a channel of its own.
const DEDICATED_UE: u64 = 600;
/// Bytes of a UE on each carrier of a cell.
const CELL_UE: u64 = 12_000;
/// Bytes of an application with a connection, which is made when the application starts.
const CONNECTION: u64 = 14_000;
/// Bytes of an application without connections.
const PLAIN_APP: u64 = 6_000;
/// Payload of a full segment.
const SEGMENT: u64 = 1_400;
/// Rows of a packet in `packets`: causes that a packet typically meets.
const CAUSES: u64 = 4;
/// Maximum factor by which a transfer is assumed to be slower than the rate of its path.
const SLOWER: u64 = 10;
