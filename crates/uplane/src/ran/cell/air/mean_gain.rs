//! The mean gain of a link while a UE moves and blockers step into its path.
//!
//! In: whether the UE saw its mast at the drop, its speed, blockers; then instants. Out: the gain
//! relative to the drop, and whether there is a direct ray.
//!
//! Left out: other cells and their transmissions, which keep the gains of the drop. A UE stays with
//! its cell, however bad the link becomes. This matters for studies of handover.

use super::config::Surroundings;
use crate::ran::channel::alternation::Alternation;
use crate::ran::channel::blockage::Blockage;
use crate::ran::channel::fading::Snapshot;
use crate::ran::channel::{Budget, Placement};
use crate::sim::Streams;
use crate::unit::{Decibel, Instant, math};

/// The mean gain of the link of one UE to its cell.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct MeanGain {
    los: Option<Seen>,
    blockage: Option<Blockage>,
    /// Power of the direct ray relative to all other rays, as a factor, with a line of sight.
    rician: Option<f64>,
}

/// Alternation of line of sight and no line of sight.
#[derive(Clone, Debug)]
struct Seen {
    process: Alternation,
    /// State at the drop. The gain of the other state is relative to it.
    dropped_clear: bool,
    other: f64,
}

/// Mean gain of a link at one instant.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct GainSample {
    /// Gain relative to the drop, as a factor.
    pub(in crate::ran::cell) gain: f64,
    /// Power of the direct ray relative to all other rays; `None` without a line of sight.
    rician: Option<f64>,
}

impl MeanGain {
    /// Returns `None` if the mean gain does not change.
    pub(in crate::ran::cell) fn new(
        neighbours: &Surroundings,
        budget: &Budget,
        placement: &Placement,
        entity: &str,
        streams: Streams,
    ) -> Option<Self> {
        let open = |purpose| streams.open(entity, purpose);
        let los = budget.los.as_ref().zip(placement.los).map(|(config, los)| Seen {
            process: los.process(neighbours.speed, config.decorrelation, open("sight on the way")),
            dropped_clear: los.los,
            other: los.other,
        });
        let blockage = neighbours
            .blockage
            .map(|config| Blockage::new(config, open("blockage"), open("blockage loss")));
        let rician = neighbours.rician.map(Decibel::linear);
        (los.is_some() || blockage.is_some()).then_some(Self { los, blockage, rician })
    }

    /// Returns the gain at `at`.
    pub(in crate::ran::cell) fn at(&mut self, at: Instant) -> GainSample {
        let mut view = GainSample { gain: 1.0, rician: None };
        if let Some(seen) = &mut self.los {
            let clear = seen.process.at(at).on;
            view.gain = if clear == seen.dropped_clear { 1.0 } else { seen.other };
            view.rician = self.rician.filter(|_| clear);
        }
        if let Some(blockage) = &mut self.blockage {
            view.gain *= math::db_to_linear(-blockage.loss(at).0);
        }
        view
    }

    /// Returns the share of the time before `end` with a line of sight; `None` if it is not drawn.
    pub(in crate::ran::cell) fn clear_share(&self, end: Instant) -> Option<f64> {
        self.los.as_ref().and_then(|seen| seen.process.share(end))
    }

    /// Returns the share of the time before `end` behind a blocker; `None` if there are no
    /// blockers.
    pub(in crate::ran::cell) fn blocked_share(&self, end: Instant) -> Option<f64> {
        self.blockage.as_ref().and_then(|blockage| blockage.share(end))
    }
}

impl GainSample {
    /// Returns the power gain of one part of the band, with fading and mean gain. The direct ray
    /// has the share `K/(K + 1)` of the power and the phase of the receiver, which follows it.
    pub(in crate::ran::cell) fn power(self, link: Snapshot, part: usize) -> f64 {
        let Some(ratio) = self.rician else { return self.gain * link.gain(part) };
        let scattered = link.response(0, part).scaled((1.0 / (ratio + 1.0)).sqrt());
        let along = scattered.re + (ratio / (ratio + 1.0)).sqrt();
        self.gain * (along * along + scattered.im * scattered.im)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::channel::fading::{Antennas, Fading, Medium};
    use crate::unit::Duration;
    use std::sync::Arc;

    /// Returns the power gains of 20 000 independent fades with this mean gain.
    fn powers(view: GainSample) -> Vec<f64> {
        let block = Duration::from_millis(1);
        let mut stream = Streams::new(6).open("test", "fading");
        let medium = Arc::new(Medium::block(block));
        let mut fading = Fading::new(medium, Antennas::OneByOne, &mut stream);
        (0..20_000).map(|number| view.power(fading.at(Instant::ZERO + block * number), 0)).collect()
    }

    /// Rice: the mean power stays 1, and its variance is (1 + 2K)/(1 + K)²: 1 for Rayleigh, and for
    /// 9 dB, K = 7.943, 16.887/79.98 = 0.2111.
    #[test]
    fn a_direct_ray_takes_the_depth_out_of_fades() {
        for (rician, variance) in [(None, 1.0), (Some(Decibel(9.0).linear()), 0.2111)] {
            let powers = powers(GainSample { gain: 1.0, rician });
            let count = powers.len() as f64;
            let mean = powers.iter().sum::<f64>() / count;
            let found =
                powers.iter().map(|power| (power - mean) * (power - mean)).sum::<f64>() / count;
            // Four standard errors of the mean; those of the variance are below three times as
            // large.
            assert!((mean - 1.0).abs() < 4.0 * (variance / count).sqrt(), "{mean}");
            assert!((found - variance).abs() < 12.0 * variance / count.sqrt(), "{found}");
        }
    }

    /// A link has the gain of its state at the drop until the state changes, and the gain of the
    /// other state while it differs. The share of the time is the share of the samples.
    #[test]
    fn a_link_has_the_gain_of_its_state() {
        use crate::ran::channel::budget::STREETS_BETWEEN_SITES;
        use crate::ran::channel::{Edge, Hertz, Layout, Network, Speed};
        use crate::ran::phy::lte::Bandwidth;
        let budget = Budget::street_canyon(Bandwidth::Mhz5, Hertz(28e9));
        let layout = Layout::new(STREETS_BETWEEN_SITES, 0, Edge::Open);
        let placements = Network::new(layout, budget.clone()).place_all(10, Streams::new(4));
        let surroundings = Surroundings { speed: Speed(60.0), ..Surroundings::default() };
        for placement in &placements {
            let streams = Streams::new(5);
            let mean = MeanGain::new(&surroundings, &budget, placement, "ue", streams);
            let (mut mean, los) = (mean.expect("it comes and goes"), placement.los.expect("drawn"));
            let at = |ms| Instant::ZERO + Duration::from_millis(ms);
            let gains: Vec<f64> = (0..600_000).step_by(10).map(|ms| mean.at(at(ms)).gain).collect();
            assert!((gains[0] - 1.0).abs() < 1e-12, "as at the drop");
            let dropped = gains.iter().filter(|&&gain| (gain - 1.0).abs() < 1e-12).count();
            let other = gains.iter().filter(|&&gain| (gain - los.other).abs() < 1e-12).count();
            assert!(dropped > 0 && other > 0 && dropped + other == gains.len());
            let clear = if los.los { dropped } else { other } as f64 / gains.len() as f64;
            let share = mean.clear_share(at(600_000)).expect("it is drawn");
            assert!((share - clear).abs() < 0.01, "{share}, {clear} of the samples");
        }
    }

    #[test]
    fn a_blocker_takes_its_loss_from_all_parts() {
        let blocked = powers(GainSample { gain: 0.01, rician: None });
        let free = powers(GainSample { gain: 1.0, rician: None });
        assert!(blocked.iter().zip(free).all(|(low, high)| (low / high - 0.01).abs() < 1e-12));
    }
}
