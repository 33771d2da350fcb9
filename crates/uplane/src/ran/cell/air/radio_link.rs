//! The links between one UE and the cells around it.
//!
//! In: its place, the fading of its link, transmissions of the other cells. Out: SINRs of resource
//! block groups, the channel quality that it reports, its SINR at the eNB.

use std::sync::Arc;

use super::config::Reports;
use super::cqi_report::CqiReport;
use super::mean_gain::{GainSample, MeanGain};
use super::neighbours::Neighbours;
use super::propagation::Propagation;
use crate::net::{Direction, PerDirection};
use crate::ran::cell::rbg::{GroupSet, MOST_GROUPS};
use crate::ran::channel::Placement;
use crate::ran::channel::fading::{Antennas, Fading, Medium};
use crate::ran::phy::cqi::Cqi;
use crate::ran::phy::{Layers, Sinr, effective_sinr};
use crate::sim::{Stream, Streams};
use crate::unit::{CellId, Decibel, Instant, UeId, math};

/// The links of one UE.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct RadioLink {
    /// Power of the serving cell in a resource block, relative to the noise.
    signal: f64,
    /// Noise and constant interference, relative to the noise.
    floor: f64,
    /// The other simulated cells: position in the network, and power relative to the noise.
    coupled: Vec<(u32, f64)>,
    /// Other eNBs that receive its uplink, each with the gain of the path there divided by that
    /// eNB's noise.
    interferes_with: Vec<(u32, f64)>,
    fading: PerDirection<Faded>,
    /// Changes of the link's mean gain, if any.
    mean_gain: Option<Box<MeanGain>>,
    /// Coupling loss of the link to its cell at the drop.
    loss: Decibel,
    /// Mean SINR of a resource block at the eNB, at the drop.
    uplink: Sinr,
    /// Maximum number of resource blocks that the UE sends on: as many as its power is enough for,
    /// or the smallest allocation.
    pub(in crate::ran::cell) most_prbs: u64,
    /// The first slot in which a newer report is in force; 0 before the first.
    due: PerDirection<u64>,
}

/// Activity of another cell.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) enum Neighbour {
    /// Constant activity with this mean share of the band.
    Mean(f64),
    /// A simulated cell, at this position.
    Simulated(u32),
}

/// Fading that is created at its first use.
#[derive(Clone, Debug)]
enum Faded {
    Unused(Stream),
    Used(Box<Fading>),
}

impl RadioLink {
    /// Creates the links of a UE at its place.
    pub(in crate::ran::cell) fn new(
        air: &Propagation,
        placement: &Placement,
        cells: u32,
        neighbour: impl Fn(CellId) -> Neighbour,
        position: impl Fn(CellId) -> Option<u32>,
        streams: Streams,
    ) -> Self {
        let signal = placement.snr().linear();
        let (mut floor, mut coupled) = (1.0, Vec::new());
        for cell in (0..cells).map(CellId).filter(|cell| *cell != placement.serving) {
            let heard = signal * placement.relative(cell);
            match neighbour(cell) {
                Neighbour::Mean(load) => floor += load * heard,
                Neighbour::Simulated(position) => coupled.push((position, heard)),
            }
        }
        let entity = format!("radio/ue/{}", placement.ue.0);
        let stream = |purpose| Faded::Unused(streams.open(&entity, purpose));
        let loss = placement.coupling_loss();
        let (surroundings, budget) = (&air.surroundings, &air.budget);
        let mean_gain = MeanGain::new(surroundings, budget, placement, &entity, streams);
        let most = air.power.most_prbs(&air.budget, loss, Decibel(0.0)).max(air.least_prbs);
        let noise = air.budget.base_noise().milliwatts();
        let others = (0..cells).map(CellId).filter(|cell| *cell != placement.serving);
        let interferes_with = others.filter_map(|cell| {
            let place = position(cell).filter(|_| air.uplink_coupled)?;
            Some((place, placement.gain(cell).linear() / noise))
        });
        Self {
            signal,
            floor,
            coupled,
            interferes_with: interferes_with.collect(),
            fading: PerDirection { down: stream("downlink fading"), up: stream("uplink fading") },
            mean_gain: mean_gain.map(Box::new),
            loss,
            uplink: air.power.sinr(&air.budget, loss, most),
            most_prbs: u64::from(most),
            due: PerDirection::default(),
        }
    }

    /// Returns `true` if the downlink SINR is the same in all slots and on all groups.
    pub(in crate::ran::cell) fn is_constant(&self, air: &Propagation) -> bool {
        !self.changes(air) && self.coupled.is_empty()
    }

    /// Returns `true` if the link to its own cell changes with time.
    pub(in crate::ran::cell) const fn changes(&self, air: &Propagation) -> bool {
        air.fades || self.mean_gain.is_some()
    }

    /// Returns `true` if the uplink SINR changes.
    pub(in crate::ran::cell) const fn uplink_changes(&self, air: &Propagation) -> bool {
        self.changes(air) || air.uplink_coupled
    }

    /// Adds the UE's transmission on `prbs` resource blocks to the interference at other eNBs.
    pub(in crate::ran::cell) fn interfere(
        &self,
        air: &Propagation,
        prbs: u64,
        neighbours: &mut Neighbours,
    ) {
        let power = air.power.prb_power(&air.budget, self.loss, prbs as u32).milliwatts();
        let share = prbs as f64 / air.subbands.grid.prbs(air.subbands.grid.all()) as f64;
        for &(place, gain) in &self.interferes_with {
            neighbours.interfere(place, power * share * gain);
        }
    }

    /// Returns the changes of the link's mean gain, if any.
    pub(in crate::ran::cell) fn mean_gain(&self) -> Option<&MeanGain> {
        self.mean_gain.as_deref()
    }

    /// Returns the mean downlink SINR while the other simulated cells use the whole band.
    pub(in crate::ran::cell) fn mean(&self, air: &Propagation) -> Sinr {
        let layers = if air.layers == Layers::Two { 0.5 } else { 1.0 };
        let receivers = match air.antennas {
            Antennas::OneByOne => 1.0,
            Antennas::OneByTwo | Antennas::TwoByTwo => 2.0,
        };
        let others: f64 = self.coupled.iter().map(|&(_, heard)| heard).sum();
        let sinr = self.signal * receivers * layers / (self.floor + others);
        air.budget.after_transmit_error(Sinr::from_linear(sinr))
    }

    /// Returns the mean SINR at the eNB.
    pub(in crate::ran::cell) const fn mean_uplink(&self) -> Sinr {
        self.uplink
    }

    /// Returns the measured slot of a report that is in force in `slot`, if it was not in force at
    /// the last call.
    pub(in crate::ran::cell) fn due_report(
        &mut self,
        direction: Direction,
        reports: &Reports,
        slot: u64,
        ue: UeId,
    ) -> Option<u64> {
        let due = &mut self.due[direction];
        if slot < *due {
            return None;
        }
        let offset = reports.offset(ue);
        let measured = reports.in_force(slot, offset);
        *due = reports.in_force_until(measured, offset);
        Some(measured)
    }

    /// Returns `true` once a downlink report is in force.
    pub(in crate::ran::cell) const fn has_reported(&self) -> bool {
        self.due.down > 0
    }

    /// Computes the SINRs of `groups` at `at`, one per layer, with errors of the transmitter.
    pub(in crate::ran::cell) fn sinrs(
        &mut self,
        air: &Propagation,
        at: Instant,
        groups: GroupSet,
        neighbours: &Neighbours,
        sinrs: &mut Vec<Sinr>,
    ) {
        let mut means = [[0.0; FEW]; MOST_GROUPS / FEW];
        let mut rest = groups.iter();
        for (few, _) in means.iter_mut().zip((0..groups.count()).step_by(FEW)) {
            let mut of = [GroupSet::NONE; FEW];
            for (of, group) in of.iter_mut().zip(rest.by_ref()) {
                *of = of.with(group);
            }
            *few = self.interfered(neighbours, of).map(|others| self.signal / others);
        }
        self.faded_sinrs(air, at, groups, means.as_flattened(), sinrs);
    }

    /// Returns noise and interference on a few groups, computed together.
    fn interfered(&self, neighbours: &Neighbours, groups: [GroupSet; FEW]) -> [f64; FEW] {
        let all = groups.iter().fold(GroupSet::NONE, |all, group| GroupSet(all.0 | group.0));
        let mut sums = [self.floor; FEW];
        for &(cell, power) in &self.coupled {
            let common = neighbours.groups(cell).common(all);
            if common == all {
                // Neighbours with much to send use the whole band.
                for sum in &mut sums {
                    *sum += power;
                }
            } else if !common.is_empty() {
                for (sum, group) in sums.iter_mut().zip(groups) {
                    *sum += if common.common(group).is_empty() { 0.0 } else { power };
                }
            }
        }
        sums
    }

    /// Returns the CQI of the band as the UE measures it in the slot that begins at `at`, and
    /// writes the CQIs of the subbands to `report`.
    pub(super) fn measure(
        &mut self,
        air: &Propagation,
        at: Instant,
        neighbours: &Neighbours,
        sinrs: &mut Vec<Sinr>,
        report: &mut CqiReport,
    ) -> Cqi {
        let others: f64 =
            self.coupled.iter().map(|&(cell, heard)| neighbours.load(cell) * heard).sum();
        let means = [self.signal / (self.floor + others); MOST_GROUPS];
        // Without fading one group stands for all.
        let groups = if air.fades { air.subbands.grid.all() } else { GroupSet(1) };
        self.faded_sinrs(air, at, groups, &means, sinrs);
        let band = air.table.wideband(air.receiver, sinrs);
        report.subbands.fill(band);
        if air.fades && air.subbands.size < air.subbands.grid.count() {
            let per_subband = air.subbands.size * if air.layers == Layers::Two { 2 } else { 1 };
            for (cqi, sinrs) in report.subbands.iter_mut().zip(sinrs.chunks(per_subband)) {
                *cqi = air.table.subband(air.receiver, band, mean_capacity(sinrs));
            }
        }
        if air.knows_subbands() {
            air.promise(report);
        }
        band
    }

    /// Returns the SINR of an uplink block on these groups, if UEs of other cells are received with
    /// the power `others`, relative to the noise.
    pub(in crate::ran::cell) fn uplink_sinr(
        &mut self,
        air: &Propagation,
        at: Instant,
        groups: GroupSet,
        others: f64,
        sinrs: &mut Vec<Sinr>,
    ) -> Sinr {
        // The power adds to the constant part of noise and interference.
        let interfered = 1.0 + others / air.power.interference_over_thermal.linear();
        if let Some(mean_gain) = &mut self.mean_gain {
            let view = mean_gain.at(at);
            let link = self.fading.up.at(&air.medium, Antennas::OneByOne).at(at);
            // A UE measures the additional loss, and raises its power as far as power control and
            // its limit allow.
            let loss = Decibel(self.loss.0 - math::linear_to_db(view.gain));
            let mean =
                air.power.sinr(&air.budget, loss, self.most_prbs as u32).linear() / interfered;
            let power = |group| view.power(link, group) / view.gain;
            sinrs.clear();
            sinrs.extend(groups.iter().map(|group| Sinr::from_linear(mean * power(group))));
            return effective_sinr::mmse_fde(sinrs.iter().copied());
        }
        let mean = self.uplink.linear() / interfered;
        let fading = self.fading.up.at(&air.medium, Antennas::OneByOne);
        let gains = fading.gains(at, groups.iter());
        sinrs.clear();
        sinrs.extend(groups.iter().map(|group| Sinr::from_linear(gains[group] * mean)));
        effective_sinr::mmse_fde(sinrs.iter().copied())
    }

    fn faded_sinrs(
        &mut self,
        air: &Propagation,
        at: Instant,
        groups: GroupSet,
        // SINRs before fading, in the order of the groups.
        means: &[f64],
        sinrs: &mut Vec<Sinr>,
    ) {
        if let Some(mean_gain) = &mut self.mean_gain {
            let view = mean_gain.at(at);
            return self.fading_with_changes(air, at, groups, means, view, sinrs);
        }
        let fading = self.fading.down.at(&air.medium, air.antennas);
        let received = |sinr| air.budget.after_transmit_error(sinr);
        let means = groups.iter().zip(means);
        sinrs.clear();
        if air.layers == Layers::Two {
            let link = fading.at(at);
            let layers =
                means.flat_map(|(group, mean)| link.layers(group, Sinr::from_linear(*mean)));
            sinrs.extend(layers.map(received));
        } else {
            let gains = fading.gains(at, groups.iter());
            let faded = means.map(|(group, mean)| Sinr::from_linear(gains[group] * mean));
            sinrs.extend(faded.map(received));
        }
    }

    /// Computes the SINRs of `groups` as `faded_sinrs` does, for a link whose mean gain changes.
    fn fading_with_changes(
        &mut self,
        air: &Propagation,
        at: Instant,
        groups: GroupSet,
        means: &[f64],
        view: GainSample,
        sinrs: &mut Vec<Sinr>,
    ) {
        let link = self.fading.down.at(&air.medium, air.antennas).at(at);
        sinrs.clear();
        for (group, mean) in groups.iter().zip(means) {
            if air.layers == Layers::Two {
                sinrs.extend(link.layers(group, Sinr::from_linear(view.gain * mean)));
            } else {
                sinrs.push(Sinr::from_linear(view.power(link, group) * mean));
            }
        }
        for sinr in sinrs {
            *sinr = air.budget.after_transmit_error(*sinr);
        }
    }
}

impl Faded {
    fn at(&mut self, medium: &Arc<Medium>, antennas: Antennas) -> &mut Fading {
        if let Self::Unused(stream) = self {
            *self = Self::Used(Box::new(Fading::new(Arc::clone(medium), antennas, stream)));
        }
        match self {
            Self::Used(fading) => fading,
            Self::Unused(_) => unreachable!("made above"),
        }
    }
}

/// Returns the SINR of the mean capacity of `sinrs`: `(∏(1 + γ))^(1/n) − 1`.
fn mean_capacity(sinrs: &[Sinr]) -> Sinr {
    let product: f64 = sinrs.iter().map(|sinr| 1.0 + sinr.linear()).product();
    let mean = match sinrs.len() {
        1 => product,
        2 => product.sqrt(),
        4 => product.sqrt().sqrt(),
        count => math::pow(product, 1.0 / count as f64),
    };
    Sinr::from_linear((mean - 1.0).max(0.0))
}

/// Number of groups whose interference is summed together.
const FEW: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// `log2(1 + γ)` of 1, 3 and 7 is 1, 2 and 3.
    #[test]
    fn a_mean_capacity_is_that_of_each_on_average() {
        let mean = |sinrs: &[f64]| {
            let sinrs: Vec<Sinr> = sinrs.iter().copied().map(Sinr::from_linear).collect();
            mean_capacity(&sinrs).linear()
        };
        for count in 1..=8 {
            assert!((mean(&vec![5.0; count]) - 5.0).abs() < 1e-12, "{count}");
        }
        assert!((mean(&[1.0, 7.0]) - 3.0).abs() < 1e-12);
        assert!((mean(&[1.0, 3.0, 7.0]) - 3.0).abs() < 1e-12);
        assert!((mean(&[1.0, 7.0, 3.0, 3.0]) - 3.0).abs() < 1e-12);
        assert!(mean(&[0.0; 3]).abs() < 1e-12);
    }
}
