//! Shadowing: the loss by hills and houses in addition to the path loss (TR 36.814 Table
//! A.2.1.1-2).
//!
//! In: the stream of one UE. Out: for each cell, the deviation from the path loss in dB.
//!
//! Three independent Gaussians are added: one of the UE's own surroundings, one of the site, one of
//! the sector. Their shares of the variance give the correlations between sites and between the
//! sectors of a site. Along a track each is an autoregression of the distance moved.
//!
//! Left out: correlation between neighbouring UEs, whose shadowing is independent here. This
//! matters for the map of an area, not for counting users.

use super::layout::SECTORS;
use super::quantity::Metres;
use crate::sim::Stream;
use crate::unit::{Decibel, Probability, math};

/// Parameters of shadowing: deviation and correlations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Standard deviation of the loss.
    pub deviation: Decibel,
    /// Correlation between two sites.
    pub between_sites: Probability,
    /// Correlation between two sectors of a site; at least `between_sites`.
    pub between_sectors: Probability,
    /// Distance over which the correlation falls to 1/e.
    pub decorrelation: Metres,
}

/// The shadowing of one UE.
#[derive(Clone, Debug)]
pub struct Shadowing {
    config: Config,
    ue: f64,
    sites: Vec<f64>,
    sectors: Vec<f64>,
}

impl Shadowing {
    /// Draws the shadowing of a UE towards all cells of `sites` sites.
    pub fn new(config: Config, sites: usize, stream: &mut Stream) -> Self {
        let mut shadowing =
            Self { config, ue: 0.0, sites: vec![0.0; sites], sectors: vec![0.0; sites * SECTORS] };
        shadowing.draw(stream);
        shadowing
    }

    /// Draws all values again.
    pub fn draw(&mut self, stream: &mut Stream) {
        self.renew(0.0, stream);
    }

    /// Moves the UE by this distance.
    pub fn advance(&mut self, distance: Metres, stream: &mut Stream) {
        self.renew(math::exp(-distance.0 / self.config.decorrelation.0), stream);
    }

    /// Returns the loss of cell number `cell` in addition to the path loss.
    pub fn towards(&self, cell: usize) -> Decibel {
        Decibel(self.config.deviation.0 * self.deviations(cell))
    }

    /// Returns that loss in standard deviations.
    pub fn deviations(&self, cell: usize) -> f64 {
        let between_sites = self.config.between_sites.value();
        let between_sectors = self.config.between_sectors.value();
        between_sites.sqrt() * self.ue
            + (between_sectors - between_sites).max(0.0).sqrt() * self.sites[cell / SECTORS]
            + (1.0 - between_sectors).sqrt() * self.sectors[cell]
    }

    /// Keeps the share `kept` of each Gaussian and adds noise for a variance of 1.
    fn renew(&mut self, kept: f64, stream: &mut Stream) {
        let fresh = (1.0 - kept * kept).sqrt();
        for gaussian in std::iter::once(&mut self.ue).chain(&mut self.sites) {
            *gaussian = kept * *gaussian + fresh * stream.normal();
        }
        let alike = self.config.between_sectors.value() >= 1.0;
        for gaussian in &mut self.sectors {
            if alike {
                // This Gaussian has no weight, so its value does not matter.
                stream.skip_normal();
            } else {
                *gaussian = kept * *gaussian + fresh * stream.normal();
            }
        }
    }
}

impl Default for Config {
    /// Returns cases 1 and 3 of TR 36.814 Table A.2.1.1-2.
    fn default() -> Self {
        let half = Probability::new(0.5).expect("in [0, 1]");
        let one = Probability::new(1.0).expect("in [0, 1]");
        Self {
            deviation: Decibel(8.0),
            between_sites: half,
            between_sectors: one,
            decorrelation: Metres(50.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    const DRAWS: u32 = 40_000;

    /// Returns the correlation of two samples with zero mean and a deviation of 8 dB.
    fn correlation(pairs: impl Iterator<Item = (Decibel, Decibel)>) -> f64 {
        pairs.map(|(a, b)| a.0 * b.0 / 64.0).sum::<f64>() / f64::from(DRAWS)
    }

    fn between(config: Config, a: usize, b: usize) -> f64 {
        let mut stream = Streams::new(1).open("test", "shadowing");
        let mut shadowing = Shadowing::new(config, 2, &mut stream);
        correlation((0..DRAWS).map(|_| {
            shadowing.draw(&mut stream);
            (shadowing.towards(a), shadowing.towards(b))
        }))
    }

    /// TR 36.814 Table A.2.1.1-2: 8 dB, 0.5 between cells of two sites, 1.0 between sectors.
    #[test]
    fn sectors_share_their_shadow_and_sites_half_of_it() {
        let config = Config::default();
        assert!((between(config, 0, 0) - 1.0).abs() < 0.03);
        assert!((between(config, 0, 2) - 1.0).abs() < 0.03);
        assert!((between(config, 2, 3) - 0.5).abs() < 0.03);
        let apart = Config { between_sectors: Probability::new(0.8).expect("valid"), ..config };
        assert!((between(apart, 0, 2) - 0.8).abs() < 0.03);
        assert!((between(apart, 0, 5) - 0.5).abs() < 0.03);
    }

    /// TR 36.814 Table A.2.1.1-2: the correlation falls to 1/e within 50 m.
    #[test]
    fn a_walk_of_50_m_leaves_a_correlation_of_1_over_e() {
        let mut stream = Streams::new(2).open("test", "shadowing");
        let mut shadowing = Shadowing::new(Config::default(), 1, &mut stream);
        let kept = correlation((0..DRAWS).map(|_| {
            shadowing.draw(&mut stream);
            let before = shadowing.towards(0);
            (0..10).for_each(|_| shadowing.advance(Metres(5.0), &mut stream));
            (before, shadowing.towards(0))
        }));
        assert!((kept - 0.368).abs() < 0.03, "{kept}");
    }
}
