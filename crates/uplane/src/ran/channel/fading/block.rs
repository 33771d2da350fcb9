//! Rayleigh fading in blocks: one complex Gaussian for the whole band, drawn again after each block
//! of time.
//!
//! In: the length of a block. Out: the response at an instant, a function of the number of its
//! block.
//!
//! Left out: any memory between blocks. It is the textbook model, for checks of schedulers.

use super::complex::Complex;
use crate::sim::Stream;
use crate::unit::{Duration, Instant, math};

#[derive(Clone, Debug)]
pub(super) struct Block {
    coherence: Duration,
}

#[derive(Clone, Debug)]
pub(super) struct State {
    keys: Vec<u64>,
    block: Option<u64>,
    responses: Vec<Complex>,
}

impl Block {
    pub(super) const fn new(coherence: Duration) -> Self {
        assert!(!coherence.is_zero(), "a block of no time");
        Self { coherence }
    }
}

impl State {
    pub(super) fn new(branches: usize, stream: &mut Stream) -> Self {
        let keys: Vec<u64> = (0..branches).map(|_| stream.bits()).collect();
        Self { keys, block: None, responses: vec![Complex::ZERO; branches] }
    }

    pub(super) fn refresh(&mut self, block: &Block, now: Instant) {
        let number = now.as_nanos() / block.coherence.as_nanos();
        if self.block != Some(number) {
            self.block = Some(number);
            for (response, key) in self.responses.iter_mut().zip(&self.keys) {
                *response = gaussian(*key, number);
            }
        }
    }

    pub(super) fn response(&self, branch: usize) -> Complex {
        self.responses[branch]
    }
}

/// Returns 64 random bits, a function of a key and a number (the finaliser of SplitMix64).
pub(super) fn bits(key: u64, number: u64) -> u64 {
    let mut mixed = key.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Returns a number uniform in [0, 1), with 53 bits.
pub(super) fn uniform(key: u64, number: u64) -> f64 {
    (bits(key, number) >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// Returns a complex Gaussian of unit power.
fn gaussian(key: u64, number: u64) -> Complex {
    let radius = (-math::ln(1.0 - uniform(key, 2 * number))).sqrt();
    let angle = std::f64::consts::TAU * uniform(key, 2 * number + 1);
    Complex { re: radius * math::cos(angle), im: radius * math::sin(angle) }
}
