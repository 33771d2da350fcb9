//! The air of a network as one cell needs it: what its UEs hear, and what the eNB knows of that.
//!
//! In: the places of UEs, fading, what the other cells send. Out: the SINR of a transmission on its
//! resource blocks, reports of the channel quality, each a few TTIs old.
//!
//! A UE's SINR is its signal over noise and interference, per resource block group, times the fading of its
//! own link. Reports are looked at when the scheduler needs them, and then computed for the TTI in
//! which they were measured: a UE without data reports nothing and costs nothing. What a UE reports
//! of the other cells is their mean activity of the last slots, as receivers average it.
//!
//! | file | what |
//! |---|---|
//! | [`config`] | what a scenario says |
//! | [`radio_link`] | one UE and the cells around it |
//! | [`mean_gain`] | how the mean of its link changes |
//! | [`neighbours`] | what the other cells do |
//!
//! Left out: fading of interferers. The uplink hears a constant interference over thermal noise, or the mean power of other cells' UEs
//! over the band and the last slots, never one of them on its resource blocks alone. The age of the mean activity in a report (at most a dozen TTIs). The
//! place of an uplink block in the band is drawn anew for each transmission.

pub mod config;
mod mean_gain;
mod neighbours;
mod radio_link;

use std::sync::Arc;

pub use config::{Config, FadingKind, Interference, Reports, Surroundings};
pub(super) use neighbours::Around;
use radio_link::MOST_GROUPS;
pub(super) use radio_link::{Neighbour, Path};

use super::base_station::frequency_selective::Share;
use super::base_station::link_adaptation::Link;
use super::carrier::Carrier;
use super::mcs_cache::Belief;
use super::rbg::{Grid, GroupSet};
use super::{Cell, ue::Ue};
use crate::net::Direction;
use crate::ran::channel::fading::{Antennas, Medium, update_period};
use crate::ran::channel::{Band, Budget, PowerControl};
use crate::ran::mac::timing::Clock;
use crate::ran::phy::cqi::CqiTable;
use crate::ran::phy::{Allocation, Cqi, Layers, McsTable, Modulation, Receiver, Sinr, sinr};
use crate::unit::{CellId, Duration, Instant, Probability, UeId, math};

/// What all cells of a network have in common.
#[derive(Clone, Debug)]
pub(super) struct Air {
    medium: Arc<Medium>,
    fades: bool,
    antennas: Antennas,
    layers: Layers,
    budget: Budget,
    power: PowerControl,
    grid: Grid,
    /// Groups of one CQI subband; the whole band in one for wideband reports.
    subband: usize,
    /// By group: its CQI subband, and its resource blocks.
    subband_of: [u8; MOST_GROUPS],
    prbs: [f64; MOST_GROUPS],
    /// Groups of the subband and the size of the group before them.
    alike: GroupSet,
    reports: Reports,
    sounding: Reports,
    surroundings: Surroundings,
    uplink_coupled: bool,
    table: CqiTable,
    receiver: Receiver,
    /// What a CQI promises: bytes of a resource block and slot, and ln(1 + SINR).
    worth: [(f64, f64); 16],
}

/// The air around one cell.
#[derive(Clone, Debug)]
pub(super) struct CellAir {
    pub(super) shared: Arc<Air>,
    /// Which cell of the network it is.
    pub(super) id: CellId,
    /// The other cells, as far as they are simulated.
    pub(super) around: Around,
    /// Where it stands among them.
    place: u32,
    /// UEs that send in this slot, and on how many resource blocks; where others hear them.
    sent: Vec<(u32, u64)>,
    /// Groups of this slot that nobody has.
    pub(super) free: GroupSet,
    sinrs: Vec<Sinr>,
    /// Memory for those who share the groups of a slot.
    pub(super) shares: Vec<Share>,
}

impl Air {
    /// The air over a downlink `carrier` in slots of `tti`.
    pub(super) fn new(config: &Config, carrier: &Carrier, tti: Duration) -> Self {
        let budget = config.geometry.budget.clone();
        let bandwidth = budget.bandwidth;
        let medium = match config.fading {
            None => Medium::constant(),
            Some(FadingKind { profile, speed }) => {
                let doppler = speed.doppler(budget.carrier);
                let band = Band::of_groups(bandwidth).widened(budget.spacing);
                Medium::multipath(&band, profile, doppler, update_period(doppler, tti))
            }
        };
        let grid = Grid::new(bandwidth.prbs(), bandwidth.rbg_size());
        let subband = if config.subbands {
            (bandwidth.subband_size() / bandwidth.rbg_size()) as usize
        } else {
            grid.count()
        };
        let table = match carrier.table {
            McsTable::Pdsch256Qam => CqiTable::Qam256,
            _ => CqiTable::Qam64,
        };
        let elements = Allocation {
            prbs: 1,
            res_per_prb: carrier.res_per_prb,
            layers: carrier.layers,
            tti: tti * u64::from(carrier.spacing),
        };
        let worth = std::array::from_fn(|index| {
            let cqi = Cqi::new(index as u8).expect("sixteen of them");
            let Some((modulation, code_rate)) = table.scheme(cqi) else { return (0.0, 0.0) };
            let bits = f64::from(elements.coded_bits(modulation)) * code_rate;
            (bits / 8.0, math::ln_1p(table.threshold(cqi, carrier.receiver).linear()))
        });
        let same = |group: &usize| {
            !group.is_multiple_of(subband) && grid.prbs_of(*group) == grid.prbs_of(group - 1)
        };
        let alike = (1..grid.count()).filter(same).fold(GroupSet::NONE, GroupSet::with);
        Self {
            medium: Arc::new(medium),
            fades: config.fading.is_some(),
            antennas: config.antennas,
            layers: carrier.layers,
            budget,
            power: config.power,
            grid,
            subband,
            subband_of: std::array::from_fn(|group| (group / subband) as u8),
            prbs: std::array::from_fn(|group| grid.prbs_of(group.min(grid.count() - 1)) as f64),
            alike,
            reports: config.reports,
            sounding: config.sounding,
            surroundings: config.surroundings,
            uplink_coupled: config.uplink_coupled,
            table,
            receiver: carrier.receiver,
            worth,
        }
    }

    pub(super) const fn grid(&self) -> Grid {
        self.grid
    }

    /// Groups of which a report says the same as of the group before.
    pub(super) const fn alike(&self) -> GroupSet {
        self.alike
    }

    /// True when the eNB knows which parts of the band suit a UE.
    pub(super) fn knows_subbands(&self) -> bool {
        self.subband < self.grid.count()
    }
}

impl CellAir {
    /// The air around the cell at `place` among `cells` that are simulated.
    pub(super) fn new(shared: Arc<Air>, id: CellId, place: u32, cells: usize) -> Self {
        let (free, around) = (shared.grid.all(), Around::new(cells));
        Self {
            shared,
            id,
            around,
            place,
            sent: Vec::new(),
            free,
            sinrs: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// A slot begins: all groups are free.
    pub(super) fn clear(&mut self) {
        self.free = self.shared.grid.all();
        self.sent.clear();
    }

    /// A UE sends an uplink block on so many resource blocks.
    pub(super) fn on_sent(&mut self, ue: u32, prbs: u64) {
        if self.shared.uplink_coupled {
            self.sent.push((ue, prbs));
        }
    }

    /// Groups used in this slot.
    pub(super) fn used(&self) -> GroupSet {
        self.shared.grid.all().without(self.free)
    }

    /// Where the blocks of a slot begin in the band: anywhere, as a cell that knows nothing of its
    /// neighbours would have it.
    pub(super) fn first_group(&self, slot: u64) -> usize {
        (mixed(u64::from(self.id.0), slot) % self.shared.grid.count() as u64) as usize
    }

    /// Takes groups for `prbs` resource blocks.
    pub(super) fn take(&mut self, slot: u64, prbs: u64) -> GroupSet {
        let taken = self.shared.grid.take(self.free, self.first_group(slot), prbs);
        self.free = self.free.without(taken);
        taken
    }

    /// Resource blocks that nobody has in this slot.
    pub(super) fn free_prbs(&self) -> u64 {
        self.shared.grid.prbs(self.free)
    }

    /// What a UE would get from all groups that are free, by its last report.
    pub(super) fn bytes(&self, ue: &Ue) -> f64 {
        let Some(path) = &ue.path else { return 0.0 };
        if self.free == self.shared.grid.all() {
            return path.bytes_of_band;
        }
        self.free.iter().map(|group| path.bytes[group]).sum()
    }

    /// The newest report of the downlink that the scheduler knows in `slot` is given to `tell`.
    pub(super) fn refresh_downlink(
        &mut self,
        ue: &mut Ue,
        slot: u64,
        clock: &Clock,
        erased: Probability,
        tell: impl FnOnce(&mut Link, Belief),
    ) {
        let Some(path) = &mut ue.path else { return };
        let air = &*self.shared;
        if path.is_constant(air) && path.has_reported() {
            return;
        }
        let is_first = !path.has_reported();
        let offset = u64::from(ue.id.0);
        let Some(measured) = path.news(Direction::Down, air.reports, slot, offset) else { return };
        if !is_first && !erased.is_zero() && ue.feedback_errors.chance(erased) {
            return;
        }
        let at = clock.start(measured);
        let cqi = path.report(air, at, &self.around, &mut self.sinrs);
        ue.counted.on_report(cqi);
        tell(&mut ue.down.link, Belief::Exact(air.table.threshold(cqi, air.receiver)));
    }

    /// The same for what the eNB measures of the uplink.
    pub(super) fn refresh_uplink(
        &mut self,
        ue: &mut Ue,
        slot: u64,
        clock: &Clock,
        tell: impl FnOnce(&mut Link, Belief),
    ) {
        let Some(path) = &mut ue.path else { return };
        let air = &*self.shared;
        let offset = u64::from(ue.id.0);
        if path.uplink_changes(air)
            && let Some(measured) = path.news(Direction::Up, air.sounding, slot, offset)
        {
            let all = air.grid.all();
            let others = self.around.heard(self.place);
            let at = clock.start(measured);
            let sinr = path.uplink_sinr(air, at, all, others, &mut self.sinrs);
            tell(&mut ue.up.link, Belief::in_tenths(sinr));
        }
    }

    /// What the eNB believes of a block on these groups, by the last report.
    pub(super) fn believed(&self, ue: &Ue, groups: GroupSet) -> Belief {
        let Some(path) = &ue.path else { return Belief::NOTHING };
        let (mut sum, mut count) = (0.0, 0.0);
        for group in groups.iter() {
            sum += self.shared.worth[path.cqi(&self.shared, group)].1;
            count += 1.0;
        }
        Belief::in_tenths(Sinr::from_linear(math::exp_m1(sum / f64::max(count, 1.0))))
    }

    /// What a UE hears of a block on these groups; none when it is what it always hears.
    pub(super) fn hear_downlink(
        &mut self,
        path: &mut Path,
        at: Instant,
        groups: GroupSet,
        modulation: Modulation,
    ) -> Option<Sinr> {
        let air = &*self.shared;
        if path.is_constant(air) {
            return None;
        }
        path.sinrs(air, at, groups, &self.around, &mut self.sinrs);
        Some(sinr::effective(modulation, self.sinrs.iter().copied()))
    }

    /// What the eNB hears of a block of so many resource blocks; none when it is what it always hears.
    pub(super) fn hear_uplink(
        &mut self,
        path: &mut Path,
        ue: UeId,
        slot: u64,
        at: Instant,
        prbs: u64,
    ) -> Option<Sinr> {
        let air = &*self.shared;
        if !path.uplink_changes(air) {
            return None;
        }
        let count = air.grid.count() as u64;
        let first = (mixed(u64::from(ue.0) + (1 << 20), slot) % count) as usize;
        let groups = air.grid.take(air.grid.all(), first, prbs);
        let others = self.around.heard(self.place);
        Some(path.uplink_sinr(air, at, groups, others, &mut self.sinrs))
    }
}

impl Cell {
    /// The conditions of the slot that begins, as the network knows them.
    pub(super) fn look_around(&mut self, around: &Around) {
        if let Some(air) = &mut self.air {
            air.around.copy_from(around);
        }
    }

    /// Tells the other eNBs what they hear of the UEs that send in this slot.
    pub(super) fn disturb(&self, around: &mut Around) {
        let Some(air) = &self.air else { return };
        for &(ue, prbs) in &air.sent {
            let Some(path) = &self.ues[ue as usize].path else { continue };
            path.disturb(&air.shared, prbs, around);
        }
    }

    /// Groups that this cell uses in the slot just scheduled, and their share of the band.
    pub(super) fn used_groups(&self) -> (GroupSet, f64) {
        let Some(air) = &self.air else { return (GroupSet::NONE, 0.0) };
        let (used, grid) = (air.used(), air.shared.grid);
        (used, grid.prbs(used) as f64 / grid.prbs(grid.all()) as f64)
    }
}

/// 64 random bits, a function of two numbers (the finaliser of SplitMix64).
fn mixed(key: u64, number: u64) -> u64 {
    let mut bits = (key << 40 ^ key).wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
