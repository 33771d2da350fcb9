//! Blockage by people and cars that step between a UE and its mast, as a process of two states
//! (after MacCartney, Rappaport and Rangan 2017; compare TR 38.901 §7.6.4).
//!
//! In: frequency, duration and loss of blockers; then instants. Out: the loss at an instant, in dB.
//!
//! A blocker comes and goes gradually: the loss rises and falls linearly in dB.
//!
//! Left out: positions of blockers. A blocker between a UE and the mast of one cell affects no
//! other mast and no other UE; the loss depends neither on the beam nor on the speed of the UE.
//! This matters for studies of handover or beams.

use super::alternation::Alternation;
use crate::sim::Stream;
use crate::unit::{Decibel, Duration, Instant};

/// The parameters of blockers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Mean time between two blockers.
    pub between: Duration,
    /// Mean duration of a blocker, including its ramps.
    pub lasting: Duration,
    /// Mean loss behind a blocker.
    pub loss: Decibel,
    /// Standard deviation of the loss among blockers.
    pub deviation: Decibel,
    /// Duration of each of the two ramps of a blocker.
    pub ramp: Duration,
}

/// The blockers of one UE.
#[derive(Clone, Debug)]
pub struct Blockage {
    config: Config,
    process: Alternation,
    /// Losses of the blockers so far, in dB.
    losses: Vec<f64>,
    stream: Stream,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            between: Duration::from_secs(5),
            lasting: Duration::from_millis(400),
            loss: Decibel(20.0),
            deviation: Decibel(5.0),
            ramp: Duration::from_millis(60),
        }
    }
}

impl Blockage {
    /// Creates blockers with times from one stream and losses from the other.
    pub fn new(config: Config, times: Stream, losses: Stream) -> Self {
        let means = [config.between, config.lasting].map(Duration::as_secs_f64);
        let process = Alternation::stationary(means, times);
        Self { config, process, losses: Vec::new(), stream: losses }
    }

    /// Returns the loss at `at`, which is zero without a blocker.
    pub fn loss(&mut self, at: Instant) -> Decibel {
        let stay = self.process.at(at);
        if !stay.on {
            return Decibel(0.0);
        }
        let blocker = stay.number / 2;
        while self.losses.len() <= blocker {
            let loss = self.config.loss.0 + self.config.deviation.0 * self.stream.normal();
            self.losses.push(loss.max(0.0));
        }
        let from_edge = (at - stay.begun).min(stay.ends - at);
        let ramp = self.config.ramp;
        let risen =
            if from_edge >= ramp { 1.0 } else { from_edge.as_secs_f64() / ramp.as_secs_f64() };
        Decibel(risen * self.losses[blocker])
    }

    /// Returns the share of the time before `end` with a blocker. `None` if that time is zero.
    pub fn share(&self, end: Instant) -> Option<f64> {
        self.process.share(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    fn blockage(config: Config) -> Blockage {
        let streams = Streams::new(8);
        Blockage::new(config, streams.open("test", "times"), streams.open("test", "losses"))
    }

    /// Returns the loss in each ms of ten minutes.
    fn losses(config: Config) -> Vec<f64> {
        let mut blockage = blockage(config);
        let at = |millis| Instant::ZERO + Duration::from_millis(millis);
        (0..600_000).map(|millis| blockage.loss(at(millis)).0).collect()
    }

    #[test]
    fn a_loss_comes_and_goes_in_ramps() {
        let losses = losses(Config { deviation: Decibel(0.0), ..Config::default() });
        // 20 dB in 60 ms.
        let steepest = losses.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        assert!(steepest <= 1.0 / 3.0 + 1e-9, "{steepest} dB in a millisecond");
        let highest = losses.iter().copied().fold(0.0, f64::max);
        assert!((highest - 20.0).abs() < 1e-9, "{highest} dB");
    }

    /// 0.4 s of 5.4 s, about 111 blockers in ten minutes: three standard deviations of a sum of
    /// that many exponential stays.
    #[test]
    fn blockers_stand_there_for_their_share_of_the_time() {
        let blocked = losses(Config::default()).iter().filter(|&&loss| loss > 0.0).count();
        let share = blocked as f64 / 600_000.0;
        assert!((share / (0.4 / 5.4) - 1.0).abs() < 3.0 * (2.0 / 111.0_f64).sqrt(), "{share}");
    }

    #[test]
    fn blockers_differ_by_their_deviation() {
        let config = Config { ramp: Duration::ZERO, ..Config::default() };
        let mut blockage = blockage(config);
        let mut depths: Vec<f64> = Vec::new();
        for tenths in 0..200_000_u64 {
            let loss = blockage.loss(Instant::ZERO + Duration::from_millis(100) * tenths).0;
            if loss > 0.0 && depths.last().is_none_or(|&last| last.to_bits() != loss.to_bits()) {
                depths.push(loss);
            }
        }
        let count = depths.len() as f64;
        let mean = depths.iter().sum::<f64>() / count;
        let variance =
            depths.iter().map(|depth| (depth - mean) * (depth - mean)).sum::<f64>() / count;
        // About 2900 blockers longer than a tenth of a second: four standard errors.
        assert!((mean - 20.0).abs() < 4.0 * 5.0 / count.sqrt(), "{mean} dB");
        assert!((variance.sqrt() - 5.0).abs() < 4.0 * 5.0 / (2.0 * count).sqrt(), "{variance} dB²");
    }
}
