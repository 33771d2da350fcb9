//! One UE and the cells around it.
//!
//! In: its place, the fading of its link, what the other cells send. Out: SINRs of resource block groups, the
//! channel quality that it reports, its SINR at the eNB.

use std::sync::Arc;

use super::Air;
use super::config::Reports;
use super::mean_gain::{Outlook, View};
use super::neighbours::Around;
use crate::net::{Direction, PerDirection};
use crate::ran::cell::rbg::GroupSet;
use crate::ran::channel::Placement;
use crate::ran::channel::fading::{Antennas, Fading, Medium};
use crate::ran::phy::cqi::Cqi;
use crate::ran::phy::{Layers, Sinr, sinr};
use crate::sim::{Stream, Streams};
use crate::unit::{CellId, Decibel, Instant, math};

/// A UE's links.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct Path {
    /// The serving cell in a resource block, over the noise.
    signal: f64,
    /// Noise, and interference that does not change, over the noise.
    floor: f64,
    /// The others that are simulated: position in the network, and power over the noise.
    coupled: Vec<(u32, f64)>,
    /// Other eNBs that hear its uplink, each with the gain to there over that eNB's noise.
    disturbs: Vec<(u32, f64)>,
    fading: PerDirection<Faded>,
    /// How the mean of the link changes, where it does.
    outlook: Option<Box<Outlook>>,
    /// Loss of the link to its cell where it was dropped.
    loss: Decibel,
    /// Mean SINR of a resource block at the eNB, there.
    uplink: Sinr,
    /// The most resource blocks that its power is enough for.
    pub(in crate::ran::cell) most_prbs: u64,
    /// The first slot in which a newer report is in force; 0 before the first.
    due: PerDirection<u64>,
    /// CQI of each subband.
    subbands: [Cqi; MOST_GROUPS],
    /// What the last report promises in a slot: bytes of each group, and of all together.
    pub(in crate::ran::cell) bytes: [f64; MOST_GROUPS],
    pub(in crate::ran::cell) bytes_of_band: f64,
}

/// What another cell does.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) enum Neighbour {
    /// It is on the air with this mean share.
    Mean(f64),
    /// It is simulated, at this position.
    Simulated(u32),
}

/// Fading that exists from its first use on.
#[derive(Clone, Debug)]
enum Faded {
    Unused(Stream),
    Used(Box<Fading>),
}

impl Path {
    /// The links of a UE in its place.
    pub(in crate::ran::cell) fn new(
        air: &Air,
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
        let (around, budget) = (&air.surroundings, &air.budget);
        let outlook = Outlook::new(around, budget, placement, &entity, streams);
        let most = air.power.most_prbs(&air.budget, loss, Decibel(0.0));
        let noise = air.budget.base_noise().milliwatts();
        let others = (0..cells).map(CellId).filter(|cell| *cell != placement.serving);
        let disturbs = others.filter_map(|cell| {
            let place = position(cell).filter(|_| air.uplink_coupled)?;
            Some((place, placement.gain(cell).linear() / noise))
        });
        Self {
            signal,
            floor,
            coupled,
            disturbs: disturbs.collect(),
            fading: PerDirection { down: stream("downlink fading"), up: stream("uplink fading") },
            outlook: outlook.map(Box::new),
            loss,
            uplink: air.power.sinr(&air.budget, loss, most),
            most_prbs: u64::from(most),
            due: PerDirection::default(),
            subbands: [Cqi::OUT_OF_RANGE; MOST_GROUPS],
            bytes: [0.0; MOST_GROUPS],
            bytes_of_band: 0.0,
        }
    }

    /// True when the UE hears the same in all slots and on all groups.
    pub(in crate::ran::cell) fn is_constant(&self, air: &Air) -> bool {
        !self.changes(air) && self.coupled.is_empty()
    }

    /// True when the link to its own cell changes with time.
    pub(in crate::ran::cell) const fn changes(&self, air: &Air) -> bool {
        air.fades || self.outlook.is_some()
    }

    /// True when its uplink is not what it always is.
    pub(in crate::ran::cell) const fn uplink_changes(&self, air: &Air) -> bool {
        self.changes(air) || air.uplink_coupled
    }

    /// It sends on so many resource blocks: other eNBs hear that.
    pub(in crate::ran::cell) fn disturb(&self, air: &Air, prbs: u64, around: &mut Around) {
        let power = air.power.prb_power(&air.budget, self.loss, prbs as u32).milliwatts();
        let share = prbs as f64 / air.grid.prbs(air.grid.all()) as f64;
        for &(place, gain) in &self.disturbs {
            around.disturb(place, power * share * gain);
        }
    }

    /// How the mean of its link changes.
    pub(in crate::ran::cell) fn outlook(&self) -> Option<&Outlook> {
        self.outlook.as_deref()
    }

    /// What it hears on average while the other simulated cells use the whole band.
    pub(in crate::ran::cell) fn mean(&self, air: &Air) -> Sinr {
        let layers = if air.layers == Layers::Two { 0.5 } else { 1.0 };
        let receivers = match air.antennas {
            Antennas::OneByOne => 1.0,
            Antennas::OneByTwo | Antennas::TwoByTwo => 2.0,
        };
        let others: f64 = self.coupled.iter().map(|&(_, heard)| heard).sum();
        let sinr = self.signal * receivers * layers / (self.floor + others);
        air.budget.after_transmit_error(Sinr::from_linear(sinr))
    }

    /// SINR at the eNB on average.
    pub(in crate::ran::cell) const fn mean_uplink(&self) -> Sinr {
        self.uplink
    }

    /// The measured slot of a report that is in force in `slot` and was not yet when this was asked before.
    pub(in crate::ran::cell) fn news(
        &mut self,
        direction: Direction,
        reports: Reports,
        slot: u64,
        offset: u64,
    ) -> Option<u64> {
        let due = &mut self.due[direction];
        if slot < *due {
            return None;
        }
        let measured = reports.in_force(slot, offset);
        *due = reports.in_force_until(measured, offset);
        Some(measured)
    }

    /// Somebody has looked at a report of the downlink.
    pub(in crate::ran::cell) const fn has_reported(&self) -> bool {
        self.due.down > 0
    }

    /// The CQI of the subband that has this group.
    pub(in crate::ran::cell) fn cqi(&self, air: &Air, group: usize) -> usize {
        usize::from(self.subbands[usize::from(air.subband_of[group])].index())
    }

    /// SINRs of `groups` at `at`, one for each layer, errors of the transmitter included.
    pub(in crate::ran::cell) fn sinrs(
        &mut self,
        air: &Air,
        at: Instant,
        groups: GroupSet,
        around: &Around,
        sinrs: &mut Vec<Sinr>,
    ) {
        let mut means = [[0.0; FEW]; MOST_GROUPS / FEW];
        let mut rest = groups.iter();
        for (few, _) in means.iter_mut().zip((0..groups.count()).step_by(FEW)) {
            let mut of = [GroupSet::NONE; FEW];
            for (of, group) in of.iter_mut().zip(rest.by_ref()) {
                *of = of.with(group);
            }
            *few = self.disturbed(around, of).map(|others| self.signal / others);
        }
        self.hear(air, at, groups, means.as_flattened(), sinrs);
    }

    /// Noise and interference on a few groups, side by side.
    fn disturbed(&self, around: &Around, groups: [GroupSet; FEW]) -> [f64; FEW] {
        let all = groups.iter().fold(GroupSet::NONE, |all, group| GroupSet(all.0 | group.0));
        let mut sums = [self.floor; FEW];
        for &(cell, power) in &self.coupled {
            let common = around.groups(cell).common(all);
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

    /// The CQI of the band as the UE measures it in the slot that begins at `at`; those of the subbands are
    /// kept.
    pub(in crate::ran::cell) fn report(
        &mut self,
        air: &Air,
        at: Instant,
        around: &Around,
        sinrs: &mut Vec<Sinr>,
    ) -> Cqi {
        let others: f64 = self.coupled.iter().map(|&(cell, heard)| around.load(cell) * heard).sum();
        let means = [self.signal / (self.floor + others); MOST_GROUPS];
        // Without fading one group stands for all.
        let groups = if air.fades { air.grid.all() } else { GroupSet(1) };
        self.hear(air, at, groups, &means, sinrs);
        let band = air.table.wideband(air.receiver, sinrs);
        self.subbands.fill(band);
        if air.fades && air.subband < air.grid.count() {
            let per_subband = air.subband * if air.layers == Layers::Two { 2 } else { 1 };
            for (cqi, sinrs) in self.subbands.iter_mut().zip(sinrs.chunks(per_subband)) {
                *cqi = air.table.subband(air.receiver, band, mean_capacity(sinrs));
            }
        }
        if air.knows_subbands() {
            self.promise(air);
        }
        band
    }

    /// What the report means in bytes.
    fn promise(&mut self, air: &Air) {
        self.bytes_of_band = 0.0;
        let bytes = self.bytes[..air.grid.count()].chunks_mut(air.subband);
        let prbs = air.prbs.chunks(air.subband);
        for (cqi, (bytes, prbs)) in self.subbands.iter().zip(bytes.zip(prbs)) {
            let (per_prb, _) = air.worth[usize::from(cqi.index())];
            for (bytes, prbs) in bytes.iter_mut().zip(prbs) {
                *bytes = per_prb * prbs;
                self.bytes_of_band += *bytes;
            }
        }
    }

    /// SINR of an uplink block on these groups, when UEs of other cells are heard with this power over the noise.
    pub(in crate::ran::cell) fn uplink_sinr(
        &mut self,
        air: &Air,
        at: Instant,
        groups: GroupSet,
        others: f64,
        sinrs: &mut Vec<Sinr>,
    ) -> Sinr {
        // They add to the constant part of noise and interference.
        let disturbed = 1.0 + others / air.power.interference_over_thermal.linear();
        if let Some(outlook) = &mut self.outlook {
            let view = outlook.at(at);
            let link = self.fading.up.at(&air.medium, Antennas::OneByOne).at(at);
            // A UE measures what is lost, and sends as much stronger as power control and its limit have it.
            let loss = Decibel(self.loss.0 - math::linear_to_db(view.gain));
            let mean =
                air.power.sinr(&air.budget, loss, self.most_prbs as u32).linear() / disturbed;
            let power = |group| view.power(link, group) / view.gain;
            sinrs.clear();
            sinrs.extend(groups.iter().map(|group| Sinr::from_linear(mean * power(group))));
            return sinr::mmse_fde(sinrs.iter().copied());
        }
        let mean = self.uplink.linear() / disturbed;
        let fading = self.fading.up.at(&air.medium, Antennas::OneByOne);
        let gains = fading.gains(at, groups.iter());
        sinrs.clear();
        sinrs.extend(groups.iter().map(|group| Sinr::from_linear(gains[group] * mean)));
        sinr::mmse_fde(sinrs.iter().copied())
    }

    fn hear(
        &mut self,
        air: &Air,
        at: Instant,
        groups: GroupSet,
        // SINRs before fading, in the order of the groups.
        means: &[f64],
        sinrs: &mut Vec<Sinr>,
    ) {
        if let Some(outlook) = &mut self.outlook {
            let view = outlook.at(at);
            return self.hear_in_view(air, at, groups, means, view, sinrs);
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

    /// The same where the mean of the link is not what it was.
    fn hear_in_view(
        &mut self,
        air: &Air,
        at: Instant,
        groups: GroupSet,
        means: &[f64],
        view: View,
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

/// The SINR of the mean capacity of these: `(∏(1 + γ))^(1/n) − 1`.
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

/// Groups of which the interference is summed side by side.
const FEW: usize = 4;
/// Groups of the widest band: 28 for 110 resource blocks.
pub(in crate::ran::cell) const MOST_GROUPS: usize = 32;
