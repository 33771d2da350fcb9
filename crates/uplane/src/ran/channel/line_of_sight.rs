//! Line of sight between a UE and a mast (TR 38.901 §7.4.2), and its changes as the UE moves
//! (§7.6.3.3).
//!
//! In: the distance on the ground, the speed. Out: the probability of a line of sight; a process of
//! two states.
//!
//! The state is a Markov chain along the path of the UE: over a distance `Δ` its correlation falls
//! to `e^(−Δ/d)`, with the decorrelation distance `d` of TR 38.901 Table 7.6.3.1-2, and its mean
//! share of time is the probability.
//!
//! Left out: correlation between neighbouring UEs, whose lines of sight are independent here; UEs
//! above 13 m, for which roofs are lower (`C'` of Table 7.4.2-1 is zero); the gradual change of
//! §7.6.3.3 between the two states. This matters for studies of neighbouring UEs or of towers.

use super::alternation::Alternation;
use super::path_loss::PathLoss;
use super::quantity::{Metres, Speed};
use crate::sim::Stream;
use crate::unit::{Decibel, Probability, math};

/// The formula for the probability of a line of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOfSight {
    /// UMi, street canyon (TR 38.901 Table 7.4.2-1).
    StreetCanyon,
    /// UMa, for UEs below 13 m (TR 38.901 Table 7.4.2-1).
    UrbanMacro,
    /// Line of sight at any distance.
    Always,
    /// No line of sight at any distance.
    Never,
}

/// The additional parameters of a budget for links without line of sight. The budget's own path
/// loss and shadowing are those of a line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The formula for the probability of a line of sight.
    pub line_of_sight: LineOfSight,
    /// Path loss without line of sight.
    pub nlos: PathLoss,
    /// Standard deviation of shadowing without line of sight.
    pub nlos_deviation: Decibel,
    /// Distance over which the correlation of the state falls to 1/e.
    pub decorrelation: Metres,
}

/// The state of the link between one UE and its own mast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LosState {
    /// The UE had a line of sight where it was dropped.
    pub los: bool,
    /// Probability of a line of sight at that position.
    pub probability: Probability,
    /// Gain of the link in the other state relative to that in this state, as a factor.
    pub other: f64,
}

impl LineOfSight {
    /// Returns the probability of a line of sight at a distance on the ground.
    pub fn probability(self, ground: Metres) -> Probability {
        let value = match self {
            Self::StreetCanyon => near(ground.0, 36.0),
            Self::UrbanMacro => near(ground.0, 63.0),
            Self::Always => 1.0,
            Self::Never => 0.0,
        };
        Probability::new(value).expect("in [0, 1]")
    }
}

/// Returns `18/d + exp(−d/reach)·(1 − 18/d)`, and 1 up to 18 m.
fn near(ground: f64, reach: f64) -> f64 {
    if ground <= 18.0 {
        return 1.0;
    }
    let near = 18.0 / ground;
    near + math::exp(-ground / reach) * (1.0 - near)
}

impl LosState {
    /// Returns the process of the state for a UE with this speed. The state on is a line of sight.
    pub fn process(&self, speed: Speed, decorrelation: Metres, stream: Stream) -> Alternation {
        let time = decorrelation.0 / (speed.0 / 3.6);
        let los = self.probability.value();
        Alternation::starting(self.los, [time / los, time / (1.0 - los)], stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;
    use crate::unit::{Duration, Instant};

    fn check(line_of_sight: LineOfSight, ground: f64, expected: f64) {
        let found = line_of_sight.probability(Metres(ground)).value();
        assert!((found - expected).abs() < 1e-5, "{line_of_sight:?} at {ground} m: {found}");
    }

    /// TR 38.901 Table 7.4.2-1, computed by hand: 0.18 + 0.82·e^(−100/36) = 0.18 + 0.82·0.062177,
    /// and 0.18 + 0.82·e^(−100/63) = 0.18 + 0.82·0.204477.
    #[test]
    fn a_mast_is_seen_from_near_by() {
        check(LineOfSight::StreetCanyon, 18.0, 1.0);
        check(LineOfSight::StreetCanyon, 100.0, 0.230_985);
        check(LineOfSight::UrbanMacro, 10.0, 1.0);
        check(LineOfSight::UrbanMacro, 100.0, 0.347_671);
    }

    /// TR 38.901 §7.6.3.3: after 50 m at 30 km/h, which take 6 s, 1/e of the correlation is left.
    #[test]
    fn a_way_of_50_m_leaves_a_correlation_of_1_over_e() {
        let probability = Probability::new(0.3).expect("in [0, 1]");
        let los = LosState { los: false, probability, other: 1.0 };
        let stream = Streams::new(3).open("test", "line of sight");
        let mut process = los.process(Speed(30.0), Metres(50.0), stream);
        let at = |seconds: u64| Instant::ZERO + Duration::from_secs(seconds);
        let states: Vec<f64> =
            (0..120_000).map(|second| f64::from(u8::from(process.at(at(second)).on))).collect();
        let mean = states.iter().sum::<f64>() / states.len() as f64;
        let product = |lag: usize| {
            let pairs = states.iter().zip(&states[lag..]);
            pairs.map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / states.len() as f64
        };
        // 20 000 times the decorrelation: three standard errors.
        assert!((mean - 0.3).abs() < 0.015, "{mean}");
        assert!((product(6) / product(0) - 0.368).abs() < 0.03, "{}", product(6) / product(0));
    }
}
