//! Fast fading: the variation of the gain of one link with time and frequency (TS 36.101 §B.2).
//!
//! In: a medium (the kind of fading, shared by the UEs of a cell), the antennas of a UE, its random
//! stream; then instants. Out: for each part of the band the power gain relative to the mean SINR,
//! or the SINRs of two layers. The mean power gain of one branch is 1.
//!
//! The gain is a function of the instant alone: nothing is stepped, instants may be skipped, and
//! two schemes that read it at different times see the same fades. The state is constant and small;
//! only instants that are requested cost anything.
//!
//! Left out: selectivity within a part of the band. In a long profile (ETU) one SINR for a subband
//! of 1.4 MHz has deeper fades than a decoder would see; use resource blocks there. Interference
//! does not fade.

mod block;
mod complex;
mod multipath;
mod oscillator;
mod trace;

pub use complex::Complex;
pub use multipath::update_period;
pub use trace::{Trace, TraceError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::band::Band;
use super::profile::Profile;
use super::quantity::Hertz;
use crate::ran::phy::Sinr;
use crate::sim::Stream;
use crate::unit::{Duration, Instant, math};

/// The kind of fading, shared by all UEs with the same band, profile and speed.
#[derive(Clone, Debug)]
pub struct Medium(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Constant,
    Block(block::Block),
    Multipath(multipath::DelayLine),
    Trace(trace::Table),
}

/// Number of transmit and receive antennas of the downlink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "AntennaKind")]
pub enum Antennas {
    /// One transmit and one receive antenna.
    #[default]
    #[serde(rename = "1x1")]
    OneByOne,
    /// One transmit and two receive antennas: maximum ratio combining.
    #[serde(rename = "1x2")]
    OneByTwo,
    /// Two transmit and two receive antennas: transmit diversity with one layer, an MMSE receiver
    /// with two.
    #[serde(rename = "2x2")]
    TwoByTwo,
}

/// Number of layers that a UE asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// One layer, on both antennas (SFBC).
    One,
    /// Two layers, one for each antenna.
    Two,
}

/// The fading of one link of one UE.
#[derive(Clone, Debug)]
pub struct Fading {
    medium: Arc<Medium>,
    antennas: Antennas,
    state: State,
    /// Power gains by part, for states that do not store them.
    gains: Vec<f64>,
}

#[derive(Clone, Debug)]
enum State {
    Constant,
    Block(block::State),
    Multipath(multipath::State),
    Trace(trace::State),
}

/// The state of the link at one instant.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a>(&'a Fading);

impl Medium {
    /// Creates a medium without fading (TS 36.101 §B.1: with two antennas at each end the layers do
    /// not disturb each other).
    pub const fn constant() -> Self {
        Self(Kind::Constant)
    }

    /// Creates Rayleigh fading that is equal over the band, constant for `coherence`, and then
    /// drawn again.
    pub const fn block(coherence: Duration) -> Self {
        Self(Kind::Block(block::Block::new(coherence)))
    }

    /// Creates fading with the echoes of a profile, each a sum of sinusoids with Jakes' spectrum up
    /// to `doppler`, constant for `update` (see [`update_period`]).
    pub fn multipath(band: &Band, profile: Profile, doppler: Hertz, update: Duration) -> Self {
        Self(Kind::Multipath(multipath::DelayLine::new(band, profile, doppler, update)))
    }

    /// Creates fading from windows of a recorded trace, which has powers and no phases: two layers
    /// cannot be separated.
    pub fn trace(band: &Band, trace: &Trace, window: Duration) -> Self {
        Self(Kind::Trace(trace::Table::new(band, trace, window)))
    }
}

impl Antennas {
    /// Returns the number of pairs of a transmit and a receive antenna.
    pub const fn branches(self) -> usize {
        match self {
            Self::OneByOne => 1,
            Self::OneByTwo => 2,
            Self::TwoByTwo => 4,
        }
    }

    /// Returns the power gain of one layer from the sum over all branches.
    fn shared(self, sum: f64) -> f64 {
        match self {
            // Two transmit antennas share the power.
            Self::TwoByTwo => sum / 2.0,
            Self::OneByOne | Self::OneByTwo => sum,
        }
    }
}

impl Fading {
    /// Creates the fading of a UE with its own stream. The first branch does not depend on
    /// `antennas`.
    pub fn new(medium: Arc<Medium>, antennas: Antennas, stream: &mut Stream) -> Self {
        let branches = antennas.branches();
        let state = match &medium.0 {
            Kind::Constant => State::Constant,
            Kind::Block(_) => State::Block(block::State::new(branches, stream)),
            Kind::Multipath(line) => State::Multipath(line.draw(branches, stream)),
            Kind::Trace(_) => State::Trace(trace::State::new(branches, stream)),
        };
        Self { medium, antennas, state, gains: Vec::new() }
    }

    /// Returns the state of the link at `now`.
    pub fn at(&mut self, now: Instant) -> Snapshot<'_> {
        match (&self.medium.0, &mut self.state) {
            (Kind::Constant, State::Constant) => {}
            (Kind::Block(block), State::Block(state)) => state.refresh(block, now),
            (Kind::Multipath(line), State::Multipath(state)) => state.refresh(line, now),
            (Kind::Trace(table), State::Trace(state)) => state.refresh(table, now),
            _ => unreachable!("a state is made by its medium"),
        }
        Snapshot(self)
    }

    /// Returns the power gains at `now` by part, as in [`Snapshot::gain`], for at least `parts`.
    /// This costs less than separate calls, and little if a recent instant is requested again.
    #[inline]
    pub fn gains(&mut self, now: Instant, parts: impl Iterator<Item = usize>) -> &[f64] {
        self.at(now);
        match self.state {
            State::Multipath(_) => {}
            State::Trace(_) => {
                let mut gains = std::mem::take(&mut self.gains);
                for part in parts {
                    gains.resize(gains.len().max(part + 1), 0.0);
                    gains[part] = Snapshot(self).gain(part);
                }
                self.gains = gains;
                return &self.gains;
            }
            State::Constant | State::Block(_) => {
                // The gain is equal over the band.
                let gain = Snapshot(self).gain(0);
                let count = parts.fold(self.gains.len(), |count, part| count.max(part + 1));
                if self.gains.first() != Some(&gain) {
                    self.gains.clear();
                }
                self.gains.resize(count, gain);
                return &self.gains;
            }
        }
        match (&self.medium.0, &mut self.state) {
            (Kind::Multipath(line), State::Multipath(state)) => {
                state.gains(line, self.antennas, parts)
            }
            _ => unreachable!("a state is made by its medium"),
        }
    }

    #[inline]
    fn response(&self, branch: usize, part: usize) -> Complex {
        match (&self.medium.0, &self.state) {
            (Kind::Multipath(line), State::Multipath(state)) => state.response(line, branch, part),
            (Kind::Trace(table), State::Trace(state)) => state.response(table, branch, part),
            (_, State::Block(state)) => state.response(branch),
            // TS 36.101 §B.1: (1, j) at the first receiver, (1, −j) at the second.
            _ => [Complex::ONE, Complex::J, Complex::ONE, Complex::J.negative()]
                [if self.antennas == Antennas::TwoByTwo { branch } else { 0 }],
        }
    }
}

impl Snapshot<'_> {
    /// Returns the response of one part of the band between a transmit and a receive antenna:
    /// branch `senders · receiver + sender`.
    #[inline]
    pub fn response(self, branch: usize, part: usize) -> Complex {
        self.0.response(branch, part)
    }

    /// Returns the power gain of a block sent in one layer, as a factor: |H|², its sum over two
    /// receivers, or half of the sum over four branches.
    #[inline]
    pub fn gain(self, part: usize) -> f64 {
        let power = |branch| self.response(branch, part).power();
        self.0.antennas.shared((0..self.0.antennas.branches()).map(power).sum())
    }

    /// Returns the SINR of a block sent in one layer, for a mean of `mean` at one antenna.
    #[inline]
    pub fn sinr(self, part: usize, mean: Sinr) -> Sinr {
        Sinr::from_linear(self.gain(part) * mean.linear())
    }

    /// Returns the SINRs of two layers behind an MMSE receiver.
    ///
    /// # Panics
    /// If the link has fewer than two antennas at an end.
    pub fn layers(self, part: usize, mean: Sinr) -> [Sinr; 2] {
        assert!(self.0.antennas == Antennas::TwoByTwo, "two layers on {:?}", self.0.antennas);
        let [h11, h12, h21, h22] = std::array::from_fn(|branch| self.response(branch, part));
        let half = mean.linear() / 2.0;
        let first = half * (h11.power() + h21.power());
        let second = half * (h12.power() + h22.power());
        let cross = h11.conjugate().times(h12).plus(h21.conjugate().times(h22));
        let leak = half * half * cross.power();
        // 1/[(I + ρ/2·HᴴH)⁻¹]ᵢᵢ − 1, written out for two columns.
        [(first, second), (second, first)]
            .map(|(own, other)| Sinr::from_linear((own - leak / (1.0 + other)).max(0.0)))
    }

    /// Returns the number of layers with the higher sum of rates over the band, for the mean SINR
    /// of each part.
    ///
    /// The rates are those of ideal codes. Below 0 dB they differ little, and the choice is random.
    /// A caller with a table of schemes may instead compare the bits that it carries with the SINRs
    /// of [`Self::sinr`] and [`Self::layers`].
    pub fn rank(self, means: &[Sinr]) -> Rank {
        if self.0.antennas != Antennas::TwoByTwo {
            return Rank::One;
        }
        let (mut one, mut two) = (0.0, 0.0);
        for (part, mean) in means.iter().enumerate() {
            one += rate(self.sinr(part, *mean));
            two += self.layers(part, *mean).into_iter().map(rate).sum::<f64>();
        }
        if two > one { Rank::Two } else { Rank::One }
    }
}

/// Returns the bits per resource element of an ideal code.
fn rate(sinr: Sinr) -> f64 {
    math::log2(1.0 + sinr.linear())
}

#[cfg(test)]
mod tests;
