//! Named random streams that are independent of each other.
//!
//! In: one seed per run; the name of an entity and a purpose (`"ue/3"`, `"harq"`). Out: a separate
//! stream for each pair. So adding an entity, or drawing more numbers for one purpose, changes no
//! other numbers, and two variants with one seed share theirs.
//!
//! The key of a stream is drawn with ChaCha8 from (seed, entity, purpose); the stream itself is
//! xoshiro256++. A test pins both.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::unit::{Probability, math};

/// The source of all streams of one run.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
}

/// One stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Streams {
    /// Creates the streams of the run with this seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Returns the streams of a part of the run whose entities have the same names as those of
    /// another part.
    #[must_use]
    pub fn of(self, part: &str) -> Self {
        Self { seed: self.seed ^ hash(part) }
    }

    /// Returns the stream of `entity` for `purpose`. The same pair gives the same stream.
    pub fn open(self, entity: &str, purpose: &str) -> Stream {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&hash(entity).to_le_bytes());
        key[16..24].copy_from_slice(&hash(purpose).to_le_bytes());
        key[24..].copy_from_slice(b"uplane 1");
        let mut seed = [0; 32];
        ChaCha8Rng::from_seed(key).fill_bytes(&mut seed);
        Stream(Xoshiro256PlusPlus::from_seed(seed))
    }
}

impl Stream {
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number uniform in [0, 1), with 53 bits.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Returns a number uniform over `0, 1, …, bound − 1`; zero for a bound of zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The bias of the multiply-shift method, bound / 2^64, is far too small to affect a run.
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns `true` with this probability. Draws one number, also for probabilities 0 and 1.
    pub fn chance(&mut self, probability: Probability) -> bool {
        self.uniform() < probability.value()
    }

    /// Returns an exponential random number with this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * math::ln(1.0 - self.uniform())
    }

    /// Returns a Gaussian random number with mean 0 and variance 1 (Box and Muller's transform, one
    /// of the pair).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * math::ln(1.0 - self.uniform())).sqrt();
        radius * math::cos(std::f64::consts::TAU * self.uniform())
    }

    /// Advances the stream as if [`Stream::normal`] had been called.
    pub fn skip_normal(&mut self) {
        self.bits();
        self.bits();
    }
}

/// Returns the 64-bit FNV-1a hash: short, portable, and sufficient for few names.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(seed: u64, entity: &str, purpose: &str) -> u64 {
        Streams::new(seed).open(entity, purpose).bits()
    }

    #[test]
    fn a_stream_depends_on_seed_entity_and_purpose_alone() {
        assert_eq!(first(1, "ue/3", "harq"), first(1, "ue/3", "harq"));
        let others = [first(2, "ue/3", "harq"), first(1, "ue/4", "harq"), first(1, "ue/3", "sr")];
        assert!(others.iter().all(|&other| other != first(1, "ue/3", "harq")));
    }

    /// Reproducing the results of earlier versions depends on these digits.
    #[test]
    fn the_generators_are_pinned() {
        let mut stream = Streams::new(1).open("ue/3", "harq");
        let drawn = [stream.bits(), stream.bits(), stream.bits()];
        assert_eq!(drawn, PINNED);
    }

    #[test]
    fn the_samplers_have_the_moments_they_promise() {
        let mut stream = Streams::new(7).open("test", "moments");
        let draws = 200_000;
        let mean = |sample: &mut dyn FnMut() -> f64| {
            (0..draws).map(|_| sample()).sum::<f64>() / f64::from(draws)
        };
        assert!((mean(&mut || stream.uniform()) - 0.5).abs() < 0.005);
        assert!((mean(&mut || stream.exponential(2.0)) - 2.0).abs() < 0.03);
        assert!(mean(&mut || stream.normal()).abs() < 0.01);
        assert!((mean(&mut || stream.normal().abs()) - 0.797_88).abs() < 0.01);
        assert!((mean(&mut || stream.below(10) as f64) - 4.5).abs() < 0.05);
    }

    const PINNED: [u64; 3] =
        [17_572_079_991_731_794_682, 5_542_428_931_999_273_948, 16_087_093_814_278_480_584];
}
