//! The common data of all cells of a network: band, antennas, budgets, and the rate of each CQI.
//!
//! In: the parameters of the air and of a downlink carrier. Out: data for the links of all UEs.

use std::sync::Arc;

use super::config::{Config, Fading, Reports, Surroundings};
use super::cqi_report::CqiReport;
use crate::ran::cell::carrier::Carrier;
use crate::ran::cell::mcs_cache::ReportedSinr;
use crate::ran::cell::rbg::{Grid, GroupSet, MOST_GROUPS};
use crate::ran::channel::fading::{Antennas, Medium, update_period};
use crate::ran::channel::{Band, Budget, PowerControl, Profile};
use crate::ran::phy::cqi::CqiTable;
use crate::ran::phy::{Cqi, Layers, Receiver, ResourceGrid, Sinr};
use crate::unit::{Duration, math};

/// Common data of all cells of a network.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct Propagation {
    pub(super) medium: Arc<Medium>,
    pub(super) fades: bool,
    pub(super) antennas: Antennas,
    pub(super) layers: Layers,
    pub(super) budget: Budget,
    pub(super) power: PowerControl,
    /// Minimum number of resource blocks of an uplink allocation. A UE whose power is enough for
    /// fewer spreads it over these.
    pub(super) least_prbs: u32,
    pub(super) subbands: Subbands,
    pub(super) reports: Reports,
    pub(super) sounding: Reports,
    pub(super) surroundings: Surroundings,
    pub(super) uplink_coupled: bool,
    pub(super) table: CqiTable,
    pub(super) receiver: Receiver,
    /// For each CQI: bytes of a resource block and slot, and ln(1 + SINR).
    pub(super) worth: [(f64, f64); 16],
}

/// The resource block groups of the band, and their CQI subbands.
#[derive(Clone, Debug)]
pub(super) struct Subbands {
    pub(super) grid: Grid,
    /// Groups that carry data: all, except perhaps a smaller last one.
    used: GroupSet,
    /// Number of groups in a subband; all groups for wideband reports.
    pub(super) size: usize,
    /// Subband of each group, then the resource blocks of each group that carry data.
    of: [u8; MOST_GROUPS],
    prbs: [f64; MOST_GROUPS],
    /// Groups with the subband and the size of the group before them.
    alike: GroupSet,
}

impl Subbands {
    /// Creates the subbands of a band in which `prbs` resource blocks carry data.
    fn new(resources: ResourceGrid, prbs: u32, reported: bool) -> Self {
        let grid = Grid::new(resources.prbs, resources.group);
        let used = grid.within(prbs);
        let size =
            if reported { (resources.subband / resources.group) as usize } else { grid.count() };
        let same = |group: &usize| {
            !group.is_multiple_of(size) && grid.prbs_of(*group) == grid.prbs_of(group - 1)
        };
        let prbs = |group| if used.contains(group) { grid.prbs_of(group) } else { 0 };
        Self {
            grid,
            used,
            size,
            of: std::array::from_fn(|group| (group / size) as u8),
            prbs: std::array::from_fn(|group| prbs(group) as f64),
            alike: (1..grid.count()).filter(same).fold(GroupSet::NONE, GroupSet::with),
        }
    }
}

impl Propagation {
    /// Creates the common data over a downlink `carrier` in slots of `tti`, with uplink allocations
    /// of at least `least_prbs` resource blocks.
    pub(in crate::ran::cell) fn new(
        config: &Config,
        carrier: &Carrier,
        tti: Duration,
        least_prbs: u32,
    ) -> Self {
        let budget = config.geometry.budget.clone();
        let resources = budget.grid;
        let medium = match config.fading {
            Fading { profile: Profile::None, .. } => Medium::constant(),
            Fading { profile, speed } => {
                let doppler = speed.doppler(budget.carrier);
                let band = Band::of_groups(resources).widened(budget.spacing);
                Medium::multipath(&band, profile, doppler, update_period(doppler, tti))
            }
        };
        let table = carrier.sizing.cqi_table();
        let sizing = carrier.sizing.in_slots_of(tti);
        let elements = sizing.allocate(carrier.widest_slot(), 1);
        let worth = std::array::from_fn(|index| {
            let cqi = Cqi::new(index as u8).expect("sixteen of them");
            let Some((modulation, code_rate)) = table.scheme(cqi) else { return (0.0, 0.0) };
            let bits = f64::from(elements.coded_bits(modulation)) * code_rate;
            (bits / 8.0, math::ln_1p(table.threshold(cqi, carrier.receiver).linear()))
        });
        Self {
            medium: Arc::new(medium),
            fades: config.fading.profile != Profile::None,
            antennas: config.antennas,
            layers: carrier.sizing.layers(),
            budget,
            power: config.power,
            least_prbs,
            subbands: Subbands::new(resources, carrier.prbs, config.subbands),
            reports: config.reports,
            sounding: config.sounding,
            surroundings: config.surroundings,
            uplink_coupled: config.uplink_coupled,
            table,
            receiver: carrier.receiver,
            worth,
        }
    }

    pub(in crate::ran::cell) const fn grid(&self) -> Grid {
        self.subbands.grid
    }

    /// Returns the groups that carry data.
    pub(in crate::ran::cell) const fn used(&self) -> GroupSet {
        self.subbands.used
    }

    /// Returns the groups whose report equals that of the group before.
    pub(in crate::ran::cell) const fn alike(&self) -> GroupSet {
        self.subbands.alike
    }

    /// Returns `true` if the eNB knows the quality of parts of the band.
    pub(in crate::ran::cell) fn knows_subbands(&self) -> bool {
        self.subbands.size < self.subbands.grid.count()
    }

    /// Fills in the bytes of a slot that a report allows.
    pub(super) fn promise(&self, report: &mut CqiReport) {
        report.bytes_of_band = 0.0;
        let Subbands { grid, size, prbs, .. } = &self.subbands;
        let bytes = report.bytes[..grid.count()].chunks_mut(*size);
        let prbs = prbs.chunks(*size);
        for (cqi, (bytes, prbs)) in report.subbands.iter().zip(bytes.zip(prbs)) {
            let (per_prb, _) = self.worth[usize::from(cqi.index())];
            for (bytes, prbs) in bytes.iter_mut().zip(prbs) {
                *bytes = per_prb * prbs;
                report.bytes_of_band += *bytes;
            }
        }
    }

    /// Returns the SINR of a block on these groups according to a report.
    pub(in crate::ran::cell) fn reported(
        &self,
        report: &CqiReport,
        groups: GroupSet,
    ) -> ReportedSinr {
        let (mut sum, mut count) = (0.0, 0.0);
        for group in groups.iter() {
            let cqi = report.subbands[usize::from(self.subbands.of[group])];
            sum += self.worth[usize::from(cqi.index())].1;
            count += 1.0;
        }
        ReportedSinr::in_tenths(Sinr::from_linear(math::exp_m1(sum / f64::max(count, 1.0))))
    }
}
