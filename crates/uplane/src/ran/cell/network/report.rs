//! Reports of a network of cells, during a run and at its end.
//!
//! In: its cells. Out: the sum of their counts, the places and conditions of the UEs, and rows in
//! the tables.

use std::collections::BTreeSet;

use super::Network;
use super::part::Member;
use crate::net::{Count, Direction, Tally};
use crate::ran::cell::Cell;
use crate::ran::cell::air::RadioLink;
use crate::ran::cell::statistics::{CellStatistics, UeCounters};
use crate::ran::channel::Placement;
use crate::ran::channel::layout::{self, Position};
use crate::record::{Tables, columns, table};
use crate::unit::{CellId, Decibel, Duration, Instant, UeId};

columns! {
    /// Position and radio conditions of a UE before fading.
    #[derive(Clone, Copy, Debug)]
    pub UePlace {
        /// Position of the UE.
        position: Position,
        /// Number of the serving site, starting at 0.
        site: u64,
        /// Number of the serving cell, starting at 0, with three cells per site.
        cell: CellId,
        /// Coupling loss of the link to the serving cell, in dB: path loss, antennas, walls and
        /// shadowing.
        coupling_loss as coupling_loss_db: Decibel,
        /// Downlink SINR at one antenna of the UE if all other cells transmit all the time, before
        /// fading, in dB.
        geometry as geometry_db: Decibel,
        /// Downlink SNR at one antenna of the UE if no other cell transmits, before fading, in dB.
        snr as snr_db: Decibel,
        /// Uplink SINR of a resource block at the serving base station, before fading, in dB.
        uplink as uplink_sinr_db: Decibel,
    }
}

columns! {
    /// State of one UE at the end of a run.
    #[derive(Clone, Copy, Debug)]
    pub UeReport {
        /// Position and radio conditions.
        place: UePlace,
        /// Ratio of the run's time with a line of sight to the serving site; missing if the line of
        /// sight is not drawn. Losses and SINRs of this row hold for the line of sight at the
        /// start.
        clear_share as line_of_sight_share: Option<f64>,
        /// Ratio of the run's time with a blocked path to the serving site; missing without
        /// blockage.
        blocked_share: Option<f64>,
        /// Counters.
        counted: UeCounters,
    } besides {
        /// The UE.
        ue: UeId,
    }
}

table! {
    /// One UE in a network of cells: position, radio conditions and downlink.
    ues: pub(in crate::ran::cell) UeRow {
        /// Name of the UE.
        ue: String,
        /// Position, radio conditions and counters.
        report: UeReport,
        /// Mean wideband CQI of the reports that the scheduler used, which are those while data was
        /// waiting; missing without any.
        mean_cqi: Option<f64>,
        /// Mean MCS index (`I_MCS`) of new downlink transport blocks; missing without any.
        mean_mcs: Option<f64>,
        /// Block error rate of first downlink transmissions; missing without any.
        first_bler: Option<f64>,
    }
}

table! {
    /// One cell of a network or of dual connectivity; cells without UEs have no row.
    cells: pub(in crate::ran::cell) CellRow {
        /// Number of the cell, starting at 0, with three cells per site.
        cell: CellId,
        /// Number of the site, starting at 0.
        site: u64,
        /// Number of UEs that the cell serves.
        ues: u64,
        /// Counters.
        counted: CellStatistics,
        /// Number of new downlink transport blocks.
        down_blocks: u64,
        /// Number of first downlink transmissions that did not decode.
        down_first_failures: u64,
        /// Number of downlink resource blocks of all transmissions.
        down_resource_blocks: u64,
        /// Number of new uplink transport blocks.
        up_blocks: u64,
        /// Number of first uplink transmissions that did not decode.
        up_first_failures: u64,
        /// Number of uplink resource blocks of all transmissions.
        up_resource_blocks: u64,
        /// SR period of a UE, in TTIs (LTE) or slots (NR).
        sr_period: Option<u64>,
        /// Number of resource blocks that may carry uplink data in a slot.
        uplink_prbs: Option<u64>,
    }
}

impl Network {
    /// Returns the sum of the cells' traffic in this direction.
    pub fn tally(&self, direction: Direction) -> Tally {
        let mut sum = Tally::default();
        self.members().for_each(|member| sum.add(&member.cell.tally(direction)));
        sum
    }

    /// Returns the number of captured facts so far in all cells.
    pub fn captured(&self) -> u64 {
        self.members().map(|member| member.cell.captured()).sum()
    }

    /// Returns the number of packets inside in this direction, counted one by one.
    pub fn held(&self, direction: Direction) -> Count {
        let mut sum = Count::default();
        self.members().for_each(|member| sum += member.cell.held(direction));
        sum
    }

    /// Returns the sum of the cells' counters.
    pub fn statistics(&self) -> CellStatistics {
        let mut sum = CellStatistics::default();
        self.members().for_each(|member| sum += member.cell.statistics());
        sum
    }

    /// Returns the report of each UE until `now`.
    pub fn ues(&self, now: Instant) -> impl Iterator<Item = UeReport> {
        self.homes.iter().zip(&self.places).zip(0..).map(move |((home, place), ue)| {
            let link = &self.member(home.0).cell.air.links[home.1.index()];
            let mean_gain = link.radio.as_ref().and_then(|radio| radio.mean_gain());
            UeReport {
                ue: UeId(ue),
                place: *place,
                clear_share: mean_gain.and_then(|mean_gain| mean_gain.clear_share(now)),
                blocked_share: mean_gain.and_then(|mean_gain| mean_gain.blocked_share(now)),
                counted: link.counted,
            }
        })
    }

    /// Writes the rows of the run until `now`; `ues` has the names of the UEs.
    pub fn report(&self, now: Instant, ues: &[String], tables: &mut Tables) {
        self.statistics().report_sum(tables);
        for (home, ue) in &self.homes {
            self.member(*home).cell.report_ue(ue.index(), now, ues, tables);
        }
        for report in self.ues(now) {
            tables.push(UeRow::new(&ues[report.ue.index()], &report));
        }
        for Member { id, cell, .. } in self.members() {
            cell.report_member(*id, tables);
        }
        let claimed: BTreeSet<u8> =
            self.members().flat_map(|member| member.cell.claimed()).copied().collect();
        if let Some(any) = self.members().next() {
            any.cell.report_idle_filters(&claimed, tables);
            any.cell.report_channels(tables);
        }
        self.members().for_each(|member| member.cell.report_capture(member.id, now, ues, tables));
    }

    /// Captures all transmissions of its cells from now on.
    pub fn capture(&mut self) {
        self.parts
            .iter_mut()
            .flat_map(|part| &mut part.members)
            .for_each(|member| member.cell.capture());
    }

    /// Writes a sample of all UEs.
    pub fn sample(&mut self, now: Instant, period: Duration, ues: &[String], tables: &mut Tables) {
        for place in 0..self.homes.len() {
            let (home, ue) = self.homes[place];
            self.member_mut(home).cell.sample_ue(ue.index(), now, period, ues, tables);
        }
    }
}

impl UeRow {
    fn new(name: &str, report: &UeReport) -> Self {
        let UeCounters { schemes, blocks, cqi_reports, qualities, first_failures, .. } =
            report.counted;
        let mean = |sum: u64, of: u64| (of > 0).then(|| sum as f64 / of as f64);
        Self {
            ue: name.to_owned(),
            report: *report,
            mean_cqi: mean(qualities, cqi_reports),
            mean_mcs: mean(schemes, blocks),
            first_bler: mean(first_failures, blocks),
        }
    }
}

impl CellRow {
    pub(in crate::ran::cell) fn new(id: CellId, cell: &Cell) -> Self {
        let counted = cell.statistics();
        Self {
            cell: id,
            site: layout::site(id) as u64,
            ues: cell.ues.len() as u64,
            counted,
            down_blocks: counted.downlink.blocks,
            down_first_failures: counted.downlink.first_failures,
            down_resource_blocks: counted.downlink.units,
            up_blocks: counted.uplink.blocks,
            up_first_failures: counted.uplink.first_failures,
            up_resource_blocks: counted.uplink.units,
            sr_period: cell.request_period(),
            uplink_prbs: cell.uplink_prbs(),
        }
    }
}

impl UePlace {
    pub(super) fn new(placement: &Placement, path: &RadioLink) -> Self {
        Self {
            position: placement.position,
            site: layout::site(placement.serving) as u64,
            cell: placement.serving,
            geometry: placement.geometry().into(),
            snr: placement.snr().into(),
            uplink: path.mean_uplink().into(),
            coupling_loss: placement.coupling_loss(),
        }
    }
}
