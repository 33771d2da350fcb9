//! Losses in bursts: a channel that is good or bad (Gilbert 1960, Elliott 1963).
//!
//! In: frames, one after the other. Out: whether each frame is lost.
//!
//! Between two frames the channel changes from good to bad with probability `p` and back with `r`;
//! in each state a frame is lost with that state's probability. The first frame finds the channel
//! in its stationary distribution.
//!
//! Left out: time. The state changes with frames and not with time, so a pause leaves the channel
//! unchanged. This matters for a path with long idle times.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sim::Stream;
use crate::unit::Probability;

/// Burst losses: a channel alternates between a good and a bad state, frame by frame (letters of
/// Elliott 1963).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "BurstLoss")]
pub struct Config {
    /// Probability that the channel changes from the good to the bad state, for each frame. A good
    /// period lasts `1 / p` frames on average; with 0, the channel never becomes bad.
    pub p: Probability,
    /// Probability that the channel changes from the bad to the good state, for each frame. A bad
    /// period lasts `1 / r` frames on average.
    pub r: Probability,
    /// Probability that a frame is lost in the bad state (`1 − h` of Elliott 1963). Default 1.
    #[serde(default = "always")]
    pub bad_loss: Probability,
    /// Probability that a frame is lost in the good state (`1 − k` of Elliott 1963). Default 0.
    #[serde(default)]
    pub good_loss: Probability,
}

/// The channel of one link.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    config: Config,
    /// State of the channel. `None` before the first frame.
    is_bad: Option<bool>,
}

impl Channel {
    pub(super) const fn new(config: Config) -> Self {
        Self { config, is_bad: None }
    }

    /// Returns `true` if the next frame is lost. Draws two numbers.
    pub(super) fn loses(&mut self, stream: &mut Stream) -> bool {
        let Config { p, r, bad_loss, good_loss } = self.config;
        let drawn = stream.uniform();
        let is_bad = match self.is_bad {
            None => drawn * (p.value() + r.value()) < p.value(),
            Some(false) => drawn < p.value(),
            Some(true) => drawn >= r.value(),
        };
        self.is_bad = Some(is_bad);
        stream.chance(if is_bad { bad_loss } else { good_loss })
    }
}

fn always() -> Probability {
    Probability::new(1.0).expect("a probability")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    const FRAMES: usize = 400_000;

    fn chance(value: f64) -> Probability {
        Probability::new(value).expect("from 0 to 1")
    }

    fn losses(config: Config) -> Vec<bool> {
        let mut channel = Channel::new(config);
        let mut stream = Streams::new(1).open("link/test", "bursts of losses");
        (0..FRAMES).map(|_| channel.loses(&mut stream)).collect()
    }

    fn share(losses: &[bool]) -> f64 {
        losses.iter().filter(|lost| **lost).count() as f64 / losses.len() as f64
    }

    /// (p · (1 − h) + r · (1 − k)) / (p + r). Frames are correlated: the variance of the share of
    /// bad frames is that of independent ones times (2 − p − r) / (p + r). Four deviations.
    #[test]
    fn as_many_are_lost_as_the_stationary_distribution_says() {
        for (p, r, bad, good) in [(0.01, 0.25, 1.0, 0.0), (0.02, 0.1, 0.6, 0.005)] {
            let config = Config {
                p: chance(p),
                r: chance(r),
                bad_loss: chance(bad),
                good_loss: chance(good),
            };
            let expected = (p * bad + r * good) / (p + r);
            let variance = expected * (1.0 - expected) * (2.0 - p - r) / (p + r);
            let deviation = (variance / FRAMES as f64).sqrt();
            let found = share(&losses(config));
            assert!((found - expected).abs() < 4.0 * deviation, "{found} is not {expected}");
        }
    }

    /// The first frame of a link is in a bad period as often as any other: p / (p + r). Four
    /// deviations, of 20 000 links.
    #[test]
    fn the_first_frame_finds_the_stationary_distribution() {
        let config =
            Config { p: chance(0.1), r: chance(0.3), bad_loss: always(), good_loss: chance(0.0) };
        let mut stream = Streams::new(1).open("link/test", "bursts of losses");
        let first: Vec<bool> =
            (0..20_000).map(|_| Channel::new(config).loses(&mut stream)).collect();
        let deviation = (0.25_f64 * 0.75 / 20_000.0).sqrt();
        assert!((share(&first) - 0.25).abs() < 4.0 * deviation, "{} are lost", share(&first));
    }

    /// With h = 0 and k = 1 a burst of losses is a bad period: geometric with mean 1 / r. Four
    /// deviations, of which one is sqrt(1 − r) / r for a single burst.
    #[test]
    fn bursts_are_as_long_as_bad_times() {
        let r = 0.25;
        let config =
            Config { p: chance(0.01), r: chance(r), bad_loss: always(), good_loss: chance(0.0) };
        let losses = losses(config);
        let bursts = losses.windows(2).filter(|pair| pair[0] && !pair[1]).count() as f64;
        let mean = share(&losses) * FRAMES as f64 / bursts;
        let deviation = (1.0_f64 - r).sqrt() / r / bursts.sqrt();
        assert!((mean - 1.0 / r).abs() < 4.0 * deviation, "{mean} frames");
    }

    /// p + r = 1: the next state does not depend on this one, so losses are independent.
    #[test]
    fn without_memory_losses_are_independent() {
        let config =
            Config { p: chance(0.1), r: chance(0.9), bad_loss: always(), good_loss: chance(0.0) };
        let losses = losses(config);
        let pairs = losses.windows(2).filter(|pair| pair[0] && pair[1]).count() as f64;
        let deviation = (0.01 / FRAMES as f64).sqrt();
        assert!((pairs / FRAMES as f64 - 0.01).abs() < 4.0 * deviation, "{pairs} pairs");
    }
}
